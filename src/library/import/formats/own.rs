//! Our own files: the templates, the table's download, and the account page's CSV files.
use crate::library::books::facts::{Series, each_tag};
use crate::library::books::log::read_list;
use crate::library::books::model::{WordCountSource, WordDistribution};
use crate::library::import::columns::{Field, Header, folded};
use crate::library::import::formats::format::{Format, TRACKER};
use crate::library::import::map_row::fact;
use crate::library::import::row::{Cells, Destination, ReadRow, Shelf};
use crate::library::import::values::{Notation, is_missing, yes_no};

const FIELDS: &[(&str, Field)] = &[
    ("title", Field::Title),
    ("author", Field::Author),
    ("wordcount", Field::WordCount),
    ("datecompleted", Field::DateCompleted),
    ("rating", Field::Rating),
    ("format", Field::Format),
    ("reread", Field::Reread),
    ("genres", Field::Genres),
    ("impressions", Field::Impressions),
    ("quotes", Field::Quotes),
    ("status", Field::Status),
    ("startdate", Field::StartDate),
    ("stoppeddate", Field::StoppedDate),
    ("pages", Field::Pages),
    ("minutes", Field::Minutes),
    ("isbn", Field::Isbn),
    ("notes", Field::Notes),
];
/// What only our exports have by themselves. Readers add these columns to a template, too.
const FACTS: &[(&str, Field)] = &[
    ("contributors", Field::Contributors),
    ("series", Field::Series),
    ("seriesnumber", Field::SeriesNumber),
    ("tags", Field::Tags),
    ("publisher", Field::Publisher),
    ("published", Field::Published),
    ("originalyear", Field::OriginalYear),
    ("language", Field::Language),
];
const TABLE: [&str; 8] = ["title", "author", "wordcount", "datecompleted", "rating", "format", "reread", "genres"];
const LIST: [&str; 6] = ["title", "author", "wordcount", "notes", "pages", "isbn"];

/// The beginning of our own exports, which may contain any characters.
pub const OPENING: &str = "Title,Author,Word Count,";

/// Files written by this program, which must be read back without loss.
pub static EXPORT: Format = Format {
    name: "shelfwise",
    title: "Shelfwise",
    recognises: |header| {
        let exactly = |names: &[&str]| header.names.len() == names.len() && header.has_all(names);
        header.has_all(&["title", "wordcount", "worddistribution"])
            || header.has_all(&["title", "wordcount", "wordcountsource"])
            || exactly(&TABLE)
            || exactly(&LIST)
    },
    fields: FIELDS,
    refined: FACTS,
    foreign: false,
    has_places: false,
    escaped: true,
    refine: refine_export,
    ..TRACKER
};

/// The templates, filled in by hand: only the title column is required.
pub static TEMPLATE: Format = Format {
    name: "template",
    title: "Shelfwise",
    recognises: |header| {
        let ours = |name: &String| name.is_empty() || FIELDS.iter().any(|(known, _)| known == name);
        header.has("title") && (header.folded.iter().all(ours) || is_extended(header))
    },
    fields: FIELDS,
    refined: FACTS,
    foreign: false,
    has_places: false,
    refine: |row, cells, _| {
        for (name, field) in FACTS.iter().filter(|(name, _)| !is_missing(cells.get(name))) {
            fact(row, *field, cells.get(name), name);
        }
    },
    ..TRACKER
};

/// A template to which the reader has added columns.
fn is_extended(header: &Header) -> bool {
    header.has_all(&["author", "wordcount", "datecompleted"]) || header.has_all(&["author", "wordcount", "notes"])
}

fn refine_export(row: &mut ReadRow, cells: &Cells<'_>, notation: Notation) {
    row.work = cells.get("work").parse().ok();
    row.paused = row.day("pausedSince", cells.get("pausedsince"), notation);
    let log = cells.get("readingdays");
    if !log.is_empty() {
        match read_list(log) {
            Some(days) => row.log = days,
            None => row.refuse("readingDays", "Reading Days must be a JSON list of days with their places."),
        }
    }
    read_facts(row, cells);
    row.distribution = WordDistribution::from_name(cells.get("worddistribution")).unwrap_or_default();
    let source = WordCountSource::from_name(cells.get("wordcountsource"));
    (row.words_source, row.has_words_source) = (source.unwrap_or_default(), source.is_some());
    if cells.get("status") == "completed" && cells.get("datecompleted").is_empty() {
        row.refuse("dateCompleted", "A completed book needs a Date Completed.");
    }
    if matches!(row.shelf, Shelf::Custom(_)) {
        row.refuse("status", "Status must be completed, in-progress, undated or did-not-finish.");
        row.shelf = Shelf::Known(Destination::Skip);
    }
}

/// Reads the authors one by one, contributors, series, tags and the edition.
fn read_facts(row: &mut ReadRow, cells: &Cells<'_>) {
    let said = |name: &str| Some(cells.get(name)).filter(|cell| !cell.is_empty());
    if let Some(list) = said("authors") {
        match serde_json::from_str(list) {
            Ok(authors) => row.authors = authors,
            Err(_) => row.refuse("authors", "Authors must be a JSON list of names."),
        }
    }
    if let Some(list) = said("contributors") {
        match serde_json::from_str(list) {
            Ok(contributors) => row.facts.contributors = contributors,
            Err(_) => row.refuse("contributors", "Contributors must be a JSON list of names with their roles."),
        }
    }
    if let Some(year) = said("originalyear") {
        match year.parse() {
            Ok(year) => row.facts.original_year = Some(year),
            Err(_) => row.refuse("originalYear", "Original Year must be a whole number from -3000 to 2100."),
        }
    }
    let text = |name| said(name).map(str::to_owned);
    row.facts.series = text("series").map(|name| Series { name, number: text("seriesnumber") });
    row.facts.tags = each_tag(cells.get("tags")).map(str::to_owned).collect();
    row.facts.publisher = text("publisher");
    row.facts.published = text("published");
    row.facts.language = text("language");
    if let Some(cell) = said("private") {
        match yes_no(cell) {
            Some(yes) => row.facts.private = yes,
            None => row.refuse("private", "Private must be Yes or No."),
        }
    }
}

/// The columns added after the file's own.
pub const ADDED: [&str; 2] = ["Row", "Reason"];

/// The number of a header's own columns: all except the two that an export of rejected rows adds.
pub fn own_width(names: &[String]) -> usize {
    let own = names.len().saturating_sub(ADDED.len());
    let returned = own > 0 && names[own..].iter().map(|name| folded(name)).eq(ADDED.map(folded));
    if returned { own } else { names.len() }
}
