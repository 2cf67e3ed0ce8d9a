//! When a read will be finished at its pace so far (docs/rules.md, "Reading days").
use chrono::{Days, NaiveDate};
use serde::Serialize;
use utoipa::ToSchema;

use crate::library::books::log::WHOLE;

/// The most days that a forecast looks ahead.
pub const FARTHEST: i64 = 365;

/// When a read will be finished at its pace so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct Forecast {
    /// Days from today: 0 to 365.
    #[schema(minimum = 0, maximum = 365)]
    pub days: i64,
    /// The day on which the read will be finished, yyyy-MM-dd.
    pub date: NaiveDate,
}

impl Forecast {
    /// The forecast of an open read from its places, oldest first, in hundredths of a percent. The pace is the place reached over the
    /// days since the start, today included; without a start it is the rise since the first place over the days after it. `None` with
    /// fewer than two places, without any pace, and beyond 365 days.
    pub fn of(start: Option<NaiveDate>, places: &[(NaiveDate, i64)], today: NaiveDate) -> Option<Self> {
        let [(first_day, first), .., (_, reached)] = places else { return None };
        let (rise, days) = match start {
            Some(start) => (*reached, (today - start).num_days() + 1),
            None => (reached - first, (today - *first_day).num_days()),
        };
        if rise <= 0 || days <= 0 {
            return None;
        }
        let left = (WHOLE - reached) * days;
        let days = left / rise + i64::from(left % rise > 0);
        let ahead = u64::try_from(days).ok().filter(|_| days <= FARTHEST)?;
        Some(Self { days, date: today.checked_add_days(Days::new(ahead))? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::text::date;

    fn days(start: Option<&str>, places: &[(&str, i64)], today: &str) -> Option<i64> {
        let places: Vec<_> = places.iter().map(|(day, at)| (date(day).unwrap(), *at)).collect();
        Forecast::of(start.and_then(date), &places, date(today).unwrap()).map(|forecast| forecast.days)
    }

    const PLACES: [(&str, i64); 3] = [("2026-11-01", 1_200), ("2026-11-04", 2_000), ("2026-11-10", 3_800)];

    #[test]
    fn the_pace_is_the_place_over_the_days_since_the_start_today_included() {
        assert_eq!(days(Some("2026-11-01"), &PLACES, "2026-11-12"), Some(20));
        let places: Vec<_> = PLACES.iter().map(|(day, at)| (date(day).unwrap(), *at)).collect();
        let forecast = Forecast::of(date("2026-11-01"), &places, date("2026-11-12").unwrap()).unwrap();
        assert_eq!(Some(forecast.date), date("2026-12-02"));
    }

    #[test]
    fn without_a_start_the_rise_since_the_first_place_is_the_pace() {
        // 26% in 11 days, 62% are left.
        assert_eq!(days(None, &PLACES, "2026-11-12"), Some(27));
        assert_eq!(days(None, &[("2026-11-01", 0), ("2026-11-01", 10_000)], "2026-11-02"), Some(0));
    }

    #[test]
    fn nothing_is_said_with_one_place_without_a_rise_and_beyond_a_year() {
        assert_eq!(days(Some("2026-11-01"), &PLACES[..1], "2026-11-12"), None);
        assert_eq!(days(None, &[("2026-11-01", 900), ("2026-11-02", 900)], "2026-11-12"), None);
        assert_eq!(days(Some("2026-12-01"), &PLACES, "2026-11-12"), None);
        let slow = [("2026-01-01", 0), ("2026-01-02", 100)];
        assert_eq!(days(Some("2026-01-01"), &slow, "2026-01-03"), Some(297));
        assert_eq!(days(Some("2026-01-01"), &slow, "2026-01-04"), None);
    }
}
