//! Rate limits: how many look-ups an account may start, and how often this server calls a catalogue.
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use tokio::sync::MutexGuard;
use tokio::time::{Instant, sleep_until, timeout};

use crate::kit::http::window::Window;
use crate::kit::id::UserId;
use crate::library::text;

/// The least time between two look-ups of an account.
const LOOKUP_INTERVAL: TimeDelta = TimeDelta::seconds(1);
/// The most look-ups of an account a day.
pub const MOST_A_DAY: u32 = 500;
/// The most covers of an account a day. The page shows the covers of a look-up's first eight results, and asks for that of the chosen one.
pub const MOST_COVERS_A_DAY: u32 = 10 * MOST_A_DAY;
/// The longest back-off that a catalogue can ask for.
const LONGEST_BACK_OFF: TimeDelta = TimeDelta::hours(1);
/// The back-off for a catalogue that does not say how long.
const DEFAULT_BACK_OFF: TimeDelta = TimeDelta::minutes(1);
/// The longest wait for the permit of a catalogue.
const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// Why an account is throttled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccountThrottled {
    /// The last look-up was less than a second ago.
    Second,
    /// It had 500 look-ups on this day of its time zone.
    Day(NaiveDate),
    /// It had 5,000 covers on this day.
    CoversOfDay(NaiveDate),
}

impl AccountThrottled {
    /// The day after which the account may go on.
    pub fn day(self) -> Option<NaiveDate> {
        match self {
            Self::Second => None,
            Self::Day(day) | Self::CoversOfDay(day) => Some(day),
        }
    }

    /// A sentence for the reader.
    pub fn sentence(self) -> String {
        match self {
            Self::Second => "You can look up one book a second. Please wait a moment.".to_owned(),
            Self::Day(_) => {
                format!("You have looked up {MOST_A_DAY} books today. Try again tomorrow, or type the book in.")
            }
            Self::CoversOfDay(_) => {
                let most = text::grouped(u64::from(MOST_COVERS_A_DAY));
                format!("You have looked at {most} covers today. Try again tomorrow.")
            }
        }
    }
}

/// Limits the look-ups of every account. A restart resets the counts.
///
/// Each day of a time zone has a count of its own, so that changing the time zone back and forth begins none again.
pub struct AccountLimits(Mutex<Window<(UserId, RequestKind, NaiveDate)>>);

impl Default for AccountLimits {
    fn default() -> Self {
        // In some time zone or other a day lasts for fifty hours.
        Self(Mutex::new(Window::new(TimeDelta::days(3))))
    }
}

/// What an account requests. Each is counted by itself: a cover follows a look-up within the same second, and one look-up shows several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RequestKind {
    /// Books.
    Search,
    /// A picture.
    Cover,
}

impl AccountLimits {
    /// Counts a request of an account on a day of its time zone.
    ///
    /// # Errors
    /// [`AccountThrottled`]; nothing is counted then.
    pub fn acquire(
        &self,
        user: UserId,
        kind: RequestKind,
        now: DateTime<Utc>,
        today: NaiveDate,
    ) -> Result<(), AccountThrottled> {
        let (most, beyond) = match kind {
            RequestKind::Search => (MOST_A_DAY, AccountThrottled::Day(today)),
            RequestKind::Cover => (MOST_COVERS_A_DAY, AccountThrottled::CoversOfDay(today)),
        };
        let key = (user, kind, today);
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if counts.get(&key).is_some_and(|count| now >= count.last && now - count.last < LOOKUP_INTERVAL) {
            return Err(AccountThrottled::Second);
        }
        if counts.full_until(&key, most, now).is_some() {
            return Err(beyond);
        }
        counts.count(key, now);
        Ok(())
    }
}

/// The throttle of one catalogue: one request at a time, with a pause between two.
pub struct SourceThrottle {
    pause: Duration,
    /// When the last request ended.
    last: tokio::sync::Mutex<Option<Instant>>,
    /// The catalogue gets no requests until then.
    backs_off_until: Mutex<Option<DateTime<Utc>>>,
}

impl SourceThrottle {
    /// A throttle with a pause after each request.
    pub fn with_pause(pause: Duration) -> Self {
        Self { pause, last: tokio::sync::Mutex::default(), backs_off_until: Mutex::default() }
    }

    /// Whether the catalogue gets no requests at the moment.
    pub fn is_backing_off(&self, now: DateTime<Utc>) -> bool {
        self.backs_off_until.lock().unwrap_or_else(PoisonError::into_inner).is_some_and(|until| now < until)
    }

