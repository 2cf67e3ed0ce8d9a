//! Files with reading in them: whose a file is, and what it says. Each is hostile until shown otherwise: lengths, rows and time are bounded.
mod calibre;
mod kindle;
mod kobo;
mod table;

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use chrono::{DateTime, Datelike as _, NaiveDate, NaiveDateTime, NaiveTime, Utc};
use rusqlite::Connection;

use super::statistics::{self, Content, FileRefusal, has};
use crate::kit::named::named;
use crate::kit::time_zone::Zone;
use crate::library::clippings::read::program;
use crate::library::import::{LARGEST_FILE, decoded};
pub use table::{ColumnMap, DayColumn, DayField};

named! {
    /// Whose file it is.
    ReadingFormat {
        /// KOReader's statistics, or its highlights.
        KoReader = "koreader",
        /// Readwise's highlights.
        Readwise = "readwise",
        /// A Kobo's library.
        Kobo = "kobo",
        /// Amazon's archive of Kindle data, or a Kindle's clippings.
        Kindle = "kindle",
        /// Calibre's library.
        Calibre = "calibre",
        /// A table of days.
        Days = "days",
    }
}

impl ReadingFormat {
    /// The name for people.
    pub fn title(self) -> &'static str {
        match self {
            Self::KoReader => "KOReader",
            Self::Readwise => "Readwise",
            Self::Kobo => "Kobo",
            Self::Kindle => "Kindle",
            Self::Calibre => "Calibre",
            Self::Days => "a table of days",
        }
    }
}

/// How a file is read.
#[derive(Debug, Clone)]
pub struct Options {
    /// The reader's days.
    pub zone: Zone,
    pub today: NaiveDate,
    /// What the columns of a table are, as far as the reader says it.
    pub columns: ColumnMap,
}

/// A file that was read.
#[derive(Debug, Clone)]
pub struct ReadingFile {
    pub format: ReadingFormat,
    pub content: Content,
    /// The columns of a table, and nothing for another file.
    pub columns: Option<Vec<DayColumn>>,
    /// Whether the columns of a table are known that it needs.
    pub is_mapped: bool,
}

/// Whether a file can only be one of a device, by its first bytes, the names in an archive, or the lines about what was marked. A pipe, which
/// can be read only once, is none.
pub fn is_of_device(path: &Path) -> bool {
    if !path.is_file() {
        return false;
    }
    let mut start = [0; 16];
    let length = File::open(path).and_then(|mut file| file.read(&mut start)).unwrap_or(0);
    match &start[..length] {
        SQLITE => true,
        start if start.starts_with(ARCHIVE) => kindle::is_archive(path),
        _ => {
            let is_small = path.metadata().is_ok_and(|file| file.len() <= LARGEST_FILE as u64);
            is_small && std::fs::read(path).is_ok_and(|bytes| program(&decoded(&bytes)).is_some())
        }
    }
}

/// What SQLite's files begin with.
const SQLITE: &[u8] = b"SQLite format 3\0";
/// What zip files begin with.
const ARCHIVE: &[u8] = b"PK\x03\x04";

/// Reads a file. It blocks for at most half a minute.
pub fn read(path: &Path, options: &Options) -> Result<ReadingFile, FileRefusal> {
    let mut start = [0; 16];
    let length = File::open(path).and_then(|mut file| file.read(&mut start)).map_err(|_| FileRefusal::Damaged)?;
    let whole = |format, content| ReadingFile { format, content, columns: None, is_mapped: true };
    match &start[..length] {
        SQLITE => {
            let conn = statistics::open(path)?;
            let (format, content) = if has(&conn, "content")? && has(&conn, "Bookmark")? {
                (ReadingFormat::Kobo, kobo::read(&conn, options)?)
            } else if has(&conn, "books")? && has(&conn, "custom_columns")? {
                (ReadingFormat::Calibre, calibre::read(&conn, options)?)
            } else {
                (ReadingFormat::KoReader, statistics::of(&conn)?)
            };
            Ok(whole(format, content))
        }
        start if start.starts_with(ARCHIVE) => Ok(whole(ReadingFormat::Kindle, kindle::read(path, options)?)),
        _ => table::read(path, options),
    }
}

/// A query for columns of a table, whose versions differ: a missing one is null.
fn columns(conn: &Connection, table: &str, wanted: &[&str]) -> rusqlite::Result<String> {
    let mut query = conn.prepare("SELECT lower(name) FROM pragma_table_info(?1)")?;
    let known = query.query_map([table], |row| row.get(0))?.collect::<rusqlite::Result<Vec<String>>>()?;
    let column =
        |name: &&str| if known.contains(&name.to_lowercase()) { format!("\"{name}\"") } else { "NULL".to_owned() };
    Ok(format!("SELECT {} FROM \"{table}\"", wanted.iter().map(column).collect::<Vec<_>>().join(", ")))
}

/// An instant in one of the forms in which devices write it, in UTC unless it says otherwise.
fn instant(text: &str) -> Option<DateTime<Utc>> {
    let text = text.trim();
    let zoned =
        DateTime::parse_from_rfc3339(text).or_else(|_| DateTime::parse_from_str(text, "%Y-%m-%d %H:%M:%S%.f%:z"));
    let plain = || {
        let text = text.trim_end_matches(['U', 'T', 'C', 'Z', ' ']);
        let forms = ["%Y-%m-%dT%H:%M:%S%.f", "%Y-%m-%d %H:%M:%S%.f", "%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M"];
        let time = forms.iter().find_map(|form| NaiveDateTime::parse_from_str(text, form).ok());
        let day = || Some(NaiveDate::parse_from_str(text, "%Y-%m-%d").ok()?.and_time(NaiveTime::MIN));
        time.or_else(day).map(|time| time.and_utc())
    };
    let found = zoned.ok().map(|time| time.with_timezone(&Utc)).or_else(plain)?;
    (1990..2100).contains(&found.year()).then_some(found)
}
