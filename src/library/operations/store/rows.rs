//! Rows of tables beside the books that an operation changes or deletes, and their undo.
use rusqlite::types::{Value as Stored, ValueRef};
use rusqlite::{Connection, params_from_iter};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::note_former;
use super::undo::noted_of_kind;
use crate::kit::db::pool::Tx;
use crate::kit::error::{Error, Result};
use crate::kit::id::UserId;
use crate::library::import::history::model::KeptImportItem;
use crate::library::operations::model::OperationId;
use crate::library::{counters, text};

/// A row that was changed or deleted.
const ROW: &str = "row";

/// The values of a row by column; bytes as an object with their base64, a hash of 16 bytes with its digits.
pub type Row = Map<String, Value>;

/// The columns by which a row is found, with their values.
pub type Key = Vec<(String, i64)>;

#[derive(Debug, Serialize, Deserialize)]
struct RowNote {
    table: String,
    key: Key,
    /// The values that the operation may change; none where there was no row.
    before: Option<Row>,
    after: Option<Row>,
}

/// A table with its columns that operations change.
#[derive(Debug, Clone, Copy)]
pub struct Table {
    pub name: &'static str,
    pub columns: &'static str,
}

/// The items of the list.
pub const ITEMS: Table = Table {
    name: "tbr",
    columns: "title, author, word_count, pages, isbn, notes, changes, format, tags, word_count_source",
};
/// The rows of imports.
pub const IMPORT_ROWS: Table = Table { name: "import_rows", columns: "id, raw, said" };
/// The ties of books to rows of imports.
pub const BOOK_TIES: Table = Table { name: "imported_books", columns: "newer_row, newer_nth, row_key" };
/// The ties of items.
pub const ITEM_TIES: Table = Table { name: "imported_items", columns: "newer_row, row_key" };

/// Changes a row, and notes what it was. The note does not go with a book, which may leave and come back.
pub fn with_noted_row(
    tx: &Tx<'_>,
    owner: UserId,
    operation: OperationId,
    table: Table,
    key: &[(&str, i64)],
    change: impl FnOnce() -> Result<()>,
) -> Result<()> {
    let key: Key = key.iter().map(|(column, value)| ((*column).to_owned(), *value)).collect();
    let before = select(tx, table.name, table.columns, &key)?.pop();
    change()?;
    let after = select(tx, table.name, table.columns, &key)?.pop();
    let note = RowNote { table: table.name.to_owned(), key, before, after };
    note_former(tx, owner, operation, ROW, None, &serde_json::to_string(&note)?)
}

/// Takes back what is noted of rows, newest first, unless it was changed since. Returns the number of items that have their former values
/// again, and those that were changed since.
pub(super) fn take_back(tx: &Tx<'_>, owner: UserId, operation: OperationId) -> Result<(usize, Vec<KeptImportItem>)> {
    let (mut restored, mut kept) = (0, Vec::new());
    for note in noted_of_kind(tx, owner, operation, ROW)? {
        let RowNote { table, key, before, after } = serde_json::from_str(&note)?;
        let Some(mut before) = before else { continue };
        let columns = before.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
        let now = select(tx, &table, &columns, &key)?.pop();
        let word = |row: &Row, column: &str| row.get(column).and_then(Value::as_str).map(str::to_owned);
        if now != after {
            let title = now.filter(|_| table == ITEMS.name).and_then(|now| word(&now, "title"));
            kept.extend(title.map(|title| KeptImportItem { id: key[0].1, title }));
        } else if table == ITEMS.name {
            let title = word(&before, "title").map(|title| text::title_key(&title));
            let author = word(&before, "author").map(|author| text::name_key(&author));
            before.extend([("title_key".to_owned(), json!(title)), ("author_key".to_owned(), json!(author))]);
            update(tx, &table, &key, &before)?;
            restored += 1;
        } else if table == IMPORT_ROWS.name {
            let is_known = "SELECT EXISTS (SELECT 1 FROM imports WHERE id = ?1 >> 25 AND user_id = ?2)";
            if tx.prepare_cached(is_known)?.query_row((key[0].1, owner), |row| row.get(0))? {
                insert(tx, &table, &before)?;
                counters::add_texts(tx, owner, word(&before, "raw").as_deref().map_or(0, counters::bytes))?;
            }
        } else if has_import_row(tx, number(&before, "newer_row").or(key.get(1).map(|(_, row)| *row)))? {
            update(tx, &table, &key, &before)?;
        }
    }
    Ok((restored, kept))
}

