//! The accounts of the server, for their operators: who they are, never what they read.
pub mod model;
pub mod store;
