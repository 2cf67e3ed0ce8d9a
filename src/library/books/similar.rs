//! Books of the library that have much in common with one: series, authors, tags and genres, rare ones above frequent ones.
use chrono::NaiveDate;
use foldhash::{HashMap, HashSet};
use rusqlite::Connection;

use super::authors::each_author_with_key;
use super::facts::{each_tag, tag_key};
use super::filter::is_visible;
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

/// A work with its newest read.
#[derive(Debug, Default)]
struct Described {
    newest: Option<BookId>,
    completed: Option<NaiveDate>,
    /// With the words that a reader sees.
    traits: Vec<(Trait, String)>,
}

/// Another book, and what it has in common.
#[derive(Debug, PartialEq, Eq)]
pub struct Similar {
    pub book: BookId,
    pub because: Vec<String>,
}

/// The books that have most in common with one, best first. A shared series counts 3, an author 2, each tag and genre 1, each times the
/// natural logarithm of the number of books by that of books with it, in tenths. `from` is the first visible completion date.
///
/// # Errors
/// [`Error::NotFound`] when there is no such book.
pub fn similar(conn: &Connection, owner: UserId, book: BookId, from: Option<NaiveDate>) -> Result<Vec<Similar>> {
    let mut works: HashMap<BookId, Described> = HashMap::default();
    let mut asked = None;
    store::scan_described(conn, owner, store::Audience::Owner, |row, more| {
        if row.id == book {
            asked = Some(more.work);
        } else if !is_visible(row.date_completed, from) {
            return;
        }
        let work = works.entry(more.work).or_default();
        if Some(row.id) > work.newest {
            (work.newest, work.completed) = (Some(row.id), row.date_completed);
        }
        let series = more.series.map(|name| (Trait::Series(title_key(name)), format!("series \u{201c}{name}\u{201d}")));
        let authors = each_author_with_key(row.author, row.author_key)
            .map(|(name, key)| (Trait::Author(key.into_owned()), format!("also by {name}")));
        let tags = each_tag(more.tags).map(|tag| (Trait::Tag(tag_key(tag)), format!("tag \u{201c}{tag}\u{201d}")));
        let genres = each_genre(row.genres).map(|genre| (Trait::Genre(genre_key(genre)), genre.to_owned()));
        for one in series.into_iter().chain(authors).chain(tags).chain(genres) {
            if !work.traits.iter().any(|(known, _)| *known == one.0) {
                work.traits.push(one);
            }
        }
    })?;
    let asked = asked.ok_or(Error::NotFound)?;
    let own: HashSet<Trait> =
        works.get(&asked).into_iter().flat_map(|work| &work.traits).map(|one| one.0.clone()).collect();
    let mut frequency: HashMap<&Trait, u32> = HashMap::default();
    for (shared, _) in works.values().flat_map(|work| &work.traits).filter(|one| own.contains(&one.0)) {
        *frequency.entry(shared).or_default() += 1;
    }
    let all = f64::from(u32::try_from(works.len()).unwrap_or(u32::MAX));
    let score = |shared: &Trait| {
        let weight = match shared {
            Trait::Series(_) => 3.0,
            Trait::Author(_) => 2.0,
            Trait::Tag(_) | Trait::Genre(_) => 1.0,
        };
        let with_it = frequency.get(shared).copied().unwrap_or(1);
        weight * (all / f64::from(with_it)).ln()
    };
    let mut found: Vec<_> = works
        .iter()
        .filter(|(work, _)| **work != asked)
        .filter_map(|(_, work)| {
            let shared: Vec<_> = work.traits.iter().filter(|one| own.contains(&one.0)).collect();
            // A fraction of a point is no difference: scores are compared in tenths.
            let tenths = (shared.iter().map(|one| score(&one.0)).sum::<f64>() * 10.0).round();
            (tenths > 0.0).then(|| (tenths, work, shared.into_iter().map(|one| one.1.clone()).collect()))
        })
        .collect();
    found.sort_by(|(one, a, _), (other, b, _)| {
        other.total_cmp(one).then(b.completed.cmp(&a.completed)).then(a.newest.cmp(&b.newest))
    });
    found.truncate(MOST);
    let named = |(_, work, because): (f64, &Described, Vec<String>)| Some(Similar { book: work.newest?, because });
    Ok(found.into_iter().filter_map(named).collect())
}
