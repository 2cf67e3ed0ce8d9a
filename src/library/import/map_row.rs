//! Reads the columns that are mapped to fields, in the same way for every format and for files mapped by hand.
use std::borrow::Cow;

use super::columns::Field;
use super::edition;
use super::html;
use super::row::{Cells, Destination, Read, ReadRow, Shelf, short};
use super::values::{self, BadNumber, Notation};
use crate::library::books::model::{BookStatus, MOST_PAGES, MOST_WORDS};
use crate::library::books::passages::Quotes;
use crate::library::books::rating::Rating;
use crate::library::import::formats::format::Format;
use crate::library::import::shelves::known_place;
use crate::library::languages;

/// A larger count of readings is treated as damaged.
const MOST_READS: i64 = 100;

/// Reads one row through the fields of its columns.
pub fn read(cells: &Cells<'_>, fields: &[Option<Field>], format: &Format, notation: Notation) -> ReadRow {
    let mut row = ReadRow::default();
    let mut read = Read::default();
    for (column, field) in fields.iter().enumerate() {
        let Some(field) = field else { continue };
        let cell = cells.at(column);
        // Our own files keep texts that consist only of spaces.
        let is_text = matches!(field, Field::Impressions | Field::Notes) && !format.foreign;
        let is_missing = *field != Field::Title && !cells.escaped && values::is_missing(cell);
        if cell.is_empty() || (!is_text && (is_missing || cell.trim().is_empty())) {
            continue;
        }
        match field {
            Field::StartDate => read.start = read.start.or(row.day("startDate", cell, notation)),
            Field::DateCompleted => {
                // Some files list every date of completion in one cell; the last one belongs to the row's start.
                let dates = if format.foreign { cell.split(';') } else { cell.split('\0') };
                let dates: Vec<_> = dates.filter_map(|date| row.rough_date("dateCompleted", date, notation)).collect();
                if let Some((last, others)) = dates.split_last() {
                    others.iter().for_each(|date| row.add_read(Read { start: None, finish: Some(*date) }));
                    read.finish = read.finish.or(Some(*last));
                }
            }
            Field::StoppedDate => row.stopped = row.stopped.or(row.day("stoppedDate", cell, notation)),
            Field::Title | Field::Author | Field::Impressions | Field::Notes | Field::Quotes | Field::Genres => {
                text(&mut row, *field, cell, format)
            }
            Field::Series
            | Field::SeriesNumber
            | Field::Tags
            | Field::Publisher
            | Field::Published
            | Field::OriginalYear
            | Field::Language
            | Field::Contributors => fact(&mut row, *field, cell, &cells.header.names[column]),
            _ => value(&mut row, *field, cell, format),
        }
    }
    row.add_read(read);
    (format.refine)(&mut row, cells, notation);
    if format.foreign {
        let facts = &mut row.facts;
        let people = facts.contributors.iter_mut().map(|person| &mut person.name);
        let series = facts.series.iter_mut().map(|series| &mut series.name);
        let texts = [&mut row.title, &mut row.author].into_iter().chain(&mut row.bare_title).chain(&mut row.authors);
        let texts = texts.chain(&mut row.genres).chain(&mut facts.tags).chain(&mut facts.publisher);
        for text in texts.chain(people).chain(series) {
            if let Cow::Owned(plain) = html::plain(text) {
                *text = plain;
            }
        }
    }
    row
}

fn text(row: &mut ReadRow, field: Field, cell: &str, format: &Format) {
    let readable = || if format.foreign { html::text_of(cell.trim()) } else { cell.to_owned() };
    match field {
        Field::Title if row.title.is_empty() => row.title = cell.trim().to_owned(),
        Field::Author if row.author.is_empty() => {
            row.authors = if format.foreign { edition::parted(cell) } else { Vec::new() };
            row.author = if row.authors.is_empty() { cell.trim().to_owned() } else { row.authors.join(", ") };
        }
        Field::Impressions => join(&mut row.impressions, &readable()),
        Field::Notes => join(&mut row.notes, &readable()),
        Field::Quotes => match serde_json::from_str::<Quotes>(cell) {
            Ok(quotes) => row.quotes.0.extend(quotes.0),
            Err(_) => row.quotes.0.push(cell.trim().into()),
        },
        Field::Genres if format.foreign => {
            row.add_genres(html::plain(cell).split([',', ';', '|']).map(str::trim).filter(|name| !name.is_empty()))
        }
        Field::Genres => row.genres.extend(values::list(cell, ',').map(str::to_owned)),
        _ => {}
    }
}

