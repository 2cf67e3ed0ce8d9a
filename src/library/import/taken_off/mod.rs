//! Items of the to-be-read list that an import takes off, because it brings a finished read of them. Undoing the import puts them
//! back.
pub mod store;

use std::collections::{HashMap, HashSet};

use super::edition::Name;
use super::formats::own::EXPORT;
use super::plan::Plan;
use crate::library::import::dedupe::DuplicateKey;
use crate::library::tbr::model::TbrId;

/// The items of a list by their names, without a series.
pub type Waiting = HashMap<Name, Vec<TbrId>>;

/// An item that a new book takes off the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TakenOff {
    pub item: TbrId,
    /// The position of the book among the new ones.
    pub book: usize,
}

/// Finds the items whose books are among the new finished ones, by their names. `new` are the indices of [`Plan::books`] to be
/// written. An item that the file itself has on its list stays on the list: `listed` are these. All items stay when one of our own files
/// is restored, because its list is a file of its own.
pub fn find<'l>(
    plan: &Plan,
    duplicate_keys: &[DuplicateKey],
    listed: impl Iterator<Item = &'l Name>,
    new: &[usize],
    waiting: &Waiting,
) -> Vec<TakenOff> {
    if waiting.is_empty() || plan.format == EXPORT.name {
        return Vec::new();
    }
    let listed: HashSet<(&str, &str)> = listed.map(|(title, author)| (title.as_str(), author.as_str())).collect();
    let mut found = Vec::new();
    let mut taken = HashSet::new();
    for (book, index) in new.iter().enumerate() {
        let (title, author, ..) = &duplicate_keys[*index];
        if !plan.books[*index].draft.status.is_finished() || listed.contains(&(title.as_str(), author.as_str())) {
            continue;
        }
        let equal = waiting.get(&(title.clone(), author.clone())).into_iter().flatten();
        found.extend(equal.filter(|item| taken.insert(**item)).map(|item| TakenOff { item: *item, book }));
    }
    found
}
