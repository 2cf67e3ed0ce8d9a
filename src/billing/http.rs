//! The API calls of plans and payments.

use axum::extract::{FromRequestParts, State};
use axum::http::HeaderMap;
use axum::http::request::Parts;
use bytes::Bytes;
use serde::{Deserialize, Serialize};
use utoipa_axum::router::OpenApiRouter;

use super::model::{BillingRefusal, PlanOffer, offers};
use super::provider::Stripe;
use super::seats::{self, AddonSeatsUpdate, SeatUsageResponse};
use super::store::{self, ActiveSubscription};
use super::{cancel, checkout, order, sync, webhook};
use crate::access::plan_source::PlanSource;
use crate::access::{BillingInterval, Feature, Plan, Viewer};
use crate::kit::current::CurrentConfig;
use crate::kit::http::extract::Json;
use crate::kit::http::patch_field::PatchField;
use crate::kit::http::routes::routes;
use crate::kit::http::session::Token;
use crate::kit::timestamp::Timestamp;
use crate::kit::{App, Error, ErrorCode, Result};
use crate::library::counters;
use crate::teams::store as teams;

/// The routes of this module.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(current))
        .routes(routes!(plans))
        .routes(routes!(cancel))
        .routes(routes!(checkout))
        .routes(routes!(portal))
        .routes(routes!(set_seats))
        .routes(routes!(webhook))
}

impl From<BillingRefusal> for Error {
    fn from(refused: BillingRefusal) -> Self {
        let (code, sentence) = match refused {
            BillingRefusal::NotConfigured => {
                (ErrorCode::BillingNotConfigured, "This server takes no payments. Its operator sets plans.")
            }
            BillingRefusal::Unavailable => {
                (ErrorCode::BillingUnavailable, "The payment provider can't be reached right now. Please try again.")
            }
            BillingRefusal::Declined => {
                (ErrorCode::PaymentFailed, "Your card was declined. Check it under Manage Billing, and try again.")
            }
            BillingRefusal::AlreadySubscribed => (ErrorCode::AlreadySubscribed, "You have this plan already."),
            BillingRefusal::InATeam => {
                (ErrorCode::InATeam, "Your plan comes with your team. Leave it first to buy one.")
            }
            BillingRefusal::SeatsInUse { missing } => {
                let sentence =
                    format!("Your team has {missing} more members than this plan has seats. Make room first.");
                return Self::refused(ErrorCode::SeatsInUse, sentence);
            }
            BillingRefusal::TeamUnpaid => (ErrorCode::TeamUnpaid, "The team's subscription has ended."),
            BillingRefusal::OtherPayer => (
                ErrorCode::OtherPayer,
                "The team is still paid for by its former owner. Start a subscription of your own to change its seats.",
            ),
            BillingRefusal::NotYoursToCancel => {
                (ErrorCode::TeamRole, "Only the person who pays for the team can cancel its plan.")
            }
            BillingRefusal::NotYoursToSee => {
                (ErrorCode::TeamRole, "Only the person who pays for the team can see its payments.")
            }
            BillingRefusal::NoSubscription => (ErrorCode::NoSubscription, "There is no subscription to cancel."),
            BillingRefusal::NoCustomer => (ErrorCode::NoCustomer, "You have not paid for anything here yet."),
        };
        Self::refused(code, sentence)
    }
}

impl FromRequestParts<App> for Stripe {
    type Rejection = Error;

    async fn from_request_parts(_parts: &mut Parts, app: &App) -> Result<Self> {
        Self::of(app)
    }
}

/// The plan in force.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct Subscription {
    plan: Plan,
    /// `active`, or the payment provider's status.
    status: String,
    /// RFC 3339, UTC; null when nothing is paid.
    #[schema(required, value_type = Option<String>)]
    current_period_end: Option<Timestamp>,
    /// How often the plan is paid; null when nothing is paid.
    #[schema(required)]
    billing_interval: Option<BillingInterval>,
    /// Whether it was cancelled and ends at the end of the period.
    cancel_at_period_end: bool,
    source: PlanSource,
    /// False on a private server, where every reader has everything; left out on a public one.
    #[serde(skip_serializing_if = "Option::is_none")]
    paid: Option<bool>,
}

/// The seats of a team.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct TeamSeatCount {
    /// The number of members.
    member_count: u32,
    /// The most members.
    seat_limit: u32,
}

