//! The fields of a read that are compared between the last file, the library and the new file, each by itself.
use serde_json::{Value, json};

use crate::kit::named::named;
use crate::library::books::model::{BookDraft, BookStatus, WordCountSource, WordDistribution};
use crate::library::rough_date::RoughDate;

named! {
    /// A field that a newer file of a tracker may change.
    SyncField {
        /// The title.
        Title = "title",
        /// All authors.
        Author = "author",
        /// Waiting, in progress, given up, finished.
        Status = "status",
        /// The completion date, which may be rough.
        DateCompleted = "dateCompleted",
        /// The first day of reading.
        StartDate = "startDate",
        /// The day on which the book was given up.
        StoppedDate = "stoppedDate",
        /// Whether the book is paused.
        PausedSince = "pausedSince",
        /// The rating.
        Rating = "rating",
        /// The format.
        Format = "format",
        /// Whether it was read before.
        Reread = "reread",
        /// The genres.
        Genres = "genres",
        /// The impressions.
        Impressions = "impressions",
        /// The quotes.
        Quotes = "quotes",
        /// The words with their source.
        WordCount = "wordCount",
        /// The pages.
        Pages = "pages",
        /// The length in minutes.
        Minutes = "minutes",
        /// The ISBN.
        Isbn = "isbn",
        /// Persons other than the authors.
        Contributors = "contributors",
        /// The series and the number in it.
        Series = "series",
        /// The tags.
        Tags = "tags",
        /// The publisher.
        Publisher = "publisher",
        /// When the edition appeared.
        Published = "published",
        /// The year in which the book first appeared.
        OriginalYear = "originalYear",
        /// The language.
        Language = "language",
        /// The notes of an item of the list.
        Notes = "notes",
    }
}

/// The fields that do not depend on the status, in the order in which they are shown.
pub const PLAIN: [SyncField; 19] = [
    SyncField::Title,
    SyncField::Author,
    SyncField::Rating,
    SyncField::Format,
    SyncField::Reread,
    SyncField::Genres,
    SyncField::Impressions,
    SyncField::Quotes,
    SyncField::Pages,
    SyncField::Minutes,
    SyncField::WordCount,
    SyncField::Isbn,
    SyncField::Contributors,
    SyncField::Series,
    SyncField::Tags,
    SyncField::Publisher,
    SyncField::Published,
    SyncField::OriginalYear,
    SyncField::Language,
];

/// The dates that reads of a status have.
pub fn dates_of(status: BookStatus) -> &'static [SyncField] {
    match status {
        BookStatus::Completed | BookStatus::Undated => &[SyncField::DateCompleted, SyncField::StartDate],
        BookStatus::InProgress => &[SyncField::StartDate, SyncField::PausedSince],
        BookStatus::DidNotFinish => &[SyncField::StartDate, SyncField::StoppedDate],
    }
}

/// The completion date of a read as it is exported.
pub fn completion(draft: &BookDraft) -> Option<String> {
    draft.date_completed.map(|to| RoughDate { from: draft.completed_from, to }.exported())
}

/// The value of a field, as the API shows it.
pub fn value(field: SyncField, draft: &BookDraft) -> Value {
    let facts = &draft.facts;
    match field {
        SyncField::Title => json!(draft.title),
        SyncField::Author => json!(draft.author()),
        SyncField::Status => json!(draft.status),
        SyncField::DateCompleted => json!(completion(draft)),
        SyncField::StartDate => json!(draft.start_date),
        SyncField::StoppedDate => json!(draft.stopped_date),
        SyncField::PausedSince => json!(draft.paused_since),
        SyncField::Rating => json!(draft.rating),
        SyncField::Format => json!(draft.format),
        SyncField::Reread => json!(draft.reread),
        SyncField::Genres => json!(draft.genres),
        SyncField::Impressions | SyncField::Notes => json!(draft.impressions),
        SyncField::Quotes => json!(draft.quotes),
        SyncField::WordCount => json!(Some(draft.word_count).filter(|words| *words > 0)),
        SyncField::Pages => json!(draft.pages),
        SyncField::Minutes => json!(draft.minutes),
        SyncField::Isbn => json!(draft.isbn),
        SyncField::Contributors => json!(facts.contributors),
        SyncField::Series => json!(facts.series),
        SyncField::Tags => json!(facts.tags),
        SyncField::Publisher => json!(facts.publisher),
        SyncField::Published => json!(facts.published),
        SyncField::OriginalYear => json!(facts.original_year),
        SyncField::Language => json!(facts.language),
    }
}

