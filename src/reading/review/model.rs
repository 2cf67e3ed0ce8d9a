//! A review, collected in one pass over a library. Pure functions: the current day is an argument.
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use chrono::NaiveDate;
use foldhash::{HashMap, HashSet};
use serde::Serialize;
use utoipa::ToSchema;

use super::totals::{ReviewTotals, days_of};
use crate::kit::named::named;
use crate::library::books::authors::each_author_with_key;
use crate::library::books::filter::BookRow;
use crate::library::books::model::{BookId, WordDistribution};
use crate::library::books::rating::Rating;
use crate::library::months;
use crate::library::text::name_key;
use crate::reading::calendar::ReadingStreak;
use crate::reading::period::Period;
use crate::statistics::model::{Found, ShelfBook, Tally, WordsByFormat, WordsByName};
use crate::statistics::monthly::{MonthSums, MonthlyWords};

/// The most names of a list, and the most books among the best.
const MOST: usize = 10;

/// A book and its pace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FastBook {
    #[serde(flatten)]
    book: ShelfBook,
    /// The words of the book over its days, from the start to the completion, both included; rounded down.
    words_per_day: i64,
}

/// A rating, and how often it was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct BooksByRating {
    /// 0 to 10, with at most one decimal.
    #[schema(value_type = f64)]
    pub rating: Rating,
    /// The number of reads with this rating.
    pub books: i64,
}

/// Words of the months that belong to books of another period.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct WordsOfPeriod {
    /// The year or the month in which the books were finished.
    #[schema(value_type = String, pattern = r"^(19\d{2}|20\d{2}|2100)(-(0[1-9]|1[0-2]))?$")]
    pub period: Period,
    /// The words of these books that count for the months of the review.
    pub words: i64,
}

/// How many reads lack something.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct ReviewMissing {
    /// Finished reads of the whole library without any date.
    pub date: i64,
    /// Reads of the period without words.
    pub words: i64,
    /// Reads of the period without a rating.
    pub rating: i64,
}

named! {
    /// How much of a period the plan shows.
    ReviewShown {
        /// Every day.
        All = "all",
        /// Its last days.
        Part = "part",
        /// No day.
        None = "none",
    }
}

impl ReviewShown {
    /// What is shown of a period from a day on.
    pub fn of(period: Period, from: Option<NaiveDate>) -> Self {
        match from {
            Some(from) if from > period.last() => Self::None,
            Some(from) if from > period.first() => Self::Part,
            _ => Self::All,
        }
    }
}

/// A year or a month of reading.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Review {
    /// A year or a month: 2026 or 2026-11.
    #[schema(value_type = String, pattern = r"^(19\d{2}|20\d{2}|2100)(-(0[1-9]|1[0-2]))?$")]
    pub period: Period,
    /// Whether the period is over.
    pub complete: bool,
    /// How much of the period the plan shows.
    pub shown: ReviewShown,
    /// The months of history that the plan shows; null means all.
    #[schema(required)]
    pub limited_to_months: Option<u32>,
    /// The figures of the period.
    pub totals: ReviewTotals,
    /// The figures of the year before, or of the same month of the year before; while the period runs, of its same days.
    pub before: ReviewTotals,
    /// Every month of the period, as in Words per Month of the statistics.
    pub months: Vec<MonthlyWords>,
    /// The words in `months` of books that were finished in another period, oldest period first.
    pub other_words: Vec<WordsOfPeriod>,
    /// The words in `totals` that are not in the words of `months`: read in other months, or on a day too rough for one month.
    pub words_outside_months: i64,
    /// The newest reads of the period, oldest first, at most 500.
    pub shelf: Vec<ShelfBook>,
    /// The read with most words.
    #[schema(required)]
    pub longest: Option<ShelfBook>,
    /// The read with fewest words, at least one.
    #[schema(required)]
    pub shortest: Option<ShelfBook>,
    /// The read with an exact start and completion that has most words a day.
    #[schema(required)]
    pub fastest: Option<FastBook>,
    /// The first read that was finished on an exact day.
    #[schema(required)]
    pub first: Option<ShelfBook>,
    /// The last read that was finished on an exact day.
    #[schema(required)]
    pub last: Option<ShelfBook>,
    /// The best rated reads, at most 10: best rating first, then most words.
    pub best: Vec<ShelfBook>,
    /// At most 10, most words first.
    pub genres: Vec<WordsByName>,
    /// At most 10, most words first.
    pub authors: Vec<WordsByName>,
    /// Authors of the period that were not read before it, in the order of completion.
    pub new_authors: Vec<String>,
    /// Most words first.
    pub formats: Vec<WordsByFormat>,
    /// Ratings that were given, lowest first.
    pub ratings: Vec<BooksByRating>,
    /// Average over the rated reads, with one decimal, rounded half away from zero.
    #[schema(required)]
    pub average_rating: Option<f64>,
    /// The streak of today, as in the calendar; null while it is switched off.
    #[schema(required)]
    pub streak: Option<ReadingStreak>,
    /// What would make the review more complete.
    pub missing: ReviewMissing,
}

