//! API tokens: what somebody's own scripts sign in with.
//!
//! Table: `api_tokens`. What a token may do stands in `access::token`; there its last use is noted, too.
mod http;
pub mod model;
pub mod store;

pub use http::routes;
