//! The API calls of operators. Other accounts get 403 before anything else is checked.
use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use axum::routing::get;
use serde::Serialize;
use utoipa_axum::router::OpenApiRouter;

use super::activity::Activity;
use super::analytics::model::{DeviceAnalytics, LocationAnalytics, SystemAnalytics, UserAnalytics};
use super::health::{self, Facts, ServerHealth};
use super::metrics::{self, Figures};
use super::process::Process;
use super::settings::http::{
    __path_change_settings, __path_check_folder, __path_settings, change_settings, check_folder, settings,
};
use super::users::model::{AdminUser, AdminUserUpdate, Filter, PlanSwitch};
use super::{reports, users};
use crate::access::{Operator, Plan, Role, Viewer};
use crate::account::events::model::{EventKind, EventSource, NewEvent, SecurityEventList};
use crate::account::events::store as events;
use crate::account::model::require_password_login;
use crate::account::{emails, reset, store as people, user_list};
use crate::backups::list::{Backup, Verdicts};
use crate::backups::schedule::Schedule;
use crate::config::{Config, Quotas};
use crate::kit::current::CurrentConfig;
use crate::kit::db::pool::{Db, blocking, instant};
use crate::kit::http::extract::{Json, Path};
use crate::kit::http::patch_field::PatchField;
use crate::kit::http::query::{PageRequest, Query};
use crate::kit::http::routes::routes;
use crate::kit::http::session::Token;
use crate::kit::id::UserId;
use crate::kit::mail::mailer::SendError;
use crate::kit::net::geoip::GeoIp;
use crate::kit::timestamp::Timestamp;
use crate::kit::{App, Error, ErrorCode, Result};
use crate::library::counters;

/// How long an operator waits who has sent too many test e-mails within an hour, in seconds at most.
const TEST_EMAIL_WAIT: u64 = 60 * 60;

/// The routes of this module. `activity` holds the counts of this run.
pub fn routes(activity: &Activity) -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(insights))
        .routes(routes!(devices))
        .routes(routes!(locations))
        .routes(routes!(system))
        .routes(routes!(accounts))
        .routes(routes!(change))
        .routes(routes!(usage))
        .routes(routes!(reset_link))
        .routes(routes!(switch_plan))
        .routes(routes!(listed_backups))
        .routes(routes!(all_events))
        .routes(routes!(server_health))
        .routes(routes!(test_email))
        .routes(routes!(settings, change_settings))
        .routes(routes!(check_folder))
        .merge(users::http::routes())
        .layer(Extension(Verdicts::default()))
        .layer(Extension(activity.clone()))
}

/// The router of `GET /metrics`, for its own listener.
pub fn metrics_router(app: App, activity: Activity) -> axum::Router {
    axum::Router::new().route("/metrics", get(figures)).layer(Extension(activity)).with_state(app)
}

/// Returns the number of accounts and their retention.
#[utoipa::path(get, path = "/api/admin/analytics/users", operation_id = "getUserAnalytics", tag = "operators",
    responses((status = 200, body = UserAnalytics), (status = 401), (status = 403)))]
async fn insights(
    State(db): State<Db>,
    Extension(activity): Extension<Activity>,
    _operator: Operator,
) -> Result<axum::Json<UserAnalytics>> {
    Ok(axum::Json(reports::users(&activity, &db, db.now()).await?))
}

/// Counts the accounts and requests of the last 30 days by device, browser and system.
#[utoipa::path(get, path = "/api/admin/analytics/devices", operation_id = "getDeviceAnalytics", tag = "operators",
    responses((status = 200, body = DeviceAnalytics), (status = 401), (status = 403)))]
async fn devices(
    State(db): State<Db>,
    Extension(activity): Extension<Activity>,
    _operator: Operator,
) -> Result<axum::Json<DeviceAnalytics>> {
    Ok(axum::Json(reports::devices(&activity, &db, db.now()).await?))
}

/// Counts the accounts and requests of the last 30 days by country and city.
#[utoipa::path(get, path = "/api/admin/analytics/location", operation_id = "getLocationAnalytics", tag = "operators",
    responses((status = 200, body = LocationAnalytics), (status = 401), (status = 403)))]
