//! Who asks, and what they may do.
//!
//! Tables read: `users`, `sessions`, `preferences`. Every handler that needs somebody takes a [`Viewer`]; what the plan allows
//! stands in [`plan`], and nowhere else.
pub mod plan;
pub mod viewer;

pub use plan::{Feature, Limits, Plan};
pub use viewer::{Guest, Operator, Role, Viewer};