/// The books with the lowest keys, at most so many.
#[derive(Debug)]
struct Leading<K> {
    most: usize,
    books: Vec<(K, ShelfBook)>,
}

impl<K: Ord> Leading<K> {
    fn new(most: usize) -> Self {
        Self { most, books: Vec::new() }
    }

    fn offer(&mut self, key: K, book: &BookRow<'_>) {
        let place = self.books.partition_point(|(other, _)| *other < key);
        if place < self.most {
            self.books.insert(place, (key, ShelfBook::of(book)));
            self.books.truncate(self.most);
        }
    }

    fn first(self) -> Option<ShelfBook> {
        self.all().next()
    }

    fn all(self) -> impl Iterator<Item = ShelfBook> {
        self.books.into_iter().map(|(_, book)| book)
    }
}

/// The earlier completion comes first, then the lower id.
type Completed = (NaiveDate, BookId);

/// Words over days; the faster one comes first.
#[derive(Debug, Clone, Copy)]
struct Pace {
    words: i64,
    days: i64,
}

impl Ord for Pace {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let product = |words: i64, days: i64| i128::from(words) * i128::from(days);
        product(other.words, self.days).cmp(&product(self.words, other.days))
    }
}

impl PartialOrd for Pace {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Pace {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Pace {}

/// An author's first read of the period.
#[derive(Debug)]
struct Met {
    completed: Completed,
    /// The author's place among those of the book.
    place: usize,
}

/// Collects a library's books in the order of ids, hidden ones included.
#[derive(Debug)]
pub struct Collector {
    period: Period,
    days: RangeInclusive<NaiveDate>,
    tally: Tally,
    /// The months of books by the period in which they were finished.
    months: BTreeMap<Period, MonthSums>,
    /// The books whose words are counted by their log, in the order of ids.
    logged: Vec<(BookId, Period)>,
    /// The keys of the authors who were read before the period.
    known: HashSet<String>,
    /// The keys of the authors of the period.
    met: HashMap<String, Met>,
    ratings: BTreeMap<Rating, i64>,
    longest: Leading<(std::cmp::Reverse<i64>, Completed)>,
    shortest: Leading<(i64, Completed)>,
    fastest: Leading<(Pace, Completed)>,
    first: Leading<Completed>,
    last: Leading<std::cmp::Reverse<Completed>>,
    best: Leading<(std::cmp::Reverse<(Rating, i64)>, Completed)>,
    missing: ReviewMissing,
}

impl Collector {
    /// Nothing yet. `today` is the current day of the reader.
    pub fn new(period: Period, today: NaiveDate) -> Self {
        Self {
            period,
            days: days_of(period),
            tally: Tally::new(today),
            months: BTreeMap::new(),
            logged: Vec::new(),
            known: HashSet::default(),
            met: HashMap::default(),
            ratings: BTreeMap::new(),
            longest: Leading::new(1),
            shortest: Leading::new(1),
            fastest: Leading::new(1),
            first: Leading::new(1),
            last: Leading::new(1),
            best: Leading::new(MOST),
            missing: ReviewMissing::default(),
        }
    }

    /// Adds a book and its length. Hidden ones only say which authors are known and how many dates are missing.
    pub fn add(&mut self, book: &BookRow<'_>, minutes: Option<i64>, is_visible: bool) {
        let completion = book.completion().filter(|_| book.status.is_finished());
        if book.status.is_finished() {
            self.missing.date += i64::from(completion.is_none());
            let is_before = completion.is_none_or(|(first, _)| first < *self.days.start());
            if is_before {
                for (_, key) in each_author_with_key(book.author, book.author_key) {
                    if !self.known.contains(key.as_ref()) {
                        self.known.insert(key.into_owned());
                    }
                }
            }
        }
        if !is_visible {
            return;
        }
        let days = &self.days;
        if let Some((first, last)) = completion {
            let starts = book.start_date.map_or(first, |start| start.min(first));
            // Only a log can have words of other days than those from the start to the completion.
            if (starts <= *days.end() && last >= *days.start()) || book.word_distribution == WordDistribution::Logged {
                let finished_in = self.period.like(last);
                let months = self.months.entry(finished_in).or_default();
                months.add(book);
                self.logged.extend(months.take_logged().into_iter().map(|id| (id, finished_in)));
            }
        }
        match completion.filter(|(first, last)| days.contains(first) && days.contains(last)) {
            Some((_, last)) => {
                self.add_read(book, (last, book.id));
                self.tally.add_minutes(book, minutes.unwrap_or(0));
            }
            None => self.tally.pass_over(book),
        }
    }

