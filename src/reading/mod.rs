//! What was read on which day: the page of open books, the calendar with its streak, and goals for a year or a month.
//!
//! Table: `goals`. Uses `library` for books and their logs, and the streak of `preferences`.
pub mod calendar;
pub mod forecast;
pub mod goals;
mod http;
pub mod period;
pub mod store;

#[cfg(test)]
mod recount_tests;

pub use http::routes;
