//! Undoes an operation: books get their former values, and what it made is removed.
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use rusqlite::Connection;
use serde_json::{Map, Value};

use super::images::{Image, image, restored, write};
use super::{
    CHANGED, FormerStyles, PART, RestoredPart, STYLES, StyleRow, get, logs, of_import, returned, rows, styles,
};
use crate::kit::db::pool::{Tx, owned};
use crate::kit::error::{Error, Result};
use crate::kit::id::UserId;
use crate::library::books::log::Length;
use crate::library::books::model::{BookId, BookStatus};
use crate::library::books::reads::WorkState;
use crate::library::books::store as books;
use crate::library::books::store::{common, days, works};
use crate::library::counters;
use crate::library::import::complete::Parts;
use crate::library::import::history::model::{ImportId, KeptImportItem};
use crate::library::import::history::{model, store as imports};
use crate::library::operations::model::{OperationId, OperationRefusal, OperationUndo};

/// A row of the undo of an operation.
struct Noted {
    kind: String,
    book: BookId,
    difference: Map<String, Value>,
}

/// Undoes an operation. What was changed since stays, and its books are named.
///
/// # Errors
/// [`Error::NotFound`](crate::kit::Error::NotFound) for an operation of somebody else;
/// [`OperationRefusal::AlreadyUndone`]; the database's.
pub fn undo(tx: &Tx<'_>, owner: UserId, id: OperationId, parts: Parts) -> Result<OperationUndo> {
    let (import, undone_at) = get(tx, owner, id)?;
    if undone_at.is_some() {
        return Err(OperationRefusal::AlreadyUndone.into());
    }
    if let Some(import) = import {
        let leaving = imports::removable(tx, owner, import)?;
        let mut undone = take_back(tx, owner, id, &leaving, parts)?;
        let model::ImportUndo { removed, removed_tbr, restored_tbr, kept, kept_tbr } =
            imports::undo(tx, owner, import)?;
        undone.restored += restored_tbr;
        undone.removed += removed + removed_tbr;
        let known: BTreeSet<_> = undone.kept.iter().map(|book| book.id).collect();
        undone.kept.extend(kept.into_iter().filter(|book| !known.contains(&book.id)));
        undone.kept.extend(kept_tbr);
        return Ok(undone);
    }
    let undone = take_back(tx, owner, id, &HashSet::new(), parts)?;
    tx.prepare_cached("UPDATE operations SET undone_at = ?2 WHERE id = ?1")?.execute((id, tx.stamp()))?;
    Ok(undone)
}

/// Undoes an import with what its operation noted of other books.
pub fn undo_import(tx: &Tx<'_>, owner: UserId, import: ImportId, parts: Parts) -> Result<model::ImportUndo> {
    let leaving = imports::removable(tx, owner, import)?;
    for operation in of_import(tx, owner, import)? {
        take_back(tx, owner, operation, &leaving, parts)?;
    }
    imports::undo(tx, owner, import)
}

