//! The account's CSV files, with every field of every book and of the to-be-read list. An import restores them without loss.
//!
//! A cell that a spreadsheet would execute begins with an apostrophe, which the import removes.
mod http;
pub mod trackers;

use std::io::{self, Write};

use csv::Writer;
use rusqlite::Connection;

use crate::kit::db::pool::{owned, owner_of};
use crate::kit::http::download;
use crate::kit::id::UserId;
use crate::kit::{Error, Result};
use crate::library::books::facts::BookFacts;
use crate::library::books::length::written as written_time;
use crate::library::books::log::{ReadingDay, listed};
use crate::library::books::model::{Book, BookFormat, WordCountSource};
use crate::library::rough_date::RoughDate;
use crate::library::tbr::model::TbrItem;
use crate::library::{books, import, tbr};
pub use http::routes;

/// The columns of `books.csv`.
const BOOK_COLUMNS: [&str; 31] = [
    "Title", "Author", "Word Count", "Date Completed", "Rating", "Format", "Reread", "Genres", "Impressions", "Quotes",
    "Status", "Start Date", "Word Distribution", "Word Count Source", "Pages", "ISBN", "Work", "Stopped Date",
    "Paused Since", "Reading Days", "Authors", "Contributors", "Series", "Series Number", "Tags", "Publisher",
    "Published", "Original Year", "Language", "Minutes", "Private",
];
/// The columns of `tbr.csv`.
const TBR_COLUMNS: [&str; 9] =
    ["Title", "Author", "Word Count", "Notes", "Pages", "ISBN", "Format", "Tags", "Word Count Source"];

/// The columns of `days.csv`.
const DAY_COLUMNS: [&str; 7] = ["Book Row", "Day", "At", "Page", "Minutes", "Note", "Time"];

/// Writes every book of an owner as CSV, in the order in which they were added.
///
/// # Errors
/// [`Error::DiskFull`]; the database's.
pub fn write_books(conn: &Connection, owner: UserId, out: &mut impl Write) -> Result<()> {
    let mut file = File::new(out, &BOOK_COLUMNS)?;
    let logged = books::store::days::logged(conn, owner)?;
    books::store::each(conn, owner, |book| {
        let log = if logged.contains(&book.id) { books::store::days::of(conn, book.id)? } else { Vec::new() };
        file.book(&book, &log)
    })?;
    file.finish()
}

/// Writes the logs of an owner's books as CSV. A book is named by its row in the file of [`write_books`], from 1 on, and a place is in
/// hundredths of a percent.
pub fn write_days(conn: &Connection, owner: UserId, out: &mut impl Write) -> Result<()> {
    let mut file = File::new(out, &DAY_COLUMNS)?;
    let logged = books::store::days::logged(conn, owner)?;
    let mut rows = Vec::new();
    let mut row = 0_usize;
    books::store::scan(conn, owner, books::store::Audience::Owner, |book| {
        row += 1;
        if logged.contains(&book.id) {
            rows.push((row, book.id));
        }
    })?;
    for (row, id) in rows {
        for ReadingDay { day, at, page, time, minutes, note, .. } in books::store::days::of(conn, id)? {
            let (note, time) = (note.unwrap_or_default(), time.map(written_time).unwrap_or_default());
            let (row, day) = (row.to_string(), day.to_string());
            file.row(&[&row, &day, &number(at), &number(page), &number(minutes), &note, &time])?;
        }
    }
    file.finish()
}

/// Writes the to-be-read list of an owner as CSV, in its order.
pub fn write_items(conn: &Connection, owner: UserId, out: &mut impl Write) -> Result<()> {
    let mut file = File::new(out, &TBR_COLUMNS)?;
    tbr::store::each(conn, owner, &mut |item| file.item(item))?;
    file.finish()
}

/// A CSV file that is being written.
struct File<W: Write>(Writer<W>);

impl<W: Write> File<W> {
    fn new(out: W, columns: &[&str]) -> Result<Self> {
        let mut file = File(Writer::from_writer(out));
        file.row(columns)?;
        Ok(file)
    }

