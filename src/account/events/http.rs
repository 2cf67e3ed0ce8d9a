//! The API call of an account's own security events, and the source of a request.
use axum::extract::{FromRequestParts, State};
use axum::http::header;
use axum::http::request::Parts;
use utoipa_axum::router::OpenApiRouter;

use super::model::{EventSource, SecurityEventList};
use super::store;
use crate::access::Viewer;
use crate::kit::db::pool::Db;
use crate::kit::http::extract::ClientIp;
use crate::kit::http::query::{PageRequest, Query};
use crate::kit::http::routes::routes;
use crate::kit::{App, Error, Result};

/// The routes of this part.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(own_events))
}

impl FromRequestParts<App> for EventSource {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let ClientIp(ip) = ClientIp::from_request_parts(parts, app).await?;
        let agent = parts.headers.get(header::USER_AGENT).map(|value| String::from_utf8_lossy(value.as_bytes()));
        Ok(Self::new(ip, &agent.unwrap_or_default()))
    }
}

/// Returns your account's security events of the last 90 days, newest first.
#[utoipa::path(get, path = "/api/auth/events", operation_id = "listAccountEvents", tag = "accounts", params(PageRequest),
    responses((status = 200, body = SecurityEventList), (status = 401), (status = 403), (status = 422)))]
async fn own_events(
    State(db): State<Db>,
    viewer: Viewer,
    Query(request): Query<PageRequest>,
) -> Result<axum::Json<SecurityEventList>> {
    let page = db.read(move |conn| store::of_account(conn, viewer.user_id, request)).await?;
    Ok(axum::Json(page))
}
