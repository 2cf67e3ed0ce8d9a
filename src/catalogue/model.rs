//! What the catalogue knows of a book, and of itself.
use serde::Serialize;

use super::genres;
use crate::library::books::model::BookFormat;
use crate::library::text::grouped;

/// A book that was found: an edition with what is known of its work.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Hit {
    /// The title of the edition.
    pub title: String,
    /// Its authors, none or several.
    pub authors: Vec<String>,
    pub pages: Option<u32>,
    /// Its ISBN, 13 digits.
    pub isbn: Option<String>,
    pub publisher: Option<String>,
    /// The year in which the edition appeared.
    pub published: Option<String>,
    /// Its language, a tag of BCP 47.
    pub language: Option<String>,
    /// `Print`, `eBook` or `Audio`.
    pub format: Option<&'static str>,
    pub genres: Vec<String>,
    /// The year in which the work first appeared.
    pub original_year: Option<i32>,
    /// The number of its cover at Open Library.
    pub cover: Option<u32>,
}

/// A work of the catalogue.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FoundWork {
    pub title: String,
    /// The authors' names.
    pub authors: Vec<String>,
    /// The year in which it first appeared.
    pub year: Option<i32>,
    pub cover: Option<u32>,
    /// A bit for each genre.
    pub genres: u32,
    /// The numbers of its editions, from the first to before the second.
    pub editions: (i64, i64),
}

/// An edition of the catalogue.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FoundEdition {
    /// The title where it differs from the work's.
    pub title: Option<String>,
    /// The first ISBN.
    pub isbn: Option<i64>,
    pub pages: Option<u32>,
    pub year: Option<i32>,
    pub language: Option<String>,
    /// 1 print, 2 eBook, 3 audio.
    pub format: Option<u8>,
    pub cover: Option<u32>,
    pub publisher: Option<String>,
}

impl Hit {
    /// The answer for an edition of a work; without an edition, the work alone.
    pub fn of(work: &FoundWork, edition: Option<FoundEdition>) -> Self {
        let edition = edition.unwrap_or_default();
        let format = match edition.format {
            Some(1) => Some(BookFormat::Print),
            Some(2) => Some(BookFormat::EBook),
            Some(3) => Some(BookFormat::Audio),
            _ => None,
        };
        Self {
            title: edition.title.unwrap_or_else(|| work.title.clone()),
            authors: work.authors.clone(),
            pages: edition.pages,
            isbn: edition.isbn.map(|isbn| format!("{isbn:013}")),
            publisher: edition.publisher,
            published: edition.year.map(|year| year.to_string()),
            language: edition.language,
            format: format.map(BookFormat::name),
            genres: genres::names(work.genres),
            original_year: work.year,
            cover: edition.cover.or(work.cover),
        }
    }
}

/// What a catalogue says of itself.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct About {
    /// The day of the latest change in the dumps, `2026-10-31`; `None` when they do not say.
    pub changed: Option<String>,
    /// When it was made, RFC 3339.
    pub built_at: String,
    /// The tags of the languages that were kept; none for all.
    pub languages: Vec<String>,
    /// How many works it has.
    pub works: u64,
    /// How many editions.
    pub editions: u64,
    /// How many ISBNs.
    pub isbns: u64,
    /// Its size in bytes.
    pub bytes: u64,
}

impl About {
    /// The day of the dumps, or else the day on which the catalogue was made.
    pub fn day(&self) -> &str {
        self.changed.as_deref().unwrap_or_else(|| self.built_at.get(..10).unwrap_or_default())
    }

    /// Its date, size and counts: "as of 2026-10-31: 38,000,000 works, 50,000,000 editions, 8192 MiB".
    pub fn summary(&self) -> String {
        let (works, editions) = (grouped(self.works), grouped(self.editions));
        let size = match self.bytes {
            small if small < 10 << 20 => format!("{} KiB", small >> 10),
            bytes => format!("{} MiB", bytes >> 20),
        };
        format!("as of {}: {works} works, {editions} editions, {size}", self.day())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_has_date_counts_and_size() {
        let about = About {
            built_at: "2026-11-23T10:00:00Z".into(),
            works: 1_000_000,
            editions: 12,
            bytes: 90 << 20,
            ..About::default()
        };
        assert_eq!(about.summary(), "as of 2026-11-23: 1,000,000 works, 12 editions, 90 MiB");
        let about = About { changed: Some("2026-10-31".into()), bytes: 20_480, ..about };
        assert_eq!(about.summary(), "as of 2026-10-31: 1,000,000 works, 12 editions, 20 KiB");
    }
}
