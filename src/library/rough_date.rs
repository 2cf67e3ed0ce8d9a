//! Rough dates: a day, or the first and the last day on which a book may have been finished (docs/rules.md, "Rough dates").
//!
//! `tests/fixtures/rough-dates.json` lists what may be typed and what it means. The form reads the same notations, and its tests
//! read the same list.
use chrono::{Datelike as _, Months, NaiveDate};

use super::text;
use crate::kit::time_zone::Hemisphere;

/// The first valid date of a book.
pub const FIRST_DAY: NaiveDate = NaiveDate::from_ymd_opt(1900, 1, 1).unwrap();
/// The last valid date of a book.
pub const LAST_DAY: NaiveDate = NaiveDate::from_ymd_opt(2100, 12, 31).unwrap();

/// The longest text that is read, in bytes; the longest notation has fewer than 40.
const LONGEST: usize = 80;
/// The most years between the ends, except after "before".
const MOST_YEARS: u32 = 100;

/// When a book was finished: on one day, or on an unknown day of an interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RoughDate {
    /// The first possible day; `None` when the day is known. It is before [`RoughDate::to`].
    pub from: Option<NaiveDate>,
    /// The day, or the last possible one.
    pub to: NaiveDate,
}

/// Why a text or an interval is not a rough date.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// No known notation.
    #[error(
        "Not understood. Try a day like 2020-01-31, a month, a year, \u{201c}spring 2020\u{201d} or \u{201c}before 2015\u{201d}."
    )]
    Unknown,
    /// A day outside 1900 to 2100.
    #[error("Dates must be between 1900-01-01 and 2100-12-31.")]
    Outside,
    /// An interval that ends before it begins.
    #[error("The first possible day can't be after the last.")]
    Backwards,
    /// More than 100 years that do not begin with "before".
    #[error("That is longer than a reader's life. Leave the date out instead.")]
    TooLong,
    /// A season that begins in one year and ends in the next, with a single year.
    #[error(
        "{season} {}/{:02} or {} {year}/{:02}? Write it with both years.",
        .year - 1, .year.rem_euclid(100), .season.to_lowercase(), (.year + 1).rem_euclid(100)
    )]
    OneYear {
        /// `Winter` or `Summer`.
        season: &'static str,
        /// The year that was written.
        year: i32,
    },
}

impl RoughDate {
    /// A date from its two ends, as the database and two fields of the API have them. Equal ends are a day.
    ///
    /// # Errors
    /// [`Refusal::Outside`], [`Refusal::Backwards`], [`Refusal::TooLong`].
    pub fn between(from: Option<NaiveDate>, to: NaiveDate) -> Result<Self, Refusal> {
        let first = from.unwrap_or(to);
        if !(FIRST_DAY..=LAST_DAY).contains(&first) || !(FIRST_DAY..=LAST_DAY).contains(&to) {
            return Err(Refusal::Outside);
        }
        if first > to {
            return Err(Refusal::Backwards);
        }
        let date = Self { from: (first < to).then_some(first), to };
        let is_too_long = first.checked_add_months(Months::new(MOST_YEARS * 12)).is_some_and(|end| to >= end);
        if is_too_long && !date.is_before() { Err(Refusal::TooLong) } else { Ok(date) }
    }

    /// Reads a date as a reader types it or as [`RoughDate::exported`] writes it, in any case.
    pub fn parse(typed: &str, hemisphere: Hemisphere) -> Result<Self, Refusal> {
        if typed.len() > LONGEST {
            return Err(Refusal::Unknown);
        }
        let typed = typed.to_ascii_lowercase().replace(['\u{2013}', '\u{2014}', '\u{2212}'], "-").replace(',', " ");
        let words: Vec<&str> = typed.split_whitespace().collect();
        if let [word, years] = words[..]
            && let Some(season) = Season::named(word)
        {
            return season.of(years, hemisphere);
        }
        let typed = words.join(" ");
        if let Some(year) = typed.strip_prefix("before ") {
            return Self::until(full_year(year).ok_or(Refusal::Unknown)? - 1);
        }
        if let Some(year) = typed.strip_prefix("../") {
            return Self::until(full_year(year).ok_or(Refusal::Unknown)?);
        }
        if let Some(decade) = typed.strip_suffix("0s").filter(|decade| decade.len() == 3) {
            let first = full_year(&format!("{decade}0")).ok_or(Refusal::Unknown)?;
            return Self::of_parts(Part::of_year(first), Part::of_year(first + 9));
        }
        if let Some(part) = Part::parse(&typed) {
            return Self::of_parts(part, part);
        }
        let (first, last) = two_parts(&typed).ok_or(Refusal::Unknown)?;
        // In "Mar 5 - Jul 8, 2020" the year is written once.
        let first = if first.year.is_none() { Part { year: last.year, ..first } } else { first };
        Self::of_parts(first, last)
    }

