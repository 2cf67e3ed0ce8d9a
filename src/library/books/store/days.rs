//! The log of reads, and the months of those that are counted by it. The keys begin with the owner's, so that one range is a reader's
//! whole log.
use std::collections::{HashMap, HashSet};

use chrono::NaiveDate;
use rusqlite::{Connection, OptionalExtension as _, Row};

use super::{known_day, stored};
use crate::kit::db::pool::{Tx, owned};
use crate::kit::error::{Error, Result};
use crate::kit::id::UserId;
use crate::library::books::log::{Length, ReadingDay, WHOLE, months};
use crate::library::books::model::{Book, BookId, BookStatus, ReadingProgress, WordDistribution};
use crate::library::books::reads::{MOST_DAYS, ReadRefusal};
use crate::library::months::{name, number};

/// The newest place of each read that has one.
pub type NewestPlaces = HashMap<BookId, ReadingProgress>;

/// The newest place of each of an owner's reads, from one range.
pub fn newest(conn: &Connection, owner: UserId) -> Result<NewestPlaces> {
    let (first, last) = owned(owner);
    let sql = "SELECT day, at, page, book_id FROM reading_days WHERE book_id BETWEEN ?1 AND ?2 AND at IS NOT NULL
        ORDER BY book_id, day";
    let mut query = conn.prepare_cached(sql)?;
    let mut rows = query.query([first, last])?;
    let mut places = NewestPlaces::new();
    while let Some(row) = rows.next()? {
        places.insert(row.get(3)?, progress(row)?);
    }
    Ok(places)
}

/// The newest place of a read.
pub fn newest_of(conn: &Connection, id: BookId) -> Result<Option<ReadingProgress>> {
    let sql = "SELECT day, at, page FROM reading_days WHERE book_id = ?1 AND at IS NOT NULL ORDER BY day DESC LIMIT 1";
    Ok(conn.prepare_cached(sql)?.query_row([id], progress).optional()?)
}

fn progress(row: &Row<'_>) -> rusqlite::Result<ReadingProgress> {
    Ok(ReadingProgress { day: known_day(row, 0)?, at: row.get(1)?, page: row.get(2)? })
}

/// The reads that have a log.
pub fn logged(conn: &Connection, owner: UserId) -> Result<HashSet<BookId>> {
    let (first, last) = owned(owner);
    let mut query = conn.prepare_cached("SELECT DISTINCT book_id FROM reading_days WHERE book_id BETWEEN ?1 AND ?2")?;
    let ids = query.query_map([first, last], |row| row.get(0))?;
    Ok(ids.collect::<rusqlite::Result<_>>()?)
}

