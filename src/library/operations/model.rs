//! Operations as their reader sees them.
use serde::Serialize;
use utoipa::ToSchema;

use crate::kit::id::id;
use crate::kit::named::named;
use crate::kit::timestamp::Timestamp;
use crate::library::import::history::model::{ImportId, KeptImportItem};

id! {
    /// The number of an operation. It contains the owner's number, as those of books.
    OperationId
}

/// Why an operation is not undone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OperationRefusal {
    /// It was undone before.
    AlreadyUndone,
}

named! {
    /// The kind of an operation.
    OperationKind {
        /// An import.
        Import = "import",
        /// A newer export of a tracker, taken over.
        Sync = "sync",
        /// Empty fields, filled from what was imported.
        FillIn = "fill-in",
        /// Two works that became one.
        Join = "join",
        /// A read that became a work of its own.
        Part = "part",
        /// A renamed series or tag.
        Rename = "rename",
        /// Two series or tags that became one.
        Merge = "merge",
        /// A tag that was taken off all books.
        DeleteTag = "delete-tag",
        /// A file of a device.
        Device = "device",
        /// Many books, changed at once.
        Change = "change",
    }
}

/// An operation in the list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Operation {
    /// The operation's id.
    #[schema(value_type = i64)]
    pub id: OperationId,
    /// The kind of change.
    pub kind: OperationKind,
    /// A sentence for its reader.
    pub summary: String,
    /// RFC 3339 in UTC.
    #[schema(value_type = String)]
    pub created_at: Timestamp,
    /// When it was undone.
    #[schema(required, value_type = Option<String>)]
    pub undone: Option<Timestamp>,
    /// The import that belongs to it.
    #[schema(required, value_type = Option<i64>)]
    pub import_id: Option<ImportId>,
}

/// The result of undoing an operation.
#[derive(Debug, Clone, Default, Serialize, ToSchema)]
pub struct OperationUndo {
    /// How many books have their former values again, and how many items are on the list again.
    pub restored: usize,
    /// How many books and items that the operation had made are deleted.
    pub removed: usize,
    /// Books and items that were changed since, and keep what was changed.
    pub kept: Vec<KeptImportItem>,
}
