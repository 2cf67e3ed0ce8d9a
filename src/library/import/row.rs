//! What one row of any file says, before anything is decided about it.
use chrono::NaiveDate;
use csv::StringRecord;

use super::columns::Header;
use super::values::{self, DateOrder};
use crate::library::books::model::{Distribution, Format, WordCountSource};
use crate::library::import::escaping::restored;

/// One reading of a book, as far as its days are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Read {
    /// The day it was finished.
    pub finish: Option<NaiveDate>,
    /// The day it was begun.
    pub start: Option<NaiveDate>,
}

/// Where a row belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Destination {
    /// Finished, with a day or without one.
    Read,
    /// Being read.
    Reading,
    /// On the to-be-read list.
    ToRead,
    /// Nowhere: left out on purpose.
    Skip,
}

impl Destination {
    /// The API's word for it.
    pub fn name(self) -> &'static str {
        match self {
            Destination::Read => "read",
            Destination::Reading => "reading",
            Destination::ToRead => "to-read",
            Destination::Skip => "skip",
        }
    }

    /// The place of that API word.
    pub fn named(name: &str) -> Option<Self> {
        [Destination::Read, Destination::Reading, Destination::ToRead, Destination::Skip]
            .into_iter()
            .find(|place| place.name() == name)
    }
}

/// What the file says about a row's place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Shelf {
    /// Nothing.
    #[default]
    Unsaid,
    /// A word every tracker uses, or one that its format defines.
    Known(Destination),
    /// A shelf of the reader's own, under the name they gave it.
    Custom(String),
}

/// Something in a row that cannot be taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The API's name of the field; none for the row as a whole.
    pub field: Option<&'static str>,
    /// A sentence for the reader.
    pub message: String,
}

/// One row, read.
#[derive(Clone, Debug, Default)]
pub struct ReadRow {
    pub title: String,
    pub author: String,
    pub words: Option<i64>,
    pub words_source: WordCountSource,
    pub pages: Option<i64>,
    /// Thirteen digits.
    pub isbn: Option<String>,
    pub shelf: Shelf,
    /// 0 to 10.
    pub rating: Option<i64>,
    /// Every reading with a day of its own.
    pub reads: Vec<Read>,
    /// The readings come from a column that lists them all, so those before the last are known to be finished.
    pub reads_listed: bool,
    /// How often the file says the book was read; 0 where it doesn't.
    pub read_count: i64,
    pub reread: bool,
    pub distribution: Distribution,
    pub format: Format,
    pub genres: Vec<String>,
    pub impressions: String,
    pub quotes: Vec<String>,
    pub notes: String,
    /// The place in the to-be-read list, where the file numbers it.
    pub position: Option<u32>,
    pub problems: Vec<Problem>,
}

impl ReadRow {
    /// Notes what cannot be taken.
    pub fn refuse(&mut self, field: &'static str, message: impl Into<String>) {
        self.problems.push(Problem { field: Some(field), message: message.into() });
    }

    /// A date of one of the format's own columns; what is no date is noted under `field`.
    pub fn date(&mut self, field: &'static str, cell: &str, order: DateOrder) -> Option<NaiveDate> {
        if cell.trim().is_empty() {
            return None;
        }
        let found = values::date(cell, order);
        if found.is_none() {
            self.refuse(field, format!("\u{201c}{}\u{201d} is not a date between 1900 and 2100.", short(cell)));
        }
        found
    }

    /// Adds a reading unless one with that finish is there; then it may add the start.
    pub fn add_read(&mut self, read: Read) {
        match self.reads.iter_mut().find(|known| read.finish.is_some() && known.finish == read.finish) {
            Some(known) => known.start = known.start.or(read.start),
            None if read != Read::default() => self.reads.push(read),
            None => {}
        }
    }

    /// Adds genres that are not there yet, whatever their case.
    pub fn add_genres<'a>(&mut self, names: impl IntoIterator<Item = &'a str>) {
        for name in names {
            let folded = name.to_lowercase();
            if !self.genres.iter().any(|known| known.to_lowercase() == folded) {
                self.genres.push(name.to_owned());
            }
        }
    }
}

/// The beginning of a cell, for a sentence about it.
pub fn short(cell: &str) -> String {
    let text = cell.trim();
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The cells of one row under the names of their columns.
#[derive(Clone, Copy, Debug)]
pub struct Cells<'a> {
    pub header: &'a Header,
    pub record: &'a StringRecord,
    /// Columns that the reader mapped by hand: a format's own reading of them no longer counts.
    pub by_hand: &'a [bool],
    /// Cells begin with an apostrophe where a spreadsheet would run them.
    pub escaped: bool,
}

impl<'a> Cells<'a> {
    /// The cell of a folded column name, without the spaces around it; empty where there is none.
    pub fn get(&self, name: &str) -> &'a str {
        let column = self.header.position(name).filter(|at| !self.by_hand.get(*at).is_some_and(|by_hand| *by_hand));
        column.map_or("", |at| self.at(at).trim())
    }

    /// The cell in that column, out of a spreadsheet's wrapping and of our own.
    pub fn at(&self, column: usize) -> &'a str {
        let cell = self.record.get(column).unwrap_or_default();
        // What we escaped never begins like a formula, whatever stands behind its first space.
        if self.escaped && !cell.starts_with('=') { restored(cell) } else { values::unwrapped(cell) }
    }
}
