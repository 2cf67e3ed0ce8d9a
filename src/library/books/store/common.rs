//! What belongs to a book and not to one read of it: series, tags, original year and whether it is private are equal in all reads of a
//! work.
use std::collections::{BTreeMap, BTreeSet};

use rusqlite::Connection;

use super::{ALL, FACTS, words};
use crate::kit::db::pool::{Tx, owned};
use crate::kit::error::Result;
use crate::kit::id::UserId;
use crate::library::books::facts::{BookFacts, Series, each_tag, series_sort};
use crate::library::books::model::{BookDraft, BookId};
use crate::library::{counters, text};

/// The columns that are equal in all reads of a work.
pub(super) const COMMON: &str = "series, series_key, series_number, series_sort, tags, original_year, private";

/// A new read with what belongs to the book, as far as it does not say that itself, from the first read of its work.
pub(super) fn joining(conn: &Connection, work: BookId, draft: &BookDraft) -> Result<BookDraft> {
    let mut draft = draft.clone();
    draft.facts.fill_of_work(&facts_of(conn, work)?);
    Ok(draft)
}

/// The facts of a read.
pub fn facts_of(conn: &Connection, read: BookId) -> Result<BookFacts> {
    let mut query = conn.prepare_cached(&format!("SELECT {ALL} FROM books WHERE id = ?1"))?;
    Ok(query.query_row([read], |row| super::facts(row, FACTS))?)
}

/// Gives the other reads of a work what belongs to the book, from one of them.
pub fn share_facts(tx: &Tx<'_>, owner: UserId, work: BookId, read: BookId) -> Result<()> {
    let (first, last) = owned(owner);
    let sql = format!(
        "UPDATE books SET ({COMMON}, changes, updated_at) = (SELECT {COMMON}, books.changes + 1, ?5 FROM books AS new WHERE new.id = ?3)
         WHERE id BETWEEN ?1 AND ?2 AND work = ?4 AND id <> ?3 AND ({COMMON}) IS NOT (SELECT {COMMON} FROM books AS new WHERE new.id = ?3)"
    );
    if tx.prepare_cached(&sql)?.execute((first, last, read, work, tx.stamp()))? > 0 {
        counters::changed(tx, owner)?;
    }
    Ok(())
}

/// Makes the reads of every work of an owner agree with the first one.
pub fn agree(tx: &Tx<'_>, owner: UserId) -> Result<()> {
    let (first, last) = owned(owner);
    let sql = format!(
        "UPDATE books SET ({COMMON}) = (SELECT {COMMON} FROM books AS head WHERE head.id = books.work)
         WHERE id BETWEEN ?1 AND ?2 AND id <> work AND ({COMMON}) IS NOT (SELECT {COMMON} FROM books AS head WHERE head.id = books.work)"
    );
    tx.prepare_cached(&sql)?.execute([first, last])?;
    Ok(())
}

/// What the reads of these works have in common when new reads unite with the former ones: the tags of all, the first series and year that
/// a read has, and private where one is. Returns the reads that have to change, and what they get.
pub fn united(conn: &Connection, owner: UserId, works: &BTreeSet<BookId>) -> Result<Vec<(BookId, BookFacts)>> {
    if works.is_empty() {
        return Ok(Vec::new());
    }
    let (first, last) = owned(owner);
    let sql = "SELECT id, work, series, series_number, tags, original_year, private FROM books WHERE id BETWEEN ?1 AND ?2 ORDER BY id";
    let mut query = conn.prepare_cached(sql)?;
    let mut rows = query.query([first, last])?;
    let (mut reads, mut all) = (Vec::new(), BTreeMap::<BookId, BookFacts>::new());
    while let Some(row) = rows.next()? {
        let work = row.get(1)?;
        if !works.contains(&work) {
            continue;
        }
        let name: Option<String> = row.get(2)?;
        let number = row.get(3)?;
        let facts = BookFacts {
            series: name.map(|name| Series { name, number }),
            tags: each_tag(words(row, 4)?).map(str::to_owned).collect(),
            original_year: row.get(5)?,
            private: row.get(6)?,
            ..BookFacts::default()
        };
        all.entry(work).or_default().add_of_work(&facts, std::iter::empty());
        reads.push((row.get(0)?, work, facts));
    }
    let differing = reads.into_iter().filter_map(|(id, work, facts)| {
        let united = all.get(&work)?;
        (united.of_work() != facts.of_work()).then(|| (id, united.clone()))
    });
    Ok(differing.collect())
}

/// Writes what belongs to the book into one read.
pub fn write_common(tx: &Tx<'_>, read: BookId, facts: &BookFacts) -> Result<()> {
    let (series, number) = match &facts.series {
        Some(series) => (Some(&series.name), series.number.as_deref()),
        None => (None, None),
    };
    let sql = "UPDATE books SET series = ?2, series_key = ?3, series_number = ?4, series_sort = ?5, tags = ?6, original_year = ?7,
        private = ?8
        WHERE id = ?1";
    tx.prepare_cached(sql)?.execute((
        read,
        series,
        series.map(|name| text::title_key(name)),
        number,
        number.and_then(series_sort),
        facts.tags.join(","),
        facts.original_year,
        facts.private,
    ))?;
    Ok(())
}
