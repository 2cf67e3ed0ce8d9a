//! How the catalogue's file is written.
//!
//! The index takes as long as everything else, so two threads write: the rows go into the file, and the index goes into a second file
//! without a name. At the end the index is copied as it is: its tables have few and large rows.
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use chrono::{DateTime, SecondsFormat, Utc};
use rusqlite::{CachedStatement, Connection, params};

use super::super::model::About;
use super::about;
use crate::kit::db::side_file::CATALOGUE;

/// Numbers of works are their rank of popularity. The editions of a work have numbers in a row, the best first.
const ROWS: &str = "
CREATE TABLE works (
  id INTEGER PRIMARY KEY,
  title TEXT NOT NULL,
  authors TEXT NOT NULL,
  year INTEGER,
  cover INTEGER,
  genres INTEGER NOT NULL,
  first_edition INTEGER NOT NULL,
  editions INTEGER NOT NULL
) STRICT;
CREATE TABLE editions (
  id INTEGER PRIMARY KEY,
  work INTEGER NOT NULL,
  title TEXT,
  isbn INTEGER,
  pages INTEGER,
  year INTEGER,
  language TEXT,
  format INTEGER,
  cover INTEGER,
  publisher TEXT
) STRICT;
CREATE TABLE isbns (isbn INTEGER PRIMARY KEY, edition INTEGER NOT NULL) STRICT;
";

/// What the catalogue says of itself.
const ABOUT: &str = "CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;";

/// The index is contentless, and keeps neither the places of words nor the length of texts, so that it is small; its words are folded
/// before.
const INDEX: &str = "CREATE VIRTUAL TABLE search USING fts5 (words, content='', columnsize=0, detail=none, prefix='2 3 4 5', tokenize='ascii');";

/// The index is written in parts of 64 MiB, which are joined at the end.
const PARTS: &str =
    "INSERT INTO search (search, rank) VALUES ('automerge', 0), ('crisismerge', 1900), ('hashsize', 67108864);";

/// Copies the tables in which FTS5 keeps an index.
const COPY_INDEX: &str = "
DELETE FROM search_data;
DELETE FROM search_idx;
DELETE FROM search_config;
INSERT INTO search_data SELECT * FROM beside.search_data;
INSERT INTO search_idx SELECT * FROM beside.search_idx;
INSERT INTO search_config SELECT * FROM beside.search_config;
";

/// A failure leaves a file that can't be used, so there is no journal and no lock.
const PRAGMAS: &str =
    "PRAGMA page_size = 8192; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;";

/// A work to be written.
#[derive(Debug, Default)]
pub struct WorkRow<'a> {
    /// Its number.
    pub id: i64,
    /// 0 for none, as the following numbers.
    pub year: u32,
    /// The number of its cover.
    pub cover: u32,
    /// A bit for each genre.
    pub genres: u32,
    /// The authors' names, with U+001F between them.
    pub authors: &'a str,
    /// Its title.
    pub title: &'a str,
}

/// An edition to be written.
#[derive(Debug, Default)]
pub struct EditionRow<'a> {
    /// The title where it differs from the work's.
    pub title: Option<&'a str>,
    /// The first ISBN; 0 for none, as the following numbers.
    pub isbn: i64,
    /// The pages.
    pub pages: u32,
    /// The year.
    pub year: u32,
    /// The language, or nothing.
    pub language: &'a str,
    /// 1 print, 2 eBook, 3 audio.
    pub format: u8,
    /// The number of its cover.
    pub cover: u32,
    /// The publisher, or nothing.
    pub publisher: &'a str,
}

/// A catalogue that is being written. Its parts can be written by two threads.
pub struct Writer {
    /// The words of the works.
    pub index: Index,
    /// Everything else.
    pub rows: Rows,
}

/// The index of a catalogue that is being written.
pub struct Index(Connection);

/// The rows of a catalogue that is being written.
pub struct Rows {
    conn: Connection,
    editions: i64,
    works: u64,
    isbns: u64,
}

/// Adds works and editions.
pub struct Inserts<'a> {
    insert_work: CachedStatement<'a>,
    insert_edition: CachedStatement<'a>,
    editions: &'a mut i64,
    works: &'a mut u64,
    /// The editions before those of the next work.
    before: i64,
}

/// A number, or none for 0.
fn some<T: Default + PartialEq>(number: T) -> Option<T> {
    (number != T::default()).then_some(number)
}

