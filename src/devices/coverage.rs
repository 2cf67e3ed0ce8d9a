//! How page turns and pushed places become the days of a read (docs/rules.md, "Devices").
//!
//! Fractions count, not pages: a device lays a book out anew with every change of the font, so that page 7 of 90 is another place than page
//! 7 of 300. The rows of all documents of a read are taken in the order of time, and a day has what it newly covers: together the days never
//! exceed the book.
use std::collections::{BTreeMap, HashSet};

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use serde::Serialize;
use utoipa::ToSchema;

use crate::library::books::log::{MOST_MINUTES, ReadingDaySource, WHOLE};

/// The whole book, in millionths.
const BOOK: i64 = 1_000_000;
/// Millionths in a hundredth of a percent.
const HUNDREDTH: i64 = BOOK / WHOLE;
/// The most seconds for which one row counts: whoever falls asleep over a page did not read on.
const LONGEST_PAGE: i64 = 600;
/// A row further ahead waits until its day comes, in seconds.
const AHEAD: i64 = 86_400;
/// A book is asked about at this place.
const END: i64 = 9_800;
/// Or where the last row ends here, so much was covered, and something of the first fifth.
const NEAR_END: (i64, i64) = (BOOK / 100 * 97, BOOK / 4 * 3);
/// Or at this place, when nothing came for so many seconds.
const RESTING: (i64, i64) = (8_500, 7 * 86_400);
/// The seconds of a piece of listening.
const PIECE: i64 = 300;
/// Less was only looked into: millionths, seconds and pages.
const PEEK: (i64, i64, usize) = (BOOK / 50, 60, 3);
/// A reading from the beginning starts below this place and covers so much.
const AGAIN: (i64, i64) = (BOOK / 10, BOOK / 20);

/// A page turn as a device recorded it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageRow {
    /// In seconds since 1970, by the clock of the device.
    pub start: i64,
    /// From 1; a device may record pages beyond the last one.
    pub page: i64,
    /// The pages of the layout at that moment.
    pub total: i64,
    /// In seconds.
    pub duration: i64,
    /// The number of the device.
    pub device: i64,
    /// Whether the device has it no more.
    pub gone: bool,
}

impl PageRow {
    /// The part of the book, in millionths.
    fn range(&self) -> (i64, i64) {
        let place = |page: i64| (page.saturating_mul(BOOK) / self.total.max(1)).clamp(0, BOOK);
        (place(self.page - 1), place(self.page))
    }

    /// The same by a clock that is right; `ahead` is in minutes.
    #[must_use]
    pub fn by_right_clock(self, ahead: i64) -> Self {
        Self { start: self.start - ahead * 60, ..self }
    }
}

/// A part of a book and the time that was spent on it: a page turn, or a piece of listening.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// In seconds since 1970.
    pub start: i64,
    pub seconds: i64,
    /// In millionths of the book.
    pub from: i64,
    pub to: i64,
    /// What tells it from others of its document: page and pages, or a place.
    pub part: (i64, i64),
}

impl From<PageRow> for Span {
    fn from(row: PageRow) -> Self {
        let (from, to) = row.range();
        Self { start: row.start, seconds: row.duration, from, to, part: (row.page, row.total) }
    }
}

impl Span {
    /// Listening from one second of an audiobook to another, as pieces of a few minutes. Going back covers nothing.
    pub fn of_listening(start: i64, seconds: i64, from: i64, to: i64, length: i64) -> impl Iterator<Item = Self> {
        let place = |second: i64| second.clamp(0, length) * BOOK / length;
        let (to, pieces) = (place(to), (seconds + PIECE - 1) / PIECE);
        let from = place(from).min(to);
        let cut = move |whole: i64, piece: i64| whole * piece / pieces;
        (0..pieces).map(move |piece| {
            let (begin, end) = (from + cut(to - from, piece), from + cut(to - from, piece + 1));
            let start_of_piece = start + cut(seconds, piece);
            let seconds = cut(seconds, piece + 1) - cut(seconds, piece);
            Self { start: start_of_piece, seconds, from: begin, to: end, part: (begin, end) }
        })
    }
}

