//! Idempotent creation: the same `Idempotency-Key` of the same user within one day returns the first response again and does
//! nothing.
mod store;

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::Value;

use super::extract::IdempotencyKey;
use crate::kit::db::pool::Tx;
use crate::kit::error::{Error, Result};
use crate::kit::error_code::ErrorCode;
use crate::kit::id::UserId;
pub use store::{forget, forget_old};

/// The longest response that is stored whole, in bytes. Of a longer one only the id of what it created is stored.
const LONGEST_KEPT: usize = 64 * 1024;
/// The longest stored response of a call that creates many things, such as an import, in bytes. A longer one is not stored: a repetition
/// runs the call again, which finds everything in its place.
const LONGEST_REPORT: usize = 1024 * 1024;
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
    user_id: UserId,
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
    user_id: UserId,
    key: &IdempotencyKey,
    scope: &str,
    call: impl FnOnce(&Tx<'_>) -> Result<IdempotentResponse>,
    again: impl FnOnce(i64) -> Result<Value>,
) -> Result<IdempotentResponse> {
    let Some(key) = &key.0 else { return call(tx) };
    let known = store::find(tx, user_id, key)?;
    if let Some(known) = known {
        if known.scope != scope {
            return Err(Error::refused(
                ErrorCode::IdempotencyKeyReused,
                "This Idempotency-Key was used for another call.",
            ));
        }
        let status = StatusCode::from_u16(known.status).map_err(anyhow::Error::from)?;
        let body = match made(&known.body) {
            Some((name, id)) => serde_json::json!({ name: again(id)? }),
            None => serde_json::from_str(&known.body)?,
        };
        return Ok(IdempotentResponse { status, body });
    }
    let answer = call(tx)?;
    let body = kept(&answer.body);
    if body.len() <= LONGEST_REPORT {
        store::insert(tx, user_id, key, scope, answer.status.as_u16(), &body)?;
    }
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
