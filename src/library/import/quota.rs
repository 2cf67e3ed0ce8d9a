//! Applies the account's quotas to an import.
use super::plan::Plan;
use crate::config::Quotas;
use crate::kit::error::Result;
use crate::library::books::log::ReadingDay;
use crate::library::counters::{self, Quota, Usage};
use crate::library::import::dedupe::{Deduped, Overflow};
use crate::library::{books, tbr};

/// Removes every entry that does not fit from the entries to be written. The file's first rows take precedence. Returns the bytes
/// that are left for rejected rows.
pub fn trim(plan: &Plan, deduped: &mut Deduped, usage: Usage, quotas: Quotas, heading: i64) -> Result<i64> {
    let room = |limit: i64, used: i64| usize::try_from(limit - used).unwrap_or(0);
    let books = room(Quota::Books.limit(quotas), usage.books);
    let items = room(Quota::List.limit(quotas), usage.list_items);
    if books < deduped.books.len() {
        let beyond = deduped.books.split_off(books);
        deduped.over_quota.extend(beyond.into_iter().map(|index| (Overflow::Book(index), Quota::Books)));
    }
    if items < deduped.items.len() {
        let beyond = deduped.items.split_off(items);
        deduped.over_quota.extend(beyond.into_iter().map(|index| (Overflow::Item(index), Quota::List)));
    }
    let mut left = (Quota::Texts.limit(quotas) - usage.text_bytes - heading).max(0);
    let raw = |row: usize| counters::bytes(&plan.text[plan.rows[row].raw.clone()]);
    let mut fits = |bytes: i64| {
        left -= bytes;
        left >= 0
    };
    let mut kept = 0;
    for index in &deduped.books {
        let book = &plan.books[*index];
        if !fits(raw(book.row) + books::store::bytes(&book.draft)? + log_bytes(&book.log)) {
            break;
        }
        kept += 1;
    }
    let beyond = deduped.books.split_off(kept);
    deduped.over_quota.extend(beyond.into_iter().map(|index| (Overflow::Book(index), Quota::Texts)));
    let fitting = deduped.items.iter().take_while(|index| {
        let item = &plan.items[**index];
        fits(raw(item.row) + tbr::store::bytes(&item.draft))
    });
    let kept = fitting.count();
    let beyond = deduped.items.split_off(kept);
    deduped.over_quota.extend(beyond.into_iter().map(|index| (Overflow::Item(index), Quota::Texts)));
    Ok(left.max(0))
}

/// The bytes for which a day of a log counts besides its note, as in the triggers of `reading_days`.
const BYTES_OF_DAY: i64 = 32;

/// The bytes of a log.
fn log_bytes(log: &[ReadingDay]) -> i64 {
    log.iter().map(|day| BYTES_OF_DAY + day.note.as_deref().map_or(0, counters::bytes)).sum()
}
