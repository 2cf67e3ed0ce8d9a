//! The table of invitations. A row without an address was used, declined or revoked.
use chrono::{DateTime, TimeDelta, Utc};
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use crate::kit::db::pool::{Tx, instant};
use crate::kit::http::session::TokenHash;
use crate::kit::id::UserId;
use crate::kit::mail::address;
use crate::kit::timestamp::Timestamp;
use crate::kit::{Error, Result};
use crate::teams::model::{Membership, TeamId, TeamInvitation, TeamRole};
use crate::teams::store as teams;

/// The most invitations of one team per day, because each may be an e-mail to a stranger.
pub(super) const MOST_A_DAY: i64 = 200;
/// How long an invitation is valid.
pub(super) const VALID_FOR: TimeDelta = TimeDelta::days(7);
/// How long the link of an ended invitation still names team and inviter.
pub(super) const REMEMBERED: TimeDelta = TimeDelta::days(90);

/// Why an invitation is not made, or not answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InvitationRefusal {
    /// The token is not that of an invitation.
    Unknown,
    /// It was used, declined, taken back or has expired.
    Over {
        /// The team's name; `None` for an invitation to the server.
        team: Option<String>,
        /// Who invited.
        inviter: String,
        /// The address, of an invitation that has expired.
        masked_email: Option<String>,
    },
    /// It is for another address than the account's.
    OtherAddress {
        /// The address that was invited.
        masked_email: String,
    },
    /// The address is a member's.
    AlreadyMember,
    /// The team has no seat for one more invitation.
    NoSeats,
    /// The team has no seat for the one who accepts.
    TeamFull,
    /// The team, or the server, has invited as many people within a day as it may.
    TooManyToday {
        /// How many that is.
        limit: i64,
    },
}

const COLUMNS: &str = "id, email, created_at, expires_at";

fn invitation(row: &Row<'_>) -> rusqlite::Result<TeamInvitation> {
    Ok(TeamInvitation {
        id: row.get("id")?,
        email: row.get("email")?,
        created_at: row.get("created_at")?,
        expires_at: row.get("expires_at")?,
        invite_url: None,
    })
}

/// A team's valid invitations, oldest first.
pub fn pending(conn: &Connection, team_id: TeamId, now: DateTime<Utc>) -> Result<Vec<TeamInvitation>> {
    let mut query = conn.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM invitations WHERE team_id = ?1 AND email IS NOT NULL AND expires_at > ?2 ORDER BY id"
    ))?;
    let found = query.query_map(params![team_id, instant(now)], invitation)?;
    Ok(found.collect::<rusqlite::Result<_>>()?)
}

/// Invites an address, or renews its invitation, which needs no free seat; the earlier link stops working.
///
/// # Errors
/// [`crate::teams::model::TeamRefusal::Unpaid`]; [`InvitationRefusal::AlreadyMember`], [`InvitationRefusal::NoSeats`] or
/// [`InvitationRefusal::TooManyToday`].
pub fn invite(tx: &Tx<'_>, by: &Membership, address: &str, hash: TokenHash) -> Result<TeamInvitation> {
    teams::require_paid(tx, by.team_id)?;
    let key = address::key(address);
    let is_member = "SELECT EXISTS (SELECT 1 FROM members m JOIN users u ON u.id = m.user_id
        WHERE m.team_id = ?1 AND u.email_key = ?2)";
    if tx.prepare_cached(is_member)?.query_row(params![by.team_id, key], |row| row.get(0))? {
        return Err(InvitationRefusal::AlreadyMember.into());
    }
    forget_old(tx, by.team_id)?;
    let holds_a_seat =
        "SELECT EXISTS (SELECT 1 FROM invitations WHERE team_id = ?1 AND email_key = ?2 AND expires_at > ?3)";
    let renewed: bool =
        tx.prepare_cached(holds_a_seat)?.query_row(params![by.team_id, key, tx.stamp()], |row| row.get(0))?;
    if !renewed && teams::seats(tx, by.team_id, tx.now())?.available_seats == 0 {
        return Err(InvitationRefusal::NoSeats.into());
    }
    let today = "SELECT count(*) FROM invitations WHERE team_id = ?1 AND created_at > ?2";
    let made: i64 = tx
        .prepare_cached(today)?
        .query_row(params![by.team_id, instant(tx.now() - TimeDelta::days(1))], |row| row.get(0))?;
    if !renewed && made >= MOST_A_DAY {
        return Err(InvitationRefusal::TooManyToday { limit: MOST_A_DAY }.into());
    }
    let sql = format!(
        "INSERT INTO invitations (team_id, inviter_id, email, email_key, token_hash, created_at, expires_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
         ON CONFLICT (team_id, email_key) DO UPDATE SET inviter_id = ?2, email = ?3, token_hash = ?5, created_at = ?6, expires_at = ?7
         RETURNING {COLUMNS}"
    );
    let values = params![by.team_id, by.user_id, address, key, hash, tx.stamp(), instant(tx.now() + VALID_FOR)];
    Ok(tx.prepare_cached(&sql)?.query_row(values, invitation)?)
}

