//! How the server is used, in counts (docs/rules.md, "Operators").
pub mod model;
pub mod store;