    fn book(&mut self, book: &Book<'_>, log: &[ReadingDay]) -> Result<()> {
        let day = |day: Option<chrono::NaiveDate>| day.map(|day| day.to_string()).unwrap_or_default();
        let quotes = if book.quotes.is_empty() { String::new() } else { serde_json::to_string(&book.quotes)? };
        let BookFacts { contributors, series, tags, publisher, published, original_year, language, private } =
            &book.facts;
        let contributors = if contributors.is_empty() { String::new() } else { serde_json::to_string(contributors)? };
        self.row(&[
            &book.title,
            &book.author,
            &book.word_count.to_string(),
            &book.date_completed.map(|to| RoughDate { from: book.completed_from, to }.exported()).unwrap_or_default(),
            &book.rating.map(|rating| rating.to_string()).unwrap_or_default(),
            book.format.name(),
            if book.reread { "Yes" } else { "No" },
            &book.genres.0,
            book.impressions.as_deref().unwrap_or_default(),
            &quotes,
            book.status.name(),
            &day(book.start_date),
            book.word_distribution.name(),
            book.word_count_source.name(),
            &number(book.pages),
            book.isbn.as_deref().unwrap_or_default(),
            // A number within the library: only equal numbers mean something.
            &(book.work.0 - owned(owner_of(book.work.0)).0).to_string(),
            &day(book.stopped_date),
            &day(book.paused_since),
            &listed(log)?,
            &serde_json::to_string(&book.authors)?,
            &contributors,
            series.as_ref().map_or("", |series| &series.name),
            series.as_ref().and_then(|series| series.number.as_deref()).unwrap_or_default(),
            &tags.join(","),
            publisher.as_deref().unwrap_or_default(),
            published.as_deref().unwrap_or_default(),
            &number(*original_year),
            language.as_deref().unwrap_or_default(),
            &number(book.minutes),
            if *private { "Yes" } else { "No" },
        ])
    }

    fn item(&mut self, item: &TbrItem<'_>) -> Result<()> {
        self.row(&[
            &item.title,
            item.author.as_deref().unwrap_or_default(),
            &number(item.word_count),
            item.notes.as_deref().unwrap_or_default(),
            &number(item.pages),
            item.isbn.as_deref().unwrap_or_default(),
            item.format.map_or("", BookFormat::name),
            &item.tags.join(","),
            item.word_count_source.map_or("", WordCountSource::name),
        ])
    }

    fn row(&mut self, cells: &[&str]) -> Result<()> {
        self.0.write_record(cells.iter().map(|cell| import::escaped(cell).into_owned())).map_err(failed)
    }

    fn finish(mut self) -> Result<()> {
        self.0.flush().map_err(failed)
    }
}

