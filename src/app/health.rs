//! `GET /healthz`, for monitors and load balancers.
use std::sync::Arc;

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use serde::Serialize;

use crate::kit::db::pool::Db;
use crate::kit::health;

/// The server is working.
#[derive(Serialize, utoipa::ToSchema)]
pub(super) struct HealthResponse {
    /// `ok`
    status: &'static str,
}

/// The server is not working, with the reasons.
#[derive(Serialize, utoipa::ToSchema)]
pub(super) struct HealthFailure {
    /// `failing`
    status: &'static str,
    /// The reasons, as sentences.
    why: Vec<String>,
}

/// Reports whether the database can be read and written. Frequent requests are cheap: the check runs once in ten seconds, once a
/// second while something is wrong, and after every change that could not be stored.
#[utoipa::path(get, path = "/healthz", operation_id = "getHealth", tag = "server",
    responses((status = 200, body = HealthResponse), (status = 503, body = HealthFailure)))]
pub(super) async fn healthz(State(db): State<Db>, State(health): State<Arc<health::Health>>) -> impl IntoResponse {
    let answer = match health.fault(&db).await {
        None => axum::Json(HealthResponse { status: "ok" }).into_response(),
        Some(fault) => {
            let body = HealthFailure { status: "failing", why: vec![fault.to_string()] };
            (StatusCode::SERVICE_UNAVAILABLE, axum::Json(body)).into_response()
        }
    };
    ([(header::CACHE_CONTROL, "no-store")], answer)
}
