//! The queries of earlier imports.
use std::collections::{HashMap, HashSet};
use std::io::Write;

use rusqlite::types::FromSql;
use rusqlite::{Connection, OptionalExtension as _};

use super::model::{KeptEntry, PastImport, StoredRow, StoredRows, Undone, WholeImport, WholeRow};
use crate::kit::db::pool::{Tx, owned};
use crate::kit::error::{Error, Result};
use crate::kit::http::download;
use crate::kit::id::UserId;
use crate::library::books::model::BookId;
use crate::library::books::store::works::rename_headless;
use crate::library::counters;
use crate::library::import::ImportRefusal;
use crate::library::import::history::model::ImportId;
use crate::library::import::plan::Kind;
use crate::library::import::store::{LAST_LINE, row_id};
use crate::library::import::sync::store::links;
use crate::library::import::taken_off::store as taken_off;

/// An owner's imports, newest first; all kinds or one.
pub fn list(conn: &Connection, owner: UserId, kind: Option<Kind>) -> Result<Vec<PastImport>> {
    let mut query = conn.prepare_cached(
        "SELECT id, file_name, format, created_at, imported, imported_tbr, errors, skipped, undone_at, beyond_limit, left_out
         FROM imports
         WHERE user_id = ?1 AND (?2 IS NULL OR kind = ?2) ORDER BY id DESC",
    )?;
    let imports = query.query_map((owner, kind), |row| {
        Ok(PastImport {
            id: row.get("id")?,
            file_name: row.get("file_name")?,
            format: row.get("format")?,
            created_at: row.get("created_at")?,
            imported: row.get("imported")?,
            imported_tbr: row.get("imported_tbr")?,
            errors: row.get("errors")?,
            skipped: row.get("skipped")?,
            undone: row.get("undone_at")?,
            left_out: row.get("left_out")?,
            beyond_limit: Some(row.get("beyond_limit")?).filter(|books| *books > 0),
        })
    })?;
    Ok(imports.collect::<rusqlite::Result<_>>()?)
}

/// The books that an import made.
const MADE: &str = "SELECT m.book_id FROM imported_books m JOIN books b ON b.id = m.book_id
    WHERE m.book_id BETWEEN ?1 AND ?2 AND m.row_id BETWEEN ?3 AND ?4";
/// Those of them that the undo deletes.
const UNCHANGED: &str = "b.changes = 0 AND m.nth >= 0";

/// The books that the undo of an import deletes.
pub fn removable(conn: &Connection, owner: UserId, import: ImportId) -> Result<HashSet<BookId>> {
    let (first, last) = owned(owner);
    let mut query = conn.prepare_cached(&format!("{MADE} AND {UNCHANGED}"))?;
    let books = query.query_map((first, last, row_id(import, 0), row_id(import, u64::MAX)), |row| row.get(0))?;
    Ok(books.collect::<rusqlite::Result<_>>()?)
}

