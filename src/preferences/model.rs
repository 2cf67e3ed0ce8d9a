//! Preferences, their ranges, and the plans that include them (docs/rules.md, "Plans").
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::access::{Feature, Plan};
use crate::kit::FieldErrors;
use crate::kit::http::patch_field::PatchField;
use crate::kit::named::named;
use crate::kit::time_zone::{Hemisphere, Zone};

named! {
    /// The colour scheme.
    Theme {
        /// Dark on light.
        Light = "light",
        /// Light on dark.
        Dark = "dark",
    }
}

named! {
    /// The unit that charts count by default.
    StatsView {
        /// By words.
        Words = "words",
        /// By books.
        Books = "books",
    }
}

named! {
    /// The default format of a new book.
    DefaultFormat {
        /// A printed book.
        Print = "Print",
        /// An electronic book.
        EBook = "eBook",
        /// An audiobook.
        Audio = "Audio",
    }
}

named! {
    /// Whether a streak is counted, and of what.
    #[derive(Default)]
    StreakChoice {
        /// No streak is counted.
        #[default]
        Off = "off",
        /// Days in a row with reading.
        Days = "days",
        /// Weeks in a row with reading, from Monday to Sunday.
        Weeks = "weeks",
    }
}

/// The step between two ratings of the form: 1 or 0.5 in the API.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum RatingStep {
    /// Whole points.
    #[default]
    Whole,
    /// Half points.
    Half,
}

impl RatingStep {
    /// The step in tenths of a point.
    pub fn tenths(self) -> i64 {
        match self {
            Self::Whole => 10,
            Self::Half => 5,
        }
    }
}

impl Serialize for RatingStep {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Whole => serializer.serialize_i64(1),
            Self::Half => serializer.serialize_f64(0.5),
        }
    }
}

impl<'de> Deserialize<'de> for RatingStep {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match f64::deserialize(deserializer)? {
            1.0 => Ok(Self::Whole),
            0.5 => Ok(Self::Half),
            _ => Err(serde::de::Error::custom("The step is either 1 or 0.5.")),
        }
    }
}

/// All preferences of an account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Preferences {
    /// Null until chosen.
    #[schema(required)]
    pub theme: Option<Theme>,
    /// Percent, 0 to 200.
    pub brightness: i64,
    /// Percent, 0 to 200.
    pub contrast: i64,
    /// Percent, 0 to 100.
    pub sepia: i64,
    /// Percent, 0 to 100.
    pub grayscale: i64,
    /// The unit that charts count by default.
    pub default_stats_view: StatsView,
    /// The default format of a new book.
    pub default_format: DefaultFormat,
    /// Whether a title that was finished before counts as a reread.
    pub auto_detect_reread: bool,
    /// Whether features in testing are enabled.
    pub beta_features_enabled: bool,
    /// Whether the team sees the account's finished books.
    pub share_with_team: bool,
    /// An IANA name.
    pub timezone: String,
    /// The months of seasons in rough dates; null follows the time zone.
    #[schema(required)]
    pub hemisphere: Option<Hemisphere>,
    /// The step between two ratings of the form: 1 or 0.5.
    #[schema(value_type = f64)]
    pub rating_step: RatingStep,
    /// Whether days or weeks in a row with reading are counted.
    pub streak: StreakChoice,
    /// Whether goals say how far ahead or behind they are.
    pub goal_pace: bool,
    /// The hour at which a day of reading begins, 0 to 6.
    #[schema(minimum = 0, maximum = 6)]
    pub day_starts_at: u8,
    /// Whether a read that a device reports as finished is finished without a question.
    pub finish_by_itself: bool,
}

impl Default for Preferences {
    fn default() -> Self {
        Self {
            theme: None,
            brightness: 100,
            contrast: 100,
            sepia: 0,
            grayscale: 0,
            default_stats_view: StatsView::Words,
            default_format: DefaultFormat::Print,
            auto_detect_reread: false,
            beta_features_enabled: false,
            share_with_team: false,
            timezone: "UTC".into(),
            hemisphere: None,
            rating_step: RatingStep::Whole,
            streak: StreakChoice::Off,
            goal_pace: true,
            day_starts_at: 0,
            finish_by_itself: false,
        }
    }
}

impl Preferences {
    /// The time zone, with the hour at which a day begins.
    pub fn zone(&self) -> Zone {
        Zone::or_utc(Some(&self.timezone)).starting_at(self.day_starts_at)
    }

