//! Goodreads: 23, 24, 27, 31 or 32 columns in different years, some files without a header.
use csv::StringRecord;

use crate::library::books::facts::ContributorRole;
use crate::library::import::columns::{Field, Header};
use crate::library::import::edition;
use crate::library::import::formats::format::{Format, TRACKER};
use crate::library::import::html;
use crate::library::import::row::{Cells, Destination, Read, ReadRow, Shelf};
use crate::library::import::shelves::known_place;
use crate::library::import::values::{self, DateOrder, Notation};

/// `goodreads_library_export.csv`, also as changed by spreadsheets and Enhance-GoodReads-Export.
pub static GOODREADS: Format = Format {
    name: "goodreads",
    title: "Goodreads",
    recognises: |header| {
        let shelved = header.has("exclusiveshelf") || header.has("bookshelves");
        header.has("title")
            && shelved
            && (header.has("myrating") || header.has("exclusiveshelf") || header.has("authorl-f"))
    },
    fields: &[
        ("title", Field::Title),
        ("author", Field::Author),
        ("isbn13", Field::Isbn),
        ("isbn", Field::Isbn),
        ("myrating", Field::Rating5),
        ("binding", Field::Format),
        ("numberofpages", Field::Pages),
        ("datestarted", Field::StartDate),
        ("dateread", Field::DateCompleted),
        ("bookshelves", Field::Genres),
        ("exclusiveshelf", Field::Status),
        ("myreview", Field::Impressions),
        ("privatenotes", Field::Notes),
        ("readcount", Field::ReadCount),
    ],
    refined: &[
        ("genres", Field::Genres),
        ("readdates", Field::DateCompleted),
        ("additionalauthors", Field::Contributors),
        ("publisher", Field::Publisher),
        ("yearpublished", Field::Published),
        ("originalpublicationyear", Field::OriginalYear),
        ("ownedcopies", Field::Tags),
    ],
    key: &["bookid"],
    refine,
    ..TRACKER
};

fn refine(row: &mut ReadRow, cells: &Cells<'_>, notation: Notation) {
    row.title = spaced_once(&row.title);
    row.author = spaced_once(&row.author);
    let shelves = cells.get("bookshelves");
    if row.shelf == Shelf::Unsaid {
        // Files from before exclusive shelves contain the status among the other shelves.
        row.shelf = values::list(shelves, ',').find_map(known_place).map_or(Shelf::Unsaid, Shelf::Known);
    }
    let own = match &row.shelf {
        Shelf::Custom(name) => name.to_lowercase(),
        _ => String::new(),
    };
    row.genres.retain(|name| known_place(name).is_none() && name.to_lowercase() != own);
    row.facts.tags = row.genres.clone();
    row.tag_as_owned(values::decimal(cells.get("ownedcopies")).is_some_and(|copies| copies > 0.0));
    row.take_series_from_title();
    row.facts.contributors.extend(edition::contributors(cells.get("additionalauthors"), ContributorRole::Other));
    row.set_edition(cells.get("publisher"), cells.get("yearpublished"), "");
    row.facts.original_year = row.facts.original_year.or_else(|| edition::year(cells.get("originalpublicationyear")));
    row.position = position(cells.get("bookshelveswithpositions"), cells.get("exclusiveshelf"));
    let genres = html::plain(cells.get("genres"));
    let named: Vec<&str> = values::list(&genres, ';')
        .map(|part| part.split('|').next().unwrap_or_default().trim())
        .filter(|name| !name.is_empty())
        .collect();
    if !named.is_empty() {
        // Real genres are better than shelves like "owned" and "favorites", which the raw row keeps.
        row.genres.clear();
        row.add_genres(named);
    }
    read_dates(row, cells.get("readdates"), notation);
}

/// `start,finish;start,finish`; each date may be empty.
fn read_dates(row: &mut ReadRow, cell: &str, notation: Notation) {
    let last_read = row.reads.pop();
    for pair in values::list(cell, ';') {
        let (start, finish) = pair.split_once(',').unwrap_or(("", pair));
        let (start, finish) =
            (row.day("startDate", start, notation), row.rough_date("dateCompleted", finish, notation));
        row.add_read(Read { start, finish });
    }
    if let Some(last_read) = last_read {
        add_last(row, last_read);
    }
    row.reads_listed |= !cell.is_empty();
}

/// "Date Read" ends the reading that was started and not finished, if there is one; otherwise it is one of the others or a
/// reading of its own.
fn add_last(row: &mut ReadRow, last: Read) {
    let listed = row.reads.iter().any(|read| read.finish.is_some() && read.finish == last.finish);
    let open = row.reads.iter().position(|read| read.finish.is_none() && read.start <= last.finish.map(|date| date.to));
    match open {
        Some(open) if !listed && row.shelf == Shelf::Known(Destination::Read) => row.reads[open].finish = last.finish,
        _ => row.add_read(last),
    }
}

/// The position on the exclusive shelf in `to-read (#12), wish-list (#3)`.
fn position(shelves: &str, exclusive: &str) -> Option<u32> {
    let name = if exclusive.is_empty() { "to-read" } else { exclusive };
    values::list(shelves, ',')
        .find_map(|shelf| shelf.strip_prefix(name)?.trim().strip_prefix("(#")?.strip_suffix(')')?.parse().ok())
}

/// Goodreads writes two spaces in place of a missing middle name.
fn spaced_once(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

const NAMES: [&str; 31] = [
    "Book Id", "Title", "Author", "Author l-f", "Additional Authors", "ISBN", "ISBN13", "My Rating", "Average Rating",
    "Publisher", "Binding", "Number of Pages", "Year Published", "Original Publication Year", "Date Read",
    "Date Added", "Bookshelves", "Bookshelves with positions", "Exclusive Shelf", "My Review", "Spoiler",
    "Private Notes", "Read Count", "Recommended For", "Recommended By", "Owned Copies", "Original Purchase Date",
    "Original Purchase Location", "Condition", "Condition Description", "BCID",
];
const ONLY_OLD: [&str; 7] = [
    "Recommended For", "Recommended By", "Original Purchase Date", "Original Purchase Location", "Condition",
    "Condition Description", "BCID",
];

/// The header that a file without one should have, if its first row looks like a Goodreads book: a numeric id, a whole rating, a
/// date added and an exclusive shelf in the positions for this number of columns.
pub fn header_by_shape(first: &StringRecord) -> Option<Vec<&'static str>> {
    let mut names = NAMES.to_vec();
    if first.len() < 31 {
        names.retain(|name| !ONLY_OLD.contains(name));
    }
    match first.len() {
        23 => names.retain(|name| *name != "Average Rating"),
        24 | 31 => {}
        27 => names.extend(["read_dates", "genres", "n_ratings"]),
        32 => names.insert(14, "Date Started"),
        _ => return None,
    }
    let header = Header::new(names.iter().copied());
    let cells = Cells { header: &header, record: first, by_hand: &[], escaped: false, columns_read: &[] };
    let numeric = |name: &str| !cells.get(name).is_empty() && cells.get(name).bytes().all(|b| b.is_ascii_digit());
    let rating = cells.get("myrating");
    let is_book = numeric("bookid")
        && (rating.is_empty() || rating.parse::<f32>().is_ok_and(|stars| (0.0..=5.0).contains(&stars)))
        && values::date(cells.get("dateadded"), DateOrder::MonthFirst)
            .or(values::date(cells.get("dateadded"), DateOrder::DayFirst))
            .is_some()
        && !cells.get("exclusiveshelf").is_empty();
    is_book.then_some(names)
}
