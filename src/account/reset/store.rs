//! The rows of links to a new password.
use chrono::{DateTime, TimeDelta, Utc};
use rusqlite::{Connection, OptionalExtension as _, params};

use crate::account::model::email_key;
use crate::account::own::store::{end_other_access, set_password};
use crate::account::store as accounts;
use crate::kit::db::pool::{Tx, instant};
use crate::kit::http::session::TokenHash;
use crate::kit::{Error, Result};

/// A link works for this long.
const VALID: TimeDelta = TimeDelta::hours(1);

/// Whose password a link sets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holder {
    /// The account's number.
    pub user_id: i64,
    /// Its address.
    pub email: String,
    /// Its name.
    pub display_name: String,
}

/// Keeps a new link of an account; the former one stops working.
///
/// # Errors
/// 404 when the account does not exist.
pub fn issue(tx: &Tx<'_>, user_id: i64, token: TokenHash) -> Result<()> {
    let made = tx
        .prepare_cached(
            "INSERT INTO password_resets (user_id, token_hash, created_at) SELECT id, ?2, ?3 FROM users WHERE id = ?1
             ON CONFLICT (user_id) DO UPDATE SET token_hash = excluded.token_hash, created_at = excluded.created_at",
        )?
        .execute(params![user_id, token, tx.stamp()])?;
    if made == 0 { Err(Error::NotFound) } else { Ok(()) }
}

/// The account of an address that is not disabled: its number, and the address as it is stored.
pub fn addressee(conn: &Connection, email: &str) -> Result<Option<(i64, String)>> {
    let mut query = conn.prepare_cached("SELECT id, email FROM users WHERE email_key = ?1 AND disabled = 0")?;
    Ok(query.query_row([email_key(email)], |row| Ok((row.get(0)?, row.get(1)?))).optional()?)
}

/// Takes an account's link back: it went to an address, or was asked for before a password, that no longer counts.
pub fn revoke(tx: &Tx<'_>, user_id: i64) -> Result<()> {
    tx.prepare_cached("DELETE FROM password_resets WHERE user_id = ?1")?.execute([user_id])?;
    Ok(())
}

/// Whose link a token is, if it still works.
pub fn holder(conn: &Connection, token: TokenHash, now: DateTime<Utc>) -> Result<Option<Holder>> {
    let mut query = conn.prepare_cached(
        "SELECT u.id, u.email, u.display_name FROM password_resets r JOIN users u ON u.id = r.user_id
         WHERE r.token_hash = ?1 AND r.created_at > ?2 AND u.disabled = 0",
    )?;
    let found = query.query_row(params![token, instant(now - VALID)], |row| {
        Ok(Holder { user_id: row.get(0)?, email: row.get(1)?, display_name: row.get(2)? })
    });
    Ok(found.optional()?)
}

/// Sets the password of a link's account and uses the link up. This is how somebody gets an account back, so every other way in
/// ends: sessions, known devices, API tokens and connected providers. The address counts as proven from now on.
///
/// # Errors
/// 400 when the link was used or replaced meanwhile, or has expired (after one hour).
pub fn redeem(tx: &Tx<'_>, token: TokenHash, password_hash: &str) -> Result<()> {
    let holder = holder(tx, token, tx.now())?.ok_or_else(bad_token)?;
    set_password(tx, holder.user_id, password_hash)?;
    end_other_access(tx, holder.user_id)?;
    accounts::prove_email(tx, holder.user_id)
}

/// Forgets links whose hour is over. Answers how many rows went.
pub fn forget_old(tx: &Tx<'_>) -> Result<usize> {
    Ok(tx.execute("DELETE FROM password_resets WHERE created_at <= ?1", [instant(tx.now() - VALID)])?)
}

/// What every token that does not work is answered with.
pub fn bad_token() -> Error {
    Error::unreadable("This link does not work any more. Please ask for a new one.")
}
