//! Rows that are found by a key, each of them once.
use std::borrow::Borrow;
use std::hash::Hash;

use foldhash::HashMap;

/// Rows by a key. Of rows with the same key each is taken once, the first one first.
#[derive(Debug)]
pub struct RowsByKey<K> {
    first: HashMap<K, Option<usize>>,
    /// For each row the next one with the same key.
    next: Vec<Option<usize>>,
}

impl<K: Eq + Hash> RowsByKey<K> {
    /// These rows of a file with `rows` rows, in the file's order.
    pub fn of(keys: impl DoubleEndedIterator<Item = (K, usize)>, rows: usize) -> Self {
        let mut by_key =
            Self { first: HashMap::with_capacity_and_hasher(rows, Default::default()), next: vec![None; rows] };
        for (key, row) in keys.rev() {
            by_key.next[row] = by_key.first.insert(key, Some(row)).flatten();
        }
        by_key
    }

    /// The first row with this key that was not taken.
    pub fn take<Q: ?Sized + Eq + Hash>(&mut self, key: &Q) -> Option<usize>
    where
        K: Borrow<Q>,
    {
        let first = self.first.get_mut(key)?;
        let row = (*first)?;
        *first = self.next[row];
        Some(row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_rows_are_taken_in_their_order_and_each_once() {
        let mut rows = RowsByKey::of([("dune", 1), ("emma", 2), ("dune", 4)].into_iter(), 5);
        assert_eq!(
            ["dune", "dune", "dune", "emma", "momo"].map(|key| rows.take(key)),
            [Some(1), Some(4), None, Some(2), None]
        );
    }
}
