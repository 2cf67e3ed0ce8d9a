//! Openreads: every reading of a book in one cell, deleted books, texts with several lines.
use crate::library::books::model::NAME_LENGTH;
use crate::library::import::columns::Field;
use crate::library::import::formats::format::{Format, TRACKER};
use crate::library::import::row::{Cells, Destination, Read, ReadRow, Shelf};
use crate::library::import::values::{self, Notation};

/// `Openreads-….csv`; older files have one reading in separate columns.
pub static OPENREADS: Format = Format {
    name: "openreads",
    title: "Openreads",
    recognises: |header| {
        header.has_all(&["title", "author", "status"])
            && (header.has("readings") || header.has("bookformat") || header.has("olid"))
    },
    fields: &[
        ("title", Field::Title),
        ("author", Field::Author),
        ("isbn", Field::Isbn),
        ("pages", Field::Pages),
        ("rating", Field::Rating5),
        ("bookformat", Field::Format),
        ("status", Field::Status),
        ("startdate", Field::StartDate),
        ("finishdate", Field::DateCompleted),
        ("myreview", Field::Impressions),
        ("notes", Field::Notes),
    ],
    refined: &[("readings", Field::DateCompleted), ("tags", Field::Genres), ("publicationyear", Field::Published)],
    key: &["olid"],
    refine,
    ..TRACKER
};

fn refine(row: &mut ReadRow, cells: &Cells<'_>, notation: Notation) {
    if values::yes_no(cells.get("deleted")) == Some(true) {
        row.shelf = Shelf::Known(Destination::Skip);
    }
    row.add_genres(cells.get("tags").split("|||||"));
    row.add_tags(cells.get("tags").split("|||||").map(str::trim).filter(|tag| !tag.is_empty()));
    row.set_edition("", cells.get("publicationyear"), "");
    let subtitle = cells.get("subtitle");
    let whole = format!("{}: {subtitle}", row.title);
    // A title takes its subtitle along as far as both fit a book; the kept row has it anyway.
    if !subtitle.is_empty() && !row.title.is_empty() && whole.chars().count() <= NAME_LENGTH {
        row.title = whole;
    }
    let readings = cells.get("readings");
    for reading in values::list(readings, ';') {
        // start|finish|milliseconds, each of which may be empty
        let mut parts = reading.split('|');
        let (start, finish) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let (start, finish) =
            (row.day("startDate", start, notation), row.rough_date("dateCompleted", finish, notation));
        row.add_read(Read { start, finish });
    }
    row.reads_listed |= !readings.is_empty();
}
