//! The rows that imports kept, as they were in their files, and what they made.
use std::collections::HashMap;

use rusqlite::Connection;

use crate::kit::db::pool::owned;
use crate::kit::error::Result;
use crate::kit::id::UserId;
use crate::kit::timestamp::Timestamp;
use crate::library::books::model::BookId;
use crate::library::import::history::model::ImportId;
use crate::library::import::plan::Kind;
use crate::library::import::store::row_id;
use crate::library::import::taken_off::store::TAKEN_OFF;

/// An import without its rows.
#[derive(Clone, Debug)]
pub struct StoredImport {
    /// Its number.
    pub id: ImportId,
    /// The name of its file; empty if none was sent.
    pub file_name: String,
    /// The list that it was for.
    pub kind: Kind,
    /// The format of its file.
    pub format: String,
    /// The column names.
    pub header: Vec<String>,
    /// The separator of its cells.
    pub delimiter: u8,
    /// When it was made.
    pub created_at: Timestamp,
    /// How many rows existed already or were left out on purpose.
    pub skipped: i64,
    /// Whether it was undone; rows whose books stayed are kept.
    pub is_undone: bool,
}

/// A row that was kept.
#[derive(Clone, Debug)]
pub struct StoredRow {
    /// The key in `import_rows`.
    pub id: i64,
    /// Its text in the file.
    pub raw: String,
}

/// The imports of an owner, oldest first.
pub fn imports(conn: &Connection, owner: UserId) -> Result<Vec<StoredImport>> {
    let sql =
        "SELECT id, file_name, kind, format, header, delimiter, created_at, undone_at IS NOT NULL AS is_undone, skipped
        FROM imports
        WHERE user_id = ?1 ORDER BY id";
    let mut query = conn.prepare_cached(sql)?;
    let mut rows = query.query([owner])?;
    let mut imports = Vec::new();
    while let Some(row) = rows.next()? {
        let (header, delimiter): (String, String) = (row.get("header")?, row.get("delimiter")?);
        imports.push(StoredImport {
            id: row.get("id")?,
            file_name: row.get("file_name")?,
            kind: row.get("kind")?,
            format: row.get("format")?,
            header: serde_json::from_str(&header)?,
            delimiter: delimiter.bytes().next().unwrap_or(b','),
            created_at: row.get("created_at")?,
            is_undone: row.get("is_undone")?,
            skipped: row.get("skipped")?,
        });
    }
    Ok(imports)
}

/// The kept rows of an import in the order of its file.
pub fn rows(conn: &Connection, import: ImportId) -> Result<Vec<StoredRow>> {
    let sql = "SELECT id, raw FROM import_rows WHERE id BETWEEN ?1 AND ?2 AND field IS NOT ?3 ORDER BY id";
    let mut query = conn.prepare_cached(sql)?;
    let range = (row_id(import, 0), row_id(import, u64::MAX), TAKEN_OFF);
    let rows = query.query_map(range, |row| Ok(StoredRow { id: row.get(0)?, raw: row.get(1)? }))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The books that rows made, by the keys of the rows, each with the number of its reading; -1 where the row's item has become the book.
pub type Made = HashMap<i64, Vec<(BookId, i64)>>;

/// The books that the rows of all imports of an owner made, as far as they exist.
pub fn made(conn: &Connection, owner: UserId) -> Result<Made> {
    let (first, last) = owned(owner);
    let sql = "SELECT coalesce(newer_row, row_id), book_id, coalesce(newer_nth, nth) FROM imported_books WHERE book_id BETWEEN ?1 AND ?2";
    let mut query = conn.prepare_cached(sql)?;
    let mut rows = query.query([first, last])?;
    let mut made = Made::default();
    while let Some(row) = rows.next()? {
        made.entry(row.get(0)?).or_default().push((row.get(1)?, row.get(2)?));
    }
    Ok(made)
}
