//! The table of the to-be-read list.
use std::borrow::{Borrow, Cow};
use std::collections::{HashMap, HashSet};

use rusqlite::{Connection, Row, ToSql, named_params};

use super::model::{TbrDraft, TbrItem};
use crate::kit::db::pool::{Tx, owned};
use crate::kit::error::{Error, Result};
use crate::kit::id::UserId;
use crate::library::books::facts::each_tag;
use crate::library::books::store::words;
use crate::library::tbr::model::TbrId;
use crate::library::{counters, text};

const COLUMNS: &str =
    "id, title, author, word_count, notes, pages, isbn, position, created_at, format, tags, word_count_source";

fn item<'r>(row: &'r Row<'_>) -> rusqlite::Result<TbrItem<'r>> {
    let optional = |column| -> rusqlite::Result<_> { Ok(row.get_ref(column)?.as_str_or_null()?.map(Cow::Borrowed)) };
    Ok(TbrItem {
        id: row.get(0)?,
        title: Cow::Borrowed(words(row, 1)?),
        author: optional(2)?,
        word_count: row.get(3)?,
        notes: optional(4)?,
        pages: row.get(5)?,
        isbn: optional(6)?,
        position: row.get(7)?,
        created_at: Cow::Borrowed(words(row, 8)?),
        format: row.get(9)?,
        tags: each_tag(words(row, 10)?).map(str::to_owned).collect(),
        word_count_source: row.get(11)?,
    })
}

/// Visits the list in its reader's order.
pub fn each(conn: &Connection, owner: UserId, visit: &mut dyn FnMut(&TbrItem<'_>) -> Result<()>) -> Result<()> {
    let (first, last) = owned(owner);
    let sql = format!("SELECT {COLUMNS} FROM tbr WHERE id BETWEEN ?1 AND ?2 ORDER BY position, id");
    let mut query = conn.prepare_cached(&sql)?;
    let mut rows = query.query([first, last])?;
    while let Some(row) = rows.next()? {
        visit(&item(row)?)?;
    }
    Ok(())
}

pub fn get(conn: &Connection, owner: UserId, id: TbrId) -> Result<TbrItem<'static>> {
    let mut query = conn.prepare_cached(&format!("SELECT {COLUMNS} FROM tbr WHERE user_id = ?1 AND id = ?2"))?;
    let mut rows = query.query((owner, id))?;
    let row = rows.next()?.ok_or(Error::NotFound)?;
    Ok(item(row)?.into_owned())
}

/// Adds items at the end of the list, in order. Returns the id of the first; the others follow it.
pub fn append(tx: &Tx<'_>, owner: UserId, drafts: &[impl Borrow<TbrDraft>]) -> Result<TbrId> {
    let first_id = counters::add_items(tx, owner, i64::try_from(drafts.len()).unwrap_or(i64::MAX))?;
    counters::add_texts(tx, owner, drafts.iter().map(|draft| bytes(draft.borrow())).sum())?;
    let (first, last) = owned(owner);
    let end: i64 = tx
        .prepare_cached("SELECT coalesce(max(position), 0) FROM tbr WHERE id BETWEEN ?1 AND ?2")?
        .query_row([first, last], |row| row.get(0))?;
    let stamp = tx.stamp();
    for (offset, draft) in (0..).zip(drafts) {
        let place = Place { id: first_id + offset, position: end + 1 + offset, changes: 0, created_at: &stamp };
        insert(tx, owner, &place, draft.borrow())?;
    }
    Ok(TbrId(first_id))
}

/// The bytes of a new item for the quota.
pub fn bytes(draft: &TbrDraft) -> i64 {
    let optional = |text: &Option<String>| text.as_deref().map_or(0, counters::bytes);
    counters::bytes(&draft.title)
        + optional(&draft.author)
        + optional(&draft.notes)
        + counters::bytes(&draft.tags.join(","))
}

/// What a row of the list has besides the content of its item.
pub struct Place<'p> {
    /// The number of the item.
    pub id: i64,
    /// Its place on the list.
    pub position: i64,
    /// How often it was changed.
    pub changes: i64,
    /// When it was added.
    pub created_at: &'p dyn ToSql,
}

