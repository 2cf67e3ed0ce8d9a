//! Ratings: 0 to 10 points in tenths, kept as whole numbers so that sums and averages are exact.
use std::fmt;

use rusqlite::types::{FromSql, FromSqlResult, ToSqlOutput, ValueRef};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A rating in points with at most one decimal. It is 8 and 7.5 in JSON and in CSV files, and 80 and 75 in the database.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rating(i64);

impl Rating {
    /// The best rating: 10 points.
    pub const BEST: Self = Self::points(10);

    /// A rating of whole points.
    pub const fn points(points: i64) -> Self {
        Self(points.saturating_mul(10))
    }

    /// A rating of so many tenths of a point.
    pub const fn of_tenths(tenths: i64) -> Self {
        Self(tenths)
    }

    /// The rating in tenths of a point.
    pub const fn tenths(self) -> i64 {
        self.0
    }

    /// What version 0.1.0 made of it: whole points, halves rounded up.
    pub const fn rounded(self) -> Self {
        Self::points((self.0 + 5) / 10)
    }

    /// Whether it is from 0 to 10 points.
    pub fn is_valid(self) -> bool {
        (Self(0)..=Self::BEST).contains(&self)
    }

    /// The rating in a number of points; `None` for more than one decimal, and for numbers far beyond every scale.
    pub fn from_points(points: f64) -> Option<Self> {
        let tenths = points * 10.0;
        let near = tenths.round();
        #[expect(clippy::cast_possible_truncation, reason = "whole, and small by the check before")]
        let rating = || Self(near as i64);
        (near.abs() < 1e9 && (tenths - near).abs() < 1e-6).then(rating)
    }

    /// The rating in a text such as `8`, `7.5` or `7,5`; `None` for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        let (whole, tenth) = text.split_once(['.', ',']).unwrap_or((text, "0"));
        let digits = |text: &str, most| {
            let plain = (1..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
            plain.then(|| text.parse::<i64>().ok()).flatten()
        };
        Some(Self(digits(whole, 3)? * 10 + digits(tenth, 1)?))
    }
}

impl fmt::Display for Rating {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0 / 10, self.0 % 10) {
            (points, 0) => write!(f, "{points}"),
            (points, tenth) => write!(f, "{points}.{tenth}"),
        }
    }
}

impl Serialize for Rating {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match (self.0 % 10, i32::try_from(self.0)) {
            (1..=9, Ok(tenths)) => serializer.serialize_f64(f64::from(tenths) / 10.0),
            _ => serializer.serialize_i64(self.0 / 10),
        }
    }
}

impl<'de> Deserialize<'de> for Rating {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let points = f64::deserialize(deserializer)?;
        Self::from_points(points).ok_or_else(|| D::Error::custom("A rating has at most one decimal."))
    }
}

impl FromSql for Rating {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        value.as_i64().map(Self)
    }
}

impl rusqlite::types::ToSql for Rating {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.0.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_points_stay_whole_numbers_and_only_halves_and_tenths_have_a_point() {
        for (tenths, json) in [(0, "0"), (1, "0.1"), (75, "7.5"), (80, "8"), (99, "9.9"), (100, "10")] {
            let rating = Rating::of_tenths(tenths);
            assert_eq!(serde_json::to_string(&rating).unwrap(), json);
            assert_eq!(rating.to_string(), json);
            assert_eq!(serde_json::from_str::<Rating>(json).unwrap(), rating);
            assert_eq!(Rating::parse(json), Some(rating));
        }
        assert_eq!(serde_json::from_str::<Rating>("8.0").unwrap(), Rating::points(8));
    }

    #[test]
    fn more_than_one_decimal_is_no_rating() {
        for wrong in ["7.55", "7.05", "1e99", "\"8\"", "true", "[]"] {
            assert!(serde_json::from_str::<Rating>(wrong).is_err(), "{wrong}");
        }
        for wrong in ["", "7.", ".5", "7.55", "+7", "-1", "1e1", "٧", "1000", "7 5"] {
            assert_eq!(Rating::parse(wrong), None, "{wrong}");
        }
        assert!(!serde_json::from_str::<Rating>("-0.1").unwrap().is_valid());
        assert!(!serde_json::from_str::<Rating>("10.1").unwrap().is_valid());
    }
}
