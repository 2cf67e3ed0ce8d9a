//! Calls that block, off the async threads.
use crate::kit::error::{Error, Result};

/// Runs a call on a blocking thread. A panic in it becomes an error.
pub async fn blocking<T, F>(call: F) -> Result<T>
where
    T: Send + 'static,
    F: FnOnce() -> Result<T> + Send + 'static,
{
    match tokio::task::spawn_blocking(call).await {
        Ok(answer) => answer,
        Err(failed) => Err(Error::internal(format!("a blocking call failed: {failed}"))),
    }
}
