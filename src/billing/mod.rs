//! Plans and payment: which plan somebody has, where it comes from, and what it allows.
//!
//! No payment provider is connected in this version: plans come from the server's default and from the operator's hand.
mod http;
pub mod model;
mod store;

pub use http::routes;
