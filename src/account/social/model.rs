//! The identity that a provider asserts, why a sign-in failed, and where it leads: rules without a database or a network.
use serde::Serialize;

use crate::kit::FieldErrors;
use crate::kit::mail::address;
use crate::kit::timestamp::Timestamp;

/// The longest display name, in characters.
const LONGEST_NAME: usize = 100;
/// The longest subject, in characters (OpenID Connect Core §2).
const LONGEST_SUBJECT: usize = 255;
/// The longest invitation token that is followed, in characters.
const LONGEST_TOKEN: usize = 200;
/// The page after signing in.
const DASHBOARD: &str = "/dashboard";

/// The provider and issuer of identities that a trusted proxy names.
pub use crate::config::TRUSTED_HEADER;

/// Why a sign-in failed. The interface has a sentence for each code; nothing that a provider sent is passed on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SignInFailure {
    /// The person, or the provider on the person's behalf, refused.
    #[error("the person or the provider refused")]
    Cancelled,
    /// The provider does not exist or is not enabled.
    #[error("the provider does not exist")]
    UnknownProvider,
    /// The provider did not respond properly; a retry may succeed.
    #[error("{0}")]
    Unavailable(&'static str),
    /// The provider's response can't be trusted.
    #[error("{0}")]
    Refused(&'static str),
    /// Too many invalid responses came from the same address recently.
    #[error("too many attempts from this address")]
    TooMany,
    /// The address belongs to an account that has not connected this provider.
    #[error("the address has an account that is not connected")]
    EmailTaken,
    /// An account needs an address, and the provider gave none.
    #[error("no address for a new account")]
    EmailMissing,
    /// An account needs an address that the provider has confirmed.
    #[error("no confirmed address for a new account")]
    EmailUnverified,
    /// This server does not accept sign-ups of unknown people.
    #[error("signup is not open")]
    SignupClosed,
    /// The person is in no group that may use this server.
    #[error("the person is in none of the allowed groups")]
    NotAllowed,
    /// The operator has disabled the account.
    #[error("the account is disabled")]
    Disabled,
    /// Connecting: the identity belongs to another account.
    #[error("the identity belongs to another account")]
    LinkedElsewhere,
    /// Connecting: another identity of the same provider is connected already.
    #[error("another identity of this provider is connected")]
    AlreadyLinked,
    /// Connecting: the session in which it started has ended.
    #[error("the session ended meanwhile")]
    SignedOut,
    /// Connecting: the person has neither signed in nor repeated the password within the last ten minutes.
    #[error("the session has not been confirmed recently")]
    Unconfirmed,
    /// Connecting: it was started from another site's page.
    #[error("it was started from another site's page")]
    StartedElsewhere,
}

impl SignInFailure {
    /// The value of `?error=`.
    pub fn code(self) -> &'static str {
        match self {
            Self::Cancelled => "cancelled",
            Self::UnknownProvider => "unknown_provider",
            Self::Unavailable(_) => "unavailable",
            Self::Refused(_) => "refused",
            Self::TooMany => "too_many_attempts",
            Self::EmailTaken => "email_taken",
            Self::EmailMissing => "email_missing",
            Self::EmailUnverified => "email_unverified",
            Self::SignupClosed => "signup_closed",
            Self::NotAllowed => "not_allowed",
            Self::Disabled => "disabled",
            Self::LinkedElsewhere => "linked_elsewhere",
            Self::AlreadyLinked => "already_linked",
            Self::SignedOut => "signed_out",
            Self::Unconfirmed => "confirm_yourself",
            Self::StartedElsewhere => "started_elsewhere",
        }
    }
}

/// An identity that a provider asserts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// The issuer: two providers may use the same subject for different people.
    pub issuer: String,
    /// The provider's id of the person.
    pub subject: String,
    /// A valid e-mail address; `verified` says whether the provider has confirmed it.
    pub email: Option<String>,
    /// Whether the provider has confirmed the address.
    pub verified: bool,
    /// The person's name at the provider.
    pub name: Option<String>,
    /// The person's groups at the provider, where the settings have rules about groups.
    pub groups: Vec<String>,
}

impl Person {
    /// An identity with a valid subject. An invalid address counts as absent.
    ///
    /// # Errors
    /// [`SignInFailure::Refused`] without a usable subject.
    pub fn new(issuer: String, subject: String, email: Option<String>, verified: bool) -> Result<Self, SignInFailure> {
        if subject.is_empty() || subject.chars().count() > LONGEST_SUBJECT || subject.chars().any(char::is_control) {
            return Err(SignInFailure::Refused("the subject is missing or too long"));
        }
        let email = email.map(|email| email.trim().to_owned()).filter(|email| is_address(email));
        Ok(Self { issuer, subject, verified: verified && email.is_some(), email, name: None, groups: Vec::new() })
    }

