//! Items of the to-be-read list and their validation (docs/rules.md, "To-be-read list").
use std::borrow::Cow;

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::kit::FieldErrors;
use crate::kit::http::patch_field::PatchField;
use crate::kit::id::id;
use crate::library::books::authors::check_name;
use crate::library::books::facts::BookFacts;
use crate::library::books::model::{
    BookDraft, BookFormat, BookStatus, IMPRESSIONS_LENGTH, PAGES_RANGE, WORDS_RANGE, WordCountSource, check_isbn,
    check_numbers, estimated_words,
};
use crate::library::books::payload::{FORMATS, SOURCES, TAGS};
use crate::library::books::series_title::{series_of, with_series};
use crate::library::text;

id! {
    /// The number of an item of the to-be-read list. It contains the owner's number like that of a book.
    TbrId
}

/// A book that a reader plans to read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TbrItem<'a> {
    /// A positive number, never reused.
    #[schema(value_type = i64)]
    pub id: TbrId,
    /// 1 to 500 characters.
    pub title: Cow<'a, str>,
    /// 1 to 500 characters, if known.
    #[schema(required)]
    pub author: Option<Cow<'a, str>>,
    /// 0 to 100,000,000, if known.
    #[schema(required)]
    pub word_count: Option<i64>,
    /// At most 20,000 characters.
    #[schema(required)]
    pub notes: Option<Cow<'a, str>>,
    /// 1 to 100,000.
    #[schema(required)]
    pub pages: Option<i64>,
    /// 13 digits.
    #[schema(required)]
    pub isbn: Option<Cow<'a, str>>,
    /// The format in which it will be read, if known. The book has it once it is started.
    #[schema(required)]
    pub format: Option<BookFormat>,
    /// The book has these tags once it is started.
    pub tags: Vec<String>,
    /// The origin of the word count, if known; null where the word count is.
    #[schema(required)]
    pub word_count_source: Option<WordCountSource>,
    /// The sort key of the list, lowest first.
    pub position: i64,
    /// When it was added, RFC 3339 in UTC.
    pub created_at: Cow<'a, str>,
}

impl TbrItem<'_> {
    /// The same item without borrowed texts.
    pub fn into_owned(self) -> TbrItem<'static> {
        let owned = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
        TbrItem {
            title: owned(self.title),
            author: self.author.map(owned),
            notes: self.notes.map(owned),
            isbn: self.isbn.map(owned),
            created_at: owned(self.created_at),
            ..self
        }
    }

    /// A draft with the same content.
    pub fn draft(&self) -> TbrDraft {
        TbrDraft {
            title: self.title.to_string(),
            author: self.author.as_deref().map(str::to_owned),
            word_count: self.word_count,
            notes: self.notes.as_deref().map(str::to_owned),
            pages: self.pages,
            isbn: self.isbn.as_deref().map(str::to_owned),
            format: self.format,
            tags: self.tags.clone(),
            word_count_source: self.word_count_source,
        }
    }

    /// The book in progress that this item becomes when its reader starts it on the day `today`. The notes become its
    /// impressions, an unknown word count is computed from the pages, and the series leaves the title.
    ///
    /// # Errors
    /// One sentence about `author` when the item has no author.
    pub fn started(&self, today: NaiveDate) -> Result<BookDraft, FieldErrors> {
        let format = self.format.unwrap_or_default();
        let (word_count, word_count_source) = match self.word_count {
            None => estimated_words(format, self.pages, None).unwrap_or_default(),
            Some(words) => (words, self.word_count_source.unwrap_or_default()),
        };
        let (title, series) = match series_of(&self.title) {
            Some((title, series)) => (title, Some(series)),
            None => (&*self.title, None),
        };
        let draft = BookDraft {
            title: title.to_owned(),
            authors: self.author.as_deref().map(str::to_owned).into_iter().collect(),
            word_count,
            word_count_source,
            pages: self.pages,
            isbn: self.isbn.as_deref().map(str::to_owned),
            status: BookStatus::InProgress,
            format,
            facts: BookFacts { series, tags: self.tags.clone(), ..BookFacts::default() },
            start_date: Some(today),
            impressions: self.notes.as_deref().map(str::to_owned),
            ..BookDraft::default()
        };
        draft.checked()
    }
}

/// An item to be written. Fill the fields, then call [`TbrDraft::checked`].
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TbrDraft {
    pub title: String,
    /// See [`TbrItem::author`]; a blank author means none.
    pub author: Option<String>,
    pub word_count: Option<i64>,
    /// See [`TbrItem::notes`]; an empty text means none.
    pub notes: Option<String>,
    pub pages: Option<i64>,
    /// An ISBN-10 or ISBN-13 as entered; 13 digits once checked.
    pub isbn: Option<String>,
    pub format: Option<BookFormat>,
    pub tags: Vec<String>,
    /// See [`TbrItem::word_count_source`]; none once checked where the words are unknown.
    pub word_count_source: Option<WordCountSource>,
}

