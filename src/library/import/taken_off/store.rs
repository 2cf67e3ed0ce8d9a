//! The items that imports have taken off the list. They are kept as rows of their import, behind every line of a file.
use rusqlite::{Connection, OptionalExtension as _};
use serde::{Deserialize, Serialize};

use super::{TakenOff, Waiting};
use crate::kit::db::pool::{Tx, owned};
use crate::kit::error::Result;
use crate::kit::id::UserId;
use crate::library::books::facts::each_tag;
use crate::library::books::model::{BookId, Format, WordCountSource};
use crate::library::books::store::words;
use crate::library::import::dedupe::item_name;
use crate::library::import::edition::key_without_series;
use crate::library::import::history::model::ImportId;
use crate::library::tbr::model::{TbrDraft, TbrId};
use crate::library::tbr::store::{Place, bytes};
use crate::library::{counters, tbr};

/// The `field` of these rows.
pub const TAKEN_OFF: &str = "taken-off";

/// The first number of such a row within its import. A file of 20 MB has fewer lines.
const FIRST: i64 = 0x180_0000;
/// The last number of a row within its import.
const LAST: i64 = 0x1ff_ffff;

/// An item as it was on the list.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct StoredItem {
    id: i64,
    position: i64,
    title: String,
    author: Option<String>,
    word_count: Option<i64>,
    pages: Option<i64>,
    isbn: Option<String>,
    notes: Option<String>,
    changes: i64,
    created_at: String,
    #[serde(default)]
    format: Option<Format>,
    #[serde(default)]
    tags: String,
    #[serde(default)]
    word_count_source: Option<WordCountSource>,
    /// The book that took it off.
    book: i64,
    /// The row that the item came from, if it was imported, and the hash of that row.
    row: Option<(i64, [u8; 16])>,
    /// The row of a newer file that it was compared with.
    #[serde(default)]
    newer_row: Option<i64>,
}

fn range(import: ImportId) -> [i64; 2] {
    [(import.0 << 25) | FIRST, (import.0 << 25) | LAST]
}

impl StoredItem {
    /// The item as it goes back to the list.
    fn draft(&self) -> TbrDraft {
        TbrDraft {
            title: self.title.clone(),
            author: self.author.clone(),
            word_count: self.word_count,
            notes: self.notes.clone(),
            pages: self.pages,
            isbn: self.isbn.clone(),
            format: self.format,
            tags: each_tag(&self.tags).map(str::to_owned).collect(),
            word_count_source: self.word_count_source,
        }
    }
}

/// An owner's list.
pub fn waiting(conn: &Connection, owner: UserId) -> Result<Waiting> {
    let (first, last) = owned(owner);
    let sql = "SELECT id, title_key, coalesce(author_key, ''), title FROM tbr WHERE id BETWEEN ?1 AND ?2 ORDER BY id";
    let mut query = conn.prepare_cached(sql)?;
    let mut rows = query.query([first, last])?;
    let mut waiting = Waiting::new();
    while let Some(row) = rows.next()? {
        // As in `find`, titles are compared without their series.
        let title = key_without_series(words(row, 3)?, words(row, 1)?).into_owned();
        waiting.entry(title).or_default().push((row.get(2)?, row.get(0)?));
    }
    Ok(waiting)
}

/// Takes items off the list, and keeps them with the import as far as `room` bytes go; the others stay on the list. `first` is the
/// first of the new books. Returns how many items were taken off.
pub fn take(
    tx: &Tx<'_>,
    owner: UserId,
    import: ImportId,
    first: BookId,
    items: &[TakenOff],
    room: i64,
) -> Result<usize> {
    let mut find = tx.prepare_cached(
        "SELECT t.id, t.position, t.title, t.author, t.word_count, t.pages, t.isbn, t.notes, t.changes, t.created_at, m.row_id, m.row_key,
         t.format, t.tags, t.word_count_source, m.newer_row
         FROM tbr t LEFT JOIN imported_items m ON m.item_id = t.id WHERE t.user_id = ?1 AND t.id = ?2",
    )?;
    let mut write = tx.prepare_cached("INSERT INTO import_rows (id, raw, field) VALUES (?1, ?2, ?3)")?;
    let [mut at, _] = range(import);
    let (mut used, mut taken) = (0, 0);
    for TakenOff { item, book } in items {
        let book = first.0 + i64::try_from(*book).unwrap_or(i64::MAX);
        let stored = find.query_row((owner, item), |row| {
            let of_row: Option<i64> = row.get("row_id")?;
            Ok(StoredItem {
                id: row.get("id")?,
                position: row.get("position")?,
                title: row.get("title")?,
                author: row.get("author")?,
                word_count: row.get("word_count")?,
                pages: row.get("pages")?,
                isbn: row.get("isbn")?,
                notes: row.get("notes")?,
                changes: row.get("changes")?,
                created_at: row.get("created_at")?,
                format: row.get("format")?,
                tags: row.get("tags")?,
                word_count_source: row.get("word_count_source")?,
                newer_row: row.get("newer_row")?,
                book,
                row: of_row.map(|id| Ok::<_, rusqlite::Error>((id, row.get("row_key")?))).transpose()?,
            })
        })?;
        let raw = serde_json::to_string(&stored)?;
        if used + counters::bytes(&raw) > room {
            break;
        }
        used += counters::bytes(&raw);
        write.execute((at, raw, TAKEN_OFF))?;
        tbr::store::delete(tx, owner, *item)?;
        (at, taken) = (at + 1, taken + 1);
    }
    counters::add_texts(tx, owner, used)?;
    Ok(taken)
}