fn forget_old(tx: &Tx<'_>, team_id: TeamId) -> Result<()> {
    tx.prepare_cached("DELETE FROM invitations WHERE team_id = ?1 AND expires_at < ?2")?
        .execute(params![team_id, instant(tx.now() - REMEMBERED)])?;
    Ok(())
}

/// Masks the addresses of expired invitations, keeping only beginning and end for the link's response, and deletes invitations
/// that ended long ago. Returns how many rows changed.
pub fn forget_all_old(tx: &Tx<'_>) -> Result<usize> {
    let deleted = tx.execute("DELETE FROM invitations WHERE expires_at < ?1", [instant(tx.now() - REMEMBERED)])?;
    Ok(deleted + mask_expired(tx)?)
}

fn mask_expired(tx: &Tx<'_>) -> Result<usize> {
    let mut query =
        tx.prepare_cached("SELECT id, email FROM invitations WHERE email IS NOT NULL AND expires_at <= ?1")?;
    let rows = query.query_map([tx.stamp()], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?)))?;
    let expired: Vec<_> = rows.collect::<rusqlite::Result<_>>()?;
    for (id, address) in &expired {
        tx.prepare_cached("UPDATE invitations SET email = NULL, email_key = NULL, masked_email = ?2 WHERE id = ?1")?
            .execute(params![id, address::masked(address)])?;
    }
    Ok(expired.len())
}

/// Checks that an invitation belongs to a team and is valid.
pub fn require(tx: &Tx<'_>, team_id: TeamId, id: i64) -> Result<()> {
    let sql = "SELECT EXISTS (SELECT 1 FROM invitations WHERE team_id = ?1 AND id = ?2 AND email IS NOT NULL AND expires_at > ?3)";
    if tx.prepare_cached(sql)?.query_row(params![team_id, id, tx.stamp()], |row| row.get(0))? {
        Ok(())
    } else {
        Err(Error::NotFound)
    }
}

/// Ends an invitation, and deletes the address.
pub fn close(tx: &Tx<'_>, id: i64) -> Result<()> {
    tx.prepare_cached("UPDATE invitations SET email = NULL, email_key = NULL WHERE id = ?1")?.execute([id])?;
    Ok(())
}

/// A valid invitation, as its link finds it.
#[derive(Debug, Clone)]
pub struct ValidInvitation {
    id: i64,
    team_id: TeamId,
    pub team: String,
    /// The name of the inviter, or of the team's owner when that account is deleted.
    pub inviter: String,
    /// As entered.
    pub email: String,
    /// RFC 3339, UTC.
    pub expires_at: Timestamp,
}

/// The invitation of a token.
///
/// # Errors
/// [`InvitationRefusal::Unknown`]; [`InvitationRefusal::Over`] for one that was used, declined, taken back or has expired.
pub fn find_valid(conn: &Connection, hash: TokenHash, now: DateTime<Utc>) -> Result<ValidInvitation> {
    Ok(find(conn, hash, now)??)
}

