//! The statistics of the dashboard, collected in one pass over the books in any order (docs/rules.md, "Statistics"). Pure
//! functions: the current day is an argument, and the books are those of one reader or of a whole team.
use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use chrono::{Datelike as _, Days, NaiveDate};
use foldhash::{HashMap, HashSet};
use serde::Serialize;
use utoipa::ToSchema;

use super::monthly::{MonthSums, MonthlyWords};
use crate::kit::db::pool::owner_of;
use crate::kit::id::UserId;
use crate::library::books::authors::{each_author, joined};
use crate::library::books::facts::tag_key;
use crate::library::books::filter::BookRow;
use crate::library::books::model::{BookFormat, BookId, Genres, each_genre};
use crate::library::books::rating::Rating;
use crate::library::{day_text, text};

/// The most books on the shelf.
pub const SHELF_LENGTH: usize = 500;
/// The most authors in the chart.
pub const MOST_AUTHORS: usize = 50;
/// "The last 30 days" are today and this many days before.
const RECENT_DAYS: Days = Days::new(30);

/// The six key figures, and the figures in the notes below them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Kpis {
    /// Words of all finished books.
    pub total_words: i64,
    /// Words of books completed in the current year.
    pub words_ytd: i64,
    /// Words of books completed in the last 30 days.
    pub words_last30_days: i64,
    /// Finished books.
    pub books_read: i64,
    /// Average over the rated finished books, with one decimal, rounded half away from zero.
    #[schema(required)]
    pub average_rating: Option<f64>,
    /// The number of different authors of finished books.
    pub authors: i64,
    /// Books completed in the current year.
    pub books_ytd: i64,
    /// Books completed in the last 30 days.
    pub books_last30_days: i64,
    /// Finished books that were read before.
    pub rereads: i64,
    /// Finished books with a rating.
    pub rated_books: i64,
}

/// Words and books of one genre or author.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct WordsByName {
    /// The name as entered.
    pub name: String,
    /// Words of the finished books.
    pub words: i64,
    /// Finished books.
    pub books: i64,
}

/// Words and books of one format.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct WordsByFormat {
    /// Print, eBook or Audio.
    pub format: BookFormat,
    /// Words of the finished books.
    pub words: i64,
    /// Finished books.
    pub books: i64,
    /// Minutes of the finished books whose length is known.
    pub minutes: i64,
}

/// A book on the shelf.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ShelfBook {
    /// The book's id.
    #[schema(value_type = i64)]
    pub id: BookId,
    /// The owner's account id; only in a team's statistics.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, value_type = Option<i64>)]
    pub user_id: Option<UserId>,
    /// The title as it was entered.
    pub title: String,
    /// The names of all authors with commas between them.
    pub author: String,
    /// The number of words.
    pub word_count: i64,
    /// 0 to 10, with at most one decimal.
    #[schema(required, value_type = Option<f64>)]
    pub rating: Option<Rating>,
    /// The format in which it was read.
    pub format: BookFormat,
    /// At most 50 genres.
    #[schema(value_type = Vec<String>)]
    pub genres: Genres<'static>,
    /// The first day of a date span.
    #[schema(required)]
    #[serde(serialize_with = "day_text::day_or_null")]
    pub start_date: Option<NaiveDate>,
    /// The completion date, of a rough date the last possible day; null for undated books.
    #[schema(required)]
    #[serde(serialize_with = "day_text::day_or_null")]
    pub date: Option<NaiveDate>,
    /// The first possible day of a rough completion date; null for an exact one.
    #[schema(required)]
    #[serde(serialize_with = "day_text::day_or_null")]
    pub completed_from: Option<NaiveDate>,
    /// Whether it was read before.
    pub reread: bool,
}

impl ShelfBook {
    /// A book as it stands on its reader's own shelf.
    pub fn of(book: &BookRow<'_>) -> Self {
        Self {
            id: book.id,
            user_id: None,
            title: book.title.to_owned(),
            author: joined(book.author).into_owned(),
            word_count: book.word_count,
            rating: book.rating,
            format: book.format,
            genres: Genres(Cow::Owned(book.genres.to_owned())),
            start_date: book.start_date,
            date: book.date_completed,
            completed_from: book.completed_from,
            reread: book.reread,
        }
    }
}

/// The newest finished books, oldest first, after all undated ones.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct Shelf {
    /// At most 500.
    pub books: Vec<ShelfBook>,
    /// The number of further finished books that match the filter.
    pub hidden: i64,
}

/// The result of one pass.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Found {
    pub kpis: Kpis,
    /// Most words first.
    pub genres: Vec<WordsByName>,
    /// All authors, most words first.
    pub authors: Vec<WordsByName>,
    /// Without gaps from the first to the last month.
    pub months: Vec<MonthlyWords>,
    /// Most words first.
    pub formats: Vec<WordsByFormat>,
    /// The newest finished books.
    pub shelf: Shelf,
}

/// A sum of words and books.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sum {
    pub words: i64,
    pub books: i64,
}

impl Sum {
    /// Adds a book if it counts.
    pub fn add_if(&mut self, words: i64, finished: bool) {
        if finished {
            self.words += words;
            self.books += 1;
        }
    }
}

