//! Reading List for iPhone and iPad.
use crate::library::import::columns::Field;
use crate::library::import::formats::format::Format;
use crate::library::import::row::{Cells, ReadRow};
use crate::library::import::values::{self, Notation};

/// Its CSV backup. A row without a start is one of the list.
pub static READING_LIST: Format = Format {
    name: "readinglist",
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
    foreign: true,
    has_places: true,
    owned: None,
    escaped: false,
    refine,
};

fn refine(row: &mut ReadRow, cells: &Cells<'_>, _: Notation) {
    row.set_authors(values::list(cells.get("authors"), ';').map(turned).collect());
}

/// `Last, First` as it is spoken.
pub fn turned(name: &str) -> String {
    match name.split_once(',') {
        Some((last, first)) if !first.trim().is_empty() => format!("{} {}", first.trim(), last.trim()),
        _ => name.trim().to_owned(),
    }
}
