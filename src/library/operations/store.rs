//! The tables of operations: recording one, listing them, and deleting old ones.
pub mod images;
pub mod logs;
pub mod returned;
pub mod rows;
pub mod undo;

use rusqlite::{Connection, OptionalExtension as _};
use serde::{Deserialize, Serialize};

use self::images::{Image, Images, difference, image_like, images_without_texts};
use super::model::{Operation, OperationId, OperationKind};
use crate::kit::db::pool::{Tx, instant};
use crate::kit::error::{Error, Result};
use crate::kit::id::UserId;
use crate::kit::timestamp::Timestamp;
use crate::library::books::model::BookId;
use crate::library::counters;
use crate::library::import::history::model::ImportId;

/// How long the former values of an operation are kept.
const KEPT_FOR: chrono::TimeDelta = chrono::TimeDelta::days(90);
/// The most former rows that an account keeps.
const MOST_ROWS: i64 = 100_000;
/// The most bytes of former values that an account keeps: an operation may concern all tags of all books.
const MOST_BYTES: i64 = 50_000_000;

/// The former values of a book that an operation changed.
pub const CHANGED: &str = "changed";
/// How tags were shown before an operation.
pub const STYLES: &str = "styles";
/// What an import restored of another module, see [`complete`](crate::library::import::complete).
pub const PART: &str = "part";

/// What an import restored of another module, for the undo.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RestoredPart {
    /// The file of the complete export.
    pub file: String,
    /// What the module needs to take it back.
    pub made: serde_json::Value,
}

/// How tags were shown, for the undo.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct FormerStyles {
    /// The keys of the tags that an operation concerns.
    pub keys: Vec<String>,
    /// The tags that had a style.
    pub rows: Vec<StyleRow>,
    /// The tags that the operation left with a style. Operations of earlier versions do not say it.
    #[serde(default)]
    pub left: Option<Vec<StyleRow>>,
}

/// Key, shelf, icon and position of a tag.
pub type StyleRow = (String, bool, Option<String>, i64);

/// Begins an operation. Its summary is a sentence for its reader.
pub fn begin(
    tx: &Tx<'_>,
    owner: UserId,
    kind: OperationKind,
    summary: &str,
    import: Option<ImportId>,
) -> Result<OperationId> {
    let id = OperationId(counters::add_operation(tx, owner)?);
    let sql =
        "INSERT INTO operations (id, user_id, kind, summary, import_id, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    tx.prepare_cached(sql)?.execute((id, owner, kind, summary, import, tx.stamp()))?;
    Ok(id)
}

/// Says what an operation was, once it is done.
pub fn describe(tx: &Tx<'_>, id: OperationId, kind: OperationKind, summary: &str) -> Result<()> {
    tx.prepare_cached("UPDATE operations SET kind = ?2, summary = ?3 WHERE id = ?1")?.execute((id, kind, summary))?;
    Ok(())
}

/// Records what has become of books since their images were taken. Returns how many changed.
pub fn note_changed(tx: &Tx<'_>, owner: UserId, operation: OperationId, before: &Images) -> Result<usize> {
    let noted = note_part_of_changed(tx, owner, operation, before)?;
    trim(tx, owner, operation)?;
    Ok(noted)
}

/// Does what [`note_changed`] does, for an operation that takes the images of some books after the other. [`trim`] follows the last.
pub fn note_part_of_changed(tx: &Tx<'_>, owner: UserId, operation: OperationId, before: &Images) -> Result<usize> {
    let mut noted = 0;
    for image in before.iter() {
        let (book, image) = image?;
        let Some(later) = image_like(tx, owner, book, &image)? else { continue };
        let difference = difference(&image, &later);
        if !difference.is_empty() {
            note_difference(tx, owner, operation, book, &difference)?;
            noted += 1;
        }
    }
    Ok(noted)
}

/// Records what an operation changed in a book, for an operation that knows it without images. [`trim`] follows the last book.
pub fn note_difference(
    tx: &Tx<'_>,
    owner: UserId,
    operation: OperationId,
    book: BookId,
    difference: &Image,
) -> Result<()> {
    note_former(tx, owner, operation, CHANGED, Some(book), &serde_json::to_string(difference)?)
}

