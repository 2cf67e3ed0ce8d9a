//! Signs devices in. Each request carries the secret, so one that was right is remembered in memory: only others are hashed and counted.
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

use argon2::{Algorithm, Argon2, Params, Version};
use chrono::{DateTime, TimeDelta, Utc};

use crate::access::Owner;
use crate::devices::model::DeviceId;
use crate::devices::store::devices::{self, SecretHash};
use crate::kit::db::pool::blocking;
use crate::kit::hashing::Purpose;
use crate::kit::http::request_identity::RequestIdentity;
use crate::kit::http::session::{TokenHash, secret_hash};
use crate::kit::http::throttle::LoginThrottle;
use crate::kit::http::window::Window;
use crate::kit::{App, Error, Result, random};

/// The most requests of a device in an hour.
const MOST_CALLS: u32 = 1_000;
/// The last report is written at most once in this time.
const SEEN_AGAIN: TimeDelta = TimeDelta::minutes(5);
/// The bytes of salt before the hash.
const SALT: usize = 16;
/// The most secrets that are remembered. They are forgotten together, and proven again.
const MOST_REMEMBERED: usize = 10_000;

/// The devices that have shown their secret, and how often each has called.
#[derive(Debug, Clone)]
pub struct SignIns {
    memory: Arc<Mutex<Memory>>,
    /// Wrong secrets, apart from wrong passwords: a few devices that go on asking with a secret that was taken back must not keep their
    /// household from signing in.
    attempts: Arc<LoginThrottle>,
}

#[derive(Debug)]
struct Memory {
    /// The hash of what was shown, and the stored one that it proved.
    right: HashMap<DeviceId, (TokenHash, SecretHash)>,
    calls: Window<DeviceId>,
}

impl Default for SignIns {
    fn default() -> Self {
        let memory = Memory { right: HashMap::new(), calls: Window::new(TimeDelta::hours(1)) };
        Self { memory: Arc::new(Mutex::new(memory)), attempts: Arc::default() }
    }
}

/// A device that is signed in.
pub struct SignedIn {
    pub id: DeviceId,
    pub owner: Owner,
}

impl SignIns {
    /// Signs a device in with its user name and the MD5 of its password.
    ///
    /// # Errors
    /// [`Error::Unauthorized`]; 429 after too many wrong secrets, or too many calls.
    pub async fn sign_in(
        &self,
        app: &App,
        ip: IpAddr,
        identity: &RequestIdentity,
        login: &str,
        key: String,
    ) -> Result<SignedIn> {
        let (name, now) = (login.to_owned(), app.now());
        let found = app.db.read(move |conn| devices::find(conn, &name)).await?;
        let shown = secret_hash(&key);
        let is_known = found.as_ref().is_some_and(|found| self.remembers(found.id, shown, found.secret_hash));
        if !is_known {
            self.attempts.begin(login, ip, false, now)?;
            let stored = found.as_ref().map(|found| found.secret_hash);
            let right = verify(app, key, stored).await;
            if !right.inspect_err(|_| self.attempts.not_evaluated(login, ip, false))? {
                return Err(Error::Unauthorized);
            }
            self.attempts.succeeded(login, ip, false);
        }
        let device = found.ok_or(Error::Unauthorized)?;
        self.count(device.id, shown, device.secret_hash, now)?;
        let owner = Owner::find(app, device.user_id).await?.ok_or(Error::Unauthorized)?;
        identity.acquire_for_account(device.user_id).await?;
        if device.last_seen.is_none_or(|seen| now - seen.utc() >= SEEN_AGAIN) {
            app.db.write_later("noting a device's report", move |tx| devices::seen(tx, device.id));
        }
        Ok(SignedIn { id: device.id, owner })
    }

    fn remembers(&self, id: DeviceId, shown: TokenHash, stored: SecretHash) -> bool {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner).right.get(&id) == Some(&(shown, stored))
    }

    fn count(&self, id: DeviceId, shown: TokenHash, stored: SecretHash, now: DateTime<Utc>) -> Result<()> {
        let mut memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        if memory.right.len() >= MOST_REMEMBERED && !memory.right.contains_key(&id) {
            memory.right.clear();
        }
        memory.right.insert(id, (shown, stored));
        if let Some(until) = memory.calls.full_until(&id, MOST_CALLS, now) {
            return Err(Error::TooMany(u64::try_from((until - now).num_seconds()).unwrap_or(0).max(1)));
        }
        memory.calls.count(id, now);
        Ok(())
    }
}

/// Hashes a new secret.
///
/// # Errors
/// The system provides no random bytes, or the server is busy.
pub async fn hash(app: &App, key: String) -> Result<SecretHash> {
    let _permit = app.hashing.permit(Purpose::NewPassword).await?;
    blocking(move || hash_here(&key)).await
}

/// The same on this thread.
pub fn hash_here(key: &str) -> Result<SecretHash> {
    hashed(key, random::bytes::<SALT>()?)
}

/// Whether a secret is the stored one. Without one it takes equally long.
async fn verify(app: &App, key: String, stored: Option<SecretHash>) -> Result<bool> {
    let _permit = app.hashing.permit(Purpose::Login).await?;
    blocking(move || {
        let compared = stored.unwrap_or([0; 48]);
        let salt = std::array::from_fn(|place| compared[place]);
        Ok(hashed(&key, salt)? == compared && stored.is_some())
    })
    .await
}

/// The salt and the hash. Ten letters are few enough to be tried all with a fast hash, by somebody who has a copy of the database.
fn hashed(key: &str, salt: [u8; SALT]) -> Result<SecretHash> {
    let params = Params::new(8 * 1024, 2, 1, Some(32)).map_err(|cause| Error::internal(cause.to_string()))?;
    let mut whole = [0; 48];
    whole[..SALT].copy_from_slice(&salt);
    let argon = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
    let hashed = argon.hash_password_into(key.as_bytes(), &salt, &mut whole[SALT..]);
    hashed.map_err(|cause| Error::internal(format!("hashing: {cause}")))?;
    Ok(whole)
}
