//! What happens to every request: it is timed and logged once under its route's pattern, and every failure becomes a uniform
//! error response.
use std::panic::AssertUnwindSafe;
use std::time::{Duration, Instant};

use axum::extract::{MatchedPath, Request};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use futures_util::FutureExt as _;

use crate::kit::db::pool::panic_text;
use crate::kit::error::{Cause, Error};
use crate::kit::http::security_headers::{CachePolicy, add_security_headers};

/// The time limit of a request, including its body.
const LONGEST: Duration = Duration::from_secs(120);

/// The longest request id accepted from a client, in bytes.
const LONGEST_ID: usize = 64;

/// The route that monitoring systems call.
const HEALTH: &str = "/healthz";

static REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// What a response and its log line need to know about their request.
#[derive(Debug)]
pub struct RequestContext {
    started: Instant,
    id: HeaderValue,
    method: Method,
    route: Option<MatchedPath>,
    cache_policy: CachePolicy,
    https: bool,
}

impl RequestContext {
    /// Reads an incoming request; `https` says whether the public address is https.
    pub fn of(request: &Request, https: bool) -> Self {
        let path = request.uri().path();
        Self {
            started: Instant::now(),
            id: request.headers().get(&REQUEST_ID).filter(|id| is_plain(id)).cloned().unwrap_or_else(new_id),
            method: request.method().clone(),
            route: request.extensions().get().cloned(),
            cache_policy: CachePolicy::of(path),
            https,
        }
    }

    /// Whether it is an API call and not a page or a file.
    pub fn is_api(&self) -> bool {
        self.cache_policy != CachePolicy::Own
    }

    /// Waits for the response, converts failures to error responses, and logs the request.
    pub async fn answer(self, answered: impl Future<Output = Response>) -> Response {
        let answer = AssertUnwindSafe(tokio::time::timeout(LONGEST, answered)).catch_unwind().await;
        let mut response = match answer {
            Ok(Ok(response)) => response,
            Ok(Err(_)) => Error::TimedOut.into_response(),
            Err(panic) => Error::internal(format!("a handler panicked: {}", panic_text(&*panic))).into_response(),
        };
        let Self { started, method, cache_policy, https, .. } = &self;
        let api = *cache_policy != CachePolicy::Own;
        let (id, route) = (self.id.to_str().unwrap_or("-"), self.route.as_ref().map_or("-", MatchedPath::as_str));
        if let Some(Cause(cause)) = response.extensions_mut().remove() {
            tracing::error!(request = id, %method, route, cause, "internal error");
            response = with_request_id(&response, id);
        } else if api && is_bare_error(&response) {
            response = in_our_words(response);
        }
        add_security_headers(response.headers_mut(), *cache_policy, *https);
        let status = response.status().as_u16();
        let ms = (started.elapsed().as_secs_f64() * 100_000.0).round() / 100.0;
        // Health checks and a page's files would hide the requests that matter.
        if route == HEALTH || (self.route.is_none() && !api && !is_page(&response)) {
            tracing::debug!(request = id, %method, route, status, ms, "request");
        } else {
            tracing::info!(request = id, %method, route, status, ms, "request");
        }
        response.headers_mut().insert(&REQUEST_ID, self.id);
        response
    }
}

/// Whether a request id from a client or proxy is safe to log: blanks and equals signs could forge log fields.
fn is_plain(id: &HeaderValue) -> bool {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    (1..=LONGEST_ID).contains(&id.len()) && id.as_bytes().iter().all(plain)
}

/// 64 random bits in hexadecimal digits. They distinguish log lines and are not secret.
fn new_id() -> HeaderValue {
    HeaderValue::try_from(format!("{:016x}", fastrand::u64(..))).unwrap_or_else(|_| HeaderValue::from_static("-"))
}

/// The body of a 500 with the id under which its cause was logged.
fn with_request_id(response: &Response, id: &str) -> Response {
    let mut body = Error::internal("").body();
    body["requestId"] = id.into();
    (response.status(), axum::Json(body)).into_response()
}

fn is_bare_error(response: &Response) -> bool {
    let json = response
        .headers()
        .get(header::CONTENT_TYPE)
        .is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"));
    (response.status().is_client_error() || response.status().is_server_error()) && !json
}

fn is_page(response: &Response) -> bool {
    let kind = response.headers().get(header::CONTENT_TYPE);
    kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"))
}

/// An error of an inner layer, converted to our format; its `Allow` header is kept.
fn in_our_words(response: Response) -> Response {
    let error = match response.status() {
        StatusCode::NOT_FOUND => Error::NotFound,
        StatusCode::METHOD_NOT_ALLOWED => Error::MethodNotAllowed,
        StatusCode::REQUEST_TIMEOUT => Error::TimedOut,
        StatusCode::PAYLOAD_TOO_LARGE => Error::TooLarge("The request is too large.".into()),
        StatusCode::UNSUPPORTED_MEDIA_TYPE => Error::UnsupportedType("This content type is not supported here.".into()),
        status if status.is_client_error() => Error::unreadable("The request could not be read."),
        status => return (status, axum::Json(Error::internal("").body())).into_response(),
    };
    let kept: HeaderMap = response
        .headers()
        .iter()
        .filter(|(name, _)| *name == header::ALLOW)
        .map(|(n, v)| (n.clone(), v.clone()))
        .collect();
    let mut ours = error.into_response();
    ours.headers_mut().extend(kept);
    ours
}
