//! Migrates a database: says beforehand what a long migration needs, refuses it without room, and logs how far it is.
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use rusqlite::functions::FunctionFlags;
use rusqlite::{Connection, OptionalExtension as _};

use super::inspect::{OpenError, failed, migrations, unusable};
use crate::kit::disk::disk_space;
use crate::kit::{keys, notify};

/// How often a long migration is logged.
const BETWEEN_LINES: Duration = Duration::from_secs(10);
/// The schema that replaces the table of books.
const REBUILT_BOOKS: i32 = 20;
/// Bytes that such a migration writes to the WAL, for each byte of the file.
const WRITTEN: u64 = 2;
/// Bytes of room that it needs on the disk, for each byte of the file: the backup before it, the WAL, and what the file grows by.
const ROOM: u64 = 1 + WRITTEN + 1;

/// What SQLite keeps to undo the statement under way is in memory for files of up to so many bytes, and otherwise a file in the
/// folder of the database: it becomes as large as the table that is replaced.
const UNDONE_IN_MEMORY: u64 = 64 << 20;

/// What an upgrade needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cost {
    /// Free bytes on the disk of the database.
    pub room: u64,
    /// Minutes, rounded up, on a disk that writes 50 MiB a second.
    pub minutes: u64,
}

/// What an upgrade of a file of this size needs; `None` when the books stay where they are.
pub fn cost(found: i32, known: i32, bytes: u64) -> Option<Cost> {
    let rebuilds = found < REBUILT_BOOKS && known >= REBUILT_BOOKS;
    let written = bytes.saturating_mul(ROOM + 1);
    rebuilds.then(|| Cost { room: bytes.saturating_mul(ROOM), minutes: written.div_ceil((50 * 60) << 20).max(1) })
}

/// Logs how long an upgrade takes and how much room it needs, when it is a long one, before anything is written.
///
/// # Errors
/// The disk has less room. When the system doesn't say how much it has, the upgrade is tried.
pub(super) fn announce(path: &Path, found: i32, version: i32) -> Result<(), OpenError> {
    let Some(cost) = cost(found, version, bytes(path)) else { return Ok(()) };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // A WAL that an interrupted upgrade left is written over.
    let free = disk_space(folder).map_or(u64::MAX, |space| space.free.saturating_add(bytes(&wal(path))));
    let needed_mib = cost.room.div_ceil(1 << 20);
    if free < cost.room {
        let free_mib = free >> 20;
        let what = format!("its upgrade from schema {found} to {version} needs {needed_mib} MiB of disk space");
        return Err(unusable(path, format!("{what}, and {free_mib} MiB are free; it was not changed")));
    }
    tracing::info!(
        from = found,
        to = version,
        about_minutes = cost.minutes,
        needed_mib,
        "an upgrade of the database begins"
    );
    Ok(())
}

/// Migrates to a version, in one transaction. References between tables are checked by the migration that needs it, and not while
/// tables are exchanged.
pub(super) fn run(conn: &mut Connection, path: &Path, version: i32) -> Result<(), OpenError> {
    run_within(conn, path, version, UNDONE_IN_MEMORY)
}

fn run_within(conn: &mut Connection, path: &Path, version: i32, undone_in_memory: u64) -> Result<(), OpenError> {
    let sqlite = |cause: rusqlite::Error| failed(path, &cause);
    conn.execute_batch("PRAGMA foreign_keys = OFF").map_err(sqlite)?;
    if bytes(path) > undone_in_memory {
        // The system's own folder for temporary files is often in memory.
        let folder = path.parent().and_then(Path::to_str).unwrap_or_default();
        conn.pragma_update(None, "temp_store_directory", folder).map_err(sqlite)?;
        conn.execute_batch("PRAGMA temp_store = FILE").map_err(sqlite)?;
    }
    add_functions(conn).map_err(sqlite)?;
    let (done, waits) = mpsc::channel();
    let watched = path.to_owned();
    let watcher = thread::spawn(move || watch(&watched, &waits));
    let target = refinery::Target::Version(version);
    let migrated = migrations::runner().set_grouped(true).set_target(target).run(conn);
    // The watcher ends when it hears this, and also when the channel is closed.
    let _ = done.send(());
    let _ = watcher.join();
    migrated.map_err(|cause| unusable(path, cause))?;
    log_blanked_authors(conn).map_err(sqlite)?;
    conn.execute_batch("PRAGMA temp_store = MEMORY; PRAGMA temp_store_directory = ''; PRAGMA foreign_keys = ON")
        .map_err(sqlite)
}

