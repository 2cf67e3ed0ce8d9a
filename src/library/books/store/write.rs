//! Writes the rows of books: a changed one, or new ones.
use std::borrow::Cow;

use rusqlite::ToSql;

use super::{Folded, contributors, has_texts, name_bytes, stored, write_texts};
use crate::kit::db::batch_insert::{BATCH, BatchInsert};
use crate::kit::db::pool::Tx;
use crate::kit::error::Result;
use crate::kit::id::UserId;
use crate::library::books::authors::AUTHOR_SEPARATOR;
use crate::library::books::facts::{Facts, series_sort};
use crate::library::books::model::{BookDraft, BookId};
use crate::library::text;

/// A new book.
#[derive(Debug)]
pub struct NewBook<'b> {
    /// An id from [`counters::add_books`](crate::library::counters::add_books).
    pub id: BookId,
    /// What it says.
    pub draft: &'b BookDraft,
    /// Whether it is a reread, whatever the draft says.
    pub reread: bool,
    /// Its title and author, folded.
    pub folded: Folded<'b>,
    /// The work that it is a read of: its own id for a work of its own.
    pub work: BookId,
}

impl NewBook<'_> {
    /// Whether the book has facts. Of one without them, a third of the columns keeps its default.
    fn has_facts(&self) -> bool {
        self.draft.facts != Facts::default()
    }
}

/// How many books are best given to [`BookInsert::insert`] together: enough for whole batches of books with facts and of those without.
pub const BOOKS_AT_ONCE: usize = 8 * BATCH;

/// Writes new books of an owner. For imports, which allocate ids, fold, find works and count for all books at once.
pub struct BookInsert<'t> {
    tx: &'t Tx<'t>,
    owner: UserId,
    /// The time of the transaction.
    now: String,
    /// The rows of books with facts, from the first one on.
    with_facts: Option<BatchInsert<'t>>,
    /// The rows of the other books.
    without_facts: Option<BatchInsert<'t>>,
}

impl<'t> BookInsert<'t> {
    /// Writes nothing yet.
    pub fn new(tx: &'t Tx<'t>, owner: UserId) -> Self {
        Self { tx, owner, now: tx.stamp().to_string(), with_facts: None, without_facts: None }
    }

    /// Writes books with their long texts. Returns the bytes for [`counters::add_texts`](crate::library::counters::add_texts).
    pub fn insert(&mut self, books: &[NewBook<'_>]) -> Result<i64> {
        let Self { tx, owner, now, with_facts, without_facts } = self;
        let (described, plain): (Vec<_>, Vec<_>) = books.iter().partition(|book| book.has_facts());
        for (books, insert) in [(described, with_facts), (plain, without_facts)] {
            let Some(first) = books.first() else { continue };
            let insert = match insert {
                Some(insert) => insert,
                none => {
                    let names =
                        with_new_columns(first, owner, now, |columns| Ok(columns.map(|(name, _)| name).collect()))?;
                    none.insert(BatchInsert::new(tx, "books", names))
                }
            };
            insert.insert(books, |book, row| {
                with_new_columns(book, owner, now, |columns| {
                    for (_, value) in columns {
                        row.add(value)?;
                    }
                    Ok(())
                })
            })?;
        }
        books.iter().map(|book| Ok(name_bytes(book.draft)? + write_texts(tx, book.id, book.draft)?)).sum()
    }
}

/// A column's name and its value.
type Column<'c> = (&'static str, &'c dyn ToSql);

/// Calls `write` with the columns of a new book and their values: all of them if it has facts.
fn with_new_columns<T>(
    book: &NewBook<'_>,
    owner: &UserId,
    now: &str,
    write: impl FnOnce(&mut dyn Iterator<Item = Column<'_>>) -> Result<T>,
) -> Result<T> {
    let NewBook { id, draft, reread, folded, work } = book;
    let created: [Column<'_>; 4] = [("id", id), ("user_id", owner), ("work", work), ("created_at", &now)];
    with_columns(draft, *reread, folded, now, |own, facts| {
        let facts = if book.has_facts() { facts } else { &[] };
        write(&mut created.iter().chain(own).chain(facts).copied())
    })
}

/// Writes a changed book, and counts the change. Returns whether the book exists.
pub(super) fn update(tx: &Tx<'_>, owner: UserId, id: BookId, draft: &BookDraft, folded: &Folded<'_>) -> Result<bool> {
    with_columns(draft, draft.reread, folded, &tx.stamp().to_string(), |own, facts| {
        let columns = || own.iter().chain(facts);
        let set: Vec<String> = columns().map(|(name, _)| format!("{name} = ?")).collect();
        let sql = format!("UPDATE books SET {}, changes = changes + 1 WHERE user_id = ? AND id = ?", set.join(", "));
        let key: [&dyn ToSql; 2] = [&owner, &id];
        let values = columns().map(|(_, value)| *value).chain(key);
        Ok(tx.prepare_cached(&sql)?.execute(rusqlite::params_from_iter(values))? > 0)
    })
}

/// Calls `write` with the columns of a draft and their values: its own, and those of its facts.
fn with_columns<T>(
    draft: &BookDraft,
    reread: bool,
    folded: &Folded<'_>,
    now: &str,
    write: impl FnOnce(&[Column<'_>], &[Column<'_>]) -> Result<T>,
) -> Result<T> {
    let own: &[Column<'_>] = &[
        ("status", &draft.status),
        ("date_completed", &draft.date_completed.map(stored)),
        ("start_date", &draft.start_date.map(stored)),
        ("word_count", &draft.word_count),
        ("rating", &draft.rating),
        ("format", &draft.format),
        ("reread", &reread),
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
        ("updated_at", &now),
    ];
    let facts = &draft.facts;
    let (series, number) = match &facts.series {
        Some(series) => (Some(&series.name), series.number.as_deref()),
        None => (None, None),
    };
    let facts: &[Column<'_>] = &[
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
    ];
    write(own, facts)
}

/// The authors in the form of the database.
fn stored_authors(authors: &[String]) -> Cow<'_, str> {
    match authors {
        [one] => Cow::Borrowed(one),
        several => Cow::Owned(several.join(AUTHOR_SEPARATOR.encode_utf8(&mut [0; 4]))),
    }
}
