//! The calls of works: a further read, all reads of a book, and which rows are the same book.
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use rusqlite::Connection;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::BookResponse;
use crate::access::Viewer;
use crate::config::Quotas;
use crate::kit::db::pool::{Db, Tx};
use crate::kit::http::extract::{IdempotencyKey, Json, Path};
use crate::kit::http::idempotency::{self, IdempotentResponse};
use crate::kit::http::patch_field::PatchField;
use crate::kit::http::routes::routes;
use crate::kit::id::UserId;
use crate::kit::{App, Error, Result};
use crate::library::books::add::{Rules, again};
use crate::library::books::again::BookAgain;
use crate::library::books::facts::Series;
use crate::library::books::model::{Book, BookDetail, BookId};
use crate::library::books::similar::{Similar, similar as find_similar};
use crate::library::books::store::duplicates::{Because, Likely};
use crate::library::books::store::{self, works};
use crate::library::counters;
use crate::library::http::{Body, answer, put, put_json};
use crate::library::operations::model::OperationKind;
use crate::library::operations::store::recorded;

/// The routes of this part.
pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(read_again))
        .routes(routes!(part))
        .routes(routes!(duplicates))
        .routes(routes!(work))
        .routes(routes!(join))
        .routes(routes!(distinct))
        .routes(routes!(similar))
}

/// A book with all its reads.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Work {
    /// The id of its first read.
    #[schema(value_type = i64)]
    id: BookId,
    /// The title of the newest read.
    title: String,
    /// The authors of the newest read.
    authors: Vec<String>,
    /// The series that the work belongs to; null without one.
    #[schema(required)]
    series: Option<Series>,
    /// The reader's own words for the book.
    tags: Vec<String>,
    /// The genres of the newest read.
    genres: Vec<String>,
    /// The year in which the book first appeared.
    #[schema(required)]
    original_year: Option<i64>,
    /// Oldest first.
    // The last key: `put_work` writes them behind the others.
    reads: Vec<BookDetail<'static>>,
}

/// A book with all its reads, as it is now.
#[derive(Serialize, ToSchema)]
struct WorkResponse {
    work: Work,
}

/// Answers with a work. Its reads are written one by one, because all of their texts together may have hundreds of megabytes.
async fn work_response(app: &App, viewer: Viewer, headers: HeaderMap, id: BookId) -> Result<Response> {
    answer(app, viewer, headers, ("work", id.to_string()), move |conn, viewer, body| {
        write_work(conn, viewer.user_id, id, body)
    })
    .await
}

fn write_work(conn: &Connection, owner: UserId, id: BookId, body: &mut Body) -> Result<()> {
    put(body, b"{\"work\":")?;
    put_work(conn, owner, id, &works::reads(conn, owner, id)?, body)?;
    put(body, b"}")
}

/// Writes a work with its reads, oldest first.
fn put_work(conn: &Connection, owner: UserId, id: BookId, reads: &[BookId], body: &mut Body) -> Result<()> {
    let newest = store::get(conn, owner, *reads.last().ok_or(Error::NotFound)?)?;
    let work = Work {
        id,
        title: newest.title.to_string(),
        authors: newest.authors.iter().map(str::to_owned).collect(),
        series: newest.facts.series.clone(),
        tags: newest.facts.tags.clone(),
        genres: newest.genres.iter().map(str::to_owned).collect(),
        original_year: newest.facts.original_year,
        reads: Vec::new(),
    };
    drop(newest);
    let empty = serde_json::to_string(&work)?;
    let end = "]}";
    put(body, empty.strip_suffix(end).ok_or_else(|| Error::internal("the reads are not the last key"))?.as_bytes())?;
    for (at, read) in reads.iter().enumerate() {
        if at > 0 {
            put(body, b",")?;
        }
        put_json(body, &BookDetail::from(store::get(conn, owner, *read)?))?;
    }
    put(body, end.as_bytes())
}

/// Reads a book again: adds a further read in progress, which begins today unless another day is sent. The earlier reads stay as they
/// are.
#[utoipa::path(post, path = "/api/books/{id}/again", operation_id = "readBookAgain", tag = "books", params(("id" = i64, Path), IdempotencyKey),
    request_body = BookAgain,
    responses((status = 201, body = BookResponse), (status = 401), (status = 403), (status = 404), (status = 409), (status = 422)))]
