//! Reads the request to read a book again: the edition may be another one than last time.
use chrono::NaiveDate;
use serde::Deserialize;
use utoipa::ToSchema;

use super::model::{Book, BookDraft, Distribution, Format, Status, WordCountSource};
use crate::kit::FieldErrors;
use crate::kit::http::patch_field::PatchField;
use crate::library::text;

/// A further read of a book. Absent and `null` fields are those of the book, and the start is today.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = BookAgain)]
pub struct AgainPayload {
    /// yyyy-MM-dd; today when absent.
    #[schema(value_type = Option<chrono::NaiveDate>)]
    #[serde(default)]
    pub start_date: PatchField<String>,
    /// The format of this read.
    #[schema(value_type = Option<Format>)]
    #[serde(default)]
    pub format: PatchField<Format>,
    /// 0 to 100,000,000.
    #[schema(value_type = Option<i64>, minimum = 0, maximum = 100_000_000)]
    #[serde(default)]
    pub word_count: PatchField<i64>,
    /// `entered` for a word count that is sent.
    #[schema(value_type = Option<WordCountSource>)]
    #[serde(default)]
    pub word_count_source: PatchField<WordCountSource>,
    /// 1 to 100,000.
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 100_000)]
    #[serde(default)]
    pub pages: PatchField<i64>,
    /// A valid ISBN-10 or ISBN-13, with or without hyphens.
    #[schema(value_type = Option<String>)]
    #[serde(default)]
    pub isbn: PatchField<String>,
    /// Whether the book was read before; by default, whether a read of it is finished.
    #[schema(value_type = Option<bool>)]
    #[serde(default)]
    pub reread: PatchField<bool>,
}

impl AgainPayload {
    /// The new read of a book. `finished` says whether a read of it is.
    ///
    /// # Errors
    /// One sentence for each invalid field.
    pub fn into_read(self, book: &Book<'_>, finished: bool, today: NaiveDate) -> Result<BookDraft, FieldErrors> {
        let mut errors = FieldErrors::new();
        let e = &mut errors;
        let mut draft = BookDraft {
            status: Status::InProgress,
            start_date: Some(today),
            date_completed: None,
            completed_from: None,
            stopped_date: None,
            paused_since: None,
            rating: None,
            reread: finished,
            impressions: None,
            quotes: Vec::new(),
            word_distribution: Distribution::Final,
            ..book.draft()
        };
        if self.word_count.is_given() {
            draft.word_count_source = WordCountSource::Entered;
        }
        let start = self.start_date.null_is_absent().and_then(|day| text::date(&day));
        start.set_or_clear(&mut draft.start_date, e, "startDate", "Dates must be written yyyy-MM-dd.");
        self.format.null_is_absent().set(&mut draft.format, e, "format", "The format must be Print, eBook or Audio.");
        let words = "The word count must be a whole number from 0 to 100,000,000.";
        self.word_count.null_is_absent().set(&mut draft.word_count, e, "wordCount", words);
        let sources = "The word count's source must be entered, pages or epub.";
        self.word_count_source.null_is_absent().set(&mut draft.word_count_source, e, "wordCountSource", sources);
        let pages = "The page count must be a whole number from 1 to 100,000.";
        self.pages.null_is_absent().set_or_clear(&mut draft.pages, e, "pages", pages);
        self.isbn.null_is_absent().set_or_clear(&mut draft.isbn, e, "isbn", "The ISBN must be a text.");
        self.reread.null_is_absent().set(&mut draft.reread, e, "reread", "Reread must be true or false.");
        errors.and(draft.checked())
    }
}
