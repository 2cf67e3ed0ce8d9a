//! The calls of plans.
use std::sync::Arc;

use axum::extract::State;
use chrono::Utc;
use serde::{Deserialize, Serialize};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::model::{Offer, offers};
use super::store;
use crate::access::viewer::PlanSource;
use crate::access::{Feature, Plan, Viewer};
use crate::config::Config;
use crate::kit::db::Db;
use crate::kit::extract::Json;
use crate::kit::{App, Error, Result};
use crate::library::ledger;
use crate::teams::model::TeamRole;
use crate::teams::store as teams;

/// The calls of this room.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(current))
        .routes(routes!(plans))
        .routes(routes!(cancel))
        .routes(routes!(checkout))
        .routes(routes!(portal))
        .routes(routes!(webhook))
}

/// The plan that counts for somebody.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct Subscription {
    plan: Plan,
    status: &'static str,
    #[schema(required)]
    current_period_end: Option<String>,
    #[schema(required)]
    billing_interval: Option<String>,
    cancel_at_period_end: bool,
    source: PlanSource,
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct TeamSeats {
    member_count: u32,
    seat_limit: u32,
}

/// What the plan allows, and how much of it is used; null is unlimited.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct Usage {
    #[schema(required)]
    book_limit: Option<u32>,
    book_count: i64,
    #[schema(required)]
    history_months: Option<u32>,
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct Current {
    subscription: Subscription,
    #[schema(required)]
    team: Option<TeamSeats>,
    limits: Usage,
    features: Vec<Feature>,
    billing_enabled: bool,
}

/// One's plan, its limits and features.
#[utoipa::path(get, path = "/api/subscriptions/current", tag = "plans", responses((status = 200, body = Current), (status = 401)))]
async fn current(State(db): State<Db>, viewer: Viewer) -> Result<axum::Json<Current>> {
    let user_id = viewer.user_id;
    let now = Utc::now();
    let found = db.read(move |conn| {
        let team = teams::membership(conn, user_id)?;
        let seats = team.map(|team| teams::seats(conn, team.team_id, now)).transpose()?;
        Ok((ledger::book_count(conn, user_id)?, seats))
    });
    let (book_count, seats) = found.await?;
    let limits = viewer.limits();
    Ok(axum::Json(Current {
        subscription: Subscription {
            plan: viewer.plan,
            status: "active",
            current_period_end: None,
            billing_interval: None,
            cancel_at_period_end: false,
            source: viewer.plan_source,
        },
        team: seats.map(|seats| TeamSeats { member_count: seats.current_members, seat_limit: seats.seat_limit }),
        limits: Usage { book_limit: limits.book_limit, book_count, history_months: limits.history_months },
        features: viewer.plan.features(),
        billing_enabled: false,
    }))
}

#[derive(Serialize, utoipa::ToSchema)]
struct Plans {
    data: Vec<Offer>,
}

/// What the plans offer and cost, for everybody.
#[utoipa::path(get, path = "/api/plans", tag = "plans", responses((status = 200, body = Plans)))]
async fn plans(State(config): State<Arc<Config>>) -> axum::Json<Plans> {
    axum::Json(Plans { data: offers(config.book_limit, &config.shown_prices) })
}

#[derive(Default, Deserialize, utoipa::ToSchema)]
#[serde(default)]
struct Cancel {
    /// At once instead of at the period's end. A plan that the operator set has no period and ends at once.
    immediate: bool,
}

#[derive(Serialize, utoipa::ToSchema)]
struct Canceled {
    message: &'static str,
}

/// Cancels the plan that the operator set.
#[utoipa::path(post, path = "/api/subscriptions/cancel", tag = "plans", request_body = Cancel,
    responses((status = 200, body = Canceled), (status = 401), (status = 403), (status = 409)))]
async fn cancel(State(db): State<Db>, viewer: Viewer, Json(_asked): Json<Cancel>) -> Result<axum::Json<Canceled>> {
    let canceled = db.write(move |tx| {
        if viewer.plan_source == PlanSource::Operator {
            return store::end_granted_plan(tx, viewer.user_id);
        }
        let of_team = teams::membership(tx, viewer.user_id)?.is_some_and(|own| own.role != TeamRole::Owner);
        if of_team || viewer.plan_source == PlanSource::Team {
            return Err(Error::forbidden("team_role", "Only who pays for the team can cancel its plan."));
        }
        Err(Error::conflict("no_subscription", "There is no subscription to cancel."))
    });
    canceled.await?;
    Ok(axum::Json(Canceled { message: "Your subscription has been canceled immediately" }))
}

/// What needs a payment provider: none is connected.
fn not_configured() -> Error {
    Error::unavailable("billing_not_configured", "This server takes no payments. Its operator sets plans.")
}

/// Starts a payment.
#[utoipa::path(post, path = "/api/subscriptions/checkout", tag = "plans", responses((status = 401), (status = 503)))]
async fn checkout(_viewer: Viewer) -> Error {
    not_configured()
}

/// Opens the payment provider's own pages.
#[utoipa::path(post, path = "/api/subscriptions/billing-portal", tag = "plans", responses((status = 401), (status = 503)))]
async fn portal(_viewer: Viewer) -> Error {
    not_configured()
}

/// What the payment provider tells.
#[utoipa::path(post, path = "/api/stripe/webhook", tag = "plans", responses((status = 503)))]
async fn webhook() -> Error {
    not_configured()
}
