//! Writes the rows of books: a changed one, or new ones.
use std::borrow::Cow;

use rusqlite::{CachedStatement, ToSql};

use super::{Folded, contributors, has_texts, name_bytes, stored, write_texts};
use crate::kit::db::pool::Tx;
use crate::kit::error::Result;
use crate::kit::id::UserId;
use crate::library::books::authors::AUTHOR_SEPARATOR;
use crate::library::books::facts::series_sort;
use crate::library::books::model::{BookDraft, BookId};
use crate::library::text;

/// A new book.
#[derive(Debug)]
pub struct NewBook<'b> {
    /// An id from [`counters::add_books`](crate::library::counters::add_books).
    pub id: BookId,
    /// What it says.
    pub draft: Cow<'b, BookDraft>,
    /// Its title and author, folded.
    pub folded: Folded<'b>,
    /// The work that it is a read of: its own id for a work of its own.
    pub work: BookId,
}

/// Writes new books of an owner. For imports, which allocate ids, fold, find works and count for all books at once.
pub struct BookInsert<'t> {
    tx: &'t Tx<'t>,
    owner: UserId,
    /// The time of the transaction.
    now: String,
    /// The statement, from the first book on.
    statement: Option<CachedStatement<'t>>,
}

impl<'t> BookInsert<'t> {
    /// Writes nothing yet.
    pub fn new(tx: &'t Tx<'t>, owner: UserId) -> Self {
        Self { tx, owner, now: tx.stamp().to_string(), statement: None }
    }

    /// Writes a book with its long texts. Returns the bytes for [`counters::add_texts`](crate::library::counters::add_texts).
    pub fn insert(&mut self, book: &NewBook<'_>) -> Result<i64> {
        let NewBook { id, draft, folded, work } = book;
        with_columns(draft, folded, &self.now, |columns| {
            let created: [(&str, &dyn ToSql); 4] =
                [("id", id), ("user_id", &self.owner), ("work", work), ("created_at", &self.now)];
            let statement = match &mut self.statement {
                Some(statement) => statement,
                first => {
                    let names: Vec<&str> = created.iter().chain(columns).map(|(name, _)| *name).collect();
                    let (values, names) = (vec!["?"; names.len()].join(", "), names.join(", "));
                    first.insert(self.tx.prepare_cached(&format!("INSERT INTO books ({names}) VALUES ({values})"))?)
                }
            };
            let values = created.iter().chain(columns).map(|(_, value)| *value);
            statement.execute(rusqlite::params_from_iter(values))?;
            Ok(())
        })?;
        Ok(name_bytes(draft)? + write_texts(self.tx, *id, draft)?)
    }
}

/// Writes a changed book, and counts the change. Returns whether the book exists.
pub(super) fn update(tx: &Tx<'_>, owner: UserId, id: BookId, draft: &BookDraft, folded: &Folded<'_>) -> Result<bool> {
    with_columns(draft, folded, &tx.stamp().to_string(), |columns| {
        let set: Vec<String> = columns.iter().map(|(name, _)| format!("{name} = ?")).collect();
        let sql = format!("UPDATE books SET {}, changes = changes + 1 WHERE user_id = ? AND id = ?", set.join(", "));
        let key: [&dyn ToSql; 2] = [&owner, &id];
        let values = columns.iter().map(|(_, value)| *value).chain(key);
        Ok(tx.prepare_cached(&sql)?.execute(rusqlite::params_from_iter(values))? > 0)
    })
}

/// Calls `write` with every column of a draft and its value.
fn with_columns<T>(
    draft: &BookDraft,
    folded: &Folded<'_>,
    now: &str,
    write: impl FnOnce(&[(&'static str, &dyn ToSql)]) -> Result<T>,
) -> Result<T> {
    let facts = &draft.facts;
    let (series, number) = match &facts.series {
        Some(series) => (Some(&series.name), series.number.as_deref()),
        None => (None, None),
    };
    write(&[
        ("status", &draft.status),
        ("date_completed", &draft.date_completed.map(stored)),
        ("start_date", &draft.start_date.map(stored)),
        ("word_count", &draft.word_count),
        ("rating", &draft.rating),
        ("format", &draft.format),
        ("reread", &draft.reread),
        ("word_distribution", &draft.word_distribution),
        ("title", &draft.title),
        ("author", &stored_authors(&draft.authors)),
        ("title_key", &folded.0),
        ("author_key", &folded.1),
        ("genres", &draft.genres.join(",")),
        ("completed_from", &draft.completed_from.map(stored)),
        ("stopped_date", &draft.stopped_date.map(stored)),
        ("paused_since", &draft.paused_since.map(stored)),
        ("pages", &draft.pages),
        ("isbn", &draft.isbn),
        ("word_count_source", &draft.word_count_source),
        ("has_texts", &has_texts(draft)),
        ("series", &series),
        ("series_key", &series.map(|name| text::fold(name))),
        ("series_number", &number),
        ("series_sort", &number.and_then(series_sort)),
        ("tags", &facts.tags.join(",")),
        ("contributors", &contributors(facts)?),
        ("publisher", &facts.publisher),
        ("published", &facts.published),
        ("original_year", &facts.original_year),
        ("language", &facts.language),
        ("updated_at", &now),
    ])
}

/// The authors in the form of the database.
fn stored_authors(authors: &[String]) -> Cow<'_, str> {
    match authors {
        [one] => Cow::Borrowed(one),
        several => Cow::Owned(several.join(AUTHOR_SEPARATOR.encode_utf8(&mut [0; 4]))),
    }
}
