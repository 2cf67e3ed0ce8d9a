//! Sessions on tower-sessions, and other secret tokens. The database contains only the SHA-256 of each.
//!
//! A session's id has 128 random bits. [`browser`] gives it to a browser that signs in; [`cookies`] reads it from every request;
//! [`store`] has the queries.
use axum::http::{HeaderMap, header};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, TimeDelta, Utc};
use sha2::{Digest as _, Sha256};
pub use tower_sessions::session::Id;

use crate::kit::error::Result;
use crate::kit::random;

pub mod browser;
pub mod cookies;
pub mod store;

pub use browser::Browser;
pub use cookies::Cookies;

/// A session ends when it was not used for this long.
pub const IDLE: TimeDelta = TimeDelta::days(30);
/// A session ends after this time in any case.
pub const LONGEST: TimeDelta = TimeDelta::days(90);
/// A person who signed in, or repeated the password, counts as confirmed for this long.
pub const CONFIRMED: TimeDelta = TimeDelta::minutes(10);
/// How long the former id of a session counts after the new one has come back.
const FORMER: TimeDelta = TimeDelta::minutes(1);
/// A new id that has not come back after this time was lost with its answer, and the session gets another.
const LOST: TimeDelta = TimeDelta::seconds(10);
/// How long a known device is remembered.
const DEVICE: TimeDelta = TimeDelta::days(400);
/// The most characters of a user agent that are stored.
const USER_AGENT: usize = 400;

/// A secret of random bytes, such as those in links and cookies.
#[derive(Clone, PartialEq, Eq)]
pub struct RandomToken<const BYTES: usize>([u8; BYTES]);

/// A secret of 256 bits, 43 characters of base64url.
pub type Token = RandomToken<32>;

/// The stored hash of a token or of a session's id.
pub type TokenHash = [u8; 32];

/// The stored hash of a session's id.
pub fn id_hash(id: Id) -> TokenHash {
    Sha256::digest(id.0.to_le_bytes()).into()
}

impl<const BYTES: usize> RandomToken<BYTES> {
    /// A new random secret.
    pub fn new() -> Result<Self> {
        random::bytes().map(Self)
    }

    /// The secret as text, in base64url.
    pub fn text(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.0)
    }

    /// Parses a secret; `None` when the text is not one.
    pub fn parse(text: &str) -> Option<Self> {
        URL_SAFE_NO_PAD.decode(text).ok()?.try_into().ok().map(Self)
    }

    /// The stored hash.
    pub fn hash(&self) -> TokenHash {
        Sha256::digest(self.0).into()
    }
}

/// The prefix of an API token's secret, by which a person who finds one can recognise it.
const SECRET: &str = "shelfwise_";

/// A new secret of an API token: the prefix and 43 random characters of base64url.
pub fn new_secret() -> Result<String> {
    Ok(format!("{SECRET}{}", Token::new()?.text()))
}

/// The stored hash of an API token's secret: the hash of its text, so that it never equals that of a session.
pub fn secret_hash(secret: &str) -> TokenHash {
    Sha256::digest(secret).into()
}

/// The credential in `Authorization: Bearer`, of any kind.
pub fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, secret) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("Bearer").then(|| secret.trim())
}

/// Whether any `Authorization` header names the scheme `Bearer`, with a credential or without. A proxy that lets such requests pass
/// without a sign-in may look at another one of several headers than [`bearer`].
pub fn claims_bearer(headers: &HeaderMap) -> bool {
    let scheme = |value: &axum::http::HeaderValue| value.as_bytes().trim_ascii_start().get(..6).map(<[u8]>::to_vec);
    headers.get_all(header::AUTHORIZATION).iter().filter_map(scheme).any(|word| word.eq_ignore_ascii_case(b"bearer"))
}

/// Where a person signs in from.
#[derive(Debug, Clone)]
pub struct From {
    /// The address, without a port.
    pub ip: String,
    /// The browser's user agent, cut to 400 characters.
    pub user_agent: String,
    /// The sign-in provider; `None` for a password.
    pub provider: Option<String>,
    /// The person that a trusted proxy named; `None` for other sign-ins.
    pub header_user: Option<String>,
}

impl From {
    /// From a request's address and headers.
    pub fn new(ip: std::net::IpAddr, headers: &HeaderMap) -> Self {
        let agent = headers.get(header::USER_AGENT).map(|value| String::from_utf8_lossy(value.as_bytes()));
        Self {
            ip: ip.to_string(),
            user_agent: agent.unwrap_or_default().chars().take(USER_AGENT).collect(),
            provider: None,
            header_user: None,
        }
    }
}

/// Whether a session with these times is valid.
pub fn is_valid(created: DateTime<Utc>, last_seen: DateTime<Utc>, now: DateTime<Utc>) -> bool {
    now - last_seen < IDLE && now - created < LONGEST
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_ends_after_thirty_idle_days_and_after_ninety_in_any_case() {
        let now = crate::kit::clock::Clock::default().now();
        let ago = |days| now - TimeDelta::days(days);
        assert!(is_valid(ago(89), ago(29), now));
        assert!(!is_valid(ago(89), ago(30), now));
        assert!(!is_valid(ago(90), ago(0), now));
    }
}
