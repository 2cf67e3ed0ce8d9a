//! What readers look up in catalogues, and the books that are found.
use std::cmp::Reverse;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::kit::named::named;
use crate::library::books::model::{BookFormat, WordCountSource, estimated_words, is_hours_or_discs};
use crate::library::{isbn, text};

/// The most results of one query.
pub const MOST_RESULTS: usize = 20;
/// The shortest and the longest words of a query, in characters.
pub const WORDS_LENGTH: std::ops::RangeInclusive<usize> = 2..=200;

named! {
    /// A catalogue that can be asked.
    LookupSource {
        /// Open Library.
        OpenLibrary = "openlibrary",
        /// The German National Library.
        Dnb = "dnb",
        /// The National Library of France.
        Bnf = "bnf",
        /// The Library of Congress.
        Loc = "loc",
        /// The National Diet Library of Japan.
        Ndl = "ndl",
        /// Hardcover.
        Hardcover = "hardcover",
        /// Google Books.
        Google = "google",
    }
}

impl LookupSource {
    /// The name that readers see: the catalogue's address.
    pub fn host(self) -> &'static str {
        match self {
            Self::OpenLibrary => "openlibrary.org",
            Self::Dnb => "dnb.de",
            Self::Bnf => "bnf.fr",
            Self::Loc => "loc.gov",
            Self::Ndl => "ndl.go.jp",
            Self::Hardcover => "hardcover.app",
            Self::Google => "books.google.com",
        }
    }
}

named! {
    /// How a catalogue answered.
    LookupOutcome {
        /// It found books.
        Found = "ok",
        /// It knows no such book.
        Empty = "empty",
        /// It takes no more questions for the moment.
        Limited = "limited",
        /// It did not answer within 10 seconds.
        Timeout = "timeout",
        /// It can't be reached, or its answer can't be read.
        Failed = "error",
        /// It is not configured.
        Off = "off",
    }
}

impl LookupOutcome {
    /// Whether the catalogue answered the question, with books or without.
    pub fn is_answer(self) -> bool {
        matches!(self, Self::Found | Self::Empty)
    }
}

/// What is looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LookupQuery {
    /// An ISBN of 13 digits.
    Isbn(String),
    /// Words of title and author.
    Words(String),
}

impl LookupQuery {
    /// Parses words, with single spaces. Words that are an ISBN, as a hand scanner types them, become its query.
    pub fn parse(words: &str) -> Self {
        match isbn::parse(words) {
            Some(isbn) => Self::Isbn(isbn),
            None => Self::Words(words.split_whitespace().collect::<Vec<_>>().join(" ")),
        }
    }

    /// The key of stored responses.
    pub fn key(&self) -> String {
        match self {
            Self::Isbn(isbn) => format!("isbn:{isbn}"),
            Self::Words(words) => format!("q:{}", text::fold(words)),
        }
    }
}

/// The series of a book.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = LookupSeries)]
pub struct FoundSeries {
    /// The name of the series.
    pub name: String,
    /// The number as it is written: `8`, `0.5`, `1-3`.
    #[schema(required)]
    pub number: Option<String>,
}

/// A book that a catalogue found. Unknown is null or empty.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = LookupResult)]
pub struct FoundBook {
    /// The catalogue: one of the names under `sources`.
    pub source: String,
    /// The title of the edition, or of the work.
    pub title: String,
    /// The authors, in the order of the catalogue.
    pub authors: Vec<String>,
    /// Pages of the edition, or of its usual edition.
    #[schema(required)]
    pub pages: Option<i64>,
    /// The length of an audiobook in minutes.
    #[schema(required)]
    pub minutes: Option<i64>,
    /// Words: 275 a page, or 155 a minute of an audiobook.
    #[schema(required)]
    pub word_count: Option<i64>,
    /// Where the words come from.
    #[schema(required)]
    pub word_count_source: Option<WordCountSource>,
    /// 13 digits.
    #[schema(required)]
    pub isbn: Option<String>,
    /// The publisher of the edition.
    #[schema(required)]
    pub publisher: Option<String>,
    /// A year, a month or a day: `1965`, `1965-06`, `1965-06-01`.
    #[schema(required)]
    pub published: Option<String>,
    /// The year in which the book was published first.
    #[schema(required)]
    pub original_year: Option<i32>,
    /// The language (BCP 47).
    #[schema(required)]
    pub language: Option<String>,
    /// The format of the edition.
    #[schema(required)]
    pub format: Option<BookFormat>,
    /// Genres, in the words of this server.
    pub genres: Vec<String>,
    /// The series that the book belongs to.
    #[schema(required)]
    pub series: Option<FoundSeries>,
    /// What the call for the cover takes, with the source.
    #[schema(required)]
    pub cover: Option<String>,
}

