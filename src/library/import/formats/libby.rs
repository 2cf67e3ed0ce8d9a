//! Libby: the loans and holds of a library card, one row for each book (see [`libby_timeline`](crate::library::import::libby_timeline)).
use crate::library::books::model::BookFormat;
use crate::library::import::columns::Field;
use crate::library::import::edition;
use crate::library::import::formats::format::{Format, TRACKER};
use crate::library::import::row::{Cells, Destination, Read, ReadRow, Shelf};
use crate::library::import::values::{self, Notation};

/// The timeline as CSV or JSON. A return is an end only if the reader says so, as it may be due before the book is read.
pub static LIBBY: Format = Format {
    name: "libby",
    title: "Libby",
    recognises: |header| header.has_all(&["title", "author", "loans", "waiting"]),
    fields: &[
        ("title", Field::Title),
        ("publisher", Field::Publisher),
        ("isbn", Field::Isbn),
        ("medium", Field::Format),
    ],
    refined: &[("author", Field::Author), ("loans", Field::DateCompleted), ("waiting", Field::Status)],
    proposes_ends: true,
    refine,
    ..TRACKER
};

fn refine(row: &mut ReadRow, cells: &Cells<'_>, notation: Notation) {
    row.set_authors(edition::names(cells.get("author")));
    row.reads_listed = true;
    let mut is_open = false;
    for loan in values::list(cells.get("loans"), ';') {
        let (start, finish) = loan.split_once(',').unwrap_or((loan, ""));
        let start = row.day("startDate", start, notation);
        let finish = row.rough_date("dateCompleted", finish, notation);
        is_open = finish.is_none();
        row.add_read(Read { start, finish });
    }
    if !row.has_format {
        row.format = BookFormat::EBook;
    }
    let is_magazine = cells.get("medium") == "magazine" || (row.author.is_empty() && row.isbn.is_none());
    row.shelf = Shelf::Known(match cells.get("waiting") {
        _ if is_magazine => Destination::Skip,
        "true" => Destination::ToRead,
        _ if cells.get("loans").is_empty() => Destination::Skip,
        _ if is_open => Destination::Reading,
        _ => Destination::Read,
    });
}
