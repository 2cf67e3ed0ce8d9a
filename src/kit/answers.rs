//! Answers that follow from a revision, kept as they were sent: a revisit costs next to nothing.
//!
//! A tag is made of everything that an answer depends on (`kit::etag`), so what is kept under one is never wrong, only
//! unused after a change, and then pushed out by newer ones.
use std::sync::Arc;

use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use quick_cache::Weighter;
use quick_cache::sync::Cache;

use super::encoding::Encoding;
use super::error::Result;
use super::etag;
use super::memo::Memo;

/// All bodies together, in bytes.
const MOST_BYTES: u64 = 16 * 1024 * 1024;
/// A larger body is not kept, so that a few cannot push out everybody's.
const LARGEST: usize = 1024 * 1024;
/// What an entry costs beside its body, in bytes.
const OVERHEAD: u64 = 200;

type Key = (String, Encoding);
type Body = (Encoding, Bytes);

/// Revisions and bodies in memory; clones share them.
#[derive(Clone)]
pub struct Answers {
    /// Owners' revisions, for as long as the database stands.
    pub revisions: Arc<Memo<i64, i64>>,
    bodies: Arc<Cache<Key, Body, ByBytes>>,
}

#[derive(Clone)]
struct ByBytes;

impl Weighter<Key, Body> for ByBytes {
    fn weight(&self, _key: &Key, (_, bytes): &Body) -> u64 {
        bytes.len() as u64 + OVERHEAD
    }
}

impl Default for Answers {
    fn default() -> Self {
        Self { revisions: Arc::default(), bodies: Arc::new(Cache::with_weighter(2_000, MOST_BYTES, ByBytes)) }
    }
}

impl Answers {
    /// The answer with a tag, when the caller or this memory has it: 304, or 200 with the bytes.
    pub fn find(&self, headers: &HeaderMap, tag: &str) -> Option<Response> {
        if etag::holds(headers, tag) {
            return Some(etag::unchanged(tag));
        }
        let body = self.bodies.get(&(tag.to_owned(), Encoding::of(headers)))?;
        Some(respond(tag, body))
    }

    /// Encodes a new JSON body as its caller takes it, keeps it, and answers it.
    ///
    /// # Errors
    /// The encoder's.
    pub fn keep(&self, headers: &HeaderMap, tag: String, json: Vec<u8>) -> Result<Response> {
        let asked = Encoding::of(headers);
        let (encoding, bytes) = asked.encode(json).map_err(anyhow::Error::from)?;
        let body = (encoding, Bytes::from(bytes));
        let response = respond(&tag, body.clone());
        if body.1.len() <= LARGEST {
            self.bodies.insert((tag, asked), body);
        }
        Ok(response)
    }
}

fn respond(tag: &str, (encoding, bytes): Body) -> Response {
    let mut response = etag::tagged(bytes.into_response(), tag);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, header::HeaderValue::from_static("application/json"));
    if let Some(encoding) = encoding.header() {
        headers.insert(header::CONTENT_ENCODING, encoding);
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_bounded_in_bytes_and_a_large_body_pushes_nobody_out() {
        let (answers, headers) = (Answers::default(), HeaderMap::new());
        answers.keep(&headers, "small".into(), vec![b' '; 100]).unwrap();
        answers.keep(&headers, "large".into(), vec![b' '; LARGEST + 1]).unwrap();
        assert!(answers.find(&headers, "small").is_some() && answers.find(&headers, "large").is_none());
        for number in 0..100 {
            answers.keep(&headers, number.to_string(), vec![b' '; LARGEST]).unwrap();
        }
        assert!(answers.bodies.weight() <= MOST_BYTES);
    }
}
