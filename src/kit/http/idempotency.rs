//! Creating calls done once: the same `Idempotency-Key` of the same user within a day answers the same again and does nothing.
use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use chrono::TimeDelta;
use rusqlite::{OptionalExtension as _, params};
use serde_json::Value;

use super::extract::IdempotencyKey;
use crate::kit::db::pool::{Tx, instant};
use crate::kit::error::{Error, Result};

/// How long an answer is given again.
const REMEMBERED: TimeDelta = TimeDelta::days(1);

/// A longer answer is kept as what it made, in bytes.
const LONGEST_KEPT: usize = 64 * 1024;
/// Before what a long answer made: its key in the answer, a colon and the id. No JSON begins so.
const MADE: char = '@';

/// An answer that can be given again: status and JSON.
#[derive(Debug, Clone, PartialEq)]
pub struct IdempotentResponse {
    /// The status, 2xx for what is remembered.
    pub status: StatusCode,
    /// The body.
    pub body: Value,
}

impl IdempotentResponse {
    /// 201 with a body.
    pub fn created(body: Value) -> Self {
        Self { status: StatusCode::CREATED, body }
    }

    /// 200 with a body.
    pub fn ok(body: Value) -> Self {
        Self { status: StatusCode::OK, body }
    }
}

impl IntoResponse for IdempotentResponse {
    fn into_response(self) -> Response {
        (self.status, Json(self.body)).into_response()
    }
}

/// Does a creating call, or answers what it answered before under the same key. `scope` is the call's method and path: a key
/// that was used for another call is refused.
///
/// # Errors
/// The call's own error (then nothing is stored); 422 when the key belongs to a different request.
pub fn once(
    tx: &Tx<'_>,
    user_id: i64,
    key: &IdempotencyKey,
    scope: &str,
    call: impl FnOnce(&Tx<'_>) -> Result<IdempotentResponse>,
) -> Result<IdempotentResponse> {
    once_made(tx, user_id, key, scope, call, |_| Err(Error::internal("a kept answer that nobody can make again")))
}

/// As [`once`], for calls that answer `{"<key>": {"id": ..., ...}}`: where that is long, only key and id are kept, and `again` makes the
/// value anew. It then shows what has changed since.
pub fn once_made(
    tx: &Tx<'_>,
    user_id: i64,
    key: &IdempotencyKey,
    scope: &str,
    call: impl FnOnce(&Tx<'_>) -> Result<IdempotentResponse>,
    again: impl FnOnce(i64) -> Result<Value>,
) -> Result<IdempotentResponse> {
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
        let body = match made(&body) {
            Some((name, id)) => serde_json::json!({ name: again(id)? }),
            None => serde_json::from_str(&body)?,
        };
        return Ok(IdempotentResponse { status, body });
    }
    let answer = call(tx)?;
    tx.prepare_cached(
        "INSERT INTO idempotency_keys (user_id, key, scope, status, body, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?
    .execute(params![user_id, key, scope, answer.status.as_u16(), kept(&answer.body), tx.stamp()])?;
    Ok(answer)
}

/// An answer as it is kept: whole, or where it is long, what it made.
fn kept(body: &Value) -> String {
    let text = body.to_string();
    let made = || {
        let (name, value) = body.as_object().filter(|keys| keys.len() == 1)?.iter().next()?;
        Some(format!("{MADE}{name}:{}", value.get("id")?.as_i64()?))
    };
    if text.len() > LONGEST_KEPT { made().unwrap_or(text) } else { text }
}

/// Key and id of what a long answer made.
fn made(kept: &str) -> Option<(&str, i64)> {
    let (name, id) = kept.strip_prefix(MADE)?.split_once(':')?;
    Some((name, id.parse().ok()?))
}

/// Forgets every answer that was given to a user: they hold what is being erased.
pub fn forget(tx: &Tx<'_>, user_id: i64) -> Result<()> {
    tx.prepare_cached("DELETE FROM idempotency_keys WHERE user_id = ?1")?.execute([user_id])?;
    Ok(())
}

/// Forgets everybody's answers that are given no more. Answers how many rows went.
pub fn forget_old(tx: &Tx<'_>) -> Result<usize> {
    let old = instant(tx.now() - REMEMBERED);
    Ok(tx.execute("DELETE FROM idempotency_keys WHERE created_at < ?1", [old])?)
}