/// Reads a column of one of the facts. What can't be read is left out, and the kept row has it.
pub fn fact(row: &mut ReadRow, field: Field, cell: &str, column: &str) {
    let facts = &mut row.facts;
    let cell = cell.trim();
    match field {
        Field::Series => {
            let number = facts.series.take().and_then(|series| series.number);
            facts.series = edition::series_with_number(cell);
            if let (Some(series), Some(number)) = (&mut facts.series, number) {
                series.number = Some(number);
            }
        }
        Field::SeriesNumber => {
            let number = cell.strip_suffix(".0").unwrap_or(cell).trim_start_matches('#').trim();
            facts.series.get_or_insert_default().number = Some(number.to_owned());
        }
        Field::Tags => {
            let cell = html::plain(cell);
            row.add_tags(cell.split([',', ';', '|']).map(str::trim).filter(|name| !name.is_empty()));
        }
        Field::Publisher => facts.publisher = Some(cell.to_owned()),
        Field::Published => facts.published = edition::published(cell),
        Field::OriginalYear => facts.original_year = edition::year(cell),
        Field::Language => facts.language = languages::of_list(cell),
        Field::Contributors => match serde_json::from_str::<Vec<_>>(cell) {
            Ok(ours) => facts.contributors.extend(ours),
            Err(_) => {
                // A column may be one of translators or narrators.
                let role = edition::role_of(column).unwrap_or_default();
                facts.contributors.extend(edition::contributors(cell, role));
            }
        },
        _ => {}
    }
}

fn join(text: &mut String, more: &str) {
    if !text.is_empty() && !more.is_empty() {
        text.push_str("\n\n");
    }
    text.push_str(more);
}

fn value(row: &mut ReadRow, field: Field, cell: &str, format: &Format) {
    match field {
        Field::WordCount => match values::whole(cell, MOST_WORDS) {
            Ok(words) => row.words = row.words.or(words),
            Err(bad) => row
                .refuse("wordCount", number_sentence("Word count", cell, bad, "a whole number from 0 to 100,000,000")),
        },
        Field::Pages => match values::whole(cell, MOST_PAGES) {
            Ok(pages) => row.pages = row.pages.or(pages.filter(|pages| *pages > 0)),
            Err(bad) => row.refuse("pages", number_sentence("Pages", cell, bad, "a whole number from 1 to 100,000")),
        },
        Field::Minutes => match values::minutes(cell) {
            Ok(minutes) => row.minutes = row.minutes.or(minutes),
            Err(bad) => {
                row.refuse("minutes", number_sentence("Minutes", cell, bad, "a length from 1 to 60,000 minutes"))
            }
        },
        Field::Isbn => row.add_isbn(cell),
        Field::Rating => match rating(cell, format) {
            Ok(rating) => row.rating = row.rating.or(rating),
            Err(bad) => row.refuse(
                "rating",
                number_sentence("Rating", cell, bad, "a number from 0 to 10 with at most one decimal"),
            ),
        },
        Field::Rating5 => match values::five_stars(cell) {
            Ok(rating) => row.rating = row.rating.or(rating),
            Err(bad) => row.refuse("rating", number_sentence("Rating", cell, bad, "a number of stars from 0 to 5")),
        },
        Field::Format => (row.format, row.has_format) = (values::medium(cell), true),
        Field::Reread => match (values::yes_no(cell), values::whole(cell, MOST_READS)) {
            (Some(yes), _) => row.reread |= yes,
            (None, Ok(Some(times))) => row.reread |= times > 1,
            (None, _) if format.foreign => {}
            _ => row.refuse("reread", format!("\u{201c}{}\u{201d} is neither Yes nor No.", short(cell))),
        },
        Field::ReadCount => row.read_count = values::whole(cell, MOST_READS).ok().flatten().unwrap_or(0),
        Field::Status if !format.foreign && BookStatus::from_name(cell.trim()) == Some(BookStatus::DidNotFinish) => {
            row.shelf = Shelf::Known(Destination::DidNotFinish);
        }
        Field::Status => {
            row.shelf = known_place(cell).map_or_else(|| Shelf::Custom(cell.trim().to_owned()), Shelf::Known)
        }
        _ => {}
    }
}

/// Ratings in our own files have at most one decimal; further decimals of other programs are rounded.
fn rating(cell: &str, format: &Format) -> Result<Option<Rating>, BadNumber> {
    if format.foreign { values::ten_points(cell) } else { values::exact_points(cell) }
}

fn number_sentence(name: &str, cell: &str, bad: BadNumber, range: &str) -> String {
    match bad {
        BadNumber::NotANumber => format!("{name} \u{201c}{}\u{201d} is not a number.", short(cell)),
        BadNumber::OutOfRange => format!("{name} \u{201c}{}\u{201d} is not {range}.", short(cell)),
    }
}
