//! The table of catalogues' responses.
use std::collections::HashMap;

use chrono::{DateTime, TimeDelta, Utc};
use rusqlite::{Connection, params};

use super::model::{FoundBook, LookupQuery, LookupSource};
use crate::kit::Result;
use crate::kit::db::pool::{Tx, instant};

/// How long an answer with books is used.
const KEPT: TimeDelta = TimeDelta::days(30);
/// How long an answer without a book is used: the catalogue may have it tomorrow.
const MISS_KEPT: TimeDelta = TimeDelta::days(1);

/// The most answers that are stored, of all catalogues together: some 100 MB. The next to expire make room for new ones.
const MOST_KEPT: i64 = 20_000;

/// The stored responses to a query, by the catalogue's name.
pub fn find_responses(
    conn: &Connection,
    query: &LookupQuery,
    now: DateTime<Utc>,
) -> Result<HashMap<String, Vec<FoundBook>>> {
    let mut select = conn.prepare_cached(
        "SELECT source, answer FROM lookup_answers WHERE query = ?1 AND source IN (SELECT value FROM json_each(?2))
             AND expires_at > ?3",
    )?;
    let names = serde_json::to_string(&LookupSource::ALL.map(LookupSource::name))?;
    let rows = select.query_map(params![query.key(), names, instant(now)], |row| {
        Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?))
    })?;
    let mut found = HashMap::new();
    for row in rows {
        let (source, answer) = row?;
        // An answer that an older or newer program wrote in another form is asked for again.
        if let Ok(answer) = serde_json::from_str(&answer) {
            found.insert(source, answer);
        }
    }
    Ok(found)
}

/// Stores the response of a catalogue.
pub fn store_response(tx: &Tx<'_>, source: LookupSource, query: &LookupQuery, answer: &[FoundBook]) -> Result<()> {
    let until = tx.now() + if answer.is_empty() { MISS_KEPT } else { KEPT };
    tx.prepare_cached(
        "INSERT INTO lookup_answers (source, query, answer, expires_at) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (source, query) DO UPDATE SET answer = excluded.answer, expires_at = excluded.expires_at",
    )?
    .execute(params![source.name(), query.key(), serde_json::to_string(answer)?, instant(until)])?;
    make_room(tx, MOST_KEPT)
}

/// Deletes the answers that expire first, as far as there are more than so many.
fn make_room(tx: &Tx<'_>, most: i64) -> Result<()> {
    tx.prepare_cached(
        "DELETE FROM lookup_answers WHERE (source, query) IN
             (SELECT source, query FROM lookup_answers ORDER BY expires_at DESC LIMIT -1 OFFSET ?1)",
    )?
    .execute([most])?;
    Ok(())
}

/// Deletes answers that are not used any more. Returns how many.
pub fn delete_expired(tx: &Tx<'_>) -> Result<usize> {
    Ok(tx.prepare_cached("DELETE FROM lookup_answers WHERE expires_at <= ?1")?.execute([tx.stamp()])?)
}
