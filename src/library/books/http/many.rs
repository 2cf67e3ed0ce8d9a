//! The call that changes many books at once.
use axum::extract::{RawQuery, State};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::FilterParams;
use crate::access::Viewer;
use crate::config::Quotas;
use crate::kit::db::pool::Db;
use crate::kit::http::extract::{Json, LargeJson, Query};
use crate::kit::http::patch_field::PatchField;
use crate::kit::{FieldErrors, Result};
use crate::library::books::filter::Filter;
use crate::library::books::genre_change::GenreChange;
use crate::library::books::model::MOST_WORDS;
use crate::library::books::store;
use crate::library::books::store::word_counts::{GivenWords, give_words, without_words};
use crate::library::counters;
use crate::library::operations::model::Kind;
use crate::library::operations::store::recorded;

/// What many books get or lose.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = BooksChange)]
pub(super) struct ManyChanges {
    /// At most 50 of 100 characters, without commas.
    #[serde(default)]
    #[schema(value_type = Option<Vec<String>>)]
    add_genres: PatchField<Vec<String>>,
    /// The same, regardless of case.
    #[serde(default)]
    #[schema(value_type = Option<Vec<String>>)]
    remove_genres: PatchField<Vec<String>>,
    /// The word count of those of the books that have none.
    #[serde(default)]
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 100_000_000)]
    words: PatchField<i64>,
    /// Whether those of the books that have no word count get one from their pages, before `words`.
    #[serde(default)]
    words_from_pages: bool,
}

/// The numbers of books that a change of many books has changed.
#[derive(Serialize, ToSchema)]
pub(super) struct BooksChanged {
    /// The books with other genres.
    changed: usize,
    /// The books that got a word count; absent unless some were asked to.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, value_type = i64)]
    words: Option<usize>,
}

/// Changes all visible books that match the filter. A genre that is added takes the place of one that is removed. Only books without a
/// word count get one, in an operation that can be undone.
#[utoipa::path(patch, path = "/api/books", operation_id = "updateBooks", tag = "books", params(FilterParams), request_body = ManyChanges,
    responses((status = 200, body = BooksChanged), (status = 401), (status = 409), (status = 422)))]
pub(super) async fn change_many(
    State(db): State<Db>,
    State(quotas): State<Quotas>,
    viewer: Viewer,
    RawQuery(raw): RawQuery,
    Json(sent): LargeJson<ManyChanges>,
) -> Result<axum::Json<BooksChanged>> {
    let filter = Filter::parse(&Query::parse(&raw.unwrap_or_default()))?;
    let (mut add, mut remove, mut errors) = (Vec::new(), Vec::new(), FieldErrors::new());
    let list = "Genres must be a list of texts.";
    sent.add_genres.null_is_empty().set(&mut add, &mut errors, "addGenres", list);
    sent.remove_genres.null_is_empty().set(&mut remove, &mut errors, "removeGenres", list);
    let mut words = None;
    let number = "The word count must be a whole number from 1 to 100,000,000.";
    sent.words.set_or_clear(&mut words, &mut errors, "words", number);
    if words.is_some_and(|words| !(1..=MOST_WORDS).contains(&words)) {
        errors.add("words", number);
    }
    errors.into_result()?;
    let given = GivenWords { from_pages: sent.words_from_pages, words };
    let has_genres = !add.is_empty() || !remove.is_empty();
    // Without anything to do the refusal is that of the genres.
    let genres =
        if has_genres || given == GivenWords::default() { Some(GenreChange::checked(&add, &remove)?) } else { None };
    let (owner, from) = (viewer.user_id, viewer.visible_from());
    let changed = db.write(move |tx| {
        counters::within_quotas(tx, owner, quotas, || {
            let changed = match &genres {
                Some(genres) => store::change_genres(tx, owner, &filter, from, genres)?,
                None => 0,
            };
            if given == GivenWords::default() {
                return Ok(BooksChanged { changed, words: None });
            }
            let books = without_words(tx, owner, &filter, from)?;
            let summary = |books: &usize| match books {
                1 => "Gave 1 book a word count.".to_owned(),
                books => format!("Gave {books} books a word count."),
            };
            let give = || give_words(tx, owner, &books, given);
            let (words, _) = recorded(tx, owner, Kind::FillIn, books.iter().copied(), summary, give)?;
            Ok(BooksChanged { changed, words: Some(words) })
        })
    });
    Ok(axum::Json(changed.await?))
}
