//! An independent recount of the calendar, the streak, the forecast and goals: day by day, without any of the code that is tested.
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::LazyLock;

use chrono::{DateTime, Datelike as _, Days, NaiveDate, NaiveTime, TimeDelta, Weekday};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use proptest::prelude::*;

use super::calendar::{LogEntry, ReadWithLog, days, streak};
use super::forecast::Forecast;
use super::goals::model::{Counted, Goal, GoalMetric, Tally};
use super::period::Period;
use crate::access::StreakUnit;
use crate::kit::time_zone::Zone;
use crate::library::books::filter::BookRow;
use crate::library::books::model::{BookFormat, BookId, BookStatus, ReadingProgress, WordDistribution};
use crate::statistics::model as statistics;

/// The whole of a book, in hundredths of a percent.
const WHOLE: i64 = 10_000;

/// A day around New Year of a leap year and of a common one, and around February 29.
fn day() -> impl Strategy<Value = NaiveDate> {
    let spans = [(2023, 12, 20, 30_u64), (2024, 2, 20, 20), (2024, 12, 20, 30), (2026, 2, 20, 20), (2026, 3, 20, 20)];
    proptest::sample::select(spans.to_vec()).prop_flat_map(|(year, month, day, span)| {
        (0..span).prop_map(move |days| NaiveDate::from_ymd_opt(year, month, day).unwrap() + Days::new(days))
    })
}

fn read() -> impl Strategy<Value = ReadWithLog> {
    let place = prop_oneof![
        1 => Just((None, None)),
        2 => (0..=WHOLE).prop_map(|at| (Some(at), None)),
        2 => (0..=WHOLE, 0..2_000_i64).prop_map(|(at, page)| (Some(at), Some(page))),
    ];
    let log = proptest::collection::btree_map(day(), (place, proptest::option::of(0..600_i64)), 1..12);
    let words = prop_oneof![Just(0), Just(1), 1..2_000_000_i64];
    (words, proptest::option::of(1..2_000_i64), proptest::option::of(day()), log, any::<bool>()).prop_map(
        |(words, pages, start, log, begins)| {
            let days: Vec<_> = log
                .into_iter()
                .map(|(day, ((at, page), minutes))| LogEntry { day, at, page, minutes, covered: None })
                .collect();
            let start = if begins { days.first().map(|first| first.day) } else { start };
            ReadWithLog { id: BookId(0), words, pages, start, is_open: true, days }
        },
    )
}

fn library() -> impl Strategy<Value = Vec<ReadWithLog>> {
    proptest::collection::vec(read(), 0..6).prop_map(|mut reads| {
        for (id, read) in (1..).zip(&mut reads) {
            read.id = BookId(id);
        }
        reads
    })
}

/// What was read of a book on a day, from how much of it was read by the end of each day with a place; `None` where nobody knows.
fn amount(read: &ReadWithLog, day: NaiveDate, reached: impl Fn(&LogEntry, i64) -> Option<i64>) -> Option<i64> {
    let by = |entry: &LogEntry| reached(entry, entry.at?);
    let now = by(read.days.iter().find(|entry| entry.day == day)?)?;
    match read.days.iter().rfind(|entry| entry.day < day && entry.at.is_some()) {
        Some(before) => Some(std::cmp::max(now - by(before)?, 0)),
        None if read.start == Some(day) => Some(now),
        None => None,
    }
}

fn sum(amounts: impl Iterator<Item = Option<i64>>) -> Option<i64> {
    let known: Vec<_> = amounts.flatten().collect();
    (!known.is_empty()).then(|| known.into_iter().sum())
}

