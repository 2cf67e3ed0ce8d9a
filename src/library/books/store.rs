//! The tables of books: rows are clustered by owner, read in one range, and written with the counters in the same transaction.
pub mod common;
pub mod days;
pub mod duplicates;
pub mod list;
pub mod word_counts;
pub mod works;
mod write;

use std::borrow::Cow;

use chrono::NaiveDate;
use foldhash::HashMap as FastMap;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row, ToSql};

pub use self::write::{BOOKS_AT_ONCE, BookInsert, NewBook};
use super::authors::{self, Authors};
use super::facts::{BookFacts, Cover, Series, each_tag};
use super::filter::{BookRow, Filter, is_visible};
use super::model::{Book, BookDraft, Genres, ReadingProgress, month_of, year_of};
use super::passages::Quotes;
use crate::kit::db::pool::{Tx, owned};
use crate::kit::error::{Error, Result};
use crate::kit::id::UserId;
use crate::library::books::model::BookId;
use crate::library::books::reads::TargetWork;
pub(crate) use crate::library::day_text::stored;
use crate::library::{counters, text};

/// The columns of [`BookRow`], followed by all columns of a book. Whatever scans a library (this file, [`works`], [`days`], the list, the
/// imports) reads columns by number, because a name is looked up among all columns in each row. Other tables are read by name.
macro_rules! narrow_columns {
    () => {
        "id, status, date_completed, start_date, word_count, rating, format, reread, word_distribution, title, author, title_key, \
         author_key, genres, completed_from"
    };
}
const NARROW: &str = narrow_columns!();
/// Every column of a response.
pub(super) const ALL: &str = concat!(
    narrow_columns!(),
    ", work, stopped_date, paused_since, word_count_source, pages, isbn, created_at, updated_at, has_texts, series, \
     series_number, tags, contributors, publisher, published, original_year, language, cover, minutes, private"
);

/// The first of the columns of [`BookFacts`] in [`ALL`].
const FACTS: usize = 24;
/// The column of the cover's id in [`ALL`].
const COVER: usize = FACTS + 8;
/// The column of the length in [`ALL`].
const MINUTES: usize = COVER + 1;

/// Who sees what is read of a library.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience {
    /// The owner of the books, who sees all of them.
    Owner,
    /// Anybody else, who sees no private book, and no figure with one.
    Others,
}

impl Audience {
    /// The condition of a query of `books`, which follows another one.
    pub fn condition(self) -> &'static str {
        match self {
            Self::Owner => "",
            Self::Others => " AND books.private = 0",
        }
    }
}

/// The part of a row for [`BookRow`].
fn narrow<'r>(row: &'r Row<'_>) -> rusqlite::Result<BookRow<'r>> {
    Ok(BookRow {
        id: row.get(0)?,
        status: row.get(1)?,
        date_completed: day(row, 2)?,
        start_date: day(row, 3)?,
        word_count: row.get(4)?,
        rating: row.get(5)?,
        format: row.get(6)?,
        reread: row.get(7)?,
        word_distribution: row.get(8)?,
        title: words(row, 9)?,
        author: words(row, 10)?,
        title_key: words(row, 11)?,
        author_key: words(row, 12)?,
        genres: words(row, 13)?,
        completed_from: day(row, 14)?,
    })
}

/// A row without the long texts, the cover and progress, and whether the book has long texts.
fn whole<'r>(row: &'r Row<'_>) -> rusqlite::Result<(Book<'r>, bool)> {
    let narrow = narrow(row)?;
    let book = Book {
        id: narrow.id,
        title: Cow::Borrowed(narrow.title),
        author: authors::joined(narrow.author),
        authors: Authors(Cow::Borrowed(narrow.author)),
        word_count: narrow.word_count,
        word_count_source: row.get(18)?,
        pages: row.get(19)?,
        minutes: row.get(MINUTES)?,
        isbn: row.get_ref(20)?.as_str_or_null()?.map(Cow::Borrowed),
        status: narrow.status,
        start_date: narrow.start_date,
        date_completed: narrow.date_completed,
        year: year_of(narrow.completed_from, narrow.date_completed),
        month: month_of(narrow.completed_from, narrow.date_completed),
        rating: narrow.rating,
        format: narrow.format,
        reread: narrow.reread,
        genres: Genres(Cow::Borrowed(narrow.genres)),
        impressions: None,
        quotes: Quotes::default(),
        word_distribution: narrow.word_distribution,
        work: row.get(15)?,
        completed_from: narrow.completed_from,
        stopped_date: day(row, 16)?,
        paused_since: day(row, 17)?,
        progress: None,
        facts: facts(row, FACTS)?,
        cover: None,
        created_at: Cow::Borrowed(words(row, 21)?),
        updated_at: Cow::Borrowed(words(row, 22)?),
    };
    Ok((book, row.get(23)?))
}

