//! The database: one file in WAL mode, a pool of reading connections, and a single writer whose concurrent transactions share a
//! commit.
//!
//! A reading call sees one snapshot. Writing calls queue up for one thread: each runs in its own savepoint, a batch shares one
//! `COMMIT` with `synchronous=FULL`, and a caller gets its result only when that commit is on the disk.
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::Context as _;
use chrono::{DateTime, Utc};
use rusqlite::{Connection, OpenFlags};
use tokio::sync::oneshot;
use tokio::sync::oneshot::error::RecvError;

pub use super::blocking::blocking;
use super::erasure;
use super::fault::{FileId, LastWrite, StorageRefusal};
pub use super::inspect::{OpenError, known_schema};
pub use super::open::open_writer;
use super::readers::{Class, Readers};
pub use super::tx::{Tx, instant, owned, owner_of};
pub use super::upgrade::add_functions;
use super::wal_limit::WalLimit;
pub use super::writer::panic_text;
use super::writer::{Job, Message, Report, SavepointEnd, Terms, or_else_after_a_panic, write_until_closed};
use crate::kit::clock::Clock;
use crate::kit::error::{Error, Result};

/// The time limit of a read in milliseconds, unless [`Db::limit_reads`] sets another.
const READ_LIMIT: u64 = 5_000;
/// The time limit of a long read.
const LONG_READ_LIMIT: Duration = Duration::from_secs(60);

/// A transaction for one call.
const ALONE: Terms = Terms { is_alone: true, erases: false, outlives_caller: false };

