//! Reads in progress that go back to the to-be-read list, and their undo: a read is kept with its texts, its log, its cover and its link
//! to an import as it was.
use std::collections::{BTreeMap, BTreeSet, HashSet};

use rusqlite::{Connection, OptionalExtension as _};
use serde::{Deserialize, Serialize};

use super::note_former;
use super::rows::{Row, has_import_row, insert, number, select};
use crate::kit::db::pool::{Tx, owned};
use crate::kit::error::Result;
use crate::kit::id::UserId;
use crate::library::books::model::{BookDraft, BookId, BookStatus};
use crate::library::books::store as books;
use crate::library::books::store::{common, works};
use crate::library::import::history::model::KeptImportItem;
use crate::library::operations::model::OperationId;
use crate::library::tbr::model::{TbrDraft, TbrId};
use crate::library::{counters, import, tbr};

/// A read that went back to the list.
const RETURNED: &str = "returned";

/// The tables with rows of a read, and their columns with its id.
const TABLES: [(&str, &str); 6] = [
    ("books", "id"),
    ("book_texts", "book_id"),
    ("reading_days", "book_id"),
    ("read_months", "book_id"),
    ("imported_books", "book_id"),
    // What devices said of its days, without which each of them would be taken for one that was noted by hand.
    ("device_days", "book_id"),
];

#[derive(Debug, Serialize, Deserialize)]
struct ReturnedRead {
    book: BookId,
    /// The item that it became; none where it was on the list already.
    item: Option<TbrId>,
    /// The other reads of the book.
    others: Vec<BookId>,
    /// The rows of each table in [`TABLES`], in an earlier version without the last of them.
    rows: Vec<Vec<Row>>,
    /// The documents of devices that moved it, and whether it was in progress when each was linked.
    #[serde(default)]
    documents: Vec<(i64, bool)>,
    /// Its cover, if no other read has it.
    cover: Option<Row>,
}

/// Those of some reads that can go back to the list: whoever has a link to the list would see a private book there.
pub fn without_private(conn: &Connection, owner: UserId, reads: &[BookId]) -> Result<Vec<BookId>> {
    let (first, last) = owned(owner);
    let mut query = conn.prepare_cached("SELECT id FROM books WHERE id BETWEEN ?1 AND ?2 AND private")?;
    let private = query.query_map([first, last], |row| row.get(0))?;
    let private = private.collect::<rusqlite::Result<BTreeSet<BookId>>>()?;
    Ok(reads.iter().filter(|id| !private.contains(id)).copied().collect())
}

/// Puts reads back on the list, behind its items and in the order of their ids. A read whose book is on the list already only goes. `adapt`
/// changes what the item is made of. Returns how many reads went.
pub fn put_back(
    tx: &Tx<'_>,
    owner: UserId,
    operation: OperationId,
    reads: &[BookId],
    adapt: impl Fn(&mut BookDraft) -> Result<()>,
) -> Result<usize> {
    if reads.is_empty() {
        return Ok(0);
    }
    let items = append_items(tx, owner, reads, adapt)?;
    remove(tx, owner, operation, reads, &items)?;
    Ok(reads.len())
}

/// Removes reads that become these items.
fn remove(
    tx: &Tx<'_>,
    owner: UserId,
    operation: OperationId,
    reads: &[BookId],
    items: &BTreeMap<BookId, TbrId>,
) -> Result<()> {
    if reads.is_empty() {
        return Ok(());
    }
    let others = other_reads(tx, owner, reads)?;
    for id in reads {
        let item = items.get(id).copied();
        if let Some(item) = item {
            let sql = "INSERT INTO imported_items (item_id, row_id, row_key, newer_row, made)
                SELECT ?1, row_id, row_key, newer_row, made FROM imported_books WHERE book_id = ?2";
            tx.prepare_cached(sql)?.execute((item, id))?;
        }
        let rows = TABLES.map(|(table, column)| select(tx, table, "*", &[(column.to_owned(), id.0)]));
        let note = ReturnedRead {
            book: *id,
            item,
            others: others.get(id).cloned().unwrap_or_default(),
            rows: rows.into_iter().collect::<Result<_>>()?,
            documents: documents_of(tx, *id)?,
            cover: last_cover(tx, *id)?,
        };
        // The note does not belong to the book, with which it would be deleted.
        note_former(tx, owner, operation, RETURNED, None, &serde_json::to_string(&note)?)?;
        tx.prepare_cached("DELETE FROM books WHERE id = ?1")?.execute([id])?;
    }
    works::rename_headless(tx, owner)?;
    counters::remove_books(tx, owner, i64::try_from(reads.len()).unwrap_or(0))
}

