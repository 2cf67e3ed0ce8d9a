//! Limits how much of the writer's time each account takes, so that others write between its long changes.
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::kit::id::UserId;

/// The time that an account may take at once.
const FREE: Duration = Duration::from_secs(5);
/// Beyond that it gets one part in so many of the time that passes.
const SHARE: u32 = 20;
/// However long its changes took, the next one waits no longer: calls have a time limit.
const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// When the time that each account has taken is made up for, in memory only.
#[derive(Debug, Default)]
pub struct WritingTime(Mutex<HashMap<UserId, Instant>>);

impl WritingTime {
    /// How long an account's next change has to wait.
    pub fn wait(&self, user_id: UserId, now: Instant) -> Duration {
        self.made_up(user_id).map_or(Duration::ZERO, |at| at.saturating_duration_since(now + FREE * SHARE))
    }

    /// When the time that an account has taken is made up for; `None` when it has been for long.
    pub fn made_up(&self, user_id: UserId) -> Option<Instant> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&user_id).copied()
    }

    /// Counts a change that took `taken`.
    pub fn count(&self, user_id: UserId, taken: Duration, now: Instant) {
        let mut times = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        times.retain(|_, made_up| *made_up > now);
        let made_up = times.entry(user_id).or_insert(now);
        *made_up = (*made_up + taken * SHARE).min(now + FREE * SHARE + LONGEST_WAIT);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_changes_wait_for_each_other_and_short_ones_for_nothing() {
        let (times, start, ann, ben) = (WritingTime::default(), Instant::now(), UserId(1), UserId(2));
        let after = |seconds| start + Duration::from_secs(seconds);
        for _ in 0..250 {
            times.count(ann, Duration::from_millis(20), start);
            assert_eq!(times.wait(ann, start), Duration::ZERO);
        }
        times.count(ann, Duration::from_secs(1), start);
        assert_eq!(times.wait(ann, start), Duration::from_secs(20));
        assert_eq!(times.wait(ben, start), Duration::ZERO);
        assert_eq!(times.wait(ann, after(15)), Duration::from_secs(5));
        assert_eq!(times.wait(ann, after(20)), Duration::ZERO);
        times.count(ann, Duration::from_secs(100), after(20));
        assert_eq!(times.wait(ann, after(20)), LONGEST_WAIT);
        times.count(ben, Duration::ZERO, after(1_000));
        assert_eq!(times.made_up(ann), None, "what is made up for is forgotten");
    }
}
