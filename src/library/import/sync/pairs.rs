//! Finds out which readings of the new file are which of the last one.
use std::cmp::Reverse;

use chrono::NaiveDate;

use super::merge::Rank;

/// What matters of a reading of either file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reading {
    /// A hash that is equal for the same cells.
    pub key: [u8; 16],
    /// The key of its row: later files have higher ones.
    pub row: i64,
    /// Which reading of its row it is.
    pub nth: i64,
    pub rank: Rank,
    /// The first and the last possible day of completion.
    pub completed: Option<(NaiveDate, NaiveDate)>,
    /// Whether the library has it.
    pub is_here: bool,
}

/// The readings of a book in both files, as indices into the last file's readings and the new file's.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pairs {
    /// Readings that are the same.
    pub same: Vec<(usize, usize)>,
    /// Readings that only the new file has.
    pub fresh: Vec<usize>,
    /// Readings that the new file calls open beside a finished one of the last file.
    pub again: Vec<(usize, usize)>,
    /// Readings of the last file that the library does not have, and that have moved forward: the new file's are among `fresh`.
    pub moved_on: Vec<usize>,
}

/// Pairs the readings of a book. `more` is how many readings more than the last file the new one counts.
pub fn pair(last: &[Reading], new: &[Reading], more: usize) -> Pairs {
    let mut pairing =
        Pairing { last, new, used: vec![false; last.len()], paired: vec![false; new.len()], same: Vec::new() };
    pairing.each(|one, other| (one.key, one.nth) == (other.key, other.nth));
    pairing.each(|one, other| one.is_here && is_alike(one, other));
    pairing.each(is_alike);
    let finished = pairing.move_forward();
    let mut fresh = pairing.corrected(more.saturating_sub(finished));
    let mut again = Vec::new();
    for at in pairing.open() {
        let rank = new[at].rank;
        let ahead =
            pairing.free().filter(|last_at| last[*last_at].rank > rank).max_by_key(|last_at| last[*last_at].is_here);
        let finished = || last.iter().position(|reading| reading.rank == Rank::Finished && reading.is_here);
        match (ahead, rank) {
            (Some(ahead), _) => pairing.take(ahead, at),
            // The row waits to be read, and its book was read.
            (None, Rank::Waiting) => {}
            (None, Rank::Open) => match finished() {
                Some(finished) => again.push((finished, at)),
                None => fresh.push(at),
            },
            (None, _) => fresh.push(at),
        }
    }
    // A reading that was deleted in the library stays deleted, unless it has moved forward in the new file.
    let is_gone = |(one, other): &(usize, usize)| !last[*one].is_here && new[*other].rank > last[*one].rank;
    let (gone, mut same): (Vec<_>, Vec<_>) = pairing.same.into_iter().partition(is_gone);
    let (moved_on, moved): (Vec<_>, Vec<_>) = gone.into_iter().unzip();
    fresh.extend(moved);
    same.sort_unstable();
    fresh.sort_unstable();
    Pairs { same, fresh, again, moved_on }
}

fn is_alike(one: &Reading, other: &Reading) -> bool {
    one.rank == other.rank && one.completed == other.completed
}

struct Pairing<'r> {
    last: &'r [Reading],
    new: &'r [Reading],
    used: Vec<bool>,
    paired: Vec<bool>,
    same: Vec<(usize, usize)>,
}

