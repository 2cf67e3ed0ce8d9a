//! An independent recount of the review: book by book and day by day, without the arithmetic that is tested.
use std::collections::{BTreeMap, BTreeSet};

use chrono::{Datelike as _, Days, NaiveDate};
use proptest::prelude::*;

use super::model::{Collector, Figures};
use super::totals::{Counted, ReviewTotals, Sum, days_before, days_of};
use crate::library::books::filter::{BookRow, is_visible};
use crate::library::books::log;
use crate::library::books::model::{BookFormat, BookId, BookStatus, WordDistribution};
use crate::library::books::rating::Rating;
use crate::reading::period::Period;

#[derive(Debug, Clone)]
struct Made {
    status: BookStatus,
    author: usize,
    work: i64,
    words: i64,
    pages: Option<i64>,
    first: NaiveDate,
    last: NaiveDate,
    start: Option<NaiveDate>,
    is_spread: bool,
    places: BTreeMap<NaiveDate, i64>,
    tenths: Option<i64>,
    reread: bool,
}

const AUTHORS: [&str; 5] = ["Emma", "Frank", "Octavia", "Ursula", "紫式部"];
const AUTHOR_KEYS: [&str; 5] = ["emma", "frank", "octavia", "ursula", "紫式部"];

/// A day around New Year, around February 29 and February 28, or anywhere between.
fn day() -> impl Strategy<Value = NaiveDate> {
    let spans = [(2023, 12, 25, 14_u64), (2024, 2, 25, 8), (2024, 12, 25, 14), (2025, 2, 25, 8), (2023, 6, 1, 900)];
    proptest::sample::select(spans.to_vec()).prop_flat_map(|(year, month, day, span)| {
        (0..span).prop_map(move |days| NaiveDate::from_ymd_opt(year, month, day).unwrap() + Days::new(days))
    })
}

fn made() -> impl Strategy<Value = Made> {
    let status = proptest::sample::select(vec![
        BookStatus::Completed,
        BookStatus::Completed,
        BookStatus::Completed,
        BookStatus::Completed,
        BookStatus::Undated,
        BookStatus::InProgress,
        BookStatus::DidNotFinish,
    ]);
    let words = prop_oneof![1 => Just(0), 1 => Just(60_000), 4 => 1..300_000_i64];
    let length = prop_oneof![2 => Just(0), 2 => 1..31_u64, 1 => 31..500_u64];
    let places = proptest::collection::btree_map(day(), 0..=10_000_i64, 0..4);
    let numbers = (0..AUTHORS.len(), 1..5_i64, words, proptest::option::of(1..900_i64));
    let flags = (any::<bool>(), any::<bool>(), 0..4_u8);
    let rated = proptest::option::of(0..=100_i64);
    (status, numbers, day(), length, flags, places, rated).prop_map(
        |(status, (author, work, words, pages), last, length, (is_spread, reread, kind), places, tenths)| {
            let early = last - Days::new(length);
            let is_rough = kind == 0;
            let start = (kind == 1 || kind == 2).then_some(early);
            let places: BTreeMap<_, _> = if kind == 3 { places } else { BTreeMap::new() };
            let places = places.into_iter().filter(|(day, _)| *day <= last).collect();
            let first = if is_rough { early } else { last };
            Made { status, author, work, words, pages, first, last, start, is_spread, places, tenths, reread }
        },
    )
}

fn period() -> impl Strategy<Value = Period> {
    prop_oneof![
        (2023..=2026_i32).prop_map(Period::Year),
        (2023..=2025_i32, prop_oneof![Just(1), Just(2), Just(12), 1..=12_u32])
            .prop_map(|(year, month)| Period::Month(year, month)),
    ]
}

impl Made {
    fn is_finished(&self) -> bool {
        matches!(self.status, BookStatus::Completed | BookStatus::Undated)
    }

    fn dates(&self) -> Option<(NaiveDate, NaiveDate)> {
        (self.status == BookStatus::Completed).then_some((self.first, self.last))
    }

    fn stopped(&self) -> Option<NaiveDate> {
        (self.status == BookStatus::DidNotFinish && !self.reread).then_some(self.last)
    }

