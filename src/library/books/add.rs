//! Adds a book: checks the plan's limit inside the writing transaction, and detects rereads.
use chrono::NaiveDate;
use rusqlite::Connection;

use super::again::BookAgain;
use super::facts::BookFacts;
use super::model::{Book, BookDraft, BookId, WordDistribution};
use super::reads::TargetWork;
use super::store;
use crate::access::Viewer;
use crate::config::Quotas;
use crate::kit::FieldErrors;
use crate::kit::db::pool::Tx;
use crate::kit::error::Result;
use crate::kit::id::UserId;
use crate::library::counters;

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
/// [`BookLimitReached`]; the draft's; [`ReadRefusal`](super::reads::ReadRefusal) for a named work; the database's.
pub fn add(
    tx: &Tx<'_>,
    owner: UserId,
    rules: Rules,
    draft: std::result::Result<BookDraft, FieldErrors>,
    place: TargetWork,
) -> Result<Book<'static>> {
    require_room(tx, owner, rules)?;
    let mut draft = draft?;
    if draft.word_distribution == WordDistribution::Logged {
        return Err(nothing_logged().into());
    }
    if rules.detect_rereads && draft.status.is_finished() && !draft.reread {
        let (title, author) = store::folded(&draft);
        draft.reread = store::is_finished_before(tx, owner, &title, &author)?;
    }
    let id = store::insert(tx, owner, &draft, place)?;
    store::get(tx, owner, id)
}

/// Starts a book of the to-be-read list. It is a reread where the library has a finished book of that title and author, and joins its
/// work. Then series, tags and original year are those of the work, because a start never writes into other reads.
pub fn start(
    tx: &Tx<'_>,
    owner: UserId,
    rules: Rules,
    draft: std::result::Result<BookDraft, FieldErrors>,
) -> Result<Book<'static>> {
    let Ok(mut draft) = draft else {
        return add(tx, owner, rules, draft, TargetWork::ByName);
    };
    let folded = store::folded(&draft);
    draft.reread |= store::is_finished_before(tx, owner, &folded.0, &folded.1)?;
    let place = match store::works::placed(tx, owner, draft.status, &folded, TargetWork::ByName)? {
        Some(work) => {
            draft.facts = BookFacts { series: None, tags: Vec::new(), original_year: None, ..draft.facts };
            TargetWork::Work(work)
        }
        None => TargetWork::Alone,
    };
    add(tx, owner, rules, Ok(draft), place)
}

/// Adds a further read of a book, in progress, with the book's edition.
///
/// # Errors
/// [`BookLimitReached`]; [`ReadRefusal`](super::reads::ReadRefusal); those of the payload; the database's.
pub fn again(
    tx: &Tx<'_>,
    owner: UserId,
    rules: Rules,
    id: BookId,
    payload: BookAgain,
    today: NaiveDate,
) -> Result<Book<'static>> {
    let book = store::get(tx, owner, id)?;
    require_room(tx, owner, rules)?;
    let finished = store::works::state(tx, owner, book.work)?.finished;
    let draft = payload.into_read(&book, finished, today)?;
    let read = store::insert(tx, owner, &draft, TargetWork::Work(book.work))?;
    store::works::copy_cover(tx, id, read)?;
    store::get(tx, owner, read)
}

/// The refusal of words that are to be counted by a log without a place.
pub(super) fn nothing_logged() -> FieldErrors {
    let mut errors = FieldErrors::new();
    errors.add("wordDistribution", "To count words by the log, note a place on at least one day.");
    errors
}

fn require_room(tx: &Tx<'_>, owner: UserId, rules: Rules) -> Result<()> {
    match room_left(tx, owner, rules.book_limit)? {
        Some(0) => Err(BookLimitReached(rules.book_limit.unwrap_or_default()).into()),
        _ => Ok(()),
    }
}

/// How many more books fit; `None` means unlimited.
pub fn room_left(conn: &Connection, owner: UserId, book_limit: Option<u32>) -> Result<Option<i64>> {
    let Some(limit) = book_limit else { return Ok(None) };
    Ok(Some((i64::from(limit) - counters::book_count(conn, owner)?).max(0)))
}
