//! The API calls of the look-up.
use axum::extract::State;
use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER};
use axum::response::{IntoResponse as _, Response};
use axum::{Extension, Json};
use serde::Deserialize;
use serde_json::json;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use super::model::{LookupOutcome, LookupQuery, LookupResponse, LookupSource, LookupSourceOutcome, WORDS_LENGTH};
use super::offline;
use super::search::{Lookup, LookupError, Reader};
use crate::access::{Owner, Viewer};
use crate::kit::http::download;
use crate::kit::http::extract::Json as ExtractJson;
use crate::kit::http::query::Query;
use crate::kit::http::routes::routes;
use crate::kit::id::UserId;
use crate::kit::time_zone::Zone;
use crate::kit::{App, Error, ErrorCode, Result};
use crate::library::isbn;

/// The routes of this module.
pub fn routes(lookup: &Lookup) -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(look_up)).routes(routes!(cover)).layer(Extension(lookup.clone()))
}

/// What is looked up: exactly one of `isbn` and `q`.
#[derive(Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
struct LookupParams {
    /// An ISBN of 10 or 13 digits; hyphens and spaces do not count.
    isbn: Option<String>,
    /// 2 to 200 characters of title and author, or an ISBN.
    #[param(min_length = 2, max_length = 200)]
    q: Option<String>,
    /// `true` asks the offline catalogue alone, so that nothing leaves the server.
    #[param(value_type = Option<bool>)]
    offline: bool,
}

/// Looks a book up in the catalogues that this server asks. Each has an outcome of its own. Answers are kept for 30 days, answers
/// without a book for one; answers that are kept do not count. An account may ask once a second and 500 times a day.
#[utoipa::path(get, path = "/api/lookup", operation_id = "lookUpBooks", tag = "lookup", params(LookupParams),
    responses((status = 200, body = LookupResponse), (status = 401), (status = 422), (status = 429), (status = 503)))]
async fn look_up(
    State(app): State<App>,
    Extension(lookup): Extension<Lookup>,
    viewer: Viewer,
    Query(sent): Query<LookupParams>,
) -> Result<Response> {
    if !Lookup::is_configured(&app) {
        return Err(error_of(LookupError::NotConfigured));
    }
    let query = sent.checked()?;
    match lookup.search(&app, Reader::of(&viewer), query, sent.offline).await {
        Ok(found) => Ok(Json(found).into_response()),
        Err(error) => error_response(&app, viewer.user_id, error).await,
    }
}

/// The cover of a result.
#[derive(Deserialize, ToSchema)]
struct LookupCoverFields {
    /// The catalogue, as the result names it.
    source: String,
    /// What the result has under `cover`.
    cover: String,
}

/// Returns the cover of a result, for the form: a JPEG, PNG or WebP of at most 200 KiB and 1,000 × 1,500 pixels. Covers of the offline
/// catalogue come from Open Library. The call for covers stores the picture with a book. An account may ask for one a second, and for
/// 5,000 a day.
#[utoipa::path(post, path = "/api/lookup/cover", operation_id = "lookUpCover", tag = "lookup", request_body = LookupCoverFields,
    responses((status = 200, body = inline(download::File), content_type = "image/*"), (status = 401), (status = 404), (status = 413),
        (status = 415), (status = 422), (status = 429), (status = 503)))]
async fn cover(
    State(app): State<App>,
    Extension(lookup): Extension<Lookup>,
    viewer: Viewer,
    ExtractJson(fields): ExtractJson<LookupCoverFields>,
) -> Result<Response> {
    let Some(source) = offline::cover_source(&fields.source) else {
        return Err(Error::invalid_field("source", "This is not a catalogue of this server."));
    };
    match lookup.cover(&app, Reader::of(&viewer), source, &fields.cover).await {
        Ok(picture) => {
            let headers = [(CONTENT_TYPE, picture.kind.media_type()), (CACHE_CONTROL, "no-store")];
            Ok((headers, picture.bytes).into_response())
        }
        Err(error) => error_response(&app, viewer.user_id, error).await,
    }
}