    /// The values in force under a plan: preferences that the plan does not include have their defaults.
    #[must_use]
    pub fn under(self, plan: Plan) -> Self {
        let mut applied = Self {
            theme: self.theme,
            share_with_team: self.share_with_team,
            timezone: self.timezone.clone(),
            hemisphere: self.hemisphere,
            rating_step: self.rating_step,
            streak: self.streak,
            goal_pace: self.goal_pace,
            day_starts_at: self.day_starts_at,
            finish_by_itself: self.finish_by_itself,
            ..Self::default()
        };
        if plan.has(Feature::CustomThemes) {
            (applied.brightness, applied.contrast, applied.sepia, applied.grayscale) =
                (self.brightness, self.contrast, self.sepia, self.grayscale);
        }
        if plan.has(Feature::CustomDefaults) {
            applied.default_stats_view = self.default_stats_view;
            applied.default_format = self.default_format;
            applied.auto_detect_reread = self.auto_detect_reread;
        }
        if plan.has(Feature::BetaFeatures) {
            applied.beta_features_enabled = self.beta_features_enabled;
        }
        applied
    }
}

/// The error of a switch with another type of value.
const ON_OR_OFF: &str = "The value must be true or false.";
/// The error of a time zone that is not in the IANA database.
const UNKNOWN_ZONE: &str = "This is not a known time zone. Use a name like Europe/Lisbon.";

/// A change of some preferences; absent fields stay unchanged.
#[derive(Debug, Clone, Default, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PreferencesUpdate {
    /// `null` means the system's choice.
    #[schema(value_type = Option<Theme>)]
    #[serde(default)]
    pub theme: PatchField<Theme>,
    /// Percent, 0 to 200.
    #[schema(value_type = Option<i64>, minimum = 0, maximum = 200)]
    #[serde(default)]
    pub brightness: PatchField<i64>,
    /// Percent, 0 to 200.
    #[schema(value_type = Option<i64>, minimum = 0, maximum = 200)]
    #[serde(default)]
    pub contrast: PatchField<i64>,
    /// Percent, 0 to 100.
    #[schema(value_type = Option<i64>, minimum = 0, maximum = 100)]
    #[serde(default)]
    pub sepia: PatchField<i64>,
    /// Percent, 0 to 100.
    #[schema(value_type = Option<i64>, minimum = 0, maximum = 100)]
    #[serde(default)]
    pub grayscale: PatchField<i64>,
    /// The unit that charts count by default.
    #[schema(value_type = Option<StatsView>)]
    #[serde(default)]
    pub default_stats_view: PatchField<StatsView>,
    /// The default format of a new book.
    #[schema(value_type = Option<DefaultFormat>)]
    #[serde(default)]
    pub default_format: PatchField<DefaultFormat>,
    /// Whether a title that was finished before counts as a reread.
    #[schema(value_type = Option<bool>)]
    #[serde(default)]
    pub auto_detect_reread: PatchField<bool>,
    /// Whether features in testing are enabled.
    #[schema(value_type = Option<bool>)]
    #[serde(default)]
    pub beta_features_enabled: PatchField<bool>,
    /// Whether the team sees the account's finished books.
    #[schema(value_type = Option<bool>)]
    #[serde(default)]
    pub share_with_team: PatchField<bool>,
    /// An IANA name.
    #[schema(value_type = Option<String>)]
    #[serde(default)]
    pub timezone: PatchField<String>,
    /// `null` follows the time zone.
    #[schema(value_type = Option<Hemisphere>)]
    #[serde(default)]
    pub hemisphere: PatchField<Hemisphere>,
    /// 1 or 0.5.
    #[schema(value_type = Option<f64>)]
    #[serde(default)]
    pub rating_step: PatchField<RatingStep>,
    /// `off`, `days` or `weeks`.
    #[schema(value_type = Option<StreakChoice>)]
    #[serde(default)]
    pub streak: PatchField<StreakChoice>,
    /// Whether goals say how far ahead or behind they are.
    #[schema(value_type = Option<bool>)]
    #[serde(default)]
    pub goal_pace: PatchField<bool>,
    /// The hour at which a day of reading begins, 0 to 6: what is read before counts for the day before.
    #[schema(value_type = Option<u8>, minimum = 0, maximum = 6)]
    #[serde(default)]
    pub day_starts_at: PatchField<u8>,
    /// Whether a read that a device reports as finished is finished without a question, on the day of its last page turn. A read at which
    /// nothing came for a week is always asked about.
    #[schema(value_type = Option<bool>)]
    #[serde(default)]
    pub finish_by_itself: PatchField<bool>,
}

impl PreferencesUpdate {
    /// The features that the change requires, regardless of its values.
    pub fn needs(&self) -> impl Iterator<Item = Feature> {
        let percentages = [&self.brightness, &self.contrast, &self.sepia, &self.grayscale];
        let themes = percentages.into_iter().any(PatchField::is_there);
        let defaults =
            self.default_stats_view.is_there() || self.default_format.is_there() || self.auto_detect_reread.is_there();
        [
            (Feature::CustomThemes, themes),
            (Feature::CustomDefaults, defaults),
            (Feature::BetaFeatures, self.beta_features_enabled.is_there()),
        ]
        .into_iter()
        .filter_map(|(feature, needed)| needed.then_some(feature))
    }

