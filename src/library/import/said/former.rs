//! Rows of imports from before rows were kept with what they say: they are read once with the importer of today.
use std::collections::{BTreeMap, HashMap};

use chrono::NaiveDate;
use csv::{QuoteStyle, WriterBuilder};
use rusqlite::Connection;

use super::store::{self, StoredRow, Tie, ties};
use super::{Rows, SaidRow};
use crate::kit::error::{Error, Result};
use crate::kit::id::UserId;
use crate::kit::time_zone::Hemisphere;
use crate::library::books::model::BookStatus;
use crate::library::import::formats::{self, UNKNOWN};
use crate::library::import::history::model::WholeImport;
use crate::library::import::history::store::imports;
use crate::library::import::plan::{Options, plan};
use crate::library::import::store::choices;

/// The numbers of the readings that are tied to books, by the keys of the rows.
pub type TiedReadings = HashMap<i64, Vec<i64>>;

/// The options with which rows of former imports are read: the reader's choices for shelves and columns.
pub fn options(conn: &Connection, owner: UserId, hemisphere: Hemisphere, today: NaiveDate) -> Result<Options> {
    let remembered = choices(conn, owner)?;
    Ok(Options {
        shelves: remembered.shelves,
        columns: remembered.columns,
        earlier_reads: true,
        genres_only: true,
        hemisphere,
        today: Some(today),
        ..Options::default()
    })
}

/// Which readings of each row are tied to books.
pub fn tied_readings(ties: &[Tie]) -> TiedReadings {
    let mut tied = TiedReadings::default();
    for tie in ties {
        tied.entry(tie.row).or_default().push(tie.nth);
    }
    tied
}

/// What the rows of an owner's former imports say of which that is not kept yet, as JSON by their keys.
pub fn unread(conn: &Connection, owner: UserId, options: &Options) -> Result<Vec<(i64, String)>> {
    let tied = tied_readings(&ties(conn, owner)?);
    let mut unread = Vec::new();
    for import in imports(conn, owner)? {
        let rows = store::rows(conn, import.import.id)?;
        for (row, said) in read_unread(&import, &rows, options, &tied)? {
            unread.push((row, said.stored()?));
        }
    }
    Ok(unread)
}

/// What the rows of an import say, as JSON by their keys. A row that can't be read any more says nothing.
pub fn said(
    conn: &Connection,
    import: &WholeImport,
    options: &Options,
    tied: &TiedReadings,
) -> Result<Vec<(i64, String)>> {
    let rows = store::rows(conn, import.import.id)?;
    let unread = read_unread(import, &rows, options, tied)?;
    let said = |row: StoredRow| match row.said {
        Some(said) => Ok((row.id, said)),
        None => Ok((row.id, unread.get(&row.id).map_or_else(|| Ok(String::new()), SaidRow::stored)?)),
    };
    rows.into_iter().map(said).collect()
}

/// Reads those rows of an import of which is not known what they say. Decisions about whole columns, such as the order of dates, are made
/// over all of them.
fn read_unread(
    import: &WholeImport,
    rows: &[StoredRow],
    options: &Options,
    tied: &TiedReadings,
) -> Result<BTreeMap<i64, SaidRow>> {
    let unread: Vec<&StoredRow> = rows.iter().filter(|row| row.said.is_none()).collect();
    let mut said: BTreeMap<i64, SaidRow> = unread.iter().map(|row| (row.id, SaidRow::default())).collect();
    if unread.is_empty() {
        return Ok(said);
    }
    let (text, starts) = as_file(import, &unread)?;
    let is_unknown = import.import.format == UNKNOWN.name;
    let columns = if is_unknown { options.columns.clone() } else { HashMap::new() };
    let options = Options { kind: import.kind, columns, ..options.clone() };
    let plan = plan(text.as_bytes(), &options);
    options.deadline.check()?;
    // A file that this version can't read says nothing.
    let Ok(plan) = plan else { return Ok(said) };
    let read = Rows::of(&plan);
    for (at, row) in plan.rows.iter().enumerate() {
        let Some(id) = starts.get(&row.raw.start) else { continue };
        let mut row = read.get(at);
        let tied = tied.get(id).map_or(&[][..], Vec::as_slice);
        // Readings that the row only counts are none of its own, unless the reader made books of them.
        let first = row.readings.iter().find(|reading| reading.item.is_none()).map(|reading| reading.nth);
        row.readings.retain(|reading| {
            reading.item.is_some()
                || reading.draft.status != BookStatus::Undated
                || Some(reading.nth) == first
                || tied.contains(&reading.nth)
        });
        said.insert(*id, row);
    }
    Ok(said)
}

