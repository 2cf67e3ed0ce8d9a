//! The rows of answers that are given again.
use chrono::TimeDelta;
use rusqlite::{OptionalExtension as _, params};

use crate::kit::db::pool::{Tx, instant};
use crate::kit::error::Result;
use crate::kit::id::UserId;

/// How long a response is kept.
const REMEMBERED: TimeDelta = TimeDelta::days(1);

/// How much is kept for one user, in bytes of bodies. Beyond it the oldest half is forgotten.
const MOST_KEPT: i64 = 4 * 1024 * 1024;

/// What is kept of an answer.
pub struct StoredResponse {
    /// Method and path of the call.
    pub scope: String,
    /// The answer's status.
    pub status: u16,
    /// The answer's body, or what it made.
    pub body: String,
}

/// The answer that is kept under a user's key; those that are older than a day are deleted first.
pub fn find(tx: &Tx<'_>, user_id: UserId, key: &str) -> Result<Option<StoredResponse>> {
    tx.prepare_cached("DELETE FROM idempotency_keys WHERE user_id = ?1 AND created_at < ?2")?
        .execute(params![user_id, instant(tx.now() - REMEMBERED)])?;
    let mut query =
        tx.prepare_cached("SELECT scope, status, body FROM idempotency_keys WHERE user_id = ?1 AND key = ?2")?;
    let found = query.query_row(params![user_id, key], |row| {
        Ok(StoredResponse { scope: row.get(0)?, status: row.get(1)?, body: row.get(2)? })
    });
    Ok(found.optional()?)
}

/// Keeps an answer under a user's key, and forgets the oldest ones where there are too many.
pub fn insert(tx: &Tx<'_>, user_id: UserId, key: &str, scope: &str, status: u16, body: &str) -> Result<()> {
    let mut kept =
        tx.prepare_cached("SELECT total(octet_length(body)) > ?2 FROM idempotency_keys WHERE user_id = ?1")?;
    if kept.query_row((user_id, MOST_KEPT), |row| row.get(0))? {
        tx.prepare_cached(
            "DELETE FROM idempotency_keys WHERE user_id = ?1 AND key IN (SELECT key FROM
                (SELECT key, sum(octet_length(body)) OVER (ORDER BY created_at DESC, key) AS newer
                FROM idempotency_keys WHERE user_id = ?1) WHERE newer > ?2)",
        )?
        .execute((user_id, MOST_KEPT / 2))?;
    }
    tx.prepare_cached(
        "INSERT INTO idempotency_keys (user_id, key, scope, status, body, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?
    .execute(params![user_id, key, scope, status, body, tx.stamp()])?;
    Ok(())
}

/// Deletes every stored response of a user, because they contain data that is being erased.
pub fn forget(tx: &Tx<'_>, user_id: UserId) -> Result<()> {
    tx.prepare_cached("DELETE FROM idempotency_keys WHERE user_id = ?1")?.execute([user_id])?;
    Ok(())
}

/// Deletes all expired responses. Returns how many rows were deleted.
pub fn forget_old(tx: &Tx<'_>) -> Result<usize> {
    let old = instant(tx.now() - REMEMBERED);
    Ok(tx.execute("DELETE FROM idempotency_keys WHERE created_at < ?1", [old])?)
}
