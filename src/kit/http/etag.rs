//! ETags for responses that depend on a revision: nothing is computed when the client already has the response.
use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use crate::kit::error::Result;

/// An entity tag made of everything that a response depends on.
pub fn tag(parts: &[&dyn std::fmt::Display]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part.to_string().as_bytes());
        hash.update([0]);
    }
    format!("\"{}\"", URL_SAFE_NO_PAD.encode(&hash.finalize()[..12]))
}

/// Whether the client already has the response with that tag (`If-None-Match`).
pub fn holds(headers: &HeaderMap, tag: &str) -> bool {
    is_among(headers.get_all(header::IF_NONE_MATCH), tag)
}

/// Whether one of these lists contains the tag (weak comparison) or `*`.
pub fn is_among<'l>(lists: impl IntoIterator<Item = &'l HeaderValue>, tag: &str) -> bool {
    lists
        .into_iter()
        .filter_map(|list| list.to_str().ok())
        .any(|list| list.split(',').map(|one| one.trim().trim_start_matches("W/")).any(|one| one == tag || one == "*"))
}

/// The header `If-Match`: the tags of the versions that a change is meant for.
#[derive(Debug, Clone, Default, utoipa::IntoParams)]
#[into_params(names("If-Match"), parameter_in = Header)]
pub struct IfMatch(
    /// The `ETag` of the version that the change is meant for. When it is not the current one, nothing changes (412).
    #[param(value_type = String, required = false)]
    Vec<HeaderValue>,
);

impl IfMatch {
    /// Whether a change may apply to the version with this tag: without the header, to every version.
    pub fn admits(&self, tag: &str) -> bool {
        self.0.is_empty() || is_among(&self.0, tag)
    }
}

impl<S: Send + Sync> FromRequestParts<S> for IfMatch {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> std::result::Result<Self, Infallible> {
        Ok(Self(parts.headers.get_all(header::IF_MATCH).iter().cloned().collect()))
    }
}

/// An answer as JSON with a tag of its content; 304 where the client has it already.
///
/// # Errors
/// None in practice: every answer can be written as JSON.
pub fn listed(headers: &HeaderMap, answer: &impl Serialize) -> Result<Response> {
    of_content(headers, "application/json", serde_json::to_string(answer)?)
}

/// An answer with a tag of its content; 304 where the client has it already.
///
/// # Errors
/// None in practice: every tag can be a header.
pub fn of_content(headers: &HeaderMap, kind: &'static str, content: String) -> Result<Response> {
    let tag = tag(&[&content]);
    let is_held = holds(headers, &tag);
    let tag = HeaderValue::try_from(tag).map_err(anyhow::Error::from)?;
    if is_held {
        return Ok(unchanged(tag));
    }
    Ok(tagged(([(header::CONTENT_TYPE, kind)], content).into_response(), tag))
}

/// 304 with the tag.
pub fn unchanged(tag: HeaderValue) -> Response {
    tagged(StatusCode::NOT_MODIFIED.into_response(), tag)
}

/// Adds a tag to a response. The tag applies to every encoding and only to this client.
pub fn tagged(mut response: Response, tag: HeaderValue) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::ETAG, tag);
    headers.insert(header::VARY, HeaderValue::from_static("Cookie, Accept-Encoding"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_held_in_a_list_and_when_weak() {
        let tag = tag(&[&1, &"query"]);
        let mut headers = HeaderMap::new();
        headers.insert(header::IF_NONE_MATCH, format!("\"other\", W/{tag}").parse().unwrap());
        assert!(holds(&headers, &tag));
        assert!(!holds(&headers, "\"third\""));
    }

    #[test]
    fn a_change_applies_to_the_version_that_it_names_and_without_a_name_to_every_version() {
        let tag = tag(&[&1]);
        let of = |values: &[&str]| IfMatch(values.iter().map(|value| value.parse().unwrap()).collect());
        for values in [&[][..], &["*"], &[&tag], &["\"other\"", &tag], &[&format!("W/{tag}")]] {
            assert!(of(values).admits(&tag), "{values:?}");
        }
        for values in [&["\"other\""][..], &[""], &["x", "W/\"other\""]] {
            assert!(!of(values).admits(&tag), "{values:?}");
        }
    }

    #[test]
    fn parts_that_meet_differently_have_different_tags() {
        assert_ne!(tag(&[&"ab", &"c"]), tag(&[&"a", &"bc"]));
    }
}
