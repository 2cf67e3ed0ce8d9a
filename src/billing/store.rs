//! The rows of plans.
use crate::kit::Result;
use crate::kit::db::Tx;

/// Takes away the plan that an operator set by hand.
///
/// # Errors
/// The database's.
pub fn end_granted_plan(tx: &Tx<'_>, user_id: i64) -> Result<()> {
    tx.prepare_cached("UPDATE users SET granted_plan = NULL WHERE id = ?1")?.execute([user_id])?;
    Ok(())
}
