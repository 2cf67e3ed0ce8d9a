//! A reader's library: books, series, tags, the to-be-read list, import and export, and the operations that can be undone.
//!
//! [`text`] compares texts, [`isbn`] normalises ISBNs, [`languages`] reads codes and names of languages, [`rough_date`] reads and writes
//! rough dates, [`day_text`] writes days, [`months`] spreads words over days, [`covers`] has the pictures, [`counters`] one row per reader with revision,
//! counters and ids, [`erase`] deletes a whole library.
pub mod books;
pub mod counters;
pub mod covers;
pub mod day_text;
pub mod erase;
pub mod export;
pub mod http;
pub mod import;
pub mod isbn;
pub mod languages;
pub mod months;
pub mod operations;
pub mod rough_date;
pub mod series;
pub mod tags;
pub mod tbr;
pub mod text;