    fn row(&self, id: i64) -> BookRow<'static> {
        BookRow {
            id: BookId(id),
            status: self.status,
            date_completed: self.dates().map(|(_, last)| last),
            start_date: self.start,
            word_count: self.words,
            rating: self.tenths.map(Rating::of_tenths),
            format: BookFormat::Print,
            reread: self.reread,
            word_distribution: match self.is_spread {
                _ if !self.places.is_empty() => WordDistribution::Logged,
                true => WordDistribution::Spread,
                false => WordDistribution::Final,
            },
            title: "T",
            author: AUTHORS[self.author],
            title_key: "t",
            author_key: AUTHOR_KEYS[self.author],
            genres: "Novel",
            completed_from: self.dates().filter(|(first, last)| first < last).map(|(first, _)| first),
        }
    }

    fn counted(&self) -> Counted {
        Counted {
            status: self.status,
            work: BookId(self.work),
            completion: self.dates(),
            stopped: self.stopped(),
            words: self.words,
            pages: self.pages,
            minutes: None,
            reread: self.reread,
        }
    }

    /// The exact words and the about-words of each day.
    fn by_day(&self) -> (BTreeMap<NaiveDate, i64>, BTreeMap<NaiveDate, i64>) {
        let (mut exact, mut about) = (BTreeMap::new(), BTreeMap::new());
        let even = |days: &mut BTreeMap<NaiveDate, i64>, words: i64, from: NaiveDate, to: NaiveDate| {
            let length = (to - from).num_days() + 1;
            for (n, day) in (1..=length).zip(from.iter_days()) {
                *days.entry(day).or_default() += words * n / length - words * (n - 1) / length;
            }
        };
        let Some((first, last)) = self.dates() else { return (exact, about) };
        if (first.year(), first.month()) != (last.year(), last.month()) {
            if (last - first).num_days() < 366 {
                even(&mut about, self.words, first, last);
            }
        } else if !self.places.is_empty() {
            let mut reached = 0;
            for (day, place) in &self.places {
                if *place > reached {
                    *exact.entry(*day).or_default() += self.words * place / 10_000 - self.words * reached / 10_000;
                    reached = *place;
                }
            }
            *exact.entry(last).or_default() += self.words - self.words * reached / 10_000;
        } else {
            even(&mut exact, self.words, self.start.filter(|_| self.is_spread).unwrap_or(last), last);
        }
        (exact, about)
    }
}

/// The figures of the days that a test accepts.
fn figures(books: &[&Made], noted: &BTreeSet<NaiveDate>, within: impl Fn(NaiveDate) -> bool) -> ReviewTotals {
    let read: Vec<_> =
        books.iter().filter(|book| book.dates().is_some_and(|(first, last)| within(first) && within(last))).collect();
    let count = |number: usize| i64::try_from(number).unwrap();
    ReviewTotals {
        books: count(read.len()),
        titles: count(read.iter().map(|book| book.work).collect::<BTreeSet<_>>().len()),
        words: read.iter().map(|book| book.words).sum(),
        pages: read.iter().filter_map(|book| book.pages).sum(),
        minutes: 0,
        rereads: count(read.iter().filter(|book| book.reread).count()),
        not_finished: count(books.iter().filter(|book| book.stopped().is_some_and(&within)).count()),
        days_read: count(noted.iter().filter(|day| within(**day)).count()),
    }
}

