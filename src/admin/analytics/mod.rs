//! Usage statistics of the server (docs/rules.md, "Operators").
pub mod model;
pub mod store;
