//! What of the passages of a file is new to a library, and its way into the quotes.
use std::collections::{BTreeMap, HashMap, HashSet};

use rusqlite::Connection;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};
use utoipa::ToSchema;

use super::read::Marked;
use crate::kit::db::pool::{Tx, owned};
use crate::kit::error::{Error, Result};
use crate::kit::id::UserId;
use crate::kit::keys::LongKeys;
use crate::library::books::authors::each_author_with_key;
use crate::library::books::model::BookId;
use crate::library::books::passages::{MOST_QUOTES, Passage, Quotes};
use crate::library::books::reads::order_of;
use crate::library::books::series_title::key_without_series;
use crate::library::books::store::{day, words};
use crate::library::counters;
use crate::library::import::complete::Part;
use crate::library::operations::model::OperationId;
use crate::library::operations::store as operations;
use crate::library::operations::store::images::{difference, image, write};
use crate::library::text::{name_key, title_key};

/// How the undo of an operation forgets which passages came with it.
pub const PART: Part = Part { file: "quotes", restore: None, undo: forget };

/// The most passages of a read that are remembered: five times its quotes.
const MOST_REMEMBERED: usize = 5 * MOST_QUOTES;
/// The most titles without a book that an answer names.
const MOST_UNKNOWN: usize = 1_000;

/// What a reader has chosen for a title of a file.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct QuoteImportChoice {
    /// As the file has it.
    pub title: String,
    /// As the file has it; perhaps empty.
    #[serde(default)]
    pub author: String,
    /// Null leaves its passages.
    #[schema(required, value_type = Option<i64>)]
    pub book_id: Option<BookId>,
}

/// A title of a file without a book here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct QuoteImportTitle {
    /// As the file has it.
    pub title: String,
    /// As the file has it; perhaps empty.
    pub author: String,
    /// The number of its passages.
    pub passages: usize,
}

/// What becomes of the passages of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct QuoteImportFigures {
    /// All of them.
    pub passages: usize,
    /// Those with a book here. The ones that are neither `added` nor `known` have no room among its 200 quotes.
    pub fits: usize,
    /// Those that are new.
    pub added: usize,
    /// Those that are here, or that were here and were deleted.
    pub known: usize,
    /// The titles without a book, at most 1,000.
    pub unknown: Vec<QuoteImportTitle>,
}

/// What a read gets.
#[derive(Debug, Default)]
struct Gain {
    /// All its quotes; `None` where they stay as they are.
    quotes: Option<Quotes>,
    /// The hashes of the passages that came.
    came: Vec<i64>,
}

/// The newest read of a title, by one author or by any.
#[derive(Debug, Clone, Copy)]
struct Newest {
    order: (u8, Option<chrono::NaiveDate>),
    read: BookId,
    work: BookId,
    has_namesakes: bool,
}

/// The reads of a library by the keys of title and author; an empty author stands for any.
struct Library(HashMap<(String, String), Newest>);

impl Library {
    fn of(conn: &Connection, owner: UserId) -> Result<Self> {
        let (first, last) = owned(owner);
        let sql = "SELECT id, work, status, date_completed, stopped_date, start_date, title, title_key, author, author_key FROM books
            WHERE id BETWEEN ?1 AND ?2 ORDER BY id";
        let mut query = conn.prepare_cached(sql)?;
        let mut rows = query.query([first, last])?;
        let mut reads = HashMap::<_, Newest>::new();
        while let Some(row) = rows.next()? {
            let order = order_of(row.get(2)?, day(row, 3)?, day(row, 4)?, day(row, 5)?);
            let newest = Newest { order, read: row.get(0)?, work: row.get(1)?, has_namesakes: false };
            let title = key_without_series(words(row, 6)?, words(row, 7)?);
            let names = each_author_with_key(words(row, 8)?, words(row, 9)?).map(|(_, key)| key.into_owned());
            for name in names.chain([String::new()]) {
                let known = reads.entry((title.clone().into_owned(), name)).or_insert(newest);
                let has_namesakes = known.has_namesakes || known.work != newest.work;
                if newest.order >= known.order {
                    *known = newest;
                }
                known.has_namesakes = has_namesakes;
            }
        }
        Ok(Self(reads))
    }

