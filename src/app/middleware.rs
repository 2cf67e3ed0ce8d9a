//! What happens to every request and response, from the outside to the inside.
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::Response;
use tower::ServiceBuilder;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::predicate::{DefaultPredicate, Predicate as _, SizeAbove};
use tower_http::compression::{CompressionLayer, CompressionLevel};
use tower_http::request_id::{PropagateRequestIdLayer, SetRequestIdLayer};
use tower_http::set_header::SetResponseHeaderLayer;
use tower_http::timeout::{RequestBodyTimeoutLayer, TimeoutBody, TimeoutLayer};

use crate::admin::{Activity, count};
use crate::kit::App;
use crate::kit::http::{csrf, error_response, request_id, request_identity, request_log, security_headers};

/// The time limit of a request, including its body.
const LONGEST: Duration = Duration::from_secs(120);
/// Smaller responses are sent uncompressed, in bytes.
const WORTHWHILE: u64 = 512;

/// Wraps routes in the middleware.
pub fn layered(routes: Router<App>, app: App, activity: Activity) -> Router {
    let server = app.clone();
    // Search engines list nothing of a private server.
    let no_index = move |_: &Response| server.current.get().is_private().then(|| HeaderValue::from_static("noindex"));
    let worthwhile = DefaultPredicate::new().and(SizeAbove::new(WORTHWHILE));
    let layers = ServiceBuilder::new()
        .layer(from_fn_with_state((app.clone(), activity), count))
        .map_request(request_id::without_strange_id)
        .layer(SetRequestIdLayer::x_request_id(request_id::RandomId))
        .layer(PropagateRequestIdLayer::x_request_id())
        .layer(from_fn(request_log::log))
        .layer(SetResponseHeaderLayer::if_not_present(HeaderName::from_static("x-robots-tag"), no_index))
        .layer(from_fn_with_state(app.clone(), security_headers::add))
        .layer(from_fn(error_response::in_our_words))
        .layer(CatchPanicLayer::custom(error_response::of_panic))
        .layer(TimeoutLayer::with_status_code(StatusCode::REQUEST_TIMEOUT, LONGEST))
        .layer(RequestBodyTimeoutLayer::new(app.timeouts.body))
        .map_request(|request: Request<TimeoutBody<Body>>| request.map(Body::new))
        .layer(from_fn(request_identity::wait_for_turn))
        .layer(from_fn_with_state(app.clone(), csrf::refuse))
        .layer(CompressionLayer::new().quality(CompressionLevel::Fastest).compress_when(worthwhile));
    routes.layer(layers).with_state(app)
}
