//! How the server is used, in counts (specification §3, decisions §8).
pub mod model;
pub mod store;
