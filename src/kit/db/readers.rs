//! A pool of reading connections. A call is interrupted when it takes too long or when its caller has gone.
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use r2d2_sqlite::SqliteConnectionManager;
use rusqlite::{Connection, InterruptHandle, OpenFlags};
use tokio::sync::{Semaphore, oneshot};
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::blocking::{LargeCalls, ended};
use super::fault::StorageRefusal;
use super::inspect::BUSY;
use crate::kit::error::{Error, Result};

/// A call that keeps its own answer.
type Call = Box<dyn FnOnce(&Connection) + Send>;

/// Reading connections; clones share them.
#[derive(Clone)]
pub struct Readers {
    pool: r2d2::Pool<SqliteConnectionManager>,
    permits: Arc<Semaphore>,
    /// The threads on which calls run, instead of the blocking threads.
    threads: Option<LargeCalls>,
}

impl Readers {
    /// Opens a pool of at most `most` connections to a database file, of which `idle` stay open.
    pub fn open(path: &Path, flags: OpenFlags, most: u32, idle: u32) -> std::result::Result<Self, r2d2::Error> {
        let manager = SqliteConnectionManager::file(path).with_flags(flags).with_init(|conn| {
            conn.set_prepared_statement_cache_capacity(64);
            conn.busy_timeout(BUSY)?;
            conn.execute_batch("PRAGMA query_only = 1; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -4096;")
        });
        let pool = r2d2::Pool::builder()
            .max_size(most)
            .min_idle(Some(idle))
            .connection_timeout(Duration::from_secs(5))
            .build(manager)?;
        Ok(Self { pool, permits: Arc::new(Semaphore::new(most as usize)), threads: None })
    }

    /// The same connections, for calls that run on these threads.
    pub fn on(&self, threads: LargeCalls) -> Self {
        Self { threads: Some(threads), ..self.clone() }
    }

    /// Runs a call on another thread, on one snapshot, for at most `limit` once it has a connection.
    pub async fn read<T, F>(&self, limit: Duration, call: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T> + Send + 'static,
    {
        let (answer, mut answered) = oneshot::channel();
        self.run(limit, Box::new(move |snapshot| drop(answer.send(call(snapshot))))).await?;
        answered.try_recv().unwrap_or_else(|_| Err(Error::internal("a read gave no answer")))
    }

    /// Runs a call on this thread, on one snapshot.
    pub fn read_blocking<T>(&self, call: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
        let conn = connection(&self.pool)?;
        let snapshot = conn.unchecked_transaction()?;
        call(&snapshot)
    }

    async fn run(&self, limit: Duration, call: Call) -> Result<()> {
        let permit =
            self.permits.clone().acquire_owned().await.map_err(|_| Error::internal("the readers are closed"))?;
        let (pool, running) = (self.pool.clone(), Arc::new(Running::default()));
        let interrupt = InterruptOnDrop(running.clone());
        let read = move || -> Result<()> {
            let _permit = permit;
            let conn = connection(&pool)?;
            let noted = running.begin(conn.get_interrupt_handle())?;
            let snapshot = conn.unchecked_transaction()?;
            call(&snapshot);
            // An interrupted ROLLBACK would leave the connection in its transaction.
            drop(noted);
            Ok(())
        };
        let read = async {
            match &self.threads {
                None => ended(spawn_blocking(read).await)?,
                Some(threads) => threads.run(read).await,
            }
        };
        let read = timeout(limit, read).await;
        drop(interrupt);
        read.unwrap_or(Err(Error::Busy))
    }
}

fn connection(pool: &r2d2::Pool<SqliteConnectionManager>) -> Result<r2d2::PooledConnection<SqliteConnectionManager>> {
    let conn = pool.get().map_err(|cause| {
        tracing::error!(%cause, "no database connection was free");
        StorageRefusal::NoConnection
    })?;
    Ok(conn)
}

/// A call that may be interrupted. Once it is over, its connection belongs to another call.
#[derive(Default)]
struct Running(Mutex<State>);

#[derive(Default)]
enum State {
    #[default]
    Waiting,
    Running(InterruptHandle),
    Over,
}

impl Running {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stores the handle for interruptions until the returned guard is dropped.
    fn begin(&self, handle: InterruptHandle) -> Result<OverOnDrop<'_>> {
        let mut state = self.state();
        match &*state {
            State::Waiting => {
                *state = State::Running(handle);
                Ok(OverOnDrop(self))
            }
            State::Running(_) | State::Over => Err(Error::Busy),
        }
    }
}

