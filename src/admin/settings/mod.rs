//! Settings that an operator changes while the server runs (`docs/rules.md`, "Settings").
pub mod http;
mod model;
