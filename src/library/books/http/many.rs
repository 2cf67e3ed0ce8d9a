//! The call that changes many books at once.
use axum::extract::{Extension, RawQuery, State};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use super::FilterParams;
use crate::access::Viewer;
use crate::config::Quotas;
use crate::kit::db::pool::{Tx, blocking};
use crate::kit::http::extract::{Json, LargeJson, Query};
use crate::kit::http::patch_field::PatchField;
use crate::kit::id::UserId;
use crate::kit::{App, Error, ErrorCode, FieldErrors, Result};
use crate::library::books::filter::Filter;
use crate::library::books::genre_change::GenreChange;
use crate::library::books::model::{BookId, MOST_WORDS};
use crate::library::books::page_counts::{FindPages, PageCounts, UncountedBook};
use crate::library::books::store;
use crate::library::books::store::word_counts::{GivenWords, give_pages, give_words, uncounted, without_words};
use crate::library::counters;
use crate::library::operations::model::Kind;
use crate::library::operations::store::logs::repaginate;
use crate::library::operations::store::recorded;

/// A change of all books that match a filter.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = BooksChange)]
pub(super) struct ManyChanges {
    /// Genres to add: at most 50 of 100 characters, without commas.
    #[serde(default)]
    #[schema(value_type = Option<Vec<String>>)]
    add_genres: PatchField<Vec<String>>,
    /// Genres to remove, regardless of case: at most 50 of 100 characters.
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
    /// Whether those of the books that have neither a word count nor pages get both from the offline catalogue, before `words`: the pages
    /// of the edition with the ISBN, or else of one with the same title and author, and 275 words a page.
    #[serde(default)]
    words_from_catalogue: bool,
}

/// A change of many books that can be made.
struct CheckedChanges {
    genres: Option<GenreChange>,
    /// Where books without a word count get one from.
    words: Option<WordsFrom>,
}

/// The places from which books without a word count get one, first the offline catalogue.
#[derive(Clone, Copy)]
struct WordsFrom {
    catalogue: bool,
    given: GivenWords,
}

impl ManyChanges {
    /// Checks every field.
    ///
    /// # Errors
    /// One sentence for each invalid field.
    fn checked(self) -> Result<CheckedChanges> {
        let (mut add, mut remove, mut errors) = (Vec::new(), Vec::new(), FieldErrors::new());
        let list = "Genres must be a list of texts.";
        self.add_genres.null_is_empty().set(&mut add, &mut errors, "addGenres", list);
        self.remove_genres.null_is_empty().set(&mut remove, &mut errors, "removeGenres", list);
        let mut words = None;
        let number = "The word count must be a whole number from 1 to 100,000,000.";
        self.words.set_or_clear(&mut words, &mut errors, "words", number);
        if words.is_some_and(|words| !(1..=MOST_WORDS).contains(&words)) {
            errors.add("words", number);
        }
        errors.into_result()?;
        let given = GivenWords { from_pages: self.words_from_pages, words };
        let has_words = self.words_from_catalogue || given != GivenWords::default();
        let words = has_words.then_some(WordsFrom { catalogue: self.words_from_catalogue, given });
        // Without anything to do the refusal is that of the genres.
        let has_genres = !add.is_empty() || !remove.is_empty() || words.is_none();
        let genres = if has_genres { Some(GenreChange::checked(&add, &remove)?) } else { None };
        Ok(CheckedChanges { genres, words })
    }
}

/// How many books a change of many books has changed.
#[derive(Serialize, ToSchema)]
pub(super) struct BooksChanged {
    /// The number of books that have other genres now.
    changed: usize,
    /// The number of books that got a word count; absent when the request asked for none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, value_type = i64)]
    words: Option<usize>,
}

/// Changes all visible books that match the filter. A genre that is added takes the place of one that is removed. Only books without a
/// word count get one, in an operation that can be undone. Without an offline catalogue, `wordsFromCatalogue` is 503
/// `lookup_not_configured`; in one call it is asked for at most 5,000 books by title, the newest.
#[utoipa::path(patch, path = "/api/books", operation_id = "updateBooks", tag = "books", params(FilterParams), request_body = ManyChanges,
    responses((status = 200, body = BooksChanged), (status = 401), (status = 409), (status = 422), (status = 503)))]
pub(super) async fn change_many(
    State(app): State<App>,
    State(quotas): State<Quotas>,
    Extension(find_pages): Extension<FindPages>,
    viewer: Viewer,
    RawQuery(raw): RawQuery,
    Json(sent): LargeJson<ManyChanges>,
) -> Result<axum::Json<BooksChanged>> {
    let filter = Filter::parse(&Query::parse(&raw.unwrap_or_default()))?;
    let CheckedChanges { genres, words } = sent.checked()?;
    let (owner, visible) = (viewer.user_id, viewer.visible_from());
    let permit = app.budgets.heavy(owner).await?;
    let mut pages = PageCounts::new();
    if words.is_some_and(|words| words.catalogue) {
        let asked = filter.clone();
        let books = app.db.read(move |conn| uncounted(conn, owner, &asked, visible)).await?;
        pages = pages_of(&app, find_pages, books).await?;
        pages.sort_unstable();
    }
    let changed = app.db.write_alone(move |tx| {
        let _held = &permit;
        counters::within_quotas(tx, owner, quotas, || {
            // A book that loses a genre may not match the filter any more.
            let wordless = match words {
                Some(_) => without_words(tx, owner, &filter, visible)?,
                None => Vec::new(),
            };
            let changed = match &genres {
                Some(genres) => store::change_genres(tx, owner, &filter, visible, genres)?,
                None => 0,
            };
            let words = match words {
                Some(from) => Some(give_word_counts(tx, owner, &wordless, &pages, from.given)?),
                None => None,
            };
            Ok(BooksChanged { changed, words })
        })
    });
    Ok(axum::Json(changed.await?))
}

/// Gives books that have no word count one, in an operation. `books` are in the order of their ids, as are `pages`, which are known of
/// some of them. Returns how many got one.
fn give_word_counts(
    tx: &Tx<'_>,
    owner: UserId,
    books: &[BookId],
    pages: &PageCounts,
    given: GivenWords,
) -> Result<usize> {
    let give = || {
        // A book that has changed meanwhile may not match any more.
        let known = pages.iter().filter(|(id, _)| books.binary_search(id).is_ok());
        let paged = give_pages(tx, owner, known)?;
        let counted = give_words(tx, owner, &paged, GivenWords { from_pages: true, words: None })?;
        Ok((counted + give_words(tx, owner, books, given)?, paged))
    };
    let summary = |(counted, _): &(usize, _)| match counted {
        1 => "Gave 1 book a word count.".to_owned(),
        books => format!("Gave {books} books a word count."),
    };
    let ((counted, paged), operation) = recorded(tx, owner, Kind::FillIn, books.iter().copied(), summary, give)?;
    if let Some(operation) = operation {
        paged.into_iter().try_for_each(|book| repaginate(tx, owner, operation, book))?;
    }
    Ok(counted)
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
