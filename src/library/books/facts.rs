//! What is known of a book and its edition beyond title, authors and numbers: contributors, series, tags, publisher, dates of
//! publication, language, cover (docs/rules.md, "Books"). Imports, forms and the look-up fill the same [`BookFacts`].
use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::authors::{NAME_LENGTH, check_separator};
use crate::kit::FieldErrors;
use crate::kit::named::named;
use crate::library::text;

/// The most contributors of a book.
pub const MOST_CONTRIBUTORS: usize = 50;
/// The most characters of a series' name, after trimming.
pub const SERIES_LENGTH: usize = 200;
/// The most characters of a number in a series, after trimming.
pub const SERIES_NUMBER_LENGTH: usize = 20;
/// The most tags of a book.
pub const MOST_TAGS: usize = 50;
/// The most characters of a tag, after trimming.
pub const TAG_LENGTH: usize = 100;
/// The most characters of a publisher, after trimming.
pub const PUBLISHER_LENGTH: usize = 200;
/// The first year in which a book may have appeared; a negative year is before the common era.
pub const FIRST_YEAR: i64 = -3_000;
/// The last year in which a book may appear.
pub const LAST_YEAR: i64 = 2_100;
/// The most characters of a language tag.
const LANGUAGE_LENGTH: usize = 35;

named! {
    /// The part that a contributor has in a book.
    #[derive(Default)]
    ContributorRole {
        /// Translated it.
        Translator = "translator",
        /// Reads it aloud.
        Narrator = "narrator",
        /// Edited it.
        Editor = "editor",
        /// Illustrated it.
        Illustrator = "illustrator",
        /// Anything else.
        #[default]
        Other = "other",
    }
}

/// A person other than an author who has a part in a book.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Contributor {
    /// 1 to 500 characters.
    pub name: String,
    /// The person's part.
    #[serde(default)]
    #[schema(required)]
    pub role: ContributorRole,
}

/// A series that a book belongs to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Series {
    /// 1 to 200 characters.
    pub name: String,
    /// The number in it, as written: `8`, `0.5`, `1-3`. At most 20 characters.
    #[serde(default)]
    #[schema(required)]
    pub number: Option<String>,
}

/// The picture of a book's cover.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Cover {
    /// The address of the picture: below a secret link for anybody who has the link, otherwise for its owner alone.
    pub url: String,
    /// In pixels.
    #[schema(minimum = 1, maximum = 1_000)]
    pub width: i64,
    /// In pixels.
    #[schema(minimum = 1, maximum = 1_500)]
    pub height: i64,
}

/// What is known of a book beside its title, author and reading.
// Fill the fields, then call `BookFacts::check`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BookFacts {
    /// Persons other than the authors; at most 50. They belong to the edition.
    pub contributors: Vec<Contributor>,
    /// The series; equal in all reads of a work.
    #[schema(required)]
    pub series: Option<Series>,
    /// The reader's own words for the book, at most 50 of 100 characters without commas; equal in all reads of a work.
    pub tags: Vec<String>,
    /// The publisher of the edition.
    #[schema(required)]
    pub publisher: Option<String>,
    /// When the edition appeared: yyyy, yyyy-MM or yyyy-MM-dd.
    #[schema(required)]
    pub published: Option<String>,
    /// The year in which the book first appeared, -3000 to 2100; equal in all reads of a work.
    #[schema(required)]
    pub original_year: Option<i64>,
    /// The language of the edition, as a tag of BCP 47.
    #[schema(required)]
    pub language: Option<String>,
    /// Whether nobody but its reader sees the book; equal in all reads of a work.
    // Rows of imports that were kept before this field existed lack it.
    #[serde(default)]
    #[schema(required)]
    pub private: bool,
}

impl BookFacts {
    /// What is equal in all reads of a work.
    pub fn of_work(&self) -> (Option<&Series>, &[String], Option<i64>, bool) {
        (self.series.as_ref(), &self.tags, self.original_year, self.private)
    }

    /// Fills what is equal in all reads of a work and not known here from another read.
    pub fn fill_of_work(&mut self, other: &Self) {
        if self.series.is_none() {
            self.series.clone_from(&other.series);
        }
        if self.tags.is_empty() {
            self.tags.clone_from(&other.tags);
        }
        self.original_year = self.original_year.or(other.original_year);
        self.private |= other.private;
    }