    /// Every day from 1900 to the end of a year.
    fn until(year: i32) -> Result<Self, Refusal> {
        Self::between(Some(FIRST_DAY), Part::of_year(year).last().ok_or(Refusal::Outside)?)
    }

    /// From the first day of one part to the last day of another.
    fn of_parts(first: Part, last: Part) -> Result<Self, Refusal> {
        let (from, to) = (first.first().ok_or(Refusal::Unknown)?, last.last().ok_or(Refusal::Unknown)?);
        if from > to {
            return Err(Refusal::Unknown);
        }
        Self::between(Some(from), to)
    }

    /// The first possible day, or the day.
    pub fn first(self) -> NaiveDate {
        self.from.unwrap_or(self.to)
    }

    /// The year, if both ends are in the same one.
    pub fn year(self) -> Option<i32> {
        (self.first().year() == self.to.year()).then(|| self.to.year())
    }

    /// The month, 1 to 12, if both ends are in the same one.
    pub fn month(self) -> Option<u32> {
        (self.year().is_some() && self.first().month() == self.to.month()).then(|| self.to.month())
    }

    /// The form in CSV files and in the API's JSON exports: `2021-03-14`, `2021-03`, `2019`, `2020-03/2020-05`, `1990/1999`, `../2014`,
    /// `2020-03-05/2020-07-08`. [`RoughDate::parse`] reads it back as the same date.
    pub fn exported(self) -> String {
        let Some(from) = self.from else { return self.to.to_string() };
        if self.is_before() {
            return format!("../{}", self.to.year());
        }
        let is_whole_months = from.day() == 1 && Some(self.to) == Part::of_month(self.to).last();
        let pattern = match (is_whole_months, from.month(), self.to.month()) {
            (true, 1, 12) => "%Y",
            (true, ..) => "%Y-%m",
            (false, ..) => "%Y-%m-%d",
        };
        let (first, last) = (from.format(pattern).to_string(), self.to.format(pattern).to_string());
        if first == last { first } else { format!("{first}/{last}") }
    }

    /// Whether the interval is that of "before": from the first valid day to the end of a later year.
    fn is_before(self) -> bool {
        self.from == Some(FIRST_DAY)
            && self.to.year() > FIRST_DAY.year()
            && (self.to.month(), self.to.day()) == (12, 31)
    }
}

/// A year, a month or a day. The year may be missing where another part of the text has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Part {
    year: Option<i32>,
    month: Option<u32>,
    day: Option<u32>,
}

impl Part {
    fn of_year(year: i32) -> Self {
        Self { year: Some(year), month: None, day: None }
    }

    fn of_month(day: NaiveDate) -> Self {
        Self { year: Some(day.year()), month: Some(day.month()), day: None }
    }

    fn parse(text: &str) -> Option<Self> {
        Self::numeric(text).or_else(|| Self::named(text))
    }

    /// `2019`, `2021-03`, `2021-03-14`.
    fn iso(text: &str) -> Option<Self> {
        if let Some(day) = text::date(text) {
            return Some(Self { day: Some(day.day()), ..Self::of_month(day) });
        }
        let (year, month) = text.split_once('-').map_or((text, None), |(year, month)| (year, Some(month)));
        let month = match month {
            Some(month) => Some(number(month).filter(|_| month.len() == 2)?),
            None => None,
        };
        Some(Self { month, ..Self::of_year(full_year(year)?) })
    }

    /// The same, and a month with a slash: `03/2021`, `2021/03`.
    fn numeric(text: &str) -> Option<Self> {
        let Some((left, right)) = text.split_once('/') else { return Self::iso(text) };
        let (year, month) = if left.len() == 4 { (left, right) } else { (right, left) };
        let month = number(month).filter(|_| month.len() <= 2)?;
        Some(Self { month: Some(month), ..Self::of_year(full_year(year)?) })
    }

