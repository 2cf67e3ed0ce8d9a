//! The table of the e-mails that operators got about failures.
use rusqlite::{Connection, params};

use super::model::{AlertState, Kind};
use crate::kit::Result;
use crate::kit::db::pool::Tx;
use crate::kit::timestamp::Timestamp;

/// What is known about every kind.
pub fn find(conn: &Connection) -> Result<Vec<(Kind, AlertState)>> {
    let mut query = conn.prepare_cached("SELECT kind, mailed_at, failing FROM operator_alerts")?;
    let row = |row: &rusqlite::Row<'_>| {
        let mailed_at: Timestamp = row.get(1)?;
        Ok((row.get::<_, Kind>(0)?, AlertState::of(mailed_at.utc(), row.get(2)?)))
    };
    let found = query.query_map([], row)?.collect::<rusqlite::Result<Vec<_>>>()?;
    let known = |kind: Kind| found.iter().find(|(known, _)| *known == kind).map(|(_, known)| known.clone());
    Ok(Kind::ALL.iter().map(|kind| (*kind, known(*kind).unwrap_or_default())).collect())
}

/// Records what was sent about a kind. Writes nothing before the first e-mail.
pub fn record(tx: &Tx<'_>, kind: Kind, known: &AlertState) -> Result<()> {
    let Some(mailed_at) = known.mailed_at.map(Timestamp::from) else { return Ok(()) };
    tx.execute(
        "INSERT INTO operator_alerts (kind, mailed_at, failing) VALUES (?1, ?2, ?3)
            ON CONFLICT (kind) DO UPDATE SET mailed_at = excluded.mailed_at, failing = excluded.failing",
        params![kind, mailed_at, known.failing],
    )?;
    Ok(())
}
