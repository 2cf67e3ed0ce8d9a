//! Authentication and authorization: who sends a request and what they may do.
//!
//! Tables read: `users`, `sessions`, `api_tokens`, `preferences`, and the views `paid_plans` and `paid_teams`. Every handler that
//! needs a signed-in account takes a [`Viewer`]. The features and limits of plans are only in [`plan`].
pub mod plan;
pub mod plan_source;
pub mod streak;
pub mod token;
pub mod viewer;

#[cfg(test)]
mod viewer_tests;

pub use plan::{BillingInterval, Feature, Limits, Plan};
pub use streak::StreakUnit;
pub use token::TokenAccess;
pub use viewer::{Confirmed, Guest, Operator, Owner, Role, Viewer};
