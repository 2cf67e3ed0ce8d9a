//! What of a plan is new: rows imported before and books already there are left out, the cap is kept, rereads are found.
use std::collections::{HashMap, HashSet};

use chrono::NaiveDate;

use super::plan::{Plan, Planned};
use crate::library::books::model::{BookDraft, Status};
use crate::library::counters::Quota;
use crate::library::tbr::store::Folded;
use crate::library::text;

/// Who made what: the key of a row's words, and which of its readings.
pub type Maker = ([u8; 16], i64);

/// What makes two books equal: folded title and author, status and day.
pub type Likeness = (String, String, Status, Option<NaiveDate>);

/// What of a library matters for a plan.
#[derive(Debug, Default)]
pub struct ExistingBooks {
    /// Books by the row that made them.
    pub made_books: HashMap<Maker, Vec<i64>>,
    /// Items, and books that began as items, by the row that made them.
    pub made_items: HashMap<[u8; 16], Vec<Entry>>,
    /// Books that equal one of the plan's.
    pub books: HashMap<Likeness, Vec<i64>>,
    /// Items that equal one of the plan's: folded title and author.
    pub items: HashMap<(String, String), Vec<i64>>,
    /// Folded titles and authors among the plan's that are finished in the library.
    pub finished: HashSet<(String, String)>,
}

/// Something that an account has no room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overflow {
    /// An index of [`Plan::books`].
    Book(usize),
    /// An index of [`Plan::items`].
    Item(usize),
}

/// Something that a row of a to-read shelf made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Entry {
    /// An item that is still on the list.
    Item(i64),
    /// The book that its reader started.
    Book(i64),
}

/// What is to be written.
#[derive(Debug, Default)]
pub struct Settled {
    /// Indices of [`Plan::books`], in the file's order.
    pub books: Vec<usize>,
    /// Indices of [`Plan::items`], in the list's order.
    pub items: Vec<usize>,
    /// Indices of [`Plan::books`] for which the plan has no room.
    pub beyond: Vec<usize>,
    /// What is beyond a quota of the account.
    pub over_quota: Vec<(Overflow, Quota)>,
    /// Indices of [`Plan::books`] that turn out to be rereads.
    pub rereads: HashSet<usize>,
    /// Rows and readings that are there already, and rows left out on purpose.
    pub skipped: usize,
}

/// How a book compares with others.
pub fn likeness(draft: &BookDraft) -> Likeness {
    (text::fold(&draft.title), text::fold(&draft.author), draft.status, draft.date_completed)
}

/// Decides about every book and item of a plan. `likenesses` and `item_keys` are the plan's own, in its order: they are folded before
/// the transaction. Of n equal rows and m equal
/// entries n - m are new, and an entry answers for one row alone: for the one that made it before any other.
pub fn dedupe(
    plan: &Plan,
    likenesses: &[Likeness],
    item_keys: &[Folded],
    mut known: ExistingBooks,
    room: Option<usize>,
    detect_rereads: bool,
) -> Settled {
    let mut settled = Settled { skipped: plan.left_out, ..Settled::default() };
    new_books(plan, likenesses, &mut known, &mut settled);
    new_items(plan, item_keys, &mut known, &mut settled);
    if let Some(room) = room.filter(|room| *room < settled.books.len()) {
        settled.beyond = settled.books.split_off(room);
    }
    if detect_rereads {
        settled.rereads = rereads(plan, likenesses, &known, &settled.books);
    }
    settled
}

fn new_books(plan: &Plan, likenesses: &[Likeness], known: &mut ExistingBooks, settled: &mut Settled) {
    let mut taken = HashSet::new();
    let mut open = Vec::new();
    for (index, book) in plan.books.iter().enumerate() {
        match known.made_books.get_mut(&maker(plan, book)).and_then(Vec::pop) {
            Some(id) => {
                taken.insert(id);
            }
            None => open.push(index),
        }
    }
    for index in open {
        let equal = known.books.get_mut(&likenesses[index]).and_then(|ids| next_free(ids, &mut taken));
        if equal.is_none() {
            settled.books.push(index);
        }
    }
    settled.skipped += plan.books.len() - settled.books.len();
}

