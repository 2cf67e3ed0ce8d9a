//! What a sync changed beside the values of books and their logs, and its undo: ties of books and items to rows, rows that were
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

/// A changed tie of a book or an item.
const TIE: &str = "link";
/// A row that was replaced by a newer one.
const ROW: &str = "row";
/// The former values of an item of the list.
const ITEM: &str = "item";

/// The columns of an item that a sync may change.
const ITEM_COLUMNS: [&str; 10] =
    ["title", "author", "word_count", "pages", "isbn", "notes", "changes", "format", "tags", "word_count_source"];

/// A tie as it is stored: the newer row, which of its readings, and the hash of the row in hexadecimal digits.
pub type StoredTie = (Option<i64>, Option<i64>, String);

#[derive(Debug, Serialize, Deserialize)]
struct TieNote {
    is_book: bool,
    id: i64,
    /// The row that it was tied to at first; none in a note from before there were several.
    #[serde(default)]
    origin: Option<i64>,
    before: StoredTie,
    after: StoredTie,
}

#[derive(Debug, Serialize, Deserialize)]
struct RowNote {
    id: i64,
    raw: String,
    #[serde(default)]
    said: Option<String>,
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
    /// Notes another tie of a book or an item.
    pub fn tie(&self, entry: EntryId, origin: i64, before: &StoredTie, after: &StoredTie) -> Result<()> {
        let (is_book, id) = match entry {
            EntryId::Book(id) => (true, id.0),
            EntryId::Item(id) => (false, id.0),
        };
        let note = TieNote { is_book, id, origin: Some(origin), before: before.clone(), after: after.clone() };
        // Not a note of the book, with which it would go: the book may leave and come back.
        self.note(TIE, &note)
    }

    /// Notes a row that is deleted.
    pub fn row(&self, id: i64, raw: String, said: Option<String>) -> Result<()> {
        self.note(ROW, &RowNote { id, raw, said })
    }

    /// Notes a changed item.
    pub fn item(&self, id: TbrId, before: &Value, after: &Value) -> Result<()> {
        self.note(ITEM, &ItemNote { id: id.0, before: before.clone(), after: after.clone() })
    }

    fn note(&self, kind: &str, note: &impl Serialize) -> Result<()> {
        note_former(self.tx, self.owner, self.operation, kind, None, &serde_json::to_string(note)?)
    }
}

/// The tie of a book or an item to a row.
pub fn stored_tie(conn: &Connection, entry: EntryId, origin: i64) -> Result<StoredTie> {
    let (sql, id) = match entry {
        EntryId::Book(id) => {
            ("SELECT newer_row, newer_nth, hex(row_key) FROM imported_books WHERE book_id = ?1 AND row_id = ?2", id.0)
        }
        EntryId::Item(id) => {
            ("SELECT newer_row, NULL, hex(row_key) FROM imported_items WHERE item_id = ?1 AND row_id = ?2", id.0)
        }
    };
    let mut query = conn.prepare_cached(sql)?;
    let found = query.query_row([id, origin], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).optional()?;
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
    let notes = query.query_map((owner, operation, TIE, ROW, ITEM), |row| {
        Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?))
    })?;
    let notes = notes.collect::<rusqlite::Result<Vec<_>>>()?;
    let (mut restored, mut kept) = (0, Vec::new());
    for (kind, before) in notes {
        match kind.as_str() {
            TIE => restore_tie(tx, &serde_json::from_str(&before)?)?,
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

fn restore_tie(tx: &Tx<'_>, note: &TieNote) -> Result<()> {
    let entry = if note.is_book { EntryId::Book(BookId(note.id)) } else { EntryId::Item(TbrId(note.id)) };
    let origin = match note.origin {
        Some(origin) => origin,
        None => {
            let sql = if note.is_book {
                "SELECT row_id FROM imported_books WHERE book_id = ?1 AND made = 1"
            } else {
                "SELECT row_id FROM imported_items WHERE item_id = ?1 AND made = 1"
            };
            let Some(origin) = tx.prepare_cached(sql)?.query_row([note.id], |row| row.get(0)).optional()? else {
                return Ok(());
            };
            origin
        }
    };
    if stored_tie(tx, entry, origin)? != note.after {
        return Ok(());
    }
    let (row, nth, key) = &note.before;
    // The undo of the import that the row is of may have deleted it.
    let sql = "SELECT EXISTS (SELECT 1 FROM import_rows WHERE id = ?1)";
    let is_here: bool = tx.prepare_cached(sql)?.query_row([row.unwrap_or(origin)], |row| row.get(0))?;
    if !is_here {
        return Ok(());
    }
    if note.is_book {
        let sql = "UPDATE imported_books SET newer_row = ?3, newer_nth = ?4, row_key = unhex(?5) WHERE book_id = ?1 AND row_id = ?2";
        tx.prepare_cached(sql)?.execute((note.id, origin, row, nth, key))?;
    } else {
        let sql = "UPDATE imported_items SET newer_row = ?3, row_key = unhex(?4) WHERE item_id = ?1 AND row_id = ?2";
        tx.prepare_cached(sql)?.execute((note.id, origin, row, key))?;
    }
    Ok(())
}

fn restore_row(tx: &Tx<'_>, owner: UserId, note: &RowNote) -> Result<()> {
    let sql = "INSERT OR IGNORE INTO import_rows (id, raw, said) SELECT ?1, ?2, ?4
        WHERE EXISTS (SELECT 1 FROM imports WHERE id = ?1 >> 25 AND user_id = ?3)";
    if tx.prepare_cached(sql)?.execute((note.id, &note.raw, owner, &note.said))? > 0 {
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
