//! Reads books from request bodies: new ones from the sent fields, changed ones from the existing book and the sent fields.
use serde::Deserialize;
use utoipa::ToSchema;

use super::facts::{Contributor, Series};
use super::model::{
    Book, BookDraft, BookFormat, BookStatus, MINUTES_RANGE, PAGES_RANGE, WORDS_RANGE, WordCountSource, WordDistribution,
};
use super::passages::{PASSAGES, Passage, Quotes};
use super::rating::Rating;
use crate::kit::FieldErrors;
use crate::kit::http::patch_field::PatchField;
use crate::kit::time_zone::Hemisphere;
use crate::library::rough_date::{Refusal, RoughDate};
use crate::library::text;

/// Why a language is refused.
pub const LANGUAGES: &str = "The language must be a language tag like en or pt-BR.";
/// What is said about a wrong `format`.
pub const FORMATS: &str = "The format must be Print, eBook or Audio.";
/// What is said about a wrong `wordCountSource`.
pub const SOURCES: &str = "The word count's source must be entered, pages, epub or minutes.";
/// What is said about an unknown `dateCompleted`.
const DATES: &str = "Dates must be written yyyy-MM-dd, or as a rough date: 2019, 2021-03, March 2021, spring 2020, winter 2019/20, 1990s, \
    2018-2020 or before 2015.";
/// What is said about a wrong `private`.
pub const PRIVATE: &str = "Private must be true or false.";
/// What is said about wrong `tags`.
pub const TAGS: &str = "Tags must be a list of texts.";

