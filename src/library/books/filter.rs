//! The dashboard's filter, for the table, the figures and the charts (docs/rules.md, "Books" and "Statistics").
use chrono::NaiveDate;

use super::authors::each_author_with_key;
use super::facts::{each_tag, tag_key};
use super::model::{Distribution, Format, Status, each_genre};
use super::payload::FORMATS;
use super::rating::Rating;
use crate::kit::FieldErrors;
use crate::kit::http::extract::Query;
use crate::kit::named::named;
use crate::library::books::model::BookId;
use crate::library::text::{self, TitleSearch};

/// The fields of a book that filters, sorting and statistics use. Texts are borrowed from the row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BookRow<'a> {
    /// The book's id.
    pub id: BookId,
    /// Completed, in progress, undated, or given up.
    pub status: Status,
    /// The completion date; of a rough date the last possible day.
    pub date_completed: Option<NaiveDate>,
    /// The first day of reading.
    pub start_date: Option<NaiveDate>,
    /// Words.
    pub word_count: i64,
    /// 0 to 10.
    pub rating: Option<Rating>,
    /// The format in which it was read.
    pub format: Format,
    /// Whether it was read before.
    pub reread: bool,
    /// The months that its words count for.
    pub word_distribution: Distribution,
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
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, utoipa::ToSchema)]
#[schema(rename_all = "lowercase")]
pub enum Rereads {
    /// First reads and rereads.
    #[default]
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
    fn stored(self) -> Status {
        match self {
            Self::Completed => Status::Completed,
            Self::InProgress | Self::Paused => Status::InProgress,
            Self::Undated => Status::Undated,
            Self::DidNotFinish => Status::DidNotFinish,
        }
    }
}

/// The most values of one key.
const MOST_VALUES: usize = 200;
/// The longest value, in characters.
const LONGEST_VALUE: usize = 200;

/// A reader's filter. The default matches every book.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// A part of the title.
    pub title: TitleSearch,
    /// Any of these, case-folded and sorted; empty means all.
    pub genres: Vec<String>,
    /// Any of these, by [`text::name_key`], sorted; empty means all.
    pub authors: Vec<String>,
    /// Any of these; empty means all.
    pub formats: Vec<Format>,
    /// Any of these; empty means all.
    pub statuses: Vec<StatusFilter>,
    /// Only the reads of this work.
    pub work: Option<BookId>,
    /// Any of these, as tags are compared, sorted; empty means all.
    pub tags: Vec<String>,
    /// Any of these, by [`text::title_key`], sorted; empty means all.
    pub series: Vec<String>,
    /// Any of these, in lower case, sorted; empty means all.
    pub languages: Vec<String>,
    /// Whether rereads are included.
    pub rereads: Rereads,
    /// 0 to 10; above 0, unrated books are excluded.
    pub min_rating: Rating,
    /// The first completion date; books without one are excluded, and rough ones that may be earlier.
    pub from: Option<NaiveDate>,
    /// The last completion date; books without one are excluded, and rough ones that may be later.
    pub to: Option<NaiveDate>,
}

impl Filter {
    /// The query keys of the filter.
    pub const KEYS: [&str; 13] = [
        "titleSearch",
        "genres",
        "authors",
        "formats",
        "status",
        "work",
        "tags",
        "series",
        "language",
        "reread",
        "minRating",
        "startDate",
        "endDate",
    ];

    /// Reads the filter from a query; empty values have no effect.
    ///
    /// # Errors
    /// One sentence for each invalid value.
    pub fn parse(query: &Query) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::new();
        let filter = Self {
            title: TitleSearch::new(query.get("titleSearch").unwrap_or_default()),
            genres: keys(names(query, "genres", &mut errors), text::genre_key),
            authors: keys(names(query, "authors", &mut errors), text::name_key),
            formats: formats(query, &mut errors),
            statuses: statuses(query, &mut errors),
            work: work(query, &mut errors),
            tags: keys(names(query, "tags", &mut errors), tag_key),
            series: keys(names(query, "series", &mut errors), text::title_key),
            languages: keys(names(query, "language", &mut errors), str::to_ascii_lowercase),
            rereads: rereads(query, &mut errors),
            min_rating: min_rating(query, &mut errors),
            from: day(query, "startDate", &mut errors),
            to: day(query, "endDate", &mut errors),
        };
        if errors.is_empty() { Ok(filter) } else { Err(errors) }
    }

    /// Whether every book matches.
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