fn number(value: Option<i64>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

fn failed(cause: impl Into<io::Error>) -> Error {
    download::failed(cause.into())
}

/// Writes books that are in no database, with their logs, in the format of the account page's CSV.
#[cfg(test)]
pub fn written(books: &[(books::model::BookDraft, Vec<ReadingDay>)]) -> Result<Vec<u8>> {
    let mut csv = Vec::new();
    let mut file = File::new(&mut csv, &BOOK_COLUMNS)?;
    for (draft, log) in books {
        file.book(&stored(draft), log)?;
    }
    file.finish()?;
    Ok(csv)
}

#[cfg(test)]
pub(super) fn stored(draft: &books::model::BookDraft) -> Book<'static> {
    let draft = draft.clone();
    Book {
        id: books::model::BookId(1),
        year: draft.year(),
        month: draft.month(),
        author: draft.author().into(),
        title: draft.title.into(),
        authors: books::authors::Authors(draft.authors.join("\u{1f}").into()),
        word_count: draft.word_count,
        word_count_source: draft.word_count_source,
        pages: draft.pages,
        minutes: draft.minutes,
        isbn: draft.isbn.map(Into::into),
        status: draft.status,
        start_date: draft.start_date,
        date_completed: draft.date_completed,
        rating: draft.rating,
        format: draft.format,
        reread: draft.reread,
        genres: books::model::Genres(draft.genres.join(",").into()),
        impressions: draft.impressions,
        quotes: draft.quotes,
        word_distribution: draft.word_distribution,
        work: books::model::BookId(1),
        completed_from: draft.completed_from,
        stopped_date: draft.stopped_date,
        paused_since: draft.paused_since,
        progress: None,
        facts: draft.facts,
        cover: None,
        created_at: "2025-01-03T10:00:00Z".into(),
        updated_at: "2025-01-03T10:00:00Z".into(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::library::books::authors::AUTHOR_SEPARATOR;
    use crate::library::books::facts::{Contributor, ContributorRole, Series};
    use crate::library::books::model::{BookDraft, BookStatus, FIRST_DAY, WordDistribution};
    use crate::library::books::passages::Passage;
    use crate::library::books::rating::Rating;
    use crate::library::tbr::model::{TbrDraft, TbrId};

    fn text() -> impl Strategy<Value = String> {
        prop_oneof![
            "[a-z =+@'\"\\-,;\t\r\n<>&é語]{0,12}",
            Just("'=1+1".to_owned()),
            Just("=\"0441\"".to_owned()),
            Just("\u{feff}x\u{2028}".to_owned()),
            Just("  ".to_owned()),
            any::<String>().prop_map(|text| text.replace('\0', "")),
        ]
    }

    fn facts() -> impl Strategy<Value = BookFacts> {
        let name = || text().prop_map(|text| format!("{}x", text.replace(AUTHOR_SEPARATOR, "")));
        let person = (name(), 0..ContributorRole::ALL.len())
            .prop_map(|(name, role)| Contributor { name, role: ContributorRole::ALL[role] });
        let series = (name(), proptest::option::of("[0-9.\\-]{1,4}"));
        (
            proptest::collection::vec(person, 0..3),
            proptest::option::of(series.prop_map(|(name, number)| Series { name, number })),
            proptest::collection::vec("[a-z'=é ]{0,6}", 0..3),
            proptest::option::of(name()),
            proptest::option::of(prop_oneof![Just("2011"), Just("2011-06"), Just("2011-06-15")]),
            proptest::option::of(-3_000..=2_100_i64),
            proptest::option::of(prop_oneof![Just("en"), Just("pt-BR")]),
            any::<bool>(),
        )
            .prop_map(
                |(contributors, series, tags, publisher, published, original_year, language, private)| BookFacts {
                    contributors,
                    series,
                    tags,
                    publisher,
                    published: published.map(str::to_owned),
                    original_year,
                    language: language.map(str::to_owned),
                    private,
                },
            )
    }

    fn passage() -> impl Strategy<Value = Passage> {
        let day = proptest::option::of((0..70_000_i64).prop_map(|days| FIRST_DAY + chrono::TimeDelta::days(days)));
        (text(), proptest::option::of(text()), proptest::option::of(text()), day)
            .prop_map(|(text, place, note, day)| Passage { text, place, note, day })
    }

    pub(super) fn draft() -> impl Strategy<Value = BookDraft> {
        let name = || text().prop_map(|text| format!("{text}x"));
        let day = || (0..70_000_i64).prop_map(|days| FIRST_DAY + chrono::TimeDelta::days(days));
        let shape = prop_oneof![
            (day(), proptest::option::of(0..400_i64), any::<bool>()).prop_map(|(end, days, spread)| {
                let start = days.map(|days| (end - chrono::TimeDelta::days(days)).max(FIRST_DAY));
                (
                    BookStatus::Completed,
                    start,
                    Some(end),
                    if spread && start.is_some() { WordDistribution::Spread } else { WordDistribution::Final },
                )
            }),
            (proptest::option::of(day()), proptest::option::of(day())).prop_map(|(start, paused)| (
                BookStatus::InProgress,
                start,
                paused,
                WordDistribution::Final
            )),
            (day(), proptest::option::of(day())).prop_map(|(start, stopped)| (
                BookStatus::DidNotFinish,
                Some(start),
                stopped,
                WordDistribution::Final
            )),
            Just((BookStatus::Undated, None, None, WordDistribution::Final)),
        ];
        let kinds = (
            0..3_usize,
            0..3_usize,
            any::<bool>(),
            proptest::option::of(1..100_000_i64),
            proptest::option::of(Just("9780441013593".to_owned())),
        );
        let texts = (
            proptest::option::of(text()),
            proptest::collection::vec(passage(), 0..3),
            proptest::collection::vec("[a-z'=é ]{0,6}", 0..3),
        );
        (
            name(),
            (proptest::collection::vec(name(), 1..4), facts()),
            0..100_000_000_i64,
            proptest::option::of((0..=100_i64).prop_map(Rating::of_tenths)),
            shape,
            kinds,
            texts,
        )
            .prop_filter_map(
                "a book",
                |(
                    title,
                    (authors, facts),
                    words,
                    rating,
                    (status, start, end, distribution),
                    (format, source, reread, pages, isbn),
                    (impressions, quotes, genres),
                )| {
                    let draft = BookDraft {
                        title,
                        authors,
                        word_count: words,
                        word_count_source: WordCountSource::ALL[source],
                        pages,
                        minutes: pages.map(|pages| pages % 60_000 + 1),
                        isbn,
                        status,
                        start_date: start,
                        date_completed: end.filter(|_| status == BookStatus::Completed),
                        rating: rating.filter(|_| status != BookStatus::InProgress),
                        format: BookFormat::ALL[format],
                        reread,
                        genres,
                        impressions,
                        quotes: quotes.into_iter().collect(),
                        word_distribution: distribution,
                        completed_from: None,
                        stopped_date: None,
                        paused_since: None,
                        facts,
                    };
                    draft.checked().ok()
                },
            )
    }

    /// The format, the tags and the origin of the words of an item, as an import says them.
    fn kinds() -> impl Strategy<Value = (Option<BookFormat>, Vec<String>, Option<WordCountSource>)> {
        (
            proptest::option::of((0..3_usize).prop_map(|format| BookFormat::ALL[format])),
            proptest::collection::vec("[a-z'=é ]{0,6}", 0..3),
            proptest::option::of((0..3_usize).prop_map(|source| WordCountSource::ALL[source])),
        )
    }

    proptest! {
        #[test]
        fn an_export_is_imported_as_the_same_library(drafts in proptest::collection::vec(draft(), 1..6)) {
            let without_logs: Vec<_> = drafts.iter().map(|draft| (draft.clone(), Vec::new())).collect();
            let csv = written(&without_logs).unwrap();
            let (books, _) = import::read_own(&csv);
            prop_assert_eq!(books, drafts, "{}", String::from_utf8_lossy(&csv));
        }

        #[test]
        fn a_list_is_imported_as_the_same_list(
            items in proptest::collection::vec((text(), proptest::option::of(text()), proptest::option::of(0..1000_i64), proptest::option::of(text()),
                proptest::option::of(1..1000_i64), kinds()), 1..6)
        ) {
            let drafts: Vec<TbrDraft> = items.into_iter()
                .map(|(title, author, word_count, notes, pages, (format, tags, word_count_source))| {
                    let title = format!("{title}x");
                    TbrDraft { title, author, word_count, notes, pages, format, tags, word_count_source, ..TbrDraft::default() }
                })
                .filter_map(|draft| draft.checked().ok())
                .collect();
            let mut csv = Vec::new();
            let mut file = File::new(&mut csv, &TBR_COLUMNS).unwrap();
            for draft in drafts.clone() {
                file.item(&TbrItem {
                    id: TbrId(1), position: 1, created_at: "2025-01-03T10:00:00Z".into(), title: draft.title.into(),
                    author: draft.author.map(Into::into), word_count: draft.word_count, notes: draft.notes.map(Into::into),
                    pages: draft.pages, isbn: None, format: draft.format, tags: draft.tags, word_count_source: draft.word_count_source,
                }).unwrap();
            }
            file.finish().unwrap();
            let (_, read) = import::read_own(&csv);
            prop_assert_eq!(read, drafts, "{}", String::from_utf8_lossy(&csv));
        }
    }
}
