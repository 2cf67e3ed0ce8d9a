//! The calls of the account's CSV files.
use axum::extract::State;
use axum::response::Response;
use utoipa_axum::router::OpenApiRouter;

use super::{write_books, write_items};
use crate::access::Viewer;
use crate::kit::http::download;
use crate::kit::http::routes::routes;
use crate::kit::{App, Result};

const CSV: &str = "text/csv; charset=utf-8";

/// The routes of this file.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(books_file)).routes(routes!(tbr_file))
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
