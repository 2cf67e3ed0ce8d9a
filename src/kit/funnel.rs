//! What happens to every request: it is timed, logged once under its route's pattern, refused where another site's page sent it,
//! and whatever goes wrong becomes one kind of answer.
use std::panic::AssertUnwindSafe;
use std::time::{Duration, Instant};

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use futures_util::FutureExt as _;
use tower_http::request_id::{MakeRequestId, RequestId};

use super::App;
use super::db::panic_text;
use super::error::{Cause, Error};
use super::origin;

/// The longest that a request may take, its body included.
const LONGEST: Duration = Duration::from_secs(120);

/// Ids of requests: 64 random bits, in hexadecimal. They tell lines of a log apart and guard nothing.
#[derive(Clone, Copy)]
pub struct Ids;

impl MakeRequestId for Ids {
    fn make_request_id<B>(&mut self, _: &axum::http::Request<B>) -> Option<RequestId> {
        HeaderValue::try_from(format!("{:016x}", fastrand::u64(..))).ok().map(RequestId::new)
    }
}

/// Times, logs and funnels a request.
pub async fn funnel(State(app): State<App>, request: Request, next: Next) -> Response {
    let started = Instant::now();
    let method = request.method().clone();
    let route =
        request.extensions().get::<MatchedPath>().map_or_else(|| "-".to_owned(), |path| path.as_str().to_owned());
    let api = request.uri().path() == "/api" || request.uri().path().starts_with("/api/");
    let refusal = origin::refusal(&request, app.config.own_origin());
    let id = request
        .extensions()
        .get::<RequestId>()
        .and_then(|id| id.header_value().to_str().ok())
        .unwrap_or("-")
        .to_owned();
    let answered = async {
        match refusal {
            Some(refusal) => refusal.into_response(),
            None => next.run(request).await,
        }
    };
    let answer = AssertUnwindSafe(tokio::time::timeout(LONGEST, answered)).catch_unwind().await;
    let mut response = match answer {
        Ok(Ok(response)) => response,
        Ok(Err(_)) => Error::TimedOut.into_response(),
        Err(panic) => Error::internal(format!("a handler panicked: {}", panic_text(&*panic))).into_response(),
    };
    if let Some(Cause(cause)) = response.extensions_mut().remove() {
        tracing::error!(request = %id, %method, route, cause, "internal error");
        response = with_request_id(&response, &id);
    } else if api && is_bare_error(&response) {
        response = in_our_words(response);
    }
    origin::secure(response.headers_mut(), api);
    let (status, ms) = (response.status().as_u16(), started.elapsed().as_secs_f64() * 1000.0);
    tracing::info!(request = %id, %method, route, status, ms = (ms * 100.0).round() / 100.0, "request");
    response
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
