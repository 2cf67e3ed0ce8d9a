//! The books of the demo: real books, with notes about some of them.
use std::collections::{HashMap, HashSet};

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::kit::{Error, Result};
use crate::library::books::facts::Series;
use crate::library::books::model::{BookDraft, BookFormat};
use crate::library::tbr::model::TbrDraft;

/// A book of `library.csv`. Word counts are those of a common English edition, to two or three digits.
#[derive(Debug, Deserialize)]
pub struct Entry {
    title: String,
    pub author: String,
    pub words: u64,
    pages: i64,
    /// Joined by `; `, the main one first.
    genres: String,
    format: BookFormat,
    pub shelf: Shelf,
}

/// The state of a book in the demo reader's library.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Shelf {
    /// Read on a known day.
    #[serde(rename = "")]
    Read,
    /// Read twice on known days.
    Again,
    /// Read as a child.
    Undated,
    /// Being read.
    Reading,
    /// Being read, and paused.
    Paused,
    /// Given up.
    Left,
}

/// A row of `notes.csv`. All quotes are from books in the public domain.
#[derive(Debug, Deserialize)]
struct Note {
    title: String,
    impressions: String,
    /// Joined by ` | `.
    quotes: String,
}

/// A row of `series.csv`.
#[derive(Debug, Deserialize)]
struct Numbered {
    title: String,
    series: String,
    number: String,
}

/// A row of `tbr.csv`.
#[derive(Debug, Deserialize)]
struct Wish {
    title: String,
    author: Option<String>,
    words: Option<i64>,
    pages: Option<i64>,
    notes: Option<String>,
}

impl Entry {
    /// The book without the reader's own entries.
    pub fn draft(&self) -> BookDraft {
        BookDraft {
            title: self.title.clone(),
            authors: vec![self.author.clone()],
            word_count: i64::try_from(self.words).unwrap_or(i64::MAX),
            pages: Some(self.pages),
            genres: self.genres.split("; ").map(str::to_owned).collect(),
            format: self.format,
            ..BookDraft::default()
        }
    }
}

/// The tags of the demo reader, with their icons as shelves.
pub const TAGS: [(&str, &str); 2] = [("Favourites", "heart"), ("For the book club", "people")];
/// One in this many books was read with the book club.
const CLUB: usize = 17;

/// Every book, with each author's books in reading order.
pub fn entries() -> Result<Vec<Entry>> {
    rows(include_str!("library.csv"))
}

/// Adds series and tags to the demo reader's books.
pub fn add_facts(drafts: &mut [BookDraft]) -> Result<()> {
    let series: Vec<Numbered> = rows(include_str!("series.csv"))?;
    let series: HashMap<_, _> = series.into_iter().map(|row| (row.title, (row.series, row.number))).collect();
    let club: HashSet<String> = drafts.iter().step_by(CLUB).map(|draft| draft.title.clone()).collect();
    let favourites: HashSet<String> =
        drafts.iter().filter(|draft| draft.reread).map(|draft| draft.title.clone()).collect();
    let [favourite, read_in_club] = TAGS.map(|(name, _)| name.to_owned());
    for draft in drafts {
        let series = series.get(&draft.title);
        draft.facts.series = series.map(|(name, number)| Series { name: name.clone(), number: Some(number.clone()) });
        let tags = [(&favourites, &favourite), (&club, &read_in_club)].into_iter();
        draft.facts.tags =
            tags.filter(|(titles, _)| titles.contains(&draft.title)).map(|(_, tag)| tag.clone()).collect();
    }
    Ok(())
}

/// The to-be-read list, in order.
pub fn wishes() -> Result<Vec<TbrDraft>> {
    let wishes: Vec<Wish> = rows(include_str!("tbr.csv"))?;
    let draft = |wish: Wish| TbrDraft {
        title: wish.title,
        author: wish.author,
        word_count: wish.words,
        pages: wish.pages,
        notes: wish.notes,
        isbn: None,
        ..TbrDraft::default()
    };
    Ok(wishes.into_iter().map(draft).collect())
}

/// Impressions and quotes by title.
pub struct Notes(HashMap<String, Note>);

impl Notes {
    /// Reads all notes.
    pub fn read() -> Result<Self> {
        let notes: Vec<Note> = rows(include_str!("notes.csv"))?;
        Ok(Self(notes.into_iter().map(|note| (note.title.clone(), note)).collect()))
    }

    /// Adds the notes about each title to its last reading.
    pub fn add_to(mut self, drafts: &mut [BookDraft]) {
        for draft in drafts.iter_mut().rev() {
            if let Some(note) = self.0.remove(&draft.title) {
                draft.impressions = Some(note.impressions);
                draft.quotes = note.quotes.split(" | ").map(str::to_owned).collect();
            }
        }
    }
}

fn rows<T: DeserializeOwned>(table: &str) -> Result<Vec<T>> {
    let rows = csv::Reader::from_reader(table.as_bytes()).into_deserialize().collect::<csv::Result<_>>();
    rows.map_err(|cause| Error::internal(format!("reading a table of the demo failed: {cause}")))
}
