//! The figures of a review, and the days that they are counted over.
use std::ops::RangeInclusive;

use chrono::{Months, NaiveDate};
use foldhash::HashSet;
use serde::Serialize;
use utoipa::ToSchema;

use crate::library::books::model::{BookId, BookStatus};
use crate::reading::period::Period;

/// The figures of a period.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReviewTotals {
    /// Reads whose possible days of completion are all in the period.
    pub books: i64,
    /// Different books among them.
    pub titles: i64,
    /// All their words, also those that were read before the period.
    pub words: i64,
    /// Their pages, where they are known.
    pub pages: i64,
    /// Their minutes, where the length is known.
    pub minutes: i64,
    /// Those that were read before.
    pub rereads: i64,
    /// Reads that were given up on a day of the period.
    pub not_finished: i64,
    /// Different days of the period with a note.
    pub days_read: i64,
}

/// What the figures need of a read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counted {
    pub status: BookStatus,
    /// The first read of the same book.
    pub work: BookId,
    /// The first and the last possible day of completion.
    pub completion: Option<(NaiveDate, NaiveDate)>,
    /// The day on which it was given up.
    pub stopped: Option<NaiveDate>,
    pub words: i64,
    /// Pages, where they are known.
    pub pages: Option<i64>,
    /// Minutes, where the length is known.
    pub minutes: Option<i64>,
    /// Whether it was read before.
    pub reread: bool,
}

/// Adds up the figures of some days.
#[derive(Debug)]
pub struct Sum {
    days: RangeInclusive<NaiveDate>,
    works: HashSet<BookId>,
    totals: ReviewTotals,
}

impl Sum {
    pub fn over(days: RangeInclusive<NaiveDate>) -> Self {
        Self { days, works: HashSet::default(), totals: ReviewTotals::default() }
    }

    /// Adds a read, if it belongs to the days.
    pub fn add(&mut self, read: &Counted) {
        let Self { days, works, totals } = self;
        if read.status == BookStatus::DidNotFinish {
            totals.not_finished += i64::from(read.stopped.is_some_and(|day| days.contains(&day)));
        }
        let Some((first, last)) = read.completion else { return };
        if read.status != BookStatus::Completed || !days.contains(&first) || !days.contains(&last) {
            return;
        }
        totals.books += 1;
        totals.titles += i64::from(works.insert(read.work));
        totals.words += read.words;
        totals.pages += read.pages.unwrap_or(0);
        totals.minutes += read.minutes.unwrap_or(0);
        totals.rereads += i64::from(read.reread);
    }

    /// Adds a day that has a note.
    pub fn add_day(&mut self, day: NaiveDate) {
        self.totals.days_read += i64::from(self.days.contains(&day));
    }

    pub fn totals(self) -> ReviewTotals {
        self.totals
    }
}

/// The days of a period.
pub fn days_of(period: Period) -> RangeInclusive<NaiveDate> {
    period.first()..=period.last()
}

/// The days that a period is compared with: the year before, or the same month of the year before. While the period runs, these are
/// the same days up to today; February 29 is compared with February 28.
pub fn days_before(period: Period, today: NaiveDate) -> RangeInclusive<NaiveDate> {
    let days = days_of(period);
    let year = Months::new(12);
    if days.contains(&today) {
        return (period.first() - year)..=(today - year);
    }
    let before = match period {
        Period::Year(year) => Period::Year(year - 1),
        Period::Month(year, month) => Period::Month(year - 1, month),
    };
    days_of(before)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::text::date;

    fn before(period: &str, today: &str) -> [String; 2] {
        let days = days_before(period.parse().unwrap(), date(today).unwrap());
        [days.start().to_string(), days.end().to_string()]
    }

    #[test]
    fn a_period_that_runs_is_compared_with_the_same_days_and_others_with_the_whole_one_before() {
        assert_eq!(before("2026", "2026-11-18"), ["2025-01-01", "2025-11-18"]);
        assert_eq!(before("2026", "2026-12-31"), ["2025-01-01", "2025-12-31"]);
        assert_eq!(before("2026", "2027-01-01"), ["2025-01-01", "2025-12-31"]);
        assert_eq!(before("2026-11", "2026-11-18"), ["2025-11-01", "2025-11-18"]);
        assert_eq!(before("2028-02", "2028-02-29"), ["2027-02-01", "2027-02-28"]);
        assert_eq!(before("2029-02", "2029-03-01"), ["2028-02-01", "2028-02-29"]);
        assert_eq!(before("2029-02", "2029-02-28"), ["2028-02-01", "2028-02-28"]);
        assert_eq!(before("1900", "2026-11-18"), ["1899-01-01", "1899-12-31"]);
    }
}