/// Whether a read has no value.
pub fn is_empty(field: SyncField, draft: &BookDraft) -> bool {
    let value = value(field, draft);
    value.is_null() || value.as_array().is_some_and(Vec::is_empty)
}

/// Whether two reads have the same value. Of a pause only its existence counts, because its day is often only that of the import.
pub fn are_equal(field: SyncField, one: &BookDraft, other: &BookDraft) -> bool {
    match field {
        SyncField::Impressions | SyncField::Notes => one.impressions == other.impressions,
        SyncField::PausedSince => one.paused_since.is_some() == other.paused_since.is_some(),
        _ => value(field, one) == value(field, other),
    }
}

/// Gives a read the value of another one.
pub fn set(field: SyncField, draft: &mut BookDraft, from: &BookDraft) {
    let (facts, new) = (&mut draft.facts, &from.facts);
    match field {
        SyncField::Title => draft.title.clone_from(&from.title),
        SyncField::Author => draft.authors.clone_from(&from.authors),
        SyncField::Status => draft.status = from.status,
        SyncField::DateCompleted => {
            (draft.date_completed, draft.completed_from) = (from.date_completed, from.completed_from);
            draft.status = if draft.date_completed.is_some() { BookStatus::Completed } else { BookStatus::Undated };
        }
        SyncField::StartDate => draft.start_date = from.start_date,
        SyncField::StoppedDate => draft.stopped_date = from.stopped_date,
        SyncField::PausedSince => draft.paused_since = from.paused_since,
        SyncField::Rating => draft.rating = from.rating,
        SyncField::Format => draft.format = from.format,
        SyncField::Reread => draft.reread = from.reread,
        SyncField::Genres => draft.genres.clone_from(&from.genres),
        SyncField::Impressions | SyncField::Notes => draft.impressions.clone_from(&from.impressions),
        SyncField::Quotes => draft.quotes.clone_from(&from.quotes),
        SyncField::WordCount => {
            (draft.word_count, draft.word_count_source) = (from.word_count, from.word_count_source);
        }
        SyncField::Pages => draft.pages = from.pages,
        SyncField::Minutes => draft.minutes = from.minutes,
        SyncField::Isbn => draft.isbn.clone_from(&from.isbn),
        SyncField::Contributors => facts.contributors.clone_from(&new.contributors),
        SyncField::Series => facts.series.clone_from(&new.series),
        SyncField::Tags => facts.tags.clone_from(&new.tags),
        SyncField::Publisher => facts.publisher.clone_from(&new.publisher),
        SyncField::Published => facts.published.clone_from(&new.published),
        SyncField::OriginalYear => facts.original_year = new.original_year,
        SyncField::Language => facts.language.clone_from(&new.language),
    }
}

/// Clears what the status of a read may not have, so that the read can be stored.
pub fn fit_status(draft: &mut BookDraft) {
    if draft.status != BookStatus::Completed {
        (draft.date_completed, draft.completed_from) = (None, None);
    }
    if draft.status != BookStatus::DidNotFinish {
        draft.stopped_date = None;
    }
    if draft.status != BookStatus::InProgress {
        draft.paused_since = None;
    } else {
        draft.rating = None;
    }
    let end = draft.date_completed.or(draft.stopped_date);
    if draft.status == BookStatus::Undated
        || draft.completed_from.is_some()
        || draft.start_date.zip(end).is_some_and(|(start, end)| start > end)
    {
        draft.start_date = None;
    }
    let is_rough = draft.completed_from.is_some() || draft.status == BookStatus::Undated;
    if is_rough || (draft.word_distribution == WordDistribution::Spread && draft.start_date.is_none()) {
        draft.word_distribution = WordDistribution::Final;
    }
}

/// Whether the words of a read follow from its pages or its length.
pub fn has_estimated_words(draft: &BookDraft) -> bool {
    matches!(draft.word_count_source, WordCountSource::Pages | WordCountSource::Minutes) || draft.word_count == 0
}
