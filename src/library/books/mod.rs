//! Books: read, in progress, or read at an unknown time.
//!
//! Tables: `books`, `book_texts`, and the counters in `libraries`. [`model`] defines valid books, [`payload`] reads them from
//! requests, [`filter`] is the dashboard's filter, [`order`] sorts and pages, [`store`] has the queries, [`list`] writes lists,
//! [`add`] checks the limit and detects rereads.
pub mod add;
pub mod filter;
#[cfg(any(test, fuzzing))]
pub mod fuzz_checks;
mod genre_change;
pub mod http;
pub mod model;
pub mod order;
pub mod payload;
pub mod store;

pub use http::routes;