    /// Takes over what is equal in all reads of a work.
    pub fn set_of_work(&mut self, other: &Self) {
        self.series.clone_from(&other.series);
        self.tags.clone_from(&other.tags);
        self.original_year = other.original_year;
        self.private = other.private;
    }

    /// Takes over what is equal in all reads of a work, as far as it is here as it was `before`.
    pub fn follow_work(&mut self, before: &Self, now: &Self) {
        if self.series == before.series {
            self.series.clone_from(&now.series);
        }
        if self.tags == before.tags {
            self.tags.clone_from(&now.tags);
        }
        if self.original_year == before.original_year {
            self.original_year = now.original_year;
        }
        if self.private == before.private {
            self.private = now.private;
        }
    }

    /// Adds what is equal in all reads of a work and is new in another read: tags, that it is private, and a series and a year where none
    /// is known here. What `former` reads had is not new.
    pub fn add_of_work<'f>(&mut self, other: &Self, former: impl Iterator<Item = &'f Self> + Clone) {
        let has = |facts: &Self, tag: &str| facts.tags.iter().any(|known| tag_key(known) == tag_key(tag));
        for tag in &other.tags {
            let is_new = !has(self, tag) && !former.clone().any(|facts| has(facts, tag));
            if is_new && self.tags.len() < MOST_TAGS {
                self.tags.push(tag.clone());
            }
        }
        if self.series.is_none() && former.clone().all(|facts| facts.series.is_none()) {
            self.series.clone_from(&other.series);
        }
        if self.original_year.is_none() && former.clone().all(|facts| facts.original_year.is_none()) {
            self.original_year = other.original_year;
        }
        self.private |= other.private && former.clone().all(|facts| !facts.private);
    }

    /// Validates the facts and converts them to the stored form: texts trimmed, blank ones removed, each tag once.
    pub fn check(&mut self, errors: &mut FieldErrors) {
        self.check_contributors(errors);
        self.check_series(errors);
        self.check_tags(errors);
        blank_is_none(&mut self.publisher);
        if let Some(publisher) = &self.publisher {
            text::check(errors, "publisher", "The publisher", publisher, PUBLISHER_LENGTH);
        }
        blank_is_none(&mut self.published);
        if self.published.as_deref().is_some_and(|published| !is_publication(published)) {
            errors.add("published", "The date of publication must be written yyyy, yyyy-MM or yyyy-MM-dd.");
        }
        if self.original_year.is_some_and(|year| !(FIRST_YEAR..=LAST_YEAR).contains(&year)) {
            errors.add("originalYear", "The original year must be a whole number from -3000 to 2100.");
        }
        blank_is_none(&mut self.language);
        if let Some(typed) = &mut self.language {
            match language_tag(typed) {
                Some(tag) => *typed = tag,
                None => errors.add("language", "The language must be a language tag like en or pt-BR."),
            }
        }
    }

    fn check_contributors(&mut self, errors: &mut FieldErrors) {
        self.contributors.iter_mut().for_each(|person| trim(&mut person.name));
        self.contributors.retain(|person| !person.name.is_empty());
        if self.contributors.len() > MOST_CONTRIBUTORS {
            errors.add("contributors", format!("A book can have at most {MOST_CONTRIBUTORS} contributors."));
        }
        for person in &self.contributors {
            check_separator(errors, "contributors", "A contributor's name", &person.name);
            text::check(errors, "contributors", "A contributor's name", &person.name, NAME_LENGTH);
        }
    }

    fn check_series(&mut self, errors: &mut FieldErrors) {
        let Some(series) = &mut self.series else { return };
        check_series_name(errors, "series", &mut series.name);
        blank_is_none(&mut series.number);
        if let Some(number) = &series.number {
            text::check(errors, "series", "The number in the series", number, SERIES_NUMBER_LENGTH);
        }
    }

    fn check_tags(&mut self, errors: &mut FieldErrors) {
        let mut seen = HashSet::new();
        self.tags.retain_mut(|tag| {
            trim(tag);
            !tag.is_empty() && seen.insert(tag_key(tag))
        });
        if self.tags.len() > MOST_TAGS {
            errors.add("tags", format!("A book can have at most {MOST_TAGS} tags."));
        }
        for tag in &self.tags {
            check_tag(errors, "tags", tag);
        }
    }
}

