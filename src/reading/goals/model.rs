//! Goals and what counts for them (docs/rules.md, "Goals").
use std::collections::HashMap;

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::kit::FieldErrors;
use crate::kit::http::patch_field::PatchField;
use crate::kit::named::named;
use crate::library::books::log::WHOLE;
use crate::library::books::model::{ReadingProgress, month_of, year_of};
use crate::library::text::grouped;
use crate::reading::period::Period;

/// The most goals of an account.
pub const MOST: i64 = 400;

/// An account has as many goals as it may.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooMany;

named! {
    /// The unit that a goal counts.
    GoalMetric {
        /// Finished reads.
        Books = "books",
        /// The words of finished reads.
        Words = "words",
        /// The pages of finished reads.
        Pages = "pages",
        /// The lengths of finished reads in minutes.
        Minutes = "minutes",
    }
}

impl GoalMetric {
    /// The highest target, more than anybody can read.
    pub const fn highest_target(self) -> i64 {
        match self {
            Self::Books => 100_000,
            Self::Words => 10_000_000_000,
            Self::Pages | Self::Minutes => 100_000_000,
        }
    }
}

/// The request to set a goal.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
pub struct GoalFields {
    /// At least 1; at most 100,000 books, 10,000,000,000 words, or 100,000,000 pages or minutes.
    #[schema(required, value_type = i64, minimum = 1, maximum = 10_000_000_000_i64)]
    #[serde(default)]
    pub target: PatchField<i64>,
    /// Whether reads that are marked as rereads count. Absent keeps the choice of the goal that there is; a new goal counts them.
    #[schema(value_type = Option<bool>)]
    #[serde(default)]
    pub rereads: PatchField<bool>,
}

/// A goal as it is stored and exported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Goal {
    pub period: Period,
    /// The unit that is counted.
    pub metric: GoalMetric,
    /// At least 1.
    pub target: i64,
    /// Whether reads that are marked as rereads count.
    pub rereads: bool,
}

impl GoalFields {
    /// The goal for a period and a unit.
    pub fn checked(self, period: Period, metric: GoalMetric, before: Option<Goal>) -> Result<Goal, FieldErrors> {
        let mut errors = FieldErrors::new();
        let mut goal = before.unwrap_or(Goal { period, metric, target: 0, rereads: true });
        goal.target = self.target.value().unwrap_or(0);
        if goal.target < 1 {
            errors.add("target", "A goal is a whole number from 1.");
        } else if goal.target > metric.highest_target() {
            let most = grouped(metric.highest_target().unsigned_abs());
            errors.add("target", format!("A goal can be at most {most} {}.", metric.name()));
        }
        let rereads = self.rereads.null_is_absent();
        rereads.set(&mut goal.rereads, &mut errors, "rereads", "The value must be true or false.");
        errors.and(Ok(goal))
    }
}

/// What was finished in a period.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Finished {
    /// Reads.
    pub books: i64,
    /// Their words.
    pub words: i64,
    /// Their pages, where they are known.
    pub pages: i64,
    /// Reads whose pages are unknown.
    pub without_pages: i64,
    /// Their minutes, where the length is known.
    pub minutes: i64,
}

impl Finished {
    pub fn add(&mut self, read: Counted) {
        self.books += 1;
        self.words = self.words.saturating_add(read.words);
        self.pages = self.pages.saturating_add(read.pages.unwrap_or(0));
        self.without_pages += i64::from(read.pages.is_none());
        self.minutes = self.minutes.saturating_add(read.minutes.unwrap_or(0));
    }
}

/// What was read of the books that are open.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct InHand {
    /// Words up to the places reached.
    pub words: i64,
    /// Pages up to the places reached.
    pub pages: i64,
    /// Minutes up to the places reached.
    pub minutes: i64,
}

/// A goal, and how far its reader has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Goal)]
pub struct GoalProgress {
    /// A year or a month: 2026 or 2026-11.
    #[schema(value_type = String, pattern = r"^(19\d{2}|20\d{2}|2100)(-(0[1-9]|1[0-2]))?$")]
    pub period: Period,
    /// The unit that is counted.
    pub metric: GoalMetric,
    /// At least 1.
    pub target: i64,
    /// Whether reads that are marked as rereads count.
    pub rereads: bool,
    /// What was finished in the period, hidden reads included.
    pub value: i64,
    /// What an even pace would have reached by now, today included, rounded down.
    pub expected: i64,
    /// `value` less `expected`; negative when behind.
    pub ahead: i64,
    /// What is left; 0 when the goal is reached.
    pub remaining: i64,
    /// Words, pages or minutes of open reads up to the place reached, which are not part of `value`; null for a goal of books, and 0 for a past
    /// period.
    #[schema(required)]
    pub in_hand: Option<i64>,
    /// How many of the finished reads have no known pages; null unless the goal counts pages.
    #[schema(required)]
    pub without_pages: Option<i64>,
}

impl GoalProgress {
    /// How far a goal has come on a day.
    pub fn of(goal: Goal, finished: Finished, in_hand: InHand, today: NaiveDate) -> Self {
        let Goal { period, metric, target, rereads } = goal;
        let expected = target * period.days_begun(today) / period.days();
        let in_hand = if period.last() < today { InHand::default() } else { in_hand };
        let (value, in_hand) = match metric {
            GoalMetric::Books => (finished.books, None),
            GoalMetric::Words => (finished.words, Some(in_hand.words)),
            GoalMetric::Pages => (finished.pages, Some(in_hand.pages)),
            GoalMetric::Minutes => (finished.minutes, Some(in_hand.minutes)),
        };
        Self {
            period,
            metric,
            target,
            rereads,
            value,
            expected,
            ahead: value - expected,
            remaining: target.saturating_sub(value).max(0),
            in_hand,
            without_pages: (metric == GoalMetric::Pages).then_some(finished.without_pages),
        }
    }
}

