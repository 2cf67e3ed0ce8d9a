//! Invitations: a link for one address, once, for seven days, that holds a seat until then.
pub mod http;
mod letter;
pub mod store;

pub use http::routes;
