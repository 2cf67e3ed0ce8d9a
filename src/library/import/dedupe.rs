//! Finds what is new in a plan: leaves out rows that were imported before and books that exist, applies limits, and detects
//! rereads.
use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use chrono::NaiveDate;
use foldhash::HashSet as FastSet;

use super::edition::{Name, name_of};
use super::formats::own::EXPORT;
use super::plan::{Plan, Planned};
use super::said::STARTED_ITEM;
use super::taken_off::Waiting;
use crate::library::books::model::{BookDraft, BookId, BookStatus};
use crate::library::books::rating::Rating;
use crate::library::counters::Quota;
use crate::library::tbr::model::{TbrDraft, TbrId};

/// Identifies the origin of a book: the hash of a row's text, and which of its readings.
pub type RowOrigin = ([u8; 16], i64);

/// The fields that make two books equal: the [`Name`], status and date.
pub type DuplicateKey = (String, String, BookStatus, Option<NaiveDate>);

/// The first and the last possible day of a completion.
pub type Days = (NaiveDate, NaiveDate);

/// A finished book, and its days if it has a date.
pub type FinishedRead = (BookId, Option<Days>);

/// The parts of a library that matter for a plan.
#[derive(Debug, Default)]
pub struct ExistingBooks {
    /// Books by the row that created them.
    pub made_books: HashMap<RowOrigin, Vec<BookId>>,
    /// Items, and books that began as items, by the row that created them.
    pub made_items: HashMap<[u8; 16], Vec<EntryId>>,
    /// Books that are equal to one of the plan's.
    pub books: HashMap<DuplicateKey, Vec<BookId>>,
    /// Finished books with a title and author of the plan, and the first and last possible day of each that has a date.
    pub reads: HashMap<Name, Vec<FinishedRead>>,
    /// The list.
    pub items: Waiting,
    /// Names of the plan that the library has as finished books.
    pub finished: HashSet<Name>,
    /// The books and items that are tied to a row of a file of the plan's format.
    pub tied: HashSet<EntryId>,
}

impl ExistingBooks {
    /// Leaves out these books.
    pub fn without(mut self, books: &HashSet<BookId>) -> Self {
        let stays = |id: &BookId| !books.contains(id);
        self.made_books.values_mut().chain(self.books.values_mut()).for_each(|ids| ids.retain(stays));
        self.reads.values_mut().for_each(|reads| reads.retain(|(id, _)| stays(id)));
        self
    }
}

/// An entry for which the account has no room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overflow {
    /// An index of [`Plan::books`].
    Book(usize),
    /// An index of [`Plan::items`].
    Item(usize),
}

/// The id of a book or of an item of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EntryId {
    /// An item on the list.
    Item(TbrId),
    /// A book, such as one that its reader started from an item.
    Book(BookId),
}

/// A book or an item that was here, and what equals it in a plan.
#[derive(Clone, Copy, Debug)]
pub struct Matched {
    pub entry: EntryId,
    /// The index of the row in [`Plan::rows`].
    pub row: usize,
    /// Which of the row's readings; [`STARTED_ITEM`] for its item of the list.
    pub nth: i64,
}

/// What is to be written.
#[derive(Debug, Default)]
pub struct Deduped {
    /// Indices of [`Plan::books`], in the file's order.
    pub books: Vec<usize>,
    /// Indices of [`Plan::items`], in the list's order.
    pub items: Vec<usize>,
    /// Indices of [`Plan::books`] that exceed the plan's book limit.
    pub beyond: Vec<usize>,
    /// The entries that exceed a quota of the account.
    pub over_quota: Vec<(Overflow, Quota)>,
    /// The existing books that rows of the plan made or equal, by the index of [`Plan::books`].
    pub matched: HashMap<usize, BookId>,
    /// The existing books and items that rows of the plan equal and that no file of its format is tied to, with these rows.
    pub ties: Vec<Matched>,
    /// The existing items, and books that began as items, that rows of the plan made or equal.
    pub known_items: Vec<Matched>,
    /// Indices of [`Plan::books`] that are rereads.
    pub rereads: HashSet<usize>,
    /// The number of further rows that are the same read as another row of the file, whether or not they are left out.
    pub same_read: usize,
    /// The number of existing rows and readings, and of rows left out on purpose.
    pub skipped: usize,
}

