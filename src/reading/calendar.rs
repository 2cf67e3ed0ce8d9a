//! The calendar of a year and the streak (docs/rules.md, "Reading days").
use std::collections::BTreeMap;

use chrono::{Datelike as _, Days, NaiveDate};
use serde::Serialize;
use utoipa::ToSchema;

use crate::access::StreakUnit;
use crate::library::books::log::WHOLE;
use crate::library::books::model::BookId;
use crate::library::day_text;

/// A day of a log, without its note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogEntry {
    pub day: NaiveDate,
    /// The place reached, in hundredths of a percent.
    pub at: Option<i64>,
    /// The page, where one was noted.
    pub page: Option<i64>,
    /// Minutes of reading.
    pub minutes: Option<i64>,
    /// What was newly read, in hundredths of a percent, where a device says so.
    pub covered: Option<i64>,
}

/// A read with its log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadWithLog {
    pub id: BookId,
    /// The words of the book; 0 when unknown.
    pub words: i64,
    /// The pages of the book.
    pub pages: Option<i64>,
    /// The first day of reading.
    pub start: Option<NaiveDate>,
    /// Whether it is in progress.
    pub is_open: bool,
    /// Oldest first, at least one.
    pub days: Vec<LogEntry>,
}

/// A day on which something was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct CalendarDay {
    /// The day, yyyy-MM-dd, in the time zone that the account had then.
    #[serde(serialize_with = "day_text::day")]
    pub day: NaiveDate,
    /// Words read on this day; null when unknown.
    #[schema(required)]
    pub words: Option<i64>,
    /// Pages read on this day; null when unknown.
    #[schema(required)]
    pub pages: Option<i64>,
    /// Minutes of reading; null where none were noted.
    #[schema(required)]
    pub minutes: Option<i64>,
    /// The reads that have a note of this day.
    #[schema(value_type = Vec<i64>)]
    pub books: Vec<BookId>,
}

impl CalendarDay {
    fn of(day: NaiveDate) -> Self {
        Self { day, words: None, pages: None, minutes: None, books: Vec::new() }
    }
}

/// A book that was finished on an exact day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct CalendarFinish {
    /// The day of completion.
    #[serde(serialize_with = "day_text::day")]
    pub day: NaiveDate,
    /// The id of the finished book.
    #[schema(value_type = i64)]
    pub id: BookId,
}

/// Days or weeks in a row with reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct ReadingStreak {
    /// Whether days or weeks are counted.
    pub unit: StreakUnit,
    /// The days or weeks up to now; 0 when the streak has ended.
    pub current: i64,
    /// The longest streak so far.
    pub longest: i64,
    /// The first day of the current streak, of weeks a Monday; null when it has ended.
    #[schema(required)]
    pub since: Option<NaiveDate>,
}

/// The days of a calendar from the logs of all reads, oldest first. A log counts for the days that `shows` accepts.
pub fn days(logs: &[ReadWithLog], shows: impl Fn(NaiveDate) -> bool) -> Vec<CalendarDay> {
    let mut days = BTreeMap::<NaiveDate, CalendarDay>::new();
    for read in logs {
        let (whole, mut covered, mut last) = (read.covered_whole(), 0, None);
        for entry in &read.days {
            let before = entry.at.and_then(|_| last.replace(entry));
            let covered_before = covered;
            covered += entry.covered.unwrap_or(0);
            if !shows(entry.day) {
                continue;
            }
            let day = days.entry(entry.day).or_insert_with(|| CalendarDay::of(entry.day));
            day.books.push(read.id);
            let (words, pages) = match (whole, entry.covered) {
                (Some(whole), Some(_)) => read.part(covered_before, covered, whole),
                // All of it is in the days that a device reported.
                (Some(_), None) if !read.is_open => (None, None),
                _ => read.rise(before, entry),
            };
            for (sum, amount) in [(&mut day.words, words), (&mut day.pages, pages), (&mut day.minutes, entry.minutes)] {
                if let Some(amount) = amount {
                    *sum = Some(sum.unwrap_or(0).saturating_add(amount));
                }
            }
        }
    }
    days.into_values().collect()
}

impl ReadWithLog {
    /// What the parts that devices report are parts of: the book, or, of a finished read, what was covered of it, if that is at least half;
    /// `None` where places count.
    fn covered_whole(&self) -> Option<i64> {
        let covered: i64 = self.days.iter().filter_map(|day| day.covered).sum();
        match self.is_open {
            true => (covered > 0).then_some(WHOLE),
            false => (covered >= WHOLE / 2).then_some(covered),
        }
    }