    /// The newest read of a title by one of its authors. Without an author the title must be that of one work.
    fn find(&self, title: &str, author: &str) -> Option<BookId> {
        let title = key_without_series(title, &title_key(title)).into_owned();
        let find = |author: &str| self.0.get(&(title.clone(), name_key(author)));
        if author.is_empty() {
            return find("").filter(|newest| !newest.has_namesakes).map(|newest| newest.read);
        }
        // "Le Guin, Ursula K." is one name that is turned around, "Neil Gaiman, Terry Pratchett" are two.
        let names = author.split([';', '&']).flat_map(|name| {
            let turned = name.split_once(", ").map(|(last, first)| format!("{first} {last}"));
            name.split(", ").chain([name]).map(str::to_owned).chain(turned)
        });
        names.filter_map(|name| find(&name)).max_by_key(|newest| newest.order).map(|newest| newest.read)
    }
}

/// Counts what becomes of the passages of a file.
///
/// # Errors
/// [`Error::Invalid`] for a choice that is not a book of the owner.
pub fn preview(
    conn: &Connection,
    owner: UserId,
    passages: Vec<Marked>,
    choices: &[QuoteImportChoice],
) -> Result<QuoteImportFigures> {
    each_gain(conn, owner, passages, choices, |_, _| Ok(()))
}

/// Adds the passages of a file to quotes, as an operation that the caller began. Returns the figures, and whether any quote was changed.
pub fn import(
    tx: &Tx<'_>,
    owner: UserId,
    operation: OperationId,
    passages: Vec<Marked>,
    choices: &[QuoteImportChoice],
) -> Result<(QuoteImportFigures, bool)> {
    let (mut remembered, mut has_changed) = (Vec::new(), false);
    let figures = each_gain(tx, owner, passages, choices, |book, Gain { quotes, came }| {
        for hash in came {
            if remember(tx, book, hash)? {
                remembered.push((book, hash));
            }
        }
        let Some(quotes) = quotes else { return Ok(()) };
        has_changed = true;
        let before = image(tx, owner, book)?.unwrap_or_default();
        let changes = before.get("changes").and_then(Value::as_i64).unwrap_or_default();
        let values = Map::from_iter([
            ("quotes".to_owned(), serde_json::to_string(&quotes)?.into()),
            ("changes".to_owned(), (changes + 1).into()),
            ("updated_at".to_owned(), tx.stamp().to_string().into()),
        ]);
        write(tx, owner, book, &values)?;
        let after = image(tx, owner, book)?.unwrap_or_default();
        operations::note_difference(tx, owner, operation, book, &difference(&before, &after))
    })?;
    if !remembered.is_empty() {
        operations::note_part(tx, owner, operation, PART.file, serde_json::to_value(remembered)?)?;
    }
    if has_changed {
        operations::trim(tx, owner, operation)?;
        counters::changed(tx, owner)?;
    }
    Ok((figures, has_changed))
}

