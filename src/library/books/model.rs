//! Books and their validation: limits and the fields of each status (docs/rules.md, "Books").
use std::borrow::Cow;

use chrono::{Datelike as _, NaiveDate};
use foldhash::HashSet;
use serde::ser::SerializeSeq as _;
use serde::{Deserialize, Serialize, Serializer};
use utoipa::ToSchema;

use crate::kit::FieldErrors;
use crate::kit::id::id;
use crate::kit::named::named;
use crate::library::books::authors::{self, Authors};
pub use crate::library::books::authors::{AUTHOR_SEPARATOR, NAME_LENGTH};
use crate::library::books::facts::{BookFacts, Cover};
use crate::library::books::passages::{Passage, Quotes};
use crate::library::books::rating::Rating;
pub use crate::library::rough_date::{FIRST_DAY, LAST_DAY};
use crate::library::{day_text, isbn, text};

id! {
    /// The number of a book. It contains the owner's number, see [`owned`](crate::kit::db::pool::owned).
    BookId
}

/// The most words of a book.
pub const MOST_WORDS: i64 = 100_000_000;
/// The most pages of a book.
pub const MOST_PAGES: i64 = 100_000;
/// The longest book in minutes.
pub const LONGEST_MINUTES: i64 = 60_000;
/// Why a word count is refused.
pub const WORDS_RANGE: &str = "The word count must be a whole number from 0 to 100,000,000.";
/// Why a page count is refused.
pub const PAGES_RANGE: &str = "The page count must be a whole number from 1 to 100,000.";
/// Why a length is refused.
pub const MINUTES_RANGE: &str = "The length must be a whole number of minutes from 1 to 60,000.";
/// The best rating in points; the worst is 0.
pub const BEST_RATING: i64 = 10;
/// The most genres of a book.
pub const MOST_GENRES: usize = 50;
/// The most characters of a genre, after trimming.
pub const GENRE_LENGTH: usize = 100;
/// The most characters of the impressions, and of the notes of a to-be-read item.
pub const IMPRESSIONS_LENGTH: usize = 20_000;
/// Words per page, for books with only a page count.
pub const WORDS_A_PAGE: i64 = 275;
/// Words per minute, for books with a length in time.
pub const WORDS_A_MINUTE: i64 = 155;
/// Up to so many pages of an audiobook are not pages: catalogues count hours or discs there.
pub const HOURS_OR_DISCS: i64 = 60;

named! {
    /// The status of a book, which is one read of it.
    #[derive(Default)]
    BookStatus {
        /// Finished on a known date, which may be rough.
        #[default]
        Completed = "completed",
        /// In progress.
        InProgress = "in-progress",
        /// Finished on an unknown date.
        Undated = "undated",
        /// Given up.
        DidNotFinish = "did-not-finish",
    }
}

named! {
    /// The format in which a book was read.
    #[derive(Default)]
    BookFormat {
        /// A printed book.
        #[default]
        Print = "Print",
        /// An electronic book.
        EBook = "eBook",
        /// An audiobook.
        Audio = "Audio",
    }
}

named! {
    /// The months that a book's words count for.
    #[derive(Default)]
    WordDistribution {
        /// The month of completion.
        #[default]
        Final = "final",
        /// Evenly over the days from start to completion.
        Spread = "spread",
        /// By the places that were noted day by day.
        Logged = "logged",
    }
}

named! {
    /// The origin of a word count.
    #[derive(Default)]
    WordCountSource {
        /// Entered by a person or taken from a file.
        #[default]
        Entered = "entered",
        /// Computed from the page count.
        Pages = "pages",
        /// Counted in an EPUB file.
        Epub = "epub",
        /// Computed from the length in time.
        Minutes = "minutes",
    }
}

impl BookStatus {
    /// Whether the book counts as finished in the statistics.
    pub fn is_finished(self) -> bool {
        matches!(self, Self::Completed | Self::Undated)
    }

    /// Whether places follow the pages: the read is in progress, or given up.
    pub fn is_under_way(self) -> bool {
        matches!(self, Self::InProgress | Self::DidNotFinish)
    }
}

/// The newest place that was noted for a read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct ReadingProgress {
    /// In hundredths of a percent: 0 to 10,000.
    #[schema(minimum = 0, maximum = 10_000)]
    pub at: i64,
    /// The page, if one was noted.
    #[schema(required)]
    pub page: Option<i64>,
    /// The day of the note.
    #[serde(serialize_with = "day_text::day")]
    pub day: NaiveDate,
}

