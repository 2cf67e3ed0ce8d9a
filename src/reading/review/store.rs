//! What a review reads: the books, their logs, and the periods that have any.
use std::collections::BTreeMap;

use chrono::NaiveDate;
use rusqlite::Connection;

use super::model::{Collector, Figures, Review};
use super::totals::{Counted, Sum, days_before, days_of};
use crate::access::StreakUnit;
use crate::kit::Result;
use crate::kit::id::UserId;
use crate::library::books::filter::is_visible;
use crate::library::books::model::BookStatus;
use crate::library::books::store::{self as books, Audience, ReadRow};
use crate::reading::calendar::streak;
use crate::reading::period::Period;
use crate::reading::store::days;

/// Who asks for a review, and what is shown to them.
#[derive(Debug, Clone, Copy)]
pub struct Asked {
    /// Whose library it is.
    pub owner: UserId,
    /// Who sees the review.
    pub audience: Audience,
    /// The owner's current day.
    pub today: NaiveDate,
    /// The first day that the plan shows.
    pub from: Option<NaiveDate>,
    /// The months of history that the plan shows.
    pub limited_to_months: Option<u32>,
    /// The unit of the streak, where it is wanted.
    pub streak: Option<StreakUnit>,
}

/// The review of a period, from one pass over the books and one over the days with a note.
pub fn review(conn: &Connection, period: Period, asked: Asked) -> Result<Review> {
    let Asked { owner, audience, today, from, limited_to_months, streak: unit } = asked;
    let mut collector = Collector::new(period, today);
    let (mut now, mut before) = (Sum::over(days_of(period)), Sum::over(days_before(period, today)));
    books::scan_reads(conn, owner, audience, |book, ReadRow { work, stopped, pages, minutes }| {
        collector.add(book, minutes, is_visible(book.date_completed, from));
        if is_visible(book.date_completed.or(stopped), from) {
            let (status, completion, words, reread) = (book.status, book.completion(), book.word_count, book.reread);
            let read = Counted { status, work, completion, stopped, words, pages, minutes, reread };
            now.add(&read);
            before.add(&read);
        }
    })?;
    if collector.has_logged() {
        books::days::each_month(conn, owner, |id, month, words| collector.add_logged(id, month, words))?;
    }
    let noted = days(conn, owner, audience)?;
    for day in noted.iter().filter(|day| is_visible(Some(**day), from)) {
        now.add_day(*day);
        before.add_day(*day);
    }
    let streak = unit.map(|unit| streak(unit, noted.into_iter(), today));
    let figures = Figures { totals: now.totals(), before: before.totals(), streak, limited_to_months };
    Ok(collector.finish(figures, today, from))
}

/// The years and months with a visible finished read and how many reads they have, newest first. Only a read whose possible days of
/// completion are all in a period counts for it.
pub fn periods(conn: &Connection, owner: UserId, from: Option<NaiveDate>) -> Result<Vec<(Period, i64)>> {
    let mut periods = BTreeMap::<String, (Period, i64)>::new();
    books::scan(conn, owner, Audience::Owner, |book| {
        if book.status != BookStatus::Completed || !is_visible(book.date_completed, from) {
            return;
        }
        let Some((first, last)) = book.completion() else { return };
        for period in [Period::year_of(last), Period::month_of(last)] {
            if days_of(period).contains(&first) {
                periods.entry(period.to_string()).or_insert((period, 0)).1 += 1;
            }
        }
    })?;
    Ok(periods.into_values().rev().collect())
}
