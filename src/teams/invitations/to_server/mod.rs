//! Invitations to the server: a place on it without a team. A link works once, within seven days, for one address or for anybody.
//!
//! Table: `server_invitations`. Operators make and revoke them ([`crate::admin`]); a sign-up uses them up ([`crate::account`]).
pub mod store;

use serde::Serialize;

use crate::kit::timestamp::Timestamp;

/// An invitation to the server, as operators see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ServerInvitation {
    /// The invitation's id.
    pub id: i64,
    /// The address that it is for; null when anybody with the link may sign up.
    #[schema(required)]
    pub email: Option<String>,
    /// RFC 3339, UTC.
    #[schema(value_type = String)]
    pub created_at: Timestamp,
    /// RFC 3339, UTC.
    #[schema(value_type = String)]
    pub expires_at: Timestamp,
}
