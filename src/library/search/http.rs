//! The call of the search.
use axum::extract::{RawQuery, State};
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Deserialize;
use serde_json::json;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use super::find::{MOST_HITS, SearchHit, SearchPlace, find};
use crate::access::Viewer;
use crate::kit::http::query::{Query, wrong_cursor};
use crate::kit::http::routes::routes;
use crate::kit::{App, Error, Result};
use crate::library::http::{ListBody, answer};
use crate::library::text::TitleSearch;

/// The routes of this module.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(search))
}

/// The hits of a page.
const PAGE: usize = 50;
/// The longest search, in characters.
const LONGEST: usize = 200;

#[derive(Deserialize, IntoParams)]
#[serde(default)]
#[derive(Default)]
#[into_params(parameter_in = Query)]
struct SearchQuery {
    /// What is looked for, at least two letters, at most 200 characters.
    #[param(required, value_type = String, min_length = 2, max_length = 200)]
    q: String,
    /// Where it is looked for, with commas between the words: `books`, `quotes`, `impressions`, `notes`, `tbr`; everywhere by default.
    r#in: Option<String>,
    /// The `nextCursor` of the previous page.
    cursor: Option<String>,
}

/// What was found.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "describes what ListBody writes")]
struct SearchResults {
    /// Books first, then the list, quotes, notes and impressions; at most 500 over all pages.
    data: Vec<SearchHit>,
    /// The cursor of the next page, null at the end.
    #[schema(required)]
    next_cursor: Option<String>,
    /// The number of all hits.
    matching: i64,
}

/// Searches your visible books, quotes, impressions and notes and your to-be-read list, regardless of case and accents.
#[utoipa::path(get, path = "/api/search", operation_id = "searchLibrary", tag = "search", params(SearchQuery),
    responses((status = 200, body = SearchResults), (status = 304), (status = 401), (status = 422)))]
async fn search(
    State(app): State<App>,
    viewer: Viewer,
    headers: HeaderMap,
    RawQuery(raw): RawQuery,
    Query(SearchQuery { q, r#in, cursor }): Query<SearchQuery>,
) -> Result<Response> {
    if q.chars().count() > LONGEST {
        return Err(Error::invalid_field("q", format!("A search can have at most {LONGEST} characters.")));
    }
    let needle = TitleSearch::new(&q);
    if needle.key.chars().filter(|character| *character != ' ').count() < 2 {
        return Err(Error::invalid_field("q", "Type at least two letters."));
    }
    let places = r#in.iter().flat_map(|list| list.split(',')).map(|word| SearchPlace::from_name(word.trim()));
    let places = places.collect::<Option<Vec<_>>>();
    let places =
        places.ok_or_else(|| Error::invalid_field("in", "This must be books, quotes, impressions, notes or tbr."))?;
    let skipped = cursor.map(|cursor| cursor.parse::<usize>().map_err(|_| wrong_cursor())).transpose()?.unwrap_or(0);
    answer(&app, viewer, headers, ("search", raw.unwrap_or_default()), move |conn, viewer, body| {
        let end = skipped.saturating_add(PAGE).min(MOST_HITS);
        let found = find(conn, viewer.user_id, viewer.visible_from(), &needle, &places, end)?;
        let mut body = ListBody::begin(body)?;
        found.hits.iter().skip(skipped).try_for_each(|hit| body.push(hit))?;
        let next = (found.matching.min(MOST_HITS) > end).then(|| end.to_string());
        body.finish(&json!({"nextCursor": next, "matching": found.matching}))
    })
    .await
}
