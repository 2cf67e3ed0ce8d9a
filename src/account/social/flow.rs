//! A sign-in in progress: the data that the browser must bring back, in a signed cookie that is valid for ten minutes and works
//! once. A row in the database would be one that anybody can make, and a session must not exist before the sign-in.
use std::collections::{HashSet, VecDeque};
use std::sync::{Mutex, OnceLock, PoisonError};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, TimeDelta, Utc};
use ring::hmac::{self, HMAC_SHA256, Key};
use ring::rand::SystemRandom;
use serde::{Deserialize, Serialize};

use crate::kit::http::session::Token;
use crate::kit::id::{SessionId, UserId};
use crate::kit::{Error, Result};

/// How long a person may take at the provider.
pub const VALID: TimeDelta = TimeDelta::minutes(10);
/// The most used states that are remembered; beyond that the oldest is forgotten. People don't make more within [`VALID`].
const MOST: usize = 200_000;

/// The data of a sign-in at its start.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flow {
    pub provider: String,
    /// The state that the provider must return.
    pub state: String,
    /// The nonce that the identity token must contain.
    pub nonce: String,
    /// The PKCE code verifier, without which a stolen code is useless.
    pub verifier: String,
    /// The account to connect, if somebody signed in started it.
    pub link: Option<Link>,
    /// The page to show afterwards.
    pub next: Option<String>,
    /// The browser's time zone, for a new account.
    pub timezone: Option<String>,
    /// The start in Unix seconds.
    began: i64,
}

/// The session in which connecting was started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    pub user_id: UserId,
    /// The session's id. The session must still be valid at the end.
    pub session_id: SessionId,
}

impl Flow {
    /// Starts a sign-in with random values; `verifier` is the library's.
    pub fn begin(provider: &str, verifier: String, link: Option<Link>, now: DateTime<Utc>) -> Result<Self> {
        Ok(Self {
            provider: provider.to_owned(),
            state: Token::new()?.text(),
            nonce: Token::new()?.text(),
            verifier,
            link,
            next: None,
            timezone: None,
            began: now.timestamp(),
        })
    }

    fn is_over(&self, now: DateTime<Utc>) -> bool {
        !(0..VALID.num_seconds()).contains(&(now.timestamp() - self.began))
    }
}

/// Signs sign-ins in progress, and accepts each once. A restart discards the key, so that sign-ins in progress have to start
/// again.
#[derive(Default)]
pub struct Flows {
    key: OnceLock<Key>,
    used: Mutex<Used>,
}

/// Used states with the time of use, oldest first.
#[derive(Default)]
struct Used {
    states: HashSet<String>,
    by_age: VecDeque<(i64, String)>,
}

impl Flows {
    /// The text of the cookie.
    pub fn seal(&self, flow: &Flow) -> Result<String> {
        let text = URL_SAFE_NO_PAD.encode(serde_json::to_vec(flow)?);
        let tag = URL_SAFE_NO_PAD.encode(hmac::sign(self.key()?, text.as_bytes()));
        Ok(format!("{text}.{tag}"))
    }

    /// The key, created at the first use.
    fn key(&self) -> Result<&Key> {
        if let Some(key) = self.key.get() {
            return Ok(key);
        }
        let key = Key::generate(HMAC_SHA256, &SystemRandom::new());
        let key = key.map_err(|_| Error::internal("no random bytes for a signing key"))?;
        Ok(self.key.get_or_init(|| key))
    }

    /// Reads a cookie that this server signed for this provider, with the right state, and not too old. [`Flows::spend`] must be
    /// called before the code is sent.
    pub fn take(&self, cookie: &str, provider: &str, state: &str, now: DateTime<Utc>) -> Option<Flow> {
        let (text, tag) = cookie.split_once('.')?;
        hmac::verify(self.key.get()?, text.as_bytes(), &URL_SAFE_NO_PAD.decode(tag).ok()?).ok()?;
        let flow: Flow = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(text).ok()?).ok()?;
        let own = flow.provider == provider && flow.state == state && !flow.is_over(now);
        own.then_some(flow)
    }

    /// Marks a sign-in as used. Returns whether this is its first use. A cancelled sign-in is not marked and needs no memory.
    pub fn spend(&self, flow: &Flow, now: DateTime<Utc>) -> bool {
        self.used.lock().unwrap_or_else(PoisonError::into_inner).insert(&flow.state, now.timestamp())
    }
}

