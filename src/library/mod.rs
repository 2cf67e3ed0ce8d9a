//! A reader's library: books, series, tags, the to-be-read list, import and export, and the operations that can be undone.
//!
//! What readers see: [`books`], [`covers`], [`series`], [`tags`], [`tbr`], [`quotes`], [`clippings`], [`search`], [`views`], [`import`], [`export`], [`operations`]. What these share:
//! [`text`] compares texts, [`isbn`] normalises ISBNs, [`languages`] reads codes and names of languages, [`rough_date`] reads and writes
//! rough dates, [`day_text`] writes days, [`months`] spreads words over days, [`counters`] has one row for each reader with the revision,
//! the counts and the last ids, [`http`] answers from the cache of responses, [`erase`] deletes a whole library.
pub mod books;
pub mod clippings;
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
pub mod quotes;
pub mod rough_date;
pub mod search;
pub mod series;
pub mod tags;
pub mod tbr;
pub mod text;
pub mod views;
