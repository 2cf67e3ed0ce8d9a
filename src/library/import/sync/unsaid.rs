//! A column that the newer file lacks says nothing: what the last file said in it still holds.
use std::collections::BTreeSet;

use crate::library::books::model::{BookDraft, BookStatus};
use crate::library::import::columns::Field;
use crate::library::import::said::RowReading;

/// Gives a reading what the last file said about the fields for which the new one has no column.
pub fn complete(new: &mut RowReading, last: &RowReading, unsaid: &BTreeSet<Field>) {
    let lacks = |field| unsaid.contains(&field);
    for field in unsaid {
        complete_field(*field, &mut new.draft, &last.draft);
    }
    let lacks_length = lacks(Field::Pages) || lacks(Field::Minutes) || lacks(Field::WordCount);
    if lacks_length && new.draft.word_count == 0 {
        new.draft.word_count = last.draft.word_count;
        new.draft.word_count_source = last.draft.word_count_source;
    }
    if let Some(texts) = with_rest(lacks, new.draft.impressions.as_deref(), last.draft.impressions.as_deref()) {
        new.draft.impressions = Some(texts);
    }
    let (Some(item), Some(said)) = (&mut new.item, &last.item) else { return };
    if lacks(Field::Pages) {
        item.pages = said.pages;
    }
    if lacks(Field::Isbn) {
        item.isbn.clone_from(&said.isbn);
    }
    if lacks(Field::Format) {
        item.format = said.format;
    }
    if lacks(Field::Tags) {
        item.tags.clone_from(&said.tags);
    }
    if lacks_length && item.word_count.is_none() {
        (item.word_count, item.word_count_source) = (said.word_count, said.word_count_source);
    }
    if let Some(texts) = with_rest(lacks, item.notes.as_deref(), said.notes.as_deref()) {
        item.notes = Some(texts);
    }
}

/// Impressions and notes are one text. If a file has only one of the two columns, the other part stays.
fn with_rest(lacks: impl Fn(Field) -> bool, new: Option<&str>, last: Option<&str>) -> Option<String> {
    let new = new.unwrap_or_default();
    let is_lacking = lacks(Field::Impressions) || lacks(Field::Notes);
    last.filter(|last| is_lacking && (last.starts_with(new) || last.ends_with(new))).map(str::to_owned)
}

fn complete_field(field: Field, new: &mut BookDraft, last: &BookDraft) {
    match field {
        Field::Pages => new.pages = last.pages,
        Field::Minutes => new.minutes = last.minutes,
        Field::Isbn => new.isbn.clone_from(&last.isbn),
        Field::Rating if new.status != BookStatus::InProgress => new.rating = last.rating,
        Field::Format => new.format = last.format,
        Field::Genres => new.genres.clone_from(&last.genres),
        Field::Tags => new.facts.tags.clone_from(&last.facts.tags),
        Field::Quotes => new.quotes.clone_from(&last.quotes),
        Field::Contributors => new.facts.contributors.clone_from(&last.facts.contributors),
        Field::Series => new.facts.series.clone_from(&last.facts.series),
        Field::Publisher => new.facts.publisher.clone_from(&last.facts.publisher),
        Field::Published => new.facts.published.clone_from(&last.facts.published),
        Field::OriginalYear => new.facts.original_year = last.facts.original_year,
        Field::Language => new.facts.language.clone_from(&last.facts.language),
        Field::StartDate if new.status == last.status && new.start_date.is_none() => {
            (new.start_date, new.word_distribution) = (last.start_date, last.word_distribution);
        }
        Field::DateCompleted if new.status == BookStatus::Undated && last.status == BookStatus::Completed => {
            (new.status, new.date_completed, new.completed_from) =
                (last.status, last.date_completed, last.completed_from);
            (new.start_date, new.word_distribution) = (last.start_date, last.word_distribution);
        }
        Field::StoppedDate if new.status == last.status => new.stopped_date = last.stopped_date,
        Field::ReadCount | Field::Reread => new.reread |= last.reread,
        _ => {}
    }
}
