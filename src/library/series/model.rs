//! The figures of a series (docs/rules.md, "Series and tags").
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use serde::Serialize;
use utoipa::ToSchema;

use super::numbers::{spans, whole_numbers};
use crate::library::books::model::{BookId, BookStatus};
use crate::library::text::natural_order;

/// The most numbers that are listed as missing: a series of yearbooks may begin with number 1990.
const MOST_MISSING: usize = 200;

/// A series of the library.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct SeriesFigures {
    /// The name, as it was first written.
    pub name: String,
    /// How many different books of it are finished.
    pub read: usize,
    /// How many different books of it are in progress.
    pub open: usize,
    /// The numbers of its books as written, in order.
    pub known: Vec<String>,
    /// The whole numbers from 1 to the highest known one that no book has; at most 200. `1-3` has three of them.
    pub missing: Vec<i64>,
    /// The lowest whole number up to the highest known one, of the books or of an item of the list, that was neither finished nor given up;
    /// null when there is none, or when that book is in progress.
    #[schema(required)]
    pub next: Option<i64>,
}

/// Collects the books of one series.
#[derive(Debug, Default)]
pub struct Collector {
    name: String,
    finished: BTreeSet<BookId>,
    open: BTreeSet<BookId>,
    /// The numbers as written.
    known: BTreeSet<String>,
    /// The whole numbers that are finished or given up, those in progress, and those on the list.
    over: Vec<RangeInclusive<i64>>,
    under_way: Vec<RangeInclusive<i64>>,
    listed: Vec<RangeInclusive<i64>>,
}

impl Collector {
    pub fn new(name: &str) -> Self {
        Self { name: name.to_owned(), ..Self::default() }
    }

    pub fn add(&mut self, work: BookId, status: BookStatus, number: Option<&str>) {
        if let Some(number) = number
            && !self.known.contains(number)
        {
            self.known.insert(number.to_owned());
        }
        if status.is_finished() {
            self.finished.insert(work);
        } else if status == BookStatus::InProgress {
            self.open.insert(work);
        }
        let numbers = if status == BookStatus::InProgress { &mut self.under_way } else { &mut self.over };
        numbers.extend(number.into_iter().flat_map(spans).filter_map(|span| whole_numbers(&span)));
    }

    /// Adds the number of an item of the to-be-read list.
    pub fn add_listed(&mut self, number: &str) {
        self.listed.extend(spans(number).iter().filter_map(whole_numbers));
    }

    fn next(&mut self) -> Option<i64> {
        let all = [&self.over, &self.under_way, &self.listed].into_iter().flatten();
        let highest = all.map(|numbers| *numbers.end()).max()?;
        self.over.sort_unstable_by_key(|numbers| *numbers.start());
        let after =
            |next, numbers: &RangeInclusive<i64>| if numbers.contains(&next) { numbers.end() + 1 } else { next };
        let next = self.over.iter().fold(1, after);
        let is_open = self.under_way.iter().any(|numbers| numbers.contains(&next));
        Some(next).filter(|next| *next <= highest && !is_open)
    }

    pub fn finish(mut self) -> SeriesFigures {
        let next = self.next();
        let mut known: Vec<_> = self.known.into_iter().map(|number| (spans(&number), number)).collect();
        // By the number that they begin with, and texts without one last.
        let first = |spans: &[RangeInclusive<i64>]| spans.first().map_or(i64::MAX, |span| *span.start());
        known.sort_by(|(spans, number), (other_spans, other)| {
            first(spans).cmp(&first(other_spans)).then_with(|| natural_order(number, other))
        });
        let mut held: Vec<_> = known.iter().flat_map(|(spans, _)| spans).filter_map(whole_numbers).collect();
        held.sort_unstable_by_key(|whole| *whole.start());
        SeriesFigures {
            name: self.name,
            read: self.finished.len(),
            open: self.open.len(),
            missing: gaps(&held).take(MOST_MISSING).collect(),
            known: known.into_iter().map(|(_, number)| number).collect(),
            next,
        }
    }
}

/// The whole numbers from 1 on between these, which are in order.
fn gaps(held: &[RangeInclusive<i64>]) -> impl Iterator<Item = i64> {
    let mut next = 1;
    held.iter().flat_map(move |whole| {
        let gap = next..*whole.start();
        next = next.max(whole.end() + 1);
        gap
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figures(books: &[(i64, BookStatus, Option<&str>)]) -> SeriesFigures {
        let mut series = Collector::new("Earthsea");
        for (work, status, number) in books {
            series.add(BookId(*work), *status, *number);
        }
        series.finish()
    }

    #[test]
    fn whole_numbers_are_missing_and_next_and_others_are_listed() {
        use BookStatus::{Completed, DidNotFinish, InProgress, Undated};
        let found = figures(&[
            (1, Completed, Some("1")),
            (1, InProgress, Some("1")),
            (2, Undated, Some("1.5")),
            (3, InProgress, Some("4")),
            (4, DidNotFinish, Some("10")),
            (5, Completed, Some("1-3")),
            (6, Completed, None),
        ]);
        assert_eq!((found.read, found.open, found.next), (4, 2, None), "#4 is in progress");
        assert_eq!(found.known, ["1", "1-3", "1.5", "4", "10"]);
        assert_eq!(found.missing, [5, 6, 7, 8, 9]);
        assert_eq!(figures(&[(1, Undated, Some("1999"))]).missing.len(), 200);
    }

    #[test]
    fn next_is_the_lowest_known_number_that_is_not_over() {
        use BookStatus::{Completed, DidNotFinish, InProgress, Undated};
        let next = |books: &[(BookStatus, &str)], listed: &[&str]| {
            let mut series = Collector::new("Dune");
            for (work, (status, number)) in (1..).zip(books) {
                series.add(BookId(work), *status, Some(*number));
            }
            listed.iter().for_each(|number| series.add_listed(number));
            series.finish().next
        };
        let read = [(Completed, "1"), (Undated, "2"), (Completed, "4")];
        assert_eq!(next(&read, &["3"]), Some(3));
        assert_eq!(next(&read[..2], &[]), None, "nobody knows that there is another one");
        assert_eq!(next(&read[..2], &["3"]), Some(3));
        assert_eq!(next(&[(Completed, "1"), (DidNotFinish, "2"), (InProgress, "5")], &[]), Some(3));
        assert_eq!(next(&[(InProgress, "1")], &["2"]), None);
        assert_eq!(next(&[(Completed, "1"), (InProgress, "1")], &["2"]), Some(2), "a book that is read again");
        assert_eq!((next(&[(Undated, "0.5")], &[]), next(&[(Undated, "1-3")], &["4"])), (None, Some(4)));
    }

    #[test]
    fn numbers_that_are_texts_are_in_the_order_of_the_numbers_in_them() {
        let texts = ["10-12", "Part 10", "3-4", "Part 3", "3"].map(|number| (1, BookStatus::Undated, Some(number)));
        assert_eq!(figures(&texts).known, ["3", "3-4", "10-12", "Part 3", "Part 10"]);
    }
}