/// What a review says of a book: its number.
fn number(book: Option<&crate::statistics::model::ShelfBook>) -> Option<i64> {
    book.map(|book| book.id.0)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    #[test]
    fn the_review_is_what_a_recount_says(
        library in proptest::collection::vec(made(), 0..12),
        noted in proptest::collection::btree_set(day(), 0..12),
        period in period(), today in day(), from in proptest::option::weighted(0.3, day()),
    ) {
        let shows = |book: &Made| book.dates().is_none_or(|(_, last)| from.is_none_or(|from| from <= last))
            && book.stopped().is_none_or(|day| from.is_none_or(|from| from <= day));
        let mut collector = Collector::new(period, today);
        let (mut now, mut before) = (Sum::over(days_of(period)), Sum::over(days_before(period, today)));
        for (id, book) in (1..).zip(&library) {
            let row = book.row(id);
            collector.add(&row, None, is_visible(row.date_completed, from));
            if shows(book) {
                now.add(&book.counted());
                before.add(&book.counted());
            }
        }
        // As the table of months has them, which is written with each change of a log.
        for (id, book) in (1..).zip(&library).filter(|(_, book)| book.dates().is_some() && !book.places.is_empty()) {
            let places: Vec<_> = book.places.iter().map(|(day, place)| (*day, *place)).collect();
            for share in log::months(book.words, None, book.last, &places) {
                collector.add_logged(BookId(id), share.month, share.words);
            }
        }
        noted.iter().for_each(|day| {
            now.add_day(*day);
            before.add_day(*day);
        });
        let figures_found = Figures { totals: now.totals(), before: before.totals(), ..Figures::default() };
        let review = collector.finish(figures_found, today, from);

        // The period and the one before, by the text of days.
        let name = period.to_string();
        let within = |day: NaiveDate| day.to_string().starts_with(&name);
        let year = name[..4].parse::<i32>().unwrap() - 1;
        let earlier = format!("{year}{}", &name[4..]);
        let runs = within(today);
        let limit = match today.to_string() {
            day if day.ends_with("-02-29") => format!("{year}-02-28"),
            day => format!("{year}{}", &day[4..]),
        };
        let within_before = |day: NaiveDate| {
            let text = day.to_string();
            text.starts_with(&earlier) && (!runs || text <= limit)
        };
        let visible: Vec<_> = library.iter().filter(|book| shows(book)).collect();
        prop_assert_eq!(review.totals, figures(&visible, &noted, within));
        prop_assert_eq!(review.before, figures(&visible, &noted, within_before));
        let over = *name < today.to_string()[..name.len()];
        prop_assert_eq!(review.complete, over);

        // Months.
        let mut months = BTreeMap::<String, (i64, i64, i64)>::new();
        let mut others = BTreeMap::<String, i64>::new();
        let mut own = 0;
        for book in &visible {
            let (exact, about) = book.by_day();
            if let Some((first, last)) = book.dates().filter(|(first, last)| first.format("%Y-%m").to_string() == last.format("%Y-%m").to_string()) {
                let _ = first;
                months.entry(last.format("%Y-%m").to_string()).or_default().1 += 1;
            }
            for (day, words) in exact {
                months.entry(day.format("%Y-%m").to_string()).or_default().0 += words;
                if within(day) {
                    if within(book.last) {
                        own += words;
                    } else {
                        *others.entry(book.last.to_string()[..name.len()].to_owned()).or_default() += words;
                    }
                }
            }
            for (day, words) in about {
                months.entry(day.format("%Y-%m").to_string()).or_default().2 += words;
            }
        }
        let wanted = if name.len() == 4 { (1..=12).map(|month| format!("{name}-{month:02}")).collect() } else { vec![name.clone()] };
        let found: Vec<_> = review.months.iter().map(|month| (month.month.clone(), (month.words, month.books, month.about_words))).collect();
        let expected: Vec<_> = wanted.into_iter().map(|month| (month.clone(), months.get(&month).copied().unwrap_or_default())).collect();
        prop_assert_eq!(found, expected);
        let named: BTreeMap<_, _> = review.other_words.iter().map(|other| (other.period.to_string(), other.words)).collect();
        others.retain(|_, words| *words > 0);
        prop_assert_eq!(named, others);
        prop_assert_eq!(review.words_outside_months, review.totals.words - own);
        let said: i64 = review.other_words.iter().map(|other| other.words).sum();
        prop_assert_eq!(review.months.iter().map(|month| month.words).sum::<i64>(), review.totals.words - review.words_outside_months + said);

        // Books, oldest first.
        let mut read: Vec<(i64, &Made)> = (1..).zip(&library).filter(|(_, book)| shows(book) && book.dates().is_some_and(|(first, last)| within(first) && within(last))).collect();
        read.sort_by_key(|(id, book)| (book.last, *id));
        prop_assert_eq!(review.shelf.iter().map(|book| book.id.0).collect::<Vec<_>>(), read.iter().map(|(id, _)| *id).collect::<Vec<_>>());
        let worded: Vec<_> = read.iter().filter(|(_, book)| book.words > 0).collect();
        let most = worded.iter().map(|(_, book)| book.words).max();
        let fewest = worded.iter().map(|(_, book)| book.words).min();
        let of_words = |words: Option<i64>| worded.iter().find(|(_, book)| Some(book.words) == words).map(|(id, _)| *id);
        prop_assert_eq!(number(review.longest.as_ref()), of_words(most));
        prop_assert_eq!(number(review.shortest.as_ref()), of_words(fewest));
        let exact: Vec<_> = read.iter().filter(|(_, book)| book.first == book.last).collect();
        prop_assert_eq!(number(review.first.as_ref()), exact.first().map(|(id, _)| *id));
        prop_assert_eq!(number(review.last.as_ref()), exact.last().map(|(id, _)| *id));
        let mut fastest: Option<(i64, i64, i64)> = None;
        for (id, book) in exact.iter().filter(|(_, book)| book.words > 0) {
            if let Some(start) = book.start {
                let days = (book.last - start).num_days() + 1;
                if fastest.is_none_or(|(_, words, other)| book.words * other > words * days) {
                    fastest = Some((*id, book.words, days));
                }
            }
        }
        let pace = serde_json::to_value(&review.fastest).unwrap();
        let named = pace["id"].as_i64().zip(pace["wordsPerDay"].as_i64());
        prop_assert_eq!(named, fastest.map(|(id, words, days)| (id, words / days)));
        let mut best: Vec<_> = read.iter().filter(|(_, book)| book.tenths.is_some()).collect();
        best.sort_by(|(_, one), (_, two)| two.tenths.cmp(&one.tenths).then(two.words.cmp(&one.words)));
        prop_assert_eq!(review.best.iter().map(|book| book.id.0).collect::<Vec<_>>(), best.iter().take(10).map(|(id, _)| *id).collect::<Vec<_>>());

        // Ratings, authors, and what is missing.
        let rated: Vec<_> = best.iter().filter_map(|(_, book)| book.tenths).collect();
        let average = (!rated.is_empty()).then(|| {
            let (sum, count) = (rated.iter().sum::<i64>(), i64::try_from(rated.len()).unwrap());
            sum / count + i64::from(sum % count * 2 >= count)
        });
        let shown = review.average_rating.map(|average| format!("{average:.1}"));
        prop_assert_eq!(shown, average.map(|tenths| format!("{}.{}", tenths / 10, tenths % 10)));
        let given: BTreeSet<_> = rated.iter().copied().collect();
        let counts: Vec<_> = given.into_iter().map(|tenths| (tenths, rated.iter().filter(|one| **one == tenths).count())).collect();
        prop_assert_eq!(review.ratings.iter().map(|one| (one.rating.tenths(), usize::try_from(one.books).unwrap())).collect::<Vec<_>>(), counts);
        let known: BTreeSet<_> = library.iter().filter(|book| book.is_finished() && book.dates().is_none_or(|(first, _)| first < period.first())).map(|book| book.author).collect();
        let mut new = Vec::new();
        for (_, book) in &read {
            if !known.contains(&book.author) && !new.contains(&AUTHORS[book.author]) {
                new.push(AUTHORS[book.author]);
            }
        }
        prop_assert_eq!(&review.new_authors, &new);
        let mut authors = BTreeMap::<&str, (i64, i64)>::new();
        for (_, book) in &read {
            let sum = authors.entry(AUTHORS[book.author]).or_default();
            *sum = (sum.0 + book.words, sum.1 + 1);
        }
        let mut authors: Vec<_> = authors.into_iter().collect();
        authors.sort_by_key(|(_, sum)| -sum.0);
        prop_assert_eq!(review.authors.iter().map(|one| (one.name.as_str(), (one.words, one.books))).collect::<Vec<_>>(), authors);
        let undated = library.iter().filter(|book| book.status == BookStatus::Undated).count();
        prop_assert_eq!(review.missing.date, i64::try_from(undated).unwrap());
        prop_assert_eq!(review.missing.words, i64::try_from(read.iter().filter(|(_, book)| book.words == 0).count()).unwrap());
        prop_assert_eq!(review.missing.rating, i64::try_from(read.len() - rated.len()).unwrap());
    }
}
