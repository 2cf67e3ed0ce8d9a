//! The table of goals, and what counts for them.
use chrono::{Datelike as _, NaiveDate};
use rusqlite::{Connection, OptionalExtension as _, Row};

use super::model::{Counted, Goal, GoalMetric, GoalProgress, MOST, Tally, TooMany, periods_of};
use crate::kit::db::pool::{Tx, owned};
use crate::kit::id::UserId;
use crate::kit::{Error, Result};
use crate::library::books::filter::is_visible;
use crate::library::books::model::{BookId, BookStatus};
use crate::library::books::store::{self as books, Audience, day, days, stored};
use crate::reading::period::Period;

const COLUMNS: &str = "period, metric, target, rereads";

fn goal_of(row: &Row<'_>) -> rusqlite::Result<Goal> {
    let period = row.get_ref("period")?.as_str()?.parse();
    let period = period.map_err(|unknown| {
        rusqlite::Error::FromSqlConversionFailure(0, rusqlite::types::Type::Text, Box::new(unknown))
    })?;
    Ok(Goal { period, metric: row.get("metric")?, target: row.get("target")?, rereads: row.get("rereads")? })
}

/// The goals of an account, of one period or of all; the newest period first.
pub fn all(conn: &Connection, owner: UserId, period: Option<Period>) -> Result<Vec<Goal>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM goals WHERE user_id = ?1 AND (?2 IS NULL OR period = ?2) ORDER BY period DESC, metric"
    );
    let mut query = conn.prepare_cached(&sql)?;
    let goals = query.query_map((owner, period.map(|period| period.to_string())), goal_of)?;
    Ok(goals.collect::<rusqlite::Result<_>>()?)
}

/// A goal of an account, if there is one.
pub fn find(conn: &Connection, owner: UserId, period: Period, metric: GoalMetric) -> Result<Option<Goal>> {
    let sql = format!("SELECT {COLUMNS} FROM goals WHERE user_id = ?1 AND period = ?2 AND metric = ?3");
    Ok(conn.prepare_cached(&sql)?.query_row((owner, period.to_string(), metric), goal_of).optional()?)
}

/// Writes a goal, in the place of the one that there was.
///
/// # Errors
/// [`TooMany`]; the database's.
pub fn put(tx: &Tx<'_>, owner: UserId, goal: Goal) -> Result<()> {
    let sql = "INSERT INTO goals (user_id, period, metric, target, rereads, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
        ON CONFLICT (user_id, period, metric) DO UPDATE SET target = excluded.target, rereads = excluded.rereads";
    let period = goal.period.to_string();
    tx.prepare_cached(sql)?.execute((owner, period, goal.metric, goal.target, goal.rereads, tx.stamp()))?;
    let count: i64 =
        tx.prepare_cached("SELECT count(*) FROM goals WHERE user_id = ?1")?.query_row([owner], |row| row.get(0))?;
    if count > MOST { Err(TooMany.into()) } else { Ok(()) }
}

pub fn delete(tx: &Tx<'_>, owner: UserId, period: Period, metric: GoalMetric) -> Result<()> {
    let sql = "DELETE FROM goals WHERE user_id = ?1 AND period = ?2 AND metric = ?3";
    match tx.prepare_cached(sql)?.execute((owner, period.to_string(), metric))? {
        0 => Err(Error::NotFound),
        _ => Ok(()),
    }
}

/// Deletes every goal of an account.
pub fn delete_all(tx: &Tx<'_>, owner: UserId) -> Result<()> {
    tx.prepare_cached("DELETE FROM goals WHERE user_id = ?1")?.execute([owner])?;
    Ok(())
}

/// The goals of the running year and month.
pub fn running(conn: &Connection, owner: UserId, today: NaiveDate) -> Result<Vec<Goal>> {
    let mut goals = all(conn, owner, Some(Period::year_of(today)))?;
    goals.extend(all(conn, owner, Some(Period::month_of(today)))?);
    Ok(goals)
}

