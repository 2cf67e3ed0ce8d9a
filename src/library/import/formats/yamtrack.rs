//! Yamtrack: all media in one file, one reading per row.
use crate::library::books::log::{ReadingDay, place_of};
use crate::library::books::model::MOST_PAGES;
use crate::library::import::columns::Field;
use crate::library::import::formats::format::{Format, TRACKER};
use crate::library::import::row::{Cells, Destination, ReadRow, Shelf};
use crate::library::import::values::{self, Notation};

/// The file of "Settings", "Export". It has no author column.
pub static YAMTRACK: Format = Format {
    name: "yamtrack",
    title: "Yamtrack",
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
    key: &["source", "mediaid"],
    refine,
    ..TRACKER
};

fn refine(row: &mut ReadRow, cells: &Cells<'_>, notation: Notation) {
    if cells.get("mediatype") != "book" {
        row.shelf = Shelf::Known(Destination::Skip);
    }
    let page = values::whole(cells.get("progress"), MOST_PAGES).ok().flatten().filter(|page| *page > 0);
    if row.shelf == Shelf::Known(Destination::Read) {
        // For a finished book the last page that was reached is the page count.
        row.pages = row.pages.or(page);
    } else {
        let day =
            ["progressedat", "progresschanged"].iter().find_map(|name| values::date(cells.get(name), notation.order));
        row.log.extend(page.zip(day).map(|(page, day)| {
            // Without a page count the place is unknown until the reader adds one.
            let at = row.pages.map_or(0, |pages| place_of(page, pages));
            ReadingDay { at: Some(at), page: Some(page), ..ReadingDay::of(day) }
        }));
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