/// The fields of a book as a client sends them. `year` and `month` are derived, and ignored like all unknown keys.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BookFields {
    /// Required for a new book; 1 to 500 characters after trimming.
    #[schema(value_type = Option<String>, min_length = 1, max_length = 500)]
    #[serde(default)]
    pub title: PatchField<String>,
    /// Required for a new book without `authors`; 1 to 500 characters after trimming. One author, whatever the text contains: it is
    /// never separated at a comma. The joined text of the current authors changes nothing.
    #[schema(value_type = Option<String>, min_length = 1, max_length = 500)]
    #[serde(default)]
    pub author: PatchField<String>,
    /// At most 20 names of together 500 characters with commas between them. Where both are sent, `author` is ignored.
    #[schema(value_type = Option<Vec<String>>, max_items = 20)]
    #[serde(default)]
    pub authors: PatchField<Vec<String>>,
    /// 0 to 100,000,000; 0 by default.
    #[schema(value_type = Option<i64>, minimum = 0, maximum = 100_000_000)]
    #[serde(default)]
    pub word_count: PatchField<i64>,
    /// `entered` by default.
    #[schema(value_type = Option<WordCountSource>)]
    #[serde(default)]
    pub word_count_source: PatchField<WordCountSource>,
    /// 1 to 100,000 or null.
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 100_000)]
    #[serde(default)]
    pub pages: PatchField<i64>,
    /// The length of an audiobook in minutes, 1 to 60,000 or null. A book whose words nobody counted has 155 a minute.
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 60_000)]
    #[serde(default)]
    pub minutes: PatchField<i64>,
    /// A valid ISBN-10 or ISBN-13, with or without hyphens, or null.
    #[schema(value_type = Option<String>)]
    #[serde(default)]
    pub isbn: PatchField<String>,
    /// `completed` by default.
    #[schema(value_type = Option<BookStatus>)]
    #[serde(default)]
    pub status: PatchField<BookStatus>,
    /// yyyy-MM-dd or null.
    #[schema(value_type = Option<chrono::NaiveDate>)]
    #[serde(default)]
    pub start_date: PatchField<String>,
    /// yyyy-MM-dd, a rough date (`2019`, `2021-03`, `March 2021`, `spring 2020`, `winter 2019/20`, `1990s`, `2018-2020`, `before 2015`,
    /// `2020-03-05/2020-07-08`), or null; required for a completed book. Of a rough date it is the last possible day.
    #[schema(value_type = Option<String>)]
    #[serde(default)]
    pub date_completed: PatchField<String>,
    /// The first possible day of a rough completion date, yyyy-MM-dd, or null for an exact one. A change of `dateCompleted` alone
    /// makes the date exact.
    #[schema(value_type = Option<chrono::NaiveDate>)]
    #[serde(default)]
    pub completed_from: PatchField<String>,
    /// yyyy-MM-dd or null; only for a book that was not finished.
    #[schema(value_type = Option<chrono::NaiveDate>)]
    #[serde(default)]
    pub stopped_date: PatchField<String>,
    /// yyyy-MM-dd or null; only for a book in progress.
    #[schema(value_type = Option<chrono::NaiveDate>)]
    #[serde(default)]
    pub paused_since: PatchField<String>,
    /// 0 to 10 with at most one decimal, or null.
    #[schema(value_type = Option<f64>, minimum = 0, maximum = 10)]
    #[serde(default)]
    pub rating: PatchField<Rating>,
    /// `Print` by default.
    #[schema(value_type = Option<BookFormat>)]
    #[serde(default)]
    pub format: PatchField<BookFormat>,
    /// False by default.
    #[schema(value_type = Option<bool>)]
    #[serde(default)]
    pub reread: PatchField<bool>,
    /// At most 50 of 100 characters each, without commas; null means none.
    #[schema(value_type = Option<Vec<String>>, max_items = 50)]
    #[serde(default)]
    pub genres: PatchField<Vec<String>>,
    /// At most 20,000 characters or null.
    #[schema(value_type = Option<String>, max_length = 20_000)]
    #[serde(default)]
    pub impressions: PatchField<String>,
    /// At most 200 of 5,000 characters each; null means none. A text that the book has keeps its place, note and day.
    #[schema(value_type = Option<Vec<String>>, max_items = 200)]
    #[serde(default)]
    pub quotes: PatchField<Vec<String>>,
    /// The quotes with their places, notes and days, at most 200; null means none. Where both are sent, `quotes` is ignored.
    #[schema(value_type = Option<Vec<Passage>>, max_items = 200)]
    #[serde(default)]
    pub passages: PatchField<Quotes>,
    /// `spread` requires a start date, `logged` a place that was noted.
    #[schema(value_type = Option<WordDistribution>)]
    #[serde(default)]
    pub word_distribution: PatchField<WordDistribution>,
    /// At most 50 persons with names of 500 characters; null means none.
    #[schema(value_type = Option<Vec<Contributor>>, max_items = 50)]
    #[serde(default)]
    pub contributors: PatchField<Vec<Contributor>>,
    /// A name of 1 to 200 characters and perhaps a number of 20, or null. It is written to all reads of the work.
    #[schema(value_type = Option<Series>)]
    #[serde(default)]
    pub series: PatchField<Series>,
    /// At most 50 of 100 characters each, without commas; null means none. They are written to all reads of the work.
    #[schema(value_type = Option<Vec<String>>, max_items = 50)]
    #[serde(default)]
    pub tags: PatchField<Vec<String>>,
    /// At most 200 characters or null.
    #[schema(value_type = Option<String>, max_length = 200)]
    #[serde(default)]
    pub publisher: PatchField<String>,
    /// When the edition appeared: yyyy, yyyy-MM, yyyy-MM-dd or null.
    #[schema(value_type = Option<String>)]
    #[serde(default)]
    pub published: PatchField<String>,
    /// The year in which the book first appeared, -3000 to 2100, or null. It is written to all reads of the work.
    #[schema(value_type = Option<i64>, minimum = -3000, maximum = 2100)]
    #[serde(default)]
    pub original_year: PatchField<i64>,
    /// A language tag of BCP 47 like `en` or `pt-BR`, or null.
    #[schema(value_type = Option<String>)]
    #[serde(default)]
    pub language: PatchField<String>,
    /// Whether nobody else sees the book; false by default. It is written to all reads of the work.
    #[schema(value_type = Option<bool>)]
    #[serde(default)]
    pub private: PatchField<bool>,
    /// Why a text in `dateCompleted` is not a rough date.
    #[schema(ignore)]
    #[serde(skip)]
    pub(super) refused_date: Option<Refusal>,
}

impl BookFields {
    /// The finish of a read on a day. Its words count as they do, or as said here.
    pub fn finish(day: chrono::NaiveDate, word_distribution: PatchField<WordDistribution>) -> Self {
        Self {
            status: PatchField::Value(BookStatus::Completed),
            date_completed: PatchField::Value(day.to_string()),
            word_distribution,
            ..Self::default()
        }
    }

    /// The same with the two ends of a rough date, if `dateCompleted` is one: a text like `2019` or `spring 2020`. A refused one is
    /// reported with the other fields.
    #[must_use]
    pub fn with_both_ends(mut self, hemisphere: Hemisphere) -> Self {
        let PatchField::Value(typed) = &self.date_completed else { return self };
        if self.completed_from.is_given() || text::date(typed).is_some() {
            return self;
        }
        match RoughDate::parse(typed, hemisphere) {
            Ok(date) => {
                self.date_completed = PatchField::Value(date.to.to_string());
                self.completed_from = date.from.map_or(PatchField::Null, |from| PatchField::Value(from.to_string()));
            }
            Err(refusal) => self.refused_date = Some(refusal),
        }
        self
    }

