//! The table of goals, and what counts for them.
use std::collections::HashMap;

use chrono::NaiveDate;
use rusqlite::{Connection, OptionalExtension as _, Row};

use super::model::{Finished, Goal, InHand, MOST, Standing, TooMany};
use crate::kit::db::pool::{Tx, owned};
use crate::kit::id::UserId;
use crate::kit::{Error, Result};
use crate::library::books::filter::is_visible;
use crate::library::books::log::WHOLE;
use crate::library::books::model::{Book, Status, month_of, year_of};
use crate::library::books::store::{self as books, day, days};
use crate::reading::goals::model::Metric;
use crate::reading::period::Period;

const COLUMNS: &str = "period, metric, target, rereads";

fn goal_of(row: &Row<'_>) -> rusqlite::Result<Goal> {
    let period = row.get_ref(0)?.as_str()?.parse();
    let period = period.map_err(|unknown| {
        rusqlite::Error::FromSqlConversionFailure(0, rusqlite::types::Type::Text, Box::new(unknown))
    })?;
    Ok(Goal { period, metric: row.get(1)?, target: row.get(2)?, rereads: row.get(3)? })
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
pub fn find(conn: &Connection, owner: UserId, period: Period, metric: Metric) -> Result<Option<Goal>> {
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

/// Deletes a goal.
///
/// # Errors
/// [`Error::NotFound`] when there is none.
pub fn delete(tx: &Tx<'_>, owner: UserId, period: Period, metric: Metric) -> Result<()> {
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

/// How far goals have come on a day, in their order. One pass over the library counts for all of them; without goals nothing is read.
pub fn standings(conn: &Connection, owner: UserId, goals: Vec<Goal>, today: NaiveDate) -> Result<Vec<Standing>> {
    if goals.is_empty() {
        return Ok(Vec::new());
    }
    let mut finished: HashMap<_, Finished> =
        goals.iter().map(|goal| ((goal.period, goal.rereads), Finished::default())).collect();
    let mut in_hand = HashMap::<bool, InHand>::new();
    let places = days::newest(conn, owner)?;
    let (first, last) = owned(owner);
    let sql = "SELECT id, status, completed_from, date_completed, word_count, pages, reread FROM books WHERE id BETWEEN ?1 AND ?2";
    let mut query = conn.prepare_cached(sql)?;
    let mut rows = query.query([first, last])?;
    while let Some(row) = rows.next()? {
        let (status, words, pages, reread): (Status, i64, Option<i64>, bool) =
            (row.get(1)?, row.get(4)?, row.get(5)?, row.get(6)?);
        // Goals with rereads, and those without.
        let counts = [true, false].into_iter().filter(|rereads| *rereads || !reread);
        match status {
            Status::Completed => {
                let (from, completed) = (day(row, 2)?, day(row, 3)?);
                for period in periods_of(from, completed).into_iter().flatten() {
                    for rereads in counts.clone() {
                        if let Some(finished) = finished.get_mut(&(period, rereads)) {
                            finished.add(words, pages);
                        }
                    }
                }
            }
            Status::InProgress => {
                let Some(place) = places.get(&row.get(0)?) else { continue };
                let read = |all: i64| all * place.at / WHOLE;
                let pages = place.page.or_else(|| pages.map(read)).unwrap_or(0);
                for rereads in counts {
                    let sum = in_hand.entry(rereads).or_default();
                    sum.words += read(words);
                    sum.pages += pages;
                }
            }
            Status::Undated | Status::DidNotFinish => {}
        }
    }
    let standing = |goal: Goal| {
        let finished = finished.get(&(goal.period, goal.rereads)).copied().unwrap_or_default();
        Standing::of(goal, finished, in_hand.get(&goal.rereads).copied().unwrap_or_default(), today)
    };
    Ok(goals.into_iter().map(standing).collect())
}

/// The year and the month that hold all possible days of a completion.
fn periods_of(from: Option<NaiveDate>, completed: Option<NaiveDate>) -> [Option<Period>; 2] {
    let year = year_of(from, completed);
    [year.map(Period::Year), year.zip(month_of(from, completed)).map(|(year, month)| Period::Month(year, month))]
}

/// The books that count for a goal, by their day of completion, and how many of them the plan hides. `from` is the first visible
/// completion date.
pub fn books(
    conn: &Connection,
    owner: UserId,
    goal: Goal,
    from: Option<NaiveDate>,
) -> Result<(Vec<Book<'static>>, usize)> {
    let mut counted = Vec::new();
    books::scan(conn, owner, |book| {
        let periods = periods_of(book.completed_from, book.date_completed);
        if book.status == Status::Completed && periods.contains(&Some(goal.period)) && (goal.rereads || !book.reread) {
            counted.push((book.date_completed, book.id));
        }
    })?;
    counted.sort_unstable();
    let all = counted.len();
    counted.retain(|(completed, _)| is_visible(*completed, from));
    let hidden = all - counted.len();
    let visible = counted.into_iter().map(|(_, id)| books::get(conn, owner, id));
    Ok((visible.collect::<Result<_>>()?, hidden))
}
