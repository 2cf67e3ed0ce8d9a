//! Books: what has been read, is being read, or was read once upon a time.
//!
//! Tables: `books`, `book_texts`, and the counters in `libraries`. [`model`] what a book may be · [`payload`] how a request
//! becomes one · [`filter`] the dashboard's question · [`order`] sorting and paging · [`store`] rows · [`list`] lists of them ·
//! [`add`] the cap and rereads.
pub mod add;
pub mod filter;
#[cfg(any(test, fuzzing))]
pub mod fuzz_checks;
pub mod http;
pub mod list;
pub mod model;
pub mod order;
pub mod payload;
pub mod store;

pub use http::routes;