impl Used {
    fn insert(&mut self, state: &str, now: i64) -> bool {
        let over = |used_at: i64| now - used_at >= VALID.num_seconds();
        while self.by_age.front().is_some_and(|(used_at, _)| over(*used_at)) || self.by_age.len() >= MOST {
            let Some((_, oldest)) = self.by_age.pop_front() else { break };
            self.states.remove(&oldest);
        }
        let first = self.states.insert(state.to_owned());
        if first {
            self.by_age.push_back((now, state.to_owned()));
        }
        first
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(1_800_000_000 + seconds, 0).unwrap()
    }

    fn flow() -> Flow {
        Flow::begin("github", "verifier".into(), Some(Link { user_id: UserId(1), session_id: SessionId(2) }), at(0))
            .unwrap()
    }

    #[test]
    fn a_sign_in_is_taken_back_once_by_its_own_provider_state_and_server() {
        let (flows, flow) = (Flows::default(), flow());
        let cookie = flows.seal(&flow).unwrap();
        assert_eq!(flows.take(&cookie, "google", &flow.state, at(1)), None, "another provider");
        assert_eq!(flows.take(&cookie, "github", &Token::new().unwrap().text(), at(1)), None, "another state");
        let elsewhere = Flows::default();
        elsewhere.seal(&flow).unwrap();
        assert_eq!(elsewhere.take(&cookie, "github", &flow.state, at(1)), None, "another key");
        assert_eq!(flows.take(&cookie, "github", &flow.state, at(1)), Some(flow.clone()));
        assert!(flows.spend(&flow, at(1)) && !flows.spend(&flow, at(1)), "a second time");
    }

    #[test]
    fn of_more_sign_ins_than_people_make_the_oldest_is_forgotten_and_nobody_is_refused() {
        let mut used = Used::default();
        assert!((0..MOST + 10).all(|n| used.insert(&n.to_string(), 0)));
        assert_eq!((used.states.len(), used.by_age.len()), (MOST, MOST));
        assert!(!used.insert(&(MOST + 9).to_string(), 0) && used.insert("0", 0));
        assert!(used.insert("new", VALID.num_seconds()));
        assert_eq!((used.states.len(), used.by_age.len()), (1, 1));
    }

    #[test]
    fn a_sign_in_ends_after_ten_minutes() {
        let (flows, flow) = (Flows::default(), flow());
        let cookie = flows.seal(&flow).unwrap();
        assert_eq!(flows.take(&cookie, "github", &flow.state, at(600)), None);
        assert_eq!(flows.take(&cookie, "github", &flow.state, at(-1)), None, "from the future");
        assert!(flows.take(&cookie, "github", &flow.state, at(599)).is_some());
    }

    #[test]
    fn no_character_of_the_cookie_can_be_changed() {
        let (flows, flow) = (Flows::default(), flow());
        let cookie = flows.seal(&flow).unwrap();
        for place in 0..cookie.len() {
            let mut bytes = cookie.clone().into_bytes();
            bytes[place] = if bytes[place] == b'A' { b'B' } else { b'A' };
            let changed = String::from_utf8(bytes).unwrap();
            assert_eq!(flows.take(&changed, "github", &flow.state, at(1)), None, "{place}");
        }
        for rubbish in ["", ".", "a.b", "....", "é.é", &"a".repeat(10_000)] {
            assert_eq!(flows.take(rubbish, "github", "", at(1)), None);
        }
        assert!(flows.take(&cookie, "github", &flow.state, at(1)).is_some());
    }
}
