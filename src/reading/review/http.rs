//! The API calls of the year in review.
use axum::extract::{RawQuery, State};
use axum::http::HeaderMap;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use super::model::Review;
use super::store::{self, Asked};
use crate::access::Viewer;
use crate::kit::http::query::Query;
use crate::kit::http::routes::routes;
use crate::kit::{App, Result};
use crate::library::books::store::Audience;
use crate::library::http::{answer, put_json};
use crate::reading::period::Period;
use crate::reading::streak_cache_key::cache_query;

/// The routes of this part.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(review)).routes(routes!(periods))
}

/// The period of a review.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct ReviewParams {
    /// A year or a month from 1900 to 2100: 2026 or 2026-11.
    #[param(value_type = String, pattern = r"^(19\d{2}|20\d{2}|2100)(-(0[1-9]|1[0-2]))?$")]
    period: Period,
}

/// Returns what was read in a year or a month, as far as the plan shows it.
#[utoipa::path(get, path = "/api/review", operation_id = "getReview", tag = "reading", params(ReviewParams),
    responses((status = 200, body = Review), (status = 304), (status = 401), (status = 422)))]
async fn review(
    State(app): State<App>,
    viewer: Viewer,
    headers: HeaderMap,
    Query(ReviewParams { period }): Query<ReviewParams>,
    RawQuery(raw): RawQuery,
) -> Result<Response> {
    let raw = raw.unwrap_or_default();
    let unit = viewer.streak;
    let made = answer(&app, viewer, headers, ("review", cache_query(&raw, unit)), move |conn, viewer, body| {
        let asked = Asked {
            audience: Audience::Owner,
            owner: viewer.user_id,
            today: viewer.today,
            from: viewer.visible_from(),
            limited_to_months: viewer.limits().history_months,
            streak: unit,
        };
        let review = store::review(conn, period, asked)?;
        put_json(body, &review)
    });
    made.await
}

/// The periods that have finished reads.
#[derive(Serialize, ToSchema)]
struct ReviewPeriodList {
    /// Newest first.
    data: Vec<ReviewPeriod>,
}

/// A year or a month with finished reads.
#[derive(Serialize, ToSchema)]
struct ReviewPeriod {
    /// A year or a month: 2026 or 2026-11.
    #[schema(value_type = String, pattern = r"^(19\d{2}|20\d{2}|2100)(-(0[1-9]|1[0-2]))?$")]
    period: Period,
    /// Finished reads, at least one.
    books: i64,
}

/// Lists the years and months in which a visible book was finished, newest first.
#[utoipa::path(get, path = "/api/review/periods", operation_id = "listReviewPeriods", tag = "reading",
    responses((status = 200, body = ReviewPeriodList), (status = 304), (status = 401)))]
async fn periods(State(app): State<App>, viewer: Viewer, headers: HeaderMap) -> Result<Response> {
    let made = answer(&app, viewer, headers, ("review periods", String::new()), |conn, viewer, body| {
        let periods = store::periods(conn, viewer.user_id, viewer.visible_from())?;
        put_json(
            body,
            &ReviewPeriodList {
                data: periods.into_iter().map(|(period, books)| ReviewPeriod { period, books }).collect(),
            },
        )
    });
    made.await
}