/// Undoes an import: books and items that were not changed since are deleted, and items that it took off the list are put back.
///
/// # Errors
/// [`Error::NotFound`] for an import of somebody else; [`ImportRefusal::AlreadyUndone`]; the database's.
pub fn undo(tx: &Tx<'_>, owner: UserId, import: ImportId) -> Result<Undone> {
    let undone: Option<Option<String>> = tx
        .prepare_cached("SELECT undone_at FROM imports WHERE id = ?1 AND user_id = ?2")?
        .query_row((import, owner), |row| row.get(0))
        .optional()?;
    match undone {
        None => return Err(Error::NotFound),
        Some(Some(_)) => return Err(ImportRefusal::AlreadyUndone.into()),
        Some(None) => {}
    }
    let rows = [row_id(import, 0), row_id(import, u64::MAX)];
    let (first, last) = owned(owner);
    let range = (first, last, rows[0], rows[1]);
    let made_items = "SELECT m.item_id FROM imported_items m JOIN tbr t ON t.id = m.item_id
        WHERE m.item_id BETWEEN ?1 AND ?2 AND m.row_id BETWEEN ?3 AND ?4";
    let (books, items) = (format!("{MADE} AND {UNCHANGED}"), format!("{made_items} AND t.changes = 0"));
    let newer = newer_rows(tx, &books, &items, range)?;
    let removed = tx.execute(&format!("DELETE FROM books WHERE id IN ({books})"), range)?;
    let removed_tbr = tx.execute(&format!("DELETE FROM tbr WHERE id IN ({items})"), range)?;
    rename_headless(tx, owner)?;
    counters::remove_books(tx, owner, i64::try_from(removed).unwrap_or(0))?;
    let kept = |sql: String| -> Result<Vec<KeptEntry>> {
        let mut query = tx.prepare_cached(&sql)?;
        let entries = query.query_map(range, |row| Ok(KeptEntry { id: row.get(0)?, title: row.get(1)? }))?;
        Ok(entries.collect::<rusqlite::Result<_>>()?)
    };
    // Books that stay keep their raw rows, and rows that made nothing can still be downloaded; other raw rows are deleted, those of newer
    // files that were linked to a deleted book or item, too.
    let in_use = "SELECT coalesce(newer_row, row_id) FROM imported_books WHERE book_id BETWEEN ?1 AND ?2
        UNION ALL SELECT coalesce(newer_row, row_id) FROM imported_items WHERE item_id BETWEEN ?1 AND ?2";
    let made_something = "reason IS NULL AND field IS NULL";
    tx.execute(
        &format!("DELETE FROM import_rows WHERE id BETWEEN ?3 AND ?4 AND {made_something} AND id NOT IN ({in_use})"),
        range,
    )?;
    let linked: HashSet<i64> = links(tx, owner)?.into_iter().map(|link| link.row).collect();
    let mut delete = tx.prepare_cached(&format!("DELETE FROM import_rows WHERE id = ?1 AND {made_something}"))?;
    for row in newer.difference(&linked) {
        delete.execute([row])?;
    }
    let restored_tbr = taken_off::put_back(tx, owner, import)?;
    tx.execute("UPDATE imports SET undone_at = ?2 WHERE id = ?1", (import, tx.stamp()))?;
    Ok(Undone {
        removed,
        removed_tbr,
        restored_tbr,
        kept: kept(format!("SELECT id, title FROM books WHERE id IN ({MADE}) ORDER BY id"))?,
        kept_tbr: kept(format!("SELECT id, title FROM tbr WHERE id IN ({made_items}) ORDER BY position, id"))?,
    })
}

