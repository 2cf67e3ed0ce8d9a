//! The table of challenges, and the progress of members.
use std::collections::HashMap;

use chrono::NaiveDate;
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::model::{Challenge, ChallengeDraft, ChallengeMetric, ChallengeStanding, MOST, TooMany};
use crate::kit::db::pool::Tx;
use crate::kit::id::UserId;
use crate::kit::{Error, Result};
use crate::library::text;
use crate::teams::model::TeamId;
use crate::teams::store::{Sharing, sharing};

const COLUMNS: &str = "id, title, metric, target, start_date, end_date";

fn draft(row: &Row<'_>) -> rusqlite::Result<(i64, ChallengeDraft)> {
    let draft = ChallengeDraft {
        title: row.get("title")?,
        metric: row.get("metric")?,
        target: row.get("target")?,
        start_date: day(row, "start_date")?,
        end_date: day(row, "end_date")?,
    };
    Ok((row.get("id")?, draft))
}

fn day(row: &Row<'_>, column: &str) -> rusqlite::Result<NaiveDate> {
    text::date(&row.get::<_, String>(column)?).ok_or(rusqlite::Error::InvalidQuery)
}

/// A team's challenges, the latest end first.
pub fn all(conn: &Connection, team_id: TeamId) -> Result<Vec<Challenge>> {
    let mut query = conn.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM challenges WHERE team_id = ?1 ORDER BY end_date DESC, id DESC"
    ))?;
    let drafts = query.query_map([team_id], draft)?.collect::<rusqlite::Result<Vec<_>>>()?;
    let readers = sharing(conn, team_id)?;
    let progress = progress(conn, team_id, &readers, None)?;
    Ok(drafts.into_iter().map(|(id, draft)| challenge(id, draft, &readers, &progress)).collect())
}

/// One of a team's challenges.
pub fn find(conn: &Connection, team_id: TeamId, id: i64) -> Result<ChallengeDraft> {
    let mut query = conn.prepare_cached(&format!("SELECT {COLUMNS} FROM challenges WHERE team_id = ?1 AND id = ?2"))?;
    let found = query.query_row((team_id, id), draft).optional()?;
    found.map(|(_, draft)| draft).ok_or(Error::NotFound)
}

/// Books and words by challenge and reader.
type Progress = HashMap<(i64, UserId), (i64, i64)>;

/// What some readers have completed between the days of a team's challenges, or of only one of them.
fn progress(conn: &Connection, team_id: TeamId, readers: &[Sharing], only: Option<i64>) -> Result<Progress> {
    let mut query = conn.prepare_cached(
        "SELECT c.id, b.user_id, count(*), coalesce(sum(b.word_count), 0) FROM challenges c
         JOIN json_each(?2) reader
         JOIN books b ON b.user_id = reader.value AND b.private = 0 AND b.date_completed BETWEEN c.start_date AND c.end_date
            AND b.status = 'completed' AND coalesce(b.completed_from, b.date_completed) >= c.start_date
         WHERE c.team_id = ?1 AND c.id = coalesce(?3, c.id) GROUP BY c.id, b.user_id",
    )?;
    let readers: Vec<_> = readers.iter().map(|reader| reader.user_id).collect();
    let rows = query.query_map(params![team_id, serde_json::to_string(&readers)?, only], |row| {
        Ok(((row.get(0)?, row.get(1)?), (row.get(2)?, row.get(3)?)))
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

fn challenge(id: i64, draft: ChallengeDraft, readers: &[Sharing], progress: &Progress) -> Challenge {
    let standings = readers.iter().map(|reader| {
        let (books, words) = progress.get(&(id, reader.user_id)).copied().unwrap_or_default();
        let value = match draft.metric {
            ChallengeMetric::Words => words,
            ChallengeMetric::Books => books,
        };
        ChallengeStanding { user_id: reader.user_id, display_name: reader.display_name.clone(), value }
    });
    let standings = standings.collect();
    Challenge::new(id, draft, standings)
}

fn one(conn: &Connection, team_id: TeamId, id: i64, draft: ChallengeDraft) -> Result<Challenge> {
    let readers = sharing(conn, team_id)?;
    let progress = progress(conn, team_id, &readers, Some(id))?;
    Ok(challenge(id, draft, &readers, &progress))
}

/// Adds a challenge to a team.
///
/// # Errors
/// [`TooMany`] past a hundred.
pub fn add(tx: &Tx<'_>, team_id: TeamId, draft: ChallengeDraft) -> Result<Challenge> {
    let count: i64 = tx
        .prepare_cached("SELECT count(*) FROM challenges WHERE team_id = ?1")?
        .query_row([team_id], |row| row.get(0))?;
    if count >= MOST {
        return Err(TooMany.into());
    }
    tx.prepare_cached(
        "INSERT INTO challenges (team_id, title, metric, target, start_date, end_date) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?
    .execute(params![
        team_id,
        draft.title,
        draft.metric,
        draft.target,
        draft.start_date.to_string(),
        draft.end_date.to_string()
    ])?;
    one(tx, team_id, tx.last_insert_rowid(), draft)
}

/// Changes a challenge of the team.
pub fn change(tx: &Tx<'_>, team_id: TeamId, id: i64, draft: ChallengeDraft) -> Result<Challenge> {
    tx.prepare_cached(
        "UPDATE challenges SET title = ?3, metric = ?4, target = ?5, start_date = ?6, end_date = ?7
         WHERE team_id = ?1 AND id = ?2",
    )?
    .execute(params![
        team_id,
        id,
        draft.title,
        draft.metric,
        draft.target,
        draft.start_date.to_string(),
        draft.end_date.to_string()
    ])?;
    one(tx, team_id, id, draft)
}

/// Deletes a challenge of the team.
pub fn delete(tx: &Tx<'_>, team_id: TeamId, id: i64) -> Result<()> {
    tx.prepare_cached("DELETE FROM challenges WHERE team_id = ?1 AND id = ?2")?.execute((team_id, id))?;
    Ok(())
}
