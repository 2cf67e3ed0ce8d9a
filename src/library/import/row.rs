//! The content of one row of any file, before any decision about it.
use std::cell::Cell;
use std::collections::HashSet;

use chrono::NaiveDate;
use csv::StringRecord;
use sha2::{Digest, Sha256};

use super::columns::Header;
use super::edition;
use super::values::{self, Notation};
use crate::kit::named::named;
use crate::library::books::facts::BookFacts;
use crate::library::books::log::ReadingDay;
use crate::library::books::model::{BookFormat, WordCountSource, WordDistribution};
use crate::library::books::passages::Quotes;
use crate::library::books::rating::Rating;
use crate::library::books::reads::MOST_READS;
use crate::library::import::escaping::restored_start;
use crate::library::languages;
use crate::library::rough_date::RoughDate;

/// One reading of a book, as far as its dates are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Read {
    /// The date on which it was finished, which may be rough.
    pub finish: Option<RoughDate>,
    /// The date on which it was started.
    pub start: Option<NaiveDate>,
}

named! {
    /// The destination of a row.
    Destination {
        /// Finished, with or without a date.
        Read = "read",
        /// In progress.
        Reading = "reading",
        /// On the to-be-read list.
        ToRead = "to-read",
        /// Given up.
        DidNotFinish = "did-not-finish",
        /// In progress, and paused.
        Paused = "paused",
        /// None: left out on purpose.
        Skip = "skip",
    }
}

/// The status of a row according to the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Shelf {
    /// Not given.
    #[default]
    Unsaid,
    /// A word that every tracker uses, or that the format defines.
    Known(Destination),
    /// A custom shelf, with the reader's name for it.
    Custom(String),
}

/// A reason for rejecting a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The API's name of the field; `None` for the row as a whole.
    pub field: Option<&'static str>,
    /// A sentence for the reader.
    pub message: String,
}

/// The content of a row.
#[derive(Clone, Debug, Default)]
pub struct ReadRow {
    pub title: String,
    pub author: String,
    /// The authors one by one, where the file lists them so; empty otherwise.
    pub authors: Vec<String>,
    pub words: Option<i64>,
    pub words_source: WordCountSource,
    /// Whether the file says where the words come from.
    pub has_words_source: bool,
    pub pages: Option<i64>,
    /// The length in minutes.
    pub minutes: Option<i64>,
    /// Thirteen digits.
    pub isbn: Option<String>,
    /// Whether the ISBN was written with thirteen digits.
    pub is_isbn13: bool,
    /// The beginning of a cell that was meant as an ISBN and is not a valid one.
    pub damaged_isbn: Option<String>,
    pub shelf: Shelf,
    /// 0 to 10.
    pub rating: Option<Rating>,
    /// Every reading with its own date.
    pub reads: Vec<Read>,
    /// Whether the readings come from a column that lists all of them, so that those before the last are known to be finished.
    pub reads_listed: bool,
    /// Whether the tracker gives days of January 1970 to readings without a date.
    pub invents_days: bool,
    /// How often the book was read according to the file; 0 if it does not say.
    pub read_count: i64,
    pub reread: bool,
    /// The date on which the book was given up.
    pub stopped: Option<NaiveDate>,
    /// The date since which the book is paused.
    pub paused: Option<NaiveDate>,
    /// The number of the work in one of our own files: equal numbers are one work.
    pub work: Option<i64>,
    /// The days on which it was read.
    pub log: Vec<ReadingDay>,
    pub distribution: WordDistribution,
    pub format: BookFormat,
    /// Whether the file says the format.
    pub has_format: bool,
    pub genres: Vec<String>,
    /// Contributors, series, tags and the edition.
    pub facts: BookFacts,
    pub impressions: String,
    pub quotes: Quotes,
    pub notes: String,
    /// The title without the series behind it, if there is one.
    pub bare_title: Option<String>,
    /// The position on the to-be-read list, if the file has one.
    pub position: Option<u32>,
    pub problems: Vec<Problem>,
}

impl ReadRow {
    /// Rejects the row because of a field.
    pub fn refuse(&mut self, field: &'static str, message: impl Into<String>) {
        self.problems.push(Problem { field: Some(field), message: message.into() });
    }

    /// A day in one of the format's own columns; an invalid one rejects the row because of `field`. A rough date is not a day: it is
    /// left out.
    pub fn day(&mut self, field: &'static str, cell: &str, notation: Notation) -> Option<NaiveDate> {
        self.rough_date(field, cell, notation).filter(|date| date.from.is_none()).map(|date| date.to)
    }

    /// A date that may be rough; an invalid one rejects the row because of `field`.
    pub fn rough_date(&mut self, field: &'static str, cell: &str, notation: Notation) -> Option<RoughDate> {
        if cell.trim().is_empty() || values::is_zero_date(cell) {
            return None;
        }
        let found = values::rough_date(cell, notation);
        if found.is_none() {
            let shown = short(cell);
            let message = match values::season_of_two_years(cell, notation) {
                Some(question) => format!("\u{201c}{shown}\u{201d}: {question}"),
                None => format!("\u{201c}{shown}\u{201d} is not a date between 1900 and 2100."),
            };
            self.refuse(field, message);
        }
        found
    }

