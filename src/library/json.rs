//! Answers of lists: rows go straight into the bytes, without a value of their own in between.
use axum::http::HeaderMap;
use axum::response::Response;
use rusqlite::Connection;
use serde::Serialize;

use super::ledger;
use crate::access::Viewer;
use crate::kit::{App, Result, etag};

/// `{"data": [...], ...}` as it grows.
#[derive(Debug)]
pub struct ListBody(Vec<u8>);

const OPEN: &[u8] = br#"{"data":["#;

impl Default for ListBody {
    fn default() -> Self {
        Self(OPEN.to_vec())
    }
}

impl ListBody {
    /// One more element.
    ///
    /// # Errors
    /// When it can't be written as JSON.
    pub fn push(&mut self, element: &impl Serialize) -> Result<()> {
        if self.0.len() > OPEN.len() {
            self.0.push(b',');
        }
        Ok(serde_json::to_writer(&mut self.0, element)?)
    }

    /// The whole answer; `rest` is an object whose keys stand behind the list.
    ///
    /// # Errors
    /// As [`ListBody::push`].
    pub fn finish(mut self, rest: &impl Serialize) -> Result<Vec<u8>> {
        self.0.push(b']');
        let start = self.0.len();
        serde_json::to_writer(&mut self.0, rest)?;
        // The object's brace becomes the comma behind the list; an empty object is only its end.
        if self.0.len() - start > 2 {
            self.0[start] = b',';
        } else {
            self.0.remove(start);
        }
        Ok(self.0)
    }
}

/// Answers a question to the viewer's library: from the caller's copy or from memory where they still stand, else made anew
/// from one snapshot.
///
/// # Errors
/// The maker's; the database's.
pub async fn answer<F>(app: &App, viewer: Viewer, headers: HeaderMap, question: String, make: F) -> Result<Response>
where
    F: FnOnce(&Connection, &Viewer) -> Result<Vec<u8>> + Send + 'static,
{
    let (answers, owner, version) = (app.answers.clone(), viewer.user_id, viewer.version);
    let known = answers.revisions.get(version, &owner).map(|revision| tag(revision, &viewer, &question));
    if let Some(response) = known.and_then(|tag| answers.find(&headers, &tag)) {
        return Ok(response);
    }
    let made = app.db.read(move |conn| {
        let revision = ledger::revision(conn, owner)?;
        answers.revisions.put(version, owner, revision);
        let tag = tag(revision, &viewer, &question);
        match answers.find(&headers, &tag) {
            Some(response) => Ok(response),
            None => answers.keep(&headers, tag, make(conn, &viewer)?),
        }
    });
    made.await
}

/// The tag of an answer that follows from a library's revision, the question and who asks.
fn tag(revision: i64, viewer: &Viewer, question: &str) -> String {
    let limits = viewer.limits();
    let parts: [&dyn std::fmt::Display; 7] = [
        &env!("CARGO_PKG_VERSION"),
        &viewer.user_id,
        &revision,
        &viewer.today,
        &viewer.plan.name(),
        &limits.book_limit.unwrap_or_default(),
        &question,
    ];
    etag::tag(&parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_one_object_whatever_stands_beside_it() {
        let mut body = ListBody::default();
        body.push(&1).unwrap();
        body.push(&"two").unwrap();
        assert_eq!(body.finish(&serde_json::json!({"total": 2})).unwrap(), br#"{"data":[1,"two"],"total":2}"#);
        assert_eq!(ListBody::default().finish(&serde_json::json!({})).unwrap(), br#"{"data":[]}"#);
    }
}
