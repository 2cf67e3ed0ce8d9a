//! Reads KOReader's `statistics.sqlite3`. The file is hostile until shown otherwise: it is opened read-only and as immutable, nothing in it is
//! run (no view, trigger or virtual table is touched, its schema is not trusted), and lengths, rows and time are bounded.
use std::collections::HashMap;
use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, ErrorCode, OpenFlags, Row};

use super::coverage::{NotedDay, PageRow};
use super::model::digest;
use crate::kit::db::side_file::immutable;
use crate::library::books::authors::{AUTHOR_SEPARATOR, MOST_AUTHORS, NAME_LENGTH};
use crate::library::clippings::read::Marked;
use crate::library::import::reader::Unreadable;

/// The largest file, in bytes.
pub const LARGEST: usize = 64 << 20;
/// The most page turns of a file, and of all documents of an account.
pub const MOST_ROWS: usize = 2_000_000;
/// The most books with page turns of a file.
pub const MOST_BOOKS: usize = 10_000;
/// The longest text or blob in it, in bytes.
const LONGEST: i32 = 1 << 20;
/// How long it is read.
const TIME: Duration = Duration::from_secs(20);
/// 2100, in seconds since 1970.
const LAST_START: i64 = 4_102_444_800;
/// The largest page number and total.
const MOST_PAGES: i64 = 10_000_000;
/// The longest duration in seconds; what counts is less.
const LONGEST_ROW: i64 = 86_400;

/// A book of the file that was read in.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileBook {
    /// Empty in old files.
    pub digest: String,
    pub title: String,
    pub authors: Vec<String>,
    /// In the order of the file. The device is not known here.
    pub rows: Vec<PageRow>,
    /// What a file without page turns has.
    pub days: Vec<NotedDay>,
    /// The words of the book, counted by the program.
    pub words: Option<i64>,
}

/// What a file says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Content {
    /// Those with reading in them.
    pub books: Vec<FileBook>,
    /// What was marked in books.
    pub passages: Vec<Marked>,
    /// The rows that can't be read.
    pub rejected: usize,
}

/// Why a file is not read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FileRefusal {
    #[error("This is no SQLite file.")]
    Foreign,
    #[error("This SQLite file is from none of the programs that we know: it has no table `page_stat_data`.")]
    NoTable,
    #[error("This file has more than 2,000,000 page turns.")]
    TooMany,
    #[error("This file has more than 10,000 books.")]
    TooManyBooks,
    #[error("This file could not be read in time.")]
    TooSlow,
    #[error("This file is damaged.")]
    Damaged,
    #[error(
        "This archive has none of Kindle's reading sessions. Ask Amazon for your Kindle data, and drop the .zip as it comes."
    )]
    NoKindle,
    #[error("This is a file of books from {0}. Import it on the import page.")]
    Books(String),
    #[error("This file has more than 100,000 passages.")]
    TooManyPassages,
    #[error("This file is from none of the programs that we know.")]
    Unknown,
    #[error(transparent)]
    Table(Unreadable),
}

impl From<rusqlite::Error> for FileRefusal {
    fn from(cause: rusqlite::Error) -> Self {
        match cause.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => Self::Foreign,
            Some(ErrorCode::OperationInterrupted) => Self::TooSlow,
            _ => Self::Damaged,
        }
    }
}

/// Reads a file. It blocks for at most twenty seconds.
pub fn read(path: &Path) -> Result<Content, FileRefusal> {
    of(&open(path)?)
}

/// Whether a file has a table. What is not one is never read, and a virtual one has no page of its own.
pub fn has(conn: &Connection, table: &str) -> rusqlite::Result<bool> {
    let sql = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 AND name = ?1";
    conn.query_row(sql, [table], |row| row.get::<_, i64>(0)).map(|count| count > 0)
}