/// A book as its reader sees it.
// Texts are borrowed from a row of the database when a list is written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Book<'a> {
    /// A positive number, never reused.
    #[schema(value_type = i64)]
    pub id: BookId,
    /// 1 to 500 characters.
    pub title: Cow<'a, str>,
    /// The names of all authors with commas between them: 1 to 500 characters.
    pub author: Cow<'a, str>,
    /// 1 to 20 names.
    #[schema(value_type = Vec<String>)]
    pub authors: Authors<'a>,
    /// 0 to 100,000,000; 0 when unknown.
    pub word_count: i64,
    /// Whether the words were entered, computed from pages or from the length, or counted in a file.
    pub word_count_source: WordCountSource,
    /// 1 to 100,000.
    #[schema(required)]
    pub pages: Option<i64>,
    /// The length of an audiobook in minutes, 1 to 60,000.
    #[schema(required)]
    pub minutes: Option<i64>,
    /// 13 digits.
    #[schema(required)]
    pub isbn: Option<Cow<'a, str>>,
    /// Completed, in progress, undated, or given up.
    pub status: BookStatus,
    /// The first day of reading, for a date span or a book in progress.
    #[schema(required)]
    #[serde(serialize_with = "day_text::day_or_null")]
    pub start_date: Option<NaiveDate>,
    /// The completion date; of a rough date the last possible day.
    #[schema(required)]
    #[serde(serialize_with = "day_text::day_or_null")]
    pub date_completed: Option<NaiveDate>,
    /// The year of completion; null where the date is too rough to say.
    #[schema(required)]
    pub year: Option<i32>,
    /// The month of completion, 1 to 12; null where the date is too rough to say.
    #[schema(required)]
    pub month: Option<u32>,
    /// 0 to 10, with at most one decimal.
    #[schema(required, value_type = Option<f64>)]
    pub rating: Option<Rating>,
    /// The format in which it was read.
    pub format: BookFormat,
    /// Whether it was read before.
    pub reread: bool,
    /// At most 50, without duplicates.
    #[schema(value_type = Vec<String>)]
    pub genres: Genres<'a>,
    /// The reader's impressions.
    #[schema(required)]
    pub impressions: Option<String>,
    /// The texts of the quotes that the reader has stored.
    #[schema(value_type = Vec<String>)]
    #[serde(serialize_with = "texts")]
    pub quotes: Quotes,
    /// The months that the words count for.
    pub word_distribution: WordDistribution,
    /// The id of the first read of the same book; its own for the first one.
    #[schema(value_type = i64)]
    pub work: BookId,
    /// The first possible day of a rough completion date; null for an exact one.
    #[schema(required)]
    #[serde(serialize_with = "day_text::day_or_null")]
    pub completed_from: Option<NaiveDate>,
    /// The day on which the book was given up.
    #[schema(required)]
    #[serde(serialize_with = "day_text::day_or_null")]
    pub stopped_date: Option<NaiveDate>,
    /// The day since which the book is paused.
    #[schema(required)]
    #[serde(serialize_with = "day_text::day_or_null")]
    pub paused_since: Option<NaiveDate>,
    /// The newest place that was noted.
    #[schema(required)]
    pub progress: Option<ReadingProgress>,
    /// Contributors, series, tags and the edition.
    #[serde(flatten)]
    pub facts: BookFacts,
    /// The picture of the cover.
    #[schema(required)]
    pub cover: Option<Cover>,
    /// When it was added, RFC 3339 in UTC.
    pub created_at: Cow<'a, str>,
    /// When it was last changed, RFC 3339 in UTC.
    pub updated_at: Cow<'a, str>,
}

fn texts<S: Serializer>(quotes: &Quotes, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(quotes.texts())
}

/// A book with its quotes in full.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct BookDetail<'a> {
    #[serde(flatten)]
    book: Book<'a>,
    /// The quotes with their places, notes and days.
    passages: Vec<Passage>,
}

impl<'a> From<Book<'a>> for BookDetail<'a> {
    fn from(book: Book<'a>) -> Self {
        Self { passages: book.quotes.0.clone(), book }
    }
}

/// Genres in the form of the database: one text, separated by commas, because genres can't contain commas.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Genres<'a>(pub Cow<'a, str>);

impl Genres<'_> {
    /// The genres in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        each_genre(&self.0)
    }
}

