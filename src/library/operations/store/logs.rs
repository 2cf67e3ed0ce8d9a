//! Days that an operation writes into logs, and their undo.
use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::note_former;
use crate::kit::db::pool::Tx;
use crate::kit::error::Result;
use crate::kit::id::UserId;
use crate::library::books::log::{Length, ReadingDay, listed, read_list};
use crate::library::books::model::BookId;
use crate::library::books::store as books;
use crate::library::books::store::days;
use crate::library::operations::model::OperationId;

/// A day that was written into a log.
pub const DAY: &str = "day";

#[derive(Debug, Serialize, Deserialize)]
struct DayNote {
    /// The day that there was, in the form of our own files; empty where there was none.
    before: String,
    after: String,
}

/// Writes a day of a log, and notes the one that it replaces.
pub fn write_day(tx: &Tx<'_>, owner: UserId, operation: OperationId, id: BookId, day: &ReadingDay) -> Result<()> {
    let before = days::on(tx, id, day.day)?;
    days::put(tx, id, day)?;
    let note = DayNote { before: listed(before.as_slice())?, after: listed(std::slice::from_ref(day))? };
    note_former(tx, owner, operation, DAY, Some(id), &serde_json::to_string(&note)?)
}

/// Places by page or by time follow another length while a read is under way.
pub fn repaginate(tx: &Tx<'_>, owner: UserId, operation: OperationId, id: BookId) -> Result<()> {
    let book = books::get(tx, owner, id)?;
    if !book.status.is_under_way() {
        return Ok(());
    }
    for day in days::of(tx, id)? {
        let at = day.place_in(Length::of(&book));
        if at.is_some() && at != day.at {
            write_day(tx, owner, operation, id, &ReadingDay { at, ..day })?;
        }
    }
    Ok(())
}

/// Takes back the days that an operation wrote, newest first. The places of `repaginated` books are those of their former length already.
pub(super) fn take_back(
    tx: &Tx<'_>,
    owner: UserId,
    operation: OperationId,
    repaginated: &BTreeSet<BookId>,
) -> Result<()> {
    let sql = "SELECT book_id, before FROM undo WHERE user_id = ?1 AND operation = ?2 AND kind = ?3 ORDER BY seq DESC";
    let mut query = tx.prepare_cached(sql)?;
    let notes = query.query_map((owner, operation, DAY), |row| Ok((row.get(0)?, row.get::<_, String>(1)?)))?;
    for (book, note) in notes.collect::<rusqlite::Result<Vec<_>>>()? {
        restore_day(tx, book, &serde_json::from_str(&note)?, repaginated.contains(&book))?;
    }
    Ok(())
}

/// Gives a log its former day, unless the day was changed since. Where the log `is_repaginated`, another place of the same page or time is
/// not a change.
fn restore_day(tx: &Tx<'_>, book: BookId, note: &DayNote, is_repaginated: bool) -> Result<()> {
    let one = |text: &str| read_list(text).and_then(|days| days.into_iter().next());
    let Some(after) = one(&note.after) else { return Ok(()) };
    let Some(mut now) = days::on(tx, book, after.day)? else { return Ok(()) };
    if is_repaginated && (now.page.is_some() || now.time.is_some()) {
        now.at = after.at;
    }
    if now != after {
        return Ok(());
    }
    match one(&note.before) {
        Some(before) => days::put(tx, book, &before),
        None => days::delete(tx, book, after.day),
    }
}