/// Reads a file that is open.
pub fn of(conn: &Connection) -> Result<Content, FileRefusal> {
    let has = |table| has(conn, table);
    let turns = match (has("book")?, has("page_stat_data")?, has("page_stat")?) {
        (true, true, _) => "SELECT id_book, page, start_time, duration, total_pages FROM page_stat_data",
        (true, false, true) => "SELECT id_book, page, start_time, period, NULL FROM page_stat",
        _ => return Err(FileRefusal::NoTable),
    };
    let (mut books, mut places) = (Vec::<(FileBook, i64)>::new(), HashMap::new());
    let mut query = conn.prepare("SELECT id, title, authors, md5, pages FROM book")?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        let Some(id) = number(row, 0)? else { continue };
        if books.len() >= MOST_ROWS {
            return Err(FileRefusal::TooManyBooks);
        }
        let book = FileBook {
            digest: digest(&words(row, 3)?).unwrap_or_default().to_lowercase(),
            title: cut(&words(row, 1)?),
            authors: authors(&words(row, 2)?),
            ..FileBook::default()
        };
        places.insert(id, books.len());
        books.push((book, number(row, 4)?.unwrap_or_default()));
    }
    let mut query = conn.prepare(turns)?;
    let (mut rows, mut count, mut rejected) = (query.query([])?, 0, 0);
    while let Some(row) = rows.next()? {
        count += 1;
        if count > MOST_ROWS {
            return Err(FileRefusal::TooMany);
        }
        let book = number(row, 0)?.and_then(|id| books.get_mut(*places.get(&id)?));
        let read = match &book {
            Some((_, pages)) => page_row(row, *pages)?,
            None => None,
        };
        match book.zip(read) {
            Some(((book, _), read)) => book.rows.push(read),
            None => rejected += 1,
        }
    }
    let books: Vec<_> = books.into_iter().map(|(book, _)| book).filter(|book| !book.rows.is_empty()).collect();
    if books.len() > MOST_BOOKS {
        Err(FileRefusal::TooManyBooks)
    } else {
        Ok(Content { books, rejected, ..Content::default() })
    }
}

/// A page turn; `None` for what can't be one. `pages` are those of the book, for a row of the old schema.
fn page_row(row: &Row<'_>, pages: i64) -> rusqlite::Result<Option<PageRow>> {
    let (page, start, duration) = (number(row, 1)?, number(row, 2)?, number(row, 3)?);
    let total = number(row, 4)?.unwrap_or(pages);
    let (Some(page), Some(start), Some(duration)) = (page, start, duration) else { return Ok(None) };
    let is_valid = (1..=MOST_PAGES).contains(&page)
        && (1..=MOST_PAGES).contains(&total)
        && (1..=LAST_START).contains(&start)
        && duration >= 0;
    let duration = duration.min(LONGEST_ROW);
    Ok(is_valid.then_some(PageRow { start, page, total, duration, device: 0, gone: false }))
}

/// Opens a hostile file: nothing in it is run, and reading ends after twenty seconds.
pub fn open(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
    let conn = Connection::open_with_flags(immutable(path), flags)?;
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false)?;
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false)?;
    conn.set_limit(Limit::SQLITE_LIMIT_LENGTH, LONGEST)?;
    conn.set_limit(Limit::SQLITE_LIMIT_ATTACHED, 0)?;
    let end = Instant::now() + TIME;
    conn.progress_handler(10_000, Some(move || Instant::now() > end))?;
    conn.execute_batch("PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0; PRAGMA temp_store = MEMORY")?;
    Ok(conn)
}

/// A number, however it is stored; `None` for anything else.
pub fn number(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<i64>> {
    Ok(match row.get_ref(column)? {
        ValueRef::Integer(number) => Some(number),
        #[expect(
            clippy::cast_possible_truncation,
            reason = "the cast saturates, and what is out of range is refused later"
        )]
        ValueRef::Real(number) => Some(number as i64),
        ValueRef::Text(text) => std::str::from_utf8(text).ok().and_then(|text| text.trim().parse().ok()),
        _ => None,
    })
}

/// A text, empty for anything else.
pub fn words(row: &Row<'_>, column: usize) -> rusqlite::Result<String> {
    Ok(match row.get_ref(column)? {
        ValueRef::Text(text) => String::from_utf8_lossy(text).into_owned(),
        _ => String::new(),
    })
}

/// A title or a name as it is kept.
pub fn cut(text: &str) -> String {
    text.replace(['\0', AUTHOR_SEPARATOR], " ").trim().chars().take(NAME_LENGTH).collect()
}

