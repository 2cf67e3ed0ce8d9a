//! How a row fills the cells of a form.
use chrono::NaiveDate;

use crate::library::books::authors::each_author;
use crate::library::books::facts::ContributorRole;
use crate::library::books::model::{BookFormat, each_genre};
use crate::library::export::trackers::entry::{ExportRow, Shelf};
use crate::library::export::trackers::{Quotes, Rounding, table};
use crate::library::import;

pub const ISO: &str = "%Y-%m-%d";

pub fn push(out: &mut String, parts: &[&str]) {
    parts.iter().for_each(|part| out.push_str(part));
}

/// Writes names with a separator between them.
pub fn join<'t>(out: &mut String, separator: &str, names: impl Iterator<Item = &'t str>) {
    for (nth, name) in names.enumerate() {
        push(out, &[if nth == 0 { "" } else { separator }, name]);
    }
}

pub fn number(out: &mut String, number: Option<i64>) {
    out.push_str(&crate::library::export::number(number));
}

pub fn day(out: &mut String, day: Option<NaiveDate>, pattern: &str) {
    if let Some(day) = day {
        out.push_str(&day.format(pattern).to_string());
    }
}

pub fn days(out: &mut String, all: impl Iterator<Item = NaiveDate>) {
    for (nth, one) in all.enumerate() {
        out.push_str(if nth == 0 { "" } else { ", " });
        day(out, Some(one), ISO);
    }
}

/// The days on which a book was finished: `,2020-01-02;,2024-05-06`, each behind the start that it has no place for.
pub fn read_dates(row: &ExportRow<'_>, out: &mut String) {
    for (nth, (_, finish)) in row.spans.iter().enumerate() {
        out.push_str(if nth == 0 { "," } else { ";," });
        day(out, Some(*finish), ISO);
    }
}

pub fn title(row: &ExportRow<'_>, out: &mut String) {
    out.push_str(row.title);
}

/// `Tiamat's Wrath (The Expanse, #8)`.
pub fn title_with_series(row: &ExportRow<'_>, out: &mut String) {
    out.push_str(row.title);
    if let Some(series) = &row.facts.series {
        match &series.number {
            Some(number) => push(out, &[" (", &series.name, ", #", number, ")"]),
            None => push(out, &[" (", &series.name, ")"]),
        }
    }
}

/// `The Expanse (#8)`.
pub fn series(row: &ExportRow<'_>, out: &mut String) {
    if let Some(series) = &row.facts.series {
        out.push_str(&series.name);
        if let Some(number) = &series.number {
            push(out, &[" (#", number, ")"]);
        }
    }
}

pub fn first_author(row: &ExportRow<'_>, out: &mut String) {
    out.push_str(each_author(row.authors).next().unwrap_or_default());
}

pub fn last_name_first(row: &ExportRow<'_>, out: &mut String) {
    let name = each_author(row.authors).next().unwrap_or_default();
    match name.rsplit_once(' ') {
        Some((first, last)) => push(out, &[last, ", ", first]),
        None => out.push_str(name),
    }
}

/// The authors after the first one, and the contributors.
pub fn additional<'r>(row: &'r ExportRow<'_>) -> impl Iterator<Item = &'r str> {
    each_author(row.authors).skip(1).chain(row.facts.contributors.iter().map(|person| person.name.as_str()))
}

/// The authors, and the contributors with their roles.
pub fn people(row: &ExportRow<'_>, out: &mut String) {
    join(out, ", ", each_author(row.authors));
    for person in &row.facts.contributors {
        let role = match person.role {
            ContributorRole::Translator => "Translator",
            ContributorRole::Narrator => "Narrator",
            ContributorRole::Editor => "Editor",
            ContributorRole::Illustrator => "Illustrator",
            ContributorRole::Other => "Contributor",
        };
        push(out, &[", ", &person.name, " (", role, ")"]);
    }
}

pub fn isbn(row: &ExportRow<'_>, out: &mut String) {
    out.push_str(row.isbn);
}

pub fn publisher(row: &ExportRow<'_>, out: &mut String) {
    out.push_str(row.facts.publisher.as_deref().unwrap_or_default());
}

pub fn pages(row: &ExportRow<'_>, out: &mut String) {
    number(out, row.pages);
}

pub fn year_published(row: &ExportRow<'_>, out: &mut String) {
    let year = row.facts.published.as_deref().and_then(|date| date.get(..4));
    out.push_str(year.unwrap_or_default().trim_start_matches('0'));
}

/// The word for the format of a book: print, electronic, audio.
pub fn medium(row: &ExportRow<'_>, words: [&'static str; 3]) -> &'static str {
    match row.format {
        None => "",
        Some(BookFormat::Print) => words[0],
        Some(BookFormat::EBook) => words[1],
        Some(BookFormat::Audio) => words[2],
    }
}

pub fn added<'r>(row: &'r ExportRow<'_>) -> &'r str {
    row.added.get(..10).unwrap_or_default()
}

pub fn is_owned(row: &ExportRow<'_>) -> bool {
    row.facts.tags.iter().any(|tag| tag == import::OWNED)
}

/// The tags, but for that of books that a person owns, which has a column of its own.
pub fn tags<'r>(row: &'r ExportRow<'_>) -> impl Iterator<Item = &'r str> {
    row.facts.tags.iter().map(String::as_str).filter(|tag| *tag != import::OWNED)
}

