//! The API calls of series.
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::model::SeriesFigures;
use super::store;
use crate::access::Viewer;
use crate::config::Quotas;
use crate::kit::db::pool::Db;
use crate::kit::http::etag;
use crate::kit::http::extract::{Json, Path};
use crate::kit::http::patch_field::PatchField;
use crate::kit::http::routes::routes;
use crate::kit::{App, FieldErrors, Result};
use crate::library::books::facts::check_series_name;
use crate::library::counters;
use crate::library::operations::model::OperationId;

/// The routes of this module.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(series)).routes(routes!(rename))
}

/// The series of a library.
#[derive(Serialize, ToSchema)]
struct SeriesList {
    /// By name.
    data: Vec<SeriesFigures>,
}

/// Lists the series of your library by name, with what you have read of each.
#[utoipa::path(get, path = "/api/series", operation_id = "listSeries", tag = "series",
    responses((status = 200, body = SeriesList), (status = 304), (status = 401)))]
async fn series(State(db): State<Db>, viewer: Viewer, headers: HeaderMap) -> Result<Response> {
    let data = db.read(move |conn| store::list(conn, viewer.user_id, None)).await?;
    etag::listed(&headers, &SeriesList { data })
}

/// The new name of a series.
#[derive(Deserialize, ToSchema)]
struct SeriesRename {
    /// 1 to 200 characters. The name of another series merges both.
    #[serde(default)]
    #[schema(required, value_type = String, min_length = 1, max_length = 200)]
    name: PatchField<String>,
}

/// A changed series.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SeriesResponse {
    series: SeriesFigures,
    /// The operation that undoes the change; null where nothing has changed.
    #[schema(required, value_type = Option<i64>)]
    operation_id: Option<OperationId>,
}

/// Renames a series in all of its books, or merges it into a series of that name. The change can be undone.
#[utoipa::path(patch, path = "/api/series/{name}", operation_id = "renameSeries", tag = "series", params(("name" = String, Path)),
    request_body = SeriesRename,
    responses((status = 200, body = SeriesResponse), (status = 401), (status = 404), (status = 409), (status = 422)))]
async fn rename(
    State(app): State<App>,
    State(quotas): State<Quotas>,
    viewer: Viewer,
    Path(name): Path<String>,
    Json(sent): Json<SeriesRename>,
) -> Result<axum::Json<SeriesResponse>> {
    // A series may have every book.
    let permit = app.budgets.heavy_change(viewer.user_id).await?;
    let renamed = permit.write(&app.db, move |tx| {
        store::get(tx, viewer.user_id, &name)?;
        let mut errors = FieldErrors::new();
        let mut new = String::new();
        sent.name.null_is_absent().set(&mut new, &mut errors, "name", "The name of the series must be a text.");
        check_series_name(&mut errors, "name", &mut new);
        errors.into_result()?;
        counters::within_quotas(tx, viewer.user_id, quotas, || store::rename(tx, viewer.user_id, &name, &new))
    });
    let (series, operation_id) = renamed.await?;
    Ok(axum::Json(SeriesResponse { series, operation_id }))
}
