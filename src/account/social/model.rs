//! Who a provider says somebody is, why a way in failed, and where it leads: rules without a database or a network.
use serde::Serialize;

use crate::kit::FieldErrors;
use crate::kit::mail::address;

/// Longest display name, in characters.
const LONGEST_NAME: usize = 100;
/// Longest subject, in characters (OpenID Connect Core §2).
const LONGEST_SUBJECT: usize = 255;
/// Longest token of an invitation that is followed, in characters.
const LONGEST_TOKEN: usize = 200;
/// Where somebody goes who signed in.
const DASHBOARD: &str = "/dashboard";

/// Why somebody was not let in. The interface has a sentence for each code; nothing that a provider said is passed on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SignInFailure {
    /// The person, or the provider in their stead, said no.
    #[error("the person or the provider said no")]
    Cancelled,
    /// There is no such provider, or it is not set up.
    #[error("there is no such provider")]
    UnknownProvider,
    /// The provider did not answer as it should: try again later.
    #[error("{0}")]
    Unavailable(&'static str),
    /// The provider's answer can't be believed.
    #[error("{0}")]
    Refused(&'static str),
    /// Too many answers that can't be believed came from the same address lately.
    #[error("too many attempts from this address")]
    TooMany,
    /// The address is somebody's who did not connect this provider.
    #[error("the address has an account that is not connected")]
    EmailTaken,
    /// An account needs an address, and there is none that the provider has confirmed.
    #[error("no confirmed address for a new account")]
    EmailUnverified,
    /// This server makes no accounts for people it does not know.
    #[error("signup is not open")]
    SignupClosed,
    /// The operator has shut the account.
    #[error("the account is disabled")]
    Disabled,
    /// Connecting: the identity signs somebody else in.
    #[error("the identity is somebody else's")]
    LinkedElsewhere,
    /// Connecting: another identity of the same provider is connected.
    #[error("another identity of this provider is connected")]
    AlreadyLinked,
    /// Connecting: the session that it began in has ended.
    #[error("the session ended meanwhile")]
    SignedOut,
    /// Connecting: the person has not signed in, or repeated the password, within the last ten minutes.
    #[error("the session has not been confirmed lately")]
    Unconfirmed,
    /// Connecting: another site's page led here.
    #[error("another site's page began it")]
    StartedElsewhere,
}

impl SignInFailure {
    /// The word after `?error=`.
    pub fn code(self) -> &'static str {
        match self {
            Self::Cancelled => "cancelled",
            Self::UnknownProvider => "unknown_provider",
            Self::Unavailable(_) => "unavailable",
            Self::Refused(_) => "refused",
            Self::TooMany => "too_many_attempts",
            Self::EmailTaken => "email_taken",
            Self::EmailUnverified => "email_unverified",
            Self::SignupClosed => "signup_closed",
            Self::Disabled => "disabled",
            Self::LinkedElsewhere => "linked_elsewhere",
            Self::AlreadyLinked => "already_linked",
            Self::SignedOut => "signed_out",
            Self::Unconfirmed => "confirm_yourself",
            Self::StartedElsewhere => "started_elsewhere",
        }
    }
}

/// Somebody whom a provider vouches for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// Who vouches: two providers may use the same number for different people.
    pub issuer: String,
    /// The provider's number for the person.
    pub subject: String,
    /// An address that could receive mail; whether it is theirs says `verified`.
    pub email: Option<String>,
    /// Whether the provider has confirmed the address.
    pub verified: bool,
    /// How the provider calls them.
    pub name: Option<String>,
}

impl Person {
    /// Somebody, when the subject is one. An address that no mail could reach counts as none.
    ///
    /// # Errors
    /// [`SignInFailure::Refused`] without a usable subject.
    pub fn new(issuer: String, subject: String, email: Option<String>, verified: bool) -> Result<Self, SignInFailure> {
        if subject.is_empty() || subject.chars().count() > LONGEST_SUBJECT || subject.chars().any(char::is_control) {
            return Err(SignInFailure::Refused("the subject is missing or too long"));
        }
        let email = email.map(|email| email.trim().to_owned()).filter(|email| is_address(email));
        Ok(Self { issuer, subject, verified: verified && email.is_some(), email, name: None })
    }

    /// The same with a name, trimmed and cut; an empty one is none.
    #[must_use]
    pub fn called(mut self, name: Option<&str>) -> Self {
        let plain = name.map(|name| name.chars().filter(|c| !c.is_control()).collect::<String>());
        let short = plain.map(|name| name.trim().chars().take(LONGEST_NAME).collect::<String>());
        self.name = short.map(|name| name.trim_end().to_owned()).filter(|name| !name.is_empty());
        self
    }

    /// The address that a new account may have, and its first display name.
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
    /// The provider's name in addresses.
    pub provider: String,
    /// The provider's name for people.
    pub name: String,
    /// The address that it gave.
    #[schema(required)]
    pub email: Option<String>,
    /// RFC 3339, UTC.
    pub linked_at: String,
}

/// Where somebody goes who signed in: the invitation that waits for them, else the dashboard. No other address is followed.
pub fn destination(next: Option<&str>) -> String {
    let token = next.and_then(|next| next.strip_prefix("/invite/"));
    let plain = |token: &&str| {
        let whole = token.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
        whole && !token.is_empty() && token.len() <= LONGEST_TOKEN
    };
    token.filter(plain).map_or_else(|| DASHBOARD.to_owned(), |token| format!("/invite/{token}"))
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
            "https://evil.test",
            "//evil.test",
            "/\\evil.test",
            "\\\\evil.test",
            "/%2f/evil.test",
            "/invite/",
            "/invite//evil.test",
            "/invite/..",
            "/invite/../logout",
            "/invite/a?x=1",
            "/invite/a#x",
            "/invite/a\r\nSet-Cookie: x=1",
            "/invite/a%0d%0a",
            "/invite/\u{202e}a",
            " /invite/a",
            "invite/a",
            "javascript:alert(1)",
            "/dashboard",
            "",
        ] {
            assert_eq!(destination(Some(hostile)), "/dashboard", "{hostile:?}");
        }
        assert_eq!(destination(Some(&format!("/invite/{}", "a".repeat(201)))), "/dashboard");
        assert_eq!(destination(None), "/dashboard");
    }

    #[test]
    fn a_subject_must_be_there_and_an_address_that_is_none_counts_as_none() {
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
