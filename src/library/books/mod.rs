//! Books: read, in progress, or read at an unknown time.
//!
//! Tables: `books`, `book_texts`, `reading_days`, `read_months`, and the counters in `libraries`. [`model`] defines valid books,
//! [`authors`], [`facts`], [`length`] and [`passages`] parts of them, and [`shape`] what their status allows; [`payload`], [`again`] and [`day_payload`]
//! read requests; [`filter`] is the dashboard's filter, [`order`] sorts and pages; [`reads`] and [`log`] have the rules of works
//! and of their logs; [`store`] has the queries; [`add`] checks the limit and detects rereads, [`change`] does what follows from
//! a change; [`page_counts`] is how the offline catalogue is asked for pages.
pub mod add;
pub mod again;
pub mod authors;
pub mod change;
mod day_payload;
pub mod facts;
pub mod filter;
pub mod http;
pub mod length;
mod list_change;
pub mod log;
mod many;
pub mod model;
pub mod order;
pub mod page_counts;
pub mod passages;
pub mod payload;
pub mod rating;
pub mod reads;
pub mod series_title;
mod shape;
mod similar;
pub mod store;

pub use http::routes;