    /// Takes an ISBN: one that was written with thirteen digits before one with ten, whatever the order of their columns.
    pub fn add_isbn(&mut self, cell: &str) {
        let is_isbn13 = cell.bytes().filter(u8::is_ascii_digit).count() >= 13;
        match values::isbn(cell) {
            Some(isbn) if self.isbn.is_none() || (is_isbn13 && !self.is_isbn13) => {
                (self.isbn, self.is_isbn13) = (Some(isbn), is_isbn13);
            }
            None if values::is_damaged_isbn(cell) => self.damaged_isbn = Some(short(cell.trim())),
            _ => {}
        }
    }

    /// Adds a reading unless one with that finish date exists; then the start date may be added to it. Of more readings than a book can
    /// have, only the first are kept: the row is rejected.
    pub fn add_read(&mut self, read: Read) {
        if self.reads.len() > MOST_READS {
            return;
        }
        match self.reads.iter_mut().find(|known| read.finish.is_some() && known.finish == read.finish) {
            Some(known) => known.start = known.start.or(read.start),
            None if read != Read::default() => self.reads.push(read),
            None => {}
        }
    }

    /// Adds tags that are not there yet, regardless of case.
    pub fn add_tags<'a>(&mut self, names: impl IntoIterator<Item = &'a str>) {
        add_new(&mut self.facts.tags, names);
    }

    /// Adds the tag of books that a person owns.
    pub fn tag_as_owned(&mut self, is_owned: bool) {
        self.add_tags([edition::OWNED].into_iter().filter(|_| is_owned));
    }

    /// Takes the authors from a list, unless the reader mapped a column to them.
    pub fn set_authors(&mut self, names: Vec<String>) {
        let joined = names.join(", ");
        if self.author.is_empty() || self.author == joined || names.first() == Some(&self.author) {
            self.author = joined;
            self.authors = names;
        }
    }

    /// Takes publisher, date of publication and language, as far as the reader mapped no columns to them.
    pub fn set_edition(&mut self, publisher: &str, published: &str, language: &str) {
        let facts = &mut self.facts;
        let publisher = Some(publisher.trim()).filter(|publisher| !publisher.is_empty());
        facts.publisher = facts.publisher.take().or_else(|| publisher.map(str::to_owned));
        facts.published = facts.published.take().or_else(|| edition::published(published));
        facts.language = facts.language.take().or_else(|| languages::of_list(language));
    }

    /// Takes the series behind the title.
    pub fn take_series_from_title(&mut self) {
        if let Some((before, series)) = edition::series_of(&self.title) {
            self.bare_title = Some(before.to_owned());
            self.facts.series.get_or_insert(series);
        }
    }

    /// Adds genres that are not there yet, regardless of case. One with a comma is two.
    pub fn add_genres<'a>(&mut self, names: impl IntoIterator<Item = &'a str>) {
        let parts = names.into_iter().flat_map(|name| name.split(',')).map(str::trim);
        add_new(&mut self.genres, parts.filter(|name| !name.is_empty()));
    }
}

/// Adds names that a list does not have, regardless of case. A cell may have millions of names.
fn add_new<'a>(list: &mut Vec<String>, names: impl IntoIterator<Item = &'a str>) {
    let mut known: HashSet<String> = list.iter().map(|name| name.to_lowercase()).collect();
    list.extend(names.into_iter().filter(|name| known.insert(name.to_lowercase())).map(str::to_owned));
}

/// A hash of a row's cells with the folded names of their columns. Empty cells don't count.
pub fn key_of<'c>(cells: impl Iterator<Item = (&'c str, &'c str)>) -> [u8; 16] {
    let mut hash = Sha256::new();
    for (name, cell) in cells.filter(|(_, cell)| !cell.is_empty()) {
        hash.update(name);
        hash.update([0xff]);
        hash.update(cell);
        hash.update([0xfe]);
    }
    let mut key = [0; 16];
    key.copy_from_slice(&hash.finalize()[..16]);
    key
}

/// The beginning of a cell, for an error sentence.
pub fn short(cell: &str) -> String {
    let text = cell.trim();
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The cells of one row by the names of their columns.
#[derive(Clone, Copy, Debug)]
pub struct Cells<'a> {
    pub header: &'a Header,
    pub record: &'a StringRecord,
    /// Columns that the reader mapped by hand: the format's own reading of them is ignored.
    pub by_hand: &'a [bool],
    /// Whether cells are escaped with apostrophes.
    pub escaped: bool,
    /// Notes which columns are read; empty if it does not matter.
    pub columns_read: &'a [Cell<bool>],
}

impl<'a> Cells<'a> {
    /// The cell of a folded column name, without surrounding spaces; empty if there is none.
    pub fn get(&self, name: &str) -> &'a str {
        let column = self.header.position(name).filter(|at| !self.by_hand.get(*at).is_some_and(|by_hand| *by_hand));
        let cell = column.map_or("", |at| self.at(at).trim());
        if !self.escaped && name != "title" && values::is_missing(cell) { "" } else { cell }
    }

    /// The cell in a column, without a spreadsheet's wrapping and without our escaping.
    pub fn at(&self, column: usize) -> &'a str {
        if let Some(is_read) = self.columns_read.get(column) {
            is_read.set(true);
        }
        let cell = self.record.get(column).unwrap_or_default();
        // Exports for other programs are escaped, too. An escaped cell never begins like a formula, whatever follows its first space.
        let text = restored_start(cell);
        if text.len() < cell.len() || (self.escaped && !cell.starts_with('=')) { text } else { values::unwrapped(cell) }
    }
}
