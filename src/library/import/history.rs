//! Earlier imports: the list, undoing one, its rejected rows, and the complete export.
use std::collections::HashMap;
use std::io::Write;

use rusqlite::{Connection, OptionalExtension as _};
use serde::Serialize;
use utoipa::ToSchema;

use super::plan::Kind;
use super::store::{LAST_LINE, row_id};
use crate::kit::db::pool::{Tx, owned};
use crate::kit::error::{Error, Result};
use crate::kit::http::download;
use crate::kit::timestamp::Timestamp;
use crate::library::counters;

/// An import in the list.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ImportSummary)]
pub struct PastImport {
    /// The `importId` of the response to the import.
    pub id: i64,
    /// The file's name; empty if none was sent.
    pub file_name: String,
    /// The format of the file.
    pub format: String,
    /// RFC 3339 in UTC.
    #[schema(value_type = String)]
    pub created_at: Timestamp,
    /// The number of created books, or of items for an import of the to-be-read list.
    pub imported: i64,
    /// The number of items created in addition to books.
    pub imported_tbr: i64,
    /// The number of rejected rows.
    pub errors: i64,
    /// The number of rows that existed already or were left out on purpose.
    pub skipped: i64,
    /// When it was undone.
    #[schema(required, value_type = Option<String>)]
    pub undone: Option<Timestamp>,
}

/// An owner's imports, newest first; all kinds or one.
pub fn list(conn: &Connection, owner: i64, kind: Option<Kind>) -> Result<Vec<PastImport>> {
    let mut query = conn.prepare_cached(
        "SELECT id, file_name, format, created_at, imported, imported_tbr, errors, skipped, undone_at FROM imports
         WHERE user_id = ?1 AND (?2 IS NULL OR kind = ?2) ORDER BY id DESC",
    )?;
    let imports = query.query_map((owner, kind), |row| {
        Ok(PastImport {
            id: row.get(0)?,
            file_name: row.get(1)?,
            format: row.get(2)?,
            created_at: row.get(3)?,
            imported: row.get(4)?,
            imported_tbr: row.get(5)?,
            errors: row.get(6)?,
            skipped: row.get(7)?,
            undone: row.get(8)?,
        })
    })?;
    Ok(imports.collect::<rusqlite::Result<_>>()?)
}

/// A book or an item that stays when its import is undone.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = KeptImportItem)]
pub struct KeptEntry {
    /// The book's or the item's id.
    pub id: i64,
    /// Its title.
    pub title: String,
}

/// The result of undoing an import.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ImportUndo)]
pub struct Undone {
    /// The number of deleted books.
    pub removed: usize,
    /// The number of deleted items.
    pub removed_tbr: usize,
    /// Books that were changed since the import, and stay.
    pub kept: Vec<KeptEntry>,
    /// Items that were changed since the import, and stay.
    pub kept_tbr: Vec<KeptEntry>,
}

/// Undoes an import: books and items that were not changed since are deleted.
///
/// # Errors
/// 404 for another account's import; 409 `already_undone`.
pub fn undo(tx: &Tx<'_>, owner: i64, import: i64) -> Result<Undone> {
    let undone: Option<Option<String>> = tx
        .prepare_cached("SELECT undone_at FROM imports WHERE id = ?1 AND user_id = ?2")?
        .query_row([import, owner], |row| row.get(0))
        .optional()?;
    match undone {
        None => return Err(Error::NotFound),
        Some(Some(_)) => return Err(Error::conflict("already_undone", "This import was undone before.")),
        Some(None) => {}
    }
    let rows = [row_id(import, 0), row_id(import, u64::MAX)];
    let (first, last) = owned(owner);
    let range = (first, last, rows[0], rows[1]);
    let made = "SELECT m.book_id FROM imported_books m JOIN books b ON b.id = m.book_id
        WHERE m.book_id BETWEEN ?1 AND ?2 AND m.row_id BETWEEN ?3 AND ?4";
    let removed =
        tx.execute(&format!("DELETE FROM books WHERE id IN ({made} AND b.changes = 0 AND m.nth >= 0)"), range)?;
    let made_items = "SELECT m.item_id FROM imported_items m JOIN tbr t ON t.id = m.item_id
        WHERE m.item_id BETWEEN ?1 AND ?2 AND m.row_id BETWEEN ?3 AND ?4";
    let removed_tbr = tx.execute(&format!("DELETE FROM tbr WHERE id IN ({made_items} AND t.changes = 0)"), range)?;
    counters::remove_books(tx, owner, i64::try_from(removed).unwrap_or(0))?;
    let kept = |sql: String| -> Result<Vec<KeptEntry>> {
        let mut query = tx.prepare_cached(&sql)?;
        let entries = query.query_map(range, |row| Ok(KeptEntry { id: row.get(0)?, title: row.get(1)? }))?;
        Ok(entries.collect::<rusqlite::Result<_>>()?)
    };
    // Books that stay keep their raw rows, and rejected rows can still be downloaded; other raw rows are deleted.
    let in_use = "SELECT row_id FROM imported_books WHERE book_id BETWEEN ?1 AND ?2
        UNION ALL SELECT row_id FROM imported_items WHERE item_id BETWEEN ?1 AND ?2";
    tx.execute(
        &format!("DELETE FROM import_rows WHERE id BETWEEN ?3 AND ?4 AND reason IS NULL AND id NOT IN ({in_use})"),
        range,
    )?;
    tx.execute("UPDATE imports SET undone_at = ?2 WHERE id = ?1", (import, tx.stamp()))?;
    Ok(Undone {
        removed,
        removed_tbr,
        kept: kept(format!("SELECT id, title FROM books WHERE id IN ({made}) ORDER BY id"))?,
        kept_tbr: kept(format!("SELECT id, title FROM tbr WHERE id IN ({made_items}) ORDER BY position, id"))?,
    })
}

