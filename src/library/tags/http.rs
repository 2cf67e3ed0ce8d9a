//! The API calls of tags.
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::model::{ICON_LENGTH, MOST_SHOWN, Tag, TooManyShown};
use super::store::{self, Shown};
use crate::access::Viewer;
use crate::config::Quotas;
use crate::kit::db::pool::Db;
use crate::kit::http::etag;
use crate::kit::http::extract::{Json, Path};
use crate::kit::http::patch_field::PatchField;
use crate::kit::http::routes::routes;
use crate::kit::{App, Error, FieldErrors, Result};
use crate::library::books::facts::check_tag;
use crate::library::operations::model::OperationId;
use crate::library::{counters, text};

/// The routes of this module.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(tags)).routes(routes!(change, remove))
}

impl From<TooManyShown> for Error {
    fn from(_: TooManyShown) -> Self {
        let most = text::grouped(MOST_SHOWN.unsigned_abs());
        Self::invalid_field("shelf", format!("A library shows at most {most} tags as a shelf or with an icon."))
    }
}

/// The tags of a library.
#[derive(Serialize, ToSchema)]
struct TagList {
    /// Shelves in their order, then the others by name.
    data: Vec<Tag>,
}

/// Lists your tags: those that are shown as shelves in their order, then the others by name.
#[utoipa::path(get, path = "/api/tags", operation_id = "listTags", tag = "tags",
    responses((status = 200, body = TagList), (status = 304), (status = 401)))]
async fn tags(State(db): State<Db>, viewer: Viewer, headers: HeaderMap) -> Result<Response> {
    let data = db.read(move |conn| store::list(conn, viewer.user_id)).await?;
    etag::listed(&headers, &TagList { data })
}

/// A change of a tag. Absent fields stay.
#[derive(Deserialize, ToSchema)]
struct TagChange {
    /// 1 to 100 characters without commas. The name of another tag merges both.
    #[serde(default)]
    #[schema(value_type = Option<String>, min_length = 1, max_length = 100)]
    name: PatchField<String>,
    /// Whether the tag is shown as a shelf of its own. At most 1,000 tags are shown as a shelf or with an icon.
    #[serde(default)]
    #[schema(value_type = Option<bool>)]
    shelf: PatchField<bool>,
    /// The name of its icon, at most 40 characters, or null.
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 40)]
    icon: PatchField<String>,
    /// Its place among the shelves, from 0 on; the last one for a new shelf.
    #[serde(default)]
    #[schema(value_type = Option<i64>, minimum = 0)]
    position: PatchField<usize>,
}

/// A changed tag.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct TagResponse {
    tag: Tag,
    /// The operation that undoes a new name; null where the name has not changed.
    #[schema(required, value_type = Option<i64>)]
    operation_id: Option<OperationId>,
}

/// The checked values of a change.
struct Checked {
    name: Option<String>,
    shelf: bool,
    icon: Option<String>,
    position: Option<usize>,
}

impl TagChange {
    fn checked(self, tag: &Tag) -> std::result::Result<Checked, FieldErrors> {
        let mut errors = FieldErrors::new();
        let (mut name, mut shelf, mut icon) = (tag.name.clone(), tag.shelf, tag.icon.clone());
        self.name.set(&mut name, &mut errors, "name", "The tag must be a text.");
        name = name.trim().to_owned();
        if name.is_empty() {
            errors.add("name", "The tag is required.");
        }
        check_tag(&mut errors, "name", &name);
        self.shelf.set(&mut shelf, &mut errors, "shelf", "The shelf must be true or false.");
        self.icon.set_or_clear(&mut icon, &mut errors, "icon", "The icon must be a text.");
        icon.take_if(|icon| icon.trim().is_empty());
        if let Some(icon) = &icon {
            text::check(&mut errors, "icon", "The icon", icon, ICON_LENGTH);
        }
        let position = self.position.checked(&mut errors, "position", "The position must be a whole number from 0.");
        if !errors.is_empty() {
            return Err(errors);
        }
        Ok(Checked { name: Some(name).filter(|name| *name != tag.name), shelf, icon, position })
    }
}

/// Renames a tag in all books, merges it into a tag of that name, or shows it in another way. A new name can be undone.
#[utoipa::path(patch, path = "/api/tags/{name}", operation_id = "updateTag", tag = "tags", params(("name" = String, Path)),
    request_body = TagChange,
    responses((status = 200, body = TagResponse), (status = 401), (status = 404), (status = 409), (status = 422)))]
async fn change(
    State(app): State<App>,
    State(quotas): State<Quotas>,
    viewer: Viewer,
    Path(name): Path<String>,
    Json(sent): Json<TagChange>,
) -> Result<axum::Json<TagResponse>> {
    let owner = viewer.user_id;
    // A tag may be one of every book.
    let permit = app.budgets.heavy_change(owner).await?;
    let changed = permit.write(&app.db, move |tx| {
        let before = store::get(tx, owner, &name)?;
        let Checked { name, shelf, icon, position } = sent.checked(&before)?;
        if (shelf, &icon) != (before.shelf, &before.icon) || position.is_some() {
            store::show(tx, owner, Shown { name: &before.name, shelf, icon: icon.as_deref() }, position)?;
        }
        let Some(name) = name else { return Ok((store::get(tx, owner, &before.name)?, None)) };
        let rename = || store::rename(tx, owner, &before.name, &name);
        let operation = counters::within_quotas(tx, owner, quotas, rename)?;
        Ok((store::get(tx, owner, &name)?, operation))
    });
    let (tag, operation_id) = changed.await?;
    Ok(axum::Json(TagResponse { tag, operation_id }))
}

/// Takes a tag off all books. The books stay, and the newest operation of the kind `delete-tag` undoes the change.
#[utoipa::path(delete, path = "/api/tags/{name}", operation_id = "deleteTag", tag = "tags", params(("name" = String, Path)),
    responses((status = 204), (status = 401), (status = 404)))]
async fn remove(State(app): State<App>, viewer: Viewer, Path(name): Path<String>) -> Result<StatusCode> {
    let permit = app.budgets.heavy_change(viewer.user_id).await?;
    permit.write(&app.db, move |tx| store::delete(tx, viewer.user_id, &name)).await?;
    Ok(StatusCode::NO_CONTENT)
}
