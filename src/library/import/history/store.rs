//! The queries of earlier imports.
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::io::Write;

use rusqlite::{Connection, OptionalExtension as _, params};

use super::model::{
    FormerImport, ImportSummary, ImportUndo, KeptImportItem, StoredRow, StoredRows, WholeImport, WholeRow,
};
use crate::kit::db::pool::{Tx, owned};
use crate::kit::error::{Error, Result};
use crate::kit::http::download;
use crate::kit::id::UserId;
use crate::library::books::model::BookId;
use crate::library::books::store::works::rename_headless;
use crate::library::counters;
use crate::library::import::ImportRefusal;
use crate::library::import::dedupe::EntryId;
use crate::library::import::history::model::ImportId;
use crate::library::import::plan::Kind;
use crate::library::import::row::key_of;
use crate::library::import::said::STARTED_ITEM;
use crate::library::import::said::store::{Tie, ties};
use crate::library::import::store::{LAST_LINE, LEFT_OUT, row_id, tie};
use crate::library::import::taken_off::store as taken_off;
use crate::library::tbr::model::TbrId;

/// An owner's imports, newest first; all kinds or one.
pub fn list(conn: &Connection, owner: UserId, kind: Option<Kind>) -> Result<Vec<ImportSummary>> {
    let mut imports = imports(conn, owner)?;
    imports.retain(|whole| kind.is_none_or(|kind| whole.kind == kind));
    imports.sort_by_key(|whole| Reverse((whole.import.created_at, whole.import.id)));
    Ok(imports.into_iter().map(|whole| whole.import).collect())
}

/// An owner's imports without their rows, in the order in which they were made here.
pub fn imports(conn: &Connection, owner: UserId) -> Result<Vec<WholeImport>> {
    let sql = "SELECT * FROM imports WHERE user_id = ?1 ORDER BY id";
    let mut query = conn.prepare_cached(sql)?;
    let mut rows = query.query([owner])?;
    let mut imports = Vec::new();
    while let Some(row) = rows.next()? {
        let import = ImportSummary {
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
        };
        let (header, places): (String, String) = (row.get("header")?, row.get("places")?);
        let (header, places) = (serde_json::from_str(&header)?, serde_json::from_str(&places)?);
        imports.push(WholeImport { import, header, places, delimiter: row.get("delimiter")?, kind: row.get("kind")? });
    }
    Ok(imports)
}

/// Adds an import of a file with reading in it, whose figures follow ([`finish_reading`]).
pub fn begin_reading(tx: &Tx<'_>, owner: UserId, file_name: &str, format: &str) -> Result<ImportId> {
    counters::add_texts(tx, owner, counters::bytes(file_name))?;
    let sql = "INSERT INTO imports (user_id, file_name, kind, format, header, delimiter, imported, imported_tbr, errors, skipped, created_at)
        VALUES (?1, ?2, ?3, ?4, '[]', ',', 0, 0, 0, 0, ?5) RETURNING id";
    let mut insert = tx.prepare_cached(sql)?;
    Ok(insert.query_row((owner, file_name, Kind::Reading, format, tx.stamp()), |row| row.get(0))?)
}

/// The figures of such an import: days and rows that can't be read.
pub fn finish_reading(tx: &Tx<'_>, owner: UserId, import: ImportId, days: usize, rejected: usize) -> Result<()> {
    let sql = "UPDATE imports SET imported = ?3, errors = ?4 WHERE id = ?1 AND user_id = ?2";
    let number = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
    tx.prepare_cached(sql)?.execute((import, owner, number(days), number(rejected)))?;
    Ok(())
}