/// A place that was pushed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Push {
    pub day: NaiveDate,
    /// In hundredths of a percent.
    pub at: i64,
    /// In seconds since 1970, by the clock of the server.
    pub time: i64,
}

/// A day as a file without page turns has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotedDay {
    pub day: NaiveDate,
    /// In hundredths of a percent.
    pub at: Option<i64>,
    /// In the book's own pages, where the file has no percentage.
    pub page: Option<i64>,
    pub minutes: Option<i64>,
    /// Whether the book was finished on it.
    pub finished: bool,
    pub source: ReadingDaySource,
}

/// What devices say of a day.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Day {
    /// The place, in hundredths of a percent.
    pub at: Option<i64>,
    /// `None` where only a place was pushed.
    pub minutes: Option<i64>,
    /// What was newly covered, in hundredths of a percent.
    pub covered: Option<i64>,
}

/// What devices say of a read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Told {
    pub days: BTreeMap<NaiveDate, Day>,
    /// The newest place in hundredths of a percent, its day, and its time in seconds since 1970.
    pub newest: Option<(i64, NaiveDate, i64)>,
    /// In millionths.
    covered: i64,
    seconds: i64,
    /// The pages in whatever layout, as far as a first look has them.
    pages: usize,
    /// Where the last row ends, and its day.
    last_row: Option<(i64, NaiveDate)>,
    has_beginning: bool,
    /// The newest day on which a device said that the book is finished.
    finished: Option<NaiveDate>,
    /// Where days come from that KOReader does not know.
    sources: BTreeMap<NaiveDate, ReadingDaySource>,
}

/// Why a finish is proposed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum FinishReason {
    /// The device says so.
    Explicit,
    /// The place is at the end.
    Place,
    /// The last page turn is at the end, and most of the book was read.
    Covered,
    /// The place is near the end, and nothing came for a week.
    Resting,
}

/// The parts of a book that were covered: disjoint ranges by their begin.
#[derive(Debug, Default)]
struct Coverage(BTreeMap<i64, i64>);

impl Coverage {
    /// Adds a range. Returns what is new of it.
    fn add(&mut self, from: i64, to: i64) -> i64 {
        let (mut begin, mut end, mut known) = (from, to, 0);
        let touching: Vec<_> = self.0.range(..=to).rev().map_while(|(a, b)| (*b >= from).then_some((*a, *b))).collect();
        for (a, b) in touching {
            known += (b.min(to) - a.max(from)).max(0);
            (begin, end) = (begin.min(a), end.max(b));
            self.0.remove(&a);
        }
        self.0.insert(begin, end);
        (to - from - known).max(0)
    }
}

