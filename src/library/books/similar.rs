//! Books of the library that have much in common with one: series, authors, tags and genres, rare ones above frequent ones.
use chrono::NaiveDate;
use foldhash::HashMap;
use rusqlite::{Connection, OptionalExtension as _};

use super::authors::each_author_with_key;
use super::facts::{each_tag, tag_key};
use super::filter::{BookRow, is_visible};
use super::model::{BookId, each_genre};
use super::store;
use crate::kit::error::{Error, Result};
use crate::kit::id::UserId;
use crate::library::text::{genre_key, title_key};

/// How many are named.
const MOST: usize = 10;

/// What two books may have in common, by its key.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Trait {
    Series(String),
    Author(String),
    Tag(String),
    Genre(String),
}

impl Trait {
    /// What a reader sees; `name` is as a book has it.
    fn words(&self, name: &str) -> String {
        match self {
            Self::Series(_) => format!("series \u{201c}{name}\u{201d}"),
            Self::Author(_) => format!("also by {name}"),
            Self::Tag(_) => format!("tag \u{201c}{name}\u{201d}"),
            Self::Genre(_) => name.to_owned(),
        }
    }
}

/// A work with its newest read.
#[derive(Debug, Default)]
struct Described {
    newest: Option<BookId>,
    completed: Option<NaiveDate>,
    /// The places of what it has in common with the one that is asked about.
    shared: Vec<usize>,
}

/// What a book has that others may have, too.
#[derive(Debug)]
struct Own {
    weight: f64,
    /// The number of works with it.
    count: u32,
}

/// Another book, and what it has in common.
#[derive(Debug, PartialEq, Eq)]
pub struct Similar {
    pub book: BookId,
    pub because: Vec<String>,
}

/// Calls `visit` for each thing that a book may have in common with others.
fn each_trait(row: &BookRow<'_>, more: &store::DescribedRow<'_>, mut visit: impl FnMut(Trait, &str)) {
    if let Some(name) = more.series {
        visit(Trait::Series(title_key(name)), name);
    }
    for (name, key) in each_author_with_key(row.author, row.author_key) {
        visit(Trait::Author(key.into_owned()), name);
    }
    each_tag(more.tags).for_each(|tag| visit(Trait::Tag(tag_key(tag)), tag));
    each_genre(row.genres).for_each(|genre| visit(Trait::Genre(genre_key(genre)), genre));
}

/// The books that have most in common with one, best first. A shared series counts 3, an author 2, each tag and genre 1, each times the
/// natural logarithm of the number of books by that of books with it, in tenths. `from` is the first visible completion date. Of other
/// books only what they share is kept in memory: a library may have two million genres.
///
/// # Errors
/// [`Error::NotFound`] when there is no such book.
pub fn similar(conn: &Connection, owner: UserId, book: BookId, from: Option<NaiveDate>) -> Result<Vec<Similar>> {
    let sql = "SELECT work FROM books WHERE user_id = ?1 AND id = ?2";
    let asked = conn.prepare_cached(sql)?.query_row((owner, book), |row| row.get(0)).optional()?;
    let asked: BookId = asked.ok_or(Error::NotFound)?;
    let (mut places, mut own) = (HashMap::default(), Vec::<Own>::new());
    store::each_described(conn, owner, asked, |row, more| {
        if row.id == book || is_visible(row.date_completed, from) {
            each_trait(row, more, |one, _| {
                let weight = match one {
                    Trait::Series(_) => 3.0,
                    Trait::Author(_) => 2.0,
                    Trait::Tag(_) | Trait::Genre(_) => 1.0,
                };
                places.entry(one).or_insert_with(|| {
                    own.push(Own { weight, count: 0 });
                    own.len() - 1
                });
            });
        }
    })?;
    let mut works: HashMap<BookId, Described> = HashMap::default();
    store::scan_described(conn, owner, store::Audience::Owner, |row, more| {
        if row.id != book && !is_visible(row.date_completed, from) {
            return;
        }
        let work = works.entry(more.work).or_default();
        if Some(row.id) > work.newest {
            (work.newest, work.completed) = (Some(row.id), row.date_completed);
        }
        each_trait(row, more, |one, _| {
            if let Some(place) = places.get(&one).filter(|place| !work.shared.contains(place)) {
                own[*place].count += 1;
                work.shared.push(*place);
            }
        });
    })?;
    let all = f64::from(u32::try_from(works.len()).unwrap_or(u32::MAX));
    let score = |place: &usize| own[*place].weight * (all / f64::from(own[*place].count)).ln();
    let mut found: Vec<_> = works
        .iter()
        .filter(|(id, _)| **id != asked)
        .filter_map(|(id, work)| {
            // A fraction of a point is no difference: scores are compared in tenths.
            let tenths = (work.shared.iter().map(score).sum::<f64>() * 10.0).round();
            (tenths > 0.0).then_some((tenths, *id, work))
        })
        .collect();
    found.sort_by(|(one, _, a), (other, _, b)| {
        other.total_cmp(one).then(b.completed.cmp(&a.completed)).then(a.newest.cmp(&b.newest))
    });
    found.truncate(MOST);
    let mut named = Vec::new();
    for (_, id, work) in found {
        // In the words of that book.
        let mut words: HashMap<usize, String> = HashMap::default();
        store::each_described(conn, owner, id, |row, more| {
            if is_visible(row.date_completed, from) {
                each_trait(row, more, |one, name| {
                    if let Some(place) = places.get(&one) {
                        words.entry(*place).or_insert_with(|| one.words(name));
                    }
                });
            }
        })?;
        let because = work.shared.iter().filter_map(|place| words.remove(place)).collect();
        named.extend(work.newest.map(|book| Similar { book, because }));
    }
    Ok(named)
}
