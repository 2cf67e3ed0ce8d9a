//! The call that adds one quote to a book.
use axum::extract::State;
use serde::Deserialize;
use serde_json::json;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::BookResponse;
use crate::access::Viewer;
use crate::config::Quotas;
use crate::kit::db::pool::{Db, Tx};
use crate::kit::http::extract::{IdempotencyKey, Json, LargeJson, Path};
use crate::kit::http::idempotency::{self, IdempotentResponse};
use crate::kit::http::patch_field::PatchField;
use crate::kit::http::routes::routes;
use crate::kit::{App, Error, FieldErrors, Result};
use crate::library::books::model::{Book, BookId};
use crate::library::books::passages::{NOTE_LENGTH, PLACE_LENGTH, Passage, QUOTE_LENGTH};
use crate::library::books::store;
use crate::library::{counters, text};

/// The routes of this part.
pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(keep_quote))
}

/// A quote of a book.
#[derive(Deserialize, ToSchema)]
struct QuoteCreate {
    /// At most 5,000 characters, not blank.
    #[serde(default)]
    #[schema(required, value_type = String, min_length = 1, max_length = 5_000)]
    text: PatchField<String>,
    /// Where it stands, in the reader's words; at most 50 characters.
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 50)]
    place: PatchField<String>,
    /// At most 2,000 characters.
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 2_000)]
    note: PatchField<String>,
    /// yyyy-MM-dd.
    #[serde(default)]
    #[schema(value_type = Option<chrono::NaiveDate>)]
    day: PatchField<String>,
}

impl QuoteCreate {
    fn checked(self) -> std::result::Result<Passage, FieldErrors> {
        let mut errors = FieldErrors::new();
        let e = &mut errors;
        let text = self.text.checked(e, "text", "The quote must be a text.").unwrap_or_default();
        if text.trim().is_empty() {
            e.add("text", "The quote is required.");
        }
        text::check(e, "text", "A quote", &text, QUOTE_LENGTH);
        let place = self.place.checked(e, "place", "The place must be a text.");
        text::check(e, "place", "The place of a quote", place.as_deref().unwrap_or(""), PLACE_LENGTH);
        let note = self.note.checked(e, "note", "The note must be a text.");
        text::check(e, "note", "The note to a quote", note.as_deref().unwrap_or(""), NOTE_LENGTH);
        let day = self.day.and_then(|day| text::date(&day)).checked(e, "day", "Dates must be written yyyy-MM-dd.");
        if errors.is_empty() { Ok(Passage { text, place, note, day }) } else { Err(errors) }
    }
}

/// Adds a quote to a book, after those that it has. A quote whose text the book has already is not added a second time; it only gets the
/// place, the note and the day that it lacks.
#[utoipa::path(post, path = "/api/books/{id}/quotes", operation_id = "addQuote", tag = "books", params(("id" = i64, Path), IdempotencyKey),
    request_body = QuoteCreate,
    responses((status = 200, body = BookResponse), (status = 401), (status = 404), (status = 409), (status = 422)))]
async fn keep_quote(
    State(db): State<Db>,
    State(quotas): State<Quotas>,
    viewer: Viewer,
    key: IdempotencyKey,
    Path(id): Path<BookId>,
    Json(sent): LargeJson<QuoteCreate>,
) -> Result<IdempotentResponse> {
    let owner = viewer.user_id;
    db.write(move |tx| {
        let make = |tx: &Tx<'_>| {
            let book = store::get(tx, owner, id)?;
            let quote = sent.checked()?;
            let book = counters::within_quotas(tx, owner, quotas, || with_quote(tx, &viewer, book, quote))?;
            Ok(IdempotentResponse::ok(json!({ "book": book })))
        };
        let again = |id| Ok(serde_json::to_value(store::get(tx, owner, BookId(id))?)?);
        idempotency::once_made(tx, owner, &key, &format!("POST /api/books/{id}/quotes"), make, again)
    })
    .await
}

/// The book with one more quote.
fn with_quote(tx: &Tx<'_>, viewer: &Viewer, book: Book<'static>, quote: Passage) -> Result<Book<'static>> {
    let mut draft = book.draft();
    draft.quotes.add(quote);
    let draft = draft.checked().map_err(Error::from)?;
    if draft.quotes == book.quotes {
        return Ok(book);
    }
    store::update(tx, viewer.user_id, book.id, &draft)?;
    store::get(tx, viewer.user_id, book.id)
}
