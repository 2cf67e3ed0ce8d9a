//! The server's condition: whether its database can be read and written, how much disk space is free, and how its own work
//! (backups, e-mails, webhooks) has ended.
use std::fs;
use std::io::Write as _;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use chrono::{DateTime, SubsecRound as _, Utc};

use super::clock::Clock;
use super::error::Result;
use crate::kit::db::fault::{Fault, FileId};
use crate::kit::db::pool::{Db, blocking};
use crate::kit::disk::free_space;
use crate::kit::error_code::ErrorCode;

/// A database that can be written is checked again after this time.
const FRESH: Duration = Duration::from_secs(10);
/// A failing database is checked again after this time, so that a recovery shows at once.
const FRESH_FAILURE: Duration = Duration::from_secs(1);
/// The time limit of one check of the database.
const CHECK_TIMEOUT: Duration = Duration::from_secs(3);
/// How many bytes a check stores, in a file without a name.
const TRIED: usize = 64 * 1024;
/// The most unlisted proxies that are kept.
const MOST_PROXIES: usize = 8;
/// Free space below this, or below twice the size of the database, is reported. In bytes.
const LEAST_FREE: u64 = 64 * 1024 * 1024;

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The outcomes of a repeated task since the start.
#[derive(Debug, Default)]
pub struct Runs {
    record: Mutex<Record>,
    clock: Clock,
}

/// The record kept by [`Runs`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Record {
    /// The time of the last success, including those before the start where they are known.
    pub last_success: Option<DateTime<Utc>>,
    /// The time and the reason of the last failure. The reason contains no path and no address.
    pub last_failure: Option<(DateTime<Utc>, String)>,
    pub failures: u64,
    /// Whether the last run succeeded; `None` before the first.
    pub ok: Option<bool>,
    /// Since when `ok` has its current value.
    pub since: Option<DateTime<Utc>>,
}

impl Runs {
    /// A record without runs. The clock gives each run its time.
    pub fn new(clock: Clock) -> Self {
        Self { record: Mutex::default(), clock }
    }

    fn now(&self) -> DateTime<Utc> {
        self.clock.now().trunc_subsecs(0)
    }

    pub fn succeeded(&self) {
        self.succeeded_at(self.now());
    }

    /// Records a success at an earlier time.
    pub fn succeeded_at(&self, at: DateTime<Utc>) {
        let mut record = locked(&self.record);
        record.last_success = Some(at);
        record.set(true, at);
    }

    pub fn failed(&self, reason: impl Into<String>) {
        let (mut record, at) = (locked(&self.record), self.now());
        record.last_failure = Some((at, reason.into()));
        record.failures += 1;
        record.set(false, at);
    }

    pub fn record(&self) -> Record {
        locked(&self.record).clone()
    }
}

impl Record {
    fn set(&mut self, ok: bool, at: DateTime<Utc>) {
        if self.ok != Some(ok) {
            (self.ok, self.since) = (Some(ok), Some(at));
        }
    }
}

/// Requests that were refused because somebody opened the pages at another address than the public one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Elsewhere {
    /// The address of the last one.
    pub address: String,
    /// The time of the last one.
    pub at: DateTime<Utc>,
    /// How many there were since the start.
    pub count: u64,
}

/// What it means that a proxy is not in `trusted_proxies`, as a sentence.
pub fn unlisted_proxy(peer: IpAddr) -> String {
    format!(
        "X-Forwarded-For from {peer} is not counted, because it is not in trusted_proxies: everyone behind this proxy counts as one \
         address, and wrong passwords of one can lock out all."
    )
}

/// The condition of a server.
#[derive(Debug)]
pub struct Health {
    clock: Clock,
    /// When this run started.
    pub started_at: DateTime<Utc>,
    /// Scheduled backups.
    pub backups: Runs,
    /// Webhooks of the payment provider with a valid signature.
    pub webhooks: Runs,
    /// Requests that were refused because somebody opened the pages at another address than the public one.
    elsewhere: Mutex<Option<Elsewhere>>,
    /// Proxies that are not in `trusted_proxies`.
    unlisted_proxies: Mutex<Vec<IpAddr>>,
    /// Since when each check has had its current result.
    since: Mutex<Vec<(&'static str, bool, DateTime<Utc>)>>,
    look: tokio::sync::Mutex<()>,
    looked: Mutex<Option<(Instant, Option<Fault>)>>,
}

impl Health {
    /// The condition of a server that starts now.
    pub fn new(clock: Clock) -> Self {
        Self {
            started_at: clock.now().trunc_subsecs(0),
            backups: Runs::new(clock.clone()),
            webhooks: Runs::new(clock.clone()),
            elsewhere: Mutex::default(),
            unlisted_proxies: Mutex::default(),
            since: Mutex::default(),
            look: tokio::sync::Mutex::default(),
            looked: Mutex::default(),
            clock,
        }
    }