    /// The words and pages of a part, rounded by differences.
    fn part(&self, from: i64, to: i64, whole: i64) -> (Option<i64>, Option<i64>) {
        let amount = |of: i64| of * to / whole - of * from / whole;
        ((self.words > 0).then(|| amount(self.words)), self.pages.map(amount))
    }

    /// The words and pages from the place before to this one, each `None` when it is unknown. What was read before the first place is
    /// known where the read began on the same day. A step back is 0.
    fn rise(&self, before: Option<&LogEntry>, entry: &LogEntry) -> (Option<i64>, Option<i64>) {
        let Some(at) = entry.at else { return (None, None) };
        if before.is_none() && self.start != Some(entry.day) {
            return (None, None);
        }
        let words_to = |at: i64| self.words * at / WHOLE;
        let words = (self.words > 0).then(|| words_to(at) - before.and_then(|before| before.at).map_or(0, words_to));
        let from = before.map_or(Some(0), |before| self.page_of(before));
        let pages = self.page_of(entry).zip(from).map(|(to, from)| to - from);
        (words.map(|words| words.max(0)), pages.map(|pages| pages.max(0)))
    }

    fn page_of(&self, entry: &LogEntry) -> Option<i64> {
        entry.page.or_else(|| Some(self.pages? * entry.at? / WHOLE))
    }
}

