//! Sign-in tokens: 256 random bits in a cookie, of which the database knows the SHA-256 alone.
//!
//! `docs/decisions/0002-sessions.md` says why this is not a ready-made session layer.
use axum::http::{HeaderMap, HeaderValue, header};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, TimeDelta, Utc};
use cookie::{Cookie, SameSite};
use rusqlite::{OptionalExtension as _, params};
use sha2::{Digest as _, Sha256};

use crate::config::Config;
use crate::kit::db::pool::{Tx, instant};
use crate::kit::error::Result;
use crate::kit::random;

/// A session ends after this long unused.
pub const IDLE: TimeDelta = TimeDelta::days(30);
/// A session ends after this long in any case.
pub const LONGEST: TimeDelta = TimeDelta::days(90);
/// A person who signed in, or repeated the password, counts as confirmed for this long.
pub const CONFIRMED: TimeDelta = TimeDelta::minutes(10);
/// Most sessions of one account.
const MOST_SESSIONS: i64 = 100;
/// Most devices that one account is known by.
const MOST_DEVICES: i64 = 50;
/// A known device is remembered this long.
const DEVICE: TimeDelta = TimeDelta::days(400);
/// A sign-in through another provider may take this long.
const FLOW: TimeDelta = TimeDelta::minutes(10);
/// User agents are kept up to this many characters.
const USER_AGENT: usize = 400;

/// A secret of 256 random bits.
#[derive(Clone, PartialEq, Eq)]
pub struct Token([u8; 32]);

/// What the database knows of a token.
pub type TokenHash = [u8; 32];

impl Token {
    /// A new random token.
    ///
    /// # Errors
    /// The system provides no random bytes.
    pub fn new() -> Result<Self> {
        random::bytes().map(Self)
    }

    /// The token as text: 43 characters of base64url.
    pub fn text(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.0)
    }

    /// The token of a text, when it is one.
    pub fn parse(text: &str) -> Option<Self> {
        URL_SAFE_NO_PAD.decode(text).ok()?.try_into().ok().map(Self)
    }

    /// What the database keeps.
    pub fn hash(&self) -> TokenHash {
        Sha256::digest(self.0).into()
    }
}

/// What an API token's secret begins with, so that who finds one knows what it is.
const SECRET: &str = "shelfwise_";

/// A new secret of an API token: the prefix and 43 random characters of base64url.
///
/// # Errors
/// The system provides no random bytes.
pub fn new_secret() -> Result<String> {
    Ok(format!("{SECRET}{}", Token::new()?.text()))
}

/// What the database knows of an API token's secret: the hash of its text, so that it is never that of a session's token.
pub fn secret_hash(secret: &str) -> TokenHash {
    Sha256::digest(secret).into()
}

/// The secret of a request's `Authorization: Bearer`, whether it is one or not.
pub fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, secret) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("Bearer").then(|| secret.trim())
}

/// Names and attributes of the cookies, which depend on whether people come by https.
#[derive(Debug, Clone, Copy)]
pub struct Cookies {
    https: bool,
}

impl Cookies {
    /// The cookies of a server with these settings.
    pub fn of(config: &Config) -> Self {
        Self { https: config.is_https() }
    }

