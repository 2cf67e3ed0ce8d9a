//! Who asks, and what they may do.
//!
//! Tables read: `users`, `sessions`, `api_tokens`, `preferences`, and the views `paid_plans` and `paid_teams`. Every handler that
//! needs somebody takes a [`Viewer`]; what the plan allows
//! stands in [`plan`], and nowhere else.
pub mod plan;
pub mod token;
pub mod viewer;

pub use plan::{Feature, Interval, Limits, Plan};
pub use token::TokenAccess;
pub use viewer::{Confirmed, Guest, Operator, Role, Viewer};
