//! Keeps the WAL short. SQLite checkpoints it by itself, but begins it anew only when no connection reads an earlier state; while many
//! read, that moment may not come. Then the writer waits for it, a tenth of a second at a time.
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rusqlite::Connection;

use super::erasure::{is_compaction_due, truncate_wal};

/// The length in bytes from which the WAL is truncated.
const LONG: u64 = 32 * 1024 * 1024;
/// How long one attempt keeps other writes waiting.
const ATTEMPT: Duration = Duration::from_millis(100);
/// The pause after an attempt, which doubles with each: a backup reads for minutes, and Litestream always.
const PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// When the WAL has to be truncated.
#[derive(Debug)]
pub struct WalLimit {
    wal: PathBuf,
    is_due: bool,
    next: Instant,
    pause: Duration,
    /// Whether the last attempt failed or was prevented, for the health check.
    failed: Arc<AtomicBool>,
}

impl WalLimit {
    /// For the database of a connection. An erasure that an earlier process did not end is still in the WAL.
    pub fn of(conn: &Connection) -> rusqlite::Result<Self> {
        let wal = PathBuf::from(format!("{}-wal", conn.path().unwrap_or_default()));
        let is_due = is_compaction_due(conn)?;
        Ok(Self { wal, is_due, next: Instant::now(), pause: PAUSE, failed: Arc::default() })
    }

    /// Whether the last attempt to truncate the WAL failed or was prevented.
    pub fn failed(&self) -> Arc<AtomicBool> {
        self.failed.clone()
    }

    /// Looks at the length after a batch. `erased` says that the batch deleted what must not stay in the WAL: it is truncated now, if no
    /// reader prevents it.
    pub fn look(&mut self, conn: &Connection, erased: bool) {
        self.is_due |= erased || self.wal.metadata().is_ok_and(|file| file.len() > LONG);
        if erased {
            self.next = Instant::now();
        }
        self.advance(conn);
    }

    /// How long the writer may wait for other work; `None` means without limit.
    pub fn wait(&self) -> Option<Duration> {
        self.is_due.then(|| self.next.saturating_duration_since(Instant::now()))
    }

    /// Truncates the WAL where that is due and no pause is in force.
    pub fn advance(&mut self, conn: &Connection) {
        if !self.is_due || Instant::now() < self.next {
            return;
        }
        let truncated = truncate_wal(conn, ATTEMPT).unwrap_or_else(|cause| {
            tracing::warn!(%cause, "WAL checkpoint failed");
            false
        });
        self.failed.store(!truncated, Ordering::Relaxed);
        self.is_due = !truncated;
        self.pause = if truncated { PAUSE } else { (self.pause * 2).min(LONGEST_PAUSE) };
        self.next = Instant::now() + self.pause;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::db::open::open_writer;

    #[test]
    fn a_long_wal_is_truncated_as_soon_as_no_reader_of_the_past_is_in_the_way() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        let conn = open_writer(&path).unwrap();
        conn.execute_batch("CREATE TABLE notes (text)").unwrap();
        let reader = Connection::open(&path).unwrap();
        reader.execute_batch("BEGIN; SELECT count(*) FROM notes").unwrap();
        let mut limit = WalLimit::of(&conn).unwrap();
        limit.look(&conn, false);
        assert_eq!(limit.wait(), None);
        conn.execute("INSERT INTO notes VALUES (zeroblob(?1))", [i64::try_from(LONG).unwrap()]).unwrap();
        limit.look(&conn, false);
        assert!(limit.wait().is_some() && limit.failed().load(Ordering::Relaxed), "a reader needs it");
        reader.execute_batch("COMMIT").unwrap();
        limit.next = Instant::now();
        limit.advance(&conn);
        assert!(limit.wait().is_none() && !limit.failed().load(Ordering::Relaxed));
        assert_eq!(limit.wal.metadata().unwrap().len(), 0);
    }
}
