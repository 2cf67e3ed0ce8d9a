//! The API call of an account's own security events, and the source of a request.
use axum::extract::{FromRequestParts, State};
use axum::http::header;
use axum::http::request::Parts;
use utoipa_axum::router::OpenApiRouter;

use super::model::{EventPage, EventSource, PageRequest};
use super::store;
use crate::access::Viewer;
use crate::kit::db::pool::Db;
use crate::kit::http::extract::{ClientIp, Query};
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
#[utoipa::path(get, path = "/api/auth/events", operation_id = "listAccountEvents", tag = "accounts",
    params(("cursor" = Option<String>, Query, description = "The `nextCursor` of the previous page."),
        ("limit" = Option<u32>, Query, minimum = 1, maximum = 200, description = "The events of a page; 50 by default.")),
    responses((status = 200, body = EventPage), (status = 401), (status = 403), (status = 422)))]
async fn own_events(State(db): State<Db>, viewer: Viewer, query: Query) -> Result<axum::Json<EventPage>> {
    let request = PageRequest::read(|key| query.get(key))?;
    let page = db.read(move |conn| store::of_account(conn, viewer.user_id, request)).await?;
    Ok(axum::Json(page))
}
