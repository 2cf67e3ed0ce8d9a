//! The figures of a series (docs/rules.md, "Series and tags").
use std::collections::BTreeSet;

use serde::Serialize;
use utoipa::ToSchema;

use crate::library::books::facts::series_sort;
use crate::library::books::model::{BookId, Status};

/// The most numbers that are listed as missing: a series of yearbooks may begin with number 1990.
const MOST_MISSING: i64 = 200;

/// A series of the library.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = SeriesFigures)]
pub struct Figures {
    /// The name, as it was first written.
    pub name: String,
    /// How many different books of it are finished.
    pub read: usize,
    /// How many different books of it are in progress.
    pub open: usize,
    /// The numbers of its books as written, in order.
    pub known: Vec<String>,
    /// The whole numbers from 1 to the highest known one that no book has; at most 200.
    pub missing: Vec<i64>,
    /// The whole number after the highest one that is finished; null while none is.
    #[schema(required)]
    pub next: Option<i64>,
}

/// Collects the books of one series.
#[derive(Debug, Default)]
pub struct Collector {
    name: String,
    finished: BTreeSet<BookId>,
    open: BTreeSet<BookId>,
    /// The numbers as written, by their order: plain numbers first, and texts by [`text_order`].
    known: BTreeSet<(bool, i64, String, String)>,
    highest_finished: Option<i64>,
}

impl Collector {
    /// An empty series.
    pub fn new(name: &str) -> Self {
        Self { name: name.to_owned(), ..Self::default() }
    }

    /// Adds a read.
    pub fn add(&mut self, work: BookId, status: Status, number: Option<&str>) {
        let sort = number.and_then(series_sort);
        if let Some(number) = number {
            let text = if sort.is_none() { text_order(number) } else { String::new() };
            self.known.insert((sort.is_none(), sort.unwrap_or_default(), text, number.to_owned()));
        }
        if status.is_finished() {
            self.finished.insert(work);
            self.highest_finished = self.highest_finished.max(sort.and_then(whole));
        } else if status == Status::InProgress {
            self.open.insert(work);
        }
    }

    /// The figures.
    pub fn finish(self) -> Figures {
        let whole_numbers: BTreeSet<i64> =
            self.known.iter().filter(|(is_text, ..)| !is_text).filter_map(|(_, sort, ..)| whole(*sort)).collect();
        let highest = whole_numbers.last().copied().unwrap_or_default();
        let missing = (1..=highest).filter(|number| !whole_numbers.contains(number));
        Figures {
            name: self.name,
            read: self.finished.len(),
            open: self.open.len(),
            missing: missing.take(usize::try_from(MOST_MISSING).unwrap_or_default()).collect(),
            known: self.known.into_iter().map(|(.., number)| number).collect(),
            next: self.highest_finished.map(|number| number + 1),
        }
    }
}

/// A text by which `3-4` comes before `10-12`, and `Part 3` before `Part 10`: each digit run has the same width.
fn text_order(number: &str) -> String {
    let mut order = String::with_capacity(number.len() + 8);
    let mut digits = String::new();
    for character in number.chars().chain([' ']) {
        if character.is_ascii_digit() {
            digits.push(character);
            continue;
        }
        if !digits.is_empty() {
            order.push_str(&format!("{digits:0>9}"));
            digits.clear();
        }
        order.push(character);
    }
    order
}

/// A number in thousandths as a whole number, if it is one.
fn whole(thousandths: i64) -> Option<i64> {
    (thousandths % 1_000 == 0).then_some(thousandths / 1_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figures(books: &[(i64, Status, Option<&str>)]) -> Figures {
        let mut series = Collector::new("Earthsea");
        for (work, status, number) in books {
            series.add(BookId(*work), *status, *number);
        }
        series.finish()
    }

    #[test]
    fn whole_numbers_are_missing_and_next_and_others_are_listed() {
        use Status::{Completed, DidNotFinish, InProgress, Undated};
        let found = figures(&[
            (1, Completed, Some("1")),
            (1, InProgress, Some("1")),
            (2, Undated, Some("1.5")),
            (3, InProgress, Some("4")),
            (4, DidNotFinish, Some("10")),
            (5, Completed, Some("1-3")),
            (6, Completed, None),
        ]);
        assert_eq!((found.read, found.open, found.next), (4, 2, Some(2)));
        assert_eq!(found.known, ["1", "1.5", "4", "10", "1-3"]);
        assert_eq!(found.missing, [2, 3, 5, 6, 7, 8, 9]);
        assert_eq!(
            (figures(&[(1, InProgress, Some("1"))]).next, figures(&[(1, Undated, Some("0.5"))]).next),
            (None, None)
        );
        assert_eq!(figures(&[(1, Undated, Some("1999"))]).missing.len(), 200);
    }

    #[test]
    fn numbers_that_are_texts_are_in_the_order_of_the_numbers_in_them() {
        let texts = ["10-12", "Part 10", "3-4", "Part 3", "3"].map(|number| (1, Status::Undated, Some(number)));
        assert_eq!(figures(&texts).known, ["3", "3-4", "10-12", "Part 3", "Part 10"]);
    }
}
