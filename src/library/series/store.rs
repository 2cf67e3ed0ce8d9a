//! Series in the table of books: a series is the books with the same folded name.
use std::collections::BTreeMap;

use rusqlite::Connection;

use super::model::{Collector, Figures};
use crate::kit::db::pool::{Tx, owned};
use crate::kit::error::{Error, Result};
use crate::kit::id::UserId;
use crate::library::books::model::BookId;
use crate::library::books::store::words;
use crate::library::operations::model::{Kind, OperationId};
use crate::library::operations::store::recorded;
use crate::library::{counters, text};

/// The series of an owner by name; those of one folded name, if one is given.
pub fn list(conn: &Connection, owner: UserId, only: Option<&str>) -> Result<Vec<Figures>> {
    let (first, last) = owned(owner);
    let sql = "SELECT series_key, series, work, status, series_number FROM books
        WHERE id BETWEEN ?1 AND ?2 AND series_key IS NOT NULL AND (?3 IS NULL OR series_key = ?3) ORDER BY id";
    let mut query = conn.prepare_cached(sql)?;
    let mut rows = query.query((first, last, only))?;
    let mut series = BTreeMap::<String, Collector>::new();
    while let Some(row) = rows.next()? {
        let (key, name) = (words(row, 0)?, words(row, 1)?);
        if !series.contains_key(key) {
            series.insert(key.to_owned(), Collector::new(name));
        }
        if let Some(found) = series.get_mut(key) {
            found.add(row.get(2)?, row.get(3)?, row.get_ref(4)?.as_str_or_null().map_err(rusqlite::Error::from)?);
        }
    }
    Ok(series.into_values().map(Collector::finish).collect())
}

/// The series of a name, however it is written.
///
/// # Errors
/// [`Error::NotFound`] when no book is in it.
pub fn get(conn: &Connection, owner: UserId, name: &str) -> Result<Figures> {
    list(conn, owner, Some(&text::fold(name)))?.pop().ok_or(Error::NotFound)
}

/// Renames a series in all of its books. Where there is a series of the new name, its books and these become one series. Returns the
/// series and the operation; no operation where nothing changes.
///
/// # Errors
/// [`Error::NotFound`] when no book is in it.
pub fn rename(tx: &Tx<'_>, owner: UserId, name: &str, new: &str) -> Result<(Figures, Option<OperationId>)> {
    let before = get(tx, owner, name)?;
    let (key, new_key) = (text::fold(name), text::fold(new));
    let other = if key == new_key { None } else { list(tx, owner, Some(&new_key))?.pop() };
    let new = other.as_ref().map_or(new, |other| other.name.as_str());
    let books = books_of(tx, owner, &key)?;
    let change = || {
        let (first, last) = owned(owner);
        let sql = "UPDATE books SET series = ?4, series_key = ?5, changes = changes + 1, updated_at = ?6
            WHERE id BETWEEN ?1 AND ?2 AND series_key = ?3 AND series <> ?4";
        tx.prepare_cached(sql)?.execute((first, last, &key, new, &new_key, tx.stamp()))?;
        counters::changed(tx, owner)
    };
    let (kind, sentence) = match &other {
        Some(other) => {
            (Kind::Merge, format!("Series \u{201c}{}\u{201d} merged into \u{201c}{}\u{201d}.", before.name, other.name))
        }
        None => (Kind::Rename, format!("Series \u{201c}{}\u{201d} renamed to \u{201c}{new}\u{201d}.", before.name)),
    };
    let ((), operation) = recorded(tx, owner, kind, books, |()| sentence, change)?;
    Ok((get(tx, owner, new)?, operation))
}

/// The books of a folded name.
fn books_of(conn: &Connection, owner: UserId, key: &str) -> Result<Vec<BookId>> {
    let (first, last) = owned(owner);
    let mut query = conn.prepare_cached("SELECT id FROM books WHERE id BETWEEN ?1 AND ?2 AND series_key = ?3")?;
    let ids = query.query_map((first, last, key), |row| row.get(0))?;
    Ok(ids.collect::<rusqlite::Result<_>>()?)
}
