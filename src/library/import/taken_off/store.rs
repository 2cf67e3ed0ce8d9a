//! The items that imports have taken off the list. They are kept as rows of their import, behind every line of a file.
use std::collections::HashSet;

use rusqlite::{Connection, OptionalExtension as _};
use serde::{Deserialize, Serialize};

use super::Waiting;
use crate::kit::db::pool::{Tx, owned};
use crate::kit::error::Result;
use crate::kit::id::UserId;
use crate::library::books::facts::each_tag;
use crate::library::books::model::{BookFormat, BookId, WordCountSource};
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
    format: Option<BookFormat>,
    #[serde(default)]
    tags: String,
    #[serde(default)]
    word_count_source: Option<WordCountSource>,
    /// The book that took it off.
    book: i64,
    /// How many items of the same title and author stayed on the list.
    #[serde(default)]
    equal: usize,
    /// The rows that it is tied to.
    #[serde(default)]
    ties: Vec<StoredTie>,
    /// The row that the item came from, the hash of that row, and the row of a newer file that it was compared with, in a note from before
    /// an item could be tied to several.
    #[serde(default, skip_serializing)]
    row: Option<(i64, [u8; 16])>,
    #[serde(default, skip_serializing)]
    newer_row: Option<i64>,
}

/// A tie as it is in `imported_items`.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct StoredTie {
    row: i64,
    key: [u8; 16],
    newer: Option<i64>,
    made: bool,
}

fn range(import: ImportId) -> [i64; 2] {
    [(import.0 << 25) | FIRST, (import.0 << 25) | LAST]
}

impl StoredItem {
    /// The rows that it is tied to.
    fn ties(&self) -> Vec<StoredTie> {
        let former = self.row.map(|(row, key)| StoredTie { row, key, newer: self.newer_row, made: true });
        self.ties.iter().cloned().chain(former).collect()
    }

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
        waiting.entry((title, row.get(2)?)).or_default().push(row.get(0)?);
    }
    Ok(waiting)
}

/// Takes items off the list, and keeps them with the import as far as `room` bytes go; the others stay on the list. Each leaves for a book;
/// without one it leaves because its file has it no longer. Returns how many were taken off.
pub fn take(
    tx: &Tx<'_>,
    owner: UserId,
    import: ImportId,
    items: &[(TbrId, Option<BookId>)],
    room: i64,
) -> Result<usize> {
    if items.is_empty() {
        return Ok(0);
    }
    let leaving: HashSet<TbrId> = items.iter().map(|(item, _)| *item).collect();
    let mut staying = waiting(tx, owner)?;
    staying.values_mut().for_each(|equal| equal.retain(|item| !leaving.contains(item)));
    let mut find = tx.prepare_cached(
        "SELECT id, position, title, author, word_count, pages, isbn, notes, changes, created_at, format, tags, word_count_source
         FROM tbr WHERE user_id = ?1 AND id = ?2",
    )?;
    let mut find_ties =
        tx.prepare_cached("SELECT row_id, row_key, newer_row, made FROM imported_items WHERE item_id = ?1")?;
    let mut write = tx.prepare_cached("INSERT INTO import_rows (id, raw, field) VALUES (?1, ?2, ?3)")?;
    let sql = "SELECT coalesce(max(id) + 1, ?1) FROM import_rows WHERE id BETWEEN ?1 AND ?2";
    let mut at: i64 = tx.prepare_cached(sql)?.query_row(range(import), |row| row.get(0))?;
    let (mut used, mut taken) = (0, 0);
    for (item, book) in items {
        let mut stored = find.query_row((owner, item), |row| {
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
                book: book.map_or(0, |book| book.0),
                equal: 0,
                ties: Vec::new(),
                row: None,
                newer_row: None,
            })
        })?;
        stored.equal = staying.get(&item_name(&stored.draft())).map_or(0, Vec::len);
        let ties = find_ties.query_map([item], |row| {
            Ok(StoredTie { row: row.get(0)?, key: row.get(1)?, newer: row.get(2)?, made: row.get(3)? })
        })?;
        stored.ties = ties.collect::<rusqlite::Result<_>>()?;
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

/// A row whose item an import took off.
#[derive(Debug, Clone, Copy)]
pub struct Source {
    pub row: i64,
    pub key: [u8; 16],
    /// The book that took it off.
    pub book: BookId,
    /// Whether its reader had edited the item.
    pub was_edited: bool,
}

/// The rows whose items imports took off.
pub fn sources(conn: &Connection, owner: UserId) -> Result<Vec<Source>> {
    let mut query = conn.prepare_cached("SELECT id FROM imports WHERE user_id = ?1 AND undone_at IS NULL")?;
    let imports = query.query_map([owner], |row| row.get(0))?.collect::<rusqlite::Result<Vec<ImportId>>>()?;
    let mut known = conn.prepare_cached("SELECT EXISTS (SELECT 1 FROM books WHERE id = ?1)")?;
    let mut sources = Vec::new();
    for import in imports {
        for item in stored(conn, import)? {
            let ties = item.ties();
            if !ties.is_empty() && known.query_row([item.book], |row| row.get(0))? {
                let (book, was_edited) = (BookId(item.book), item.changes > 0);
                let source =
                    |tie: StoredTie| Source { row: tie.newer.unwrap_or(tie.row), key: tie.key, book, was_edited };
                sources.extend(ties.into_iter().map(source));
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
        let equal = listed.get(&item_name(&draft)).map_or(0, Vec::len);
        // More than stayed are there: its reader has put it on the list again.
        if equal > item.equal || !is_free(tx, &item)? {
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
    for tie in item.ties() {
        // The undo of its own import may have deleted the row meanwhile.
        let sql = "INSERT INTO imported_items (item_id, row_id, row_key, newer_row, made) SELECT ?1, ?2, ?3, ?4, ?5
            WHERE EXISTS (SELECT 1 FROM import_rows WHERE id = coalesce(?4, ?2))";
        tx.prepare_cached(sql)?.execute((TbrId(item.id), tie.row, tie.key, tie.newer, tie.made))?;
    }
    Ok(())
}

/// Whether nothing keeps an item off the list: its book is gone, and the import that it came from was not undone, or would have left it
/// there because its reader had changed it.
fn is_free(tx: &Tx<'_>, item: &StoredItem) -> Result<bool> {
    let has_book: bool = tx
        .prepare_cached("SELECT EXISTS (SELECT 1 FROM books WHERE id = ?1)")?
        .query_row([item.book], |row| row.get(0))?;
    let Some(StoredTie { row, .. }) = item.ties().into_iter().find(|tie| tie.made) else { return Ok(!has_book) };
    let undone: Option<bool> = tx
        .prepare_cached("SELECT undone_at IS NOT NULL FROM imports WHERE id = ?1")?
        .query_row([row >> 25], |row| row.get(0))
        .optional()?;
    Ok(!has_book && (undone != Some(true) || item.changes > 0))
}
