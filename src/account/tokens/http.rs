//! The API calls of API tokens, which can't be made with a token.
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use serde::Serialize;
use utoipa_axum::router::OpenApiRouter;

use super::model::{ApiToken, ApiTokenCreate};
use super::store;
use crate::access::{Confirmed, Viewer};
use crate::account::events::model::{EventKind, EventSource, NewEvent};
use crate::account::events::store::record;
use crate::account::{emails, store as accounts};
use crate::kit::db::pool::Db;
use crate::kit::http::extract::{Json, Path};
use crate::kit::http::routes::routes;
use crate::kit::http::session;
use crate::kit::{App, Result};

/// The routes of this part.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list, make)).routes(routes!(revoke))
}

/// Your API tokens.
#[derive(Serialize, utoipa::ToSchema)]
struct ApiTokenList {
    /// Newest first.
    data: Vec<ApiToken>,
}

/// Lists your API tokens, newest first, without their secrets.
#[utoipa::path(get, path = "/api/account/tokens", operation_id = "listApiTokens", tag = "accounts",
    responses((status = 200, body = ApiTokenList), (status = 401), (status = 403)))]
async fn list(State(db): State<Db>, viewer: Viewer) -> Result<axum::Json<ApiTokenList>> {
    let data = db.read(move |conn| store::all(conn, viewer.user_id)).await?;
    Ok(axum::Json(ApiTokenList { data }))
}

/// A new token with its secret, which is shown only once.
#[derive(Serialize, utoipa::ToSchema)]
struct ApiTokenCreated {
    token: ApiToken,
    /// The secret, for the header `Authorization`. It can't be read again.
    secret: String,
}

/// Creates a token. `Authorization: Bearer <secret>` then replaces the session, with the token's access. Requires a sign-in or a
/// confirmation within the last ten minutes (403 `confirm_yourself`).
#[utoipa::path(post, path = "/api/account/tokens", operation_id = "createApiToken", tag = "accounts", request_body = ApiTokenCreate,
    responses((status = 201, body = ApiTokenCreated), (status = 401), (status = 403), (status = 409), (status = 422)))]
async fn make(
    State(app): State<App>,
    Confirmed(viewer): Confirmed,
    source: EventSource,
    Json(form): Json<ApiTokenCreate>,
) -> Result<impl IntoResponse> {
    let new = form.checked()?;
    let secret = session::new_secret()?;
    let hash = session::secret_hash(&secret);
    let made = app.db.write(move |tx| {
        let token = store::add(tx, viewer.user_id, &new, hash)?;
        let owner = accounts::find(tx, viewer.user_id)?.email;
        record(tx, &NewEvent::own(EventKind::TokenCreated, viewer.user_id, &source))?;
        Ok((token, owner, tx.now()))
    });
    let (token, owner, at) = made.await?;
    app.mail.post(emails::token_created(owner, &app.current.get().identity(), token.access, at));
    Ok((StatusCode::CREATED, [(header::CACHE_CONTROL, "no-store")], axum::Json(ApiTokenCreated { token, secret })))
}

/// Revokes a token at once.
#[utoipa::path(delete, path = "/api/account/tokens/{id}", operation_id = "deleteApiToken", tag = "accounts", params(("id" = i64, Path)),
    responses((status = 204), (status = 401), (status = 403), (status = 404)))]
async fn revoke(State(db): State<Db>, viewer: Viewer, source: EventSource, Path(id): Path<i64>) -> Result<StatusCode> {
    let revoked = db.write(move |tx| {
        store::revoke(tx, viewer.user_id, id)?;
        record(tx, &NewEvent::own(EventKind::TokenRemoved, viewer.user_id, &source))
    });
    revoked.await?;
    Ok(StatusCode::NO_CONTENT)
}