/// The streak of the days that have a note, in any order. It is current if its last day, or week, is the previous one or later: after a
/// change of the time zone a day may be in the future.
pub fn streak(unit: StreakUnit, days: impl Iterator<Item = NaiveDate>, today: NaiveDate) -> ReadingStreak {
    let (length, begin): (u64, fn(NaiveDate) -> NaiveDate) = match unit {
        StreakUnit::Days => (1, |day| day),
        StreakUnit::Weeks => (7, |day| day - Days::new(day.weekday().num_days_from_monday().into())),
    };
    let step = Days::new(length);
    let mut starts: Vec<_> = days.map(begin).collect();
    starts.sort_unstable();
    starts.dedup();
    let (mut longest, mut run, mut since) = (0, 0, None);
    let mut last = None::<NaiveDate>;
    for start in starts {
        if last.and_then(|last| last.checked_add_days(step)) == Some(start) {
            run += 1;
        } else {
            (run, since) = (1, Some(start));
        }
        last = Some(start);
        longest = longest.max(run);
    }
    let is_current = last.is_some_and(|last| last >= begin(today) - step);
    ReadingStreak { unit, current: if is_current { run } else { 0 }, longest, since: since.filter(|_| is_current) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::text::date;

    fn entry(day: &str, at: Option<i64>) -> LogEntry {
        LogEntry { day: date(day).unwrap(), at, page: None, minutes: None, covered: None }
    }

    fn read(start: Option<&str>, days: Vec<LogEntry>) -> ReadWithLog {
        ReadWithLog {
            id: BookId(1),
            words: 100_000,
            pages: Some(400),
            start: start.and_then(date),
            is_open: true,
            days,
        }
    }

    /// The words and pages of each day.
    fn amounts(read: ReadWithLog) -> Vec<(Option<i64>, Option<i64>)> {
        days(&[read], |_| true).into_iter().map(|day| (day.words, day.pages)).collect()
    }

    #[test]
    fn each_day_has_the_rise_since_the_place_before_it() {
        let log =
            vec![entry("2026-11-01", Some(1_200)), entry("2026-11-04", Some(2_000)), entry("2026-11-10", Some(3_800))];
        let known = [(Some(12_000), Some(48)), (Some(8_000), Some(32)), (Some(18_000), Some(72))];
        assert_eq!(amounts(read(Some("2026-11-01"), log.clone())), known);
        // Nobody knows when the pages before the first place were read.
        assert_eq!(amounts(read(Some("2026-10-30"), log.clone())), [(None, None), known[1], known[2]]);
        assert_eq!(amounts(read(None, log)), [(None, None), known[1], known[2]]);
    }

    #[test]
    fn a_day_without_a_place_has_no_amount_and_a_step_back_is_nothing() {
        let log = vec![
            entry("2026-11-01", None),
            entry("2026-11-02", Some(5_000)),
            entry("2026-11-03", None),
            entry("2026-11-04", Some(2_000)),
            entry("2026-11-05", Some(3_000)),
        ];
        let nothing = (None, None);
        assert_eq!(
            amounts(read(Some("2026-11-02"), log)),
            [nothing, (Some(50_000), Some(200)), nothing, (Some(0), Some(0)), (Some(10_000), Some(40))]
        );
    }

    #[test]
    fn what_is_unknown_of_one_book_hides_nothing_of_another() {
        let day = |at, minutes| vec![LogEntry { minutes, ..entry("2026-11-01", Some(at)) }];
        let unknown = ReadWithLog { words: 0, pages: None, ..read(Some("2026-11-01"), day(5_000, Some(20))) };
        let known = ReadWithLog { id: BookId(2), ..read(Some("2026-11-01"), day(1_000, Some(15))) };
        let only = days(std::slice::from_ref(&unknown), |_| true);
        assert_eq!((only[0].words, only[0].pages, only[0].minutes), (None, None, Some(20)));
        let both = days(&[unknown, known], |_| true);
        assert_eq!((both[0].words, both[0].pages, both[0].minutes), (Some(10_000), Some(40), Some(35)));
        assert_eq!(both[0].books, [BookId(1), BookId(2)]);
    }

    #[test]
    fn what_a_device_covered_counts_by_its_part_of_the_book() {
        let covered = |day, at, covered| LogEntry { covered, ..entry(day, Some(at)) };
        // Read on from the middle, then from the beginning; a place by hand in between.
        let log = vec![
            covered("2026-11-01", 6_000, Some(1_000)),
            covered("2026-11-02", 7_000, None),
            covered("2026-11-03", 2_000, Some(2_000)),
        ];
        let open = read(Some("2026-11-01"), log.clone());
        assert_eq!(amounts(open), [(Some(10_000), Some(40)), (Some(10_000), Some(40)), (Some(20_000), Some(80))]);
        // Less than half of a finished book was covered: places count.
        let finished = ReadWithLog { is_open: false, ..read(Some("2026-11-01"), log) };
        assert_eq!(amounts(finished)[0], (Some(60_000), Some(240)));
        let log = vec![covered("2026-11-01", 5_000, Some(4_500)), covered("2026-11-02", 9_900, Some(4_500))];
        let finished = ReadWithLog { is_open: false, ..read(None, log) };
        assert_eq!(amounts(finished), [(Some(50_000), Some(200)), (Some(50_000), Some(200))]);
    }

    #[test]
    fn pages_that_were_noted_are_taken_as_they_are() {
        let noted = |day, at, page| LogEntry { page: Some(page), ..entry(day, Some(at)) };
        let log = vec![noted("2026-11-01", 2_499, 100), noted("2026-11-02", 5_000, 201)];
        assert_eq!(amounts(read(Some("2026-11-01"), log)), [(Some(24_990), Some(100)), (Some(25_010), Some(101))]);
    }

    fn counted(unit: StreakUnit, days: &[&str], today: &str) -> (i64, i64, Option<String>) {
        let streak = streak(unit, days.iter().filter_map(|day| date(day)), date(today).unwrap());
        (streak.current, streak.longest, streak.since.map(|day| day.to_string()))
    }

    #[test]
    fn a_streak_of_days_lasts_until_the_end_of_the_day_after() {
        let days = ["2026-11-08", "2026-11-09", "2026-11-10", "2026-11-11"];
        let current = (4, 4, Some("2026-11-08".to_owned()));
        assert_eq!(counted(StreakUnit::Days, &days, "2026-11-11"), current);
        assert_eq!(counted(StreakUnit::Days, &days, "2026-11-12"), current);
        assert_eq!(counted(StreakUnit::Days, &days, "2026-11-13"), (0, 4, None));
        assert_eq!(counted(StreakUnit::Days, &days, "2026-11-10"), current, "a day ahead");
        assert_eq!(counted(StreakUnit::Days, &[], "2026-11-12"), (0, 0, None));
        let over_new_year = ["2023-12-31", "2024-01-01", "2024-02-28", "2024-02-29", "2024-03-01"];
        assert_eq!(counted(StreakUnit::Days, &over_new_year, "2024-03-01"), (3, 3, Some("2024-02-28".to_owned())));
    }

    #[test]
    fn a_streak_of_weeks_runs_from_monday_to_sunday() {
        // Sunday, then two Mondays.
        let days = ["2026-11-01", "2026-11-02", "2026-11-09"];
        let current = (3, 3, Some("2026-10-26".to_owned()));
        assert_eq!(counted(StreakUnit::Weeks, &days, "2026-11-22"), current);
        assert_eq!(counted(StreakUnit::Weeks, &days, "2026-11-23"), (0, 3, None));
    }
}