/// What rows and pushes say together. `rows` are by right clocks, and `day_of` names the reader's day of a second.
pub fn told<R: Into<Span>>(
    rows: Vec<R>,
    pushes: &[Push],
    now: DateTime<Utc>,
    day_of: impl Fn(i64) -> NaiveDate,
) -> Told {
    let mut rows: Vec<Span> = rows.into_iter().map(Into::into).collect();
    rows.retain(|row| row.start <= now.timestamp() + AHEAD);
    rows.sort_unstable_by_key(|row| (row.start, row.part));
    let (mut told, mut coverage) = (Told::default(), Coverage::default());
    let mut seconds = BTreeMap::<NaiveDate, (i64, i64)>::new();
    let mut pages = HashSet::new();
    for row in &rows {
        let (Span { from, to, .. }, day) = (*row, day_of(row.start));
        let before = told.covered;
        told.covered += coverage.add(from, to);
        told.has_beginning |= from < BOOK / 5;
        // More are not asked for.
        if pages.len() < PEEK.2 {
            pages.insert(row.part);
        }
        let on_day = told.days.entry(day).or_default();
        on_day.at = Some(to / HUNDREDTH);
        // By differences of rounded sums, so that the days add up to what was covered.
        *on_day.covered.get_or_insert(0) += told.covered / HUNDREDTH - before / HUNDREDTH;
        let spent = seconds.entry(day).or_default();
        spent.0 += row.seconds.min(LONGEST_PAGE);
        spent.1 = spent.1.max(row.start + row.seconds);
        told.seconds += row.seconds.min(LONGEST_PAGE);
        told.last_row = Some((to, day));
        told.newest = Some((to / HUNDREDTH, day, row.start + row.seconds));
    }
    told.pages = pages.len();
    for (day, (spent, _)) in &seconds {
        if let Some(on_day) = told.days.get_mut(day) {
            on_day.minutes = Some(((spent + 30) / 60).min(MOST_MINUTES));
        }
    }
    for push in pushes {
        let by_row = seconds.get(&push.day).map_or(i64::MIN, |(_, last)| *last);
        let on_day = told.days.entry(push.day).or_default();
        if push.time >= by_row {
            on_day.at = Some(push.at);
        }
        if told.newest.is_none_or(|(_, _, time)| push.time >= time) {
            told.newest = Some((push.at, push.day, push.time));
        }
    }
    told
}

impl Told {
    /// Adds what files without page turns say. Page turns and pushed places of the same day win, and of two files the one that says more.
    pub fn note(&mut self, noted: impl IntoIterator<Item = NotedDay>) {
        let mut days = BTreeMap::<NaiveDate, NotedDay>::new();
        for one in noted {
            let day = days.entry(one.day).or_insert(one);
            (day.at, day.minutes) = (day.at.max(one.at), day.minutes.max(one.minutes));
            day.finished |= one.finished;
        }
        for (day, noted) in days {
            if !self.days.contains_key(&day) {
                self.sources.insert(day, noted.source);
            }
            let on_day = self.days.entry(day).or_default();
            if on_day.at.is_none() || noted.finished {
                on_day.at = noted.at;
            }
            if on_day.minutes.is_none() {
                on_day.minutes = noted.minutes;
                self.seconds += noted.minutes.unwrap_or(0) * 60;
            }
            let is_newer = |(_, newest, _)| day > newest || (noted.finished && day == newest);
            if let Some(at) = noted.at.filter(|_| self.newest.is_none_or(is_newer)) {
                let noon = day.and_time(NaiveTime::MIN).and_utc().timestamp() + AHEAD / 2;
                self.newest = Some((at, day, noon));
            }
            self.finished = self.finished.max(Some(day).filter(|_| noted.finished));
        }
    }

    /// Notes that the book was said to be finished.
    pub fn finished_on(&mut self, day: NaiveDate) {
        self.finished = self.finished.max(Some(day));
    }

    /// Notes where a day comes from.
    pub fn comes_from(&mut self, day: NaiveDate, source: ReadingDaySource) {
        self.sources.insert(day, source);
    }

    /// Where a day comes from.
    pub fn source(&self, day: NaiveDate) -> ReadingDaySource {
        self.sources.get(&day).copied().unwrap_or(ReadingDaySource::KoReader)
    }

    /// The newest place in hundredths of a percent.
    pub fn place(&self) -> Option<i64> {
        self.newest.map(|(place, ..)| place)
    }

    /// The minutes of reading.
    pub fn minutes(&self) -> i64 {
        (self.seconds + 30) / 60
    }

    /// Whether the book was only looked into.
    pub fn is_peek(&self) -> bool {
        match self.pages {
            0 => self.seconds < PEEK.1 && self.place().is_none_or(|place| place * HUNDREDTH < PEEK.0),
            pages => self.covered < PEEK.0 || self.seconds < PEEK.1 || pages < PEEK.2,
        }
    }

