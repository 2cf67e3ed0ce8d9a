//! The rows that earlier imports kept, as this version imports them: for filling in what an earlier version did not read, and for
//! comparing a newer file of the same tracker with them.
pub mod store;

use std::collections::{BTreeMap, HashMap};

use chrono::NaiveDate;
use csv::{QuoteStyle, WriterBuilder};
use rusqlite::Connection;

use self::store::{Made, StoredImport, StoredRow};
use super::formats::{self, UNKNOWN};
use super::plan::{Options, Plan, plan};
use crate::kit::error::{Error, Result};
use crate::kit::id::UserId;
use crate::kit::time_zone::Hemisphere;
use crate::library::books::log::LoggedDay;
use crate::library::books::model::{BookDraft, BookId};
use crate::library::import::store::choices;

/// The number of the reading of a book that an item of the list has become.
pub const STARTED_ITEM: i64 = -1;

/// An import with the rows that made books which the library has.
#[derive(Clone, Debug)]
pub struct KeptImport {
    /// Its file and format.
    pub import: StoredImport,
    /// In the order of the file.
    pub rows: Vec<KeptRow>,
}

/// A kept row, and what this version makes of it.
#[derive(Clone, Debug, Default)]
pub struct KeptRow {
    /// The existing books that it made, each with the number of its reading, or [`STARTED_ITEM`].
    pub books: Vec<(BookId, i64)>,
    /// Its books by the numbers of their readings; those of readings that only have a count come last.
    pub drafts: Vec<(i64, BookDraft)>,
    /// The logs of those readings that have one.
    pub logs: Vec<(i64, Vec<LoggedDay>)>,
    /// The book that its item would be.
    pub waiting: Option<BookDraft>,
    /// The hours or discs in the place of an audiobook's pages.
    pub audio_pages: Option<i64>,
}

impl KeptRow {
    /// The draft of a reading. For [`STARTED_ITEM`] it is the book that the item would be.
    pub fn draft(&self, nth: i64) -> Option<&BookDraft> {
        if nth == STARTED_ITEM {
            return self.waiting.as_ref();
        }
        self.drafts.iter().find(|(number, _)| *number == nth).map(|(_, draft)| draft)
    }

    /// The days of the log of a reading.
    pub fn log(&self, nth: i64) -> &[LoggedDay] {
        self.logs.iter().find(|(number, _)| *number == nth).map_or(&[], |(_, log)| log)
    }

    /// Any draft of the row: for what is equal in all of them, such as the edition.
    pub fn any_draft(&self) -> Option<&BookDraft> {
        self.drafts.first().map(|(_, draft)| draft).or(self.waiting.as_ref())
    }
}

/// The options with which kept rows are read: the reader's choices for shelves, and every reading that a row counts.
pub fn options(conn: &Connection, owner: UserId, hemisphere: Hemisphere, today: NaiveDate) -> Result<Options> {
    let remembered = choices(conn, owner)?;
    Ok(Options {
        shelves: remembered.shelves,
        columns: remembered.columns,
        earlier_reads: true,
        genres_only: true,
        hemisphere,
        today: Some(today),
        waiting_books: true,
        ..Options::default()
    })
}

/// Visits the imports of an owner with their kept rows, oldest first. Only one import is in memory at a time.
///
/// # Errors
/// 503 `busy` at the deadline of the options; the visitor's; the database's.
pub fn each(
    conn: &Connection,
    owner: UserId,
    options: &Options,
    mut visit: impl FnMut(KeptImport) -> Result<()>,
) -> Result<()> {
    let mut made = store::made(conn, owner)?;
    for import in store::imports(conn, owner)? {
        options.deadline.check()?;
        let rows = store::rows(conn, import.id)?;
        visit(read(import, &rows, &mut made, options)?)?;
    }
    Ok(())
}

/// Reads an import's rows. Decisions about whole columns, such as the order of dates, are made over all that are kept.
fn read(import: StoredImport, rows: &[StoredRow], made: &mut Made, options: &Options) -> Result<KeptImport> {
    let mut kept: BTreeMap<usize, KeptRow> = BTreeMap::new();
    for (at, row) in rows.iter().enumerate() {
        if let Some(books) = made.remove(&row.id) {
            kept.insert(at, KeptRow { books, ..KeptRow::default() });
        }
    }
    if kept.is_empty() {
        return Ok(KeptImport { import, rows: Vec::new() });
    }
    let (text, starts) = as_file(&import, rows)?;
    let is_unknown = import.format == UNKNOWN.name;
    let columns = if is_unknown { options.columns.clone() } else { HashMap::new() };
    let options = Options { kind: import.kind, columns, ..options.clone() };
    let plan = plan(text.as_bytes(), &options);
    options.deadline.check()?;
    // A file that this version can't read has no drafts.
    if let Ok(plan) = plan {
        let Plan { rows, books, waiting, audio_pages, .. } = plan;
        let at = |row: usize| starts.get(&rows[row].raw.start).copied();
        for book in books {
            let Some(row) = at(book.row).and_then(|at| kept.get_mut(&at)) else { continue };
            row.drafts.push((i64::from(book.nth), book.draft));
            if !book.log.is_empty() {
                row.logs.push((i64::from(book.nth), book.log));
            }
        }
        for (row, count) in audio_pages {
            if let Some(row) = at(row).and_then(|at| kept.get_mut(&at)) {
                row.audio_pages = Some(count);
            }
        }
        for (row, draft) in waiting {
            if let Some(row) = at(row).and_then(|at| kept.get_mut(&at)) {
                row.waiting = Some(draft);
            }
        }
    }
    Ok(KeptImport { import, rows: kept.into_values().collect() })
}

