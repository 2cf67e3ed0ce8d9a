//! What a review reads: the books, their logs, and the periods that have any.
use std::collections::BTreeMap;

use chrono::NaiveDate;
use rusqlite::Connection;

use super::model::{Collector, Figures, Review};
use super::totals::{Counted, Sum, days_before, days_of};
use crate::access::StreakUnit;
use crate::kit::Result;
use crate::kit::db::pool::owned;
use crate::kit::id::UserId;
use crate::library::books::filter::is_visible;
use crate::library::books::model::Status;
use crate::library::books::store::{self as books, day};
use crate::reading::calendar::streak;
use crate::reading::period::Period;
use crate::reading::store::days;

/// Who asks for a review, and what is shown to them.
#[derive(Debug, Clone, Copy)]
pub struct Asked {
    /// Whose library it is.
    pub owner: UserId,
    /// The owner's current day.
    pub today: NaiveDate,
    /// The first day that the plan shows.
    pub from: Option<NaiveDate>,
    /// The months of history that the plan shows.
    pub limited_to_months: Option<u32>,
    /// The unit of the streak, where it is wanted.
    pub streak: Option<StreakUnit>,
}

/// The review of a period.
pub fn review(conn: &Connection, period: Period, asked: Asked) -> Result<Review> {
    let Asked { owner, today, from, .. } = asked;
    let mut collector = Collector::new(period, today);
    books::scan(conn, owner, |book| collector.add(book, is_visible(book.date_completed, from)))?;
    if collector.has_logged() {
        books::days::each_month(conn, owner, |id, month, words| collector.add_logged(id, month, words))?;
    }
    Ok(collector.finish(figures(conn, period, asked)?, today, from))
}

fn figures(conn: &Connection, period: Period, asked: Asked) -> Result<Figures> {
    let Asked { owner, today, from, limited_to_months, .. } = asked;
    let (mut now, mut before) = (Sum::over(days_of(period)), Sum::over(days_before(period, today)));
    let noted = days(conn, owner)?;
    for day in noted.iter().filter(|day| is_visible(Some(**day), from)) {
        now.add_day(*day);
        before.add_day(*day);
    }
    let (first, last) = owned(owner);
    let sql = "SELECT status, completed_from, date_completed, stopped_date, work, word_count, pages, reread
        FROM books WHERE id BETWEEN ?1 AND ?2";
    let mut query = conn.prepare_cached(sql)?;
    let mut rows = query.query([first, last])?;
    while let Some(row) = rows.next()? {
        let (completed, stopped) = (day(row, 2)?, day(row, 3)?);
        if is_visible(completed.or(stopped), from) {
            let first = day(row, 1)?;
            let read = Counted {
                status: row.get(0)?,
                completion: completed.map(|last| (first.unwrap_or(last), last)),
                stopped,
                work: row.get(4)?,
                words: row.get(5)?,
                pages: row.get(6)?,
                reread: row.get(7)?,
            };
            now.add(&read);
            before.add(&read);
        }
    }
    let streak = asked.streak.map(|unit| streak(unit, noted.into_iter(), today));
    Ok(Figures { totals: now.totals(), before: before.totals(), streak, limited_to_months })
}

/// The years and months with a visible finished read and how many reads they have, newest first. Only a read whose possible days of
/// completion are all in a period counts for it.
pub fn periods(conn: &Connection, owner: UserId, from: Option<NaiveDate>) -> Result<Vec<(Period, i64)>> {
    let mut periods = BTreeMap::<String, (Period, i64)>::new();
    books::scan(conn, owner, |book| {
        if book.status != Status::Completed || !is_visible(book.date_completed, from) {
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
