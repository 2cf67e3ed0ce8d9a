//! The numbers of the dashboard, gathered in one pass over the books in any order (docs/rules.md, "Statistics"). Pure: the day comes in, and the
//! books of one reader or of a whole team.
use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap};

use chrono::{Datelike as _, Days, NaiveDate};
use serde::Serialize;
use utoipa::ToSchema;

use super::months::{Share, spread};
use crate::kit::db::pool::owner_of;
use crate::library::books::filter::BookRow;
use crate::library::books::model::{Distribution, Format, Genres, each_genre};

/// Books on the shelf picture.
pub const SHELF_LENGTH: usize = 500;
/// Authors in the chart.
pub const MOST_AUTHORS: usize = 50;
/// Days before today that "the last 30 days" reach back, today included besides.
const RECENT_DAYS: Days = Days::new(30);

/// The six figures, and the ones in the notes under them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Kpis {
    /// Words of all finished books.
    pub total_words: i64,
    /// Words of books completed since January 1.
    pub words_ytd: i64,
    /// Words of books completed in the last 30 days.
    pub words_last30_days: i64,
    /// Finished books.
    pub books_read: i64,
    /// Over rated finished books, one decimal, half away from zero.
    #[schema(required)]
    pub average_rating: Option<f64>,
    /// Different authors of finished books.
    pub authors: i64,
    /// Books completed since January 1.
    pub books_ytd: i64,
    /// Books completed in the last 30 days.
    pub books_last30_days: i64,
    /// Finished books that had been read before.
    pub rereads: i64,
    /// Finished books with a rating.
    pub rated_books: i64,
}

/// Words and books of one name: a genre or an author.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = WordsByName)]
pub struct Named {
    /// As typed.
    pub name: String,
    /// Words of the finished books.
    pub words: i64,
    /// Finished books.
    pub books: i64,
}

/// Words and books of one format.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = WordsByFormat)]
pub struct OfFormat {
    /// Print, eBook or Audio.
    pub format: Format,
    /// Words of the finished books.
    pub words: i64,
    /// Finished books.
    pub books: i64,
}

/// One month of the line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = MonthlyWords)]
pub struct Month {
    /// yyyy-MM.
    pub month: String,
    /// Words read in it.
    pub words: i64,
    /// Books completed in it.
    pub books: i64,
}

/// A book on the shelf.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ShelfBook {
    /// The book's key.
    pub id: i64,
    /// Whose it is; only in a team's statistics.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false)]
    pub user_id: Option<i64>,
    /// As typed.
    pub title: String,
    /// As typed.
    pub author: String,
    /// Words.
    pub word_count: i64,
    /// 0 to 10.
    #[schema(required)]
    pub rating: Option<i64>,
    /// How it was read.
    pub format: Format,
    /// At most 50.
    #[schema(value_type = Vec<String>)]
    pub genres: Genres<'static>,
    /// The first day of a span.
    #[schema(required)]
    pub start_date: Option<NaiveDate>,
    /// The day of completion; none for undated books.
    #[schema(required)]
    pub date: Option<NaiveDate>,
    /// Whether it had been read before.
    pub reread: bool,
}

/// The newest finished books, oldest first, undated ones before all.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct Shelf {
    /// At most 500.
    pub books: Vec<ShelfBook>,
    /// How many finished books of the filter there are besides.
    pub hidden: i64,
}

/// Everything that one pass found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Found {
    /// The figures.
    pub kpis: Kpis,
    /// Most words first.
    pub genres: Vec<Named>,
    /// Most words first, all of them.
    pub authors: Vec<Named>,
    /// No gaps from the first to the last.
    pub months: Vec<Month>,
    /// Most words first.
    pub formats: Vec<OfFormat>,
    /// The newest finished books.
    pub shelf: Shelf,
}

/// Words and books, as they add up.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sum {
    /// Words.
    pub words: i64,
    /// Books.
    pub books: i64,
}

impl Sum {
    /// One more book, if it counts.
    pub fn add_if(&mut self, words: i64, finished: bool) {
        if finished {
            self.words += words;
            self.books += 1;
        }
    }
}

/// Sums by name. Rows lend their texts only for a moment: a name is kept when it is met first.
#[derive(Debug, Default)]
pub struct Names(HashMap<String, Sum>);

impl Names {
    /// One more book of that name. `finished` is whether its words and itself count, or the name alone.
    pub fn add(&mut self, name: &str, words: i64, finished: bool) {
        let sum = match self.0.get_mut(name) {
            Some(sum) => sum,
            None => self.0.entry(name.to_owned()).or_default(),
        };
        sum.add_if(words, finished);
    }

    /// Most words first, ties by name in code point order.
    pub fn ranked(self) -> Vec<Named> {
        let named = |(name, sum): (String, Sum)| Named { name, words: sum.words, books: sum.books };
        let mut all: Vec<_> = self.0.into_iter().map(named).collect();
        all.sort_unstable_by(|one, other| other.words.cmp(&one.words).then_with(|| one.name.cmp(&other.name)));
        all
    }
}

