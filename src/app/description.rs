//! The API description (OpenAPI).
//!
//! `description/openapi.json` is made from the `#[utoipa::path]` attributes of the handlers. A test compares the two, and `make
//! types` updates the file.

#[cfg(test)]
mod made;
#[cfg(test)]
mod parameters;

/// The description of every call, as JSON.
pub const DESCRIPTION: &str = include_str!("description/openapi.json");
