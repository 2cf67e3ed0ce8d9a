//! Hardcover: every reading of a book in two lists of days, authors in one list with their roles.
use chrono::NaiveDate;

use crate::library::books::model::{self, LONGEST_MINUTES};
use crate::library::import::columns::Field;
use crate::library::import::edition;
use crate::library::import::formats::format::{Format, TRACKER};
use crate::library::import::row::{Cells, Read, ReadRow};
use crate::library::import::values::{self, Notation};
use crate::library::rough_date::RoughDate;

/// The file of "Settings", "Export".
pub static HARDCOVER: Format = Format {
    name: "hardcover",
    title: "Hardcover",
    recognises: |header| {
        header.has("title") && (header.has("hardcoverbookid") || header.has_all(&["status", "privacy", "datefinished"]))
    },
    fields: &[
        ("title", Field::Title),
        ("isbn13", Field::Isbn),
        ("isbn10", Field::Isbn),
        ("pages", Field::Pages),
        ("status", Field::Status),
        ("rating", Field::Rating5),
        ("review", Field::Impressions),
        ("privatenotes", Field::Notes),
    ],
    refined: &[
        ("author", Field::Author),
        ("datestarted", Field::StartDate),
        ("datefinished", Field::DateCompleted),
        ("binding", Field::Format),
        ("media", Field::Format),
        ("genres", Field::Genres),
        ("tags", Field::Tags),
        ("series", Field::Series),
        ("languagecode", Field::Language),
        ("publishdate", Field::Published),
        ("publisher", Field::Publisher),
        ("durationinseconds", Field::Minutes),
        ("lists", Field::Tags),
        ("owned", Field::Tags),
    ],
    key: &["hardcoverbookid", "hardcovereditionid"],
    refine,
    ..TRACKER
};

fn refine(row: &mut ReadRow, cells: &Cells<'_>, notation: Notation) {
    let (authors, contributors) = edition::people(cells.get("author"));
    row.set_authors(authors);
    row.facts.contributors.extend(contributors);
    let series = row.facts.series.take().filter(|series| !series.name.is_empty());
    row.facts.series = series.or_else(|| edition::series_with_number(cells.get("series")));
    row.set_edition(cells.get("publisher"), cells.get("publishdate"), cells.get("languagecode"));
    let seconds = values::whole(cells.get("durationinseconds"), LONGEST_MINUTES * 60).ok().flatten();
    let minutes = seconds.map(|seconds| (seconds + 30) / 60).filter(|minutes| *minutes > 0);
    row.minutes = row.minutes.or(minutes);
    let lists = values::list(cells.get("lists"), ',');
    let bare = lists
        .map(|list| list.strip_suffix(')').and_then(|list| list.rsplit_once(" (#")).map_or(list, |(name, _)| name));
    row.add_tags(values::list(cells.get("tags"), ',').chain(bare));
    row.tag_as_owned(values::yes_no(cells.get("owned")) == Some(true));
    row.has_format |= !cells.get("binding").is_empty() || !cells.get("media").is_empty();
    // The binding is more specific than the medium, which calls every electronic file a book.
    let (binding, media) = (values::medium(cells.get("binding")), values::medium(cells.get("media")));
    if row.format == model::BookFormat::Print {
        row.format = if binding == model::BookFormat::Print { media } else { binding };
    }
    genres(row, cells.get("genres"));
    reads(row, cells.get("datestarted"), cells.get("datefinished"), notation);
}

/// The reads of a book: the days of each column are separated by commas. A start belongs to the first finish that is not before it;
/// one after every finish belongs to a read that is not over.
fn reads(row: &mut ReadRow, started: &str, finished: &str, notation: Notation) {
    let mut starts: Vec<NaiveDate> =
        values::list(started, ',').filter_map(|day| row.day("startDate", day, notation)).collect();
    let mut finishes: Vec<RoughDate> =
        values::list(finished, ',').filter_map(|date| row.rough_date("dateCompleted", date, notation)).collect();
    starts.sort_unstable();
    finishes.sort_unstable_by_key(|date| (date.to, date.first()));
    row.reads_listed |= starts.len() > 1 || finishes.len() > 1;
    for finish in finishes {
        // Of several starts before one finish the last one began this read.
        let begun = starts.iter().take_while(|start| **start <= finish.to).count();
        let start = starts.drain(..begun).next_back();
        row.add_read(Read { start, finish: Some(finish) });
    }
    for start in starts {
        row.add_read(Read { start: Some(start), finish: None });
    }
}

/// A list separated by commas, or a JSON list.
fn genres(row: &mut ReadRow, cell: &str) {
    match serde_json::from_str::<Vec<String>>(cell) {
        Ok(names) => row.add_genres(names.iter().map(String::as_str)),
        Err(_) => row.add_genres(values::list(cell, ',')),
    }
}
