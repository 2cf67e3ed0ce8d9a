//! Tags: a reader's own words for books, renamed, merged and shown as shelves.
//!
//! Table: `tag_styles`, which says how a tag is shown. A tag itself is a word in the books. Changes are operations, which can be undone.
mod http;
pub mod model;
pub mod store;

pub use http::routes;
