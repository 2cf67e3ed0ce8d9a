//! Signing out, here and at the sign-in provider that the session came from.
mod http;

pub use http::routes;
