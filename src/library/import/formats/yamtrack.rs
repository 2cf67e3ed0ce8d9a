//! Yamtrack: all media in one file, one reading per row.
use crate::library::import::columns::Field;
use crate::library::import::formats::format::Format;
use crate::library::import::row::{Cells, Destination, ReadRow, Shelf};
use crate::library::import::values::{self, Notation};

/// The file of "Settings", "Export". It has no author column.
pub static YAMTRACK: Format = Format {
    name: "yamtrack",
    recognises: |header| header.has_all(&["title", "mediatype", "mediaid"]),
    fields: &[
        ("title", Field::Title),
        ("author", Field::Author),
        ("score", Field::Rating),
        ("status", Field::Status),
        ("startdate", Field::StartDate),
        ("enddate", Field::DateCompleted),
        ("notes", Field::Notes),
    ],
    refined: &[("repeats", Field::ReadCount)],
    foreign: true,
    has_places: true,
    escaped: false,
    refine,
};

fn refine(row: &mut ReadRow, cells: &Cells<'_>, _: Notation) {
    if cells.get("mediatype") != "book" {
        row.shelf = Shelf::Known(Destination::Skip);
    }
    let finished = row.shelf == Shelf::Known(Destination::Read);
    if finished && row.pages.is_none() {
        // For a finished book the last page that was reached is the page count.
        row.pages = values::whole(cells.get("progress"), crate::library::books::model::MOST_PAGES)
            .ok()
            .flatten()
            .filter(|pages| *pages > 0);
    }
    // Repeats are counted in addition to the first reading.
    if let Ok(Some(repeats)) = values::whole(cells.get("repeats"), 100) {
        row.read_count = repeats + 1;
    }
    // A book needs an author, an item of the list does not. The reader can add the name later.
    if row.author.is_empty() && row.shelf != Shelf::Known(Destination::ToRead) {
        row.author = "Unknown author".to_owned();
    }
}