impl TbrDraft {
    /// Validates the draft and converts it to the stored form: title and author trimmed, the ISBN as 13 digits.
    pub fn checked(mut self) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::new();
        self.title = self.title.trim().to_owned();
        check_name(&mut errors, "title", "The title", &self.title);
        self.author = self.author.map(|author| author.trim().to_owned()).filter(|author| !author.is_empty());
        if let Some(author) = &self.author {
            check_name(&mut errors, "author", "The author", author);
        }
        check_numbers(&mut errors, self.word_count, self.pages);
        check_isbn(&mut errors, &mut self.isbn);
        self.word_count_source = self.word_count_source.filter(|_| self.word_count.is_some());
        let mut facts = BookFacts { tags: std::mem::take(&mut self.tags), ..BookFacts::default() };
        facts.check(&mut errors);
        self.tags = facts.tags;
        self.notes.take_if(|notes| notes.is_empty());
        if let Some(notes) = &self.notes {
            text::check(&mut errors, "notes", "The notes", notes, IMPRESSIONS_LENGTH);
        }
        if errors.is_empty() { Ok(self) } else { Err(errors) }
    }
}

/// The fields of an item as a client sends them; unknown keys are ignored.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TbrItemFields {
    /// Required for a new item; 1 to 500 characters after trimming.
    #[schema(value_type = Option<String>, min_length = 1, max_length = 500)]
    #[serde(default)]
    pub title: PatchField<String>,
    /// At most 500 characters or null.
    #[schema(value_type = Option<String>, max_length = 500)]
    #[serde(default)]
    pub author: PatchField<String>,
    /// 0 to 100,000,000 or null.
    #[schema(value_type = Option<i64>, minimum = 0, maximum = 100_000_000)]
    #[serde(default)]
    pub word_count: PatchField<i64>,
    /// At most 20,000 characters or null.
    #[schema(value_type = Option<String>, max_length = 20_000)]
    #[serde(default)]
    pub notes: PatchField<String>,
    /// 1 to 100,000 or null.
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 100_000)]
    #[serde(default)]
    pub pages: PatchField<i64>,
    /// A valid ISBN-10 or ISBN-13 or null.
    #[schema(value_type = Option<String>)]
    #[serde(default)]
    pub isbn: PatchField<String>,
    /// The format in which it will be read, or null.
    #[schema(value_type = Option<BookFormat>)]
    #[serde(default)]
    pub format: PatchField<BookFormat>,
    /// At most 50 of 100 characters each, without commas; null means none.
    #[schema(value_type = Option<Vec<String>>, max_items = 50)]
    #[serde(default)]
    pub tags: PatchField<Vec<String>>,
    /// The origin of the word count, or null. A changed word count has none, unless it is sent with it.
    #[schema(value_type = Option<WordCountSource>)]
    #[serde(default)]
    pub word_count_source: PatchField<WordCountSource>,
}

impl TbrDraft {
    /// The item that a read becomes when it goes back to the list. A series stands behind the title, and the impressions are the notes.
    pub fn of_read(read: &BookDraft) -> Self {
        let has_words = read.word_count > 0;
        Self {
            title: match &read.facts.series {
                Some(series) => with_series(&read.title, series),
                None => read.title.clone(),
            },
            author: Some(read.author()),
            word_count: has_words.then_some(read.word_count),
            notes: read.impressions.clone(),
            pages: read.pages,
            isbn: read.isbn.clone(),
            format: Some(read.format),
            tags: read.facts.tags.clone(),
            word_count_source: has_words.then_some(read.word_count_source),
        }
    }
}

impl TbrItemFields {
    /// A new item; `null` fields count as absent.
    pub fn into_new(self) -> Result<TbrDraft, FieldErrors> {
        Self { title: self.title.null_is_absent(), ..self }.onto(TbrDraft::default())
    }

    /// A changed item. Absent fields stay unchanged, `null` clears every field except the title.
    pub fn into_changed(self, item: &TbrItem<'_>) -> Result<TbrDraft, FieldErrors> {
        self.onto(item.draft())
    }

    fn onto(self, mut draft: TbrDraft) -> Result<TbrDraft, FieldErrors> {
        let mut errors = FieldErrors::new();
        let e = &mut errors;
        self.title.set(&mut draft.title, e, "title", "The title must be a text.");
        self.author.set_or_clear(&mut draft.author, e, "author", "The author must be a text.");
        let before = draft.word_count;
        self.word_count.set_or_clear(&mut draft.word_count, e, "wordCount", WORDS_RANGE);
        if draft.word_count != before {
            draft.word_count_source = None;
        }
        self.notes.set_or_clear(&mut draft.notes, e, "notes", "The notes must be a text.");
        self.pages.set_or_clear(&mut draft.pages, e, "pages", PAGES_RANGE);
        self.isbn.set_or_clear(&mut draft.isbn, e, "isbn", "The ISBN must be a text.");
        self.format.set_or_clear(&mut draft.format, e, "format", FORMATS);
        self.tags.null_is_empty().set(&mut draft.tags, e, "tags", TAGS);
        self.word_count_source.set_or_clear(&mut draft.word_count_source, e, "wordCountSource", SOURCES);
        errors.and(draft.checked())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item() -> TbrItem<'static> {
        TbrItem {
            id: TbrId(1),
            title: "Ulysses".into(),
            author: Some("James Joyce".into()),
            word_count: None,
            notes: Some("someday".into()),
            pages: Some(700),
            isbn: None,
            format: None,
            tags: Vec::new(),
            word_count_source: None,
            position: 1,
            created_at: "2025-01-03T10:00:00Z".into(),
        }
    }

