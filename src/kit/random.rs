//! Random bytes for secrets: tokens, salts, nonces, passwords of the demo.
//!
//! What guards nothing (request ids, the demo's books) uses `fastrand`, which asks the system once per thread. Signatures take
//! randomness through `ring`, which asks the same system call.
use super::error::{Error, Result};

/// `N` bytes that nobody can guess, from the operating system.
pub fn bytes<const N: usize>() -> Result<[u8; N]> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|cause| Error::internal(format!("no random bytes: {cause}")))?;
    Ok(bytes)
}