/// The invitation of a token, or why it does not stand.
fn find(
    conn: &Connection,
    hash: TokenHash,
    now: DateTime<Utc>,
) -> Result<std::result::Result<ValidInvitation, InvitationRefusal>> {
    let mut query = conn.prepare_cached(
        "SELECT i.id, i.team_id, t.name AS team, coalesce(by.display_name, owner.display_name) AS inviter, i.email, i.expires_at,
            i.masked_email
         FROM invitations i JOIN teams t ON t.id = i.team_id LEFT JOIN users by ON by.id = i.inviter_id
         JOIN members m ON m.team_id = t.id AND m.role = 'owner' JOIN users owner ON owner.id = m.user_id
         WHERE i.token_hash = ?1",
    )?;
    let found = query.query_row([hash], |row| {
        let address: Option<String> = row.get("email")?;
        let found = ValidInvitation {
            id: row.get("id")?,
            team_id: row.get("team_id")?,
            team: row.get("team")?,
            inviter: row.get("inviter")?,
            email: address.clone().unwrap_or_default(),
            expires_at: row.get("expires_at")?,
        };
        let masked = row.get::<_, Option<String>>("masked_email")?.or_else(|| address.as_deref().map(address::masked));
        Ok((found, address.is_some(), masked))
    });
    let Some((found, open, masked_email)) = found.optional()? else { return Ok(Err(InvitationRefusal::Unknown)) };
    if open && found.expires_at > instant(now) {
        return Ok(Ok(found));
    }
    Ok(Err(InvitationRefusal::Over { team: Some(found.team), inviter: found.inviter, masked_email }))
}

/// Like [`find_valid`], for the account that wants to accept or decline it.
fn own(tx: &Tx<'_>, user_id: UserId, hash: TokenHash) -> Result<ValidInvitation> {
    let found = find_valid(tx, hash, tx.now())?;
    let address: String =
        tx.prepare_cached("SELECT email_key FROM users WHERE id = ?1")?.query_row([user_id], |row| row.get(0))?;
    if address == address::key(&found.email) {
        return Ok(found);
    }
    Err(InvitationRefusal::OtherAddress { masked_email: address::masked(&found.email) }.into())
}

/// Joins the team that the account was invited to. The seat was reserved. `shares` replaces the earlier choice about sharing.
///
/// # Errors
/// As [`find_valid`]; [`InvitationRefusal::OtherAddress`]; [`InvitationRefusal::TeamFull`]; as [`teams::join`].
pub fn accept(tx: &Tx<'_>, user_id: UserId, hash: TokenHash, shares: bool) -> Result<Membership> {
    let found = own(tx, user_id, hash)?;
    let usage = teams::seats(tx, found.team_id, tx.now())?;
    // The plan may have fewer seats than when this one was reserved.
    if usage.current_members >= usage.seat_limit {
        return Err(InvitationRefusal::TeamFull.into());
    }
    let joined = Membership { team_id: found.team_id, user_id, role: TeamRole::Member };
    teams::join(tx, &joined)?;
    teams::set_sharing(tx, user_id, shares)?;
    close(tx, found.id)?;
    Ok(joined)
}

/// Declines an invitation, which frees its seat.
///
/// # Errors
/// As [`find_valid`]; [`InvitationRefusal::OtherAddress`].
pub fn decline(tx: &Tx<'_>, user_id: UserId, hash: TokenHash) -> Result<()> {
    let found = own(tx, user_id, hash)?;
    close(tx, found.id)
}

/// Whether a token invites an address now, which permits a sign-up on a server that requires invitations.
pub fn invites(conn: &Connection, hash: TokenHash, address: &str, now: DateTime<Utc>) -> Result<bool> {
    Ok(find(conn, hash, now)?.is_ok_and(|found| address::key(&found.email) == address::key(address)))
}