/// The rows of newer files that are linked to these books and items.
fn newer_rows(conn: &Connection, books: &str, items: &str, range: (i64, i64, i64, i64)) -> Result<HashSet<i64>> {
    let sql = format!(
        "SELECT newer_row FROM imported_books WHERE newer_row NOT NULL AND book_id IN ({books})
         UNION ALL SELECT newer_row FROM imported_items WHERE newer_row NOT NULL AND item_id IN ({items})"
    );
    let mut query = conn.prepare_cached(&sql)?;
    let rows = query.query_map(range, |row| row.get(0))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The rejected rows of an import.
///
/// # Errors
/// [`Error::NotFound`] for an import of somebody else; the database's.
pub fn refused(conn: &Connection, owner: UserId, import: ImportId) -> Result<StoredRows> {
    let sql = "SELECT id, raw, reason FROM import_rows WHERE id BETWEEN ?1 AND ?2 AND reason IS NOT NULL ORDER BY id";
    rows(conn, owner, import, sql)
}

/// The rows of an import that were left out on purpose.
///
/// # Errors
/// As [`refused`].
pub fn left_out(conn: &Connection, owner: UserId, import: ImportId) -> Result<StoredRows> {
    let sql = "SELECT id, raw, 'Left out on purpose.' FROM import_rows
        WHERE id BETWEEN ?1 AND ?2 AND field = 'left-out' AND reason IS NULL ORDER BY id";
    rows(conn, owner, import, sql)
}

fn rows(conn: &Connection, owner: UserId, import: ImportId, sql: &str) -> Result<StoredRows> {
    let found: Option<(String, String, String)> = conn
        .prepare_cached("SELECT header, delimiter, format FROM imports WHERE id = ?1 AND user_id = ?2")?
        .query_row((import, owner), |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .optional()?;
    let (header, delimiter, format) = found.ok_or(Error::NotFound)?;
    let mut query = conn.prepare_cached(sql)?;
    let rows = query.query_map([row_id(import, 0), row_id(import, u64::MAX)], |row| {
        let id: i64 = row.get(0)?;
        Ok(StoredRow { line: id & LAST_LINE, raw: row.get(1)?, reason: row.get(2)? })
    })?;
    let rows = rows.collect::<rusqlite::Result<_>>()?;
    Ok(StoredRows {
        header: serde_json::from_str(&header)?,
        delimiter: delimiter.bytes().next().unwrap_or(b','),
        format,
        rows,
    })
}

/// Writes every import of an owner with its raw rows as a JSON list, oldest first. Only one row at a time is in memory.
///
/// # Errors
/// [`Error::DiskFull`]; the database's.
pub fn write_all(conn: &Connection, owner: UserId, out: &mut impl Write) -> Result<()> {
    let mut books = made_by_row(
        conn,
        "SELECT coalesce(newer_row, row_id), book_id FROM imported_books WHERE book_id BETWEEN ?1 AND ?2",
        owner,
    )?;
    let mut items = made_by_row(
        conn,
        "SELECT coalesce(newer_row, row_id), item_id FROM imported_items WHERE item_id BETWEEN ?1 AND ?2",
        owner,
    )?;
    let mut imports = list(conn, owner, None)?;
    imports.reverse();
    let mut put = |bytes: &[u8]| out.write_all(bytes).map_err(download::failed);
    put(b"[")?;
    for (number, import) in imports.into_iter().enumerate() {
        let (header, delimiter): (String, String) = conn
            .prepare_cached("SELECT header, delimiter FROM imports WHERE id = ?1")?
            .query_row([import.id], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let mut query = conn
            .prepare_cached("SELECT id, raw, reason, field FROM import_rows WHERE id BETWEEN ?1 AND ?2 ORDER BY id")?;
        let range = [row_id(import.id, 0), row_id(import.id, u64::MAX)];
        let head = serde_json::to_vec(&WholeImport { import, header: serde_json::from_str(&header)?, delimiter })?;
        put(if number == 0 { b"\n" } else { b",\n" })?;
        // The object continues with its rows.
        put(&head[..head.len() - 1])?;
        put(b",\"rows\":[")?;
        let mut rows = query.query(range)?;
        let mut between: &[u8] = b"\n";
        let mut taken_off = Vec::new();
        while let Some(row) = rows.next()? {
            let id: i64 = row.get(0)?;
            let (raw, field): (String, Option<String>) = (row.get(1)?, row.get(3)?);
            if field.as_deref() == Some(taken_off::TAKEN_OFF) {
                taken_off.push(serde_json::from_str::<serde_json::Value>(&raw)?);
                continue;
            }
            let whole = WholeRow {
                line: id & LAST_LINE,
                raw,
                books: books.remove(&id).unwrap_or_default(),
                tbr: items.remove(&id).unwrap_or_default(),
                reason: row.get(2)?,
            };
            put(std::mem::replace(&mut between, b",\n"))?;
            put(&serde_json::to_vec(&whole)?)?;
        }
        put(b"]")?;
        if !taken_off.is_empty() {
            put(b",\"takenOff\":")?;
            put(&serde_json::to_vec(&taken_off)?)?;
        }
        put(b"}")?;
    }
    put(b"]\n")
}

fn made_by_row<Id: FromSql>(conn: &Connection, sql: &str, owner: UserId) -> Result<HashMap<i64, Vec<Id>>> {
    let (first, last) = owned(owner);
    let mut query = conn.prepare_cached(sql)?;
    let mut rows = query.query([first, last])?;
    let mut made: HashMap<i64, Vec<Id>> = HashMap::new();
    while let Some(row) = rows.next()? {
        made.entry(row.get(0)?).or_default().push(row.get(1)?);
    }
    Ok(made)
}
