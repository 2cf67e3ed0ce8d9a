//! A forgotten password: links that set a new one, once, within the hour.
//!
//! Table: `password_resets`. No mail is sent in this version: operators hand links out.
mod http;
pub mod store;

pub use http::routes;
