//! The table of invitations to the server.
use chrono::{DateTime, TimeDelta, Utc};
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::ServerInvitation;
use crate::kit::db::pool::{Tx, instant};
use crate::kit::http::session::TokenHash;
use crate::kit::id::UserId;
use crate::kit::mail::address;
use crate::kit::timestamp::Timestamp;
use crate::kit::{Error, Result};
use crate::teams::invitations::store::{InvitationRefusal, MOST_A_DAY, REMEMBERED, VALID_FOR};

const COLUMNS: &str = "id, email, created_at, expires_at";

fn invitation(row: &Row<'_>) -> rusqlite::Result<ServerInvitation> {
    Ok(ServerInvitation { id: row.get(0)?, email: row.get(1)?, created_at: row.get(2)?, expires_at: row.get(3)? })
}

/// The valid invitations, newest first.
pub fn open(conn: &Connection, now: DateTime<Utc>) -> Result<Vec<ServerInvitation>> {
    let mut query = conn.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM server_invitations WHERE ended = 0 AND expires_at > ?1 ORDER BY id DESC"
    ))?;
    let found = query.query_map([instant(now)], invitation)?;
    Ok(found.collect::<rusqlite::Result<_>>()?)
}

/// Invites an address, or anybody with the link (`None`). An earlier invitation of the address stops working.
///
/// # Errors
/// [`InvitationRefusal::TooManyToday`].
pub fn invite(tx: &Tx<'_>, inviter: UserId, address: Option<&str>, token: TokenHash) -> Result<ServerInvitation> {
    let today = "SELECT count(*) FROM server_invitations WHERE created_at > ?1";
    let made: i64 = tx.prepare_cached(today)?.query_row([instant(tx.now() - TimeDelta::days(1))], |row| row.get(0))?;
    if made >= MOST_A_DAY {
        return Err(InvitationRefusal::TooManyToday { limit: MOST_A_DAY }.into());
    }
    let key = address.map(address::key);
    let replaced = "UPDATE server_invitations SET ended = 1, email = NULL, email_key = NULL WHERE email_key = ?1";
    tx.prepare_cached(replaced)?.execute([&key])?;
    let sql = format!(
        "INSERT INTO server_invitations (inviter_id, email, email_key, token_hash, created_at, expires_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6) RETURNING {COLUMNS}"
    );
    let values = params![inviter, address, key, token, tx.stamp(), instant(tx.now() + VALID_FOR)];
    Ok(tx.prepare_cached(&sql)?.query_row(values, invitation)?)
}

/// Revokes a valid invitation, and deletes its address.
pub fn revoke(tx: &Tx<'_>, id: i64) -> Result<()> {
    let sql = "UPDATE server_invitations SET ended = 1, email = NULL, email_key = NULL
        WHERE id = ?1 AND ended = 0 AND expires_at > ?2";
    let ended = tx.prepare_cached(sql)?.execute(params![id, tx.stamp()])?;
    if ended == 0 { Err(Error::NotFound) } else { Ok(()) }
}

/// A valid invitation, as its link finds it.
#[derive(Debug, Clone)]
pub struct OpenInvitation {
    /// The name of the operator who invited; `None` when that account is deleted.
    pub inviter: Option<String>,
    /// The address that it is for; `None` when anybody with the link may sign up.
    pub email: Option<String>,
    /// RFC 3339, UTC.
    pub expires_at: Timestamp,
}

/// The valid invitation of a token.
///
/// # Errors
/// [`InvitationRefusal::Unknown`]; [`InvitationRefusal::Over`] for one that was used or revoked, or has expired.
pub fn find(conn: &Connection, token: TokenHash, now: DateTime<Utc>) -> Result<OpenInvitation> {
    let mut query = conn.prepare_cached(
        "SELECT by.display_name, i.email, i.expires_at, i.ended, i.masked_email
         FROM server_invitations i LEFT JOIN users by ON by.id = i.inviter_id WHERE i.token_hash = ?1",
    )?;
    let found = query.query_row([token], |row| {
        let found = OpenInvitation { inviter: row.get(0)?, email: row.get(1)?, expires_at: row.get(2)? };
        Ok((found, row.get::<_, bool>(3)?, row.get::<_, Option<String>>(4)?))
    });
    let Some((found, ended, masked)) = found.optional()? else { return Err(InvitationRefusal::Unknown.into()) };
    if !ended && found.expires_at > instant(now) {
        return Ok(found);
    }
    let masked_email = masked.or_else(|| found.email.as_deref().map(address::masked));
    let inviter = found.inviter.unwrap_or_default();
    Err(InvitationRefusal::Over { team: None, inviter, masked_email }.into())
}

/// Whether a token invites an address to the server now.
pub fn invites(conn: &Connection, token: TokenHash, address: &str, now: DateTime<Utc>) -> Result<bool> {
    Ok(valid_for(conn, token, address, now)?.is_some())
}

/// Uses up the invitation of a token for the account of an address. Returns whether it was valid for that address.
pub fn redeem(tx: &Tx<'_>, token: TokenHash, address: &str) -> Result<bool> {
    match valid_for(tx, token, address, tx.now())? {
        Some(id) => revoke(tx, id).map(|()| true),
        None => Ok(false),
    }
}

fn valid_for(conn: &Connection, token: TokenHash, address: &str, now: DateTime<Utc>) -> Result<Option<i64>> {
    let mut query = conn.prepare_cached(
        "SELECT id FROM server_invitations
         WHERE token_hash = ?1 AND ended = 0 AND expires_at > ?2 AND coalesce(email_key, ?3) = ?3",
    )?;
    Ok(query.query_row(params![token, instant(now), address::key(address)], |row| row.get(0)).optional()?)
}

/// Masks the addresses of expired invitations, and deletes invitations that ended long ago. Returns how many rows changed.
pub fn forget_old(tx: &Tx<'_>) -> Result<usize> {
    let deleted =
        tx.execute("DELETE FROM server_invitations WHERE expires_at < ?1", [instant(tx.now() - REMEMBERED)])?;
    let mut query =
        tx.prepare_cached("SELECT id, email FROM server_invitations WHERE email IS NOT NULL AND expires_at <= ?1")?;
    let rows = query.query_map([tx.stamp()], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?)))?;
    let expired: Vec<_> = rows.collect::<rusqlite::Result<_>>()?;
    for (id, email) in &expired {
        let sql = "UPDATE server_invitations SET email = NULL, email_key = NULL, masked_email = ?2 WHERE id = ?1";
        tx.prepare_cached(sql)?.execute(params![id, address::masked(email)])?;
    }
    Ok(deleted + expired.len())
}
