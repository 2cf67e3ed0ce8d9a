//! A reader's library: books, the to-be-read list, and the ways in and out.
pub mod books;
pub mod import;
pub mod tbr;
