//! Months as numbers, and a book's words spread over its days.
use chrono::{Datelike as _, NaiveDate};

/// The number of months since the year 0.
pub fn number(day: NaiveDate) -> i32 {
    day.year() * 12 + i32::try_from(day.month0()).unwrap_or(0)
}

/// The name of a month: yyyy-MM.
pub fn name(number: i32) -> String {
    format!("{:04}-{:02}", number.div_euclid(12), number.rem_euclid(12) + 1)
}

/// The first day of the month after this one.
fn next_month(number: i32) -> Option<NaiveDate> {
    let next = number + 1;
    NaiveDate::from_ymd_opt(next.div_euclid(12), u32::try_from(next.rem_euclid(12)).ok()? + 1, 1)
}

/// The part of a book's words that a month gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    /// The number of months since the year 0.
    pub month: i32,
    /// Whole words, at least one.
    pub words: i64,
}

/// Spreads words evenly over the days from start to completion, both included. The words through each day are whole numbers, so
/// that the shares of the months add up to exactly the book's words. `start` must not be after `end`.
pub fn spread(words: i64, start: NaiveDate, end: NaiveDate) -> impl Iterator<Item = Share> {
    let days = i128::from((end - start).num_days().max(0) + 1);
    let mut read = 0;
    (number(start)..=number(end)).filter_map(move |month| {
        let behind =
            next_month(month).filter(|next| *next <= end).map_or(days, |next| i128::from((next - start).num_days()));
        // 128 bits, because neither words nor days are limited here; the result is between 0 and `words`.
        let through = i64::try_from(i128::from(words) * behind / days).unwrap_or(words);
        let share = Share { month, words: through - read };
        read = through;
        (share.words > 0).then_some(share)
    })
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;
    use proptest::prelude::*;

    use super::*;
    use crate::library::text::date;

    fn shares(words: i64, start: &str, end: &str) -> Vec<(String, i64)> {
        spread(words, date(start).unwrap(), date(end).unwrap()).map(|share| (name(share.month), share.words)).collect()
    }

    fn pairs(list: &[(&str, i64)]) -> Vec<(String, i64)> {
        list.iter().map(|(month, words)| ((*month).to_owned(), *words)).collect()
    }

    #[test]
    fn both_days_count() {
        assert_eq!(shares(400, "2024-12-30", "2025-01-02"), pairs(&[("2024-12", 200), ("2025-01", 200)]));
        assert_eq!(shares(7, "2024-02-29", "2024-02-29"), pairs(&[("2024-02", 7)]));
    }

    #[test]
    fn a_leap_day_is_a_day() {
        assert_eq!(shares(300, "2024-02-28", "2024-03-01"), pairs(&[("2024-02", 200), ("2024-03", 100)]));
        assert_eq!(shares(300, "2023-02-28", "2023-03-01"), pairs(&[("2023-02", 150), ("2023-03", 150)]));
    }

    #[test]
    fn few_words_over_many_months_stay_whole() {
        assert_eq!(shares(1, "2024-01-01", "2024-03-31"), pairs(&[("2024-03", 1)]));
        assert_eq!(shares(0, "2024-01-01", "2024-03-31"), pairs(&[]));
    }

    proptest! {
        /// No words are lost or added, no share is negative, and no day's part is off by a word or more.
        #[test]
        fn shares_add_up_exactly(words in 0..=100_000_000_i64, from in 0..40_000_i64, length in 0..4_000_i64) {
            let start = date("1950-01-01").unwrap() + TimeDelta::days(from);
            let end = start + TimeDelta::days(length);
            let shares: Vec<_> = spread(words, start, end).collect();
            prop_assert_eq!(shares.iter().map(|share| share.words).sum::<i64>(), words);
            for share in &shares {
                let days = (0..=length).filter(|day| number(start + TimeDelta::days(*day)) == share.month).count();
                #[expect(clippy::cast_precision_loss, reason = "a bound, not a figure")]
                let even = words as f64 * days as f64 / (length + 1) as f64;
                #[expect(clippy::cast_precision_loss, reason = "a bound, not a figure")]
                let off = share.words as f64 - even;
                prop_assert!(off.abs() < 1.0 + 1e-6 * even, "{share:?} of {even}");
            }
        }
    }
}
