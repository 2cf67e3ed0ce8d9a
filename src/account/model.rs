//! The fields of an account and their validation (docs/rules.md, "Accounts").
use serde::{Deserialize, Serialize};

use super::password;
use crate::access::Role;
use crate::config::Config;
use crate::kit::FieldErrors;
use crate::kit::id::UserId;
pub use crate::kit::mail::address::{check as check_email, key as email_key};
use crate::kit::time_zone::Zone;
use crate::kit::timestamp::Timestamp;

/// The longest display name, in characters.
pub const LONGEST_NAME: usize = 100;

/// An account as its owner sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct User {
    /// The account's id.
    #[schema(value_type = i64)]
    pub id: UserId,
    /// 1 to 100 characters.
    pub display_name: String,
    /// As entered, trimmed.
    pub email: String,
    /// Reader or operator of the server.
    pub role: Role,
    /// The payment provider's id of this customer.
    #[schema(required)]
    pub stripe_customer_id: Option<String>,
    /// RFC 3339, UTC.
    #[schema(value_type = String)]
    pub created_at: Timestamp,
}

/// The request of a sign-up.
#[derive(Debug, Clone, Default, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SignUpRequest {
    /// The address to sign in with, at most 254 characters.
    #[schema(required, min_length = 3, max_length = 254)]
    pub email: String,
    /// 8 to 256 characters.
    #[schema(required, min_length = 8, max_length = 256)]
    pub password: String,
    /// The person's name in the interface, 1 to 100 characters.
    #[schema(required, min_length = 1, max_length = 100)]
    pub display_name: String,
    /// The browser's time zone, an IANA name; UTC when absent or unknown.
    pub timezone: Option<String>,
    /// The token of an invitation, when sign-up requires one.
    pub invite_token: Option<String>,
}

/// Why a change of an account is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccountRefusal {
    /// Another account has the address, in any case.
    EmailTaken,
    /// The account is the only operator who can sign in.
    LastOperator,
    /// Nothing else than the provider would open the account.
    LastWayIn,
    /// The account has as many API tokens as it may.
    TooManyTokens,
    /// The link to a new password was used or replaced, or its hour is over.
    DeadLink,
    /// The server accepts no passwords.
    PasswordLoginOff,
    /// The name at the trusted proxy is another account's.
    HeaderUserTaken,
    /// The name at the trusted proxy is empty, too long or has control characters.
    HeaderUserInvalid,
}

/// Refuses what needs a password on a server that accepts none.
pub fn require_password_login(config: &Config) -> Result<(), AccountRefusal> {
    if config.password_login { Ok(()) } else { Err(AccountRefusal::PasswordLoginOff) }
}

/// A validated sign-up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAccount {
    /// As entered, trimmed.
    pub email: String,
    /// 1 to 100 characters.
    pub display_name: String,
    /// The password, not yet hashed; empty for an account that gets none now.
    pub password: String,
    /// A known IANA name.
    pub timezone: String,
    /// Reader or operator.
    pub role: Role,
}

impl SignUpRequest {
    /// Validates every field; `host` is the server's public name.
    pub fn checked(self, host: &str) -> Result<NewAccount, FieldErrors> {
        NewAccount::checked(&self.email, &self.display_name, self.password, self.timezone.as_deref(), Role::User, host)
    }
}

impl NewAccount {
    /// Validates the fields of an account from the sign-up form or the command line. `host` is the server's public name, which
    /// the password must not be derived from.
    pub fn checked(
        email: &str,
        name: &str,
        password: String,
        timezone: Option<&str>,
        role: Role,
        host: &str,
    ) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::new();
        let account = Self::read(email, name, timezone, role, &mut errors);
        if let Err(sentence) = password::check(&password, &account.email, &account.display_name, host) {
            errors.add("password", sentence);
        }
        if errors.is_empty() { Ok(Self { password, ..account }) } else { Err(errors) }
    }

    /// Validates the fields of an account that gets its password later.
    pub fn without_password(email: &str, name: &str, role: Role) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::new();
        let account = Self::read(email, name, None, role, &mut errors);
        if errors.is_empty() { Ok(account) } else { Err(errors) }
    }

    fn read(email: &str, name: &str, timezone: Option<&str>, role: Role, errors: &mut FieldErrors) -> Self {
        let (email, display_name) = (email.trim().to_owned(), name.trim().to_owned());
        check_email(&email, errors);
        check_name(&display_name, errors);
        let timezone = Zone::or_utc(timezone).name().to_owned();
        Self { email, display_name, password: String::new(), timezone, role }
    }
}

/// Reports errors of a trimmed display name.
pub fn check_name(name: &str, errors: &mut FieldErrors) {
    if name.is_empty() {
        errors.add("displayName", "Please enter a display name.");
    } else if name.chars().count() > LONGEST_NAME {
        errors.add("displayName", format!("A display name can have at most {LONGEST_NAME} characters."));
    } else if name.contains('\0') {
        errors.add("displayName", "A display name can't contain a NUL character.");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(email: &str, name: &str, password: &str) -> Result<NewAccount, FieldErrors> {
        NewAccount::checked(email, name, password.to_owned(), Some("Mars/Olympus"), Role::User, "")
    }

    #[test]
    fn addresses_are_trimmed_and_those_that_no_mail_could_reach_are_refused() {
        let account = checked("  Nora@Example.org ", " Nora ", "a long enough one").unwrap();
        assert_eq!(
            (account.email.as_str(), account.display_name.as_str(), account.timezone.as_str()),
            ("Nora@Example.org", "Nora", "UTC")
        );
        for email in ["", "nora", "@x.org", "nora@", "a b@x.org", "a@b@c", "a@.org", "a@x..org", "a@-x.org"] {
            assert!(checked(email, "N", "a long enough one").unwrap_err().get("email").is_some(), "{email}");
        }
        assert!(checked(&format!("{}@x.org", "a".repeat(249)), "N", "a long enough one").is_err());
        assert!(checked(&format!("{}@x.org", "a".repeat(248)), "N", "a long enough one").is_ok());
    }

    #[test]
    fn every_wrong_field_has_its_sentence_at_once() {
        let errors = checked("", &"n".repeat(101), "short").unwrap_err();
        assert_eq!(errors.iter().map(|(field, _)| field).collect::<Vec<_>>(), ["email", "displayName", "password"]);
    }
}
