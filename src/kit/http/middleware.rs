//! What becomes of every request: it is timed, logged once under its route's pattern, and whatever goes wrong becomes one kind of
//! answer.
use std::panic::AssertUnwindSafe;
use std::time::{Duration, Instant};

use axum::extract::{MatchedPath, Request};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use futures_util::FutureExt as _;

use crate::kit::db::pool::panic_text;
use crate::kit::error::{Cause, Error};
use crate::kit::http::csrf::{self, Keeping};

/// The longest that a request may take, its body included.
const LONGEST: Duration = Duration::from_secs(120);

/// Longest id that a request may bring along, in bytes.
const LONGEST_ID: usize = 64;

/// The route that monitors ask.
const HEALTH: &str = "/healthz";

static REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// A request on its way, as far as its answer and its line in the log need to know it.
#[derive(Debug)]
pub struct RequestContext {
    started: Instant,
    id: HeaderValue,
    method: Method,
    route: Option<MatchedPath>,
    keeping: Keeping,
    https: bool,
}

impl RequestContext {
    /// Notes a request as it comes in; `https` says whether the public address is https.
    pub fn of(request: &Request, https: bool) -> Self {
        let path = request.uri().path();
        Self {
            started: Instant::now(),
            id: request.headers().get(&REQUEST_ID).filter(|id| is_plain(id)).cloned().unwrap_or_else(new_id),
            method: request.method().clone(),
            route: request.extensions().get().cloned(),
            keeping: Keeping::of(path),
            https,
        }
    }

    /// Whether it is a call, and not a page or a file.
    pub fn is_api(&self) -> bool {
        self.keeping != Keeping::Own
    }

    /// Waits for the answer, makes of whatever went wrong our kind of answer, and logs it.
    pub async fn answer(self, answered: impl Future<Output = Response>) -> Response {
        let answer = AssertUnwindSafe(tokio::time::timeout(LONGEST, answered)).catch_unwind().await;
        let mut response = match answer {
            Ok(Ok(response)) => response,
            Ok(Err(_)) => Error::TimedOut.into_response(),
            Err(panic) => Error::internal(format!("a handler panicked: {}", panic_text(&*panic))).into_response(),
        };
        let Self { started, method, keeping, https, .. } = &self;
        let api = *keeping != Keeping::Own;
        let (id, route) = (self.id.to_str().unwrap_or("-"), self.route.as_ref().map_or("-", MatchedPath::as_str));
        if let Some(Cause(cause)) = response.extensions_mut().remove() {
            tracing::error!(request = id, %method, route, cause, "internal error");
            response = with_request_id(&response, id);
        } else if api && is_bare_error(&response) {
            response = in_our_words(response);
        }
        csrf::secure(response.headers_mut(), *keeping, *https);
        let status = response.status().as_u16();
        let ms = (started.elapsed().as_secs_f64() * 100_000.0).round() / 100.0;
        // Monitors and the files of a page would drown what people do.
        if route == HEALTH || (self.route.is_none() && !api && !is_page(&response)) {
            tracing::debug!(request = id, %method, route, status, ms, "request");
        } else {
            tracing::info!(request = id, %method, route, status, ms, "request");
        }
        response.headers_mut().insert(&REQUEST_ID, self.id);
        response
    }
}

/// Whether an id that a request brings along, as one from a proxy may, is plainly one: it stands in the log, where blanks and equals
/// signs would make up fields that never were.
fn is_plain(id: &HeaderValue) -> bool {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    (1..=LONGEST_ID).contains(&id.len()) && id.as_bytes().iter().all(plain)
}

/// 64 random bits, in hexadecimal. They tell lines of a log apart and guard nothing.
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

/// An error of a layer below us, in our shape; its `Allow` header is kept.
fn in_our_words(response: Response) -> Response {
    let error = match response.status() {
        StatusCode::NOT_FOUND => Error::NotFound,
        StatusCode::METHOD_NOT_ALLOWED => Error::MethodNotAllowed,
        StatusCode::REQUEST_TIMEOUT => Error::TimedOut,
        StatusCode::PAYLOAD_TOO_LARGE => Error::TooLarge("This is larger than a request may be.".into()),
        StatusCode::UNSUPPORTED_MEDIA_TYPE => Error::UnsupportedType("This content type is not taken here.".into()),
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
