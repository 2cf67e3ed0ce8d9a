//! The one table of plans: names, features, limits (docs/product.md, "Plans"; docs/rules.md, "Plans").
use chrono::{Datelike as _, Months, NaiveDate};
use serde::Serialize;

use crate::config::Config;
use crate::kit::named::named;
use crate::kit::{Error, Result};

named! {
    /// A plan, in ascending order. A person with two plans has the greater one.
    Plan {
        /// "Reader": free, with limits.
        Reader = "reader",
        /// "Shelfwise Plus": all features for one person.
        ShelfwisePlus = "shelfwise_plus",
        /// "Shelfwise Team": all features for several people.
        ShelfwiseTeam = "shelfwise_team",
    }
}

named! {
    /// The billing interval of a plan.
    BillingInterval {
        /// Monthly billing.
        Monthly = "monthly",
        /// Annual billing.
        Annual = "annual",
    }
}

named! {
    /// A feature of paid plans.
    Feature {
        /// No limit on books.
        UnlimitedBooks = "unlimited_books",
        /// No limit on visible history.
        UnlimitedHistory = "unlimited_history",
        /// The charts beyond genres and months.
        AdvancedCharts = "advanced_charts",
        /// The chart "Words by Format".
        FormatAnalytics = "format_analytics",
        /// The chart "Top Authors by Words".
        AuthorAnalytics = "author_analytics",
        /// Brightness, contrast, sepia, grayscale.
        CustomThemes = "custom_themes",
        /// Default view, default format, reread detection.
        CustomDefaults = "custom_defaults",
        /// Features that are still being tested.
        BetaFeatures = "beta_features",
    }
}

impl Plan {
    /// The plan that the server gives to every account: on a private server the highest, whatever else is set.
    ///
    /// # Errors
    /// 500 when the setting does not name a plan, which reading the configuration rules out.
    pub fn server_default(config: &Config) -> Result<Self> {
        if config.is_private() {
            return Ok(Self::ShelfwiseTeam);
        }
        Self::from_name(&config.default_plan).ok_or_else(|| Error::internal("default_plan is unknown"))
    }

    /// The display name.
    pub fn title(self) -> &'static str {
        match self {
            Self::Reader => "Reader",
            Self::ShelfwisePlus => "Shelfwise Plus",
            Self::ShelfwiseTeam => "Shelfwise Team",
        }
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
