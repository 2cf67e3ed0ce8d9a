//! Series: which books of each are read, which are missing, and renaming or merging them.
//!
//! A series is the books with its name, so there is no table of series. Changes are operations, which can be undone.
mod http;
mod model;
mod numbers;
mod store;

pub use http::routes;
