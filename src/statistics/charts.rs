//! The further charts, collected in one pass over the reads of a filter: pace, lengths, years of publication, languages, ratings, outcomes
//! and tags (docs/rules.md, "Statistics").
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use chrono::{Datelike as _, NaiveDate};
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;

use super::model::{MOST_AUTHORS, NameSums, Sum, WordsByName, average};
use crate::kit::error::Result;
use crate::kit::id::UserId;
use crate::library::books::facts::each_tag;
use crate::library::books::filter::{BookRow, Filter, is_visible};
use crate::library::books::model::BookStatus;
use crate::library::books::store::{self, Audience, DescribedRow};
use crate::library::day_text;

/// The words at which a class of lengths begins.
const LENGTHS: [i64; 5] = [0, 40_000, 80_000, 120_000, 200_000];

/// The reading speed of the reads that were completed in a month.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MonthlyPace {
    /// yyyy-MM.
    pub month: String,
    /// Words of the reads with an exact start and end.
    pub words: i64,
    /// The days of their spans.
    pub days: i64,
    /// The mean of these days.
    pub words_per_day: i64,
}

/// Books of a length.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct LengthClass {
    /// The fewest words; null where the words are not known.
    #[schema(required)]
    pub from: Option<i64>,
    /// More words than any; null for the longest books.
    #[schema(required)]
    pub to: Option<i64>,
    /// How many reads.
    pub books: i64,
    /// Their words.
    pub words: i64,
}

/// Books of a decade.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct PublishedDecade {
    /// Its first year; null where it is not known.
    #[schema(required)]
    pub decade: Option<i64>,
    /// How many reads.
    pub books: i64,
    /// Their words.
    pub words: i64,
}

/// Books in a language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct BooksInLanguage {
    /// A language tag; null where it is not known.
    #[schema(required)]
    pub language: Option<String>,
    /// How many reads.
    pub books: i64,
    /// Their words.
    pub words: i64,
}

/// The ratings of a year.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct YearlyRatings {
    /// The year.
    pub year: i32,
    /// With one decimal.
    pub average: f64,
    /// How many reads are rated.
    pub rated: i64,
}

/// What became of the reads of a year.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct YearlyOutcomes {
    /// The year of the end.
    pub year: i32,
    /// Reads that were finished.
    pub finished: i64,
    /// Reads that were not.
    pub not_finished: i64,
    /// The part that was not finished, in percent with one decimal.
    pub share: f64,
}

/// The further charts of a filter.
#[derive(Debug, Clone, Default, PartialEq, Serialize, ToSchema)]
pub struct ReadingCharts {
    /// Months with such reads, oldest first.
    pub pace: Vec<MonthlyPace>,
    /// All classes, shortest first, unknown lengths last; empty without books.
    pub lengths: Vec<LengthClass>,
    /// Oldest first, unknown last.
    pub published: Vec<PublishedDecade>,
    /// Most words first, unknown last.
    pub languages: Vec<BooksInLanguage>,
    /// Years with rated reads, oldest first.
    pub ratings: Vec<YearlyRatings>,
    /// Years with reads that ended, oldest first.
    pub outcomes: Vec<YearlyOutcomes>,
    /// The 50 with the most words.
    pub tags: Vec<WordsByName>,
}

/// The charts of one of two periods.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[schema(as = ReadingPeriod)]
pub struct ChartsOfPeriod {
    /// The first day.
    #[serde(serialize_with = "day_text::day")]
    pub from: NaiveDate,
    /// The last day.
    #[serde(serialize_with = "day_text::day")]
    pub to: NaiveDate,
    #[serde(flatten)]
    pub charts: ReadingCharts,
}

/// Collects the charts, one read after the other.
struct Tally {
    /// The days that all possible days of an end must be in; `None` for every read.
    period: Option<RangeInclusive<NaiveDate>>,
    /// Words and days by year and month.
    pace: BTreeMap<(i32, u32), (i64, i64)>,
    lengths: [Sum; LENGTHS.len() + 1],
    published: BTreeMap<Option<i64>, Sum>,
    languages: BTreeMap<Option<String>, Sum>,
    /// Tenths of points, and the number of reads.
    ratings: BTreeMap<i32, (i64, i64)>,
    /// Finished and not.
    outcomes: BTreeMap<i32, (i64, i64)>,
    tags: NameSums,
}

impl Tally {
    fn new(period: Option<RangeInclusive<NaiveDate>>) -> Self {
        Self {
            period,
            pace: BTreeMap::new(),
            lengths: Default::default(),
            published: BTreeMap::new(),
            languages: BTreeMap::new(),
            ratings: BTreeMap::new(),
            outcomes: BTreeMap::new(),
            tags: NameSums::tags(),
        }
    }