/// The functions that migrations call.
pub fn add_functions(conn: &Connection) -> rusqlite::Result<()> {
    let functions: [(&str, keys::Key); 2] = [("title_key", keys::title_key), ("name_key", keys::name_key)];
    for (name, key) in functions {
        let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
        conn.create_scalar_function(name, 1, flags, move |call| Ok(call.get_raw(0).as_str_or_null()?.map(key)))?;
    }
    Ok(())
}

/// The length of a file in bytes; 0 when it is missing.
fn bytes(path: &Path) -> u64 {
    std::fs::metadata(path).map_or(0, |file| file.len())
}

/// The path of the WAL of a database.
fn wal(path: &Path) -> PathBuf {
    let mut wal = path.as_os_str().to_owned();
    wal.push("-wal");
    PathBuf::from(wal)
}

/// Logs now and then how much is written, also for the service manager, until the migration is done.
fn watch(path: &Path, done: &mpsc::Receiver<()>) {
    let wal = wal(path);
    let mib = |path: &Path| bytes(path) >> 20;
    while done.recv_timeout(BETWEEN_LINES) == Err(RecvTimeoutError::Timeout) {
        let (written_mib, of_about_mib) = (mib(&wal), mib(path) * WRITTEN);
        tracing::info!(written_mib, of_about_mib, "upgrading the database");
        notify::starting(&format!("Upgrading the database: {written_mib} of about {of_about_mib} MiB are written"));
    }
}

