//! The dashboard's filter, for the table, the figures and the charts (docs/rules.md, "Books" and "Statistics").
use chrono::NaiveDate;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use utoipa::IntoParams;

use super::authors::each_author_with_key;
use super::facts::{each_tag, tag_key};
use super::model::{BookFormat, BookStatus, WordDistribution, each_genre};
use super::rating::Rating;
use crate::kit::named::named;
use crate::library::books::model::BookId;
use crate::library::text::{self, TitleSearch};

/// The fields of a book that filters, sorting and statistics use. Texts are borrowed from the row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BookRow<'a> {
    pub id: BookId,
    /// Completed, in progress, undated, or given up.
    pub status: BookStatus,
    /// The completion date; of a rough date the last possible day.
    pub date_completed: Option<NaiveDate>,
    /// The first day of reading.
    pub start_date: Option<NaiveDate>,
    pub word_count: i64,
    /// 0 to 10.
    pub rating: Option<Rating>,
    /// The format in which it was read.
    pub format: BookFormat,
    /// Whether it was read before.
    pub reread: bool,
    /// The months that its words count for.
    pub word_distribution: WordDistribution,
    /// As entered.
    pub title: &'a str,
    /// The names, with a separator between them: see [`each_author_with_key`].
    pub author: &'a str,
    /// The title as [`text::title_key`] makes it.
    pub title_key: &'a str,
    /// The names of all authors as [`text::name_key`] makes them.
    pub author_key: &'a str,
    /// Genres joined by commas.
    pub genres: &'a str,
    /// The first possible day of a rough completion date; `None` for an exact one.
    pub completed_from: Option<NaiveDate>,
}

impl BookRow<'_> {
    /// The first and the last possible day of completion, which are one day for an exact date.
    pub fn completion(&self) -> Option<(NaiveDate, NaiveDate)> {
        self.date_completed.map(|last| (self.completed_from.unwrap_or(last), last))
    }
}

/// Whether rereads are included.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Rereads {
    /// First reads and rereads.
    #[default]
    #[serde(alias = "all")]
    Include,
    /// Only first reads.
    Exclude,
    /// Only rereads.
    Only,
}

named! {
    /// A status that the filter knows: those that are stored, and `paused`.
    StatusFilter {
        /// Finished on a day.
        Completed = "completed",
        /// In progress, paused or not.
        InProgress = "in-progress",
        /// In progress and paused.
        Paused = "paused",
        /// Finished without a date.
        Undated = "undated",
        /// Given up.
        DidNotFinish = "did-not-finish",
    }
}

impl StatusFilter {
    /// The stored status of the books that may match.
    fn stored(self) -> BookStatus {
        match self {
            Self::Completed => BookStatus::Completed,
            Self::InProgress | Self::Paused => BookStatus::InProgress,
            Self::Undated => BookStatus::Undated,
            Self::DidNotFinish => BookStatus::DidNotFinish,
        }
    }
}

/// The most values of one key.
const MOST_VALUES: usize = 200;
/// The longest value, in characters.
const LONGEST_VALUE: usize = 200;

/// The dashboard's filter, for books and statistics. The default matches every book. Names are compared as searches compare them: the values
/// of a list are kept in that form, sorted, and a book matches any of them. An empty list matches all.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct Filter {
    /// A part of the title, regardless of case and accents.
    #[serde(rename = "titleSearch")]
    #[param(value_type = Option<String>)]
    pub title: TitleSearch,
    /// Books with any of these genres; repeatable.
    #[serde(deserialize_with = "genre_keys")]
    #[param(value_type = Option<Vec<String>>)]
    pub genres: Vec<String>,
    /// Books by any of these authors; repeatable.
    #[serde(deserialize_with = "name_keys")]
    #[param(value_type = Option<Vec<String>>)]
    pub authors: Vec<String>,
    /// Books in any of these formats; repeatable.
    #[serde(deserialize_with = "values")]
    #[param(value_type = Option<Vec<BookFormat>>)]
    pub formats: Vec<BookFormat>,
    /// Books with any of these statuses; repeatable.
    #[serde(rename = "status", deserialize_with = "values")]
    #[param(inline, value_type = Option<Vec<StatusFilter>>)]
    pub statuses: Vec<StatusFilter>,
    /// Only the reads of this work.
    #[param(value_type = Option<i64>)]
    pub work: Option<BookId>,
    /// Any of these, regardless of case; repeatable. A team's statistics ignore it.
    #[serde(deserialize_with = "tag_keys")]
    #[param(value_type = Option<Vec<String>>)]
    pub tags: Vec<String>,
    /// Any of these, regardless of case and accents; repeatable. A team's statistics ignore it.
    #[serde(deserialize_with = "title_keys")]
    #[param(value_type = Option<Vec<String>>)]
    pub series: Vec<String>,
    /// Any of these language tags; repeatable. A team's statistics ignore it.
    #[serde(rename = "language", deserialize_with = "lower_case")]
    #[param(value_type = Option<Vec<String>>)]
    pub languages: Vec<String>,
    /// include, exclude or only.
    #[serde(rename = "reread")]
    #[param(inline, value_type = Option<Rereads>)]
    pub rereads: Rereads,
    /// 0 to 10 with at most one decimal; above 0 unrated books are left out.
    #[serde(rename = "minRating", deserialize_with = "min_rating")]
    #[param(value_type = Option<f64>, minimum = 0, maximum = 10)]
    pub min_rating: Rating,
    /// The first day of completion; books without one are left out, and rough ones that may be earlier.
    #[serde(rename = "startDate", deserialize_with = "day")]
    pub from: Option<NaiveDate>,
    /// The last day of completion; books without one are left out, and rough ones that may be later.
    #[serde(rename = "endDate", deserialize_with = "day")]
    pub to: Option<NaiveDate>,
}

