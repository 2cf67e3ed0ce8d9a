//! The table of readers' accounts at media servers.
use std::collections::HashMap;

use chrono::{DateTime, Utc};
use rusqlite::{Connection, OptionalExtension as _, params};

use crate::devices::audiobookshelf::client::SourceError;
use crate::kit::db::pool::{Tx, instant};
use crate::kit::id::UserId;
use crate::kit::timestamp::Timestamp;
use crate::kit::{Error, Result};

/// A reader's account at a media server.
#[derive(Debug, Clone)]
pub struct Connected {
    /// The section of the settings.
    pub name: String,
    pub last_polled_at: Option<Timestamp>,
    /// Why the last report failed.
    pub error: Option<SourceError>,
}

/// The accounts of a reader.
pub fn all(conn: &Connection, owner: UserId) -> Result<Vec<Connected>> {
    let mut query = conn.prepare_cached("SELECT name, last_polled_at, error FROM sources WHERE user_id = ?1")?;
    let rows = query.query_map([owner], |row| {
        Ok(Connected { name: row.get(0)?, last_polled_at: row.get(1)?, error: row.get(2)? })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Stores an encrypted key, in the place of the one that there was. The account is asked at once, and from the beginning: the key may be that
/// of someone else there.
pub fn connect(tx: &Tx<'_>, owner: UserId, name: &str, title: &str, sealed_key: &[u8]) -> Result<()> {
    let sql = "INSERT OR REPLACE INTO sources (user_id, name, title, sealed_key, connected_at, next_poll_at)
        VALUES (?1, ?2, ?3, ?4, ?5, ?5)";
    tx.prepare_cached(sql)?.execute(params![owner, name, title, sealed_key, tx.stamp()])?;
    Ok(())
}

/// Deletes a key. What was reported stays.
pub fn delete(tx: &Tx<'_>, owner: UserId, name: &str) -> Result<()> {
    match tx.prepare_cached("DELETE FROM sources WHERE user_id = ?1 AND name = ?2")?.execute((owner, name))? {
        0 => Err(Error::NotFound),
        _ => Ok(()),
    }
}

/// Deletes every key of an account. What was reported stays.
pub fn delete_all(tx: &Tx<'_>, owner: UserId) -> Result<()> {
    tx.prepare_cached("DELETE FROM sources WHERE user_id = ?1")?.execute([owner])?;
    Ok(())
}

/// What a reader's media servers are called.
pub fn titles(conn: &Connection, owner: UserId) -> Result<HashMap<String, String>> {
    let mut query = conn.prepare_cached("SELECT name, title FROM sources WHERE user_id = ?1")?;
    let rows = query.query_map([owner], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// An account whose turn it is.
#[derive(Debug, Clone)]
pub struct Turn {
    pub owner: UserId,
    pub sealed_key: Vec<u8>,
    /// Failed reports in a row.
    pub failures: u32,
    /// Up to when sessions and places are known, in milliseconds since 1970.
    pub sessions_until: i64,
    pub progress_until: i64,
}

/// The accounts at a media server whose turn it is, the one that waits longest first.
pub fn due(conn: &Connection, name: &str, now: DateTime<Utc>) -> Result<Vec<Turn>> {
    let sql = "SELECT user_id, sealed_key, failures, sessions_until, progress_until FROM sources
        WHERE name = ?1 AND next_poll_at <= ?2 ORDER BY next_poll_at LIMIT 1000";
    let mut query = conn.prepare_cached(sql)?;
    let rows = query.query_map(params![name, instant(now)], |row| {
        let (sessions_until, progress_until) = (row.get(3)?, row.get(4)?);
        Ok(Turn { owner: row.get(0)?, sealed_key: row.get(1)?, failures: row.get(2)?, sessions_until, progress_until })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Checks that a key is still the one that was asked with.
///
/// # Errors
/// [`Error::NotFound`].
pub fn still(conn: &Connection, name: &str, turn: &Turn) -> Result<()> {
    let sql = "SELECT 1 FROM sources WHERE user_id = ?1 AND name = ?2 AND sealed_key = ?3";
    let found =
        conn.prepare_cached(sql)?.query_row(params![turn.owner, name, turn.sealed_key], |_| Ok(())).optional()?;
    found.ok_or(Error::NotFound)
}

/// What a turn came to.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// As the settings say now.
    pub title: String,
    pub error: Option<SourceError>,
    pub sessions_until: i64,
    pub progress_until: i64,
    pub next: DateTime<Utc>,
}

/// Notes the end of a turn, unless the key is another one by now.
pub fn polled(tx: &Tx<'_>, name: &str, turn: &Turn, outcome: &Outcome) -> Result<()> {
    let Outcome { title, error, sessions_until, progress_until, next } = outcome;
    let failures = error.map_or(0, |_| turn.failures + 1);
    tx.prepare_cached(
        "UPDATE sources SET title = ?4, last_polled_at = iif(?5 IS NULL, ?6, last_polled_at), error = ?5, failures = ?7,
            sessions_until = ?8, progress_until = ?9, next_poll_at = ?10
        WHERE user_id = ?1 AND name = ?2 AND sealed_key = ?3",
    )?
    .execute(params![
        turn.owner,
        name,
        turn.sealed_key,
        title,
        error,
        tx.stamp(),
        failures,
        sessions_until,
        progress_until,
        instant(*next)
    ])?;
    Ok(())
}