    pub fn now(&self) -> DateTime<Utc> {
        self.clock.now()
    }

    /// Notes a refused request of a page that was opened at `address`, which is not the public one.
    pub fn opened_at(&self, address: String) {
        let (mut known, at) = (locked(&self.elsewhere), self.now().trunc_subsecs(0));
        let count = known.as_ref().map_or(0, |known| known.count) + 1;
        *known = Some(Elsewhere { address, at, count });
    }

    /// The refused requests of pages that were opened at another address; `None` when there are none.
    pub fn elsewhere(&self) -> Option<Elsewhere> {
        locked(&self.elsewhere).clone()
    }

    /// Notes that an address of a private network sent `X-Forwarded-For` without being in `trusted_proxies`, and warns of it once.
    pub fn sent_by_unlisted_proxy(&self, peer: IpAddr) {
        let mut known = locked(&self.unlisted_proxies);
        if known.len() < MOST_PROXIES && !known.contains(&peer) {
            known.push(peer);
            tracing::warn!("{}", unlisted_proxy(peer));
        }
    }

    /// The addresses of [`Self::sent_by_unlisted_proxy`].
    pub fn unlisted_proxies(&self) -> Vec<IpAddr> {
        locked(&self.unlisted_proxies).clone()
    }

    /// Notes the result of a check. Returns since when it has been this, as far as it was observed (the start of the program at the first
    /// call), and whether that is news: a change, or a failure at the first look.
    pub fn note(&self, check: &'static str, ok: bool) -> (DateTime<Utc>, bool) {
        let (mut known, now) = (locked(&self.since), self.now().trunc_subsecs(0));
        match known.iter_mut().find(|(name, ..)| *name == check) {
            Some((_, before, at)) if *before == ok => (*at, false),
            Some(entry) => {
                *entry = (check, ok, now);
                (now, true)
            }
            None => {
                // A check that fails at the first look has been failing for an unknown time.
                let at = if ok { self.started_at } else { now };
                known.push((check, ok, at));
                (at, !ok)
            }
        }
    }

    /// Why the database can't be read or written; `None` when it can. The expensive part runs at most once in ten seconds, or
    /// once a second while something is wrong, however many callers there are: it reads, compares the file with the one that was
    /// opened, stores 64 KiB in a file without a name, and writes to the database if the last change failed.
    pub async fn fault(&self, db: &Db) -> Option<Fault> {
        if let Some(known) = self.known(db) {
            return known;
        }
        // Concurrent callers get the last result; they wait only if there is none.
        let looking = self.look.try_lock();
        if looking.is_err()
            && let Some((_, fault)) = *locked(&self.looked)
        {
            return fault.or_else(|| db.last_write().fault());
        }
        let _looking = match looking {
            Ok(looking) => looking,
            Err(_) => self.look.lock().await,
        };
        if let Some(known) = self.known(db) {
            return known;
        }
        let fault = look(db).await;
        *locked(&self.looked) = Some((Instant::now(), fault));
        fault
    }

