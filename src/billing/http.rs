//! The calls of plans.
use std::sync::Arc;

use axum::extract::State;
use serde::Serialize;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::model::{Offer, offers};
use crate::access::viewer::PlanSource;
use crate::access::{Feature, Plan, Viewer};
use crate::config::Config;
use crate::kit::db::Db;
use crate::kit::{App, Result};
use crate::library::ledger;

/// The calls of this room.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(current)).routes(routes!(plans))
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
    let book_count = db.read(move |conn| ledger::book_count(conn, user_id)).await?;
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
        team: None,
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