/// Sums by genre or by author. Names with the same key are one.
#[derive(Debug)]
pub struct NameSums {
    key: fn(&str) -> String,
    /// Whether a name is shown as it was last written, and not as it was first.
    shows_last: bool,
    /// The place of each spelling in `sums`. Most look-ups end here, so few keys are made.
    spellings: HashMap<String, usize>,
    /// The place of each name, by its key.
    keys: HashMap<String, usize>,
    /// Each name as it is shown; the sum is `None` until a book with it is added.
    sums: Vec<(String, Option<Sum>)>,
    /// The places of the names of one book, so that a book with two spellings counts once.
    of_book: Vec<usize>,
}

impl NameSums {
    fn new(key: fn(&str) -> String, shows_last: bool) -> Self {
        let (spellings, keys, sums, of_book) = Default::default();
        Self { key, shows_last, spellings, keys, sums, of_book }
    }

    /// By [`text::genre_key`], named as first written.
    pub fn genres() -> Self {
        Self::new(text::genre_key, false)
    }

    /// By [`tag_key`], named as first written.
    pub fn tags() -> Self {
        Self::new(tag_key, false)
    }

    /// By [`text::name_key`], named as in the book that was added last.
    pub fn authors() -> Self {
        Self::new(text::name_key, true)
    }

    fn place(&mut self, name: &str) -> usize {
        if let Some(place) = self.spellings.get(name).copied() {
            let shown = &mut self.sums[place].0;
            if self.shows_last && shown != name {
                name.clone_into(shown);
            }
            return place;
        }
        let place = *self.keys.entry((self.key)(name)).or_insert(self.sums.len());
        if place == self.sums.len() {
            self.sums.push((name.to_owned(), None));
        } else if self.shows_last {
            name.clone_into(&mut self.sums[place].0);
        }
        self.spellings.insert(name.to_owned(), place);
        place
    }

    /// Adds a book with these names. `finished` says whether the book counts, or only the names.
    pub fn add<'n>(&mut self, names: impl Iterator<Item = &'n str>, words: i64, finished: bool) {
        self.of_book.clear();
        for name in names {
            let place = self.place(name);
            if !self.of_book.contains(&place) {
                self.of_book.push(place);
                self.sums[place].1.get_or_insert_default().add_if(words, finished);
            }
        }
    }

    /// Notes how names are written in a book that is not counted, so that it does not depend on the filter how they are shown.
    pub fn note<'n>(&mut self, names: impl Iterator<Item = &'n str>) {
        for name in names {
            self.place(name);
        }
    }

    /// Most words first; equal ones by name in code point order. Names that were only noted are left out.
    pub fn ranked(self) -> Vec<WordsByName> {
        let all = self.sums.into_iter().filter_map(|(name, sum)| {
            let Sum { words, books } = sum?;
            Some(WordsByName { name, words, books })
        });
        let mut all: Vec<_> = all.collect();
        all.sort_unstable_by(|one, other| other.words.cmp(&one.words).then_with(|| one.name.cmp(&other.name)));
        all
    }
}

/// Sums by format, most words first; equal ones by name. `minutes` has the lengths of those formats that have any.
pub fn ranked_formats(sums: &BTreeMap<BookFormat, Sum>, minutes: &BTreeMap<BookFormat, i64>) -> Vec<WordsByFormat> {
    let of = |(format, sum): (&BookFormat, &Sum)| WordsByFormat {
        format: *format,
        words: sum.words,
        books: sum.books,
        minutes: minutes.get(format).copied().unwrap_or(0),
    };
    let mut all: Vec<_> = sums.iter().map(of).collect();
    all.sort_by(|one, other| other.words.cmp(&one.words).then_with(|| one.format.name().cmp(other.format.name())));
    all
}

/// A book on the shelf. Undated books count as the oldest; equal dates are ordered by id.
#[derive(Debug, PartialEq, Eq)]
struct Newest(ShelfBook);

impl Newest {
    fn rank(&self) -> (Option<NaiveDate>, BookId) {
        (self.0.date, self.0.id)
    }
}

impl Ord for Newest {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl PartialOrd for Newest {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// Collects finished books, one after the other.
#[derive(Debug)]
pub struct Tally {
    this_year: std::ops::RangeInclusive<NaiveDate>,
    recent: std::ops::RangeInclusive<NaiveDate>,
    with_owner: bool,
    kpis: Kpis,
    /// In tenths of a point.
    rating_sum: i64,
    genres: NameSums,
    /// The lists of genres that were noted. Many books of a library have the same.
    noted_genres: HashSet<String>,
    authors: NameSums,
    formats: BTreeMap<BookFormat, Sum>,
    minutes: BTreeMap<BookFormat, i64>,
    months: MonthSums,
    shelf: BinaryHeap<Reverse<Newest>>,
}

impl Tally {
    /// An empty tally. `today` is the current day of the reader.
    pub fn new(today: NaiveDate) -> Self {
        Self {
            this_year: year_of(today),
            recent: today.checked_sub_days(RECENT_DAYS).unwrap_or(today)..=today,
            with_owner: false,
            kpis: Kpis::default(),
            rating_sum: 0,
            genres: NameSums::genres(),
            noted_genres: HashSet::default(),
            authors: NameSums::authors(),
            formats: BTreeMap::new(),
            minutes: BTreeMap::new(),
            months: MonthSums::default(),
            shelf: BinaryHeap::with_capacity(SHELF_LENGTH + 1),
        }
    }