/// Writes the row of an item that is counted already.
pub fn insert(tx: &Tx<'_>, owner: UserId, place: &Place<'_>, draft: &TbrDraft) -> Result<()> {
    tx.prepare_cached(
        "INSERT INTO tbr (id, user_id, position, title, title_key, author, author_key, word_count, pages, isbn, notes, changes, created_at,
         format, tags, word_count_source)
         VALUES (:id, :owner, :position, :title, :title_key, :author, :author_key, :words, :pages, :isbn, :notes, :changes, :created_at,
         :format, :tags, :source)",
    )?
    .execute(named_params! {
        ":id": place.id,
        ":owner": owner,
        ":position": place.position,
        ":title": draft.title,
        ":title_key": text::title_key(&draft.title),
        ":author": draft.author,
        ":author_key": draft.author.as_deref().map(text::name_key),
        ":words": draft.word_count,
        ":pages": draft.pages,
        ":isbn": draft.isbn,
        ":notes": draft.notes,
        ":changes": place.changes,
        ":created_at": place.created_at,
        ":format": draft.format,
        ":tags": draft.tags.join(","),
        ":source": draft.word_count_source,
    })?;
    Ok(())
}

pub fn update(tx: &Tx<'_>, owner: UserId, id: TbrId, draft: &TbrDraft) -> Result<()> {
    let sql = "UPDATE tbr SET title = :title, title_key = :title_key, author = :author, author_key = :author_key,
        word_count = :words, pages = :pages, isbn = :isbn, notes = :notes, format = :format, tags = :tags,
        word_count_source = :source, changes = changes + 1
        WHERE user_id = :owner AND id = :id";
    let written = tx.prepare_cached(sql)?.execute(named_params! {
        ":id": id,
        ":owner": owner,
        ":title": draft.title,
        ":title_key": text::title_key(&draft.title),
        ":author": draft.author,
        ":author_key": draft.author.as_deref().map(text::name_key),
        ":words": draft.word_count,
        ":pages": draft.pages,
        ":isbn": draft.isbn,
        ":notes": draft.notes,
        ":format": draft.format,
        ":tags": draft.tags.join(","),
        ":source": draft.word_count_source,
    })?;
    if written == 0 { Err(Error::NotFound) } else { counters::changed(tx, owner) }
}

pub fn delete(tx: &Tx<'_>, owner: UserId, id: TbrId) -> Result<()> {
    let gone = tx.prepare_cached("DELETE FROM tbr WHERE user_id = ?1 AND id = ?2")?.execute((owner, id))?;
    if gone == 0 { Err(Error::NotFound) } else { counters::changed(tx, owner) }
}

/// Deletes the whole list of an owner.
pub fn delete_all(tx: &Tx<'_>, owner: UserId) -> Result<()> {
    let (first, last) = owned(owner);
    tx.prepare_cached("DELETE FROM tbr WHERE id BETWEEN ?1 AND ?2")?.execute([first, last])?;
    counters::changed(tx, owner)
}

/// Changes the order of the list. `ids` must contain every item exactly once.
///
/// # Errors
/// [`Error::NotFound`] for an item that does not exist or is another owner's; [`Error::Invalid`] for one that is missing or named
/// twice; the database's.
pub fn reorder(tx: &Tx<'_>, owner: UserId, ids: &[TbrId]) -> Result<()> {
    let former = check_order(tx, owner, ids)?;
    let mut place = tx.prepare_cached("UPDATE tbr SET position = ?3 WHERE user_id = ?1 AND id = ?2")?;
    for (position, id) in (1_i64..).zip(ids).filter(|(position, id)| former.get(id) != Some(position)) {
        place.execute((owner, *id, position))?;
    }
    counters::changed(tx, owner)
}

/// Refuses an order that does not contain every item exactly once. Returns the current positions. It is also called before the
/// write, so that a wrong order does not use the writer.
pub fn check_order(conn: &Connection, owner: UserId, ids: &[TbrId]) -> Result<HashMap<TbrId, i64>> {
    let (first, last) = owned(owner);
    let mut query = conn.prepare_cached("SELECT id, position FROM tbr WHERE id BETWEEN ?1 AND ?2")?;
    let positions = query.query_map([first, last], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let former = positions.collect::<rusqlite::Result<HashMap<TbrId, i64>>>()?;
    if ids.iter().any(|id| !former.contains_key(id)) {
        return Err(Error::NotFound);
    }
    let named: HashSet<_> = ids.iter().collect();
    if named.len() != ids.len() || named.len() != former.len() {
        return Err(Error::invalid_field(
            "bookIds",
            "The new order must contain every item of your list exactly once.",
        ));
    }
    Ok(former)
}