/// A rejected row of an import.
#[derive(Clone, Debug)]
pub struct RefusedRow {
    pub line: i64,
    pub raw: String,
    pub reason: String,
}

/// The rejected rows of an import, with the data needed to read them again.
#[derive(Clone, Debug)]
pub struct RefusedFile {
    /// The column names.
    pub header: Vec<String>,
    pub delimiter: u8,
    pub format: String,
    pub rows: Vec<RefusedRow>,
}

/// The rejected rows of an import.
///
/// # Errors
/// 404 for another account's import.
pub fn refused(conn: &Connection, owner: i64, import: i64) -> Result<RefusedFile> {
    let found: Option<(String, String, String)> = conn
        .prepare_cached("SELECT header, delimiter, format FROM imports WHERE id = ?1 AND user_id = ?2")?
        .query_row([import, owner], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .optional()?;
    let (header, delimiter, format) = found.ok_or(Error::NotFound)?;
    let mut query = conn.prepare_cached(
        "SELECT id, raw, reason FROM import_rows WHERE id BETWEEN ?1 AND ?2 AND reason IS NOT NULL ORDER BY id",
    )?;
    let rows = query.query_map([row_id(import, 0), row_id(import, u64::MAX)], |row| {
        let id: i64 = row.get(0)?;
        Ok(RefusedRow { line: id & LAST_LINE, raw: row.get(1)?, reason: row.get(2)? })
    })?;
    let rows = rows.collect::<rusqlite::Result<_>>()?;
    Ok(RefusedFile {
        header: serde_json::from_str(&header)?,
        delimiter: delimiter.bytes().next().unwrap_or(b','),
        format,
        rows,
    })
}

/// The head of an import in the complete export, before its raw rows.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct WholeImport {
    /// As in the list of imports.
    #[serde(flatten)]
    import: PastImport,
    /// The column names of the file.
    header: Vec<String>,
    /// The separator of its cells.
    delimiter: String,
}

/// A row as it was in the file.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WholeRow {
    /// The line on which it begins.
    pub line: i64,
    /// Its text in the file.
    pub raw: String,
    /// The ids of the books that it created, as far as they exist.
    pub books: Vec<i64>,
    /// The ids of the items that it created, as far as they exist.
    pub tbr: Vec<i64>,
    /// Why it was rejected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// Writes every import of an owner with its raw rows as a JSON list, oldest first. Only one row at a time is in memory.
///
/// # Errors
/// 507 when the disk is full.
pub fn write_all(conn: &Connection, owner: i64, out: &mut impl Write) -> Result<()> {
    let mut books =
        made_by_row(conn, "SELECT row_id, book_id FROM imported_books WHERE book_id BETWEEN ?1 AND ?2", owner)?;
    let mut items =
        made_by_row(conn, "SELECT row_id, item_id FROM imported_items WHERE item_id BETWEEN ?1 AND ?2", owner)?;
    let mut imports = list(conn, owner, None)?;
    imports.reverse();
    let mut put = |bytes: &[u8]| out.write_all(bytes).map_err(download::failed);
    put(b"[")?;
    for (number, import) in imports.into_iter().enumerate() {
        let (header, delimiter): (String, String) = conn
            .prepare_cached("SELECT header, delimiter FROM imports WHERE id = ?1")?
            .query_row([import.id], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let mut query =
            conn.prepare_cached("SELECT id, raw, reason FROM import_rows WHERE id BETWEEN ?1 AND ?2 ORDER BY id")?;
        let range = [row_id(import.id, 0), row_id(import.id, u64::MAX)];
        let head = serde_json::to_vec(&WholeImport { import, header: serde_json::from_str(&header)?, delimiter })?;
        put(if number == 0 { b"\n" } else { b",\n" })?;
        // The object continues with its rows.
        put(&head[..head.len() - 1])?;
        put(b",\"rows\":[")?;
        let mut rows = query.query(range)?;
        let mut between: &[u8] = b"\n";
        while let Some(row) = rows.next()? {
            let id: i64 = row.get(0)?;
            let whole = WholeRow {
                line: id & LAST_LINE,
                raw: row.get(1)?,
                books: books.remove(&id).unwrap_or_default(),
                tbr: items.remove(&id).unwrap_or_default(),
                reason: row.get(2)?,
            };
            put(std::mem::replace(&mut between, b",\n"))?;
            put(&serde_json::to_vec(&whole)?)?;
        }
        put(b"]}")?;
    }
    put(b"]\n")
}

fn made_by_row(conn: &Connection, sql: &str, owner: i64) -> Result<HashMap<i64, Vec<i64>>> {
    let (first, last) = owned(owner);
    let mut query = conn.prepare_cached(sql)?;
    let mut rows = query.query([first, last])?;
    let mut made: HashMap<i64, Vec<i64>> = HashMap::new();
    while let Some(row) = rows.next()? {
        made.entry(row.get(0)?).or_default().push(row.get(1)?);
    }
    Ok(made)
}