/// The fields of a book that are compared with others.
pub fn duplicate_key(draft: &BookDraft) -> DuplicateKey {
    let (title, author) = name_of(&draft.title, &draft.author());
    (title, author, draft.status, draft.date_completed)
}

/// The name of an item of the list; the author is empty if there is none.
pub fn item_name(draft: &TbrDraft) -> Name {
    name_of(&draft.title, draft.author.as_deref().unwrap_or_default())
}

/// Decides about every book and item of a plan. `duplicate_keys` and `item_names` are the plan's own, in its order. Of n equal rows and m equal entries, n - m are new. Each entry matches only one row, preferably the
/// one that created it.
pub fn dedupe(
    plan: &Plan,
    duplicate_keys: &[DuplicateKey],
    item_names: &[Name],
    mut known: ExistingBooks,
    room: Option<usize>,
    detect_rereads: bool,
) -> Deduped {
    let mut deduped = Deduped { skipped: plan.left_out.len(), ..Deduped::default() };
    new_books(plan, duplicate_keys, &mut known, &mut deduped);
    let mut matched: Vec<_> = deduped.matched.iter().map(|(index, id)| (*index, *id)).collect();
    matched.sort_unstable();
    deduped.ties = matched
        .into_iter()
        .map(|(index, id)| (&plan.books[index], EntryId::Book(id)))
        .map(|(book, entry)| Matched { entry, row: book.row, nth: i64::from(book.nth) })
        .collect();
    new_items(plan, item_names, &mut known, &mut deduped);
    deduped.known_items = deduped.ties.iter().filter(|tie| tie.nth == STARTED_ITEM).copied().collect();
    deduped.ties.retain(|tie| known.tied.insert(tie.entry));
    if let Some(room) = room.filter(|room| *room < deduped.books.len()) {
        deduped.beyond = deduped.books.split_off(room);
    }
    if detect_rereads {
        deduped.rereads = rereads(plan, duplicate_keys, &known, &deduped.books);
    }
    if ONE_ROW_A_READ.contains(&plan.format) {
        deduped.rereads.extend(rereads_of_file(plan, duplicate_keys));
    }
    deduped
}

fn new_books(plan: &Plan, duplicate_keys: &[DuplicateKey], known: &mut ExistingBooks, deduped: &mut Deduped) {
    let mut taken = HashSet::new();
    let mut open = Vec::new();
    for (index, book) in plan.books.iter().enumerate() {
        match known.made_books.get_mut(&row_origin(plan, book)).and_then(Vec::pop) {
            Some(id) => {
                taken.insert(id);
                deduped.matched.insert(index, id);
            }
            None => open.push(index),
        }
    }
    let further = same_reads(plan, duplicate_keys, &deduped.matched, &open);
    deduped.same_read = further.len();
    if !plan.keeps_same_reads {
        open.retain(|index| !further.contains(index));
    }
    open.retain(|index| {
        if known.books.is_empty() {
            return true;
        }
        let equal = known.books.get_mut(&duplicate_keys[*index]).and_then(|ids| next_free(ids, &mut taken));
        equal.is_none_or(|id| {
            deduped.matched.insert(*index, id);
            false
        })
    });
    // Only then those whose dates are rough, so that no rough date takes the book of an exact one.
    open.retain(|index| {
        let draft = &plan.books[*index].draft;
        if known.reads.is_empty() || !draft.status.is_finished() {
            return true;
        }
        let (title, author, ..) = duplicate_keys[*index].clone();
        let reads = known.reads.get(&(title, author));
        let days = draft.date_completed.map(|last| (draft.completed_from.unwrap_or(last), last));
        let alike = reads.into_iter().flatten().find(|(id, read)| !taken.contains(id) && may_be_one(days, *read));
        alike.is_none_or(|(id, _)| {
            deduped.matched.insert(*index, *id);
            !taken.insert(*id)
        })
    });
    deduped.books = open;
    deduped.skipped += plan.books.len() - deduped.books.len();
}

