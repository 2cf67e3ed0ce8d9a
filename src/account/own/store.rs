//! The queries behind a person's own account.
pub mod records;

use rusqlite::{Connection, OptionalExtension as _, params};

use super::model::{NewProfile, Session};
use crate::access::Role;
use crate::account::device;
use crate::account::model::{AccountRefusal, User, email_key};
use crate::account::reset::store::LinkDelivery;
use crate::account::store::{Credentials, find, prove_email, set_password_hash};
use crate::account::{events, reset, social, tokens};
use crate::kit::db::pool::{Tx, instant};
use crate::kit::http::session::{IDLE, LONGEST, TokenHash};
use crate::kit::id::{SessionId, UserId};
use crate::kit::mail::address::is_same_mailbox;
use crate::kit::net::geoip::GeoIp;
use crate::kit::{Error, Result};
use crate::{devices, sharing, teams};

/// The sessions of a user that are valid at a given time, most recently used first. Their places are looked up and never stored.
pub fn sessions(
    conn: &Connection,
    user_id: UserId,
    current: Option<SessionId>,
    now: chrono::DateTime<chrono::Utc>,
    places: &GeoIp,
) -> Result<Vec<Session>> {
    let mut query = conn.prepare_cached(
        "SELECT id, user_agent, ip_address, created_at, last_seen FROM sessions
         WHERE user_id = ?1 AND last_seen > ?2 AND created_at > ?3 ORDER BY last_seen DESC, id DESC",
    )?;
    let rows = query.query_map(params![user_id, instant(now - IDLE), instant(now - LONGEST)], |row| {
        let id = row.get("id")?;
        let user_agent: String = row.get("user_agent")?;
        let ip_address: String = row.get("ip_address")?;
        let place = ip_address.parse().ok().and_then(|ip| places.find(ip));
        Ok(Session {
            id,
            device: device::describe(&user_agent),
            place: place.map(|place| place.to_string()),
            ip_address,
            created_at: row.get("created_at")?,
            last_seen: row.get("last_seen")?,
            current: current == Some(id),
        })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Ends one of a user's sessions.
pub fn end_session(tx: &Tx<'_>, user_id: UserId, session_id: SessionId) -> Result<()> {
    let ended =
        tx.prepare_cached("DELETE FROM sessions WHERE id = ?2 AND user_id = ?1")?.execute((user_id, session_id))?;
    if ended == 0 { Err(Error::NotFound) } else { Ok(()) }
}

/// Sets a new password. All earlier access ends: sessions, known devices, a reset link.
pub fn set_password(tx: &Tx<'_>, user_id: UserId, hash: &str) -> Result<()> {
    set_password_hash(tx, user_id, hash)?;
    reset::store::revoke(tx, user_id)?;
    sign_out_everywhere(tx, user_id)
}

/// Recovers an account with a new password. All other access ends: sessions, known devices, API tokens, secret links, device logins, keys for
/// media servers, connected providers, and the sharing with a team, which somebody else may have joined.
pub fn recover(tx: &Tx<'_>, user_id: UserId, hash: &str) -> Result<()> {
    set_password(tx, user_id, hash)?;
    end_other_access(tx, user_id)?;
    teams::store::set_sharing(tx, user_id, false)
}

/// Recovers a link's account and uses up the link. The address counts as proven if the link was only mailed there.
///
/// # Errors
/// [`AccountRefusal::DeadLink`] when the link was used or replaced meanwhile, or has expired.
pub fn redeem_reset(tx: &Tx<'_>, token: TokenHash, password_hash: &str) -> Result<()> {
    let holder = reset::store::holder(tx, token, tx.now())?.ok_or(AccountRefusal::DeadLink)?;
    recover(tx, holder.user_id, password_hash)?;
    match holder.delivery {
        LinkDelivery::Email => prove_email(tx, holder.user_id),
        LinkDelivery::Operator => Ok(()),
    }
}

/// Ends access other than by password and session: API tokens, secret links, device logins, keys for media servers and connected providers.
pub fn end_other_access(tx: &Tx<'_>, user_id: UserId) -> Result<()> {
    tokens::store::revoke_all(tx, user_id)?;
    sharing::store::delete_all(tx, user_id)?;
    devices::store::end_reports(tx, user_id)?;
    social::store::unlink_all(tx, user_id)
}

/// Ends every session of a user and forgets the known devices.
pub fn sign_out_everywhere(tx: &Tx<'_>, user_id: UserId) -> Result<()> {
    tx.prepare_cached("DELETE FROM sessions WHERE user_id = ?1")?.execute([user_id])?;
    tx.prepare_cached("DELETE FROM known_devices WHERE user_id = ?1")?.execute([user_id])?;
    Ok(())
}

pub fn with_credentials(conn: &Connection, user_id: UserId, device: Option<TokenHash>) -> Result<(User, Credentials)> {
    let mut query = conn.prepare_cached(
        "SELECT password_hash, EXISTS (SELECT 1 FROM known_devices d WHERE d.user_id = users.id AND d.token_hash = ?2)
            AS known_device FROM users WHERE id = ?1",
    )?;
    let found = query.query_row(params![user_id, device], |row| {
        Ok(Credentials { user_id, password_hash: row.get("password_hash")?, known_device: row.get("known_device")? })
    });
    Ok((find(conn, user_id)?, found.optional()?.ok_or(Error::NotFound)?))
}

/// Changes the name, the address, or both.
///
/// # Errors
/// [`AccountRefusal::EmailTaken`] when the address, in any case, is another account's.
pub fn change(tx: &Tx<'_>, user_id: UserId, new: &NewProfile) -> Result<User> {
    if let Some(name) = &new.display_name {
        tx.prepare_cached("UPDATE users SET display_name = ?2 WHERE id = ?1")?.execute(params![user_id, name])?;
    }
    if let Some(email) = &new.email {
        change_email(tx, user_id, email)?;
    }
    find(tx, user_id)
}

fn change_email(tx: &Tx<'_>, user_id: UserId, email: &str) -> Result<()> {
    let key = email_key(email);
    let taken = tx
        .prepare_cached("SELECT EXISTS (SELECT 1 FROM users WHERE email_key = ?2 AND id <> ?1)")?
        .query_row(params![user_id, key], |row| row.get::<_, bool>(0))?;
    if taken {
        return Err(AccountRefusal::EmailTaken.into());
    }
    // A new address starts as unproven.
    let stays = is_same_mailbox(&find(tx, user_id)?.email, email);
    tx.prepare_cached(
        "UPDATE users SET email = ?2, email_key = ?3, email_proven_at = CASE WHEN ?4 THEN email_proven_at END
         WHERE id = ?1",
    )?
    .execute(params![user_id, email, key, stays])?;
    Ok(())
}

/// Refuses when an account is the only operator who can sign in.
pub fn keep_an_operator(conn: &Connection, user_id: UserId) -> Result<()> {
    let last: bool = conn.query_row(
        "SELECT EXISTS (SELECT 1 FROM users WHERE id = ?1 AND role = 'admin' AND disabled = 0)
            AND NOT EXISTS (SELECT 1 FROM users WHERE id <> ?1 AND role = 'admin' AND disabled = 0)",
        [user_id],
        |row| row.get(0),
    )?;
    if last {
        return Err(AccountRefusal::LastOperator.into());
    }
    Ok(())
}

/// Refuses to delete an account that others need.
///
/// # Errors
/// [`AccountRefusal::LastOperator`]; [`teams::model::TeamRefusal::HasMembers`] for the owner of a team with others in it.
pub fn check_deletable(conn: &Connection, user_id: UserId) -> Result<()> {
    keep_an_operator(conn, user_id)?;
    teams::store::check_deletable(conn, user_id)
}

/// Deletes an account with all its data.
///
/// # Errors
/// As [`check_deletable`]; [`Error::NotFound`] when there is none.
pub fn delete(tx: &Tx<'_>, user_id: UserId) -> Result<()> {
    check_deletable(tx, user_id)?;
    teams::store::delete_team_data(tx, user_id)?;
    events::store::forget_actor(tx, user_id)?;
    // The row in `users` takes all rows of the reader's other tables with it.
    let gone = tx.prepare_cached("DELETE FROM users WHERE id = ?1")?.execute([user_id])?;
    if gone == 0 { Err(Error::NotFound) } else { Ok(()) }
}

/// Changes an account's role.
///
/// # Errors
/// [`AccountRefusal::LastOperator`].
pub fn set_role(tx: &Tx<'_>, user_id: UserId, role: Role) -> Result<()> {
    match role {
        Role::Admin => {
            // A role with more rights needs a new token, because nobody may hold an old one.
            tx.prepare_cached("UPDATE sessions SET renew = 1 WHERE user_id = ?1")?.execute([user_id])?;
        }
        Role::User => {
            keep_an_operator(tx, user_id)?;
            sign_out_everywhere(tx, user_id)?;
        }
    }
    tx.prepare_cached("UPDATE users SET role = ?2 WHERE id = ?1")?.execute(params![user_id, role])?;
    Ok(())
}

/// Disables an account or enables it again; its data remain.
///
/// # Errors
/// [`AccountRefusal::LastOperator`].
pub fn set_disabled(tx: &Tx<'_>, user_id: UserId, disabled: bool) -> Result<()> {
    if disabled {
        keep_an_operator(tx, user_id)?;
        sign_out_everywhere(tx, user_id)?;
    }
    tx.prepare_cached("UPDATE users SET disabled = ?2 WHERE id = ?1")?.execute(params![user_id, disabled])?;
    Ok(())
}
