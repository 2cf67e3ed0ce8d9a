//! Sessions that were signed out but could not yet be deleted from the database. They are refused meanwhile.
use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::session::TokenHash;

/// The most sessions that are remembered, in case the database can't even be asked whether they exist.
const MOST: usize = 100_000;

/// The token hashes of ended sessions.
#[derive(Debug, Default)]
pub struct EndedSessions(Mutex<HashSet<TokenHash>>);

impl EndedSessions {
    /// Ends a session for every later request. Returns whether there was room for it.
    pub fn add(&self, hash: TokenHash) -> bool {
        let mut hashes = self.hashes();
        let room = hashes.len() < MOST;
        if room {
            hashes.insert(hash);
        }
        room
    }

    /// Forgets a session whose row is deleted.
    pub fn remove(&self, hash: &TokenHash) {
        self.hashes().remove(hash);
    }

    /// Whether a session was ended.
    pub fn contains(&self, hash: &TokenHash) -> bool {
        self.hashes().contains(hash)
    }

    /// A panic in another thread leaves a complete set: nothing in it is changed in place.
    fn hashes(&self) -> MutexGuard<'_, HashSet<TokenHash>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
