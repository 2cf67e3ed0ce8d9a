//! The table of secret links.
use chrono::{DateTime, TimeDelta, Utc};
use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::model::{InSeries, Kind, MOST, NewShare, Parts, Share, ShareId, Shown};
use crate::kit::db::pool::Tx;
use crate::kit::http::session::TokenHash;
use crate::kit::id::UserId;
use crate::kit::timestamp::Timestamp;
use crate::kit::{Error, Result};
use crate::reading::period::Period;

/// An account has as many links as it may.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooMany;

/// The last opening of a link is written at most once in this time.
const SEEN_AGAIN: TimeDelta = TimeDelta::hours(1);

const COLUMNS: &str = "id, kind, parts, period, created_at, expires_at, last_seen";

fn share(row: &Row<'_>) -> rusqlite::Result<Share> {
    let period = row.get::<_, Option<String>>(3)?.map(|text| text.parse::<Period>()).transpose();
    Ok(Share {
        id: row.get(0)?,
        kind: row.get(1)?,
        parts: Parts::from_stored(row.get_ref(2)?.as_str()?),
        period: period.map_err(|cause| rusqlite::Error::FromSqlConversionFailure(3, Type::Text, Box::new(cause)))?,
        created_at: row.get(4)?,
        expires_at: row.get(5)?,
        last_seen: row.get(6)?,
    })
}

/// The links of an account, newest first.
pub fn all(conn: &Connection, user_id: UserId) -> Result<Vec<Share>> {
    let mut query =
        conn.prepare_cached(&format!("SELECT {COLUMNS} FROM shares WHERE user_id = ?1 ORDER BY id DESC"))?;
    let shares = query.query_map([user_id], share)?;
    Ok(shares.collect::<rusqlite::Result<_>>()?)
}

/// One of an account's links.
///
/// # Errors
/// [`Error::NotFound`] when there is none, or it is another account's.
pub fn find(conn: &Connection, user_id: UserId, id: ShareId) -> Result<Share> {
    let sql = format!("SELECT {COLUMNS} FROM shares WHERE id = ?2 AND user_id = ?1");
    conn.prepare_cached(&sql)?.query_row((user_id, id), share).optional()?.ok_or(Error::NotFound)
}

/// The link with this token, and the account that it belongs to.
pub fn find_by_token(conn: &Connection, token: TokenHash) -> Result<Option<(Share, UserId)>> {
    let sql = format!("SELECT {COLUMNS}, user_id FROM shares WHERE token_hash = ?1");
    Ok(conn.prepare_cached(&sql)?.query_row([token], |row| Ok((share(row)?, row.get(7)?))).optional()?)
}

/// Stores a new link of an account.
///
/// # Errors
/// [`TooMany`] at the fifty-first.
pub fn add(tx: &Tx<'_>, user_id: UserId, new: &NewShare, token: TokenHash) -> Result<Share> {
    let had: i64 =
        tx.prepare_cached("SELECT count(*) FROM shares WHERE user_id = ?1")?.query_row([user_id], |row| row.get(0))?;
    if had >= MOST {
        return Err(TooMany.into());
    }
    let mut insert = tx.prepare_cached(&format!(
        "INSERT INTO shares (user_id, kind, parts, period, token_hash, created_at, expires_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
         RETURNING {COLUMNS}"
    ))?;
    let (parts, period) = (new.parts.stored(), new.period.to_string());
    Ok(insert.query_row(params![user_id, Kind::Review, parts, period, token, tx.stamp(), new.expires_at], share)?)
}

/// Changes what a link shows, and until when.
///
/// # Errors
/// As [`find`].
pub fn change(tx: &Tx<'_>, user_id: UserId, id: ShareId, new: &Shown) -> Result<Share> {
    tx.prepare_cached("UPDATE shares SET parts = ?3, expires_at = ?4 WHERE id = ?2 AND user_id = ?1")?
        .execute(params![user_id, id, new.parts.stored(), new.expires_at])?;
    find(tx, user_id, id)
}

/// Gives a link another token. The former one opens nothing from now on.
///
/// # Errors
/// As [`find`].
pub fn renew(tx: &Tx<'_>, user_id: UserId, id: ShareId, token: TokenHash) -> Result<Share> {
    tx.prepare_cached("UPDATE shares SET token_hash = ?3, last_seen = NULL WHERE id = ?2 AND user_id = ?1")?
        .execute(params![user_id, id, token])?;
    find(tx, user_id, id)
}

/// Deletes a link.
///
/// # Errors
/// As [`find`].
pub fn delete(tx: &Tx<'_>, user_id: UserId, id: ShareId) -> Result<()> {
    let deleted = tx.prepare_cached("DELETE FROM shares WHERE id = ?2 AND user_id = ?1")?.execute((user_id, id))?;
    if deleted == 0 { Err(Error::NotFound) } else { Ok(()) }
}

/// Deletes every link of an account. Returns how many.
pub fn delete_all(tx: &Tx<'_>, user_id: UserId) -> Result<usize> {
    Ok(tx.prepare_cached("DELETE FROM shares WHERE user_id = ?1")?.execute([user_id])?)
}

/// Whether the last opening of a link is long enough ago to write another one.
pub fn is_seen_again(last_seen: Option<Timestamp>, now: DateTime<Utc>) -> bool {
    last_seen.is_none_or(|seen| now - seen.utc() >= SEEN_AGAIN)
}

/// Stores that a link was opened.
pub fn note_seen(tx: &Tx<'_>, id: ShareId) -> Result<()> {
    tx.prepare_cached("UPDATE shares SET last_seen = ?2 WHERE id = ?1")?.execute(params![id, tx.stamp()])?;
    Ok(())
}

/// The series of a book.
pub fn series_of(conn: &Connection, book: i64) -> Result<InSeries> {
    let mut query = conn.prepare_cached("SELECT series, series_number FROM books WHERE id = ?1")?;
    Ok(query.query_row([book], |row| Ok((row.get(0)?, row.get(1)?)))?)
}
