//! The one table of plans: names, features, limits (docs/product.md, "Plans"; docs/rules.md, "Plans").
use chrono::{Datelike as _, Months, NaiveDate};
use serde::{Deserialize, Serialize};

/// A plan, in ascending order. A person with two plans has the greater one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Plan {
    /// "Reader": free, with limits.
    Reader,
    /// "Shelfwise Plus": all features for one person.
    ShelfwisePlus,
    /// "Shelfwise Team": all features for several people.
    ShelfwiseTeam,
}

/// The billing interval of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = BillingInterval)]
pub enum Interval {
    /// Monthly billing.
    Monthly,
    /// Annual billing.
    Annual,
}

impl Interval {
    /// All intervals.
    pub const ALL: [Self; 2] = [Self::Monthly, Self::Annual];

    /// The name in the API and the database.
    pub fn name(self) -> &'static str {
        match self {
            Self::Monthly => "monthly",
            Self::Annual => "annual",
        }
    }

    /// The interval with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|interval| interval.name() == name)
    }
}

/// A feature of paid plans.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Feature {
    /// No limit on books.
    UnlimitedBooks,
    /// No limit on visible history.
    UnlimitedHistory,
    /// The charts beyond genres and months.
    AdvancedCharts,
    /// The chart "Words by Format".
    FormatAnalytics,
    /// The chart "Top Authors by Words".
    AuthorAnalytics,
    /// Brightness, contrast, sepia, grayscale.
    CustomThemes,
    /// Default view, default format, reread detection.
    CustomDefaults,
    /// Features that are still being tested.
    BetaFeatures,
}

impl Feature {
    /// Every feature, in the order of docs/product.md.
    pub const ALL: [Self; 8] = [
        Self::UnlimitedBooks,
        Self::UnlimitedHistory,
        Self::AdvancedCharts,
        Self::FormatAnalytics,
        Self::AuthorAnalytics,
        Self::CustomThemes,
        Self::CustomDefaults,
        Self::BetaFeatures,
    ];
}

impl Plan {
    /// Every plan, lowest first.
    pub const ALL: [Self; 3] = [Self::Reader, Self::ShelfwisePlus, Self::ShelfwiseTeam];

    /// The name in the API and the database.
    pub fn name(self) -> &'static str {
        match self {
            Self::Reader => "reader",
            Self::ShelfwisePlus => "shelfwise_plus",
            Self::ShelfwiseTeam => "shelfwise_team",
        }
    }

    /// The display name.
    pub fn title(self) -> &'static str {
        match self {
            Self::Reader => "Reader",
            Self::ShelfwisePlus => "Shelfwise Plus",
            Self::ShelfwiseTeam => "Shelfwise Team",
        }
    }

    /// The plan with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|plan| plan.name() == name)
    }

    /// Whether the plan has a feature. Paid plans have all eight, the free plan has none.
    pub fn has(self, _feature: Feature) -> bool {
        self != Self::Reader
    }

    /// The plan's features.
    pub fn features(self) -> Vec<Feature> {
        Feature::ALL.into_iter().filter(|feature| self.has(*feature)).collect()
    }

    /// The plan's limits on a given day. `reader_books` is the server's book limit for the free plan.
    pub fn limits(self, reader_books: u32, today: NaiveDate) -> Limits {
        Limits {
            book_limit: (!self.has(Feature::UnlimitedBooks)).then_some(reader_books),
            history_months: (!self.has(Feature::UnlimitedHistory)).then(|| history_months(today)),
        }
    }
}

/// The limits of a plan; `None` means unlimited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Limits {
    /// The most books, of every status.
    pub book_limit: Option<u32>,
    /// The length of the visible history, in months.
    pub history_months: Option<u32>,
}

impl Limits {
    /// The first visible completion date: the start of the history window (today minus n months, on the same day of that month or
    /// its last day) or January 1 of this year, whichever is earlier. `None` means that everything is visible.
    pub fn visible_from(&self, today: NaiveDate) -> Option<NaiveDate> {
        let months = self.history_months?;
        let window = today.checked_sub_months(Months::new(months)).unwrap_or(today);
        let new_year = today.with_ordinal(1).unwrap_or(today);
        Some(window.min(new_year))
    }
}

/// The history window of the free plan: 6 months or the number of the current month, whichever is greater.
fn history_months(today: NaiveDate) -> u32 {
    today.month().max(6)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    #[test]
    fn a_readers_window_reaches_back_six_months_or_to_new_year() {
        for (today, months, from) in [
            ("2026-01-15", 6, "2025-07-15"),
            ("2026-08-31", 8, "2025-12-31"),
            ("2026-10-31", 10, "2025-12-31"),
            ("2026-11-21", 11, "2025-12-21"),
            ("2026-12-31", 12, "2025-12-31"),
            ("2026-06-30", 6, "2025-12-30"),
        ] {
            let limits = Plan::Reader.limits(150, day(today));
            assert_eq!(limits.history_months, Some(months), "{today}");
            assert_eq!(limits.visible_from(day(today)), Some(day(from)), "{today}");
        }
        assert_eq!(Plan::ShelfwisePlus.limits(150, day("2026-01-15")).visible_from(day("2026-01-15")), None);
    }

    #[test]
    fn the_names_are_those_that_the_config_takes() {
        assert_eq!(Plan::ALL.map(Plan::name), crate::config::PLAN_NAMES);
    }

    #[test]
    fn paid_plans_have_all_eight_features_and_the_free_one_none() {
        assert!(Plan::Reader.features().is_empty());
        assert_eq!(Plan::ShelfwisePlus.features().len(), 8);
        assert_eq!(Plan::ShelfwiseTeam.features(), Feature::ALL);
    }
}
