//! Series in the table of books: a series is the books with the same folded name.
use std::collections::BTreeMap;

use rusqlite::Connection;

use super::model::{Collector, SeriesFigures};
use crate::kit::db::pool::{Tx, owned};
use crate::kit::error::{Error, Result};
use crate::kit::id::UserId;
use crate::library::books::facts::Series;
use crate::library::books::model::BookId;
use crate::library::books::series_title::series_of;
use crate::library::books::store::words;
use crate::library::operations::model::{OperationId, OperationKind};
use crate::library::operations::store::images::{Image, difference};
use crate::library::operations::store::{begin, note_difference, trim};
use crate::library::{counters, text};

/// The series of an owner by name; those of one folded name, if one is given.
pub fn list(conn: &Connection, owner: UserId, only: Option<&str>) -> Result<Vec<SeriesFigures>> {
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
    let sql = "SELECT title FROM tbr WHERE id BETWEEN ?1 AND ?2 AND title LIKE '%#%)'";
    let mut query = conn.prepare_cached(sql)?;
    let mut rows = query.query((first, last))?;
    while let Some(row) = rows.next()? {
        let Some((_, Series { name, number: Some(number) })) = series_of(words(row, 0)?) else { continue };
        if let Some(found) = series.get_mut(&text::title_key(&name)) {
            found.add_listed(&number);
        }
    }
    let mut series: Vec<_> = series.into_iter().collect();
    series.sort_by(|(key, _), (other, _)| text::natural_order(key, other));
    Ok(series.into_iter().map(|(_, series)| series.finish()).collect())
}

/// The series of a name, however it is written.
pub fn get(conn: &Connection, owner: UserId, name: &str) -> Result<SeriesFigures> {
    list(conn, owner, Some(&text::title_key(name)))?.pop().ok_or(Error::NotFound)
}

/// Renames a series in all of its books. Where there is a series of the new name, its books and these become one series. Returns the
/// series and the operation; no operation where nothing changes.
pub fn rename(tx: &Tx<'_>, owner: UserId, name: &str, new: &str) -> Result<(SeriesFigures, Option<OperationId>)> {
    let before = get(tx, owner, name)?;
    let (key, new_key) = (text::title_key(name), text::title_key(new));
    let other = if key == new_key { None } else { list(tx, owner, Some(&new_key))?.pop() };
    let new = other.as_ref().map_or(new, |other| other.name.as_str());
    let (kind, sentence) = match &other {
        Some(other) => (
            OperationKind::Merge,
            format!("Series \u{201c}{}\u{201d} merged into \u{201c}{}\u{201d}.", before.name, other.name),
        ),
        None => {
            (OperationKind::Rename, format!("Series \u{201c}{}\u{201d} renamed to \u{201c}{new}\u{201d}.", before.name))
        }
    };
    let operation = replace(tx, owner, (kind, &sentence), (&key, new))?;
    Ok((get(tx, owner, new)?, operation))
}

/// How many books are read before they are written: a library may have a hundred thousand books in one series.
const BOOKS_AT_ONCE: i64 = 1_000;

/// A book of a series, and what its undo needs besides.
struct InSeries {
    id: i64,
    series: String,
    changes: i64,
    updated_at: String,
}

/// The next books of a folded name, from this id on.
fn books_of(conn: &Connection, key: &str, first: i64, last: i64) -> Result<Vec<InSeries>> {
    let sql = "SELECT id, series, changes, updated_at FROM books WHERE id BETWEEN ?1 AND ?2 AND series_key = ?3
        ORDER BY id LIMIT ?4";
    let mut query = conn.prepare_cached(sql)?;
    let rows = query.query_map((first, last, key, BOOKS_AT_ONCE), |row| {
        Ok(InSeries { id: row.get(0)?, series: row.get(1)?, changes: row.get(2)?, updated_at: row.get(3)? })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Writes a name into the books of a folded name, as an operation. Returns `None` when all books have it already.
fn replace(
    tx: &Tx<'_>,
    owner: UserId,
    (kind, sentence): (OperationKind, &str),
    (key, new): (&str, &str),
) -> Result<Option<OperationId>> {
    let new_key = text::title_key(new);
    let sql = "UPDATE books SET series = ?2, series_key = ?3, changes = changes + 1, updated_at = ?4 WHERE id = ?1";
    let mut update = tx.prepare_cached(sql)?;
    let (mut operation, (mut first, last)) = (None, owned(owner));
    loop {
        let books = books_of(tx, key, first, last)?;
        let Some(newest) = books.last() else { break };
        first = newest.id + 1;
        for InSeries { id, series, changes, updated_at } in books.into_iter().filter(|book| book.series != new) {
            let operation = match operation {
                Some(operation) => operation,
                None => *operation.insert(begin(tx, owner, kind, sentence, None)?),
            };
            update.execute((id, new, &new_key, tx.stamp()))?;
            let image = |series: &str, changes: i64, updated_at: &str| {
                let values =
                    [("series", series.into()), ("changes", changes.into()), ("updated_at", updated_at.into())];
                Image::from_iter(values.map(|(column, value)| (column.to_owned(), value)))
            };
            let (before, after) =
                (image(&series, changes, &updated_at), image(new, changes + 1, &tx.stamp().to_string()));
            note_difference(tx, owner, operation, BookId(id), &difference(&before, &after))?;
        }
    }
    if let Some(operation) = operation {
        trim(tx, owner, operation)?;
        counters::changed(tx, owner)?;
    }
    Ok(operation)
}