    fn name(self, device: bool) -> &'static str {
        match (self.https, device) {
            (true, false) => "__Host-shelfwise_session",
            (false, false) => "shelfwise_session",
            (true, true) => "__Host-shelfwise_device",
            (false, true) => "shelfwise_device",
        }
    }

    /// The session token that a request carries.
    pub fn session(self, headers: &HeaderMap) -> Option<Token> {
        read(headers, self.name(false))
    }

    /// The device token that a request carries.
    pub fn device(self, headers: &HeaderMap) -> Option<Token> {
        read(headers, self.name(true))
    }

    /// Sets the session cookie.
    pub fn set_session(self, token: &Token) -> HeaderValue {
        self.header(self.name(false), token.text(), LONGEST)
    }

    /// Sets the cookie of a known device.
    pub fn set_device(self, token: &Token) -> HeaderValue {
        self.header(self.name(true), token.text(), DEVICE)
    }

    /// Takes the session cookie away.
    pub fn clear_session(self) -> HeaderValue {
        self.header(self.name(false), String::new(), TimeDelta::zero())
    }

    /// The sealed text of a sign-in under way; `posted` is of one whose answer another site posts.
    pub fn flow(self, headers: &HeaderMap, posted: bool) -> Option<String> {
        text(headers, self.flow_name(posted))
    }

    /// Sets the cookie of a sign-in under way, for ten minutes. What another site posts brings along only a cookie that says
    /// `SameSite=None`, which must be `Secure` and so needs https, or this machine.
    pub fn set_flow(self, sealed: &str, posted: bool) -> HeaderValue {
        self.flow_header(sealed.to_owned(), FLOW, posted)
    }

    /// Takes the cookie of a sign-in away.
    pub fn clear_flow(self, posted: bool) -> HeaderValue {
        self.flow_header(String::new(), TimeDelta::zero(), posted)
    }

    fn flow_name(self, posted: bool) -> &'static str {
        match (self.https, posted) {
            (true, false) => "__Host-shelfwise_oauth",
            (false, false) => "shelfwise_oauth",
            (true, true) => "__Host-shelfwise_oauth_form",
            (false, true) => "shelfwise_oauth_form",
        }
    }

    fn flow_header(self, value: String, age: TimeDelta, posted: bool) -> HeaderValue {
        let mut cookie = self.cookie(self.flow_name(posted), value, age);
        if posted {
            cookie.set_same_site(SameSite::None);
            cookie.set_secure(true);
        }
        written(&cookie)
    }

    fn header(self, name: &'static str, value: String, age: TimeDelta) -> HeaderValue {
        written(&self.cookie(name, value, age))
    }

    fn cookie(self, name: &'static str, value: String, age: TimeDelta) -> Cookie<'static> {
        Cookie::build((name, value))
            .path("/")
            .http_only(true)
            .same_site(SameSite::Lax)
            .secure(self.https)
            .max_age(cookie::time::Duration::seconds(age.num_seconds()))
            .build()
    }
}

fn written(cookie: &Cookie<'_>) -> HeaderValue {
    HeaderValue::try_from(cookie.to_string()).unwrap_or_else(|_| HeaderValue::from_static(""))
}

fn read(headers: &HeaderMap, name: &str) -> Option<Token> {
    text(headers, name).as_deref().and_then(Token::parse)
}

fn text(headers: &HeaderMap, name: &str) -> Option<String> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| Cookie::split_parse(value).flatten())
        .find(|cookie| cookie.name() == name)
        .map(|cookie| cookie.value().to_owned())
}

/// Where somebody signs in from.
#[derive(Debug, Clone)]
pub struct From {
    /// The address, without a port.
    pub ip: String,
    /// The browser's own words, cut to 400 characters.
    pub user_agent: String,
}

impl From {
    /// From a request's address and headers.
    pub fn new(ip: std::net::IpAddr, headers: &HeaderMap) -> Self {
        let agent = headers.get(header::USER_AGENT).map(|value| String::from_utf8_lossy(value.as_bytes()));
        Self { ip: ip.to_string(), user_agent: agent.unwrap_or_default().chars().take(USER_AGENT).collect() }
    }
}

/// Opens a session for a user who has just proven who they are. Those of theirs that have ended are deleted, and of more than a
/// hundred the one that was unused for longest.
pub fn open(tx: &Tx<'_>, user_id: i64, hash: TokenHash, from: &From) -> Result<()> {
    let now = tx.stamp();
    let (idle, longest) = (instant(tx.now() - IDLE), instant(tx.now() - LONGEST));
    tx.prepare_cached("DELETE FROM sessions WHERE user_id = ?1 AND (last_seen < ?2 OR created_at < ?3)")?
        .execute(params![user_id, idle, longest])?;
    tx.prepare_cached(
        "INSERT INTO sessions (token_hash, user_id, created_at, last_seen, confirmed_at, ip_address, user_agent)
         VALUES (?1, ?2, ?3, ?3, ?3, ?4, ?5)",
    )?
    .execute(params![hash, user_id, now, from.ip, from.user_agent])?;
    tx.prepare_cached(
        "DELETE FROM sessions WHERE user_id = ?1 AND token_hash <> ?2 AND id NOT IN
            (SELECT id FROM sessions WHERE user_id = ?1 ORDER BY last_seen DESC, id DESC LIMIT ?3)",
    )?
    .execute(params![user_id, hash, MOST_SESSIONS])?;
    Ok(())
}

/// Ends the session of a token. Answers whose it was, if it was one.
pub fn close(tx: &Tx<'_>, hash: TokenHash) -> Result<Option<i64>> {
    let mut delete = tx.prepare_cached("DELETE FROM sessions WHERE token_hash = ?1 RETURNING user_id")?;
    Ok(delete.query_row([hash], |row| row.get(0)).optional()?)
}

