//! A reader's library: books, the to-be-read list, and the ways in and out.
//!
//! [`text`] how texts compare · [`isbn`] the one form of a book number · [`counters`] one row a reader: revision, counters, the next
//! keys · [`json`] lists written row by row · [`erase`] everything of one reader goes.
pub mod books;
pub mod counters;
pub mod erase;
pub mod export;
pub mod import;
pub mod isbn;
pub mod json;
pub mod tbr;
pub mod text;
