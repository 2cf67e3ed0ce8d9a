//! Secret links, which show one thing of an account to anybody who has the link: a review, a feed, a calendar, a list.
//!
//! Table: `shares`. Uses `reading` for reviews and `library` for books, tags and the list. A link shows what its owner's plan shows, and only the parts that
//! its owner has switched on (docs/rules.md, "Secret links").
mod card;
mod content;
mod feed;
mod http;
pub mod model;
mod page;
pub mod rendering;
mod shelf;
pub mod store;

pub use http::routes;