/// Genres and tags, each once.
pub fn own_words<'r>(row: &'r ExportRow<'_>) -> impl Iterator<Item = &'r str> {
    each_genre(row.genres).chain(tags(row).filter(|tag| !each_genre(row.genres).any(|genre| genre == *tag)))
}

/// A name as Goodreads writes names of shelves: in lower case, with hyphens.
pub fn shelf_name(name: &str) -> String {
    let mut shelf = String::with_capacity(name.len());
    for character in name.chars().flat_map(char::to_lowercase) {
        if character.is_alphanumeric() || character == '_' {
            shelf.push(character);
        } else if !shelf.ends_with('-') && !shelf.is_empty() {
            shelf.push('-');
        }
    }
    shelf.truncate(shelf.trim_end_matches('-').len());
    shelf
}

/// The names of the shelves beside the exclusive one.
pub fn shelf_names(row: &ExportRow<'_>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for name in each_genre(row.genres).chain(tags(row)).map(shelf_name) {
        if !name.is_empty() && !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

pub const EXCLUSIVE_SHELVES: [&str; 5] =
    ["read", "currently-reading", "currently-reading", "did-not-finish", "to-read"];

pub fn exclusive_shelf(row: &ExportRow<'_>, out: &mut String) {
    out.push_str(EXCLUSIVE_SHELVES[row.shelf as usize]);
}

/// Goodreads' list of shelves leaves out "read".
pub fn write_shelves(row: &ExportRow<'_>, out: &mut String) {
    let names = shelf_names(row);
    join(out, ", ", names.iter().map(String::as_str));
    if row.shelf != Shelf::Read {
        out.push_str(if names.is_empty() { "" } else { ", " });
        exclusive_shelf(row, out);
    }
}

/// The same, with the place on the list.
pub fn positions(row: &ExportRow<'_>, out: &mut String) {
    write_shelves(row, out);
    if row.shelf == Shelf::ToRead {
        push(out, &[" (#", &row.position.to_string(), ")"]);
    }
}

/// Tenths of a point as a number of steps. A rating is at least one step, because 0 means unrated.
pub fn steps(row: &ExportRow<'_>, step: i64) -> Option<i64> {
    let tenths = row.rating?.tenths();
    let steps = match row.answers.ratings {
        None => (tenths + step / 2) / step,
        Some(Rounding::Up) => (tenths + step - 1) / step,
        Some(Rounding::Down) => tenths / step,
    };
    (tenths > 0).then_some(steps.max(1))
}

/// Whole stars; 0 means unrated.
pub fn whole_stars(row: &ExportRow<'_>, out: &mut String) {
    number(out, Some(steps(row, table::WHOLE_STAR).unwrap_or(0)));
}

/// `4.5`.
pub fn half_stars(row: &ExportRow<'_>, out: &mut String) {
    if let Some(halves) = steps(row, table::HALF_STAR) {
        push(out, &[&(halves / 2).to_string(), if halves % 2 == 0 { ".0" } else { ".5" }]);
    }
}

/// `3.75`.
pub fn hundredths(row: &ExportRow<'_>, out: &mut String) {
    if let Some(rating) = row.rating.filter(|rating| rating.tenths() > 0) {
        let hundredths = rating.tenths() * 5;
        out.push_str(&format!("{}.{:02}", hundredths / 100, hundredths % 100));
    }
}

pub fn started(row: &ExportRow<'_>, out: &mut String) {
    day(out, row.begun.or(row.spans.last().and_then(|(start, _)| *start)), ISO);
}

pub fn finished(row: &ExportRow<'_>, out: &mut String) {
    day(out, row.spans.last().map(|(_, finish)| *finish), ISO);
}

/// `start|finish|milliseconds`, the newest reading first, because a program that takes only one takes the first.
pub fn readings(row: &ExportRow<'_>, out: &mut String) {
    let unfinished = row.begun.or(row.stopped).map(|_| (row.begun, row.stopped));
    let spans = row.spans.iter().rev().map(|(start, finish)| (*start, Some(*finish)));
    for (nth, (start, finish)) in unfinished.into_iter().chain(spans).enumerate() {
        out.push_str(if nth == 0 { "" } else { ";" });
        day(out, start, "%Y-%m-%dT00:00:00.000");
        out.push('|');
        day(out, finish, "%Y-%m-%dT00:00:00.000");
        out.push('|');
    }
}

pub fn notes(row: &ExportRow<'_>, out: &mut String) {
    out.push_str(row.notes);
}

pub fn review(row: &ExportRow<'_>, out: &mut String) {
    with_quotes(row, row.review, out);
}

/// A text, followed by the quotes if the reader wants them.
pub fn with_quotes(row: &ExportRow<'_>, text: &str, out: &mut String) {
    out.push_str(text);
    if row.answers.quotes == Quotes::Append {
        for quote in row.quotes.iter().map(|quote| quote.text.as_str()).filter(|text| !text.is_empty()) {
            push(out, &[if out.is_empty() { "" } else { "\n\n" }, "\u{201c}", quote, "\u{201d}"]);
        }
    }
}

pub fn review_in_html(row: &ExportRow<'_>, out: &mut String) {
    let mut text = String::new();
    review(row, &mut text);
    html(out, &text);
}

/// Writes a text as HTML in one line.
pub fn html(out: &mut String, text: &str) {
    for (nth, line) in text.split('\n').enumerate() {
        out.push_str(if nth == 0 { "" } else { "<br/>" });
        out.push_str(&html_escape::encode_text(line.trim_end_matches('\r')));
    }
}
