//! Reads the request to read a book again: the edition may be another one than last time.
use chrono::NaiveDate;
use serde::Deserialize;
use utoipa::ToSchema;

use super::facts::Contributor;
use super::model::{Book, BookDraft, BookFormat, BookStatus, WordCountSource, WordDistribution};
use super::passages::Quotes;
use super::payload::BookFields;
use crate::kit::FieldErrors;
use crate::kit::http::patch_field::PatchField;

/// A further read of a book. Absent fields are those of the book, and the start is today. `null` means the same, but for pages,
/// length, ISBN and the facts of an edition, which it clears.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BookAgain {
    /// yyyy-MM-dd; today when absent.
    #[schema(value_type = Option<chrono::NaiveDate>)]
    #[serde(default)]
    pub start_date: PatchField<String>,
    /// The format of this read.
    #[schema(value_type = Option<BookFormat>)]
    #[serde(default)]
    pub format: PatchField<BookFormat>,
    /// 0 to 100,000,000.
    #[schema(value_type = Option<i64>, minimum = 0, maximum = 100_000_000)]
    #[serde(default)]
    pub word_count: PatchField<i64>,
    /// `entered` for a word count that is sent.
    #[schema(value_type = Option<WordCountSource>)]
    #[serde(default)]
    pub word_count_source: PatchField<WordCountSource>,
    /// 1 to 100,000; null when they are unknown.
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 100_000)]
    #[serde(default)]
    pub pages: PatchField<i64>,
    /// The length of an audiobook in minutes, 1 to 60,000; null when it is unknown.
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 60_000)]
    #[serde(default)]
    pub minutes: PatchField<i64>,
    /// A valid ISBN-10 or ISBN-13, with or without hyphens; null when it is unknown.
    #[schema(value_type = Option<String>)]
    #[serde(default)]
    pub isbn: PatchField<String>,
    /// At most 50 persons with names of 500 characters; null for none.
    #[schema(value_type = Option<Vec<Contributor>>, max_items = 50)]
    #[serde(default)]
    pub contributors: PatchField<Vec<Contributor>>,
    /// At most 200 characters; null when it is unknown.
    #[schema(value_type = Option<String>, max_length = 200)]
    #[serde(default)]
    pub publisher: PatchField<String>,
    /// yyyy, yyyy-MM or yyyy-MM-dd; null when it is unknown.
    #[schema(value_type = Option<String>)]
    #[serde(default)]
    pub published: PatchField<String>,
    /// A language tag of BCP 47; null when it is unknown.
    #[schema(value_type = Option<String>)]
    #[serde(default)]
    pub language: PatchField<String>,
    /// Whether the book was read before; by default, whether a read of it is finished.
    #[schema(value_type = Option<bool>)]
    #[serde(default)]
    pub reread: PatchField<bool>,
}

impl BookAgain {
    /// The new read of a book. `finished` says whether a read of it is.
    pub fn into_read(self, book: &Book<'_>, finished: bool, today: NaiveDate) -> Result<BookDraft, FieldErrors> {
        let mut draft = BookDraft {
            status: BookStatus::InProgress,
            start_date: Some(today),
            date_completed: None,
            completed_from: None,
            stopped_date: None,
            paused_since: None,
            rating: None,
            reread: finished,
            impressions: None,
            quotes: Quotes::default(),
            word_distribution: WordDistribution::Final,
            ..book.draft()
        };
        if self.word_count.is_given() {
            draft.word_count_source = WordCountSource::Entered;
        }
        let edition = BookFields {
            start_date: self.start_date.null_is_absent(),
            format: self.format.null_is_absent(),
            word_count: self.word_count.null_is_absent(),
            word_count_source: self.word_count_source.null_is_absent(),
            pages: self.pages,
            minutes: self.minutes,
            isbn: self.isbn,
            contributors: self.contributors,
            publisher: self.publisher,
            published: self.published,
            language: self.language,
            reread: self.reread.null_is_absent(),
            ..BookFields::default()
        };
        edition.onto(draft)
    }
}