    /// The same with a name, trimmed and shortened; an empty name counts as absent.
    #[must_use]
    pub fn called(mut self, name: Option<&str>) -> Self {
        let plain = name.map(|name| name.chars().filter(|c| !c.is_control()).collect::<String>());
        let short = plain.map(|name| name.trim().chars().take(LONGEST_NAME).collect::<String>());
        self.name = short.map(|name| name.trim_end().to_owned()).filter(|name| !name.is_empty());
        self
    }

    /// The same with groups.
    #[must_use]
    pub fn in_groups(mut self, groups: Vec<String>) -> Self {
        self.groups = groups;
        self
    }

    /// The address of a new account, and its first display name.
    pub fn newcomer(&self) -> Option<(&str, &str)> {
        let email = self.email.as_deref().filter(|_| self.verified)?;
        let local = email.split('@').next().unwrap_or(email);
        let cut = local.char_indices().nth(LONGEST_NAME).map_or(local, |(end, _)| &local[..end]);
        Some((email, self.name.as_deref().unwrap_or(cut)))
    }
}

fn is_address(text: &str) -> bool {
    let mut errors = FieldErrors::new();
    address::check(text, &mut errors);
    errors.is_empty()
}

/// A connected provider, as its owner sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Identity {
    /// The provider's id, as in URLs.
    pub provider: String,
    /// The provider's display name.
    pub name: String,
    /// The address from the provider.
    #[schema(required)]
    pub email: Option<String>,
    /// RFC 3339, UTC.
    #[schema(value_type = String)]
    pub linked_at: Timestamp,
}

/// The token in the address of an invitation's page, if it has the form of one.
pub fn invitation(next: Option<&str>) -> Option<&str> {
    let token = next.and_then(|next| next.strip_prefix("/invite/"));
    let plain = |token: &&str| {
        let whole = token.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
        whole && !token.is_empty() && token.len() <= LONGEST_TOKEN
    };
    token.filter(plain)
}

/// The page after signing in: the invitation that was requested, otherwise the dashboard. No other address is accepted.
pub fn destination(next: Option<&str>) -> String {
    invitation(next).map_or_else(|| DASHBOARD.to_owned(), |token| format!("/invite/{token}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn person(subject: &str, email: Option<&str>, verified: bool) -> Result<Person, SignInFailure> {
        Person::new("https://id.test".into(), subject.into(), email.map(str::to_owned), verified)
    }

    #[test]
    fn only_an_invitations_page_is_followed_and_no_other_address() {
        assert_eq!(destination(Some("/invite/abc-_1")), "/invite/abc-_1");
        for hostile in [
            "https://evil.test", "//evil.test", "/\\evil.test", "\\\\evil.test", "/%2f/evil.test", "/invite/",
            "/invite//evil.test", "/invite/..", "/invite/../logout", "/invite/a?x=1", "/invite/a#x",
            "/invite/a\r\nSet-Cookie: x=1", "/invite/a%0d%0a", "/invite/\u{202e}a", " /invite/a", "invite/a",
            "javascript:alert(1)", "/dashboard", "",
        ] {
            assert_eq!(destination(Some(hostile)), "/dashboard", "{hostile:?}");
        }
        assert_eq!(destination(Some(&format!("/invite/{}", "a".repeat(201)))), "/dashboard");
        assert_eq!(destination(None), "/dashboard");
    }

    #[test]
    fn a_subject_is_required_and_an_invalid_address_counts_as_missing() {
        assert!(person("", None, false).is_err() && person(&"s".repeat(256), None, false).is_err());
        assert!(person("a\0b", None, false).is_err());
        assert!(person(&"s".repeat(255), None, false).is_ok());
        let nowhere = person("1", Some("nowhere"), true).unwrap();
        assert_eq!((nowhere.email.as_deref(), nowhere.verified, nowhere.newcomer()), (None, false, None));
    }

    #[test]
    fn a_newcomer_has_a_confirmed_address_and_is_called_by_name_or_else_by_it() {
        assert_eq!(person("1", Some("nora@x.org"), false).unwrap().newcomer(), None);
        let nora = person("1", Some(" nora@x.org "), true).unwrap();
        assert_eq!(nora.newcomer(), Some(("nora@x.org", "nora")));
        assert_eq!(nora.clone().called(Some(" Nora\r\nL ")).newcomer(), Some(("nora@x.org", "NoraL")));
        assert_eq!(nora.clone().called(Some(" \t ")).newcomer(), Some(("nora@x.org", "nora")));
        let long = nora.called(Some(&"ö".repeat(120)));
        assert_eq!(long.newcomer().unwrap().1.chars().count(), 100);
        let local = person("1", Some(&format!("{}@x.org", "ü".repeat(150))), true).unwrap();
        assert_eq!(local.newcomer().unwrap().1.chars().count(), 100);
    }
}
