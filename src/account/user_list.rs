//! The operator's list of all accounts with their plans.
mod store;

use serde::Serialize;

use crate::access::plan_source::PlanSource;
use crate::access::{Plan, Role};
use crate::kit::id::UserId;
use crate::kit::timestamp::Timestamp;
pub use store::{all, find, grant};

/// An account as its operator sees it, without anything that it reads.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ListedUser {
    pub id: UserId,
    /// As entered, trimmed.
    pub email: String,
    /// 1 to 100 characters.
    pub display_name: String,
    /// Reader or operator.
    pub role: Role,
    /// Whether sign-in is disabled.
    pub disabled: bool,
    /// The plan in force.
    pub plan: Plan,
    /// Where the plan comes from.
    pub plan_source: PlanSource,
    /// The number of stored sessions.
    pub sessions: i64,
    /// The number of books, of every status.
    pub books: i64,
    /// RFC 3339, UTC.
    pub created_at: Timestamp,
    /// RFC 3339, UTC; null without a session.
    pub last_seen: Option<Timestamp>,
}

impl ListedUser {
    /// Where the plan comes from, in words.
    pub fn source(&self) -> &'static str {
        match self.plan_source {
            PlanSource::None => "the free plan",
            PlanSource::Stripe => "paid",
            PlanSource::Operator => "set by hand",
            PlanSource::Team => "the team's",
            PlanSource::Default => "the server's default",
        }
    }
}