/// The plan's limits and how much of them is used; null means unlimited.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct PlanLimits {
    /// The most books of every status; null means unlimited.
    #[schema(required)]
    book_limit: Option<u32>,
    /// The number of books of every status.
    book_count: i64,
    /// The months of history that the plan shows; null means all.
    #[schema(required)]
    history_months: Option<u32>,
}

/// The plan of the caller, and what it includes.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct CurrentSubscription {
    subscription: Subscription,
    /// The seats of the caller's team; null without one.
    #[schema(required)]
    team: Option<TeamSeatCount>,
    limits: PlanLimits,
    /// The features that the plan includes.
    features: Vec<Feature>,
    /// Whether this server takes payments.
    billing_enabled: bool,
}

impl Subscription {
    fn of(viewer: &Viewer, paid: Option<&ActiveSubscription>, is_private: bool) -> Self {
        let paid = paid.filter(|_| viewer.plan_source == PlanSource::Stripe);
        Self {
            plan: viewer.plan,
            status: paid.map_or_else(|| "active".into(), |paid| paid.status.clone()),
            current_period_end: paid.map(|paid| paid.ends_at.unwrap_or(paid.period_end)),
            billing_interval: paid.map(|paid| paid.interval),
            cancel_at_period_end: paid.is_some_and(|paid| paid.ends_at.is_some()),
            source: viewer.plan_source,
            paid: is_private.then_some(false),
        }
    }
}

/// Returns your plan, its limits and features.
#[utoipa::path(get, path = "/api/subscriptions/current", operation_id = "getCurrentSubscription", tag = "plans", responses((status = 200, body = CurrentSubscription), (status = 401)))]
async fn current(State(app): State<App>, viewer: Viewer) -> Result<axum::Json<CurrentSubscription>> {
    let (user_id, now) = (viewer.user_id, app.now());
    let found = app.db.read(move |conn| {
        let team = teams::membership(conn, user_id)?;
        let seats = team.map(|team| teams::seats(conn, team.team_id, now)).transpose()?;
        let (running, begun) = (store::running(conn, user_id)?, store::order(conn, user_id, now)?);
        Ok((counters::book_count(conn, user_id)?, seats, running, begun))
    });
    let (book_count, seats, running, begun) = found.await?;
    sync::refresh_in_background(&app, user_id, running.as_ref(), begun.as_ref(), now);
    let limits = viewer.limits();
    Ok(axum::Json(CurrentSubscription {
        subscription: Subscription::of(&viewer, running.as_ref(), app.current.get().is_private()),
        team: seats.map(|seats| TeamSeatCount { member_count: seats.current_members, seat_limit: seats.seat_limit }),
        limits: PlanLimits { book_limit: limits.book_limit, book_count, history_months: limits.history_months },
        features: viewer.plan.features(),
        billing_enabled: app.config.stripe.is_on(),
    }))
}

/// What the plans offer and cost.
#[derive(Serialize, utoipa::ToSchema)]
struct PlanOfferList {
    /// In ascending order.
    data: Vec<PlanOffer>,
}

/// Returns what the plans offer and cost. Needs no session.
#[utoipa::path(get, path = "/api/plans", operation_id = "listPlans", tag = "plans",
    responses((status = 200, body = PlanOfferList), (status = 404)))]
async fn plans(State(current): State<CurrentConfig>, _sold: PlansAreSold) -> axum::Json<PlanOfferList> {
    let config = current.get();
    axum::Json(PlanOfferList { data: offers(config.book_limit, &config.shown_prices) })
}

/// When the plan ends.
#[derive(Default, Deserialize, utoipa::ToSchema)]
#[serde(default)]
struct SubscriptionCancel {
    /// Immediately instead of at the end of the period. A plan that the operator granted has no period and ends immediately.
    immediate: bool,
}

/// What was done.
#[derive(Serialize, utoipa::ToSchema)]
struct SubscriptionCancelResponse {
    /// A sentence for a person.
    message: String,
}

/// Cancels your plan at the end of its period, or immediately.
#[utoipa::path(post, path = "/api/subscriptions/cancel", operation_id = "cancelSubscription", tag = "plans", request_body = SubscriptionCancel,
    responses((status = 200, body = SubscriptionCancelResponse), (status = 401), (status = 403), (status = 409), (status = 503)))]
async fn cancel(
    State(app): State<App>,
    viewer: Viewer,
    Json(asked): Json<SubscriptionCancel>,
) -> Result<axum::Json<SubscriptionCancelResponse>> {
    let message = cancel::cancel(&app, &viewer, asked.immediate).await?;
    Ok(axum::Json(SubscriptionCancelResponse { message }))
}

