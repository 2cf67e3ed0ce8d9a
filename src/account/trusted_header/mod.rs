//! Signing in by headers of a trusted proxy. [`model`] reads the headers, `http` is the middleware that turns them into a session.
mod http;
pub mod model;

pub use http::guard;
