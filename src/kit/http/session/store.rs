//! The tables of sessions and known devices.
use chrono::{DateTime, TimeDelta, Utc};
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::{DEVICE, FORMER, From, IDLE, LONGEST, LOST, TokenHash, is_valid};
use crate::kit::db::pool::{Tx, instant};
use crate::kit::error::Result;
use crate::kit::id::{SessionId, UserId};
use crate::kit::timestamp::Timestamp;

/// The most sessions of one account.
const MOST_SESSIONS: i64 = 100;
/// The most devices that one account remembers.
const MOST_DEVICES: i64 = 50;

/// Opens a session for a user who has just authenticated. The user's expired sessions are deleted, and above 100 the least
/// recently used one.
pub fn open(tx: &Tx<'_>, user_id: UserId, hash: TokenHash, from: &From) -> Result<()> {
    let now = tx.stamp();
    let (idle, longest) = (instant(tx.now() - IDLE), instant(tx.now() - LONGEST));
    tx.prepare_cached("DELETE FROM sessions WHERE user_id = ?1 AND (last_seen < ?2 OR created_at < ?3)")?
        .execute(params![user_id, idle, longest])?;
    tx.prepare_cached(
        "INSERT INTO sessions
            (token_hash, user_id, created_at, last_seen, confirmed_at, ip_address, user_agent, provider, header_user)
         VALUES (?1, ?2, ?3, ?3, ?3, ?4, ?5, ?6, ?7)",
    )?
    .execute(params![hash, user_id, now, from.ip, from.user_agent, from.provider, from.header_user])?;
    tx.prepare_cached(
        "DELETE FROM sessions WHERE user_id = ?1 AND token_hash <> ?2 AND id NOT IN
            (SELECT id FROM sessions WHERE user_id = ?1 ORDER BY last_seen DESC, id DESC LIMIT ?3)",
    )?
    .execute(params![user_id, hash, MOST_SESSIONS])?;
    Ok(())
}

/// Whether a trusted proxy has signed in the same person with the same browser within the last minute.
pub fn has_just_begun(tx: &Tx<'_>, user_id: UserId, from: &From) -> Result<bool> {
    let mut query = tx.prepare_cached(
        "SELECT EXISTS (SELECT 1 FROM sessions WHERE user_id = ?1 AND created_at > ?2 AND header_user = ?3
            AND ip_address = ?4 AND user_agent = ?5)",
    )?;
    let since = instant(tx.now() - TimeDelta::minutes(1));
    Ok(query.query_row(params![user_id, since, from.header_user, from.ip, from.user_agent], |row| row.get(0))?)
}

/// Ends the session of a token. Returns its user, if there was one.
pub fn close(tx: &Tx<'_>, hash: TokenHash) -> Result<Option<UserId>> {
    let sql = "DELETE FROM sessions WHERE token_hash = ?1 OR former_hash = ?1 RETURNING user_id";
    Ok(tx.prepare_cached(sql)?.query_row([hash], |row| row.get(0)).optional()?)
}

/// Deletes the session whose present id has this hash.
pub fn delete(tx: &Tx<'_>, hash: TokenHash) -> Result<()> {
    tx.prepare_cached("DELETE FROM sessions WHERE token_hash = ?1")?.execute([hash])?;
    Ok(())
}

/// Gives a session a new id, unless another call has just done so. The one that was shown counts until the new one has come back, and
/// for a minute more.
pub fn renew(tx: &Tx<'_>, session_id: SessionId, shown: TokenHash, new: TokenHash) -> Result<bool> {
    let mut update = tx.prepare_cached(
        "UPDATE sessions SET token_hash = ?3, former_hash = ?2, renewed_at = ?4, former_until = NULL, renew = 0
         WHERE id = ?1 AND (token_hash = ?2 AND renew = 1
            OR former_hash = ?2 AND former_until IS NULL AND renewed_at <= ?5)",
    )?;
    Ok(update.execute(params![session_id, shown, new, tx.stamp(), instant(tx.now() - LOST)])? > 0)
}

/// Whether a call that shows the former id of a session gets a new one: the one that was made then was lost with its answer.
pub fn is_lost(renewed: DateTime<Utc>, now: DateTime<Utc>) -> bool {
    now - renewed >= LOST
}

/// Records that the new id of a session has come back from its browser.
pub fn end_former(tx: &Tx<'_>, session_id: SessionId) -> Result<()> {
    let sql = "UPDATE sessions SET former_until = ?2 WHERE id = ?1 AND former_until IS NULL";
    tx.prepare_cached(sql)?.execute(params![session_id, instant(tx.now() + FORMER)])?;
    Ok(())
}