/// A handle to the database; clones share the same connections and writer.
#[derive(Clone)]
pub struct Db {
    readers: Readers,
    /// The time limit of an ordinary read, in milliseconds.
    read_limit: Arc<AtomicU64>,
    writer: mpsc::Sender<Message>,
    thread: Arc<Mutex<Option<std::thread::JoinHandle<()>>>>,
    path: Arc<PathBuf>,
    file: Option<FileId>,
    last_write: Arc<LastWrite>,
    truncation_failed: Arc<AtomicBool>,
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
        let readers = Readers::open(path, flags).context("opening readers")?;
        let (writer, jobs) = mpsc::channel();
        let last_write = Arc::new(LastWrite::default());
        let noted = last_write.clone();
        let clock = Clock::default();
        let clock_of_writer = clock.clone();
        let wal_limit = WalLimit::of(&conn).context("setting up the writer")?;
        let truncation_failed = wal_limit.failed();
        let thread = std::thread::Builder::new()
            .name("writer".into())
            .spawn(move || {
                let write = || write_until_closed(&conn, &noted, &clock_of_writer, wal_limit, &jobs);
                // Without its writer the server would refuse every change until somebody restarts it.
                or_else_after_a_panic(write, || std::process::abort());
            })
            .context("starting the writer")?;
        Ok(Self {
            readers,
            read_limit: Arc::new(AtomicU64::new(READ_LIMIT)),
            writer,
            thread: Arc::new(Mutex::new(Some(thread))),
            path: Arc::new(path.to_owned()),
            file: FileId::of(path),
            last_write,
            truncation_failed,
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

    /// Whether the last attempt to truncate the WAL was prevented by a reader or failed.
    pub fn truncation_failed(&self) -> bool {
        self.truncation_failed.load(Ordering::Relaxed)
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

    /// Sets the time limit of [`Db::read`].
    pub fn limit_reads(&self, limit: Duration) {
        self.read_limit.store(u64::try_from(limit.as_millis()).unwrap_or(u64::MAX), Ordering::Relaxed);
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
        let limit = Duration::from_millis(self.read_limit.load(Ordering::Relaxed));
        self.readers.read(Class::Short, limit, call).await
    }

    /// Reads like [`Db::read`], for at most one minute and few at once: for exports and import previews, which read whole libraries
    /// with all their texts.
    pub async fn read_long<T, F>(&self, call: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T> + Send + 'static,
    {
        self.readers.read(Class::Long, LONG_READ_LIMIT, call).await
    }

    /// Reads on this thread (command line), on one snapshot and without a time limit.
    ///
    /// # Errors
    /// The call's; [`StorageRefusal::NoConnection`]; the database's.
    pub fn read_blocking<T>(&self, call: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
        self.readers.read_blocking(call)
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
        self.written(Terms::default(), call).await
    }

    /// Writes like [`Db::write`], in a transaction of its own: for changes of many rows. SQLite keeps the former pages of an open
    /// savepoint in memory, and every statement that has triggers walks through all of them at its end, so that the time of a long call
    /// would grow with the square of its length.
    pub async fn write_alone<T, F>(&self, call: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Tx<'_>) -> Result<T> + Send + 'static,
    {
        self.written(ALONE, call).await
    }

    /// Writes like [`Db::write_alone`], even if the caller has gone meanwhile. No table, index, free page or frame of the WAL has what the
    /// call deleted when it is answered, unless another program reads an earlier state: then the WAL keeps it until that has ended.
    /// [`Db::compact`] removes the copies that SQLite leaves in other pages.
    pub async fn erase<T, F>(&self, call: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Tx<'_>) -> Result<T> + Send + 'static,
    {
        let terms = Terms { is_alone: true, erases: true, outlives_caller: true };
        let erase = |tx: &Tx<'_>| call(tx).and_then(|answer| Ok(erasure::mark_compaction_due(tx).map(|()| answer)?));
        self.written(terms, erase).await
    }

    /// Rewrites the file without what was erased ([`erasure::compact`]). Other writes wait meanwhile.
    ///
    /// # Errors
    /// The database's, also where the disk has no room for the copy.
    pub async fn compact(&self) -> Result<()> {
        let (done, compacted) = oneshot::channel();
        self.writer.send(Message::Compact(done)).map_err(|_| stopped())?;
        compacted.await.map_err(|_| stopped())?
    }

    /// Queues a writing call behind the earlier ones without waiting for it: for records that no caller waits for. A failure is
    /// logged as `what`.
    pub fn write_later<F>(&self, what: &'static str, call: F)
    where
        F: FnOnce(&Tx<'_>) -> Result<()> + Send + 'static,
    {
        let call = Box::new(move |tx: &Tx<'_>| {
            let outcome = call(tx);
            let end = SavepointEnd::of(&outcome);
            Report::Log(what).finish(outcome);
            end
        });
        let terms = Terms { outlives_caller: true, ..Terms::default() };
        // A stopped writer accepts no more calls.
        let _ = self.writer.send(Message::Write(Job { call, report: Report::Log(what), terms }));
    }

    /// Runs a writing call from a thread without a runtime (command line, demo data), as [`Db::write_alone`].
    pub fn write_blocking<T, F>(&self, call: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Tx<'_>) -> Result<T> + Send + 'static,
    {
        let (committed, outcome) = self.queue(ALONE, call)?;
        came_to(committed.blocking_recv(), outcome)
    }

    /// Queues a call and waits for its commit.
    async fn written<T, F>(&self, terms: Terms, call: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Tx<'_>) -> Result<T> + Send + 'static,
    {
        let (committed, outcome) = self.queue(terms, call)?;
        came_to(committed.await, outcome)
    }

    /// Queues a call. Its outcome is there once the call has run, and counts once its batch is committed.
    fn queue<T, F>(&self, terms: Terms, call: F) -> Result<Queued<T>>
    where
        T: Send + 'static,
        F: FnOnce(&Tx<'_>) -> Result<T> + Send + 'static,
    {
        let ((keep, outcome), (done, committed)) = (oneshot::channel(), oneshot::channel());
        let call = Box::new(move |tx: &Tx<'_>| {
            let outcome = call(tx);
            let end = SavepointEnd::of(&outcome);
            drop(keep.send(outcome));
            end
        });
        let job = Job { call, report: Report::Caller(done), terms };
        self.writer.send(Message::Write(job)).map_err(|_| stopped())?;
        Ok((committed, outcome))
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

/// What arrives at the end of a call's batch, and the outcome of the call itself.
type Queued<T> = (oneshot::Receiver<Result<()>>, oneshot::Receiver<Result<T>>);

/// The outcome of a call whose batch has ended.
fn came_to<T>(
    committed: std::result::Result<Result<()>, RecvError>,
    mut outcome: oneshot::Receiver<Result<T>>,
) -> Result<T> {
    committed.map_err(|_| stopped())??;
    outcome.try_recv().unwrap_or_else(|_| Err(stopped()))
}
