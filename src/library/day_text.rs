//! Days as text, yyyy-MM-dd, in the database and in JSON. It is faster than chrono, which passes each character through two formatters;
//! the list of a library has thousands of days.
use chrono::{Datelike as _, NaiveDate};
use serde::{Serialize as _, Serializer};

/// The characters of a day.
#[derive(Debug, Clone, Copy)]
struct DayText([u8; 10]);

impl DayText {
    /// `None` for a year that does not have four digits.
    fn of(day: NaiveDate) -> Option<Self> {
        let year = u32::try_from(day.year()).ok().filter(|year| *year <= 9_999)?;
        let digit = |number: u32| b'0' + u8::try_from(number % 10).unwrap_or(0);
        let (month, day) = (day.month(), day.day());
        Some(Self([
            digit(year / 1_000),
            digit(year / 100),
            digit(year / 10),
            digit(year),
            b'-',
            digit(month / 10),
            digit(month),
            b'-',
            digit(day / 10),
            digit(day),
        ]))
    }

    fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or_default()
    }
}

/// A day in the form of the database.
pub fn stored(day: NaiveDate) -> String {
    DayText::of(day).map_or_else(|| day.to_string(), |text| text.as_str().to_owned())
}

/// Writes a day to JSON.
pub fn day<S: Serializer>(day: &NaiveDate, serializer: S) -> Result<S::Ok, S::Error> {
    match DayText::of(*day) {
        Some(text) => serializer.serialize_str(text.as_str()),
        None => day.serialize(serializer),
    }
}

/// Writes a day or null to JSON.
pub fn day_or_null<S: Serializer>(day: &Option<NaiveDate>, serializer: S) -> Result<S::Ok, S::Error> {
    match day {
        Some(day) => self::day(day, serializer),
        None => serializer.serialize_none(),
    }
}

#[cfg(test)]
mod tests {
    use chrono::Days;
    use serde::Serialize;

    use super::*;

    #[derive(Serialize)]
    struct Fast {
        #[serde(serialize_with = "day")]
        known: NaiveDate,
        #[serde(serialize_with = "day_or_null")]
        maybe: Option<NaiveDate>,
    }

    #[derive(Serialize)]
    struct Plain {
        known: NaiveDate,
        maybe: Option<NaiveDate>,
    }

    #[test]
    fn a_day_is_written_as_chrono_writes_it() {
        let day = |year, month, day| NaiveDate::from_ymd_opt(year, month, day).unwrap();
        let far = [day(0, 1, 1), day(7, 2, 28), day(9_999, 12, 31), day(10_000, 1, 1), day(-1, 12, 31)];
        let near = (0..1_500).map(|days| day(2023, 1, 1) + Days::new(days));
        for known in far.into_iter().chain(near) {
            for maybe in [Some(known), None] {
                let fast = serde_json::to_string(&Fast { known, maybe }).unwrap();
                assert_eq!(fast, serde_json::to_string(&Plain { known, maybe }).unwrap());
            }
            assert_eq!(stored(known), known.format("%Y-%m-%d").to_string());
        }
    }
}