/// Takes reads away, without an item for them.
pub fn take_away(tx: &Tx<'_>, owner: UserId, operation: OperationId, reads: &[BookId]) -> Result<()> {
    remove(tx, owner, operation, reads, &BTreeMap::new())
}

/// How many items are made at a time: their notes may be long.
const ITEMS_AT_ONCE: usize = 500;

/// Adds the items of reads to the list, unless it has an equal one. Returns those that are new.
fn append_items(
    tx: &Tx<'_>,
    owner: UserId,
    reads: &[BookId],
    adapt: impl Fn(&mut BookDraft) -> Result<()>,
) -> Result<BTreeMap<BookId, TbrId>> {
    let mut listed: HashSet<(String, String)> = import::waiting(tx, owner)?.into_keys().collect();
    let mut items = BTreeMap::new();
    for reads in reads.chunks(ITEMS_AT_ONCE) {
        let (mut of, mut drafts) = (Vec::new(), Vec::new());
        for id in reads {
            let mut draft = books::get(tx, owner, *id)?.draft();
            adapt(&mut draft)?;
            let draft = TbrDraft::of_read(&draft);
            if listed.insert(import::name_of(&draft.title, draft.author.as_deref().unwrap_or_default())) {
                of.push(*id);
                drafts.push(draft);
            }
        }
        let TbrId(first) = tbr::store::append(tx, owner, &drafts)?;
        items.extend((first..).zip(of).map(|(item, read)| (read, TbrId(item))));
    }
    Ok(items)
}

/// The other reads of the books of these reads, as far as there are any.
fn other_reads(conn: &Connection, owner: UserId, reads: &[BookId]) -> Result<BTreeMap<BookId, Vec<BookId>>> {
    let (first, last) = owned(owner);
    let mut query = conn.prepare_cached("SELECT work, id FROM books WHERE id BETWEEN ?1 AND ?2 ORDER BY id")?;
    let mut works = BTreeMap::<BookId, Vec<BookId>>::new();
    for read in query.query_map([first, last], |row| Ok((row.get(0)?, row.get(1)?)))? {
        let (work, id): (BookId, BookId) = read?;
        works.entry(work).or_default().push(id);
    }
    let reads: BTreeSet<_> = reads.iter().collect();
    let mut others = BTreeMap::new();
    for members in works.values().filter(|members| members.len() > 1) {
        for id in members.iter().filter(|id| reads.contains(id)) {
            others.insert(*id, members.iter().copied().filter(|other| other != id).collect());
        }
    }
    Ok(others)
}

