//! Counts the dashboard's numbers a second time, day by day and without the program's own arithmetic, over libraries made at random.
use std::collections::BTreeMap;

use chrono::{Datelike as _, NaiveDate, TimeDelta};
use proptest::prelude::*;

use super::*;
use crate::library::books::log;
use crate::library::books::model::{BookFormat, BookStatus, WordDistribution};
use crate::library::books::rating::Rating;

/// A read as the test makes it.
#[derive(Debug, Clone)]
struct Read {
    status: BookStatus,
    words: i64,
    first: Option<NaiveDate>,
    last: Option<NaiveDate>,
    start: Option<NaiveDate>,
    is_spread: bool,
    /// The places of a read that is counted by its log, in hundredths of a percent; empty for other reads.
    log: BTreeMap<NaiveDate, i64>,
    tenths: Option<i64>,
    reread: bool,
}

impl Read {
    fn is_finished(&self) -> bool {
        ["completed", "undated"].contains(&self.status.name())
    }

    fn row(&self, id: i64) -> BookRow<'static> {
        BookRow {
            id: BookId(id),
            status: self.status,
            date_completed: self.last,
            start_date: self.start,
            word_count: self.words,
            rating: self.tenths.map(Rating::of_tenths),
            format: BookFormat::Print,
            reread: self.reread,
            word_distribution: match self.is_spread {
                _ if !self.log.is_empty() => WordDistribution::Logged,
                true => WordDistribution::Spread,
                false => WordDistribution::Final,
            },
            title: "T",
            author: "A",
            title_key: "t",
            author_key: "a",
            genres: "",
            completed_from: self.first.filter(|first| Some(*first) != self.last),
        }
    }
}

fn day_after(start: &str, days: i64) -> NaiveDate {
    start.parse::<NaiveDate>().unwrap() + TimeDelta::days(days)
}

/// Reads around the turn of two years: exact days, spans, logs, rough dates of up to three years, and reads that don't count.
fn reads() -> impl Strategy<Value = Vec<Read>> {
    let days = (0..1_100_i64, 0..1_100_i64);
    let places = proptest::collection::btree_map(0..1_100_i64, 0..=10_000_i64, 1..8);
    let one = (0..6_usize, days, 0..200_000_i64, proptest::option::of(0..=100_i64), any::<bool>(), places).prop_map(
        |(kind, (at, length), words, tenths, flag, places)| {
            let last = day_after("2023-01-01", at);
            let before = last - TimeDelta::days(length);
            let read = Read {
                status: BookStatus::Completed,
                words,
                first: Some(last),
                last: Some(last),
                start: None,
                is_spread: false,
                log: BTreeMap::new(),
                tenths,
                reread: flag,
            };
            let log = places.into_iter().map(|(day, place)| (before + TimeDelta::days(day % (length + 1)), place));
            let without_date = Read { first: None, last: None, ..read.clone() };
            match kind {
                0 => read,
                1 => Read { start: Some(before), is_spread: flag, ..read },
                2 => Read { first: Some(before), ..read },
                3 => Read { status: BookStatus::Undated, ..without_date },
                4 => Read { start: Some(before).filter(|_| flag), log: log.collect(), ..read },
                _ if flag => Read { status: BookStatus::InProgress, tenths: None, start: Some(before), ..without_date },
                _ => Read { status: BookStatus::DidNotFinish, ..without_date },
            }
        },
    );
    proptest::collection::vec(one, 0..40)
}

fn month_of(day: NaiveDate) -> String {
    day.format("%Y-%m").to_string()
}

/// The words of each month when a read's words are spread over its days: through day n of d there are `words * n / d`, rounded down.
fn by_day(words: i64, first: NaiveDate, last: NaiveDate) -> BTreeMap<String, i64> {
    let days = (last - first).num_days() + 1;
    let mut months = BTreeMap::new();
    for n in 1..=days {
        let today = words * n / days - words * (n - 1) / days;
        *months.entry(month_of(first + TimeDelta::days(n - 1))).or_default() += today;
    }
    months
}

/// The words of each month of a read with a log: each rise counts on its day, the first one is spread from the start on, and the rest
/// counts on the last day.
fn by_log(read: &Read, last: NaiveDate) -> BTreeMap<String, i64> {
    let (mut months, mut reached) = (BTreeMap::new(), 0);
    for (day, place) in &read.log {
        let part = read.words * place / 10_000 - read.words * reached / 10_000;
        match read.start.filter(|start| reached == 0 && start < day) {
            _ if *place <= reached => continue,
            Some(start) => by_day(part, start, *day)
                .into_iter()
                .for_each(|(month, words)| *months.entry(month).or_default() += words),
            None => *months.entry(month_of(*day)).or_default() += part,
        }
        reached = *place;
    }
    *months.entry(month_of(last)).or_default() += read.words - read.words * reached / 10_000;
    months
}

