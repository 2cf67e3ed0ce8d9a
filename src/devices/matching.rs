//! Which book of a library a document is.
use std::collections::{BTreeSet, HashMap};

use serde::Serialize;
use utoipa::ToSchema;

use crate::library::books::authors::each_author_with_key;
use crate::library::books::filter::BookRow;
use crate::library::books::model::{BookId, BookStatus};
use crate::library::text::{name_key, title_key};

/// From here on a document is linked without a question.
pub const CERTAIN: f64 = 0.9;

/// Why a book may be the one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SuggestionReason {
    /// The reader has linked this file before.
    SameFile,
    /// Title and author are the same.
    SameTitleAndAuthor,
    /// The title is the same, and one of the authors.
    SameTitleOneAuthor,
    /// The title is the same, and the document names no author.
    SameTitle,
    /// The title is the same but for its subtitle, and one of the authors.
    SameShortTitle,
}

/// A book that a document may be.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DocumentSuggestion {
    /// The book.
    #[schema(value_type = i64)]
    pub book_id: BookId,
    /// 0 to 1.
    pub confidence: f64,
    /// Why.
    pub because: SuggestionReason,
}

/// A book to compare with.
#[derive(Debug, Clone)]
struct Candidate {
    id: BookId,
    status: BookStatus,
    title_key: String,
    author_keys: Vec<String>,
    numbers: BTreeSet<String>,
}

/// The books of a library, by title with and without subtitle.
#[derive(Debug, Default)]
pub struct Library {
    books: Vec<Candidate>,
    by_title: HashMap<String, Vec<usize>>,
}

impl Library {
    /// Adds a book.
    pub fn add(&mut self, book: &BookRow<'_>) {
        let place = self.books.len();
        let short = short(book.title);
        self.by_title.entry(book.title_key.to_owned()).or_default().push(place);
        if short != book.title {
            self.by_title.entry(title_key(short)).or_default().push(place);
        }
        let author_keys = each_author_with_key(book.author, book.author_key).map(|(_, key)| key.into_owned()).collect();
        let BookRow { id, status, .. } = *book;
        let title_key = book.title_key.to_owned();
        self.books.push(Candidate { id, status, title_key, author_keys, numbers: numbers(book.title) });
    }

    /// The book that a title and names may be: of equally likely ones an open read, then the newest. Volumes with other numbers are never the
    /// same.
    pub fn find(&self, title: &str, authors: &[String]) -> Option<DocumentSuggestion> {
        let (key, short) = (title_key(title), title_key(short(title)));
        let numbers = numbers(title);
        let wanted: Vec<_> = authors.iter().map(|name| name_key(name)).collect();
        let places = [&key, &short].into_iter().filter_map(|key| self.by_title.get(key)).flatten();
        let scored = places.filter_map(|place| {
            let book = &self.books[*place];
            let shares = book.author_keys.iter().any(|name| wanted.contains(name));
            let has_all = shares && book.author_keys.len() == wanted.len();
            let (confidence, because): (f64, _) = match (book.title_key == key, wanted.is_empty()) {
                _ if book.numbers != numbers => return None,
                (true, _) if has_all => (0.95, SuggestionReason::SameTitleAndAuthor),
                (true, false) if shares => (0.9, SuggestionReason::SameTitleOneAuthor),
                (true, true) => (0.7, SuggestionReason::SameTitle),
                (false, false) if shares => (0.75, SuggestionReason::SameShortTitle),
                _ => return None,
            };
            Some((confidence, book.status == BookStatus::InProgress, book.id, because))
        });
        let best =
            scored.max_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)).then(one.2.cmp(&other.2)));
        best.map(|(confidence, _, book_id, because)| DocumentSuggestion { book_id, confidence, because })
    }
}

/// A title without its subtitle.
fn short(title: &str) -> &str {
    let end = [": ", " - ", " (", " ["].into_iter().filter_map(|mark| title.find(mark)).min();
    end.map_or(title, |end| &title[..end])
}

/// The numbers in a title, such as that of a volume.
fn numbers(title: &str) -> BTreeSet<String> {
    let digits = title.split(|letter: char| !letter.is_ascii_digit()).filter(|digits| !digits.is_empty());
    digits.map(|digits| digits.trim_start_matches('0').to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::books::model::{AUTHOR_SEPARATOR, BookFormat, WordDistribution};

    fn library() -> Library {
        let mut library = Library::default();
        let two = format!("Terry Pratchett{AUTHOR_SEPARATOR}Neil Gaiman");
        for (id, status, title, author) in [
            (1, BookStatus::Completed, "Trust", "Hernan Diaz"),
            (2, BookStatus::InProgress, "Trust", "Hernan Diaz"),
            (3, BookStatus::InProgress, "Good Omens", &two),
            (4, BookStatus::InProgress, "Dune: Messiah", "Frank Herbert"),
            (5, BookStatus::InProgress, "Saga 2", "Brian K. Vaughan"),
            (6, BookStatus::InProgress, "Dust", "Hugh Howey"),
        ] {
            library.add(&BookRow {
                id: BookId(id),
                status,
                date_completed: None,
                start_date: None,
                word_count: 0,
                rating: None,
                format: BookFormat::EBook,
                reread: false,
                word_distribution: WordDistribution::Final,
                title,
                author,
                title_key: &title_key(title),
                author_key: &name_key(author),
                genres: "",
                completed_from: None,
            });
        }
        library
    }

    fn found(title: &str, authors: &[&str]) -> Option<(i64, SuggestionReason)> {
        let authors: Vec<_> = authors.iter().map(|name| (*name).to_owned()).collect();
        library().find(title, &authors).map(|found| (found.book_id.0, found.because))
    }

    #[test]
    fn a_document_is_the_open_read_of_its_title_and_author() {
        assert_eq!(found("trust", &["HERNAN DIAZ"]), Some((2, SuggestionReason::SameTitleAndAuthor)));
        assert_eq!(found("Good Omens", &["Neil Gaiman"]), Some((3, SuggestionReason::SameTitleOneAuthor)));
        assert_eq!(found("Dust", &[]), Some((6, SuggestionReason::SameTitle)));
        assert_eq!(found("Dust: A Silo Novel", &["Hugh Howey"]), Some((6, SuggestionReason::SameShortTitle)));
        assert_eq!(found("Dune Messiah", &["Frank Herbert"]), Some((4, SuggestionReason::SameTitleAndAuthor)));
    }

    #[test]
    fn another_author_or_another_volume_is_another_book() {
        assert_eq!(found("Trust", &["Somebody Else"]), None);
        assert_eq!(found("Saga 3", &["Brian K. Vaughan"]), None);
        assert_eq!(found("Saga", &["Brian K. Vaughan"]), None);
        assert_eq!(found("Saga 02", &["Brian K. Vaughan"]), None, "the title is another");
        assert_eq!(found("", &[]), None);
    }
}