/// The facts of a row, whose first column is `at`.
fn facts(row: &Row<'_>, at: usize) -> rusqlite::Result<BookFacts> {
    let contributors = match row.get_ref(at + 3)?.as_str_or_null()? {
        Some(list) => serde_json::from_str(list).map_err(|_| unreadable(at + 3))?,
        None => Vec::new(),
    };
    let series = row.get::<_, Option<String>>(at)?;
    Ok(BookFacts {
        contributors,
        series: match series {
            Some(name) => Some(Series { name, number: row.get(at + 1)? }),
            None => None,
        },
        tags: each_tag(words(row, at + 2)?).map(str::to_owned).collect(),
        publisher: row.get(at + 4)?,
        published: row.get(at + 5)?,
        original_year: row.get(at + 6)?,
        language: row.get(at + 7)?,
        private: row.get(at + 10)?,
    })
}

/// The picture with this id.
fn cover(conn: &Connection, id: i64) -> Result<Cover> {
    let mut query = conn.prepare_cached("SELECT width, height FROM covers WHERE id = ?1")?;
    let url = format!("/api/covers/{id}");
    Ok(query.query_row([id], |row| Ok(Cover { url, width: row.get(0)?, height: row.get(1)? }))?)
}

/// A row as a book with its long texts and its cover, and without progress: see [`days::newest`].
pub(super) fn book<'r>(conn: &Connection, row: &'r Row<'_>) -> Result<Book<'r>> {
    let (mut book, has_texts) = whole(row)?;
    if has_texts {
        let mut texts = conn.prepare_cached("SELECT impressions, quotes FROM book_texts WHERE book_id = ?1")?;
        let (impressions, quotes): (Option<String>, String) =
            texts.query_row([book.id], |row| Ok((row.get(0)?, row.get(1)?)))?;
        book.impressions = impressions;
        book.quotes = serde_json::from_str(&quotes)?;
    }
    if let Some(id) = row.get(COVER)? {
        book.cover = Some(cover(conn, id)?);
    }
    Ok(book)
}

/// A text column, borrowed.
pub(crate) fn words<'r>(row: &'r Row<'_>, column: usize) -> rusqlite::Result<&'r str> {
    Ok(row.get_ref(column)?.as_str()?)
}

/// A column with a day or null.
pub(crate) fn day(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<NaiveDate>> {
    match row.get_ref(column)? {
        ValueRef::Null => Ok(None),
        value => text::date(value.as_str()?).map(Some).ok_or_else(|| unreadable(column)),
    }
}

/// A column with a day.
pub(crate) fn known_day(row: &Row<'_>, column: usize) -> rusqlite::Result<NaiveDate> {
    day(row, column)?.ok_or_else(|| unreadable(column))
}

/// The error for a value that this program never writes.
fn unreadable(column: usize) -> rusqlite::Error {
    rusqlite::Error::InvalidColumnType(column, "a value of the library".into(), rusqlite::types::Type::Text)
}

pub fn get(conn: &Connection, owner: UserId, id: BookId) -> Result<Book<'static>> {
    get_at(conn, owner, id, days::newest_of(conn, id)?)
}