    /// Sends the catalogue no requests for as many seconds as it asked for, at most an hour.
    pub fn back_off(&self, seconds: Option<u32>, now: DateTime<Utc>) {
        let back_off =
            seconds.map_or(DEFAULT_BACK_OFF, |seconds| TimeDelta::seconds(seconds.into()).min(LONGEST_BACK_OFF));
        *self.backs_off_until.lock().unwrap_or_else(PoisonError::into_inner) = Some(now + back_off);
    }

    /// Waits for the permit, which is held until it is dropped. `None` when others hold it for too long.
    pub async fn acquire(&self) -> Option<SourcePermit<'_>> {
        timeout(LONGEST_WAIT, async {
            SourcePermit { pause: self.pause, has_begun: false, last: self.last.lock().await }
        })
        .await
        .ok()
    }
}

/// The permit to send one request to a catalogue.
pub struct SourcePermit<'a> {
    pause: Duration,
    has_begun: bool,
    last: MutexGuard<'a, Option<Instant>>,
}

impl SourcePermit<'_> {
    /// Waits until the pause after the last request is over. The next request then begins, and ends when the permit is dropped.
    pub async fn begin(&mut self) {
        if let Some(last) = *self.last {
            sleep_until(last + self.pause).await;
        }
        self.has_begun = true;
    }
}

impl Drop for SourcePermit<'_> {
    fn drop(&mut self) {
        if self.has_begun {
            *self.last = Some(Instant::now());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(1_800_000_000 + seconds, 0).unwrap_or_default()
    }

    #[test]
    fn an_account_has_one_look_up_a_second_and_500_a_day() {
        let (all, today) = (AccountLimits::default(), at(0).date_naive());
        let ask = |seconds, day| all.acquire(UserId(1), RequestKind::Search, at(seconds), day);
        assert_eq!(ask(0, today), Ok(()));
        assert_eq!(ask(0, today), Err(AccountThrottled::Second));
        assert_eq!(all.acquire(UserId(2), RequestKind::Search, at(0), today), Ok(()));
        assert_eq!(all.acquire(UserId(1), RequestKind::Cover, at(0), today), Ok(()));
        assert!((1..500).all(|second| ask(second, today).is_ok()));
        assert_eq!(ask(900, today), Err(AccountThrottled::Day(today)));
        let cover = |second, day| all.acquire(UserId(1), RequestKind::Cover, at(second), day);
        assert!((1..5_000).all(|second| cover(second, today).is_ok()), "covers do not use up look-ups");
        assert_eq!(cover(5_000, today), Err(AccountThrottled::CoversOfDay(today)));
        assert_eq!(cover(5_001, today + TimeDelta::days(1)), Ok(()));
        assert_eq!(ask(901, today + TimeDelta::days(1)), Ok(()));
    }

    #[test]
    fn another_time_zone_does_not_begin_the_day_again() {
        let (all, today) = (AccountLimits::default(), at(0).date_naive());
        let ask = |second, day| all.acquire(UserId(1), RequestKind::Search, at(second), day);
        let asked = (0..2_000_i64).filter(|second| ask(*second, today + TimeDelta::days(second % 2)).is_ok());
        assert!(asked.count() <= 1_000, "two days have five hundred questions each");
        // Somebody else begins to look up where it is the day after tomorrow.
        all.acquire(UserId(2), RequestKind::Search, at(2_000), today + TimeDelta::days(3)).unwrap();
        assert!(ask(2_001, today + TimeDelta::days(1)).is_err(), "the count is not forgotten");
    }

    #[test]
    fn a_catalogue_gets_no_requests_as_long_as_it_asks() {
        let throttle = SourceThrottle::with_pause(Duration::ZERO);
        throttle.back_off(Some(5), at(0));
        assert!(throttle.is_backing_off(at(4)) && !throttle.is_backing_off(at(5)));
        throttle.back_off(None, at(0));
        assert!(throttle.is_backing_off(at(59)) && !throttle.is_backing_off(at(60)));
        throttle.back_off(Some(u32::MAX), at(0));
        assert!(!throttle.is_backing_off(at(3_600)));
    }

    #[tokio::test]
    async fn two_requests_are_a_pause_apart() {
        let throttle = SourceThrottle::with_pause(Duration::from_millis(20));
        let begun = Instant::now();
        for pauses in 0..3 {
            throttle.acquire().await.unwrap().begin().await;
            assert!(begun.elapsed() >= Duration::from_millis(20) * pauses);
        }
    }
}
