//! Reading connections: one pool, with permits for short reads and for a few long ones. A call is interrupted when it takes too long or
//! when its caller has gone.
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use r2d2::ManageConnection;
use r2d2_sqlite::SqliteConnectionManager;
use rusqlite::{Connection, InterruptHandle, OpenFlags};
use scheduled_thread_pool::ScheduledThreadPool;
use tokio::sync::{Semaphore, oneshot};
use tokio::time::timeout;

use super::blocking::blocking;
use super::fault::StorageRefusal;
use super::inspect::BUSY;
use crate::kit::error::{Error, Result};

/// Simultaneous short reads. More would only wait for each other on a small machine.
const SHORT: usize = 6;
/// Simultaneous long reads, such as exports. They leave the connections for short ones alone.
const LONG: usize = 2;

/// A call that keeps its own answer.
type Call = Box<dyn FnOnce(&Connection) + Send>;

/// Which permits a read takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// A query.
    Short,
    /// A whole library with all its texts.
    Long,
}

/// Reading connections; clones share them.
#[derive(Clone)]
pub struct Readers {
    pool: r2d2::Pool<Connections>,
    short: Arc<Semaphore>,
    long: Arc<Semaphore>,
}

impl Readers {
    /// Opens a pool of connections to a database file, of which one stays open.
    pub fn open(path: &Path, flags: OpenFlags) -> anyhow::Result<Self> {
        let manager = SqliteConnectionManager::file(path).with_flags(flags).with_init(|conn| {
            conn.set_prepared_statement_cache_capacity(64);
            conn.busy_timeout(BUSY)?;
            conn.execute_batch("PRAGMA query_only = 1; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -4096;")
        });
        let pool = r2d2::Pool::builder()
            .max_size(u32::try_from(SHORT + LONG)?)
            .min_idle(Some(1))
            .connection_timeout(Duration::from_secs(5))
            .test_on_check_out(false)
            .thread_pool(Arc::new(ScheduledThreadPool::new(1)))
            .build(Connections(manager))?;
        let permits = |count| Arc::new(Semaphore::new(count));
        Ok(Self { pool, short: permits(SHORT), long: permits(LONG) })
    }

    /// Runs a call on another thread, on one snapshot, for at most `limit` once it has a permit.
    pub async fn read<T, F>(&self, class: Class, limit: Duration, call: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T> + Send + 'static,
    {
        let (answer, mut answered) = oneshot::channel();
        self.run(class, limit, Box::new(move |snapshot| drop(answer.send(call(snapshot))))).await?;
        answered.try_recv().unwrap_or_else(|_| Err(Error::internal("a read gave no answer")))
    }

    /// Runs a call on this thread, on one snapshot.
    pub fn read_blocking<T>(&self, call: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
        let conn = connection(&self.pool)?;
        let snapshot = conn.unchecked_transaction()?;
        call(&snapshot)
    }

    async fn run(&self, class: Class, limit: Duration, call: Call) -> Result<()> {
        let permits = if class == Class::Short { &self.short } else { &self.long };
        let permit = permits.clone().acquire_owned().await.map_err(|_| Error::internal("the readers are closed"))?;
        let (pool, running) = (self.pool.clone(), Arc::new(Running::default()));
        let interrupt = InterruptOnDrop(running.clone());
        let read = timeout(
            limit,
            blocking(move || {
                let _permit = permit;
                let conn = connection(&pool)?;
                let noted = running.begin(conn.get_interrupt_handle())?;
                let snapshot = conn.unchecked_transaction()?;
                call(&snapshot);
                // An interrupted ROLLBACK would leave the connection in its transaction.
                drop(noted);
                Ok(())
            }),
        )
        .await;
        drop(interrupt);
        read.unwrap_or(Err(Error::Busy))
    }
}

fn connection(pool: &r2d2::Pool<Connections>) -> Result<r2d2::PooledConnection<Connections>> {
    let conn = pool.get().map_err(|cause| {
        tracing::error!(%cause, "no database connection was free");
        StorageRefusal::NoConnection
    })?;
    Ok(conn)
}

/// Makes connections. One that comes back inside a transaction, whose end failed, is not used again.
struct Connections(SqliteConnectionManager);

impl ManageConnection for Connections {
    type Connection = Connection;
    type Error = rusqlite::Error;

    fn connect(&self) -> rusqlite::Result<Connection> {
        self.0.connect()
    }

    fn is_valid(&self, conn: &mut Connection) -> rusqlite::Result<()> {
        self.0.is_valid(conn)
    }

    fn has_broken(&self, conn: &mut Connection) -> bool {
        !conn.is_autocommit()
    }
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
        let readers = Readers::open(&path, OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap();
        // One permit, so that the next call waits for the one before it.
        (folder, Readers { short: Arc::new(Semaphore::new(1)), ..readers })
    }

    #[tokio::test]
    async fn a_call_that_takes_too_long_is_interrupted_and_its_connection_serves_the_next() {
        let ((_folder, readers), queries) = (readers(), Queries::default());
        let (_, query) = queries.endless();
        assert!(matches!(readers.read(Class::Short, Duration::from_millis(50), query).await, Err(Error::Busy)));
        let next = readers.read(Class::Short, Duration::from_secs(600), |conn| {
            Ok(conn.query_row("SELECT count(*) FROM t", [], |row| row.get::<_, i64>(0))?)
        });
        assert_eq!(timeout(SOON, next).await.expect("the connection is free").unwrap(), 0);
    }

    #[tokio::test]
    async fn a_connection_that_comes_back_inside_a_transaction_is_not_used_again() {
        let (_folder, readers) = readers();
        let long = Duration::from_secs(600);
        let failed = readers.read(Class::Short, long, |_| -> Result<()> { panic!("a fault") }).await;
        assert!(matches!(failed, Err(Error::Internal(_))), "{failed:?}");
        let conn = readers.pool.get().unwrap();
        conn.execute_batch("BEGIN").unwrap();
        drop(conn);
        for _ in 0..2 * (SHORT + LONG) {
            readers.read(Class::Short, long, |_| Ok(())).await.unwrap();
        }
    }

    #[tokio::test]
    async fn a_call_whose_caller_has_gone_is_interrupted() {
        let ((_folder, readers), queries) = (readers(), Queries::default());
        let (calling, (beginning, query)) = (readers.clone(), queries.endless());
        let call = tokio::spawn(async move { calling.read(Class::Short, Duration::from_secs(600), query).await });
        beginning.await.unwrap();
        call.abort();
        // The only connection becomes free although the query never ends by itself.
        let next = readers.read(Class::Short, Duration::from_secs(600), |_| Ok(()));
        timeout(SOON, next).await.expect("the connection is free").unwrap();
    }
}