/// Counts the completed reads of a library for some goals, and finds the reads that are open, in the order of ids.
///
/// Goals of one year are counted by the index of dates, which finds the reads of these days alone. Each read is then looked up by itself,
/// so goals of several years are counted in one pass over all reads instead.
pub fn count(conn: &Connection, owner: UserId, audience: Audience, goals: &[Goal]) -> Result<(Tally, Vec<OpenRead>)> {
    let mut tally = Tally::of(goals);
    let days = goals.iter().map(|goal| (goal.period.first(), goal.period.last()));
    if let Some((from, to)) = days.reduce(|all, one| (all.0.min(one.0), all.1.max(one.1))) {
        let by = if from.year() == to.year() { BY_DATE } else { BY_ID };
        let seen = audience.condition();
        let sql = format!("SELECT {COUNTED}, completed_from, date_completed FROM books WHERE {by}{seen}");
        let mut query = conn.prepare_cached(&sql)?;
        let (first, last) = owned(owner);
        let mut rows = query.query((owner, first, last, stored(from), stored(to)))?;
        while let Some(row) = rows.next()? {
            tally.finish(counted(row)?, day(row, 5)?, day(row, 6)?);
        }
    }
    Ok((tally, open(conn, owner, audience)?))
}

/// The completed reads of an owner between two days, by the index of dates.
const BY_DATE: &str = "user_id = ?1 AND date_completed BETWEEN ?4 AND ?5";
/// The same by one pass over the owner's reads.
const BY_ID: &str = "id BETWEEN ?2 AND ?3 AND date_completed BETWEEN ?4 AND ?5";
const COUNTED: &str = "id, word_count, pages, reread, minutes";

/// A read that is open, without its texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenRead {
    pub id: BookId,
    /// What goals count of it.
    pub counted: Counted,
    /// The day on which it was begun.
    pub start: Option<NaiveDate>,
    pub is_paused: bool,
    /// When it was changed last.
    pub updated_at: String,
}

/// The reads of an owner that are open. They have no date, and the index of dates has these reads one after the other.
fn open(conn: &Connection, owner: UserId, audience: Audience) -> Result<Vec<OpenRead>> {
    let seen = audience.condition();
    let sql = format!(
        "SELECT {COUNTED}, start_date, paused_since IS NOT NULL, updated_at FROM books
        WHERE user_id = ?1 AND date_completed IS NULL AND status = 'in-progress'{seen} ORDER BY id"
    );
    let mut query = conn.prepare_cached(&sql)?;
    let open = query.query_map([owner], |row| {
        Ok(OpenRead {
            id: row.get(0)?,
            counted: counted(row)?,
            start: day(row, 5)?,
            is_paused: row.get(6)?,
            updated_at: row.get(7)?,
        })
    })?;
    Ok(open.collect::<rusqlite::Result<_>>()?)
}

fn counted(row: &Row<'_>) -> rusqlite::Result<Counted> {
    Ok(Counted { words: row.get(1)?, pages: row.get(2)?, reread: row.get(3)?, minutes: row.get(4)? })
}

/// How far goals have come on a day, in their order. Without goals nothing is read.
pub fn progress_of(conn: &Connection, owner: UserId, goals: Vec<Goal>, today: NaiveDate) -> Result<Vec<GoalProgress>> {
    if goals.is_empty() {
        return Ok(Vec::new());
    }
    let (mut tally, open) = count(conn, owner, Audience::Owner, &goals)?;
    if goals.iter().any(|goal| goal.metric != GoalMetric::Books) {
        for read in open {
            if let Some(place) = days::newest_of(conn, read.id)? {
                tally.hold(read.counted, place);
            }
        }
    }
    Ok(goals.into_iter().map(|goal| tally.progress(goal, today)).collect())
}

/// The books that count for a goal, by their day of completion, and how many of them the plan hides. `from` is the first visible
/// completion date.
pub fn books(conn: &Connection, owner: UserId, goal: Goal, from: Option<NaiveDate>) -> Result<(Vec<BookId>, usize)> {
    let mut counted = Vec::new();
    books::scan(conn, owner, Audience::Owner, |book| {
        let periods = periods_of(book.completed_from, book.date_completed);
        if book.status == BookStatus::Completed
            && periods.contains(&Some(goal.period))
            && (goal.rereads || !book.reread)
        {
            counted.push((book.date_completed, book.id));
        }
    })?;
    counted.sort_unstable();
    let all = counted.len();
    counted.retain(|(completed, _)| is_visible(*completed, from));
    let hidden = all - counted.len();
    Ok((counted.into_iter().map(|(_, id)| id).collect(), hidden))
}