    /// A new book. Absent and `null` fields have their defaults.
    pub fn into_new(self) -> Result<BookDraft, FieldErrors> {
        let named = Self {
            title: self.title.null_is_absent(),
            author: self.author.null_is_absent(),
            authors: self.authors.null_is_absent(),
            word_count: self.word_count.null_is_absent(),
            word_count_source: self.word_count_source.null_is_absent(),
            status: self.status.null_is_absent(),
            format: self.format.null_is_absent(),
            reread: self.reread.null_is_absent(),
            word_distribution: self.word_distribution.null_is_absent(),
            private: self.private.null_is_absent(),
            ..self
        };
        named.onto(BookDraft::default())
    }

    /// A changed book. Absent fields stay unchanged, `null` clears optional fields, and a new status clears the fields that it
    /// does not allow. Also returns the fields that were cleared without having been sent.
    pub fn into_changed(self, book: &Book<'_>) -> Result<(BookDraft, Vec<&'static str>), FieldErrors> {
        let mut draft = book.draft();
        if let PatchField::Value(status) = self.status {
            clear_for(status, &mut draft);
        }
        if self.date_completed.is_there() && !self.completed_from.is_there() {
            let stored = |sent: &String| text::date(sent) == draft.date_completed;
            draft.completed_from.take_if(|_| !matches!(&self.date_completed, PatchField::Value(sent) if stored(sent)));
        }
        // A sent word count counts as entered, whatever its source was before.
        if self.word_count.is_given() {
            draft.word_count_source = WordCountSource::Entered;
        }
        if !self.word_distribution.is_given() {
            // Without a start date words can't be spread, and with a rough date not at all, unless this payload asks for it, which
            // is then refused.
            let start_goes =
                self.start_date == PatchField::Null || (draft.start_date.is_none() && !self.start_date.is_given());
            let spreads = draft.word_distribution == WordDistribution::Spread;
            if (spreads && start_goes)
                || draft.status == BookStatus::Undated
                || self.has_rough_date(draft.date_completed)
            {
                draft.word_distribution = WordDistribution::Final;
            }
        }
        let sent = [
            self.start_date.is_there(),
            self.date_completed.is_there(),
            self.completed_from.is_there(),
            self.stopped_date.is_there(),
            self.paused_since.is_there(),
            self.rating.is_there(),
            self.word_distribution.is_there(),
        ];
        let draft = self.onto(draft)?;
        let gone = filled(&book.draft()).into_iter().zip(filled(&draft)).zip(sent);
        let gone = gone.filter(|(((_, before), (_, after)), sent)| *before && !after && !sent);
        let cleared = gone.map(|(((field, _), _), _)| field).collect();
        Ok((draft, cleared))
    }

    /// Whether the payload makes the completion rough. A first possible day that is the day of completion does not. `stored` is that
    /// day where none is sent.
    fn has_rough_date(&self, stored: Option<chrono::NaiveDate>) -> bool {
        let PatchField::Value(from) = &self.completed_from else { return false };
        let to = match &self.date_completed {
            PatchField::Value(to) => text::date(to),
            _ => stored,
        };
        text::date(from) != to
    }