    /// `March 2021`, `Mar`, `Mar 5`, `Mar 5 2020`, `5 March 2020`.
    fn named(text: &str) -> Option<Self> {
        let mut part = Self { year: None, month: None, day: None };
        for word in text.split(' ') {
            if part.month.is_none() && word.starts_with(|c: char| c.is_ascii_alphabetic()) {
                part.month = Some(month_named(word)?);
            } else if word.len() == 4 && part.month.is_some() && part.year.is_none() {
                part.year = Some(full_year(word)?);
            } else if word.len() <= 2 && part.day.is_none() && part.year.is_none() {
                part.day = Some(number(word)?);
            } else {
                return None;
            }
        }
        part.month.map(|_| part)
    }

    fn first(self) -> Option<NaiveDate> {
        NaiveDate::from_ymd_opt(self.year?, self.month.unwrap_or(1), self.day.unwrap_or(1))
    }

    fn last(self) -> Option<NaiveDate> {
        let first = self.first()?;
        match (self.month, self.day) {
            (_, Some(_)) => Some(first),
            (Some(_), None) => first.checked_add_months(Months::new(1))?.pred_opt(),
            (None, None) => first.checked_add_months(Months::new(12))?.pred_opt(),
        }
    }

    /// Whether both parts are years, months or days.
    fn is_like(self, other: Self) -> bool {
        (self.month.is_some(), self.day.is_some()) == (other.month.is_some(), other.day.is_some())
    }
}

/// Two parts of the same kind: `2020-03/2020-05`, `2018-2020`, `Mar - May 2020`.
fn two_parts(text: &str) -> Option<(Part, Part)> {
    let parts = match text.split_once('/') {
        Some((first, last)) => (Part::iso(first)?, Part::iso(last)?),
        None => {
            let (first, last) = text.split_once(" - ").or_else(|| text.split_once('-'))?;
            (Part::parse(first.trim())?, Part::parse(last.trim())?)
        }
    };
    parts.0.is_like(parts.1).then_some(parts)
}

/// A season by its name. The year of winter in the north, and of summer in the south, ends with its first month.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Season {
    Spring,
    Summer,
    Autumn,
    Winter,
}

impl Season {
    fn named(word: &str) -> Option<Self> {
        Some(match word {
            "spring" => Self::Spring,
            "summer" => Self::Summer,
            "autumn" | "fall" => Self::Autumn,
            "winter" => Self::Winter,
            _ => return None,
        })
    }

    /// The season of a year, or of two years: `2020`, `2019/20`, `2019/2020`.
    fn of(self, years: &str, hemisphere: Hemisphere) -> Result<RoughDate, Refusal> {
        let (first, second) =
            years.split_once(['/', '-']).map_or((years, None), |(first, second)| (first, Some(second)));
        let year = full_year(first).ok_or(Refusal::Unknown)?;
        let month = self.first_month(hemisphere);
        let follows = |second: &str| {
            let next = (year + 1).to_string();
            second == next || second == &next[2..]
        };
        match (month, second) {
            (12, None) => {
                let season = if self == Self::Winter { "Winter" } else { "Summer" };
                Err(Refusal::OneYear { season, year })
            }
            (12, Some(second)) if follows(second) => RoughDate::of_parts(
                Part { month: Some(12), ..Part::of_year(year) },
                Part { month: Some(2), ..Part::of_year(year + 1) },
            ),
            (_, None) => RoughDate::of_parts(
                Part { month: Some(month), ..Part::of_year(year) },
                Part { month: Some(month + 2), ..Part::of_year(year) },
            ),
            _ => Err(Refusal::Unknown),
        }
    }

    fn first_month(self, hemisphere: Hemisphere) -> u32 {
        let north = match self {
            Self::Spring => 3,
            Self::Summer => 6,
            Self::Autumn => 9,
            Self::Winter => 12,
        };
        match (hemisphere, north) {
            (Hemisphere::North, month) => month,
            (Hemisphere::South, 3 | 6) => north + 6,
            (Hemisphere::South, _) => north - 6,
        }
    }
}

const MONTHS: [&str; 12] = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
];

/// A month by its name or its first three characters or more, with or without a full stop.
fn month_named(word: &str) -> Option<u32> {
    let word = word.strip_suffix('.').unwrap_or(word);
    let at = MONTHS.iter().position(|name| word.len() >= 3 && name.starts_with(word))?;
    u32::try_from(at + 1).ok()
}

/// A year of four digits.
fn full_year(text: &str) -> Option<i32> {
    number(text).filter(|_| text.len() == 4).and_then(|year| i32::try_from(year).ok())
}

/// A number of one to four digits.
fn number(text: &str) -> Option<u32> {
    let is_plain = (1..=4).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    is_plain.then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
#[path = "rough_date_tests.rs"]
mod tests;
