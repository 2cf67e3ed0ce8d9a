//! What stands on the demo's shelves: books that exist, with what a reader wrote about some of them.
use std::collections::HashMap;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::kit::{Error, Result};
use crate::library::books::model::{BookDraft, Format};
use crate::library::tbr::model::TbrDraft;

/// A book of `library.csv`. Word counts are those of a usual English edition, to two or three digits.
#[derive(Debug, Deserialize)]
pub struct Entry {
    title: String,
    pub author: String,
    pub words: u64,
    pages: i64,
    /// Joined by `; `, the main one first.
    genres: String,
    format: Format,
    pub shelf: Shelf,
}

/// Where the demo reader keeps a book.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Shelf {
    /// Read on a known day.
    #[serde(rename = "")]
    Read,
    /// Read on a known day, and once more.
    Again,
    /// Read as a child.
    Undated,
    /// Being read.
    Reading,
}

/// What `notes.csv` has about a title. Quotes are all from books in the public domain.
#[derive(Debug, Deserialize)]
struct Note {
    title: String,
    impressions: String,
    /// Joined by ` | `.
    quotes: String,
}

/// A line of `tbr.csv`.
#[derive(Debug, Deserialize)]
struct Wish {
    title: String,
    author: Option<String>,
    words: Option<i64>,
    pages: Option<i64>,
    notes: Option<String>,
}

impl Entry {
    /// The book without anything that its reader would say of it.
    pub fn draft(&self) -> BookDraft {
        BookDraft {
            title: self.title.clone(),
            author: self.author.clone(),
            word_count: i64::try_from(self.words).unwrap_or(i64::MAX),
            pages: Some(self.pages),
            genres: self.genres.split("; ").map(str::to_owned).collect(),
            format: self.format,
            ..BookDraft::default()
        }
    }
}

/// Every book, an author's in the order in which one would read them.
pub fn entries() -> Result<Vec<Entry>> {
    rows(include_str!("library.csv"))
}

/// What to read next, in order.
pub fn wishes() -> Result<Vec<TbrDraft>> {
    let wishes: Vec<Wish> = rows(include_str!("tbr.csv"))?;
    let draft = |wish: Wish| TbrDraft {
        title: wish.title,
        author: wish.author,
        word_count: wish.words,
        pages: wish.pages,
        notes: wish.notes,
        isbn: None,
    };
    Ok(wishes.into_iter().map(draft).collect())
}

/// Impressions and quotes by title.
pub struct Notes(HashMap<String, Note>);

impl Notes {
    /// All of them.
    pub fn read() -> Result<Self> {
        let notes: Vec<Note> = rows(include_str!("notes.csv"))?;
        Ok(Self(notes.into_iter().map(|note| (note.title.clone(), note)).collect()))
    }

    /// Writes what there is about each title into the last reading of it.
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
    rows.map_err(|cause| Error::internal(format!("a table of the demo: {cause}")))
}