/// The length of the streak that ends with a step, and its first day.
fn walk(noted: &BTreeSet<NaiveDate>, last: NaiveDate, step: u64) -> (i64, NaiveDate) {
    let (mut length, mut first) = (1, last);
    while noted.contains(&(first - Days::new(step))) {
        first = first - Days::new(step);
        length += 1;
    }
    (length, first)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    #[test]
    fn the_calendar_is_what_a_recount_day_by_day_says(reads in library()) {
        let noted: BTreeSet<_> = reads.iter().flat_map(|read| &read.days).map(|entry| entry.day).collect();
        let counted = days(&reads, |_| true);
        prop_assert_eq!(counted.iter().map(|day| day.day).collect::<BTreeSet<_>>(), noted);
        for day in counted {
            let of = |read: &&ReadWithLog| read.days.iter().any(|entry| entry.day == day.day);
            let here: Vec<_> = reads.iter().filter(of).collect();
            let minutes = here.iter().map(|read| read.days.iter().find(|entry| entry.day == day.day).unwrap().minutes);
            prop_assert_eq!(day.minutes, sum(minutes));
            let words = |read: &ReadWithLog, at: i64| (read.words > 0).then(|| read.words * at / WHOLE);
            let pages = |read: &ReadWithLog, at: i64| read.pages.map(|pages| pages * at / WHOLE);
            prop_assert_eq!(day.words, sum(here.iter().map(|read| amount(read, day.day, |_, at| words(read, at)))));
            // A page that was typed counts as it is.
            let read = |read: &ReadWithLog| amount(read, day.day, |entry, at| entry.page.or_else(|| pages(read, at)));
            prop_assert_eq!(day.pages, sum(here.iter().map(|one| read(one))));
            prop_assert_eq!(day.books, here.iter().map(|read| read.id).collect::<Vec<_>>());
        }
    }

    #[test]
    fn the_days_of_a_read_add_up_to_what_was_read(read in read()) {
        let mut places: BTreeMap<NaiveDate, i64> = read.days.iter().filter_map(|entry| Some((entry.day, entry.at?))).collect();
        let mut highest = 0;
        places.retain(|_, at| {
            let rises = highest <= *at;
            highest = highest.max(*at);
            rises
        });
        let rising = read.days.iter().filter(|entry| places.contains_key(&entry.day)).cloned().collect::<Vec<_>>();
        prop_assume!(!rising.is_empty());
        let read = ReadWithLog { start: rising.first().map(|entry| entry.day), days: rising, ..read };
        let total: i64 = days(std::slice::from_ref(&read), |_| true).iter().filter_map(|day| day.words).sum();
        prop_assert_eq!(total, read.words * highest / WHOLE);
    }

    #[test]
    fn the_streak_is_what_a_walk_backwards_says(reads in library(), today in day()) {
        let noted: BTreeSet<_> = reads.iter().flat_map(|read| &read.days).map(|entry| entry.day).collect();
        let monday = |day: NaiveDate| day.week(Weekday::Mon).first_day();
        for (unit, step, noted, now) in [
            (StreakUnit::Days, 1, noted.clone(), today),
            (StreakUnit::Weeks, 7, noted.iter().copied().map(monday).collect(), monday(today)),
        ] {
            let found = streak(unit, reads.iter().flat_map(|read| &read.days).map(|entry| entry.day), today);
            let longest = noted.iter().map(|last| walk(&noted, *last, step).0).max().unwrap_or(0);
            let current = noted.last().filter(|last| **last >= now - Days::new(step)).map(|last| walk(&noted, *last, step));
            prop_assert_eq!(found.longest, longest);
            prop_assert_eq!((found.current, found.since), (current.map_or(0, |(length, _)| length), current.map(|(_, first)| first)));
        }
    }

    #[test]
    fn the_forecast_is_the_first_day_on_which_the_pace_reaches_the_end(read in read(), today in day()) {
        let places: Vec<_> = read.days.iter().filter_map(|entry| Some((entry.day, entry.at?))).collect();
        let found = Forecast::of(read.start, &places, today);
        let count = |from: NaiveDate| i64::from(today.num_days_from_ce()) - i64::from(from.num_days_from_ce());
        let pace = match (read.start, places.as_slice()) {
            (_, [] | [_]) => None,
            (Some(start), [.., (_, reached)]) => Some((*reached, count(start) + 1)),
            (None, [(first_day, first), .., (_, reached)]) => Some((reached - first, count(*first_day))),
        };
        let expected = pace.filter(|(rise, days)| *rise > 0 && *days > 0).and_then(|(rise, days)| {
            let reached = places.last().unwrap().1;
            (0..=365).find(|ahead| reached * days + rise * ahead >= WHOLE * days)
        });
        prop_assert_eq!(found.map(|forecast| forecast.days), expected);
        if let (Some(forecast), Some(days)) = (found, expected) {
            prop_assert_eq!(forecast.date, today + Days::new(u64::try_from(days).unwrap()));
        }
    }
}

/// A read as the recount of goals makes it.
#[derive(Debug, Clone)]
struct Read {
    status: BookStatus,
    /// The first and the last possible day of completion.
    completed: Option<(NaiveDate, NaiveDate)>,
    words: i64,
    pages: Option<i64>,
    reread: bool,
    /// The place reached, in hundredths of a percent, and the page where it was noted by page.
    place: Option<(i64, Option<i64>)>,
}

