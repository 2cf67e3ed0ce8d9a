//! Limits how many operations of one key (an account, an address) run at once. The keys are held in a sharded map while they are
//! in use.
use std::collections::{HashMap, VecDeque};
use std::hash::{BuildHasher as _, Hash, RandomState};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::timeout;

/// The number of parts of the map, each with its own lock.
const SHARDS: usize = 32;

/// At most `most` permits for one key. Further callers wait in the order in which they came.
#[derive(Debug)]
pub struct KeyedLimit<K: Eq + Hash + Copy>(Arc<Shared<K>>);

#[derive(Debug)]
struct Shared<K: Eq + Hash + Copy> {
    most: u32,
    most_waiting: usize,
    hasher: RandomState,
    shards: [Mutex<HashMap<K, Entry<K>>>; SHARDS],
}

#[derive(Debug)]
struct Entry<K: Eq + Hash + Copy> {
    held: u32,
    waiting: VecDeque<oneshot::Sender<Permit<K>>>,
}

impl<K: Eq + Hash + Copy> Clone for KeyedLimit<K> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

/// A permit of a key, returned when it is dropped.
#[derive(Debug)]
pub struct Permit<K: Eq + Hash + Copy> {
    /// `None` after the permit was passed on.
    limit: Option<Arc<Shared<K>>>,
    key: K,
}

impl<K: Eq + Hash + Copy> KeyedLimit<K> {
    /// A limit of `most` permits for each key, with at most `most_waiting` waiting callers for each key.
    pub fn new(most: u32, most_waiting: usize) -> Self {
        let shards = std::array::from_fn(|_| Mutex::new(HashMap::new()));
        Self(Arc::new(Shared { most: most.max(1), most_waiting, hasher: RandomState::new(), shards }))
    }

    /// A permit, if one is free.
    pub fn try_acquire(&self, key: K) -> Option<Permit<K>> {
        let mut shard = self.0.shard(&key);
        let entry = shard.entry(key).or_default();
        if entry.held >= self.0.most {
            return None;
        }
        entry.held += 1;
        Some(Permit { limit: Some(self.0.clone()), key })
    }

    /// A permit, after a wait of at most `timeouts` when all are taken. `None` after that time, or when too many callers wait
    /// already.
    pub async fn acquire(&self, key: K, timeouts: Duration) -> Option<Permit<K>> {
        let permit = {
            let mut shard = self.0.shard(&key);
            let entry = shard.entry(key).or_default();
            if entry.held < self.0.most {
                entry.held += 1;
                return Some(Permit { limit: Some(self.0.clone()), key });
            }
            entry.waiting.retain(|waiting| !waiting.is_closed());
            if entry.waiting.len() >= self.0.most_waiting {
                return None;
            }
            let (sender, permit) = oneshot::channel();
            entry.waiting.push_back(sender);
            permit
        };
        timeout(timeouts, permit).await.ok()?.ok()
    }

    #[cfg(test)]
    fn keys(&self) -> usize {
        self.0.shards.iter().map(|shard| shard.lock().unwrap().len()).sum()
    }
}

impl<K: Eq + Hash + Copy> Default for Entry<K> {
    fn default() -> Self {
        Self { held: 0, waiting: VecDeque::new() }
    }
}

impl<K: Eq + Hash + Copy> Shared<K> {
    fn shard(&self, key: &K) -> MutexGuard<'_, HashMap<K, Entry<K>>> {
        let shard = self.hasher.hash_one(key) as usize % SHARDS;
        self.shards[shard].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The caller that has waited longest, if any; otherwise the permit counts as returned.
    fn release(&self, key: &K) -> Option<oneshot::Sender<Permit<K>>> {
        let mut shard = self.shard(key);
        let entry = shard.get_mut(key)?;
        let next = entry.waiting.pop_front();
        if next.is_none() {
            entry.held -= 1;
            if entry.held == 0 {
                shard.remove(key);
            }
        }
        next
    }
}

impl<K: Eq + Hash + Copy> Drop for Permit<K> {
    fn drop(&mut self) {
        let Some(limit) = self.limit.take() else { return };
        while let Some(next) = limit.release(&self.key) {
            let passed_on = next.send(Permit { limit: Some(limit.clone()), key: self.key });
            match passed_on {
                Ok(()) => return,
                // The caller has gone. The permit goes to the next one and must not be returned here a second time.
                Err(mut permit) => permit.limit = None,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOON: Duration = Duration::from_millis(20);

    #[tokio::test]
    async fn a_key_has_as_many_permits_as_the_limit_and_no_other_key_notices() {
        let limit = KeyedLimit::new(2, 10);
        let held = (limit.try_acquire(1).unwrap(), limit.acquire(1, SOON).await.unwrap());
        assert!(limit.try_acquire(1).is_none() && limit.acquire(1, SOON).await.is_none());
        assert!(limit.try_acquire(2).is_some());
        drop(held.0);
        assert!(limit.acquire(1, SOON).await.is_some());
        drop(held.1);
        assert_eq!(limit.keys(), 0);
    }

    #[tokio::test]
    async fn a_permit_goes_to_the_caller_that_waits_longest_and_past_those_that_left() {
        let limit = KeyedLimit::new(1, 10);
        let held = limit.try_acquire(1).unwrap();
        let waiting = |limit: &KeyedLimit<i32>| {
            let limit = limit.clone();
            tokio::spawn(async move { limit.acquire(1, Duration::from_secs(60)).await })
        };
        let first = waiting(&limit);
        tokio::task::yield_now().await;
        let second = waiting(&limit);
        tokio::task::yield_now().await;
        first.abort();
        let _ = first.await;
        drop(held);
        let second = second.await.unwrap().unwrap();
        assert!(limit.try_acquire(1).is_none());
        drop(second);
        assert_eq!(limit.keys(), 0);
    }

    #[tokio::test]
    async fn no_more_wait_than_may() {
        let limit = KeyedLimit::new(1, 1);
        let held = limit.try_acquire(1);
        let queue = limit.clone();
        let waiting = tokio::spawn(async move { queue.acquire(1, Duration::from_secs(60)).await.is_some() });
        tokio::task::yield_now().await;
        assert!(limit.acquire(1, Duration::from_secs(60)).await.is_none());
        drop(held);
        assert!(waiting.await.unwrap());
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn permits_are_never_lost_when_callers_come_and_go() {
        let limit = KeyedLimit::new(3, 100);
        let mut callers = tokio::task::JoinSet::new();
        for number in 0..500_u64 {
            let limit = limit.clone();
            callers.spawn(async move {
                let timeouts = Duration::from_micros(number % 7 * 100);
                if let Some(permit) = limit.acquire(number % 3, timeouts).await {
                    tokio::time::sleep(Duration::from_micros(number % 5 * 50)).await;
                    drop(permit);
                }
            });
        }
        callers.join_all().await;
        assert_eq!(limit.keys(), 0);
        assert!((0..3).all(|_| limit.try_acquire(1).map(std::mem::forget).is_some()));
    }
}