fn new_items(plan: &Plan, item_keys: &[Folded], known: &mut ExistingBooks, settled: &mut Settled) {
    let mut taken = HashSet::new();
    let mut open = Vec::new();
    for (index, item) in plan.items.iter().enumerate() {
        match known.made_items.get_mut(&plan.rows[item.row].key).and_then(Vec::pop) {
            Some(Entry::Item(id)) => {
                taken.insert(id);
            }
            Some(Entry::Book(_)) => {}
            None => open.push(index),
        }
    }
    for index in open {
        let equal = known.items.get_mut(&item_keys[index]).and_then(|ids| next_free(ids, &mut taken));
        if equal.is_none() {
            settled.items.push(index);
        }
    }
    settled.skipped += plan.items.len() - settled.items.len();
}

fn next_free(ids: &mut Vec<i64>, taken: &mut HashSet<i64>) -> Option<i64> {
    while let Some(id) = ids.pop() {
        if taken.insert(id) {
            return Some(id);
        }
    }
    None
}

/// Who makes a planned book.
pub fn maker(plan: &Plan, book: &Planned<BookDraft>) -> Maker {
    (plan.rows[book.row].key, i64::from(book.nth))
}

/// Finished books whose title and author are finished already, in the library or earlier in time in the same file. Without a
/// date comes before all with one.
fn rereads(plan: &Plan, likenesses: &[Likeness], known: &ExistingBooks, books: &[usize]) -> HashSet<usize> {
    let mut finished: Vec<usize> =
        books.iter().copied().filter(|index| plan.books[*index].draft.status.is_finished()).collect();
    finished.sort_by_key(|index| likenesses[*index].3);
    let mut seen = HashSet::new();
    let again = |index: &usize| {
        let (title, author, ..) = &likenesses[*index];
        !seen.insert((title, author)) || known.finished.contains(&(title.clone(), author.clone()))
    };
    finished.into_iter().filter(again).collect()
}

#[cfg(test)]
mod tests {
    use super::super::plan::{Options, plan};
    use super::*;

    fn planned(text: &str) -> (Plan, Vec<Likeness>) {
        let plan = plan(text.as_bytes(), &Options::default()).unwrap();
        let likenesses = plan.books.iter().map(|book| likeness(&book.draft)).collect();
        (plan, likenesses)
    }

    #[test]
    fn of_equal_rows_those_are_new_that_have_no_equal_book() {
        let (plan, likenesses) =
            planned("Title,Author,Date Completed,Rating\nA,B,2020-01-01,1\na,b,2020-01-01,2\nA,B,2020-01-01,3\n");
        let known =
            ExistingBooks { books: HashMap::from([(likenesses[0].clone(), vec![7, 8])]), ..ExistingBooks::default() };
        let settled = dedupe(&plan, &likenesses, &[], known, None, false);
        assert_eq!((settled.books.len(), settled.skipped), (1, 2));
    }

    #[test]
    fn a_book_answers_first_for_the_row_that_made_it() {
        let (plan, likenesses) = planned("Title,Author,Date Completed,Rating\nA,B,2020-01-01,1\nA,B,2020-01-01,2\n");
        let known = ExistingBooks {
            books: HashMap::from([(likenesses[0].clone(), vec![7])]),
            made_books: HashMap::from([(maker(&plan, &plan.books[1]), vec![7])]),
            ..ExistingBooks::default()
        };
        assert_eq!(dedupe(&plan, &likenesses, &[], known, None, false).books, [0]);
    }

    #[test]
    fn rereads_are_told_by_time_whatever_the_order_of_rows() {
        let (plan, likenesses) =
            planned("Title,Author,Date Completed\nA,B,2024-01-01\nA,B,2020-01-01\nC,D,2020-01-01\n");
        let known =
            ExistingBooks { finished: HashSet::from([("c".to_owned(), "d".to_owned())]), ..ExistingBooks::default() };
        let settled = dedupe(&plan, &likenesses, &[], known, None, true);
        assert_eq!(settled.rereads, HashSet::from([0, 2]));
    }

    #[test]
    fn books_past_the_cap_are_told_in_the_files_order() {
        let (plan, likenesses) = planned("Title,Author\nA,B\nC,D\nE,F\n");
        let settled = dedupe(&plan, &likenesses, &[], ExistingBooks::default(), Some(1), false);
        assert_eq!((settled.books, settled.beyond), (vec![0], vec![1, 2]));
    }
}
