//! Any table of days: a day, a book, and a page, a percentage or minutes. Bookly, Bookmory, a journal, one's own sheet.
use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::time::Duration;

use chrono::NaiveDate;
use serde::Serialize;
use utoipa::ToSchema;

use super::{Options, ReadingFile, ReadingFormat};
use crate::devices::coverage::NotedDay;
use crate::devices::statistics::{self, Content, FileBook, FileRefusal, cut};
use crate::kit::deadline::Deadline;
use crate::kit::named::named;
use crate::library::books::log::{MOST_MINUTES, ReadingDaySource, WHOLE};
use crate::library::books::model::{FIRST_DAY, MOST_PAGES};
use crate::library::clippings::read::{self, Program};
use crate::library::import::reader::{LARGEST_FILE, MOST_COLUMNS, MOST_ROWS, Sheet, Unreadable};
use crate::library::import::values::{self, DateEvidence, DateOrder};
use crate::library::import::{decoded, folded, format_of};

named! {
    /// What a column of a table of days is.
    DayField {
        /// The day, with or without a time.
        Day = "day",
        /// The book's title.
        Title = "title",
        /// Its authors.
        Author = "author",
        /// The page reached.
        Page = "page",
        /// The percentage reached.
        Percent = "percent",
        /// The minutes of reading: a number, or h:mm.
        Minutes = "minutes",
    }
}

/// What columns are, by their folded names; none is left out.
pub type ColumnMap = HashMap<String, Option<DayField>>;

/// A column of a table of days.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct DayColumn {
    /// As written in the file.
    pub name: String,
    /// Its first value.
    pub sample: String,
    /// What it is read as; null where it is not used.
    #[schema(required)]
    pub field: Option<DayField>,
}

/// How long a table is read.
const TIME: Duration = Duration::from_secs(20);
/// The most characters of a column's name and of its first value.
const SAMPLE: usize = 100;
/// The most columns that are shown.
const SHOWN: usize = 50;

impl DayField {
    /// What a column of this folded name is.
    fn guess(name: &str) -> Option<Self> {
        let name: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
        Some(match name.as_str() {
            "day" | "date" | "datum" | "tag" | "fecha" | "data" | "jour" | "sessiondate" | "readingdate"
            | "dateread" | "startdate" | "starttime" | "start" | "startedat" | "timestamp" => Self::Day,
            "title" | "book" | "booktitle" | "bookname" | "titel" | "titre" | "titulo" | "titolo" | "buch" => {
                Self::Title
            }
            "author" | "authors" | "bookauthor" | "autor" | "autorin" | "auteur" | "autore" => Self::Author,
            "page" | "currentpage" | "endpage" | "lastpage" | "topage" | "pagereached" | "pageto" | "seite" => {
                Self::Page
            }
            "percent" | "percentage" | "progress" | "progresspercent" | "percentcomplete" | "prozent" => Self::Percent,
            "minutes" | "min" | "mins" | "duration" | "durationminutes" | "durationmin" | "readingtime"
            | "timeread" | "timespent" | "minutesread" | "readingminutes" | "readingtimeminutes" | "minuten"
            | "dauer" => Self::Minutes,
            _ => return None,
        })
    }
}

/// Reads a table.
pub fn read(path: &Path, options: &Options) -> Result<ReadingFile, FileRefusal> {
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|_| FileRefusal::Damaged)?;
    file.take(LARGEST_FILE as u64 + 1).read_to_end(&mut bytes).map_err(|_| FileRefusal::Damaged)?;
    if let Some(file) = marked(&bytes, options)? {
        return Ok(file);
    }
    if let Some(refusal) = elsewhere(&bytes) {
        return Err(refusal);
    }
    let sheet = Sheet::open(&bytes).map_err(FileRefusal::Table)?;
    let mut table = Table::default();
    // Once to see how its dates are written, and once to read them.
    let mut evidence = DateEvidence::default();
    each(&sheet, |number, cells| {
        if number == 0 {
            return table.begin(cells, options);
        }
        table.see(cells);
        evidence.look(table.cell(cells, DayField::Day));
        Ok(())
    })?;
    let is_mapped = table.is_mapped();
    let mut content = Content::default();
    if is_mapped {
        let mut places = HashMap::new();
        let order = evidence.verdict();
        each(&sheet, |number, cells| {
            if number > 0 {
                match table.day(cells, order, options.today) {
                    Some((title, author, day)) => {
                        let place = *places.entry((title, author)).or_insert_with_key(|(title, author)| {
                            let book = FileBook {
                                title: cut(title),
                                authors: statistics::authors(&author.replace([';', '&'], "\n")),
                                ..FileBook::default()
                            };
                            content.books.push(book);
                            content.books.len() - 1
                        });
                        content.books[place].days.push(day);
                    }
                    None => content.rejected += 1,
                }
            }
            Ok(())
        })?;
    }
    Ok(ReadingFile { format: ReadingFormat::Days, content, columns: Some(table.columns), is_mapped })
}