impl Pairing<'_> {
    fn take(&mut self, one: usize, other: usize) {
        (self.used[one], self.paired[other]) = (true, true);
        self.same.push((one, other));
    }

    /// The readings of the last file without a partner.
    fn free(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.last.len()).filter(|at| !self.used[*at])
    }

    /// The readings of the new file without a partner, those with the furthest status first.
    fn open(&self) -> Vec<usize> {
        let mut open: Vec<usize> = (0..self.new.len()).filter(|at| !self.paired[*at]).collect();
        open.sort_by_key(|at| Reverse(self.new[*at].rank));
        open
    }

    fn each(&mut self, is_same: impl Fn(&Reading, &Reading) -> bool) {
        for at in 0..self.new.len() {
            let found = self.free().find(|one| is_same(&self.last[*one], &self.new[at]));
            if let Some(one) = found.filter(|_| !self.paired[at]) {
                self.take(one, at);
            }
        }
    }

    /// Pairs readings that have moved forward in the new file. Returns how many of them are finished there.
    fn move_forward(&mut self) -> usize {
        let mut finished = 0;
        for at in self.open() {
            let rank = self.new[at].rank;
            let before = self.free().filter(|one| self.last[*one].rank < rank);
            let found = before.max_by_key(|one| (self.last[*one].rank, self.last[*one].is_here, self.last[*one].row));
            if let Some(one) = found {
                self.take(one, at);
                finished += usize::from(rank == Rank::Finished);
            }
        }
        finished
    }

    /// Pairs finished readings whose dates were corrected. Returns those that are new: the newest, as many as the new file counts more.
    fn corrected(&mut self, more: usize) -> Vec<usize> {
        let day = |reading: &Reading| reading.completed.map(|(_, last)| last);
        let mut new: Vec<usize> = self.open().into_iter().filter(|at| self.new[*at].rank == Rank::Finished).collect();
        new.sort_by_key(|at| day(&self.new[*at]));
        let mut former: Vec<usize> = self.free().filter(|at| self.last[*at].rank == Rank::Finished).collect();
        former.sort_by_key(|at| (self.last[*at].row, day(&self.last[*at])));
        let corrected = new.len().saturating_sub(more).min(former.len());
        // Readings of earlier files are further reads that the tracker does not list any more.
        former.drain(..former.len() - corrected);
        let fresh = new.split_off(corrected);
        for (one, other) in former.into_iter().zip(new) {
            self.take(one, other);
        }
        for at in &fresh {
            self.paired[*at] = true;
        }
        fresh
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::text::date;

    fn reading(rank: Rank, day: &str) -> Reading {
        let completed = date(day).map(|day| (day, day));
        Reading { key: [0; 16], row: 0, nth: -9, rank, completed, is_here: true }
    }

    fn numbered(mut readings: Vec<Reading>, key: u8) -> Vec<Reading> {
        for (nth, reading) in (0..).zip(&mut readings) {
            (reading.key, reading.nth) = ([key; 16], nth);
        }
        readings
    }

    fn paired(last: Vec<Reading>, new: Vec<Reading>, more: usize) -> Pairs {
        pair(&numbered(last, 1), &numbered(new, 2), more)
    }

    #[test]
    fn a_new_date_is_a_correction_or_a_new_reading() {
        let (old, new) = (reading(Rank::Finished, "2024-01-05"), reading(Rank::Finished, "2026-02-02"));
        assert_eq!(paired(vec![old], vec![new], 0), Pairs { same: vec![(0, 0)], ..Pairs::default() });
        assert_eq!(paired(vec![old], vec![new], 1), Pairs { fresh: vec![0], ..Pairs::default() });
        let both = paired(vec![old], vec![new, old], 0);
        assert_eq!(both, Pairs { same: vec![(0, 1)], fresh: vec![0], ..Pairs::default() });
    }

    #[test]
    fn a_reading_moves_forward_and_an_open_one_beside_a_finished_one_is_asked_about() {
        let (waiting, open) = (reading(Rank::Waiting, ""), reading(Rank::Open, ""));
        let done = reading(Rank::Finished, "2024-01-05");
        assert_eq!(paired(vec![waiting], vec![done], 1).same, [(0, 0)]);
        assert_eq!(
            paired(vec![done, open], vec![reading(Rank::Finished, "2026-02-02"), done], 1).same,
            [(0, 1), (1, 0)]
        );
        assert_eq!(paired(vec![done], vec![open], 0).same, [(0, 0)], "back from finished");
        let again = paired(vec![done], vec![done, open], 0);
        assert_eq!((again.same, again.again), (vec![(0, 0)], vec![(0, 1)]));
        assert_eq!(paired(vec![done], vec![done, waiting], 0).same, [(0, 0)]);
    }

    #[test]
    fn a_deleted_reading_comes_back_only_when_it_has_moved_on() {
        let gone = |rank| Reading { is_here: false, ..reading(rank, "") };
        let done = reading(Rank::Finished, "2024-01-05");
        let moved = paired(vec![done, gone(Rank::Open)], vec![done, reading(Rank::Finished, "2026-02-02")], 1);
        assert_eq!((moved.fresh, moved.moved_on), (vec![1], vec![1]));
        let still = paired(vec![done, gone(Rank::Open)], vec![done, reading(Rank::Open, "")], 0);
        assert_eq!((still.fresh.len(), still.same.len(), still.again.len()), (0, 2, 0));
    }
}
