//! An API token as its owner sees it, and what makes a new one valid.
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::access::TokenAccess;
use crate::kit::FieldErrors;

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
    /// RFC 3339, UTC, exact to five minutes; null until it is used.
    #[schema(required)]
    pub last_used_at: Option<String>,
}

/// What making a token sends.
#[derive(Debug, Clone, Default, Deserialize, utoipa::ToSchema)]
#[schema(as = ApiTokenCreate)]
#[serde(default)]
pub struct Form {
    /// 1 to 100 characters.
    #[schema(required, min_length = 1, max_length = 100)]
    pub name: String,
    /// `read` or `read-write`.
    #[schema(required, value_type = TokenAccess)]
    pub access: Value,
}

/// A checked form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewToken {
    /// Trimmed.
    pub name: String,
    /// What it may do.
    pub access: TokenAccess,
}

impl Form {
    /// Checks every field.
    ///
    /// # Errors
    /// A sentence for each field that is not right.
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
        let Some(access) = self.access.as_str().and_then(TokenAccess::from_name) else {
            errors.add("access", "A token may read, or read-write.");
            return Err(errors);
        };
        if errors.is_empty() { Ok(NewToken { name, access }) } else { Err(errors) }
    }
}
