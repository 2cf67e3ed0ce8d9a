//! A team's dashboard: the finished books of the members who share, counted by the same code as one reader's.
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::answers::{Stats, StatsOptions};
use crate::access::Viewer;
use crate::kit::db::pool::Db;
use crate::kit::http::query::Query;
use crate::kit::http::routes::routes;
use crate::kit::{App, Result};
use crate::library::books::filter::Filter;
use crate::statistics::store::{self, MemberContribution};
use crate::teams::store::{member_of, sharing};

/// The routes of this part.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(team_stats)).routes(routes!(team_options))
}

/// Like a reader's statistics, with the members who share. `library` counts the shared finished books.
#[derive(Serialize, ToSchema)]
struct TeamStats {
    #[serde(flatten)]
    stats: Stats,
    /// The members who share, most words first.
    members: Vec<MemberContribution>,
}

/// Returns the numbers, the charts and the shelf of the books that the team's members share. The current day and the plan are the
/// caller's.
#[utoipa::path(get, path = "/api/teams/stats", operation_id = "getTeamStats", tag = "teams", params(Filter),
    responses((status = 200, body = TeamStats), (status = 401), (status = 404), (status = 422)))]
async fn team_stats(
    State(db): State<Db>,
    viewer: Viewer,
    Query(filter): Query<Filter>,
) -> Result<axum::Json<TeamStats>> {
    let made = db.read(move |conn| {
        let own = member_of(conn, viewer.user_id)?;
        let shared = sharing(conn, own.team_id)?;
        let (scanned, members) = store::scan_team(conn, shared, &filter, viewer.today, viewer.visible_from())?;
        Ok(TeamStats { stats: Stats::of(scanned, &viewer), members })
    });
    Ok(axum::Json(made.await?))
}

/// Returns the genres, authors and formats of the books that the team's members share, most words first.
#[utoipa::path(get, path = "/api/teams/stats/options", operation_id = "getTeamStatsOptions", tag = "teams",
    responses((status = 200, body = StatsOptions), (status = 401), (status = 404)))]
async fn team_options(State(db): State<Db>, viewer: Viewer) -> Result<axum::Json<StatsOptions>> {
    let made = db.read(move |conn| {
        let own = member_of(conn, viewer.user_id)?;
        let shared = sharing(conn, own.team_id)?;
        Ok(StatsOptions::from(store::team_options(conn, &shared, viewer.visible_from())?))
    });
    Ok(axum::Json(made.await?))
}
