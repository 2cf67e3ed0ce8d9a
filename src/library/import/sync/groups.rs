//! Finds the rows of the last files and of the new one that are about the same book: by the tracker's own key, otherwise by title and
//! author.
use std::collections::BTreeSet;

use foldhash::HashMap;

use super::base::Base;

use crate::library::import::dedupe::EntryId;
use crate::library::import::edition::{Name, name_of};
use crate::library::import::said::Rows;

/// The rows about one book.
#[derive(Debug, Clone, Default)]
pub struct Group {
    /// Rows of the new file: indices of [`Plan::rows`](crate::library::import::plan::Plan::rows).
    pub new: Vec<usize>,
    /// Rows of the last files: indices of [`Base::rows`].
    pub last: Vec<usize>,
}

/// How the row of a book is found in another file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Identity<'k> {
    Key(&'k str),
    Name(Name),
}

impl<'k> Identity<'k> {
    fn new(own_key: Option<&'k str>, name: impl FnOnce() -> Name) -> Self {
        own_key.map_or_else(|| Self::Name(name()), Self::Key)
    }
}

/// Groups the rows of both files, in the order of the new one. Also returns an entry of each book that the library has and the new file
/// has not.
pub fn group(new: &Rows<'_>, base: &Base) -> (Vec<Group>, Vec<EntryId>) {
    let rows = &new.plan().rows;
    let mut of_identity: HashMap<Identity<'_>, usize> =
        HashMap::with_capacity_and_hasher(rows.len(), Default::default());
    let mut groups: Vec<Group> = Vec::with_capacity(rows.len());
    let mut of_new = Vec::with_capacity(rows.len());
    for (row, kept) in rows.iter().enumerate() {
        let identity = Identity::new(kept.own_key.as_deref(), || new.name(row));
        let group = *of_identity.entry(identity).or_insert(groups.len());
        if group == groups.len() {
            groups.push(Group::default());
        }
        groups[group].new.push(row);
        of_new.push(group);
    }
    let mut of_last: Vec<Option<usize>> = base
        .rows
        .iter()
        .map(|last| {
            let by_identity = || {
                let said = Some(&last.said).filter(|said| !said.readings.is_empty())?;
                of_identity.get(&Identity::new(said.own_key.as_deref(), || said.name())).copied()
            };
            last.same.map_or_else(by_identity, |row| Some(of_new[row]))
        })
        .collect();
    let gone = find_by_name(&groups, &mut of_last, new, base);
    for (row, group) in of_last.iter().enumerate() {
        if let Some(group) = group {
            groups[*group].last.push(row);
        }
    }
    (groups, gone)
}

/// Finds rows whose key has changed by title and author. Returns an entry of each book that is
/// not found.
fn find_by_name(groups: &[Group], of_last: &mut [Option<usize>], new: &Rows<'_>, base: &Base) -> Vec<EntryId> {
    if of_last.iter().all(Option::is_some) {
        return Vec::new();
    }
    let mut has_last = vec![false; groups.len()];
    of_last.iter().flatten().for_each(|group| has_last[*group] = true);
    let mut free: HashMap<Name, Vec<usize>> = HashMap::default();
    for at in (0..groups.len()).rev().filter(|at| !has_last[*at]) {
        free.entry(new.name(groups[at].new[0])).or_default().push(at);
    }
    let passed_over: BTreeSet<Identity<'_>> = new
        .plan()
        .passed_over
        .iter()
        .flat_map(|book| {
            [book.own_key.as_deref().map(Identity::Key), Some(Identity::Name(name_of(&book.title, &book.author)))]
        })
        .flatten()
        .collect();
    let mut found: HashMap<Identity<'_>, usize> = HashMap::default();
    let (mut gone, mut missing) = (Vec::new(), BTreeSet::new());
    for (last, group) in base.rows.iter().zip(of_last).filter(|(_, group)| group.is_none()) {
        if last.said.readings.is_empty() {
            continue;
        }
        let name = last.said.name();
        let identity = Identity::new(last.said.own_key.as_deref(), || name.clone());
        *group = found.get(&identity).copied().or_else(|| free.get_mut(&name)?.pop());
        match (*group, base.ties(last).first()) {
            (Some(group), _) => {
                found.insert(identity, group);
            }
            (None, Some(tie)) => {
                let is_passed_over = passed_over.contains(&identity) || passed_over.contains(&Identity::Name(name));
                if !is_passed_over && missing.insert(identity) {
                    gone.push(tie.entry);
                }
            }
            (None, None) => {}
        }
    }
    gone
}
