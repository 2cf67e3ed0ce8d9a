//! The to-be-read list, in the order its reader gave it.
//!
//! Table: `tbr`, and the counters in `libraries`. A started item becomes a book in progress.
pub mod http;
pub mod model;
pub mod store;

pub use http::routes;