/// The genres of a joined text.
pub fn each_genre(joined: &str) -> impl Iterator<Item = &str> {
    joined.split(',').filter(|genre| !genre.is_empty())
}

impl Serialize for Genres<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(None)?;
        for genre in self.iter() {
            list.serialize_element(genre)?;
        }
        list.end()
    }
}

impl Book<'_> {
    /// The same book without borrowed texts.
    pub fn into_owned(self) -> Book<'static> {
        Book {
            title: Cow::Owned(self.title.into_owned()),
            author: Cow::Owned(self.author.into_owned()),
            authors: Authors(Cow::Owned(self.authors.0.into_owned())),
            isbn: self.isbn.map(|isbn| Cow::Owned(isbn.into_owned())),
            genres: Genres(Cow::Owned(self.genres.0.into_owned())),
            created_at: Cow::Owned(self.created_at.into_owned()),
            updated_at: Cow::Owned(self.updated_at.into_owned()),
            ..self
        }
    }

    /// A draft with the same content.
    pub fn draft(&self) -> BookDraft {
        BookDraft {
            title: self.title.to_string(),
            authors: self.authors.iter().map(str::to_owned).collect(),
            word_count: self.word_count,
            word_count_source: self.word_count_source,
            pages: self.pages,
            minutes: self.minutes,
            isbn: self.isbn.as_deref().map(str::to_owned),
            status: self.status,
            start_date: self.start_date,
            date_completed: self.date_completed,
            rating: self.rating,
            format: self.format,
            reread: self.reread,
            genres: self.genres.iter().map(str::to_owned).collect(),
            impressions: self.impressions.clone(),
            quotes: self.quotes.clone(),
            word_distribution: self.word_distribution,
            completed_from: self.completed_from,
            stopped_date: self.stopped_date,
            paused_since: self.paused_since,
            facts: self.facts.clone(),
        }
    }
}

/// The year of a completion, if its first possible day is in the same one.
pub fn year_of(from: Option<NaiveDate>, completed: Option<NaiveDate>) -> Option<i32> {
    completed.filter(|day| from.is_none_or(|from| from.year() == day.year())).map(|day| day.year())
}

/// The month of a completion, 1 to 12, if its first possible day is in the same one.
pub fn month_of(from: Option<NaiveDate>, completed: Option<NaiveDate>) -> Option<u32> {
    let same = |day: &NaiveDate, from: NaiveDate| (from.year(), from.month()) == (day.year(), day.month());
    completed.filter(|day| from.is_none_or(|from| same(day, from))).map(|day| day.month())
}

/// A book to be written. Fill the fields, then call [`BookDraft::checked`]: the store takes only checked drafts. Imports build
/// one for each row, which they also keep, the API one for each payload.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct BookDraft {
    pub title: String,
    /// The names; trimmed and without repeated ones once checked.
    pub authors: Vec<String>,
    pub word_count: i64,
    pub word_count_source: WordCountSource,
    pub pages: Option<i64>,
    pub minutes: Option<i64>,
    /// An ISBN-10 or ISBN-13 as entered; 13 digits once checked.
    pub isbn: Option<String>,
    pub status: BookStatus,
    pub start_date: Option<NaiveDate>,
    pub date_completed: Option<NaiveDate>,
    pub rating: Option<Rating>,
    pub format: BookFormat,
    pub reread: bool,
    /// As entered; trimmed and without empty and repeated genres once checked.
    pub genres: Vec<String>,
    /// See [`Book::impressions`]; an empty text means none.
    pub impressions: Option<String>,
    /// See [`Book::quotes`]; blank ones are removed.
    pub quotes: Quotes,
    pub word_distribution: WordDistribution,
    /// See [`Book::completed_from`]; none once checked where it is the completion date itself.
    pub completed_from: Option<NaiveDate>,
    pub stopped_date: Option<NaiveDate>,
    pub paused_since: Option<NaiveDate>,
    /// Contributors, series, tags and the edition.
    pub facts: BookFacts,
}

/// The words of a book for which nobody has counted them, and what they come from: the length in time of an audiobook, the pages of any
/// other book. Hours or discs in the place of pages give none.
pub fn estimated_words(format: BookFormat, pages: Option<i64>, minutes: Option<i64>) -> Option<(i64, WordCountSource)> {
    let of_minutes = minutes.map(|minutes| (minutes.saturating_mul(WORDS_A_MINUTE), WordCountSource::Minutes));
    let of_pages = pages
        .filter(|pages| !is_hours_or_discs(format, *pages))
        .map(|pages| (pages.saturating_mul(WORDS_A_PAGE), WordCountSource::Pages));
    if format == BookFormat::Audio { of_minutes.or(of_pages) } else { of_pages.or(of_minutes) }
}