/// The books among `open` that are the same read as another row of the file: equal in title, author, status and exact day, with one
/// rating. One without a rating gives way to one with it. Our own files list each read once.
fn same_reads(
    plan: &Plan,
    duplicate_keys: &[DuplicateKey],
    matched: &HashMap<usize, BookId>,
    open: &[usize],
) -> HashSet<usize> {
    let mut further = HashSet::new();
    if plan.format == EXPORT.name {
        return further;
    }
    // The row that stands for each read, and the rating of its rows.
    let mut first: HashMap<_, Vec<(usize, Option<Rating>)>> = HashMap::new();
    let known = (0..plan.books.len()).filter(|index| matched.contains_key(index));
    for index in known.chain(open.iter().copied()) {
        let (title, author, status, _) = &duplicate_keys[index];
        let Planned { row, draft, .. } = &plan.books[index];
        let Some(day) = exact_day(draft) else { continue };
        let reads = first.entry((title, author, status, day)).or_default();
        let is_same = |(other, rating): &&mut (usize, Option<Rating>)| {
            plan.books[*other].row != *row && (*rating == draft.rating || rating.is_none() || draft.rating.is_none())
        };
        let Some((other, rating)) = reads.iter_mut().find(is_same) else {
            reads.push((index, draft.rating));
            continue;
        };
        if matched.contains_key(&index) {
            continue;
        }
        let gives_way = rating.is_none() && draft.rating.is_some() && !matched.contains_key(other);
        further.insert(if gives_way { std::mem::replace(other, index) } else { index });
        *rating = rating.or(draft.rating);
    }
    further
}

/// The day on which a read was finished or given up, where it is known exactly.
fn exact_day(draft: &BookDraft) -> Option<NaiveDate> {
    draft.date_completed.filter(|_| draft.completed_from.is_none()).or(draft.stopped_date)
}

/// Whether two rows about one book list the same read, as [`Deduped::same_read`] counts them.
pub fn is_same_read(one: &BookDraft, other: &BookDraft) -> bool {
    let is_one_rating = one.rating == other.rating || one.rating.is_none() || other.rating.is_none();
    exact_day(one).is_some() && exact_day(one) == exact_day(other) && one.status == other.status && is_one_rating
}

/// Whether two finished reads of a book may be the same although their dates differ: one date is rough, and the other is unknown or
/// has a day in common with it.
fn may_be_one(one: Option<Days>, other: Option<Days>) -> bool {
    let is_rough = |days: Option<Days>| days.is_some_and(|(first, last)| first < last);
    let meet = match (one, other) {
        (Some((first, last)), Some((from, to))) => first <= to && from <= last,
        _ => true,
    };
    meet && (is_rough(one) || is_rough(other))
}

fn new_items(plan: &Plan, item_names: &[Name], known: &mut ExistingBooks, deduped: &mut Deduped) {
    let mut taken: HashSet<TbrId> = HashSet::new();
    let mut open = Vec::new();
    for (index, item) in plan.items.iter().enumerate() {
        match known.made_items.get_mut(&plan.rows[item.row].key).and_then(Vec::pop) {
            Some(entry) => {
                if let EntryId::Item(id) = entry {
                    taken.insert(id);
                }
                deduped.ties.push(Matched { entry, row: item.row, nth: STARTED_ITEM });
            }
            None => open.push(index),
        }
    }
    for index in open {
        let equal = known.items.get_mut(&item_names[index]).and_then(|ids| next_free(ids, &mut taken));
        match equal {
            Some(id) => {
                let entry = EntryId::Item(id);
                deduped.ties.push(Matched { entry, row: plan.items[index].row, nth: STARTED_ITEM });
            }
            None => deduped.items.push(index),
        }
    }
    deduped.skipped += plan.items.len() - deduped.items.len();
}