    fn add(&mut self, book: &BookRow<'_>, more: &DescribedRow<'_>) {
        let end = book.completion().or(more.stopped.map(|day| (day, day)));
        if let Some(period) = &self.period
            && !end.is_some_and(|(first, last)| period.contains(&first) && period.contains(&last))
        {
            return;
        }
        let year = end.map(|(_, last)| last.year());
        if book.status == BookStatus::DidNotFinish {
            if let Some(year) = year {
                self.outcomes.entry(year).or_default().1 += 1;
            }
            return;
        }
        if !book.status.is_finished() {
            return;
        }
        let words = book.word_count;
        if let (Some(start), Some(last), None) = (book.start_date, book.date_completed, book.completed_from)
            && words > 0
        {
            let (of_words, of_days) = self.pace.entry((last.year(), last.month())).or_default();
            *of_words += words;
            *of_days += (last - start).num_days() + 1;
        }
        let class = if words > 0 { LENGTHS.partition_point(|from| *from <= words) - 1 } else { LENGTHS.len() };
        self.lengths[class].add_if(words, true);
        let of_edition = || more.published.and_then(|day| day.get(..4)).and_then(|year| year.parse().ok());
        let decade = more.original_year.or_else(of_edition).map(|year| year.div_euclid(10) * 10);
        self.published.entry(decade).or_default().add_if(words, true);
        self.languages.entry(more.language.map(str::to_owned)).or_default().add_if(words, true);
        self.tags.add(each_tag(more.tags), words, true);
        let Some(year) = year else { return };
        self.outcomes.entry(year).or_default().0 += 1;
        if let Some(rating) = book.rating {
            let (sum, rated) = self.ratings.entry(year).or_default();
            *sum += rating.tenths();
            *rated += 1;
        }
    }

    fn finish(self) -> ReadingCharts {
        let pace = self.pace.into_iter().map(|((year, month), (words, days))| MonthlyPace {
            month: format!("{year:04}-{month:02}"),
            words,
            days,
            words_per_day: (2 * words + days) / (2 * days),
        });
        let bounds = LENGTHS.iter().copied().map(Some).chain([None]);
        let ends = LENGTHS.iter().skip(1).copied().map(Some).chain([None, None]);
        let lengths = bounds.zip(ends).zip(self.lengths);
        let lengths = lengths.map(|((from, to), Sum { books, words })| LengthClass { from, to, books, words });
        let has_books = self.lengths.iter().any(|sum| sum.books > 0);
        let mut published: Vec<_> = self
            .published
            .into_iter()
            .map(|(decade, Sum { books, words })| PublishedDecade { decade, books, words })
            .collect();
        published.sort_by_key(|of| of.decade.is_none());
        let mut languages: Vec<_> = self
            .languages
            .into_iter()
            .map(|(language, Sum { books, words })| BooksInLanguage { language, books, words })
            .collect();
        languages.sort_by_key(|of| (of.language.is_none(), -of.words));
        let ratings = self.ratings.into_iter();
        let ratings = ratings.map(|(year, (sum, rated))| YearlyRatings {
            year,
            average: average(sum, rated).unwrap_or(0.0),
            rated,
        });
        let outcomes = self.outcomes.into_iter().map(|(year, (finished, not_finished))| YearlyOutcomes {
            year,
            finished,
            not_finished,
            share: average(1_000 * not_finished, finished + not_finished).unwrap_or(0.0),
        });
        let mut tags = self.tags.ranked();
        tags.truncate(MOST_AUTHORS);
        ReadingCharts {
            pace: pace.collect(),
            lengths: if has_books { lengths.collect() } else { Vec::new() },
            published,
            languages,
            ratings: ratings.collect(),
            outcomes: outcomes.collect(),
            tags,
        }
    }
}

/// The charts of the visible reads of a filter, for each of the periods. `from` is the first visible completion date.
pub fn charts(
    conn: &Connection,
    owner: UserId,
    filter: &Filter,
    from: Option<NaiveDate>,
    periods: Vec<Option<RangeInclusive<NaiveDate>>>,
) -> Result<Vec<ReadingCharts>> {
    let mut tallies: Vec<_> = periods.into_iter().map(Tally::new).collect();
    let reads = store::works::Members::of(conn, owner, filter)?;
    store::scan_described(conn, owner, Audience::Owner, |book, more| {
        if is_visible(book.date_completed.or(more.stopped), from) && reads.has(book.id) && filter.matches(book) {
            tallies.iter_mut().for_each(|tally| tally.add(book, more));
        }
    })?;
    Ok(tallies.into_iter().map(Tally::finish).collect())
}
