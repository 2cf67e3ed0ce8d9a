//! The to-be-read list, in its reader's order.
//!
//! Table: `tbr`, and the counters in `libraries`. A started item becomes a book in progress.
pub mod http;
pub mod model;
pub mod store;

pub use http::routes;