/// Finds the reads of passages, one after the other, and what each gets.
fn each_gain(
    conn: &Connection,
    owner: UserId,
    passages: Vec<Marked>,
    choices: &[QuoteImportChoice],
    mut visit: impl FnMut(BookId, Gain) -> Result<()>,
) -> Result<QuoteImportFigures> {
    let mut figures = QuoteImportFigures { passages: passages.len(), ..QuoteImportFigures::default() };
    if passages.is_empty() {
        return Ok(figures);
    }
    let mut chosen = HashMap::new();
    for choice in choices {
        let exists = "SELECT EXISTS (SELECT 1 FROM books WHERE user_id = ?1 AND id = ?2)";
        if let Some(book) = choice.book_id
            && !conn.prepare_cached(exists)?.query_row((owner, book), |row| row.get::<_, bool>(0))?
        {
            return Err(Error::invalid_field("books", "Choose a book of yours for each title, or none."));
        }
        chosen.insert((title_key(&choice.title), name_key(&choice.author)), choice.book_id);
    }
    let library = Library::of(conn, owner)?;
    let (mut places, mut unknown) = (HashMap::new(), BTreeMap::<usize, QuoteImportTitle>::new());
    let mut fitting = BTreeMap::<BookId, Vec<Marked>>::new();
    for marked in passages {
        let Marked { title, author, .. } = &marked;
        let (place, book) = match places.get(&(title.clone(), author.clone())) {
            Some(found) => *found,
            None => {
                let choice = chosen.get(&(title_key(title), name_key(author)));
                let found = (places.len(), choice.copied().unwrap_or_else(|| library.find(title, author)));
                places.insert((title.clone(), author.clone()), found);
                found
            }
        };
        match book {
            Some(book) => fitting.entry(book).or_default().push(marked),
            None => {
                let none = || QuoteImportTitle { title: title.clone(), author: author.clone(), passages: 0 };
                unknown.entry(place).or_insert_with(none).passages += 1;
            }
        }
    }
    figures.unknown = unknown.into_values().take(MOST_UNKNOWN).collect();
    for (book, passages) in fitting {
        figures.fits += passages.len();
        visit(book, figures.gain(conn, owner, book, passages)?)?;
    }
    Ok(figures)
}

impl QuoteImportFigures {
    /// What a read gets of passages, which are counted.
    fn gain(&mut self, conn: &Connection, owner: UserId, read: BookId, passages: Vec<Marked>) -> Result<Gain> {
        let mut keys = Keys::default();
        let (first, last) = owned(owner);
        let of_work = "id BETWEEN ?1 AND ?2 AND work = (SELECT work FROM books WHERE id = ?3)";
        let sql =
            format!("SELECT id, quotes FROM book_texts JOIN books ON id = book_id WHERE {of_work} AND quotes <> '[]'");
        let mut query = conn.prepare_cached(&sql)?;
        let mut rows = query.query((first, last, read))?;
        // Those of all reads, each with its place in this one.
        let (mut quotes, mut standing) = (Quotes::default(), HashMap::<i64, Option<usize>>::new());
        while let Some(row) = rows.next()? {
            let found: Quotes = serde_json::from_str(words(row, 1)?)?;
            let is_own = row.get::<_, BookId>(0)? == read;
            for (at, passage) in found.0.iter().enumerate() {
                let place = standing.entry(keys.of(passage)).or_default();
                *place = place.or(is_own.then_some(at));
            }
            if is_own {
                quotes = found;
            }
        }
        let sql = format!("SELECT hash FROM imported_quotes WHERE book_id IN (SELECT id FROM books WHERE {of_work})");
        let mut query = conn.prepare_cached(&sql)?;
        let came =
            query.query_map((first, last, read), |row| row.get(0))?.collect::<rusqlite::Result<HashSet<i64>>>()?;
        let before = quotes.clone();
        let mut gain = Gain::default();
        for Marked { passage, former, .. } in passages {
            let (key, with_note) = (keys.of(&passage), keys.with_note(&passage));
            let formers: Vec<_> = former.iter().map(|text| keys.of_text(text, None)).collect();
            let grown = formers.iter().find_map(|key| standing.get(key).copied().flatten());
            if let Some(place) = standing.get(&key) {
                // A note that was written later, unless its reader deleted it here.
                let own = place.map(|at| &mut quotes.0[at]).filter(|own| own.note.is_none());
                match (own, with_note) {
                    (Some(own), Some(note)) if !came.contains(&note) => {
                        own.note = passage.note;
                        self.added += 1;
                    }
                    _ => self.known += 1,
                }
            } else if came.contains(&key) || (grown.is_none() && formers.iter().any(|key| came.contains(key))) {
                self.known += 1;
            } else if let Some(at) = grown {
                self.added += 1;
                quotes.0[at].text.clone_from(&passage.text);
                quotes.0[at].complete(passage);
                standing.insert(key, Some(at));
            } else if quotes.0.len() < MOST_QUOTES {
                self.added += 1;
                standing.insert(key, Some(quotes.0.len()));
                quotes.0.push(passage);
            } else {
                continue;
            }
            gain.came.extend([Some(key), with_note].into_iter().flatten().filter(|key| !came.contains(key)));
        }
        gain.came.truncate(MOST_REMEMBERED.saturating_sub(came.len()));
        gain.quotes = Some(quotes).filter(|quotes| *quotes != before);
        Ok(gain)
    }
}

