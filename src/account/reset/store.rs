//! The table of password reset links.
use chrono::{DateTime, TimeDelta, Utc};
use rusqlite::{Connection, OptionalExtension as _, params};
use sha2::{Digest as _, Sha256};

use crate::account::model::email_key;
use crate::kit::db::pool::{Tx, instant};
use crate::kit::http::session::TokenHash;
use crate::kit::id::UserId;
use crate::kit::{Error, Result};

/// How long a link to a new password works.
const VALID: TimeDelta = TimeDelta::hours(1);
/// How long a link works for an account that has no other way in: its owner does not expect the link.
const FIRST_VALID: TimeDelta = TimeDelta::days(7);

/// How a link reaches its reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkDelivery {
    /// Only by e-mail to the account's address: opening it proves the address.
    Email,
    /// Shown to an operator, who passes it on in any way.
    Operator,
}

impl LinkDelivery {
    /// What the table holds of a link: the hash of its token, in a domain of its own for links that an operator has seen, so that no
    /// column has to distinguish them.
    fn stored(self, token: TokenHash) -> TokenHash {
        match self {
            Self::Email => token,
            Self::Operator => Sha256::new().chain_update(b"by an operator: ").chain_update(token).finalize().into(),
        }
    }
}

/// The account of a reset link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holder {
    pub user_id: UserId,
    pub email: String,
    pub display_name: String,
    /// How the link reached its reader.
    pub delivery: LinkDelivery,
}

/// How long a new link of an account works, in words.
pub fn lasting(conn: &Connection, user_id: UserId) -> Result<&'static str> {
    let sql = "SELECT EXISTS (SELECT 1 FROM never_opened WHERE user_id = ?1)";
    let is_first: bool = conn.prepare_cached(sql)?.query_row([user_id], |row| row.get(0))?;
    Ok(if is_first { "seven days" } else { "the hour" })
}

/// Stores a new link of an account; the previous one stops working.
pub fn issue(tx: &Tx<'_>, user_id: UserId, token: TokenHash, delivery: LinkDelivery) -> Result<()> {
    let made = tx
        .prepare_cached(
            "INSERT INTO password_resets (user_id, token_hash, created_at) SELECT id, ?2, ?3 FROM users WHERE id = ?1
             ON CONFLICT (user_id) DO UPDATE SET token_hash = excluded.token_hash, created_at = excluded.created_at",
        )?
        .execute(params![user_id, delivery.stored(token), tx.stamp()])?;
    if made == 0 { Err(Error::NotFound) } else { Ok(()) }
}

/// Stores a new link for the account with an address, to be e-mailed to its stored address, if `may_write` agrees to that one. Returns
/// the account and the address. Disabled accounts get no link.
pub fn issue_by_email(
    tx: &Tx<'_>,
    email: &str,
    token: TokenHash,
    may_write: impl FnOnce(&str) -> bool,
) -> Result<Option<(UserId, String)>> {
    let mut query = tx.prepare_cached("SELECT id, email FROM users WHERE email_key = ?1 AND disabled = 0")?;
    let found = query.query_row([email_key(email)], |row| Ok((row.get(0)?, row.get::<_, String>(1)?))).optional()?;
    let Some((user_id, to)) = found.filter(|(_, to)| may_write(to)) else { return Ok(None) };
    issue(tx, user_id, token, LinkDelivery::Email)?;
    Ok(Some((user_id, to)))
}

/// Revokes an account's link, after a change of its address or password.
pub fn revoke(tx: &Tx<'_>, user_id: UserId) -> Result<()> {
    tx.prepare_cached("DELETE FROM password_resets WHERE user_id = ?1")?.execute([user_id])?;
    Ok(())
}

/// The account of a token, if the token is still valid.
pub fn holder(conn: &Connection, token: TokenHash, now: DateTime<Utc>) -> Result<Option<Holder>> {
    let mut query = conn.prepare_cached(
        "SELECT u.id, u.email, u.display_name FROM password_resets r JOIN users u ON u.id = r.user_id
         WHERE r.token_hash = ?1 AND u.disabled = 0
            AND r.created_at > CASE WHEN u.id IN (SELECT user_id FROM never_opened) THEN ?3 ELSE ?2 END",
    )?;
    for delivery in [LinkDelivery::Email, LinkDelivery::Operator] {
        let values = params![delivery.stored(token), instant(now - VALID), instant(now - FIRST_VALID)];
        let found = query.query_row(values, |row| {
            Ok(Holder { user_id: row.get(0)?, email: row.get(1)?, display_name: row.get(2)?, delivery })
        });
        if let Some(found) = found.optional()? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// Deletes expired links. Returns how many.
pub fn forget_old(tx: &Tx<'_>) -> Result<usize> {
    let sql = "DELETE FROM password_resets
        WHERE created_at <= CASE WHEN user_id IN (SELECT user_id FROM never_opened) THEN ?2 ELSE ?1 END";
    Ok(tx.execute(sql, [instant(tx.now() - VALID), instant(tx.now() - FIRST_VALID)])?)
}
