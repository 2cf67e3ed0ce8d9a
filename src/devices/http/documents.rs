//! The API calls of documents.
use axum::Json as Answer;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::zone_of;
use crate::access::Viewer;
use crate::config::Quotas;
use crate::devices::model::{self, Document, DocumentChange, DocumentId, DocumentUpdate};
use crate::devices::store::days::{self, Reader};
use crate::devices::store::{documents, overview};
use crate::kit::http::extract::{Json, LargeJson, Path};
use crate::kit::http::routes::routes;
use crate::kit::{App, Error, Result};
use crate::library::books::add::{Rules, add, room_left};
use crate::library::books::model::{Book, BookId, BookStatus};
use crate::library::books::reads::{ReadRefusal, TargetWork};
use crate::library::{books, counters, text};

/// The routes of this part.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(decide))
        .routes(routes!(finish, not_yet))
        .routes(routes!(name_file))
}

/// What the devices of an account call books.
#[derive(Serialize, ToSchema)]
struct DocumentList {
    /// The one that was reported last first.
    data: Vec<Document>,
    /// Null unless documents wait for room in the plan.
    #[schema(required)]
    full: Option<DocumentsWithoutRoom>,
}

/// A plan without room for the books that documents would be.
#[derive(Serialize, ToSchema)]
struct DocumentsWithoutRoom {
    /// The books that the plan holds.
    books: u32,
    /// The documents that wait until there is room.
    waiting: usize,
}

/// A document.
#[derive(Serialize, ToSchema)]
struct DocumentResponse {
    document: Document,
}

/// Lists what your devices call books, the one that was reported last first.
#[utoipa::path(get, path = "/api/documents", operation_id = "listDocuments", tag = "devices",
    responses((status = 200, body = DocumentList), (status = 401)))]
async fn list(State(app): State<App>, viewer: Viewer) -> Result<Answer<DocumentList>> {
    let (owner, limit) = (viewer.user_id, viewer.limits().book_limit);
    let (zone, now) = (zone_of(&app, &viewer).await?, app.now());
    let read = app.db.read(move |conn| {
        let data = overview::documents(conn, &Reader::new(conn, owner, zone, now)?)?;
        let waiting = data.iter().filter(|one| one.book_id.is_none() && !one.ignored).count();
        let has_room = waiting == 0 || room_left(conn, owner, limit)? != Some(0);
        let full = limit.filter(|_| !has_room).map(|books| DocumentsWithoutRoom { books, waiting });
        Ok(DocumentList { data, full })
    });
    Ok(Answer(read.await?))
}

/// Says what a document is: links it to a read, makes a book of it, ignores it, forgets what was read before a day, or also removes here
/// what the device has no more. Linked anew, it takes its days along.
#[utoipa::path(put, path = "/api/documents/{id}", operation_id = "updateDocument", tag = "devices", params(("id" = i64, Path)),
    request_body = DocumentUpdate,
    responses((status = 200, body = DocumentResponse), (status = 401), (status = 403), (status = 404), (status = 409), (status = 422)))]
async fn decide(
    State(app): State<App>,
    State(quotas): State<Quotas>,
    viewer: Viewer,
    Path(id): Path<DocumentId>,
    Json(form): LargeJson<DocumentUpdate>,
) -> Result<Answer<DocumentResponse>> {
    let (owner, zone, rules) = (viewer.user_id, zone_of(&app, &viewer).await?, Rules::of(&viewer, quotas));
    let (change, here) = (form.checked()?, zone.clone());
    let decided = app.db.write_alone(move |tx| {
        let reader = Reader::new(tx, owner, here, tx.now())?;
        documents::get(tx, owner, id)?;
        counters::within_quotas(tx, owner, quotas, || match change {
            DocumentChange::Link(book) => documents::link(tx, &reader, id, book),
            DocumentChange::Create(book) => {
                let draft = book.with_both_ends(viewer.hemisphere).into_new();
                let made = add(tx, owner, rules, draft, TargetWork::ByName)?;
                documents::link(tx, &reader, id, Some(made.id))
            }
            DocumentChange::Ignore(ignored) => documents::ignore(tx, &reader, id, ignored),
            DocumentChange::IgnoreBefore(day) => documents::ignore_before(tx, &reader, id, day),
            DocumentChange::RemoveThere => documents::remove_there(tx, &reader, id),
        })
    });
    decided.await?;
    let now = app.now();
    let read = app.db.read(move |conn| overview::document(conn, &Reader::new(conn, owner, zone, now)?, id));
    Ok(Answer(DocumentResponse { document: read.await? }))
}

