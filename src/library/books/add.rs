//! Adds a book: checks the plan's limit inside the writing transaction, and detects rereads.
use super::model::{Book, BookDraft};
use super::store;
use crate::access::Viewer;
use crate::config::Quotas;
use crate::kit::FieldErrors;
use crate::kit::db::pool::Tx;
use crate::kit::error::Result;
use crate::kit::id::UserId;
use crate::library::{counters, text};

/// The plan's and the preferences' rules for new books.
#[derive(Debug, Clone, Copy)]
pub struct Rules {
    /// The most books, of every status; `None` means unlimited.
    pub book_limit: Option<u32>,
    /// Whether a finished book that was finished before counts as a reread.
    pub detect_rereads: bool,
    /// The storage quotas of the account. Imports take as many rows as fit.
    pub quotas: Quotas,
}

impl Rules {
    /// The rules for a viewer.
    pub fn of(viewer: &Viewer, quotas: Quotas) -> Self {
        Self { book_limit: viewer.limits().book_limit, detect_rereads: viewer.auto_detect_reread, quotas }
    }
}

/// The plan allows no more books than this.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BookLimitReached(pub u32);

/// Adds a book. The limit is checked before the content (docs/api.md), and holds exactly even for simultaneous requests.
///
/// # Errors
/// [`BookLimitReached`]; the draft's; the database's.
pub fn add(
    tx: &Tx<'_>,
    owner: UserId,
    rules: Rules,
    draft: std::result::Result<BookDraft, FieldErrors>,
) -> Result<Book<'static>> {
    let left = room_left(tx, owner, rules.book_limit)?;
    if left == Some(0) {
        return Err(BookLimitReached(rules.book_limit.unwrap_or_default()).into());
    }
    let mut draft = draft?;
    if rules.detect_rereads && draft.status.is_finished() && !draft.reread {
        draft.reread = store::is_finished_before(tx, owner, &text::fold(&draft.title), &text::fold(&draft.author))?;
    }
    let id = store::insert(tx, owner, &draft)?;
    store::get(tx, owner, id)
}

/// How many more books fit; `None` means unlimited.
pub fn room_left(tx: &Tx<'_>, owner: UserId, book_limit: Option<u32>) -> Result<Option<i64>> {
    let Some(limit) = book_limit else { return Ok(None) };
    Ok(Some((i64::from(limit) - counters::book_count(tx, owner)?).max(0)))
}
