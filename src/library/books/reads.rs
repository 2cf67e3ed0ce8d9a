//! Reads: a book's row is one read of it, and the rows of a work are the reads of one book (docs/rules.md, "Reads").
use chrono::NaiveDate;

use super::model::{BookId, BookStatus};

/// The most reads of a work.
pub const MOST_READS: usize = 200;
/// The most days in the log of a read.
pub const MOST_DAYS: usize = 1_000;

/// The work that a new read belongs to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum TargetWork {
    /// The lowest work with a read of the same title and author, if it takes one more; otherwise a work of its own.
    #[default]
    ByName,
    /// A work of its own.
    Alone,
    Work(BookId),
}

/// Why a read is not added, joined or changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadRefusal {
    /// The work has a read in progress, and would have a second one.
    AlreadyReading(BookId),
    /// The work would have more than [`MOST_READS`] reads.
    TooManyReads,
    /// The read would have more than [`MOST_DAYS`] days.
    TooManyDays,
    /// The read is finished, and the day is not one of its log.
    Finished,
}

/// What matters of a work for a new read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WorkState {
    /// The number of its reads.
    pub reads: usize,
    /// The newest of its reads in progress.
    pub open: Option<BookId>,
    /// Whether one of its reads is finished.
    pub finished: bool,
}

impl WorkState {
    pub fn add(&mut self, id: BookId, status: BookStatus) {
        self.reads += 1;
        if status == BookStatus::InProgress {
            self.open = self.open.max(Some(id));
        }
        self.finished |= status.is_finished();
    }

    /// Whether the work takes a further read of this status.
    ///
    /// # Errors
    /// [`ReadRefusal::AlreadyReading`], [`ReadRefusal::TooManyReads`].
    pub fn takes(&self, status: BookStatus) -> Result<(), ReadRefusal> {
        match self.open {
            Some(open) if status == BookStatus::InProgress => Err(ReadRefusal::AlreadyReading(open)),
            _ if self.reads >= MOST_READS => Err(ReadRefusal::TooManyReads),
            _ => Ok(()),
        }
    }

    /// The work that both would be.
    ///
    /// # Errors
    /// [`ReadRefusal::AlreadyReading`] where both have a read in progress, [`ReadRefusal::TooManyReads`].
    pub fn joined(self, other: Self) -> Result<Self, ReadRefusal> {
        match (self.open, other.open) {
            (Some(one), Some(two)) => Err(ReadRefusal::AlreadyReading(one.max(two))),
            _ if self.reads + other.reads > MOST_READS => Err(ReadRefusal::TooManyReads),
            (open, other_open) => Ok(Self {
                reads: self.reads + other.reads,
                open: open.or(other_open),
                finished: self.finished || other.finished,
            }),
        }
    }
}

/// The place of a read in the order of its work: undated reads first, then by the last known day, those in progress last.
pub fn order_of(
    status: BookStatus,
    completed: Option<NaiveDate>,
    stopped: Option<NaiveDate>,
    start: Option<NaiveDate>,
) -> (u8, Option<NaiveDate>) {
    let group = match status {
        BookStatus::Undated => 0,
        BookStatus::Completed | BookStatus::DidNotFinish => 1,
        BookStatus::InProgress => 2,
    };
    (group, completed.or(stopped).or(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_work_takes_one_read_in_progress_and_two_hundred_reads() {
        let mut work = WorkState::default();
        assert_eq!(work.takes(BookStatus::InProgress), Ok(()));
        work.add(BookId(7), BookStatus::InProgress);
        assert_eq!(work.takes(BookStatus::InProgress), Err(ReadRefusal::AlreadyReading(BookId(7))));
        assert_eq!((work.takes(BookStatus::Undated), work.finished), (Ok(()), false));
        (8..207).for_each(|id| work.add(BookId(id), BookStatus::DidNotFinish));
        assert_eq!((work.takes(BookStatus::Undated), work.finished), (Err(ReadRefusal::TooManyReads), false));
        assert_eq!(work.joined(WorkState::default()).map(|both| both.reads), Ok(200));
    }

    #[test]
    fn two_works_join_unless_both_have_a_read_in_progress() {
        let open = |id| WorkState { reads: 1, open: Some(BookId(id)), finished: false };
        let done = WorkState { reads: 199, open: None, finished: true };
        assert_eq!(open(3).joined(open(5)), Err(ReadRefusal::AlreadyReading(BookId(5))));
        assert_eq!(open(3).joined(done), Ok(WorkState { reads: 200, open: Some(BookId(3)), finished: true }));
        assert_eq!(done.joined(done), Err(ReadRefusal::TooManyReads));
    }
}
