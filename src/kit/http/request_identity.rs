//! The identity behind a request: stored by the code that finds it out, and read on the way out for the request statistics and
//! for the cookie of a known device. It also holds the request's permits.
use std::convert::Infallible;
use std::sync::{Arc, OnceLock};

use axum::extract::{FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use super::budgets::{Budgets, Caller, RequestPermits};
use super::security_headers::CachePolicy;
use crate::kit::error::Result as CallResult;
use crate::kit::id::{SessionId, UserId};

/// Somebody who is signed in with a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Visitor {
    /// The account.
    pub user_id: UserId,
    /// The session, if it existed before this request.
    pub session_id: Option<SessionId>,
}

/// A handle that travels with a request.
#[derive(Debug, Clone, Default)]
pub struct RequestIdentity(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    visitor: OnceLock<Visitor>,
    device_cookie: OnceLock<HeaderValue>,
    /// The server's limits and the address that the request comes from; `None` when a handler is called directly.
    budgets: Option<(Budgets, Caller)>,
    permits: OnceLock<RequestPermits>,
}

impl RequestIdentity {
    /// Creates the handle. The request counts for `stranger` until its account is known.
    pub fn new(budgets: Budgets, stranger: Caller) -> Self {
        Self(Arc::new(Inner { budgets: Some((budgets, stranger)), ..Inner::default() }))
    }

    /// Stores the visitor; the first one stays.
    pub fn set_visitor(&self, visitor: Visitor) {
        let _ = self.0.visitor.set(visitor);
    }

    /// The visitor, if it is known.
    pub fn visitor(&self) -> Option<Visitor> {
        self.0.visitor.get().copied()
    }

    /// The server's limits.
    pub fn budgets(&self) -> Option<&Budgets> {
        self.0.budgets.as_ref().map(|(budgets, _)| budgets)
    }

    /// Waits for the request's permits as an account's, unless it has them already.
    pub async fn acquire_for_account(&self, user_id: UserId) -> CallResult<()> {
        self.acquire(|_| Caller::Account(user_id)).await
    }

    /// Waits for the request's permits as an address's, unless it has them already.
    pub async fn acquire_for_address(&self) -> CallResult<()> {
        self.acquire(|stranger| stranger).await
    }

    async fn acquire(&self, caller: impl FnOnce(Caller) -> Caller) -> CallResult<()> {
        let Some((budgets, stranger)) = self.0.budgets.as_ref().filter(|_| self.0.permits.get().is_none()) else {
            return Ok(());
        };
        let permits = budgets.acquire(caller(*stranger)).await?;
        let _ = self.0.permits.set(permits);
        Ok(())
    }

    /// Reads the request's body, see [`Budgets::read_body`].
    pub async fn read_body<T>(&self, body: impl Future<Output = CallResult<T>>) -> CallResult<T> {
        match (&self.0.budgets, self.0.permits.get()) {
            (Some((budgets, _)), Some(permits)) => budgets.read_body(permits, body).await,
            _ => body.await,
        }
    }

    /// Sets the cookie of a known device for the response.
    pub fn set_device_cookie(&self, cookie: HeaderValue) {
        let _ = self.0.device_cookie.set(cookie);
    }

    /// Adds the cookie to the response.
    pub fn complete(&self, headers: &mut HeaderMap) {
        if let Some(cookie) = self.0.device_cookie.get() {
            headers.append(header::SET_COOKIE, cookie.clone());
        }
    }
}

/// A call that shows no credentials waits for a permit of its address. Those with credentials wait for one of their account, once that is
/// known.
pub async fn wait_for_turn(identity: RequestIdentity, request: Request, next: Next) -> Response {
    let headers = request.headers();
    let shows_credentials = headers.contains_key(header::COOKIE) || headers.contains_key(header::AUTHORIZATION);
    if CachePolicy::of(request.uri().path()) != CachePolicy::Own
        && !shows_credentials
        && let Err(refusal) = identity.acquire_for_address().await
    {
        return refusal.into_response();
    }
    next.run(request).await
}

impl<S: Send + Sync> FromRequestParts<S> for RequestIdentity {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Infallible> {
        Ok(parts.extensions.get().cloned().unwrap_or_default())
    }
}
