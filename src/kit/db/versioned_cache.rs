//! What was read from the database, remembered for as long as nothing is committed to it.
//!
//! [`Db::version`](crate::kit::db::pool::Db::version) changes with every commit. Who asks for it before reading, and puts what was read
//! under that version, can never find anything here that has changed since.
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::kit::db::change_counter::DataVersion;

/// Beyond this many entries everything is forgotten.
const MOST: usize = 10_000;

/// Values by key, of one version of the database.
#[derive(Debug)]
pub struct VersionedCache<K, V>(Mutex<Entries<K, V>>);

#[derive(Debug)]
struct Entries<K, V> {
    version: Option<DataVersion>,
    values: HashMap<K, V>,
}

impl<K, V> Default for VersionedCache<K, V> {
    fn default() -> Self {
        Self(Mutex::new(Entries { version: None, values: HashMap::new() }))
    }
}

impl<K: Eq + Hash, V: Clone> VersionedCache<K, V> {
    /// What is known of a key, when it was read from the version that still stands.
    pub fn get(&self, version: Option<DataVersion>, key: &K) -> Option<V> {
        let known = self.known();
        known.values.get(key).filter(|_| version.is_some() && version == known.version).cloned()
    }

    /// Keeps what was read; `version` is from before the reading.
    pub fn put(&self, version: Option<DataVersion>, key: K, value: V) {
        let mut known = self.known();
        if version.is_none() || version < known.version {
            return;
        }
        if version > known.version || known.values.len() >= MOST {
            known.values.clear();
        }
        known.version = version;
        known.values.insert(key, value);
    }

    /// A panic of another thread leaves whole values behind: none is changed in place.
    fn known(&self) -> MutexGuard<'_, Entries<K, V>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_older_version_said_is_neither_given_nor_kept() {
        let memo = VersionedCache::default();
        memo.put(Some((1, 0)), "a", 1);
        assert_eq!(
            (memo.get(Some((1, 0)), &"a"), memo.get(Some((2, 0)), &"a"), memo.get(None, &"a")),
            (Some(1), None, None)
        );
        memo.put(Some((2, 0)), "b", 2);
        assert_eq!((memo.get(Some((2, 0)), &"a"), memo.get(Some((2, 0)), &"b")), (None, Some(2)));
        memo.put(Some((1, 0)), "a", 1);
        memo.put(None, "a", 1);
        assert_eq!((memo.get(Some((1, 0)), &"a"), memo.get(Some((2, 0)), &"a")), (None, None));
    }
}
