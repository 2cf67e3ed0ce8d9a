//! One pass over a library for everything that the dashboard shows.
use std::collections::BTreeMap;

use chrono::NaiveDate;
use rusqlite::Connection;

use super::model::{Found, Named, Names, OfFormat, Sum, Tally, ranked_formats};
use crate::kit::error::Result;
use crate::library::books::filter::{Filter, is_visible};
use crate::library::books::model::each_genre;
use crate::library::books::store;

/// What one pass over a reader's library found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Scanned {
    /// The figures and charts of the filter.
    pub found: Found,
    /// Books of every status.
    pub total: i64,
    /// Those that show, whatever the filter.
    pub visible: i64,
}

/// Scans a library once. `from` is the first completion date that shows.
///
/// # Errors
/// The database's.
pub fn scan(
    conn: &Connection,
    owner: i64,
    filter: &Filter,
    today: NaiveDate,
    from: Option<NaiveDate>,
) -> Result<Scanned> {
    let mut tally = Tally::new(today);
    let (mut total, mut visible) = (0, 0);
    store::scan(conn, owner, |book| {
        total += 1;
        if is_visible(book.date_completed, from) {
            visible += 1;
            if filter.matches(book) {
                tally.add(book);
            }
        }
    })?;
    Ok(Scanned { found: tally.finish(), total, visible })
}

/// What the filter controls offer: over all visible books, words and books of the finished ones.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    /// Most words first.
    pub genres: Vec<Named>,
    /// Most words first.
    pub authors: Vec<Named>,
    /// Most words first.
    pub formats: Vec<OfFormat>,
}

/// Scans a library once for what the filter can ask.
///
/// # Errors
/// The database's.
pub fn options(conn: &Connection, owner: i64, from: Option<NaiveDate>) -> Result<Options> {
    let (mut genres, mut authors) = (Names::default(), Names::default());
    let mut formats = BTreeMap::<_, Sum>::new();
    store::scan(conn, owner, |book| {
        if is_visible(book.date_completed, from) {
            let (words, finished) = (book.word_count, book.status.is_finished());
            authors.add(book.author, words, finished);
            each_genre(book.genres).for_each(|genre| genres.add(genre, words, finished));
            let sum = formats.entry(book.format).or_default();
            sum.add_if(words, finished);
        }
    })?;
    Ok(Options { genres: genres.ranked(), authors: authors.ranked(), formats: ranked_formats(&formats) })
}
