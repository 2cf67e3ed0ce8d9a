//! The fields of a read that are compared between the last file, the library and the new file, each by itself.
use serde_json::{Value, json};

use crate::kit::named::named;
use crate::library::books::model::{BookDraft, Distribution, Status, WordCountSource};
use crate::library::rough_date::RoughDate;

named! {
    /// A field that a newer file of a tracker may change.
    #[schema(as = SyncField)]
    Field {
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
pub const PLAIN: [Field; 19] = [
    Field::Title,
    Field::Author,
    Field::Rating,
    Field::Format,
    Field::Reread,
    Field::Genres,
    Field::Impressions,
    Field::Quotes,
    Field::Pages,
    Field::Minutes,
    Field::WordCount,
    Field::Isbn,
    Field::Contributors,
    Field::Series,
    Field::Tags,
    Field::Publisher,
    Field::Published,
    Field::OriginalYear,
    Field::Language,
];

/// The dates that reads of a status have.
pub fn dates_of(status: Status) -> &'static [Field] {
    match status {
        Status::Completed | Status::Undated => &[Field::DateCompleted, Field::StartDate],
        Status::InProgress => &[Field::StartDate, Field::PausedSince],
        Status::DidNotFinish => &[Field::StartDate, Field::StoppedDate],
    }
}

/// The completion date of a read as it is exported.
pub fn completion(draft: &BookDraft) -> Option<String> {
    draft.date_completed.map(|to| RoughDate { from: draft.completed_from, to }.exported())
}

/// The value of a field, as the API shows it.
pub fn value(field: Field, draft: &BookDraft) -> Value {
    let facts = &draft.facts;
    match field {
        Field::Title => json!(draft.title),
        Field::Author => json!(draft.author()),
        Field::Status => json!(draft.status),
        Field::DateCompleted => json!(completion(draft)),
        Field::StartDate => json!(draft.start_date),
        Field::StoppedDate => json!(draft.stopped_date),
        Field::PausedSince => json!(draft.paused_since),
        Field::Rating => json!(draft.rating),
        Field::Format => json!(draft.format),
        Field::Reread => json!(draft.reread),
        Field::Genres => json!(draft.genres),
        Field::Impressions | Field::Notes => json!(draft.impressions),
        Field::Quotes => json!(draft.quotes),
        Field::WordCount => json!(Some(draft.word_count).filter(|words| *words > 0)),
        Field::Pages => json!(draft.pages),
        Field::Minutes => json!(draft.minutes),
        Field::Isbn => json!(draft.isbn),
        Field::Contributors => json!(facts.contributors),
        Field::Series => json!(facts.series),
        Field::Tags => json!(facts.tags),
        Field::Publisher => json!(facts.publisher),
        Field::Published => json!(facts.published),
        Field::OriginalYear => json!(facts.original_year),
        Field::Language => json!(facts.language),
    }
}

/// Whether a read has no value.
pub fn is_empty(field: Field, draft: &BookDraft) -> bool {
    let value = value(field, draft);
    value.is_null() || value.as_array().is_some_and(Vec::is_empty)
}

/// Whether two reads have the same value. Of a pause only its existence counts, because its day is often only that of the import.
pub fn are_equal(field: Field, one: &BookDraft, other: &BookDraft) -> bool {
    match field {
        Field::Impressions | Field::Notes => one.impressions == other.impressions,
        Field::PausedSince => one.paused_since.is_some() == other.paused_since.is_some(),
        _ => value(field, one) == value(field, other),
    }
}

/// Gives a read the value of another one.
pub fn set(field: Field, draft: &mut BookDraft, from: &BookDraft) {
    let (facts, new) = (&mut draft.facts, &from.facts);
    match field {
        Field::Title => draft.title.clone_from(&from.title),
        Field::Author => draft.authors.clone_from(&from.authors),
        Field::Status => draft.status = from.status,
        Field::DateCompleted => {
            (draft.date_completed, draft.completed_from) = (from.date_completed, from.completed_from);
            draft.status = if draft.date_completed.is_some() { Status::Completed } else { Status::Undated };
        }
        Field::StartDate => draft.start_date = from.start_date,
        Field::StoppedDate => draft.stopped_date = from.stopped_date,
        Field::PausedSince => draft.paused_since = from.paused_since,
        Field::Rating => draft.rating = from.rating,
        Field::Format => draft.format = from.format,
        Field::Reread => draft.reread = from.reread,
        Field::Genres => draft.genres.clone_from(&from.genres),
        Field::Impressions | Field::Notes => draft.impressions.clone_from(&from.impressions),
        Field::Quotes => draft.quotes.clone_from(&from.quotes),
        Field::WordCount => {
            (draft.word_count, draft.word_count_source) = (from.word_count, from.word_count_source);
        }
        Field::Pages => draft.pages = from.pages,
        Field::Minutes => draft.minutes = from.minutes,
        Field::Isbn => draft.isbn.clone_from(&from.isbn),
        Field::Contributors => facts.contributors.clone_from(&new.contributors),
        Field::Series => facts.series.clone_from(&new.series),
        Field::Tags => facts.tags.clone_from(&new.tags),
        Field::Publisher => facts.publisher.clone_from(&new.publisher),
        Field::Published => facts.published.clone_from(&new.published),
        Field::OriginalYear => facts.original_year = new.original_year,
        Field::Language => facts.language.clone_from(&new.language),
    }
}

/// Clears what the status of a read may not have, so that the read can be stored.
pub fn fit_status(draft: &mut BookDraft) {
    if draft.status != Status::Completed {
        (draft.date_completed, draft.completed_from) = (None, None);
    }
    if draft.status != Status::DidNotFinish {
        draft.stopped_date = None;
    }
    if draft.status != Status::InProgress {
        draft.paused_since = None;
    } else {
        draft.rating = None;
    }
    let end = draft.date_completed.or(draft.stopped_date);
    if draft.status == Status::Undated
        || draft.completed_from.is_some()
        || draft.start_date.zip(end).is_some_and(|(start, end)| start > end)
    {
        draft.start_date = None;
    }
    let is_rough = draft.completed_from.is_some() || draft.status == Status::Undated;
    if is_rough || (draft.word_distribution == Distribution::Spread && draft.start_date.is_none()) {
        draft.word_distribution = Distribution::Final;
    }
}

/// Whether the words of a read follow from its pages or its length.
pub fn has_estimated_words(draft: &BookDraft) -> bool {
    matches!(draft.word_count_source, WordCountSource::Pages | WordCountSource::Minutes) || draft.word_count == 0
}
