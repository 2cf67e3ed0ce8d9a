//! Calls that block, off the async threads.
use tokio::sync::oneshot;
use tokio::task::spawn_blocking;

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
    spawn_blocking(call).await.map_err(|failed| Error::internal(format!("a blocking call failed: {failed}")))
}
