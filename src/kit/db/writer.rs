//! The writer's thread: it commits queued calls in batches, each call in a savepoint, and long ones alone.
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use chrono::SubsecRound as _;
use rusqlite::Connection;
use tokio::sync::oneshot;

use super::erasure::{compact, truncate_wal};
use super::fault::{Fault, LastWrite, StorageRefusal};
use super::tx::Tx;
use super::wal_limit::WalLimit;
use crate::kit::clock::Clock;
use crate::kit::error::{Error, Result};

/// A batch is committed after this many writes or this time, whichever comes first.
const BATCH_WRITES: usize = 512;
const BATCH_TIME: Duration = Duration::from_millis(50);
/// How long a shutdown waits for readers before it leaves the checkpoint to the next start.
const AT_STOP: Duration = Duration::from_millis(500);

/// A writing call that keeps its own outcome and says what happens to its savepoint.
pub(super) type Call = Box<dyn FnOnce(&Tx<'_>) -> SavepointEnd + Send>;

/// A queued call, and the recipient of the outcome of its batch.
pub(super) struct Job {
    pub(super) call: Call,
    pub(super) report: Report,
    pub(super) terms: Terms,
}

/// How a call is run.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Terms {
    /// It has a transaction of its own, see [`write_alone`](super::pool::Db::write_alone).
    pub(super) is_alone: bool,
    /// What it deletes must leave the WAL before its caller is answered.
    pub(super) erases: bool,
    /// It is run also when its caller has gone before its turn. Otherwise it is skipped then.
    pub(super) outlives_caller: bool,
}

pub(super) enum Report {
    /// The caller waits.
    Caller(oneshot::Sender<Result<()>>),
    /// Nobody waits. A failure is logged as this.
    Log(&'static str),
}

impl Report {
    pub(super) fn finish(self, outcome: Result<()>) {
        match (self, outcome) {
            (Self::Caller(caller), outcome) => drop(caller.send(outcome)),
            (Self::Log(what), Err(cause)) => tracing::warn!(%cause, "writing {what} failed"),
            (Self::Log(_), Ok(())) => {}
        }
    }
}

pub(super) enum Message {
    Write(Job),
    Compact(oneshot::Sender<Result<()>>),
    Close,
}

/// What happens to a call's savepoint.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SavepointEnd {
    Keep,
    Undo,
    DiskFull,
}

impl SavepointEnd {
    pub(super) fn of<T>(outcome: &Result<T>) -> Self {
        match outcome {
            Ok(_) => Self::Keep,
            Err(Error::DiskFull) => Self::DiskFull,
            Err(_) => Self::Undo,
        }
    }
}

/// The message of a panic, for the log.
pub fn panic_text(panic: &(dyn Any + Send)) -> &str {
    panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("?")
}

/// Runs the writer; after a panic in it, logs that and runs `or_else`. A panic in a call ends that call alone ([`closed`]).
pub(super) fn or_else_after_a_panic(write: impl FnOnce(), or_else: impl FnOnce()) {
    if let Err(panic) = catch_unwind(AssertUnwindSafe(write)) {
        tracing::error!(panic = panic_text(&*panic), "the writer of the database ended; stopping the program");
        or_else();
    }
}

/// Runs queued calls until the queue is closed.
pub(super) fn write_until_closed(
    conn: &Connection,
    last_write: &LastWrite,
    clock: &Clock,
    mut wal_limit: WalLimit,
    messages: &mpsc::Receiver<Message>,
) {
    let mut waiting = None;
    loop {
        wal_limit.advance(conn);
        let message = match (waiting.take(), wal_limit.wait()) {
            (Some(message), _) => message,
            (None, None) => messages.recv().unwrap_or(Message::Close),
            (None, Some(rest)) => match messages.recv_timeout(rest) {
                Ok(message) => message,
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => Message::Close,
            },
        };
        let next = match message {
            Message::Write(first) => write_batch(conn, last_write, clock, first, &mut wal_limit, messages),
            Message::Compact(done) => {
                let _ = done.send(compact(conn).map_err(Error::from));
                Next::Batch
            }
            Message::Close => Next::Close,
        };
        match next {
            Next::Batch => {}
            Next::Then(message) => waiting = Some(message),
            Next::Close => break,
        }
    }
    // A reader that is still working (a backup) must not hold up the shutdown.
    if let Err(cause) = truncate_wal(conn, AT_STOP) {
        tracing::warn!(%cause, retry = "next start", "WAL checkpoint failed");
    }
}

/// What follows a batch.
enum Next {
    Batch,
    /// What was taken from the queue and can't be part of the batch.
    Then(Message),
    Close,
}

