//! How often an account may ask, and how often a catalogue is asked.
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use tokio::sync::MutexGuard;
use tokio::time::{Instant, sleep_until, timeout};

use crate::kit::id::UserId;

/// The least time between two questions of an account.
const APART: TimeDelta = TimeDelta::seconds(1);
/// The most questions of an account a day.
pub const MOST_A_DAY: u32 = 500;
/// The longest time that a catalogue is left alone after it asked for it.
const LONGEST_REST: TimeDelta = TimeDelta::hours(1);
/// The rest of a catalogue that does not say how long.
const USUAL_REST: TimeDelta = TimeDelta::minutes(1);
/// The longest wait for a catalogue that answers others first.
const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// Why an account may not ask now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TooOften {
    /// The last question was less than a second ago.
    Second,
    /// It asked 500 times today.
    Day,
}

/// The questions of every account today. A restart forgets them.
#[derive(Default)]
pub struct Allowances(Mutex<HashMap<UserId, Asked>>);

struct Asked {
    day: NaiveDate,
    count: u32,
    /// The last question.
    question: Option<DateTime<Utc>>,
    /// The last cover, which follows a question within the same second.
    cover: Option<DateTime<Utc>>,
}

/// What an account asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Books.
    Question,
    /// A picture.
    Cover,
}

impl Allowances {
    /// Counts a question of an account on a day of its time zone.
    ///
    /// # Errors
    /// [`TooOften`]; nothing is counted then.
    pub fn take(&self, user: UserId, kind: Kind, now: DateTime<Utc>, today: NaiveDate) -> Result<(), TooOften> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !all.contains_key(&user) {
            // Days of time zones differ by one.
            all.retain(|_, asked| (today - asked.day).num_days() <= 1);
        }
        let asked = all.entry(user).or_insert(Asked { day: today, count: 0, question: None, cover: None });
        if asked.day != today {
            (asked.day, asked.count) = (today, 0);
        }
        let last = match kind {
            Kind::Question => &mut asked.question,
            Kind::Cover => &mut asked.cover,
        };
        if last.is_some_and(|last| now >= last && now - last < APART) {
            return Err(TooOften::Second);
        }
        if asked.count >= MOST_A_DAY {
            return Err(TooOften::Day);
        }
        *last = Some(now);
        asked.count += 1;
        Ok(())
    }
}

/// The turns of one catalogue: one question at a time, with a pause between two.
pub struct Turns {
    pause: Duration,
    /// When the last question ended.
    last: tokio::sync::Mutex<Option<Instant>>,
    /// The catalogue asked to be left alone until then.
    rests_until: Mutex<Option<DateTime<Utc>>>,
}

impl Turns {
    /// Turns with a pause.
    pub fn every(pause: Duration) -> Self {
        Self { pause, last: tokio::sync::Mutex::default(), rests_until: Mutex::default() }
    }

    /// Whether the catalogue is left alone at the moment.
    pub fn rests(&self, now: DateTime<Utc>) -> bool {
        self.rests_until.lock().unwrap_or_else(PoisonError::into_inner).is_some_and(|until| now < until)
    }

    /// Leaves the catalogue alone for as many seconds as it asked for, at most an hour.
    pub fn rest(&self, seconds: Option<u32>, now: DateTime<Utc>) {
        let rest = seconds.map_or(USUAL_REST, |seconds| TimeDelta::seconds(seconds.into()).min(LONGEST_REST));
        *self.rests_until.lock().unwrap_or_else(PoisonError::into_inner) = Some(now + rest);
    }

    /// Waits for a turn, which lasts until the guard is dropped. `None` when too many others wait.
    pub async fn take(&self) -> Option<Turn<'_>> {
        timeout(LONGEST_WAIT, async { Turn { pause: self.pause, has_begun: false, last: self.last.lock().await } })
            .await
            .ok()
    }
}

/// A turn at a catalogue.
pub struct Turn<'t> {
    pause: Duration,
    has_begun: bool,
    last: MutexGuard<'t, Option<Instant>>,
}

impl Turn<'_> {
    /// Waits until the pause after the last question is over. The next question then begins, and ends with the turn.
    pub async fn begin(&mut self) {
        if let Some(last) = *self.last {
            sleep_until(last + self.pause).await;
        }
        self.has_begun = true;
    }
}

impl Drop for Turn<'_> {
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
    fn an_account_asks_once_a_second_and_500_times_a_day() {
        let (all, today) = (Allowances::default(), at(0).date_naive());
        let ask = |seconds, day| all.take(UserId(1), Kind::Question, at(seconds), day);
        assert_eq!(ask(0, today), Ok(()));
        assert_eq!(ask(0, today), Err(TooOften::Second));
        assert_eq!(all.take(UserId(2), Kind::Question, at(0), today), Ok(()));
        assert_eq!(all.take(UserId(1), Kind::Cover, at(0), today), Ok(()));
        assert!((1..499).all(|second| ask(second, today).is_ok()));
        assert_eq!(ask(900, today), Err(TooOften::Day));
        assert_eq!(ask(901, today + TimeDelta::days(1)), Ok(()));
    }

    #[test]
    fn a_catalogue_is_left_alone_as_long_as_it_asks() {
        let turns = Turns::every(Duration::ZERO);
        turns.rest(Some(5), at(0));
        assert!(turns.rests(at(4)) && !turns.rests(at(5)));
        turns.rest(None, at(0));
        assert!(turns.rests(at(59)) && !turns.rests(at(60)));
        turns.rest(Some(u32::MAX), at(0));
        assert!(!turns.rests(at(3_600)));
    }

    #[tokio::test]
    async fn two_questions_are_a_pause_apart() {
        let turns = Turns::every(Duration::from_millis(20));
        let begun = Instant::now();
        for pauses in 0..3 {
            turns.take().await.unwrap().begin().await;
            assert!(begun.elapsed() >= Duration::from_millis(20) * pauses);
        }
    }
}
