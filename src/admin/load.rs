//! Counts requests in the last minutes, hours and day, and how many were slow. In memory only; a restart clears the counts.
use std::time::Duration;

use chrono::{DateTime, Utc};
use serde::Serialize;

/// A response that took longer is slow.
const SLOW: Duration = Duration::from_secs(1);
/// When more than one in this many responses is slow, the 95th percentile is slow.
const ONE_IN: u64 = 20;
/// The window of the current load, in seconds.
const NOW: i64 = 5 * 60;
/// The window of the average load, in seconds.
const DAY: i64 = 24 * 60 * 60;
/// Below this many requests per minute the load is never high.
const NOT_HIGH: f64 = 60.0;

/// The traffic light of the load.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum LoadStatus {
    /// Neither orange nor red.
    Green,
    /// Below half of the average.
    Orange,
    /// Above twice the average and above 60 per minute, or slow.
    Red,
}

/// Request counts in windows of time.
#[derive(Debug, Clone)]
pub struct Load {
    started: Option<i64>,
    total: u64,
    seconds: Ring,
    minutes: Ring,
}

/// The values of the windows at one time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reading {
    /// Requests per minute over the last 5 minutes.
    pub current: f64,
    /// Requests per minute over the last 24 hours, or since the first request if that is shorter, but over at least 5 minutes.
    pub average: f64,
    /// Requests of the last 5 minutes.
    pub recent: u64,
    /// How many of them took more than one second.
    pub slow: u64,
    /// Requests since the start.
    pub total: u64,
    /// Requests of the last 60 minutes.
    pub last_hour: u64,
    /// Requests of the last 24 hours.
    pub last_day: u64,
}

impl Default for Load {
    fn default() -> Self {
        Self { started: None, total: 0, seconds: Ring::new(NOW, 1), minutes: Ring::new(DAY / 60, 60) }
    }
}

impl Load {
    pub fn answered(&mut self, at: DateTime<Utc>, took: Duration) {
        let (second, slow) = (at.timestamp(), took > SLOW);
        self.started.get_or_insert(second);
        self.total += 1;
        self.seconds.add(second, slow);
        self.minutes.add(second, slow);
    }

    /// The windows that end at a given time.
    pub fn reading(&self, now: DateTime<Utc>) -> Reading {
        let second = now.timestamp();
        let (recent, slow) = self.seconds.sum(second, NOW);
        let (last_day, _) = self.minutes.sum(second, DAY);
        let seconds = self.started.map_or(0, |started| second - started).clamp(NOW, DAY);
        Reading {
            current: a_minute(recent, NOW),
            average: a_minute(last_day, seconds),
            recent,
            slow,
            total: self.total,
            last_hour: self.minutes.sum(second, 60 * 60).0,
            last_day,
        }
    }
}

/// Rounded to a hundredth.
#[expect(clippy::cast_precision_loss, reason = "counts of requests are far below 2^52")]
fn a_minute(requests: u64, seconds: i64) -> f64 {
    (requests as f64 * 6000.0 / seconds as f64).round() / 100.0
}

impl Reading {
    /// The status (docs/rules.md, "Operators").
    pub fn status(&self) -> LoadStatus {
        let high = self.current > 2.0 * self.average && self.current > NOT_HIGH;
        // The nearest-rank 95th percentile is above one second when more than one in twenty responses is.
        if high || self.slow > self.recent / ONE_IN {
            LoadStatus::Red
        } else if self.current < self.average / 2.0 {
            LoadStatus::Orange
        } else {
            LoadStatus::Green
        }
    }
}

/// Counts by slot of time. A slot is cleared when it is reused.
#[derive(Debug, Clone)]
struct Ring {
    width: i64,
    slots: Vec<Slot>,
}

#[derive(Debug, Clone, Copy)]
struct Slot {
    at: i64,
    requests: u64,
    slow: u64,
}

impl Ring {
    fn new(slots: i64, width: i64) -> Self {
        let empty = Slot { at: i64::MIN, requests: 0, slow: 0 };
        Self { width, slots: (0..slots).map(|_| empty).collect() }
    }

    fn add(&mut self, second: i64, slow: bool) {
        let at = second.div_euclid(self.width);
        let Some(place) = usize::try_from(at).ok().map(|at| at % self.slots.len()) else { return };
        let slot = &mut self.slots[place];
        if slot.at != at {
            *slot = Slot { at, requests: 0, slow: 0 };
        }
        slot.requests += 1;
        slot.slow += u64::from(slow);
    }

    /// Requests and slow requests in the slots of the last `seconds`.
    fn sum(&self, second: i64, seconds: i64) -> (u64, u64) {
        let last = second.div_euclid(self.width);
        let first = last - seconds / self.width + 1;
        let slots = self.slots.iter().filter(|slot| (first..=last).contains(&slot.at));
        slots.fold((0, 0), |(requests, slow), slot| (requests + slot.requests, slow + slot.slow))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(1_750_000_000 + second, 0).unwrap()
    }

    fn load(answers: impl IntoIterator<Item = (i64, u64)>) -> Load {
        let mut load = Load::default();
        for (second, millis) in answers {
            load.answered(at(second), Duration::from_millis(millis));
        }
        load
    }

    #[test]
    fn requests_leave_the_windows_as_time_goes_by() {
        let load = load((0..600).map(|second| (second, 1)));
        let reading = load.reading(at(599));
        assert_eq!((reading.current, reading.average, reading.recent), (60.0, 60.1, 300));
        // The slot that has left the hour includes its last 20 seconds.
        let later = load.reading(at(3600));
        assert_eq!((later.current, later.last_hour, later.last_day, later.total), (0.0, 580, 600, 600));
        let next_day = load.reading(at(599 + 2 * DAY));
        assert_eq!((next_day.last_hour, next_day.last_day, next_day.total), (0, 0, 600));
    }

    #[test]
    fn a_quiet_server_is_orange_after_a_busy_hour_and_a_burst_is_red_only_above_sixty_a_minute() {
        let busy = load((0..3600).map(|second| (second, 1)));
        assert_eq!(busy.reading(at(3600)).status(), LoadStatus::Green);
        assert_eq!(busy.reading(at(3600 + 240)).status(), LoadStatus::Orange);
        let burst = |a_second| {
            let calm = (0..80_000).step_by(60).map(|second| (second, 1));
            load(calm.chain((80_000..80_300).flat_map(move |second| (0..a_second).map(move |_| (second, 1)))))
        };
        assert_eq!(burst(1).reading(at(80_299)).status(), LoadStatus::Green);
        assert_eq!(burst(2).reading(at(80_299)).status(), LoadStatus::Red);
    }

    #[test]
    fn more_than_one_slow_answer_in_twenty_is_red() {
        let answers = |slow: i64| load((0..100).map(move |n| (n, if n < slow { 1001 } else { 1000 })));
        assert_eq!(answers(5).reading(at(100)).status(), LoadStatus::Green);
        assert_eq!(answers(6).reading(at(100)).status(), LoadStatus::Red);
    }

    #[test]
    fn a_server_that_nobody_has_asked_is_green() {
        assert_eq!(Load::default().reading(at(0)).status(), LoadStatus::Green);
    }
}