/// Runs a change of how tags with these keys are shown, and records how they were shown before it.
pub fn with_noted_styles<T>(
    tx: &Tx<'_>,
    owner: UserId,
    operation: OperationId,
    keys: Vec<String>,
    change: impl FnOnce() -> Result<T>,
) -> Result<T> {
    let rows = styles(tx, owner, &keys)?;
    let changed = change()?;
    let left = Some(styles(tx, owner, &keys)?);
    let former = serde_json::to_string(&FormerStyles { keys, rows, left })?;
    note_former(tx, owner, operation, STYLES, None, &former)?;
    Ok(changed)
}

/// How tags with these keys are shown, as far as they have a style.
fn styles(conn: &Connection, owner: UserId, keys: &[String]) -> Result<Vec<StyleRow>> {
    let sql = "SELECT name_key, shelf, icon, position FROM tag_styles WHERE user_id = ?1 AND name_key = ?2";
    let mut query = conn.prepare_cached(sql)?;
    let mut styles = Vec::new();
    for key in keys {
        let rows = query.query_map((owner, key), |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?;
        styles.extend(rows.collect::<rusqlite::Result<Vec<_>>>()?);
    }
    Ok(styles)
}

/// Records what an import restored from a file of another module.
pub fn note_part(
    tx: &Tx<'_>,
    owner: UserId,
    operation: OperationId,
    file: &str,
    made: serde_json::Value,
) -> Result<()> {
    let restored = RestoredPart { file: file.to_owned(), made };
    note_former(tx, owner, operation, PART, None, &serde_json::to_string(&restored)?)
}

/// Records an operation that has changed books since their images were taken. Returns its id, or `None` where nothing has changed.
pub fn record(
    tx: &Tx<'_>,
    owner: UserId,
    kind: OperationKind,
    summary: &str,
    before: &Images,
) -> Result<Option<OperationId>> {
    let operation = begin(tx, owner, kind, summary, None)?;
    if note_changed(tx, owner, operation, before)? > 0 {
        return Ok(Some(operation));
    }
    give_up(tx, operation)?;
    Ok(None)
}

/// Takes back that an operation was begun, which has changed nothing.
pub fn give_up(tx: &Tx<'_>, operation: OperationId) -> Result<()> {
    tx.prepare_cached("DELETE FROM operations WHERE id = ?1")?.execute([operation])?;
    Ok(())
}

/// Runs a change of these books that leaves their long texts alone, and records it as an operation. `summary` makes the sentence from
/// what the change returns.
pub fn recorded<T>(
    tx: &Tx<'_>,
    owner: UserId,
    kind: OperationKind,
    books: impl IntoIterator<Item = BookId>,
    summary: impl FnOnce(&T) -> String,
    change: impl FnOnce() -> Result<T>,
) -> Result<(T, Option<OperationId>)> {
    let before = images_without_texts(tx, owner, books)?;
    let made = change()?;
    let operation = record(tx, owner, kind, &summary(&made), &before)?;
    Ok((made, operation))
}

/// Records a row of former values. The code that undoes the operation knows the kind.
pub fn note_former(
    tx: &Tx<'_>,
    owner: UserId,
    operation: OperationId,
    kind: &str,
    book: Option<BookId>,
    before: &str,
) -> Result<()> {
    let sql = "INSERT INTO undo (user_id, operation, seq, kind, book_id, before) VALUES (?1, ?2,
            (SELECT coalesce(max(seq), 0) + 1 FROM undo WHERE user_id = ?1 AND operation = ?2), ?3, ?4, ?5)";
    tx.prepare_cached(sql)?.execute((owner, operation, kind, book, before))?;
    Ok(())
}

/// Deletes the former rows of the oldest operations of an account, as far as it has more than [`MOST_ROWS`] or
/// [`MOST_BYTES`]. Those of `latest` stay.
pub fn trim(tx: &Tx<'_>, owner: UserId, latest: OperationId) -> Result<()> {
    let sql = "SELECT operation, count(*), sum(octet_length(before)) FROM undo WHERE user_id = ?1
        GROUP BY operation ORDER BY operation DESC";
    let mut query = tx.prepare_cached(sql)?;
    let mut rows = query.query([owner])?;
    let (mut kept, mut bytes) = (0_i64, 0_i64);
    let mut last_gone = None;
    while let Some(row) = rows.next()? {
        let operation: OperationId = row.get(0)?;
        kept += row.get::<_, i64>(1)?;
        bytes += row.get::<_, i64>(2)?;
        if (kept > MOST_ROWS || bytes > MOST_BYTES) && operation < latest {
            last_gone = Some(operation);
            break;
        }
    }
    let Some(operation) = last_gone else { return Ok(()) };
    tx.prepare_cached("DELETE FROM undo WHERE user_id = ?1 AND operation <= ?2")?.execute((owner, operation))?;
    let sql = "DELETE FROM operations WHERE user_id = ?1 AND id <= ?2 AND import_id IS NULL";
    tx.prepare_cached(sql)?.execute((owner, operation))?;
    Ok(())
}

