//! A forgotten password: links that set a new one, once, within the hour.
//!
//! Table: `password_resets`. Links are mailed where mail is configured; operators hand them out everywhere.
mod http;
pub mod store;

pub use http::routes;