fn next_free<Id: Copy + Eq + Hash>(ids: &mut Vec<Id>, taken: &mut HashSet<Id>) -> Option<Id> {
    while let Some(id) = ids.pop() {
        if taken.insert(id) {
            return Some(id);
        }
    }
    None
}

/// The origin of a planned book.
pub fn row_origin(plan: &Plan, book: &Planned<BookDraft>) -> RowOrigin {
    (plan.rows[book.row].key, i64::from(book.nth))
}

/// Finished books whose title and author were finished before, in the library or earlier in the same file. Books without a date
/// count as earlier than all others.
fn rereads(plan: &Plan, duplicate_keys: &[DuplicateKey], known: &ExistingBooks, books: &[usize]) -> HashSet<usize> {
    let mut finished: Vec<usize> =
        books.iter().copied().filter(|index| plan.books[*index].draft.status.is_finished()).collect();
    finished.sort_by_key(|index| duplicate_keys[*index].3);
    let mut seen = FastSet::default();
    let again = |index: &usize| {
        let (title, author, ..) = &duplicate_keys[*index];
        let is_known = || known.finished.contains(&(title.clone(), author.clone()));
        !seen.insert((title, author)) || !known.finished.is_empty() && is_known()
    };
    finished.into_iter().filter(again).collect()
}

/// The formats with a row for each read of a book. As in a row with several reads, all but the earliest finished read are rereads.
const ONE_ROW_A_READ: [&str; 2] = ["bookwyrm", "yamtrack"];

/// Books of a file that were finished earlier in the same file.
fn rereads_of_file(plan: &Plan, duplicate_keys: &[DuplicateKey]) -> HashSet<usize> {
    let all: Vec<usize> = (0..plan.books.len()).collect();
    let mut again = rereads(plan, duplicate_keys, &ExistingBooks::default(), &all);
    let name = |index: &usize| {
        let (title, author, ..) = &duplicate_keys[*index];
        (title, author)
    };
    let is_finished = |index: &usize| plan.books[*index].draft.status.is_finished();
    let finished: HashSet<_> = all.iter().filter(|index| is_finished(index)).map(name).collect();
    again.extend(all.iter().filter(|index| !is_finished(index) && finished.contains(&name(index))));
    again
}

#[cfg(test)]
mod tests {
    use super::super::plan::{Options, plan};
    use super::*;

    fn planned(text: &str) -> (Plan, Vec<DuplicateKey>) {
        let plan = plan(text.as_bytes(), &Options::default()).unwrap();
        let duplicate_keys = plan.books.iter().map(|book| duplicate_key(&book.draft)).collect();
        (plan, duplicate_keys)
    }

    #[test]
    fn of_equal_rows_those_are_new_that_have_no_equal_book() {
        let (plan, duplicate_keys) =
            planned("Title,Author,Date Completed,Rating\nA,B,2020-01-01,1\na,b,2020-01-01,2\nA,B,2020-01-01,3\n");
        let known = ExistingBooks {
            books: HashMap::from([(duplicate_keys[0].clone(), vec![BookId(7), BookId(8)])]),
            ..ExistingBooks::default()
        };
        let deduped = dedupe(&plan, &duplicate_keys, &[], known, None, false);
        assert_eq!((deduped.books.len(), deduped.skipped), (1, 2));
    }

    #[test]
    fn a_book_answers_first_for_the_row_that_made_it() {
        let (plan, duplicate_keys) =
            planned("Title,Author,Date Completed,Rating\nA,B,2020-01-01,1\nA,B,2020-01-01,2\n");
        let known = ExistingBooks {
            books: HashMap::from([(duplicate_keys[0].clone(), vec![BookId(7)])]),
            made_books: HashMap::from([(row_origin(&plan, &plan.books[1]), vec![BookId(7)])]),
            ..ExistingBooks::default()
        };
        assert_eq!(dedupe(&plan, &duplicate_keys, &[], known, None, false).books, [0]);
    }

