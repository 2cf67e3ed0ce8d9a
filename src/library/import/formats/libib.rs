//! Libib: a catalogue of books, films and games, with a status.
use crate::library::import::columns::Field;
use crate::library::import::edition;
use crate::library::import::formats::format::{Format, TRACKER};
use crate::library::import::row::{Cells, Destination, ReadRow, Shelf};
use crate::library::import::values::Notation;

/// The CSV of one library. What is no book is left out.
pub static LIBIB: Format = Format {
    name: "libib",
    title: "Libib",
    recognises: |header| header.has_all(&["itemtype", "title", "creators"]),
    fields: &[
        ("title", Field::Title),
        ("eanisbn13", Field::Isbn),
        ("upcisbn10", Field::Isbn),
        ("publisher", Field::Publisher),
        ("publishdate", Field::Published),
        ("tags", Field::Tags),
        ("notes", Field::Notes),
        ("length", Field::Pages),
        ("rating", Field::Rating5),
        ("review", Field::Impressions),
        ("status", Field::Status),
        ("began", Field::StartDate),
        ("completed", Field::DateCompleted),
    ],
    refined: &[("creators", Field::Author)],
    refine,
    ..TRACKER
};

fn refine(row: &mut ReadRow, cells: &Cells<'_>, _: Notation) {
    row.set_authors(edition::names(cells.get("creators")));
    if !matches!(cells.get("itemtype").to_lowercase().as_str(), "book" | "") {
        row.shelf = Shelf::Known(Destination::Skip);
    }
}
