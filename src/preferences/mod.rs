//! Preferences: theme, page filter, defaults, time zone, hemisphere, the step between ratings.
//!
//! Table: `preferences`, one row per account. Values that the plan does not include stay stored; the defaults apply in their
//! place.
mod http;
pub mod model;
pub mod store;

pub use http::routes;