/// Commits everything that is waiting in one transaction, or a call that has one of its own.
fn write_batch(
    conn: &Connection,
    last_write: &LastWrite,
    clock: &Clock,
    first: Job,
    wal_limit: &mut WalLimit,
    messages: &mpsc::Receiver<Message>,
) -> Next {
    let (started, changes, mut full) = (Instant::now(), conn.total_changes(), false);
    let Terms { is_alone, erases, .. } = first.terms;
    let tx = Tx::new(conn, clock.now().trunc_subsecs(0));
    let mut outcomes = Vec::new();
    let mut failed = conn.execute_batch("BEGIN IMMEDIATE").err().map(WriteFailure::Sqlite);
    let mut next = Some(Message::Write(first));
    let mut end = Next::Batch;
    while let Some(message) = next.take() {
        let job = match message {
            Message::Write(job) if !job.terms.is_alone || outcomes.is_empty() => job,
            message @ (Message::Write(_) | Message::Compact(_)) => {
                end = Next::Then(message);
                break;
            }
            Message::Close => {
                end = Next::Close;
                break;
            }
        };
        let mut outcome = Ok(());
        let has_gone = matches!(&job.report, Report::Caller(caller) if caller.is_closed());
        if failed.is_none() && (!has_gone || job.terms.outlives_caller) {
            let run = if is_alone { in_transaction } else { in_savepoint };
            (outcome, failed) = run(&tx, job.call, &mut full);
        }
        outcomes.push((job.report, outcome));
        if !is_alone && outcomes.len() < BATCH_WRITES && started.elapsed() < BATCH_TIME {
            next = messages.try_recv().ok();
        }
    }
    let failed = failed.or_else(|| conn.execute_batch("COMMIT").err().map(WriteFailure::Sqlite));
    if failed.is_some() && !conn.is_autocommit() {
        let _ = conn.execute_batch("ROLLBACK");
    }
    if failed.is_none() {
        tx.then()();
    }
    match failed.as_ref().map_or_else(|| full.then_some(Fault::DiskFull), WriteFailure::fault) {
        // A transaction that changed nothing says nothing about the disk.
        None if failed.is_some() || conn.total_changes() == changes => {}
        fault => last_write.note(fault),
    }
    wal_limit.look(conn, erases && failed.is_none());
    for (report, outcome) in outcomes {
        report.finish(failed.as_ref().map_or(outcome, |failed| Err(failed.error())));
    }
    end
}

/// Runs one call in a savepoint. Returns whether it panicked, and the error that broke the whole batch, if any. Sets `full` when the
/// disk had no room for the call.
fn in_savepoint(tx: &Tx<'_>, call: Call, full: &mut bool) -> (Result<()>, Option<WriteFailure>) {
    if let Err(cause) = tx.execute_batch("SAVEPOINT call") {
        return (Ok(()), Some(WriteFailure::Sqlite(cause)));
    }
    closed(tx, call, full, |end| match end {
        SavepointEnd::Keep => "RELEASE call",
        SavepointEnd::Undo | SavepointEnd::DiskFull => "ROLLBACK TO call; RELEASE call",
    })
}

/// Runs the only call of a transaction, like [`in_savepoint`]. Where it is undone, an empty transaction follows.
fn in_transaction(tx: &Tx<'_>, call: Call, full: &mut bool) -> (Result<()>, Option<WriteFailure>) {
    closed(tx, call, full, |end| match end {
        SavepointEnd::Keep => "",
        SavepointEnd::Undo | SavepointEnd::DiskFull => "ROLLBACK; BEGIN",
    })
}

/// Runs a call, and closes what it was run in with the statements for its end.
fn closed(
    tx: &Tx<'_>,
    call: Call,
    full: &mut bool,
    close: fn(SavepointEnd) -> &'static str,
) -> (Result<()>, Option<WriteFailure>) {
    let waiting = tx.waiting();
    let (end, outcome) = match catch_unwind(AssertUnwindSafe(|| call(tx))) {
        Ok(end) => (end, Ok(())),
        Err(panic) => (SavepointEnd::Undo, Err(Error::internal(format!("a write panicked: {}", panic_text(&*panic))))),
    };
    if end != SavepointEnd::Keep {
        tx.forget_after(waiting);
    }
    *full |= end == SavepointEnd::DiskFull;
    // A full or failing disk can roll back the whole transaction, including the other calls' writes.
    if tx.is_autocommit() {
        return (
            outcome,
            Some(if end == SavepointEnd::DiskFull { WriteFailure::DiskFull } else { WriteFailure::Ended }),
        );
    }
    (outcome, tx.execute_batch(close(end)).err().map(WriteFailure::Sqlite))
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::or_else_after_a_panic;
    use crate::kit::Error;
    use crate::kit::db::pool::Db;

    #[tokio::test]
    async fn what_waits_for_the_commit_is_called_only_when_the_call_is_stored() {
        let folder = tempfile::tempdir().unwrap();
        let db = Db::open(&folder.path().join("shelfwise.db")).unwrap();
        let told = Arc::new(AtomicU32::new(0));
        for (outcome, count) in [(Ok(()), 1), (Err(Error::NotFound), 1), (Ok(()), 2)] {
            let (told, fails) = (told.clone(), outcome.is_err());
            let written = db.write({
                let told = told.clone();
                move |tx| {
                    tx.after_commit(move || _ = told.fetch_add(1, Ordering::SeqCst));
                    outcome
                }
            });
            assert_eq!(written.await.is_err(), fails);
            assert_eq!(told.load(Ordering::SeqCst), count);
        }
        db.close();
    }

    #[test]
    fn the_program_ends_with_its_writer_after_a_panic_alone() {
        let ended = |write: fn()| {
            let mut ended = false;
            or_else_after_a_panic(write, || ended = true);
            ended
        };
        assert!(!ended(|| ()) && ended(|| panic!("a fault")));
    }
}
