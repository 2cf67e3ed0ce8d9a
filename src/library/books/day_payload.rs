//! Reads a day of a log from a request.
use chrono::NaiveDate;
use serde::{Deserialize, Deserializer};
use utoipa::ToSchema;

use super::log::{LoggedDay, MOST_MINUTES, NOTE_LENGTH, Source, WHOLE, place_of};
use super::model::{FIRST_DAY, MOST_PAGES};
use crate::kit::FieldErrors;
use crate::kit::http::patch_field::PatchField;
use crate::library::text;

/// Why a page is refused.
const PAGE_RANGE: &str = "The page must be a whole number from 0 to 100,000.";

/// A place in hundredths of a percent, from a percentage with at most two decimals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Percent(i64);

impl<'de> Deserialize<'de> for Percent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let percent = f64::deserialize(deserializer)?;
        let hundredths = percent * 100.0;
        let near = hundredths.round();
        if !(0.0..=100.0).contains(&percent) || (hundredths - near).abs() > 1e-6 {
            return Err(serde::de::Error::custom("This must be a percentage from 0 to 100 with at most two decimals."));
        }
        #[expect(clippy::cast_possible_truncation, reason = "whole and within bounds by the check above")]
        let place = near as i64;
        Ok(Self(place))
    }
}

/// What was read on a day. Absent fields of a day that is known stay, and null clears a field. A page replaces the percentage and the
/// other way round; without either the day is one of reading, without a place.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[schema(as = ReadingDayFields)]
pub struct DayPayload {
    /// The page reached, 0 to 100,000 and at most the edition's last one.
    #[schema(value_type = Option<i64>, minimum = 0, maximum = 100_000)]
    #[serde(default)]
    pub page: PatchField<i64>,
    /// The place reached in percent, 0 to 100 with at most two decimals.
    #[schema(value_type = Option<f64>, minimum = 0, maximum = 100)]
    #[serde(default)]
    pub percent: PatchField<Percent>,
    /// Minutes of reading, 0 to 1,440.
    #[schema(value_type = Option<i64>, minimum = 0, maximum = 1_440)]
    #[serde(default)]
    pub minutes: PatchField<i64>,
    /// At most 2,000 characters.
    #[schema(value_type = Option<String>, max_length = 2_000)]
    #[serde(default)]
    pub note: PatchField<String>,
}

impl DayPayload {
    /// The day as it will stand in the log. `pages` are those of the edition, `known` is what the log has for the day.
    ///
    /// # Errors
    /// One sentence for each invalid field.
    pub fn onto(
        self,
        known: Option<LoggedDay>,
        day: NaiveDate,
        today: NaiveDate,
        pages: Option<i64>,
    ) -> Result<LoggedDay, FieldErrors> {
        let mut errors = FieldErrors::new();
        let e = &mut errors;
        if day > today {
            e.add("day", "You can't have read on a day that is still to come.");
        } else if day < FIRST_DAY {
            e.add("day", "Dates must be between 1900-01-01 and 2100-12-31.");
        }
        let mut logged = LoggedDay { source: Source::Hand, ..known.unwrap_or_else(|| LoggedDay::of(day)) };
        self.place(&mut logged, pages, e);
        let (minutes, note) = (self.minutes, self.note);
        let sentence = "The minutes must be a whole number from 0 to 1,440.";
        minutes.set_or_clear(&mut logged.minutes, e, "minutes", sentence);
        if logged.minutes.is_some_and(|minutes| !(0..=MOST_MINUTES).contains(&minutes)) {
            e.add("minutes", sentence);
        }
        note.set_or_clear(&mut logged.note, e, "note", "The note must be a text.");
        logged.note.take_if(|note| note.trim().is_empty());
        if let Some(note) = &logged.note {
            text::check(e, "note", "The note", note, NOTE_LENGTH);
        }
        if errors.is_empty() { Ok(logged) } else { Err(errors) }
    }