    fn payload(json: serde_json::Value) -> TbrItemFields {
        serde_json::from_value(json).unwrap()
    }

    #[test]
    fn only_the_title_is_required_and_blank_texts_are_none() {
        let draft =
            payload(serde_json::json!({"title": " U ", "author": "  ", "notes": "", "isbn": ""})).into_new().unwrap();
        assert_eq!(draft, TbrDraft { title: "U".into(), ..TbrDraft::default() });
        assert!(payload(serde_json::json!({"title": null})).into_new().unwrap_err().get("title").is_some());
        // A name never has what separates the authors of a book.
        let two = payload(serde_json::json!({"title": "U", "author": "A\u{1f}B"}));
        assert!(two.into_new().unwrap_err().get("author").is_some());
    }

    #[test]
    fn a_started_item_keeps_what_an_import_said_of_it() {
        let today = NaiveDate::from_ymd_opt(2025, 3, 9).unwrap();
        let listed = TbrItem {
            word_count: Some(192_500),
            word_count_source: Some(WordCountSource::Pages),
            format: Some(BookFormat::EBook),
            tags: vec!["classics".to_owned(), "club".to_owned()],
            ..item()
        };
        let titled = TbrItem { title: "Leviathan Wakes (The Expanse, #1)".into(), ..item() }.started(today).unwrap();
        let series = titled.facts.series.map(|series| (series.name, series.number));
        assert_eq!((&titled.title[..], series), ("Leviathan Wakes", Some(("The Expanse".into(), Some("1".into())))));
        let book = listed.started(today).unwrap();
        assert_eq!((book.word_count_source, book.format), (WordCountSource::Pages, BookFormat::EBook));
        assert_eq!(book.facts.tags, ["classics", "club"]);
        let changed = payload(serde_json::json!({"wordCount": 5})).into_changed(&listed).unwrap();
        assert_eq!((changed.word_count_source, changed.format), (None, Some(BookFormat::EBook)));
    }

    #[test]
    fn a_change_keeps_what_is_absent_and_clears_what_is_null() {
        let draft = payload(serde_json::json!({"author": null, "wordCount": 5})).into_changed(&item()).unwrap();
        assert_eq!((draft.author, draft.word_count, draft.pages), (None, Some(5), Some(700)));
        for (sent, field) in [
            (serde_json::json!({"title": null}), "title"),
            (serde_json::json!({"wordCount": "5"}), "wordCount"),
            (serde_json::json!({"format": "Scroll"}), "format"),
            (serde_json::json!({"tags": "club"}), "tags"),
            (serde_json::json!({"tags": ["a,b"]}), "tags"),
            (serde_json::json!({"wordCountSource": "guess"}), "wordCountSource"),
        ] {
            assert!(payload(sent.clone()).into_changed(&item()).unwrap_err().get(field).is_some(), "{sent}");
        }
    }

    #[test]
    fn a_payload_says_the_format_the_tags_and_the_origin_of_the_words() {
        let sent = serde_json::json!({"title": "U", "wordCount": 5, "wordCountSource": "epub", "format": "Audio",
            "tags": [" Club ", "club", "", "lent"]});
        let draft = payload(sent).into_new().unwrap();
        assert_eq!((draft.format, draft.word_count_source), (Some(BookFormat::Audio), Some(WordCountSource::Epub)));
        assert_eq!(draft.tags, ["Club", "lent"]);
        let listed = TbrItem { word_count: Some(5), format: draft.format, tags: draft.tags, ..item() };
        let cleared = payload(serde_json::json!({"format": null, "tags": null})).into_changed(&listed).unwrap();
        assert_eq!((cleared.format, cleared.tags.len()), (None, 0));
        let without_words = serde_json::json!({"title": "U", "wordCountSource": "pages"});
        assert_eq!(payload(without_words).into_new().unwrap().word_count_source, None);
    }

    #[test]
    fn a_started_item_is_in_progress_with_its_notes_as_impressions_and_words_from_its_pages() {
        let today = NaiveDate::from_ymd_opt(2025, 3, 9).unwrap();
        let book = item().started(today).unwrap();
        assert_eq!(book.start_date, Some(today));
        assert_eq!((book.status, book.impressions.as_deref()), (BookStatus::InProgress, Some("someday")));
        assert_eq!((book.word_count, book.word_count_source), (192_500, WordCountSource::Pages));
        assert!(TbrItem { author: None, ..item() }.started(today).unwrap_err().get("author").is_some());
    }
}
