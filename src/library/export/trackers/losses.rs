//! What the form of another program can't hold, counted while the same books are read that its file is made of.
use std::collections::HashMap;

use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;

use super::columns::{FORMS, shelf_name};
use super::entry::{Chosen, ExportEntry, breaks_line, was_read_before};
use super::table::mark::*;
use super::table::{HALF_STAR, Loss, Marks, WHOLE_STAR, What};
use super::{Answers, ExportFormat, ExportQuestion, RoughDates, each};
use crate::kit::Result;
use crate::kit::id::UserId;
use crate::library::books;
use crate::library::books::authors::{AUTHOR_SEPARATOR, each_author};
use crate::library::books::facts::{BookFacts, ContributorRole};
use crate::library::books::model::{Book, BookFormat, BookId, BookStatus, WORDS_A_PAGE};
use crate::library::import;
use crate::library::tbr::model::TbrItem;

/// The books that a loss names.
pub const NAMED: usize = 20;

/// A book, or an item of the list, that does not wholly fit.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ExportLossBook {
    /// The id of its newest read; null for an item of the to-be-read list.
    #[schema(required, value_type = Option<i64>)]
    pub id: Option<BookId>,
    /// The title of the book or item.
    pub title: String,
}

/// A part of the library that a program can't hold.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ExportLoss {
    /// The part of the library that is lost.
    pub what: What,
    /// The number of books and items that have it.
    pub count: usize,
    /// A sentence for a person: what becomes of it in the file.
    pub sentence: &'static str,
    /// The first 20 of them.
    pub books: Vec<ExportLossBook>,
}

/// A program, and what its form can't hold of this library.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ExportFormatReport {
    /// The program as `GET /api/account/export/{format}` names it.
    pub format: ExportFormat,
    /// The name of the program.
    pub name: &'static str,
    /// What does not fit; empty where everything does.
    pub losses: Vec<ExportLoss>,
    /// The questions that matter for this library.
    pub questions: Vec<ExportQuestion>,
}

/// Counts what each program can't hold, in one pass over an owner's library.
pub fn report(conn: &Connection, owner: UserId) -> Result<Vec<ExportFormatReport>> {
    let logs = books::store::days::shapes(conn, owner)?;
    let loss = |(what, _, sentence): &Loss| ExportLoss { what: *what, count: 0, sentence, books: Vec::new() };
    let mut counted: Vec<Vec<ExportLoss>> =
        FORMS.iter().map(|(_, form)| form.losses.iter().map(loss).collect()).collect();
    let mut list = loss(&(What::List, 0, "This file has the books. The list is a file of its own, tbr.csv."));
    each(conn, owner, &mut |entry| {
        if let ExportEntry::Item(..) = entry {
            list.add(&entry);
        }
        let marks = marks_of(&entry, &logs);
        for ((_, form), losses) in FORMS.iter().zip(&mut counted) {
            for (loss, (_, lost, _)) in losses.iter_mut().zip(form.losses) {
                if marks & lost != 0 {
                    loss.add(&entry);
                }
            }
        }
        Ok(())
    })?;
    let mut reports: Vec<ExportFormatReport> = Vec::with_capacity(ExportFormat::ALL.len());
    for ((format, form), mut losses) in FORMS.iter().zip(counted) {
        losses.retain(|loss| loss.count > 0);
        let asked = losses.iter().filter_map(|loss| match loss.what {
            What::RoughDates => Some(ExportQuestion::RoughDates),
            What::HalfPoints => Some(ExportQuestion::Ratings),
            What::Quotes => Some(ExportQuestion::Quotes),
            _ => None,
        });
        let questions = asked.collect();
        reports.push(ExportFormatReport { format: *format, name: form.name, losses, questions });
    }
    let own = ExportFormat::Shelfwise;
    let losses = Some(list).filter(|list| list.count > 0).into_iter().collect();
    reports.push(ExportFormatReport { format: own, name: own.title(), losses, questions: Vec::new() });
    Ok(reports)
}

impl ExportLoss {
    fn add(&mut self, entry: &ExportEntry<'_>) {
        self.count += 1;
        if self.books.len() < NAMED {
            self.books.push(named(entry));
        }
    }
}

impl ExportFormatReport {
    /// What is lost on the way, in one sentence.
    pub fn sentence(&self, answers: &Answers) -> String {
        let mut parts = Vec::with_capacity(self.losses.len());
        for ExportLoss { what, count, .. } in &self.losses {
            parts.push(match (what, answers.rough_dates) {
                (What::RoughDates, RoughDates::Last) if *count == 1 => {
                    "1 rough date (written as its last day)".to_owned()
                }
                (What::RoughDates, RoughDates::Last) => format!("{count} rough dates (written as their last day)"),
                (What::RoughDates, RoughDates::None) if *count == 1 => "1 rough date (left out)".to_owned(),
                (What::RoughDates, RoughDates::None) => format!("{count} rough dates (left out)"),
                (What::List, _) if *count == 1 => "1 item of the to-be-read list".to_owned(),
                (What::List, _) => format!("{count} items of the to-be-read list"),
                _ if parts.is_empty() => {
                    format!("{} of {count} {}", what.noun(), if *count == 1 { "book" } else { "books" })
                }
                _ => format!("{} of {count}", what.noun()),
            });
        }
        if parts.is_empty() {
            return "Everything fits.".to_owned();
        }
        format!("Nothing is lost on the way to {} but: {}.", self.name, parts.join(", "))
    }
}

