//! The calls of the account's CSV files.
use axum::extract::State;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::trackers::losses::{self, ExportFormatReport};
use super::trackers::{self, Answers, ExportFormat};
use super::{write_books, write_items};
use crate::access::Viewer;
use crate::kit::http::download;
use crate::kit::http::extract::Path;
use crate::kit::http::query::Query;
use crate::kit::http::routes::routes;
use crate::kit::{App, Result};

const CSV: &str = "text/csv; charset=utf-8";

/// The routes of this file.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(books_file))
        .routes(routes!(tbr_file))
        .routes(routes!(formats))
        .routes(routes!(file))
}

/// Exports every book, including hidden ones, as CSV.
#[utoipa::path(get, path = "/api/account/export/books.csv", operation_id = "exportBooksCsv", tag = "accounts",
    responses((status = 200, body = String, content_type = "text/csv"), (status = 401)))]
async fn books_file(State(app): State<App>, viewer: Viewer) -> Result<Response> {
    let owner = viewer.user_id;
    download::made(&app, owner, CSV, "books.csv", move |conn, file| write_books(conn, owner, file)).await
}

/// Exports the to-be-read list as CSV, in its order.
#[utoipa::path(get, path = "/api/account/export/tbr.csv", operation_id = "exportTbrCsv", tag = "accounts",
    responses((status = 200, body = String, content_type = "text/csv"), (status = 401)))]
async fn tbr_file(State(app): State<App>, viewer: Viewer) -> Result<Response> {
    let owner = viewer.user_id;
    download::made(&app, owner, CSV, "tbr.csv", move |conn, file| write_items(conn, owner, file)).await
}

/// The programs for which exports are written.
#[derive(Serialize, ToSchema)]
struct ExportFormatList {
    /// One entry for each program.
    data: Vec<ExportFormatReport>,
}

/// Lists the programs for which exports are written, and what each of them can't hold of your library.
#[utoipa::path(get, path = "/api/account/export/formats", operation_id = "listExportFormats", tag = "accounts",
    responses((status = 200, body = ExportFormatList), (status = 401)))]
async fn formats(State(app): State<App>, viewer: Viewer) -> Result<axum::Json<ExportFormatList>> {
    let permit = app.budgets.heavy(viewer.user_id).await?;
    let counted = app.db.read_long(move |conn| {
        let _permit = permit;
        losses::report(conn, viewer.user_id)
    });
    Ok(axum::Json(ExportFormatList { data: counted.await? }))
}

/// Exports books and the to-be-read list, including hidden ones, in the form that another program reads.
#[utoipa::path(get, path = "/api/account/export/{format}", operation_id = "exportForProgram", tag = "accounts",
    params(("format" = ExportFormat, Path), Answers),
    responses((status = 200, body = String, content_type = "text/csv"), (status = 401), (status = 404), (status = 422)))]
async fn file(
    State(app): State<App>,
    viewer: Viewer,
    Path(program): Path<ExportFormat>,
    Query(answers): Query<Answers>,
) -> Result<Response> {
    let (owner, name) = (viewer.user_id, format!("{}-{}.csv", program.name(), viewer.today));
    download::made(&app, owner, CSV, &name, move |conn, file| trackers::write(conn, owner, program, &answers, file))
        .await
}