/// What goals count of a read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counted {
    /// The words; 0 when unknown.
    pub words: i64,
    pub pages: Option<i64>,
    /// The length in minutes.
    pub minutes: Option<i64>,
    /// Whether it is marked as a reread.
    pub reread: bool,
}

impl Counted {
    /// The choices of [`Goal::rereads`] with which the read counts.
    fn choices(self) -> impl Iterator<Item = bool> {
        [true, false].into_iter().filter(move |rereads| *rereads || !self.reread)
    }
}

/// What counts for some goals, collected read by read.
#[derive(Debug)]
pub struct Tally {
    finished: HashMap<(Period, bool), Finished>,
    in_hand: HashMap<bool, InHand>,
}

impl Tally {
    /// Collects for these goals alone.
    pub fn of(goals: &[Goal]) -> Self {
        let finished = goals.iter().map(|goal| ((goal.period, goal.rereads), Finished::default())).collect();
        Self { finished, in_hand: HashMap::new() }
    }

    /// Counts a completed read, with the first possible day of a rough completion and the last.
    pub fn finish(&mut self, read: Counted, from: Option<NaiveDate>, completed: Option<NaiveDate>) {
        for period in periods_of(from, completed).into_iter().flatten() {
            for rereads in read.choices() {
                if let Some(finished) = self.finished.get_mut(&(period, rereads)) {
                    finished.add(read);
                }
            }
        }
    }

    /// Adds what was read of an open book.
    pub fn hold(&mut self, read: Counted, place: ReadingProgress) {
        let reached = |all: i64| all * place.at / WHOLE;
        let pages = place.page.or_else(|| read.pages.map(reached)).unwrap_or(0);
        for rereads in read.choices() {
            let sum = self.in_hand.entry(rereads).or_default();
            sum.words = sum.words.saturating_add(reached(read.words));
            sum.pages = sum.pages.saturating_add(pages);
            sum.minutes = sum.minutes.saturating_add(read.minutes.map_or(0, reached));
        }
    }

    /// How far one of the goals has come on a day.
    pub fn progress(&self, goal: Goal, today: NaiveDate) -> GoalProgress {
        let finished = self.finished.get(&(goal.period, goal.rereads)).copied().unwrap_or_default();
        GoalProgress::of(goal, finished, self.in_hand.get(&goal.rereads).copied().unwrap_or_default(), today)
    }
}

/// The year and the month that hold all possible days of a completion.
pub fn periods_of(from: Option<NaiveDate>, completed: Option<NaiveDate>) -> [Option<Period>; 2] {
    let year = year_of(from, completed);
    [year.map(Period::Year), year.zip(month_of(from, completed)).map(|(year, month)| Period::Month(year, month))]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::text::date;

    fn progress(period: &str, metric: GoalMetric, target: i64, finished: Finished, today: &str) -> GoalProgress {
        let goal = Goal { period: period.parse().unwrap(), metric, target, rereads: true };
        GoalProgress::of(goal, finished, InHand { words: 38_000, pages: 150, minutes: 0 }, date(today).unwrap())
    }

    #[test]
    fn what_is_expected_counts_today_and_is_rounded_down() {
        let books =
            progress("2026", GoalMetric::Books, 52, Finished { books: 27, ..Finished::default() }, "2026-07-01");
        assert_eq!((books.expected, books.ahead, books.remaining, books.in_hand), (25, 2, 25, None));
        let words = progress("2026", GoalMetric::Words, 5_000_000, Finished::default(), "2026-07-01");
        assert_eq!((words.expected, words.ahead, words.in_hand), (2_493_150, -2_493_150, Some(38_000)));
    }

    #[test]
    fn nothing_of_a_coming_period_is_expected_and_all_of_a_past_one() {
        let finished = Finished { books: 60, ..Finished::default() };
        let coming = progress("2027", GoalMetric::Books, 52, Finished::default(), "2026-12-31");
        assert_eq!((coming.expected, coming.ahead, coming.remaining), (0, 0, 52));
        let past = progress("2025", GoalMetric::Books, 52, finished, "2026-12-31");
        assert_eq!((past.expected, past.ahead, past.remaining), (52, 8, 0));
        assert_eq!(progress("2025", GoalMetric::Pages, 52, finished, "2026-01-01").in_hand, Some(0));
    }

    #[test]
    fn a_target_is_a_whole_number_within_its_limits_and_a_changed_goal_keeps_its_rereads() {
        let period = Period::Year(2026);
        let checked = |target: &str, metric| {
            let form: GoalFields = serde_json::from_str(&format!("{{\"target\": {target}}}")).unwrap();
            form.checked(period, metric, Some(Goal { period, metric, target: 1, rereads: false }))
        };
        for (metric, most) in
            [(GoalMetric::Books, "100000"), (GoalMetric::Words, "10000000000"), (GoalMetric::Pages, "100000000")]
        {
            let goal = checked(most, metric).unwrap();
            assert_eq!((goal.target, goal.rereads), (metric.highest_target(), false));
            for wrong in ["0", "-1", "1.5", "\"52\"", "null", &format!("{most}1")] {
                assert!(checked(wrong, metric).unwrap_err().get("target").is_some(), "{wrong}");
            }
        }
        let new =
            serde_json::from_str::<GoalFields>("{\"target\": 52}").unwrap().checked(period, GoalMetric::Books, None);
        assert!(new.unwrap().rereads);
    }
}
