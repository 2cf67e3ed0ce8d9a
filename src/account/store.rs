//! The table of accounts.
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::model::{AccountRefusal, NewAccount, User, email_key};
use crate::kit::db::pool::Tx;
use crate::kit::id::UserId;
use crate::kit::{Error, Result};

const COLUMNS: &str = "id, display_name, email, role, stripe_customer_id, created_at";

fn user(row: &Row<'_>) -> rusqlite::Result<User> {
    Ok(User {
        id: row.get("id")?,
        display_name: row.get("display_name")?,
        email: row.get("email")?,
        role: row.get("role")?,
        stripe_customer_id: row.get("stripe_customer_id")?,
        created_at: row.get("created_at")?,
    })
}

pub fn find(conn: &Connection, user_id: UserId) -> Result<User> {
    let mut query = conn.prepare_cached(&format!("SELECT {COLUMNS} FROM users WHERE id = ?1"))?;
    query.query_row([user_id], user).optional()?.ok_or(Error::NotFound)
}

/// The data of an account that signing in needs.
#[derive(Debug, Clone)]
pub struct Credentials {
    pub user_id: UserId,
    /// The PHC string, if a password is set.
    pub password_hash: Option<String>,
    /// Whether this device has signed in to the account before.
    pub known_device: bool,
}

/// The credentials of the account with an address, unless it is disabled.
pub fn credentials(conn: &Connection, email: &str, device: Option<[u8; 32]>) -> Result<Option<Credentials>> {
    let mut query = conn.prepare_cached(
        "SELECT id, password_hash, EXISTS (SELECT 1 FROM known_devices d WHERE d.user_id = users.id AND d.token_hash = ?2)
            AS known_device FROM users WHERE email_key = ?1 AND disabled = 0",
    )?;
    let found = query.query_row(params![email_key(email), device], |row| {
        Ok(Credentials {
            user_id: row.get("id")?,
            password_hash: row.get("password_hash")?,
            known_device: row.get("known_device")?,
        })
    });
    Ok(found.optional()?)
}

/// Creates an account with its row of preferences.
///
/// # Errors
/// [`AccountRefusal::EmailTaken`] when the address, in any case, has one.
pub fn create(tx: &Tx<'_>, account: &NewAccount, password_hash: Option<&str>) -> Result<User> {
    let made = tx
        .prepare_cached(
            "INSERT INTO users (email, email_key, display_name, password_hash, role, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
             ON CONFLICT (email_key) DO NOTHING",
        )?
        .execute(params![account.email, email_key(&account.email), account.display_name, password_hash, account.role, tx.stamp()])?;
    if made == 0 {
        return Err(AccountRefusal::EmailTaken.into());
    }
    let user_id = UserId(tx.last_insert_rowid());
    crate::preferences::store::create(tx, user_id, &account.timezone)?;
    find(tx, user_id)
}

/// Marks an account's address as proven: its owner opened a link that was sent there, or a provider has confirmed it.
pub fn prove_email(tx: &Tx<'_>, user_id: UserId) -> Result<()> {
    let sql = "UPDATE users SET email_proven_at = ?2 WHERE id = ?1 AND email_proven_at IS NULL";
    tx.prepare_cached(sql)?.execute(params![user_id, tx.stamp()])?;
    Ok(())
}

/// Refuses an address that has an account.
pub fn check_email_is_free(conn: &Connection, email: &str) -> Result<()> {
    let taken: bool = conn
        .prepare_cached("SELECT EXISTS (SELECT 1 FROM users WHERE email_key = ?1)")?
        .query_row([email_key(email)], |row| row.get(0))?;
    if taken { Err(AccountRefusal::EmailTaken.into()) } else { Ok(()) }
}

/// Whether an account has this password hash and is not disabled. A change that a password opens asks this in its transaction, because
/// checking a password takes so long that another one may be set meanwhile.
pub fn has_password_hash(conn: &Connection, user_id: UserId, hash: Option<&str>) -> Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM users WHERE id = ?1 AND password_hash IS ?2 AND disabled = 0)";
    Ok(conn.prepare_cached(sql)?.query_row(params![user_id, hash], |row| row.get(0))?)
}

pub fn set_password_hash(tx: &Tx<'_>, user_id: UserId, hash: &str) -> Result<()> {
    tx.prepare_cached("UPDATE users SET password_hash = ?2 WHERE id = ?1")?.execute(params![user_id, hash])?;
    Ok(())
}

/// The addresses of the operators who can sign in.
pub fn operator_addresses(conn: &Connection) -> Result<Vec<String>> {
    let mut query = conn.prepare("SELECT email FROM users WHERE role = 'admin' AND NOT disabled ORDER BY id")?;
    let addresses = query.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    Ok(addresses)
}

/// Whether there is an operator, disabled or not.
pub fn has_operator(conn: &Connection) -> Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM users WHERE role = 'admin')";
    Ok(conn.prepare_cached(sql)?.query_row([], |row| row.get(0))?)
}

/// How many operators can sign in.
pub fn operators(conn: &Connection) -> Result<i64> {
    Ok(conn.query_row("SELECT count(*) FROM users WHERE role = 'admin' AND NOT disabled", [], |row| row.get(0))?)
}
