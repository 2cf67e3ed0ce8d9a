//! Earlier imports as they are listed, undone and exported.
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::kit::id::id;
use crate::kit::timestamp::Timestamp;
use crate::library::books::model::BookId;
use crate::library::import::plan::Kind;
use crate::library::tbr::model::TbrId;

id! {
    /// The number of an import.
    ImportId
}

/// An import in the list.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportSummary {
    /// The `importId` of the response to the import.
    #[schema(value_type = i64)]
    pub id: ImportId,
    /// The file's name; empty if none was sent.
    pub file_name: String,
    /// The format of the file.
    pub format: String,
    /// RFC 3339 in UTC.
    #[schema(value_type = String)]
    pub created_at: Timestamp,
    /// The number of created books, or of items for an import of the to-be-read list.
    pub imported: i64,
    /// The number of items created in addition to books.
    pub imported_tbr: i64,
    /// The number of rejected rows.
    pub errors: i64,
    /// How many of them were only rejected because the plan had no room for their books; absent when there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, value_type = i64)]
    pub beyond_limit: Option<i64>,
    /// The number of rows that existed already or were left out on purpose.
    pub skipped: i64,
    /// How many of them were left out on purpose. Their rows are kept since version 2; the number of an older import is 0.
    pub left_out: i64,
    /// When it was undone.
    #[schema(required, value_type = Option<String>)]
    pub undone: Option<Timestamp>,
}

/// A book or an item that stays when its import is undone.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct KeptImportItem {
    /// The book's or the item's id.
    pub id: i64,
    /// The title of the book or item.
    pub title: String,
}

/// The result of undoing an import.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportUndo {
    /// The number of deleted books.
    pub removed: usize,
    /// The number of deleted items.
    pub removed_tbr: usize,
    /// The number of items that the import had taken off the list and that are on it again; absent when there are none.
    #[serde(skip_serializing_if = "is_zero")]
    #[schema(required = false)]
    pub restored_tbr: usize,
    /// Books that were changed since the import, and stay.
    pub kept: Vec<KeptImportItem>,
    /// Items that were changed since the import, and stay.
    pub kept_tbr: Vec<KeptImportItem>,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// A row of an import that made nothing.
#[derive(Clone, Debug)]
pub struct StoredRow {
    /// The line on which it begins.
    pub line: i64,
    /// Its text in the file.
    pub raw: String,
    /// Why it was rejected; a row that was left out on purpose has a sentence that says so.
    pub reason: String,
}

/// Some rows of an import, with the data needed to read them again.
#[derive(Clone, Debug)]
pub struct StoredRows {
    /// The column names.
    pub header: Vec<String>,
    /// The separator of its cells.
    pub delimiter: u8,
    /// The format of the file.
    pub format: String,
    /// The rows in their order.
    pub rows: Vec<StoredRow>,
}

/// The head of an import in the complete export, before its raw rows.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WholeImport {
    /// As in the list of imports.
    #[serde(flatten)]
    pub import: ImportSummary,
    /// The column names of the file.
    pub header: Vec<String>,
    /// The separator of its cells.
    pub delimiter: String,
    /// The list that it was for.
    pub kind: Kind,
    /// Where the rows of its shelves went, as JSON.
    pub places: Value,
}

/// A row as it was in the file.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct WholeRow {
    /// The line on which it begins.
    pub line: i64,
    /// Its text in the file.
    pub raw: String,
    /// The ids of the books that it created, as far as they exist.
    pub books: Vec<BookId>,
    /// The ids of the items that it created, as far as they exist.
    pub tbr: Vec<TbrId>,
    /// Why it was rejected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What it says about its book, as the import read it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub said: Option<Value>,
    /// The books that are tied to it: their rows in `books.csv`, from 1 on, each with the number of its reading.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub book_rows: Vec<(usize, i64)>,
    /// The items that are tied to it: their rows in `tbr.csv`, from 1 on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tbr_rows: Vec<usize>,
}

/// An import in a complete export, as far as it is restored.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FormerImport {
    pub file_name: String,
    pub format: String,
    pub created_at: String,
    pub imported: i64,
    pub imported_tbr: i64,
    pub errors: i64,
    pub skipped: i64,
    #[serde(default)]
    pub beyond_limit: i64,
    #[serde(default)]
    pub left_out: i64,
    pub undone: Option<String>,
    pub header: Vec<String>,
    pub delimiter: String,
    /// None in an export from before what files said was kept: such an import is not restored.
    pub kind: Option<Kind>,
    #[serde(default)]
    pub places: Value,
    pub rows: Vec<WholeRow>,
}