/// The header and the rows as a file, and the key of the row that begins at each position.
fn as_file(import: &WholeImport, rows: &[&StoredRow]) -> Result<(String, HashMap<usize, i64>)> {
    let quotes = formats::named(&import.import.format).quotes;
    let mut header = WriterBuilder::new()
        .delimiter(import.delimiter.bytes().next().unwrap_or(b','))
        .quote_style(if quotes { QuoteStyle::Necessary } else { QuoteStyle::Never })
        .flexible(true)
        .from_writer(Vec::new());
    let written = header.write_record(&import.header).map_err(|cause| Error::internal(cause.to_string()));
    let header = header.into_inner().map_err(|cause| Error::internal(cause.to_string()));
    let mut text = written.and(header).map(|header| String::from_utf8_lossy(&header).into_owned())?;
    let mut starts = HashMap::with_capacity(rows.len());
    for row in rows {
        starts.insert(text.len(), row.id);
        text.push_str(&row.raw);
        text.push('\n');
    }
    Ok((text, starts))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::import::history::model::{ImportId, ImportSummary};
    use crate::library::import::plan::Kind;
    use crate::library::import::said::STARTED_ITEM;

    fn import(format: &str, header: &str, delimiter: &str) -> WholeImport {
        WholeImport {
            import: ImportSummary {
                id: ImportId(1),
                file_name: String::new(),
                format: format.to_owned(),
                created_at: chrono::DateTime::UNIX_EPOCH.into(),
                imported: 0,
                imported_tbr: 0,
                errors: 0,
                beyond_limit: None,
                skipped: 0,
                left_out: 0,
                undone: None,
            },
            header: header.split(delimiter).map(str::to_owned).collect(),
            delimiter: delimiter.to_owned(),
            kind: Kind::Books,
            places: serde_json::Value::Null,
        }
    }

    fn read(import: &WholeImport, rows: &[&str]) -> Vec<SaidRow> {
        let rows: Vec<_> =
            (1..).zip(rows).map(|(id, raw)| StoredRow { id, said: None, raw: (*raw).to_owned() }).collect();
        let read = read_unread(import, &rows, &Options::default(), &TiedReadings::default());
        read.unwrap().into_values().collect()
    }

    const GOODREADS: &str =
        "Book Id,Title,Author,My Rating,Date Read,Bookshelves,Exclusive Shelf,Publisher,Number of Pages";

    #[test]
    fn former_rows_are_read_as_the_file_was() {
        let rows = read(
            &import("goodreads", GOODREADS, ","),
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
        let rows = read(
            &import("librarything", header, "\t"),
            &["7\tA \"quoted title\tB, A\tPress, 1999\t590 \t[2007-05-08]"],
        );
        let draft = rows[0].draft(0).unwrap();
        assert_eq!((draft.title.as_str(), draft.pages), ("A \"quoted title", Some(590)));
    }

    #[test]
    fn the_header_of_a_file_is_written_as_it_was_read() {
        let mut odd = import("goodreads", GOODREADS, ",");
        odd.header.extend(["My \"own\", column".to_owned(), "two\nlines".to_owned(), String::new()]);
        let row = StoredRow { id: 1, said: None, raw: "1,Dune,F H".to_owned() };
        let (text, starts) = as_file(&odd, &[&row]).unwrap();
        let mut lines = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
        let header = lines.records().next().unwrap().unwrap();
        assert_eq!(header.iter().collect::<Vec<_>>(), odd.header);
        assert_eq!(starts.keys().map(|start| &text[*start..]).collect::<Vec<_>>(), ["1,Dune,F H\n"]);
    }
}
