//! An API token as its owner sees it, and what makes a new one valid.
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::access::TokenAccess;
use crate::kit::FieldErrors;

/// Days after which a token may end.
const LIVES: [i64; 3] = [30, 90, 365];
/// Longest name, in characters.
const LONGEST_NAME: usize = 100;

/// A token, without its secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[schema(as = ApiToken)]
#[serde(rename_all = "camelCase")]
pub struct Token {
    /// The token's number.
    pub id: i64,
    /// What it is for; 1 to 100 characters.
    pub name: String,
    /// What it may do.
    pub access: TokenAccess,
    /// RFC 3339, UTC.
    pub created_at: String,
    /// RFC 3339, UTC; only where the token has an end.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, value_type = String)]
    pub expires_at: Option<String>,
    /// RFC 3339, UTC, exact to five minutes; null until it is used.
    #[schema(required)]
    pub last_used_at: Option<String>,
}

/// What making a token sends.
#[derive(Debug, Clone, Default, Deserialize, utoipa::ToSchema)]
#[schema(as = ApiTokenCreate)]
#[serde(rename_all = "camelCase", default)]
pub struct Form {
    /// 1 to 100 characters.
    #[schema(required, min_length = 1, max_length = 100)]
    pub name: String,
    /// `read` or `read-write`.
    #[schema(required, value_type = TokenAccess)]
    pub access: Value,
    /// After how many days the token stops working: 30, 90 or 365; null or absent for a token without an end.
    #[schema(value_type = Option<i64>)]
    pub expires_in_days: Value,
}

/// A checked form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewToken {
    /// Trimmed.
    pub name: String,
    /// What it may do.
    pub access: TokenAccess,
    /// Days after which it stops working; nothing for never.
    pub days: Option<i64>,
}

impl Form {
    /// Checks every field.
    ///
    /// # Errors
    /// One sentence for each invalid field.
    pub fn checked(&self) -> Result<NewToken, FieldErrors> {
        let mut errors = FieldErrors::new();
        let name = self.name.trim().to_owned();
        if name.is_empty() {
            errors.add("name", "Please say what the token is for.");
        } else if name.chars().count() > LONGEST_NAME {
            errors.add("name", "A name has at most 100 characters.");
        } else if name.contains('\0') {
            errors.add("name", "A name can't contain a NUL character.");
        }
        let days = self.expires_in_days.as_i64().filter(|days| LIVES.contains(days));
        if days.is_none() && !self.expires_in_days.is_null() {
            errors.add("expiresInDays", "A token ends after 30, 90 or 365 days, or never.");
        }
        let Some(access) = self.access.as_str().and_then(TokenAccess::from_name) else {
            errors.add("access", "A token may read, or read-write.");
            return Err(errors);
        };
        if errors.is_empty() { Ok(NewToken { name, access, days }) } else { Err(errors) }
    }
}
