//! The table of the setup code.
use rusqlite::{Connection, params};

use super::model::SetupCode;
use crate::account::store::has_operator;
use crate::kit::db::pool::Tx;
use crate::kit::http::session::TokenHash;
use crate::kit::{Error, Result};

/// Stores a new code, and forgets the former one.
pub fn replace(tx: &Tx<'_>, code: &SetupCode) -> Result<()> {
    let sql = "INSERT INTO setup_code (id, code_hash, created_at) VALUES (1, ?1, ?2)
        ON CONFLICT (id) DO UPDATE SET code_hash = excluded.code_hash, created_at = excluded.created_at";
    tx.prepare_cached(sql)?.execute(params![code.hash(), tx.stamp()])?;
    Ok(())
}

/// Forgets the code.
pub fn forget(tx: &Tx<'_>) -> Result<()> {
    tx.prepare_cached("DELETE FROM setup_code")?.execute([])?;
    Ok(())
}

/// Whether a code makes the first operator now.
pub fn is_valid(conn: &Connection, code: TokenHash) -> Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM setup_code WHERE code_hash = ?1)";
    let known: bool = conn.prepare_cached(sql)?.query_row([code], |row| row.get(0))?;
    Ok(known && !has_operator(conn)?)
}

/// Uses up a code.
///
/// # Errors
/// [`Error::NotFound`] when it is not the code, or there is an operator meanwhile.
pub fn redeem(tx: &Tx<'_>, code: TokenHash) -> Result<()> {
    if is_valid(tx, code)? { forget(tx) } else { Err(Error::NotFound) }
}
