//! The accounts of the server, for operators, without anything that they read.
pub mod http;
pub mod model;
pub mod store;
