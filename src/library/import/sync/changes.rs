//! What a newer file changes in a library.
use std::collections::{BTreeSet, HashMap};

use super::answer::{SyncConflict, SyncFieldChange};
use super::fields::{SyncField, value};
use crate::library::books::log::ReadingDay;
use crate::library::books::model::{BookDraft, BookId, BookStatus};
use crate::library::import::dedupe::{EntryId, duplicate_key};
use crate::library::import::edition::Name;
use crate::library::import::said::SaidRow;
use crate::library::tbr::model::{TbrDraft, TbrId};

/// A changed book.
#[derive(Debug)]
pub struct BookChange {
    pub id: BookId,
    pub row: u64,
    pub work: BookId,
    pub before: BookDraft,
    pub draft: BookDraft,
    pub fields: Vec<SyncField>,
    pub is_moved: bool,
}

impl BookChange {
    /// The values of the fields that change.
    pub fn field_changes(&self) -> Vec<SyncFieldChange> {
        changed_values(&self.fields, &self.before, &self.draft)
    }

    /// Whether the book no longer equals what it was by title, author, status and date.
    pub fn changes_identity(&self) -> bool {
        duplicate_key(&self.before) != duplicate_key(&self.draft)
    }

    /// Whether it is in progress again.
    pub fn opens(&self) -> bool {
        self.draft.status == BookStatus::InProgress && self.before.status != BookStatus::InProgress
    }

    /// Whether its impressions or quotes change.
    pub fn changes_texts(&self) -> bool {
        (&self.before.impressions, &self.before.quotes) != (&self.draft.impressions, &self.draft.quotes)
    }
}

/// The values of fields before and after.
pub fn changed_values(fields: &[SyncField], before: &BookDraft, after: &BookDraft) -> Vec<SyncFieldChange> {
    let change =
        |field: &SyncField| SyncFieldChange { field: *field, from: value(*field, before), to: value(*field, after) };
    fields.iter().map(change).collect()
}

/// A changed item of the list.
#[derive(Debug)]
pub struct ItemChange {
    pub id: TbrId,
    pub row: u64,
    pub draft: TbrDraft,
    pub fields: Vec<SyncFieldChange>,
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

/// Which row of the new file stands for a book or an item.
#[derive(Debug, Clone, Copy)]
pub struct NewTie {
    pub entry: EntryId,
    /// The row of the tie that it replaces; `None` where the book or item was tied to no file of this tracker.
    pub origin: Option<i64>,
    /// An index of the plan's rows.
    pub row: usize,
    /// Which reading of it.
    pub nth: i64,
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
    pub days: Vec<(BookId, ReadingDay)>,
    pub conflicts: Vec<SyncConflict>,
    /// The new ties of books and items.
    pub ties: Vec<NewTie>,
    /// Items that leave the list, because their row waits no longer, without a new book.
    pub leaving: Vec<TbrId>,
    /// Reads in progress that the file knows no longer, because it has their row as finished with another read.
    pub ended: Vec<BookId>,
    /// Unfinished reads that go back to the list.
    pub returned: Vec<BookId>,
    /// What rows of the new file say, completed with what the last files said of columns that this one lacks, by the indices of the
    /// plan's rows.
    pub completed: HashMap<usize, SaidRow>,
    /// Further rows of the new file that are kept: indices of the plan's rows.
    pub kept: BTreeSet<usize>,
    /// Former rows that may have lost their last tie: keys in `import_rows`.
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