/// As [`get`], with the newest place from a log that the caller has read.
pub fn get_at(
    conn: &Connection,
    owner: UserId,
    id: BookId,
    progress: Option<ReadingProgress>,
) -> Result<Book<'static>> {
    let mut query = conn.prepare_cached(&format!("SELECT {ALL} FROM books WHERE user_id = ?1 AND id = ?2"))?;
    let mut rows = query.query((owner, id))?;
    let row = rows.next()?.ok_or(Error::NotFound)?;
    Ok(Book { progress, ..book(conn, row)? }.into_owned())
}

/// Visits the [`BookRow`]s of an owner that an audience sees in the order of ids, in one range.
pub fn scan(conn: &Connection, owner: UserId, audience: Audience, mut visit: impl FnMut(&BookRow<'_>)) -> Result<()> {
    let (first, last) = owned(owner);
    let seen = audience.condition();
    let sql = format!("SELECT {NARROW} FROM books WHERE id BETWEEN ?1 AND ?2{seen} ORDER BY id");
    let mut query = conn.prepare_cached(&sql)?;
    let mut rows = query.query([first, last])?;
    while let Some(row) = rows.next()? {
        visit(&narrow(row)?);
    }
    Ok(())
}

/// The lengths of books in minutes.
pub type Lengths = FastMap<BookId, i64>;

/// The lengths of an owner's books that have one, from the index of these books alone.
pub fn lengths(conn: &Connection, owner: UserId) -> Result<Lengths> {
    let sql = "SELECT id, minutes FROM books INDEXED BY books_with_minutes WHERE user_id = ?1 AND minutes IS NOT NULL";
    let mut query = conn.prepare_cached(sql)?;
    let lengths = query.query_map([owner], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(lengths.collect::<rusqlite::Result<_>>()?)
}

/// What a review needs of a read beside its [`BookRow`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadRow {
    /// The id of the first read of the same book.
    pub work: BookId,
    /// The day on which the read was given up.
    pub stopped: Option<NaiveDate>,
    /// The pages, where they are known.
    pub pages: Option<i64>,
    /// The length in minutes, where it is known.
    pub minutes: Option<i64>,
}

/// Visits the reads of an owner like [`scan`], with more columns.
pub fn scan_reads(
    conn: &Connection,
    owner: UserId,
    audience: Audience,
    mut visit: impl FnMut(&BookRow<'_>, ReadRow),
) -> Result<()> {
    let (first, last) = owned(owner);
    let seen = audience.condition();
    let sql = format!(
        "SELECT {NARROW}, work, stopped_date, pages, minutes FROM books WHERE id BETWEEN ?1 AND ?2{seen} ORDER BY id"
    );
    let mut query = conn.prepare_cached(&sql)?;
    let mut rows = query.query([first, last])?;
    while let Some(row) = rows.next()? {
        let read = ReadRow { work: row.get(15)?, stopped: day(row, 16)?, pages: row.get(17)?, minutes: row.get(18)? };
        visit(&narrow(row)?, read);
    }
    Ok(())
}

/// The words of the reads that were completed on the last 365 days.
pub fn words_of_last_year(conn: &Connection, owner: UserId, today: NaiveDate) -> Result<i64> {
    let from = today - chrono::TimeDelta::days(364);
    let sql = "SELECT coalesce(sum(word_count), 0) FROM books WHERE user_id = ?1 AND date_completed BETWEEN ?2 AND ?3";
    Ok(conn.prepare_cached(sql)?.query_row((owner, stored(from), stored(today)), |row| row.get(0))?)
}

/// What the further charts and the search for similar books need of a read beside its [`BookRow`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DescribedRow<'r> {
    /// The id of the first read of the same book.
    pub work: BookId,
    /// The day on which the read was given up.
    pub stopped: Option<NaiveDate>,
    pub series: Option<&'r str>,
    /// Tags joined by commas.
    pub tags: &'r str,
    pub published: Option<&'r str>,
    pub original_year: Option<i64>,
    pub language: Option<&'r str>,
}

/// Visits the reads of an owner like [`scan`], with what describes the book and its edition.
pub fn scan_described(
    conn: &Connection,
    owner: UserId,
    audience: Audience,
    visit: impl FnMut(&BookRow<'_>, &DescribedRow<'_>),
) -> Result<()> {
    described(conn, owner, audience, None, visit)
}

/// Visits the reads of a work of an owner, in the order of ids, with what describes the book and its edition.
pub fn each_described(
    conn: &Connection,
    owner: UserId,
    work: BookId,
    visit: impl FnMut(&BookRow<'_>, &DescribedRow<'_>),
) -> Result<()> {
    described(conn, owner, Audience::Owner, Some(work), visit)
}

fn described(
    conn: &Connection,
    owner: UserId,
    audience: Audience,
    work: Option<BookId>,
    mut visit: impl FnMut(&BookRow<'_>, &DescribedRow<'_>),
) -> Result<()> {
    let (first, last) = owned(owner);
    let seen = audience.condition();
    let of_work = if work.is_some() { " AND work = ?3" } else { "" };
    let sql = format!(
        "SELECT {NARROW}, work, stopped_date, series, tags, published, original_year, language FROM books
         WHERE id BETWEEN ?1 AND ?2{seen}{of_work} ORDER BY id"
    );
    let mut query = conn.prepare_cached(&sql)?;
    let mut values: Vec<&dyn ToSql> = vec![&first, &last];
    values.extend(work.as_ref().map(|work| work as &dyn ToSql));
    let mut rows = query.query(&*values)?;
    while let Some(row) = rows.next()? {
        let optional = |column| row.get_ref(column)?.as_str_or_null().map_err(rusqlite::Error::from);
        let described = DescribedRow {
            work: row.get(15)?,
            stopped: day(row, 16)?,
            series: optional(17)?,
            tags: words(row, 18)?,
            published: optional(19)?,
            original_year: row.get(20)?,
            language: optional(21)?,
        };
        visit(&narrow(row)?, &described);
    }
    Ok(())
}

/// Visits every complete book of an owner in the order of ids, for exports.
pub fn each(conn: &Connection, owner: UserId, mut visit: impl FnMut(Book<'_>) -> Result<()>) -> Result<()> {
    let (first, last) = owned(owner);
    let mut query = conn.prepare_cached(&format!("SELECT {ALL} FROM books WHERE id BETWEEN ?1 AND ?2 ORDER BY id"))?;
    let progress = days::newest(conn, owner)?;
    let mut rows = query.query([first, last])?;
    while let Some(row) = rows.next()? {
        let book = book(conn, row)?;
        visit(Book { progress: progress.get(&book.id).copied(), ..book })?;
    }
    Ok(())
}

/// Whether the library has a finished book with that title and author, including hidden ones. By their keys.
pub fn is_finished_before(conn: &Connection, owner: UserId, title_key: &str, author_key: &str) -> Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM books WHERE user_id = ?1 AND title_key = ?2 AND author_key = ?3
        AND status IN ('completed', 'undated'))";
    Ok(conn.prepare_cached(sql)?.query_row((owner, title_key, author_key), |row| row.get(0))?)
}