/// Visits the rows with their numbers; that of the header is 0.
fn each(
    sheet: &Sheet<'_>,
    mut visit: impl FnMut(usize, &csv::StringRecord) -> Result<(), FileRefusal>,
) -> Result<(), FileRefusal> {
    let (deadline, _running) = Deadline::within(TIME);
    let (mut number, mut end) = (0, Ok(()));
    let read = sheet.rows(&deadline, |row| {
        end = if number > MOST_ROWS {
            Err(FileRefusal::Table(Unreadable::TooManyRows))
        } else {
            visit(number, &row.cells)
        };
        number += 1;
        end.is_ok()
    });
    read.map_err(FileRefusal::Table)?;
    end
}

/// What was marked in books, of a file that has nothing else.
fn marked(bytes: &[u8], options: &Options) -> Result<Option<ReadingFile>, FileRefusal> {
    let text = decoded(bytes);
    let Some(program) = read::program(&text) else { return Ok(None) };
    let passages = read::passages(&text, program, &options.zone).ok_or(FileRefusal::Damaged)?;
    if passages.len() > read::MOST_PASSAGES {
        return Err(FileRefusal::TooManyPassages);
    }
    // Each is looked for in the library while no one else writes.
    let books: HashSet<_> = passages.iter().map(|passage| (&passage.title, &passage.author)).collect();
    if books.len() > statistics::MOST_BOOKS {
        return Err(FileRefusal::TooManyBooks);
    }
    let format = match program {
        Program::Kindle => ReadingFormat::Kindle,
        Program::Readwise => ReadingFormat::Readwise,
        Program::KoReader => ReadingFormat::KoReader,
    };
    let content = Content { passages, ..Content::default() };
    Ok(Some(ReadingFile { format, content, columns: None, is_mapped: true }))
}

/// Files that belong elsewhere.
fn elsewhere(bytes: &[u8]) -> Option<FileRefusal> {
    let start = bytes.trim_ascii_start();
    let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start).trim_ascii_start();
    if !start.starts_with(b"{") && !start.starts_with(b"[") || start.starts_with(b"{\\rtf") {
        return None;
    }
    let has = |word: &str| memchr::memmem::find(start, word.as_bytes()).is_some();
    Some(if has("\"AudibleProductId\"") { FileRefusal::Books("Libation".to_owned()) } else { FileRefusal::Unknown })
}

#[derive(Default)]
struct Table {
    columns: Vec<DayColumn>,
    places: HashMap<DayField, usize>,
}

impl Table {
    fn begin(&mut self, header: &csv::StringRecord, options: &Options) -> Result<(), FileRefusal> {
        if header.len() > MOST_COLUMNS {
            return Err(FileRefusal::Table(Unreadable::TooManyColumns));
        }
        let chosen = |name: &str| options.columns.get(&folded(name)).copied();
        for (place, name) in header.iter().enumerate() {
            let field = chosen(name).unwrap_or_else(|| DayField::guess(&folded(name)));
            // A choice outranks a guess, and of two equal ones the first counts.
            let is_free = field.is_some_and(|field| {
                let is_chosen_elsewhere = || {
                    header.iter().enumerate().any(|(other, name)| other != place && chosen(name) == Some(Some(field)))
                };
                !self.places.contains_key(&field) && (chosen(name).is_some() || !is_chosen_elsewhere())
            });
            let field = field.filter(|_| is_free);
            if let Some(field) = field {
                self.places.insert(field, place);
            }
            let name = name.chars().take(SAMPLE).collect();
            self.columns.push(DayColumn { name, sample: String::new(), field });
        }
        self.columns.truncate(SHOWN);
        if options.columns.is_empty()
            && !self.is_mapped()
            && let Some(program) = format_of(header)
        {
            return Err(FileRefusal::Books(program.to_owned()));
        }
        Ok(())
    }