struct OverOnDrop<'r>(&'r Running);

impl Drop for OverOnDrop<'_> {
    fn drop(&mut self) {
        *self.0.state() = State::Over;
    }
}

/// Interrupts a running call, or prevents it from starting.
struct InterruptOnDrop(Arc<Running>);

impl Drop for InterruptOnDrop {
    fn drop(&mut self) {
        let mut state = self.0.state();
        if let State::Running(handle) = &*state {
            handle.interrupt();
        }
        *state = State::Over;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Queries that never end by themselves. They end when a test fails, because its runtime waits for their threads.
    #[derive(Default)]
    struct Queries(Arc<Mutex<Vec<InterruptHandle>>>);

    impl Queries {
        /// A query, and the message that its first row has arrived.
        fn endless(&self) -> (oneshot::Receiver<()>, impl FnOnce(&Connection) -> Result<()> + Send + 'static + use<>) {
            let ((begun, beginning), handles) = (oneshot::channel(), self.0.clone());
            let query = move |conn: &Connection| {
                handles.lock().unwrap().push(conn.get_interrupt_handle());
                let mut query =
                    conn.prepare("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n")?;
                let mut rows = query.query([])?;
                rows.next()?;
                let _ = begun.send(());
                while rows.next()?.is_some() {}
                Ok(())
            };
            (beginning, query)
        }
    }

    impl Drop for Queries {
        fn drop(&mut self) {
            self.0.lock().unwrap().iter().for_each(InterruptHandle::interrupt);
        }
    }

    /// The longest that a test waits for an interruption.
    const SOON: Duration = Duration::from_secs(20);

    fn readers() -> (tempfile::TempDir, Readers) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        Connection::open(&path).unwrap().execute_batch("CREATE TABLE t (a)").unwrap();
        let readers = Readers::open(&path, OpenFlags::SQLITE_OPEN_READ_ONLY, 1, 1).unwrap();
        (folder, readers)
    }

    #[tokio::test]
    async fn a_call_that_takes_too_long_is_interrupted_and_its_connection_serves_the_next() {
        let ((_folder, readers), queries) = (readers(), Queries::default());
        let (_, query) = queries.endless();
        assert!(matches!(readers.read(Duration::from_millis(50), query).await, Err(Error::Busy)));
        let next = readers.read(Duration::from_secs(600), |conn| {
            Ok(conn.query_row("SELECT count(*) FROM t", [], |row| row.get::<_, i64>(0))?)
        });
        assert_eq!(timeout(SOON, next).await.expect("the connection is free").unwrap(), 0);
    }

    #[tokio::test]
    async fn a_large_call_that_panics_or_takes_too_long_is_an_error_and_the_thread_serves_the_next() {
        let (_folder, readers) = readers();
        let (readers, long) = (readers.on(LargeCalls::start(1).unwrap()), Duration::from_secs(600));
        let failed = readers.read(long, |_| -> Result<()> { panic!("a fault") }).await;
        assert!(matches!(failed, Err(Error::Internal(_))), "{failed:?}");
        let queries = Queries::default();
        let (_, query) = queries.endless();
        let slow = readers.read(Duration::from_millis(50), query).await;
        assert!(matches!(slow, Err(Error::Busy)), "{slow:?}");
        timeout(SOON, readers.read(long, |_| Ok(()))).await.expect("the thread is free").unwrap();
    }

    #[tokio::test]
    async fn a_call_whose_caller_has_gone_is_interrupted() {
        let ((_folder, readers), queries) = (readers(), Queries::default());
        let (calling, (beginning, query)) = (readers.clone(), queries.endless());
        let call = tokio::spawn(async move { calling.read(Duration::from_secs(600), query).await });
        beginning.await.unwrap();
        call.abort();
        // The only connection becomes free although the query never ends by itself.
        let next = readers.read(Duration::from_secs(600), |_| Ok(()));
        timeout(SOON, next).await.expect("the connection is free").unwrap();
    }
}
