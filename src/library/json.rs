//! Answers of lists: rows go straight into the bytes, without a value of their own in between.
use axum::response::Response;
use rusqlite::Connection;
use serde::Serialize;

use super::ledger;
use crate::access::Viewer;
use crate::kit::answers::{Caller, Question};
use crate::kit::{App, Result};

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

/// Answers a call and its query about the viewer's library: from the caller's copy or from memory where they still stand, else
/// made anew from one snapshot.
///
/// # Errors
/// The maker's; the database's.
pub async fn answer<F>(
    app: &App,
    viewer: Viewer,
    caller: Caller,
    (call, query): (&'static str, String),
    make: F,
) -> Result<Response>
where
    F: FnOnce(&Connection, &Viewer) -> Result<Vec<u8>> + Send + 'static,
{
    let (owner, version) = (viewer.user_id, viewer.version);
    let mut question = Question {
        call,
        query,
        owner,
        revision: 0,
        today: viewer.today,
        plan: viewer.plan.name(),
        book_limit: viewer.limits().book_limit,
        encoding: caller.encoding,
    };
    if let Some(revision) = app.answers.revisions.get(version, &owner) {
        question.revision = revision;
        if let Some(response) = app.answers.find(&caller, &question) {
            return Ok(response);
        }
    }
    let answers = app.answers.clone();
    let made = app.db.read(move |conn| {
        question.revision = ledger::revision(conn, owner)?;
        answers.revisions.put(version, owner, question.revision);
        match answers.find(&caller, &question) {
            Some(response) => Ok(response),
            None => answers.keep(question, make(conn, &viewer)?),
        }
    });
    made.await
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