fn documents_of(conn: &Connection, book: BookId) -> Result<Vec<(i64, bool)>> {
    let mut query = conn.prepare_cached("SELECT id, linked_open FROM documents WHERE book_id = ?1 ORDER BY id")?;
    let documents = query.query_map([book], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(documents.collect::<rusqlite::Result<_>>()?)
}

/// The cover of a read that no other read has.
fn last_cover(conn: &Connection, book: BookId) -> Result<Option<Row>> {
    let sql = "SELECT c.id FROM books b JOIN covers c ON c.id = b.cover WHERE b.id = ?1 AND c.uses = 1";
    let id: Option<i64> = conn.prepare_cached(sql)?.query_row([book], |row| row.get(0)).optional()?;
    match id {
        Some(id) => Ok(select(conn, "covers", "*", &[("id".to_owned(), id)])?.pop()),
        None => Ok(None),
    }
}

/// Takes the reads of an operation from the list again. An item that was changed, started or deleted since stays as it is, and its read
/// away. Returns how many reads are back, and the items that stay.
pub(super) fn take_back(tx: &Tx<'_>, owner: UserId, operation: OperationId) -> Result<(usize, Vec<KeptImportItem>)> {
    let (mut back, mut kept) = (0, Vec::new());
    for note in super::undo::noted_of_kind(tx, owner, operation, RETURNED)? {
        let note: ReturnedRead = serde_json::from_str(&note)?;
        if let Some(item) = note.item {
            let sql = "SELECT title, changes FROM tbr WHERE id = ?1";
            let found = tx.prepare_cached(sql)?.query_row([item], |row| Ok((row.get(0)?, row.get::<_, i64>(1)?)));
            match found.optional()? {
                Some((_, 0)) => tbr::store::delete(tx, owner, item)?,
                Some((title, _)) => {
                    kept.push(KeptImportItem { id: item.0, title });
                    continue;
                }
                None => continue,
            }
        }
        restore(tx, owner, &note)?;
        back += 1;
    }
    counters::restore_books(tx, owner, i64::try_from(back).unwrap_or(0))?;
    Ok((back, kept))
}

fn restore(tx: &Tx<'_>, owner: UserId, note: &ReturnedRead) -> Result<()> {
    if let Some(cover) = &note.cover {
        let mut cover = cover.clone();
        // The trigger of the book's row counts its use.
        cover.insert("uses".to_owned(), 0.into());
        insert(tx, "covers", &cover)?;
    }
    let (work, other) = work_for(tx, owner, note)?;
    for ((table, _), rows) in TABLES.iter().zip(&note.rows) {
        for row in rows {
            let mut row = row.clone();
            match *table {
                "books" => drop(row.insert("work".to_owned(), work.0.into())),
                "imported_books" if !has_import_row(tx, number(&row, "newer_row").or(number(&row, "row_id")))? => {
                    continue;
                }
                _ => {}
            }
            insert(tx, table, &row)?;
        }
    }
    let link = "UPDATE documents SET book_id = ?2, linked_open = ?3 WHERE id = ?1 AND book_id IS NULL AND NOT ignored";
    for (document, is_open) in &note.documents {
        tx.prepare_cached(link)?.execute((document, note.book, is_open))?;
    }
    let draft = books::get(tx, owner, note.book)?.draft();
    counters::add_texts(tx, owner, books::bytes(&draft)?)?;
    // What belongs to the book may have changed since.
    other.map_or(Ok(()), |other| common::share_facts(tx, owner, work, other))
}

/// The work of a read that comes back, and another read of it: that of its former other reads, or one of its own where they are gone or
/// have another read in progress by now.
fn work_for(tx: &Tx<'_>, owner: UserId, note: &ReturnedRead) -> Result<(BookId, Option<BookId>)> {
    let mut query = tx.prepare_cached("SELECT work FROM books WHERE id = ?1")?;
    let mut found = None;
    for other in &note.others {
        let work: Option<BookId> = query.query_row([other], |row| row.get(0)).optional()?;
        found = found.or(work.map(|work| (work, *other)));
    }
    let Some((work, other)) = found else { return Ok((note.book, None)) };
    if works::state(tx, owner, work)?.takes(BookStatus::InProgress).is_err() {
        return Ok((note.book, None));
    }
    if work < note.book {
        return Ok((work, Some(other)));
    }
    // A work has the id of its first read.
    let (first, last) = owned(owner);
    let sql = "UPDATE books SET work = ?3 WHERE id BETWEEN ?1 AND ?2 AND work = ?4";
    tx.prepare_cached(sql)?.execute((first, last, note.book, work))?;
    Ok((note.book, Some(other)))
}
