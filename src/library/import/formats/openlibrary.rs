//! Open Library's reading log.
use crate::library::import::columns::Field;
use crate::library::import::edition;
use crate::library::import::formats::format::{Format, TRACKER};
use crate::library::import::row::{Cells, ReadRow};
use crate::library::import::values::Notation;

/// The CSV of the reading log. It has no dates of reading.
pub static OPENLIBRARY: Format = Format {
    name: "openlibrary",
    title: "Open Library",
    recognises: |header| header.has_all(&["workid", "title", "bookshelf"]),
    fields: &[
        ("title", Field::Title),
        ("firstpublishyear", Field::OriginalYear),
        ("bookshelf", Field::Status),
        ("myratings", Field::Rating5),
    ],
    refined: &[("authors", Field::Author)],
    key: &["workid"],
    refine,
    ..TRACKER
};

fn refine(row: &mut ReadRow, cells: &Cells<'_>, _: Notation) {
    row.set_authors(edition::names(cells.get("authors")));
}
