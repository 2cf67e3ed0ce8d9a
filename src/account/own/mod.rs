//! What people do with their own account: list and end sessions, change name, address and password, export everything, erase.
pub mod archive;
mod http;
pub mod model;
mod restore;
pub mod store;

pub use http::routes;
pub use restore::PARTS;
