//! An item of the to-be-read list is compared as the book that it would be.
use super::fields::Field;
use crate::library::tbr::model::TbrDraft;

/// The fields of an item.
pub const FIELDS: [Field; 8] = [
    Field::Title,
    Field::Author,
    Field::Notes,
    Field::Format,
    Field::Pages,
    Field::WordCount,
    Field::Isbn,
    Field::Tags,
];

/// Gives an item the value of another one.
pub fn set(field: Field, item: &mut TbrDraft, from: &TbrDraft) {
    match field {
        Field::Title => item.title.clone_from(&from.title),
        Field::Author => item.author.clone_from(&from.author),
        Field::Notes => item.notes.clone_from(&from.notes),
        Field::Format => item.format = from.format,
        Field::Pages => item.pages = from.pages,
        Field::WordCount => (item.word_count, item.word_count_source) = (from.word_count, from.word_count_source),
        Field::Isbn => item.isbn.clone_from(&from.isbn),
        Field::Tags => item.tags.clone_from(&from.tags),
        _ => {}
    }
}