impl What {
    /// What is lost, as the subject of "of 12 books".
    fn noun(self) -> &'static str {
        match self {
            Self::HalfPoints => "half points",
            Self::OtherReads => "other reads",
            Self::StartDates => "start dates",
            Self::RoughDates => "rough dates",
            Self::StoppedDay => "days of giving up",
            Self::Paused => "pauses",
            Self::Isbn => "ISBNs",
            Self::LineBreaks => "line breaks",
            Self::Length => "lengths",
            what => what.name(),
        }
    }
}

fn named(entry: &ExportEntry<'_>) -> ExportLossBook {
    match entry {
        ExportEntry::Reads(reads) => {
            let read = Chosen::of(reads).edition;
            ExportLossBook { id: Some(read.id), title: read.title.to_string() }
        }
        ExportEntry::Item(item, _) => ExportLossBook { id: None, title: item.title.to_string() },
    }
}

/// The marks whose condition is true.
fn sum(marks: &[(Marks, bool)]) -> Marks {
    marks.iter().filter(|(_, has)| *has).fold(0, |sum, (mark, _)| sum | mark)
}

/// The marks of a book or an item. `logs` says which reads have a log, and whether it is one page on one day.
pub fn marks_of(entry: &ExportEntry<'_>, logs: &HashMap<BookId, bool>) -> Marks {
    match entry {
        ExportEntry::Reads(reads) => {
            let each = reads.iter().fold(0, |sum, read| sum | of_read(read, logs));
            each | of_all(reads) | of_several(reads)
        }
        ExportEntry::Item(item, _) => of_item(item),
    }
}

fn has_words(words: i64, pages: Option<i64>) -> bool {
    words > 0 && pages.is_none_or(|pages| pages * WORDS_A_PAGE != words)
}

fn of_read(read: &Book<'_>, logs: &HashMap<BookId, bool>) -> Marks {
    let log = logs.get(&read.id);
    let is_open = !read.status.is_finished();
    let breaks = |text: &str| text.contains(breaks_line);
    let impressions = read.impressions.as_deref().unwrap_or_default();
    sum(&[
        (WORDS, has_words(read.word_count, read.pages)),
        (PAGES, read.pages.is_some()),
        (MINUTES, read.minutes.is_some()),
        (OPEN_PAGES, read.pages.is_some() && is_open),
        (ZERO, read.rating.is_some_and(|rating| rating.tenths() == 0)),
        (STARTS, read.start_date.is_some()),
        (SAME_DAY, read.start_date.is_some() && read.start_date == read.date_completed),
        (ROUGH, read.completed_from.is_some()),
        (UNDATED, read.status == BookStatus::Undated),
        (LOG, log.is_some()),
        (LONG_LOG, log.is_some_and(|is_page| !(*is_page && is_open))),
        (STOPPED, read.stopped_date.is_some()),
        (PAUSED, read.paused_since.is_some()),
        (QUOTES, !read.quotes.is_empty()),
        (GENRES, !read.genres.0.is_empty()),
        (FORMAT, read.format != BookFormat::Print),
        (ISBN, read.isbn.is_some()),
        (COVER, read.cover.is_some()),
        (BREAKS, breaks(impressions) || breaks(&read.title)),
        (MARKUP, import::has_markup(impressions)),
        (AUTHOR, true),
    ]) | of_facts(&read.facts)
        | of_authors(&read.authors.0)
}

fn of_authors(authors: &str) -> Marks {
    sum(&[(AUTHORS, authors.contains(AUTHOR_SEPARATOR)), (COMMA, each_author(authors).any(|name| name.contains(',')))])
}

fn of_facts(facts: &BookFacts) -> Marks {
    let published = facts.published.as_deref();
    let people = &facts.contributors;
    sum(&[
        (TAGS, !facts.tags.is_empty()),
        (SHELF_TAGS, facts.tags.iter().any(|tag| tag != import::OWNED)),
        (SERIES, facts.series.is_some()),
        (PEOPLE, !people.is_empty()),
        (ROLES, people.iter().any(|person| person.role != ContributorRole::Other || person.name.contains(','))),
        (COMMA, people.iter().any(|person| person.name.contains(','))),
        (PUBLISHER, facts.publisher.is_some()),
        (PUBLISHED, published.is_some()),
        (PUBLISHED_DAY, published.is_some_and(|date| date.len() > 4)),
        (LANGUAGE, facts.language.is_some()),
        (FIRST_YEAR, facts.original_year.is_some()),
    ])
}

