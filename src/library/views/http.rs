//! The calls of views.
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::model::{MOST, View, ViewFields, ViewRefusal};
use super::store;
use crate::access::Viewer;
use crate::kit::db::pool::Db;
use crate::kit::http::etag;
use crate::kit::http::extract::{Json, Path};
use crate::kit::http::routes::routes;
use crate::kit::{App, Error, ErrorCode, Result};

/// The routes of this module.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(views, create)).routes(routes!(change, remove))
}

impl From<ViewRefusal> for Error {
    fn from(refusal: ViewRefusal) -> Self {
        match refusal {
            ViewRefusal::SameName => Self::refused(ErrorCode::ViewExists, "You have a view of that name."),
            ViewRefusal::TooMany => {
                Self::refused(ErrorCode::TooManyViews, format!("An account can have at most {MOST} views."))
            }
        }
    }
}

/// Your views.
#[derive(Serialize, ToSchema)]
struct ViewList {
    /// Pinned ones in their order, then the others by name.
    data: Vec<View>,
}

/// A view that was added or changed.
#[derive(Serialize, ToSchema)]
struct ViewResponse {
    view: View,
}

/// Lists your views: filters of the dashboard under names.
#[utoipa::path(get, path = "/api/views", operation_id = "listViews", tag = "views",
    responses((status = 200, body = ViewList), (status = 304), (status = 401)))]
async fn views(State(db): State<Db>, viewer: Viewer, headers: HeaderMap) -> Result<Response> {
    let data = db.read(move |conn| store::list(conn, viewer.user_id)).await?;
    etag::listed(&headers, &ViewList { data })
}

/// Adds a view.
#[utoipa::path(post, path = "/api/views", operation_id = "createView", tag = "views", request_body = ViewFields,
    responses((status = 201, body = ViewResponse), (status = 401), (status = 409), (status = 422)))]
async fn create(
    State(db): State<Db>,
    viewer: Viewer,
    Json(sent): Json<ViewFields>,
) -> Result<(StatusCode, axum::Json<ViewResponse>)> {
    let view = sent.onto(None)?;
    let view = db.write(move |tx| store::add(tx, viewer.user_id, &view).map(|()| view)).await?;
    Ok((StatusCode::CREATED, axum::Json(ViewResponse { view })))
}

/// Changes a view. Absent fields stay, and null unpins it.
#[utoipa::path(patch, path = "/api/views/{name}", operation_id = "updateView", tag = "views", params(("name" = String, Path)),
    request_body = ViewFields,
    responses((status = 200, body = ViewResponse), (status = 401), (status = 404), (status = 409), (status = 422)))]
async fn change(
    State(db): State<Db>,
    viewer: Viewer,
    Path(name): Path<String>,
    Json(sent): Json<ViewFields>,
) -> Result<axum::Json<ViewResponse>> {
    let changed = db.write(move |tx| {
        let before = store::find(tx, viewer.user_id, &name)?.ok_or(Error::NotFound)?;
        let view = sent.onto(Some(before))?;
        store::change(tx, viewer.user_id, &name, &view)?;
        Ok(view)
    });
    Ok(axum::Json(ViewResponse { view: changed.await? }))
}

/// Deletes a view.
#[utoipa::path(delete, path = "/api/views/{name}", operation_id = "deleteView", tag = "views", params(("name" = String, Path)),
    responses((status = 204), (status = 401), (status = 404)))]
async fn remove(State(db): State<Db>, viewer: Viewer, Path(name): Path<String>) -> Result<StatusCode> {
    db.write(move |tx| store::delete(tx, viewer.user_id, &name)).await?;
    Ok(StatusCode::NO_CONTENT)
}
