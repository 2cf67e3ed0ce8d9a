//! A version number of the database that changes with every commit. Data read after asking for the version is current while the
//! version stays the same.
//!
//! Asking SQLite takes two file locks, a fifth of the time of a cached response. So SQLite's answer is reused for a millisecond,
//! and only while the WAL has the same length and has not been written for longer than the resolution of file times. This
//! program's own commits are counted separately, before any caller learns of them.
use std::ffi::OsString;
use std::fs::File;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};

use rusqlite::{Connection, OpenFlags};

/// How long SQLite's answer is reused.
const REUSED_FOR: Duration = Duration::from_millis(1);
/// Two writes within this time may give a file the same modification time.
const COARSE: Duration = Duration::from_millis(20);

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
    /// The WAL, where every commit is written first; `None` when it can't be watched.
    wal: Option<File>,
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
    wal: (u64, SystemTime),
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
        // After the first query the WAL exists, and it stays as long as this connection.
        ask(&conn)?;
        let mut wal = OsString::from(path);
        wal.push("-wal");
        Ok(Self { commits, wal: File::open(wal).ok(), connected: Mutex::new(Connected { conn, last: None }) })
    }

    /// The current version; `None` when it is not available at the moment.
    pub fn now(&self) -> Option<DataVersion> {
        let ours = self.commits.0.load(Ordering::Acquire);
        let mut connected = self.connected.lock().ok()?;
        if let Some(last) = &connected.last
            && Instant::now() < last.until
            && self.wal() == Some(last.wal)
        {
            return Some((ours, last.version));
        }
        let (asked_at, now) = (Instant::now(), SystemTime::now());
        let untouched = |changed: SystemTime| now.duration_since(changed).is_ok_and(|since| since > COARSE);
        let wal = self.wal().filter(|(_, changed)| untouched(*changed));
        let version = ask(&connected.conn).ok()?;
        connected.last = wal.map(|wal| LastVersion { version, until: asked_at + REUSED_FOR, wal });
        Some((ours, version))
    }

    /// The length of the WAL and its modification time.
    fn wal(&self) -> Option<(u64, SystemTime)> {
        let data = self.wal.as_ref()?.metadata().ok()?;
        Some((data.len(), data.modified().ok()?))
    }
}

fn ask(conn: &Connection) -> rusqlite::Result<i64> {
    conn.prepare_cached("PRAGMA data_version")?.query_row([], |row| row.get(0))
}
