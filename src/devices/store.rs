//! The tables of devices and documents.
pub mod days;
pub mod devices;
pub mod documents;
pub mod imports;
pub mod listening;
pub mod overview;
pub mod sources;

use crate::kit::Result;
use crate::kit::db::pool::Tx;
use crate::kit::id::UserId;

/// Ends what reports by itself: the logins of devices, and the keys for media servers. What was reported stays.
pub fn end_reports(tx: &Tx<'_>, owner: UserId) -> Result<()> {
    devices::delete_all(tx, owner)?;
    sources::delete_all(tx, owner)
}

/// Forgets an account's devices, media servers and documents.
pub fn delete_all(tx: &Tx<'_>, owner: UserId) -> Result<()> {
    end_reports(tx, owner)?;
    tx.execute("DELETE FROM documents WHERE user_id = ?1", [owner])?;
    Ok(())
}
