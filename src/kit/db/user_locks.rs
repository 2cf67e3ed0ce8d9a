//! One lock per user, for calls that ask another server and then store its answer.
use tokio::sync::{Mutex, MutexGuard};

use crate::kit::id::UserId;

/// The number of locks. Users with the same lock sometimes wait for each other, which costs only time.
const STRIPES: usize = 64;

/// The locks of all users.
#[derive(Debug)]
pub struct UserLocks([Mutex<()>; STRIPES]);

impl Default for UserLocks {
    fn default() -> Self {
        Self(std::array::from_fn(|_| Mutex::new(())))
    }
}

impl UserLocks {
    /// Waits until no other caller holds the user's lock, and holds it until the returned guard is dropped.
    pub async fn of(&self, user_id: UserId) -> MutexGuard<'_, ()> {
        let lane = user_id.0.rem_euclid(STRIPES as i64) as usize;
        self.0[lane].lock().await
    }
}