async fn locations(
    State(db): State<Db>,
    State(places): State<GeoIp>,
    Extension(activity): Extension<Activity>,
    _operator: Operator,
) -> Result<axum::Json<LocationAnalytics>> {
    let locations = reports::locations(&activity, &db, db.now()).await?;
    Ok(axum::Json(LocationAnalytics { available: places.available(), locations }))
}

/// Returns the sessions in use, the number of requests, and how busy the server is.
#[utoipa::path(get, path = "/api/admin/analytics/system", operation_id = "getSystemAnalytics", tag = "operators",
    responses((status = 200, body = SystemAnalytics), (status = 401), (status = 403)))]
async fn system(
    State(db): State<Db>,
    Extension(activity): Extension<Activity>,
    _operator: Operator,
) -> Result<axum::Json<SystemAnalytics>> {
    let now = db.now();
    let sessions = reports::sessions(&activity, &db, now).await?;
    let reading = activity.load().reading(now);
    Ok(axum::Json(SystemAnalytics::new(&reading, sessions)))
}

/// A page of accounts, newest first.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct AdminUserList {
    /// The accounts of this page.
    data: Vec<AdminUser>,
    /// The number of all accounts.
    total: usize,
    /// The number of accounts that match the search.
    matching: usize,
    /// The cursor of the next page; null on the last page.
    #[schema(required)]
    next_cursor: Option<String>,
}

/// Lists the accounts of this server, 50 per page, newest first.
#[utoipa::path(get, path = "/api/admin/users", operation_id = "listUsers", tag = "operators", params(Filter),
    responses((status = 200, body = AdminUserList), (status = 401), (status = 403), (status = 422)))]
async fn accounts(
    State(app): State<App>,
    Extension(activity): Extension<Activity>,
    _operator: Operator,
    Query(filter): Query<Filter>,
) -> Result<axum::Json<AdminUserList>> {
    let plan = Plan::server_default(&app.current.get())?;
    let page = activity
        .read(&app.db, app.now(), move |conn, unwritten| users::store::page(conn, plan, &filter, &unwritten.pending));
    let page = page.await?;
    let next_cursor = page.next.map(|last| last.to_string());
    Ok(axum::Json(AdminUserList { data: page.entries, total: page.total, matching: page.matching, next_cursor }))
}

/// The account after the change.
#[derive(Serialize, utoipa::ToSchema)]
struct AdminUserResponse {
    user: AdminUser,
}

/// Changes an account's role or granted plan, or disables it. Making an operator requires a sign-in or a confirmation within the last
/// ten minutes (403 `confirm_yourself`).
#[utoipa::path(patch, path = "/api/admin/users/{id}", operation_id = "updateUser", tag = "operators", params(("id" = i64, Path)), request_body = AdminUserUpdate,
    responses((status = 200, body = AdminUserResponse), (status = 401), (status = 403), (status = 404), (status = 409), (status = 422)))]
async fn change(
    State(app): State<App>,
    Extension(activity): Extension<Activity>,
    viewer: Viewer,
    source: EventSource,
    Path(id): Path<String>,
    Json(form): Json<AdminUserUpdate>,
) -> Result<axum::Json<AdminUserResponse>> {
    viewer.operates()?;
    let (id, plan) = (number(&id)?, Plan::server_default(&app.current.get())?);
    if form.role == PatchField::Value(Role::Admin) {
        viewer.require_confirmation(app.now())?;
    }
    app.db.write(move |tx| users::store::change(tx, id, plan, form, viewer.user_id, &source)).await?;
    let changed =
        activity.read(&app.db, app.now(), move |conn, unwritten| users::store::one(conn, id, plan, &unwritten.pending));
    Ok(axum::Json(AdminUserResponse { user: changed.await? }))
}

/// The storage that an account uses. Its contents are not visible.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct AccountUsage {
    /// Books of every status.
    books: i64,
    /// Items on the to-be-read list.
    list_items: i64,
    /// The bytes of texts and imported rows.
    text_bytes: i64,
    quotas: Quotas,
}

/// What an account stores.
#[derive(Serialize, utoipa::ToSchema)]
struct AccountUsageResponse {
    usage: AccountUsage,
}

