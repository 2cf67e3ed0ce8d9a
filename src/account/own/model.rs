//! Changes of an account and their validation (docs/rules.md, "Accounts").
use serde::{Deserialize, Serialize};

use crate::account::model::{User, check_email, check_name};
use crate::account::password;
use crate::kit::FieldErrors;
use crate::kit::http::patch_field::PatchField;
use crate::kit::id::SessionId;
use crate::kit::timestamp::Timestamp;

/// A session in the list of sessions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Session {
    /// The session's id.
    #[schema(value_type = i64)]
    pub id: SessionId,
    /// Browser and system, for example "Firefox on Windows".
    pub device: String,
    /// City and country; null when unknown.
    #[schema(required)]
    pub place: Option<String>,
    /// The address from which it was opened.
    pub ip_address: String,
    /// RFC 3339, UTC.
    #[schema(value_type = String)]
    pub created_at: Timestamp,
    /// RFC 3339, UTC; accurate to five minutes.
    #[schema(value_type = String)]
    pub last_seen: Timestamp,
    /// Whether this request belongs to it.
    pub current: bool,
}

/// A change of name or address. Absent fields stay unchanged.
#[derive(Debug, Clone, Default, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AccountUpdate {
    /// 1 to 100 characters.
    #[schema(value_type = Option<String>, min_length = 1, max_length = 100)]
    #[serde(default)]
    pub display_name: PatchField<String>,
    /// At most 254 characters.
    #[schema(value_type = Option<String>, min_length = 3, max_length = 254)]
    #[serde(default)]
    pub email: PatchField<String>,
    /// The current password, which a new address requires.
    #[schema(value_type = Option<String>)]
    #[serde(default)]
    pub current_password: PatchField<String>,
}

/// A validated change, with the values that differ from those of the account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewProfile {
    /// 1 to 100 characters.
    pub display_name: Option<String>,
    /// As entered, trimmed.
    pub email: Option<String>,
    /// The current password, which a new address requires.
    pub proof: Option<String>,
}

impl AccountUpdate {
    pub fn checked(self, user: &User) -> Result<NewProfile, FieldErrors> {
        let mut errors = FieldErrors::new();
        let (mut display_name, mut email) = (user.display_name.clone(), user.email.clone());
        self.display_name
            .null_is_absent()
            .set(&mut display_name, &mut errors, "displayName", "The name must be a text.");
        self.email.null_is_absent().set(&mut email, &mut errors, "email", "The email address must be a text.");
        let (display_name, email) = (display_name.trim().to_owned(), email.trim().to_owned());
        let password = self.current_password.checked(&mut errors, "currentPassword", "The password must be a text.");
        check_name(&display_name, &mut errors);
        check_email(&email, &mut errors);
        let display_name = (display_name != user.display_name).then_some(display_name);
        let email = (email != user.email).then_some(email);
        let proof = email.as_ref().map(|_| password.unwrap_or_default());
        if proof.as_deref() == Some("") {
            errors.add("currentPassword", "Please enter your current password to change the email address.");
        }
        if errors.is_empty() { Ok(NewProfile { display_name, email, proof }) } else { Err(errors) }
    }
}

/// A new password. An account without a password sends only the new one.
#[derive(Debug, Clone, Default, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct PasswordChange {
    /// The current password.
    pub current_password: Option<String>,
    /// 8 to 256 characters.
    #[schema(required, min_length = 8, max_length = 256)]
    pub new_password: String,
    /// Whether API tokens, secret links, device logins and connected providers are removed as well; other sessions always end.
    pub end_other_access: bool,
}

/// A confirmation with the password.
#[derive(Debug, Clone, Default, Deserialize, utoipa::ToSchema)]
#[serde(default)]
pub struct Confirmation {
    /// The current password.
    #[schema(required)]
    pub password: String,
}

impl PasswordChange {
    /// Validates the form against the account; `host` is the server's public name.
    pub fn checked(&self, user: &User, has_password: bool, host: &str) -> Result<(), FieldErrors> {
        let mut errors = FieldErrors::new();
        if has_password && self.current_password.as_deref().unwrap_or_default().is_empty() {
            errors.add("currentPassword", "Please enter your current password.");
        }
        if let Err(sentence) = password::check(&self.new_password, &user.email, &user.display_name, host) {
            errors.add("newPassword", sentence);
        }
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }
}
