//! What the answer to a sync says beside that of an import.
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::fields::SyncField;
use crate::kit::named::named;
use crate::kit::timestamp::Timestamp;
use crate::library::books::model::BookStatus;
use crate::library::import::history::model::KeptImportItem;
use crate::library::operations::model::OperationId;

/// How many entries, conflicts and books that are gone an answer contains each.
pub const LISTED: usize = 1_000;

/// A field that both sides changed. What is here stays, unless the reader takes the other.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct SyncConflict {
    /// The id of the book, or of the item of the list.
    pub id: i64,
    /// True for an item of the to-be-read list; otherwise absent.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub list: bool,
    /// The line of the new file on which the row begins.
    pub row: u64,
    /// The title here.
    pub title: String,
    /// The author here.
    pub author: String,
    /// The field that both sides changed.
    pub field: SyncField,
    /// The value here, in the form of a book's answer. The status of an item of the list is `to-read`.
    #[schema(value_type = Value, nullable)]
    pub mine: Value,
    /// The value in the new file.
    #[schema(value_type = Value, nullable)]
    pub theirs: Value,
    /// The value in the last file.
    #[schema(value_type = Value, nullable)]
    pub before: Value,
}

impl SyncConflict {
    /// `“Emma”: rated 8.5 here, 10 there; it was 6 in the last file.`
    pub fn sentence(&self) -> String {
        let Self { title, field, mine, theirs, before, .. } = self;
        let field = if *field == SyncField::Rating { "rated" } else { field.name() };
        let [mine, theirs, before] = [mine, theirs, before].map(|value| match value {
            Value::Null => "empty".to_owned(),
            Value::String(text) => text.clone(),
            other => other.to_string(),
        });
        format!("“{title}”: {field} {mine} here, {theirs} there; it was {before} in the last file.")
    }
}

/// A field that is taken over.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct SyncFieldChange {
    /// The field that changes.
    pub field: SyncField,
    /// The value here.
    #[schema(value_type = Value, nullable)]
    pub from: Value,
    /// The value that it gets.
    #[schema(value_type = Value, nullable)]
    pub to: Value,
}

named! {
    /// What becomes of a row of a newer file.
    SyncEntryKind {
        /// A new book, or a further read of one.
        New = "new",
        /// A new item of the to-be-read list.
        Listed = "listed",
        /// A book that has moved on: from the list, to finished.
        Moved = "moved",
        /// A book or an item with other values.
        Changed = "changed",
    }
}

/// A row that is taken over.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SyncEntry {
    /// The line on which the row begins: a number for `leave`.
    pub row: u64,
    /// What becomes of the row.
    pub kind: SyncEntryKind,
    /// The title of the book or item.
    pub title: String,
    /// The names of its authors.
    pub author: String,
    /// The status that the book has then; null for an item of the list.
    #[schema(required)]
    pub status: Option<BookStatus>,
    /// The completion date that it has then, as it is exported.
    #[schema(required)]
    pub completed: Option<String>,
    /// The fields that change in a book or an item that the library has.
    pub fields: Vec<SyncFieldChange>,
}

/// What became of the books that the library has from a tracker, in the answer to a sync.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SyncOutcome {
    /// The number of books that have moved forward, those from the to-be-read list among them.
    pub moved: usize,
    /// The number of other books and items with new values.
    pub changed: usize,
    /// The first 1,000 fields that were changed here and there.
    pub conflicts: Vec<SyncConflict>,
    /// The number of all of them.
    pub in_conflict: usize,
    /// The number of books and items that are no longer in the file. They stay.
    pub gone: usize,
    /// The first 1,000 of these.
    pub gone_books: Vec<KeptImportItem>,
    /// The number of books and items of the file that were deleted here. They stay deleted.
    pub deleted_here: usize,
    /// The number of books and items that are as they were in the last file.
    pub unchanged: usize,
    /// The first 1,000 rows that are taken over.
    pub entries: Vec<SyncEntry>,
    /// The id of the operation, for undoing it; null in a preview, and where nothing has changed.
    #[schema(required, value_type = Option<i64>)]
    pub undo_id: Option<OperationId>,
    /// When the last file of this tracker was taken over, RFC 3339 in UTC.
    #[schema(required, value_type = Option<String>)]
    pub last_import: Option<Timestamp>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_conflict_is_said_in_one_sentence() {
        let mut conflict = SyncConflict {
            id: 1,
            list: false,
            row: 2,
            title: "Emma".to_owned(),
            author: "Jane Austen".to_owned(),
            field: SyncField::Rating,
            mine: Value::from(8.5),
            theirs: Value::from(10),
            before: Value::from(6),
        };
        assert_eq!(conflict.sentence(), "“Emma”: rated 8.5 here, 10 there; it was 6 in the last file.");
        (conflict.field, conflict.mine) = (SyncField::Pages, Value::Null);
        assert_eq!(conflict.sentence(), "“Emma”: pages empty here, 10 there; it was 6 in the last file.");
    }
}
