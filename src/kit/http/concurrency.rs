//! Limits how many operations of one key (an account, an address) run at once.
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// At most `most` permits for one key. Further callers wait in the order in which they came.
#[derive(Debug)]
pub struct KeyedLimit<K> {
    most: u32,
    semaphores: Mutex<HashMap<K, Arc<Semaphore>>>,
}

impl<K: Eq + Hash> KeyedLimit<K> {
    /// A limit of `most` permits for each key.
    pub fn new(most: u32) -> Self {
        Self { most: most.max(1), semaphores: Mutex::default() }
    }

    /// A permit, after a wait of at most `wait` when all are taken; `None` after that time.
    pub async fn acquire(&self, key: K, wait: Duration) -> Option<OwnedSemaphorePermit> {
        let semaphore = self.of(key);
        timeout(wait, semaphore.acquire_owned()).await.ok()?.ok()
    }

    fn of(&self, key: K) -> Arc<Semaphore> {
        let mut semaphores = self.semaphores.lock().unwrap_or_else(PoisonError::into_inner);
        if semaphores.len() == semaphores.capacity() {
            // Permits and waiting callers share their semaphore with the map.
            semaphores.retain(|_, semaphore| Arc::strong_count(semaphore) > 1);
        }
        semaphores.entry(key).or_insert_with(|| Arc::new(Semaphore::new(self.most as usize))).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOON: Duration = Duration::from_millis(10);

    #[tokio::test]
    async fn a_key_has_so_many_permits_and_others_have_their_own() {
        let limit = KeyedLimit::new(2);
        let held = [limit.acquire("ann", SOON).await, limit.acquire("ann", SOON).await];
        assert!(held.iter().all(Option::is_some) && limit.acquire("ann", SOON).await.is_none());
        assert!(limit.acquire("ben", SOON).await.is_some());
        drop(held);
        assert!(limit.acquire("ann", SOON).await.is_some());
    }

    #[tokio::test]
    async fn keys_that_nobody_uses_make_room_and_those_in_use_keep_their_permits() {
        let limit = KeyedLimit::new(1);
        let held = limit.acquire(0, SOON).await.unwrap();
        for key in 1..10_000 {
            drop(limit.acquire(key, SOON).await.unwrap());
        }
        assert!(limit.semaphores.lock().unwrap().len() < 10);
        assert!(limit.acquire(0, SOON).await.is_none());
        drop(held);
        assert!(limit.acquire(0, SOON).await.is_some());
    }
}
