//! What a sync changed beside the values of books and their logs, and its undo: links of books and items to rows, rows that were
//! replaced, and items of the list.
use rusqlite::{Connection, OptionalExtension as _};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::kit::db::pool::Tx;
use crate::kit::error::Result;
use crate::kit::id::UserId;
use crate::library::books::model::BookId;
use crate::library::import::dedupe::EntryId;
use crate::library::import::history::model::KeptEntry;
use crate::library::operations::model::OperationId;
use crate::library::operations::store::note_former;
use crate::library::tbr::model::TbrId;
use crate::library::{counters, text};

/// A changed link of a book or an item.
const LINK: &str = "link";
/// A row that was replaced by a newer one.
const ROW: &str = "row";
/// The former values of an item of the list.
const ITEM: &str = "item";

/// The columns of an item that a sync may change.
const ITEM_COLUMNS: [&str; 10] =
    ["title", "author", "word_count", "pages", "isbn", "notes", "changes", "format", "tags", "word_count_source"];

/// A link as it is stored: the newer row, which of its readings, and the hash of the row in hexadecimal digits.
pub type StoredLink = (Option<i64>, Option<i64>, String);

#[derive(Debug, Serialize, Deserialize)]
struct LinkNote {
    is_book: bool,
    id: i64,
    before: StoredLink,
    after: StoredLink,
}

#[derive(Debug, Serialize, Deserialize)]
struct RowNote {
    id: i64,
    raw: String,
}

#[derive(Debug, Serialize, Deserialize)]
struct ItemNote {
    id: i64,
    before: Value,
    after: Value,
}

/// The notes of a sync for its undo.
#[derive(Clone, Copy)]
pub struct Notes<'t, 'c> {
    /// The sync's transaction.
    pub tx: &'t Tx<'c>,
    /// Whose library it is.
    pub owner: UserId,
    /// The sync.
    pub operation: OperationId,
}

impl Notes<'_, '_> {
    /// Notes another link of a book or an item.
    pub fn link(&self, entry: EntryId, before: &StoredLink, after: &StoredLink) -> Result<()> {
        let (is_book, id) = match entry {
            EntryId::Book(id) => (true, id.0),
            EntryId::Item(id) => (false, id.0),
        };
        let note = LinkNote { is_book, id, before: before.clone(), after: after.clone() };
        self.note(LINK, is_book.then_some(BookId(id)), &note)
    }

    /// Notes a row that is deleted.
    pub fn row(&self, id: i64, raw: &str) -> Result<()> {
        self.note(ROW, None, &RowNote { id, raw: raw.to_owned() })
    }

    /// Notes a changed item.
    pub fn item(&self, id: TbrId, before: &Value, after: &Value) -> Result<()> {
        self.note(ITEM, None, &ItemNote { id: id.0, before: before.clone(), after: after.clone() })
    }

    fn note(&self, kind: &str, book: Option<BookId>, note: &impl Serialize) -> Result<()> {
        note_former(self.tx, self.owner, self.operation, kind, book, &serde_json::to_string(note)?)
    }
}

/// The link of a book or an item.
pub fn stored_link(conn: &Connection, entry: EntryId) -> Result<StoredLink> {
    let (sql, id) = match entry {
        EntryId::Book(id) => ("SELECT newer_row, newer_nth, hex(row_key) FROM imported_books WHERE book_id = ?1", id.0),
        EntryId::Item(id) => ("SELECT newer_row, NULL, hex(row_key) FROM imported_items WHERE item_id = ?1", id.0),
    };
    let mut query = conn.prepare_cached(sql)?;
    let found = query.query_row([id], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).optional()?;
    Ok(found.unwrap_or_default())
}

/// The values of an item that a sync may change; null where the item is gone.
pub fn stored_item(conn: &Connection, id: TbrId) -> Result<Value> {
    let columns = ITEM_COLUMNS.map(|column| format!("'{column}', {column}")).join(", ");
    let sql = format!("SELECT json_object({columns}) FROM tbr WHERE id = ?1");
    let found: Option<String> = conn.prepare_cached(&sql)?.query_row([id], |row| row.get(0)).optional()?;
    Ok(found.map(|text| serde_json::from_str(&text)).transpose()?.unwrap_or(Value::Null))
}

