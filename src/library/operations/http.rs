//! The API calls of operations.
use axum::extract::{Extension, State};
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::model::{Operation, OperationId, OperationRefusal, OperationUndo};
use super::store::{self, undo};
use crate::access::Viewer;
use crate::kit::db::pool::Db;
use crate::kit::http::etag;
use crate::kit::http::extract::Path;
use crate::kit::http::query::{PageRequest, Query};
use crate::kit::http::routes::routes;
use crate::kit::{App, Error, ErrorCode, Result};
use crate::library::books::add::BookLimitReached;
use crate::library::counters;
use crate::library::import::complete::Parts;

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
    data: Vec<Operation>,
    /// The cursor of the next page; null at the end.
    #[schema(required)]
    next_cursor: Option<String>,
}

/// Lists what was done to your library as a whole, newest first: imports, joined and separated books, renamed series and tags, fill-ins.
#[utoipa::path(get, path = "/api/operations", operation_id = "listOperations", tag = "operations", params(PageRequest),
    responses((status = 200, body = OperationList), (status = 304), (status = 401), (status = 422)))]
async fn operations(
    State(db): State<Db>,
    viewer: Viewer,
    headers: HeaderMap,
    Query(page): Query<PageRequest>,
) -> Result<Response> {
    let cursor = page.cursor.map(OperationId);
    let limit = page.limit();
    let mut data = db.read(move |conn| store::list(conn, viewer.user_id, cursor, limit + 1)).await?;
    let more = data.len() > limit;
    data.truncate(limit);
    let next_cursor = data.last().filter(|_| more).map(|last| last.id.to_string());
    etag::listed(&headers, &OperationList { data, next_cursor })
}

/// Undoes an operation: its books get their former values. Books that were changed since keep what was changed, and are named.
#[utoipa::path(delete, path = "/api/operations/{id}", operation_id = "undoOperation", tag = "operations", params(("id" = i64, Path)),
    responses((status = 200, body = OperationUndo), (status = 401), (status = 403), (status = 404), (status = 409)))]
async fn undo_operation(
    State(app): State<App>,
    Extension(parts): Extension<Parts>,
    viewer: Viewer,
    Path(id): Path<OperationId>,
) -> Result<axum::Json<OperationUndo>> {
    let permit = app.budgets.heavy_change(viewer.user_id).await?;
    let (owner, limit) = (viewer.user_id, viewer.limits().book_limit);
    let undone = permit.write(&app.db, move |tx| {
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