/// Takes back what is noted of an operation, and forgets the notes. `leaving` are books that the caller deletes after that.
fn take_back(
    tx: &Tx<'_>,
    owner: UserId,
    id: OperationId,
    leaving: &HashSet<BookId>,
    parts: Parts,
) -> Result<OperationUndo> {
    let mut undone = OperationUndo::default();
    let (mut kept, mut logged, mut repaginated) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let noted = noted(tx, owner, id)?;
    let limits = Limits::of(tx, owner, &noted, leaving)?;
    for Noted { kind, book, difference } in noted {
        if kind == logs::DAY {
            logged.insert(book);
        }
        if kind != CHANGED {
            continue;
        }
        let Some(now) = image(tx, owner, book)? else { continue };
        logged.insert(book);
        let back = restored(&difference, &now, &limits.refused(book, &difference, &now));
        if back.keeps {
            kept.insert(book);
        }
        if !back.values.is_empty() {
            write(tx, owner, book, &back.values)?;
            undone.restored += 1;
        }
        if back.values.contains_key("pages") || back.values.contains_key("minutes") {
            let read = books::get(tx, owner, book)?;
            if read.status.is_under_way() {
                days::repaginate(tx, book, Length::of(&read))?;
                repaginated.insert(book);
            }
        }
    }
    let (reads, kept_items) = returned::take_back(tx, owner, id)?;
    undone.restored += reads;
    undone.kept.extend(kept_items);
    let (items, kept_items) = rows::take_back(tx, owner, id)?;
    logs::take_back(tx, owner, id, &repaginated)?;
    undone.restored += items;
    undone.kept.extend(kept_items);
    // The months follow from the values and from the log, which are both restored now.
    for book in logged {
        days::settle_months(tx, &books::get(tx, owner, book)?)?;
    }
    restore_styles(tx, owner, id)?;
    take_back_parts(tx, owner, id, parts)?;
    works::follow(tx, owner)?;
    works::rename_headless(tx, owner)?;
    common::agree(tx, owner)?;
    for book in kept {
        let book = books::get(tx, owner, book)?;
        undone.kept.push(KeptImportItem { id: book.id.0, title: book.title.into_owned() });
    }
    tx.prepare_cached("DELETE FROM undo WHERE user_id = ?1 AND operation = ?2")?.execute((owner, id))?;
    counters::changed(tx, owner)?;
    Ok(undone)
}

/// What other books do not allow an undo to restore, because they were changed since.
#[derive(Debug, Default)]
struct Limits {
    /// The books that can't go back to their former work.
    apart: HashSet<BookId>,
    /// The reads in progress of each work.
    open: HashMap<i64, Vec<BookId>>,
}

impl Limits {
    fn of(tx: &Tx<'_>, owner: UserId, noted: &[Noted], leaving: &HashSet<BookId>) -> Result<Self> {
        let changed = || noted.iter().filter(|noted| noted.kind == CHANGED);
        let mut limits = Self { apart: parted(tx, owner, changed())?, open: HashMap::new() };
        if changed().any(|noted| opens(&noted.difference)) {
            let (first, last) = owned(owner);
            let sql = "SELECT work, id FROM books WHERE id BETWEEN ?1 AND ?2 AND status = 'in-progress'";
            let mut query = tx.prepare_cached(sql)?;
            let reads = query.query_map([first, last], |row| Ok((row.get(0)?, row.get(1)?)))?;
            for read in reads {
                let (work, id) = read?;
                if !leaving.contains(&id) {
                    limits.open.entry(work).or_default().push(id);
                }
            }
        }
        Ok(limits)
    }

    /// The columns of a book that stay as they are.
    fn refused(&self, book: BookId, difference: &Image, now: &Image) -> Vec<&'static str> {
        let open = now.get("work").and_then(Value::as_i64).and_then(|work| self.open.get(&work));
        let is_second = opens(difference) && open.is_some_and(|open| open.iter().any(|other| *other != book));
        let columns = [("work", self.apart.contains(&book)), ("status", is_second)];
        columns.into_iter().filter(|(_, is_refused)| *is_refused).map(|(column, _)| column).collect()
    }
}

/// The former and the later value of a column.
fn pair<'d>(difference: &'d Image, column: &str) -> Option<(&'d Value, &'d Value)> {
    let pair = difference.get(column)?.as_array()?;
    Some((pair.first()?, pair.get(1)?))
}

/// Whether taking back a difference makes a read one in progress.
fn opens(difference: &Image) -> bool {
    pair(difference, "status").is_some_and(|(former, _)| former == BookStatus::InProgress.name())
}

