//! The rows that imports keep, with what they say, and the books and items that are tied to them.
use rusqlite::Connection;

use super::STARTED_ITEM;

use crate::kit::db::pool::{Tx, owned};
use crate::kit::error::Result;
use crate::kit::id::UserId;
use crate::library::import::dedupe::EntryId;
use crate::library::import::history::model::ImportId;
use crate::library::import::store::row_id;

/// A row that was kept.
#[derive(Clone, Debug)]
pub struct StoredRow {
    /// The key in `import_rows`.
    pub id: i64,
    /// What it says, as JSON; `None` until it is read.
    pub said: Option<String>,
    /// Its text in the file, where it is not read.
    pub raw: String,
}

/// The rows of an import that made something or are tied to something, in the order of its file.
pub fn rows(conn: &Connection, import: ImportId) -> Result<Vec<StoredRow>> {
    let sql = "SELECT id, said, CASE WHEN said IS NULL THEN raw ELSE '' END FROM import_rows
        WHERE id BETWEEN ?1 AND ?2 AND reason IS NULL AND field IS NULL ORDER BY id";
    let mut query = conn.prepare_cached(sql)?;
    let range = [row_id(import, 0), row_id(import, u64::MAX)];
    let rows = query.query_map(range, |row| Ok(StoredRow { id: row.get(0)?, said: row.get(1)?, raw: row.get(2)? }))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The owners of rows that nobody has read since they began to be kept with what they say.
pub fn owners_of_unread(conn: &Connection) -> Result<Vec<UserId>> {
    let sql = "SELECT DISTINCT i.user_id FROM import_rows r JOIN imports i ON i.id = r.id >> 25
        WHERE r.said IS NULL AND r.reason IS NULL AND r.field IS NULL";
    let mut query = conn.prepare(sql)?;
    let owners = query.query_map([], |row| row.get(0))?;
    Ok(owners.collect::<rusqlite::Result<_>>()?)
}

/// Stores what a row says.
pub fn write(tx: &Tx<'_>, row: i64, said: &str) -> Result<()> {
    tx.prepare_cached("UPDATE import_rows SET said = ?2 WHERE id = ?1")?.execute((row, said))?;
    Ok(())
}

/// The tie of a book or an item to a row of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tie {
    /// The book or the item.
    pub entry: EntryId,
    /// The row that made it or was found equal: a key in `import_rows`, whether or not it is still there.
    pub origin: i64,
    /// The row that it was last compared with: a key in `import_rows`.
    pub row: i64,
    /// Which of the row's readings; [`STARTED_ITEM`](super::STARTED_ITEM) for an item, and for a book that was one.
    pub nth: i64,
    /// The hash of the row's cells.
    pub key: [u8; 16],
    /// Whether the row made it. Otherwise it was here already.
    pub made: bool,
}

/// The ties of an owner's books and items.
pub fn ties(conn: &Connection, owner: UserId) -> Result<Vec<Tie>> {
    let (first, last) = owned(owner);
    let sql = "SELECT book_id, row_id, coalesce(newer_row, row_id), coalesce(newer_nth, nth), row_key, made FROM imported_books
        WHERE book_id BETWEEN ?1 AND ?2";
    let mut query = conn.prepare_cached(sql)?;
    let books = query.query_map([first, last], |row| {
        Ok(Tie {
            entry: EntryId::Book(row.get(0)?),
            origin: row.get(1)?,
            row: row.get(2)?,
            nth: row.get(3)?,
            key: row.get(4)?,
            made: row.get(5)?,
        })
    })?;
    let mut ties = books.collect::<rusqlite::Result<Vec<_>>>()?;
    let sql = "SELECT item_id, row_id, coalesce(newer_row, row_id), row_key, made FROM imported_items
        WHERE item_id BETWEEN ?1 AND ?2";
    let mut query = conn.prepare_cached(sql)?;
    let items = query.query_map([first, last], |row| {
        Ok(Tie {
            entry: EntryId::Item(row.get(0)?),
            origin: row.get(1)?,
            row: row.get(2)?,
            nth: STARTED_ITEM,
            key: row.get(3)?,
            made: row.get(4)?,
        })
    })?;
    for item in items {
        ties.push(item?);
    }
    Ok(ties)
}
