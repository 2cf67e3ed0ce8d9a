//! The API calls of books.
mod days;
mod languages;
mod many;
mod quotes;
mod works;

use axum::extract::{Extension, RawQuery, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse as _, Response};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use super::add::{BookLimitReached, Rules, add};
use super::change::change as write_change;
use super::filter::Filter;
use super::model::{Book, BookDetail};
use super::order::{ListQuery, OrderedPage};
use super::page_counts::FindPages;
use super::payload::BookFields;
use super::reads::{MOST_DAYS, MOST_READS, ReadRefusal, TargetWork};
use super::store::{self, list, list::BookTitle};
use crate::access::Viewer;
use crate::config::Quotas;
use crate::kit::db::pool::{Db, Tx};
use crate::kit::http::budgets::WholeLibraryPermit;
use crate::kit::http::etag::{self, IfMatch};
use crate::kit::http::extract::{IdempotencyKey, Json, LargeJson, Path};
use crate::kit::http::idempotency::{self, IdempotentResponse};
use crate::kit::http::patch_field::PatchField;
use crate::kit::http::query::Query;
use crate::kit::http::routes::routes;
use crate::kit::{App, Error, ErrorCode, FieldErrors, Result};
use crate::library::books::model::BookId;
use crate::library::http::{Body, ListBody, answer};
use crate::library::tbr::model::TbrId;
use crate::library::{counters, import, tbr, text};

/// The routes of this module. `find_pages` asks the offline catalogue.
pub fn routes(find_pages: FindPages) -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(books, create))
        .merge(OpenApiRouter::new().routes(routes!(many::change_many)).layer(Extension(find_pages)))
        .routes(routes!(titles))
        .routes(routes!(read, change, remove))
        .merge(works::routes())
        .merge(days::routes())
        .merge(languages::routes())
        .merge(quotes::routes())
}

impl From<ReadRefusal> for Error {
    fn from(refusal: ReadRefusal) -> Self {
        match refusal {
            ReadRefusal::AlreadyReading(id) => {
                Self::refused(ErrorCode::AlreadyReading, "You are reading this already.").with("bookId", id.0)
            }
            ReadRefusal::TooManyReads => {
                Self::refused(ErrorCode::TooManyReads, format!("A book can have at most {MOST_READS} reads."))
            }
            ReadRefusal::TooManyDays => {
                let most = text::grouped(MOST_DAYS as u64);
                Self::refused(ErrorCode::TooManyDays, format!("A read can have at most {most} days in its log."))
            }
            ReadRefusal::Finished => {
                Self::refused(ErrorCode::Finished, "This read is finished. Read it again, or change its day log below.")
            }
        }
    }
}

impl From<BookLimitReached> for Error {
    fn from(BookLimitReached(limit): BookLimitReached) -> Self {
        let sentence = format!(
            "You've reached the {limit} book limit on the Reader plan. Upgrade to Shelfwise Plus for unlimited book tracking \
             and access to advanced analytics."
        );
        Self::refused(ErrorCode::BookLimitReached, sentence).with("limit", limit)
    }
}

/// A book that was added or read.
#[derive(Serialize, ToSchema)]
pub struct BookResponse {
    /// The book as it is stored.
    pub book: Book<'static>,
}

/// A book with its quotes in full.
#[derive(Serialize, ToSchema)]
struct BookDetailResponse {
    book: BookDetail<'static>,
}

/// A changed book.
#[derive(Serialize, ToSchema)]
struct BookChangeResponse {
    book: Book<'static>,
    /// The fields that the change cleared without having been sent; absent when there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false, value_type = Vec<String>)]
    cleared: Vec<&'static str>,
}

