//! One line of the log for each request, under the pattern of its route.
use std::time::Instant;

use axum::extract::{MatchedPath, Request};
use axum::http::header;
use axum::middleware::Next;
use axum::response::Response;

use super::request_id;
use super::security_headers::CachePolicy;

/// The route that monitoring systems call.
const HEALTH: &str = "/healthz";

/// Logs a request when it is answered.
pub async fn log(request: Request, next: Next) -> Response {
    let (started, id, method) = (Instant::now(), request_id::of(&request), request.method().clone());
    let matched = request.extensions().get::<MatchedPath>().cloned();
    let is_api = CachePolicy::of(request.uri().path()) != CachePolicy::Own;
    let response = next.run(request).await;
    let route = matched.as_ref().map_or("-", MatchedPath::as_str);
    let status = response.status().as_u16();
    let ms = (started.elapsed().as_secs_f64() * 100_000.0).round() / 100.0;
    // Health checks and a page's files would hide the requests that matter.
    if route == HEALTH || (matched.is_none() && !is_api && !is_page(&response)) {
        tracing::debug!(request = id, %method, route, status, ms, "request");
    } else {
        tracing::info!(request = id, %method, route, status, ms, "request");
    }
    response
}

fn is_page(response: &Response) -> bool {
    let kind = response.headers().get(header::CONTENT_TYPE);
    kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"))
}
