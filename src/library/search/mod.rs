//! One search over everything that a reader wrote or has: books, quotes, impressions, notes and the to-be-read list.
//!
//! [`find`] is one pass over the library, folded while it reads; [`excerpt`] cuts out the words around a hit; [`http`] answers.
mod excerpt;
mod find;
mod http;

pub use http::routes;