/// The books that an import made.
const MADE: &str = "SELECT m.book_id FROM imported_books m JOIN books b ON b.id = m.book_id
    WHERE m.book_id BETWEEN ?1 AND ?2 AND m.row_id BETWEEN ?3 AND ?4 AND m.made = 1";
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
pub fn undo(tx: &Tx<'_>, owner: UserId, import: ImportId) -> Result<ImportUndo> {
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
        WHERE m.item_id BETWEEN ?1 AND ?2 AND m.row_id BETWEEN ?3 AND ?4 AND m.made = 1";
    let (books, items) = (format!("{MADE} AND {UNCHANGED}"), format!("{made_items} AND t.changes = 0"));
    let newer = newer_rows(tx, &books, &items, range)?;
    let removed = tx.execute(&format!("DELETE FROM books WHERE id IN ({books})"), range)?;
    let removed_tbr = tx.execute(&format!("DELETE FROM tbr WHERE id IN ({items})"), range)?;
    // What was here before stays, and is no longer tied to the file.
    for (table, id) in [("imported_books", "book_id"), ("imported_items", "item_id")] {
        let sql = format!("DELETE FROM {table} WHERE {id} BETWEEN ?1 AND ?2 AND row_id BETWEEN ?3 AND ?4 AND made = 0");
        tx.execute(&sql, range)?;
    }
    rename_headless(tx, owner)?;
    counters::remove_books(tx, owner, i64::try_from(removed).unwrap_or(0))?;
    let kept = |sql: String| -> Result<Vec<KeptImportItem>> {
        let mut query = tx.prepare_cached(&sql)?;
        let entries = query.query_map(range, |row| Ok(KeptImportItem { id: row.get(0)?, title: row.get(1)? }))?;
        Ok(entries.collect::<rusqlite::Result<_>>()?)
    };
    // Books that stay keep their raw rows, and rows that made nothing can still be downloaded; other raw rows are deleted, those of newer
    // files that were tied to a deleted book or item, too.
    let in_use = "SELECT coalesce(newer_row, row_id) FROM imported_books WHERE book_id BETWEEN ?1 AND ?2
        UNION ALL SELECT coalesce(newer_row, row_id) FROM imported_items WHERE item_id BETWEEN ?1 AND ?2";
    let made_something = "reason IS NULL AND field IS NULL";
    tx.execute(
        &format!("DELETE FROM import_rows WHERE id BETWEEN ?3 AND ?4 AND {made_something} AND id NOT IN ({in_use})"),
        range,
    )?;
    let tied: HashSet<i64> = ties(tx, owner)?.into_iter().map(|tie| tie.row).collect();
    let mut delete = tx.prepare_cached(&format!("DELETE FROM import_rows WHERE id = ?1 AND {made_something}"))?;
    for row in newer.difference(&tied) {
        delete.execute([row])?;
    }
    let restored_tbr = taken_off::put_back(tx, owner, import)?;
    tx.execute("DELETE FROM imports WHERE restored_by = ?1 AND user_id = ?2", (import, owner))?;
    tx.execute("UPDATE imports SET undone_at = ?2 WHERE id = ?1", (import, tx.stamp()))?;
    Ok(ImportUndo {
        removed,
        removed_tbr,
        restored_tbr,
        kept: kept(format!("SELECT id, title FROM books WHERE id IN ({MADE}) ORDER BY id"))?,
        kept_tbr: kept(format!("SELECT id, title FROM tbr WHERE id IN ({made_items}) ORDER BY position, id"))?,
    })
}

