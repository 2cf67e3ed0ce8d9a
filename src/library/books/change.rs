//! Changes a read: what else follows from a new status, another number of pages, and new words (docs/rules.md, "Reads").
use chrono::NaiveDate;

use super::add::nothing_logged;
use super::log::Length;
use super::model::{Book, BookDraft, BookStatus, WordDistribution};
use super::reads::ReadRefusal;
use super::store::{self, common, days, works};
use crate::kit::db::pool::Tx;
use crate::kit::error::Result;
use crate::kit::id::UserId;

/// Writes a changed read. `today` is the reader's.
///
/// # Errors
/// [`ReadRefusal::AlreadyReading`] when the book would have a second read in progress; a sentence for words that are to be counted by a
/// log without a place; the database's.
pub fn change(
    tx: &Tx<'_>,
    owner: UserId,
    before: &Book<'_>,
    draft: &BookDraft,
    today: NaiveDate,
) -> Result<Book<'static>> {
    let opens = draft.status == BookStatus::InProgress && before.status != BookStatus::InProgress;
    if opens && let Some(open) = works::state(tx, owner, before.work)?.open {
        return Err(ReadRefusal::AlreadyReading(open).into());
    }
    store::update(tx, owner, before.id, draft)?;
    if draft.facts.of_work() != before.facts.of_work() {
        common::share_facts(tx, owner, before.work, before.id)?;
    }
    let book = store::get(tx, owner, before.id)?;
    match (before.status.is_under_way(), book.status) {
        (true, BookStatus::Completed) => days::note_end(tx, &book, today)?,
        (false, status) if status.is_under_way() => days::remove_end(tx, book.id)?,
        _ => {}
    }
    // The length of a finished read may have changed without its log.
    let has_other_length = Length::of(&book) != Length::of(before) || !before.status.is_under_way();
    if book.status.is_under_way() && has_other_length {
        days::repaginate(tx, book.id, Length::of(&book))?;
    }
    let asks =
        draft.word_distribution == WordDistribution::Logged && before.word_distribution != WordDistribution::Logged;
    if asks && !days::has_place(tx, book.id)? {
        return Err(nothing_logged().into());
    }
    days::settle_months(tx, &book)?;
    store::get(tx, owner, book.id)
}
