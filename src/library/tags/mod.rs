//! Tags: a reader's own words for books, renamed, merged and shown as shelves. A tag is its name in the books; how it is shown is in
//! `tag_styles`.
mod http;
pub mod model;
pub mod store;

pub use http::routes;
