//! Creating calls done once: the same `Idempotency-Key` of the same user within a day answers the same again and does nothing.
use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use chrono::TimeDelta;
use rusqlite::{OptionalExtension as _, params};
use serde_json::Value;

use super::db::{Tx, instant};
use super::error::{Error, Result};
use super::extract::IdempotencyKey;

/// How long an answer is given again.
const REMEMBERED: TimeDelta = TimeDelta::days(1);

/// An answer that can be given again: status and JSON.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The status, 2xx for what is remembered.
    pub status: StatusCode,
    /// The body.
    pub body: Value,
}

impl Answer {
    /// 201 with a body.
    pub fn created(body: Value) -> Self {
        Self { status: StatusCode::CREATED, body }
    }

    /// 200 with a body.
    pub fn ok(body: Value) -> Self {
        Self { status: StatusCode::OK, body }
    }
}

impl IntoResponse for Answer {
    fn into_response(self) -> Response {
        (self.status, Json(self.body)).into_response()
    }
}

/// Does a creating call, or answers what it answered before under the same key. `scope` is the call's method and path: a key
/// that was used for another call is refused.
///
/// # Errors
/// What the call answers (and then nothing is remembered); 422 for a key of another call.
pub fn once(
    tx: &Tx<'_>,
    user_id: i64,
    key: &IdempotencyKey,
    scope: &str,
    call: impl FnOnce(&Tx<'_>) -> Result<Answer>,
) -> Result<Answer> {
    let Some(key) = &key.0 else { return call(tx) };
    let day_ago = instant(tx.now() - REMEMBERED);
    tx.prepare_cached("DELETE FROM idempotency_keys WHERE user_id = ?1 AND created_at < ?2")?
        .execute(params![user_id, day_ago])?;
    let known: Option<(String, u16, String)> = tx
        .prepare_cached("SELECT scope, status, body FROM idempotency_keys WHERE user_id = ?1 AND key = ?2")?
        .query_row(params![user_id, key], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .optional()?;
    if let Some((of, status, body)) = known {
        if of != scope {
            return Err(Error::invalid("idempotency_key_reused", "This Idempotency-Key was used for another call."));
        }
        let status = StatusCode::from_u16(status).map_err(anyhow::Error::from)?;
        return Ok(Answer { status, body: serde_json::from_str(&body)? });
    }
    let answer = call(tx)?;
    tx.prepare_cached(
        "INSERT INTO idempotency_keys (user_id, key, scope, status, body, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?
    .execute(params![user_id, key, scope, answer.status.as_u16(), answer.body.to_string(), tx.stamp()])?;
    Ok(answer)
}

/// Forgets every answer that was given to a user: they hold what is being erased.
///
/// # Errors
/// The database's.
pub fn forget(tx: &Tx<'_>, user_id: i64) -> Result<()> {
    tx.prepare_cached("DELETE FROM idempotency_keys WHERE user_id = ?1")?.execute([user_id])?;
    Ok(())
}

/// Forgets everybody's answers that are given no more. Answers how many rows went.
///
/// # Errors
/// The database's.
pub fn forget_old(tx: &Tx<'_>) -> Result<usize> {
    let old = instant(tx.now() - REMEMBERED);
    Ok(tx.execute("DELETE FROM idempotency_keys WHERE created_at < ?1", [old])?)
}
