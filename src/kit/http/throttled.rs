//! How often callers were refused because of a limit, since the program's start: `shelfwise_throttled_total` in `/metrics`.
use std::sync::atomic::{AtomicU64, Ordering};

/// Why a caller was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// 429 `too_many_at_once`: too many calls of one account or address at once.
    TooManyAtOnce,
    /// 503 `busy`: a budget of the whole server is used up, or a call took too long.
    Busy,
    /// 429: too many guesses at passwords or links.
    LoginThrottle,
    /// 429: too many sign-ups of one address.
    SignUps,
    /// 409 `quota_reached`: an account stores as much as it may.
    Quota,
    /// A connection was closed because its address, or the server, has too many.
    Connections,
    /// A connection was closed because its client was silent or too slow.
    Slow,
}

/// The label of each reason, in the order of [`Why`].
const NAMES: [&str; 7] = ["too_many_at_once", "busy", "attempts", "sign_ups", "quota", "connections", "slow"];

static TOTALS: [AtomicU64; NAMES.len()] = [const { AtomicU64::new(0) }; NAMES.len()];

/// Counts one refusal.
pub fn count(why: Why) {
    TOTALS[why as usize].fetch_add(1, Ordering::Relaxed);
}

/// Each reason's label, and how often it was given.
pub fn totals() -> [(&'static str, u64); NAMES.len()] {
    std::array::from_fn(|at| (NAMES[at], TOTALS[at].load(Ordering::Relaxed)))
}
