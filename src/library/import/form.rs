//! The form that brings a file: the file itself and what its reader chose for it.
use std::collections::HashMap;

use axum::extract::Multipart;
use axum::extract::multipart::{Field as Part, MultipartError, MultipartRejection};
use serde_json::Value;
use utoipa::ToSchema;

use super::columns::{Field, folded};
use super::plan::{Kind, Options};
use super::reader::{LARGEST_FILE, Unreadable, check_name};
use super::row::Place;
use super::store::Choices;
use super::survey::shelf_key;
use crate::kit::error::{Error, Result};

/// The longest text field.
const LONGEST_TEXT: usize = 1024 * 1024;
/// How much of a file that is too large is still read, so that its sender sees the answer and no broken connection.
const STILL_READ: usize = 4 * LARGEST_FILE;

/// The form, for the description.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "describes what ImportForm::read reads")]
#[schema(as = ImportForm)]
pub struct ImportFields {
    /// .csv, .tsv or .txt; at most 20 MB and 100,000 rows.
    #[schema(value_type = String, format = Binary)]
    file: Vec<u8>,
    /// Where shelves of one's own belong, as JSON: `{"abandoned": "skip"|"read"|"reading"|"to-read"}`.
    #[schema(required = false)]
    shelf_map: String,
    /// What columns are, as JSON: `{"Titel": "title", "Wo gekauft": null}`.
    #[schema(required = false)]
    column_map: String,
    /// `undated` also makes undated books of readings that the file counts without a date; `ignore` doesn't.
    #[schema(required = false)]
    earlier_reads: String,
}

/// A file and what its reader chose for it.
#[derive(Debug, Default)]
pub struct ImportForm {
    pub file_name: String,
    pub bytes: Vec<u8>,
    pub chosen: Choices,
    pub earlier_reads: bool,
}

impl ImportForm {
    /// Reads a multipart form.
    ///
    /// # Errors
    /// 415 for another kind of body or of file, 413 for a file that is too large, 400 for a broken form, 422 for a form without
    /// a file and for choices that are none.
    pub async fn read(form: std::result::Result<Multipart, MultipartRejection>) -> Result<Self> {
        let mut form =
            form.map_err(|_| Error::UnsupportedType("Send the file as a form (multipart/form-data).".into()))?;
        let mut read = ImportForm::default();
        let mut has_file = false;
        while let Some(mut part) = form.next_field().await.map_err(broken)? {
            match part.name().unwrap_or_default() {
                "file" => {
                    let name = part.file_name().map(str::to_owned);
                    read.bytes = bytes(&mut part, LARGEST_FILE).await?.ok_or_else(|| refusal(&Unreadable::TooLarge))?;
                    check_name(name.as_deref()).map_err(|cause| refusal(&cause))?;
                    read.file_name = name.unwrap_or_default().chars().take(255).collect();
                    has_file = true;
                }
                "shelfMap" => read.chosen.shelves = shelves(&text(&mut part).await?)?,
                "columnMap" => read.chosen.columns = columns(&text(&mut part).await?)?,
                "earlierReads" => read.earlier_reads = earlier_reads(&text(&mut part).await?)?,
                _ => {}
            }
        }
        if has_file { Ok(read) } else { Err(Error::invalid_field("file", "Please select a file")) }
    }

    /// How the file is to be read: what was chosen now beats what was chosen before.
    pub fn options(&self, kind: Kind, remembered: &Choices) -> Options {
        let mut shelves = remembered.shelves.clone();
        shelves.extend(self.chosen.shelves.clone());
        Options { kind, shelves, columns: self.chosen.columns.clone(), earlier_reads: self.earlier_reads }
    }
}

/// A whole part, or none where it is longer than `most`.
async fn bytes(part: &mut Part<'_>, most: usize) -> Result<Option<Vec<u8>>> {
    let (mut read, mut length) = (Vec::new(), 0);
    while let Some(chunk) = part.chunk().await.map_err(broken)? {
        length += chunk.len();
        if length <= most {
            read.extend_from_slice(&chunk);
        } else {
            read = Vec::new();
        }
        if length > STILL_READ {
            break;
        }
    }
    Ok((length <= most).then_some(read))
}

async fn text(part: &mut Part<'_>) -> Result<String> {
    let bytes =
        bytes(part, LONGEST_TEXT).await?.ok_or_else(|| Error::TooLarge("A field of this form is too large.".into()))?;
    String::from_utf8(bytes).map_err(|_| Error::unreadable("A field of this form is not text."))
}

fn broken(cause: MultipartError) -> Error {
    if cause.status() == axum::http::StatusCode::PAYLOAD_TOO_LARGE {
        return refusal(&Unreadable::TooLarge);
    }
    Error::unreadable("This form is broken off or damaged. Nothing was imported.")
}

/// What an unreadable file answers.
pub fn refusal(cause: &Unreadable) -> Error {
    let sentence = cause.to_string();
    match cause {
        Unreadable::TooLarge | Unreadable::TooManyRows => Error::TooLarge(sentence),
        Unreadable::OtherEnding => Error::UnsupportedType(sentence),
        Unreadable::Empty | Unreadable::Workbook | Unreadable::NotText => Error::invalid("unreadable_file", sentence),
    }
}

fn object(field: &str, text: &str) -> Result<serde_json::Map<String, Value>> {
    match serde_json::from_str(if text.trim().is_empty() { "{}" } else { text }) {
        Ok(Value::Object(map)) => Ok(map),
        Ok(Value::Null) => Ok(serde_json::Map::new()),
        _ => Err(Error::invalid_field(field, "This is a JSON object, names on the left and choices on the right.")),
    }
}

fn shelves(text: &str) -> Result<HashMap<String, Place>> {
    let choose = |(name, choice): (String, Value)| {
        let place = choice.as_str().and_then(Place::named);
        let place = place.ok_or_else(|| {
            Error::invalid_field("shelfMap", format!("{name}: choose skip, read, reading or to-read."))
        })?;
        Ok((shelf_key(&name), place))
    };
    object("shelfMap", text)?.into_iter().map(choose).collect()
}

fn columns(text: &str) -> Result<HashMap<String, Option<Field>>> {
    let choose = |(name, choice): (String, Value)| {
        let field = match &choice {
            Value::Null => None,
            Value::String(choice) if choice.is_empty() => None,
            Value::String(choice) => Some(Field::named(choice).ok_or_else(|| {
                Error::invalid_field("columnMap", format!("{name}: there is no field \u{201c}{choice}\u{201d}."))
            })?),
            _ => return Err(Error::invalid_field("columnMap", format!("{name}: choose a field or null."))),
        };
        Ok((folded(&name), field))
    };
    object("columnMap", text)?.into_iter().map(choose).collect()
}

fn earlier_reads(text: &str) -> Result<bool> {
    match text.trim() {
        "undated" => Ok(true),
        "ignore" | "" => Ok(false),
        _ => Err(Error::invalid_field("earlierReads", "Choose ignore or undated.")),
    }
}
