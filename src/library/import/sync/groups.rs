//! Finds the rows of the last files and of the new one that are about the same book: by the tracker's own key, otherwise by title and
//! author.
use std::collections::BTreeSet;

use foldhash::HashMap;

use super::base::Base;

use crate::library::import::dedupe::EntryId;
use crate::library::import::edition::{Name, name_of};
use crate::library::import::said::Rows;

/// The rows about one book.
#[derive(Debug, Clone, Copy)]
pub struct Group<'g> {
    /// Rows of the new file: indices of [`Plan::rows`](crate::library::import::plan::Plan::rows).
    pub new: &'g [usize],
    /// Rows of the last files: indices of [`Base::rows`].
    pub last: &'g [usize],
}

/// The books of the new file, and those that are only in the last ones.
#[derive(Debug)]
pub struct Groups {
    new: Members,
    last: Members,
    /// For each book that the library has and the new file has not, one of its entries.
    pub gone: Vec<EntryId>,
}

impl Groups {
    /// The books in the order of the new file.
    pub fn iter(&self) -> impl Iterator<Item = Group<'_>> {
        (0..self.new.ends.len()).map(|group| Group { new: self.new.of_group(group), last: self.last.of_group(group) })
    }
}

/// Rows in the order of their groups.
#[derive(Debug)]
struct Members {
    rows: Vec<usize>,
    /// For each group where its rows end.
    ends: Vec<usize>,
}

impl Members {
    /// `group_of` is the group of each row that has one.
    fn new(groups: usize, group_of: &[Option<usize>]) -> Self {
        let grouped = || group_of.iter().enumerate().filter_map(|(row, group)| Some((row, (*group)?)));
        let mut ends = vec![0; groups];
        grouped().for_each(|(_, group)| ends[group] += 1);
        let mut before = 0;
        for end in &mut ends {
            // Where the group begins, until its rows are placed.
            (before, *end) = (before + *end, before);
        }
        let mut rows = vec![0; before];
        for (row, group) in grouped() {
            rows[ends[group]] = row;
            ends[group] += 1;
        }
        Self { rows, ends }
    }

    fn of_group(&self, group: usize) -> &[usize] {
        &self.rows[group.checked_sub(1).map_or(0, |before| self.ends[before])..self.ends[group]]
    }
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

/// Groups the rows of both files.
pub fn group(new: &Rows<'_>, base: &Base) -> Groups {
    let rows = &new.plan().rows;
    let mut groups: HashMap<Identity<'_>, usize> = HashMap::with_capacity_and_hasher(rows.len(), Default::default());
    // The first row of each group.
    let mut firsts = Vec::with_capacity(rows.len());
    let mut of_new = Vec::with_capacity(rows.len());
    for (row, kept) in rows.iter().enumerate() {
        let group = *groups.entry(Identity::new(kept.own_key.as_deref(), || new.name(row))).or_insert(firsts.len());
        if group == firsts.len() {
            firsts.push(row);
        }
        of_new.push(Some(group));
    }
    let mut of_last: Vec<Option<usize>> = base
        .rows
        .iter()
        .map(|last| {
            let by_identity = || {
                let said = Some(&last.said).filter(|said| !said.readings.is_empty())?;
                groups.get(&Identity::new(said.own_key.as_deref(), || said.name())).copied()
            };
            last.same.map_or_else(by_identity, |row| of_new[row])
        })
        .collect();
    let gone = find_by_name(&firsts, &mut of_last, new, base);
    Groups { new: Members::new(firsts.len(), &of_new), last: Members::new(firsts.len(), &of_last), gone }
}

/// Finds rows whose key has changed by title and author. `firsts` are the first rows of the groups. Returns an entry of each book that is
/// not found.
fn find_by_name(firsts: &[usize], of_last: &mut [Option<usize>], new: &Rows<'_>, base: &Base) -> Vec<EntryId> {
    if of_last.iter().all(Option::is_some) {
        return Vec::new();
    }
    let mut has_last = vec![false; firsts.len()];
    of_last.iter().flatten().for_each(|group| has_last[*group] = true);
    let mut free: HashMap<Name, Vec<usize>> = HashMap::default();
    for (group, row) in firsts.iter().enumerate().rev().filter(|(group, _)| !has_last[*group]) {
        free.entry(new.name(*row)).or_default().push(group);
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
