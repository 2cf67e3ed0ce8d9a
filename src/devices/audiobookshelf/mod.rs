//! Audiobookshelf: the operator lists servers in the settings (`[sources.<name>]`), a reader connects an account there with a key, and the
//! account is asked every 15 minutes.
pub mod client;
pub mod poll;

use crate::kit::id::UserId;

/// The most characters of a key.
pub const KEY_LENGTH: usize = 4_000;

/// What a stored key belongs to, for its encryption.
pub fn whose(owner: UserId, name: &str) -> String {
    format!("source {} of account {}", name, owner.0)
}
