//! One pass over the rows of an owner. There is no index: a library is read and folded faster than one would be kept, and what is erased
//! is in no further file.
use std::borrow::Cow;

use chrono::NaiveDate;
use foldhash::{HashMap, HashSet};
use rusqlite::Connection;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::excerpt::{Part, parts};
use crate::kit::db::pool::owned;
use crate::kit::error::Result;
use crate::kit::id::UserId;
use crate::kit::keys::LongKeys;
use crate::kit::named::named;
use crate::library::books::authors::joined;
use crate::library::books::facts::each_tag;
use crate::library::books::filter::is_visible;
use crate::library::books::model::BookId;
use crate::library::books::store::{day, words};
use crate::library::tbr::model::TbrId;
use crate::library::text::{TitleSearch, title_key};

/// The most hits that are shown.
pub const MOST_HITS: usize = 500;

named! {
    /// What is searched.
    SearchPlace {
        /// Titles, authors, series and tags of books.
        Books = "books",
        /// Quotes.
        Quotes = "quotes",
        /// Impressions.
        Impressions = "impressions",
        /// Notes to quotes and of reading days.
        Notes = "notes",
        /// Titles, authors, tags and notes of the to-be-read list.
        Tbr = "tbr",
    }
}

named! {
    /// What a hit stands in.
    SearchHitKind {
        /// Title, author, series or tag of a book.
        Book = "book",
        /// A quote.
        Quote = "quote",
        /// Impressions.
        Impression = "impression",
        /// A note.
        Note = "note",
        /// An item of the to-be-read list.
        Tbr = "tbr",
    }
}

/// The book of a hit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct SearchBook {
    /// The read.
    #[schema(value_type = i64)]
    pub id: BookId,
    /// The id of its work.
    #[schema(value_type = i64)]
    pub work: BookId,
    /// The book's title.
    pub title: String,
    /// The names of all authors with commas between them.
    pub author: String,
}

/// The item of a hit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct SearchItem {
    /// The item.
    #[schema(value_type = i64)]
    pub id: TbrId,
    /// Its title.
    pub title: String,
    /// Null where none was entered.
    #[schema(required)]
    pub author: Option<String>,
}

/// A hit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct SearchHit {
    pub kind: SearchHitKind,
    /// Null for an item of the list.
    #[schema(required)]
    pub book: Option<SearchBook>,
    /// The item of the list; null for a book.
    #[schema(required)]
    pub item: Option<SearchItem>,
    /// What was found, with the words around it.
    pub parts: Vec<Part>,
    /// Where it stands in the book, in its reader's words.
    #[schema(required)]
    pub place: Option<String>,
    /// The day of a quote or a note.
    #[schema(required)]
    pub day: Option<String>,
}

/// The hits of a search.
#[derive(Debug, Default)]
pub struct Found {
    /// As many as are wanted: books, the list, quotes, notes, impressions.
    pub hits: Vec<SearchHit>,
    /// The number of all.
    pub matching: usize,
}

impl Found {
    fn add(&mut self, most: usize, hit: impl FnOnce() -> SearchHit) {
        self.matching += 1;
        if self.hits.len() < most {
            self.hits.push(hit());
        }
    }
}

/// A passage, borrowed from a row.
#[derive(Deserialize)]
#[serde(untagged)]
enum Entry<'a> {
    Text(#[serde(borrow)] Cow<'a, str>),
    Passage {
        #[serde(borrow)]
        text: Cow<'a, str>,
        place: Option<String>,
        note: Option<String>,
        day: Option<String>,
    },
}

struct Search<'n> {
    needle: &'n TitleSearch,
    keys: LongKeys,
    key: String,
}

impl Search<'_> {
    /// Whether a text has what is looked for.
    fn is_in(&mut self, text: &str) -> bool {
        self.key.clear();
        self.keys.write(text, &mut self.key, |_, _| {});
        self.key.contains(&self.needle.key)
    }

    /// The text of a title, a name, a series or a tag that has it, also without blanks.
    fn named<'t>(&self, names: impl IntoIterator<Item = (&'t str, Cow<'t, str>)>) -> Option<&'t str> {
        names.into_iter().find(|(name, key)| self.needle.finds(name, key)).map(|(name, _)| name)
    }
}