    /// The preferences after the change.
    pub fn applied_to(self, mut now: Preferences) -> Result<Preferences, FieldErrors> {
        let mut errors = FieldErrors::new();
        for (field, value, most, place) in [
            ("brightness", self.brightness, 200, &mut now.brightness),
            ("contrast", self.contrast, 200, &mut now.contrast),
            ("sepia", self.sepia, 100, &mut now.sepia),
            ("grayscale", self.grayscale, 100, &mut now.grayscale),
        ] {
            let value = value.and_then(|value| (0..=most).contains(&value).then_some(value));
            value.set(place, &mut errors, field, &format!("The value must be a percentage from 0 to {most}."));
        }
        self.default_stats_view.set(
            &mut now.default_stats_view,
            &mut errors,
            "defaultStatsView",
            "The view must be words or books.",
        );
        let formats = "The format must be Print, eBook or Audio.";
        self.default_format.set(&mut now.default_format, &mut errors, "defaultFormat", formats);
        self.auto_detect_reread.set(&mut now.auto_detect_reread, &mut errors, "autoDetectReread", ON_OR_OFF);
        self.beta_features_enabled.set(&mut now.beta_features_enabled, &mut errors, "betaFeaturesEnabled", ON_OR_OFF);
        let zone =
            self.timezone.null_is_absent().and_then(|zone| Zone::named(&zone).map(|known| known.name().to_owned()));
        zone.set(&mut now.timezone, &mut errors, "timezone", UNKNOWN_ZONE);
        self.theme.set_or_clear(&mut now.theme, &mut errors, "theme", "The theme must be light or dark.");
        let halves = "The hemisphere must be north, south or null.";
        self.hemisphere.set_or_clear(&mut now.hemisphere, &mut errors, "hemisphere", halves);
        let step = self.rating_step.null_is_absent();
        step.set(&mut now.rating_step, &mut errors, "ratingStep", "The step between ratings must be 1 or 0.5.");
        let streak = self.streak.null_is_absent();
        streak.set(&mut now.streak, &mut errors, "streak", "The streak must be off, days or weeks.");
        self.goal_pace.null_is_absent().set(&mut now.goal_pace, &mut errors, "goalPace", ON_OR_OFF);
        let hour = self.day_starts_at.null_is_absent().and_then(|hour| (hour <= 6).then_some(hour));
        hour.set(&mut now.day_starts_at, &mut errors, "dayStartsAt", "A day can begin at an hour from 0 to 6.");
        self.finish_by_itself.null_is_absent().set(&mut now.finish_by_itself, &mut errors, "finishByItself", ON_OR_OFF);
        let shares = self.share_with_team.null_is_absent();
        shares.set(&mut now.share_with_team, &mut errors, "shareWithTeam", ON_OR_OFF);
        if errors.is_empty() { Ok(now) } else { Err(errors) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_premium_values_do_not_apply_without_the_plan() {
        let stored = Preferences {
            theme: Some(Theme::Dark),
            sepia: 40,
            auto_detect_reread: true,
            timezone: "Asia/Tokyo".into(),
            ..Preferences::default()
        };
        let applied = stored.clone().under(Plan::Reader);
        assert_eq!(
            (applied.theme, applied.sepia, applied.auto_detect_reread, applied.timezone.as_str()),
            (Some(Theme::Dark), 0, false, "Asia/Tokyo")
        );
        assert_eq!(stored.clone().under(Plan::ShelfwisePlus), stored);
    }

    #[test]
    fn a_rating_step_is_a_whole_or_a_half_number() {
        for (json, step) in
            [("1", Some(RatingStep::Whole)), ("1.0", Some(RatingStep::Whole)), ("0.5", Some(RatingStep::Half))]
        {
            assert_eq!(serde_json::from_str::<RatingStep>(json).ok(), step, "{json}");
        }
        for json in ["0", "2", "0.1", "\"1\"", "true"] {
            assert!(serde_json::from_str::<RatingStep>(json).is_err(), "{json}");
        }
        let written = [RatingStep::Whole, RatingStep::Half].map(|step| serde_json::to_string(&step).unwrap());
        assert_eq!(written, ["1", "0.5"]);
    }

    #[test]
    fn a_value_out_of_range_is_named_and_an_absent_one_stays() {
        let change = PreferencesUpdate {
            brightness: PatchField::Value(201),
            sepia: PatchField::Value(-1),
            timezone: PatchField::Value("Nowhere".into()),
            ..PreferencesUpdate::default()
        };
        let errors = change.applied_to(Preferences::default()).unwrap_err();
        assert_eq!(errors.iter().map(|(field, _)| field).collect::<Vec<_>>(), ["brightness", "sepia", "timezone"]);
        let change: PreferencesUpdate = serde_json::from_str(r#"{"theme": null, "contrast": 200}"#).unwrap();
        assert_eq!(change.needs().collect::<Vec<_>>(), [Feature::CustomThemes]);
        let now =
            change.applied_to(Preferences { theme: Some(Theme::Dark), sepia: 7, ..Preferences::default() }).unwrap();
        assert_eq!((now.theme, now.contrast, now.sepia), (None, 200, 7));
    }
}