/// Books in the requested order.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "describes what ListBody writes")]
pub struct BookList {
    /// The books of this page, or all of them.
    data: Vec<Book<'static>>,
    /// The number of all books, including hidden ones.
    total: i64,
    /// The months of history that the plan shows; null means all.
    #[schema(required)]
    limited_to_months: Option<u32>,
    /// The number of visible books that match the filter; only present when a query was sent.
    #[schema(required = false)]
    matching: i64,
    /// The cursor of the next page, null at the end; only present when a query was sent.
    #[schema(required = false)]
    next_cursor: Option<String>,
}

/// The titles of the library.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes what ListBody writes")]
struct BookTitleList {
    /// Every book, by title.
    data: Vec<BookTitle<'static>>,
}

/// The fields after the list of books.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rest {
    total: i64,
    limited_to_months: Option<u32>,
    #[serde(flatten)]
    asked: Option<Asked>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Asked {
    matching: i64,
    next_cursor: Option<String>,
}

/// A new book. With `tbrId`, that item leaves the to-be-read list in the same transaction.
#[derive(Deserialize, ToSchema)]
struct BookCreate {
    #[serde(flatten)]
    book: BookFields,
    /// The id of an item on your to-be-read list.
    #[serde(default, rename = "tbrId")]
    #[schema(value_type = Option<i64>)]
    tbr_id: PatchField<TbrId>,
    /// The work that the book is a further read of. Without it the book joins the work with the same title and author, if there is one;
    /// null makes it a book of its own.
    #[serde(default)]
    #[schema(value_type = Option<i64>)]
    work: PatchField<BookId>,
}

/// Lists the visible books, newest completion first unless another order is requested.
#[utoipa::path(get, path = "/api/books", operation_id = "listBooks", tag = "books", params(Filter, OrderedPage),
    responses((status = 200, body = BookList), (status = 304), (status = 401), (status = 422)))]
async fn books(
    State(app): State<App>,
    viewer: Viewer,
    headers: HeaderMap,
    Query(filter): Query<Filter>,
    Query(page): Query<OrderedPage>,
    RawQuery(raw): RawQuery,
) -> Result<Response> {
    let query = ListQuery::new(filter, page, raw.is_some())?;
    let raw = raw.unwrap_or_default();
    let _whole = whole_library(&app, &viewer, &query).await?;
    answer(&app, viewer, headers, ("books", raw), move |conn, viewer, body| write_list(conn, viewer, &query, body))
        .await
}

/// The permit to list a whole library, for a query without a limit.
pub async fn whole_library(app: &App, viewer: &Viewer, query: &ListQuery) -> Result<Option<WholeLibraryPermit>> {
    match query.limit {
        Some(_) => Ok(None),
        None => app.budgets.whole_library(viewer.user_id).await.map(Some),
    }
}

/// Writes the requested list, from `{` to `}`.
pub fn write_list(conn: &rusqlite::Connection, viewer: &Viewer, query: &ListQuery, body: &mut Body) -> Result<()> {
    let mut body = ListBody::begin(body)?;
    let totals = list::list(conn, viewer.user_id, viewer.visible_from(), query, &mut |book| body.push(book))?;
    let asked = query.has_query.then_some(Asked { matching: totals.matching, next_cursor: totals.next });
    body.finish(&Rest { total: totals.total, limited_to_months: viewer.limits().history_months, asked })
}

/// Lists all books by title, including hidden ones, for the picker of the edit tab.
#[utoipa::path(get, path = "/api/books/titles", operation_id = "listBookTitles", tag = "books",
    responses((status = 200, body = BookTitleList), (status = 304), (status = 401)))]
async fn titles(State(app): State<App>, viewer: Viewer, headers: HeaderMap) -> Result<Response> {
    let made = answer(&app, viewer, headers, ("titles", String::new()), |conn, viewer, body| {
        let mut body = ListBody::begin(body)?;
        list::titles(conn, viewer.user_id, &mut |title| body.push(title))?;
        body.finish(&json!({}))
    });
    made.await
}

/// Adds a book.
#[utoipa::path(post, path = "/api/books", operation_id = "createBook", tag = "books", params(IdempotencyKey), request_body = BookCreate,
    responses((status = 201, body = BookResponse), (status = 401), (status = 403), (status = 404), (status = 409), (status = 422)))]