/// An operation and when it was undone.
pub fn get(conn: &Connection, owner: UserId, id: OperationId) -> Result<(Option<ImportId>, Option<Timestamp>)> {
    let sql = "SELECT import_id, undone_at FROM operations WHERE id = ?1 AND user_id = ?2";
    let found = conn.prepare_cached(sql)?.query_row((id, owner), |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
    found.ok_or(Error::NotFound)
}

/// The operations that belong to an import, newest first.
pub fn of_import(conn: &Connection, owner: UserId, import: ImportId) -> Result<Vec<OperationId>> {
    let sql = "SELECT id FROM operations WHERE import_id = ?2 AND user_id = ?1 ORDER BY id DESC";
    let mut query = conn.prepare_cached(sql)?;
    let ids = query.query_map((owner, import), |row| row.get(0))?;
    Ok(ids.collect::<rusqlite::Result<_>>()?)
}

/// Up to `limit` operations of an owner that are older than `before`, newest first.
pub fn list(conn: &Connection, owner: UserId, before: Option<OperationId>, limit: usize) -> Result<Vec<Operation>> {
    // An import's sentence is made of its figures.
    let sql = "SELECT o.id, o.kind, o.created_at, coalesce(o.undone_at, i.undone_at) AS undone, o.import_id, CASE WHEN o.summary <> '' THEN o.summary
            ELSE 'Imported '
                || CASE WHEN i.imported = 0 AND i.imported_tbr > 0 THEN ''
                    ELSE format('%,d', i.imported) || CASE i.kind WHEN 'tbr' THEN ' list item' ELSE ' book' END
                        || CASE i.imported WHEN 1 THEN '' ELSE 's' END END
                || CASE WHEN i.imported > 0 AND i.imported_tbr > 0 THEN ' and ' ELSE '' END
                || CASE i.imported_tbr WHEN 0 THEN '' WHEN 1 THEN '1 list item' ELSE format('%,d', i.imported_tbr) || ' list items' END
                || CASE WHEN i.file_name <> '' THEN ' from ' || i.file_name ELSE '' END || '.' END AS summary
        FROM operations o LEFT JOIN imports i ON i.id = o.import_id
        WHERE o.user_id = ?1 AND o.id < ?2 ORDER BY o.id DESC LIMIT ?3";
    let mut query = conn.prepare_cached(sql)?;
    let before = before.map_or(i64::MAX, |id| id.0);
    let rows = query.query_map((owner, before, i64::try_from(limit).unwrap_or(i64::MAX)), |row| {
        Ok(Operation {
            id: row.get("id")?,
            kind: row.get("kind")?,
            created_at: row.get("created_at")?,
            undone: row.get("undone")?,
            import_id: row.get("import_id")?,
            summary: row.get::<_, Option<String>>("summary")?.unwrap_or_default(),
        })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Deletes operations that are older than 90 days with the former values of their books. Those that made an import stay with it,
/// without the former values. Returns how many rows.
pub fn forget_old(tx: &Tx<'_>) -> Result<usize> {
    let until = instant(tx.now() - KEPT_FOR);
    let sql = "DELETE FROM undo WHERE EXISTS
        (SELECT 1 FROM operations o WHERE o.id = undo.operation AND o.import_id IS NOT NULL AND o.created_at < ?1)";
    let rows = tx.execute(sql, [&until])?;
    Ok(rows + tx.execute("DELETE FROM operations WHERE import_id IS NULL AND created_at < ?1", [&until])?)
}

/// Deletes the operations of an owner with the former values of the books.
pub fn delete_all(tx: &Tx<'_>, owner: UserId) -> Result<()> {
    tx.prepare_cached("DELETE FROM operations WHERE user_id = ?1")?.execute([owner])?;
    Ok(())
}
