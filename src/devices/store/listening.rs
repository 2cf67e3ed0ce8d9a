//! What a media server says of a listener's books.
use std::collections::BTreeSet;

use rusqlite::{Connection, params};

use super::days::{Reader, settle};
use super::documents::{Named, link_certain, of_digest, open_read, placed, some};
use crate::devices::coverage::Span;
use crate::devices::model::DocumentId;
use crate::kit::Result;
use crate::kit::db::pool::{Tx, owned};
use crate::kit::id::UserId;
use crate::library::books::store::stored;

/// The most time of listening of an account, in seconds: a life of it, and few enough pieces to be counted in memory.
const MOST_SECONDS: i64 = 40_000 * 3_600;
/// A listening begins anew where a sitting begins before this part after the one before it ended behind that, in hundredths of the book.
const ANEW: (i64, i64) = (10, 90);

/// What is new of a book.
#[derive(Debug, Clone)]
pub struct Report {
    pub named: Named,
    /// In seconds.
    pub length: Option<i64>,
    pub sittings: Vec<Sitting>,
    /// In hundredths of a percent, and when it was reached, in seconds since 1970.
    pub place: Option<(i64, i64)>,
    /// In seconds since 1970.
    pub finished_at: Option<i64>,
}

impl Report {
    /// Whether nothing was heard or read yet.
    pub fn is_empty(&self) -> bool {
        self.sittings.is_empty() && self.place.is_none() && self.finished_at.is_none()
    }
}

/// A time of listening.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sitting {
    /// The id that the media server gave it.
    pub id: String,
    /// In seconds since 1970.
    pub started_at: i64,
    /// The seconds of listening, whatever the speed.
    pub seconds: i64,
    /// Where it began and where it is, in seconds of the book.
    pub from: i64,
    pub to: i64,
}

/// The digests of the documents that a media server reports.
pub fn known(conn: &Connection, owner: UserId, source: &str) -> Result<BTreeSet<String>> {
    let mut query = conn.prepare_cached("SELECT digest FROM documents WHERE user_id = ?1 AND source = ?2")?;
    let digests = query.query_map((owner, source), |row| row.get(0))?;
    Ok(digests.collect::<rusqlite::Result<_>>()?)
}

