//! How far the imports and previews are that run now. In memory only, and gone with the call.
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::Serialize;
use tokio_util::sync::{CancellationToken, DropGuard};
use utoipa::ToSchema;

use crate::kit::error::{Error, Result};
use crate::kit::id::UserId;
use crate::kit::named::named;

named! {
    /// What an import does now.
    #[derive(Default)]
    ImportPhase {
        /// The file is on its way, or waits for its turn.
        #[default]
        Waiting = "waiting",
        /// It reads the rows of the file.
        Reading = "reading",
        /// It compares them with the library. A preview ends with this.
        Comparing = "comparing",
        /// It stores what is new.
        Storing = "storing",
    }
}

/// How far an import or its preview is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct ImportProgress {
    phase: ImportPhase,
    /// How many rows of the file, and in `storing` how many new books and items, are done in this phase.
    done: usize,
    /// The number of all of them; null where it is not known yet.
    #[schema(required)]
    of: Option<usize>,
}

/// The progress of one call. The default is one that nobody follows and nobody gives up.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    position: Arc<Mutex<ImportProgress>>,
    given_up: CancellationToken,
}

impl Progress {
    /// Begins a phase.
    pub fn begin(&self, phase: ImportPhase, of: impl Into<Option<usize>>) {
        *locked(&self.position) = ImportProgress { phase, done: 0, of: of.into() };
    }

    pub fn advance(&self, done: usize) {
        locked(&self.position).done += done;
    }

    /// # Errors
    /// 503 `busy` when the caller has gone: what is done so far must be rolled back.
    pub fn check(&self) -> Result<()> {
        if self.given_up.is_cancelled() { Err(Error::Busy) } else { Ok(()) }
    }
}

/// The calls that run now, by their accounts and `Idempotency-Key`s, oldest first: a repeated call has the key of the one that still runs.
/// An account has few calls at once, and so few entries.
#[derive(Clone, Debug, Default)]
pub struct Running(Arc<Mutex<Vec<(UserId, String, Progress)>>>);

impl Running {
    /// The progress of a call that begins now. It can be found until the guard is dropped, with which the call ends or is given up.
    pub fn begin(&self, owner: UserId, key: Option<String>) -> (Progress, impl Drop + use<>) {
        let progress = Progress::default();
        locked(&self.0).extend(key.map(|key| (owner, key, progress.clone())));
        let given_up = progress.given_up.clone().drop_guard();
        (progress.clone(), Entry { running: self.clone(), progress, _given_up: given_up })
    }

    /// How far a call of this account is; `None` when none with this key runs.
    pub fn find(&self, owner: UserId, key: &str) -> Option<ImportProgress> {
        let running = locked(&self.0);
        let (.., progress) = running.iter().find(|(of, named, _)| (*of, named.as_str()) == (owner, key))?;
        Some(*locked(&progress.position))
    }
}

struct Entry {
    running: Running,
    progress: Progress,
    _given_up: DropGuard,
}

impl Drop for Entry {
    fn drop(&mut self) {
        locked(&self.running.0).retain(|(.., other)| !Arc::ptr_eq(&other.position, &self.progress.position));
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repeated_call_leaves_the_progress_of_the_one_that_runs() {
        let (running, ada, key) = (Running::default(), UserId(1), || Some("key".to_owned()));
        let (first, first_entry) = running.begin(ada, key());
        first.begin(ImportPhase::Reading, 10);
        first.advance(3);
        let done = || running.find(ada, "key").map(|position| position.done);
        let (_, repeated) = running.begin(ada, key());
        assert_eq!(done(), Some(3));
        drop(repeated);
        assert_eq!(done(), Some(3));
        assert_eq!(running.find(UserId(2), "key"), None);
        drop(first_entry);
        assert_eq!(done(), None);
    }
}
