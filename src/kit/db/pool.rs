//! The database: one file in WAL mode, a pool of reading connections, and a single writer whose concurrent transactions share a
//! commit.
//!
//! A reading call sees one snapshot. Writing calls queue up for one thread: each runs in its own savepoint, a batch shares one
//! `COMMIT` with `synchronous=FULL`, and a caller gets its result only when that commit is on the disk.
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use chrono::{DateTime, SubsecRound as _, Utc};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};
use tokio::sync::oneshot;

pub use super::blocking::blocking;
use super::fault::{Fault, FileId, LastWrite, StorageRefusal};
pub use super::inspect::{OpenError, known_schema};
use super::maintenance::Maintenance;
pub use super::open::open_writer;
use super::readers::Readers;
use super::secure_erase;
pub use super::tx::{Tx, instant, owned, owner_of};
use crate::kit::clock::Clock;
use crate::kit::db::change_counter::{ChangeCounter, CommitCounter, DataVersion};
use crate::kit::db::wal;
use crate::kit::error::{Error, Result};

/// Simultaneous reads. More would only wait for each other on a small machine.
const READERS: u32 = 4;
/// Simultaneous exports and other long reads.
const LONG_READERS: u32 = 2;
/// Simultaneous session look-ups.
const LOOK_UPS: u32 = 2;
/// The time limit of a read in milliseconds, unless [`Db::limit_reads`] sets another.
const READ_LIMIT: u64 = 5_000;
/// The time limit of a long read.
const LONG_READ_LIMIT: Duration = Duration::from_secs(60);
/// A batch is committed after this many writes or this time, whichever comes first.
const BATCH_WRITES: usize = 512;
const BATCH_TIME: Duration = Duration::from_millis(50);
/// How long a shutdown waits for readers before it leaves the checkpoint to the next start.
const AT_STOP: Duration = Duration::from_millis(500);
/// Reports the outcome to a waiting caller: `Some` when the commit failed for the whole batch.
type Finish = Box<dyn FnOnce(Option<Error>) + Send>;
/// A queued call. Without a transaction (the batch has failed) it only reports the failure.
type Job = Box<dyn FnOnce(Option<&Tx<'_>>) -> (SavepointEnd, Finish) + Send>;

enum Message {
    Write(Job),
    Close,
}

/// What happens to a call's savepoint.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SavepointEnd {
    Keep,
    Undo,
    DiskFull,
}

/// A handle to the database; clones share the same connections and writer.
#[derive(Clone)]
pub struct Db {
    /// For ordinary reads.
    readers: Readers,
    /// For exports and other long reads of whole libraries.
    long_readers: Readers,
    /// For session look-ups and health checks, which never wait behind other reads.
    look_ups: Readers,
    /// The time limit of an ordinary read, in milliseconds.
    read_limit: Arc<AtomicU64>,
    writer: mpsc::Sender<Message>,
    thread: Arc<Mutex<Option<std::thread::JoinHandle<()>>>>,
    versions: Arc<ChangeCounter>,
    path: Arc<PathBuf>,
    file: Option<FileId>,
    last_write: Arc<LastWrite>,
    clock: Clock,
}

impl Db {
    /// Opens the database file; creates and migrates it when needed.
    ///
    /// # Errors
    /// [`OpenError`] with a sentence for the operator; the file is then left unchanged.
    pub fn open(path: &Path) -> std::result::Result<Self, OpenError> {
        let conn = open_writer(path)?;
        Self::start(path, conn)
            .map_err(|cause| OpenError::Unusable { path: path.display().to_string(), cause: format!("{cause:#}") })
    }