/// Returns the storage that an account uses, and its quotas.
#[utoipa::path(get, path = "/api/admin/users/{id}/usage", operation_id = "getUserUsage", tag = "operators", params(("id" = i64, Path)),
    responses((status = 200, body = AccountUsageResponse), (status = 401), (status = 403), (status = 404)))]
async fn usage(
    State(db): State<Db>,
    State(quotas): State<Quotas>,
    _operator: Operator,
    Path(id): Path<UserId>,
) -> Result<axum::Json<AccountUsageResponse>> {
    let usage = db.read(move |conn| users::store::usage(conn, id)).await?;
    let counters::Usage { books, list_items, text_bytes } = usage;
    Ok(axum::Json(AccountUsageResponse { usage: AccountUsage { books, list_items, text_bytes, quotas } }))
}

/// A password reset link, which is shown only once.
#[derive(Serialize, utoipa::ToSchema)]
struct ResetLink {
    /// The link. It can't be read again.
    url: String,
}

/// Creates a link that sets a new password once, within one hour; within seven days for an account that was never opened. Requires a
/// sign-in or a confirmation within the last ten minutes (403 `confirm_yourself`).
#[utoipa::path(post, path = "/api/admin/users/{id}/reset-link", operation_id = "createResetLink", tag = "operators", params(("id" = i64, Path)),
    responses((status = 200, body = ResetLink), (status = 401), (status = 403), (status = 404)))]
async fn reset_link(
    State(app): State<App>,
    Operator(operator): Operator,
    source: EventSource,
    Path(id): Path<UserId>,
) -> Result<impl IntoResponse> {
    require_password_login(&app.config)?;
    operator.require_confirmation(app.now())?;
    let token = Token::new()?;
    let hash = token.hash();
    let issued = app.db.write(move |tx| {
        reset::store::issue(tx, id, hash, reset::store::LinkDelivery::Operator)?;
        events::record(tx, &NewEvent::operator(EventKind::ResetLinkCreated, operator.user_id, id, &source))?;
        Ok((people::find(tx, id)?.email, reset::store::lasting(tx, id)?))
    });
    let (to, lasting) = issued.await?;
    app.mail.post(emails::reset_link_made(to, &app.current.get().identity(), lasting, app.now()));
    let url = format!("{}/reset-password/{}", app.current.get().public_url(), token.text());
    Ok(([(header::CACHE_CONTROL, "no-store")], axum::Json(ResetLink { url })))
}

/// What was done.
#[derive(Serialize, utoipa::ToSchema)]
struct PlanSwitchResponse {
    /// A sentence for a person.
    message: String,
}

/// Switches the calling operator's own plan, to see what each plan shows. Nothing is charged.
#[utoipa::path(post, path = "/api/admin/toggle-subscription", operation_id = "switchOwnPlan", tag = "operators", request_body = PlanSwitch,
    responses((status = 200, body = PlanSwitchResponse), (status = 401), (status = 403), (status = 404), (status = 422)))]
async fn switch_plan(
    State(db): State<Db>,
    State(config): State<Arc<Config>>,
    viewer: Viewer,
    source: EventSource,
    Json(form): Json<PlanSwitch>,
) -> Result<axum::Json<PlanSwitchResponse>> {
    viewer.operates()?;
    if !config.plan_switcher {
        return Err(Error::NotFound);
    }
    let plan = form.checked()?;
    let switched = db.write(move |tx| {
        user_list::grant(tx, viewer.user_id, plan)?;
        events::record(tx, &NewEvent::own(EventKind::PlanChanged, viewer.user_id, &source))
    });
    switched.await?;
    Ok(axum::Json(PlanSwitchResponse { message: format!("Your plan is now {}.", plan.title()) }))
}

/// The scheduled backups.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct BackupList {
    /// Newest first.
    data: Vec<Backup>,
    /// When the next one is due, RFC 3339 in UTC; null without a schedule.
    #[schema(required, value_type = Option<String>)]
    next_at: Option<Timestamp>,
}

/// Lists the scheduled backups, newest first, with the time of the next one; an empty list and null without a schedule.
#[utoipa::path(get, path = "/api/admin/backups", operation_id = "listBackups", tag = "operators",
    responses((status = 200, body = BackupList), (status = 401), (status = 403)))]
