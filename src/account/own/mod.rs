//! What somebody does with an account of their own: see and end sessions, change name, address and password, take everything along,
//! erase.
pub mod archive;
mod http;
pub mod model;
pub mod store;

pub use http::routes;