/// Exact words, books and about-words of each month with any of them.
fn months(reads: &[Read]) -> BTreeMap<String, (i64, i64, i64)> {
    let mut months: BTreeMap<String, (i64, i64, i64)> = BTreeMap::new();
    for read in reads.iter().filter(|read| read.is_finished()) {
        let (Some(first), Some(last)) = (read.first, read.last) else { continue };
        if month_of(first) == month_of(last) {
            months.entry(month_of(last)).or_default().1 += 1;
            let begun = read.start.filter(|_| read.is_spread).unwrap_or(last);
            let shares = if read.log.is_empty() { by_day(read.words, begun, last) } else { by_log(read, last) };
            for (month, words) in shares {
                months.entry(month).or_default().0 += words;
            }
        } else if (last - first).num_days() < 366 {
            for (month, words) in by_day(read.words, first, last) {
                months.entry(month).or_default().2 += words;
            }
        }
    }
    months
}

/// Words and books of the reads whose days are all within two days.
fn within(reads: &[Read], from: NaiveDate, to: NaiveDate) -> (i64, i64) {
    let inside = |read: &&Read| {
        read.is_finished() && read.first.is_some_and(|day| day >= from) && read.last.is_some_and(|day| day <= to)
    };
    let found: Vec<_> = reads.iter().filter(inside).collect();
    (found.iter().map(|read| read.words).sum(), i64::try_from(found.len()).unwrap())
}

/// The average in tenths, halves away from zero.
fn average(reads: &[Read]) -> Option<i64> {
    let rated: Vec<i64> = reads.iter().filter(|read| read.is_finished()).filter_map(|read| read.tenths).collect();
    let count = i64::try_from(rated.len()).unwrap();
    let sum: i64 = rated.iter().sum();
    (count > 0).then(|| if (sum % count) * 2 >= count { sum / count + 1 } else { sum / count })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn the_dashboard_is_what_a_second_count_finds(reads in reads(), today in 0..1_200_i64) {
        let today = day_after("2023-01-01", today);
        let mut tally = Tally::new(today);
        for (id, read) in (1..).zip(&reads) {
            tally.add(&read.row(id));
        }
        // As the table of months has them, which is written with each change of a log.
        for BookId(id) in tally.take_logged() {
            let read = &reads[usize::try_from(id).unwrap() - 1];
            let places: Vec<_> = read.log.iter().map(|(day, place)| (*day, *place)).collect();
            for share in log::months(read.words, read.start, read.last.unwrap(), &places) {
                tally.add_logged(share.month, share.words);
            }
        }
        let Found { kpis, months: shown, shelf, .. } = tally.finish();
        let finished: Vec<_> = reads.iter().filter(|read| read.is_finished()).collect();
        let count = |number: usize| i64::try_from(number).unwrap();
        let year = (NaiveDate::from_ymd_opt(today.year(), 1, 1).unwrap(), NaiveDate::from_ymd_opt(today.year(), 12, 31).unwrap());
        prop_assert_eq!(kpis.total_words, finished.iter().map(|read| read.words).sum::<i64>());
        prop_assert_eq!(kpis.books_read, count(finished.len()));
        prop_assert_eq!(kpis.rereads, count(finished.iter().filter(|read| read.reread).count()));
        prop_assert_eq!((kpis.words_ytd, kpis.books_ytd), within(&reads, year.0, year.1));
        let recent = within(&reads, today - TimeDelta::days(30), today);
        prop_assert_eq!((kpis.words_last30_days, kpis.books_last30_days), recent);
        prop_assert_eq!(kpis.average_rating.map(|average| format!("{average:.1}")), average(&reads).map(|tenths| format!("{}.{}", tenths / 10, tenths % 10)));
        prop_assert_eq!(count(shelf.books.len()), kpis.books_read);

        // No month between the first and the last is missing, and each has what the second count found.
        let expected = months(&reads);
        let named: BTreeMap<_, _> = shown.iter().map(|month| (month.month.clone(), (month.words, month.books, month.about_words))).collect();
        for (month, sums) in &expected {
            if *sums != (0, 0, 0) {
                prop_assert_eq!(named.get(month), Some(sums), "{}", month);
            }
        }
        for (month, sums) in &named {
            prop_assert_eq!(*sums, expected.get(month).copied().unwrap_or_default(), "{}", month);
        }
        if let (Some(first), Some(last)) = (shown.first(), shown.last()) {
            let number = |name: &str| name[..4].parse::<usize>().unwrap() * 12 + name[5..].parse::<usize>().unwrap();
            prop_assert_eq!(shown.len(), number(&last.month) - number(&first.month) + 1);
        }
    }
}