    /// Adds a read of the period.
    fn add_read(&mut self, book: &BookRow<'_>, completed: Completed) {
        use std::cmp::Reverse;
        let words = book.word_count;
        self.tally.add(book);
        for (place, (_, key)) in each_author_with_key(book.author, book.author_key).enumerate() {
            let met = self.met.get(key.as_ref());
            if met.is_none_or(|met| completed < met.completed) {
                self.met.insert(key.into_owned(), Met { completed, place });
            }
        }
        self.missing.words += i64::from(words == 0);
        match book.rating {
            None => self.missing.rating += 1,
            Some(rating) => {
                *self.ratings.entry(rating).or_default() += 1;
                self.best.offer((Reverse((rating, words)), completed), book);
            }
        }
        if words > 0 {
            self.longest.offer((Reverse(words), completed), book);
            self.shortest.offer((words, completed), book);
        }
        if book.completed_from.is_none() {
            self.first.offer(completed, book);
            self.last.offer(Reverse(completed), book);
            if let Some(days) = days_of_reading(book.start_date, completed.0).filter(|_| words > 0) {
                self.fastest.offer((Pace { words, days }, completed), book);
            }
        }
    }

    /// Whether [`Collector::add_logged`] has anything to take.
    pub fn has_logged(&self) -> bool {
        !self.logged.is_empty()
    }

    /// Adds the words that the log of a book counts for a month, by the number of months since the year 0. Other books are ignored.
    pub fn add_logged(&mut self, book: BookId, month: i32, words: i64) {
        let Ok(place) = self.logged.binary_search_by_key(&book, |(id, _)| *id) else { return };
        if let Some(months) = self.months.get_mut(&self.logged[place].1) {
            months.add_logged(month, words);
        }
    }

    /// The review. `from` is the first day that the plan shows.
    pub fn finish(self, figures: Figures, today: NaiveDate, from: Option<NaiveDate>) -> Review {
        let Figures { totals, before, streak, limited_to_months } = figures;
        let Found { kpis, mut genres, mut authors, formats, shelf, .. } = self.tally.finish();
        let mut shown: HashMap<_, _> = authors.iter().map(|one| (name_key(&one.name), one.name.clone())).collect();
        genres.truncate(MOST);
        authors.truncate(MOST);
        let numbers = months::number(*self.days.start())..=months::number(*self.days.end());
        let exact_words = |sums: &MonthSums| numbers.clone().map(|number| sums.month(number).words).sum::<i64>();
        let own_words = self.months.get(&self.period).map_or(0, exact_words);
        let others = self.months.iter().filter(|(period, _)| **period != self.period);
        let other_words = others.map(|(period, sums)| WordsOfPeriod { period: *period, words: exact_words(sums) });
        let month = |number| {
            let all = self.months.values().map(|sums| sums.month(number));
            let none = MonthSums::default().month(number);
            all.fold(none, |sum, one| MonthlyWords {
                words: sum.words + one.words,
                books: sum.books + one.books,
                about_words: sum.about_words + one.about_words,
                ..sum
            })
        };
        let mut met: Vec<_> = self.met.into_iter().filter(|(key, _)| !self.known.contains(key)).collect();
        met.sort_unstable_by_key(|(_, met)| (met.completed, met.place));
        let words_per_day = |pace: Pace| pace.words / pace.days;
        Review {
            period: self.period,
            complete: *self.days.end() < today,
            shown: ReviewShown::of(self.period, from),
            limited_to_months,
            totals,
            before,
            months: numbers.clone().map(month).collect(),
            other_words: other_words.filter(|other| other.words > 0).collect(),
            words_outside_months: totals.words - own_words,
            shelf: shelf.books,
            longest: self.longest.first(),
            shortest: self.shortest.first(),
            fastest: self
                .fastest
                .books
                .into_iter()
                .next()
                .map(|((pace, _), book)| FastBook { book, words_per_day: words_per_day(pace) }),
            first: self.first.first(),
            last: self.last.first(),
            best: self.best.all().collect(),
            genres,
            authors,
            new_authors: met.into_iter().filter_map(|(key, _)| shown.remove(&key)).collect(),
            formats,
            ratings: self.ratings.into_iter().map(|(rating, books)| BooksByRating { rating, books }).collect(),
            average_rating: kpis.average_rating,
            streak,
            missing: self.missing,
        }
    }
}

/// What a review has besides its books.
#[derive(Debug, Clone, Copy, Default)]
pub struct Figures {
    /// Of the period.
    pub totals: ReviewTotals,
    /// Of the days that it is compared with.
    pub before: ReviewTotals,
    /// The streak of today, where it is wanted.
    pub streak: Option<ReadingStreak>,
    /// The months of history that the plan shows.
    pub limited_to_months: Option<u32>,
}

/// The days from the start to the completion, both included; `None` where the start is unknown.
fn days_of_reading(start: Option<NaiveDate>, completed: NaiveDate) -> Option<i64> {
    Some((completed - start?).num_days() + 1).filter(|days| *days > 0)
}