/// Sums by format, most words first, ties by name.
pub fn ranked_formats(sums: &BTreeMap<Format, Sum>) -> Vec<OfFormat> {
    let mut all: Vec<_> =
        sums.iter().map(|(format, sum)| OfFormat { format: *format, words: sum.words, books: sum.books }).collect();
    all.sort_by(|one, other| other.words.cmp(&one.words).then_with(|| one.format.name().cmp(other.format.name())));
    all
}

/// A book among the newest: undated ones are the oldest, ties go by key.
#[derive(Debug, PartialEq, Eq)]
struct Newest(ShelfBook);

impl Newest {
    fn rank(&self) -> (Option<NaiveDate>, i64) {
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

/// Gathers finished books, one after the other.
#[derive(Debug)]
pub struct Tally {
    new_year: NaiveDate,
    recent: std::ops::RangeInclusive<NaiveDate>,
    with_owner: bool,
    kpis: Kpis,
    rating_sum: i64,
    genres: Names,
    authors: Names,
    formats: BTreeMap<Format, Sum>,
    /// By months since the year 0.
    months: BTreeMap<i32, Sum>,
    shelf: BinaryHeap<Reverse<Newest>>,
}

impl Tally {
    /// Nothing gathered, on the reader's own day.
    pub fn new(today: NaiveDate) -> Self {
        Self {
            new_year: today.with_ordinal(1).unwrap_or(today),
            recent: today.checked_sub_days(RECENT_DAYS).unwrap_or(today)..=today,
            with_owner: false,
            kpis: Kpis::default(),
            rating_sum: 0,
            genres: Names::default(),
            authors: Names::default(),
            formats: BTreeMap::new(),
            months: BTreeMap::new(),
            shelf: BinaryHeap::with_capacity(SHELF_LENGTH + 1),
        }
    }

    /// For several readers' books: the shelf says whose each is.
    pub fn of_team(today: NaiveDate) -> Self {
        Self { with_owner: true, ..Self::new(today) }
    }

    /// One more book; those in progress count in nothing.
    pub fn add(&mut self, book: &BookRow<'_>) {
        if !book.status.is_finished() {
            return;
        }
        let words = book.word_count;
        self.count(book);
        self.authors.add(book.author, words, true);
        for genre in each_genre(book.genres) {
            self.genres.add(genre, words, true);
        }
        self.formats.entry(book.format).or_default().add_if(words, true);
        if let Some(day) = book.date_completed {
            self.add_months(book, day);
        }
        self.offer_to_shelf(book);
    }

    fn count(&mut self, book: &BookRow<'_>) {
        let kpis = &mut self.kpis;
        kpis.total_words += book.word_count;
        kpis.books_read += 1;
        kpis.rereads += i64::from(book.reread);
        if let Some(rating) = book.rating {
            kpis.rated_books += 1;
            self.rating_sum += rating;
        }
        let Some(day) = book.date_completed else { return };
        if day >= self.new_year {
            kpis.words_ytd += book.word_count;
            kpis.books_ytd += 1;
        }
        if self.recent.contains(&day) {
            kpis.words_last30_days += book.word_count;
            kpis.books_last30_days += 1;
        }
    }

    fn add_months(&mut self, book: &BookRow<'_>, completed: NaiveDate) {
        let month = self.months.entry(super::months::number(completed)).or_default();
        month.books += 1;
        match (book.word_distribution, book.start_date) {
            (Distribution::Spread, Some(start)) => {
                for Share { month, words } in spread(book.word_count, start, completed) {
                    self.months.entry(month).or_default().words += words;
                }
            }
            _ => month.words += book.word_count,
        }
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
        self.shelf.push(Reverse(Newest(ShelfBook {
            id: book.id,
            user_id: self.with_owner.then(|| owner_of(book.id)),
            title: book.title.to_owned(),
            author: book.author.to_owned(),
            word_count: book.word_count,
            rating: book.rating,
            format: book.format,
            genres: Genres(Cow::Owned(book.genres.to_owned())),
            start_date: book.start_date,
            date: book.date_completed,
            reread: book.reread,
        })));
    }

    /// What was found.
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
            months: without_gaps(&self.months),
            formats: ranked_formats(&self.formats),
        }
    }
}

fn count(length: usize) -> i64 {
    i64::try_from(length).unwrap_or(i64::MAX)
}

/// One decimal, half away from zero; worked out in whole tenths, so that 7.25 never rounds by an accident of binary fractions.
fn average(sum: i64, count: i64) -> Option<f64> {
    if count == 0 {
        return None;
    }
    let tenths = (20 * sum + count) / (2 * count);
    i32::try_from(tenths).ok().map(|tenths| f64::from(tenths) / 10.0)
}

/// Every month from the first to the last, empty ones too.
fn without_gaps(months: &BTreeMap<i32, Sum>) -> Vec<Month> {
    let (Some((first, _)), Some((last, _))) = (months.first_key_value(), months.last_key_value()) else {
        return Vec::new();
    };
    (*first..=*last)
        .map(|number| {
            let sum = months.get(&number).copied().unwrap_or_default();
            Month { month: super::months::name(number), words: sum.words, books: sum.books }
        })
        .collect()
}

#[cfg(test)]
#[path = "model_tests.rs"]
mod tests;
