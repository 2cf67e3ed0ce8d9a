//! Libation: the audiobooks that a person has at Audible.
use crate::library::books::facts::{Contributor, ContributorRole};
use crate::library::books::model::BookFormat;
use crate::library::import::columns::Field;
use crate::library::import::edition;
use crate::library::import::formats::format::{Format, TRACKER};
use crate::library::import::row::{Cells, Destination, ReadRow, Shelf};
use crate::library::import::values::{self, Notation};

/// The CSV export of its library.
pub static LIBATION: Format = Format {
    name: "libation",
    title: "Libation",
    recognises: |header| header.has_all(&["audibleproductid", "title", "lengthinminutes"]),
    fields: &[
        ("title", Field::Title),
        ("lengthinminutes", Field::Minutes),
        ("publisher", Field::Publisher),
        ("myrating:overall", Field::Rating5),
        ("mylibationtags", Field::Tags),
    ],
    refined: &[("authors", Field::Author), ("narrators", Field::Contributors), ("seriesnames", Field::Series)],
    key: &["audibleproductid"],
    has_places: false,
    owned: Some("Audible library"),
    refine,
    ..TRACKER
};

fn refine(row: &mut ReadRow, cells: &Cells<'_>, _: Notation) {
    row.set_authors(edition::names(cells.get("authors")));
    let narrators = edition::names(cells.get("narrators")).into_iter();
    row.facts.contributors.extend(narrators.map(|name| Contributor { name, role: ContributorRole::Narrator }));
    let name = cells.get("seriesnames").split(',').next().unwrap_or_default().trim();
    let order = cells.get("seriesorder").split([',', ':']).next().unwrap_or_default().trim();
    row.facts.series = row.facts.series.take().or_else(|| edition::series_with_number(&format!("{name} #{order}")));
    (row.format, row.has_format) = (BookFormat::Audio, true);
    if values::yes_no(cells.get("isfinished")) == Some(true) {
        row.shelf = Shelf::Known(Destination::Read);
    } else if row.shelf == Shelf::Unsaid && row.rating.is_none() {
        row.shelf = Shelf::Custom("Audible library".to_owned());
    }
}
