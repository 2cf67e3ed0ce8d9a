//! The call that lists the languages of a library.
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use crate::access::Viewer;
use crate::kit::db::pool::Db;
use crate::kit::http::etag;
use crate::kit::http::routes::routes;
use crate::kit::{App, Result};
use crate::library::books::store::works;

/// The routes of this part.
pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(languages))
}

/// The languages of a library.
#[derive(Serialize, ToSchema)]
struct BookLanguageList {
    /// Most books first.
    data: Vec<BookLanguage>,
}

/// A language with its books.
#[derive(Serialize, ToSchema)]
struct BookLanguage {
    /// The language (BCP 47), as the filter `language` takes it.
    name: String,
    /// How many different books have a read in it.
    books: i64,
}

/// Lists the languages of your books, most books first.
#[utoipa::path(get, path = "/api/books/languages", operation_id = "listBookLanguages", tag = "books",
    responses((status = 200, body = BookLanguageList), (status = 304), (status = 401)))]
async fn languages(State(db): State<Db>, viewer: Viewer, headers: HeaderMap) -> Result<Response> {
    let found = db.read(move |conn| works::languages(conn, viewer.user_id)).await?;
    let data = found.into_iter().map(|(name, books)| BookLanguage { name, books }).collect();
    etag::listed(&headers, &BookLanguageList { data })
}