/// Where the browser goes next.
#[derive(Serialize, utoipa::ToSchema)]
struct RedirectResponse {
    /// The address to open.
    url: String,
}

/// Starts a payment. An existing subscription is changed at once, and `url` is then the success address.
#[utoipa::path(post, path = "/api/subscriptions/checkout", operation_id = "startCheckout", tag = "plans", request_body = order::CheckoutRequest,
    responses((status = 200, body = RedirectResponse), (status = 401), (status = 409), (status = 422), (status = 503)))]
async fn checkout(
    State(app): State<App>,
    viewer: Viewer,
    _sold: PlansAreSold,
    stripe: Stripe,
    Json(form): Json<order::CheckoutRequest>,
) -> Result<axum::Json<RedirectResponse>> {
    let order = form.checked(&app.current.get().public_url())?;
    let url = checkout::check_out(&app, &stripe, viewer.user_id, &order).await?;
    sync::end_replaced_soon(&app);
    Ok(axum::Json(RedirectResponse { url }))
}

/// Lets a call pass where plans are sold; on a private server it is 404.
struct PlansAreSold;

impl FromRequestParts<App> for PlansAreSold {
    type Rejection = Error;

    async fn from_request_parts(_parts: &mut Parts, app: &App) -> Result<Self> {
        if app.current.get().is_private() { Err(Error::NotFound) } else { Ok(Self) }
    }
}

/// The request to open the payment provider's pages.
#[derive(Default, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct BillingPortalRequest {
    /// Where the provider's pages lead back to; an address of this server.
    #[schema(value_type = String)]
    #[serde(default)]
    return_url: PatchField<String>,
}

/// Opens the payment provider's pages for cards and invoices.
#[utoipa::path(post, path = "/api/subscriptions/billing-portal", operation_id = "openBillingPortal", tag = "plans", request_body = BillingPortalRequest,
    responses((status = 200, body = RedirectResponse), (status = 401), (status = 403), (status = 409), (status = 422), (status = 503)))]
async fn portal(
    State(app): State<App>,
    viewer: Viewer,
    stripe: Stripe,
    Json(form): Json<BillingPortalRequest>,
) -> Result<axum::Json<RedirectResponse>> {
    let customer = cancel::customer(&app, &viewer).await?;
    let return_url = form.return_url.value().unwrap_or_default();
    order::checked_return(&return_url, &app.current.get().public_url())?;
    let url = stripe.portal(&customer.ok_or(BillingRefusal::NoCustomer)?, &return_url, &Token::new()?.text()).await?;
    Ok(axum::Json(RedirectResponse { url }))
}

/// Sets the seats beyond those of the plan. Only the team's owner can do this. They are paid with the plan.
#[utoipa::path(patch, path = "/api/teams/seats", operation_id = "setAddonSeats", tag = "teams", request_body = AddonSeatsUpdate,
    responses((status = 200, body = SeatUsageResponse), (status = 401), (status = 403), (status = 404), (status = 409), (status = 422),
        (status = 503)))]
async fn set_seats(
    State(app): State<App>,
    viewer: Viewer,
    _sold: PlansAreSold,
    Json(form): Json<AddonSeatsUpdate>,
) -> Result<axum::Json<SeatUsageResponse>> {
    let usage = seats::set(&app, viewer.user_id, form).await?;
    Ok(axum::Json(SeatUsageResponse { usage }))
}

/// Confirms that an event has arrived.
#[derive(Serialize, utoipa::ToSchema)]
struct WebhookResponse {
    /// Always true.
    received: bool,
}

/// Receives events of the payment provider, which must be signed. A failure after the check returns 500, so that the provider retries.
#[utoipa::path(post, path = "/api/stripe/webhook", operation_id = "receiveStripeEvent", tag = "plans", request_body(content = String, content_type = "application/json"),
    responses((status = 200, body = WebhookResponse), (status = 400), (status = 503)))]
async fn webhook(State(app): State<App>, headers: HeaderMap, body: Bytes) -> Result<axum::Json<WebhookResponse>> {
    let signature = headers.get("stripe-signature").and_then(|value| value.to_str().ok()).unwrap_or_default();
    webhook::receive(&app, signature, &body).await?;
    Ok(axum::Json(WebhookResponse { received: true }))
}