/// The reads that have a log, and whether a log is only one page on one day. For exports.
pub fn shapes(conn: &Connection, owner: UserId) -> Result<HashMap<BookId, bool>> {
    let (first, last) = owned(owner);
    let sql = "SELECT book_id, count(*) = 1 AND max(page) NOT NULL AND max(minutes) IS NULL AND max(note) IS NULL
        FROM reading_days WHERE book_id BETWEEN ?1 AND ?2 GROUP BY book_id";
    let mut query = conn.prepare_cached(sql)?;
    let shapes = query.query_map([first, last], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(shapes.collect::<rusqlite::Result<_>>()?)
}

const COLUMNS: &str = "day, at, page, minutes, note, source, time, covered";

fn day_of(row: &Row<'_>) -> rusqlite::Result<ReadingDay> {
    Ok(ReadingDay {
        day: known_day(row, 0)?,
        at: row.get(1)?,
        page: row.get(2)?,
        minutes: row.get(3)?,
        note: row.get(4)?,
        source: row.get(5)?,
        time: row.get(6)?,
        covered: row.get(7)?,
        dismissed: false,
    })
}

/// The log of a read, oldest first.
pub fn of(conn: &Connection, id: BookId) -> Result<Vec<ReadingDay>> {
    let sql = format!("SELECT {COLUMNS} FROM reading_days WHERE book_id = ?1 ORDER BY day");
    let mut query = conn.prepare_cached(&sql)?;
    let days = query.query_map([id], day_of)?;
    Ok(days.collect::<rusqlite::Result<_>>()?)
}

/// The log of a read with the days that a device has and its reader removed, oldest first.
pub fn with_dismissed(conn: &Connection, id: BookId) -> Result<Vec<ReadingDay>> {
    let mut log = of(conn, id)?;
    let sql = "SELECT day FROM device_days WHERE book_id = ?1 EXCEPT SELECT day FROM reading_days WHERE book_id = ?1";
    let mut query = conn.prepare_cached(sql)?;
    for day in query.query_map([id], |row| known_day(row, 0))? {
        log.push(ReadingDay { dismissed: true, ..ReadingDay::of(day?) });
    }
    log.sort_by_key(|logged| logged.day);
    Ok(log)
}

/// One day of a read's log.
pub fn on(conn: &Connection, id: BookId, day: NaiveDate) -> Result<Option<ReadingDay>> {
    let sql = format!("SELECT {COLUMNS} FROM reading_days WHERE book_id = ?1 AND day = ?2");
    Ok(conn.prepare_cached(&sql)?.query_row((id, stored(day)), day_of).optional()?)
}

/// Writes a day of a read's log, in the place of the one that there was.
///
/// # Errors
/// [`ReadRefusal::TooManyDays`]; the database's.
pub fn put(tx: &Tx<'_>, id: BookId, day: &ReadingDay) -> Result<()> {
    put_within_limit(tx, id, day)?;
    let count: i64 =
        tx.prepare_cached("SELECT count(*) FROM reading_days WHERE book_id = ?1")?.query_row([id], |row| row.get(0))?;
    if usize::try_from(count).is_ok_and(|count| count <= MOST_DAYS) {
        Ok(())
    } else {
        Err(ReadRefusal::TooManyDays.into())
    }
}

/// The same for a log that is known to have at most [`MOST_DAYS`] days: they are not counted.
pub fn put_within_limit(tx: &Tx<'_>, id: BookId, day: &ReadingDay) -> Result<()> {
    let sql = "INSERT INTO reading_days (book_id, day, at, page, time, minutes, note, source, covered)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
        ON CONFLICT (book_id, day) DO UPDATE SET at = excluded.at, page = excluded.page, time = excluded.time,
        minutes = excluded.minutes, note = excluded.note, source = excluded.source, covered = excluded.covered";
    let ReadingDay { at, page, time, minutes, note, source, covered, .. } = day;
    tx.prepare_cached(sql)?.execute((id, stored(day.day), at, page, time, minutes, note, source, covered))?;
    Ok(())
}

/// Deletes a day of a read's log.
pub fn delete(tx: &Tx<'_>, id: BookId, day: NaiveDate) -> Result<()> {
    let sql = "DELETE FROM reading_days WHERE book_id = ?1 AND day = ?2";
    match tx.prepare_cached(sql)?.execute((id, stored(day)))? {
        0 => Err(Error::NotFound),
        _ => Ok(()),
    }
}

/// Notes the end of a read that was finished: the whole book on the day of completion, if that is exact, not before the last day of the
/// log, and today unless the read has a log.
pub fn note_end(tx: &Tx<'_>, book: &Book<'_>, today: NaiveDate) -> Result<()> {
    let (Some(completed), None) = (book.date_completed, book.completed_from) else { return Ok(()) };
    let log = of(tx, book.id)?;
    let fits = log.last().map_or(completed == today, |last| last.day <= completed);
    let known = log.last().filter(|last| last.day == completed);
    if !fits || (known.is_none() && log.len() >= MOST_DAYS) {
        return Ok(());
    }
    let day = known.cloned().unwrap_or_else(|| ReadingDay::of(completed));
    put(tx, book.id, &ReadingDay { at: Some(WHOLE), page: None, time: None, ..day })
}

/// Removes the end of a read that was not finished after all: the last day with the whole book. Minutes and a note of that day stay.
pub fn remove_end(tx: &Tx<'_>, id: BookId) -> Result<()> {
    let sql = format!("SELECT {COLUMNS} FROM reading_days WHERE book_id = ?1 AND at = ?2 ORDER BY day DESC LIMIT 1");
    let end = tx.prepare_cached(&sql)?.query_row((id, WHOLE), day_of).optional()?;
    match end {
        None => Ok(()),
        Some(end) if end.minutes.is_none() && end.note.is_none() => delete(tx, id, end.day),
        Some(end) => put(tx, id, &ReadingDay { at: None, page: None, time: None, ..end }),
    }
}

/// Places of a read by page or by time, for another number of pages and another length. An unknown one moves nothing.
pub fn repaginate(tx: &Tx<'_>, id: BookId, length: Length) -> Result<()> {
    let sql = "UPDATE reading_days SET at = min(coalesce(page * ?4 / ?2, time * ?4 / ?3, at), ?4)
        WHERE book_id = ?1 AND (page IS NOT NULL OR time IS NOT NULL)";
    tx.prepare_cached(sql)?.execute((id, length.pages, length.minutes, WHOLE))?;
    Ok(())
}

/// Whether a place was noted for a read.
pub fn has_place(conn: &Connection, id: BookId) -> Result<bool> {
    Ok(newest_of(conn, id)?.is_some())
}

/// Writes the months of a read that is counted by its log, and removes those of any other. Called after every change of the read or its
/// log.
pub fn settle_months(tx: &Tx<'_>, book: &Book<'_>) -> Result<()> {
    tx.prepare_cached("DELETE FROM read_months WHERE book_id = ?1")?.execute([book.id])?;
    let Some(completed) = book.date_completed else { return Ok(()) };
    if book.word_distribution != WordDistribution::Logged || book.status != BookStatus::Completed {
        return Ok(());
    }
    let places: Vec<_> = of(tx, book.id)?.into_iter().filter_map(|day| Some((day.day, day.at?))).collect();
    let mut insert = tx.prepare_cached("INSERT INTO read_months (book_id, month, words) VALUES (?1, ?2, ?3)")?;
    for share in months(book.word_count, book.start_date, completed, &places) {
        insert.execute((book.id, name(share.month), share.words))?;
    }
    Ok(())
}

/// Visits the months of an owner's reads that are counted by their log, in the order of ids: the read, the number of months since the
/// year 0, and the words.
pub fn each_month(conn: &Connection, owner: UserId, mut visit: impl FnMut(BookId, i32, i64)) -> Result<()> {
    let (first, last) = owned(owner);
    let sql = "SELECT book_id, month || '-01', words FROM read_months WHERE book_id BETWEEN ?1 AND ?2 ORDER BY book_id, month";
    let mut query = conn.prepare_cached(sql)?;
    let mut rows = query.query([first, last])?;
    while let Some(row) = rows.next()? {
        let month = known_day(row, 1)?;
        visit(row.get(0)?, number(month), row.get(2)?);
    }
    Ok(())
}

/// Notes that a read was changed by its log, so that undoing an import keeps it. A finished read is otherwise not written.
pub fn touch(tx: &Tx<'_>, book: &Book<'_>) -> Result<()> {
    tx.prepare_cached("UPDATE books SET changes = changes + 1 WHERE id = ?1")?.execute([book.id])?;
    if !book.status.is_finished() {
        tx.prepare_cached("UPDATE books SET updated_at = ?2 WHERE id = ?1")?.execute((book.id, tx.stamp()))?;
    }
    Ok(())
}

/// Moves the start of a read to an earlier day.
pub fn move_start(tx: &Tx<'_>, id: BookId, start: NaiveDate) -> Result<()> {
    tx.prepare_cached("UPDATE books SET start_date = ?2 WHERE id = ?1")?.execute((id, stored(start)))?;
    Ok(())
}