async fn create(
    State(db): State<Db>,
    State(quotas): State<Quotas>,
    viewer: Viewer,
    key: IdempotencyKey,
    Json(new): LargeJson<BookCreate>,
) -> Result<IdempotentResponse> {
    let (owner, rules) = (viewer.user_id, Rules::of(&viewer, quotas));
    let (taken, place) = (taken_item(&new.tbr_id), place_of(&new.work));
    let draft = new.book.with_both_ends(viewer.hemisphere).into_new();
    let item = taken.as_ref().ok().copied().flatten();
    db.write(move |tx| {
        let make = |tx: &Tx<'_>| {
            if let Some(item) = item {
                tbr::store::get(tx, owner, item)?;
            }
            if let Ok(TargetWork::Work(work)) = place {
                store::works::state(tx, owner, work)?;
            }
            let (place, refused) = match place {
                Ok(place) => (place, Ok(())),
                Err(errors) => (TargetWork::default(), Err(errors)),
            };
            let book = add(tx, owner, rules, taken.and(refused).and(draft), place)?;
            if let Some(item) = item {
                import::item_became_book(tx, item, book.id)?;
                tbr::store::delete(tx, owner, item)?;
            }
            Ok(IdempotentResponse::created(json!({ "book": book })))
        };
        let make = |tx: &Tx<'_>| counters::within_quotas(tx, owner, quotas, || make(tx));
        let again = |id| Ok(serde_json::to_value(store::get(tx, owner, BookId(id))?)?);
        idempotency::once_made(tx, owner, &key, "POST /api/books", make, again)
    })
    .await
}

/// The to-be-read item that a new book replaces.
fn taken_item(sent: &PatchField<TbrId>) -> std::result::Result<Option<TbrId>, FieldErrors> {
    match sent {
        PatchField::Absent | PatchField::Null => Ok(None),
        PatchField::Value(id) => Ok(Some(*id)),
        PatchField::Wrong => {
            let mut errors = FieldErrors::new();
            errors.add("tbrId", "The item's id must be a whole number.");
            Err(errors)
        }
    }
}

/// The work that a new book is a read of.
fn place_of(sent: &PatchField<BookId>) -> std::result::Result<TargetWork, FieldErrors> {
    match sent {
        PatchField::Absent => Ok(TargetWork::ByName),
        PatchField::Null => Ok(TargetWork::Alone),
        PatchField::Value(work) => Ok(TargetWork::Work(*work)),
        PatchField::Wrong => {
            let mut errors = FieldErrors::new();
            errors.add("work", "The work's id must be a whole number.");
            Err(errors)
        }
    }
}

/// The entity tag of a book: it changes with every change that a client can see.
fn tag_of(book: &Book<'_>) -> Result<String> {
    Ok(etag::tag(&[&"book", &serde_json::to_string(&book)?, &serde_json::to_string(&book.quotes)?]))
}

/// A book with its entity tag.
///
/// # Errors
/// None in practice: every book can be written as JSON.
pub fn tagged(book: Book<'static>) -> Result<Response> {
    let tag = HeaderValue::try_from(tag_of(&book)?).map_err(anyhow::Error::from)?;
    Ok(etag::tagged(axum::Json(BookResponse { book }).into_response(), tag))
}

/// A changed book with its entity tag.
fn tagged_change(book: Book<'static>, cleared: Vec<&'static str>) -> Result<Response> {
    let tag = HeaderValue::try_from(tag_of(&book)?).map_err(anyhow::Error::from)?;
    Ok(etag::tagged(axum::Json(BookChangeResponse { book, cleared }).into_response(), tag))
}

