//! The calls of a read's log.
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use chrono::NaiveDate;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use crate::access::Viewer;
use crate::config::Quotas;
use crate::kit::db::pool::{Db, Tx};
use crate::kit::http::etag;
use crate::kit::http::extract::{Json, Path};
use crate::kit::http::routes::routes;
use crate::kit::id::UserId;
use crate::kit::{App, Error, Result};
use crate::library::books::day_payload::ReadingDayFields;
use crate::library::books::log::{Length, ReadingDay, takes_day};
use crate::library::books::model::{Book, BookId};
use crate::library::books::store::{self, days};
use crate::library::{counters, text};

/// The routes of this part.
pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(log)).routes(routes!(note_day, forget_day))
}

/// The log of a read.
#[derive(Serialize, ToSchema)]
struct ReadingDayList {
    /// Oldest first.
    data: Vec<ReadingDay>,
}

/// A day of a log, and its read.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ReadingDayResponse {
    book: Book<'static>,
    day: ReadingDay,
    /// True where the day was before the start, which moved to it; otherwise absent.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    start_moved: bool,
}

/// Lists the days of a read's log, oldest first, and those that a device has and its reader removed.
#[utoipa::path(get, path = "/api/books/{id}/days", operation_id = "listReadingDays", tag = "books", params(("id" = i64, Path)),
    responses((status = 200, body = ReadingDayList), (status = 304), (status = 401), (status = 404)))]
async fn log(State(db): State<Db>, viewer: Viewer, Path(id): Path<BookId>, headers: HeaderMap) -> Result<Response> {
    let read = db.read(move |conn| {
        store::get(conn, viewer.user_id, id)?;
        days::with_dismissed(conn, id)
    });
    etag::listed(&headers, &ReadingDayList { data: read.await? })
}

/// The day in an address.
fn day_of(text: &str) -> Result<NaiveDate> {
    text::date(text).ok_or_else(|| Error::invalid_field("day", "Dates must be written yyyy-MM-dd."))
}

/// Notes what was read on a day: the place reached by page, percentage or time, minutes and a note. Sent twice it changes nothing. A day before
/// the start of a read in progress moves the start.
#[utoipa::path(put, path = "/api/books/{id}/days/{day}", operation_id = "putReadingDay", tag = "books",
    params(("id" = i64, Path), ("day" = chrono::NaiveDate, Path)), request_body = ReadingDayFields,
    responses((status = 200, body = ReadingDayResponse), (status = 401), (status = 404), (status = 409), (status = 422)))]
async fn note_day(
    State(db): State<Db>,
    State(quotas): State<Quotas>,
    viewer: Viewer,
    Path((id, day)): Path<(BookId, String)>,
    Json(sent): Json<ReadingDayFields>,
) -> Result<axum::Json<ReadingDayResponse>> {
    let (owner, today) = (viewer.user_id, viewer.today);
    let noted = db.write(move |tx| {
        let book = store::get(tx, owner, id)?;
        let day = day_of(&day)?;
        let known = days::on(tx, id, day)?;
        let logged = sent.onto(known.clone(), day, today, Length::of(&book))?;
        takes_day(&book, day, known.is_none())?;
        if known.as_ref() == Some(&logged) {
            return Ok(ReadingDayResponse { book, day: logged, start_moved: false });
        }
        counters::within_quotas(tx, owner, quotas, || {
            days::put(tx, id, &logged)?;
            let start_moved = !book.status.is_finished() && book.start_date.is_some_and(|start| day < start);
            if start_moved {
                days::move_start(tx, id, day)?;
            }
            let book = settled(tx, owner, &book)?;
            Ok(ReadingDayResponse { book, day: logged, start_moved })
        })
    });
    Ok(axum::Json(noted.await?))
}

/// Removes a day from a read's log. One that a device reported stays removed whatever the device reports later, and is listed as dismissed.
#[utoipa::path(delete, path = "/api/books/{id}/days/{day}", operation_id = "deleteReadingDay", tag = "books",
    params(("id" = i64, Path), ("day" = chrono::NaiveDate, Path)),
    responses((status = 204), (status = 401), (status = 404), (status = 422)))]
async fn forget_day(
    State(db): State<Db>,
    viewer: Viewer,
    Path((id, day)): Path<(BookId, String)>,
) -> Result<StatusCode> {
    let owner = viewer.user_id;
    let deleted = db.write(move |tx| {
        let book = store::get(tx, owner, id)?;
        days::delete(tx, id, day_of(&day)?)?;
        settled(tx, owner, &book)
    });
    deleted.await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Does what follows from a changed log, and returns the read as it is then.
fn settled(tx: &Tx<'_>, owner: UserId, book: &Book<'_>) -> Result<Book<'static>> {
    days::touch(tx, book)?;
    counters::changed(tx, owner)?;
    let book = store::get(tx, owner, book.id)?;
    days::settle_months(tx, &book)?;
    Ok(book)
}
