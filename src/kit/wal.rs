//! The log stays short, also where somebody always reads.
//!
//! SQLite begins its log anew only in a moment in which nobody reads from it. Where many people read there is none, and the log
//! grows for as long as that lasts. So past a length the writer waits for such a moment, a little at a time.
use std::path::PathBuf;
use std::time::{Duration, Instant};

use rusqlite::Connection;

use super::open::BUSY;

/// In bytes; SQLite folds the log at 4 MiB where nobody is in the way.
const LONG: u64 = 32 * 1024 * 1024;
/// How long the writer waits for readers before it goes on with other work.
const PATIENCE: Duration = Duration::from_millis(100);
/// The pause after an attempt in vain, twice as long with each further one: a backup reads for minutes, and a program that
/// follows the log (Litestream) never goes.
const AGAIN: Duration = Duration::from_secs(1);
const AT_MOST: Duration = Duration::from_secs(60);

/// The writer's look after the log, between its batches.
#[derive(Debug)]
pub struct Wal {
    file: Option<PathBuf>,
    longest: u64,
    waited: Duration,
    not_before: Option<Instant>,
}

impl Wal {
    /// The log of a connection's database.
    pub fn of(conn: &Connection) -> Self {
        let file = conn.path().map(|path| PathBuf::from(format!("{path}-wal")));
        Self { file, longest: LONG, waited: Duration::ZERO, not_before: None }
    }

    /// Folds a log that has become long into the file and cuts it to nothing.
    pub fn shorten(&mut self, conn: &Connection) {
        let rests = self.not_before.is_some_and(|at| Instant::now() < at);
        let length = || self.file.as_ref().and_then(|file| file.metadata().ok()).map_or(0, |file| file.len());
        if rests || length() <= self.longest {
            return;
        }
        let folded = briefly(conn, fold).unwrap_or_else(|cause| {
            tracing::warn!(%cause, "the log could not be folded into the database file yet");
            false
        });
        self.waited = if folded { Duration::ZERO } else { (self.waited * 2).clamp(AGAIN, AT_MOST) };
        self.not_before = Some(Instant::now() + self.waited);
    }
}

/// Folds the log into the file and cuts it to nothing. Answers whether no reader was in the way.
pub fn fold(conn: &Connection) -> rusqlite::Result<bool> {
    conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, bool>(0)).map(|in_the_way| !in_the_way)
}

/// Makes a call that waits for readers only a little.
pub fn briefly<T>(conn: &Connection, call: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> rusqlite::Result<T> {
    conn.busy_timeout(PATIENCE)?;
    let outcome = call(conn);
    conn.busy_timeout(BUSY)?;
    outcome
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::open::open_writer;

    #[test]
    fn a_long_log_is_cut_as_soon_as_no_reader_of_the_past_is_in_the_way() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        let conn = open_writer(&path).unwrap();
        let reader = Connection::open(&path).unwrap();
        reader.execute_batch("BEGIN; SELECT count(*) FROM users").unwrap();
        conn.execute_batch("CREATE TABLE notes (text TEXT); INSERT INTO notes VALUES (zeroblob(300000))").unwrap();
        let (mut wal, length) = (Wal::of(&conn), || std::fs::metadata(folder.path().join("a.db-wal")).unwrap().len());
        wal.shorten(&conn);
        assert!(length() > 300_000 && wal.not_before.is_none(), "it is not long yet");
        wal.longest = 200_000;
        wal.shorten(&conn);
        assert!(length() > 300_000 && wal.waited == AGAIN, "a reader needs it");
        reader.execute_batch("COMMIT").unwrap();
        wal.shorten(&conn);
        assert!(length() > 300_000, "the writer does other work first");
        wal.not_before = None;
        wal.shorten(&conn);
        assert_eq!((length(), wal.waited), (0, Duration::ZERO));
    }
}
