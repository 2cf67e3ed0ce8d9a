//! Passwords: which ones are accepted, and Argon2id (m = 19 MiB, t = 2, p = 1) on blocking threads.
use std::net::IpAddr;
use std::sync::OnceLock;

use argon2::Params;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{CustomizedPasswordHasher as _, PasswordVerifier as _};

use super::hasher::Hasher;
use crate::kit::db::pool::blocking;
use crate::kit::hashing::{HashPermit, Hashing, Purpose};
use crate::kit::mail::address::key as email_key;
use crate::kit::{App, Error, Result, random};

/// The fewest characters of a password.
pub const SHORTEST: usize = 8;
/// The most characters of a password.
pub const LONGEST: usize = 256;
/// The strength of longer passwords is not estimated.
const LONGEST_ESTIMATED: usize = 100;
/// A password that an attacker who knows the account finds within this many guesses is refused.
const FEWEST_GUESSES: u64 = 1_000_000;
/// Words of the product and its field, which an attacker tries first.
const PRODUCT_WORDS: [&str; 8] =
    ["shelfwise", "goodreads", "storygraph", "book", "books", "read", "reading", "library"];
/// Shorter parts of a name, an address or a host are not used as words.
const SHORTEST_WORD: usize = 3;

/// Checks whether a password may be used for an account (docs/rules.md, "Accounts"); `host` is the server's public name.
pub fn check(password: &str, email: &str, name: &str, host: &str) -> std::result::Result<(), &'static str> {
    let length = password.chars().count();
    let same = |text: &str| email_key(text) == email_key(password);
    if length < SHORTEST {
        Err("A password must have at least 8 characters.")
    } else if length > LONGEST {
        Err("A password can have at most 256 characters.")
    } else if same(email) {
        Err("Your password can't be your email address.")
    } else if same(name) {
        Err("Your password can't be your display name.")
    } else if length <= LONGEST_ESTIMATED && is_easily_guessed(password, email, name, host) {
        Err("This password is too common or too easy to guess. Please choose a longer one, or less usual words.")
    } else {
        Ok(())
    }
}

/// Whether few guesses find a password: common ones, simple patterns, and words of the product, the account or the server.
fn is_easily_guessed(password: &str, email: &str, name: &str, host: &str) -> bool {
    let parts = [email, name, host].into_iter().flat_map(|text| text.split(|c: char| !c.is_alphanumeric()));
    let local = email.split('@').next().unwrap_or_default();
    let words = parts.chain([local, name, host]).filter(|word| word.chars().count() >= SHORTEST_WORD);
    let words: Vec<&str> = PRODUCT_WORDS.into_iter().chain(words).collect();
    zxcvbn::zxcvbn(password, &words).guesses() < FEWEST_GUESSES
}

const SALT: usize = 16;

fn argon2_params() -> Result<Params> {
    Params::new(19 * 1024, 2, 1, None).map_err(|cause| Error::internal(cause.to_string()))
}

/// Hashes a password on the calling thread. Returns a PHC string.
pub fn hash_here(password: &str) -> Result<String> {
    let salt = random::bytes::<SALT>()?;
    let hash = Hasher.hash_password_with_params(password.as_bytes(), &salt, argon2_params()?);
    hash.map(|hash| hash.to_string()).map_err(|cause| Error::internal(format!("hashing: {cause}")))
}

/// Hashes a password. Returns a PHC string.
pub async fn hash(hashing: &Hashing, password: String) -> Result<String> {
    hash_with(hashing.permit(Purpose::NewPassword).await?, password).await
}

/// The same, for a caller that already has a permit.
pub async fn hash_with(permit: HashPermit, password: String) -> Result<String> {
    permitted(permit, move || hash_here(&password)).await
}

/// The result of checking a password.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    Wrong,
    /// The password is right, and its hash is as strong as new ones.
    Right,
    /// The password is right, and this hash should replace the older, weaker one.
    RightRenewed(String),
}

/// Checks a password against a stored hash. Without a hash it takes equally long and the result is wrong.
pub async fn verify(hashing: &Hashing, password: String, stored: Option<String>) -> Result<Verdict> {
    permitted(hashing.permit(Purpose::Login).await?, move || verify_here(&password, stored.as_deref())).await
}

