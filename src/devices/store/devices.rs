//! The table of devices.
use std::collections::HashMap;

use chrono::{DateTime, Utc};
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use crate::devices::model::{
    Device, DeviceChange, DeviceId, DeviceKind, DeviceRefusal, DeviceReports, MOST_DEVICES, MOST_OFFSET,
};
use crate::kit::db::pool::Tx;
use crate::kit::id::UserId;
use crate::kit::timestamp::Timestamp;
use crate::kit::{Error, Result};

/// A stored secret: a salt, and the hash of what the protocol sends.
pub type SecretHash = [u8; 48];

/// Whose login it is, and what proves it.
#[derive(Debug, Clone)]
pub struct Login {
    pub id: DeviceId,
    pub user_id: UserId,
    pub secret_hash: SecretHash,
    pub last_seen: Option<Timestamp>,
}

const COLUMNS: &str = "id, name, kind, login, created_at, last_seen_at, put_at, clock_offset, clock_offset_proposed";

fn device(row: &Row<'_>) -> rusqlite::Result<Device> {
    Ok(Device {
        id: row.get("id")?,
        name: row.get("name")?,
        kind: row.get("kind")?,
        login: row.get("login")?,
        created_at: row.get("created_at")?,
        last_seen_at: row.get("last_seen_at")?,
        put_at: row.get("put_at")?,
        clock_offset: row.get("clock_offset")?,
        clock_offset_proposed: row.get("clock_offset_proposed")?,
        reports: DeviceReports::default(),
    })
}

/// An account's devices, newest first, without what they have reported.
pub fn all(conn: &Connection, owner: UserId) -> Result<Vec<Device>> {
    let sql = format!("SELECT {COLUMNS} FROM devices WHERE user_id = ?1 ORDER BY id DESC");
    let mut query = conn.prepare_cached(&sql)?;
    let rows = query.query_map([owner], device)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Stores a new device.
///
/// # Errors
/// [`DeviceRefusal::TooMany`].
pub fn add(
    tx: &Tx<'_>,
    owner: UserId,
    name: &str,
    kind: DeviceKind,
    login: &str,
    secret: SecretHash,
) -> Result<Device> {
    let had: i64 =
        tx.prepare_cached("SELECT count(*) FROM devices WHERE user_id = ?1")?.query_row([owner], |row| row.get(0))?;
    if had >= MOST_DEVICES {
        return Err(DeviceRefusal::TooMany.into());
    }
    let sql = format!(
        "INSERT INTO devices (user_id, name, kind, login, secret_hash, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6) RETURNING {COLUMNS}"
    );
    Ok(tx.prepare_cached(&sql)?.query_row(params![owner, name, kind, login, secret, tx.stamp()], device)?)
}

/// Changes a device. A clock offset also answers the proposal.
pub fn change(
    tx: &Tx<'_>,
    owner: UserId,
    id: DeviceId,
    change: &DeviceChange,
    secret: Option<SecretHash>,
) -> Result<()> {
    let sql =
        "UPDATE devices SET name = coalesce(?3, name), clock_offset = coalesce(?4, clock_offset),
            clock_offset_proposed = iif(?4 IS NULL, clock_offset_proposed, NULL), secret_hash = coalesce(?5, secret_hash)
        WHERE user_id = ?1 AND id = ?2";
    match tx.prepare_cached(sql)?.execute(params![owner, id, change.name, change.clock_offset, secret])? {
        0 => Err(Error::NotFound),
        _ => Ok(()),
    }
}

/// Deletes a device. What it reported stays.
pub fn delete(tx: &Tx<'_>, owner: UserId, id: DeviceId) -> Result<()> {
    match tx.prepare_cached("DELETE FROM devices WHERE user_id = ?1 AND id = ?2")?.execute((owner, id))? {
        0 => Err(Error::NotFound),
        _ => Ok(()),
    }
}

/// Deletes every device of an account. What they reported stays.
pub fn delete_all(tx: &Tx<'_>, owner: UserId) -> Result<()> {
    tx.prepare_cached("DELETE FROM devices WHERE user_id = ?1")?.execute([owner])?;
    Ok(())
}

/// The device of a user name.
pub fn find(conn: &Connection, login: &str) -> Result<Option<Login>> {
    let mut query =
        conn.prepare_cached("SELECT id, user_id, secret_hash, last_seen_at FROM devices WHERE login = ?1")?;
    let found = query.query_row([login], |row| {
        Ok(Login { id: row.get(0)?, user_id: row.get(1)?, secret_hash: row.get(2)?, last_seen: row.get(3)? })
    });
    Ok(found.optional()?)
}

/// Notes that a device has reported.
pub fn seen(tx: &Tx<'_>, id: DeviceId) -> Result<()> {
    tx.prepare_cached("UPDATE devices SET last_seen_at = ?2 WHERE id = ?1")?.execute((id, tx.stamp()))?;
    Ok(())
}

/// Notes that its statistics came, and proposes that its clock is ahead where its newest row ends in the future. Returns whether they came
/// for the first time.
pub fn put(tx: &Tx<'_>, id: DeviceId, newest_end: Option<i64>, now: DateTime<Utc>) -> Result<bool> {
    let sql = "SELECT put_at IS NULL, clock_offset FROM devices WHERE id = ?1";
    let found = tx.prepare_cached(sql)?.query_row([id], |row| Ok((row.get(0)?, row.get(1)?)));
    // Its login may be taken back while it sends.
    let (is_first, offset): (bool, i64) = found.optional()?.ok_or(Error::Unauthorized)?;
    // In whole quarters of an hour, rounded up: the row ended before it was sent.
    let ahead = newest_end.map_or(0, |end| (end - now.timestamp()) / 60);
    let quarters = (ahead + 14) / 15 * 15;
    let proposed = (ahead - offset >= 15 && quarters <= MOST_OFFSET).then_some(quarters);
    tx.prepare_cached(
        "UPDATE devices SET put_at = ?2, clock_offset_proposed = coalesce(?3, clock_offset_proposed) WHERE id = ?1",
    )?
    .execute((id, tx.stamp(), proposed))?;
    Ok(is_first)
}

/// The minutes that the clock of each device of an account is ahead.
pub fn clocks(conn: &Connection, owner: UserId) -> Result<HashMap<i64, i64>> {
    let mut query = conn.prepare_cached("SELECT id, clock_offset FROM devices WHERE user_id = ?1")?;
    let rows = query.query_map([owner], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}
