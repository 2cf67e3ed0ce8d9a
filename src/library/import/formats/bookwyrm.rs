//! BookWyrm: the latest reading and one shelf for each book.
use crate::library::import::columns::Field;
use crate::library::import::formats::format::{Format, TRACKER};
use crate::library::import::row::{Cells, ReadRow, Shelf};
use crate::library::import::values::Notation;

/// `bookwyrm-export.csv`, with any number of identifier columns.
pub static BOOKWYRM: Format = Format {
    name: "bookwyrm",
    title: "BookWyrm",
    recognises: |header| header.has_all(&["title", "authortext"]),
    fields: &[
        ("title", Field::Title),
        ("authortext", Field::Author),
        ("isbn13", Field::Isbn),
        ("isbn10", Field::Isbn),
        ("pages", Field::Pages),
        ("startdate", Field::StartDate),
        ("finishdate", Field::DateCompleted),
        ("stoppeddate", Field::StoppedDate),
        ("rating", Field::Rating5),
        ("shelf", Field::Status),
    ],
    refined: &[
        ("reviewname", Field::Impressions),
        ("reviewcw", Field::Impressions),
        ("reviewcontent", Field::Impressions),
    ],
    key: &["remoteid"],
    refine,
    ..TRACKER
};

fn refine(row: &mut ReadRow, cells: &Cells<'_>, _: Notation) {
    row.set_authors(crate::library::import::edition::names(cells.get("authortext")));
    // A custom shelf is a slug followed by a number; its name is in another column.
    let name = cells.get("shelfname");
    if matches!(&row.shelf, Shelf::Custom(slug) if !name.is_empty() && slug != "stopped-reading") {
        row.add_genres([name]);
        row.add_tags([name]);
    }
    let parts =
        ["reviewname", "reviewcw", "reviewcontent"].map(|name| crate::library::import::html::text_of(cells.get(name)));
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    if !parts.is_empty() {
        row.impressions = parts.join("\n\n");
    }
}
