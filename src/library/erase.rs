//! Erases a reader's library.
use super::{books, import, operations, tags, tbr, views};
use crate::kit::db::pool::Tx;
use crate::kit::error::Result;
use crate::kit::id::UserId;

/// Deletes an owner's books with covers and tags, to-be-read list, imports with their raw rows, remembered import choices, views, and operations
/// with the former values of books. The counters stay, so that no id is ever reused.
pub fn everything(tx: &Tx<'_>, owner: UserId) -> Result<()> {
    operations::store::delete_all(tx, owner)?;
    tags::store::delete_all(tx, owner)?;
    views::store::delete_all(tx, owner)?;
    import::delete_all(tx, owner)?;
    books::store::delete_all(tx, owner)?;
    tbr::store::delete_all(tx, owner)
}
