//! Views and their limits.
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::kit::FieldErrors;
use crate::kit::http::patch_field::PatchField;
use crate::library::text;

/// The most views of an account.
pub const MOST: usize = 50;
/// The most characters of a name.
pub const NAME_LENGTH: usize = 100;
/// The most characters of a filter.
pub const QUERY_LENGTH: usize = 200;

/// A filter of the dashboard under a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct View {
    /// 1 to 100 characters; names that differ in case alone are one.
    pub name: String,
    /// The filter as it stands in the address of the dashboard.
    pub query: String,
    /// The place among the pinned views, lowest first; null for one that is not pinned.
    #[schema(required)]
    pub position: Option<i64>,
}

/// A new view, or the fields of a view that change.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct ViewFields {
    /// Required for a new view; 1 to 100 characters after trimming.
    #[schema(value_type = Option<String>, min_length = 1, max_length = 100)]
    #[serde(default)]
    name: PatchField<String>,
    /// Required for a new view; at most 200 characters.
    #[schema(value_type = Option<String>, max_length = 200)]
    #[serde(default)]
    query: PatchField<String>,
    /// Null, the default, for a view that is not pinned.
    #[schema(value_type = Option<i64>)]
    #[serde(default)]
    position: PatchField<i64>,
}

/// Why a view is not stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ViewRefusal {
    /// There is one of that name.
    SameName,
    /// The account has [`MOST`].
    TooMany,
}

impl ViewFields {
    /// The view with these fields; `before` is the present one.
    pub fn onto(self, before: Option<View>) -> Result<View, FieldErrors> {
        let mut errors = FieldErrors::new();
        let is_new = before.is_none();
        let mut view = before.unwrap_or(View { name: String::new(), query: String::new(), position: None });
        if is_new && !self.query.is_given() {
            errors.add("query", "The filter is required.");
        }
        self.name.null_is_absent().set(&mut view.name, &mut errors, "name", "The name must be a text.");
        self.query.null_is_absent().set(&mut view.query, &mut errors, "query", "The filter must be a text.");
        let positions = "The position must be a whole number.";
        self.position.set_or_clear(&mut view.position, &mut errors, "position", positions);
        view.name = view.name.trim().to_owned();
        if view.name.is_empty() {
            errors.add("name", "The name is required.");
        }
        text::check(&mut errors, "name", "The name", &view.name, NAME_LENGTH);
        text::check(&mut errors, "query", "The filter", &view.query, QUERY_LENGTH);
        if errors.is_empty() { Ok(view) } else { Err(errors) }
    }
}