    /// The last result, unless it is too old or the situation has changed since.
    fn known(&self, db: &Db) -> Option<Option<Fault>> {
        let (at, fault) = (*locked(&self.looked))?;
        let fresh = at.elapsed() < if fault.is_some() { FRESH_FAILURE } else { FRESH };
        let unchanged = db.last_write().fault().is_none() && FileId::of(db.path()) == db.file_id();
        (fresh && (fault.is_some() || unchanged)).then_some(fault)
    }
}

/// Waits until the writer and a reader have answered; `false` when either can't. A writer that reports a full disk does answer:
/// that is the operator's concern.
pub async fn answers(db: &Db) -> bool {
    let wrote = db.write(|_| Ok(())).await;
    let read = db.read(|conn| Ok(conn.query_row("SELECT 1", [], |_| Ok(()))?)).await;
    !matches!(&wrote, Err(cause) if cause.code() == ErrorCode::Stopping) && read.is_ok()
}

/// Writes a value that the file already holds, to find out whether writing works.
async fn try_writing(db: &Db) -> Result<()> {
    db.write(|tx| {
        let version: i64 = tx.pragma_query_value(None, "user_version", |row| row.get(0))?;
        Ok(tx.pragma_update(None, "user_version", version)?)
    })
    .await?;
    db.last_write().note(None);
    Ok(())
}

async fn look(db: &Db) -> Option<Fault> {
    let sql = "SELECT count(*) FROM refinery_schema_history";
    let read = db.read(move |conn| Ok(conn.query_row(sql, [], |_| Ok(()))?));
    match tokio::time::timeout(CHECK_TIMEOUT, read).await {
        Err(_) => return Some(Fault::Slow),
        Ok(Err(_)) => return Some(Fault::ReadFailed),
        Ok(Ok(())) => {}
    }
    let (path, opened) = (db.path().to_owned(), db.file_id());
    let stored = blocking(move || Ok(file_fault(&path, opened)));
    match tokio::time::timeout(CHECK_TIMEOUT, stored).await {
        Err(_) => return Some(Fault::Slow),
        Ok(found) => {
            if let Some(fault) = found.ok().flatten() {
                return Some(fault);
            }
        }
    }
    let fault = db.last_write().fault()?;
    match tokio::time::timeout(CHECK_TIMEOUT, try_writing(db)).await {
        Ok(Ok(())) => None,
        Ok(Err(_)) => Some(db.last_write().fault().unwrap_or(fault)),
        Err(_) => Some(Fault::Slow),
    }
}

/// What is wrong with the database file, or with storing bytes beside it.
fn file_fault(database: &Path, opened: Option<FileId>) -> Option<Fault> {
    let present = FileId::of(database);
    if present.is_none() || (opened.is_some() && present != opened) {
        return Some(Fault::Gone);
    }
    let stored = tempfile::tempfile_in(folder(database)).and_then(|mut file| file.write_all(&[0; TRIED]));
    stored.err().map(|cause| Fault::of_file(&cause))
}

fn folder(database: &Path) -> &Path {
    database.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The bytes that the server's user may still store beside a database; `None` when the system does not say.
pub fn free_bytes(database: &Path) -> Option<u64> {
    free_space(folder(database)).ok()
}

/// The bytes that should be free beside a database: a restore and a migration need a second copy of it.
pub fn wanted_bytes(database: &Path) -> u64 {
    fs::metadata(database).map_or(0, |file| file.len()).saturating_mul(2).max(LEAST_FREE)
}

/// The size of a database's WAL in bytes.
pub fn wal_bytes(database: &Path) -> u64 {
    let mut file = database.as_os_str().to_owned();
    file.push("-wal");
    fs::metadata(PathBuf::from(file)).map_or(0, |file| file.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_says_since_when_work_fails_and_forgets_nothing_when_it_succeeds_again() {
        let runs = Runs::default();
        assert_eq!(runs.record(), Record::default());
        runs.succeeded_at("2026-01-02T03:04:05Z".parse().unwrap());
        runs.failed("the disk is full");
        let first = runs.record();
        runs.failed("the disk is full");
        let second = runs.record();
        assert_eq!((second.ok, second.failures, second.since), (Some(false), 2, first.since));
        assert_eq!(second.last_success, Some("2026-01-02T03:04:05Z".parse().unwrap()));
        runs.succeeded();
        let last = runs.record();
        assert_eq!((last.ok, last.failures), (Some(true), 2));
        assert_eq!(last.last_failure.unwrap().1, "the disk is full");
    }

    #[test]
    fn a_database_that_was_moved_or_replaced_is_a_fault() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("shelfwise.db");
        fs::write(&file, "x").unwrap();
        let opened = FileId::of(&file);
        assert_eq!(file_fault(&file, opened), None);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "the check leaves no file behind");
        fs::rename(&file, folder.path().join("other.db")).unwrap();
        assert_eq!(file_fault(&file, opened), Some(Fault::Gone));
        fs::write(&file, "y").unwrap();
        assert_eq!(file_fault(&file, opened), Some(Fault::Gone));
    }

    #[tokio::test]
    async fn a_failed_change_is_a_fault_until_writing_works_again() {
        let folder = tempfile::tempdir().unwrap();
        let db = Db::open(&folder.path().join("shelfwise.db")).unwrap();
        let health = Health::new(db.clock().clone());
        assert_eq!(health.fault(&db).await, None);
        // A database that may not grow behaves like a full disk.
        let full = db.write(|tx| {
            tx.query_row("PRAGMA max_page_count = 1", [], |_| Ok(()))?;
            tx.execute_batch("CREATE TABLE large (bytes BLOB); INSERT INTO large VALUES (zeroblob(1000000))")?;
            Ok(())
        });
        assert!(matches!(full.await, Err(super::super::Error::DiskFull)));
        assert_eq!(db.last_write().fault(), Some(Fault::DiskFull));
        // The check writes within the file, which works, and so does the next change.
        assert_eq!(health.fault(&db).await, None);
        assert_eq!(db.last_write().fault(), None);
        db.close();
    }
}