/// The day of a finish.
#[derive(Deserialize, ToSchema)]
struct DocumentFinished {
    /// yyyy-MM-dd.
    #[schema(value_type = chrono::NaiveDate)]
    day: String,
}

/// The read that is finished.
#[derive(Serialize, ToSchema)]
struct DocumentFinishedResponse {
    book: Book<'static>,
}

/// Finishes the read of a document, as it was proposed or on another day. Its words count by its log where that has two places.
#[utoipa::path(post, path = "/api/documents/{id}/finish", operation_id = "finishDocument", tag = "devices",
    params(("id" = i64, Path)), request_body = DocumentFinished,
    responses((status = 200, body = DocumentFinishedResponse), (status = 401), (status = 404), (status = 409), (status = 422)))]
async fn finish(
    State(app): State<App>,
    State(quotas): State<Quotas>,
    viewer: Viewer,
    Path(id): Path<DocumentId>,
    Json(form): Json<DocumentFinished>,
) -> Result<Answer<DocumentFinishedResponse>> {
    let day = text::date(&form.day).ok_or_else(|| Error::invalid_field("day", "Dates must be written yyyy-MM-dd."))?;
    let (owner, zone) = (viewer.user_id, zone_of(&app, &viewer).await?);
    let finished = app.db.write(move |tx| {
        let reader = Reader::new(tx, owner, zone, tx.now())?;
        let book = documents::book_of(tx, owner, id)?.ok_or(Error::NotFound)?;
        if books::store::get(tx, owner, book)?.status != BookStatus::InProgress {
            return Err(ReadRefusal::Finished.into());
        }
        counters::within_quotas(tx, owner, quotas, || days::finish(tx, &reader, book, day))
    });
    Ok(Answer(DocumentFinishedResponse { book: finished.await? }))
}

/// Says that a read is not finished yet. It is asked again when its place has moved by 1%.
#[utoipa::path(delete, path = "/api/documents/{id}/finish", operation_id = "refuseDocumentFinish", tag = "devices",
    params(("id" = i64, Path)), responses((status = 204), (status = 401), (status = 404)))]
async fn not_yet(State(app): State<App>, viewer: Viewer, Path(id): Path<DocumentId>) -> Result<StatusCode> {
    let zone = zone_of(&app, &viewer).await?;
    let refused = app.db.write(move |tx| documents::not_yet(tx, &Reader::new(tx, viewer.user_id, zone, tx.now())?, id));
    refused.await?;
    Ok(StatusCode::NO_CONTENT)
}

/// A file of a book.
#[derive(Deserialize, ToSchema)]
struct BookFile {
    /// KOReader's digest of the file, 1 to 200 bytes.
    #[schema(min_length = 1, max_length = 200)]
    digest: String,
}

/// Says which file is the book: what devices report of it moves this read. The file itself is not sent.
#[utoipa::path(post, path = "/api/books/{id}/documents", operation_id = "addBookFile", tag = "devices", params(("id" = i64, Path)),
    request_body = BookFile, responses((status = 204), (status = 401), (status = 404), (status = 409), (status = 422)))]
async fn name_file(
    State(app): State<App>,
    State(quotas): State<Quotas>,
    viewer: Viewer,
    Path(id): Path<BookId>,
    Json(form): Json<BookFile>,
) -> Result<StatusCode> {
    let sentence = "The digest must be 1 to 200 bytes without a colon.";
    let digest = model::digest(&form.digest).ok_or_else(|| Error::invalid_field("digest", sentence))?;
    let (owner, zone) = (viewer.user_id, zone_of(&app, &viewer).await?);
    let named = app.db.write_alone(move |tx| {
        let reader = Reader::new(tx, owner, zone, tx.now())?;
        counters::within_quotas(tx, owner, quotas, || documents::name_file(tx, &reader, id, &digest))
    });
    named.await?;
    Ok(StatusCode::NO_CONTENT)
}
