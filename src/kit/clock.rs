//! The time of day: one clock for the database and for every handler, which a test can put forward.
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use chrono::{DateTime, TimeDelta, Utc};

/// The system's clock, put forward by what a test asked for. Clones are the same clock.
///
/// Transactions have a moment of their own ([`crate::kit::db::pool::Tx::now`]), which this clock gives; handlers ask
/// [`crate::kit::app::State::now`] or [`crate::kit::db::pool::Db::now`]. Nothing else in the program reads the time of day.
#[derive(Debug, Clone, Default)]
pub struct Clock {
    /// Milliseconds ahead of the system's clock; 0 in the product.
    ahead: Arc<AtomicI64>,
}

impl Clock {
    #[expect(clippy::disallowed_methods, reason = "this is the clock")]
    pub fn now(&self) -> DateTime<Utc> {
        Utc::now() + TimeDelta::milliseconds(self.ahead.load(Ordering::Relaxed))
    }

    /// Puts the clock forward, for tests of what expires.
    pub fn advance(&self, by: TimeDelta) {
        self.ahead.fetch_add(by.num_milliseconds(), Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_are_one_clock_and_a_new_one_is_the_systems() {
        let (clock, before) = (Clock::default(), Clock::default().now());
        let copy = clock.clone();
        assert!(copy.now() - before < TimeDelta::hours(1));
        clock.advance(TimeDelta::days(31));
        clock.advance(TimeDelta::days(1));
        assert!(copy.now() - before >= TimeDelta::days(32));
        assert!(Clock::default().now() - before < TimeDelta::hours(1));
    }
}