impl Writer {
    /// An empty catalogue in an empty file, all of it in one transaction. A failure leaves a file that can't be used.
    ///
    /// # Errors
    /// SQLite's.
    pub fn create(path: &Path) -> rusqlite::Result<Self> {
        let mut beside = path.as_os_str().to_owned();
        beside.push(".rows");
        // One that a killed build has left.
        let _ = fs::remove_file(&beside);
        let index = Connection::open(&beside)?;
        let rows = Connection::open(path)?;
        let attached = rows.execute("ATTACH ?1 AS beside", [beside.as_bytes()]);
        // Both connections have it open, so that it is gone when they are closed.
        let _ = fs::remove_file(&beside);
        attached?;
        index.execute_batch(&format!("{PRAGMAS} PRAGMA cache_size = -65536; BEGIN; {INDEX} {PARTS}"))?;
        rows.execute_batch(&format!(
            "{PRAGMAS} PRAGMA cache_size = -16384; PRAGMA application_id = {}; PRAGMA user_version = {}; BEGIN; {ROWS} {ABOUT} {INDEX}",
            CATALOGUE.application_id, CATALOGUE.version
        ))?;
        Ok(Self { index: Index(index), rows: Rows { conn: rows, editions: 0, works: 0, isbns: 0 } })
    }
}

impl Index {
    /// Adds the words of works, in the order of their numbers.
    ///
    /// # Errors
    /// SQLite's.
    pub fn add(&mut self, works: &[(i64, String)]) -> rusqlite::Result<()> {
        let mut insert = self.0.prepare_cached("INSERT INTO search (rowid, words) VALUES (?1, ?2)")?;
        works.iter().try_for_each(|work| insert.execute(params![work.0, work.1]).map(drop))
    }

    /// Joins the parts of the index and closes its file.
    ///
    /// # Errors
    /// SQLite's.
    pub fn finish(self) -> rusqlite::Result<()> {
        self.0.execute_batch("INSERT INTO search (search) VALUES ('optimize'); COMMIT;")?;
        self.0.close().map_err(|(_, cause)| cause)
    }
}

impl Rows {
    /// Prepares to add works and editions.
    ///
    /// # Errors
    /// SQLite's.
    pub fn inserts(&mut self) -> rusqlite::Result<Inserts<'_>> {
        let Self { conn, editions, works, .. } = self;
        // Without a number SQLite gives the next one, and goes to the end of the table instead of searching for the place.
        let insert_edition = "INSERT INTO editions (work, title, isbn, pages, year, language, format, cover, publisher)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
        Ok(Inserts {
            insert_work: conn.prepare_cached("INSERT INTO works VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")?,
            insert_edition: conn.prepare_cached(insert_edition)?,
            before: *editions,
            editions,
            works,
        })
    }

    /// Adds ISBNs with the numbers of their editions. They come in their order.
    ///
    /// # Errors
    /// SQLite's.
    pub fn add_isbns(&mut self, isbns: &[(i64, i64)]) -> rusqlite::Result<()> {
        self.isbns += isbns.len() as u64;
        let mut insert = self.conn.prepare_cached("INSERT INTO isbns VALUES (?1, ?2)")?;
        isbns.iter().try_for_each(|row| insert.execute([row.0, row.1]).map(drop))
    }

    /// Finishes the file: brings the finished index into it, and adds what the catalogue says of itself.
    ///
    /// # Errors
    /// SQLite's.
    pub fn finish(self, now: DateTime<Utc>, changed: &str, languages: &[String]) -> rusqlite::Result<About> {
        let Self { conn, editions, works, isbns } = self;
        conn.execute_batch(COPY_INDEX)?;
        let facts = [
            ("built_at", now.to_rfc3339_opts(SecondsFormat::Secs, true)),
            ("changed", changed.to_owned()),
            ("languages", languages.join(",")),
            ("works", works.to_string()),
            ("editions", editions.to_string()),
            ("isbns", isbns.to_string()),
        ];
        for (name, value) in facts {
            conn.execute("INSERT INTO about VALUES (?1, ?2)", [name, &value])?;
        }
        conn.execute_batch("COMMIT")?;
        let about = about(&conn)?;
        conn.close().map_err(|(_, cause)| cause)?;
        Ok(about)
    }
}

impl Inserts<'_> {
    /// Adds an edition of the work that is added next; the best come first. Returns its number.
    ///
    /// # Errors
    /// SQLite's.
    pub fn edition(&mut self, work: i64, edition: &EditionRow<'_>) -> rusqlite::Result<i64> {
        let EditionRow { title, isbn, pages, year, language, format, cover, publisher } = edition;
        self.insert_edition.execute(params![
            work,
            title,
            some(*isbn),
            some(*pages),
            some(*year),
            some(*language),
            some(*format),
            some(*cover),
            some(*publisher)
        ])?;
        *self.editions += 1;
        Ok(*self.editions)
    }

    /// Adds a work, after its editions. Works come in the order of their numbers.
    ///
    /// # Errors
    /// SQLite's.
    pub fn work(&mut self, work: &WorkRow<'_>) -> rusqlite::Result<()> {
        let WorkRow { id, year, cover, genres, authors, title } = work;
        let (first, count) = (self.before + 1, *self.editions - self.before);
        self.insert_work.execute(params![id, title, authors, some(*year), some(*cover), genres, first, count])?;
        self.before = *self.editions;
        *self.works += 1;
        Ok(())
    }
}
