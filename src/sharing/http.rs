//! The API calls of secret links, for their owner.
mod public;

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::model::{MOST, Share, ShareCreate, ShareId, ShareToken, ShareUpdate, Shown};
use super::store::{self, TooMany};
use crate::access::Viewer;
use crate::kit::http::extract::{Json, Path};
use crate::kit::http::routes::routes;
use crate::kit::{App, Error, ErrorCode, Result};

/// The routes of this module.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list, create))
        .routes(routes!(change, take_back))
        .routes(routes!(renew))
        .merge(public::routes())
}

impl From<TooMany> for Error {
    fn from(_: TooMany) -> Self {
        Self::refused(ErrorCode::TooManyShares, format!("An account can have at most {MOST} links."))
    }
}

/// Refuses everything about links on a server without them.
fn require_shares(app: &App) -> Result<()> {
    if app.config.shares { Ok(()) } else { Err(Error::NotFound) }
}

/// The links of an account.
#[derive(Serialize, ToSchema)]
struct ShareList {
    /// Newest first.
    data: Vec<Share>,
}

/// A link.
#[derive(Serialize, ToSchema)]
struct ShareResponse {
    share: Share,
}

/// A link with its address, which is shown only now.
#[derive(Serialize, ToSchema)]
struct ShareCreated {
    share: Share,
    /// The address to send. It can't be read again.
    url: String,
}

/// The address of a link.
fn address(app: &App, token: &str) -> String {
    format!("{}/s/{token}", app.current.get().identity().url)
}

/// A link with the address that it has from now on.
fn made(app: &App, status: StatusCode, share: Share, token: &ShareToken) -> Response {
    let url = address(app, &token.text());
    (status, [(header::CACHE_CONTROL, "no-store")], axum::Json(ShareCreated { share, url })).into_response()
}

/// Lists your secret links, newest first, without their addresses.
#[utoipa::path(get, path = "/api/shares", operation_id = "listShares", tag = "shares",
    responses((status = 200, body = ShareList), (status = 401), (status = 403), (status = 404)))]
async fn list(State(app): State<App>, viewer: Viewer) -> Result<axum::Json<ShareList>> {
    require_shares(&app)?;
    let data = app.db.read(move |conn| store::all(conn, viewer.user_id)).await?;
    Ok(axum::Json(ShareList { data }))
}

/// Makes a secret link. Its address is shown only once, so the call takes no `Idempotency-Key`.
#[utoipa::path(post, path = "/api/shares", operation_id = "createShare", tag = "shares", request_body = ShareCreate,
    responses((status = 201, body = ShareCreated), (status = 401), (status = 403), (status = 404), (status = 409), (status = 422)))]
async fn create(State(app): State<App>, viewer: Viewer, Json(form): Json<ShareCreate>) -> Result<Response> {
    require_shares(&app)?;
    let (new, token) = (form.checked(app.now())?, ShareToken::new()?);
    let hash = token.hash();
    let share = app.db.write(move |tx| store::add(tx, viewer.user_id, &new, hash)).await?;
    Ok(made(&app, StatusCode::CREATED, share, &token))
}

/// Changes what a link shows or when it ends. Its address stays the same.
#[utoipa::path(patch, path = "/api/shares/{id}", operation_id = "updateShare", tag = "shares", params(("id" = i64, Path)),
    request_body = ShareUpdate,
    responses((status = 200, body = ShareResponse), (status = 401), (status = 403), (status = 404), (status = 422)))]
async fn change(
    State(app): State<App>,
    viewer: Viewer,
    Path(id): Path<ShareId>,
    Json(form): Json<ShareUpdate>,
) -> Result<axum::Json<ShareResponse>> {
    require_shares(&app)?;
    let changed = app.db.write(move |tx| {
        let Share { kind, parts, expires_at, .. } = store::find(tx, viewer.user_id, id)?;
        let shown = form.checked(kind, Shown { parts, expires_at }, tx.now())?;
        store::change(tx, viewer.user_id, id, &shown)
    });
    Ok(axum::Json(ShareResponse { share: changed.await? }))
}

/// Takes a link back: from now on its address is 404.
#[utoipa::path(delete, path = "/api/shares/{id}", operation_id = "deleteShare", tag = "shares", params(("id" = i64, Path)),
    responses((status = 204), (status = 401), (status = 403), (status = 404)))]
async fn take_back(State(app): State<App>, viewer: Viewer, Path(id): Path<ShareId>) -> Result<Response> {
    require_shares(&app)?;
    app.db.write(move |tx| store::delete(tx, viewer.user_id, id)).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Gives a link a new address, which is shown only once. The former address is 404 from now on.
#[utoipa::path(post, path = "/api/shares/{id}/renew", operation_id = "renewShare", tag = "shares", params(("id" = i64, Path)),
    responses((status = 200, body = ShareCreated), (status = 401), (status = 403), (status = 404)))]
async fn renew(State(app): State<App>, viewer: Viewer, Path(id): Path<ShareId>) -> Result<Response> {
    require_shares(&app)?;
    let token = ShareToken::new()?;
    let hash = token.hash();
    let share = app.db.write(move |tx| store::renew(tx, viewer.user_id, id, hash)).await?;
    Ok(made(&app, StatusCode::OK, share, &token))
}