/// A whole number of a row.
pub fn number(row: &Row, column: &str) -> Option<i64> {
    row.get(column).and_then(Value::as_i64)
}

/// Whether the row of a tie is there: the undo of its import may have deleted it.
pub fn has_import_row(conn: &Connection, row: Option<i64>) -> Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM import_rows WHERE id = ?1)";
    Ok(conn.prepare_cached(sql)?.query_row([row], |row| row.get(0))?)
}

/// The rows of a table with this key.
pub fn select(conn: &Connection, table: &str, columns: &str, key: &[(String, i64)]) -> Result<Vec<Row>> {
    let sql = format!("SELECT {columns} FROM {table} WHERE {}", conditions(key, 1));
    let mut query = conn.prepare_cached(&sql)?;
    let names: Vec<String> = query.column_names().into_iter().map(str::to_owned).collect();
    let mut found = query.query(params_from_iter(key.iter().map(|(_, value)| value)))?;
    let mut rows = Vec::new();
    while let Some(row) = found.next()? {
        let mut values = Row::new();
        for (at, name) in names.iter().enumerate() {
            let value = match row.get_ref(at)? {
                ValueRef::Null => Value::Null,
                ValueRef::Integer(number) => number.into(),
                ValueRef::Real(number) => number.into(),
                ValueRef::Text(_) => row.get::<_, String>(at)?.into(),
                ValueRef::Blob(bytes) => match bytes.try_into() {
                    Ok(hash) => json!({ "hex": format!("{:032X}", u128::from_be_bytes(hash)) }),
                    Err(_) => json!({ "base64": STANDARD.encode(bytes) }),
                },
            };
            values.insert(name.clone(), value);
        }
        rows.push(values);
    }
    Ok(rows)
}

/// Adds a row to a table.
pub fn insert(tx: &Tx<'_>, table: &str, row: &Row) -> Result<()> {
    let names = row.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
    let places = (1..=row.len()).map(|at| format!("?{at}")).collect::<Vec<_>>().join(", ");
    let values = row.values().map(stored).collect::<Result<Vec<_>>>()?;
    tx.prepare_cached(&format!("INSERT INTO {table} ({names}) VALUES ({places})"))?
        .execute(params_from_iter(values))?;
    Ok(())
}

/// Changes columns of the rows with this key.
pub fn update(tx: &Tx<'_>, table: &str, key: &[(String, i64)], row: &Row) -> Result<()> {
    let set = row.keys().enumerate().map(|(at, name)| format!("{name} = ?{}", at + 1)).collect::<Vec<_>>().join(", ");
    let values = row.values().map(stored).chain(key.iter().map(|(_, value)| Ok(Stored::Integer(*value))));
    let sql = format!("UPDATE {table} SET {set} WHERE {}", conditions(key, row.len() + 1));
    tx.prepare_cached(&sql)?.execute(params_from_iter(values.collect::<Result<Vec<_>>>()?))?;
    Ok(())
}

fn conditions(key: &[(String, i64)], first: usize) -> String {
    let one = |(at, (column, _)): (usize, &(String, i64))| format!("{column} = ?{}", first + at);
    key.iter().enumerate().map(one).collect::<Vec<_>>().join(" AND ")
}

fn stored(value: &Value) -> Result<Stored> {
    let unreadable = || Error::internal("a noted row has a value that no column holds");
    Ok(match value {
        Value::Null => Stored::Null,
        Value::String(text) => Stored::Text(text.clone()),
        Value::Number(number) => match number.as_i64() {
            Some(number) => Stored::Integer(number),
            None => Stored::Real(number.as_f64().ok_or_else(unreadable)?),
        },
        bytes => {
            let text = |name| bytes.get(name).and_then(Value::as_str);
            let hash = text("hex").and_then(|hash| u128::from_str_radix(hash, 16).ok());
            let hash = hash.map(|hash| hash.to_be_bytes().to_vec());
            Stored::Blob(hash.or_else(|| STANDARD.decode(text("base64")?).ok()).ok_or_else(unreadable)?)
        }
    })
}
