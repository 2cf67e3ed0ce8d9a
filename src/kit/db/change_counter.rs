//! Which commit the database is at: what was read after asking holds for as long as the answer stays the same.
//!
//! SQLite tells, for two locks on the file each time: a fifth of what an answer from memory costs. So its word is believed for a
//! millisecond, and only while the log of writes lies as it did, untouched for longer than a file's time is coarse. This
//! program's own commits are counted besides, before anybody learns of them.
use std::ffi::OsString;
use std::fs::File;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};

use rusqlite::{Connection, OpenFlags};

/// How long SQLite is believed.
const BELIEVED: Duration = Duration::from_millis(1);
/// Two writes within this time may leave a file with one time of change.
const COARSE: Duration = Duration::from_millis(20);

/// Our commits, and what SQLite calls the file's version; both only rise.
pub type DataVersion = (u64, i64);

/// The commits of this program.
#[derive(Debug, Clone, Default)]
pub struct CommitCounter(Arc<AtomicU64>);

impl CommitCounter {
    /// There was one. To be told before anybody learns of it.
    pub fn add(&self) {
        self.0.fetch_add(1, Ordering::Release);
    }
}

/// Asks for the version of a database file.
#[derive(Debug)]
pub struct ChangeCounter {
    commits: CommitCounter,
    /// Where every commit is written first; nothing where it can't be watched.
    log: Option<File>,
    asking: Mutex<Asking>,
}

#[derive(Debug)]
struct Asking {
    conn: Connection,
    said: Option<Said>,
}

/// What SQLite said last.
#[derive(Debug)]
struct Said {
    version: i64,
    until: Instant,
    log: (u64, SystemTime),
}

impl ChangeCounter {
    /// Watches a database file to which this program commits.
    ///
    /// # Errors
    /// The file can't be opened.
    pub fn of(path: &Path, flags: OpenFlags, commits: CommitCounter) -> rusqlite::Result<Self> {
        let conn = Connection::open_with_flags(path, flags)?;
        // It is asked on async threads and must never wait there.
        conn.busy_timeout(Duration::ZERO)?;
        // From the first question on there is a log, and it stays for as long as this connection.
        ask(&conn)?;
        let mut log = OsString::from(path);
        log.push("-wal");
        Ok(Self { commits, log: File::open(log).ok(), asking: Mutex::new(Asking { conn, said: None }) })
    }

    /// The present version; nothing when it can't be told just now.
    pub fn now(&self) -> Option<DataVersion> {
        let ours = self.commits.0.load(Ordering::Acquire);
        let mut asking = self.asking.lock().ok()?;
        if let Some(said) = &asking.said
            && Instant::now() < said.until
            && self.log() == Some(said.log)
        {
            return Some((ours, said.version));
        }
        let (asked_at, now) = (Instant::now(), SystemTime::now());
        let untouched = |changed: SystemTime| now.duration_since(changed).is_ok_and(|since| since > COARSE);
        let log = self.log().filter(|(_, changed)| untouched(*changed));
        let version = ask(&asking.conn).ok()?;
        asking.said = log.map(|log| Said { version, until: asked_at + BELIEVED, log });
        Some((ours, version))
    }

    /// Length of the log and when it was written to.
    fn log(&self) -> Option<(u64, SystemTime)> {
        let data = self.log.as_ref()?.metadata().ok()?;
        Some((data.len(), data.modified().ok()?))
    }
}

fn ask(conn: &Connection) -> rusqlite::Result<i64> {
    conn.prepare_cached("PRAGMA data_version")?.query_row([], |row| row.get(0))
}
