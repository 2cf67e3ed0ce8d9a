//! Quotes of the whole library, to leaf through.
//!
//! [`list`] reads them in order or shuffled, [`http`] answers as JSON and as Markdown. A quote belongs to its book: see
//! [`passages`](crate::library::books::passages).
mod http;
mod list;

pub use http::routes;