impl FoundBook {
    /// A book with what every catalogue says of one.
    pub fn new(source: &str, title: String, authors: Vec<String>, pages: Option<i64>) -> Self {
        Self { source: source.to_owned(), title, authors, pages, ..Self::default() }.counted()
    }

    /// The same with the words of its pages or its length. Hours or discs that stand in the place of an audiobook's pages are left out.
    #[must_use]
    pub fn counted(mut self) -> Self {
        let format = self.format.unwrap_or_default();
        self.pages.take_if(|pages| is_hours_or_discs(format, *pages));
        (self.word_count, self.word_count_source) = estimated_words(format, self.pages, self.minutes).unzip();
        self
    }
}

/// How one catalogue answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct LookupSourceOutcome {
    /// The name of the catalogue.
    pub name: String,
    /// How the catalogue answered.
    pub outcome: LookupOutcome,
}

/// What all catalogues answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct LookupResponse {
    /// At most 20 books, best first.
    pub data: Vec<FoundBook>,
    /// Every catalogue that this server asks.
    pub sources: Vec<LookupSourceOutcome>,
}

/// Orders results by how well their titles fit the query, and keeps the first 20. Equal ones stay in the order of the sources.
pub fn rank(query: &LookupQuery, found: &mut Vec<FoundBook>) {
    if let LookupQuery::Words(words) = query {
        let wanted = text::title_key(words);
        found.sort_by_cached_key(|book| Reverse(fit(&wanted, book)));
    }
    found.truncate(MOST_RESULTS);
}

/// 3: the title is what was asked; 2: it begins with it; 1: title and authors contain every word.
fn fit(wanted: &str, book: &FoundBook) -> u8 {
    let title = text::title_key(&book.title);
    if title == wanted {
        return 3;
    }
    if title.starts_with(wanted) {
        return 2;
    }
    let all = format!("{title} {}", text::name_key(&book.authors.join(" ")));
    u8::from(wanted.split(' ').all(|word| all.contains(word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn titled(title: &str, author: &str) -> FoundBook {
        FoundBook::new("openlibrary", title.into(), vec![author.into()], None)
    }

    #[test]
    fn the_title_that_was_asked_for_comes_first() {
        let mut found = vec![
            titled("The Road to Dune", "Frank Herbert"),
            titled("Dune Messiah", "Frank Herbert"),
            titled("Dune", "Frank Herbert"),
        ];
        rank(&LookupQuery::parse("dune"), &mut found);
        let titles: Vec<_> = found.iter().map(|book| book.title.as_str()).collect();
        assert_eq!(titles, ["Dune", "Dune Messiah", "The Road to Dune"]);
        let mut many = vec![titled("Dune", "Frank Herbert"); 30];
        rank(&LookupQuery::parse("dune"), &mut many);
        assert_eq!(many.len(), MOST_RESULTS);
    }

    #[test]
    fn words_that_are_an_isbn_are_one_and_spellings_share_a_key() {
        assert_eq!(LookupQuery::parse("978-0-441-01359-3"), LookupQuery::Isbn("9780441013593".into()));
        assert_eq!(LookupQuery::parse("  Café   Noir ").key(), LookupQuery::parse("cafe noir").key());
        assert_eq!(LookupQuery::Isbn("9780441013593".into()).key(), "isbn:9780441013593");
    }
}