/// Writes a new book and counts it. Where it joins a work, it takes what belongs to the book from the other reads; what it says itself
/// is written to all of them.
pub fn insert(tx: &Tx<'_>, owner: UserId, draft: &BookDraft, place: TargetWork) -> Result<BookId> {
    let folded = folded(draft);
    let work = works::placed(tx, owner, draft.status, &folded, place)?;
    let joining;
    let draft = match work {
        Some(work) => {
            joining = common::joining(tx, work, draft)?;
            &joining
        }
        None => draft,
    };
    let id = BookId(counters::add_books(tx, owner, 1)?);
    let new = NewBook { id, draft, reread: draft.reread, folded, work: work.unwrap_or(id) };
    let bytes = BookInsert::new(tx, owner).insert(&[new])?;
    counters::add_texts(tx, owner, bytes)?;
    if let Some(work) = work {
        common::share_facts(tx, owner, work, id)?;
    }
    Ok(id)
}

/// Title and author as [`text::title_key`] and [`text::name_key`] make them.
pub type Folded<'k> = (Cow<'k, str>, Cow<'k, str>);

/// The keys of a book's title and authors.
pub fn folded(draft: &BookDraft) -> Folded<'static> {
    (text::title_key(&draft.title).into(), text::name_key(&draft.author()).into())
}

