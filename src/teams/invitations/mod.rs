//! Invitations: a link for one address, usable once within seven days, which holds a seat until then.
mod email;
pub mod http;
pub mod store;

pub use http::routes;