/// The header and the rows as a file, and the index of the row that begins at each position.
pub fn as_file(import: &StoredImport, rows: &[StoredRow]) -> Result<(String, HashMap<usize, usize>)> {
    let quotes = if formats::quotes(&import.format) { QuoteStyle::Necessary } else { QuoteStyle::Never };
    let mut header =
        WriterBuilder::new().delimiter(import.delimiter).quote_style(quotes).flexible(true).from_writer(Vec::new());
    let written = header.write_record(&import.header).map_err(|cause| Error::internal(cause.to_string()));
    let header = header.into_inner().map_err(|cause| Error::internal(cause.to_string()));
    let mut text = written.and(header).map(|header| String::from_utf8_lossy(&header).into_owned())?;
    let mut starts = HashMap::with_capacity(rows.len());
    for (index, row) in rows.iter().enumerate() {
        starts.insert(text.len(), index);
        text.push_str(&row.raw);
        text.push('\n');
    }
    Ok((text, starts))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::import::history::model::ImportId;
    use crate::library::import::plan::Kind;

    fn import(format: &str, header: &str, delimiter: u8) -> StoredImport {
        StoredImport {
            id: ImportId(1),
            file_name: String::new(),
            kind: Kind::Books,
            format: format.to_owned(),
            header: header.split(char::from(delimiter)).map(str::to_owned).collect(),
            delimiter,
            created_at: chrono::DateTime::UNIX_EPOCH.into(),
            skipped: 0,
            is_undone: false,
        }
    }

    fn kept(import: StoredImport, rows: &[&str]) -> Vec<KeptRow> {
        let rows: Vec<_> = (1..).zip(rows).map(|(id, raw)| StoredRow { id, raw: (*raw).to_owned() }).collect();
        let mut made = rows.iter().map(|row| (row.id, vec![(BookId(row.id), 0)])).collect();
        let options = Options { waiting_books: true, ..Options::default() };
        read(import, &rows, &mut made, &options).unwrap().rows
    }

    const GOODREADS: &str =
        "Book Id,Title,Author,My Rating,Date Read,Bookshelves,Exclusive Shelf,Publisher,Number of Pages";

    #[test]
    fn kept_rows_are_read_as_the_file_was() {
        let rows = kept(
            import("goodreads", GOODREADS, b','),
            &[
                "1,\"Dune (Dune, #1)\",F H,4,13/04/2020,,read,Ace,400",
                "2,\"Two\nlines\",A B,0,03/04/2020,,read,,",
                "3,\"Emma (Saga, #2)\",J A,0,,to-read,to-read,Penguin,100",
            ],
        );
        let dune = rows[0].draft(0).unwrap();
        let series = dune.facts.series.as_ref().unwrap();
        assert_eq!((dune.title.as_str(), series.name.as_str(), series.number.as_deref()), ("Dune", "Dune", Some("1")));
        let second = rows[1].draft(0).unwrap();
        assert_eq!(second.date_completed.unwrap().to_string(), "2020-04-03", "the other row says the order of dates");
        assert_eq!(rows[2].draft(0), None);
        let started = rows[2].draft(STARTED_ITEM).unwrap();
        assert_eq!((started.title.as_str(), started.facts.publisher.as_deref()), ("Emma", Some("Penguin")));
    }

    #[test]
    fn a_file_with_tabs_and_without_quotes_is_read_again() {
        let header = "Book Id\tTitle\tPrimary Author\tPublication\tPage Count\tDate Read";
        let rows = kept(
            import("librarything", header, b'\t'),
            &["7\tA \"quoted title\tB, A\tPress, 1999\t590 \t[2007-05-08]"],
        );
        let draft = rows[0].draft(0).unwrap();
        assert_eq!((draft.title.as_str(), draft.pages), ("A \"quoted title", Some(590)));
    }

    #[test]
    fn the_header_of_a_file_is_written_as_it_was_read() {
        let mut odd = import("goodreads", GOODREADS, b',');
        odd.header.extend(["My \"own\", column".to_owned(), "two\nlines".to_owned(), String::new()]);
        let rows = [StoredRow { id: 1, raw: "1,Dune,F H".to_owned() }];
        let (text, starts) = as_file(&odd, &rows).unwrap();
        let mut lines = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
        let header = lines.records().next().unwrap().unwrap();
        assert_eq!(header.iter().collect::<Vec<_>>(), odd.header);
        assert_eq!(starts.keys().map(|start| &text[*start..]).collect::<Vec<_>>(), ["1,Dune,F H\n"]);
    }
}
