//! The numbers: one filter, one pass over the books, one implementation for a reader and for a team.
//!
//! Table read: `books`. [`model`] gathers · [`months`] spreads words over days · [`store`] scans · [`http`] answers what the plan
//! shows.
pub mod http;
pub mod model;
pub mod months;
pub mod store;

pub use http::routes;
