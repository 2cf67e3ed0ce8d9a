//! Who a request turned out to come from: noted by whoever finds out on the way in, read on the way out by who counts, and by who
//! tells the browser of a session's new token. It also holds the request's turn among the others of its caller.
use std::convert::Infallible;
use std::sync::{Arc, OnceLock};

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, header};

use super::budgets::{Budgets, Caller, Turn};
use crate::kit::error::Result as CallResult;

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
pub struct RequestIdentity(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    visitor: OnceLock<Visitor>,
    cookie: OnceLock<HeaderValue>,
    /// The server's budgets and the address that the request comes from; nothing where a handler is called by itself.
    budgets: Option<(Budgets, Caller)>,
    turn: OnceLock<Turn>,
}

impl RequestIdentity {
    /// A request's slip. `stranger` is the caller that it counts for unless it turns out to be an account's.
    pub fn new(budgets: Budgets, stranger: Caller) -> Self {
        Self(Arc::new(Inner { budgets: Some((budgets, stranger)), ..Inner::default() }))
    }

    /// Notes the visitor; the first one stays.
    pub fn note(&self, visitor: Visitor) {
        let _ = self.0.visitor.set(visitor);
    }

    /// Who it was, if anybody found out.
    pub fn visitor(&self) -> Option<Visitor> {
        self.0.visitor.get().copied()
    }

    /// The server's budgets.
    pub fn budgets(&self) -> Option<&Budgets> {
        self.0.budgets.as_ref().map(|(budgets, _)| budgets)
    }

    /// Waits for the request's turn as a call of an account, unless it has one already.
    ///
    /// # Errors
    /// As for [`Budgets::turn`].
    pub async fn turn_of_account(&self, user_id: i64) -> CallResult<()> {
        self.turn(|_| Caller::Account(user_id)).await
    }

    /// Waits for the request's turn as a call of an address, unless it has one already.
    ///
    /// # Errors
    /// As for [`Budgets::turn`].
    pub async fn turn_of_stranger(&self) -> CallResult<()> {
        self.turn(|stranger| stranger).await
    }

    async fn turn(&self, caller: impl FnOnce(Caller) -> Caller) -> CallResult<()> {
        let Some((budgets, stranger)) = self.0.budgets.as_ref().filter(|_| self.0.turn.get().is_none()) else {
            return Ok(());
        };
        let turn = budgets.turn(caller(*stranger)).await?;
        let _ = self.0.turn.set(turn);
        Ok(())
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

impl<S: Send + Sync> FromRequestParts<S> for RequestIdentity {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Infallible> {
        Ok(parts.extensions.get().cloned().unwrap_or_default())
    }
}