    #[test]
    fn rereads_follow_from_their_dates_in_any_order_of_rows() {
        let (plan, duplicate_keys) =
            planned("Title,Author,Date Completed\nA,B,2024-01-01\nA,B,2020-01-01\nC,D,2020-01-01\n");
        let known =
            ExistingBooks { finished: HashSet::from([("c".to_owned(), "d".to_owned())]), ..ExistingBooks::default() };
        let deduped = dedupe(&plan, &duplicate_keys, &[], known, None, true);
        assert_eq!(deduped.rereads, HashSet::from([0, 2]));
    }

    #[test]
    fn of_a_row_for_each_read_all_but_the_earliest_are_rereads() {
        let (plan, duplicate_keys) = planned(
            "media_id,source,media_type,title,status,start_date,end_date\n\
             1,manual,book,Dune,In progress,2026-01-01,\n1,manual,book,Dune,Completed,,2025-01-01\n\
             1,manual,book,Dune,Completed,,2024-01-01\n2,manual,book,Emma,Completed,,2024-01-01\n",
        );
        let deduped = dedupe(&plan, &duplicate_keys, &[], ExistingBooks::default(), None, false);
        assert_eq!((plan.format, deduped.rereads), ("yamtrack", HashSet::from([0, 1])));
        let (plan, duplicate_keys) =
            planned("Book Id,Title,Author,Date Read,Exclusive Shelf\n1,A,B,2024/01/01,read\n2,A,B,2020/01/01,read\n");
        let deduped = dedupe(&plan, &duplicate_keys, &[], ExistingBooks::default(), None, false);
        assert_eq!((plan.format, deduped.rereads), ("goodreads", HashSet::new()));
    }

    #[test]
    fn rows_of_one_read_are_one_book_unless_their_ratings_differ() {
        let rows = "Book Id,Title,Author,Date Read,Exclusive Shelf,My Rating\n\
            1,Emma,Jane Austen,2025/03/01,read,0\n2,Emma,Jane  Austen,2025/03/01,read,4\n\
            3,Emma,Jane Austen,2025/03/02,read,4\n4,Emma,Jane Austen,2025/03/01,read,3\n5,Emma,Jane Austen,,read,4\n6,Emma,Jane Austen,,read,4\n";
        let (plan, keys) = planned(rows);
        let deduped = dedupe(&plan, &keys, &[], ExistingBooks::default(), None, false);
        assert_eq!((deduped.books, deduped.same_read, deduped.skipped), (vec![1, 2, 3, 4, 5], 1, 1));
        let of_first = HashMap::from([(row_origin(&plan, &plan.books[0]), vec![BookId(7)])]);
        let known = ExistingBooks { made_books: of_first, ..ExistingBooks::default() };
        assert_eq!(dedupe(&plan, &keys, &[], known, None, false).books, [2, 3, 4, 5], "the book that is here stays");
        let keeping = Plan { keeps_same_reads: true, ..plan };
        let kept = dedupe(&keeping, &keys, &[], ExistingBooks::default(), None, false);
        assert_eq!((kept.books.len(), kept.same_read), (6, 1));
        let (own, keys) = planned(
            "Title,Author,Word Count,Date Completed,Word Count Source\nEmma,Jane Austen,1,2025-03-01,entered\n\
             Emma,Jane Austen,2,2025-03-01,entered\n",
        );
        let own = dedupe(&own, &keys, &[], ExistingBooks::default(), None, false);
        assert_eq!((own.books.len(), own.same_read), (2, 0));
    }

    #[test]
    fn books_past_the_cap_are_reported_in_the_files_order() {
        let (plan, duplicate_keys) = planned("Title,Author\nA,B\nC,D\nE,F\n");
        let deduped = dedupe(&plan, &duplicate_keys, &[], ExistingBooks::default(), Some(1), false);
        assert_eq!((deduped.books, deduped.beyond), (vec![0], vec![1, 2]));
    }
}
