//! Every failure of the API becomes an error response of one form; the cause of an internal one is logged.
use std::any::Any;

use axum::extract::{MatchedPath, Request};
use axum::http::{StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use super::request_id;
use super::security_headers::CachePolicy;
use crate::kit::db::pool::panic_text;
use crate::kit::error::{Cause, Error};

/// Converts failures of the layers and routes inside.
pub async fn in_our_words(request: Request, next: Next) -> Response {
    let (id, method) = (request_id::of(&request), request.method().clone());
    let matched = request.extensions().get::<MatchedPath>().cloned();
    let is_api = CachePolicy::of(request.uri().path()) != CachePolicy::Own;
    let mut response = next.run(request).await;
    if let Some(Cause(cause)) = response.extensions_mut().remove() {
        let route = matched.as_ref().map_or("-", MatchedPath::as_str);
        tracing::error!(request = id, %method, route, cause, "internal error");
        let mut body = Error::internal("").body();
        body["requestId"] = id.into();
        return (response.status(), axum::Json(body)).into_response();
    }
    // Nobody but a time limit gives this status, on whatever path.
    let timed_out = response.status() == StatusCode::REQUEST_TIMEOUT;
    if (is_api || timed_out) && is_bare_error(&response) { converted(response) } else { response }
}

/// The response to a request whose handler panicked.
pub fn of_panic(panic: Box<dyn Any + Send>) -> Response {
    Error::internal(format!("a handler panicked: {}", panic_text(&*panic))).into_response()
}

fn is_bare_error(response: &Response) -> bool {
    let json = response
        .headers()
        .get(header::CONTENT_TYPE)
        .is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"));
    (response.status().is_client_error() || response.status().is_server_error()) && !json
}

/// An error of an inner layer in our form; its `Allow` header is kept.
fn converted(response: Response) -> Response {
    let error = match response.status() {
        StatusCode::NOT_FOUND => Error::NotFound,
        StatusCode::METHOD_NOT_ALLOWED => Error::MethodNotAllowed,
        StatusCode::REQUEST_TIMEOUT => Error::TimedOut,
        StatusCode::PAYLOAD_TOO_LARGE => Error::TooLarge("The request is too large.".into()),
        StatusCode::UNSUPPORTED_MEDIA_TYPE => Error::UnsupportedType("This content type is not supported here.".into()),
        status if status.is_client_error() => Error::unreadable("The request could not be read."),
        status => return (status, axum::Json(Error::internal("").body())).into_response(),
    };
    let mut ours = error.into_response();
    if let Some(allow) = response.headers().get(header::ALLOW) {
        ours.headers_mut().insert(header::ALLOW, allow.clone());
    }
    ours
}
