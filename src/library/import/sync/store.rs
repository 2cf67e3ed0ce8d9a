//! The queries of a sync: the links of books and items to rows, and writing what is taken over.
pub mod undo;

use std::collections::{BTreeSet, HashSet};

use rusqlite::{Connection, OptionalExtension as _};

use crate::kit::db::pool::{Tx, owned};
use crate::kit::error::Result;
use crate::kit::id::UserId;
use crate::library::books::model::{BookDraft, BookId};
use crate::library::books::store as books;
use crate::library::books::store::days;
use crate::library::counters;
use crate::library::import::dedupe::EntryId;
use crate::library::import::history::model::ImportId;
use crate::library::import::store::{LEFT_OUT, row_id};
use crate::library::tbr::model::{TbrDraft, TbrId};
use crate::library::tbr::store as tbr;

/// The link of a book or an item to its row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Link {
    /// The book or the item.
    pub entry: EntryId,
    /// The key in `import_rows`.
    pub row: i64,
    /// Which of the row's readings; -1 for an item, and for a book that was one.
    pub nth: i64,
    /// The hash of the row's cells.
    pub key: [u8; 16],
}

/// The links of an owner's books and items, each to a row of the newest file that it was compared with.
pub fn links(conn: &Connection, owner: UserId) -> Result<Vec<Link>> {
    let (first, last) = owned(owner);
    let sql = "SELECT book_id, coalesce(newer_row, row_id), coalesce(newer_nth, nth), row_key FROM imported_books
        WHERE book_id BETWEEN ?1 AND ?2";
    let mut query = conn.prepare_cached(sql)?;
    let books = query.query_map([first, last], |row| {
        Ok(Link { entry: EntryId::Book(row.get(0)?), row: row.get(1)?, nth: row.get(2)?, key: row.get(3)? })
    })?;
    let mut links = books.collect::<rusqlite::Result<Vec<_>>>()?;
    let sql =
        "SELECT item_id, coalesce(newer_row, row_id), row_key FROM imported_items WHERE item_id BETWEEN ?1 AND ?2";
    let mut query = conn.prepare_cached(sql)?;
    let items = query.query_map([first, last], |row| {
        Ok(Link { entry: EntryId::Item(row.get(0)?), row: row.get(1)?, nth: -1, key: row.get(2)? })
    })?;
    for item in items {
        links.push(item?);
    }
    Ok(links)
}

/// Visits the rows of an import that made something or are linked to something: their keys and texts.
pub fn each_row_that_made(conn: &Connection, import: ImportId, mut visit: impl FnMut(i64, &str)) -> Result<()> {
    let sql =
        "SELECT id, raw FROM import_rows WHERE id BETWEEN ?1 AND ?2 AND reason IS NULL AND field IS NULL ORDER BY id";
    let mut query = conn.prepare_cached(sql)?;
    let mut rows = query.query([row_id(import, 0), row_id(import, u64::MAX)])?;
    while let Some(row) = rows.next()? {
        visit(row.get(0)?, books::words(row, 1)?);
    }
    Ok(())
}

/// The text of a kept row.
pub fn raw(conn: &Connection, row: i64) -> Result<String> {
    Ok(conn.prepare_cached("SELECT raw FROM import_rows WHERE id = ?1")?.query_row([row], |row| row.get(0))?)
}

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

/// Links books and items to rows of the new file.
pub fn relink(tx: &Tx<'_>, link: &Link, notes: &undo::Notes<'_, '_>) -> Result<()> {
    let before = undo::stored_link(tx, link.entry)?;
    match link.entry {
        EntryId::Book(id) => {
            let sql = "UPDATE imported_books SET newer_row = ?2, newer_nth = ?3, row_key = ?4 WHERE book_id = ?1";
            tx.prepare_cached(sql)?.execute((id, link.row, link.nth, link.key))?;
        }
        EntryId::Item(id) => {
            let sql = "UPDATE imported_items SET newer_row = ?2, row_key = ?3 WHERE item_id = ?1";
            tx.prepare_cached(sql)?.execute((id, link.row, link.key))?;
        }
    }
    notes.link(link.entry, &before, &undo::stored_link(tx, link.entry)?)
}

/// Keeps a row of the new file, unless it is kept already. Returns its bytes.
pub fn keep(tx: &Tx<'_>, row: i64, raw: &str) -> Result<i64> {
    let written =
        tx.prepare_cached("INSERT OR IGNORE INTO import_rows (id, raw) VALUES (?1, ?2)")?.execute((row, raw))?;
    Ok(if written == 0 { 0 } else { counters::bytes(raw) })
}

/// Deletes those of these former rows to which no book and no item is linked.
pub fn forget(tx: &Tx<'_>, owner: UserId, former: &BTreeSet<i64>, notes: &undo::Notes<'_, '_>) -> Result<()> {
    let in_use: HashSet<i64> = links(tx, owner)?.into_iter().map(|link| link.row).collect();
    for row in former.iter().filter(|row| !in_use.contains(row)) {
        notes.row(*row, &raw(tx, *row)?)?;
        tx.prepare_cached("DELETE FROM import_rows WHERE id = ?1")?.execute([row])?;
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
pub fn write_item(tx: &Tx<'_>, owner: UserId, id: TbrId, draft: &TbrDraft, notes: &undo::Notes<'_, '_>) -> Result<()> {
    let before = undo::stored_item(tx, id)?;
    tbr::update(tx, owner, id, draft)?;
    tx.prepare_cached("UPDATE tbr SET changes = changes - 1 WHERE id = ?1")?.execute([id])?;
    notes.item(id, &before, &undo::stored_item(tx, id)?)
}
