//! Counts how often each limit refused a caller since the start: `shelfwise_throttled_total` in `/metrics`.
use std::sync::atomic::{AtomicU64, Ordering};

/// The limit that refused a caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefusalReason {
    /// 429 `too_many_at_once`: too many simultaneous requests of one account or address.
    TooManyAtOnce,
    /// 503 `busy`: a limit of the whole server is reached, or a request took too long.
    Busy,
    /// 429: too many guesses at passwords or links.
    LoginThrottle,
    /// 429: too many sign-ups of one address.
    SignUps,
    /// 409 `quota_reached`: an account has reached its storage limit.
    Quota,
    /// A connection was closed because its address, or the server, has too many.
    Connections,
    /// A connection was closed because its client was silent or too slow.
    Slow,
}

/// The label of each reason, in the order of [`RefusalReason`].
const NAMES: [&str; 7] = ["too_many_at_once", "busy", "attempts", "sign_ups", "quota", "connections", "slow"];

static TOTALS: [AtomicU64; NAMES.len()] = [const { AtomicU64::new(0) }; NAMES.len()];

/// Counts one refusal.
pub fn count(why: RefusalReason) {
    TOTALS[why as usize].fetch_add(1, Ordering::Relaxed);
}

/// The label and the count of each limit.
pub fn totals() -> [(&'static str, u64); NAMES.len()] {
    std::array::from_fn(|at| (NAMES[at], TOTALS[at].load(Ordering::Relaxed)))
}
