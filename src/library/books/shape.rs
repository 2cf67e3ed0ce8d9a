//! The dates and the rating that each status of a book allows (docs/rules.md, "Books").
use chrono::NaiveDate;

use super::model::{BookDraft, BookStatus, FIRST_DAY, LAST_DAY, WordDistribution};
use crate::kit::FieldErrors;
use crate::library::rough_date::{Refusal, RoughDate};

impl BookDraft {
    /// Checks the dates and the rating that the status allows. A rough date of one day becomes an exact one.
    pub(super) fn check_shape(&mut self, errors: &mut FieldErrors) {
        self.completed_from.take_if(|from| Some(*from) == self.date_completed);
        for (field, day) in self.days() {
            if day.is_some_and(|day| !(FIRST_DAY..=LAST_DAY).contains(&day)) {
                errors.add(field, "Dates must be between 1900-01-01 and 2100-12-31.");
            }
        }
        if self.rating.is_some_and(|rating| !rating.is_valid()) {
            errors.add("rating", "The rating must be a number from 0 to 10 with at most one decimal.");
        }
        self.check_status(errors);
        self.check_rough_date(errors);
        for end in [self.date_completed, self.stopped_date] {
            if let (Some(start), Some(end)) = (self.start_date, end)
                && start > end
            {
                errors.add("startDate", "The start date can't be after the end date.");
            }
        }
        if self.word_distribution == WordDistribution::Spread && self.start_date.is_none() {
            errors.add("wordDistribution", "Words can only be spread from a start date on.");
        }
        if self.word_distribution == WordDistribution::Logged && self.status == BookStatus::Undated {
            errors.add("wordDistribution", "An undated book has no days to count its words for.");
        }
    }

    /// The date fields with their names in the API.
    fn days(&self) -> [(&'static str, Option<NaiveDate>); 5] {
        [
            ("startDate", self.start_date),
            ("dateCompleted", self.date_completed),
            ("completedFrom", self.completed_from),
            ("stoppedDate", self.stopped_date),
            ("pausedSince", self.paused_since),
        ]
    }

    /// Checks that every date is one that the status may have.
    fn check_status(&self, errors: &mut FieldErrors) {
        if self.status == BookStatus::Completed && self.date_completed.is_none() {
            errors.add("dateCompleted", "A completed book needs the date of completion.");
        }
        if self.status == BookStatus::InProgress && self.rating.is_some() {
            errors.add("rating", "A book in progress has no rating yet.");
        }
        for (field, day) in self.days() {
            if let Some(refusal) = refusal(self.status, field).filter(|_| day.is_some()) {
                errors.add(field, refusal);
            }
        }
    }

    /// Checks a rough date: its first day is before its last, it is not longer than a life, and nothing stands beside it that needs
    /// an exact day.
    fn check_rough_date(&self, errors: &mut FieldErrors) {
        let Some(from) = self.completed_from else { return };
        let Some(to) = self.date_completed else { return };
        if let Err(refusal) = RoughDate::between(Some(from), to) {
            let field = if refusal == Refusal::Backwards { "completedFrom" } else { "dateCompleted" };
            errors.add(field, refusal.to_string());
        }
        if self.start_date.is_some() {
            errors.add("startDate", "A book with a rough date has no start date.");
        }
        if self.word_distribution != WordDistribution::Final {
            errors.add("wordDistribution", "The words of a book with a rough date can't be spread over days.");
        }
    }
}

/// Why a status does not allow a date; `None` where it does.
fn refusal(status: BookStatus, field: &str) -> Option<&'static str> {
    match (status, field) {
        (BookStatus::InProgress, "dateCompleted" | "completedFrom") => {
            Some("A book in progress has no date of completion yet.")
        }
        (BookStatus::DidNotFinish, "dateCompleted" | "completedFrom") => {
            Some("A book that was not finished has no date of completion.")
        }
        (BookStatus::Undated, _) => Some("An undated book has no dates."),
        (BookStatus::Completed | BookStatus::InProgress, "stoppedDate") => {
            Some("Only a book that was not finished has a day on which it was given up.")
        }
        (BookStatus::Completed | BookStatus::DidNotFinish, "pausedSince") => {
            Some("Only a book in progress can be paused.")
        }
        _ => None,
    }
}
