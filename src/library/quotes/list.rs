//! Reads the quotes of a library: those of the newest book first, or in an order that follows from a seed.
use std::collections::BTreeMap;

use chrono::NaiveDate;
use rusqlite::Connection;
use serde::Serialize;
use sha2::{Digest as _, Sha256};
use utoipa::ToSchema;

use crate::kit::db::pool::owned;
use crate::kit::error::Result;
use crate::kit::id::UserId;
use crate::library::books::authors::{each_author_with_key, joined};
use crate::library::books::facts::{each_tag, tag_key};
use crate::library::books::filter::is_visible;
use crate::library::books::model::BookId;
use crate::library::books::passages::{Passage, Quotes};
use crate::library::books::store::{day, words};
use crate::library::text::name_key;

/// Which quotes are wanted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Of books with this tag.
    pub tag: Option<String>,
    /// Of books by this author.
    pub author: Option<String>,
    /// Of this book, whichever of its reads is named.
    pub book: Option<BookId>,
    /// The seed of a random order; without one the newest book is first.
    pub seed: Option<String>,
}

/// A quote with its book.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Quote {
    /// The read that has it.
    #[schema(value_type = i64)]
    pub book_id: BookId,
    /// The book's title.
    pub title: String,
    /// The names of all authors with commas between them.
    pub author: String,
    #[serde(flatten)]
    pub passage: Passage,
}

/// The place of a quote in its order.
pub type Position = (i64, i64);

impl Wanted {
    fn position(&self, book: BookId, at: usize) -> Position {
        let at = i64::try_from(at).unwrap_or(i64::MAX);
        let Some(seed) = &self.seed else { return (-book.0, at) };
        let hash = Sha256::new().chain_update(seed).chain_update(book.0.to_be_bytes()).chain_update(at.to_be_bytes());
        let bytes = hash.finalize();
        let number = bytes.iter().take(8).fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
        (number.cast_signed(), at)
    }
}

/// A page of quotes behind a position, with the position of the last one where others follow, and the number of all that match. `from` is
/// the first visible completion date.
pub fn page(
    conn: &Connection,
    owner: UserId,
    from: Option<NaiveDate>,
    wanted: &Wanted,
    after: Option<Position>,
    limit: usize,
) -> Result<(Vec<Quote>, Option<Position>, usize)> {
    // The first of those that follow, and one more.
    let mut page = BTreeMap::new();
    let mut matching = 0;
    each(conn, owner, from, wanted, |book, quotes| {
        matching += quotes.len();
        for (at, passage) in quotes.iter().enumerate() {
            let position = wanted.position(book.id, at);
            let is_full = || page.len() > limit && page.last_key_value().is_some_and(|(last, _)| *last < position);
            if after.is_some_and(|after| position <= after) || is_full() {
                continue;
            }
            let (title, author) = (book.title.to_owned(), joined(book.author).into_owned());
            page.insert(position, Quote { book_id: book.id, title, author, passage: passage.clone() });
            if page.len() > limit + 1 {
                page.pop_last();
            }
        }
        Ok(())
    })?;
    let has_more = page.len() > limit && page.pop_last().is_some();
    let next = page.last_key_value().filter(|_| has_more).map(|(position, _)| *position);
    Ok((page.into_values().collect(), next, matching))
}

/// The book of some quotes.
pub struct QuotedBook<'r> {
    pub id: BookId,
    pub title: &'r str,
    /// The names, with a separator between them.
    pub author: &'r str,
}

/// Visits the visible books that have quotes, with these, newest first.
pub fn each(
    conn: &Connection,
    owner: UserId,
    from: Option<NaiveDate>,
    wanted: &Wanted,
    mut visit: impl FnMut(QuotedBook<'_>, &[Passage]) -> Result<()>,
) -> Result<()> {
    let (first, last) = owned(owner);
    let tag = wanted.tag.as_deref().map(tag_key);
    let author = wanted.author.as_deref().map(name_key);
    let mut query = conn.prepare_cached(
        "SELECT id, title, author, author_key, tags, date_completed, quotes
         FROM book_texts JOIN books ON books.id = book_texts.book_id
         WHERE book_id BETWEEN ?1 AND ?2 AND quotes <> '[]'
             AND (?3 IS NULL OR work = (SELECT work FROM books WHERE id = ?3 AND id BETWEEN ?1 AND ?2))
         ORDER BY book_id DESC",
    )?;
    let mut rows = query.query((first, last, wanted.book))?;
    while let Some(row) = rows.next()? {
        let (names, tags) = (words(row, 2)?, words(row, 4)?);
        let is_by = |key: &str| each_author_with_key(names, words(row, 3).unwrap_or_default()).any(|(_, of)| of == key);
        if !is_visible(day(row, 5)?, from)
            || tag.as_ref().is_some_and(|wanted| !each_tag(tags).any(|tag| tag_key(tag) == *wanted))
            || author.as_deref().is_some_and(|author| !is_by(author))
        {
            continue;
        }
        let quotes: Quotes = serde_json::from_str(words(row, 6)?)?;
        visit(QuotedBook { id: row.get(0)?, title: words(row, 1)?, author: names }, &quotes.0)?;
    }
    Ok(())
}
