//! Challenges: words or books that a team wants to read from a first to a last day. Progress is counted on request.
pub mod http;
pub mod model;
pub mod store;

pub use http::routes;