/// The non-empty values of a key, sorted and without duplicates, so that look-ups are fast even with many values.
fn names(query: &Query, key: &str, errors: &mut FieldErrors) -> Vec<String> {
    let mut names: Vec<_> = query.all(key).filter(|one| !one.is_empty()).map(str::to_owned).collect();
    if names.len() > MOST_VALUES {
        errors.add(key, format!("A filter can have at most {MOST_VALUES} values."));
    } else if names.iter().any(|name| name.chars().count() > LONGEST_VALUE) {
        errors.add(key, format!("A value of a filter can have at most {LONGEST_VALUE} characters."));
    }
    names.sort_unstable();
    names.dedup();
    names
}

/// The names in the form in which they are compared, sorted again.
fn keys(names: Vec<String>, key: impl Fn(&str) -> String) -> Vec<String> {
    let mut keys: Vec<_> = names.iter().map(|name| key(name)).collect();
    keys.sort_unstable();
    keys
}

fn is_among(sorted: &[String], name: &str) -> bool {
    sorted.binary_search_by(|one| one.as_str().cmp(name)).is_ok()
}

/// The last value of a key, unless it is empty.
fn said<'q>(query: &'q Query, key: &str) -> Option<&'q str> {
    query.get(key).filter(|value| !value.is_empty())
}

fn formats(query: &Query, errors: &mut FieldErrors) -> Vec<Format> {
    words(query, "formats", Format::from_name, FORMATS, errors)
}

fn statuses(query: &Query, errors: &mut FieldErrors) -> Vec<StatusFilter> {
    let sentence = "The status must be completed, in-progress, paused, undated or did-not-finish.";
    words(query, "status", StatusFilter::from_name, sentence, errors)
}

fn work(query: &Query, errors: &mut FieldErrors) -> Option<BookId> {
    let work = said(query, "work")?.parse().ok();
    if work.is_none() {
        errors.add("work", "The work's id must be a whole number.");
    }
    work
}

/// The non-empty values of a key that knows only some words. `refusal` is the sentence for any other word.
fn words<T>(
    query: &Query,
    key: &str,
    from_name: impl Fn(&str) -> Option<T>,
    refusal: &str,
    errors: &mut FieldErrors,
) -> Vec<T> {
    let mut found = Vec::new();
    if query.all(key).count() > MOST_VALUES {
        errors.add(key, format!("A filter can have at most {MOST_VALUES} values."));
    }
    for name in query.all(key).filter(|name| !name.is_empty()).take(MOST_VALUES) {
        match from_name(name) {
            Some(value) => found.push(value),
            None => errors.add(key, refusal),
        }
    }
    found
}

fn rereads(query: &Query, errors: &mut FieldErrors) -> Rereads {
    match said(query, "reread") {
        None | Some("include" | "all") => Rereads::Include,
        Some("exclude") => Rereads::Exclude,
        Some("only") => Rereads::Only,
        Some(_) => {
            errors.add("reread", "Rereads must be include, exclude or only.");
            Rereads::Include
        }
    }
}

fn min_rating(query: &Query, errors: &mut FieldErrors) -> Rating {
    let Some(value) = said(query, "minRating") else { return Rating::default() };
    let rating = Rating::parse(value).filter(|rating| rating.is_valid());
    if rating.is_none() {
        errors.add("minRating", "The minimum rating must be a number from 0 to 10 with at most one decimal.");
    }
    rating.unwrap_or_default()
}

fn day(query: &Query, key: &str, errors: &mut FieldErrors) -> Option<NaiveDate> {
    let value = said(query, key)?;
    let day = text::date(value);
    if day.is_none() {
        errors.add(key, "Dates must be written yyyy-MM-dd.");
    }
    day
}

#[cfg(test)]
#[path = "filter_tests.rs"]
mod tests;