    fn place(&self, logged: &mut LoggedDay, pages: Option<i64>, errors: &mut FieldErrors) {
        if self.page.is_given() && self.percent.is_given() {
            errors.add("percent", "Please send the page or the percentage, not both.");
        }
        match (&self.page, pages) {
            (PatchField::Value(page), _) if !(0..=MOST_PAGES).contains(page) => {
                errors.add("page", PAGE_RANGE);
            }
            (PatchField::Value(page), Some(pages)) if *page > pages => {
                errors.add("page", format!("This edition has {} pages.", text::grouped(pages.unsigned_abs())));
            }
            (PatchField::Value(page), Some(pages)) => {
                (logged.at, logged.page) = (Some(place_of(*page, pages)), Some(*page));
            }
            (PatchField::Value(_), None) => {
                errors.add("page", "Type a percentage, or add the number of pages to use page numbers.");
            }
            (PatchField::Wrong, _) => errors.add("page", PAGE_RANGE),
            (PatchField::Null, _) if !self.percent.is_given() => (logged.at, logged.page) = (None, None),
            (PatchField::Null | PatchField::Absent, _) => {}
        }
        match &self.percent {
            PatchField::Value(Percent(at)) => (logged.at, logged.page) = (Some((*at).min(WHOLE)), None),
            PatchField::Wrong => {
                errors.add("percent", "The percentage must be a number from 0 to 100 with at most two decimals.");
            }
            PatchField::Null if !self.page.is_given() => (logged.at, logged.page) = (None, None),
            PatchField::Null | PatchField::Absent => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> NaiveDate {
        text::date(text).unwrap()
    }

    fn read(json: serde_json::Value, known: Option<LoggedDay>, pages: Option<i64>) -> Result<LoggedDay, FieldErrors> {
        let sent: DayPayload = serde_json::from_value(json).unwrap();
        sent.onto(known, day("2026-11-10"), day("2026-11-12"), pages)
    }

    #[test]
    fn a_percentage_is_taken_exactly_and_a_page_is_rounded_down() {
        for (percent, at) in [(0.0, 0), (12.34, 1_234), (33.33, 3_333), (99.99, 9_999), (100.0, 10_000), (0.29, 29)] {
            let logged = read(serde_json::json!({"percent": percent}), None, None).unwrap();
            assert_eq!((logged.at, logged.page), (Some(at), None), "{percent}");
        }
        let logged = read(serde_json::json!({"page": 212}), None, Some(412)).unwrap();
        assert_eq!((logged.at, logged.page), (Some(5_145), Some(212)));
    }

    #[test]
    fn absent_fields_stay_and_null_clears() {
        let known = read(serde_json::json!({"page": 10, "minutes": 30, "note": "Slow."}), None, Some(100)).unwrap();
        let with = |json| read(json, Some(known.clone()), Some(100)).unwrap();
        assert_eq!(with(serde_json::json!({})), known);
        let percent = with(serde_json::json!({"percent": 20, "note": null}));
        assert_eq!((percent.at, percent.page, percent.minutes, percent.note), (Some(2_000), None, Some(30), None));
        for cleared in [serde_json::json!({"page": null}), serde_json::json!({"percent": null})] {
            assert_eq!((with(cleared.clone()).at, with(cleared).page), (None, None));
        }
    }

    #[test]
    fn what_can_not_be_is_refused_with_the_reason() {
        let refused = |json, pages| {
            let errors = read(json, None, pages).unwrap_err();
            let (field, sentence) = errors.iter().next().unwrap();
            format!("{field}: {sentence}")
        };
        assert_eq!(refused(serde_json::json!({"page": 413}), Some(412)), "page: This edition has 412 pages.");
        assert_eq!(
            refused(serde_json::json!({"page": 4}), None),
            "page: Type a percentage, or add the number of pages to use page numbers."
        );
        for wrong in [
            serde_json::json!({"percent": 12.345}),
            serde_json::json!({"percent": 101}),
            serde_json::json!({"percent": "x"}),
        ] {
            assert!(refused(wrong, None).starts_with("percent: The percentage must be"));
        }
        assert!(refused(serde_json::json!({"page": 1, "percent": 1}), Some(9)).starts_with("percent: Please send"));
        assert!(refused(serde_json::json!({"minutes": 1_441}), None).starts_with("minutes"));
        assert!(refused(serde_json::json!({"note": "x".repeat(2_001)}), None).starts_with("note"));
        let late = DayPayload::default().onto(None, day("2026-11-13"), day("2026-11-12"), None).unwrap_err();
        assert_eq!(late.get("day"), Some("You can't have read on a day that is still to come."));
    }
}