    /// Applies the sent fields to a draft, and validates the result.
    pub(super) fn onto(self, mut draft: BookDraft) -> Result<BookDraft, FieldErrors> {
        let mut errors = FieldErrors::new();
        let e = &mut errors;
        self.title.set(&mut draft.title, e, "title", "The title must be a text.");
        let is_list = self.authors.is_there();
        if is_list {
            self.authors.set(&mut draft.authors, e, "authors", "Authors must be a list of names.");
        } else {
            // The text that stands for several authors does not make them one.
            let is_known = |sent: &String| sent.trim() == draft.author();
            let author = match self.author {
                PatchField::Value(sent) if is_known(&sent) => PatchField::Absent,
                sent => sent.and_then(|name| Some(vec![name])),
            };
            author.set(&mut draft.authors, e, "author", "The author must be a text.");
        }
        // What follows from the lengths follows a change of them, unless the words are sent with it.
        let follows =
            !self.word_count.is_there() && (self.minutes.is_there() || self.pages.is_there() || self.format.is_there());
        let had_minutes = draft.minutes.is_some();
        self.word_count.set(&mut draft.word_count, e, "wordCount", WORDS_RANGE);
        self.word_count_source.set(&mut draft.word_count_source, e, "wordCountSource", SOURCES);
        self.pages.set_or_clear(&mut draft.pages, e, "pages", PAGES_RANGE);
        self.minutes.set_or_clear(&mut draft.minutes, e, "minutes", MINUTES_RANGE);
        self.isbn.set_or_clear(&mut draft.isbn, e, "isbn", "The ISBN must be a text.");
        let statuses = "The status must be completed, in-progress, undated or did-not-finish.";
        self.status.set(&mut draft.status, e, "status", statuses);
        match self.refused_date {
            Some(Refusal::Unknown) => e.add("dateCompleted", DATES),
            Some(refusal) => e.add("dateCompleted", refusal.to_string()),
            None => {}
        }
        for (sent, place, field) in [
            (self.start_date, &mut draft.start_date, "startDate"),
            (self.date_completed, &mut draft.date_completed, "dateCompleted"),
            (self.completed_from, &mut draft.completed_from, "completedFrom"),
            (self.stopped_date, &mut draft.stopped_date, "stoppedDate"),
            (self.paused_since, &mut draft.paused_since, "pausedSince"),
        ] {
            sent.and_then(|day| text::date(&day)).set_or_clear(place, e, field, "Dates must be written yyyy-MM-dd.");
        }
        let points = "The rating must be a number from 0 to 10 with at most one decimal.";
        self.rating.set_or_clear(&mut draft.rating, e, "rating", points);
        self.format.set(&mut draft.format, e, "format", FORMATS);
        self.reread.set(&mut draft.reread, e, "reread", "Reread must be true or false.");
        self.genres.null_is_empty().set(&mut draft.genres, e, "genres", "Genres must be a list of texts.");
        self.impressions.set_or_clear(&mut draft.impressions, e, "impressions", "The impressions must be a text.");
        let are_passages = self.passages.is_there();
        if are_passages {
            self.passages.null_is_empty().set(&mut draft.quotes, e, "passages", PASSAGES);
        } else {
            match self.quotes.null_is_empty() {
                PatchField::Value(texts) => draft.quotes.set_texts(texts),
                sent => {
                    sent.checked(e, "quotes", "Quotes must be a list of texts.");
                }
            }
        }
        let ways = "The words' distribution must be final, spread or logged.";
        self.word_distribution.set(&mut draft.word_distribution, e, "wordDistribution", ways);
        let facts = &mut draft.facts;
        let persons =
            "Contributors must be a list of names with roles: translator, narrator, editor, illustrator or other.";
        self.contributors.null_is_empty().set(&mut facts.contributors, e, "contributors", persons);
        self.series.set_or_clear(
            &mut facts.series,
            e,
            "series",
            "The series must have a name and perhaps a number, both texts.",
        );
        self.tags.null_is_empty().set(&mut facts.tags, e, "tags", TAGS);
        self.publisher.set_or_clear(&mut facts.publisher, e, "publisher", "The publisher must be a text.");
        let publication = "The date of publication must be written yyyy, yyyy-MM or yyyy-MM-dd.";
        self.published.set_or_clear(&mut facts.published, e, "published", publication);
        let year = "The original year must be a whole number from -3000 to 2100.";
        self.original_year.set_or_clear(&mut facts.original_year, e, "originalYear", year);
        self.language.set_or_clear(&mut facts.language, e, "language", LANGUAGES);
        self.private.set(&mut facts.private, e, "private", PRIVATE);
        if follows && (had_minutes || draft.minutes.is_some()) {
            draft.estimate_words();
        }
        let names = [("author", "authors", is_list), ("quotes", "passages", are_passages)];
        let named = |errors: FieldErrors| {
            names.into_iter().filter(|name| name.2).fold(errors, |errors, (from, to, _)| errors.renamed(from, to))
        };
        errors.and(draft.checked().map_err(named))
    }
}

/// Clears what a status may not have.
fn clear_for(status: BookStatus, draft: &mut BookDraft) {
    draft.status = status;
    if status != BookStatus::Completed {
        draft.date_completed = None;
        draft.completed_from = None;
    }
    if status != BookStatus::InProgress {
        draft.paused_since = None;
    }
    if status != BookStatus::DidNotFinish {
        draft.stopped_date = None;
    }
    match status {
        BookStatus::InProgress => draft.rating = None,
        BookStatus::Undated => draft.start_date = None,
        BookStatus::Completed | BookStatus::DidNotFinish => {}
    }
}

/// The fields that a change can clear without being asked, and whether they are filled.
fn filled(draft: &BookDraft) -> [(&'static str, bool); 7] {
    [
        ("startDate", draft.start_date.is_some()),
        ("dateCompleted", draft.date_completed.is_some()),
        ("completedFrom", draft.completed_from.is_some()),
        ("stoppedDate", draft.stopped_date.is_some()),
        ("pausedSince", draft.paused_since.is_some()),
        ("rating", draft.rating.is_some()),
        ("wordDistribution", draft.word_distribution != WordDistribution::Final),
    ]
}

#[cfg(test)]
#[path = "payload_tests.rs"]
mod tests;
