//! The API calls of the dashboard.
use axum::extract::{RawQuery, State};
use axum::response::Response;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::model::{Kpis, MOST_AUTHORS, Month, Named, OfFormat, Shelf};
use super::store::{self, Options, Scanned};
use super::{challenges, team};
use crate::access::{Feature, Viewer};
use crate::kit::http::compression::Body;
use crate::kit::http::extract::Query;
use crate::kit::http::response_cache::Conditional;
use crate::kit::{App, Result};
use crate::library::books::filter::Filter;
use crate::library::books::http::{BookList, FilterParams, PageParams, write_list};
use crate::library::books::order::ListQuery;
use crate::library::json::{answer, put};

/// The routes of this module.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(stats))
        .routes(routes!(dashboard))
        .routes(routes!(options))
        .merge(team::routes())
        .merge(challenges::routes())
}

/// Everything on the dashboard except the table of books.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Stats {
    kpis: Kpis,
    /// Most words first. A book with several genres counts in each of them.
    genres: Vec<Named>,
    /// The top 50, most words first; null when the plan has no author analytics.
    #[schema(required)]
    authors: Option<Vec<Named>>,
    /// Without gaps from the first to the last month.
    monthly_words: Vec<Month>,
    /// Most words first; null when the plan has no format analytics.
    #[schema(required)]
    formats: Option<Vec<OfFormat>>,
    shelf: Shelf,
    library: Library,
    /// The features for charts that the plan does not include.
    locked: Vec<Feature>,
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

/// The library behind the statistics.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = LibraryCounts)]
struct Library {
    /// Books of every status, hidden ones included.
    total: i64,
    /// The number of visible books, regardless of the filter.
    visible: i64,
    /// The months of history that the plan shows; null means all.
    #[schema(required)]
    limited_to_months: Option<u32>,
}

/// The options of the filter controls.
#[derive(Serialize, ToSchema)]
pub(super) struct StatsOptions {
    genres: Vec<Named>,
    authors: Vec<Named>,
    formats: Vec<Named>,
}

impl Stats {
    /// The part of a scan that the viewer may see.
    pub(super) fn of(scanned: Scanned, viewer: &Viewer) -> Self {
        let Scanned { found, total, visible } = scanned;
        let charts = viewer.can(Feature::AdvancedCharts);
        let mut authors = found.authors;
        authors.truncate(MOST_AUTHORS);
        Self {
            kpis: found.kpis,
            genres: found.genres,
            authors: (charts && viewer.can(Feature::AuthorAnalytics)).then_some(authors),
            monthly_words: found.months,
            formats: (charts && viewer.can(Feature::FormatAnalytics)).then_some(found.formats),
            shelf: found.shelf,
            library: Library { total, visible, limited_to_months: viewer.limits().history_months },
            locked: locked(viewer),
        }
    }
}

/// The features for charts that the plan does not include.
fn locked(viewer: &Viewer) -> Vec<Feature> {
    let needed = [Feature::AdvancedCharts, Feature::FormatAnalytics, Feature::AuthorAnalytics];
    needed.into_iter().filter(|feature| !viewer.can(*feature)).collect()
}

impl From<Options> for StatsOptions {
    fn from(options: Options) -> Self {
        let named = |one: OfFormat| Named { name: one.format.name().to_owned(), words: one.words, books: one.books };
        Self {
            genres: options.genres,
            authors: options.authors,
            formats: options.formats.into_iter().map(named).collect(),
        }
    }
}

/// Returns the numbers, the charts and the shelf of the visible books that match a filter.
#[utoipa::path(get, path = "/api/stats", operation_id = "getStats", tag = "statistics", params(FilterParams),
    responses((status = 200, body = Stats), (status = 304), (status = 401), (status = 422)))]
async fn stats(
    State(app): State<App>,
    viewer: Viewer,
    caller: Conditional,
    RawQuery(raw): RawQuery,
) -> Result<Response> {
    let raw = raw.unwrap_or_default();
    let filter = Filter::parse(&Query::parse(&raw))?;
    answer(&app, viewer, caller, ("stats", raw), move |conn, viewer, body| write_stats(conn, viewer, &filter, body))
        .await
}

fn write_stats(conn: &Connection, viewer: &Viewer, filter: &Filter, body: &mut Body) -> Result<()> {
    let scanned = store::scan(conn, viewer.user_id, filter, viewer.today, viewer.visible_from())?;
    Ok(body.put_json(&Stats::of(scanned, viewer)).map_err(anyhow::Error::from)?)
}

/// Returns the statistics and the books of a filter in one response, which is faster than two while somebody types a search.
#[utoipa::path(get, path = "/api/dashboard", operation_id = "getDashboard", tag = "statistics", params(FilterParams, PageParams),
    responses((status = 200, body = Dashboard), (status = 304), (status = 401), (status = 422)))]
async fn dashboard(
    State(app): State<App>,
    viewer: Viewer,
    caller: Conditional,
    RawQuery(raw): RawQuery,
) -> Result<Response> {
    let raw = raw.unwrap_or_default();
    let query = ListQuery::parse(&Query::parse(&raw))?;
    let made = answer(&app, viewer, caller, ("dashboard", raw), move |conn, viewer, body| {
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
async fn options(State(app): State<App>, viewer: Viewer, caller: Conditional) -> Result<Response> {
    let made = answer(&app, viewer, caller, ("options", String::new()), |conn, viewer, body| {
        let options = store::options(conn, viewer.user_id, viewer.visible_from())?;
        Ok(body.put_json(&StatsOptions::from(options)).map_err(anyhow::Error::from)?)
    });
    made.await
}
