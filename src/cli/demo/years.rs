//! Spreads the demo's readings over the days of some years: long books take longer, holidays have more hours, favourites are read
//! again, and an author's books come in order. The same books and days give the same years.
use std::collections::HashMap;

use chrono::{Datelike as _, Days, NaiveDate, TimeDelta};
use fastrand::Rng;

use super::shelf::{Entry, Shelf};
use crate::library::books::log::{ReadingDay, WHOLE};
use crate::library::books::model::{BookDraft, BookStatus, WordDistribution};
use crate::library::books::rating::Rating;

/// How much is read on a day of each month, from January; only the proportions matter.
const PACE: [u64; 12] = [11, 9, 8, 8, 9, 10, 14, 13, 9, 8, 9, 13];
/// The pause between two books, in words.
const PAUSE: u64 = 15_000;
/// A book with more words is read beside others and does not delay them.
const BESIDE: u64 = 400_000;
/// From this many words a book is stored with its first day and counts for each of its days.
const LONG: u64 = 250_000;
/// The least number of other books between two readings of the same book.
const APART: usize = 60;
/// The seed of the random numbers; any other would do.
const SEED: u64 = 1;
/// The distribution of ratings.
const RATINGS: [i64; 23] = [4, 5, 6, 6, 6, 7, 7, 7, 7, 7, 7, 8, 8, 8, 8, 8, 8, 8, 9, 9, 9, 10, 10];
/// The years of childhood in whose summers books were read.
const SUMMERS: [i32; 3] = [1994, 1995, 1997];
/// One in this many books has no rating.
const UNRATED: u8 = 20;

/// A library: undated books, then those finished from the first to the last day, then those in progress on the last day.
pub fn library(entries: &[Entry], first: NaiveDate, last: NaiveDate) -> Vec<BookDraft> {
    let mut rng = Rng::with_seed(SEED);
    let on = |shelf| entries.iter().filter(move |entry| entry.shelf == shelf);
    let mut drafts: Vec<_> = on(Shelf::Undated).skip(SUMMERS.len()).map(|entry| undated(entry, &mut rng)).collect();
    drafts.extend(on(Shelf::Undated).zip(SUMMERS).map(|(entry, year)| long_ago(entry, year, &mut rng)));
    drafts.extend(finished(entries, first, last, &mut rng));
    drafts.extend(on(Shelf::Reading).map(|entry| reading(entry, last, &mut rng)));
    drafts.extend(on(Shelf::Paused).map(|entry| paused(entry, last)));
    drafts.extend(on(Shelf::Left).map(|entry| given_up(entry, last)));
    drafts
}

fn paused(entry: &Entry, last: NaiveDate) -> BookDraft {
    let before = |days| last.checked_sub_days(Days::new(days));
    BookDraft { status: BookStatus::InProgress, start_date: before(120), paused_since: before(80), ..entry.draft() }
}

fn given_up(entry: &Entry, last: NaiveDate) -> BookDraft {
    let before = |days| last.checked_sub_days(Days::new(days));
    let rating = Some(Rating::of_tenths(45));
    BookDraft {
        status: BookStatus::DidNotFinish,
        start_date: before(400),
        stopped_date: before(380),
        rating,
        ..entry.draft()
    }
}

/// The places that were noted: of a read that is not finished a little more every few days, up to the last day or to the end of reading;
/// of one that was finished within a year every other day.
pub fn log(draft: &BookDraft, last: NaiveDate) -> Vec<ReadingDay> {
    let Some(start) = draft.start_date else { return Vec::new() };
    if let Some(end) = draft.date_completed {
        let length = (end - start).num_days().max(1);
        let days = start.iter_days().step_by(2).take_while(|day| *day < end && last - start < TimeDelta::days(365));
        let at = |day: NaiveDate| ((day - start).num_days() + 1) * WHOLE / (length + 1);
        return days.map(|day| ReadingDay { at: Some(at(day)), ..ReadingDay::of(day) }).collect();
    }
    let end = draft.stopped_date.or(draft.paused_since).unwrap_or(last);
    let days = start.iter_days().step_by(4).take_while(|day| *day <= end);
    let places = (1_i64..=18).map(|nth| nth * 430);
    days.zip(places).map(|(day, at)| ReadingDay { at: Some(at), ..ReadingDay::of(day) }).collect()
}

/// A book of which only the summer is known.
fn long_ago(entry: &Entry, year: i32, rng: &mut Rng) -> BookDraft {
    BookDraft {
        status: BookStatus::Completed,
        completed_from: NaiveDate::from_ymd_opt(year, 6, 1),
        date_completed: NaiveDate::from_ymd_opt(year, 8, 31),
        ..undated(entry, rng)
    }
}

