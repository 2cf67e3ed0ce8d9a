//! The call that changes many books at once.
use axum::extract::{Extension, State};
use chrono::NaiveDate;
use rusqlite::Connection;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use crate::access::Viewer;
use crate::config::Quotas;
use crate::kit::db::pool::blocking;
use crate::kit::http::extract::{Json, LargeJson};
use crate::kit::http::patch_field::PatchField;
use crate::kit::http::query::Query;
use crate::kit::id::UserId;
use crate::kit::{App, Error, ErrorCode, FieldErrors, Result};
use crate::library::books::facts::{BookFacts, Series};
use crate::library::books::filter::Filter;
use crate::library::books::list_change::{List, ListChange};
use crate::library::books::many::{self, Change, MOST_BOOKS, Matched, OpenReadStatus};
use crate::library::books::model::{BookFormat, BookStatus, MOST_WORDS};
use crate::library::books::page_counts::{FindPages, PageCounts, UncountedBook};
use crate::library::books::payload::{FORMATS, LANGUAGES, PRIVATE};
use crate::library::books::store;
use crate::library::books::store::word_counts::{GivenWords, uncounted};
use crate::library::counters;

/// A change of all books that match a filter.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct BooksChange {
    /// Genres to add: at most 50 of 100 characters, without commas.
    #[serde(default)]
    #[schema(value_type = Option<Vec<String>>)]
    add_genres: PatchField<Vec<String>>,
    /// Genres to remove, regardless of case: at most 50 of 100 characters.
    #[serde(default)]
    #[schema(value_type = Option<Vec<String>>)]
    remove_genres: PatchField<Vec<String>>,
    /// Tags to add: at most 50 of 100 characters, without commas. Tags belong to all reads of a book.
    #[serde(default)]
    #[schema(value_type = Option<Vec<String>>)]
    add_tags: PatchField<Vec<String>>,
    /// Tags to remove, regardless of case: at most 50 of 100 characters.
    #[serde(default)]
    #[schema(value_type = Option<Vec<String>>)]
    remove_tags: PatchField<Vec<String>>,
    /// The format.
    #[serde(default)]
    #[schema(value_type = Option<BookFormat>)]
    format: PatchField<BookFormat>,
    /// A language tag of BCP 47; null for none.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    language: PatchField<String>,
    /// The series; null for none. The books keep their numbers, and it belongs to all reads of a book.
    #[serde(default)]
    #[schema(value_type = Option<SeriesName>)]
    series: PatchField<SeriesName>,
    /// Whether nobody else sees the books. It belongs to all reads of a book.
    #[serde(default)]
    #[schema(value_type = Option<bool>)]
    private: PatchField<bool>,
    /// What becomes of reads in progress: they go back to the to-be-read list, or are given up. Other reads keep their status.
    #[serde(default)]
    #[schema(value_type = Option<OpenReadStatus>)]
    status: PatchField<OpenReadStatus>,
    /// The word count of those of the books that have none.
    #[serde(default)]
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 100_000_000)]
    words: PatchField<i64>,
    /// Whether those of the books that have no word count get one from their pages, before `words`.
    #[serde(default)]
    words_from_pages: bool,
    /// Whether those of the books that have neither a word count nor pages get both from the offline catalogue, before `words`: the pages
    /// of the edition with the ISBN, or else of one with the same title and author, and 275 words a page.
    #[serde(default)]
    words_from_catalogue: bool,
}

/// A series without a number.
#[derive(Deserialize, ToSchema)]
struct SeriesName {
    /// At most 200 characters.
    name: String,
}

impl BooksChange {
    fn checked(self) -> Result<Change> {
        let mut errors = FieldErrors::new();
        let e = &mut errors;
        let genres = list(e, List::Genres, [("addGenres", self.add_genres), ("removeGenres", self.remove_genres)]);
        let tags = list(e, List::Tags, [("addTags", self.add_tags), ("removeTags", self.remove_tags)]);
        let number = "The word count must be a whole number from 1 to 100,000,000.";
        let words = self.words.checked(e, "words", number);
        if words.is_some_and(|words| !(1..=MOST_WORDS).contains(&words)) {
            e.add("words", number);
        }
        let given = GivenWords { from_pages: self.words_from_pages, words };
        let (has_language, has_series) = (self.language.is_there(), self.series.is_there());
        let mut facts = BookFacts::default();
        self.language.set_or_clear(&mut facts.language, e, "language", LANGUAGES);
        let series = self.series.and_then(|series| Some(Series { name: series.name, number: None }));
        series.set_or_clear(&mut facts.series, e, "series", "The series must have a name.");
        facts.check(e);
        let change = Change {
            genres,
            tags,
            format: self.format.checked(e, "format", FORMATS),
            language: has_language.then_some(facts.language),
            series: has_series.then(|| facts.series.map(|series| series.name)),
            private: self.private.checked(e, "private", PRIVATE),
            words: (self.words_from_catalogue || given != GivenWords::default()).then_some(given),
            status: self.status.checked(e, "status", "The status must be tbr or did-not-finish."),
        };
        if errors.is_empty() && change.is_nothing() {
            errors.add(
                "addGenres",
                "Say what to change: genres, tags, format, language, series, privacy, status or words.",
            );
        }
        errors.into_result()?;
        Ok(change)
    }
}