async fn read_again(
    State(db): State<Db>,
    State(quotas): State<Quotas>,
    viewer: Viewer,
    key: IdempotencyKey,
    Path(id): Path<BookId>,
    sent: Option<Json<BookAgain>>,
) -> Result<IdempotentResponse> {
    let (owner, today, rules) = (viewer.user_id, viewer.today, Rules::of(&viewer, quotas));
    let payload = sent.map(|Json(payload)| payload).unwrap_or_default();
    db.write(move |tx| {
        let make = |tx: &Tx<'_>| {
            let book = again(tx, owner, rules, id, payload, today)?;
            Ok(IdempotentResponse::created(json!({ "book": book })))
        };
        let make = |tx: &Tx<'_>| counters::within_quotas(tx, owner, quotas, || make(tx));
        let again = |id| Ok(serde_json::to_value(store::get(tx, owner, BookId(id))?)?);
        idempotency::once_made(tx, owner, &key, &format!("POST /api/books/{id}/again"), make, again)
    })
    .await
}

/// Separates a read from the other reads of its work: it becomes a book of its own. The change can be undone.
#[utoipa::path(post, path = "/api/books/{id}/part", operation_id = "partBook", tag = "books", params(("id" = i64, Path)),
    responses((status = 200, body = BookResponse), (status = 401), (status = 404)))]
async fn part(State(db): State<Db>, viewer: Viewer, Path(id): Path<BookId>) -> Result<axum::Json<BookResponse>> {
    let owner = viewer.user_id;
    let parted = db.write(move |tx| {
        let book = store::get(tx, owner, id)?;
        let reads = works::ids(tx, owner, book.work)?;
        let sentence = format!("A read of \u{201c}{}\u{201d} became a book of its own.", book.title);
        recorded(tx, owner, OperationKind::Part, reads, |()| sentence, || works::part(tx, owner, id))?;
        store::get(tx, owner, id)
    });
    Ok(axum::Json(BookResponse { book: parted.await? }))
}

/// Returns a book with all its reads, oldest first, including hidden ones.
#[utoipa::path(get, path = "/api/works/{work}", operation_id = "getWork", tag = "books", params(("work" = i64, Path)),
    responses((status = 200, body = WorkResponse), (status = 304), (status = 401), (status = 404)))]
async fn work(State(app): State<App>, viewer: Viewer, headers: HeaderMap, Path(id): Path<BookId>) -> Result<Response> {
    work_response(&app, viewer, headers, id).await
}

/// Two works that are likely the same book.
#[derive(Serialize, ToSchema)]
struct LikelyDuplicate {
    a: Work,
    b: Work,
    because: Because,
}

/// Works that are likely the same book.
#[derive(Serialize, ToSchema)]
struct WorkDuplicates {
    /// At most 200 pairs.
    data: Vec<LikelyDuplicate>,
}

/// Returns pairs of works that are likely the same book: those of the same title and author first, then those of the same ISBN, then
/// those of the same title with one author in common. Pairs that were kept apart are left out.
#[utoipa::path(get, path = "/api/works/duplicates", operation_id = "listDuplicateWorks", tag = "books",
    responses((status = 200, body = WorkDuplicates), (status = 304), (status = 401)))]
async fn duplicates(State(app): State<App>, viewer: Viewer, headers: HeaderMap) -> Result<Response> {
    answer(&app, viewer, headers, ("duplicates", String::new()), |conn, viewer, body| {
        write_duplicates(conn, viewer.user_id, body)
    })
    .await
}

fn write_duplicates(conn: &Connection, owner: UserId, body: &mut Body) -> Result<()> {
    let likely = store::duplicates::likely(conn, owner)?;
    let works = likely.iter().flat_map(|pair| pair.works).collect();
    let reads = store::duplicates::reads_of(conn, owner, &works)?;
    put(body, b"{\"data\":[")?;
    for (at, Likely { works, because }) in likely.into_iter().enumerate() {
        put(body, if at > 0 { b",{" } else { b"{" })?;
        for (name, work) in ["a", "b"].into_iter().zip(works) {
            put(body, format!("\"{name}\":").as_bytes())?;
            put_work(conn, owner, work, reads.get(&work).map_or(&[], Vec::as_slice), body)?;
            put(body, b",")?;
        }
        put(body, format!("\"because\":\"{}\"}}", because.name()).as_bytes())?;
    }
    put(body, b"]}")
}

