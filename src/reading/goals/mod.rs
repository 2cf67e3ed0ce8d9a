//! Goals: how many books, words or pages somebody wants to read in a year or a month, and how far they have come.
//!
//! Table: `goals`.
mod http;
pub mod model;
pub mod store;

pub use http::routes;
