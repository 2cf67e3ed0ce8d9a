//! Answers of lists: rows go straight into the bytes, without a value of their own in between.
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Serialize;

use crate::access::Viewer;
use crate::kit::error::Result;
use crate::kit::etag;

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

/// The tag of an answer that follows from a library's revision, the question and who asks.
pub fn tag(revision: i64, viewer: &Viewer, question: &str) -> String {
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

/// Either the caller's copy still stands, or here is the new one.
pub enum Tagged {
    /// 304.
    Unchanged(String),
    /// 200 with the bytes.
    Fresh(String, Vec<u8>),
}

impl Tagged {
    /// Makes the body only when the caller does not hold it already.
    ///
    /// # Errors
    /// The maker's.
    pub fn make(headers: &HeaderMap, tag: String, make: impl FnOnce() -> Result<Vec<u8>>) -> Result<Self> {
        if etag::holds(headers, &tag) { Ok(Self::Unchanged(tag)) } else { Ok(Self::Fresh(tag, make()?)) }
    }

    /// The answer.
    pub fn respond(self) -> Response {
        match self {
            Self::Unchanged(tag) => etag::unchanged(&tag),
            Self::Fresh(tag, body) => etag::json(&tag, body),
        }
    }
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
