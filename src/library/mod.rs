//! A reader's library: books, the to-be-read list, and the ways in and out.
//!
//! [`text`] how texts compare · [`isbn`] the one form of a book number · [`payload`] request fields that name themselves when
//! they are wrong.
pub mod books;
pub mod import;
pub mod isbn;
pub mod payload;
pub mod tbr;
pub mod text;
