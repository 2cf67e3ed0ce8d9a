//! Exports in the forms that other trackers read, and what each of them can't hold (docs/rules.md, "Exports to other programs").
//!
//! Every form is a table of columns over one kind of row ([`columns`]); [`entry`] makes the rows of a book or of an item of the list, and
//! [`losses`] finds what does not fit. To add a format, see `CONTRIBUTING.md`.
mod columns;
mod entry;
pub mod losses;
#[cfg(test)]
mod programs_tests;
#[cfg(test)]
mod read_back_tests;
mod table;

use std::collections::HashMap;
use std::io::{self, Write};

use csv::{QuoteStyle, Terminator, Writer, WriterBuilder};
use rusqlite::Connection;
use serde::Deserialize;
use utoipa::IntoParams;

use self::columns::{Cell, ExportForm, FORMS};
use self::entry::{ExportEntry, ExportRow};
use crate::kit::db::pool::owner_of;
use crate::kit::http::download;
use crate::kit::id::UserId;
use crate::kit::named::named;
use crate::kit::{Error, Result};
use crate::library::books::model::Book;
use crate::library::books::reads::order_of;
use crate::library::{books, import, tbr};

named! {
    /// A program for which an export is written.
    ExportFormat {
        /// Goodreads.
        Goodreads = "goodreads",
        /// The StoryGraph, which reads Goodreads' form.
        StoryGraph = "storygraph",
        /// Hardcover.
        Hardcover = "hardcover",
        /// LibraryThing, which reads Goodreads' form.
        LibraryThing = "librarything",
        /// BookWyrm.
        BookWyrm = "bookwyrm",
        /// Openreads.
        Openreads = "openreads",
        /// Jelu, which reads Goodreads' form by the positions of its columns.
        Jelu = "jelu",
        /// Yamtrack.
        Yamtrack = "yamtrack",
        /// Shelfwise: its own CSV file.
        Shelfwise = "shelfwise",
    }
}

named! {
    /// How a rough date is written where a day is expected.
    #[derive(Default)]
    RoughDates {
        /// As its last possible day.
        #[default]
        Last = "last",
        /// Not at all.
        None = "none",
    }
}

named! {
    /// How a rating between two steps of another scale is rounded. If nothing is sent, it becomes the nearest step.
    Rounding {
        /// To the higher step.
        Up = "up",
        /// To the lower step.
        Down = "down",
    }
}

named! {
    /// What becomes of quotes.
    #[derive(Default)]
    Quotes {
        /// They are left out.
        #[default]
        Leave = "leave",
        /// They follow the review or the notes.
        Append = "append",
    }
}

named! {
    /// A question about an export that its reader answers.
    ExportQuestion {
        /// What becomes of rough dates.
        RoughDates = "roughDates",
        /// How ratings are rounded.
        Ratings = "ratings",
        /// What becomes of quotes.
        Quotes = "quotes",
    }
}

/// The answers to the questions about an export.
#[derive(Debug, Clone, Copy, Default, Deserialize, IntoParams)]
#[serde(default, rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct Answers {
    /// `last` (the default) writes the last possible day of a rough date, `none` leaves the date out.
    #[param(inline, value_type = Option<RoughDates>)]
    pub rough_dates: RoughDates,
    /// Rounds ratings between two steps `up` or `down`; without it to the nearest step.
    #[param(inline)]
    pub ratings: Option<Rounding>,
    /// `append` puts quotes below the review or into the notes, `leave` (the default) leaves them out.
    #[param(inline, value_type = Option<Quotes>)]
    pub quotes: Quotes,
}

impl ExportFormat {
    /// The name that people know.
    pub fn title(self) -> &'static str {
        self.form().map_or("Shelfwise", |form| form.name)
    }

    /// The form that it reads; `None` for our own.
    fn form(self) -> Option<&'static ExportForm> {
        FORMS.iter().find(|(program, _)| *program == self).map(|(_, form)| form)
    }
}

