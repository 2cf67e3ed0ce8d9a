//! Migrates a database, and logs how far a long migration is.
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension as _};

use super::inspect::{OpenError, failed, migrations, unusable};

/// How often a long migration is logged.
const BETWEEN_LINES: Duration = Duration::from_secs(10);
/// The schema that replaces the table of books.
const REBUILT_BOOKS: i32 = 20;
/// Bytes that such a migration writes to the WAL, for each byte of the file.
const WRITTEN: u64 = 2;
/// Bytes of room that it needs on the disk, for each byte of the file: the backup before it, the WAL, and what the file grows by.
const ROOM: u64 = 1 + WRITTEN + 1;

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

/// Migrates to a version, in one transaction. References between tables are checked by the migration that needs it, and not while
/// tables are exchanged.
pub(super) fn run(conn: &mut Connection, path: &Path, version: i32) -> Result<(), OpenError> {
    let sqlite = |cause: rusqlite::Error| failed(path, &cause);
    conn.execute_batch("PRAGMA foreign_keys = OFF").map_err(sqlite)?;
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
    conn.execute_batch("PRAGMA foreign_keys = ON").map_err(sqlite)
}

/// Logs now and then how much is written, until the migration is done.
fn watch(path: &Path, done: &mpsc::Receiver<()>) {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    let log = PathBuf::from(log);
    let mib = |path: &Path| std::fs::metadata(path).map_or(0, |file| file.len() >> 20);
    while done.recv_timeout(BETWEEN_LINES) == Err(RecvTimeoutError::Timeout) {
        tracing::info!(written_mib = mib(&log), of_about_mib = mib(path) * WRITTEN, "upgrading the database");
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
        tracing::warn!(?books, "a control character in the authors of these books became a blank");
    }
    conn.execute_batch("DROP TABLE temp.blanked_authors")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_upgrade_is_dear_only_where_the_books_are_made_anew() {
        assert_eq!(cost(20, 21, 1 << 30), None);
        assert_eq!(cost(6, 19, 1 << 30), None);
        assert_eq!(cost(19, 20, 1 << 20).map(|cost| cost.minutes), Some(1));
        let large = cost(6, 20, 9 << 30).unwrap();
        assert_eq!((large.room >> 30, large.minutes), (36, 16));
    }
}