async fn listed_backups(
    State(current): State<CurrentConfig>,
    State(db): State<Db>,
    Extension(verdicts): Extension<Verdicts>,
    _operator: Operator,
) -> Result<axum::Json<BackupList>> {
    let Some(schedule) = Schedule::of(&current.get().backup) else {
        return Ok(axum::Json(BackupList { data: Vec::new(), next_at: None }));
    };
    let now = db.now();
    let listed = blocking(move || {
        let next_at = Some(instant(schedule.next_at(now)?));
        Ok(BackupList { data: verdicts.list(schedule.folder())?, next_at })
    });
    Ok(axum::Json(listed.await?))
}

/// Lists the security events of all accounts of the last 90 days, newest first.
#[utoipa::path(get, path = "/api/admin/events", operation_id = "listServerEvents", tag = "operators", params(PageRequest),
    responses((status = 200, body = SecurityEventList), (status = 401), (status = 403), (status = 422)))]
async fn all_events(
    State(db): State<Db>,
    _operator: Operator,
    Query(request): Query<PageRequest>,
) -> Result<axum::Json<SecurityEventList>> {
    Ok(axum::Json(db.read(move |conn| events::all(conn, request)).await?))
}

/// Returns the server's condition: whether its database can be written, its disk space, backups and mail.
#[utoipa::path(get, path = "/api/admin/health", operation_id = "getServerHealth", tag = "operators",
    responses((status = 200, body = ServerHealth), (status = 401), (status = 403)))]
async fn server_health(State(app): State<App>, _operator: Operator) -> axum::Json<ServerHealth> {
    axum::Json(health::condition(&app, app.now()).await)
}

/// The recipient of the test e-mail.
#[derive(Serialize, utoipa::ToSchema)]
struct TestEmail {
    /// The address of the calling operator.
    to: String,
}

/// Sends a test e-mail to the calling operator, and waits for the mail server for 20 seconds at most.
#[utoipa::path(post, path = "/api/admin/test-email", operation_id = "sendTestEmail", tag = "operators",
    responses((status = 200, body = TestEmail), (status = 401), (status = 403), (status = 429), (status = 503)))]
async fn test_email(State(app): State<App>, Operator(operator): Operator) -> Result<axum::Json<TestEmail>> {
    let to = app.db.read(move |conn| Ok(people::find(conn, operator.user_id)?.email)).await?;
    let sent = app.mail.send(&emails::test(to.clone(), &app.current.get().identity())).await;
    sent.map(|()| axum::Json(TestEmail { to })).map_err(|failure| match failure {
        SendError::Off => {
            Error::refused(ErrorCode::MailNotConfigured, "This server sends no e-mail: mail.url is not set.")
        }
        SendError::TooMany => Error::TooMany(TEST_EMAIL_WAIT),
        SendError::Failed(reason) => {
            Error::refused(ErrorCode::MailUnavailable, format!("The e-mail was not sent: {reason}."))
        }
    })
}

/// Returns all metrics in Prometheus' text format.
async fn figures(State(app): State<App>, Extension(activity): Extension<Activity>) -> Result<impl IntoResponse> {
    let (db, now) = (&app.db, app.now());
    let (requests, reading) = (activity.requests().clone(), activity.load().reading(now));
    let locations = reports::locations(&activity, db, now).await?;
    let facts = Facts::of(&app, now).await;
    let text = metrics::text(&Figures {
        requests,
        users: reports::users(&activity, db, now).await?,
        system: SystemAnalytics::new(&reading, reports::sessions(&activity, db, now).await?),
        devices: reports::devices(&activity, db, now).await?,
        locations: LocationAnalytics { available: app.places.available(), locations },
        database_bytes: metrics::bytes(db.path()),
        login_failures: app.attempts.login_failures(),
        checks: facts.checks(&app.health, now),
        facts,
        started_at: app.health.started_at.timestamp(),
        process: Process::now(),
    });
    let text = text.map_err(|cause| Error::internal(cause.to_string()))?;
    Ok(([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text))
}

fn number(id: &str) -> Result<UserId> {
    id.parse().map_err(|_| Error::NotFound)
}