impl Filter {
    pub fn is_everything(&self) -> bool {
        *self == Self::default()
    }

    /// Whether paused books match, and others in progress do not.
    pub fn leaves_out_running(&self) -> bool {
        self.statuses.contains(&StatusFilter::Paused) && !self.statuses.contains(&StatusFilter::InProgress)
    }

    /// Whether the filter looks at tags, series or languages.
    pub fn asks_for_facts(&self) -> bool {
        !(self.tags.is_empty() && self.series.is_empty() && self.languages.is_empty())
    }

    /// The same filter without tags, series and languages, which nobody but the owner of the books sees.
    #[must_use]
    pub fn without_facts(&self) -> Self {
        Self { tags: Vec::new(), series: Vec::new(), languages: Vec::new(), ..self.clone() }
    }

    /// Whether a book matches by its tags, joined by commas, the key of its series, and its language.
    pub fn matches_facts(&self, tags: &str, series: Option<&str>, language: Option<&str>) -> bool {
        (self.tags.is_empty() || each_tag(tags).any(|tag| is_among(&self.tags, &tag_key(tag))))
            && (self.series.is_empty() || series.is_some_and(|series| is_among(&self.series, series)))
            && (self.languages.is_empty()
                || language.is_some_and(|language| is_among(&self.languages, &language.to_ascii_lowercase())))
    }

    /// Whether a book matches, apart from its work, its facts and its pause, which [`Members`](super::store::works::Members) knows.
    pub fn matches(&self, book: &BookRow<'_>) -> bool {
        self.matches_completion(book)
            && (self.min_rating == Rating::default() || book.rating.is_some_and(|rating| rating >= self.min_rating))
            && match self.rereads {
                Rereads::Include => true,
                Rereads::Exclude => !book.reread,
                Rereads::Only => book.reread,
            }
            && (self.formats.is_empty() || self.formats.contains(&book.format))
            && (self.statuses.is_empty() || self.statuses.iter().any(|status| status.stored() == book.status))
            && (self.authors.is_empty()
                || each_author_with_key(book.author, book.author_key).any(|(_, key)| is_among(&self.authors, &key)))
            && (self.genres.is_empty()
                || each_genre(book.genres).any(|genre| is_among(&self.genres, &text::genre_key(genre))))
            && (self.title.is_empty() || self.title.finds(book.title, book.title_key))
    }

    fn matches_completion(&self, book: &BookRow<'_>) -> bool {
        if self.from.is_none() && self.to.is_none() {
            return true;
        }
        let within = |(first, last)| self.from.is_none_or(|from| first >= from) && self.to.is_none_or(|to| last <= to);
        book.completion().is_some_and(within)
    }
}

/// The history window (docs/rules.md, "Plans"): books without a completion date are always visible, the others from `from` on. A
/// rough date counts with its last possible day.
pub fn is_visible(completed: Option<NaiveDate>, from: Option<NaiveDate>) -> bool {
    match (completed, from) {
        (Some(day), Some(from)) => day >= from,
        _ => true,
    }
}

/// At most 200 values of a key.
fn values<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Vec<T>, D::Error> {
    let values = Vec::deserialize(deserializer)?;
    if values.len() > MOST_VALUES {
        return Err(D::Error::custom(format!("A filter can have at most {MOST_VALUES} values.")));
    }
    Ok(values)
}

/// The names of a key in the form in which they are compared, sorted, so that look-ups are fast even with many of them.
fn keys<'de, D: Deserializer<'de>>(deserializer: D, key: impl Fn(&str) -> String) -> Result<Vec<String>, D::Error> {
    let names: Vec<String> = values(deserializer)?;
    if names.iter().any(|name| name.chars().count() > LONGEST_VALUE) {
        let sentence = format!("A value of a filter can have at most {LONGEST_VALUE} characters.");
        return Err(D::Error::custom(sentence));
    }
    let mut keys: Vec<_> = names.iter().map(|name| key(name)).collect();
    keys.sort_unstable();
    keys.dedup();
    Ok(keys)
}

fn genre_keys<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    keys(deserializer, text::genre_key)
}

fn name_keys<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    keys(deserializer, text::name_key)
}

fn tag_keys<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    keys(deserializer, tag_key)
}

fn title_keys<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    keys(deserializer, text::title_key)
}

fn lower_case<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    keys(deserializer, str::to_ascii_lowercase)
}

fn is_among(sorted: &[String], name: &str) -> bool {
    sorted.binary_search_by(|one| one.as_str().cmp(name)).is_ok()
}

fn min_rating<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Rating, D::Error> {
    Rating::parse(&String::deserialize(deserializer)?)
        .filter(|rating| rating.is_valid())
        .ok_or_else(|| D::Error::custom("The minimum rating must be a number from 0 to 10 with at most one decimal."))
}

fn day<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<NaiveDate>, D::Error> {
    let day = text::date(&String::deserialize(deserializer)?);
    day.map(Some).ok_or_else(|| D::Error::custom("Dates must be written yyyy-MM-dd."))
}

#[cfg(test)]
#[path = "filter_tests.rs"]
mod tests;