impl LookupParams {
    fn checked(&self) -> Result<LookupQuery> {
        match (&self.isbn, &self.q) {
            (Some(text), None) => isbn::parse(text).map(LookupQuery::Isbn).ok_or_else(|| {
                let sentence = "This is not an ISBN: it has 10 or 13 digits, and the last one checks the others.";
                Error::invalid_field("isbn", sentence)
            }),
            (None, Some(words)) => {
                let length = words.split_whitespace().collect::<Vec<_>>().join(" ").chars().count();
                if !WORDS_LENGTH.contains(&length) || words.contains('\0') {
                    return Err(Error::invalid_field("q", "Look up with 2 to 200 characters of title and author."));
                }
                Ok(LookupQuery::parse(words))
            }
            _ => Err(Error::invalid_field("q", "Look up with either an ISBN or words.")),
        }
    }
}

/// The response to a look-up that failed. One that was too early learns when it may be repeated.
async fn error_response(app: &App, user: UserId, error: LookupError) -> Result<Response> {
    let LookupError::Throttled(limit) = error else { return Err(error_of(error)) };
    let seconds = match limit.day() {
        Some(day) => {
            let zone = Owner::find(app, user).await?.map_or_else(|| Zone::or_utc(None), |owner| owner.zone);
            zone.seconds_until_the_end_of(day, app.now())
        }
        None => 1,
    };
    let mut response = error_of(error).into_response();
    response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(seconds));
    Ok(response)
}

fn error_of(error: LookupError) -> Error {
    match error {
        LookupError::NotConfigured => Error::refused(
            ErrorCode::LookupNotConfigured,
            "This server has no catalogue for this look-up. Type the book in: nothing needs a catalogue.",
        ),
        LookupError::NotFound => Error::NotFound,
        LookupError::Unfit(unfit) => unfit.into(),
        LookupError::Throttled(limit) => Error::refused(ErrorCode::LookupTooOften, limit.sentence()),
        LookupError::Unavailable(sources) => {
            let sentence = unavailable(&sources);
            let sources = json!(sources);
            Error::refused(ErrorCode::LookupUnavailable, sentence).with("sources", sources)
        }
        LookupError::Database(cause) => cause,
    }
}

/// Says what each catalogue did, and what the reader can do.
fn unavailable(sources: &[LookupSourceOutcome]) -> String {
    let sentences = sources.iter().filter_map(|source| {
        let unknown = if source.name == offline::NAME { "The offline catalogue" } else { source.name.as_str() };
        let host = LookupSource::from_name(&source.name).map_or(unknown, |known| known.host());
        match source.outcome {
            LookupOutcome::Timeout => Some(format!("{host} did not answer within 10 seconds.")),
            LookupOutcome::Limited => Some(format!("{host} takes no more questions for the moment.")),
            LookupOutcome::Failed => Some(format!("{host} can't be reached, or its answer can't be read.")),
            LookupOutcome::Off => Some(format!("{host} is not set up on this server.")),
            LookupOutcome::Found | LookupOutcome::Empty => None,
        }
    });
    let sentences: Vec<String> = sentences.collect();
    format!("{} Try again, or type it in.", sentences.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::http::query;

    #[test]
    fn exactly_one_of_isbn_and_words_is_looked_up() {
        let parsed = |raw: &str| query::read::<LookupParams>(raw)?.checked();
        assert_eq!(parsed("isbn=0-441-01359-7").unwrap(), LookupQuery::Isbn("9780441013593".into()));
        assert_eq!(parsed("q=9780441013593").unwrap(), LookupQuery::Isbn("9780441013593".into()));
        assert_eq!(parsed("q=dune++herbert").unwrap(), LookupQuery::Words("dune herbert".into()));
        let long = format!("q={}", "x".repeat(201));
        let is_offline = |raw: &str| query::read::<LookupParams>(raw).map(|sent| sent.offline);
        assert_eq!((is_offline("q=dune&offline=true").unwrap(), is_offline("q=dune").unwrap()), (true, false));
        for wrong in
            ["", "q=dune&offline=1", "q=d", "q=++d++", "q=a%00b", "isbn=123", "isbn=9780441013593&q=dune", &long]
        {
            assert!(matches!(parsed(wrong), Err(Error::Invalid(_))), "{wrong}");
        }
    }

    #[test]
    fn every_catalogue_that_failed_is_named() {
        let source = |outcome| LookupSourceOutcome { name: "openlibrary".into(), outcome };
        assert_eq!(
            unavailable(&[source(LookupOutcome::Timeout)]),
            "openlibrary.org did not answer within 10 seconds. Try again, or type it in."
        );
    }
}
