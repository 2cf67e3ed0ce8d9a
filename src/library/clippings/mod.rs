//! Passages that were marked in other programs, into the quotes of their books.
//!
//! Table: `imported_quotes`. [`read`] knows the files: Kindle's `My Clippings.txt`, Readwise's CSV, KOReader's JSON. [`store`] finds the books,
//! decides what is new, and writes it as a part of an operation. `devices` has the calls, which also take the files of a Kobo.
pub mod read;
pub mod store;
