//! Libby's timeline, in which every loan, return and hold is a row of its own, converted to a table with a row for each book.
use std::collections::HashMap;

use chrono::{DateTime, Days, NaiveDate};
use csv::Writer;
use serde::Deserialize;

use super::columns::Header;
use super::edition::name_of;
use super::reader::{MOST_ROWS, Sheet, Unreadable};
use super::values::{self, DateOrder};
use crate::kit::deadline::Deadline;

/// `Loans` are `start,finish;start,finish`, and `Waiting` is `true` for a hold that no loan followed. Only the JSON says the medium.
const COLUMNS: [&str; 7] = ["Title", "Author", "Publisher", "ISBN", "Loans", "Waiting", "Medium"];

/// A book that is borrowed again within so many days is read on.
const READ_ON: Days = Days::new(365);

#[derive(Deserialize)]
struct Timeline {
    timeline: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    title: Title,
    author: Option<String>,
    publisher: Option<String>,
    isbn: Option<String>,
    /// In milliseconds.
    timestamp: i64,
    activity: String,
    cover: Option<Cover>,
}

#[derive(Deserialize)]
struct Title {
    text: String,
}

#[derive(Deserialize)]
struct Cover {
    format: Option<String>,
}

struct Event {
    /// Title, author, publisher and ISBN.
    book: [String; 4],
    medium: String,
    activity: String,
    day: Option<NaiveDate>,
}

/// A book, and the spans in which it was borrowed, oldest first.
struct Borrowed {
    event: Event,
    loans: Vec<(Option<NaiveDate>, Option<NaiveDate>)>,
    waits: bool,
}

/// The books of a timeline in JSON.
pub fn of_json(json: &[u8]) -> Result<Vec<u8>, Unreadable> {
    let Timeline { timeline } = serde_json::from_slice(json).map_err(|_| Unreadable::OtherJson)?;
    let event = |entry: Entry| Event {
        book: [Some(entry.title.text), entry.author, entry.publisher, entry.isbn].map(Option::unwrap_or_default),
        medium: entry.cover.and_then(|cover| cover.format).unwrap_or_default(),
        activity: entry.activity,
        day: DateTime::from_timestamp_millis(entry.timestamp).map(|time| time.date_naive()),
    };
    table(timeline.into_iter().map(event).collect(), &COLUMNS)
}

/// The books of a timeline in CSV; `None` for any other file.
pub fn of_csv(bytes: &[u8]) -> Result<Option<Vec<u8>>, Unreadable> {
    let head = bytes[..bytes.len().min(1_000)].to_ascii_lowercase();
    let has = |name: &[u8]| head.windows(name.len()).any(|part| part == name);
    if !has(b"timestamp") || !has(b"activity") {
        return Ok(None);
    }
    let (mut header, mut events) = (None, Vec::new());
    Sheet::open(bytes)?.rows(&Deadline::default(), |row| {
        let Some(header) = &header else {
            let names = header.insert(Header::new(&row.cells));
            return names.has_all(&["title", "author", "timestamp", "activity"]);
        };
        let cell = |name| header.position(name).and_then(|at| row.cells.get(at)).unwrap_or_default().trim().to_owned();
        events.push(Event {
            book: ["title", "author", "publisher", "isbn"].map(cell),
            medium: String::new(),
            activity: cell("activity"),
            day: values::date(&cell("timestamp"), DateOrder::MonthFirst),
        });
        events.len() <= MOST_ROWS
    })?;
    if events.is_empty() { Ok(None) } else { table(events, &COLUMNS[..6]).map(Some) }
}

fn table(mut events: Vec<Event>, columns: &[&str]) -> Result<Vec<u8>, Unreadable> {
    if events.len() > MOST_ROWS {
        return Err(Unreadable::TooManyRows);
    }
    // The newest stands first, and a day may have several.
    events.reverse();
    events.sort_by_key(|event| event.day);
    let (mut books, mut index) = (Vec::<Borrowed>::new(), HashMap::new());
    for event in events {
        let at = *index.entry(name_of(&event.book[0], &event.book[1])).or_insert(books.len());
        let (day, activity) = (event.day, event.activity.to_lowercase());
        if at == books.len() {
            books.push(Borrowed { event, loans: Vec::new(), waits: false });
        }
        let Borrowed { loans, waits, .. } = &mut books[at];
        if activity.starts_with("borrow") {
            *waits = false;
            match loans.last_mut() {
                Some((_, end)) if end.is_none_or(|end| day <= end.checked_add_days(READ_ON)) => *end = None,
                _ => loans.push((day, None)),
            }
        } else if activity.starts_with("return") {
            match loans.last_mut() {
                Some((_, end)) => *end = day,
                None => loans.push((None, day)),
            }
        } else if activity.contains("hold") {
            *waits = !activity.contains("cancel") && !activity.contains("remov");
        }
    }
    let mut table = Writer::from_writer(Vec::new());
    let mut write = |cells: &mut dyn Iterator<Item = &str>| table.write_record(cells.take(columns.len()));
    let mut written = write(&mut columns.iter().copied());
    for Borrowed { event: Event { book, medium, .. }, loans, waits } in &books {
        let day = |day: Option<NaiveDate>| day.map(|day| day.to_string()).unwrap_or_default();
        let loans: Vec<_> = loans.iter().map(|(start, end)| format!("{},{}", day(*start), day(*end))).collect();
        let rest = [loans.join(";"), waits.to_string(), medium.clone()];
        written = written.and_then(|()| write(&mut book.iter().chain(&rest).map(String::as_str)));
    }
    written.map_err(|_| Unreadable::OtherJson)?;
    table.into_inner().map_err(|_| Unreadable::OtherJson)
}
