//! An independent recount of the calendar, the streak and the forecast: day by day, without any of the code that is tested.
use std::collections::{BTreeMap, BTreeSet};

use chrono::{Datelike as _, Days, NaiveDate, Weekday};
use proptest::prelude::*;

use super::calendar::{LogEntry, ReadOfLog, days, streak};
use super::forecast::Forecast;
use crate::library::books::model::BookId;
use crate::preferences::model::StreakUnit;

/// The whole of a book, in hundredths of a percent.
const WHOLE: i64 = 10_000;

/// A day around New Year of a leap year and of a common one, and around February 29.
fn day() -> impl Strategy<Value = NaiveDate> {
    let spans = [(2023, 12, 20, 30_u64), (2024, 2, 20, 20), (2024, 12, 20, 30), (2026, 2, 20, 20), (2026, 3, 20, 20)];
    proptest::sample::select(spans.to_vec()).prop_flat_map(|(year, month, day, span)| {
        (0..span).prop_map(move |days| NaiveDate::from_ymd_opt(year, month, day).unwrap() + Days::new(days))
    })
}

fn read() -> impl Strategy<Value = ReadOfLog> {
    let place = prop_oneof![1 => Just(None), 4 => (0..=WHOLE).prop_map(Some)];
    let log = proptest::collection::btree_map(day(), (place, proptest::option::of(0..600_i64)), 1..12);
    let words = prop_oneof![Just(0), Just(1), 1..2_000_000_i64];
    (words, proptest::option::of(1..2_000_i64), proptest::option::of(day()), log, any::<bool>()).prop_map(
        |(words, pages, start, log, begins)| {
            let days: Vec<_> =
                log.into_iter().map(|(day, (at, minutes))| LogEntry { day, at, page: None, minutes }).collect();
            let start = if begins { days.first().map(|first| first.day) } else { start };
            ReadOfLog { id: BookId(0), words, pages, start, days }
        },
    )
}

fn library() -> impl Strategy<Value = Vec<ReadOfLog>> {
    proptest::collection::vec(read(), 0..6).prop_map(|mut reads| {
        for (id, read) in (1..).zip(&mut reads) {
            read.id = BookId(id);
        }
        reads
    })
}

/// What a read was read on a day, of a whole that has so many parts; `None` where nobody knows.
fn amount(read: &ReadOfLog, day: NaiveDate, parts: Option<i64>) -> Option<i64> {
    let parts = parts?;
    let reached = |entry: &LogEntry| entry.at.map(|at| parts * at / WHOLE);
    let now = reached(read.days.iter().find(|entry| entry.day == day)?)?;
    let earlier: Vec<_> = read.days.iter().filter(|entry| entry.day < day).filter_map(reached).collect();
    match earlier.last() {
        Some(before) => Some(std::cmp::max(now - before, 0)),
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
            let of = |read: &&ReadOfLog| read.days.iter().any(|entry| entry.day == day.day);
            let here: Vec<_> = reads.iter().filter(of).collect();
            let minutes = here.iter().map(|read| read.days.iter().find(|entry| entry.day == day.day).unwrap().minutes);
            prop_assert_eq!(day.minutes, sum(minutes));
            let words = here.iter().map(|read| amount(read, day.day, (read.words > 0).then_some(read.words)));
            prop_assert_eq!(day.words, sum(words));
            prop_assert_eq!(day.pages, sum(here.iter().map(|read| amount(read, day.day, read.pages))));
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
        let read = ReadOfLog { start: rising.first().map(|entry| entry.day), days: rising, ..read };
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