/// Checks what is added to a list and removed from it.
fn list(
    errors: &mut FieldErrors,
    list: List,
    sent: [(&'static str, PatchField<Vec<String>>); 2],
) -> Option<ListChange> {
    let [add, remove] = sent.map(|(field, sent)| {
        let mut words = Vec::new();
        sent.null_is_empty().set(&mut words, errors, field, list.must_be());
        words
    });
    match ListChange::checked(list, &add, &remove) {
        Ok(change) => change,
        Err(refused) => {
            refused.iter().for_each(|(field, sentence)| errors.add(field, sentence));
            None
        }
    }
}

/// How many books a change of many books has changed.
#[derive(Serialize, ToSchema)]
pub(super) struct BooksChanged {
    /// The number of books that differ now, otherwise than by their word count.
    changed: usize,
    /// The number of books that got a word count; absent when the request asked for none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, value_type = i64)]
    words: Option<usize>,
}

/// Changes all visible books that match the filter, at most 100,000, as one operation: the newest one of the kind `change`, or `fill-in`
/// for word counts alone, undoes it. A genre or tag that is added takes the place of one that is removed. Only books without a
/// word count get one. Without an offline catalogue, `wordsFromCatalogue` is 503 `lookup_not_configured`; in one call it is asked for
/// at most 5,000 books by title, the newest.
#[utoipa::path(patch, path = "/api/books", operation_id = "updateBooks", tag = "books", params(Filter), request_body = BooksChange,
    responses((status = 200, body = BooksChanged), (status = 401), (status = 409), (status = 422), (status = 503)))]
pub(super) async fn change_many(
    State(app): State<App>,
    State(quotas): State<Quotas>,
    Extension(find_pages): Extension<FindPages>,
    viewer: Viewer,
    Query(filter): Query<Filter>,
    Json(sent): LargeJson<BooksChange>,
) -> Result<axum::Json<BooksChanged>> {
    let from_catalogue = sent.words_from_catalogue;
    let change = sent.checked()?;
    let (owner, today, visible) = (viewer.user_id, viewer.today, viewer.visible_from());
    let permit = app.budgets.heavy_change(owner).await?;
    let mut pages = PageCounts::new();
    if from_catalogue {
        let asked = filter.clone();
        let books = app.db.read(move |conn| uncounted(conn, owner, &asked, visible)).await?;
        pages = pages_of(&app, find_pages, books).await?;
        pages.sort_unstable();
    }
    let changed = permit.write(&app.db, move |tx| {
        counters::within_quotas(tx, owner, quotas, || {
            let matched = matched(tx, owner, &filter, visible)?;
            many::change(tx, owner, today, &matched, (&change, &pages))
                .map(|made| BooksChanged { changed: made.books, words: change.words.map(|_| made.words) })
        })
    });
    Ok(axum::Json(changed.await?))
}

/// The books of a filter.
fn matched(conn: &Connection, owner: UserId, filter: &Filter, visible: Option<NaiveDate>) -> Result<Matched> {
    let mut found = Matched::default();
    store::matching(conn, owner, filter, visible, |book| {
        found.books.push(book.id);
        found.open.extend((book.status == BookStatus::InProgress).then_some(book.id));
        found.wordless.extend((book.word_count == 0).then_some(book.id));
    })?;
    if found.books.len() > MOST_BOOKS {
        let sentence = "A change can have at most 100,000 books. Please choose fewer with the filter.";
        return Err(Error::invalid_field("filter", sentence));
    }
    Ok(found)
}

/// The pages that the offline catalogue knows of these books. It is asked outside the write, which it would hold up.
async fn pages_of(app: &App, find_pages: FindPages, books: Vec<UncountedBook>) -> Result<PageCounts> {
    let file = app.catalogue.clone();
    let found = blocking(move || Ok(find_pages(&file, &books))).await?.map_err(|cause| {
        tracing::warn!(%cause, "reading the offline catalogue failed");
        let sources = json!([{"name": "catalogue", "outcome": "error"}]);
        Error::refused(ErrorCode::LookupUnavailable, "The offline catalogue can't be read. Nothing was changed.")
            .with("sources", sources)
    })?;
    found.ok_or_else(|| Error::refused(ErrorCode::LookupNotConfigured, "This server has no offline catalogue."))
}