/// 412 with the current book and its entity tag.
fn changed_elsewhere(book: &Book<'static>) -> Result<Response> {
    let tag = HeaderValue::try_from(tag_of(book)?).map_err(anyhow::Error::from)?;
    let refusal = Error::refused(ErrorCode::ChangedElsewhere, "This book was changed elsewhere meanwhile.");
    Ok(etag::tagged(refusal.with("book", serde_json::to_value(BookDetail::from(book.clone()))?).into_response(), tag))
}

/// Returns a book with its quotes in full, even one that the plan hides. Its `ETag` is for `If-None-Match` here and for `If-Match` of a change.
#[utoipa::path(get, path = "/api/books/{id}", operation_id = "getBook", tag = "books", params(("id" = i64, Path)),
    responses((status = 200, body = BookDetailResponse), (status = 304), (status = 401), (status = 404)))]
async fn read(State(db): State<Db>, viewer: Viewer, Path(id): Path<BookId>, headers: HeaderMap) -> Result<Response> {
    let book = db.read(move |conn| store::get(conn, viewer.user_id, id)).await?;
    let sent = tag_of(&book)?;
    let tag = HeaderValue::try_from(&sent).map_err(anyhow::Error::from)?;
    if etag::holds(&headers, &sent) {
        return Ok(etag::unchanged(tag));
    }
    Ok(etag::tagged(axum::Json(BookDetailResponse { book: book.into() }).into_response(), tag))
}

/// The outcome of a change.
enum Changed {
    /// The book as it is stored now, and what the change cleared.
    Stored(Book<'static>, Vec<&'static str>),
    /// The present book, which is not the one that the change was meant for.
    Elsewhere(Book<'static>),
}

/// How far a change of a book goes.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct ChangeParams {
    /// `all` writes title, author and genres to all reads of the work.
    #[param(inline)]
    reads: Option<WhichReads>,
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum WhichReads {
    All,
}

/// Changes a book. Absent fields stay unchanged, null clears a field, and a new status clears the fields that it does not allow. With
/// `If-Match`, only the version with that tag is changed.
#[utoipa::path(patch, path = "/api/books/{id}", operation_id = "updateBook", tag = "books", params(("id" = i64, Path), ChangeParams, IfMatch),
    request_body = BookFields,
    responses((status = 200, body = BookChangeResponse), (status = 401), (status = 404), (status = 409), (status = 412), (status = 422)))]
async fn change(
    State(db): State<Db>,
    State(quotas): State<Quotas>,
    viewer: Viewer,
    Path(id): Path<BookId>,
    Query(ChangeParams { reads }): Query<ChangeParams>,
    meant: IfMatch,
    Json(payload): LargeJson<BookFields>,
) -> Result<Response> {
    let (owner, today) = (viewer.user_id, viewer.today);
    let changed = db.write(move |tx| {
        let book = store::get(tx, owner, id)?;
        if !meant.admits(&tag_of(&book)?) {
            return Ok(Changed::Elsewhere(book));
        }
        let (draft, cleared) = payload.with_both_ends(viewer.hemisphere).into_changed(&book)?;
        let write = || {
            let changed = if draft == book.draft() { book } else { write_change(tx, owner, &book, &draft, today)? };
            if let Some(WhichReads::All) = reads {
                store::works::share_names(tx, owner, &changed)?;
            }
            Ok(changed)
        };
        Ok(Changed::Stored(counters::within_quotas(tx, owner, quotas, write)?, cleared))
    });
    match changed.await? {
        Changed::Stored(book, cleared) => tagged_change(book, cleared),
        Changed::Elsewhere(book) => changed_elsewhere(&book),
    }
}

/// Deletes a book.
#[utoipa::path(delete, path = "/api/books/{id}", operation_id = "deleteBook", tag = "books", params(("id" = i64, Path)),
    responses((status = 204), (status = 401), (status = 404)))]
async fn remove(State(db): State<Db>, viewer: Viewer, Path(id): Path<BookId>) -> Result<StatusCode> {
    db.write(move |tx| store::delete(tx, viewer.user_id, id)).await?;
    Ok(StatusCode::NO_CONTENT)
}
