//! Preferences: theme, page filter, defaults, time zone.
//!
//! Table: `preferences`, a row for each account. What the plan does not have stays stored, does not apply, and is answered as
//! its default.
mod http;
pub mod model;
pub mod store;

pub use http::routes;
