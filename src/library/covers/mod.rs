//! Covers: one picture for the reads of a book, kept in the database with the library.
//!
//! Table: `covers`, whose triggers count the bytes in `libraries` and delete a cover with its last read. [`picture`] accepts an uploaded
//! file: [`jpeg`], [`png`] and [`webp`] read the sizes in the file and keep what draws the picture ([`model`] has the limits); nothing is
//! decoded. [`store`] has the queries.
pub mod http;
mod jpeg;
pub mod model;
pub mod picture;
mod png;
pub mod store;
mod webp;

pub use http::routes;