/// Another book of the library.
#[derive(Serialize, ToSchema)]
struct SimilarBook {
    book: Book<'static>,
    /// What both have in common, in words.
    because: Vec<String>,
}

/// Books that have something in common.
#[derive(Serialize, ToSchema)]
struct SimilarBooks {
    /// At most ten, the closest first.
    data: Vec<SimilarBook>,
}

/// Returns other books of your library that share series, authors, tags or genres with this one. What few books have counts more.
#[utoipa::path(get, path = "/api/books/{id}/similar", operation_id = "listSimilarBooks", tag = "books", params(("id" = i64, Path)),
    responses((status = 200, body = SimilarBooks), (status = 304), (status = 401), (status = 404)))]
async fn similar(
    State(app): State<App>,
    viewer: Viewer,
    headers: HeaderMap,
    Path(id): Path<BookId>,
) -> Result<Response> {
    answer(&app, viewer, headers, ("similar", id.to_string()), move |conn, viewer, body| {
        let found = find_similar(conn, viewer.user_id, id, viewer.visible_from())?;
        let book =
            |of: Similar| Ok(SimilarBook { book: store::get(conn, viewer.user_id, of.book)?, because: of.because });
        put_json(body, &SimilarBooks { data: found.into_iter().map(book).collect::<Result<_>>()? })
    })
    .await
}

/// Which work is meant.
#[derive(Deserialize, ToSchema)]
struct OtherWork {
    /// The id of another work.
    #[serde(default)]
    #[schema(required, value_type = i64)]
    work: PatchField<BookId>,
}

impl OtherWork {
    fn other(self) -> Result<BookId> {
        let wrong = || Error::invalid_field("work", "The other work's id must be a whole number.");
        self.work.value().ok_or_else(wrong)
    }
}

/// Keeps two works apart that look like the same book: they are no longer listed as duplicates.
#[utoipa::path(post, path = "/api/works/{work}/distinct", operation_id = "keepWorksApart", tag = "books", params(("work" = i64, Path)),
    request_body = OtherWork,
    responses((status = 204), (status = 401), (status = 404), (status = 422)))]
async fn distinct(
    State(db): State<Db>,
    viewer: Viewer,
    Path(id): Path<BookId>,
    Json(sent): Json<OtherWork>,
) -> Result<StatusCode> {
    let owner = viewer.user_id;
    db.write(move |tx| {
        works::state(tx, owner, id)?;
        store::duplicates::keep_apart(tx, owner, id, sent.other()?)
    })
    .await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Joins two works that are the same book. The joined work has the lower id; series, tags and original year are those of the work in
/// the address. The change can be undone.
#[utoipa::path(post, path = "/api/works/{work}/join", operation_id = "joinWorks", tag = "books", params(("work" = i64, Path)),
    request_body = OtherWork,
    responses((status = 200, body = WorkResponse), (status = 401), (status = 404), (status = 409), (status = 422)))]
async fn join(
    State(app): State<App>,
    viewer: Viewer,
    Path(id): Path<BookId>,
    Json(sent): Json<OtherWork>,
) -> Result<Response> {
    let owner = viewer.user_id;
    let joined = app.db.write(move |tx| {
        works::state(tx, owner, id)?;
        let other = sent.other()?;
        let (one, two) = (store::get(tx, owner, id)?.title, store::get(tx, owner, other)?.title);
        let sentence = format!("\u{201c}{one}\u{201d} and \u{201c}{two}\u{201d} became one book.");
        let reads = [works::ids(tx, owner, id)?, works::ids(tx, owner, other)?].concat();
        let join = || works::join(tx, owner, id, other);
        let (joined, _) = recorded(tx, owner, OperationKind::Join, reads, |_| sentence, join)?;
        Ok(joined)
    });
    let joined = joined.await?;
    work_response(&app, viewer, HeaderMap::new(), joined).await
}
