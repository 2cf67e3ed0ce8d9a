//! Undoes an operation: books get their former values, and what it made is removed.
use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::images::{images, restored, write};
use super::{CHANGED, FormerStyles, MADE, PART, RestoredPart, STYLES, get, of_import};
use crate::kit::db::pool::Tx;
use crate::kit::error::Result;
use crate::kit::id::UserId;
use crate::library::books::model::BookId;
use crate::library::books::store as books;
use crate::library::books::store::{common, days, works};
use crate::library::counters;
use crate::library::import::complete::Parts;
use crate::library::import::history::model::{ImportId, KeptEntry};
use crate::library::import::history::{model, store as imports};
use crate::library::import::sync::store::undo as sync;
use crate::library::operations::model::{OperationId, OperationRefusal, Undone};

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
pub fn undo(tx: &Tx<'_>, owner: UserId, id: OperationId, parts: Parts) -> Result<Undone> {
    let (import, undone_at) = get(tx, owner, id)?;
    if undone_at.is_some() {
        return Err(OperationRefusal::AlreadyUndone.into());
    }
    if let Some(import) = import {
        let mut undone = take_back(tx, owner, id, parts)?;
        let model::Undone { removed, removed_tbr, restored_tbr, kept, kept_tbr } = imports::undo(tx, owner, import)?;
        undone.restored += restored_tbr;
        undone.removed += removed + removed_tbr;
        let known: BTreeSet<_> = undone.kept.iter().map(|book| book.id).collect();
        undone.kept.extend(kept.into_iter().filter(|book| !known.contains(&book.id)));
        undone.kept.extend(kept_tbr);
        return Ok(undone);
    }
    let undone = take_back(tx, owner, id, parts)?;
    tx.prepare_cached("UPDATE operations SET undone_at = ?2 WHERE id = ?1")?.execute((id, tx.stamp()))?;
    Ok(undone)
}

/// Undoes an import with what its operation noted of other books.
///
/// # Errors
/// As [`undo`].
pub fn undo_import(tx: &Tx<'_>, owner: UserId, import: ImportId, parts: Parts) -> Result<model::Undone> {
    for operation in of_import(tx, owner, import)? {
        take_back(tx, owner, operation, parts)?;
    }
    imports::undo(tx, owner, import)
}

/// Takes back what is noted of an operation, and forgets the notes.
fn take_back(tx: &Tx<'_>, owner: UserId, id: OperationId, parts: Parts) -> Result<Undone> {
    let mut undone = Undone::default();
    let (mut kept, mut logged, mut repaginated) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for Noted { kind, book, difference } in noted(tx, owner, id)? {
        if kind == sync::DAY {
            logged.insert(book);
        }
        if kind != MADE && kind != CHANGED {
            continue;
        }
        let now = images(tx, owner, [book])?;
        let Some(now) = now.0.get(&book) else { continue };
        if kind == MADE {
            if now.get("changes").and_then(Value::as_i64) == Some(0) {
                books::delete(tx, owner, book)?;
                undone.removed += 1;
            } else {
                kept.insert(book);
            }
            continue;
        }
        logged.insert(book);
        let back = restored(&difference, now);
        if back.keeps {
            kept.insert(book);
        }
        if !back.values.is_empty() {
            write(tx, owner, book, &back.values)?;
            undone.restored += 1;
        }
        if back.values.contains_key("pages") {
            let read = books::get(tx, owner, book)?;
            if let Some(pages) = read.pages.filter(|_| read.status.is_under_way()) {
                days::repaginate(tx, book, pages)?;
                repaginated.insert(book);
            }
        }
    }
    let (items, kept_items) = sync::take_back(tx, owner, id, &repaginated)?;
    undone.restored += items;
    undone.kept.extend(kept_items);
    // The months follow from the values and from the log, which are both restored now.
    for book in logged {
        days::settle_months(tx, &books::get(tx, owner, book)?)?;
    }
    restore_styles(tx, owner, id)?;
    take_back_parts(tx, owner, id, parts)?;
    works::rename_headless(tx, owner)?;
    common::agree(tx, owner)?;
    for book in kept {
        let book = books::get(tx, owner, book)?;
        undone.kept.push(KeptEntry { id: book.id.0, title: book.title.into_owned() });
    }
    tx.prepare_cached("DELETE FROM undo WHERE user_id = ?1 AND operation = ?2")?.execute((owner, id))?;
    counters::changed(tx, owner)?;
    Ok(undone)
}

/// Shows tags as they were shown before an operation.
fn restore_styles(tx: &Tx<'_>, owner: UserId, id: OperationId) -> Result<()> {
    for former in noted_of_kind(tx, owner, id, STYLES)? {
        let FormerStyles { keys, rows } = serde_json::from_str(&former)?;
        for key in keys {
            let sql = "DELETE FROM tag_styles WHERE user_id = ?1 AND name_key = ?2";
            tx.prepare_cached(sql)?.execute((owner, key))?;
        }
        for (key, shelf, icon, position) in rows {
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
fn noted_of_kind(tx: &Tx<'_>, owner: UserId, id: OperationId, kind: &str) -> Result<Vec<String>> {
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
