//! A cache of responses that depend on a revision, stored in the form in which they were sent.
//!
//! A [`CacheKey`] contains everything that a response depends on. A cached response is therefore never outdated: after a change
//! it is no longer used, and newer ones replace it.
use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use chrono::NaiveDate;
use quick_cache::Weighter;
use quick_cache::sync::Cache;

use super::budgets::ByteBudget;
use super::etag;
use super::held_body;
use crate::kit::VERSION;
use crate::kit::db::versioned_cache::VersionedCache;
use crate::kit::error::Result;
use crate::kit::http::compression::{Body, Encoding};
use crate::kit::id::UserId;

/// The size of all bodies together, in bytes.
const MOST_BYTES: u64 = 16 * 1024 * 1024;
/// A larger body is not cached, so that a few can't displace all others.
const LARGEST: usize = held_body::FREE;
/// The memory of an entry besides its body, in bytes.
const OVERHEAD: u64 = 300;

/// Everything that a response depends on, including its encoding.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CacheKey {
    /// The name of the call.
    pub call: &'static str,
    /// The call's query, as it was sent.
    pub query: String,
    /// The owner of the library.
    pub owner: UserId,
    /// The library's revision.
    pub revision: i64,
    /// The current day in the owner's time zone.
    pub today: NaiveDate,
    /// The owner's plan.
    pub plan: &'static str,
    /// The most books that the plan allows.
    pub book_limit: Option<u32>,
    /// The encoding that the client accepts.
    pub encoding: Encoding,
    /// What the response's entity tag is made of.
    pub tagged_by: TaggedBy,
}

/// What an entity tag is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TaggedBy {
    /// The key: nothing has to be computed when the client has the response.
    Key,
    /// The body alone, for responses to strangers: the key's parts could be found out from the tag by trying.
    Content,
}

impl CacheKey {
    /// The entity tag of a response that is tagged by its key, for all encodings.
    fn tag(&self) -> HeaderValue {
        let parts: [&dyn std::fmt::Display; 8] = [
            &VERSION,
            &self.call,
            &self.query,
            &self.owner,
            &self.revision,
            &self.today,
            &self.plan,
            &self.book_limit.unwrap_or_default(),
        ];
        header_value(etag::tag(&parts))
    }

    fn tag_of(&self, body: &[u8]) -> HeaderValue {
        match self.tagged_by {
            TaggedBy::Key => self.tag(),
            TaggedBy::Content => header_value(etag::content_tag(body)),
        }
    }
}

fn header_value(tag: String) -> HeaderValue {
    HeaderValue::try_from(tag).unwrap_or(HeaderValue::from_static("\"\""))
}

/// The encoding that a client accepts, and the tags of the responses it has.
#[derive(Debug, Clone)]
pub struct Conditional {
    /// The fastest encoding that the client accepts.
    pub encoding: Encoding,
    tags: Vec<HeaderValue>,
}

impl Conditional {
    /// Reads a request's headers.
    pub fn of(headers: &HeaderMap) -> Self {
        let tags = headers.get_all(header::IF_NONE_MATCH).iter().cloned().collect();
        Self { encoding: Encoding::of(headers), tags }
    }

    /// The same client without the responses that it has: for the answer to a change.
    #[must_use]
    pub fn without_tags(self) -> Self {
        Self { tags: Vec::new(), ..self }
    }