fn stored(conn: &Connection, import: ImportId) -> Result<Vec<StoredItem>> {
    let sql = "SELECT raw FROM import_rows WHERE id BETWEEN ?1 AND ?2 AND field = ?3 ORDER BY id";
    let [first, last] = range(import);
    let mut query = conn.prepare_cached(sql)?;
    let mut rows = query.query((first, last, TAKEN_OFF))?;
    let mut items = Vec::new();
    while let Some(row) = rows.next()? {
        let raw: String = row.get(0)?;
        items.push(serde_json::from_str(&raw)?);
    }
    Ok(items)
}

/// The rows whose items an import took off, with their hashes and the books that took them off.
pub fn sources(conn: &Connection, owner: UserId) -> Result<Vec<(i64, [u8; 16], BookId)>> {
    let mut query = conn.prepare_cached("SELECT id FROM imports WHERE user_id = ?1 AND undone_at IS NULL")?;
    let imports = query.query_map([owner], |row| row.get(0))?.collect::<rusqlite::Result<Vec<ImportId>>>()?;
    let mut known = conn.prepare_cached("SELECT EXISTS (SELECT 1 FROM books WHERE id = ?1)")?;
    let mut sources = Vec::new();
    for import in imports {
        for item in stored(conn, import)? {
            let Some((row, key)) = item.row else { continue };
            if known.query_row([item.book], |row| row.get(0))? {
                sources.push((item.newer_row.unwrap_or(row), key, BookId(item.book)));
            }
        }
    }
    Ok(sources)
}

/// Puts the items of an import back on the list, in their places, and forgets them. An item stays off whose book still exists, whose
/// own import was undone unless its reader had changed it, or that is on the list again. Returns how many were put back.
pub fn put_back(tx: &Tx<'_>, owner: UserId, import: ImportId) -> Result<usize> {
    let items = stored(tx, import)?;
    if items.is_empty() {
        return Ok(0);
    }
    let listed = waiting(tx, owner)?;
    let mut restored = 0;
    for item in items {
        let draft = item.draft();
        let (title, author) = item_name(&draft);
        let is_listed = listed.get(&title).is_some_and(|equal| equal.iter().any(|(known, _)| *known == author));
        if is_listed || !is_free(tx, &item)? {
            continue;
        }
        put_on_list(tx, owner, &item, &draft)?;
        counters::add_texts(tx, owner, bytes(&draft))?;
        restored += 1;
    }
    // The items have their former numbers; only their count is new.
    counters::add_items(tx, owner, i64::try_from(restored).unwrap_or(0))?;
    let [first, last] = range(import);
    let sql = "DELETE FROM import_rows WHERE id BETWEEN ?1 AND ?2 AND field = ?3";
    tx.prepare_cached(sql)?.execute((first, last, TAKEN_OFF))?;
    Ok(restored)
}

/// Writes an item that an import took off into its place on the list, with the link to its row.
fn put_on_list(tx: &Tx<'_>, owner: UserId, item: &StoredItem, draft: &TbrDraft) -> Result<()> {
    let StoredItem { id, position, changes, created_at, .. } = item;
    let place = Place { id: *id, position: *position, changes: *changes, created_at };
    tbr::store::insert(tx, owner, &place, draft)?;
    if let Some((row, key)) = item.row {
        // The undo of its own import may have deleted the row meanwhile.
        let sql = "INSERT INTO imported_items (item_id, row_id, row_key, newer_row) SELECT ?1, ?2, ?3, ?4
            WHERE EXISTS (SELECT 1 FROM import_rows WHERE id = coalesce(?4, ?2))";
        tx.prepare_cached(sql)?.execute((TbrId(item.id), row, key, item.newer_row))?;
    }
    Ok(())
}

/// Whether nothing keeps an item off the list: its book is gone, and the import that it came from was not undone, or would have left it
/// there because its reader had changed it.
fn is_free(tx: &Tx<'_>, item: &StoredItem) -> Result<bool> {
    let has_book: bool = tx
        .prepare_cached("SELECT EXISTS (SELECT 1 FROM books WHERE id = ?1)")?
        .query_row([item.book], |row| row.get(0))?;
    let Some((row, _)) = item.row else { return Ok(!has_book) };
    let undone: Option<bool> = tx
        .prepare_cached("SELECT undone_at IS NOT NULL FROM imports WHERE id = ?1")?
        .query_row([row >> 25], |row| row.get(0))
        .optional()?;
    Ok(!has_book && (undone != Some(true) || item.changes > 0))
}
