//! The API calls of operations.
use axum::extract::{Extension, State};
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use super::model::{OperationId, OperationRefusal, PastOperation, Undone};
use super::store::{self, undo};
use crate::access::Viewer;
use crate::kit::db::pool::Db;
use crate::kit::http::etag;
use crate::kit::http::extract::{Path, Query};
use crate::kit::http::routes::routes;
use crate::kit::{App, Error, ErrorCode, FieldErrors, Result};
use crate::library::books::add::BookLimitReached;
use crate::library::counters;
use crate::library::import::complete::Parts;

/// How many operations a page has unless its query says otherwise.
const PAGE: usize = 50;
/// The most operations of a page.
const LARGEST_PAGE: usize = 200;

/// The routes of this module. `parts` take back what imports restored of other modules.
pub fn routes(parts: Parts) -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(operations)).routes(routes!(undo_operation)).layer(Extension(parts))
}

impl From<OperationRefusal> for Error {
    fn from(OperationRefusal::AlreadyUndone: OperationRefusal) -> Self {
        Self::refused(ErrorCode::AlreadyUndone, "This was undone before.")
    }
}

/// Operations, newest first.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct OperationList {
    /// The operations of this page.
    data: Vec<PastOperation>,
    /// The cursor of the next page; null at the end.
    #[schema(required)]
    next_cursor: Option<String>,
}

/// Which page of operations is listed.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct OperationParams {
    /// The `nextCursor` of the previous page.
    cursor: Option<String>,
    /// The entries of a page: 1 to 200, 50 by default.
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u32>,
}

/// Reads the cursor and the limit of a page.
fn page(query: &Query) -> std::result::Result<(Option<OperationId>, usize), FieldErrors> {
    let mut errors = FieldErrors::new();
    let said = |key: &str| query.get(key).filter(|value| !value.is_empty());
    let cursor = said("cursor").map(str::parse);
    if matches!(cursor, Some(Err(_))) {
        errors.add("cursor", "The cursor must be the nextCursor of the previous page.");
    }
    let limit = said("limit").map_or(Ok(PAGE), str::parse);
    if !limit.as_ref().is_ok_and(|limit| (1..=LARGEST_PAGE).contains(limit)) {
        errors.add("limit", "The limit must be a whole number from 1 to 200.");
    }
    match (cursor.transpose(), limit) {
        (Ok(cursor), Ok(limit)) if errors.is_empty() => Ok((cursor, limit)),
        _ => Err(errors),
    }
}

/// Lists what was done to your library as a whole, newest first: imports, joined and separated books, renamed series and tags, fill-ins.
#[utoipa::path(get, path = "/api/operations", operation_id = "listOperations", tag = "operations", params(OperationParams),
    responses((status = 200, body = OperationList), (status = 304), (status = 401), (status = 422)))]
async fn operations(State(db): State<Db>, viewer: Viewer, headers: HeaderMap, query: Query) -> Result<Response> {
    let (cursor, limit) = page(&query)?;
    let mut data = db.read(move |conn| store::list(conn, viewer.user_id, cursor, limit + 1)).await?;
    let more = data.len() > limit;
    data.truncate(limit);
    let next_cursor = data.last().filter(|_| more).map(|last| last.id.to_string());
    etag::listed(&headers, &OperationList { data, next_cursor })
}

/// Undoes an operation: its books get their former values. Books that were changed since keep what was changed, and are named.
#[utoipa::path(delete, path = "/api/operations/{id}", operation_id = "undoOperation", tag = "operations", params(("id" = i64, Path)),
    responses((status = 200, body = Undone), (status = 401), (status = 403), (status = 404), (status = 409)))]
async fn undo_operation(
    State(app): State<App>,
    Extension(parts): Extension<Parts>,
    viewer: Viewer,
    Path(id): Path<OperationId>,
) -> Result<axum::Json<Undone>> {
    let permit = app.budgets.heavy(viewer.user_id).await?;
    let (owner, limit) = (viewer.user_id, viewer.limits().book_limit);
    let undone = app.db.write_alone(move |tx| {
        let _held = &permit;
        let before = counters::book_count(tx, owner)?;
        let undone = undo::undo(tx, owner, id, parts)?;
        // Reads that went back to the list are books again.
        let books = counters::book_count(tx, owner)?;
        match limit {
            Some(limit) if books > before && books > i64::from(limit) => Err(BookLimitReached(limit).into()),
            _ => Ok(undone),
        }
    });
    Ok(axum::Json(undone.await?))
}