/// The bytes of the texts in a book's own row.
fn name_bytes(draft: &BookDraft) -> Result<i64> {
    let joined = |names: &[String]| {
        let between = i64::try_from(names.len().saturating_sub(1)).unwrap_or(0);
        names.iter().map(|name| counters::bytes(name)).sum::<i64>() + between
    };
    let facts = &draft.facts;
    let contributors = contributors(facts)?.as_deref().map_or(0, counters::bytes);
    let series = facts.series.as_ref().map_or(0, |series| counters::bytes(&series.name));
    let publisher = facts.publisher.as_deref().map_or(0, counters::bytes);
    let names = counters::bytes(&draft.title) + joined(&draft.authors) + joined(&draft.genres);
    Ok(names + joined(&facts.tags) + contributors + series + publisher)
}

/// The contributors in the form of the database.
fn contributors(facts: &BookFacts) -> Result<Option<String>> {
    if facts.contributors.is_empty() {
        return Ok(None);
    }
    Ok(Some(serde_json::to_string(&facts.contributors)?))
}

/// The bytes of a new book, as [`BookInsert::insert`] counts them.
pub fn bytes(draft: &BookDraft) -> Result<i64> {
    let impressions = draft.impressions.as_deref().map_or(0, counters::bytes);
    let quotes = if has_texts(draft) { counters::bytes(&serde_json::to_string(&draft.quotes)?) } else { 0 };
    Ok(name_bytes(draft)? + impressions + quotes)
}

pub fn update(tx: &Tx<'_>, owner: UserId, id: BookId, draft: &BookDraft) -> Result<()> {
    if !write::update(tx, owner, id, draft, &folded(draft))? {
        return Err(Error::NotFound);
    }
    tx.prepare_cached("DELETE FROM book_texts WHERE book_id = ?1")?.execute([id])?;
    let bytes = write_texts(tx, id, draft)?;
    counters::add_texts(tx, owner, bytes)?;
    counters::changed(tx, owner)
}

/// Visits the visible books of a filter. `from` is the first visible completion date.
pub fn matching(
    conn: &Connection,
    owner: UserId,
    filter: &Filter,
    from: Option<NaiveDate>,
    mut visit: impl FnMut(&BookRow<'_>),
) -> Result<()> {
    let reads = works::Members::of(conn, owner, filter)?;
    scan(conn, owner, Audience::Owner, |book| {
        if is_visible(book.date_completed, from) && reads.has(book.id) && filter.matches(book) {
            visit(book);
        }
    })
}

/// Deletes a book with its texts and its log.
pub fn delete(tx: &Tx<'_>, owner: UserId, id: BookId) -> Result<()> {
    match tx.prepare_cached("DELETE FROM books WHERE user_id = ?1 AND id = ?2")?.execute((owner, id))? {
        0 => Err(Error::NotFound),
        count => {
            works::rename(tx, id)?;
            counters::remove_books(tx, owner, i64::try_from(count).unwrap_or(1))
        }
    }
}

/// Deletes every book of an owner.
pub fn delete_all(tx: &Tx<'_>, owner: UserId) -> Result<()> {
    let (first, last) = owned(owner);
    let gone = tx.prepare_cached("DELETE FROM books WHERE id BETWEEN ?1 AND ?2")?.execute([first, last])?;
    counters::remove_books(tx, owner, i64::try_from(gone).unwrap_or(0))
}

/// Writes a book's long texts, if it has any. Returns their bytes.
fn write_texts(tx: &Tx<'_>, id: BookId, draft: &BookDraft) -> Result<i64> {
    if !has_texts(draft) {
        return Ok(0);
    }
    let quotes = serde_json::to_string(&draft.quotes)?;
    tx.prepare_cached("INSERT INTO book_texts (book_id, impressions, quotes) VALUES (?1, ?2, ?3)")?
        .execute((id, &draft.impressions, &quotes))?;
    Ok(draft.impressions.as_deref().map_or(0, counters::bytes) + counters::bytes(&quotes))
}

fn has_texts(draft: &BookDraft) -> bool {
    draft.impressions.is_some() || !draft.quotes.is_empty()
}
