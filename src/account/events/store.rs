//! The table of the audit trail.
use chrono::TimeDelta;
use rusqlite::{Connection, Row, params};

use super::model::{Actor, COMMAND_LINE, EventKind, EventSource, NewEvent, SecurityEvent, SecurityEventList};
use crate::kit::Result;
use crate::kit::db::pool::{Tx, instant};
use crate::kit::http::query::PageRequest;
use crate::kit::id::UserId;

/// How long an event is kept.
const KEPT_FOR: TimeDelta = TimeDelta::days(90);
/// The most events of one account. The oldest are deleted first, so that nobody can fill the disk by signing in.
const MOST: i64 = 5_000;

/// Records an event in the current transaction, and logs it with account ids once that is committed.
pub fn record(tx: &Tx<'_>, event: &NewEvent<'_>) -> Result<()> {
    insert(tx, event)?;
    if let Some(account) = event.account {
        trim(tx, account)?;
    }
    let (what, account, actor) = (event.kind.name(), event.account.map(|id| id.0), event.actor);
    tx.after_commit(move || match actor {
        Actor::Account(actor) => tracing::info!(target: "security", what, account, actor = actor.0, "security event"),
        Actor::CommandLine => tracing::info!(target: "security", what, account, actor = COMMAND_LINE, "security event"),
        Actor::Unknown => tracing::info!(target: "security", what, account, "security event"),
    });
    Ok(())
}

/// Records that an account was deleted, without its id and source: nothing about a deleted account is kept.
pub fn record_deletion(tx: &Tx<'_>, account: UserId, actor: Actor) -> Result<()> {
    let event = NewEvent { kind: EventKind::AccountDeleted, account: None, actor, source: &EventSource::default() };
    insert(tx, &event)?;
    let what = event.kind.name();
    tx.after_commit(move || tracing::info!(target: "security", what, account = account.0, "security event"));
    Ok(())
}

fn insert(tx: &Tx<'_>, event: &NewEvent<'_>) -> Result<()> {
    let actor = match event.actor {
        Actor::Account(user_id) => Some(user_id),
        Actor::CommandLine | Actor::Unknown => None,
    };
    tx.prepare_cached(
        "INSERT INTO events (at, user_id, actor_id, by_command_line, kind, address, device)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?
    .execute(params![
        tx.stamp(),
        event.account,
        actor,
        event.actor == Actor::CommandLine,
        event.kind,
        event.source.address,
        event.source.device
    ])?;
    Ok(())
}

/// Deletes the oldest events of an account that has too many.
fn trim(tx: &Tx<'_>, user_id: UserId) -> Result<()> {
    tx.prepare_cached(
        "DELETE FROM events WHERE user_id = ?1
            AND id <= (SELECT id FROM events WHERE user_id = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)",
    )?
    .execute((user_id, MOST))?;
    Ok(())
}

/// Writes to the table without leaving a row. A request about an address without an account then takes a commit like one about an
/// existing account, so that response times don't reveal which is the case.
pub fn write_nothing(tx: &Tx<'_>, source: &EventSource) -> Result<()> {
    let event = NewEvent { kind: EventKind::LoginFailed, account: None, actor: Actor::Unknown, source };
    insert(tx, &event)?;
    tx.prepare_cached("DELETE FROM events WHERE id = ?1")?.execute([tx.last_insert_rowid()])?;
    Ok(())
}

/// Removes the source from every event whose actor is the account to be deleted; the account's own events are deleted with it.
pub fn forget_actor(tx: &Tx<'_>, user_id: UserId) -> Result<()> {
    tx.prepare_cached("UPDATE events SET address = NULL, device = NULL WHERE actor_id = ?1")?.execute([user_id])?;
    Ok(())
}

/// Deletes events that are older than 90 days. Returns how many.
pub fn forget_old(tx: &Tx<'_>) -> Result<usize> {
    Ok(tx.execute("DELETE FROM events WHERE at < ?1", [instant(tx.now() - KEPT_FOR)])?)
}

const SELECT: &str =
    "SELECT e.id, e.at, CASE WHEN e.by_command_line THEN ?4 ELSE actor.email END AS actor, e.kind, account.email AS whom,
        e.address, e.device
    FROM events e LEFT JOIN users actor ON actor.id = e.actor_id LEFT JOIN users account ON account.id = e.user_id";

fn event(row: &Row<'_>) -> rusqlite::Result<(i64, Option<SecurityEvent>)> {
    let kind: String = row.get("kind")?;
    // Skip a kind that a newer version wrote.
    let found = match EventKind::from_name(&kind) {
        Some(what) => Some(SecurityEvent {
            at: row.get("at")?,
            actor: row.get("actor")?,
            what,
            whom: row.get("whom")?,
            address: row.get("address")?,
            device: row.get("device")?,
        }),
        None => None,
    };
    Ok((row.get("id")?, found))
}

/// A page of all accounts' events, newest first.
pub fn all(conn: &Connection, request: PageRequest) -> Result<SecurityEventList> {
    page(
        conn,
        &format!("{SELECT} WHERE ?1 IS NULL AND e.id < ?2 ORDER BY e.id DESC LIMIT ?3"),
        None,
        request.cursor,
        request.limit(),
    )
}

const OF_ACCOUNT: &str = "WHERE e.user_id = ?1 AND e.id < ?2 ORDER BY e.id DESC LIMIT ?3";

/// A page of one account's events, newest first.
pub fn of_account(conn: &Connection, user_id: UserId, request: PageRequest) -> Result<SecurityEventList> {
    page(conn, &format!("{SELECT} {OF_ACCOUNT}"), Some(user_id), request.cursor, request.limit())
}

/// Every event of one account, newest first, for its complete export.
pub fn whole(conn: &Connection, user_id: UserId) -> Result<Vec<SecurityEvent>> {
    let limit = usize::try_from(MOST).unwrap_or(usize::MAX);
    Ok(page(conn, &format!("{SELECT} {OF_ACCOUNT}"), Some(user_id), None, limit)?.data)
}

fn page(
    conn: &Connection,
    sql: &str,
    user_id: Option<UserId>,
    cursor: Option<i64>,
    limit: usize,
) -> Result<SecurityEventList> {
    let mut query = conn.prepare_cached(sql)?;
    let one_more = i64::try_from(limit).unwrap_or(i64::MAX).saturating_add(1);
    let rows = query.query_map(params![user_id, cursor.unwrap_or(i64::MAX), one_more, COMMAND_LINE], event)?;
    let mut found = rows.collect::<rusqlite::Result<Vec<_>>>()?;
    let more = found.len() > limit;
    found.truncate(limit);
    let next_cursor = found.last().filter(|_| more).map(|(id, _)| id.to_string());
    Ok(SecurityEventList { data: found.into_iter().filter_map(|(_, event)| event).collect(), next_cursor })
}
