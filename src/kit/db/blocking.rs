//! Calls that block, off the async threads.
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;

use tokio::sync::oneshot;
use tokio::task::{JoinError, spawn_blocking};

use crate::kit::error::{Error, Result};

/// Runs a call on a blocking thread. A panic in it becomes an error.
pub async fn blocking<T, F>(call: F) -> Result<T>
where
    T: Send + 'static,
    F: FnOnce() -> Result<T> + Send + 'static,
{
    let (answer, mut answered) = oneshot::channel();
    run(Box::new(move || drop(answer.send(call())))).await?;
    answered.try_recv().unwrap_or_else(|_| Err(Error::internal("a blocking call gave no answer")))
}

/// Runs a boxed call, so that the runtime's code for a task is compiled for one type only.
async fn run(call: Box<dyn FnOnce() + Send>) -> Result<()> {
    ended(spawn_blocking(call).await)
}

/// What a task on a blocking thread returned. A panic in it becomes an error.
pub(super) fn ended<T>(outcome: std::result::Result<T, JoinError>) -> Result<T> {
    outcome.map_err(|failed| Error::internal(format!("a blocking call failed: {failed}")))
}

/// Threads for calls that take much memory; clones share them.
///
/// The C library keeps freed memory for the threads that share an arena. On the blocking threads of all requests such calls would leave
/// much of it in each of many arenas.
#[derive(Clone)]
pub struct LargeCalls(mpsc::Sender<Box<dyn FnOnce() + Send>>);

impl LargeCalls {
    /// Starts so many threads, which end with the last clone.
    ///
    /// # Errors
    /// The system has no room for a thread.
    pub fn start(threads: u32) -> io::Result<Self> {
        let (calls, queue) = mpsc::channel::<Box<dyn FnOnce() + Send>>();
        let queue = Arc::new(Mutex::new(queue));
        for _ in 0..threads {
            let queue = queue.clone();
            let next = move || queue.lock().unwrap_or_else(PoisonError::into_inner).recv().ok();
            let run = || std::iter::from_fn(next).for_each(|call| drop(catch_unwind(AssertUnwindSafe(call))));
            thread::Builder::new().name("large calls".into()).spawn(run)?;
        }
        Ok(Self(calls))
    }

    /// Runs a call in its turn. A panic in it becomes an error.
    pub async fn run<T, F>(&self, call: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce() -> Result<T> + Send + 'static,
    {
        let (answer, answered) = oneshot::channel();
        let failed = || Error::internal("a large call gave no answer");
        self.0.send(Box::new(move || drop(answer.send(call())))).map_err(|_| failed())?;
        answered.await.unwrap_or_else(|_| Err(failed()))
    }
}
