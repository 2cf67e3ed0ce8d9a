//! List responses: rows are written directly into the bytes, without an intermediate value.
use std::io::{BufWriter, Write as _};

use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse as _, Response};
use rusqlite::Connection;
use serde::Serialize;
use tempfile::SpooledTempFile;

use crate::access::Viewer;
use crate::kit::http::{download, etag};
use crate::kit::{App, Error, ErrorCode, Result, VERSION};
use crate::library::counters::{self, LibraryRefusal};

impl From<LibraryRefusal> for Error {
    fn from(refusal: LibraryRefusal) -> Self {
        match refusal {
            LibraryRefusal::QuotaReached { quota, quotas } => {
                Self::quota_reached(quota.name(), quota.limit(quotas), quota.sentence(quotas))
            }
            LibraryRefusal::Full => Self::refused(ErrorCode::LibraryFull, "This library can't take any more entries."),
        }
    }
}

/// How many bytes of an answer are collected before they are written.
const PIECE: usize = 64 * 1024;

/// The JSON of an answer while it is written. All texts of a library may have hundreds of megabytes, so it is never in memory as a
/// whole.
pub type Body = BufWriter<SpooledTempFile>;

/// Adds bytes that are JSON already.
pub fn put(body: &mut Body, bytes: &[u8]) -> Result<()> {
    body.write_all(bytes).map_err(download::failed)
}

/// Adds a value as JSON.
pub fn put_json(body: &mut Body, value: &impl Serialize) -> Result<()> {
    serde_json::to_writer(body, value).map_err(|cause| download::failed(cause.into()))
}

/// A response `{"data": [...], ...}` that is being written. The list may have another name.
pub struct ListBody<'b> {
    body: &'b mut Body,
    empty: bool,
}

impl<'b> ListBody<'b> {
    /// Begins a list.
    pub fn begin(body: &'b mut Body) -> Result<Self> {
        Self::named(body, "data")
    }

    /// Begins a list with this name.
    pub fn named(body: &'b mut Body, name: &str) -> Result<Self> {
        put(body, format!("{{\"{name}\":[").as_bytes())?;
        Ok(Self { body, empty: true })
    }

    pub fn push(&mut self, element: &impl Serialize) -> Result<()> {
        if !std::mem::take(&mut self.empty) {
            put(self.body, b",")?;
        }
        put_json(self.body, element)
    }

    /// Ends the response; the keys of the object `rest` follow the list.
    pub fn finish(self, rest: &impl Serialize) -> Result<()> {
        let rest = serde_json::to_vec(rest)?;
        put(self.body, b"]")?;
        match &rest[1..] {
            b"}" => put(self.body, b"}"),
            keys => put(self.body, b",").and_then(|()| put(self.body, keys)),
        }
    }
}

/// Answers a request about the viewer's library from one snapshot: 304 if the client has the answer already, for which only the
/// revision of the library is read. `call` is the name of the call with its query.
///
/// # Errors
/// 503 `busy` when reading takes too long; 507 when a long answer finds the disk full.
pub async fn answer<F>(
    app: &App,
    viewer: Viewer,
    headers: HeaderMap,
    (call, query): (&'static str, String),
    write: F,
) -> Result<Response>
where
    F: FnOnce(&Connection, &Viewer, &mut Body) -> Result<()> + Send + 'static,
{
    let owner = viewer.user_id;
    // The large libraries of one account leave connections to other accounts.
    let _reader = app.budgets.reader(owner).await?;
    let file = download::unnamed(&app.db);
    let made = app.db.read(move |conn| {
        let (plan, limit) = (viewer.plan.name(), viewer.limits().book_limit.unwrap_or_default());
        let revision = counters::revision(conn, owner)?;
        let tag = etag::tag(&[&VERSION, &call, &query, &owner, &revision, &viewer.today, &plan, &limit]);
        let is_held = etag::holds(&headers, &tag);
        let tag = HeaderValue::try_from(tag).map_err(anyhow::Error::from)?;
        if is_held {
            return Ok(etag::unchanged(tag));
        }
        let mut body = Body::with_capacity(PIECE, file);
        write(conn, &viewer, &mut body)?;
        let file = body.into_inner().map_err(|cause| download::failed(cause.into_error()))?;
        let (length, body) = download::body(file, ())?;
        let headers =
            [(header::CONTENT_TYPE, "application/json".to_owned()), (header::CONTENT_LENGTH, length.to_string())];
        Ok(etag::tagged((headers, body).into_response(), tag))
    });
    made.await
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Seek as _};

    use super::*;

    fn list(elements: &[&str], rest: &serde_json::Value) -> String {
        let mut body = Body::new(tempfile::spooled_tempfile(100));
        let mut list = ListBody::begin(&mut body).unwrap();
        elements.iter().for_each(|element| list.push(element).unwrap());
        list.finish(rest).unwrap();
        let (mut file, mut text) = (body.into_inner().unwrap(), String::new());
        file.rewind().unwrap();
        file.read_to_string(&mut text).unwrap();
        text
    }

    #[test]
    fn a_list_is_one_object_whatever_stands_beside_it() {
        assert_eq!(list(&["one", "two"], &serde_json::json!({"total": 2})), r#"{"data":["one","two"],"total":2}"#);
        assert_eq!(list(&[], &serde_json::json!({})), r#"{"data":[]}"#);
    }
}