/// Searches what is visible, and makes the first `most` hits. `from` is the first visible completion date.
pub fn find(
    conn: &Connection,
    owner: UserId,
    from: Option<NaiveDate>,
    needle: &TitleSearch,
    places: &[SearchPlace],
    most: usize,
) -> Result<Found> {
    let mut search = Search { needle, keys: LongKeys::default(), key: String::new() };
    let wants = |place| places.is_empty() || places.contains(&place);
    let mut found: [Found; 5] = Default::default();
    let [books, items, quotes, notes, impressions] = &mut found;
    let (first, last) = owned(owner);

    let mut known = HashMap::default();
    let mut works = HashSet::default();
    // The newest read stands for its work.
    let mut query = conn.prepare_cached(
        "SELECT id, work, date_completed, title, author, title_key, author_key, series, tags FROM books
         WHERE id BETWEEN ?1 AND ?2 ORDER BY id DESC",
    )?;
    let mut rows = query.query([first, last])?;
    while let Some(row) = rows.next()? {
        if !is_visible(day(row, 2)?, from) {
            continue;
        }
        let (id, work): (BookId, BookId) = (row.get(0)?, row.get(1)?);
        let (title, author, tags) = (words(row, 3)?, joined(words(row, 4)?), words(row, 8)?);
        let series = row.get_ref(7)?.as_str_or_null().map_err(rusqlite::Error::from)?;
        let named = series.into_iter().chain(each_tag(tags)).map(|name| (name, Cow::Owned(title_key(name))));
        let own = [(title, Cow::Borrowed(words(row, 5)?)), (&*author, Cow::Borrowed(words(row, 6)?))];
        let book = || SearchBook { id, work, title: title.to_owned(), author: author.clone().into_owned() };
        if wants(SearchPlace::Books)
            && let Some(name) = search.named(own.into_iter().chain(named))
            && works.insert(work)
        {
            books.add(most, || hit(SearchHitKind::Book, Some(book()), parts(name, needle)));
        }
        known.insert(id, book());
    }

    if wants(SearchPlace::Tbr) {
        let mut query = conn.prepare_cached(
            "SELECT id, title, author, title_key, author_key, tags, notes FROM tbr WHERE id BETWEEN ?1 AND ?2 ORDER BY position, id",
        )?;
        let mut rows = query.query([first, last])?;
        while let Some(row) = rows.next()? {
            let optional = |column| row.get_ref(column)?.as_str_or_null().map_err(rusqlite::Error::from);
            let (title, author) = (words(row, 1)?, optional(2)?);
            let own = [(title, Cow::Borrowed(words(row, 3)?))];
            let by = author.map(|author| (author, Cow::Borrowed(optional(4).ok().flatten().unwrap_or_default())));
            let tags = each_tag(words(row, 5)?).map(|tag| (tag, Cow::Owned(title_key(tag))));
            let name = search.named(own.into_iter().chain(by).chain(tags));
            let note = optional(6)?.filter(|note| name.is_none() && search.is_in(note));
            if let Some(text) = name.or(note) {
                let item = SearchItem { id: row.get(0)?, title: title.to_owned(), author: author.map(str::to_owned) };
                items
                    .add(most, || SearchHit { item: Some(item), ..hit(SearchHitKind::Tbr, None, parts(text, needle)) });
            }
        }
    }

    if wants(SearchPlace::Quotes) || wants(SearchPlace::Notes) || wants(SearchPlace::Impressions) {
        let mut query = conn.prepare_cached(
            "SELECT book_id, impressions, quotes FROM book_texts WHERE book_id BETWEEN ?1 AND ?2 ORDER BY book_id DESC",
        )?;
        let mut rows = query.query([first, last])?;
        while let Some(row) = rows.next()? {
            let Some(book) = known.get(&row.get(0)?) else { continue };
            let written = row.get_ref(1)?.as_str_or_null().map_err(rusqlite::Error::from)?;
            if let Some(text) = written.filter(|text| wants(SearchPlace::Impressions) && search.is_in(text)) {
                let shown = || hit(SearchHitKind::Impression, Some(book.clone()), parts(text, needle));
                impressions.add(most, shown);
            }
            let marked = words(row, 2)?;
            if marked == "[]" || !(wants(SearchPlace::Quotes) || wants(SearchPlace::Notes)) {
                continue;
            }
            for entry in serde_json::from_str::<Vec<Entry<'_>>>(marked)? {
                let (text, place, note, day) = match entry {
                    Entry::Text(text) => (text, None, None, None),
                    Entry::Passage { text, place, note, day } => (text, place, note, day),
                };
                let add = |found: &mut Found, kind, text: &str| {
                    let shown = || hit(kind, Some(book.clone()), parts(text, needle));
                    found.add(most, || SearchHit { place: place.clone(), day: day.clone(), ..shown() });
                };
                if wants(SearchPlace::Quotes) && search.is_in(&text) {
                    add(quotes, SearchHitKind::Quote, &text);
                }
                if let Some(note) = note.filter(|note| wants(SearchPlace::Notes) && search.is_in(note)) {
                    add(notes, SearchHitKind::Note, &note);
                }
            }
        }
    }

    if wants(SearchPlace::Notes) {
        let sql = "SELECT book_id, day, note FROM reading_days WHERE book_id BETWEEN ?1 AND ?2 AND note IS NOT NULL
            ORDER BY book_id DESC, day";
        let mut query = conn.prepare_cached(sql)?;
        let mut rows = query.query([first, last])?;
        while let Some(row) = rows.next()? {
            let (day, note) = (words(row, 1)?, words(row, 2)?);
            if let Some(book) = known.get(&row.get(0)?).filter(|_| search.is_in(note)) {
                let shown = || hit(SearchHitKind::Note, Some(book.clone()), parts(note, needle));
                notes.add(most, || SearchHit { day: Some(day.to_owned()), ..shown() });
            }
        }
    }

    let mut all = Found::default();
    for part in found {
        all.matching += part.matching;
        all.hits.extend(part.hits);
    }
    all.hits.truncate(most);
    Ok(all)
}

fn hit(kind: SearchHitKind, book: Option<SearchBook>, parts: Vec<Part>) -> SearchHit {
    SearchHit { kind, book, item: None, parts, place: None, day: None }
}