    fn see(&mut self, cells: &csv::StringRecord) {
        for (column, cell) in self.columns.iter_mut().zip(cells).filter(|(column, _)| column.sample.is_empty()) {
            column.sample = cell.trim().chars().take(SAMPLE).collect();
        }
    }

    fn is_mapped(&self) -> bool {
        let has = |field| self.places.contains_key(&field);
        let has_amount = has(DayField::Page) || has(DayField::Percent) || has(DayField::Minutes);
        has(DayField::Day) && has(DayField::Title) && has_amount
    }

    fn cell<'c>(&self, cells: &'c csv::StringRecord, field: DayField) -> &'c str {
        self.places.get(&field).and_then(|place| cells.get(*place)).unwrap_or_default().trim()
    }

    /// Title, author and day of a row; `None` for one without a day, a title or an amount, and for what can't be read.
    fn day(&self, cells: &csv::StringRecord, order: DateOrder, today: NaiveDate) -> Option<(String, String, NotedDay)> {
        let title = self.cell(cells, DayField::Title);
        let day = values::date(self.cell(cells, DayField::Day), order)?;
        let page = values::whole(self.cell(cells, DayField::Page), MOST_PAGES).ok()?;
        let at = match self.cell(cells, DayField::Percent) {
            "" => None,
            cell => Some(hundredths(cell)?),
        };
        let minutes = minutes(self.cell(cells, DayField::Minutes))?;
        let says_something = at.is_some() || page.is_some() || minutes.is_some();
        let is_valid = !title.is_empty() && says_something && (FIRST_DAY..=today).contains(&day);
        let noted = NotedDay {
            day,
            at,
            page: page.filter(|_| at.is_none()),
            minutes,
            finished: false,
            source: ReadingDaySource::File,
        };
        is_valid.then(|| (title.to_owned(), self.cell(cells, DayField::Author).to_owned(), noted))
    }
}

/// A percentage in hundredths.
fn hundredths(cell: &str) -> Option<i64> {
    let number = values::decimal(cell.trim_end_matches('%').trim())?;
    #[expect(clippy::cast_possible_truncation, reason = "within bounds by the check")]
    (0.0..=100.0).contains(&number).then(|| ((number * 100.0).round() as i64).min(WHOLE))
}

/// A time of at most a day in minutes: a number of minutes, h:mm, h:mm:ss, or hours and minutes with their letters. The outer option is
/// none for anything else, the inner one for an empty cell.
fn minutes(cell: &str) -> Option<Option<i64>> {
    if cell.is_empty() {
        return Some(None);
    }
    let lower = cell.to_lowercase();
    let (hours, rest) = lower.split_once('h').unwrap_or(("", &lower));
    if !hours.is_empty() || lower.contains('m') {
        let hours = if hours.is_empty() { 0.0 } else { values::decimal(hours)? };
        let rest = rest.trim_start_matches(|letter: char| letter.is_alphabetic()).trim();
        let (minutes, _) = rest.split_once('m').unwrap_or((rest, ""));
        let minutes = if minutes.trim().is_empty() { 0.0 } else { values::decimal(minutes)? };
        return in_a_day(hours * 60.0 + minutes).map(Some);
    }
    match cell.contains(':') {
        true => values::minutes(cell).ok()?.filter(|minutes| *minutes <= MOST_MINUTES).map(Some),
        false => in_a_day(values::decimal(cell)?).map(Some),
    }
}

fn in_a_day(minutes: f64) -> Option<i64> {
    #[expect(clippy::cast_possible_truncation, reason = "within bounds by the check")]
    (0.0..=MOST_MINUTES as f64).contains(&minutes).then(|| minutes.round() as i64)
}
