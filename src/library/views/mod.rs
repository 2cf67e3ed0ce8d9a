//! Filters of the dashboard that a reader keeps under names.
//!
//! Table: `views`. [`model`] has the limits, [`store`] the queries, [`http`] the calls.
mod http;
pub mod model;
pub mod store;

pub use http::routes;
