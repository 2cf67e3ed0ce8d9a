//! Which commit the database is at: what was read after asking holds for as long as the answer stays the same.
use std::path::Path;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use rusqlite::{Connection, OpenFlags};

/// How long SQLite's word on other programs' commits is believed. Ours count before anybody is answered.
const BELIEVED: Duration = Duration::from_millis(1);

/// Our commits, and what SQLite calls the file's version; both only rise.
pub type Version = (u64, i64);

/// Counts this program's commits, and asks SQLite about those of others (a command line beside the server).
pub struct Versions {
    commits: Arc<AtomicU64>,
    conn: Mutex<Connection>,
    started: Instant,
    /// What SQLite said last, and until when that is believed, in microseconds since the start.
    said: AtomicI64,
    believed: AtomicU64,
}

/// Tells of this program's commits.
pub struct Commits(Arc<AtomicU64>);

impl Commits {
    /// There was one. To be told before anybody learns of it.
    pub fn add(&self) {
        self.0.fetch_add(1, Ordering::Release);
    }
}

impl Versions {
    /// Watches a database file.
    ///
    /// # Errors
    /// SQLite's, when the file can't be opened.
    pub fn of(path: &Path, flags: OpenFlags) -> rusqlite::Result<Self> {
        let conn = Connection::open_with_flags(path, flags)?;
        // It is asked on async threads and must never wait there.
        conn.busy_timeout(Duration::ZERO)?;
        Ok(Self {
            commits: Arc::default(),
            conn: Mutex::new(conn),
            started: Instant::now(),
            said: AtomicI64::new(0),
            believed: AtomicU64::new(0),
        })
    }

    /// Where commits are to be told.
    pub fn commits(&self) -> Commits {
        Commits(self.commits.clone())
    }

    /// The present version; nothing when it can't be told just now.
    pub fn now(&self) -> Option<Version> {
        let ours = self.commits.load(Ordering::Acquire);
        if !self.is_believed() {
            self.ask()?;
        }
        Some((ours, self.said.load(Ordering::Acquire)))
    }

    fn is_believed(&self) -> bool {
        self.since_start() < self.believed.load(Ordering::Acquire)
    }

    /// Asks SQLite, which takes locks on the file: some microseconds.
    fn ask(&self) -> Option<()> {
        let conn = self.conn.lock().ok()?;
        // Whoever was here before may have asked.
        if !self.is_believed() {
            let asked_at = self.since_start();
            let said = conn.prepare_cached("PRAGMA data_version").ok()?.query_row([], |row| row.get(0)).ok()?;
            self.said.store(said, Ordering::Release);
            self.believed.store(asked_at + micros(BELIEVED), Ordering::Release);
        }
        Some(())
    }

    fn since_start(&self) -> u64 {
        micros(self.started.elapsed())
    }
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}