/// Checks a password of an address as a counted attempt, which is delayed or refused after too many wrong ones. Call
/// [`LoginThrottle::succeeded`](crate::kit::http::throttle::LoginThrottle::succeeded) when the password is right.
///
/// # Errors
/// 429 when there were too many attempts. What can't be checked does not count.
pub async fn attempt(
    app: &App,
    account: &str,
    ip: IpAddr,
    known_device: bool,
    password: String,
    stored: Option<String>,
) -> Result<Verdict> {
    app.attempts.begin(account, ip, known_device, app.now())?;
    let verdict = verify(&app.hashing, password, stored).await;
    verdict.inspect_err(|_| app.attempts.not_evaluated(account, ip, known_device))
}

fn verify_here(password: &str, stored: Option<&str>) -> Result<Verdict> {
    let hash = PasswordHash::new(stored.unwrap_or(dummy_hash()?))
        .map_err(|cause| Error::internal(format!("reading a stored hash failed: {cause}")))?;
    let right = Hasher.verify_password(password.as_bytes(), &hash).is_ok();
    if !right || stored.is_none() {
        return Ok(Verdict::Wrong);
    }
    let (new, stored) = (argon2_params()?, Params::try_from(&hash).ok());
    let strong = stored.is_some_and(|params| params.m_cost() >= new.m_cost() && params.t_cost() >= new.t_cost());
    if strong { Ok(Verdict::Right) } else { hash_here(password).map(Verdict::RightRenewed) }
}

/// The hash of a random password, used for addresses without an account.
fn dummy_hash() -> Result<&'static str> {
    static DUMMY: OnceLock<String> = OnceLock::new();
    if let Some(hash) = DUMMY.get() {
        return Ok(hash);
    }
    let hash = hash_here("nobody's password")?;
    Ok(DUMMY.get_or_init(|| hash))
}

async fn permitted<T: Send + 'static>(
    permit: HashPermit,
    call: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    blocking(move || {
        let _permit = permit;
        call()
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_count_characters_and_common_ones_are_refused() {
        let ok = |password: &str| check(password, "nora@example.org", "Nora Lindqvist", "").is_ok();
        assert!(!ok("1234567") && !ok(&"é".repeat(257)));
        assert!(
            ok("ünïcödé 8")
                && ok(&"x".repeat(256))
                && ok("correct horse battery staple")
                && ok("        z leading spaces")
        );
        for common in [
            "password", "PASSWORD", "password1", "12345678", "123456789", "qwertyuiop", "iloveyou", "sunshine",
            "football", "11111111", "password123", "letmein1",
        ] {
            assert!(!ok(common), "{common}");
        }
        assert!(!ok("nora@example.org") && !ok("NORA LINDQVIST"));
    }

    #[test]
    fn words_of_the_product_the_account_and_the_server_make_no_password() {
        let check = |password: &str| check(password, "nora.holm@example.org", "Nora Lindqvist", "shelf.hilltop.net");
        for easy in [
            "shelfwise", "Shelfwise1", "goodreads", "StoryGraph", "mylibrary", "P@ssw0rd1", "password!", "letmein12",
            "lindqvist1", "nora.holm", "hilltop1",
        ] {
            assert!(check(easy).is_err(), "{easy}");
        }
        for good in [
            "a long enough passphrase", "correct horse battery staple", "secret-password-1", "test-password-123",
            "Tr0ub4dor&3", "kd7!mQ2z", "a shelf of my very own",
        ] {
            assert_eq!(check(good), Ok(()), "{good}");
        }
    }

    #[test]
    fn a_right_password_is_right_and_an_older_hash_is_renewed() {
        let hash = hash_here("a long enough one").unwrap();
        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
        assert_eq!(verify_here("a long enough one", Some(&hash)).unwrap(), Verdict::Right);
        assert_eq!(verify_here("another", Some(&hash)).unwrap(), Verdict::Wrong);
        assert_eq!(verify_here("nobody's password", None).unwrap(), Verdict::Wrong);
        let params = Params::new(8 * 1024, 1, 1, None).unwrap();
        let weak = Hasher.hash_password_with_params(b"a long enough one", &[7; SALT], params).unwrap();
        assert!(matches!(verify_here("a long enough one", Some(&weak.to_string())).unwrap(), Verdict::RightRenewed(_)));
    }
}
