//! A year or a month, as goals and reviews have one.
use std::fmt;
use std::str::FromStr;

use chrono::{Datelike as _, Days, Months, NaiveDate};
use serde::{Deserialize, Serialize, Serializer};

use crate::library::rough_date::{FIRST_DAY, LAST_DAY};

/// A calendar year or a calendar month between 1900 and 2100, written 2026 or 2026-11.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(try_from = "String")]
pub enum Period {
    Year(i32),
    /// A year, and a month from 1 to 12.
    Month(i32, u32),
}

/// The text is neither a year nor a month between 1900 and 2100.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("The period must be a year or a month from 1900 to 2100, such as 2026 or 2026-11.")]
pub struct UnknownPeriod;

impl Period {
    /// The year of a day.
    pub fn year_of(day: NaiveDate) -> Self {
        Self::Year(day.year())
    }

    /// The month of a day.
    pub fn month_of(day: NaiveDate) -> Self {
        Self::Month(day.year(), day.month())
    }

    /// The year or the month of a day, whichever this period is.
    #[must_use]
    pub fn like(self, day: NaiveDate) -> Self {
        match self {
            Self::Year(_) => Self::year_of(day),
            Self::Month(..) => Self::month_of(day),
        }
    }

    pub fn first(self) -> NaiveDate {
        let (year, month) = match self {
            Self::Year(year) => (year, 1),
            Self::Month(year, month) => (year, month),
        };
        NaiveDate::from_ymd_opt(year, month, 1).unwrap_or(FIRST_DAY)
    }

    pub fn last(self) -> NaiveDate {
        let months = match self {
            Self::Year(_) => 12,
            Self::Month(..) => 1,
        };
        (self.first() + Months::new(months)) - Days::new(1)
    }

    pub fn days(self) -> i64 {
        (self.last() - self.first()).num_days() + 1
    }

    /// How many of the days have begun: none of a coming period, all of a past one.
    pub fn days_begun(self, today: NaiveDate) -> i64 {
        ((today - self.first()).num_days() + 1).clamp(0, self.days())
    }
}

impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Year(year) => write!(f, "{year:04}"),
            Self::Month(year, month) => write!(f, "{year:04}-{month:02}"),
        }
    }
}

impl FromStr for Period {
    type Err = UnknownPeriod;

    fn from_str(text: &str) -> Result<Self, UnknownPeriod> {
        let number =
            |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok()).flatten();
        let (year, month) = match (text.len(), text.split_once('-')) {
            (4, None) => (number(text), None),
            (7, Some((year, month))) if year.len() == 4 => (number(year), Some(number(month).ok_or(UnknownPeriod)?)),
            _ => return Err(UnknownPeriod),
        };
        let year: i32 = year.and_then(|year: u32| i32::try_from(year).ok()).ok_or(UnknownPeriod)?;
        if !(FIRST_DAY.year()..=LAST_DAY.year()).contains(&year) {
            return Err(UnknownPeriod);
        }
        match month {
            None => Ok(Self::Year(year)),
            Some(month @ 1..=12) => Ok(Self::Month(year, month)),
            Some(_) => Err(UnknownPeriod),
        }
    }
}

impl TryFrom<String> for Period {
    type Error = UnknownPeriod;

    fn try_from(text: String) -> Result<Self, UnknownPeriod> {
        text.parse()
    }
}

impl Serialize for Period {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::text::date;

    #[test]
    fn a_period_is_written_as_it_is_read_and_anything_else_is_refused() {
        for text in ["2026", "2026-11", "1900", "2100-12"] {
            assert_eq!(text.parse::<Period>().map(|period| period.to_string()).as_deref(), Ok(text));
        }
        for text in [
            "", "26", "1899", "2101", "2026-13", "2026-00", "2026-1", "+026", "2026-+1", "2026-11-01", "2026/11",
            "２０２６",
        ] {
            assert_eq!(text.parse::<Period>(), Err(UnknownPeriod), "{text}");
        }
    }

    #[test]
    fn days_that_have_begun_are_none_before_and_all_after() {
        let begun = |period: &str, today: &str| period.parse::<Period>().unwrap().days_begun(date(today).unwrap());
        assert_eq!(
            [begun("2026", "2026-07-01"), begun("2026", "2025-12-31"), begun("2026", "2027-01-01")],
            [182, 0, 365]
        );
        assert_eq!(
            [begun("2024", "2024-12-31"), begun("2024-02", "2024-02-29"), begun("2026-02", "2026-03-09")],
            [366, 29, 28]
        );
    }
}
