//! Amazon's archive of a reader's Kindle data: sessions of reading, and titles that were completed. Its tables are known by their columns,
//! because their names and folders change.
use std::cell::Cell;
use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;
use std::time::{Duration, Instant};

use chrono::NaiveDate;
use csv::{ReaderBuilder, StringRecord};
use zip::ZipArchive;

use super::{Options, instant};
use crate::devices::coverage::NotedDay;
use crate::devices::statistics::{Content, FileBook, FileRefusal, MOST_ROWS, authors, cut};
use crate::library::books::log::{MOST_MINUTES, ReadingDaySource, WHOLE};
use crate::library::import::folded;

/// The most entries of the archive.
const MOST_ENTRIES: usize = 20_000;
/// What each entry of an archive's directory begins with.
const ENTRY: &[u8] = b"PK\x01\x02";
/// The most bytes that are unpacked.
const MOST_UNPACKED: u64 = 512 << 20;
/// The longest row in bytes, roughly.
const LONGEST_ROW: u64 = 1 << 20;
/// How long it is read.
const TIME: Duration = Duration::from_secs(20);
/// The longest session in milliseconds.
const LONGEST_SESSION: i64 = 86_400_000;

/// What is known of a title.
#[derive(Default)]
struct Title {
    name: String,
    author: String,
    /// Milliseconds by day, from each of the two tables that have the same sessions.
    sessions: [BTreeMap<NaiveDate, i64>; 2],
    completed: Option<NaiveDate>,
}

/// Reads the archive.
pub fn read(path: &Path, options: &Options) -> Result<Content, FileRefusal> {
    let file = File::open(path).map_err(|_| FileRefusal::Damaged)?;
    if entries(&file)? > MOST_ENTRIES {
        return Err(FileRefusal::TooMany);
    }
    let mut archive = ZipArchive::new(BufReader::new(&file)).map_err(|_| FileRefusal::Damaged)?;
    let names: Vec<String> = archive.file_names().filter_map(|name| name.ok().map(String::from)).collect();
    if ["books.csv", "tbr.csv"].iter().all(|name| names.iter().any(|known| known == name)) {
        return Err(FileRefusal::Books("Shelfwise".to_owned()));
    }
    let mut reading =
        Reading { titles: HashMap::new(), rows: 0, rejected: 0, found: false, end: Instant::now() + TIME, options };
    let mut left = MOST_UNPACKED;
    for name in names.iter().filter(|name| name.to_lowercase().ends_with(".csv")) {
        let entry = archive.by_name(name).map_err(|_| FileRefusal::Damaged)?;
        let mut entry = entry.take(left);
        reading.table(&mut entry)?;
        left = entry.limit();
        if left == 0 {
            return Err(FileRefusal::TooMany);
        }
    }
    if !reading.found {
        return Err(FileRefusal::NoKindle);
    }
    Ok(reading.content())
}

/// Whether the names in an archive are those of Kindle data.
pub fn is_archive(path: &Path) -> bool {
    let file = File::open(path).ok().filter(|file| entries(file).is_ok_and(|entries| entries <= MOST_ENTRIES));
    let archive = file.and_then(|file| ZipArchive::new(BufReader::new(file)).ok());
    archive.is_some_and(|archive| {
        let mut names = archive.file_names().filter_map(|name| name.ok().map(String::from));
        names.any(|name| name.contains("Kindle."))
    })
}

/// How many entries the directory has: it is read as a whole, and takes several times its bytes in memory.
fn entries(mut file: &File) -> Result<usize, FileRefusal> {
    let (mut buffer, mut kept, mut count) = (vec![0; 1 << 16], 0, 0);
    loop {
        let read = file.read(&mut buffer[kept..]).map_err(|_| FileRefusal::Damaged)?;
        if read == 0 {
            return Ok(count);
        }
        let filled = kept + read;
        count += memchr::memmem::find_iter(&buffer[..filled], ENTRY).count();
        // Its beginning may be at the end of this piece.
        kept = filled.min(ENTRY.len() - 1);
        buffer.copy_within(filled - kept..filled, 0);
    }
}

struct Reading<'o> {
    titles: HashMap<String, Title>,
    rows: usize,
    rejected: usize,
    /// Whether there is a table of sessions or of completed titles.
    found: bool,
    end: Instant,
    options: &'o Options,
}