/// Trims and checks the name of a series.
pub fn check_series_name(errors: &mut FieldErrors, field: &str, name: &mut String) {
    trim(name);
    if name.is_empty() {
        errors.add(field, "The series needs a name.");
    }
    text::check(errors, field, "The name of the series", name, SERIES_LENGTH);
}

/// Checks a trimmed tag: at most 100 characters, without commas.
pub fn check_tag(errors: &mut FieldErrors, field: &str, tag: &str) {
    if tag.contains(',') {
        errors.add(field, "A tag can't contain a comma.");
    }
    text::check(errors, field, "A tag", tag, TAG_LENGTH);
}

/// The form in which tags are compared: without case.
pub fn tag_key(tag: &str) -> String {
    text::fold_case(tag)
}

/// Whether a tag has this key. The beginning that both have in common is compared as it is: nothing in a key changes by folding.
pub fn has_key(tag: &str, key: &str) -> bool {
    let same = tag.bytes().zip(key.bytes()).take_while(|(of_tag, of_key)| of_tag == of_key).count();
    let same = tag.floor_char_boundary(same);
    text::folds_case_to(&tag[same..], &key[same..])
}

/// The tags of a stored text, which are joined by commas.
pub fn each_tag(joined: &str) -> impl Iterator<Item = &str> {
    joined.split(',').filter(|tag| !tag.is_empty())
}

/// A number in a series in thousandths; `None` where it is not a plain number with at most three decimals.
pub fn series_sort(number: &str) -> Option<i64> {
    let (whole, decimals) = number.split_once('.').unwrap_or((number, "0"));
    let digits = |text: &str, most: usize| {
        (1..=most).contains(&text.len()) && text.bytes().all(|character| character.is_ascii_digit())
    };
    if !digits(whole, 9) || !digits(decimals, 3) {
        return None;
    }
    format!("{whole}{decimals:0<3}").parse().ok()
}

fn trim(text: &mut String) {
    let trimmed = text.trim();
    if trimmed.len() < text.len() {
        *text = trimmed.to_owned();
    }
}

fn blank_is_none(text: &mut Option<String>) {
    if let Some(text) = text {
        trim(text);
    }
    text.take_if(|text| text.is_empty());
}

/// Whether a text is a year, a month or a day, from the year 1 to 2100.
pub fn is_publication(text: &str) -> bool {
    let whole = match text.len() {
        4 => format!("{text}-01-01"),
        7 => format!("{text}-01"),
        _ => text.to_owned(),
    };
    let year = |day: chrono::NaiveDate| i64::from(chrono::Datelike::year(&day));
    text::date(&whole).is_some_and(|day| (1..=LAST_YEAR).contains(&year(day)))
}

/// A language tag in the case that BCP 47 recommends: `pt-BR`, `zh-Hans`. `None` where the text does not have that form.
pub fn language_tag(text: &str) -> Option<String> {
    let mut tag = String::with_capacity(text.len());
    let mut in_extension = false;
    for (place, part) in text.split('-').enumerate() {
        let fits = match place {
            0 => (2..=8).contains(&part.len()) && part.bytes().all(|character| character.is_ascii_alphabetic()),
            _ => (1..=8).contains(&part.len()) && part.bytes().all(|character| character.is_ascii_alphanumeric()),
        };
        if !fits {
            return None;
        }
        let lower = part.to_ascii_lowercase();
        let part = match part.len() {
            2 if place > 0 && !in_extension => part.to_ascii_uppercase(),
            4 if place > 0 && !in_extension => lower[..1].to_ascii_uppercase() + &lower[1..],
            _ => lower,
        };
        in_extension |= part.len() == 1;
        if place > 0 {
            tag.push('-');
        }
        tag.push_str(&part);
    }
    (tag.len() <= LANGUAGE_LENGTH).then_some(tag)
}

#[cfg(test)]
#[path = "facts_tests.rs"]
mod tests;