    /// The same for several readers' books: the shelf contains the owner of each book.
    pub fn of_team(today: NaiveDate) -> Self {
        Self { with_owner: true, ..Self::new(today) }
    }

    /// Adds a book. Books that are not finished don't count.
    pub fn add(&mut self, book: &BookRow<'_>) {
        if !book.status.is_finished() {
            self.pass_over(book);
            return;
        }
        let words = book.word_count;
        self.count(book);
        self.authors.add(each_author(book.author), words, true);
        self.genres.add(each_genre(book.genres), words, true);
        self.formats.entry(book.format).or_default().add_if(words, true);
        self.months.add(book);
        self.offer_to_shelf(book);
    }

    /// Adds the length of a book that was added.
    pub fn add_minutes(&mut self, book: &BookRow<'_>, minutes: i64) {
        if book.status.is_finished() {
            *self.minutes.entry(book.format).or_default() += minutes;
        }
    }

    /// Notes the names in a book that the filter leaves out: a genre is named as it was first written in the library, an author as last.
    pub fn pass_over(&mut self, book: &BookRow<'_>) {
        self.authors.note(each_author(book.author));
        if !self.noted_genres.contains(book.genres) {
            self.noted_genres.insert(book.genres.to_owned());
            self.genres.note(each_genre(book.genres));
        }
    }

    fn count(&mut self, book: &BookRow<'_>) {
        let kpis = &mut self.kpis;
        kpis.total_words += book.word_count;
        kpis.books_read += 1;
        kpis.rereads += i64::from(book.reread);
        if let Some(rating) = book.rating {
            kpis.rated_books += 1;
            self.rating_sum += rating.tenths();
        }
        // A rough date counts only where all its days do.
        let Some((first, last)) = book.completion() else { return };
        if self.this_year.contains(&first) && self.this_year.contains(&last) {
            kpis.words_ytd += book.word_count;
            kpis.books_ytd += 1;
        }
        if self.recent.contains(&first) && self.recent.contains(&last) {
            kpis.words_last30_days += book.word_count;
            kpis.books_last30_days += 1;
        }
    }

    /// The books that were added since the last call and whose words are counted by their log: [`Tally::add_logged`] takes them.
    pub fn take_logged(&mut self) -> Vec<BookId> {
        self.months.take_logged()
    }

    /// Adds words that a log counts for a month, by the number of months since the year 0.
    pub fn add_logged(&mut self, month: i32, words: i64) {
        self.months.add_logged(month, words);
    }

    fn offer_to_shelf(&mut self, book: &BookRow<'_>) {
        let full = self.shelf.len() == SHELF_LENGTH;
        let rank = (book.date_completed, book.id);
        if full && self.shelf.peek().is_some_and(|Reverse(oldest)| rank < oldest.rank()) {
            return;
        }
        if full {
            self.shelf.pop();
        }
        let owner = self.with_owner.then(|| owner_of(book.id.0));
        self.shelf.push(Reverse(Newest(ShelfBook { user_id: owner, ..ShelfBook::of(book) })));
    }

    pub fn finish(self) -> Found {
        let authors = self.authors.ranked();
        let mut shelf: Vec<_> = self.shelf.into_iter().map(|Reverse(Newest(book))| book).collect();
        shelf.sort_unstable_by_key(|book| (book.date, book.id));
        let kpis = Kpis {
            average_rating: average(self.rating_sum, self.kpis.rated_books),
            authors: count(authors.len()),
            ..self.kpis
        };
        Found {
            shelf: Shelf { hidden: kpis.books_read - count(shelf.len()), books: shelf },
            kpis,
            genres: self.genres.ranked(),
            authors,
            months: self.months.without_gaps(),
            formats: ranked_formats(&self.formats, &self.minutes),
        }
    }
}

/// The days of a day's year.
fn year_of(day: NaiveDate) -> std::ops::RangeInclusive<NaiveDate> {
    let last = NaiveDate::from_ymd_opt(day.year(), 12, 31);
    day.with_ordinal(1).unwrap_or(day)..=last.unwrap_or(day)
}

fn count(length: usize) -> i64 {
    i64::try_from(length).unwrap_or(i64::MAX)
}

/// One decimal, rounded half away from zero. `sum` is in whole tenths, so that binary fractions can't round 7.25 wrongly.
pub fn average(sum: i64, count: i64) -> Option<f64> {
    if count == 0 {
        return None;
    }
    let tenths = (2 * sum + count) / (2 * count);
    i32::try_from(tenths).ok().map(|tenths| f64::from(tenths) / 10.0)
}

#[cfg(test)]
#[path = "model_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "recount_tests.rs"]
mod recount;
