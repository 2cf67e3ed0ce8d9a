//! A cache of data from the database that is valid until the next commit.
//!
//! [`Db::version`](crate::kit::db::pool::Db::version) changes with every commit. Ask for the version before reading and store the
//! data under that version: then the cache never returns outdated data.
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::kit::db::change_counter::DataVersion;

/// Above this many entries the whole cache is cleared.
const MOST: usize = 10_000;

/// Values by key, all from one version of the database.
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
    /// The value of a key, if it was read from the given version.
    pub fn get(&self, version: Option<DataVersion>, key: &K) -> Option<V> {
        let known = self.known();
        known.values.get(key).filter(|_| version.is_some() && version == known.version).cloned()
    }

    /// Stores a value; `version` must have been read before the value.
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

    /// A panic in another thread leaves complete entries: none is changed in place.
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
