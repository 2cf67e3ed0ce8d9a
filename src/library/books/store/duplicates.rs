//! Works that are likely the same book, and those of which their reader said that they are not.
use std::cmp::{max, min};
use std::hash::{BuildHasher as _, Hash};

use foldhash::fast::RandomState;
use foldhash::{HashMap, HashSet};
use rusqlite::Connection;

use super::words;
use super::works;
use crate::kit::db::pool::{Tx, owned};
use crate::kit::error::{Error, Result};
use crate::kit::id::UserId;
use crate::kit::named::named;
use crate::library::books::authors::each_author_with_key;
use crate::library::books::model::BookId;
use crate::library::books::reads::order_of;
use crate::library::books::series_title::key_without_series;
use crate::library::counters;

/// The most pairs of an answer.
const MOST: usize = 200;
/// The most pairs of works that an account keeps apart.
const MOST_DISTINCT: i64 = 10_000;

named! {
    /// Why two works are likely the same book.
    Because {
        /// Title and all authors are equal.
        TitleAndAuthor = "same title and author",
        /// A read of each has the same ISBN.
        Isbn = "same ISBN",
        /// The title is equal, and one of several authors.
        SharedAuthor = "same title, one author shared",
    }
}

/// Two works that are likely the same book, the lower id first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Likely {
    pub works: [BookId; 2],
    pub because: Because,
}

/// Works with something in common, in the order of the first book that has it. Of the words only hashes are kept, as a library has up to
/// 100,000 of each.
#[derive(Default)]
struct Groups {
    hasher: RandomState,
    places: HashMap<u64, usize>,
    works: Vec<(usize, BookId)>,
}

impl Groups {
    fn add(&mut self, key: impl Hash, work: BookId) {
        let next = self.places.len();
        let place = *self.places.entry(self.hasher.hash_one(key)).or_insert(next);
        self.works.push((place, work));
    }

    /// The pairs within the groups.
    fn pairs(mut self) -> impl Iterator<Item = [BookId; 2]> {
        self.works.sort_unstable();
        self.works.dedup();
        let works = self.works;
        (0..works.len()).flat_map(move |at| {
            let (group, one) = works[at];
            let same = works[at + 1..].iter().take_while(|(other, _)| *other == group).map(|(_, other)| [one, *other]);
            same.collect::<Vec<_>>()
        })
    }
}

/// The first pairs of an owner's works that are likely the same book, without those that are kept apart.
pub fn likely(conn: &Connection, owner: UserId) -> Result<Vec<Likely>> {
    let (first, last) = owned(owner);
    let sql =
        "SELECT work, title, title_key, author, author_key, isbn FROM books WHERE id BETWEEN ?1 AND ?2 ORDER BY id";
    let mut query = conn.prepare_cached(sql)?;
    let mut rows = query.query([first, last])?;
    let [mut names, mut isbns, mut shared] = [(); 3].map(|()| Groups::default());
    while let Some(row) = rows.next()? {
        let (work, author, author_key) = (row.get(0)?, words(row, 3)?, words(row, 4)?);
        let title = key_without_series(words(row, 1)?, words(row, 2)?);
        for (_, key) in each_author_with_key(author, author_key) {
            shared.add((&title, key), work);
        }
        names.add((&title, author_key), work);
        if let Some(isbn) = row.get_ref(5)?.as_str_or_null().map_err(rusqlite::Error::from)? {
            isbns.add(isbn, work);
        }
    }
    let mut known = distinct(conn, owner)?;
    let reasons = [(names, Because::TitleAndAuthor), (isbns, Because::Isbn), (shared, Because::SharedAuthor)];
    let pairs = reasons.into_iter().flat_map(|(groups, because)| groups.pairs().map(move |works| (works, because)));
    let new = pairs.filter(|(works, _)| known.insert(*works));
    Ok(new.map(|(works, because)| Likely { works, because }).take(MOST).collect())
}

/// The pairs of works that are kept apart, the lower id first.
fn distinct(conn: &Connection, owner: UserId) -> Result<HashSet<[BookId; 2]>> {
    let (first, last) = owned(owner);
    let sql = "SELECT one.work, other.work FROM distinct_works AS pair JOIN books AS one ON one.id = pair.one
        JOIN books AS other ON other.id = pair.other WHERE pair.one BETWEEN ?1 AND ?2";
    let mut query = conn.prepare_cached(sql)?;
    let pairs = query.query_map([first, last], |row| Ok([row.get(0)?, row.get(1)?]))?;
    let pairs = pairs.collect::<rusqlite::Result<Vec<[BookId; 2]>>>()?;
    Ok(pairs.into_iter().map(|[one, other]| [min(one, other), max(one, other)]).collect())
}

/// Keeps two works apart.
///
/// # Errors
/// [`Error::NotFound`] when one of them does not exist; [`Error::Invalid`] for one work and itself, or one pair too many.
pub fn keep_apart(tx: &Tx<'_>, owner: UserId, work: BookId, other: BookId) -> Result<()> {
    works::state(tx, owner, work)?;
    works::state(tx, owner, other)?;
    if work == other {
        return Err(Error::invalid_field("work", "Choose another work."));
    }
    let (first, last) = owned(owner);
    let sql = "SELECT count(*) FROM distinct_works WHERE one BETWEEN ?1 AND ?2";
    let known: i64 = tx.prepare_cached(sql)?.query_row([first, last], |row| row.get(0))?;
    if known >= MOST_DISTINCT {
        return Err(Error::invalid_field("work", "At most 10,000 pairs of books can be kept apart."));
    }
    let sql = "INSERT OR IGNORE INTO distinct_works (one, other) VALUES (?1, ?2)";
    tx.prepare_cached(sql)?.execute([min(work, other), max(work, other)])?;
    counters::changed(tx, owner)
}

/// The reads of some works, oldest first.
pub fn reads_of(conn: &Connection, owner: UserId, wanted: &HashSet<BookId>) -> Result<HashMap<BookId, Vec<BookId>>> {
    let (first, last) = owned(owner);
    let sql = "SELECT id, work, status, date_completed, stopped_date, start_date FROM books
        WHERE id BETWEEN ?1 AND ?2 ORDER BY id";
    let mut query = conn.prepare_cached(sql)?;
    let mut rows = query.query([first, last])?;
    let mut found = HashMap::<BookId, Vec<_>>::default();
    while let Some(row) = rows.next()? {
        let work = row.get(1)?;
        if wanted.contains(&work) {
            let days = (super::day(row, 3)?, super::day(row, 4)?, super::day(row, 5)?);
            let order = order_of(row.get(2)?, days.0, days.1, days.2);
            found.entry(work).or_default().push((order, row.get(0)?));
        }
    }
    let in_order = |(work, mut reads): (BookId, Vec<(_, BookId)>)| {
        reads.sort_unstable();
        (work, reads.into_iter().map(|(_, id)| id).collect())
    };
    Ok(found.into_iter().map(in_order).collect())
}