/// The books that can't go back to their former work: with the reads that joined them since, it would have another read in progress by now,
/// or too many reads, or what is equal in all reads of a work was changed since.
fn parted<'n>(conn: &Connection, owner: UserId, changed: impl Iterator<Item = &'n Noted>) -> Result<HashSet<BookId>> {
    let mut going: BTreeMap<i64, Vec<BookId>> = BTreeMap::new();
    for Noted { book, difference, .. } in changed {
        if let Some(work) = pair(difference, "work").and_then(|(former, _)| former.as_i64()) {
            going.entry(work).or_default().push(*book);
        }
    }
    let mut parted = HashSet::new();
    for (work, reads) in going {
        let work = BookId(work);
        let left = match works::state(conn, owner, work) {
            Err(Error::NotFound) => continue,
            left => left?,
        };
        let facts = common::facts_of(conn, work)?;
        let (mut moving, mut agrees) = (BTreeSet::from_iter(reads.iter().copied()), true);
        for read in &reads {
            let book = books::get(conn, owner, *read)?;
            agrees &= book.facts.of_work() == facts.of_work();
            if book.work == *read {
                moving.extend(works::ids(conn, owner, *read)?);
            }
        }
        let mut state = WorkState::default();
        for read in moving {
            state.add(read, books::get(conn, owner, read)?.status);
        }
        if !agrees || left.joined(state).is_err() {
            parted.extend(reads);
        }
    }
    Ok(parted)
}

/// Shows tags as they were shown before an operation, unless that was changed since.
fn restore_styles(tx: &Tx<'_>, owner: UserId, id: OperationId) -> Result<()> {
    for former in noted_of_kind(tx, owner, id, STYLES)? {
        let FormerStyles { keys, rows, left } = serde_json::from_str(&former)?;
        let now = styles(tx, owner, &keys)?;
        // The other shelves may have moved this one since.
        let shown = |styles: &[StyleRow], key: &str| {
            styles.iter().find(|style| style.0 == key).map(|(_, shelf, icon, _)| (*shelf, icon.clone()))
        };
        let free: HashSet<String> = keys
            .into_iter()
            .filter(|key| left.as_ref().is_none_or(|left| shown(left, key) == shown(&now, key)))
            .collect();
        for key in &free {
            let sql = "DELETE FROM tag_styles WHERE user_id = ?1 AND name_key = ?2";
            tx.prepare_cached(sql)?.execute((owner, key))?;
        }
        for (key, shelf, icon, position) in rows.into_iter().filter(|style| free.contains(&style.0)) {
            let sql = "INSERT INTO tag_styles (user_id, name_key, shelf, icon, position) VALUES (?1, ?2, ?3, ?4, ?5)";
            tx.prepare_cached(sql)?.execute((owner, key, shelf, icon, position))?;
        }
    }
    Ok(())
}

/// Takes back what other modules restored from a complete export.
fn take_back_parts(tx: &Tx<'_>, owner: UserId, id: OperationId, parts: Parts) -> Result<()> {
    for noted in noted_of_kind(tx, owner, id, PART)? {
        let RestoredPart { file, made } = serde_json::from_str(&noted)?;
        if let Some(part) = parts.iter().find(|part| part.file == file) {
            (part.undo)(tx, owner, made)?;
        }
    }
    Ok(())
}

/// The notes of a kind that are about no book, newest first.
pub(super) fn noted_of_kind(tx: &Tx<'_>, owner: UserId, id: OperationId, kind: &str) -> Result<Vec<String>> {
    let sql = "SELECT before FROM undo WHERE user_id = ?1 AND operation = ?2 AND kind = ?3 ORDER BY seq DESC";
    let mut query = tx.prepare_cached(sql)?;
    let noted = query.query_map((owner, id, kind), |row| row.get(0))?;
    Ok(noted.collect::<rusqlite::Result<_>>()?)
}

/// What is noted of the books of an operation, newest first.
fn noted(tx: &Tx<'_>, owner: UserId, id: OperationId) -> Result<Vec<Noted>> {
    let sql = "SELECT kind, book_id, before FROM undo WHERE user_id = ?1 AND operation = ?2 AND book_id IS NOT NULL
        ORDER BY seq DESC";
    let mut query = tx.prepare_cached(sql)?;
    let mut rows = query.query((owner, id))?;
    let mut noted = Vec::new();
    while let Some(row) = rows.next()? {
        let before: String = row.get(2)?;
        noted.push(Noted { kind: row.get(0)?, book: row.get(1)?, difference: serde_json::from_str(&before)? });
    }
    Ok(noted)
}
