//! Calibre's catalogue: the books that a person owns, without reading data.
use crate::library::books::facts::Series;
use crate::library::import::columns::Field;
use crate::library::import::formats::format::{Format, TRACKER};
use crate::library::import::row::{Cells, ReadRow, Shelf};
use crate::library::import::values::{self, Notation};

/// The CSV of "Create a catalogue". The columns are chosen there, so only few are required.
pub static CALIBRE: Format = Format {
    name: "calibre",
    title: "Calibre",
    recognises: |header| {
        let marks = ["authorsort", "titlesort", "uuid", "libraryname", "timestamp", "seriesindex", "identifiers"];
        header.has_all(&["title", "authors"]) && marks.iter().filter(|name| header.has(name)).count() >= 2
    },
    fields: &[
        ("title", Field::Title),
        ("isbn", Field::Isbn),
        ("tags", Field::Genres),
        ("#pages", Field::Pages),
        ("#words", Field::WordCount),
    ],
    refined: &[
        ("authors", Field::Author),
        ("rating", Field::Rating5),
        ("formats", Field::Format),
        ("identifiers", Field::Isbn),
        ("series", Field::Series),
        ("seriesindex", Field::SeriesNumber),
        ("publisher", Field::Publisher),
        ("pubdate", Field::Published),
        ("languages", Field::Language),
    ],
    key: &["uuid"],
    has_places: false,
    owned: Some("Calibre library"),
    refine,
    ..TRACKER
};

fn refine(row: &mut ReadRow, cells: &Cells<'_>, _: Notation) {
    row.set_authors(values::list(cells.get("authors"), '&').map(str::to_owned).collect());
    let index = cells.get("seriesindex");
    let number = Some(index.strip_suffix(".0").unwrap_or(index)).filter(|number| !number.is_empty()).map(str::to_owned);
    let name = cells.get("series");
    if row.facts.series.is_none() && !name.is_empty() {
        row.facts.series = Some(Series { name: name.to_owned(), number });
    }
    row.set_edition(cells.get("publisher"), cells.get("pubdate"), cells.get("languages"));
    row.add_tags(values::list(cells.get("tags"), ','));
    row.rating = row.rating.or_else(|| values::five_stars(cells.get("rating")).ok().flatten());
    for part in values::list(cells.get("identifiers"), ',').filter_map(|part| part.strip_prefix("isbn:")) {
        row.add_isbn(part);
    }
    let is_unsaid = row.shelf == Shelf::Unsaid && row.reads.is_empty() && row.rating.is_none();
    if let Some(shelf) = CALIBRE.owned.filter(|_| is_unsaid) {
        row.shelf = Shelf::Custom(shelf.to_owned());
    }
    if !cells.get("formats").is_empty() {
        (row.format, row.has_format) = (crate::library::books::model::BookFormat::EBook, true);
    }
}
