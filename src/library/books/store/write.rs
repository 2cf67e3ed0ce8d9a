//! Writes the rows of books: a changed one, or many new ones with one statement.
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

/// How many new books one statement writes. For each statement SQLite builds the lists of names that the table's checks search, and a
/// statement journal, because a trigger may fire. Together these take longer than the insert of one book.
pub const AT_ONCE: usize = 32;

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
    /// The statement that inserts [`AT_ONCE`] books, and the one that inserts a single book.
    statements: [Option<CachedStatement<'t>>; 2],
}

impl<'t> BookInsert<'t> {
    /// Writes nothing yet.
    pub fn new(tx: &'t Tx<'t>, owner: UserId) -> Self {
        Self { tx, owner, now: tx.stamp().to_string(), statements: [None, None] }
    }

    /// Writes books with their long texts. Returns the bytes for [`counters::add_texts`](crate::library::counters::add_texts).
    pub fn insert(&mut self, books: &[NewBook<'_>]) -> Result<i64> {
        let mut bytes = 0;
        for chunk in books.chunks(AT_ONCE) {
            if chunk.len() == AT_ONCE {
                self.insert_rows(chunk)?;
            } else {
                chunk.iter().try_for_each(|book| self.insert_rows(std::slice::from_ref(book)))?;
            }
            for book in chunk {
                bytes += name_bytes(&book.draft)? + write_texts(self.tx, book.id, &book.draft)?;
            }
        }
        Ok(bytes)
    }

    /// Writes [`AT_ONCE`] books or one.
    fn insert_rows(&mut self, books: &[NewBook<'_>]) -> Result<()> {
        let slot = &mut self.statements[usize::from(books.len() == 1)];
        let mut number = 0;
        for NewBook { id, draft, folded, work } in books {
            with_columns(draft, folded, &self.now, |columns| {
                let created: [(&str, &dyn ToSql); 4] =
                    [("id", id), ("user_id", &self.owner), ("work", work), ("created_at", &self.now)];
                let statement = match slot {
                    Some(statement) => statement,
                    None => {
                        let names: Vec<&str> = created.iter().chain(columns).map(|(name, _)| *name).collect();
                        let row = format!("({})", vec!["?"; names.len()].join(", "));
                        let (names, rows) = (names.join(", "), vec![row; books.len()].join(", "));
                        slot.insert(self.tx.prepare_cached(&format!("INSERT INTO books ({names}) VALUES {rows}"))?)
                    }
                };
                for (_, value) in created.iter().chain(columns) {
                    number += 1;
                    statement.raw_bind_parameter(number, value)?;
                }
                Ok(())
            })?;
        }
        if let Some(statement) = slot {
            statement.raw_execute()?;
        }
        Ok(())
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::db::pool::open_writer;
    use crate::library::books::model::Status;
    use crate::library::books::store;

    fn draft(number: i64) -> BookDraft {
        BookDraft {
            title: format!("Title {number}"),
            authors: vec!["Ann One".to_owned(), "Ben Two".to_owned()],
            status: Status::Undated,
            pages: (number % 2 == 0).then_some(100 + number),
            impressions: (number % 5 == 0).then(|| "Good".to_owned()),
            ..BookDraft::default()
        }
    }

    #[test]
    fn books_that_are_written_at_once_are_as_those_written_one_by_one() {
        let folder = tempfile::tempdir().unwrap();
        let mut conn = open_writer(&folder.path().join("a.db")).unwrap();
        let whole = conn.transaction().unwrap();
        let tx = Tx::new(&whole, chrono::DateTime::UNIX_EPOCH);
        let count = i64::try_from(AT_ONCE).unwrap() * 2 + 3;
        let mut bytes = Vec::new();
        for (owner, at_once) in [(1, 1), (2, AT_ONCE * 2 + 3)] {
            let sql = "INSERT INTO users (id, email, email_key, display_name, created_at) VALUES (?1, ?1, ?1, 'A', '')";
            tx.execute(sql, [owner]).unwrap();
            let mut insert = BookInsert::new(&tx, UserId(owner));
            let drafts: Vec<BookDraft> = (1..=count).map(draft).collect();
            let new = (1..).zip(&drafts).map(|(number, draft)| {
                let id = BookId(owner << 24 | number);
                NewBook { id, folded: store::folded(draft), draft: Cow::Borrowed(draft), work: id }
            });
            let new: Vec<_> = new.collect();
            bytes.push(new.chunks(at_once).map(|books| insert.insert(books).unwrap()).sum::<i64>());
        }
        let sql = "SELECT group_concat(row, char(10)) FROM (SELECT json_array(id & 0xffffff, work & 0xffffff, title, author, title_key, pages,
            has_texts, created_at, updated_at, (SELECT impressions FROM book_texts WHERE book_id = books.id)) AS row
            FROM books WHERE user_id = ?1 ORDER BY id)";
        let [one_by_one, at_once] =
            [1, 2].map(|owner| tx.query_row(sql, [owner], |row| row.get::<_, String>(0)).unwrap());
        assert_eq!(one_by_one.lines().count(), AT_ONCE * 2 + 3);
        assert_eq!((one_by_one, bytes[0]), (at_once, bytes[1]));
    }
}