    /// Whether its reader is asked if the book is finished, and on which day.
    pub fn finish(&self, now: DateTime<Utc>) -> Option<(NaiveDate, FinishReason)> {
        if let Some(finished) = self.finished.filter(|finished| self.newest.is_none_or(|(_, day, _)| *finished >= day))
        {
            return Some((finished, FinishReason::Explicit));
        }
        let (place, day, time) = self.newest?;
        let because = if place >= END {
            FinishReason::Place
        } else if self.last_row.is_some_and(|(to, _)| to >= NEAR_END.0)
            && self.covered >= NEAR_END.1
            && self.has_beginning
        {
            FinishReason::Covered
        } else if place >= RESTING.0 && now.timestamp() - time >= RESTING.1 {
            FinishReason::Resting
        } else {
            return None;
        };
        // The day of the last page turn, where it ends there, too.
        let by_row = self.last_row.filter(|(to, _)| *to / HUNDREDTH >= RESTING.0).map(|(_, day)| day);
        Some((by_row.unwrap_or(day), because))
    }
}

/// The first day of a new reading from the beginning, if these rows, which came after a finish, are one. They are by right clocks.
pub fn again<R: Into<Span>>(rows: Vec<R>, day_of: impl Fn(i64) -> NaiveDate) -> Option<NaiveDate> {
    let mut rows: Vec<Span> = rows.into_iter().map(Into::into).collect();
    rows.sort_unstable_by_key(|row| (row.start, row.part));
    let first = rows.iter().position(|row| row.from < AGAIN.0)?;
    let mut coverage = Coverage::default();
    let covered: i64 = rows[first..].iter().map(|row| coverage.add(row.from, row.to)).sum();
    (covered >= AGAIN.1).then(|| day_of(rows[first].start))
}