/// A day that is often the first or the last of a year, a month or a February.
fn edge() -> impl Strategy<Value = NaiveDate> {
    let edges = ["2023-12-31", "2024-01-01", "2024-02-28", "2024-02-29", "2024-03-01", "2024-12-31", "2025-01-01"];
    let edges = edges.map(|day| day.parse::<NaiveDate>().unwrap());
    prop_oneof![proptest::sample::select(edges.to_vec()), day()]
}

fn goal_read() -> impl Strategy<Value = Read> {
    let status = [
        BookStatus::Completed,
        BookStatus::Completed,
        BookStatus::InProgress,
        BookStatus::Undated,
        BookStatus::DidNotFinish,
    ];
    let span = prop_oneof![3 => Just(0), 1 => 1..40_u64, 1 => 200..800_u64];
    let place = proptest::option::of((0..=WHOLE, proptest::option::of(0..2_000_i64)));
    let size = (0..2_000_000_i64, proptest::option::of(1..2_000_i64));
    (proptest::sample::select(status.to_vec()), edge(), span, size, any::<bool>(), place).prop_map(
        |(status, last, span, (words, pages), reread, place)| Read {
            status,
            completed: (status == BookStatus::Completed).then(|| (last - Days::new(span), last)),
            words,
            pages,
            reread,
            place,
        },
    )
}

impl Read {
    fn counted(&self) -> Counted {
        Counted { words: self.words, pages: self.pages, minutes: None, reread: self.reread }
    }

    /// The read as the dashboard sees it.
    fn row(&self) -> BookRow<'static> {
        BookRow {
            id: BookId(1),
            status: self.status,
            date_completed: self.completed.map(|(_, last)| last),
            completed_from: self.completed.filter(|(first, last)| first != last).map(|(first, _)| first),
            start_date: None,
            word_count: self.words,
            rating: None,
            format: BookFormat::Print,
            reread: self.reread,
            word_distribution: WordDistribution::Final,
            title: "T",
            author: "A",
            title_key: "t",
            author_key: "a",
            genres: "",
        }
    }

    /// Whether every possible day of completion is one of these, oldest first.
    fn is_within(&self, days: &[NaiveDate]) -> bool {
        let inside = |day: NaiveDate| days.contains(&day);
        self.completed.is_some_and(|(first, last)| inside(first) && inside(last))
    }

    /// The books, words and pages that the read has in a goal.
    fn size(&self, metric: GoalMetric) -> i64 {
        match metric {
            GoalMetric::Books => 1,
            GoalMetric::Words => self.words,
            GoalMetric::Pages => self.pages.unwrap_or(0),
            GoalMetric::Minutes => 0,
        }
    }

    /// The words or pages up to the place of an open read.
    fn in_hand(&self, metric: GoalMetric) -> i64 {
        let Some((at, page)) = self.place.filter(|_| self.status == BookStatus::InProgress) else { return 0 };
        match (metric, page) {
            (GoalMetric::Pages, Some(page)) => page,
            _ => self.size(metric) * at / WHOLE,
        }
    }
}