/// Logs the books in whose author the migration replaced a unit separator, which now separates authors.
fn log_blanked_authors(conn: &Connection) -> rusqlite::Result<()> {
    let sql = "SELECT 1 FROM sqlite_temp_schema WHERE name = 'blanked_authors'";
    if conn.query_row(sql, [], |_| Ok(())).optional()?.is_none() {
        return Ok(());
    }
    let mut query = conn.prepare("SELECT id FROM blanked_authors ORDER BY id")?;
    let books = query.query_map([], |row| row.get::<_, i64>(0))?.collect::<rusqlite::Result<Vec<_>>>()?;
    drop(query);
    if !books.is_empty() {
        tracing::warn!(?books, "control characters in authors replaced by blanks");
    }
    conn.execute_batch("DROP TABLE temp.blanked_authors")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_upgrade_is_expensive_only_where_the_table_of_books_is_made_again() {
        assert_eq!(cost(20, 21, 1 << 30), None);
        assert_eq!(cost(6, 19, 1 << 30), None);
        assert_eq!(cost(19, 20, 1 << 20).map(|cost| cost.minutes), Some(1));
        let large = cost(6, 20, 9 << 30).unwrap();
        assert_eq!((large.room >> 30, large.minutes), (36, 16));
    }

    /// The last schema whose checks of books have lists of words.
    const LISTED_CHECKS: i32 = 25;

    /// A file of the schema before the table of books was replaced, with two readers and 400 books.
    fn earlier(path: &Path) -> Connection {
        let mut conn = Connection::open(path).unwrap();
        conn.execute_batch("PRAGMA journal_mode = WAL; PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY").unwrap();
        let target = refinery::Target::Version(REBUILT_BOOKS - 1);
        migrations::runner().set_grouped(true).set_target(target).run(&mut conn).unwrap();
        conn.execute_batch(
            "INSERT INTO users (id, email, email_key, display_name, created_at)
                VALUES (1, 'a', 'a', 'Ada', '2026-01-02T03:04:05Z'), (2, 'b', 'b', 'Bob', '2026-01-02T03:04:05Z');
             WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < 200)
             INSERT INTO books (id, user_id, status, word_count, rating, format, reread, word_distribution, title, author, title_key,
                author_key, genres, word_count_source, has_texts, created_at, updated_at)
             SELECT users.id << 24 | number, users.id, 'undated', 1000, number % 11, 'Print', 0, 'final', number % 150, hex(zeroblob(200)),
                number % 150, 'a', '', 'entered', 0, '2026-01-02T03:04:05Z', '2026-01-02T03:04:05Z'
             FROM users, numbers",
        )
        .unwrap();
        conn
    }

    #[test]
    fn a_large_file_is_migrated_as_a_small_one() {
        let migrated = |undone_in_memory| {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("shelfwise.db");
            let mut conn = earlier(&path);
            run_within(&mut conn, &path, REBUILT_BOOKS, undone_in_memory).unwrap();
            let number = |pragma: &str| conn.pragma_query_value(None, pragma, |row| row.get::<_, i64>(0)).unwrap();
            assert_eq!((number("temp_store"), number("foreign_keys")), (2, 1), "as before");
            let mut query = conn.prepare("SELECT id, work, title, rating FROM books ORDER BY id").unwrap();
            let books = query.query_map([], |row| <(i64, i64, String, i64)>::try_from(row)).unwrap();
            (books.map(Result::unwrap).collect::<Vec<_>>(), std::fs::read_dir(folder.path()).unwrap().count())
        };
        let (small, large) = (migrated(u64::MAX), migrated(0));
        assert_eq!(small, large);
        let works = |later: &dyn Fn(i64) -> bool| small.0.iter().filter(|(id, work, ..)| later(id - work)).count();
        assert_eq!((works(&|later| later == 0), works(&|later| later == 150)), (300, 100));
    }

    #[test]
    fn an_upgrade_without_room_is_refused_and_a_short_one_needs_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("shelfwise.db");
        // It has no bytes on the disk.
        std::fs::File::create(&path).unwrap().set_len(1 << 42).unwrap();
        let refused = announce(&path, 19, 20).unwrap_err().to_string();
        assert!(
            refused.contains("its upgrade from schema 19 to 20 needs 16777216 MiB of disk space, and "),
            "{refused}"
        );
        announce(&path, 20, 21).unwrap();
        std::fs::write(&path, [0; 4096]).unwrap();
        announce(&path, 19, 20).unwrap();
    }

    #[test]
    fn checks_that_compare_one_by_one_allow_what_the_lists_allowed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("shelfwise.db");
        let mut conn = earlier(&path);
        // Which changes of a book each schema refuses, by the connection that migrated and by a later one.
        let refused = |conn: &Connection| {
            let words = ["completed", "in-progress", "undated", "did-not-finish", "Print", "eBook", "Audio", "final"];
            let more = ["spread", "logged", "entered", "pages", "epub", "paused", "", "print", "final "];
            let columns = ["status", "format", "word_distribution", "word_count_source"];
            let change = |column: &str, word: &str| {
                // A completed book has a day, and one that is being read no rating.
                let day = (word == "completed").then_some("2026-01-02");
                let sql = format!(
                    "UPDATE books SET {column} = ?1, date_completed = ?2, rating = NULL WHERE id = 1 << 24 | 1"
                );
                let changed = conn.unchecked_transaction().unwrap().execute(&sql, (word, day));
                changed.is_err()
            };
            let pairs = columns.iter().flat_map(|column| words.iter().chain(&more).map(move |word| (*column, *word)));
            pairs.filter(|(column, word)| change(column, word)).collect::<Vec<_>>()
        };
        run(&mut conn, &path, LISTED_CHECKS).unwrap();
        let with_lists = refused(&conn);
        assert_eq!(with_lists.len(), 4 * 17 - 4 - 3 - 3 - 3);
        run(&mut conn, &path, LISTED_CHECKS + 1).unwrap();
        assert_eq!(refused(&conn), with_lists);
        let later = Connection::open(&path).unwrap();
        assert_eq!(refused(&later), with_lists);
        let text: String =
            later.query_row("SELECT sql FROM sqlite_schema WHERE name = 'books'", [], |row| row.get(0)).unwrap();
        assert!(!text.contains("IN ('"), "{text}");
    }
}
