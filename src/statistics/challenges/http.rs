//! The API calls of challenges.
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::IntoResponse;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::model::{Challenge, ChallengeFields, MOST, TooMany};
use super::store;
use crate::access::Viewer;
use crate::kit::db::pool::Db;
use crate::kit::http::extract::{Json, Path};
use crate::kit::http::routes::routes;
use crate::kit::{App, Error, ErrorCode, Result};
use crate::teams::require_manager;
use crate::teams::store::{member_of, require_paid};

/// The routes of this part.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(challenges, add_challenge)).routes(routes!(change_challenge, delete_challenge))
}

impl From<TooMany> for Error {
    fn from(_: TooMany) -> Self {
        Self::refused(ErrorCode::TooManyChallenges, format!("A team can have at most {MOST} challenges."))
    }
}

/// The challenges of a team.
#[derive(Serialize, ToSchema)]
struct ChallengeList {
    /// The challenges with their progress.
    data: Vec<Challenge>,
}

/// A challenge that was added or changed.
#[derive(Serialize, ToSchema)]
struct ChallengeResponse {
    challenge: Challenge,
}

/// Lists the team's challenges with their progress.
#[utoipa::path(get, path = "/api/teams/challenges", operation_id = "listChallenges", tag = "teams", responses((status = 200, body = ChallengeList), (status = 401), (status = 404)))]
async fn challenges(State(db): State<Db>, viewer: Viewer) -> Result<axum::Json<ChallengeList>> {
    let data = db.read(move |conn| store::all(conn, member_of(conn, viewer.user_id)?.team_id)).await?;
    Ok(axum::Json(ChallengeList { data }))
}

/// Adds a challenge to the team. Only the owner and admins can do this.
#[utoipa::path(post, path = "/api/teams/challenges", operation_id = "createChallenge", tag = "teams", request_body = ChallengeFields,
    responses((status = 201, body = ChallengeResponse), (status = 401), (status = 403), (status = 404), (status = 409), (status = 422)))]
async fn add_challenge(
    State(db): State<Db>,
    viewer: Viewer,
    Json(form): Json<ChallengeFields>,
) -> Result<impl IntoResponse> {
    let added = db.write(move |tx| {
        let own = member_of(tx, viewer.user_id)?;
        require_manager(&own)?;
        let draft = form.checked(None)?;
        require_paid(tx, own.team_id)?;
        store::add(tx, own.team_id, draft)
    });
    Ok((StatusCode::CREATED, axum::Json(ChallengeResponse { challenge: added.await? })))
}

/// Changes a challenge. Only the owner and admins can do this.
#[utoipa::path(patch, path = "/api/teams/challenges/{id}", operation_id = "updateChallenge", tag = "teams", params(("id" = i64, Path)), request_body = ChallengeFields,
    responses((status = 200, body = ChallengeResponse), (status = 401), (status = 403), (status = 404), (status = 422)))]
async fn change_challenge(
    State(db): State<Db>,
    viewer: Viewer,
    Path(id): Path<i64>,
    Json(form): Json<ChallengeFields>,
) -> Result<axum::Json<ChallengeResponse>> {
    let changed = db.write(move |tx| {
        let own = member_of(tx, viewer.user_id)?;
        let before = store::find(tx, own.team_id, id)?;
        require_manager(&own)?;
        store::change(tx, own.team_id, id, form.checked(Some(&before))?)
    });
    Ok(axum::Json(ChallengeResponse { challenge: changed.await? }))
}

/// Deletes a challenge. Only the owner and admins can do this. No books change.
#[utoipa::path(delete, path = "/api/teams/challenges/{id}", operation_id = "deleteChallenge", tag = "teams", params(("id" = i64, Path)),
    responses((status = 204), (status = 401), (status = 403), (status = 404)))]
async fn delete_challenge(State(db): State<Db>, viewer: Viewer, Path(id): Path<i64>) -> Result<StatusCode> {
    let deleted = db.write(move |tx| {
        let own = member_of(tx, viewer.user_id)?;
        store::find(tx, own.team_id, id)?;
        require_manager(&own)?;
        store::delete(tx, own.team_id, id)
    });
    deleted.await?;
    Ok(StatusCode::NO_CONTENT)
}