/// The names, one a line; `N/A` stands for none. A name that is written last name first is turned around.
pub fn authors(text: &str) -> Vec<String> {
    let names = text.lines().map(|name| match name.split_once(", ") {
        Some((last, first)) if !first.contains(',') => format!("{} {}", first.trim(), last.trim()),
        _ => name.to_owned(),
    });
    names.map(|name| cut(&name)).filter(|name| !name.is_empty() && name != "N/A").take(MOST_AUTHORS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCHEMA: &str = "CREATE TABLE book (id integer primary key autoincrement, title text, authors text, notes integer, last_open integer,
            highlights integer, pages integer, series text, language text, md5 text, total_read_time integer, total_read_pages integer);
        CREATE TABLE page_stat_data (id_book integer, page integer not null default 0, start_time integer not null default 0,
            duration integer not null default 0, total_pages integer not null default 0, unique (id_book, page, start_time));
        CREATE TABLE numbers (number INTEGER PRIMARY KEY);
        CREATE VIEW page_stat AS SELECT id_book, page, start_time, duration AS period FROM page_stat_data;";

    fn file(sql: &str) -> Result<Content, FileRefusal> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("statistics ? #.sqlite3");
        Connection::open(&path).unwrap().execute_batch(sql).unwrap();
        read(&path)
    }

    fn row(start: i64, page: i64, duration: i64, total: i64) -> PageRow {
        PageRow { start, page, total, duration, device: 0, gone: false }
    }

    #[test]
    fn books_and_page_turns_are_read_and_what_can_not_be_is_left_out() {
        let Content { books, rejected, .. } = file(&format!(
            "PRAGMA journal_mode = WAL; {SCHEMA}
            INSERT INTO book (id, title, authors, pages, md5) VALUES
              (1, 'Trust', 'Diaz, Hernan', 400, '59D481D168CCA6267322F150C5F6A2A3'), (2, 'Two', 'One\nTwo', 10, NULL), (3, NULL, 'N/A', 0, 'x');
            INSERT INTO page_stat_data VALUES (1, 5, 1000, 60, 400), (1, 800, 1100, 999999, 400), (1, 0, 1200, 5, 400), (1, 5, -3, 5, 400),
              (1, 5, 1300, 5, 0), (9, 5, 1000, 60, 400), (2, '7', '1000', '60.0', 10), (2, 'x', 1, 1, 1), (3, 1, 2000, 7, 90);
            PRAGMA wal_checkpoint(TRUNCATE);"
        ))
        .unwrap();
        assert_eq!(rejected, 5);
        assert_eq!((books[0].title.as_str(), &books[0].authors[..]), ("Trust", &["Hernan Diaz".to_owned()][..]));
        assert_eq!(books[0].digest, "59d481d168cca6267322f150c5f6a2a3");
        assert_eq!(books[0].rows, [row(1000, 5, 60, 400), row(1100, 800, 86_400, 400)]);
        assert_eq!((books[1].authors.len(), books[1].rows.as_slice()), (2, &[row(1000, 7, 60, 10)][..]));
        assert_eq!((books[2].title.as_str(), books[2].authors.len(), books[2].rows.len()), ("", 0, 1));
    }

    #[test]
    fn the_old_schema_has_the_pages_of_the_book() {
        let books = file(
            "CREATE TABLE book (id integer primary key, title text, authors text, pages integer, md5 text);
            CREATE TABLE page_stat (id_book integer, page integer, start_time integer, period integer);
            INSERT INTO book VALUES (1, 'Old', '', 50, NULL); INSERT INTO page_stat VALUES (1, 5, 1000, 60);",
        );
        assert_eq!(books.unwrap().books[0].rows, [row(1000, 5, 60, 50)]);
    }

    #[test]
    fn a_hostile_file_runs_nothing() {
        let slow = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT";
        for views in [
            format!(
                "CREATE TABLE book (id, title, authors, md5, pages); CREATE VIEW page_stat_data AS {slow} 1 AS id_book, x AS page, x AS start_time, 1 AS duration, 1 AS total_pages FROM n;"
            ),
            format!(
                "CREATE TABLE page_stat_data (id_book, page, start_time, duration, total_pages); CREATE VIEW book AS {slow} x AS id, '' AS title, '' AS authors, '' AS md5, 1 AS pages FROM n;"
            ),
        ] {
            assert_eq!(file(&views), Err(FileRefusal::NoTable));
        }
        let huge = format!("{SCHEMA} INSERT INTO book (id, title) VALUES (1, hex(zeroblob(1000000)));");
        assert_eq!(file(&huge), Err(FileRefusal::Damaged));
        assert_eq!(file("CREATE TABLE photos (id)"), Err(FileRefusal::NoTable));
    }

    #[test]
    fn what_is_no_database_and_what_is_damaged_says_so() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        std::fs::write(&path, "no database at all, but long enough to look at").unwrap();
        assert_eq!(read(&path), Err(FileRefusal::Foreign));
        Connection::open(folder.path().join("b"))
            .unwrap()
            .execute_batch(&format!("{SCHEMA} INSERT INTO book (id, title) VALUES (1, 'A'); INSERT INTO page_stat_data SELECT 1, value, value, 1, 9 FROM json_each('[' || substr(replace(hex(zeroblob(4000)), '00', ',1'), 2) || ']') GROUP BY key HAVING 1;"))
            .ok();
        let mut bytes = std::fs::read(folder.path().join("b")).unwrap();
        let middle = bytes.len() / 2;
        bytes.truncate(middle.max(4_096));
        std::fs::write(&path, &bytes).unwrap();
        assert!(matches!(read(&path), Ok(_) | Err(FileRefusal::Damaged | FileRefusal::NoTable)));
    }
}
