//! The query of a request, read by serde: [`Query`], and what its fields share.
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer};
use utoipa::IntoParams;

use super::extract::shape_error;
use crate::kit::error::Error;

/// A query. A key without a value counts as absent, a list takes every value of its key, and unknown keys are ignored. 422 names the first
/// key with a value that does not fit, or that is repeated and takes one value.
#[derive(Debug, Clone, Copy)]
pub struct Query<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Error> {
        read(parts.uri.query().unwrap_or_default()).map(Self)
    }
}

/// Reads a query as [`Query`] does.
///
/// # Errors
/// 422 with a sentence for the first key that does not fit.
pub fn read<T: DeserializeOwned>(raw: &str) -> Result<T, Error> {
    let has_value = |pair: &&str| pair.split_once('=').is_some_and(|(_, value)| !value.is_empty());
    let pairs: Vec<_> = raw.split('&').filter(has_value).collect();
    let pairs = pairs.join("&");
    serde_path_to_error::deserialize(serde_html_form::Deserializer::from_bytes(pairs.as_bytes()))
        .map_err(|cause| shape_error(&cause.path().to_string(), &cause.inner().to_string()))
}

/// The options of an import that has no others.
#[derive(Debug, Clone, Copy, Default, Deserialize, IntoParams)]
#[serde(default, rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct DryRun {
    /// Only returns a preview, without importing.
    #[serde(deserialize_with = "flag")]
    #[param(value_type = Option<bool>)]
    pub dry_run: bool,
}

/// The page of a list that is ordered by its ids.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct PageRequest {
    /// The `nextCursor` of the previous page.
    #[serde(deserialize_with = "cursor")]
    #[param(value_type = Option<String>)]
    pub cursor: Option<i64>,
    /// The entries of a page: 1 to 200, 50 by default.
    #[serde(deserialize_with = "limit::<_, 200>")]
    #[param(value_type = Option<u32>, minimum = 1, maximum = 200)]
    limit: Option<usize>,
}

impl PageRequest {
    /// How many entries the page has at most.
    pub fn limit(&self) -> usize {
        self.limit.unwrap_or(50)
    }
}

const WRONG_CURSOR: &str = "The cursor must be the nextCursor of the previous page.";

/// The refusal of a cursor that no page has given.
pub fn wrong_cursor() -> Error {
    Error::invalid_field("cursor", WRONG_CURSOR)
}

fn cursor<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i64>, D::Error> {
    let id = String::deserialize(deserializer)?.parse();
    id.map(Some).map_err(|_| D::Error::custom(WRONG_CURSOR))
}

/// Reads a whole number from 1 to `MOST`.
pub fn limit<'de, D: Deserializer<'de>, const MOST: usize>(deserializer: D) -> Result<Option<usize>, D::Error> {
    let limit = String::deserialize(deserializer)?.parse().ok().filter(|limit| (1..=MOST).contains(limit));
    limit.map(Some).ok_or_else(|| D::Error::custom(format!("The limit must be a whole number from 1 to {MOST}.")))
}

/// Reads `true` or `1`, `false` or `0`.
///
/// # Errors
/// For anything else: a wrong word must not decide between a preview and an act.
pub fn flag<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    match String::deserialize(deserializer)?.as_str() {
        "true" | "1" => Ok(true),
        "false" | "0" => Ok(false),
        _ => Err(D::Error::custom("This is either true or false.")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::time_zone::Hemisphere;

    #[derive(Debug, Default, PartialEq, Deserialize)]
    #[serde(default, rename_all = "camelCase")]
    struct Asked {
        names: Vec<String>,
        hemisphere: Option<Hemisphere>,
        word_count: Option<i64>,
        is_read: Option<bool>,
        #[serde(deserialize_with = "flag")]
        dry_run: bool,
    }

    #[test]
    fn a_list_takes_every_value_and_a_key_without_a_value_is_absent() {
        let asked = Asked {
            names: vec!["A b".into(), "é".into()],
            hemisphere: Some(Hemisphere::South),
            word_count: Some(7),
            ..Asked::default()
        };
        let raw = "names=A+b&names=%C3%A9&names=&hemisphere=south&wordCount=7&isRead=&dryRun=&other=1&names";
        assert_eq!(read::<Asked>(raw).unwrap(), asked);
        assert_eq!(read::<Asked>("").unwrap(), Asked::default());
    }

    #[test]
    fn the_first_key_that_does_not_fit_is_named_with_what_it_takes() {
        let refused = |raw: &str| match read::<Asked>(raw).unwrap_err() {
            Error::Invalid(fields) => fields.iter().map(|(field, sentence)| format!("{field}: {sentence}")).collect(),
            other => vec![format!("{other:?}")],
        };
        for (raw, sentence) in [
            ("names=a&hemisphere=up&wordCount=x", "hemisphere: This must be north or south."),
            ("wordCount=x", "wordCount: This must be a whole number."),
            ("wordCount=1.5", "wordCount: This must be a whole number."),
            ("wordCount=99999999999999999999", "wordCount: This number is too small or too large."),
            ("wordCount=1&wordCount=2", "wordCount: This can be given only once."),
            ("isRead=1", "isRead: This is either true or false."),
            ("dryRun=yes", "dryRun: This is either true or false."),
        ] {
            assert_eq!(refused(raw), [sentence], "{raw}");
        }
    }

    #[test]
    fn a_page_has_one_to_two_hundred_entries_and_fifty_by_default() {
        let page = |raw: &str| read::<PageRequest>(raw).map(|page| (page.cursor, page.limit()));
        assert_eq!(page("").unwrap(), (None, 50));
        assert_eq!(page("cursor=7&limit=200").unwrap(), (Some(7), 200));
        for wrong in ["limit=0", "limit=201", "limit=-1", "limit=many", "cursor=x"] {
            assert!(page(wrong).is_err(), "{wrong}");
        }
    }
}
