//! The table of API tokens.
use chrono::TimeDelta;
use rusqlite::{Connection, Row, params};

use super::model::{ApiToken, NewToken};
use crate::account::model::AccountRefusal;
use crate::kit::db::pool::{Tx, instant};
use crate::kit::http::session::TokenHash;
use crate::kit::id::UserId;
use crate::kit::{Error, Result};

/// The most tokens of one account.
const MOST: i64 = 100;

/// How long an expired token stays in its owner's list.
const SHOWN_EXPIRED: TimeDelta = TimeDelta::days(90);

const COLUMNS: &str = "id, name, access, created_at, expires_at, last_used_at";

fn token(row: &Row<'_>) -> rusqlite::Result<ApiToken> {
    Ok(ApiToken {
        id: row.get("id")?,
        name: row.get("name")?,
        access: row.get("access")?,
        created_at: row.get("created_at")?,
        expires_at: row.get("expires_at")?,
        last_used_at: row.get("last_used_at")?,
    })
}

/// A user's tokens, newest first.
pub fn all(conn: &Connection, user_id: UserId) -> Result<Vec<ApiToken>> {
    let mut query =
        conn.prepare_cached(&format!("SELECT {COLUMNS} FROM api_tokens WHERE user_id = ?1 ORDER BY id DESC"))?;
    let rows = query.query_map([user_id], token)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Stores a new token of a user.
///
/// # Errors
/// [`AccountRefusal::TooManyTokens`] at the hundredth.
pub fn add(tx: &Tx<'_>, user_id: UserId, new: &NewToken, secret: TokenHash) -> Result<ApiToken> {
    let had: i64 = tx
        .prepare_cached("SELECT count(*) FROM api_tokens WHERE user_id = ?1")?
        .query_row([user_id], |row| row.get(0))?;
    if had >= MOST {
        return Err(AccountRefusal::TooManyTokens.into());
    }
    let mut insert = tx.prepare_cached(&format!(
        "INSERT INTO api_tokens (user_id, name, access, secret_hash, created_at, expires_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
         RETURNING {COLUMNS}"
    ))?;
    let end = new.days.map(|days| instant(tx.now() + TimeDelta::days(days)));
    Ok(insert.query_row(params![user_id, new.name, new.access, secret, tx.stamp(), end], token)?)
}

/// Deletes one of a user's tokens.
pub fn revoke(tx: &Tx<'_>, user_id: UserId, id: i64) -> Result<()> {
    let ended = tx.prepare_cached("DELETE FROM api_tokens WHERE id = ?2 AND user_id = ?1")?.execute((user_id, id))?;
    if ended == 0 { Err(Error::NotFound) } else { Ok(()) }
}

/// Deletes every token of a user.
pub fn revoke_all(tx: &Tx<'_>, user_id: UserId) -> Result<()> {
    tx.prepare_cached("DELETE FROM api_tokens WHERE user_id = ?1")?.execute([user_id])?;
    Ok(())
}

/// Deletes tokens that expired more than 90 days ago. Returns how many.
pub fn forget_expired(tx: &Tx<'_>) -> Result<usize> {
    Ok(tx.execute("DELETE FROM api_tokens WHERE expires_at < ?1", [instant(tx.now() - SHOWN_EXPIRED)])?)
}
