//! One thing at a time for each user: for calls that ask another server and then write down what it said.
use tokio::sync::{Mutex, MutexGuard};

/// Users who share a lane wait for each other now and then; that costs time and nothing else.
const STRIPES: usize = 64;

/// Who is at it.
#[derive(Debug)]
pub struct UserLocks([Mutex<()>; STRIPES]);

impl Default for UserLocks {
    fn default() -> Self {
        Self(std::array::from_fn(|_| Mutex::new(())))
    }
}

impl UserLocks {
    /// Waits until nobody else is at what is this user's, and keeps others waiting for as long as the answer is held.
    pub async fn of(&self, user_id: i64) -> MutexGuard<'_, ()> {
        let lane = user_id.rem_euclid(STRIPES as i64) as usize;
        self.0[lane].lock().await
    }
}