fn undated(entry: &Entry, rng: &mut Rng) -> BookDraft {
    BookDraft { status: BookStatus::Undated, rating: Some(Rating::points(rng.i64(7..=10))), ..entry.draft() }
}

fn reading(entry: &Entry, last: NaiveDate, rng: &mut Rng) -> BookDraft {
    let start_date = last.checked_sub_days(Days::new(rng.u64(5..40)));
    BookDraft { status: BookStatus::InProgress, start_date, ..entry.draft() }
}

fn finished(entries: &[Entry], first: NaiveDate, last: NaiveDate, rng: &mut Rng) -> Vec<BookDraft> {
    let sequence = sequence(entries, rng);
    let total: u64 = sequence.iter().map(|(entry, _)| cost(entry)).sum();
    let calendar = Calendar::new(first, last);
    let (mut read, mut before) = (0, first);
    let mut drafts = Vec::with_capacity(sequence.len());
    for (entry, reread) in sequence {
        read += cost(entry);
        let day = calendar.day_of(read, total);
        drafts.push(completed(entry, reread, before, day, rng));
        before = day;
    }
    drafts
}

/// Every dated reading in order, and whether it is a reread.
fn sequence<'e>(entries: &'e [Entry], rng: &mut Rng) -> Vec<(&'e Entry, bool)> {
    let dated = || entries.iter().filter(|entry| matches!(entry.shelf, Shelf::Read | Shelf::Again));
    let mut authors: Vec<_> = dated().map(|entry| entry.author.as_str()).collect();
    rng.shuffle(&mut authors);
    let mut shelves = HashMap::<&str, Vec<&Entry>>::new();
    for entry in dated().rev() {
        shelves.entry(&entry.author).or_default().push(entry);
    }
    let next = |author| shelves.get_mut(author).and_then(Vec::pop);
    let mut sequence: Vec<_> = authors.into_iter().filter_map(next).map(|entry| (entry, false)).collect();
    for entry in dated().filter(|entry| entry.shelf == Shelf::Again) {
        let mut former = sequence.iter().position(|(other, _)| std::ptr::eq(*other, entry)).unwrap_or(0);
        if former + APART > sequence.len() {
            // Too late for a reread, so the first reading is earlier.
            let first = sequence.remove(former);
            former /= 2;
            sequence.insert(former, first);
        }
        let earliest = (former + APART).min(sequence.len());
        sequence.insert(rng.usize(earliest..=sequence.len()), (entry, true));
    }
    sequence
}

fn completed(entry: &Entry, reread: bool, before: NaiveDate, day: NaiveDate, rng: &mut Rng) -> BookDraft {
    let long = entry.words >= LONG;
    let rating = if entry.shelf == Shelf::Again {
        Some(rng.i64(9..=10))
    } else {
        rng.choice(RATINGS).filter(|_| rng.u8(0..UNRATED) > 0)
    };
    let mut draft =
        BookDraft { date_completed: Some(day), rating: rating.map(Rating::points), reread, ..entry.draft() };
    if long || rng.u8(0..4) == 0 {
        let between = u64::try_from((day - before).num_days()).unwrap_or(0);
        draft.start_date = day.checked_sub_days(Days::new(between.max(2) + rng.u64(0..6)));
        if long || rng.bool() {
            draft.word_distribution = WordDistribution::Spread;
        }
    }
    draft
}

/// How long a book takes, in words.
fn cost(entry: &Entry) -> u64 {
    entry.words.min(BESIDE) + PAUSE
}

/// The days of some years with their reading hours.
struct Calendar {
    first: NaiveDate,
    last: NaiveDate,
    /// For each day, the sum of hours up to its end.
    hours: Vec<u64>,
}

impl Calendar {
    fn new(first: NaiveDate, last: NaiveDate) -> Self {
        let month = |day: NaiveDate| usize::try_from(day.month0()).unwrap_or(0);
        let hours = first.iter_days().take_while(|day| *day <= last).scan(0, |sum, day| {
            *sum += PACE[month(day)];
            Some(*sum)
        });
        Self { first, last, hours: hours.collect() }
    }

    /// The day on which `read` of `total` words are reached; all of them on the last day.
    fn day_of(&self, read: u64, total: u64) -> NaiveDate {
        let all = self.hours.last().copied().unwrap_or(0);
        let days = self.hours.partition_point(|hours| hours * total < read * all);
        let day = u64::try_from(days).ok().and_then(|days| self.first.checked_add_days(Days::new(days)));
        day.map_or(self.last, |day| day.min(self.last))
    }
}
