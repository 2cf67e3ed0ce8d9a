//! API tokens, which people's scripts use to sign in.
//!
//! Table: `api_tokens`. The permissions of tokens are in `access::token`, which also records their last use.
mod http;
pub mod model;
pub mod store;

pub use http::routes;
