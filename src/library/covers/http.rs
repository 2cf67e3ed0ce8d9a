//! The calls of covers.
use axum::extract::{Request, State};
use axum::http::{HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;

use super::model::{CoverId, CoverSource, MOST_BYTES, Unfit};
use super::picture::Picture;
use super::store::{self, Cover, CoverQuota, CoverRefusal};
use crate::access::Viewer;
use crate::kit::db::pool::Db;
use crate::kit::http::download;
use crate::kit::http::extract::{Path, bytes};
use crate::kit::http::query::Query;
use crate::kit::http::routes::routes;
use crate::kit::{App, Error, ErrorCode, Result};
use crate::library::books;
use crate::library::books::http::{BookResponse, tagged};
use crate::library::books::model::BookId;

/// The routes of this module.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(put, remove)).routes(routes!(read))
}

impl From<Unfit> for Error {
    fn from(unfit: Unfit) -> Self {
        let too_large = |most| {
            format!(
                "This picture is larger than {most}. The form makes it smaller by itself; over the API, please do it before."
            )
        };
        match unfit {
            Unfit::NotAPicture => Self::UnsupportedType("A cover is a JPEG, PNG or WebP.".into()),
            Unfit::TooManyBytes => Self::TooLarge(too_large("200 KiB")),
            Unfit::TooManyPixels => Self::TooLarge(too_large("1,000 × 1,500 pixels")),
        }
    }
}

impl From<CoverRefusal> for Error {
    fn from(CoverRefusal::QuotaReached(most): CoverRefusal) -> Self {
        Self::refused(ErrorCode::CoverQuota, format!("Your {most} MiB of covers are used up."))
    }
}

/// Where a picture comes from.
#[derive(Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
struct PutParams {
    /// `upload` by default.
    #[param(inline, value_type = Option<CoverSource>)]
    source: CoverSource,
}

/// Gives a book a cover: a JPEG, PNG or WebP of at most 200 KiB and 1,000 × 1,500 pixels. The reads of the same work that have the same
/// cover as this one, or like it none, get it too.
#[utoipa::path(put, path = "/api/books/{id}/cover", operation_id = "putCover", tag = "books", params(("id" = i64, Path), PutParams),
    request_body(content = inline(download::File), content_type = "image/*"),
    responses((status = 200, body = BookResponse), (status = 401), (status = 404), (status = 409), (status = 415), (status = 422)))]
async fn put(
    State(app): State<App>,
    viewer: Viewer,
    Path(id): Path<BookId>,
    Query(PutParams { source }): Query<PutParams>,
    request: Request,
) -> Result<Response> {
    let file = bytes(request, MOST_BYTES).await.map_err(|cause| match cause {
        Error::TooLarge(_) => Unfit::TooManyBytes.into(),
        other => other,
    })?;
    let picture = Picture::read(&file)?;
    let (owner, quota) = (viewer.user_id, CoverQuota(app.current.get().lookup.cover_quota));
    let book = app.db.write(move |tx| {
        books::store::get(tx, owner, id)?;
        store::put(tx, owner, id, &picture, source, quota)?;
        books::store::get(tx, owner, id)
    });
    tagged(book.await?)
}

/// Takes the cover from a book, and from the reads of the same work that have the same one.
#[utoipa::path(delete, path = "/api/books/{id}/cover", operation_id = "deleteCover", tag = "books", params(("id" = i64, Path)),
    responses((status = 204), (status = 401), (status = 404)))]
async fn remove(State(db): State<Db>, viewer: Viewer, Path(id): Path<BookId>) -> Result<StatusCode> {
    db.write(move |tx| store::remove(tx, viewer.user_id, id)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// What a cover may do when a browser opens it as a page: nothing.
const POLICY: &str = "default-src 'none'; sandbox; frame-ancestors 'none'";

/// Returns a cover of yours. A new cover has a new number, so a browser may keep each as long as it likes.
#[utoipa::path(get, path = "/api/covers/{id}", operation_id = "getCover", tag = "books", params(("id" = i64, Path)),
    responses((status = 200, body = inline(download::File), content_type = "image/*"), (status = 401), (status = 404)))]
async fn read(State(db): State<Db>, viewer: Viewer, Path(id): Path<CoverId>) -> Result<Response> {
    let cover = db.read(move |conn| store::get(conn, viewer.user_id, id)).await?;
    Ok(([(header::CACHE_CONTROL, "private, max-age=31536000, immutable")], picture(cover)).into_response())
}

/// A cover as an answer, whose caller says how long it may be cached.
pub fn picture(cover: Cover) -> impl IntoResponse {
    let headers: [(HeaderName, &str); 2] =
        [(header::CONTENT_TYPE, cover.kind.media_type()), (header::CONTENT_SECURITY_POLICY, POLICY)];
    (headers, cover.bytes)
}
