//! Series: which books of each are read, which are missing, and renaming or merging them. A series is its name in the books.
mod http;
mod model;
mod store;

pub use http::routes;