impl Reading<'_> {
    /// Reads a table, if it is one of those that say something.
    fn table(&mut self, table: &mut impl Read) -> Result<(), FileRefusal> {
        let since = Cell::new(0);
        let mut reader =
            ReaderBuilder::new().flexible(true).has_headers(false).from_reader(Bounded { inner: table, since: &since });
        let (mut header, mut row) = (StringRecord::new(), StringRecord::new());
        if !matches!(reader.read_record(&mut header), Ok(true)) {
            return Ok(());
        }
        let names: Vec<String> = header.iter().map(folded).collect();
        let place = |wanted: &[&str]| names.iter().position(|name| wanted.contains(&name.as_str()));
        let asin = place(&["asin", "asinnumber"]);
        let title = place(&["productname", "title", "booktitle"]);
        let author = place(&["authorname", "author", "authors"]);
        let millis = place(&["totalreadingmillis", "totalreadingmilliseconds"]);
        let start = place(&["starttimestamp", "starttime", "endtimestamp", "endtime"]);
        let completed = place(&["asindateandcontenttype"]);
        let is_session = asin.is_some() && millis.is_some() && start.is_some();
        self.found |= is_session || completed.is_some();
        if !is_session && completed.is_none() && (asin.is_none() || (title.is_none() && author.is_none())) {
            return Ok(());
        }
        // The insights have the sessions once more, with corrections and titles.
        let which = usize::from(title.is_some());
        loop {
            since.set(0);
            match reader.read_record(&mut row) {
                Ok(true) => {}
                Ok(false) => return Ok(()),
                Err(cause) if cause.is_io_error() => return Err(FileRefusal::Damaged),
                Err(_) => {
                    self.rejected += 1;
                    continue;
                }
            }
            self.rows += 1;
            if self.rows > MOST_ROWS {
                return Err(FileRefusal::TooMany);
            }
            if self.rows.is_multiple_of(1_000) && Instant::now() > self.end {
                return Err(FileRefusal::TooSlow);
            }
            let cell = |place: Option<usize>| place.and_then(|place| row.get(place)).unwrap_or_default().trim();
            let (id, day) = match completed {
                Some(_) => match completion(cell(completed)) {
                    Some((id, day)) if day <= self.options.today => (id, Some(day)),
                    _ => {
                        self.rejected += 1;
                        continue;
                    }
                },
                None => (cell(asin), None),
            };
            if id.is_empty() || id.len() > 40 || id == "Not Available" {
                self.rejected += usize::from(is_session);
                continue;
            }
            let session = if is_session { self.session(cell(start), cell(millis)) } else { None };
            if is_session && session.is_none() {
                self.rejected += 1;
                continue;
            }
            let known = self.titles.entry(id.to_lowercase()).or_default();
            for (text, cell) in [(&mut known.name, cell(title)), (&mut known.author, cell(author))] {
                if text.is_empty() && cell != "Not Available" {
                    *text = cut(cell);
                }
            }
            known.completed = known.completed.max(day);
            if let Some((day, millis)) = session {
                let spent = known.sessions[which].entry(day).or_default();
                *spent = (*spent + millis).min(LONGEST_SESSION);
            }
        }
    }

    fn session(&self, start: &str, millis: &str) -> Option<(NaiveDate, i64)> {
        let millis = millis.parse().ok().filter(|millis| (0..=LONGEST_SESSION).contains(millis))?;
        let day = self.options.zone.day_at(instant(start)?);
        (day <= self.options.today).then_some((day, millis))
    }

    fn content(self) -> Content {
        let mut content = Content { rejected: self.rejected, ..Content::default() };
        for (id, title) in self.titles {
            let Title { name, author, sessions: [one, other], completed } = title;
            let mut days = one;
            for (day, millis) in other {
                let known = days.entry(day).or_default();
                *known = (*known).max(millis);
            }
            let noted = |day| NotedDay {
                day,
                at: None,
                page: None,
                minutes: None,
                finished: false,
                source: ReadingDaySource::Kindle,
            };
            let minutes = |millis: i64| ((millis + 30_000) / 60_000).min(MOST_MINUTES);
            let mut days: Vec<_> = days
                .into_iter()
                .filter(|(_, millis)| minutes(*millis) > 0)
                .map(|(day, millis)| NotedDay { minutes: Some(minutes(millis)), ..noted(day) })
                .collect();
            days.extend(completed.map(|day| NotedDay { at: Some(WHOLE), finished: true, ..noted(day) }));
            if !days.is_empty() {
                content.books.push(FileBook {
                    // Amazon's number is the same in each of its archives, which titles are not.
                    digest: id,
                    title: name,
                    authors: authors(&author.replace(';', "\n")),
                    days,
                    ..FileBook::default()
                });
            }
        }
        content.books.sort_by(|one, other| one.digest.cmp(&other.digest));
        content
    }
}

/// Number and day of `B00ABC_2024-05-01_Automatic`.
fn completion(cell: &str) -> Option<(&str, NaiveDate)> {
    let (id, rest) = cell.split_once('_')?;
    Some((id, rest.get(..10)?.parse().ok()?))
}

/// A reader that ends where a row does not: it would be in memory as a whole.
struct Bounded<'s, R> {
    inner: R,
    /// The bytes since the last row ended.
    since: &'s Cell<u64>,
}

impl<R: Read> Read for Bounded<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.since.set(self.since.get() + read as u64);
        if self.since.get() > LONGEST_ROW { Err(std::io::ErrorKind::InvalidData.into()) } else { Ok(read) }
    }
}
