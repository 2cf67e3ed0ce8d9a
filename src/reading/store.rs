//! The logs of a reader's books, for the calendar and the page of open books.
use chrono::NaiveDate;
use rusqlite::Connection;

use super::calendar::{CalendarFinish, LogEntry, ReadWithLog};
use crate::kit::Result;
use crate::kit::db::pool::owned;
use crate::kit::id::UserId;
use crate::library::books::model::BookStatus;
use crate::library::books::store::{Audience, day, known_day, stored};

/// The reads of an owner that have a log, in the order of ids.
pub fn logs(conn: &Connection, owner: UserId) -> Result<Vec<ReadWithLog>> {
    let (first, last) = owned(owner);
    let sql =
        "SELECT book_id, word_count, books.pages, start_date, day, at, page, reading_days.minutes, covered, status
        FROM reading_days JOIN books ON books.id = book_id WHERE book_id BETWEEN ?1 AND ?2 ORDER BY book_id, day";
    let mut query = conn.prepare_cached(sql)?;
    let mut rows = query.query([first, last])?;
    let mut reads = Vec::<ReadWithLog>::new();
    while let Some(row) = rows.next()? {
        let id = row.get(0)?;
        let entry = LogEntry {
            day: known_day(row, 4)?,
            at: row.get(5)?,
            page: row.get(6)?,
            minutes: row.get(7)?,
            covered: row.get(8)?,
        };
        match reads.last_mut() {
            Some(read) if read.id == id => read.days.push(entry),
            _ => reads.push(ReadWithLog {
                id,
                words: row.get(1)?,
                pages: row.get(2)?,
                start: day(row, 3)?,
                is_open: row.get::<_, BookStatus>(9)? == BookStatus::InProgress,
                days: vec![entry],
            }),
        }
    }
    Ok(reads)
}

/// The days on which an owner noted anything that an audience sees, oldest first.
pub fn days(conn: &Connection, owner: UserId, audience: Audience) -> Result<Vec<NaiveDate>> {
    let (first, last) = owned(owner);
    let sql = match audience {
        Audience::Owner => "SELECT DISTINCT day FROM reading_days WHERE book_id BETWEEN ?1 AND ?2 ORDER BY day",
        Audience::Others => {
            "SELECT DISTINCT day FROM reading_days JOIN books ON books.id = book_id
             WHERE book_id BETWEEN ?1 AND ?2 AND private = 0 ORDER BY day"
        }
    };
    let mut query = conn.prepare_cached(sql)?;
    let days = query.query_map([first, last], |row| known_day(row, 0))?;
    Ok(days.collect::<rusqlite::Result<_>>()?)
}

/// The books that an owner finished on an exact day between two, both included, in the order of days.
pub fn finishes(conn: &Connection, owner: UserId, from: NaiveDate, to: NaiveDate) -> Result<Vec<CalendarFinish>> {
    let sql = "SELECT date_completed, id FROM books WHERE user_id = ?1 AND date_completed BETWEEN ?2 AND ?3
        AND status = 'completed' AND completed_from IS NULL ORDER BY date_completed, id";
    let mut query = conn.prepare_cached(sql)?;
    let finishes = query.query_map((owner, stored(from), stored(to)), |row| {
        Ok(CalendarFinish { day: known_day(row, 0)?, id: row.get(1)? })
    })?;
    Ok(finishes.collect::<rusqlite::Result<_>>()?)
}
