//! How the catalogue's file is written.
use std::path::Path;

use chrono::{DateTime, SecondsFormat, Utc};
use rusqlite::{Connection, OpenFlags, params};

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

/// 64 MiB of words are collected before a part of the index is written, and the parts are joined at the end, because joining them reads
/// and writes every word once more.
const PARTS: &str =
    "INSERT INTO search (search, rank) VALUES ('automerge', 0), ('crisismerge', 1900), ('hashsize', 67108864);";

/// A failure leaves a file that can't be used, so there is no journal and no lock.
const PRAGMAS: &str = "PRAGMA page_size = 8192; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE; \
    PRAGMA cache_size = -65536;";

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
    pub title: &'a str,
}

/// An edition to be written.
#[derive(Debug, Default)]
pub struct EditionRow<'a> {
    /// The title where it differs from the work's.
    pub title: Option<&'a str>,
    /// The first ISBN; 0 for none, as the following numbers.
    pub isbn: i64,
    pub pages: u32,
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

/// A catalogue that is being written.
pub struct Writer {
    conn: Connection,
    works: u64,
    editions: i64,
    isbns: u64,
    /// The editions before those of the next work.
    before: i64,
}

/// A number or text, or none for 0 and the empty text.
fn some<T: Default + PartialEq>(value: T) -> Option<T> {
    (value != T::default()).then_some(value)
}

impl Writer {
    /// An empty catalogue in an empty file, all of it in one transaction. A failure leaves a file that can't be used. The path has no
    /// symbolic link: somebody else may own the folder, and could lead root to another file.
    pub fn create(path: &Path) -> rusqlite::Result<Self> {
        let conn = Connection::open_with_flags(path, OpenFlags::default() | OpenFlags::SQLITE_OPEN_NOFOLLOW)?;
        conn.execute_batch(&format!(
            "{PRAGMAS} PRAGMA application_id = {}; PRAGMA user_version = {}; BEGIN; {ROWS} {ABOUT} {INDEX} {PARTS}",
            CATALOGUE.application_id, CATALOGUE.version
        ))?;
        Ok(Self { conn, works: 0, editions: 0, isbns: 0, before: 0 })
    }

    /// Adds an edition of the work that is added next; the best come first. Returns its number.
    pub fn add_edition(&mut self, work: i64, edition: &EditionRow<'_>) -> rusqlite::Result<i64> {
        let EditionRow { title, isbn, pages, year, language, format, cover, publisher } = edition;
        // Without a number SQLite gives the next one, and goes to the end of the table instead of searching for the place.
        let sql = "INSERT INTO editions (work, title, isbn, pages, year, language, format, cover, publisher)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
        self.conn.prepare_cached(sql)?.execute(params![
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
        self.editions += 1;
        Ok(self.editions)
    }

    /// Adds a work, after its editions, with the words by which it is found. Works come in the order of their numbers.
    pub fn add_work(&mut self, work: &WorkRow<'_>, words: &str) -> rusqlite::Result<()> {
        let WorkRow { id, year, cover, genres, authors, title } = work;
        let (first, count) = (self.before + 1, self.editions - self.before);
        let mut insert = self.conn.prepare_cached("INSERT INTO works VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")?;
        insert.execute(params![id, title, authors, some(*year), some(*cover), genres, first, count])?;
        self.conn.prepare_cached("INSERT INTO search (rowid, words) VALUES (?1, ?2)")?.execute(params![id, words])?;
        self.before = self.editions;
        self.works += 1;
        Ok(())
    }

    /// Adds an ISBN with the number of its edition. ISBNs come in their order.
    pub fn add_isbn(&mut self, isbn: i64, edition: i64) -> rusqlite::Result<()> {
        self.isbns += 1;
        self.conn.prepare_cached("INSERT INTO isbns VALUES (?1, ?2)")?.execute([isbn, edition]).map(drop)
    }

    /// Joins the parts of the index and adds what the catalogue says of itself.
    pub fn finish(self, now: DateTime<Utc>, changed: &str, languages: &[String]) -> rusqlite::Result<About> {
        let Self { conn, editions, works, isbns, .. } = self;
        conn.execute_batch("INSERT INTO search (search) VALUES ('optimize')")?;
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
