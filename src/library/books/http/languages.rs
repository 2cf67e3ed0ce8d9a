//! The call that lists the languages of a library.
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use crate::access::Viewer;
use crate::kit::db::pool::{Db, owned};
use crate::kit::http::routes::routes;
use crate::kit::{App, Result};

/// The routes of this part.
pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(languages))
}

/// The languages of a library.
#[derive(Serialize, ToSchema)]
struct LanguageList {
    data: Vec<LanguageEntry>,
}

/// A language with its books.
#[derive(Serialize, ToSchema)]
struct LanguageEntry {
    /// The language (BCP 47), as the filter `language` takes it.
    name: String,
    /// How many different books have a read in it.
    books: i64,
}

/// Lists the languages of your books, most books first.
#[utoipa::path(get, path = "/api/languages", operation_id = "listLanguages", tag = "books",
    responses((status = 200, body = LanguageList), (status = 401)))]
async fn languages(State(db): State<Db>, viewer: Viewer) -> Result<axum::Json<LanguageList>> {
    let data = db.read(move |conn| {
        let sql = "SELECT language, COUNT(DISTINCT work) FROM books
             WHERE id BETWEEN ?1 AND ?2 AND language IS NOT NULL GROUP BY language ORDER BY 2 DESC, 1";
        let (first, last) = owned(viewer.user_id);
        let mut query = conn.prepare_cached(sql)?;
        let rows = query.query_map([first, last], |row| Ok(LanguageEntry { name: row.get(0)?, books: row.get(1)? }))?;
        Ok(rows.collect::<rusqlite::Result<Vec<_>>>()?)
    });
    Ok(axum::Json(LanguageList { data: data.await? }))
}
