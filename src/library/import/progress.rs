//! How far the imports and previews are that run now. In memory only, and gone with the call.
use std::collections::HashMap;
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
    #[schema(as = ImportPhase)]
    Phase {
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
#[schema(as = ImportProgress)]
pub struct Position {
    phase: Phase,
    /// How many rows of the file, and in `storing` how many new books and items, are done in this phase.
    done: usize,
    /// The number of all of them; null where it is not known yet.
    #[schema(required)]
    of: Option<usize>,
}

/// The progress of one call. The default is one that nobody follows and nobody gives up.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    position: Arc<Mutex<Position>>,
    given_up: CancellationToken,
}

impl Progress {
    /// Begins a phase.
    pub fn begin(&self, phase: Phase, of: impl Into<Option<usize>>) {
        *locked(&self.position) = Position { phase, done: 0, of: of.into() };
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

/// The calls that run now, by their accounts and `Idempotency-Key`s. An account has few calls at once, and so few entries.
#[derive(Clone, Debug, Default)]
pub struct Running(Arc<Mutex<HashMap<(UserId, String), Progress>>>);

impl Running {
    /// The progress of a call that begins now. It can be found until the guard is dropped, with which the call ends or is given up.
    pub fn begin(&self, owner: UserId, key: Option<String>) -> (Progress, impl Drop + use<>) {
        let progress = Progress::default();
        let key = key.map(|key| (owner, key));
        if let Some(key) = &key {
            locked(&self.0).insert(key.clone(), progress.clone());
        }
        let given_up = progress.given_up.clone().drop_guard();
        (progress, Entry { running: self.clone(), key, _given_up: given_up })
    }

    /// How far a call of this account is; `None` when none with this key runs.
    pub fn find(&self, owner: UserId, key: String) -> Option<Position> {
        locked(&self.0).get(&(owner, key)).map(|progress| *locked(&progress.position))
    }
}

struct Entry {
    running: Running,
    key: Option<(UserId, String)>,
    _given_up: DropGuard,
}

impl Drop for Entry {
    fn drop(&mut self) {
        if let Some(key) = &self.key {
            locked(&self.running.0).remove(key);
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
