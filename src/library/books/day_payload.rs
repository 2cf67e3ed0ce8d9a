//! Reads a day of a log from a request.
use chrono::NaiveDate;
use serde::{Deserialize, Deserializer};
use utoipa::ToSchema;

use super::length;
use super::log::{Length, MOST_MINUTES, NOTE_LENGTH, ReadingDay, ReadingDaySource, WHOLE, place_of};
use super::model::{FIRST_DAY, MOST_PAGES};
use crate::kit::FieldErrors;
use crate::kit::http::patch_field::PatchField;
use crate::library::text;

/// Why a page is refused.
const PAGE_RANGE: &str = "The page must be a whole number from 0 to 100,000.";
/// Why a time is refused.
const TIME_FORM: &str = "The time must be written h:mm, like 3:20.";

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

/// What was read on a day. Absent fields of a day that is known stay, and null clears a field. A page, a percentage and a time replace each
/// other; without any the day is one of reading, without a place.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
pub struct ReadingDayFields {
    /// The page reached, 0 to 100,000 and at most the edition's last one.
    #[schema(value_type = Option<i64>, minimum = 0, maximum = 100_000)]
    #[serde(default)]
    pub page: PatchField<i64>,
    /// The place reached in percent, 0 to 100 with at most two decimals.
    #[schema(value_type = Option<f64>, minimum = 0, maximum = 100)]
    #[serde(default)]
    pub percent: PatchField<Percent>,
    /// The time reached in an audiobook whose length is known, h:mm.
    #[schema(value_type = Option<String>, pattern = r"^\d{1,4}:[0-5]\d$")]
    #[serde(default)]
    pub time: PatchField<String>,
    /// Minutes of reading, 0 to 1,440.
    #[schema(value_type = Option<i64>, minimum = 0, maximum = 1_440)]
    #[serde(default)]
    pub minutes: PatchField<i64>,
    /// At most 2,000 characters.
    #[schema(value_type = Option<String>, max_length = 2_000)]
    #[serde(default)]
    pub note: PatchField<String>,
}

impl ReadingDayFields {
    /// The day as it will stand in the log. `length` is that of the edition, `known` is what the log has for the day.
    pub fn onto(
        self,
        known: Option<ReadingDay>,
        day: NaiveDate,
        today: NaiveDate,
        length: Length,
    ) -> Result<ReadingDay, FieldErrors> {
        let mut errors = FieldErrors::new();
        let e = &mut errors;
        if day > today {
            e.add("day", "You can't have read on a day that is still to come.");
        } else if day < FIRST_DAY {
            e.add("day", "Dates must be between 1900-01-01 and 2100-12-31.");
        }
        let mut logged = ReadingDay { source: ReadingDaySource::Hand, ..known.unwrap_or_else(|| ReadingDay::of(day)) };
        self.place(&mut logged, length, e);
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

    fn place(&self, logged: &mut ReadingDay, length: Length, errors: &mut FieldErrors) {
        let given = [self.page.is_given(), self.percent.is_given(), self.time.is_given()];
        if given == [true, true, false] {
            errors.add("percent", "Please send the page or the percentage, not both.");
        } else if given.into_iter().filter(|given| *given).count() > 1 {
            errors.add("time", "Please send the page, the percentage or the time, only one of them.");
        }
        let sent = [self.page.is_there(), self.percent.is_there(), self.time.is_there()];
        if sent.contains(&true) && !given.contains(&true) {
            (logged.at, logged.page, logged.time) = (None, None, None);
        }
        match &self.page {
            PatchField::Value(page) => match page_in(*page, length.pages) {
                Ok(at) => (logged.at, logged.page, logged.time) = (Some(at), Some(*page), None),
                Err(sentence) => errors.add("page", sentence),
            },
            PatchField::Wrong => errors.add("page", PAGE_RANGE),
            PatchField::Null | PatchField::Absent => {}
        }
        match &self.percent {
            PatchField::Value(Percent(at)) => {
                (logged.at, logged.page, logged.time) = (Some((*at).min(WHOLE)), None, None);
            }
            PatchField::Wrong => {
                errors.add("percent", "The percentage must be a number from 0 to 100 with at most two decimals.");
            }
            PatchField::Null | PatchField::Absent => {}
        }
        match &self.time {
            PatchField::Value(written) => match time_in(written, length.minutes) {
                Ok((time, at)) => (logged.at, logged.page, logged.time) = (Some(at), None, Some(time)),
                Err(sentence) => errors.add("time", sentence),
            },
            PatchField::Wrong => errors.add("time", TIME_FORM),
            PatchField::Null | PatchField::Absent => {}
        }
    }
}

/// The place of a page in an edition, or why it has none.
fn page_in(page: i64, pages: Option<i64>) -> Result<i64, String> {
    if !(0..=MOST_PAGES).contains(&page) {
        return Err(PAGE_RANGE.to_owned());
    }
    match pages {
        Some(pages) if page > pages => Err(format!("This edition has {} pages.", text::grouped(pages.unsigned_abs()))),
        Some(pages) => Ok(place_of(page, pages)),
        None => Err("Type a percentage, or add the number of pages to use page numbers.".to_owned()),
    }
}

/// The minutes of a time in an audiobook and its place, or why it has none.
fn time_in(written: &str, minutes: Option<i64>) -> Result<(i64, i64), String> {
    let time = length::minutes(written).ok_or(TIME_FORM)?;
    match minutes {
        Some(minutes) if time > minutes => Err(format!("This audiobook is {} long.", length::written(minutes))),
        Some(minutes) => Ok((time, place_of(time, minutes))),
        None => Err("Type a percentage, or add the length of the audiobook to use times.".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> NaiveDate {
        text::date(text).unwrap()
    }

    fn read(json: serde_json::Value, known: Option<ReadingDay>, pages: Option<i64>) -> Result<ReadingDay, FieldErrors> {
        let sent: ReadingDayFields = serde_json::from_value(json).unwrap();
        sent.onto(known, day("2026-11-10"), day("2026-11-12"), Length { pages, minutes: Some(750) })
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
        let late = ReadingDayFields::default()
            .onto(None, day("2026-11-13"), day("2026-11-12"), Length::default())
            .unwrap_err();
        assert_eq!(late.get("day"), Some("You can't have read on a day that is still to come."));
    }
}
