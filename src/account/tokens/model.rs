//! API tokens as their owner sees them, and the validation of new ones.
use serde::{Deserialize, Serialize};

use crate::access::TokenAccess;
use crate::kit::FieldErrors;
use crate::kit::http::patch_field::PatchField;
use crate::kit::timestamp::Timestamp;

/// The lifetimes that a token may have, in days.
const LIVES: [i64; 3] = [30, 90, 365];
/// The longest name, in characters.
pub const LONGEST_NAME: usize = 100;

/// A token, without its secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ApiToken {
    /// The token's id.
    pub id: i64,
    /// The purpose of the token, 1 to 100 characters.
    pub name: String,
    /// What the token may do.
    pub access: TokenAccess,
    /// RFC 3339, UTC.
    #[schema(value_type = String)]
    pub created_at: Timestamp,
    /// RFC 3339, UTC; absent for a token that does not expire.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, value_type = String)]
    pub expires_at: Option<Timestamp>,
    /// RFC 3339, UTC, accurate to five minutes; null until it is used.
    #[schema(required, value_type = Option<String>)]
    pub last_used_at: Option<Timestamp>,
}

/// The request to create a token.
#[derive(Debug, Clone, Default, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ApiTokenCreate {
    /// 1 to 100 characters.
    #[schema(required, min_length = 1, max_length = 100)]
    #[serde(default)]
    pub name: String,
    /// `read` or `read-write`.
    #[schema(required, value_type = TokenAccess)]
    #[serde(default)]
    pub access: PatchField<TokenAccess>,
    /// The number of days after which the token expires: 30, 90 or 365; null or absent for a token that does not expire.
    #[schema(value_type = Option<i64>)]
    #[serde(default)]
    pub expires_in_days: PatchField<i64>,
}

/// A validated form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewToken {
    /// The trimmed name.
    pub name: String,
    /// What the token may do.
    pub access: TokenAccess,
    /// The lifetime in days; `None` when it does not expire.
    pub days: Option<i64>,
}

impl ApiTokenCreate {
    pub fn checked(self) -> Result<NewToken, FieldErrors> {
        let mut errors = FieldErrors::new();
        let name = self.name.trim().to_owned();
        if name.is_empty() {
            errors.add("name", "Please say what the token is for.");
        } else if name.chars().count() > LONGEST_NAME {
            errors.add("name", format!("A name can have at most {LONGEST_NAME} characters."));
        } else if name.contains('\0') {
            errors.add("name", "A name can't contain a NUL character.");
        }
        let days = self.expires_in_days.and_then(|days| LIVES.contains(&days).then_some(days));
        let days =
            days.checked(&mut errors, "expiresInDays", "A token must expire after 30, 90 or 365 days, or never.");
        let Some(access) = self.access.value() else {
            errors.add("access", "The access must be read or read-write.");
            return Err(errors);
        };
        if errors.is_empty() { Ok(NewToken { name, access, days }) } else { Err(errors) }
    }
}
