//! The operator's role by the groups of a sign-in provider.
use crate::access::Role;
use crate::account::events::model::{EventKind, EventSource, NewEvent};
use crate::account::events::store::record;
use crate::account::own::store::set_role;
use crate::account::store::find;
use crate::kit::db::pool::Tx;
use crate::kit::id::UserId;
use crate::kit::{ErrorCode, Result};

/// Gives an account the role that its groups at the provider say, and records a change. The last operator keeps the role, so that
/// a mistake in the settings leaves somebody who can mend it.
pub fn follow_groups(tx: &Tx<'_>, user_id: UserId, is_operator: bool, source: &EventSource) -> Result<()> {
    let role = if is_operator { Role::Admin } else { Role::User };
    if find(tx, user_id)?.role == role {
        return Ok(());
    }
    match set_role(tx, user_id, role) {
        Ok(()) => record(tx, &NewEvent::own(EventKind::RoleChanged, user_id, source)),
        Err(refusal) if refusal.code() == ErrorCode::LastOperator => {
            tracing::warn!(%user_id, "kept the role of the last operator, who is in no group of operators");
            Ok(())
        }
        Err(other) => Err(other),
    }
}
