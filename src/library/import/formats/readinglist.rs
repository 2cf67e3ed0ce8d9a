//! Reading List for iPhone and iPad.
use crate::library::import::columns::Field;
use crate::library::import::edition;
use crate::library::import::formats::format::{Format, TRACKER};
use crate::library::import::row::{Cells, ReadRow};
use crate::library::import::values::{self, Notation};

/// Its CSV backup. A row without a start is one of the list.
pub static READING_LIST: Format = Format {
    name: "readinglist",
    title: "Reading List",
    recognises: |header| header.has_all(&["title", "authors", "startedreading", "finishedreading"]),
    fields: &[
        ("title", Field::Title),
        ("isbn-13", Field::Isbn),
        ("pagecount", Field::Pages),
        ("publisher", Field::Publisher),
        ("publicationdate", Field::Published),
        ("subjects", Field::Genres),
        ("languagecode", Field::Language),
        ("startedreading", Field::StartDate),
        ("finishedreading", Field::DateCompleted),
        ("rating", Field::Rating5),
        ("notes", Field::Notes),
    ],
    refined: &[("authors", Field::Author)],
    key: &["googlebooksid"],
    refine,
    ..TRACKER
};

fn refine(row: &mut ReadRow, cells: &Cells<'_>, _: Notation) {
    row.set_authors(values::list(cells.get("authors"), ';').map(edition::turned).collect());
}