/// Writes an owner's books and list in the form that a program reads.
///
/// # Errors
/// [`Error::DiskFull`]; the database's.
pub fn write(
    conn: &Connection,
    owner: UserId,
    program: ExportFormat,
    answers: &Answers,
    out: &mut impl Write,
) -> Result<()> {
    let Some(form) = program.form() else { return super::write_books(conn, owner, out) };
    let mut file = File::new(form, answers, out)?;
    each(conn, owner, &mut |entry| file.add(&entry))?;
    file.0.flush().map_err(failed)
}

/// Visits every book with all its reads, then the items of the list.
fn each(conn: &Connection, owner: UserId, visit: &mut dyn FnMut(ExportEntry<'_>) -> Result<()>) -> Result<()> {
    let several = books::store::works::with_several(conn, owner)?;
    let mut waiting: HashMap<_, Vec<Book<'static>>> = HashMap::new();
    books::store::each(conn, owner, |book| {
        let work = book.work;
        let Some(others) = several.get(&work) else { return visit(ExportEntry::Reads(std::slice::from_ref(&book))) };
        let reads = waiting.entry(work).or_default();
        reads.push(book.into_owned());
        if reads.len() <= *others {
            return Ok(());
        }
        let mut reads = waiting.remove(&work).unwrap_or_default();
        reads.sort_by_key(|read| {
            (order_of(read.status, read.date_completed, read.stopped_date, read.start_date), read.id)
        });
        visit(ExportEntry::Reads(&reads))
    })?;
    let mut position = 0;
    tbr::store::each(conn, owner, &mut |item| {
        position += 1;
        visit(ExportEntry::Item(item, position))
    })
}

/// A file in another program's form that is being written.
struct File<'a, W: Write>(Writer<W>, &'static ExportForm, &'a Answers, String);

impl<'a, W: Write> File<'a, W> {
    fn new(form: &'static ExportForm, answers: &'a Answers, out: W) -> Result<Self> {
        let mut builder = WriterBuilder::new();
        if form.quoted {
            builder.quote_style(QuoteStyle::Always);
        }
        if form.crlf {
            builder.terminator(Terminator::CRLF);
        }
        let mut file = File(builder.from_writer(out), form, answers, String::new());
        file.0.write_record(form.columns.iter().map(|(name, _)| name)).map_err(failed)?;
        Ok(file)
    }

    fn add(&mut self, entry: &ExportEntry<'_>) -> Result<()> {
        let (form, answers) = (self.1, self.2);
        match entry {
            // The newest read comes first: a program that takes one shelf for each book takes the first.
            ExportEntry::Reads(reads) if form.read_a_row => {
                (0..reads.len()).rev().try_for_each(|at| self.row(&ExportRow::of_reads(&reads[at..=at], answers)))
            }
            ExportEntry::Reads(reads) => self.row(&ExportRow::of_reads(reads, answers)),
            ExportEntry::Item(item, position) => {
                let facts = entry::facts_of(item);
                self.row(&ExportRow::of_item(item, &facts, *position, answers))
            }
        }
    }

    fn row(&mut self, row: &ExportRow<'_>) -> Result<()> {
        let File(csv, form, _, text) = self;
        for (_, cell) in form.columns {
            text.clear();
            let written = match cell {
                Cell::Fixed(fixed) => csv.write_field(fixed),
                Cell::Value(write) => {
                    write(row, text);
                    csv.write_field(&*text)
                }
                Cell::Text(write) => {
                    write(row, text);
                    if form.one_line && text.contains(entry::breaks_line) {
                        *text = text.replace(entry::breaks_line, " ");
                    }
                    csv.write_field(import::escaped(text).as_bytes())
                }
            };
            written.map_err(failed)?;
        }
        csv.write_record(None::<&[u8]>).map_err(failed)
    }
}

fn failed(cause: impl Into<io::Error>) -> Error {
    download::failed(cause.into())
}

/// The number of a book's key within its library.
fn number_within(key: i64) -> i64 {
    key - crate::kit::db::pool::owned(owner_of(key)).0
}
