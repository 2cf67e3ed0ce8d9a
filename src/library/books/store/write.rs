//! Writes the rows of books: a changed one, or new ones.
use std::borrow::Cow;

use rusqlite::ToSql;

use super::{Folded, contributors, has_texts, name_bytes, stored, write_texts};
use crate::kit::db::batch_insert::{BATCH, BatchInsert, Values};
use crate::kit::db::pool::Tx;
use crate::kit::error::Result;
use crate::kit::id::UserId;
use crate::library::books::authors::AUTHOR_SEPARATOR;
use crate::library::books::facts::{BookFacts, series_sort};
use crate::library::books::model::{BookDraft, BookId};
use crate::library::text;

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
    /// Whether the book has nothing of the [`further_columns`].
    fn is_plain(&self) -> bool {
        let BookDraft { completed_from, stopped_date, paused_since, minutes, facts, .. } = self.draft;
        [completed_from, stopped_date, paused_since].iter().all(|day| day.is_none())
            && minutes.is_none()
            && *facts == BookFacts::default()
    }
}

/// How many books are best given to [`BookInsert::insert`] together: enough for whole batches of plain books and of the others.
pub const BOOKS_AT_ONCE: usize = 8 * BATCH;

/// Writes new books of an owner. For imports, which allocate ids, fold, find works and count for all books at once.
pub struct BookInsert<'t> {
    tx: &'t Tx<'t>,
    owner: UserId,
    /// The rows of plain books, from the first one on.
    plain: Option<BatchInsert<'t>>,
    /// The rows of the other books.
    whole: Option<BatchInsert<'t>>,
}

impl<'t> BookInsert<'t> {
    pub fn new(tx: &'t Tx<'t>, owner: UserId) -> Self {
        Self { tx, owner, plain: None, whole: None }
    }

    /// Writes books with their long texts. Returns the bytes for [`counters::add_texts`](crate::library::counters::add_texts).
    pub fn insert(&mut self, books: &[NewBook<'_>]) -> Result<i64> {
        let Self { tx, owner, plain, whole } = self;
        let (plain_books, whole_books): (Vec<_>, Vec<_>) = books.iter().partition(|book| book.is_plain());
        for (books, insert) in [(plain_books, plain), (whole_books, whole)] {
            let Some(first) = books.first() else { continue };
            let insert = match insert {
                Some(insert) => insert,
                none => {
                    let now = tx.stamp().to_string();
                    let constants = vec![
                        ("user_id", owner.0.into()),
                        ("created_at", now.clone().into()),
                        ("updated_at", now.into()),
                    ];
                    let mut names = Vec::new();
                    new_columns(first, &mut names)?;
                    none.insert(BatchInsert::new(tx, "books", names).with_constants(constants))
                }
            };
            insert.insert(books, |book, values| new_columns(book, values))?;
        }
        books.iter().map(|book| Ok(name_bytes(book.draft)? + write_texts(tx, book.id, book.draft)?)).sum()
    }
}

/// Writes a changed book, and counts the change. Returns whether the book exists.
pub(super) fn update(tx: &Tx<'_>, owner: UserId, id: BookId, draft: &BookDraft, folded: &Folded<'_>) -> Result<bool> {
    let mut names = Vec::new();
    own_columns(draft, draft.reread, folded, &mut names)?;
    further_columns(draft, &mut names)?;
    let set: Vec<String> = names.iter().map(|name| format!("{name} = ?")).collect();
    let sql = format!(
        "UPDATE books SET {}, updated_at = ?, changes = changes + 1 WHERE user_id = ? AND id = ?",
        set.join(", ")
    );
    let mut statement = tx.prepare_cached(&sql)?;
    let mut values = Values::new(&mut statement);
    own_columns(draft, draft.reread, folded, &mut values)?;
    further_columns(draft, &mut values)?;
    values.add(tx.stamp().to_string())?;
    values.add(owner)?;
    values.add(id)?;
    Ok(statement.raw_execute()? > 0)
}

/// What is done with each column of a book and its value.
trait Columns {
    fn add(&mut self, name: &'static str, value: impl ToSql) -> Result<()>;
}

/// The names are listed.
impl Columns for Vec<&'static str> {
    fn add(&mut self, name: &'static str, _: impl ToSql) -> Result<()> {
        self.push(name);
        Ok(())
    }
}

/// The values are given to a statement that has the columns in the same order.
impl Columns for Values<'_, '_> {
    fn add(&mut self, _: &'static str, value: impl ToSql) -> Result<()> {
        self.add(value)
    }
}

/// The columns of a new book that differ between books.
fn new_columns(book: &NewBook<'_>, columns: &mut impl Columns) -> Result<()> {
    let NewBook { id, draft, reread, folded, work } = book;
    columns.add("id", id)?;
    columns.add("work", work)?;
    own_columns(draft, *reread, folded, columns)?;
    if book.is_plain() { Ok(()) } else { further_columns(draft, columns) }
}

/// The columns that most books have.
fn own_columns(draft: &BookDraft, reread: bool, folded: &Folded<'_>, columns: &mut impl Columns) -> Result<()> {
    columns.add("status", draft.status)?;
    columns.add("date_completed", draft.date_completed.map(stored))?;
    columns.add("start_date", draft.start_date.map(stored))?;
    columns.add("word_count", draft.word_count)?;
    columns.add("rating", draft.rating)?;
    columns.add("format", draft.format)?;
    columns.add("reread", reread)?;
    columns.add("word_distribution", draft.word_distribution)?;
    columns.add("title", &draft.title)?;
    columns.add("author", stored_authors(&draft.authors))?;
    columns.add("title_key", &folded.0)?;
    columns.add("author_key", &folded.1)?;
    columns.add("genres", draft.genres.join(","))?;
    columns.add("pages", draft.pages)?;
    columns.add("isbn", &draft.isbn)?;
    columns.add("word_count_source", draft.word_count_source)?;
    columns.add("has_texts", has_texts(draft))
}

/// The columns that keep their default in many books: the less usual dates, the length in time and the facts.
fn further_columns(draft: &BookDraft, columns: &mut impl Columns) -> Result<()> {
    columns.add("completed_from", draft.completed_from.map(stored))?;
    columns.add("stopped_date", draft.stopped_date.map(stored))?;
    columns.add("paused_since", draft.paused_since.map(stored))?;
    columns.add("minutes", draft.minutes)?;
    let facts = &draft.facts;
    let (series, number) = match &facts.series {
        Some(series) => (Some(&series.name), series.number.as_deref()),
        None => (None, None),
    };
    columns.add("series", series)?;
    columns.add("series_key", series.map(|name| text::title_key(name)))?;
    columns.add("series_number", number)?;
    columns.add("series_sort", number.and_then(series_sort))?;
    columns.add("tags", facts.tags.join(","))?;
    columns.add("contributors", contributors(facts)?)?;
    columns.add("publisher", &facts.publisher)?;
    columns.add("published", &facts.published)?;
    columns.add("original_year", facts.original_year)?;
    columns.add("language", &facts.language)?;
    columns.add("private", facts.private)
}

/// The authors in the form of the database.
fn stored_authors(authors: &[String]) -> Cow<'_, str> {
    match authors {
        [one] => Cow::Borrowed(one),
        several => Cow::Owned(several.join(AUTHOR_SEPARATOR.encode_utf8(&mut [0; 4]))),
    }
}
