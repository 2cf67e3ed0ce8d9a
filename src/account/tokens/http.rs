//! The calls of API tokens. No token may make them.
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use serde::Serialize;
use utoipa_axum::router::OpenApiRouter;

use super::model::{Form, Token};
use super::store;
use crate::access::Viewer;
use crate::kit::calls::routes;
use crate::kit::db::Db;
use crate::kit::extract::{Json, Path};
use crate::kit::session;
use crate::kit::{App, Result};

/// The calls of this part.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list, make)).routes(routes!(revoke))
}

#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = ApiTokenList)]
struct Tokens {
    data: Vec<Token>,
}

/// One's API tokens, the newest first, without their secrets.
#[utoipa::path(get, path = "/api/account/tokens", operation_id = "listApiTokens", tag = "accounts",
    responses((status = 200, body = Tokens), (status = 401), (status = 403)))]
async fn list(State(db): State<Db>, viewer: Viewer) -> Result<axum::Json<Tokens>> {
    let data = db.read(move |conn| store::all(conn, viewer.user_id)).await?;
    Ok(axum::Json(Tokens { data }))
}

/// A new token with its secret, which is shown this once.
#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = ApiTokenCreated)]
struct Made {
    token: Token,
    secret: String,
}

/// Makes a token. `Authorization: Bearer <secret>` then stands for the session, within what the token was made for.
#[utoipa::path(post, path = "/api/account/tokens", operation_id = "createApiToken", tag = "accounts", request_body = Form,
    responses((status = 201, body = Made), (status = 401), (status = 403), (status = 409), (status = 422)))]
async fn make(State(db): State<Db>, viewer: Viewer, Json(form): Json<Form>) -> Result<impl IntoResponse> {
    let new = form.checked()?;
    let secret = session::new_secret()?;
    let hash = session::secret_hash(&secret);
    let token = db.write(move |tx| store::add(tx, viewer.user_id, &new, hash)).await?;
    Ok((StatusCode::CREATED, [(header::CACHE_CONTROL, "no-store")], axum::Json(Made { token, secret })))
}

/// Revokes a token at once.
#[utoipa::path(delete, path = "/api/account/tokens/{id}", operation_id = "deleteApiToken", tag = "accounts", params(("id" = i64, Path)),
    responses((status = 204), (status = 401), (status = 403), (status = 404)))]
async fn revoke(State(db): State<Db>, viewer: Viewer, Path(id): Path<i64>) -> Result<StatusCode> {
    db.write(move |tx| store::revoke(tx, viewer.user_id, id)).await?;
    Ok(StatusCode::NO_CONTENT)
}