/// Takes back what is noted of a sync, newest first. Returns the number of items that have their former values again, and the items that
/// were changed since.
pub fn take_back(tx: &Tx<'_>, owner: UserId, operation: OperationId) -> Result<(usize, Vec<KeptEntry>)> {
    let sql = "SELECT kind, before FROM undo WHERE user_id = ?1 AND operation = ?2 AND kind IN (?3, ?4, ?5)
        ORDER BY seq DESC";
    let mut query = tx.prepare_cached(sql)?;
    let notes = query.query_map((owner, operation, LINK, ROW, ITEM), |row| {
        Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?))
    })?;
    let notes = notes.collect::<rusqlite::Result<Vec<_>>>()?;
    let (mut restored, mut kept) = (0, Vec::new());
    for (kind, before) in notes {
        match kind.as_str() {
            LINK => restore_link(tx, &serde_json::from_str(&before)?)?,
            ROW => restore_row(tx, owner, &serde_json::from_str(&before)?)?,
            _ => {
                let note: ItemNote = serde_json::from_str(&before)?;
                if restore_item(tx, &note)? {
                    restored += 1;
                } else if let Some(title) = stored_item(tx, TbrId(note.id))?.get("title").and_then(Value::as_str) {
                    kept.push(KeptEntry { id: note.id, title: title.to_owned() });
                }
            }
        }
    }
    Ok((restored, kept))
}

fn restore_link(tx: &Tx<'_>, note: &LinkNote) -> Result<()> {
    let entry = if note.is_book { EntryId::Book(BookId(note.id)) } else { EntryId::Item(TbrId(note.id)) };
    if stored_link(tx, entry)? != note.after {
        return Ok(());
    }
    let (row, nth, key) = &note.before;
    if !has_row(tx, entry, *row)? {
        return Ok(());
    }
    if note.is_book {
        let sql = "UPDATE imported_books SET newer_row = ?2, newer_nth = ?3, row_key = unhex(?4) WHERE book_id = ?1";
        tx.prepare_cached(sql)?.execute((note.id, row, nth, key))?;
    } else {
        let sql = "UPDATE imported_items SET newer_row = ?2, row_key = unhex(?3) WHERE item_id = ?1";
        tx.prepare_cached(sql)?.execute((note.id, row, key))?;
    }
    Ok(())
}

/// Whether the row of a link is there: the newer one, or else the row that the book or item came from. The undo of that row's import may
/// have deleted it.
fn has_row(conn: &Connection, entry: EntryId, newer: Option<i64>) -> Result<bool> {
    let (sql, id) = match entry {
        EntryId::Book(id) => ("SELECT row_id FROM imported_books WHERE book_id = ?1", id.0),
        EntryId::Item(id) => ("SELECT row_id FROM imported_items WHERE item_id = ?1", id.0),
    };
    let row = match newer {
        Some(row) => row,
        None => conn.prepare_cached(sql)?.query_row([id], |row| row.get(0))?,
    };
    let sql = "SELECT EXISTS (SELECT 1 FROM import_rows WHERE id = ?1)";
    Ok(conn.prepare_cached(sql)?.query_row([row], |row| row.get(0))?)
}

fn restore_row(tx: &Tx<'_>, owner: UserId, note: &RowNote) -> Result<()> {
    let sql = "INSERT OR IGNORE INTO import_rows (id, raw) SELECT ?1, ?2
        WHERE EXISTS (SELECT 1 FROM imports WHERE id = ?1 >> 25 AND user_id = ?3)";
    if tx.prepare_cached(sql)?.execute((note.id, &note.raw, owner))? > 0 {
        counters::add_texts(tx, owner, counters::bytes(&note.raw))?;
    }
    Ok(())
}

/// Gives an item its former values, unless it was changed since. Returns whether it has them.
fn restore_item(tx: &Tx<'_>, note: &ItemNote) -> Result<bool> {
    let now = stored_item(tx, TbrId(note.id))?;
    if now.is_null() || ITEM_COLUMNS.iter().any(|column| now[column] != note.after[column]) {
        return Ok(false);
    }
    let set = ITEM_COLUMNS.map(|column| format!("{column} = json_extract(?2, '$.{column}')")).join(", ");
    let sql = format!("UPDATE tbr SET title_key = ?3, author_key = ?4, {set} WHERE id = ?1");
    let key = |column: &str, of: fn(&str) -> String| note.before[column].as_str().map(of);
    let keys = (key("title", text::title_key), key("author", text::name_key));
    tx.prepare_cached(&sql)?.execute((note.id, note.before.to_string(), keys.0, keys.1))?;
    Ok(true)
}
