//! Who a request turned out to come from: noted by whoever finds out on the way in, read by who counts on the way out.
use std::convert::Infallible;
use std::sync::{Arc, OnceLock};

use axum::extract::FromRequestParts;
use axum::http::request::Parts;

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
pub struct Visit(Arc<OnceLock<Visitor>>);

impl Visit {
    /// Notes the visitor; the first one stays.
    pub fn note(&self, visitor: Visitor) {
        let _ = self.0.set(visitor);
    }

    /// Who it was, if anybody found out.
    pub fn visitor(&self) -> Option<Visitor> {
        self.0.get().copied()
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Visit {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Infallible> {
        Ok(parts.extensions.get().cloned().unwrap_or_default())
    }
}
