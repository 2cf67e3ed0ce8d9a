//! The fields of challenges and their validation (docs/rules.md, "Challenges").
use chrono::NaiveDate;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::kit::FieldErrors;
use crate::kit::http::patch_field::PatchField;
use crate::kit::id::UserId;
use crate::kit::named::named;
use crate::library::books::model::{FIRST_DAY, LAST_DAY};
use crate::library::text;
use crate::teams::model::checked_name;

/// The highest target, more words than anybody can read.
pub const HIGHEST_TARGET: i64 = 1_000_000_000_000;
/// The most challenges of one team.
pub const MOST: i64 = 100;

/// A team has as many challenges as it may.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooMany;

named! {
    /// The unit that a challenge counts.
    ChallengeMetric {
        /// The words of whole books.
        Words = "words",
        /// Books.
        Books = "books",
    }
}

/// The request to create or change a challenge. Fields absent from a change stay unchanged.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChallengeFields {
    /// 1 to 100 characters.
    #[schema(value_type = Option<String>, min_length = 1, max_length = 100)]
    #[serde(default)]
    pub title: PatchField<String>,
    /// `words` or `books`.
    #[schema(value_type = Option<ChallengeMetric>)]
    #[serde(default)]
    pub metric: PatchField<ChallengeMetric>,
    /// 1 to 1,000,000,000,000.
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 1_000_000_000_000_i64)]
    #[serde(default)]
    pub target: PatchField<i64>,
    /// yyyy-MM-dd, the first day that counts.
    #[schema(value_type = Option<chrono::NaiveDate>)]
    #[serde(default)]
    pub start_date: PatchField<String>,
    /// yyyy-MM-dd, the last day that counts.
    #[schema(value_type = Option<chrono::NaiveDate>)]
    #[serde(default)]
    pub end_date: PatchField<String>,
}

/// A challenge without its id and its progress.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChallengeDraft {
    /// 1 to 100 characters.
    pub title: String,
    /// The unit that is counted.
    pub metric: ChallengeMetric,
    /// At least 1.
    pub target: i64,
    /// The first day that counts.
    pub start_date: NaiveDate,
    /// The last day that counts.
    pub end_date: NaiveDate,
}

impl ChallengeFields {
    /// The new challenge, or the changed one when there was one before.
    pub fn checked(self, before: Option<&ChallengeDraft>) -> Result<ChallengeDraft, FieldErrors> {
        let mut errors = FieldErrors::new();
        let title = self.title.or_before(before.map(|draft| draft.title.clone())).unwrap_or_default();
        let title = checked_name(&title, "title").unwrap_or_else(|wrong| {
            wrong.iter().for_each(|(field, sentence)| errors.add(field, sentence));
            String::new()
        });
        let metric = self.metric.or_before(before.map(|draft| draft.metric));
        let target = self
            .target
            .or_before(before.map(|draft| draft.target))
            .filter(|target| (1..=HIGHEST_TARGET).contains(target));
        let start = day(self.start_date, before.map(|draft| draft.start_date));
        let end = day(self.end_date, before.map(|draft| draft.end_date));
        for (field, missing, sentence) in [
            ("metric", metric.is_none(), "The metric must be words or books."),
            ("target", target.is_none(), "The target must be a whole number from 1 to 1,000,000,000,000."),
            ("startDate", start.is_none(), "Please enter a first day between 1900-01-01 and 2100-12-31."),
            ("endDate", end.is_none(), "Please enter a last day between 1900-01-01 and 2100-12-31."),
            ("endDate", start > end, "The last day can't be before the first."),
        ] {
            if missing {
                errors.add(field, sentence);
            }
        }
        match (metric, target, start, end) {
            (Some(metric), Some(target), Some(start_date), Some(end_date)) if errors.is_empty() => {
                Ok(ChallengeDraft { title, metric, target, start_date, end_date })
            }
            _ => Err(errors),
        }
    }
}

fn day(sent: PatchField<String>, before: Option<NaiveDate>) -> Option<NaiveDate> {
    sent.and_then(|text| text::date(&text)).or_before(before).filter(|day| (FIRST_DAY..=LAST_DAY).contains(day))
}

/// The progress of one member.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChallengeStanding {
    /// The account's id.
    #[schema(value_type = i64)]
    pub user_id: UserId,
    /// The person's display name.
    pub display_name: String,
    /// The number of words or books.
    pub value: i64,
}

/// A challenge and the team's progress.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Challenge {
    /// The challenge's id.
    pub id: i64,
    /// 1 to 100 characters.
    pub title: String,
    /// The unit that is counted.
    pub metric: ChallengeMetric,
    /// At least 1.
    pub target: i64,
    /// The first day that counts.
    pub start_date: NaiveDate,
    /// The last day that counts.
    pub end_date: NaiveDate,
    /// The total of all members who share.
    pub total: i64,
    /// The members who share, highest value first.
    pub members: Vec<ChallengeStanding>,
}

impl Challenge {
    /// A challenge with the progress of its members.
    pub fn new(id: i64, draft: ChallengeDraft, mut members: Vec<ChallengeStanding>) -> Self {
        members.sort_by_key(|member| std::cmp::Reverse(member.value));
        let total = members.iter().map(|member| member.value).sum();
        let ChallengeDraft { title, metric, target, start_date, end_date } = draft;
        Self { id, title, metric, target, start_date, end_date, total, members }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(start: &str, end: &str) -> ChallengeFields {
        ChallengeFields {
            title: PatchField::Value(" A million ".into()),
            metric: PatchField::Value(ChallengeMetric::Words),
            target: PatchField::Value(1_000_000),
            start_date: PatchField::Value(start.into()),
            end_date: PatchField::Value(end.into()),
        }
    }

    #[test]
    fn a_challenge_may_last_one_day_but_not_end_before_it_begins() {
        let draft = form("2026-02-01", "2026-02-01").checked(None).unwrap();
        assert_eq!(draft.title, "A million");
        let errors = form("2026-02-02", "2026-02-01").checked(None).unwrap_err();
        assert!(errors.get("endDate").is_some());
        let earlier =
            ChallengeFields { end_date: PatchField::Value("2026-01-31".into()), ..ChallengeFields::default() };
        assert!(earlier.checked(Some(&draft)).unwrap_err().get("endDate").is_some());
    }

    #[test]
    fn everything_missing_or_wrong_has_its_sentence_at_once_and_a_change_keeps_what_it_leaves_out() {
        let errors =
            ChallengeFields { target: PatchField::Value(0), ..ChallengeFields::default() }.checked(None).unwrap_err();
        let fields: Vec<_> = errors.iter().map(|(field, _)| field).collect();
        assert_eq!(fields, ["title", "metric", "target", "startDate", "endDate"]);
        let draft = form("2026-02-01", "2026-02-28").checked(None).unwrap();
        let books = ChallengeFields {
            metric: PatchField::Value(ChallengeMetric::Books),
            target: PatchField::Value(12),
            ..ChallengeFields::default()
        };
        assert_eq!(
            books.checked(Some(&draft)).unwrap(),
            ChallengeDraft { metric: ChallengeMetric::Books, target: 12, ..draft }
        );
    }
}
