//! List responses: rows are written directly into the bytes, without an intermediate value.
use axum::response::Response;
use rusqlite::Connection;
use serde::Serialize;

use crate::access::Viewer;
use crate::kit::http::compression::Body;
use crate::kit::http::response_cache::{CacheKey, Conditional, TaggedBy};
use crate::kit::{App, Error, ErrorCode, Result};
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

    /// Adds an element.
    pub fn push(&mut self, element: &impl Serialize) -> Result<()> {
        if !std::mem::take(&mut self.empty) {
            put(self.body, b",")?;
        }
        Ok(self.body.put_json(element).map_err(anyhow::Error::from)?)
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

/// Adds bytes that are JSON already.
pub fn put(body: &mut Body, bytes: &[u8]) -> Result<()> {
    Ok(body.put(bytes).map_err(anyhow::Error::from)?)
}

/// Answers a request about the viewer's library: from the client's copy or the cache if they are current, otherwise from one
/// snapshot.
pub async fn answer<F>(
    app: &App,
    viewer: Viewer,
    caller: Conditional,
    call: (&'static str, String),
    write: F,
) -> Result<Response>
where
    F: FnOnce(&Connection, &Viewer, &mut Body) -> Result<()> + Send + 'static,
{
    answer_tagged(app, viewer, caller, call, TaggedBy::Key, write).await
}

/// The same with a choice of what the entity tag is made of.
pub async fn answer_tagged<F>(
    app: &App,
    viewer: Viewer,
    caller: Conditional,
    (call, query): (&'static str, String),
    tagged_by: TaggedBy,
    write: F,
) -> Result<Response>
where
    F: FnOnce(&Connection, &Viewer, &mut Body) -> Result<()> + Send + 'static,
{
    let (owner, version) = (viewer.user_id, viewer.version);
    let mut question = CacheKey {
        call,
        query,
        owner,
        revision: 0,
        today: viewer.today,
        plan: viewer.plan.name(),
        book_limit: viewer.limits().book_limit,
        encoding: caller.encoding,
        tagged_by,
    };
    if let Some(revision) = app.response_cache.revisions.get(version, &owner) {
        question.revision = revision;
        if let Some(response) = app.response_cache.find(&caller, &question) {
            return Ok(response);
        }
    }
    // The large libraries of one account leave connections to other accounts.
    let _reader = app.budgets.reader(owner).await?;
    let response_cache = app.response_cache.clone();
    let made = app.db.read(move |conn| {
        question.revision = counters::revision(conn, owner)?;
        response_cache.revisions.put(version, owner, question.revision);
        match response_cache.find(&caller, &question) {
            Some(response) => Ok(response),
            None => response_cache.keep(&caller, question, |body| write(conn, &viewer, body)),
        }
    });
    made.await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::http::compression::Encoding;

    fn list(elements: &[&str], rest: &serde_json::Value) -> String {
        let mut body = Body::new(Encoding::Plain);
        let mut list = ListBody::begin(&mut body).unwrap();
        elements.iter().for_each(|element| list.push(element).unwrap());
        list.finish(rest).unwrap();
        String::from_utf8(body.finish().unwrap().1).unwrap()
    }

    #[test]
    fn a_list_is_one_object_whatever_stands_beside_it() {
        assert_eq!(list(&["one", "two"], &serde_json::json!({"total": 2})), r#"{"data":["one","two"],"total":2}"#);
        assert_eq!(list(&[], &serde_json::json!({})), r#"{"data":[]}"#);
    }
}
