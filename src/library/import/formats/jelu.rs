//! Jelu: lists of dates of reading and of giving up, and a status without its own column.
use chrono::{Datelike, NaiveDate};

use crate::library::import::columns::Field;
use crate::library::import::edition;
use crate::library::import::formats::format::{Format, TRACKER};
use crate::library::import::row::{Cells, Destination, Read, ReadRow, Shelf};
use crate::library::import::values::{self, Notation};

/// `jelu-export-….csv`.
pub static JELU: Format = Format {
    name: "jelu",
    title: "Jelu",
    recognises: |header| {
        header.has("title")
            && (header.has("droppeddates") || header.has_all(&["shelves", "readdates", "currentlyreading"]))
    },
    fields: &[
        ("title", Field::Title),
        ("author", Field::Author),
        ("isbn13", Field::Isbn),
        ("isbn10", Field::Isbn),
        ("isbn", Field::Isbn),
    ],
    refined: &[
        ("dateread", Field::DateCompleted),
        ("readdates", Field::DateCompleted),
        ("shelves", Field::Status),
        ("tags", Field::Genres),
        ("authors", Field::Author),
        ("publisher", Field::Publisher),
        ("owned", Field::Tags),
    ],
    refine,
    ..TRACKER
};

fn refine(row: &mut ReadRow, cells: &Cells<'_>, notation: Notation) {
    row.set_authors(edition::names(cells.get("authors")));
    row.set_edition(cells.get("publisher"), "", "");
    row.add_tags(values::list(cells.get("tags"), ','));
    row.tag_as_owned(values::yes_no(cells.get("owned")) == Some(true));
    let mut readings = 0;
    let days = cells.get(if cells.header.has("readdates") { "readdates" } else { "dateread" });
    for day in values::list(days, ',') {
        readings += 1;
        if let Some(finish) = row.rough_date("dateCompleted", day, notation) {
            row.add_read(Read { start: None, finish: Some(finish) });
        }
    }
    row.read_count = readings;
    row.reads_listed = true;
    row.invents_days = true;
    row.add_genres(values::list(cells.get("tags"), ','));
    let dropped = values::list(cells.get("droppeddates"), ',').filter_map(|day| values::date(day, notation.order));
    row.stopped = dropped.filter(|day| !is_invented(*day)).max();
    row.shelf = shelf(cells, readings > 0);
    let finished = row.reads.iter().filter_map(|read| read.finish).map(|finish| finish.to).max();
    if row.shelf == Shelf::Known(Destination::Read) && row.stopped > finished {
        // It was read, begun again and given up.
        row.shelf = Shelf::Known(Destination::DidNotFinish);
    }
    if row.shelf == Shelf::Known(Destination::Reading) {
        let begun = values::list(cells.get("currentlyreading"), ',')
            .filter_map(|day| values::date(day, notation.order))
            .filter(|day| !is_invented(*day))
            .max();
        row.add_read(Read { start: begun, finish: None });
    }
}

/// Jelu dates imported readings without a date to the first days of 1970. Finished ones are offered to their reader as undated.
fn is_invented(day: NaiveDate) -> bool {
    day.year() == 1970 && day.month() == 1
}

fn shelf(cells: &Cells<'_>, was_read: bool) -> Shelf {
    let shelves = cells.get("shelves");
    let stands_on = |name| values::list(shelves, ',').any(|shelf| shelf == name);
    if stands_on("currently-reading") {
        Shelf::Known(Destination::Reading)
    } else if was_read {
        Shelf::Known(Destination::Read)
    } else if stands_on("to-read") {
        Shelf::Known(Destination::ToRead)
    } else if cells.get("droppeddates").is_empty() {
        Shelf::Unsaid
    } else {
        Shelf::Custom("dropped".to_owned())
    }
}