/// Whether a token is that of a session, one that has ended by time included.
pub fn exists(conn: &rusqlite::Connection, hash: TokenHash) -> Result<bool> {
    let mut query = conn.prepare_cached("SELECT EXISTS (SELECT 1 FROM sessions WHERE token_hash = ?1)")?;
    Ok(query.query_row([hash], |row| row.get(0))?)
}

/// Notes that the person behind a session has just proven who they are.
pub fn confirm(tx: &Tx<'_>, session_id: i64) -> Result<()> {
    tx.prepare_cached("UPDATE sessions SET confirmed_at = ?2 WHERE id = ?1")?
        .execute(params![session_id, tx.stamp()])?;
    Ok(())
}

/// Ends every session of everybody.
pub fn close_all(conn: &rusqlite::Connection) -> rusqlite::Result<()> {
    conn.execute("DELETE FROM sessions", []).map(drop)
}

/// Forgets the sessions of everybody that have ended by time, and devices that were not seen for too long. Answers how many
/// rows went.
pub fn forget_ended(tx: &Tx<'_>) -> Result<usize> {
    let (idle, longest) = (instant(tx.now() - IDLE), instant(tx.now() - LONGEST));
    let sessions = tx.execute("DELETE FROM sessions WHERE last_seen < ?1 OR created_at < ?2", [idle, longest])?;
    let devices = tx.execute("DELETE FROM known_devices WHERE created_at < ?1", [instant(tx.now() - DEVICE)])?;
    Ok(sessions + devices)
}

/// Remembers a device for an account, at most fifty of them, the latest. The former token of that browser gives way to the new
/// one for every account that has signed in with it. Answers whether the device is new to an account that knows others.
pub fn remember_device(tx: &Tx<'_>, user_id: i64, hash: TokenHash, former: Option<TokenHash>) -> Result<bool> {
    let forgotten = instant(tx.now() - DEVICE);
    tx.prepare_cached("DELETE FROM known_devices WHERE user_id = ?1 AND created_at < ?2")?
        .execute(params![user_id, forgotten])?;
    let known = "SELECT count(*), coalesce(sum(token_hash = ?2), 0) FROM known_devices WHERE user_id = ?1";
    let (devices, is_known): (i64, i64) =
        tx.prepare_cached(known)?.query_row(params![user_id, former], |row| Ok((row.get(0)?, row.get(1)?)))?;
    if let Some(former) = former {
        tx.prepare_cached("UPDATE known_devices SET token_hash = ?2 WHERE token_hash = ?1")?.execute([former, hash])?;
    }
    tx.prepare_cached("INSERT OR REPLACE INTO known_devices (token_hash, user_id, created_at) VALUES (?1, ?2, ?3)")?
        .execute(params![hash, user_id, tx.stamp()])?;
    tx.prepare_cached(
        "DELETE FROM known_devices WHERE user_id = ?1 AND token_hash <> ?2 AND token_hash NOT IN
            (SELECT token_hash FROM known_devices WHERE user_id = ?1 ORDER BY created_at DESC LIMIT ?3)",
    )?
    .execute(params![user_id, hash, MOST_DEVICES])?;
    Ok(devices > 0 && is_known == 0)
}

/// Whether a session that was opened and last seen then still stands.
pub fn is_valid(created: DateTime<Utc>, last_seen: DateTime<Utc>, now: DateTime<Utc>) -> bool {
    now - last_seen < IDLE && now - created < LONGEST
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cookie_is_read_back_and_over_https_it_is_bound_to_the_host() {
        let token = Token::new().unwrap();
        for (https, start) in [(false, "shelfwise_session="), (true, "__Host-shelfwise_session=")] {
            let cookies = Cookies { https };
            let set = cookies.set_session(&token).to_str().unwrap().to_owned();
            assert!(
                set.starts_with(start)
                    && set.contains("HttpOnly")
                    && set.contains("SameSite=Lax")
                    && set.contains("Path=/")
            );
            assert_eq!(set.contains("Secure"), https);
            let mut headers = HeaderMap::new();
            let pair = format!("a=b; {}", set.split(';').next().unwrap());
            headers.insert(header::COOKIE, pair.parse().unwrap());
            assert!(cookies.session(&headers) == Some(token.clone()));
        }
    }

    #[test]
    fn a_session_ends_after_thirty_idle_days_and_after_ninety_in_any_case() {
        let now = Utc::now();
        let ago = |days| now - TimeDelta::days(days);
        assert!(is_valid(ago(89), ago(29), now));
        assert!(!is_valid(ago(89), ago(30), now));
        assert!(!is_valid(ago(90), ago(0), now));
    }
}