/// A field of a day: what its log has, what devices said before, and what they say now. What differs from what they said is by hand,
/// and what they said and the log lacks was removed by hand.
pub fn merged(logged: Option<i64>, before: Option<i64>, now: Option<i64>) -> Option<i64> {
    if logged == before { now } else { logged }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn day_of(second: i64) -> NaiveDate {
        DateTime::from_timestamp(second, 0).unwrap().date_naive()
    }

    fn at(day: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(day * 86_400, 0).unwrap()
    }

    fn row(start: i64, page: i64, total: i64) -> PageRow {
        PageRow { start, page, total, duration: 60, device: 1, gone: false }
    }

    /// Pages one after the other, from noon of a day on.
    fn pages(day: i64, pages: std::ops::RangeInclusive<i64>, total: i64) -> Vec<PageRow> {
        let first = *pages.start();
        pages.map(|page| row(day * 86_400 + 43_200 + (page - first) * 60, page, total)).collect()
    }

    fn on(told: &Told, day: i64) -> Day {
        told.days[&day_of(day * 86_400)]
    }

    #[test]
    fn a_day_has_what_it_newly_covers_and_the_place_of_its_newest_row() {
        let mut rows = pages(10, 1..=30, 300);
        rows.extend(pages(11, 21..=60, 300));
        // Another font: a third of the pages, the same part of the book.
        rows.extend(pages(12, 1..=20, 100));
        let told = told(rows, &[], at(20), day_of);
        assert_eq!(on(&told, 10), Day { at: Some(1_000), minutes: Some(30), covered: Some(1_000) });
        assert_eq!(on(&told, 11), Day { at: Some(2_000), minutes: Some(40), covered: Some(1_000) });
        assert_eq!(on(&told, 12), Day { at: Some(2_000), minutes: Some(20), covered: Some(0) });
    }

    #[test]
    fn a_page_beyond_the_end_is_the_end_a_long_one_counts_ten_minutes_and_a_late_one_waits() {
        let long = PageRow { duration: 40_000, ..row(86_400, 150, 90) };
        let told = told(vec![long, row(20 * 86_400, 1, 90)], &[], at(10), day_of);
        assert_eq!(on(&told, 1), Day { at: Some(10_000), minutes: Some(10), covered: Some(0) });
        assert_eq!(told.days.len(), 1);
    }

    #[test]
    fn a_push_moves_the_place_also_backwards_and_brings_no_minutes() {
        let push = |day: i64, at, time| Push { day: day_of(day * 86_400), at, time };
        let rows = pages(10, 1..=30, 300);
        let end = rows[29].start + 60;
        let told = told(rows, &[push(10, 400, end + 5), push(12, 500, end + 200_000)], at(20), day_of);
        assert_eq!(on(&told, 10), Day { at: Some(400), minutes: Some(30), covered: Some(1_000) });
        assert_eq!(on(&told, 12), Day { at: Some(500), minutes: None, covered: None });
        assert_eq!(told.place(), Some(500));
        let told = super::told(pages(10, 1..=30, 300), &[push(10, 400, 86_400)], at(20), day_of);
        assert_eq!((on(&told, 10).at, told.place()), (Some(1_000), Some(1_000)), "older than the newest row");
    }

    #[test]
    fn a_first_look_is_under_two_percent_a_minute_or_three_pages() {
        let is_peek = |rows| told(rows, &[], at(20), day_of).is_peek();
        assert!(is_peek(pages(10, 1..=5, 300)), "less than 2%");
        assert!(is_peek(pages(10, 1..=2, 10)), "two pages");
        assert!(!is_peek(pages(10, 1..=6, 300)));
        let brief = pages(10, 1..=6, 300).into_iter().map(|row| PageRow { duration: 5, ..row }).collect();
        assert!(is_peek(brief), "30 seconds");
        let pushed = |place| {
            told(Vec::<PageRow>::new(), &[Push { day: day_of(0), at: place, time: 5 }], at(20), day_of).is_peek()
        };
        assert!(pushed(199) && !pushed(200));
    }

    #[test]
    fn a_finish_is_asked_at_the_end_when_most_was_read_or_when_nothing_comes_any_more() {
        let because = |rows: Vec<PageRow>, now| told(rows, &[], at(now), day_of).finish(at(now)).map(|(_, why)| why);
        assert_eq!(because(pages(10, 294..=294, 300), 11), Some(FinishReason::Place));
        assert_eq!(because(pages(10, 1..=291, 300), 11), Some(FinishReason::Covered));
        assert_eq!(because(pages(10, 150..=291, 300), 11), None, "only the second half");
        assert_eq!(because(pages(10, 1..=270, 300), 11), None);
        assert_eq!(because(pages(10, 1..=270, 300), 18), Some(FinishReason::Resting));
        assert_eq!(because(pages(10, 1..=250, 300), 30), None, "83%");
        assert_eq!(because(Vec::new(), 30), None);
        let finished = |day: i64, now| {
            let mut told = told(pages(10, 1..=30, 300), &[], at(now), day_of);
            told.finished_on(day_of(day * 86_400));
            told.finish(at(now))
        };
        assert_eq!(finished(12, 13), Some((day_of(12 * 86_400), FinishReason::Explicit)), "at 10%");
        assert_eq!(finished(9, 13), None, "it was read on since");
    }

    #[test]
    fn listening_covers_the_place_that_moved_and_takes_the_time_that_it_took() {
        // An hour at double speed, of ten hours, from the beginning; back by an hour; then on.
        let heard = |day: i64, seconds, from, to| Span::of_listening(day * 86_400 + 43_200, seconds, from, to, 36_000);
        let spans: Vec<_> = heard(10, 3_600, 0, 7_200)
            .chain(heard(11, 900, 7_200, 3_600))
            .chain(heard(12, 3_601, 3_600, 9_000))
            .collect();
        assert!(spans.iter().all(|span| span.seconds <= 300 && span.from <= span.to));
        let told = told(spans, &[], at(20), day_of);
        assert_eq!(on(&told, 10), Day { at: Some(2_000), minutes: Some(60), covered: Some(2_000) });
        assert_eq!(on(&told, 11), Day { at: Some(1_000), minutes: Some(15), covered: Some(0) });
        assert_eq!(on(&told, 12), Day { at: Some(2_500), minutes: Some(60), covered: Some(500) });
        assert_eq!(
            heard(1, 30, 50_000, 90_000).map(|span| (span.from, span.to)).collect::<Vec<_>>(),
            [(1_000_000, 1_000_000)]
        );
    }

    #[test]
    fn a_new_reading_covers_a_twentieth_from_the_beginning() {
        assert_eq!(again(pages(10, 1..=15, 300), day_of), Some(day_of(864_000)));
        assert_eq!(again(pages(10, 1..=14, 300), day_of), None);
        assert_eq!(again(pages(10, 40..=200, 300), day_of), None, "somewhere in the middle");
    }

    #[test]
    fn what_is_by_hand_stays() {
        assert_eq!(merged(None, None, Some(5)), Some(5), "nobody had said anything");
        assert_eq!(merged(Some(4), Some(4), Some(5)), Some(5), "the device goes on");
        assert_eq!(merged(Some(9), Some(4), Some(5)), Some(9), "corrected by hand");
        assert_eq!(merged(Some(9), None, Some(5)), Some(9), "noted by hand");
        assert_eq!(merged(None, Some(4), Some(5)), None, "cleared by hand");
        assert_eq!(merged(Some(4), Some(4), None), None, "the device takes it back");
    }

    /// Rows with every fault of real files: several page totals, pages beyond the last, the same rows twice, rows out of order.
    fn any_rows() -> impl Strategy<Value = Vec<PageRow>> {
        let one = (0..20 * 86_400_i64, 1..=140_i64, prop::sample::select(vec![1, 7, 90, 100, 300]), 0..2_000_i64);
        prop::collection::vec(one, 0..40).prop_map(|rows| {
            let mut rows: Vec<_> = rows
                .into_iter()
                .map(|(start, page, total, duration)| PageRow { start, page, total, duration, device: 1, gone: false })
                .collect();
            let echoes: Vec<_> = rows.iter().step_by(3).copied().collect();
            rows.extend(echoes);
            rows
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(12))]

        /// The same by marking every millionth of the book.
        #[test]
        fn the_days_are_those_of_an_independent_count(rows in any_rows()) {
            let counted = told(rows.clone(), &[], at(30), day_of);
            let mut sorted = rows;
            sorted.sort_by_key(|row| (row.start, row.page));
            let mut marks = vec![false; 1_000_000];
            let mut sums = BTreeMap::<NaiveDate, (usize, usize, i64)>::new();
            let mut marked = 0;
            for row in &sorted {
                let place = |page: i64| usize::try_from((page * 1_000_000 / row.total).min(1_000_000)).unwrap();
                let before = marked;
                for mark in &mut marks[place(row.page - 1)..place(row.page)] {
                    marked += usize::from(!*mark);
                    *mark = true;
                }
                let day = sums.entry(day_of(row.start)).or_default();
                *day = (day.0 + marked / 100 - before / 100, place(row.page) / 100, day.2 + row.duration.min(600));
            }
            let expected: BTreeMap<_, _> = sums
                .into_iter()
                .map(|(day, (covered, at, seconds))| {
                    let hundredths = |count: usize| Some(i64::try_from(count).unwrap());
                    (day, Day { at: hundredths(at), minutes: Some(((seconds + 30) / 60).min(1_440)), covered: hundredths(covered) })
                })
                .collect();
            let sum: i64 = counted.days.values().filter_map(|day| day.covered).sum();
            prop_assert!(sum <= 10_000);
            prop_assert_eq!(counted.days, expected);
        }
    }
}
