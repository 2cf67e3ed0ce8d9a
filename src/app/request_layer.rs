//! The middleware of every request and response. It is one layer, because each further layer would allocate the request again and
//! copy everything in it.
use std::convert::Infallible;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, HttpBody as _};
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use futures_util::future::BoxFuture;
use tower::{Layer, Service};
use tower_http::timeout::TimeoutBody;

use crate::admin::{Activity, RequestMetrics};
use crate::kit::App;
use crate::kit::http::csrf;
use crate::kit::http::middleware::RequestContext;

/// Search engines list nothing of a private server.
static NO_INDEX: (HeaderName, HeaderValue) =
    (HeaderName::from_static("x-robots-tag"), HeaderValue::from_static("noindex"));

/// Counts, times and logs requests, refuses cross-site changes and foreign host names, ends bodies that stop arriving, converts
/// failures, and adds the request id and the security headers to every response.
#[derive(Clone)]
pub struct RequestLayer(Arc<Server>);

struct Server {
    app: App,
    activity: Activity,
}

impl RequestLayer {
    /// A layer that counts requests in `activity`.
    pub fn new(app: App, activity: Activity) -> Self {
        Self(Arc::new(Server { app, activity }))
    }
}

impl<S> Layer<S> for RequestLayer {
    type Service = RequestService<S>;

    fn layer(&self, inner: S) -> RequestService<S> {
        RequestService { inner, server: self.0.clone() }
    }
}

/// A service behind the [`RequestLayer`].
#[derive(Clone)]
pub struct RequestService<S> {
    inner: S,
    server: Arc<Server>,
}

impl<S> Service<Request> for RequestService<S>
where
    S: Service<Request, Response: IntoResponse, Error = Infallible, Future: Send + 'static>,
{
    type Response = Response;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Response, Infallible>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, mut request: Request) -> Self::Future {
        let server = self.server.clone();
        let watched = RequestMetrics::of(&server.app, &mut request);
        let passing = RequestContext::of(&request, server.app.config.is_https());
        // Requests with credentials wait for a permit of their account, once that is known.
        let is_api = passing.is_api();
        let visit = (is_api && !shows_credentials(request.headers())).then(|| watched.visit().clone());
        let current = server.app.current.get();
        let is_private = current.is_private();
        let answering = match csrf::refusal(&request, current.own_origin()) {
            Some(refusal) => {
                if let Some(address) = csrf::opened_at(&request, current.own_origin()) {
                    server.app.health.opened_at(address);
                }
                Err(refusal)
            }
            None => {
                let pause = server.app.timeouts.body;
                Ok(self.inner.call(request.map(|body| impatient(body, pause))))
            }
        };
        Box::pin(async move {
            let answered = async {
                if let Some(visit) = visit
                    && let Err(refusal) = visit.acquire_for_address().await
                {
                    return refusal.into_response();
                }
                match answering {
                    Ok(answer) => answer.await.into_response(),
                    Err(refusal) => refusal.into_response(),
                }
            };
            let mut response = passing.answer(answered).await;
            if is_private {
                response.headers_mut().entry(&NO_INDEX.0).or_insert_with(|| NO_INDEX.1.clone());
            }
            watched.answered(&server.app, &server.activity, &mut response);
            Ok(response)
        })
    }
}

/// Whether a request may belong to an account.
fn shows_credentials(headers: &HeaderMap) -> bool {
    headers.contains_key(header::COOKIE) || headers.contains_key(header::AUTHORIZATION)
}

/// A body that ends with an error after a pause of this length.
fn impatient(body: Body, pause: Duration) -> Body {
    if body.is_end_stream() { body } else { Body::new(TimeoutBody::new(pause, body)) }
}