/// What was listened to of a document with a length.
pub fn of(conn: &Connection, document: DocumentId, length: Option<i64>) -> Result<Vec<Span>> {
    let Some(length) = length else { return Ok(Vec::new()) };
    let mut query = conn.prepare_cached(
        "SELECT started_at, seconds, from_place, to_place FROM listening_sessions WHERE document_id = ?1",
    )?;
    let sittings = query.query_map([document], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?;
    let mut heard = Vec::new();
    for sitting in sittings {
        let (started_at, seconds, from, to) = sitting?;
        heard.extend(Span::of_listening(started_at, seconds, from, to, length));
    }
    Ok(heard)
}

/// Stores what a media server says, which moves the reads of its documents.
pub fn hear(tx: &Tx<'_>, reader: &Reader, source: &str, reports: &[Report]) -> Result<()> {
    let (owner, mut waiting, mut touched) = (reader.owner, Vec::new(), BTreeSet::new());
    let (first, last) = owned(owner);
    let sql = "SELECT coalesce(sum(seconds), 0) FROM listening_sessions WHERE document_id BETWEEN ?1 AND ?2";
    let mut seconds: i64 = tx.prepare_cached(sql)?.query_row((first, last), |row| row.get(0))?;
    for report in reports {
        let known = of_digest(tx, owner, &report.named.digest)?.pop();
        let id = match &known {
            Some(known) => known.id,
            None if report.is_empty() => continue,
            None => match placed(tx, owner, &[], &report.named)? {
                Some((id, _)) => id,
                None => continue,
            },
        };
        let sql = "UPDATE documents SET source = ?2, seconds = coalesce(?3, seconds)
            WHERE id = ?1 AND (source, seconds) IS NOT (?2, coalesce(?3, seconds))";
        let mut is_news = tx.prepare_cached(sql)?.execute(params![id, source, report.length])? > 0;
        is_news |= note_finish(tx, id, report.finished_at)?;
        for sitting in if known.is_some() { report.sittings.clone() } else { newest_run(report) } {
            seconds += sitting.seconds;
            if seconds <= MOST_SECONDS {
                is_news |= store(tx, id, &sitting)?;
            }
        }
        let newest = known.iter().flat_map(|known| &known.pushes).max_by_key(|push| push.time).map(|push| push.at);
        if let Some((at, time)) = report.place.filter(|(at, _)| newest != Some(*at)) {
            let sql =
                "INSERT OR REPLACE INTO document_places (document_id, day, at, pushed_at) VALUES (?1, ?2, ?3, ?4)";
            tx.prepare_cached(sql)?.execute(params![id, stored(reader.day_of(time)), at, time])?;
            is_news = true;
        }
        // The newest session comes with each turn, whether it has grown or not.
        if is_news {
            tx.prepare_cached("UPDATE documents SET last_seen = ?2 WHERE id = ?1")?.execute(params![id, tx.stamp()])?;
        }
        match known.and_then(|known| known.book_id) {
            Some(book) if is_news => drop(touched.insert(book)),
            Some(_) => {}
            None => waiting.extend(some(tx, owner, "id = ?3", &id)?),
        }
    }
    touched.extend(link_certain(tx, owner, &waiting)?);
    touched.into_iter().try_for_each(|book| settle(tx, reader, open_read(tx, owner, book)?))
}

/// Notes that a book was finished there, or no longer is, and says whether that is new. "Not yet" was not said to a new finish.
fn note_finish(tx: &Tx<'_>, id: DocumentId, finished_at: Option<i64>) -> Result<bool> {
    let sql = "UPDATE documents SET finished_at = ?2 WHERE id = ?1 AND finished_at IS NOT ?2";
    let has_changed = tx.prepare_cached(sql)?.execute(params![id, finished_at])? > 0;
    if has_changed && finished_at.is_some() {
        let sql = "UPDATE documents SET not_yet = NULL
            WHERE id = ?1 OR book_id = (SELECT book_id FROM documents WHERE id = ?1)";
        tx.prepare_cached(sql)?.execute([id])?;
    }
    Ok(has_changed)
}

/// Of a book that was unknown until now, the sittings since it was begun the last time: former ones are of reads that are here already, or
/// that no one noted.
fn newest_run(report: &Report) -> Vec<Sitting> {
    let mut sittings = report.sittings.clone();
    sittings.sort_by_key(|sitting| sitting.started_at);
    let Some(length) = report.length else { return sittings };
    let begins_anew = |pair: &[Sitting]| pair[0].to * 100 >= length * ANEW.1 && pair[1].from * 100 < length * ANEW.0;
    let first = sittings.windows(2).rposition(begins_anew).map_or(0, |last| last + 1);
    sittings.split_off(first)
}

/// Stores a sitting, and says whether anything of it is new.
fn store(tx: &Tx<'_>, id: DocumentId, sitting: &Sitting) -> Result<bool> {
    let Sitting { id: session, started_at, seconds, from, to } = sitting;
    let sql = "INSERT INTO listening_sessions (document_id, session, started_at, seconds, from_place, to_place)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6)
        ON CONFLICT DO UPDATE SET started_at = ?3, seconds = ?4, from_place = ?5, to_place = ?6
        WHERE (started_at, seconds, from_place, to_place) IS NOT (?3, ?4, ?5, ?6)";
    Ok(tx.prepare_cached(sql)?.execute(params![id, session, started_at, seconds, from, to])? > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_book_that_was_unknown_begins_with_its_last_beginning() {
        let sitting = |id: &str, started_at, from, to| Sitting { id: id.into(), started_at, seconds: 60, from, to };
        let sittings = vec![
            sitting("d", 40, 300, 600),
            sitting("b", 20, 500, 950),
            sitting("c", 30, 0, 300),
            sitting("a", 10, 0, 500),
        ];
        let report = Report { named: Named::default(), length: Some(1_000), sittings, place: None, finished_at: None };
        let ids = |report: &Report| newest_run(report).into_iter().map(|sitting| sitting.id).collect::<String>();
        assert_eq!(ids(&report), "cd");
        assert_eq!(ids(&Report { length: Some(2_000), ..report.clone() }), "abcd", "a jump from the middle");
        assert_eq!(ids(&Report { length: None, ..report }), "abcd");
    }
}
