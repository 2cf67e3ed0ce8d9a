//! What a build keeps between reading the dumps and writing the catalogue: a temporary database of SQLite, without a name, which also
//! counts, joins and sorts. Its memory is bounded by its cache; the rest is on the disk of the catalogue's folder.
use std::collections::HashMap;
use std::iter::Peekable;
use std::path::Path;

use rusqlite::{Connection, Row, params};

use super::records::{Batch, EditionRecord, WorkRecord};

/// Pages and sorted runs in memory, in KiB; each of the three sorts at the end may use as much again.
const CACHE: i64 = 48 << 10;
/// The most redirects that are followed, of works and of authors each.
const MOST_MOVED: usize = 1 << 20;
/// The most redirects from one to the next.
const MOST_HOPS: usize = 8;
/// The first place of an edition's authors, behind those of its work.
pub const OF_EDITION: u32 = 100;

/// An edition without a work is a work of its own with a negative number. `place` puts the authors of a book in order.
const TABLES: &str = "
CREATE TABLE mentions (work INTEGER NOT NULL, times INTEGER NOT NULL, is_kept INTEGER NOT NULL) STRICT;
CREATE TABLE works (
  id INTEGER PRIMARY KEY, title TEXT NOT NULL, subtitle TEXT NOT NULL, year INTEGER NOT NULL, cover INTEGER NOT NULL,
  genres INTEGER NOT NULL
) STRICT;
CREATE TABLE editions (
  work INTEGER NOT NULL, quality INTEGER NOT NULL, title TEXT NOT NULL, subtitle TEXT NOT NULL, language TEXT NOT NULL,
  publisher TEXT NOT NULL, format INTEGER NOT NULL, pages INTEGER NOT NULL, year INTEGER NOT NULL, cover INTEGER NOT NULL,
  isbns TEXT NOT NULL
) STRICT;
CREATE TABLE authors (work INTEGER NOT NULL, place INTEGER NOT NULL, author INTEGER NOT NULL) STRICT;
CREATE TABLE names (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;
CREATE TABLE ranks (rank INTEGER PRIMARY KEY, work INTEGER NOT NULL) STRICT;
CREATE TABLE isbns (isbn INTEGER NOT NULL, edition INTEGER NOT NULL) STRICT;
";

/// The most popular work is the first; works of one count are in the order of their keys, editions without a work come last.
const RANK: &str = "
INSERT INTO ranks (work) SELECT work FROM mentions GROUP BY work HAVING max(is_kept) ORDER BY work < 0, sum(times) DESC, abs(work);
DROP TABLE mentions;
CREATE UNIQUE INDEX rank_of_work ON ranks (work);
";

/// Records that moved to other numbers.
#[derive(Default)]
struct Moved(HashMap<u32, u32>);

impl Moved {
    fn add(&mut self, moved: Vec<(u32, u32)>) {
        let room = MOST_MOVED - self.0.len();
        self.0.extend(moved.into_iter().take(room));
    }

    /// Where a record is now.
    fn now(&self, id: u32) -> u32 {
        let hops = std::iter::successors(Some(id), |id| self.0.get(id).copied());
        hops.take(MOST_HOPS + 1).last().unwrap_or(id)
    }
}

/// The temporary database. Authors are read before works, and works before editions, because the later ones refer to the earlier.
pub struct Scratch {
    pub conn: Connection,
    moved_authors: Moved,
    moved_works: Moved,
    /// Editions without a work so far.
    orphans: i64,
    /// Works without an edition stay.
    keeps_all_works: bool,
}

impl Scratch {
    /// An empty one on the disk of a folder.
    pub fn create(folder: &Path, keeps_all_works: bool) -> rusqlite::Result<Self> {
        let conn = Connection::open("")?;
        // The pragma is deprecated because it is the whole process's, which is this one command's here. Otherwise gigabytes would go
        // to /tmp, which may be in memory.
        conn.pragma_update(None, "temp_store_directory", folder.to_string_lossy())?;
        conn.pragma_update(None, "cache_size", -CACHE)?;
        conn.execute_batch("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN;")?;
        conn.execute_batch(TABLES)?;
        Ok(Self { conn, moved_authors: Moved::default(), moved_works: Moved::default(), orphans: 0, keeps_all_works })
    }

    /// Adds authors. Of two records of one number the first counts, as with works.
    pub fn add_authors(&mut self, batch: Batch) -> rusqlite::Result<()> {
        self.moved_authors.add(batch.moved);
        let mut insert = self.conn.prepare_cached("INSERT OR IGNORE INTO names VALUES (?1, ?2)")?;
        batch.names.iter().try_for_each(|name| insert.execute(params![name.0, name.1]).map(drop))
    }

    /// Adds works.
    pub fn add_works(&mut self, batch: Batch) -> rusqlite::Result<()> {
        self.moved_works.add(batch.moved);
        let mut insert = self.conn.prepare_cached("INSERT OR IGNORE INTO works VALUES (?1, ?2, ?3, ?4, ?5, ?6)")?;
        for WorkRecord { id, title, subtitle, year, cover, genres, authors } in batch.works {
            if insert.execute(params![id, title, subtitle, year, cover, genres])? > 0 {
                self.link(id.into(), 0, &authors)?;
                self.mention(id.into(), 0, self.keeps_all_works)?;
            }
        }
        Ok(())
    }

    /// Adds editions, each of which also counts for its work.
    pub fn add_editions(&mut self, batch: Batch) -> rusqlite::Result<()> {
        for work in batch.mentioned {
            self.mention(self.moved_works.now(work).into(), 1, false)?;
        }
        for edition in batch.editions {
            let work = match edition.work {
                0 => {
                    self.orphans += 1;
                    -self.orphans
                }
                work => self.moved_works.now(work).into(),
            };
            self.mention(work, 1, true)?;
            self.link(work, OF_EDITION, &edition.authors)?;
            let EditionRecord {
                quality, title, subtitle, language, publisher, format, pages, year, cover, isbns, ..
            } = edition;
            let isbns = isbns.iter().map(u64::to_string).collect::<Vec<_>>().join(",");
            let sql = "INSERT INTO editions VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)";
            self.conn.prepare_cached(sql)?.execute(params![
                work, quality, title, subtitle, language, publisher, format, pages, year, cover, isbns
            ])?;
        }
        Ok(())
    }

    /// Adds readers or ratings of works.
    pub fn add_mentions(&mut self, batch: &Batch) -> rusqlite::Result<()> {
        batch.mentioned.iter().try_for_each(|work| self.mention(self.moved_works.now(*work).into(), 1, false))
    }

    fn mention(&self, work: i64, times: u32, is_kept: bool) -> rusqlite::Result<()> {
        self.conn.prepare_cached("INSERT INTO mentions VALUES (?1, ?2, ?3)")?.execute((work, times, is_kept)).map(drop)
    }

    fn link(&self, work: i64, first: u32, authors: &[u32]) -> rusqlite::Result<()> {
        let mut insert = self.conn.prepare_cached("INSERT INTO authors VALUES (?1, ?2, ?3)")?;
        (first..)
            .zip(authors)
            .try_for_each(|(place, author)| insert.execute((work, place, self.moved_authors.now(*author))).map(drop))
    }

    /// Ranks the works by how often they were mentioned, and returns how many there are.
    pub fn rank(&self) -> rusqlite::Result<i64> {
        self.conn.execute_batch(RANK)?;
        self.conn.query_row("SELECT coalesce(max(rank), 0) FROM ranks", [], |row| row.get(0))
    }

    /// Notes the ISBN of an edition of the catalogue.
    pub fn add_isbn(&self, isbn: i64, edition: i64) -> rusqlite::Result<()> {
        self.conn.prepare_cached("INSERT INTO isbns VALUES (?1, ?2)")?.execute((isbn, edition)).map(drop)
    }
}

/// The next row if it is of this rank.
pub fn next_of<T>(
    rows: &mut Peekable<impl Iterator<Item = rusqlite::Result<(i64, T)>>>,
    rank: i64,
) -> rusqlite::Result<Option<T>> {
    let next = rows.next_if(|row| row.as_ref().map_or(true, |(of, _)| *of == rank));
    Ok(next.transpose()?.map(|(_, row)| row))
}

/// The works in the order of their ranks. The joins are in the order of the tables, so that SQLite sorts what it finds instead of
/// looking each row up at another place of the disk.
pub const WORKS: &str =
    "SELECT rank, id, title, subtitle, year, cover, genres FROM works CROSS JOIN ranks ON work = id ORDER BY rank";

pub fn work_of(row: &Row<'_>) -> rusqlite::Result<(i64, WorkRecord)> {
    let work = WorkRecord {
        id: row.get("id")?,
        title: row.get("title")?,
        subtitle: row.get("subtitle")?,
        year: row.get("year")?,
        cover: row.get("cover")?,
        genres: row.get("genres")?,
        authors: Vec::new(),
    };
    Ok((row.get("rank")?, work))
}

/// The places and names of authors; an author whom the dump of authors lacks has no name.
pub const AUTHORS: &str = "SELECT rank, place, name FROM authors a CROSS JOIN ranks r ON r.work = a.work
    LEFT JOIN names n ON n.id = a.author ORDER BY rank, place, a.rowid";

pub fn author_of(row: &Row<'_>) -> rusqlite::Result<(i64, (u32, Option<String>))> {
    Ok((row.get("rank")?, (row.get("place")?, row.get("name")?)))
}

/// The editions, the best of each work first.
pub const EDITIONS: &str = "SELECT r.rank, e.* FROM editions e CROSS JOIN ranks r ON r.work = e.work
    ORDER BY rank, quality DESC, e.rowid";

pub fn edition_of(row: &Row<'_>) -> rusqlite::Result<(i64, EditionRecord)> {
    let isbns: String = row.get("isbns")?;
    let edition = EditionRecord {
        work: 0,
        quality: row.get("quality")?,
        title: row.get("title")?,
        subtitle: row.get("subtitle")?,
        language: row.get("language")?,
        publisher: row.get("publisher")?,
        format: row.get("format")?,
        pages: row.get("pages")?,
        year: row.get("year")?,
        cover: row.get("cover")?,
        isbns: isbns.split(',').filter_map(|isbn| isbn.parse().ok()).collect(),
        authors: Vec::new(),
    };
    Ok((row.get("rank")?, edition))
}

/// Of the editions with one ISBN, that of the most popular work.
pub const ISBNS: &str = "SELECT isbn, min(edition) FROM isbns GROUP BY isbn ORDER BY isbn";
