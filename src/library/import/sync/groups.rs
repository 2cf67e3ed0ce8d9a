//! Finds the rows of the last files and of the new one that are about the same book: by the tracker's own key, otherwise by title and
//! author.
use std::collections::{BTreeSet, HashMap};

use super::base::Base;
use super::rows::{KnownRows, Name, Rows, name_of};
use crate::library::import::dedupe::EntryId;

/// The rows about one book.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Group {
    /// Rows of the new file: indices of [`Plan::rows`](crate::library::import::plan::Plan::rows).
    pub new: Vec<usize>,
    /// Rows of the last files: indices of [`Base::rows`].
    pub last: Vec<usize>,
}

/// The books of the new file, and those that are only in the last ones.
#[derive(Debug, Default)]
pub struct Groups {
    pub groups: Vec<Group>,
    /// For each book that the library has and the new file has not, one of its entries.
    pub gone: Vec<EntryId>,
}

/// How the row of a book is found in another file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Identity {
    Key(String),
    Name(Name),
}

/// Groups the rows of both files.
pub fn group(new: &Rows<'_>, base: &Base, known: &KnownRows) -> Groups {
    let plan = new.plan();
    let mut groups: Vec<Group> = Vec::new();
    let mut group_of: HashMap<Identity, usize> = HashMap::with_capacity(plan.rows.len());
    let mut by_row = Vec::with_capacity(plan.rows.len());
    for (row, kept) in plan.rows.iter().enumerate() {
        let identity = kept.own_key.clone().map_or_else(|| Identity::Name(new.name(row)), Identity::Key);
        let at = *group_of.entry(identity).or_insert_with(|| {
            groups.push(Group::default());
            groups.len() - 1
        });
        groups[at].new.push(row);
        by_row.push(at);
    }
    let mut open = Vec::new();
    for (at, last) in base.rows.iter().enumerate() {
        let identity = || {
            let row = known.get(last.id)?;
            group_of.get(&row.own_key.clone().map_or_else(|| Identity::Name(row.name()), Identity::Key)).copied()
        };
        match last.same.map(|row| by_row[row]).or_else(identity) {
            Some(group) => groups[group].last.push(at),
            None => open.push(at),
        }
    }
    let gone = find_by_name(&mut groups, new, base, known, open);
    Groups { groups, gone }
}

/// Finds rows whose key has changed by title and author. Returns an entry of each book that is not found.
fn find_by_name(
    groups: &mut [Group],
    new: &Rows<'_>,
    base: &Base,
    known: &KnownRows,
    open: Vec<usize>,
) -> Vec<EntryId> {
    if open.is_empty() {
        return Vec::new();
    }
    let mut free: HashMap<Name, Vec<usize>> = HashMap::new();
    for (at, group) in groups.iter().enumerate().rev().filter(|(_, group)| group.last.is_empty()) {
        free.entry(new.name(group.new[0])).or_default().push(at);
    }
    let rejected: BTreeSet<Identity> = new
        .plan()
        .rejected_books
        .iter()
        .flat_map(|book| {
            [book.own_key.clone().map(Identity::Key), Some(Identity::Name(name_of(&book.title, &book.author)))]
        })
        .flatten()
        .collect();
    let mut found: HashMap<Identity, usize> = HashMap::new();
    let (mut gone, mut missing) = (Vec::new(), BTreeSet::new());
    for at in open {
        let last = &base.rows[at];
        let Some(row) = known.get(last.id) else { continue };
        let name = row.name();
        let identity = row.own_key.clone().map_or_else(|| Identity::Name(name.clone()), Identity::Key);
        let group = found.get(&identity).copied().or_else(|| free.get_mut(&name)?.pop());
        match (group, last.entries.first()) {
            (Some(group), _) => {
                groups[group].last.push(at);
                found.insert(identity, group);
            }
            (None, Some((entry, _))) => {
                let is_rejected = rejected.contains(&identity) || rejected.contains(&Identity::Name(name));
                if !is_rejected && missing.insert(identity) {
                    gone.push(*entry);
                }
            }
            (None, None) => {}
        }
    }
    gone
}