/// Whether a page count says how many hours or discs an audiobook has.
pub fn is_hours_or_discs(format: BookFormat, pages: i64) -> bool {
    format == BookFormat::Audio && pages <= HOURS_OR_DISCS
}

impl BookDraft {
    /// Computes the words anew, unless somebody has counted them.
    pub fn estimate_words(&mut self) {
        let is_estimated = matches!(self.word_count_source, WordCountSource::Pages | WordCountSource::Minutes);
        if self.word_count == 0 || is_estimated {
            (self.word_count, self.word_count_source) =
                estimated_words(self.format, self.pages, self.minutes).unwrap_or_default();
        }
    }

    /// The names of all authors with commas between them.
    pub fn author(&self) -> String {
        self.authors.join(", ")
    }

    /// The year of completion.
    pub fn year(&self) -> Option<i32> {
        year_of(self.completed_from, self.date_completed)
    }

    /// The month of completion, 1 to 12.
    pub fn month(&self) -> Option<u32> {
        month_of(self.completed_from, self.date_completed)
    }

    /// Validates the draft and converts it to the stored form: title, author and genres trimmed, repeated genres and blank quotes
    /// removed, the ISBN as 13 digits.
    pub fn checked(mut self) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::new();
        trim(&mut self.title);
        authors::check_name(&mut errors, "title", "The title", &self.title);
        authors::check(&mut errors, &mut self.authors);
        check_numbers(&mut errors, Some(self.word_count), self.pages);
        if self.minutes.is_some_and(|minutes| !(1..=LONGEST_MINUTES).contains(&minutes)) {
            errors.add("minutes", MINUTES_RANGE);
        }
        check_isbn(&mut errors, &mut self.isbn);
        self.check_shape(&mut errors);
        self.check_genres(&mut errors);
        self.check_texts(&mut errors);
        self.facts.check(&mut errors);
        if errors.is_empty() { Ok(self) } else { Err(errors) }
    }

    fn check_genres(&mut self, errors: &mut FieldErrors) {
        let mut seen = HashSet::default();
        self.genres.retain_mut(|genre| {
            trim(genre);
            !genre.is_empty() && seen.insert(text::fold_case(genre))
        });
        if self.genres.len() > MOST_GENRES {
            errors.add("genres", format!("A book can have at most {MOST_GENRES} genres."));
        }
        for genre in &self.genres {
            if genre.contains(',') {
                errors.add("genres", "A genre can't contain a comma.");
            }
            text::check(errors, "genres", "A genre", genre, GENRE_LENGTH);
        }
    }

    fn check_texts(&mut self, errors: &mut FieldErrors) {
        self.impressions.take_if(|text| text.is_empty());
        if let Some(impressions) = &self.impressions {
            text::check(errors, "impressions", "The impressions", impressions, IMPRESSIONS_LENGTH);
        }
        self.quotes.check(errors);
    }
}

fn trim(text: &mut String) {
    let trimmed = text.trim();
    if trimmed.len() < text.len() {
        *text = trimmed.to_owned();
    }
}

/// Checks the ranges of word count and page count.
pub(crate) fn check_numbers(errors: &mut FieldErrors, words: Option<i64>, pages: Option<i64>) {
    if words.is_some_and(|words| !(0..=MOST_WORDS).contains(&words)) {
        errors.add("wordCount", WORDS_RANGE);
    }
    if pages.is_some_and(|pages| !(1..=MOST_PAGES).contains(&pages)) {
        errors.add("pages", PAGES_RANGE);
    }
}

/// Converts an ISBN to 13 digits; a blank one becomes `None`.
pub(crate) fn check_isbn(errors: &mut FieldErrors, isbn: &mut Option<String>) {
    isbn.take_if(|typed| typed.trim().is_empty());
    if let Some(typed) = isbn {
        match isbn::parse(typed) {
            Some(digits) => *typed = digits,
            None => errors.add("isbn", "This is not a valid ISBN-10 or ISBN-13."),
        }
    }
}

#[cfg(test)]
#[path = "model_tests.rs"]
mod tests;
