//! The end of long work that blocks a thread, where dropping a future ends nothing.
use std::time::{Duration, Instant};

use tokio_util::sync::{CancellationToken, DropGuard};

use crate::kit::error::{Error, Result};

/// When long work gives up: its time is over, or nobody waits for it any more. Loops over many rows look at it. The default never comes.
#[derive(Clone, Debug, Default)]
pub struct Deadline(Option<(Instant, CancellationToken)>);

impl Deadline {
    /// A deadline after this time, or as soon as the guard is dropped.
    pub fn within(limit: Duration) -> (Self, DropGuard) {
        let token = CancellationToken::new();
        (Self(Some((Instant::now() + limit, token.clone()))), token.drop_guard())
    }

    /// Whether the work has to end.
    pub fn has_passed(&self) -> bool {
        self.0.as_ref().is_some_and(|(until, token)| token.is_cancelled() || Instant::now() >= *until)
    }

    /// # Errors
    /// 503 `busy` when the work has to end.
    pub fn check(&self) -> Result<()> {
        if self.has_passed() { Err(Error::Busy) } else { Ok(()) }
    }
}
