//! An item of the to-be-read list is compared as the book that it would be.
use super::fields::SyncField;
use crate::library::tbr::model::TbrDraft;

/// The fields of an item.
pub const FIELDS: [SyncField; 8] = [
    SyncField::Title,
    SyncField::Author,
    SyncField::Notes,
    SyncField::Format,
    SyncField::Pages,
    SyncField::WordCount,
    SyncField::Isbn,
    SyncField::Tags,
];

/// Gives an item the value of another one.
pub fn set(field: SyncField, item: &mut TbrDraft, from: &TbrDraft) {
    match field {
        SyncField::Title => item.title.clone_from(&from.title),
        SyncField::Author => item.author.clone_from(&from.author),
        SyncField::Notes => item.notes.clone_from(&from.notes),
        SyncField::Format => item.format = from.format,
        SyncField::Pages => item.pages = from.pages,
        SyncField::WordCount => (item.word_count, item.word_count_source) = (from.word_count, from.word_count_source),
        SyncField::Isbn => item.isbn.clone_from(&from.isbn),
        SyncField::Tags => item.tags.clone_from(&from.tags),
        _ => {}
    }
}
