//! Compares an item of the to-be-read list with the last file and the new one, field by field.
use std::collections::BTreeSet;

use super::fields::{Field, are_equal, has_estimated_words};
use crate::library::import::said::as_book;
use crate::library::tbr::model::TbrDraft;

/// The fields of an item.
const FIELDS: [Field; 8] = [
    Field::Title,
    Field::Author,
    Field::Notes,
    Field::Format,
    Field::Pages,
    Field::WordCount,
    Field::Isbn,
    Field::Tags,
];

/// What becomes of an item.
#[derive(Debug, Clone, Default)]
pub struct MergedItem {
    /// The item with what is taken over.
    pub draft: TbrDraft,
    /// The fields that are taken over.
    pub changed: Vec<Field>,
    /// The fields that stay as they are here although both sides changed them.
    pub conflicts: Vec<Field>,
}

/// Compares one item. `is_untouched` says whether its reader has never changed it.
pub fn merge_item(
    base: &TbrDraft,
    mine: &TbrDraft,
    is_untouched: bool,
    theirs: &TbrDraft,
    take: &BTreeSet<Field>,
) -> MergedItem {
    let (last, here, new) = (as_book(base), as_book(mine), as_book(theirs));
    let mut merged = MergedItem { draft: mine.clone(), ..MergedItem::default() };
    for field in FIELDS {
        if are_equal(field, &last, &new) || are_equal(field, &here, &new) {
            continue;
        }
        if field == Field::WordCount && has_estimated_words(&new) {
            if has_estimated_words(&here) && merged.changed.contains(&Field::Pages) {
                set(field, &mut merged.draft, theirs);
            }
            continue;
        }
        if is_untouched || are_equal(field, &here, &last) || take.contains(&field) {
            set(field, &mut merged.draft, theirs);
            merged.changed.push(field);
        } else {
            merged.conflicts.push(field);
        }
    }
    merged
}

fn set(field: Field, item: &mut TbrDraft, from: &TbrDraft) {
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
