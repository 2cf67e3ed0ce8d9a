//! The API calls of the dashboard.
mod answers;
mod reading;
mod team;

use axum::extract::{RawQuery, State};
use axum::http::HeaderMap;
use axum::response::Response;
use rusqlite::Connection;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::{challenges, store};
use crate::access::Viewer;
use crate::kit::http::query::Query;
use crate::kit::http::routes::routes;
use crate::kit::{App, Result};
use crate::library::books::filter::Filter;
use crate::library::books::http::{BookList, whole_library, write_list};
use crate::library::books::order::{ListQuery, OrderedPage};
use crate::library::books::store::Audience;
use crate::library::http::{Body, answer, put, put_json};
use answers::{Stats, StatsOptions};

/// The routes of this module.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(stats))
        .routes(routes!(dashboard))
        .routes(routes!(options))
        .merge(reading::routes())
        .merge(team::routes())
        .merge(challenges::routes())
}

/// The dashboard: its statistics, and the books of its table.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes what is written piece by piece")]
struct Dashboard {
    /// As in the response of `GET /api/stats`.
    stats: Stats,
    /// As in the response of `GET /api/books`.
    books: BookList,
}

/// Returns the numbers, the charts and the shelf of the visible books that match a filter.
#[utoipa::path(get, path = "/api/stats", operation_id = "getStats", tag = "statistics", params(Filter),
    responses((status = 200, body = Stats), (status = 304), (status = 401), (status = 422)))]
async fn stats(
    State(app): State<App>,
    viewer: Viewer,
    headers: HeaderMap,
    Query(filter): Query<Filter>,
    RawQuery(raw): RawQuery,
) -> Result<Response> {
    let raw = raw.unwrap_or_default();
    answer(&app, viewer, headers, ("stats", raw), move |conn, viewer, body| write_stats(conn, viewer, &filter, body))
        .await
}

fn write_stats(conn: &Connection, viewer: &Viewer, filter: &Filter, body: &mut Body) -> Result<()> {
    let scanned = store::scan(conn, viewer.user_id, Audience::Owner, filter, viewer.today, viewer.visible_from())?;
    put_json(body, &Stats::of(scanned, viewer))
}

/// Returns the statistics and the books of a filter in one response, which is faster than two while somebody types a search.
#[utoipa::path(get, path = "/api/dashboard", operation_id = "getDashboard", tag = "statistics", params(Filter, OrderedPage),
    responses((status = 200, body = Dashboard), (status = 304), (status = 401), (status = 422)))]
async fn dashboard(
    State(app): State<App>,
    viewer: Viewer,
    headers: HeaderMap,
    Query(filter): Query<Filter>,
    Query(page): Query<OrderedPage>,
    RawQuery(raw): RawQuery,
) -> Result<Response> {
    let query = ListQuery::new(filter, page, raw.is_some())?;
    let raw = raw.unwrap_or_default();
    let _whole = whole_library(&app, &viewer, &query).await?;
    let made = answer(&app, viewer, headers, ("dashboard", raw), move |conn, viewer, body| {
        put(body, br#"{"stats":"#)?;
        write_stats(conn, viewer, &query.filter, body)?;
        put(body, br#","books":"#)?;
        write_list(conn, viewer, &query, body)?;
        put(body, b"}")
    });
    made.await
}

/// Returns the genres, authors and formats of all visible books, most words first, for the filter controls and the ranks of
/// colours.
#[utoipa::path(get, path = "/api/stats/options", operation_id = "getStatsOptions", tag = "statistics",
    responses((status = 200, body = StatsOptions), (status = 304), (status = 401)))]
async fn options(State(app): State<App>, viewer: Viewer, headers: HeaderMap) -> Result<Response> {
    let made = answer(&app, viewer, headers, ("options", String::new()), |conn, viewer, body| {
        let options = store::options(conn, viewer.user_id, Audience::Owner, viewer.visible_from())?;
        put_json(body, &StatsOptions::from(options))
    });
    made.await
}