/// The rows of newer files that these books and items are tied to, and what the import only tied.
fn newer_rows(conn: &Connection, books: &str, items: &str, range: (i64, i64, i64, i64)) -> Result<HashSet<i64>> {
    let tied = "made = 0 AND row_id BETWEEN ?3 AND ?4";
    let sql = format!(
        "SELECT newer_row FROM imported_books WHERE newer_row NOT NULL AND book_id BETWEEN ?1 AND ?2 AND (book_id IN ({books}) OR {tied})
         UNION ALL SELECT newer_row FROM imported_items
            WHERE newer_row NOT NULL AND item_id BETWEEN ?1 AND ?2 AND (item_id IN ({items}) OR {tied})"
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
    let mut tied: HashMap<i64, Vec<Tie>> = HashMap::new();
    for tie in ties(conn, owner)? {
        tied.entry(tie.row).or_default().push(tie);
    }
    let book_rows = row_numbers(conn, owner, "SELECT id FROM books WHERE id BETWEEN ?1 AND ?2 ORDER BY id")?;
    let tbr_rows = row_numbers(conn, owner, "SELECT id FROM tbr WHERE id BETWEEN ?1 AND ?2 ORDER BY position, id")?;
    let mut imports = imports(conn, owner)?;
    imports.sort_by_key(|whole| (whole.import.created_at, whole.import.id));
    let mut put = |bytes: &[u8]| out.write_all(bytes).map_err(download::failed);
    put(b"[")?;
    for (number, whole) in imports.iter().enumerate() {
        let sql = "SELECT id, raw, reason, field, said FROM import_rows WHERE id BETWEEN ?1 AND ?2 ORDER BY id";
        let mut query = conn.prepare_cached(sql)?;
        let range = [row_id(whole.import.id, 0), row_id(whole.import.id, u64::MAX)];
        let head = serde_json::to_vec(&whole)?;
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
            let said: Option<String> = row.get(4)?;
            let mut whole = WholeRow { line: id & LAST_LINE, raw, reason: row.get(2)?, ..WholeRow::default() };
            whole.said = said.map(|said| serde_json::from_str(&said)).transpose()?;
            for tie in tied.remove(&id).unwrap_or_default() {
                match tie.entry {
                    EntryId::Book(book) => {
                        whole.books.push(book);
                        whole.book_rows.extend(book_rows.get(&book.0).map(|row| (*row, tie.nth)));
                    }
                    EntryId::Item(item) => {
                        whole.tbr.push(item);
                        whole.tbr_rows.extend(tbr_rows.get(&item.0));
                    }
                }
            }
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

/// The numbers of rows in a table of the complete export by ids, from 1 on.
fn row_numbers(conn: &Connection, owner: UserId, sql: &str) -> Result<HashMap<i64, usize>> {
    let (first, last) = owned(owner);
    let mut query = conn.prepare_cached(sql)?;
    let ids = query.query_map([first, last], |row| row.get(0))?;
    (1..).zip(ids).map(|(number, id)| Ok((id?, number))).collect()
}

/// The books and items that stand for the rows of the tables of a complete export, by the numbers of these rows.
#[derive(Debug, Default)]
pub struct RestoredEntries {
    pub books: HashMap<usize, BookId>,
    pub items: HashMap<usize, TbrId>,
}

/// Restores former imports of a complete export with what their rows said, and ties the books and items to them. An import that the account
/// has stays as it is. `by` is the import of the export, with whose undo they go.
pub fn restore(
    tx: &Tx<'_>,
    owner: UserId,
    by: ImportId,
    formers: Vec<FormerImport>,
    entries: &RestoredEntries,
) -> Result<()> {
    for former in formers {
        let Some(kind) = former.kind else { continue };
        let known = "SELECT EXISTS (SELECT 1 FROM imports WHERE user_id = ?1 AND format = ?2 AND created_at = ?3)";
        let is_known: bool =
            tx.prepare_cached(known)?.query_row((owner, &former.format, &former.created_at), |row| row.get(0))?;
        if is_known {
            continue;
        }
        let header = serde_json::to_string(&former.header)?;
        let mut bytes = counters::bytes(&header) + counters::bytes(&former.file_name);
        let places = if former.places.is_object() { former.places.to_string() } else { "{}".to_owned() };
        let figures =
            [former.imported, former.imported_tbr, former.errors, former.skipped, former.beyond_limit, former.left_out];
        let [imported, imported_tbr, errors, skipped, beyond_limit, left_out] = figures;
        let sql = "INSERT INTO imports (user_id, file_name, kind, format, header, delimiter, imported, imported_tbr, errors, skipped,
            created_at, undone_at, beyond_limit, left_out, places, restored_by)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16) RETURNING id";
        let values = params![
            owner, former.file_name, kind, former.format, header, former.delimiter, imported, imported_tbr, errors,
            skipped, former.created_at, former.undone, beyond_limit, left_out, places, by
        ];
        let import: ImportId = tx.prepare_cached(sql)?.query_row(values, |row| row.get(0))?;
        for row in former.rows {
            let WholeRow { line, raw, reason, said, book_rows, tbr_rows, .. } = row;
            let id = row_id(import, u64::try_from(line).unwrap_or(0));
            let said = said.map(|said| said.to_string());
            // Without either, it was left out on purpose.
            let field = (said.is_none() && reason.is_none()).then_some(LEFT_OUT);
            let key = key_of([("", raw.as_str())].into_iter());
            let sql = "INSERT OR IGNORE INTO import_rows (id, raw, reason, field, said) VALUES (?1, ?2, ?3, ?4, ?5)";
            // Two rows of a file that was edited by hand may have one line: the first is kept.
            if tx.prepare_cached(sql)?.execute((id, &raw, &reason, field, said))? > 0 {
                bytes += counters::bytes(&raw) + reason.as_deref().map_or(0, counters::bytes);
            }
            for (number, nth) in book_rows {
                if let Some(book) = entries.books.get(&number) {
                    tie(tx, EntryId::Book(*book), id, nth, key)?;
                }
            }
            for item in tbr_rows.iter().filter_map(|number| entries.items.get(number)) {
                tie(tx, EntryId::Item(*item), id, STARTED_ITEM, key)?;
            }
        }
        counters::add_texts(tx, owner, bytes)?;
    }
    Ok(())
}
