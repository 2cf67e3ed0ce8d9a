//! Invitations: a link for one address, once, for seven days, that holds a seat until then.
mod email;
pub mod http;
pub mod store;

pub use http::routes;
