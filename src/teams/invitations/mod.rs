//! Invitations: a link for one address, usable once within seven days, which holds a seat until then.
pub mod email;
pub mod http;
pub mod store;
pub mod to_server;

pub use http::routes;
