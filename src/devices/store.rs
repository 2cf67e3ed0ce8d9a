//! The tables of devices and documents.
pub mod days;
pub mod devices;
pub mod documents;
pub mod imports;
pub mod overview;

use crate::kit::Result;
use crate::kit::db::pool::Tx;
use crate::kit::id::UserId;

/// Forgets an account's devices and documents.
pub fn delete_all(tx: &Tx<'_>, owner: UserId) -> Result<()> {
    devices::delete_all(tx, owner)?;
    tx.execute("DELETE FROM documents WHERE user_id = ?1", [owner])?;
    Ok(())
}
