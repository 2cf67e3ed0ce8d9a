//! Who a request turned out to come from: noted by whoever finds out on the way in, read on the way out by who counts, and by who
//! tells the browser of a session's new token.
use std::convert::Infallible;
use std::sync::{Arc, OnceLock};

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, header};

/// Somebody signed in, by one of their sessions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Visitor {
    /// The account.
    pub user_id: i64,
    /// The session, where it was there before this request.
    pub session_id: Option<i64>,
}

/// A slip that travels with a request.
#[derive(Debug, Clone, Default)]
pub struct Visit(Arc<Slip>);

#[derive(Debug, Default)]
struct Slip {
    visitor: OnceLock<Visitor>,
    cookie: OnceLock<HeaderValue>,
}

impl Visit {
    /// Notes the visitor; the first one stays.
    pub fn note(&self, visitor: Visitor) {
        let _ = self.0.visitor.set(visitor);
    }

    /// Who it was, if anybody found out.
    pub fn visitor(&self) -> Option<Visitor> {
        self.0.visitor.get().copied()
    }

    /// Has the answer set a cookie.
    pub fn set_cookie(&self, cookie: HeaderValue) {
        let _ = self.0.cookie.set(cookie);
    }

    /// Adds that cookie to the answer, on the way out.
    pub fn complete(&self, headers: &mut HeaderMap) {
        if let Some(cookie) = self.0.cookie.get() {
            headers.append(header::SET_COOKIE, cookie.clone());
        }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Visit {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Infallible> {
        Ok(parts.extensions.get().cloned().unwrap_or_default())
    }
}
