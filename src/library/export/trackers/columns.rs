//! The columns of each form, and how a row fills them.
mod cells;

pub use self::cells::shelf_name;
use self::cells::*;
use super::ExportFormat;
use super::entry::ExportRow;
use super::entry::Shelf;
use super::table::{self, Loss};
use crate::library::books::authors::each_author;
use crate::library::books::model::each_genre;
use crate::library::import;

/// How a cell is written.
#[derive(Clone, Copy)]
pub enum Cell {
    /// The same in every row.
    Fixed(&'static str),
    /// A number, a day, an ISBN or a word of the form.
    Value(fn(&ExportRow<'_>, &mut String)),
    /// A reader's text, which is escaped where a spreadsheet would execute it.
    Text(fn(&ExportRow<'_>, &mut String)),
}

use Cell::{Fixed, Text, Value};

const EMPTY: Cell = Fixed("");

/// The form that a program reads.
pub struct ExportForm {
    pub name: &'static str,
    pub columns: &'static [(&'static str, Cell)],
    /// Every cell is in quotes.
    pub quoted: bool,
    /// Lines end with CR and LF.
    pub crlf: bool,
    /// Each read has a row, instead of each book.
    pub read_a_row: bool,
    /// Line breaks within a cell become spaces.
    pub one_line: bool,
    /// What it can't hold.
    pub losses: &'static [Loss],
}

const GOODREADS: ExportForm = ExportForm {
    name: "Goodreads",
    columns: GOODREADS_COLUMNS,
    quoted: false,
    crlf: false,
    read_a_row: false,
    one_line: false,
    losses: table::GOODREADS,
};

/// The forms of all programs but our own.
pub static FORMS: [(ExportFormat, ExportForm); 8] = [
    (ExportFormat::Goodreads, GOODREADS),
    (ExportFormat::StoryGraph, ExportForm { name: "The StoryGraph", ..GOODREADS }),
    (
        ExportFormat::Hardcover,
        ExportForm { name: "Hardcover", columns: HARDCOVER_COLUMNS, losses: table::HARDCOVER, ..GOODREADS },
    ),
    (ExportFormat::LibraryThing, ExportForm { name: "LibraryThing", ..GOODREADS }),
    (
        ExportFormat::BookWyrm,
        ExportForm {
            name: "BookWyrm",
            columns: BOOKWYRM_COLUMNS,
            crlf: true,
            read_a_row: true,
            losses: table::BOOKWYRM,
            ..GOODREADS
        },
    ),
    (
        ExportFormat::Openreads,
        ExportForm {
            name: "Openreads",
            columns: OPENREADS_COLUMNS,
            quoted: true,
            crlf: true,
            losses: table::OPENREADS,
            ..GOODREADS
        },
    ),
    (
        ExportFormat::Jelu,
        ExportForm { name: "Jelu", columns: JELU_COLUMNS, crlf: true, losses: table::JELU, ..GOODREADS },
    ),
    (
        ExportFormat::Yamtrack,
        ExportForm {
            name: "Yamtrack",
            columns: YAMTRACK_COLUMNS,
            quoted: true,
            crlf: true,
            read_a_row: true,
            one_line: true,
            losses: table::YAMTRACK,
        },
    ),
];

const GOODREADS_COLUMNS: &[(&str, Cell)] = &[
    ("Book Id", EMPTY),
    ("Title", Text(title_with_series)),
    ("Author", Text(first_author)),
    ("Author l-f", Text(last_name_first)),
    ("Additional Authors", Text(|row, out| join(out, ", ", additional(row)))),
    ("ISBN", Fixed("=\"\"")),
    // Goodreads keeps spreadsheets from reading an ISBN as a number in this way.
    ("ISBN13", Value(|row, out| push(out, &["=\"", row.isbn, "\""]))),
    ("My Rating", Value(whole_stars)),
    ("Average Rating", EMPTY),
    ("Publisher", Text(publisher)),
    ("Binding", Value(|row, out| out.push_str(medium(row, ["Paperback", "ebook", "Audiobook"])))),
    ("Number of Pages", Value(pages)),
    ("Year Published", Value(year_published)),
    ("Original Publication Year", Value(|row, out| number(out, row.facts.original_year))),
    ("Date Read", Value(|row, out| day(out, row.spans.last().map(|(_, finish)| *finish), "%Y/%m/%d"))),
    ("Date Added", Value(|row, out| out.push_str(&added(row).replace('-', "/")))),
    ("Bookshelves", Text(write_shelves)),
    ("Bookshelves with positions", Text(positions)),
    ("Exclusive Shelf", Value(exclusive_shelf)),
    ("My Review", Text(review_in_html)),
    ("Spoiler", EMPTY),
    ("Private Notes", Text(|row, out| html(out, row.notes))),
    ("Read Count", Value(|row, out| out.push_str(&row.count.to_string()))),
    ("Owned Copies", Value(|row, out| out.push_str(if is_owned(row) { "1" } else { "0" }))),
];

/// Goodreads' columns, which Jelu reads by their positions: every date of a book is in "Date Read", and shelves may have any name.
/// Programs that read Goodreads' columns by name take the dates from `read_dates`. One more column than that would make Jelu look for the
/// owned copies in the last one.
const JELU_COLUMNS: &[(&str, Cell)] = &{
    let mut columns = [("read_dates", Value(read_dates)); GOODREADS_COLUMNS.len() + 1];
    let (goodreads, _) = columns.split_at_mut(GOODREADS_COLUMNS.len());
    goodreads.copy_from_slice(GOODREADS_COLUMNS);
    columns[4].1 = Text(|row, out| join(out, ",", additional(row)));
    columns[14].1 = Value(|row, out| {
        for (nth, (_, finish)) in row.spans.iter().enumerate() {
            out.push_str(if nth == 0 { "" } else { ";" });
            day(out, Some(*finish), "%Y/%m/%d");
        }
    });
    columns[16].1 = Text(|row, out| join(out, ",", own_words(row)));
    columns[17].1 = EMPTY;
    columns
};

const HARDCOVER_COLUMNS: &[(&str, Cell)] = &[
    ("Title", Text(title)),
    ("Author", Text(people)),
    ("Series", Text(series)),
    (
        "Status",
        Value(|row, out| {
            let words = ["Read", "Currently Reading", "Currently Reading", "Did Not Finish", "Want to Read"];
            out.push_str(words[row.shelf as usize]);
        }),
    ),
    ("Privacy", EMPTY),
    ("Hardcover Book ID", EMPTY),
    ("Hardcover Edition ID", EMPTY),
    ("ISBN 10", EMPTY),
    ("ISBN 13", Value(isbn)),
    ("ASIN", EMPTY),
    ("Media", Value(|row, out| out.push_str(medium(row, ["Book", "Ebook", "Audio"])))),
    ("Country Code", EMPTY),
    ("Language Code", Value(|row, out| out.push_str(row.facts.language.as_deref().unwrap_or_default()))),
    ("Binding", EMPTY),
    ("Pages", Value(pages)),
    ("Duration in Seconds", Value(|row, out| number(out, row.minutes.map(|minutes| minutes * 60)))),
    ("Publish Date", Value(|row, out| out.push_str(row.facts.published.as_deref().unwrap_or_default()))),
    ("Publisher", Text(publisher)),
    ("Genres", Text(|row, out| join(out, ", ", each_genre(row.genres)))),
    ("Moods", EMPTY),
    ("Tags", Text(|row, out| join(out, ", ", tags(row)))),
    ("Content Warnings", EMPTY),
    ("Lists", EMPTY),
    ("Date Added", Value(|row, out| out.push_str(added(row)))),
    ("Date Started", Value(|row, out| days(out, row.spans.iter().filter_map(|(start, _)| *start).chain(row.begun)))),
    ("Date Finished", Value(|row, out| days(out, row.spans.iter().map(|(_, finish)| *finish).chain(row.stopped)))),
    ("Rating", Value(half_stars)),
    ("Review", Text(review)),
    ("Review Contains Spoilers", Fixed("false")),
    ("Sponsored Review", Fixed("false")),
    ("Review Date", EMPTY),
    ("Review URL", EMPTY),
    ("Review Media URL", EMPTY),
    ("Private Notes", Text(notes)),
    ("Owned", Value(|row, out| out.push_str(if is_owned(row) { "true" } else { "false" }))),
    ("Compilation", Fixed("No")),
    ("Review Slate", Fixed("{}")),
];

const BOOKWYRM_COLUMNS: &[(&str, Cell)] = &[
    ("title", Text(title)),
    ("author_text", Text(|row, out| join(out, ", ", each_author(row.authors)))),
    ("remote_id", EMPTY),
    ("openlibrary_key", EMPTY),
    ("finna_key", EMPTY),
    ("libris_key", EMPTY),
    ("inventaire_id", EMPTY),
    ("librarything_key", EMPTY),
    ("goodreads_key", EMPTY),
    ("bnf_id", EMPTY),
    ("viaf", EMPTY),
    ("wikidata", EMPTY),
    ("asin", EMPTY),
    ("aasin", EMPTY),
    ("isfdb", EMPTY),
    ("isbn_10", EMPTY),
    ("isbn_13", Value(isbn)),
    ("oclc_number", EMPTY),
    ("pages", Value(pages)),
    ("start_date", Value(started)),
    ("finish_date", Value(finished)),
    ("stopped_date", Value(|row, out| day(out, row.stopped, ISO))),
    ("rating", Value(hundredths)),
    ("review_name", EMPTY),
    ("review_cw", EMPTY),
    ("review_content", Text(review_in_html)),
    ("review_published", EMPTY),
    (
        "shelf",
        Value(|row, out| {
            out.push_str(["read", "reading", "reading", "stopped-reading", "to-read"][row.shelf as usize]);
        }),
    ),
    (
        "shelf_name",
        Value(|row, out| {
            let words = ["Read", "Currently Reading", "Currently Reading", "Stopped Reading", "To Read"];
            out.push_str(words[row.shelf as usize]);
        }),
    ),
    // BookWyrm would make a start date of it.
    ("shelf_date", EMPTY),
];

const OPENREADS_COLUMNS: &[(&str, Cell)] = &[
    ("title", Text(title)),
    ("subtitle", EMPTY),
    ("author", Text(|row, out| join(out, ", ", each_author(row.authors)))),
    ("description", EMPTY),
    (
        "status",
        Value(|row, out| {
            out.push_str(["finished", "in_progress", "in_progress", "abandoned", "planned"][row.shelf as usize]);
        }),
    ),
    ("favourite", Fixed("false")),
    ("deleted", Fixed("false")),
    ("rating", Value(half_stars)),
    ("pages", Value(pages)),
    ("publication_year", Value(year_published)),
    ("isbn", Value(isbn)),
    ("olid", EMPTY),
    (
        "tags",
        Text(|row, out| {
            let owned = Some(import::OWNED).filter(|_| is_owned(row));
            join(out, "|||||", own_words(row).chain(owned));
        }),
    ),
    ("my_review", Text(|row, out| out.push_str(row.review))),
    ("notes", Text(|row, out| with_quotes(row, row.notes, out))),
    ("book_format", Value(|row, out| out.push_str(medium(row, ["paperback", "ebook", "audiobook"])))),
    ("readings", Value(readings)),
    ("date_added", Value(|row, out| out.push_str(row.added))),
    ("date_modified", Value(|row, out| out.push_str(row.added))),
];

const YAMTRACK_COLUMNS: &[(&str, Cell)] = &[
    (
        "media_id",
        Value(|row, out| {
            let prefix = if row.key < 0 { "list-" } else { "" };
            push(out, &[prefix, &row.key.abs().to_string()]);
        }),
    ),
    ("source", Fixed("manual")),
    ("media_type", Fixed("book")),
    ("title", Text(title)),
    ("image", EMPTY),
    ("season_number", EMPTY),
    ("episode_number", EMPTY),
    ("score", Value(|row, out| out.push_str(&row.rating.map(|rating| rating.to_string()).unwrap_or_default()))),
    // The last page of a finished book is its page count.
    (
        "progress",
        Value(|row, out| {
            number(out, if row.shelf == Shelf::Read { row.pages } else { row.page.map(|(page, _)| page) });
        }),
    ),
    (
        "status",
        Value(|row, out| {
            out.push_str(["Completed", "In progress", "Paused", "Dropped", "Planning"][row.shelf as usize]);
        }),
    ),
    ("start_date", Value(started)),
    ("end_date", Value(|row, out| day(out, row.spans.last().map(|(_, finish)| *finish).or(row.stopped), ISO))),
    ("notes", Text(|row, out| if row.shelf == Shelf::ToRead { notes(row, out) } else { review(row, out) })),
    ("progressed_at", Value(|row, out| day(out, row.page.map(|(_, day)| day), "%Y-%m-%dT00:00:00+00:00"))),
];