/// A session as it is stored, be it valid or not.
#[derive(Debug)]
pub struct StoredSession {
    pub created: DateTime<Utc>,
    pub last_seen: DateTime<Utc>,
    /// The sign-in provider that it came from; `None` for a sign-in by password.
    pub provider: Option<String>,
    /// The person that a trusted proxy named at its start; `None` for a session that no proxy began.
    pub header_user: Option<String>,
}

/// Finds the session of a token, including an expired one.
pub fn find(conn: &Connection, hash: TokenHash) -> Result<Option<StoredSession>> {
    let mut query = conn.prepare_cached(
        "SELECT created_at, last_seen, provider, header_user FROM sessions WHERE token_hash = ?1 OR former_hash = ?1",
    )?;
    Ok(query.query_row([hash], stored).optional()?)
}

/// Finds the session of a token, if it is valid at `now` and its account is not disabled.
pub fn find_valid(conn: &Connection, hash: TokenHash, now: DateTime<Utc>) -> Result<Option<StoredSession>> {
    let mut query = conn.prepare_cached(
        "SELECT s.created_at, s.last_seen, s.provider, s.header_user FROM sessions s JOIN users u ON u.id = s.user_id
         WHERE (s.token_hash = ?1 OR s.former_hash = ?1 AND ifnull(s.former_until > ?2, 1)) AND u.disabled = 0",
    )?;
    let found = query.query_row(params![hash, instant(now)], stored).optional()?;
    Ok(found.filter(|found| is_valid(found.created, found.last_seen, now)))
}

fn stored(row: &Row<'_>) -> rusqlite::Result<StoredSession> {
    let time = |column| row.get::<_, Timestamp>(column).map(Timestamp::utc);
    Ok(StoredSession { created: time(0)?, last_seen: time(1)?, provider: row.get(2)?, header_user: row.get(3)? })
}

/// Records that the person behind a session has just authenticated.
pub fn confirm(tx: &Tx<'_>, session_id: SessionId) -> Result<()> {
    tx.prepare_cached("UPDATE sessions SET confirmed_at = ?2 WHERE id = ?1")?
        .execute(params![session_id, tx.stamp()])?;
    Ok(())
}

/// Ends all sessions of all accounts.
pub fn close_all(conn: &Connection) -> rusqlite::Result<()> {
    conn.execute("DELETE FROM sessions", []).map(drop)
}

/// Deletes expired sessions, and devices that were not used for too long. Returns how many rows were deleted.
pub fn forget_ended(tx: &Tx<'_>) -> Result<usize> {
    let (idle, longest) = (instant(tx.now() - IDLE), instant(tx.now() - LONGEST));
    let sessions = tx.execute("DELETE FROM sessions WHERE last_seen < ?1 OR created_at < ?2", [idle, longest])?;
    let devices = tx.execute("DELETE FROM known_devices WHERE created_at < ?1", [instant(tx.now() - DEVICE)])?;
    Ok(sessions + devices)
}

/// Remembers a device for an account, which keeps the latest fifty. The browser's former token is replaced by the new one for
/// every account that has signed in with it. Returns whether the device is new to an account that knows other devices.
pub fn remember_device(tx: &Tx<'_>, user_id: UserId, hash: TokenHash, former: Option<TokenHash>) -> Result<bool> {
    let forgotten = instant(tx.now() - DEVICE);
    tx.prepare_cached("DELETE FROM known_devices WHERE user_id = ?1 AND created_at < ?2")?
        .execute(params![user_id, forgotten])?;
    let known = "SELECT count(*), coalesce(sum(token_hash = ?2), 0) FROM known_devices WHERE user_id = ?1";
    let (devices, is_known): (i64, i64) =
        tx.prepare_cached(known)?.query_row(params![user_id, former], |row| Ok((row.get(0)?, row.get(1)?)))?;
    if let Some(former) = former {
        tx.prepare_cached("UPDATE known_devices SET token_hash = ?2 WHERE token_hash = ?1")?.execute([former, hash])?;
    }
    tx.prepare_cached("INSERT OR REPLACE INTO known_devices (token_hash, user_id, created_at) VALUES (?1, ?2, ?3)")?
        .execute(params![hash, user_id, tx.stamp()])?;
    tx.prepare_cached(
        "DELETE FROM known_devices WHERE user_id = ?1 AND token_hash <> ?2 AND token_hash NOT IN
            (SELECT token_hash FROM known_devices WHERE user_id = ?1 ORDER BY created_at DESC LIMIT ?3)",
    )?
    .execute(params![user_id, hash, MOST_DEVICES])?;
    Ok(devices > 0 && is_known == 0)
}
