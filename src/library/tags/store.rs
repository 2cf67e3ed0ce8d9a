//! Tags in the table of books, and how they are shown.
use std::collections::{BTreeMap, BTreeSet};

use rusqlite::Connection;

use super::model::{MOST_SHOWN, NamedTag, Style, Tag, TooManyShown, replaced};
use crate::kit::db::pool::{Tx, owned};
use crate::kit::error::{Error, Result};
use crate::kit::id::UserId;
use crate::kit::keys::fold;
use crate::library::books::facts::{each_tag, has_key, tag_key};
use crate::library::books::model::BookId;
use crate::library::books::store::words;
use crate::library::counters;
use crate::library::operations::model::{OperationId, OperationKind};
use crate::library::operations::store::images::{Image, difference};
use crate::library::operations::store::{begin, note_difference, trim, with_noted_styles};
use crate::library::text::natural_order;

/// How the tags of an owner are shown, by their keys.
fn styles(conn: &Connection, owner: UserId) -> Result<BTreeMap<String, Style>> {
    let mut query = conn.prepare_cached("SELECT name_key, shelf, icon, position FROM tag_styles WHERE user_id = ?1")?;
    let rows = query.query_map([owner], |row| {
        Ok((row.get(0)?, Style { shelf: row.get(1)?, icon: row.get(2)?, position: row.get(3)? }))
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The tags of an owner: those shown as shelves first, in their order, then the others by name.
pub fn list(conn: &Connection, owner: UserId) -> Result<Vec<Tag>> {
    let (first, last) = owned(owner);
    let sql = "SELECT tags, work FROM books WHERE id BETWEEN ?1 AND ?2 AND tags <> '' ORDER BY id";
    let mut query = conn.prepare_cached(sql)?;
    let mut rows = query.query([first, last])?;
    let mut tags = BTreeMap::<String, (String, BTreeSet<BookId>)>::new();
    while let Some(row) = rows.next()? {
        let work = row.get(1)?;
        for tag in each_tag(words(row, 0)?) {
            tags.entry(tag_key(tag)).or_insert_with(|| (tag.to_owned(), BTreeSet::new())).1.insert(work);
        }
    }
    let mut styles = styles(conn, owner)?;
    let mut found: Vec<_> = tags
        .into_iter()
        .map(|(key, (name, works))| {
            let Style { shelf, icon, position } = styles.remove(&key).unwrap_or_default();
            let place = if shelf { position } else { i64::MAX };
            (place, fold(&key), Tag { name, books: works.len(), shelf, icon })
        })
        .collect();
    found
        .sort_by(|(place, key, _), (other, other_key, _)| place.cmp(other).then_with(|| natural_order(key, other_key)));
    Ok(found.into_iter().map(|(.., tag)| tag).collect())
}

/// The tag of a name, however it is written.
pub fn get(conn: &Connection, owner: UserId, name: &str) -> Result<Tag> {
    let (first, last) = owned(owner);
    let key = tag_key(name);
    let sql = "SELECT tags, work FROM books WHERE id BETWEEN ?1 AND ?2 AND tags <> '' ORDER BY id";
    let mut query = conn.prepare_cached(sql)?;
    let mut rows = query.query([first, last])?;
    let mut found: Option<(String, BTreeSet<BookId>)> = None;
    while let Some(row) = rows.next()? {
        if let Some(tag) = each_tag(words(row, 0)?).find(|tag| has_key(tag, &key)) {
            found.get_or_insert_with(|| (tag.to_owned(), BTreeSet::new())).1.insert(row.get(1)?);
        }
    }
    let (name, works) = found.ok_or(Error::NotFound)?;
    let Style { shelf, icon, .. } = styles(conn, owner)?.remove(&key).unwrap_or_default();
    Ok(Tag { name, books: works.len(), shelf, icon })
}

/// How a tag is to be shown.
#[derive(Debug, Clone, Copy)]
pub struct Shown<'t> {
    pub name: &'t str,
    /// Whether it is shown as a shelf.
    pub shelf: bool,
    /// The name of its icon.
    pub icon: Option<&'t str>,
}

/// Shows a tag in another way. `position` is its place among the shelves, from 0 on.
///
/// # Errors
/// [`TooManyShown`]; the database's.
pub fn show(tx: &Tx<'_>, owner: UserId, shown: Shown<'_>, position: Option<usize>) -> Result<()> {
    let key = tag_key(shown.name);
    let shelves = shelves(tx, owner)?;
    let present = shelves.iter().position(|known| *known == key);
    let mut shelves: Vec<_> = shelves.into_iter().filter(|known| *known != key).collect();
    if shown.shelf {
        let place = position.or(present).unwrap_or(shelves.len()).min(shelves.len());
        shelves.insert(place, key);
    }
    write_styles(tx, owner, &[shown], &shelves)
}

/// Gives styles to tags that have none; new shelves come after the present ones. Returns how many, because a library may have room for
/// fewer.
pub fn show_new(tx: &Tx<'_>, owner: UserId, shown: &[Shown<'_>]) -> Result<usize> {
    let room = usize::try_from(MOST_SHOWN).unwrap_or(0).saturating_sub(styles(tx, owner)?.len());
    let shown = &shown[..shown.len().min(room)];
    let mut shelves = shelves(tx, owner)?;
    shelves.extend(shown.iter().filter(|tag| tag.shelf).map(|tag| tag_key(tag.name)));
    write_styles(tx, owner, shown, &shelves)?;
    Ok(shown.len())
}

/// The keys of the tags that are shown as shelves, in their order.
fn shelves(conn: &Connection, owner: UserId) -> Result<Vec<String>> {
    let mut query = conn.prepare_cached(
        "SELECT name_key FROM tag_styles WHERE user_id = ?1 AND shelf = 1 ORDER BY position, name_key",
    )?;
    Ok(query.query_map([owner], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?)
}

/// Writes how tags are shown, and the order of all shelves.
fn write_styles(tx: &Tx<'_>, owner: UserId, shown: &[Shown<'_>], shelves: &[String]) -> Result<()> {
    let mut write = tx.prepare_cached(
        "INSERT INTO tag_styles (user_id, name_key, shelf, icon) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (user_id, name_key) DO UPDATE SET shelf = ?3, icon = ?4",
    )?;
    for tag in shown {
        write.execute((owner, tag_key(tag.name), tag.shelf, tag.icon))?;
    }
    let mut place = tx.prepare_cached(
        "UPDATE tag_styles SET position = ?3 WHERE user_id = ?1 AND name_key = ?2 AND position <> ?3",
    )?;
    for (position, key) in (0_i64..).zip(shelves) {
        place.execute((owner, key, position))?;
    }
    tx.prepare_cached("DELETE FROM tag_styles WHERE user_id = ?1 AND shelf = 0 AND icon IS NULL")?.execute([owner])?;
    make_room(tx, owner)?;
    counters::changed(tx, owner)
}

/// Deletes the styles of tags that no book has, once a library has more styles than [`MOST_SHOWN`].
///
/// # Errors
/// [`TooManyShown`] when the tags of its books alone have more; the database's.
fn make_room(tx: &Tx<'_>, owner: UserId) -> Result<()> {
    let styles = styles(tx, owner)?;
    let too_many = |count: usize| i64::try_from(count).is_ok_and(|count| count > MOST_SHOWN);
    if !too_many(styles.len()) {
        return Ok(());
    }
    let used: BTreeSet<String> = list(tx, owner)?.iter().map(|tag| tag_key(&tag.name)).collect();
    let mut forget = tx.prepare_cached("DELETE FROM tag_styles WHERE user_id = ?1 AND name_key = ?2")?;
    for key in styles.keys().filter(|key| !used.contains(*key)) {
        forget.execute((owner, key))?;
    }
    if too_many(styles.keys().filter(|key| used.contains(*key)).count()) { Err(TooManyShown.into()) } else { Ok(()) }
}

/// Renames a tag in all books. Where there is a tag of the new name, both become one. Returns the operation, or `None` where nothing
/// changes.
pub fn rename(tx: &Tx<'_>, owner: UserId, name: &str, new: &str) -> Result<Option<OperationId>> {
    let before = get(tx, owner, name)?;
    let (key, new_key) = (tag_key(name), tag_key(new));
    let other = if key == new_key { None } else { get(tx, owner, new).ok() };
    let new = other.as_ref().map_or(new, |other| other.name.as_str());
    let (kind, sentence) = match &other {
        Some(other) => (
            OperationKind::Merge,
            format!("Tag \u{201c}{}\u{201d} merged into \u{201c}{}\u{201d}.", before.name, other.name),
        ),
        None => {
            (OperationKind::Rename, format!("Tag \u{201c}{}\u{201d} renamed to \u{201c}{new}\u{201d}.", before.name))
        }
    };
    replace(tx, owner, (kind, &sentence), &key, Some(new))
}

/// Takes a tag off all books.
pub fn delete(tx: &Tx<'_>, owner: UserId, name: &str) -> Result<Option<OperationId>> {
    let before = get(tx, owner, name)?;
    let sentence = format!("Tag \u{201c}{}\u{201d} deleted.", before.name);
    replace(tx, owner, (OperationKind::DeleteTag, &sentence), &tag_key(name), None)
}

/// How many books are read before they are written: the tags of a whole library may be as large as its quota.
const BOOKS_AT_ONCE: i64 = 200;

/// A book with tags, and what its undo needs besides.
struct Tagged {
    id: i64,
    tags: String,
    changes: i64,
    updated_at: String,
}

/// The next books with tags, from this id on.
fn tagged(conn: &Connection, first: i64, last: i64) -> Result<Vec<Tagged>> {
    let sql = "SELECT id, tags, changes, updated_at FROM books WHERE id BETWEEN ?1 AND ?2 AND tags <> '' ORDER BY id LIMIT ?3";
    let mut query = conn.prepare_cached(sql)?;
    let rows = query.query_map((first, last, BOOKS_AT_ONCE), |row| {
        Ok(Tagged { id: row.get(0)?, tags: row.get(1)?, changes: row.get(2)?, updated_at: row.get(3)? })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Replaces or removes a tag in all books, as an operation, together with its style.
fn replace(
    tx: &Tx<'_>,
    owner: UserId,
    (kind, sentence): (OperationKind, &str),
    key: &str,
    new: Option<&str>,
) -> Result<Option<OperationId>> {
    let new_key = new.map(tag_key);
    let named = new.zip(new_key.as_deref()).map(|(name, key)| NamedTag { name, key });
    let sql = "UPDATE books SET tags = ?2, changes = changes + 1, updated_at = ?3 WHERE id = ?1";
    let mut update = tx.prepare_cached(sql)?;
    let (mut operation, (mut first, last)) = (None, owned(owner));
    loop {
        let books = tagged(tx, first, last)?;
        let Some(newest) = books.last() else { break };
        first = newest.id + 1;
        for Tagged { id, tags, changes, updated_at } in books {
            let Some(changed) = replaced(&tags, key, named) else { continue };
            let operation = match operation {
                Some(operation) => operation,
                None => *operation.insert(begin(tx, owner, kind, sentence, None)?),
            };
            update.execute((id, &changed, tx.stamp()))?;
            let image = |tags: &str, changes: i64, updated_at: &str| {
                let values = [("tags", tags.into()), ("changes", changes.into()), ("updated_at", updated_at.into())];
                Image::from_iter(values.map(|(column, value)| (column.to_owned(), value)))
            };
            let (before, after) =
                (image(&tags, changes, &updated_at), image(&changed, changes + 1, &tx.stamp().to_string()));
            note_difference(tx, owner, operation, BookId(id), &difference(&before, &after))?;
        }
    }
    let Some(operation) = operation else { return Ok(None) };
    trim(tx, owner, operation)?;
    let new_key = new_key.filter(|new| new != key);
    let keys = std::iter::once(key).chain(new_key.as_deref()).map(str::to_owned).collect();
    with_noted_styles(tx, owner, operation, keys, || {
        if let Some(new_key) = &new_key {
            let sql = "INSERT OR IGNORE INTO tag_styles (user_id, name_key, shelf, icon, position)
                SELECT user_id, ?3, shelf, icon, position FROM tag_styles WHERE user_id = ?1 AND name_key = ?2";
            tx.prepare_cached(sql)?.execute((owner, key, new_key))?;
        }
        if new.is_none() || new_key.is_some() {
            let sql = "DELETE FROM tag_styles WHERE user_id = ?1 AND name_key = ?2";
            tx.prepare_cached(sql)?.execute((owner, key))?;
        }
        Ok(())
    })?;
    counters::changed(tx, owner)?;
    Ok(Some(operation))
}

/// Deletes how the tags of an owner are shown.
pub fn delete_all(tx: &Tx<'_>, owner: UserId) -> Result<()> {
    tx.prepare_cached("DELETE FROM tag_styles WHERE user_id = ?1")?.execute([owner])?;
    Ok(())
}
