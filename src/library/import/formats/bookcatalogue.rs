//! Book Catalogue for Android.
use crate::library::import::columns::Field;
use crate::library::import::edition;
use crate::library::import::formats::format::{Format, TRACKER};
use crate::library::import::row::{Cells, Destination, ReadRow, Shelf};
use crate::library::import::values::{self, Notation};

/// Its CSV export. A book that is neither read nor begun is one that a person owns.
pub static BOOK_CATALOGUE: Format = Format {
    name: "bookcatalogue",
    title: "Book Catalogue",
    recognises: |header| header.has_all(&["title", "authordetails", "read"]),
    fields: &[
        ("title", Field::Title),
        ("isbn", Field::Isbn),
        ("publisher", Field::Publisher),
        ("datepublished", Field::Published),
        ("rating", Field::Rating5),
        ("bookshelf", Field::Tags),
        ("pages", Field::Pages),
        ("notes", Field::Notes),
        ("readstart", Field::StartDate),
        ("readend", Field::DateCompleted),
        ("format", Field::Format),
        ("genre", Field::Genres),
        ("language", Field::Language),
    ],
    refined: &[("authordetails", Field::Author), ("seriesdetails", Field::Series), ("read", Field::Status)],
    key: &["bookuuid"],
    refine,
    ..TRACKER
};

fn refine(row: &mut ReadRow, cells: &Cells<'_>, _: Notation) {
    row.set_authors(values::list(cells.get("authordetails"), '|').map(edition::turned).collect());
    if let Some((name, number)) = cells.get("seriesdetails").split('|').next().and_then(|first| first.rsplit_once('('))
    {
        row.facts.series = edition::series_with_number(&format!("{} #{}", name.trim(), number.trim_end_matches(')')));
    }
    if values::yes_no(cells.get("read")) == Some(true) || cells.get("read") == "1" {
        row.shelf = Shelf::Known(Destination::Read);
    } else {
        row.shelf = Shelf::Unsaid;
    }
}
