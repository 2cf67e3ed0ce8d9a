//! The queries of a sync: the ties of books and items to rows, and writing what is taken over.
use std::collections::{BTreeSet, HashSet};

use rusqlite::{Connection, OptionalExtension as _};

use crate::kit::db::pool::{Tx, owned};
use crate::kit::error::Result;
use crate::kit::id::UserId;
use crate::library::books::model::{BookDraft, BookId};
use crate::library::books::store as books;
use crate::library::books::store::days;
use crate::library::import::dedupe::EntryId;
use crate::library::import::said::store::ties;
use crate::library::import::store::{LEFT_OUT, tie};
use crate::library::operations::model::OperationId;
use crate::library::operations::store::rows::{BOOK_TIES, IMPORT_ROWS, ITEM_TIES, ITEMS, with_noted_row};
use crate::library::tbr::model::{TbrDraft, TbrId};
use crate::library::tbr::store as tbr;

/// How often its reader has changed a book or an item, and the work of a book; `None` where it is gone.
pub fn changes(conn: &Connection, entry: EntryId) -> Result<Option<(i64, Option<BookId>)>> {
    let found = match entry {
        EntryId::Book(id) => conn
            .prepare_cached("SELECT changes, work FROM books WHERE id = ?1")?
            .query_row([id], |row| Ok((row.get(0)?, row.get(1)?))),
        EntryId::Item(id) => conn
            .prepare_cached("SELECT changes, NULL FROM tbr WHERE id = ?1")?
            .query_row([id], |row| Ok((row.get(0)?, row.get(1)?))),
    };
    Ok(found.optional()?)
}

/// The titles of books and items.
pub fn titles(conn: &Connection, entries: &[EntryId]) -> Result<Vec<(i64, String)>> {
    let mut titles = Vec::new();
    for entry in entries {
        let found: Option<(i64, String)> = match entry {
            EntryId::Book(id) => conn
                .prepare_cached("SELECT id, title FROM books WHERE id = ?1")?
                .query_row([id], |row| Ok((row.get(0)?, row.get(1)?)))
                .optional()?,
            EntryId::Item(id) => conn
                .prepare_cached("SELECT id, title FROM tbr WHERE id = ?1")?
                .query_row([id], |row| Ok((row.get(0)?, row.get(1)?)))
                .optional()?,
        };
        titles.extend(found);
    }
    Ok(titles)
}

/// The reads of works, from one pass.
pub fn reads_of(conn: &Connection, owner: UserId, works: &BTreeSet<BookId>) -> Result<Vec<(BookId, BookId)>> {
    if works.is_empty() {
        return Ok(Vec::new());
    }
    let (first, last) = owned(owner);
    let mut query = conn.prepare_cached("SELECT work, id FROM books WHERE id BETWEEN ?1 AND ?2 ORDER BY id")?;
    let reads = query.query_map([first, last], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let reads = reads.collect::<rusqlite::Result<Vec<(BookId, BookId)>>>()?;
    Ok(reads.into_iter().filter(|(work, _)| works.contains(work)).collect())
}

/// Visits the texts of the rows that files of a format left out on purpose.
pub fn each_left_out(conn: &Connection, owner: UserId, format: &str, mut visit: impl FnMut(&str)) -> Result<()> {
    let sql = "SELECT r.raw FROM imports i JOIN import_rows r ON r.id BETWEEN i.id << 25 AND (i.id << 25 | 0x1ffffff)
        WHERE i.user_id = ?1 AND i.format = ?2 AND r.field = ?3 AND r.reason IS NULL";
    let mut query = conn.prepare_cached(sql)?;
    let mut rows = query.query((owner, format, LEFT_OUT))?;
    while let Some(row) = rows.next()? {
        visit(books::words(row, 0)?);
    }
    Ok(())
}

/// Ties a book or an item to a row of the new file.
pub fn retie(
    tx: &Tx<'_>,
    owner: UserId,
    operation: OperationId,
    (entry, origin): (EntryId, Option<i64>),
    (id, nth, key): (i64, i64, [u8; 16]),
) -> Result<()> {
    // What was not tied before is untied with the import that the row is of.
    let Some(origin) = origin else { return tie(tx, entry, id, nth, key) };
    match entry {
        EntryId::Book(book) => {
            let key_of_tie = [("book_id", book.0), ("row_id", origin)];
            with_noted_row(tx, owner, operation, BOOK_TIES, &key_of_tie, || {
                let sql = "UPDATE imported_books SET newer_row = ?3, newer_nth = ?4, row_key = ?5 WHERE book_id = ?1 AND row_id = ?2";
                tx.prepare_cached(sql)?.execute((book, origin, id, nth, key))?;
                Ok(())
            })
        }
        EntryId::Item(item) => {
            let key_of_tie = [("item_id", item.0), ("row_id", origin)];
            with_noted_row(tx, owner, operation, ITEM_TIES, &key_of_tie, || {
                let sql = "UPDATE imported_items SET newer_row = ?3, row_key = ?4 WHERE item_id = ?1 AND row_id = ?2";
                tx.prepare_cached(sql)?.execute((item, origin, id, key))?;
                Ok(())
            })
        }
    }
}

/// Deletes those of these former rows to which no book and no item is tied.
pub fn forget(tx: &Tx<'_>, owner: UserId, operation: OperationId, former: &BTreeSet<i64>) -> Result<()> {
    let in_use: HashSet<i64> = ties(tx, owner)?.into_iter().map(|tie| tie.row).collect();
    for row in former.iter().filter(|row| !in_use.contains(row)) {
        with_noted_row(tx, owner, operation, IMPORT_ROWS, &[("id", *row)], || {
            tx.prepare_cached("DELETE FROM import_rows WHERE id = ?1")?.execute([row])?;
            Ok(())
        })?;
    }
    Ok(())
}

/// Writes a changed book without counting it as changed by its reader. [`settle_months`] follows the log.
pub fn write_book(tx: &Tx<'_>, owner: UserId, id: BookId, draft: &BookDraft) -> Result<()> {
    books::update(tx, owner, id, draft)?;
    tx.prepare_cached("UPDATE books SET changes = changes - 1 WHERE id = ?1")?.execute([id])?;
    Ok(())
}

/// Writes the months of reads that are or were counted by their log.
pub fn settle_months(tx: &Tx<'_>, owner: UserId, reads: &BTreeSet<BookId>) -> Result<()> {
    reads.iter().try_for_each(|read| days::settle_months(tx, &books::get(tx, owner, *read)?))
}

/// Writes a changed item of the list without counting it as changed by its reader.
pub fn write_item(tx: &Tx<'_>, owner: UserId, operation: OperationId, id: TbrId, draft: &TbrDraft) -> Result<()> {
    with_noted_row(tx, owner, operation, ITEMS, &[("id", id.0)], || {
        tbr::update(tx, owner, id, draft)?;
        tx.prepare_cached("UPDATE tbr SET changes = changes - 1 WHERE id = ?1")?.execute([id])?;
        Ok(())
    })
}
