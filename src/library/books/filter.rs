//! The dashboard's filter: one question, asked of the table, the figures and the charts alike (docs/rules.md, "Books" and "Statistics").
use chrono::NaiveDate;

use super::model::{Distribution, Format, Status, each_genre};
use crate::kit::FieldErrors;
use crate::kit::http::extract::Query;
use crate::library::text;

/// The narrow part of a book: what filters, sorting and statistics look at. Texts are borrowed from the row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BookRow<'a> {
    /// The book's key.
    pub id: i64,
    /// Finished on a day, being read, or finished without a date.
    pub status: Status,
    /// The day of completion.
    pub date_completed: Option<NaiveDate>,
    /// The first day of reading.
    pub start_date: Option<NaiveDate>,
    /// Words.
    pub word_count: i64,
    /// 0 to 10.
    pub rating: Option<i64>,
    /// How it was read.
    pub format: Format,
    /// Whether it had been read before.
    pub reread: bool,
    /// Which months the words count for.
    pub word_distribution: Distribution,
    /// As typed.
    pub title: &'a str,
    /// As typed.
    pub author: &'a str,
    /// The folded title.
    pub title_key: &'a str,
    /// The folded author.
    pub author_key: &'a str,
    /// Joined by commas.
    pub genres: &'a str,
}

/// Whether rereads are wanted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, utoipa::ToSchema)]
#[schema(rename_all = "lowercase")]
pub enum Rereads {
    /// Both.
    #[default]
    Include,
    /// First reads alone.
    Exclude,
    /// Rereads alone.
    Only,
}

/// The most values of one key.
const MOST_VALUES: usize = 200;
/// The longest value, in characters.
const LONGEST_VALUE: usize = 200;

/// What a reader asks to see. The default filter lets every book pass.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// Folded; a part of the title.
    pub title: String,
    /// Any of these, in their own spelling, sorted; empty is all.
    pub genres: Vec<String>,
    /// Any of these, in their own spelling, sorted; empty is all.
    pub authors: Vec<String>,
    /// Any of these; empty is all.
    pub formats: Vec<Format>,
    /// Whether rereads are wanted.
    pub rereads: Rereads,
    /// 0 to 10; above 0 unrated books are left out.
    pub min_rating: i64,
    /// The first day of completion; books without one are left out.
    pub from: Option<NaiveDate>,
    /// The last day of completion; books without one are left out.
    pub to: Option<NaiveDate>,
}

impl Filter {
    /// The query keys that make a filter.
    pub const KEYS: [&str; 8] =
        ["titleSearch", "genres", "authors", "formats", "reread", "minRating", "startDate", "endDate"];

    /// Reads the filter from a query; empty values say nothing.
    ///
    /// # Errors
    /// One sentence for each invalid value.
    pub fn parse(query: &Query) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::new();
        let filter = Self {
            title: text::fold(query.get("titleSearch").unwrap_or_default()),
            genres: names(query, "genres", &mut errors),
            authors: names(query, "authors", &mut errors),
            formats: formats(query, &mut errors),
            rereads: rereads(query, &mut errors),
            min_rating: min_rating(query, &mut errors),
            from: day(query, "startDate", &mut errors),
            to: day(query, "endDate", &mut errors),
        };
        if errors.is_empty() { Ok(filter) } else { Err(errors) }
    }

    /// Whether every book passes.
    pub fn is_everything(&self) -> bool {
        *self == Self::default()
    }

    /// Whether a book passes.
    pub fn matches(&self, book: &BookRow<'_>) -> bool {
        self.matches_completion(book.date_completed)
            && (self.min_rating == 0 || book.rating.is_some_and(|rating| rating >= self.min_rating))
            && match self.rereads {
                Rereads::Include => true,
                Rereads::Exclude => !book.reread,
                Rereads::Only => book.reread,
            }
            && (self.formats.is_empty() || self.formats.contains(&book.format))
            && (self.authors.is_empty() || is_among(&self.authors, book.author))
            && (self.genres.is_empty() || each_genre(book.genres).any(|genre| is_among(&self.genres, genre)))
            && (self.title.is_empty() || book.title_key.contains(self.title.as_str()))
    }

    fn matches_completion(&self, completed: Option<NaiveDate>) -> bool {
        if self.from.is_none() && self.to.is_none() {
            return true;
        }
        completed.is_some_and(|day| self.from.is_none_or(|from| day >= from) && self.to.is_none_or(|to| day <= to))
    }
}

/// The history rule (docs/rules.md, "Plans"): books without a completion date always show, the others from `from` on.
pub fn is_visible(completed: Option<NaiveDate>, from: Option<NaiveDate>) -> bool {
    match (completed, from) {
        (Some(day), Some(from)) => day >= from,
        _ => true,
    }
}

/// Every value of a key but the empty ones: each once, sorted, so that a book is found among many values as fast as among few.
fn names(query: &Query, key: &str, errors: &mut FieldErrors) -> Vec<String> {
    let mut names: Vec<_> = query.all(key).filter(|one| !one.is_empty()).map(str::to_owned).collect();
    if names.len() > MOST_VALUES {
        errors.add(key, format!("A filter takes at most {MOST_VALUES} values."));
    } else if names.iter().any(|name| name.chars().count() > LONGEST_VALUE) {
        errors.add(key, format!("A value of a filter has at most {LONGEST_VALUE} characters."));
    }
    names.sort_unstable();
    names.dedup();
    names
}

fn is_among(sorted: &[String], name: &str) -> bool {
    sorted.binary_search_by(|one| one.as_str().cmp(name)).is_ok()
}

/// The last value of a key, unless it is empty.
fn said<'q>(query: &'q Query, key: &str) -> Option<&'q str> {
    query.get(key).filter(|value| !value.is_empty())
}

fn formats(query: &Query, errors: &mut FieldErrors) -> Vec<Format> {
    let mut formats = Vec::new();
    if query.all("formats").count() > MOST_VALUES {
        errors.add("formats", format!("A filter takes at most {MOST_VALUES} values."));
    }
    for name in query.all("formats").filter(|name| !name.is_empty()).take(MOST_VALUES) {
        match Format::from_name(name) {
            Some(format) => formats.push(format),
            None => errors.add("formats", "The format is Print, eBook or Audio."),
        }
    }
    formats
}

fn rereads(query: &Query, errors: &mut FieldErrors) -> Rereads {
    match said(query, "reread") {
        None | Some("include" | "all") => Rereads::Include,
        Some("exclude") => Rereads::Exclude,
        Some("only") => Rereads::Only,
        Some(_) => {
            errors.add("reread", "Rereads are include, exclude or only.");
            Rereads::Include
        }
    }
}

fn min_rating(query: &Query, errors: &mut FieldErrors) -> i64 {
    let Some(value) = said(query, "minRating") else { return 0 };
    match value.parse() {
        Ok(rating @ 0..=10) => rating,
        _ => {
            errors.add("minRating", "The least rating is a whole number from 0 to 10.");
            0
        }
    }
}

fn day(query: &Query, key: &str, errors: &mut FieldErrors) -> Option<NaiveDate> {
    let value = said(query, key)?;
    let day = text::date(value);
    if day.is_none() {
        errors.add(key, "Dates are written yyyy-MM-dd.");
    }
    day
}

#[cfg(test)]
#[path = "filter_tests.rs"]
mod tests;