/// Returns whether the passage is a new one.
fn remember(tx: &Tx<'_>, book: BookId, hash: i64) -> Result<bool> {
    let sql = "INSERT OR IGNORE INTO imported_quotes (book_id, hash) VALUES (?1, ?2)";
    Ok(tx.prepare_cached(sql)?.execute((book, hash))? > 0)
}

/// The passages that ever came with files, by the rows of their books: 1 is the first book of
/// [`books::store::each`](crate::library::books::store::each).
pub fn remembered(conn: &Connection, owner: UserId) -> Result<BTreeMap<i64, Vec<i64>>> {
    let sql = "SELECT row, hash FROM
            (SELECT row_number() OVER (ORDER BY id) AS row, id FROM books WHERE id BETWEEN ?1 AND ?2)
        JOIN imported_quotes ON book_id = id";
    let mut found = BTreeMap::<i64, Vec<i64>>::new();
    let mut query = conn.prepare_cached(sql)?;
    let mut rows = query.query(owned(owner))?;
    while let Some(row) = rows.next()? {
        found.entry(row.get(0)?).or_default().push(row.get(1)?);
    }
    Ok(found)
}

/// Remembers that passages came to a new book before it was restored.
pub fn restore(tx: &Tx<'_>, book: BookId, hashes: &[i64]) -> Result<()> {
    hashes.iter().take(MOST_REMEMBERED).try_for_each(|hash| remember(tx, book, *hash).map(drop))
}

/// Forgets the passages that an operation brought, so that the next import brings them again.
fn forget(tx: &Tx<'_>, owner: UserId, made: Value) -> Result<()> {
    let (first, last) = owned(owner);
    let mut delete = tx
        .prepare_cached("DELETE FROM imported_quotes WHERE book_id = ?3 AND hash = ?4 AND book_id BETWEEN ?1 AND ?2")?;
    for (book, hash) in serde_json::from_value::<Vec<(i64, i64)>>(made)? {
        delete.execute((first, last, book, hash))?;
    }
    Ok(())
}

/// Makes the hashes by which passages are compared: those of their texts without case, accents and punctuation.
#[derive(Default)]
struct Keys(LongKeys);

impl Keys {
    /// That of a text, or of a note without one.
    fn of(&mut self, passage: &Passage) -> i64 {
        match passage.text.is_empty() {
            true => self.of_text("", passage.note.as_deref()),
            false => self.of_text(&passage.text, None),
        }
    }

    /// That of a text with its note; `None` where it has none, or is nothing else.
    fn with_note(&mut self, passage: &Passage) -> Option<i64> {
        let note = passage.note.as_deref().filter(|_| !passage.text.is_empty())?;
        Some(self.of_text(&passage.text, Some(note)))
    }

    fn of_text(&mut self, text: &str, note: Option<&str>) -> i64 {
        let mut hash = Sha256::new();
        for part in [text, note.unwrap_or_default()] {
            let mut key = String::new();
            self.0.write(part, &mut key, |_, _| {});
            let key = key.trim_end();
            hash = hash.chain_update(if key.is_empty() { part } else { key }).chain_update([0]);
        }
        let bytes = hash.finalize();
        i64::from_be_bytes(bytes[..8].try_into().unwrap_or_default())
    }
}