/// The days of each year and each month, oldest first, by how their dates are written.
static DAYS: LazyLock<HashMap<String, Vec<NaiveDate>>> = LazyLock::new(|| {
    let mut days = HashMap::<_, Vec<_>>::new();
    for day in NaiveDate::from_ymd_opt(2021, 1, 1).unwrap().iter_days().take(8 * 365) {
        let date = day.to_string();
        for period in [&date[..4], &date[..7]] {
            days.entry(period.to_owned()).or_default().push(day);
        }
    }
    days
});

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    #[test]
    fn goals_are_what_a_recount_read_by_read_says_and_what_the_dashboard_shows(
        reads in proptest::collection::vec(goal_read(), 0..12),
        (day, second) in (edge(), 0..86_400_i64),
        zone in proptest::sample::select(jiff::tz::db().available().map(|name| name.as_str().to_owned()).collect::<Vec<_>>()),
        ahead in -1..=1_i32,
        month in 1..=12_u32,
        target in 1..100_000_i64,
    ) {
        let moment = day.and_time(NaiveTime::MIN).and_utc() + TimeDelta::seconds(second);
        let today = Zone::or_utc(Some(&zone)).day_at(moment);
        let running = [Period::year_of(today), Period::month_of(today)];
        let periods = [running[0], running[1], Period::Year(today.year() + ahead), Period::Month(today.year() + ahead, month)];
        let goal = |period, metric, rereads| Goal { period, metric, target, rereads };
        let goals: Vec<_> = periods
            .into_iter()
            .flat_map(|period| [GoalMetric::Books, GoalMetric::Words, GoalMetric::Pages].map(|metric| (period, metric)))
            .flat_map(|(period, metric)| [true, false].map(|rereads| goal(period, metric, rereads)))
            .collect();
        let (mut tally, mut dashboard) = (Tally::of(&goals), statistics::Tally::new(today));
        for read in &reads {
            dashboard.add(&read.row());
            let (first, last) = read.completed.unzip();
            match (read.status, read.place) {
                (BookStatus::Completed, _) => tally.finish(read.counted(), first.filter(|_| first != last), last),
                (BookStatus::InProgress, Some((at, page))) => {
                    tally.hold(read.counted(), ReadingProgress { day: today, at, page });
                }
                _ => {}
            }
        }
        for goal in goals {
            let found = tally.progress(goal, today);
            let days = &DAYS[&goal.period.to_string()];
            let counts = |read: &&Read| goal.rereads || !read.reread;
            let inside: Vec<_> = reads.iter().filter(counts).filter(|read| read.is_within(days)).collect();
            let value: i64 = inside.iter().map(|read| read.size(goal.metric)).sum();
            let gone = days.iter().filter(|day| **day <= today).count();
            // The most that is not above the target's share, found by stepping instead of by a division.
            let share = |expected: i64| expected * i64::try_from(days.len()).unwrap() <= target * i64::try_from(gone).unwrap();
            prop_assert!(share(found.expected) && !share(found.expected + 1), "{goal:?}: {}", found.expected);
            prop_assert_eq!(found.value, value);
            prop_assert_eq!(found.ahead, value - found.expected);
            prop_assert_eq!(found.remaining, std::cmp::max(target - value, 0));
            let is_over = days.last().is_some_and(|last| *last < today);
            let in_hand = reads.iter().filter(counts).map(|read| if is_over { 0 } else { read.in_hand(goal.metric) }).sum::<i64>();
            prop_assert_eq!(found.in_hand, (goal.metric != GoalMetric::Books).then_some(in_hand));
            let without = inside.iter().filter(|read| read.pages.is_none()).count();
            prop_assert_eq!(found.without_pages, (goal.metric == GoalMetric::Pages).then(|| i64::try_from(without).unwrap()));
        }
        let kpis = dashboard.finish().kpis;
        let shown = |metric| tally.progress(goal(running[0], metric, true), today).value;
        prop_assert_eq!((shown(GoalMetric::Books), shown(GoalMetric::Words)), (kpis.books_ytd, kpis.words_ytd));
    }
}

/// The moments around which days are difficult in a zone: New Year, the end of February, and each change of the clock of three years.
fn difficult(zone: &TimeZone) -> Vec<Timestamp> {
    let at = |text: &str| text.parse::<Timestamp>().unwrap();
    let changes = zone.following(at("2023-12-01T00:00:00Z")).map(|change| change.timestamp());
    let edges = ["2024-01-01T00:00:00Z", "2024-02-29T12:00:00Z", "2025-02-28T12:00:00Z", "2026-01-01T00:00:00Z"];
    changes.take_while(|change| *change < at("2026-12-01T00:00:00Z")).chain(edges.map(at)).collect()
}

#[test]
fn a_note_an_hour_never_breaks_a_streak_in_any_time_zone() {
    for name in jiff::tz::db().available().map(|name| name.as_str().to_owned()) {
        let (zone, civil) = (Zone::named(&name), TimeZone::get(&name).unwrap());
        // "Etc/Unknown" is a name for no zone.
        let Some(zone) = zone else { continue };
        for middle in difficult(&civil) {
            let mut noted = Vec::<NaiveDate>::new();
            for second in (-60..=60).flat_map(|hour| [hour * 3600 - 1, hour * 3600]) {
                let moment = DateTime::from_timestamp(middle.as_second() + second, 0).unwrap();
                let day = zone.day_at(moment);
                let clock = civil.to_datetime(Timestamp::from_second(middle.as_second() + second).unwrap());
                assert_eq!(day.to_string(), clock.date().to_string(), "{name} {moment}");
                noted.push(day);
            }
            let today = *noted.last().unwrap();
            let found = streak(StreakUnit::Days, noted.iter().copied(), today);
            assert_eq!(found.since, noted.first().copied(), "{name} {middle}");
            assert_eq!(found.current, (today - noted[0]).num_days() + 1, "{name} {middle}");
            assert!((5..=7).contains(&found.current), "{name} {middle}: {found:?}");
        }
    }
}
