//! Idempotent creation: the same `Idempotency-Key` of the same user within one day returns the first response again and does
//! nothing.
use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use chrono::TimeDelta;
use rusqlite::{OptionalExtension as _, params};
use serde_json::Value;

use super::extract::IdempotencyKey;
use crate::kit::db::pool::{Tx, instant};
use crate::kit::error::{Error, Result};

/// How long a response is kept.
const REMEMBERED: TimeDelta = TimeDelta::days(1);

/// A longer response is stored as the id of what it created, in bytes.
const LONGEST_KEPT: usize = 64 * 1024;
/// Prefix of a stored id, which is followed by the key in the response, a colon and the id. No JSON begins with it.
const MADE: char = '@';

/// A response that can be repeated: status and JSON.
#[derive(Debug, Clone, PartialEq)]
pub struct IdempotentResponse {
    /// The status; only 2xx responses are stored.
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

/// Runs a creating call, or returns the stored response of the same key. `scope` is the call's method and path: a key that was
/// used for another call is refused.
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
    once_made(tx, user_id, key, scope, call, |_| Err(Error::internal("a stored response can't be built again")))
}

/// Like [`once`], for calls that return `{"<key>": {"id": ..., ...}}`. When the response is long, only key and id are stored, and
/// `again` builds the value again, with any later changes.
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

/// A response in its stored form: complete, or when it is long, only the id of what it created.
fn kept(body: &Value) -> String {
    let text = body.to_string();
    let made = || {
        let (name, value) = body.as_object().filter(|keys| keys.len() == 1)?.iter().next()?;
        Some(format!("{MADE}{name}:{}", value.get("id")?.as_i64()?))
    };
    if text.len() > LONGEST_KEPT { made().unwrap_or(text) } else { text }
}

/// The key and the id in a stored response, if it has that form.
fn made(kept: &str) -> Option<(&str, i64)> {
    let (name, id) = kept.strip_prefix(MADE)?.split_once(':')?;
    Some((name, id.parse().ok()?))
}

/// Deletes every stored response of a user, because they contain data that is being erased.
pub fn forget(tx: &Tx<'_>, user_id: i64) -> Result<()> {
    tx.prepare_cached("DELETE FROM idempotency_keys WHERE user_id = ?1")?.execute([user_id])?;
    Ok(())
}

/// Deletes all expired responses. Returns how many rows were deleted.
pub fn forget_old(tx: &Tx<'_>) -> Result<usize> {
    let old = instant(tx.now() - REMEMBERED);
    Ok(tx.execute("DELETE FROM idempotency_keys WHERE created_at < ?1", [old])?)
}