    fn holds(&self, tag: &HeaderValue) -> bool {
        tag.to_str().is_ok_and(|tag| etag::is_among(&self.tags, tag))
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Conditional {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> std::result::Result<Self, Infallible> {
        Ok(Self::of(&parts.headers))
    }
}

/// A response as it was sent.
#[derive(Debug, Clone)]
struct CachedResponse {
    tag: HeaderValue,
    encoding: Encoding,
    body: Bytes,
}

/// Cached revisions and responses; clones share them.
#[derive(Clone)]
pub struct ResponseCache {
    /// Revisions by owner, valid until the next commit.
    pub revisions: Arc<VersionedCache<UserId, i64>>,
    kept: Arc<Cache<CacheKey, CachedResponse, ByBytes>>,
    /// The memory budget of larger responses.
    memory: ByteBudget,
}

#[derive(Clone)]
struct ByBytes;

impl Weighter<CacheKey, CachedResponse> for ByBytes {
    fn weight(&self, question: &CacheKey, kept: &CachedResponse) -> u64 {
        (question.query.len() + kept.body.len()) as u64 + OVERHEAD
    }
}

impl Default for ResponseCache {
    fn default() -> Self {
        Self::within(ByteBudget::default())
    }
}

impl ResponseCache {
    /// An empty cache. Larger responses use memory from `memory`.
    pub fn within(memory: ByteBudget) -> Self {
        let kept = Arc::new(Cache::with_weighter(2_000, MOST_BYTES, ByBytes));
        Self { revisions: Arc::default(), kept, memory }
    }

    /// The response for a key, if the client or the cache has it: 304, or 200 with the bytes.
    pub fn find(&self, caller: &Conditional, question: &CacheKey) -> Option<Response> {
        match self.kept.get(question) {
            Some(kept) if caller.holds(&kept.tag) => Some(etag::unchanged(kept.tag)),
            Some(kept) => Some(respond(kept)),
            None if caller.tags.is_empty() || question.tagged_by == TaggedBy::Content => None,
            None => Some(question.tag()).filter(|tag| caller.holds(tag)).map(etag::unchanged),
        }
    }

    /// Creates a JSON body in the client's encoding, stores it, and returns the response; 304 when the client has it.
    ///
    /// # Errors
    /// 503 `busy` when large responses already use too much memory.
    pub fn keep(
        &self,
        caller: &Conditional,
        question: CacheKey,
        write: impl FnOnce(&mut Body) -> Result<()>,
    ) -> Result<Response> {
        let mut body = Body::within(question.encoding, self.memory.part(LARGEST));
        write(&mut body)?;
        let memory = body.take_memory();
        let (encoding, bytes) = body.finish().map_err(anyhow::Error::from)?;
        let kept = CachedResponse { tag: question.tag_of(&bytes), encoding, body: Bytes::from(bytes) };
        let is_held = caller.holds(&kept.tag);
        if kept.body.len() <= LARGEST {
            self.kept.insert(question, kept.clone());
        }
        if is_held {
            return Ok(etag::unchanged(kept.tag));
        }
        let is_large = kept.body.len() > LARGEST;
        let mut response = respond(kept);
        if let Some(memory) = memory.filter(|_| is_large) {
            held_body::attach(&mut response, memory);
        }
        Ok(response)
    }
}

fn respond(CachedResponse { tag, encoding, body }: CachedResponse) -> Response {
    let mut response = etag::tagged(body.into_response(), tag);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    if let Some(encoding) = encoding.header() {
        headers.insert(header::CONTENT_ENCODING, encoding);
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keep(response_cache: &ResponseCache, question: CacheKey, length: usize) {
        let blanks = |body: &mut Body| Ok(body.put(&vec![b' '; length]).map_err(anyhow::Error::from)?);
        response_cache.keep(&Conditional::of(&HeaderMap::new()), question, blanks).unwrap();
    }

    fn question(number: i64) -> CacheKey {
        CacheKey {
            call: "books",
            query: String::new(),
            owner: UserId(1),
            revision: number,
            today: NaiveDate::default(),
            plan: "reader",
            book_limit: None,
            encoding: Encoding::Plain,
            tagged_by: TaggedBy::Key,
        }
    }

    #[test]
    fn what_is_kept_is_bounded_in_bytes_and_a_large_body_pushes_nobody_out() {
        let (response_cache, caller) = (ResponseCache::default(), Conditional::of(&HeaderMap::new()));
        keep(&response_cache, question(1), 100);
        keep(&response_cache, question(2), LARGEST + 1);
        assert!(
            response_cache.find(&caller, &question(1)).is_some()
                && response_cache.find(&caller, &question(2)).is_none()
        );
        for number in 3..100 {
            keep(&response_cache, question(number), LARGEST);
        }
        assert!(response_cache.kept.weight() <= MOST_BYTES);
    }

    #[test]
    fn an_answer_that_the_caller_holds_is_unchanged_whether_it_is_still_kept_or_not() {
        let (response_cache, mut headers) = (ResponseCache::default(), HeaderMap::new());
        headers.insert(header::IF_NONE_MATCH, question(1).tag());
        let status =
            |question: &CacheKey| response_cache.find(&Conditional::of(&headers), question).map(|found| found.status());
        assert_eq!((status(&question(1)).map(|s| s.as_u16()), status(&question(2))), (Some(304), None));
        keep(&response_cache, question(1), 100);
        assert_eq!(status(&question(1)).map(|s| s.as_u16()), Some(304));
    }
}
