//! Writes the catalogue from the ranked works, their editions and the names of their authors.
use std::iter::Peekable;

use super::super::store::writer::{EditionRow, WorkRow, Writer};
use super::super::words::joined_words;
use super::Step;
use super::records::EditionRecord;
use super::scratch::{AUTHORS, EDITIONS, ISBNS, OF_EDITION, Scratch, WORKS, author_of, edition_of, next_of, work_of};

/// The most editions of a work that are put in order together. A work with more has several such parts.
const MOST_TOGETHER: usize = 4096;
/// The titles of a work under which it is found.
const MOST_TITLES: usize = 16;
/// The authors of a book, and their length together in characters.
const MOST_AUTHORS: (usize, usize) = (20, 500);
/// The works between two looks at the progress.
const PROGRESS: i64 = 1000;

/// Writes everything into the catalogue.
pub fn write(scratch: &Scratch, writer: &mut Writer, watch: &mut dyn FnMut(Step)) -> rusqlite::Result<()> {
    watch(Step { what: "sorting", rows: 0, share: None });
    let last = scratch.rank()?;
    let mut works = scratch.conn.prepare(WORKS)?;
    let mut works = works.query_map([], work_of)?.peekable();
    let mut authors = scratch.conn.prepare(AUTHORS)?;
    let mut authors = authors.query_map([], author_of)?.peekable();
    let mut editions = scratch.conn.prepare(EDITIONS)?;
    let mut editions = editions.query_map([], edition_of)?.peekable();
    for id in 1..=last {
        let work = next_of(&mut works, id)?.unwrap_or_default();
        let authors = authors_of(&mut authors, id)?;
        let mut together = next_editions(&mut editions, id)?;
        // A work that the dump of works does not have takes the title of its best edition.
        let best = together.first().map_or("", |best| &best.title);
        let title = if work.title.is_empty() { best.to_owned() } else { work.title };
        if title.is_empty() {
            continue;
        }
        let mut titles = Titles::of(&title, &work.subtitle, &authors);
        while !together.is_empty() {
            for (is_own, edition) in titles.in_order(together) {
                let row = EditionRow {
                    title: (!is_own).then_some(&edition.title),
                    isbn: edition.isbns.first().map_or(0, |isbn| isbn.cast_signed()),
                    pages: edition.pages,
                    year: edition.year,
                    language: &edition.language,
                    format: edition.format,
                    cover: edition.cover,
                    publisher: &edition.publisher,
                };
                let place = writer.add_edition(id, &row)?;
                edition.isbns.iter().try_for_each(|isbn| scratch.add_isbn(isbn.cast_signed(), place))?;
            }
            together = next_editions(&mut editions, id)?;
        }
        let row =
            WorkRow { id, year: work.year, cover: work.cover, genres: work.genres, authors: &authors, title: &title };
        writer.add_work(&row, &titles.words)?;
        if id % PROGRESS == 0 {
            let rows = id.cast_unsigned();
            watch(Step { what: "writing works", rows, share: Some(id as f64 / last as f64) });
        }
    }
    watch(Step { what: "writing ISBNs", rows: 0, share: None });
    let mut isbns = scratch.conn.prepare(ISBNS)?;
    let mut isbns = isbns.query([])?;
    while let Some(row) = isbns.next()? {
        writer.add_isbn(row.get(0)?, row.get(1)?)?;
    }
    Ok(())
}

/// The next editions of a work, at most [`MOST_TOGETHER`].
fn next_editions(
    editions: &mut Peekable<impl Iterator<Item = rusqlite::Result<(i64, EditionRecord)>>>,
    id: i64,
) -> rusqlite::Result<Vec<EditionRecord>> {
    std::iter::from_fn(|| next_of(editions, id).transpose()).take(MOST_TOGETHER).collect()
}

/// The names of a work's authors, once each, with U+001F between them: those that the work says, or else those of its editions.
fn authors_of(
    names: &mut Peekable<impl Iterator<Item = rusqlite::Result<(i64, (u32, Option<String>))>>>,
    id: i64,
) -> rusqlite::Result<String> {
    let mut authors: Vec<String> = Vec::new();
    let (mut has_own, mut length) = (false, 0);
    while let Some((place, name)) = next_of(names, id)? {
        has_own |= place < OF_EDITION;
        let Some(name) = name.filter(|name| !(has_own && place >= OF_EDITION || authors.contains(name))) else {
            continue;
        };
        let longer = length + name.chars().count() + 2;
        if authors.len() < MOST_AUTHORS.0 && longer <= MOST_AUTHORS.1 {
            authors.push(name);
            length = longer;
        }
    }
    Ok(authors.join("\u{1f}"))
}

/// The titles and words under which a work is found.
struct Titles {
    /// The words of the work's title.
    own: String,
    /// All words. The index keeps a word of a work once, however often it stands here.
    words: String,
    /// How many titles of editions are among them.
    count: usize,
}

impl Titles {
    fn of(title: &str, subtitle: &str, authors: &str) -> Self {
        let own = joined_words(title);
        let mut titles = Self { words: own.clone(), own, count: 0 };
        [subtitle].into_iter().chain(authors.split('\u{1f}')).for_each(|text| titles.add(&joined_words(text)));
        titles
    }

    fn add(&mut self, words: &str) {
        self.words.push(' ');
        self.words.push_str(words);
    }

    /// Adds the titles of editions, and returns the editions in the order in which they are stored: first the best of each title, then
    /// the others. The flag says whether the title is the work's.
    fn in_order(&mut self, found: Vec<EditionRecord>) -> Vec<(bool, EditionRecord)> {
        let mut titles: Vec<(String, String)> = Vec::new();
        let (mut first, mut others) = (Vec::with_capacity(found.len()), Vec::new());
        for edition in found {
            let title = joined_words(&edition.title);
            let is_own = title == self.own;
            let is_known = titles.iter().any(|(known, language)| *known == title && *language == edition.language);
            if is_known || self.count + titles.len() == MOST_TITLES {
                others.push((is_own, edition));
                continue;
            }
            if !is_own {
                self.add(&title);
            }
            self.add(&joined_words(&edition.subtitle));
            titles.push((title, edition.language.clone()));
            first.push((is_own, edition));
        }
        self.count += titles.len();
        first.append(&mut others);
        first
    }
}