    fn start(path: &Path, conn: Connection) -> anyhow::Result<Self> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
        let readers = |most, idle| Readers::open(path, flags, most, idle).context("opening readers");
        let commits = CommitCounter::default();
        let versions = ChangeCounter::of(path, flags, commits.clone()).context("opening the change counter")?;
        let (writer, jobs) = mpsc::channel();
        let last_write = Arc::new(LastWrite::default());
        let noted = last_write.clone();
        let clock = Clock::default();
        let clock_of_writer = clock.clone();
        // When this connection is closed early, SQLite must not checkpoint a WAL that was not swept.
        conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true).context("setting up the writer")?;
        let maintenance = Maintenance::of(&conn).context("reading the WAL")?;
        let thread = std::thread::Builder::new()
            .name("writer".into())
            .spawn(move || write_until_closed(&conn, &commits, &noted, &clock_of_writer, maintenance, &jobs))
            .context("starting the writer")?;
        Ok(Self {
            readers: readers(READERS, 1)?,
            long_readers: readers(LONG_READERS, 0)?,
            look_ups: readers(LOOK_UPS, 1)?,
            read_limit: Arc::new(AtomicU64::new(READ_LIMIT)),
            writer,
            thread: Arc::new(Mutex::new(Some(thread))),
            versions: Arc::new(versions),
            path: Arc::new(path.to_owned()),
            file: FileId::of(path),
            last_write,
            clock,
        })
    }

    /// The identity of the file that was opened, to detect another file in its place.
    pub fn file_id(&self) -> Option<FileId> {
        self.file
    }

    /// The outcome of the last change.
    pub fn last_write(&self) -> &LastWrite {
        &self.last_write
    }

    /// The clock that gives every transaction its time.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// The current time, for a read. A write uses the time of its transaction ([`Tx::now`]).
    pub fn now(&self) -> DateTime<Utc> {
        self.clock.now()
    }

    /// The path of the database file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A version that every commit changes, by this program or another (a command beside the server). Data read after asking for
    /// it is current while it stays the same. `None` when it is not available at the moment.
    pub fn version(&self) -> Option<DataVersion> {
        self.versions.now()
    }

    /// Sets the time limit of [`Db::read`].
    pub fn limit_reads(&self, limit: Duration) {
        self.read_limit.store(u64::try_from(limit.as_millis()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    fn read_limit(&self) -> Duration {
        Duration::from_millis(self.read_limit.load(Ordering::Relaxed))
    }

    /// Runs a reading call on a blocking thread, on one snapshot. The call is interrupted when it takes too long or its caller
    /// has gone.
    ///
    /// # Errors
    /// Whatever the call answers; [`StorageRefusal::NoConnection`] after five seconds; [`Error::Busy`] when the call takes too long.
    pub async fn read<T, F>(&self, call: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T> + Send + 'static,
    {
        self.readers.read(self.read_limit(), call).await
    }

    /// Reads like [`Db::read`], on separate connections and for at most one minute: for exports and import previews, which read
    /// whole libraries with all their texts.
    pub async fn read_long<T, F>(&self, call: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T> + Send + 'static,
    {
        self.long_readers.read(LONG_READ_LIMIT, call).await
    }

    /// Reads like [`Db::read`], on separate connections: for short queries that every request waits for.
    pub async fn look_up<T, F>(&self, call: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T> + Send + 'static,
    {
        self.look_ups.read(self.read_limit(), call).await
    }

    /// Runs a writing call in the single writer, and returns after its commit has reached the disk. A call whose caller has gone
    /// before its turn is not started, so that a client that keeps hanging up does not fill the queue.
    ///
    /// # Errors
    /// The call's own error (its writes are then rolled back, those of other calls are not), or the failure of the commit.
    pub async fn write<T, F>(&self, call: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Tx<'_>) -> Result<T> + Send + 'static,
    {
        let (answer, answered) = oneshot::channel();
        self.writer.send(Message::Write(job(call, answer))).map_err(|_| stopped())?;
        answered.await.map_err(|_| stopped())?
    }

    /// Writes like [`Db::write`], even if the caller has gone meanwhile, and removes the deleted data from every byte of the file
    /// within seconds.
    pub async fn erase<T, F>(&self, call: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Tx<'_>) -> Result<T> + Send + 'static,
    {
        let erasing = |tx: &Tx<'_>| call(tx).and_then(|answer| Ok(secure_erase::mark_due(tx).map(|()| answer)?));
        let (answer, answered) = oneshot::channel();
        let erasing = queued(erasing, |outcome| drop(answer.send(outcome)));
        self.writer.send(Message::Write(erasing)).map_err(|_| stopped())?;
        answered.await.map_err(|_| stopped())?
    }

    /// Queues a writing call behind the earlier ones without waiting for it: for records that no caller waits for. A failure is
    /// logged as `what`.
    pub fn write_later<F>(&self, what: &'static str, call: F)
    where
        F: FnOnce(&Tx<'_>) -> Result<()> + Send + 'static,
    {
        let noted = move |outcome: Result<()>| {
            if let Err(cause) = outcome {
                tracing::warn!(%cause, "writing {what} failed");
            }
        };
        // A stopped writer accepts no more calls.
        let _ = self.writer.send(Message::Write(queued(call, noted)));
    }

    /// Runs a writing call from a thread without a runtime (command line, demo data).
    pub fn write_blocking<T, F>(&self, call: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Tx<'_>) -> Result<T> + Send + 'static,
    {
        let (answer, answered) = oneshot::channel();
        self.writer.send(Message::Write(job(call, answer))).map_err(|_| stopped())?;
        answered.blocking_recv().map_err(|_| stopped())?
    }

    /// Stops the writer after everything queued before, with a checkpoint of the WAL. Later writes are refused.
    pub fn close(&self) {
        let _ = self.writer.send(Message::Close);
        let thread = self.thread.lock().ok().and_then(|mut slot| slot.take());
        if let Some(thread) = thread {
            let _ = thread.join();
        }
    }
}

fn stopped() -> Error {
    StorageRefusal::Stopping.into()
}

/// A call whose caller waits for it. It is skipped when the caller has gone before its turn.
fn job<T, F>(call: F, answer: oneshot::Sender<Result<T>>) -> Job
where
    T: Send + 'static,
    F: FnOnce(&Tx<'_>) -> Result<T> + Send + 'static,
{
    Box::new(move |tx| match answer.is_closed() {
        true => (SavepointEnd::Undo, Box::new(|_| {})),
        false => queued(call, |outcome| drop(answer.send(outcome)))(tx),
    })
}

/// A call for the queue. `report` receives its outcome once that is final.
fn queued<T, F>(call: F, report: impl FnOnce(Result<T>) + Send + 'static) -> Job
where
    T: Send + 'static,
    F: FnOnce(&Tx<'_>) -> Result<T> + Send + 'static,
{
    Box::new(move |tx| {
        let outcome = match tx {
            Some(tx) => catch_unwind(AssertUnwindSafe(|| call(tx)))
                .unwrap_or_else(|panic| Err(Error::internal(format!("a write panicked: {}", panic_text(&*panic))))),
            None => Err(stopped()),
        };
        let fate = match &outcome {
            Ok(_) => SavepointEnd::Keep,
            Err(Error::DiskFull) => SavepointEnd::DiskFull,
            Err(_) => SavepointEnd::Undo,
        };
        let finish: Finish = Box::new(move |failed| report(failed.map_or(outcome, Err)));
        (fate, finish)
    })
}

/// The message of a panic, for the log.
pub fn panic_text(panic: &(dyn Any + Send)) -> &str {
    panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("?")
}

fn write_until_closed(
    conn: &Connection,
    commits: &CommitCounter,
    last_write: &LastWrite,
    clock: &Clock,
    mut maintenance: Maintenance,
    messages: &mpsc::Receiver<Message>,
) {
    loop {
        maintenance.advance(conn);
        let message = match maintenance.wait() {
            None => messages.recv().unwrap_or(Message::Close),
            Some(rest) => match messages.recv_timeout(rest) {
                Ok(message) => message,
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => Message::Close,
            },
        };
        let next = match message {
            Message::Write(first) => write_batch(conn, commits, last_write, clock, first, messages),
            Message::Close => Next::Close,
        };
        if next == Next::Close {
            break;
        }
        maintenance.look(conn);
    }
    if !maintenance.finish(conn) {
        return;
    }
    // A reader that is still working (a backup) must not hold up the shutdown.
    let truncated = conn.busy_timeout(AT_STOP).and_then(|()| wal::truncate(conn));
    if let Err(cause) = truncated.and_then(|_| conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false)) {
        tracing::warn!(%cause, retry = "next start", "WAL checkpoint failed");
    }
}

#[derive(PartialEq, Eq)]
enum Next {
    Batch,
    Close,
}

/// Commits everything that is waiting in one transaction.
fn write_batch(
    conn: &Connection,
    commits: &CommitCounter,
    last_write: &LastWrite,
    clock: &Clock,
    first: Job,
    messages: &mpsc::Receiver<Message>,
) -> Next {
    let (started, changes, mut full) = (Instant::now(), conn.total_changes(), false);
    let tx = Tx::new(conn, clock.now().trunc_subsecs(0));
    let mut finishes = Vec::new();
    let mut failed = conn.execute_batch("BEGIN IMMEDIATE").err().map(WriteFailure::Sqlite);
    let mut next = Some(Message::Write(first));
    let mut end = Next::Batch;
    while let Some(message) = next.take() {
        let job = match message {
            Message::Write(job) => job,
            Message::Close => {
                end = Next::Close;
                break;
            }
        };
        let (finish, broken) = if failed.is_none() { in_savepoint(&tx, job, &mut full) } else { (job(None).1, None) };
        finishes.push(finish);
        failed = failed.or(broken);
        if finishes.len() < BATCH_WRITES && started.elapsed() < BATCH_TIME {
            next = messages.try_recv().ok();
        }
    }
    let failed = failed.or_else(|| conn.execute_batch("COMMIT").err().map(WriteFailure::Sqlite));
    if failed.is_some() && !conn.is_autocommit() {
        let _ = conn.execute_batch("ROLLBACK");
    }
    commits.add();
    match failed.as_ref().map_or_else(|| full.then_some(Fault::DiskFull), WriteFailure::fault) {
        // A transaction that changed nothing says nothing about the disk.
        None if failed.is_some() || conn.total_changes() == changes => {}
        fault => last_write.note(fault),
    }
    for finish in finishes {
        finish(failed.as_ref().map(WriteFailure::error));
    }
    end
}

/// Runs one job in a savepoint. Returns how to report its outcome, and the error that broke the whole batch, if any. Sets `full`
/// when the disk had no room for the job.
fn in_savepoint(tx: &Tx<'_>, job: Job, full: &mut bool) -> (Finish, Option<WriteFailure>) {
    if let Err(cause) = tx.execute_batch("SAVEPOINT call") {
        return (job(None).1, Some(WriteFailure::Sqlite(cause)));
    }
    let (fate, finish) = job(Some(tx));
    *full |= fate == SavepointEnd::DiskFull;
    // A full or failing disk can roll back the whole transaction, including the other calls' writes.
    if tx.is_autocommit() {
        return (
            finish,
            Some(if fate == SavepointEnd::DiskFull { WriteFailure::DiskFull } else { WriteFailure::Ended }),
        );
    }
    let close = if fate == SavepointEnd::Keep { "RELEASE call" } else { "ROLLBACK TO call; RELEASE call" };
    (finish, tx.execute_batch(close).err().map(WriteFailure::Sqlite))
}

/// What broke a batch. Every caller in the batch gets a copy.
enum WriteFailure {
    Sqlite(rusqlite::Error),
    DiskFull,
    Ended,
}

impl WriteFailure {
    /// What the failure says about the disk, if anything.
    fn fault(&self) -> Option<Fault> {
        match self {
            Self::Sqlite(cause) => Fault::of_write(cause),
            Self::DiskFull => Some(Fault::DiskFull),
            Self::Ended => Some(Fault::WriteFailed),
        }
    }

    fn error(&self) -> Error {
        match self {
            Self::Sqlite(rusqlite::Error::SqliteFailure(code, text)) => {
                rusqlite::Error::SqliteFailure(*code, text.clone()).into()
            }
            Self::Sqlite(other) => Error::internal(format!("commit: {other}")),
            Self::DiskFull => Error::DiskFull,
            Self::Ended => StorageRefusal::NotSaved.into(),
        }
    }
}
