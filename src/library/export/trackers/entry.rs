//! What is exported: a book with all its reads or an item of the list, and the row that a form makes of it.
use chrono::NaiveDate;

use super::{Answers, RoughDates, number_within};
use crate::library::books::facts::BookFacts;
use crate::library::books::log::WHOLE;
use crate::library::books::model::{Book, BookFormat, BookStatus};
use crate::library::books::passages::Passage;
use crate::library::books::rating::Rating;
use crate::library::tbr::model::TbrItem;

/// A book with its reads, oldest first, or an item of the list with its place in it, from 1 on.
#[derive(Clone, Copy)]
pub enum ExportEntry<'a> {
    /// At least one read.
    Reads(&'a [Book<'a>]),
    /// An item and its place.
    Item(&'a TbrItem<'a>, usize),
}

/// The shelf of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shelf {
    /// Finished.
    Read,
    /// In progress.
    Reading,
    /// In progress, and paused.
    Paused,
    /// Given up.
    DidNotFinish,
    /// On the to-be-read list.
    ToRead,
}

/// One row of a form.
pub struct ExportRow<'a> {
    /// A number that is the same for all rows of a book; negative for an item of the list.
    pub key: i64,
    pub title: &'a str,
    /// The names, with the separator of the database between them.
    pub authors: &'a str,
    /// Contributors, series, tags and the edition.
    pub facts: &'a BookFacts,
    /// Genres joined by commas.
    pub genres: &'a str,
    /// Thirteen digits, or nothing.
    pub isbn: &'a str,
    pub pages: Option<i64>,
    /// The length in minutes.
    pub minutes: Option<i64>,
    /// `None` where it is not known.
    pub format: Option<BookFormat>,
    pub shelf: Shelf,
    /// The finished reads with a day, oldest first: start and finish.
    pub spans: Vec<(Option<NaiveDate>, NaiveDate)>,
    /// The start of a read that is not finished.
    pub begun: Option<NaiveDate>,
    /// The day on which the book was given up.
    pub stopped: Option<NaiveDate>,
    /// How often it was finished.
    pub count: usize,
    pub rating: Option<Rating>,
    /// The impressions.
    pub review: &'a str,
    pub quotes: &'a [Passage],
    /// The notes of an item.
    pub notes: &'a str,
    /// When it was added, RFC 3339 in UTC.
    pub added: &'a str,
    /// The place on the list, from 1 on.
    pub position: usize,
    /// The newest page of a read that is not finished.
    pub page: Option<(i64, NaiveDate)>,
    /// The reader's answers.
    pub answers: &'a Answers,
}

/// The reads that a form with one row for each book takes its fields from.
#[derive(Clone, Copy)]
pub struct Chosen<'a> {
    /// The read in progress, if there is one.
    pub open: Option<&'a Book<'a>>,
    /// The newest finished read.
    pub finished: Option<&'a Book<'a>>,
    /// The read of the edition: the one in progress, otherwise the newest finished one, otherwise the newest.
    pub edition: &'a Book<'a>,
    /// The read of rating, impressions and quotes: the newest finished one, otherwise that of the edition.
    pub spoken: &'a Book<'a>,
}

impl<'a> Chosen<'a> {
    /// `reads` are those of one book, oldest first, at least one.
    pub fn of(reads: &'a [Book<'a>]) -> Self {
        let newest = |wanted: fn(BookStatus) -> bool| reads.iter().rev().find(|read| wanted(read.status));
        let open = newest(|status| status == BookStatus::InProgress);
        let finished = newest(BookStatus::is_finished);
        let edition = open.or(finished).unwrap_or(&reads[reads.len() - 1]);
        Self { open, finished, edition, spoken: finished.unwrap_or(edition) }
    }
}

/// Whether the oldest finished read was not the first one.
pub fn was_read_before(reads: &[Book<'_>]) -> bool {
    reads.iter().find(|read| read.status.is_finished()).is_some_and(|read| read.reread)
}

/// The facts of an item.
pub fn facts_of(item: &TbrItem<'_>) -> BookFacts {
    BookFacts { tags: item.tags.clone(), ..BookFacts::default() }
}

/// Whether a program that splits a file at line breaks splits it at this character.
pub fn breaks_line(character: char) -> bool {
    matches!(character, '\n'..='\r' | '\u{1c}'..='\u{1e}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

impl<'a> ExportRow<'a> {
    /// The row of the reads of one book, oldest first, at least one.
    pub fn of_reads(reads: &'a [Book<'a>], answers: &'a Answers) -> Self {
        let Chosen { open, finished, edition, spoken } = Chosen::of(reads);
        let day = |read: &Book<'_>| match answers.rough_dates {
            RoughDates::None if read.completed_from.is_some() => None,
            _ => read.date_completed,
        };
        let over = || reads.iter().filter(|read| read.status.is_finished());
        let unfinished = Some(edition).filter(|read| !read.status.is_finished());
        let shelf = match (open, finished) {
            (Some(read), _) if read.paused_since.is_some() => Shelf::Paused,
            (Some(_), _) => Shelf::Reading,
            (None, Some(_)) => Shelf::Read,
            (None, None) => Shelf::DidNotFinish,
        };
        Self {
            key: number_within(edition.work.0),
            title: &edition.title,
            authors: &edition.authors.0,
            facts: &edition.facts,
            genres: &edition.genres.0,
            isbn: edition.isbn.as_deref().unwrap_or_default(),
            pages: edition.pages,
            minutes: edition.minutes,
            format: Some(edition.format),
            shelf,
            spans: over().filter_map(|read| Some((read.start_date, day(read)?))).collect(),
            begun: unfinished.and_then(|read| read.start_date),
            stopped: unfinished.and_then(|read| read.stopped_date),
            count: over().count() + usize::from(was_read_before(reads)),
            rating: spoken.rating,
            review: spoken.impressions.as_deref().unwrap_or_default(),
            quotes: &spoken.quotes.0,
            notes: "",
            added: &reads[0].created_at,
            position: 0,
            page: unfinished.and_then(|read| {
                let place = read.progress?;
                let computed = || read.pages.map(|pages| pages * place.at / WHOLE);
                Some((place.page.or_else(computed)?, place.day))
            }),
            answers,
        }
    }

    /// The row of an item; `facts` are [`facts_of`] it.
    pub fn of_item(item: &'a TbrItem<'a>, facts: &'a BookFacts, position: usize, answers: &'a Answers) -> Self {
        Self {
            key: -number_within(item.id.0),
            title: &item.title,
            authors: item.author.as_deref().unwrap_or_default(),
            facts,
            genres: "",
            isbn: item.isbn.as_deref().unwrap_or_default(),
            pages: item.pages,
            minutes: None,
            format: item.format,
            shelf: Shelf::ToRead,
            spans: Vec::new(),
            begun: None,
            stopped: None,
            count: 0,
            rating: None,
            review: "",
            quotes: &[],
            notes: item.notes.as_deref().unwrap_or_default(),
            added: &item.created_at,
            position,
            page: None,
            answers,
        }
    }
}
