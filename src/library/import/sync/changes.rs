//! What a newer file changes in a library.
use std::collections::BTreeSet;

use super::answer::{Conflict, FieldChange};
use super::fields::{Field, value};
use crate::library::books::log::LoggedDay;
use crate::library::books::model::{BookDraft, BookId, Status};
use crate::library::import::dedupe::{EntryId, duplicate_key};
use crate::library::import::edition::Name;
use crate::library::tbr::model::{TbrDraft, TbrId};

/// A changed book.
#[derive(Debug)]
pub struct BookChange {
    pub id: BookId,
    pub row: u64,
    pub work: BookId,
    pub before: BookDraft,
    pub draft: BookDraft,
    pub fields: Vec<Field>,
    pub is_moved: bool,
}

impl BookChange {
    /// The values of the fields that change.
    pub fn field_changes(&self) -> Vec<FieldChange> {
        let change = |field: &Field| FieldChange {
            field: *field,
            from: value(*field, &self.before),
            to: value(*field, &self.draft),
        };
        self.fields.iter().map(change).collect()
    }

    /// Whether the book no longer equals what it was by title, author, status and date.
    pub fn changes_identity(&self) -> bool {
        duplicate_key(&self.before) != duplicate_key(&self.draft)
    }

    /// Whether it is in progress again.
    pub fn opens(&self) -> bool {
        self.draft.status == Status::InProgress && self.before.status != Status::InProgress
    }

    /// Whether its impressions or quotes change.
    pub fn changes_texts(&self) -> bool {
        (&self.before.impressions, &self.before.quotes) != (&self.draft.impressions, &self.draft.quotes)
    }
}

/// A changed item of the list.
#[derive(Debug)]
pub struct ItemChange {
    pub id: TbrId,
    pub row: u64,
    pub draft: TbrDraft,
    pub fields: Vec<FieldChange>,
}

/// A reading that becomes a book: an index of the plan's books, and the book.
#[derive(Debug)]
pub struct NewRead {
    pub at: usize,
    pub draft: BookDraft,
    /// The work that it is a further read of.
    pub work: Option<BookId>,
    /// The item that it takes off the list.
    pub item: Option<TbrId>,
}

/// What a newer file changes in the books that the library has from this tracker.
#[derive(Debug, Default)]
pub struct Changes {
    pub books: Vec<BookChange>,
    pub items: Vec<ItemChange>,
    pub fresh: Vec<NewRead>,
    /// Items that are put on the list again: indices of the plan's items.
    pub fresh_items: Vec<usize>,
    /// The items that change, as they are on the list: a book of the same title and author does not take them off.
    pub listed: Vec<Name>,
    /// Days of logs.
    pub days: Vec<(BookId, LoggedDay)>,
    pub conflicts: Vec<Conflict>,
    /// The new links: which row of the new file stands for which book or item. The row is an index of the plan's rows.
    pub links: Vec<(EntryId, usize, i64)>,
    /// Further rows of the new file that are kept: indices of the plan's rows.
    pub kept: BTreeSet<usize>,
    /// Former rows that may have lost their last link: keys in `import_rows`.
    pub former: BTreeSet<i64>,
    /// The books of a row beside which the file has further reads: they are not taken for these.
    pub settled: Vec<BookId>,
    /// For each row of the plan whether it is decided here.
    pub is_decided: Vec<bool>,
    /// Rows of the new file that list the same reads as another row of it.
    pub same_read: usize,
    pub moved: usize,
    pub changed: usize,
    pub unchanged: usize,
    pub deleted_here: usize,
    pub gone: Vec<EntryId>,
}
