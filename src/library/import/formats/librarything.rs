//! LibraryThing: separated by tabs, without quotes, dates and ISBN in brackets, last names first.
use crate::library::books::facts::Contributor;
use crate::library::import::columns::{Field, folded};
use crate::library::import::edition;
use crate::library::import::formats::format::{Format, TRACKER};
use crate::library::import::row::{Cells, Destination, ReadRow, Shelf};
use crate::library::import::shelves::parse_shelf;
use crate::library::import::values::{self, Notation};

/// `export.php?export_type=tsv`.
pub static LIBRARYTHING: Format = Format {
    name: "librarything",
    title: "LibraryThing",
    recognises: |header| header.has_all(&["title", "primaryauthor"]),
    fields: &[
        ("title", Field::Title),
        ("isbn", Field::Isbn),
        ("rating", Field::Rating5),
        ("media", Field::Format),
        ("pagecount", Field::Pages),
        ("datestarted", Field::StartDate),
        ("dateread", Field::DateCompleted),
    ],
    refined: &[
        ("primaryauthor", Field::Author),
        ("isbns", Field::Isbn),
        ("review", Field::Impressions),
        ("comment", Field::Notes),
        ("privatecomment", Field::Notes),
        ("tags", Field::Genres),
        ("collections", Field::Status),
        ("secondaryauthor", Field::Contributors),
        ("publication", Field::Publisher),
        ("date", Field::Published),
        ("languages", Field::Language),
    ],
    key: &["bookid"],
    quotes: false,
    refine,
    ..TRACKER
};

/// The media in LibraryThing that are not books. All other media are books.
const NO_BOOKS: [&str; 14] = [
    "dvd", "bluray", "blu-ray", "vhs", "laserdisc", "film", "movie", "video", "musiccd", "vinyl", "musicrecording",
    "soundrecording-music", "boardgame", "map",
];

fn refine(row: &mut ReadRow, cells: &Cells<'_>, _: Notation) {
    people(row, cells);
    let publication = cells.get("publication");
    let publisher = publication.split_once(" (").map_or_else(|| publication.split(',').next(), |(name, _)| Some(name));
    row.set_edition(publisher.unwrap_or_default(), cells.get("date"), cells.get("languages"));
    row.add_tags(values::list(cells.get("tags"), ','));
    let collections = || values::list(cells.get("collections"), ',');
    row.tag_as_owned(collections().any(|name| name == OWNED_BOOKS));
    row.add_tags(collections().filter(|name| *name != OWNED_BOOKS && parse_shelf(name).is_none()));
    if row.isbn.is_none() {
        row.isbn = values::list(cells.get("isbns"), ',').find_map(values::isbn);
    }
    let paragraphs = |text: &str| crate::library::import::html::text_of(&text.replace("[Return]", "\n"));
    row.impressions = paragraphs(cells.get("review"));
    let notes = ["comment", "privatecomment"].map(|name| paragraphs(cells.get(name)));
    row.notes = notes.iter().filter(|note| !note.is_empty()).cloned().collect::<Vec<_>>().join("\n\n");
    row.add_genres(values::list(cells.get("tags"), ','));
    let media = folded(cells.get("media"));
    row.shelf = if NO_BOOKS.iter().any(|other| media.contains(other)) {
        Shelf::Known(Destination::Skip)
    } else {
        place(row, cells.get("collections"))
    };
}

/// The collection of what a person owns.
const OWNED_BOOKS: &str = "Your library";

/// The authors, and those with another part. The roles stand in a list of their own, in the same order.
fn people(row: &mut ReadRow, cells: &Cells<'_>) {
    let mut authors: Vec<String> =
        Some(edition::turned(cells.get("primaryauthor"))).into_iter().filter(|name| !name.is_empty()).collect();
    let mut roles = cells.get("secondaryauthorroles").split('|');
    for name in cells.get("secondaryauthor").split('|') {
        let role = roles.next().unwrap_or_default().trim();
        let name = edition::turned(name);
        match edition::role_of(role) {
            _ if name.is_empty() => {}
            None => authors.push(name),
            Some(role) => row.facts.contributors.push(Contributor { name, role }),
        }
    }
    row.set_authors(authors);
}

/// The reading dates decide, then the collections; for "Your library" alone the reader decides.
fn place(row: &ReadRow, collections: &str) -> Shelf {
    if row.reads.iter().any(|read| read.finish.is_some()) {
        return Shelf::Known(Destination::Read);
    }
    if !row.reads.is_empty() {
        return Shelf::Known(Destination::Reading);
    }
    match parse_shelf(collections) {
        Some(place) => Shelf::Known(place),
        None if collections.is_empty() => Shelf::Unsaid,
        None => Shelf::Custom(collections.to_owned()),
    }
}
