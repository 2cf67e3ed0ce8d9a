//! Counts within a window of time, in bounded memory.
use std::collections::HashMap;
use std::hash::Hash;

use chrono::{DateTime, TimeDelta, Utc};

/// The most keys that are counted. Beyond that the oldest makes room, so that invented addresses neither fill the memory nor clear
/// the other counts.
const MOST_KEYS: usize = 50_000;

/// How often something happened since its first time, for each key. A count starts again when the window has passed.
#[derive(Debug)]
pub struct Window<K> {
    length: TimeDelta,
    counts: HashMap<K, Count>,
}

/// The count of one key.
#[derive(Debug, Clone, Copy)]
pub struct Count {
    pub times: u32,
    pub first: DateTime<Utc>,
    pub last: DateTime<Utc>,
}

impl<K: Hash + Eq + Clone> Window<K> {
    pub fn new(length: TimeDelta) -> Self {
        Self { length, counts: HashMap::new() }
    }

    /// Counts once more, and returns the new number.
    pub fn count(&mut self, key: K, now: DateTime<Utc>) -> u32 {
        self.make_room(&key, now);
        let count = self.counts.entry(key).or_insert(Count { times: 0, first: now, last: now });
        if now - count.first >= self.length {
            *count = Count { times: 0, first: now, last: now };
        }
        count.times = count.times.saturating_add(1);
        count.last = now;
        count.times
    }

    pub fn get(&self, key: &K) -> Option<Count> {
        self.counts.get(key).copied()
    }

    /// When a key that has been counted `most` times may be counted again; `None` when it may now.
    pub fn full_until(&self, key: &K, most: u32, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        let count = self.counts.get(key).filter(|count| count.times >= most)?;
        Some(count.first + self.length).filter(|until| *until > now)
    }

    /// Takes one count back.
    pub fn take_back(&mut self, key: &K) {
        if let Some(count) = self.counts.get_mut(key) {
            count.times = count.times.saturating_sub(1);
        }
    }

    pub fn forget(&mut self, key: &K) {
        self.counts.remove(key);
    }

    fn make_room(&mut self, key: &K, now: DateTime<Utc>) {
        if self.counts.len() < MOST_KEYS || self.counts.contains_key(key) {
            return;
        }
        self.counts.retain(|_, count| now - count.first < self.length);
        let oldest = self.counts.iter().min_by_key(|(_, count)| count.first).map(|(oldest, _)| oldest.clone());
        if let Some(oldest) = oldest.filter(|_| self.counts.len() >= MOST_KEYS) {
            self.counts.remove(&oldest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invented_keys_forget_no_count_but_the_oldest() {
        let mut counts = Window::new(TimeDelta::hours(1));
        let at = |seconds: i64| DateTime::from_timestamp(1_750_000_000 + seconds, 0).unwrap();
        counts.count("first".to_owned(), at(0));
        counts.count("nora".to_owned(), at(1));
        for number in 0..MOST_KEYS - 1 {
            counts.count(format!("invented {number}"), at(2));
        }
        assert_eq!(counts.counts.len(), MOST_KEYS);
        assert_eq!(counts.count("nora".to_owned(), at(3)), 2, "the count of another address is kept");
        assert_eq!(counts.count("first".to_owned(), at(3)), 1, "the oldest made room");
        assert_eq!(counts.count("nora".to_owned(), at(3_601)), 1, "after one hour the count restarts");
    }
}
