//! A version number of the database that changes with every commit. Data read after asking for the version is current while the
//! version stays the same.
//!
//! Asking SQLite takes two file locks, a fifth of the time of a cached response. So SQLite's answer is reused for a quarter of a
//! millisecond: a command has not ended that soon after its commit. This program's own commits are counted separately, before any
//! caller learns of them.
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use rusqlite::{Connection, OpenFlags};

/// How long SQLite's answer is reused.
const REUSED_FOR: Duration = Duration::from_micros(250);

/// The number of our commits and SQLite's `data_version`; both only increase.
pub type DataVersion = (u64, i64);

/// Counts the commits of this program.
#[derive(Debug, Clone, Default)]
pub struct CommitCounter(Arc<AtomicU64>);

impl CommitCounter {
    /// Counts one commit. Call it before any caller learns of the commit.
    pub fn add(&self) {
        self.0.fetch_add(1, Ordering::Release);
    }
}

/// Reads the version of a database file.
#[derive(Debug)]
pub struct ChangeCounter {
    commits: CommitCounter,
    connected: Mutex<Connected>,
}

#[derive(Debug)]
struct Connected {
    conn: Connection,
    last: Option<LastVersion>,
}

/// SQLite's last answer.
#[derive(Debug)]
struct LastVersion {
    version: i64,
    until: Instant,
}

impl ChangeCounter {
    /// Watches a database file. `commits` counts this program's own commits.
    ///
    /// # Errors
    /// The file can't be opened.
    pub fn of(path: &Path, flags: OpenFlags, commits: CommitCounter) -> rusqlite::Result<Self> {
        let conn = Connection::open_with_flags(path, flags)?;
        // It is called on async threads and must never wait there.
        conn.busy_timeout(Duration::ZERO)?;
        Ok(Self { commits, connected: Mutex::new(Connected { conn, last: None }) })
    }

    /// The current version; `None` when it is not available at the moment.
    pub fn now(&self) -> Option<DataVersion> {
        let ours = self.commits.0.load(Ordering::Acquire);
        let mut connected = self.connected.lock().ok()?;
        let asked_at = Instant::now();
        if let Some(last) = &connected.last
            && asked_at < last.until
        {
            return Some((ours, last.version));
        }
        let version = ask(&connected.conn).ok()?;
        connected.last = Some(LastVersion { version, until: asked_at + REUSED_FOR });
        Some((ours, version))
    }
}

fn ask(conn: &Connection) -> rusqlite::Result<i64> {
    conn.prepare_cached("PRAGMA data_version")?.query_row([], |row| row.get(0))
}
