//! What somebody does with an account of their own: see and end sessions, change name, address and password, take everything along,
//! erase.
pub mod archive;
mod http;
pub mod model;
mod records;
pub mod store;

pub use http::routes;
