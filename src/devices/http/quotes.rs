//! The API call that imports what was marked in other programs.
use axum::extract::{DefaultBodyLimit, Request, State};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::imports::{Form, Received, read, receive};
use crate::access::Viewer;
use crate::config::Quotas;
use crate::devices::files::{ColumnMap, Options, ReadingFormat};
use crate::kit::db::pool::Tx;
use crate::kit::http::extract::IdempotencyKey;
use crate::kit::http::idempotency::{self, IdempotentResponse};
use crate::kit::http::query::{DryRun, Query};
use crate::kit::http::routes::routes;
use crate::kit::{App, Error, ErrorCode, Result};
use crate::library::clippings::store::{self as clippings, QuoteImportChoice, QuoteImportFigures};
use crate::library::counters;
use crate::library::operations::model::{OperationId, OperationKind};
use crate::library::operations::store as operations;

/// The largest file, in bytes.
const LARGEST: usize = 10 << 20;

/// The route of this part. The form is read piece by piece, within its own limit.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(import_quotes)).layer(DefaultBodyLimit::disable())
}

/// A file with passages that were marked.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes what Form::read reads")]
struct QuoteImportForm {
    /// Kindle's `My Clippings.txt`, Readwise's CSV, KOReader's JSON or `KoboReader.sqlite`; at most 10 MB and 100,000 passages.
    #[schema(value_type = String, format = Binary)]
    file: Vec<u8>,
    /// The books of titles that have none here, as JSON: `[{"title": "Dune", "author": "Herbert", "bookId": 7}]`. Null leaves the title's
    /// passages.
    #[schema(required = false)]
    books: String,
}

/// What becomes of the passages of a file.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct QuoteImport {
    /// Whose file it is.
    format: ReadingFormat,
    #[serde(flatten)]
    figures: QuoteImportFigures,
    /// What undoes it; null in a preview, and where nothing is new.
    #[schema(required, value_type = Option<i64>)]
    operation_id: Option<OperationId>,
}

impl QuoteImport {
    fn answer(&self) -> Result<IdempotentResponse> {
        Ok(IdempotentResponse::ok(serde_json::to_value(self)?))
    }
}

/// Imports passages into the quotes of the books that have their title and author. Those that are there stay as they are, and those that
/// were deleted stay deleted. Undone at `DELETE /api/operations/{id}`.
#[utoipa::path(post, path = "/api/quotes/import", operation_id = "importQuotes", tag = "quotes", params(DryRun, IdempotencyKey),
    request_body(content = QuoteImportForm, content_type = "multipart/form-data"),
    responses((status = 200, body = QuoteImport), (status = 401), (status = 403), (status = 409), (status = 413), (status = 415),
        (status = 422)))]
async fn import_quotes(
    State(app): State<App>,
    State(quotas): State<Quotas>,
    viewer: Viewer,
    key: IdempotencyKey,
    Query(DryRun { dry_run }): Query<DryRun>,
    request: Request,
) -> Result<IdempotentResponse> {
    let owner = viewer.user_id;
    let too_large = || Error::TooLarge("The file is larger than 10 MB. Nothing was imported.".into());
    let Received { form, zone, permit, held } = receive(&app, &viewer, request, LARGEST, too_large).await?;
    let Form { file, name, books, .. } = form;
    let choices = choices(&books)?;
    let read = read(held.clone(), file, Options { zone, today: viewer.today, columns: ColumnMap::new() }).await?;
    let (format, passages) = (read.format, read.content.passages);
    if passages.is_empty() {
        let sentence = "This file has no passages that were marked. Nothing was imported.";
        return Err(Error::refused(ErrorCode::UnreadableFile, sentence));
    }
    if dry_run {
        let figures = app.db.read_long(move |conn| {
            let _held = held;
            clippings::preview(conn, owner, passages, &choices)
        });
        return QuoteImport { format, figures: figures.await?, operation_id: None }.answer();
    }
    let import = move |tx: &Tx<'_>| {
        let operation = operations::begin(tx, owner, OperationKind::Import, "", None)?;
        let (figures, has_changed) = clippings::import(tx, owner, operation, passages, &choices)?;
        if !has_changed {
            operations::give_up(tx, operation)?;
            return QuoteImport { format, figures, operation_id: None }.answer();
        }
        let count = figures.added;
        let from = if name.is_empty() { format.title() } else { &name };
        let summary = format!("Imported {count} quote{} from {from}.", if count == 1 { "" } else { "s" });
        operations::describe(tx, operation, OperationKind::Import, &summary)?;
        QuoteImport { format, figures, operation_id: Some(operation) }.answer()
    };
    let write = permit.write(&app.db, move |tx| {
        let _held = held;
        counters::within_quotas(tx, owner, quotas, || {
            idempotency::once(tx, owner, &key, "POST /api/quotes/import", import)
        })
    });
    write.await
}

/// The books of titles, as JSON.
fn choices(text: &str) -> Result<Vec<QuoteImportChoice>> {
    let text = if text.trim().is_empty() { "[]" } else { text };
    let wrong =
        |_| Error::invalid_field("books", "This must be a JSON list of titles, each with its author and its bookId.");
    serde_json::from_str(text).map_err(wrong)
}
