//! What was read on which day: the page of open books, the calendar with its streak, goals for a year or a month, and
//! their review.
//!
//! Table: `goals`. Uses `library` for books and their logs and `statistics` for sums over books.
pub mod calendar;
pub mod forecast;
pub mod goals;
mod http;
pub mod open;
pub mod period;
pub mod review;
pub mod store;
pub mod streak_cache_key;
mod summary;

#[cfg(test)]
mod recount_tests;

pub use http::routes;