/// The marks of a book in a form with one row for each book.
fn of_all(reads: &[Book<'_>]) -> Marks {
    let Chosen { edition, spoken, .. } = Chosen::of(reads);
    let tenths = spoken.rating.map_or(0, |rating| rating.tenths());
    let odd_series = match &edition.facts.series {
        Some(series) => {
            let number = series.number.as_deref().unwrap_or_default();
            let title = format!("{} ({}, #{number})", edition.title, series.name);
            !import::series_of(&title).is_some_and(|(bare, found)| bare == edition.title && found == *series)
        }
        None => import::series_of(&edition.title).is_some(),
    };
    sum(&[
        (QUARTERS, tenths % WHOLE_STAR != 0),
        (HALVES, tenths % HALF_STAR != 0),
        (ODD_SERIES, odd_series),
        (ODD_GENRES, edition.genres.iter().any(|genre| shelf_name(genre) != genre)),
        (NO_ISBN, edition.isbn.is_none()),
        (READ_BEFORE, was_read_before(reads)),
    ])
}

/// The marks that only a book with several reads has.
fn of_several(reads: &[Book<'_>]) -> Marks {
    if reads.len() < 2 {
        return 0;
    }
    let Chosen { open, finished, edition, spoken } = Chosen::of(reads);
    let of = |status: BookStatus| reads.iter().filter(move |read| read.status == status);
    let is_pair = reads.len() == 2 && open.is_some() && finished.is_some_and(|read| read.date_completed.is_some());
    let mut days: Vec<_> = reads.iter().filter_map(|read| read.date_completed).collect();
    days.sort_unstable();
    let same_day = days.windows(2).any(|pair| pair[0] == pair[1]);
    let nameless = of(BookStatus::Undated).count() + of(BookStatus::DidNotFinish).count() > 0 || same_day;
    let several_open = of(BookStatus::InProgress).count() > 1;
    let other = |differs: &dyn Fn(&Book<'_>) -> bool| reads.iter().any(differs);
    let (facts, pages) = (&edition.facts, edition.pages);
    sum(&[
        (OTHERS_OF_LAST, !is_pair),
        (OTHERS_OF_LIST, nameless || several_open),
        (OTHERS_OF_ROWS, nameless || several_open || of(BookStatus::InProgress).any(|read| read.start_date.is_none())),
        (UNPAIRED, !is_paired(reads)),
        (OTHER_RATING, other(&|read| read.id != spoken.id && read.rating.is_some())),
        (
            OTHER_TEXT,
            other(&|read| {
                read.id != spoken.id && read.impressions.as_deref().is_some_and(|text| !text.trim().is_empty())
            }),
        ),
        (OTHER_GENRES, other(&|read| read.genres != edition.genres)),
        (OTHER_AUTHORS, other(&|read| read.authors != edition.authors)),
        (OTHER_FORMAT, other(&|read| read.format != edition.format)),
        (
            OTHER_EDITION,
            other(&|read| {
                read.title != edition.title
                    || (read.pages, read.minutes) != (pages, edition.minutes)
                    || read.isbn != edition.isbn
                    || read.facts.contributors != facts.contributors
                    || (&read.facts.publisher, &read.facts.published) != (&facts.publisher, &facts.published)
                    || read.facts.language != facts.language
            }),
        ),
    ])
}

/// Whether a list of starts and a list of ends say which belong together: a start belongs to the first end that is not before it, and of
/// several starts before one end the last one counts.
fn is_paired(reads: &[Book<'_>]) -> bool {
    let finished = || reads.iter().filter(|read| read.status == BookStatus::Completed);
    let mut starts: Vec<_> = finished().filter_map(|read| read.start_date).collect();
    starts.sort_unstable();
    let mut left = starts.into_iter().peekable();
    let paired = finished().all(|read| {
        let mut begun = None;
        while let Some(start) = left.next_if(|start| Some(*start) <= read.date_completed) {
            begun = Some(start);
        }
        begun == read.start_date
    });
    let newest = finished().filter_map(|read| read.date_completed).max();
    let open =
        reads.iter().filter(|read| read.status == BookStatus::InProgress).filter_map(|read| read.start_date).min();
    // The start of the read in progress is after all ends.
    paired && open.zip(newest).is_none_or(|(start, newest)| start > newest)
}

fn of_item(item: &TbrItem<'_>) -> Marks {
    let notes = item.notes.as_deref().unwrap_or_default();
    sum(&[
        (WORDS, has_words(item.word_count.unwrap_or(0), item.pages)),
        (PAGES | OPEN_PAGES, item.pages.is_some()),
        (NOTES, !notes.trim().is_empty()),
        (BREAKS, notes.contains(breaks_line)),
        (MARKUP, import::has_markup(notes)),
        (TAGS, !item.tags.is_empty()),
        (ODD_TAGS, item.tags.iter().any(|tag| shelf_name(tag) != *tag)),
        (AUTHOR, item.author.is_some()),
        (COMMA, item.author.as_deref().is_some_and(|name| name.contains(','))),
        (ISBN, item.isbn.is_some()),
        (NO_ISBN, item.isbn.is_none()),
        (FORMAT, item.format.is_some()),
    ])
}
