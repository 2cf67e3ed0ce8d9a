//! Erases a reader's library.
use super::{books, import, tbr};
use crate::kit::db::pool::Tx;
use crate::kit::error::Result;
use crate::kit::id::UserId;

/// Deletes an owner's books, to-be-read list, imports with their raw rows, and remembered import choices. The counters stay, so
/// that no id is ever reused.
pub fn everything(tx: &Tx<'_>, owner: UserId) -> Result<()> {
    import::delete_all(tx, owner)?;
    books::store::delete_all(tx, owner)?;
    tbr::store::delete_all(tx, owner)
}
