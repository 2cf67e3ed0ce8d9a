//! The table of challenges, and the progress of members.
use chrono::NaiveDate;
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::model::{Challenge, Goal, MOST, Metric, Standing};
use crate::kit::db::pool::Tx;
use crate::kit::{Error, Result};
use crate::library::text;
use crate::teams::model::TeamId;
use crate::teams::store::sharing;

const COLUMNS: &str = "id, title, metric, target, start_date, end_date";

fn goal(row: &Row<'_>) -> rusqlite::Result<(i64, Goal)> {
    let goal = Goal {
        title: row.get(1)?,
        metric: row.get(2)?,
        target: row.get(3)?,
        start_date: day(row, 4)?,
        end_date: day(row, 5)?,
    };
    Ok((row.get(0)?, goal))
}

fn day(row: &Row<'_>, column: usize) -> rusqlite::Result<NaiveDate> {
    text::date(&row.get::<_, String>(column)?).ok_or(rusqlite::Error::InvalidQuery)
}

/// A team's challenges, the latest end first.
pub fn all(conn: &Connection, team_id: TeamId) -> Result<Vec<Challenge>> {
    let mut query = conn.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM challenges WHERE team_id = ?1 ORDER BY end_date DESC, id DESC"
    ))?;
    let goals = query.query_map([team_id], goal)?.collect::<rusqlite::Result<Vec<_>>>()?;
    goals.into_iter().map(|(id, goal)| counted(conn, team_id, id, goal)).collect()
}

/// One of a team's goals.
///
/// # Errors
/// 404 when it belongs to another team.
pub fn find(conn: &Connection, team_id: TeamId, id: i64) -> Result<Goal> {
    let mut query = conn.prepare_cached(&format!("SELECT {COLUMNS} FROM challenges WHERE team_id = ?1 AND id = ?2"))?;
    let found = query.query_row((team_id, id), goal).optional()?;
    found.map(|(_, goal)| goal).ok_or(Error::NotFound)
}

/// Counts what the sharing members completed from the first to the last day.
fn counted(conn: &Connection, team_id: TeamId, id: i64, goal: Goal) -> Result<Challenge> {
    let mut query = conn.prepare_cached(
        "SELECT count(*), coalesce(sum(word_count), 0) FROM books
         WHERE user_id = ?1 AND date_completed BETWEEN ?2 AND ?3 AND status = 'completed'",
    )?;
    let standings = sharing(conn, team_id)?.into_iter().map(|member| {
        let (books, words): (i64, i64) = query
            .query_row(params![member.user_id, goal.start_date.to_string(), goal.end_date.to_string()], |row| {
                Ok((row.get(0)?, row.get(1)?))
            })?;
        let value = match goal.metric {
            Metric::Words => words,
            Metric::Books => books,
        };
        Ok(Standing { user_id: member.user_id, display_name: member.display_name, value })
    });
    let standings = standings.collect::<Result<Vec<_>>>()?;
    Ok(Challenge::new(id, goal, standings))
}

/// Adds a goal to a team.
///
/// # Errors
/// 409 `too_many_challenges` above 100.
pub fn add(tx: &Tx<'_>, team_id: TeamId, goal: Goal) -> Result<Challenge> {
    let count: i64 = tx
        .prepare_cached("SELECT count(*) FROM challenges WHERE team_id = ?1")?
        .query_row([team_id], |row| row.get(0))?;
    if count >= MOST {
        return Err(Error::conflict("too_many_challenges", format!("A team can have at most {MOST} challenges.")));
    }
    tx.prepare_cached(
        "INSERT INTO challenges (team_id, title, metric, target, start_date, end_date) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?
    .execute(params![
        team_id,
        goal.title,
        goal.metric,
        goal.target,
        goal.start_date.to_string(),
        goal.end_date.to_string()
    ])?;
    counted(tx, team_id, tx.last_insert_rowid(), goal)
}

/// Changes a goal of the team.
pub fn change(tx: &Tx<'_>, team_id: TeamId, id: i64, goal: Goal) -> Result<Challenge> {
    tx.prepare_cached(
        "UPDATE challenges SET title = ?3, metric = ?4, target = ?5, start_date = ?6, end_date = ?7
         WHERE team_id = ?1 AND id = ?2",
    )?
    .execute(params![
        team_id,
        id,
        goal.title,
        goal.metric,
        goal.target,
        goal.start_date.to_string(),
        goal.end_date.to_string()
    ])?;
    counted(tx, team_id, id, goal)
}

/// Deletes a goal of the team.
pub fn delete(tx: &Tx<'_>, team_id: TeamId, id: i64) -> Result<()> {
    tx.prepare_cached("DELETE FROM challenges WHERE team_id = ?1 AND id = ?2")?.execute((team_id, id))?;
    Ok(())
}
