//! The call that adds one quote to a book.
use axum::extract::State;
use serde::Deserialize;
use serde_json::json;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::BookAnswer;
use crate::access::Viewer;
use crate::config::Quotas;
use crate::kit::db::pool::{Db, Tx};
use crate::kit::http::extract::{IdempotencyKey, Json, LargeJson, Path};
use crate::kit::http::idempotency::{self, IdempotentResponse};
use crate::kit::http::patch_field::PatchField;
use crate::kit::http::routes::routes;
use crate::kit::{App, Error, FieldErrors, Result};
use crate::library::books::model::{Book, BookId, QUOTE_LENGTH};
use crate::library::books::store;
use crate::library::{counters, text};

/// The routes of this part.
pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(keep_quote))
}

/// A quote of a book.
#[derive(Deserialize, ToSchema)]
#[schema(as = QuoteCreate)]
struct NewQuote {
    /// At most 5,000 characters, not blank.
    #[serde(default)]
    #[schema(required, value_type = String, min_length = 1, max_length = 5_000)]
    text: PatchField<String>,
}

impl NewQuote {
    /// The text of the quote.
    fn checked(self) -> std::result::Result<String, FieldErrors> {
        let mut errors = FieldErrors::new();
        let text = match self.text {
            PatchField::Wrong => {
                errors.add("text", "The quote must be a text.");
                String::new()
            }
            sent => sent.value().unwrap_or_default(),
        };
        if errors.is_empty() && text.trim().is_empty() {
            errors.add("text", "The quote is required.");
        }
        text::check(&mut errors, "text", "A quote", &text, QUOTE_LENGTH);
        if errors.is_empty() { Ok(text) } else { Err(errors) }
    }
}

/// Adds a quote to a book, after those that it has. A quote that the book has already is not added a second time.
#[utoipa::path(post, path = "/api/books/{id}/quotes", operation_id = "addQuote", tag = "books", params(("id" = i64, Path), IdempotencyKey),
    request_body = NewQuote,
    responses((status = 200, body = BookAnswer), (status = 401), (status = 404), (status = 409), (status = 422)))]
async fn keep_quote(
    State(db): State<Db>,
    State(quotas): State<Quotas>,
    viewer: Viewer,
    key: IdempotencyKey,
    Path(id): Path<BookId>,
    Json(sent): LargeJson<NewQuote>,
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
fn with_quote(tx: &Tx<'_>, viewer: &Viewer, book: Book<'static>, quote: String) -> Result<Book<'static>> {
    if book.quotes.contains(&quote) {
        return Ok(book);
    }
    let mut draft = book.draft();
    draft.quotes.push(quote);
    store::update(tx, viewer.user_id, book.id, &draft.checked().map_err(Error::from)?)?;
    store::get(tx, viewer.user_id, book.id)
}
