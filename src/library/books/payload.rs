//! Reads books from request bodies: new ones from the sent fields, changed ones from the existing book and the sent fields.
use serde::Deserialize;
use utoipa::ToSchema;

use super::model::{Book, BookDraft, Distribution, Format, Status, WordCountSource};
use crate::kit::FieldErrors;
use crate::kit::http::patch_field::PatchField;
use crate::library::text;

/// The fields of a book as a client sends them. `year` and `month` are derived, and ignored like all unknown keys.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = BookFields)]
pub struct BookPayload {
    /// Required for a new book; 1 to 500 characters after trimming.
    #[schema(value_type = Option<String>, min_length = 1, max_length = 500)]
    #[serde(default)]
    pub title: PatchField<String>,
    /// Required for a new book; 1 to 500 characters after trimming.
    #[schema(value_type = Option<String>, min_length = 1, max_length = 500)]
    #[serde(default)]
    pub author: PatchField<String>,
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
    /// A valid ISBN-10 or ISBN-13, with or without hyphens, or null.
    #[schema(value_type = Option<String>)]
    #[serde(default)]
    pub isbn: PatchField<String>,
    /// `completed` by default.
    #[schema(value_type = Option<Status>)]
    #[serde(default)]
    pub status: PatchField<Status>,
    /// yyyy-MM-dd or null.
    #[schema(value_type = Option<chrono::NaiveDate>)]
    #[serde(default)]
    pub start_date: PatchField<String>,
    /// yyyy-MM-dd or null; required for a completed book.
    #[schema(value_type = Option<chrono::NaiveDate>)]
    #[serde(default)]
    pub date_completed: PatchField<String>,
    /// 0 to 10 or null.
    #[schema(value_type = Option<i64>, minimum = 0, maximum = 10)]
    #[serde(default)]
    pub rating: PatchField<i64>,
    /// `Print` by default.
    #[schema(value_type = Option<Format>)]
    #[serde(default)]
    pub format: PatchField<Format>,
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
    /// At most 200 of 5,000 characters each; null means none.
    #[schema(value_type = Option<Vec<String>>, max_items = 200)]
    #[serde(default)]
    pub quotes: PatchField<Vec<String>>,
    /// `spread` requires a start date.
    #[schema(value_type = Option<Distribution>)]
    #[serde(default)]
    pub word_distribution: PatchField<Distribution>,
}

impl BookPayload {
    /// A new book. Absent and `null` fields have their defaults.
    ///
    /// # Errors
    /// One sentence for each invalid field.
    pub fn into_new(self) -> Result<BookDraft, FieldErrors> {
        let named = Self {
            title: self.title.null_is_absent(),
            author: self.author.null_is_absent(),
            word_count: self.word_count.null_is_absent(),
            word_count_source: self.word_count_source.null_is_absent(),
            status: self.status.null_is_absent(),
            format: self.format.null_is_absent(),
            reread: self.reread.null_is_absent(),
            word_distribution: self.word_distribution.null_is_absent(),
            ..self
        };
        named.onto(BookDraft::default())
    }

    /// A changed book. Absent fields stay unchanged, `null` clears optional fields, and a new status clears the fields that it
    /// does not allow.
    ///
    /// # Errors
    /// One sentence for each invalid field.
    pub fn into_changed(self, book: &Book<'_>) -> Result<BookDraft, FieldErrors> {
        let mut draft = book.draft();
        match self.status {
            PatchField::Value(Status::InProgress) => {
                draft.date_completed = None;
                draft.rating = None;
            }
            PatchField::Value(Status::Undated) => {
                draft.start_date = None;
                draft.date_completed = None;
            }
            _ => {}
        }
        // A sent word count counts as entered, whatever its source was before.
        if self.word_count.is_given() {
            draft.word_count_source = WordCountSource::Entered;
        }
        // Without a start date words can't be spread, unless this payload asks for it, which is then refused.
        let start_goes =
            self.start_date == PatchField::Null || (draft.start_date.is_none() && !self.start_date.is_given());
        if start_goes && !self.word_distribution.is_given() {
            draft.word_distribution = Distribution::Final;
        }
        self.onto(draft)
    }

    /// Applies the sent fields to a draft, and validates the result.
    fn onto(self, mut draft: BookDraft) -> Result<BookDraft, FieldErrors> {
        let mut errors = FieldErrors::new();
        let e = &mut errors;
        self.title.set(&mut draft.title, e, "title", "The title must be a text.");
        self.author.set(&mut draft.author, e, "author", "The author must be a text.");
        self.word_count.set(
            &mut draft.word_count,
            e,
            "wordCount",
            "The word count must be a whole number from 0 to 100,000,000.",
        );
        let sources = "The word count's source must be entered, pages or epub.";
        self.word_count_source.set(&mut draft.word_count_source, e, "wordCountSource", sources);
        self.pages.set_or_clear(
            &mut draft.pages,
            e,
            "pages",
            "The page count must be a whole number from 1 to 100,000.",
        );
        self.isbn.set_or_clear(&mut draft.isbn, e, "isbn", "The ISBN must be a text.");
        self.status.set(&mut draft.status, e, "status", "The status must be completed, in-progress or undated.");
        let dates = "Dates must be written yyyy-MM-dd.";
        self.start_date.and_then(|day| text::date(&day)).set_or_clear(&mut draft.start_date, e, "startDate", dates);
        self.date_completed.and_then(|day| text::date(&day)).set_or_clear(
            &mut draft.date_completed,
            e,
            "dateCompleted",
            dates,
        );
        self.rating.set_or_clear(&mut draft.rating, e, "rating", "The rating must be a whole number from 0 to 10.");
        self.format.set(&mut draft.format, e, "format", "The format must be Print, eBook or Audio.");
        self.reread.set(&mut draft.reread, e, "reread", "Reread must be true or false.");
        self.genres.null_is_empty().set(&mut draft.genres, e, "genres", "Genres must be a list of texts.");
        self.impressions.set_or_clear(&mut draft.impressions, e, "impressions", "The impressions must be a text.");
        self.quotes.null_is_empty().set(&mut draft.quotes, e, "quotes", "Quotes must be a list of texts.");
        let ways = "The words' distribution must be final or spread.";
        self.word_distribution.set(&mut draft.word_distribution, e, "wordDistribution", ways);
        errors.and(draft.checked())
    }
}

#[cfg(test)]
#[path = "payload_tests.rs"]
mod tests;
