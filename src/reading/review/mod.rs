//! The review of a year or a month: what was finished in it, its months, and what is missing (docs/rules.md, "Year in review").
mod http;
pub mod model;
pub mod store;
pub mod totals;

#[cfg(test)]
mod recount_tests;

pub use http::routes;
