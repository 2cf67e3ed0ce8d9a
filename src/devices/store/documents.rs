//! The table of documents: what arrives, and what its reader says of it.
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use chrono::NaiveDate;
use rusqlite::{Connection, OptionalExtension as _, Row, ToSql, params, params_from_iter};

use super::days::{self, Reader, settle};
use super::{devices, listening};
use crate::devices::coverage::{NotedDay, PageRow, Push, Span};
use crate::devices::matching::{CERTAIN, Library};
use crate::devices::model::{DeviceId, DeviceRefusal, DocumentId, MOST_DOCUMENTS};
use crate::devices::rows;
use crate::devices::statistics::{FileBook, MOST_ROWS};
use crate::kit::db::pool::{Tx, owned};
use crate::kit::id::UserId;
use crate::kit::time_zone::Zone;
use crate::kit::timestamp::Timestamp;
use crate::kit::{Error, Result};
use crate::library::books;
use crate::library::books::log::MOST_MINUTES;
use crate::library::books::model::{AUTHOR_SEPARATOR, BookId, BookStatus, MOST_WORDS};
use crate::library::books::store::{day, known_day, stored};
use crate::library::import::history::model::ImportId;
use crate::library::text::{name_key, title_key};

/// A document as it is stored.
#[derive(Debug, Clone)]
pub struct Stored {
    pub id: DocumentId,
    pub digest: String,
    pub title: Option<String>,
    pub authors: Vec<String>,
    title_key: String,
    author_key: String,
    pub first_seen: Timestamp,
    pub last_seen: Timestamp,
    pub device_id: Option<i64>,
    pub book_id: Option<BookId>,
    /// Whether the read was in progress when it was linked.
    pub linked_open: bool,
    pub ignored: bool,
    pub ignore_before: Option<NaiveDate>,
    pub not_yet: Option<i64>,
    /// Counted by the program that reported it.
    pub words: Option<i64>,
    /// In the order of time.
    pub rows: Vec<PageRow>,
    pub pushes: Vec<Push>,
    /// What imports without page turns said.
    pub noted: Vec<NotedDay>,
    /// The media server that reports it.
    pub source: Option<String>,
    /// The length of an audiobook in seconds.
    pub length: Option<i64>,
    /// When it was said to be finished, unless its reader has said "Not yet" to that: in seconds since 1970.
    pub finished_at: Option<i64>,
    pub heard: Vec<Span>,
}

const COLUMNS: &str = "id, digest, title, authors, title_key, author_key, first_seen, last_seen, device_id, book_id, linked_open, ignored, \
    ignore_before, not_yet, page_rows, words, source, seconds, nullif(finished_at, finish_refused)";

fn document(row: &Row<'_>) -> rusqlite::Result<(Stored, Option<Vec<u8>>)> {
    let authors: Option<String> = row.get(3)?;
    let stored = Stored {
        id: row.get(0)?,
        digest: row.get(1)?,
        title: row.get(2)?,
        authors: authors.iter().flat_map(|names| names.split(AUTHOR_SEPARATOR)).map(str::to_owned).collect(),
        title_key: row.get(4)?,
        author_key: row.get(5)?,
        first_seen: row.get(6)?,
        last_seen: row.get(7)?,
        device_id: row.get(8)?,
        book_id: row.get(9)?,
        linked_open: row.get(10)?,
        ignored: row.get(11)?,
        ignore_before: day(row, 12)?,
        not_yet: row.get(13)?,
        words: row.get(15)?,
        rows: Vec::new(),
        pushes: Vec::new(),
        noted: Vec::new(),
        source: row.get(16)?,
        length: row.get(17)?,
        finished_at: row.get(18)?,
        heard: Vec::new(),
    };
    Ok((stored, row.get(14)?))
}

impl Stored {
    /// The same without its page turns, which may be many.
    fn without_rows(&mut self) -> Self {
        let rows = std::mem::take(&mut self.rows);
        let without = self.clone();
        self.rows = rows;
        without
    }
}

/// The documents of an owner for which a condition holds, newest report first.
pub(super) fn some(conn: &Connection, owner: UserId, condition: &str, value: &dyn ToSql) -> Result<Vec<Stored>> {
    let (first, last) = owned(owner);
    let sql = format!(
        "SELECT {COLUMNS} FROM documents WHERE id BETWEEN ?1 AND ?2 AND {condition} ORDER BY last_seen DESC, id DESC"
    );
    let mut query = conn.prepare_cached(&sql)?;
    let found = query.query_map(params![first, last, value], document)?;
    let mut places =
        conn.prepare_cached("SELECT day, at, pushed_at FROM document_places WHERE document_id = ?1 ORDER BY day")?;
    let mut noted = conn.prepare_cached(
        "SELECT day, at, page, minutes, finished, source FROM document_days WHERE document_id = ?1 ORDER BY day, import_id",
    )?;
    let mut documents = Vec::new();
    for row in found {
        let (mut document, packed) = row?;
        document.rows = packed.map(|packed| rows::unpack(&packed)).transpose()?.unwrap_or_default();
        let pushes = places
            .query_map([document.id], |row| Ok(Push { day: known_day(row, 0)?, at: row.get(1)?, time: row.get(2)? }))?;
        document.pushes = pushes.collect::<rusqlite::Result<_>>()?;
        let days = noted.query_map([document.id], |row| {
            let (day, at, page, minutes) = (known_day(row, 0)?, row.get(1)?, row.get(2)?, row.get(3)?);
            Ok(NotedDay { day, at, page, minutes, finished: row.get(4)?, source: row.get(5)? })
        })?;
        document.noted = days.collect::<rusqlite::Result<_>>()?;
        document.heard = listening::of(conn, document.id, document.length)?;
        documents.push(document);
    }
    Ok(documents)
}

/// Every document of an owner, newest report first.
pub fn all(conn: &Connection, owner: UserId) -> Result<Vec<Stored>> {
    some(conn, owner, "?3 = ?3", &0)
}

/// The documents of a read.
pub fn of_book(conn: &Connection, owner: UserId, book: BookId) -> Result<Vec<Stored>> {
    some(conn, owner, "book_id = ?3", &book)
}

/// The documents of a digest.
pub(super) fn of_digest(conn: &Connection, owner: UserId, digest: &str) -> Result<Vec<Stored>> {
    some(conn, owner, "user_id = ?1 >> 24 AND digest = ?3", &digest)
}

/// The read that a document moves.
///
/// # Errors
/// [`Error::NotFound`].
pub fn book_of(conn: &Connection, owner: UserId, id: DocumentId) -> Result<Option<BookId>> {
    let sql = "SELECT book_id FROM documents WHERE id = ?1 AND user_id = ?2";
    conn.prepare_cached(sql)?.query_row((id, owner), |row| row.get(0)).optional()?.ok_or(Error::NotFound)
}

pub fn get(conn: &Connection, owner: UserId, id: DocumentId) -> Result<Stored> {
    some(conn, owner, "id = ?3", &id)?.pop().ok_or(Error::NotFound)
}

/// What a document is called.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Named {
    pub digest: String,
    /// Empty where none was sent.
    pub title: String,
    pub authors: Vec<String>,
}

impl Named {
    fn keys(&self) -> (String, String) {
        let authors: Vec<_> = self.authors.iter().map(|name| name_key(name)).collect();
        (title_key(&self.title), authors.join(&AUTHOR_SEPARATOR.to_string()))
    }
}

/// The document of these among all that are known: the same name and digest, or a nameless one of the digest, or, for a name that was not
/// sent, the one that reported last. Adds it where there is none; `None` when there is no room. Says whether it is new or was named now.
pub(super) fn placed(
    tx: &Tx<'_>,
    owner: UserId,
    known: &[Stored],
    named: &Named,
) -> Result<Option<(DocumentId, bool)>> {
    let (title, author) = named.keys();
    let is_nameless = title.is_empty() && author.is_empty();
    let of_digest = || known.iter().filter(|one| one.digest == named.digest);
    let same = of_digest().find(|one| (&one.title_key, &one.author_key) == (&title, &author));
    if let Some(one) = same.or_else(|| of_digest().next().filter(|_| is_nameless && !named.digest.is_empty())) {
        return Ok(Some((one.id, false)));
    }
    let sent = |text: String| (!text.is_empty()).then_some(text);
    let (shown, names) = (sent(named.title.clone()), sent(named.authors.join(&AUTHOR_SEPARATOR.to_string())));
    let nameless = of_digest().find(|one| one.title_key.is_empty() && one.author_key.is_empty());
    if let Some(one) = nameless.filter(|_| !named.digest.is_empty()) {
        let sql = "UPDATE documents SET title = ?2, authors = ?3, title_key = ?4, author_key = ?5 WHERE id = ?1";
        tx.prepare_cached(sql)?.execute(params![one.id, shown, names, title, author])?;
        return Ok(Some((one.id, true)));
    }
    let (first, last) = owned(owner);
    let sql = "SELECT count(*), coalesce(max(id), ?1) + 1 FROM documents WHERE id BETWEEN ?1 AND ?2";
    let (count, id): (i64, DocumentId) =
        tx.prepare_cached(sql)?.query_row((first, last), |row| Ok((row.get(0)?, row.get(1)?)))?;
    if count >= MOST_DOCUMENTS {
        return Ok(None);
    }
    let sql =
        "INSERT INTO documents (id, user_id, digest, title, authors, title_key, author_key, first_seen, last_seen)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8)";
    tx.prepare_cached(sql)?.execute(params![id, owner, named.digest, shown, names, title, author, tx.stamp()])?;
    Ok(Some((id, true)))
}

/// Takes the statistics of a device over: rows are added, none is taken away. Every document without a book is looked for in the library.
pub fn take(tx: &Tx<'_>, reader: &Reader, device: DeviceId, file: Vec<FileBook>) -> Result<()> {
    let moved = take_with(tx, reader, Sender::Device(device), file, |_, _| Ok(()))?;
    moved.into_iter().try_for_each(|book| settle(tx, reader, book))
}

/// Who sends a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sender {
    Device(DeviceId),
    Import(ImportId),
}

impl Sender {
    /// The number of its rows.
    pub fn number(self) -> i64 {
        match self {
            Self::Device(id) => id.0,
            Self::Import(id) => rows::IMPORTED | id.0,
        }
    }

    fn device(self) -> Option<DeviceId> {
        match self {
            Self::Device(id) => Some(id),
            Self::Import(_) => None,
        }
    }
}

/// Stores what a file says, and links documents. `changed` sees each document before and after it. Returns the reads to settle.
pub fn take_with(
    tx: &Tx<'_>,
    reader: &Reader,
    sender: Sender,
    mut file: Vec<FileBook>,
    mut changed: impl FnMut(&Stored, &Stored) -> Result<()>,
) -> Result<BTreeSet<BookId>> {
    let owner = reader.owner;
    let mut known = all(tx, owner)?;
    let mut sent = HashMap::<DocumentId, (Vec<PageRow>, Vec<NotedDay>, Option<i64>)>::new();
    let mut library = None;
    let digests: HashSet<_> = known.iter().map(|one| one.digest.clone()).filter(|digest| !digest.is_empty()).collect();
    for book in &mut file {
        let says_reading = !book.rows.is_empty() || !book.days.is_empty();
        if !says_reading && !digests.contains(&book.digest) && !concerns(tx, owner, &mut library, book)? {
            continue;
        }
        let named = Named {
            digest: std::mem::take(&mut book.digest),
            title: std::mem::take(&mut book.title),
            authors: std::mem::take(&mut book.authors),
        };
        let Some((id, is_named)) = placed(tx, owner, &known, &named)? else {
            match sender {
                Sender::Device(_) => continue,
                Sender::Import(_) => return Err(DeviceRefusal::TooManyDocuments.into()),
            }
        };
        if is_named {
            known.retain(|one| one.id != id);
            known.push(get(tx, owner, id)?);
        }
        let (rows, days, words) = sent.entry(id).or_default();
        if rows.is_empty() {
            *rows = std::mem::take(&mut book.rows);
        } else {
            rows.append(&mut book.rows);
        }
        days.append(&mut book.days);
        *words = book.words.filter(|words| (1..=MOST_WORDS).contains(words)).or(*words);
    }
    drop(file);
    let mut touched = BTreeSet::new();
    let mut total: usize = known.iter().map(|document| document.rows.len() + document.noted.len()).sum();
    let sql = "UPDATE documents SET page_rows = ?2, last_seen = iif(?4, ?5, last_seen), device_id = iif(?4, coalesce(?3, device_id), device_id)
        WHERE id = ?1";
    for document in &mut known {
        let (mut rows, days, words) = sent.remove(&document.id).unwrap_or_default();
        let is_counted = words.is_some() && words != document.words;
        // A device's file that lacks a document, or rows of it, says that they are gone there.
        let is_there = document.rows.iter().any(|row| row.device == sender.number() && !row.gone);
        if rows.is_empty() && days.is_empty() && !is_counted && !is_there {
            continue;
        }
        if total + rows::count_new(&document.rows, &mut rows) > MOST_ROWS {
            return Err(DeviceRefusal::TooManyRows.into());
        }
        let merged = rows::merge(&document.rows, &rows, sender.number(), |device| reader.has_login(device));
        drop(rows);
        let days = new_days(document, days);
        if merged.is_none() && days.is_empty() && !is_counted {
            continue;
        }
        let more = merged.as_ref().map_or(0, |merged| merged.len() - document.rows.len());
        total += more + days.len();
        if total > MOST_ROWS {
            return Err(DeviceRefusal::TooManyRows.into());
        }
        if let Some(merged) = &merged {
            let packed = rows::pack(merged)?;
            tx.prepare_cached(sql)?.execute(params![document.id, packed, sender.device(), more > 0, tx.stamp()])?;
        }
        if let Sender::Import(import) = sender {
            add_days(tx, document.id, import, &days)?;
        }
        if is_counted {
            tx.prepare_cached("UPDATE documents SET words = ?2 WHERE id = ?1")?.execute(params![document.id, words])?;
            document.words = words;
        }
        touched.extend(document.book_id);
        let mut now = Stored { rows: merged.unwrap_or_else(|| document.rows.clone()), ..document.without_rows() };
        now.noted.extend(days);
        changed(document, &now)?;
        *document = now.without_rows();
    }
    touched.extend(link_certain(tx, owner, &known)?);
    touched.into_iter().map(|book| open_read(tx, owner, book)).collect()
}

/// Whether a book without reading in a file is one of the library. Others would only be asked about.
fn concerns(tx: &Tx<'_>, owner: UserId, library: &mut Option<Library>, book: &FileBook) -> Result<bool> {
    if library.is_none() {
        *library = Some(self::library(tx, owner)?);
    }
    let found = library.as_ref().and_then(|library| library.find(&book.title, &book.authors));
    Ok(found.is_some_and(|found| found.confidence >= CERTAIN))
}

/// The days of a file that say more than what is known.
fn new_days(document: &Stored, sent: Vec<NotedDay>) -> Vec<NotedDay> {
    let mut days = BTreeMap::<NaiveDate, NotedDay>::new();
    for one in sent {
        let day = days.entry(one.day).or_insert(NotedDay { minutes: None, ..one });
        (day.at, day.page) = (day.at.max(one.at), day.page.max(one.page));
        day.minutes = one.minutes.map(|more| (day.minutes.unwrap_or(0) + more).min(MOST_MINUTES)).or(day.minutes);
        day.finished |= one.finished;
    }
    let says_as_much = |known: &NotedDay, day: &NotedDay| {
        (known.at >= day.at && known.page >= day.page) && known.minutes >= day.minutes && known.finished >= day.finished
    };
    // What is known is in the order of its days.
    let noted = |day: NaiveDate| {
        let from = document.noted.partition_point(|known| known.day < day);
        document.noted[from..].iter().take_while(move |known| known.day == day)
    };
    days.into_values().filter(|day| !noted(day.day).any(|known| says_as_much(known, day))).collect()
}

fn add_days(tx: &Tx<'_>, document: DocumentId, import: ImportId, days: &[NotedDay]) -> Result<()> {
    let sql = "INSERT INTO document_days (document_id, day, import_id, at, page, minutes, finished, source)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
    let mut insert = tx.prepare_cached(sql)?;
    for NotedDay { day, at, page, minutes, finished, source } in days {
        insert.execute(params![document, stored(*day), import, at, page, minutes, finished, source])?;
    }
    Ok(())
}

/// The read that documents of this one move: itself, or, when it is finished, the open read of the same book, to which they go over.
pub(super) fn open_read(tx: &Tx<'_>, owner: UserId, id: BookId) -> Result<BookId> {
    let book = books::store::get(tx, owner, id)?;
    if book.status == BookStatus::InProgress {
        return Ok(id);
    }
    let Some(open) = books::store::works::state(tx, owner, book.work)?.open else { return Ok(id) };
    tx.prepare_cached("UPDATE documents SET book_id = ?2, not_yet = NULL WHERE book_id = ?1")?.execute((id, open))?;
    Ok(open)
}

/// A place that a device pushes.
#[derive(Debug, Clone, PartialEq)]
pub struct Pushed {
    pub named: Named,
    /// In hundredths of a percent.
    pub at: i64,
    /// What is given back: the fields as they were sent, as JSON.
    pub progress: String,
}

/// Stores a pushed place, which moves the read of the document.
pub fn push(tx: &Tx<'_>, reader: &Reader, device: DeviceId, pushed: &Pushed) -> Result<()> {
    let owner = reader.owner;
    let known = of_digest(tx, owner, &pushed.named.digest)?;
    let (id, changed) = placed(tx, owner, &known, &pushed.named)?.ok_or(DeviceRefusal::TooManyDocuments)?;
    let now = tx.now().timestamp();
    tx.prepare_cached(
        "UPDATE documents SET progress = ?2, pushed_at = ?3, last_seen = ?4, device_id = ?5 WHERE id = ?1",
    )?
    .execute(params![id, pushed.progress, now, tx.stamp(), device])?;
    tx.prepare_cached(
        "INSERT OR REPLACE INTO document_places (document_id, day, at, pushed_at) VALUES (?1, ?2, ?3, ?4)",
    )?
    .execute(params![id, stored(reader.day_of(now)), pushed.at, now])?;
    let mut touched = Vec::from_iter(known.iter().find(|one| one.id == id).and_then(|one| one.book_id));
    if changed {
        touched.extend(link_certain(tx, owner, &of_digest(tx, owner, &pushed.named.digest)?)?);
    }
    touched.into_iter().try_for_each(|book| settle(tx, reader, open_read(tx, owner, book)?))
}

/// The place of a digest that was pushed last, as it was sent.
pub fn progress(conn: &Connection, owner: UserId, digest: &str) -> Result<Option<(String, i64)>> {
    let (first, last) = owned(owner);
    let sql =
        "SELECT progress, pushed_at FROM documents WHERE id BETWEEN ?1 AND ?2 AND user_id = ?1 >> 24 AND digest = ?3 AND progress IS NOT NULL
        ORDER BY pushed_at DESC, id DESC LIMIT 1";
    let mut query = conn.prepare_cached(sql)?;
    Ok(query.query_row((first, last, digest), |row| Ok((row.get(0)?, row.get(1)?))).optional()?)
}

/// Links the documents without a book that are certainly one of the library. Returns the books.
pub(super) fn link_certain(tx: &Tx<'_>, owner: UserId, documents: &[Stored]) -> Result<Vec<BookId>> {
    let waiting: Vec<_> =
        documents.iter().filter(|one| one.book_id.is_none() && !one.ignored && one.title.is_some()).collect();
    if waiting.is_empty() {
        return Ok(Vec::new());
    }
    let library = library(tx, owner)?;
    let mut linked = Vec::new();
    // The same file under another title is asked about.
    let of_books = documents.iter().filter(|one| one.book_id.is_some());
    let mut taken: HashSet<&str> = of_books.map(|one| one.digest.as_str()).collect();
    taken.remove("");
    for document in waiting {
        let found = library.find(document.title.as_deref().unwrap_or_default(), &document.authors);
        let is_disputed = taken.contains(document.digest.as_str());
        if let Some(found) = found.filter(|found| found.confidence >= CERTAIN && !is_disputed) {
            set_book(tx, owner, document.id, Some(found.book_id))?;
            linked.push(found.book_id);
            if !document.digest.is_empty() {
                taken.insert(&document.digest);
            }
        }
    }
    Ok(linked)
}

/// The books of an owner, to find documents among them.
pub fn library(conn: &Connection, owner: UserId) -> Result<Library> {
    let mut library = Library::default();
    books::store::scan(conn, owner, books::store::Audience::Owner, |book| library.add(book))?;
    Ok(library)
}

fn set_book(tx: &Tx<'_>, owner: UserId, id: DocumentId, book: Option<BookId>) -> Result<()> {
    let is_open = match book {
        Some(book) => books::store::get(tx, owner, book)?.status == BookStatus::InProgress,
        None => false,
    };
    let sql = "UPDATE documents SET book_id = ?2, linked_open = ?3, ignored = iif(?2 IS NULL, ignored, 0), not_yet = NULL WHERE id = ?1";
    tx.prepare_cached(sql)?.execute(params![id, book, is_open])?;
    Ok(())
}

/// Links a document to a read, or to none. The days go along.
///
/// # Errors
/// [`Error::NotFound`] for a document or a book that is not the owner's.
pub fn link(tx: &Tx<'_>, reader: &Reader, id: DocumentId, book: Option<BookId>) -> Result<()> {
    let document = get(tx, reader.owner, id)?;
    let before = document.book_id;
    if before == book {
        return Ok(());
    }
    if let (Some(from), Some(to)) = (before, book) {
        days::take_dismissed_along(tx, reader, document, from, to)?;
    }
    set_book(tx, reader.owner, id, book)?;
    [before, book].into_iter().flatten().try_for_each(|book| settle(tx, reader, book))
}

/// Sets a column of a document, and counts its read anew.
fn set(tx: &Tx<'_>, reader: &Reader, id: DocumentId, what: &str, value: &dyn ToSql) -> Result<()> {
    let book = book_of(tx, reader.owner, id)?;
    tx.execute(
        &format!("UPDATE documents SET {what} = ?2 WHERE id = ?1"),
        params_from_iter([&id as &dyn ToSql, value]),
    )?;
    book.map_or(Ok(()), |book| settle(tx, reader, book))
}

/// Ignores a document, which then moves nothing, or no longer.
pub fn ignore(tx: &Tx<'_>, reader: &Reader, id: DocumentId, ignored: bool) -> Result<()> {
    if ignored {
        link(tx, reader, id, None)?;
    }
    set(tx, reader, id, "ignored", &ignored)
}

/// Forgets what was read before a day.
pub fn ignore_before(tx: &Tx<'_>, reader: &Reader, id: DocumentId, day: Option<NaiveDate>) -> Result<()> {
    set(tx, reader, id, "ignore_before", &day.map(stored))
}

/// Removes the rows that the device has no more.
pub fn remove_there(tx: &Tx<'_>, reader: &Reader, id: DocumentId) -> Result<()> {
    let mut rows = get(tx, reader.owner, id)?.rows;
    rows.retain(|row| !row.gone);
    set(tx, reader, id, "page_rows", &rows::pack(&rows)?)
}

/// "Not yet": the finish is not proposed until the place has moved.
pub fn not_yet(tx: &Tx<'_>, reader: &Reader, id: DocumentId) -> Result<()> {
    let Some(book) = book_of(tx, reader.owner, id)? else { return Ok(()) };
    let read = books::store::get(tx, reader.owner, book)?;
    let place = reader.told(tx, &read, &of_book(tx, reader.owner, book)?)?.place();
    days::refuse(tx, book, place)
}

/// Says that a file of this digest is the book: its documents move it from now on.
///
/// # Errors
/// [`Error::NotFound`] for a book that is not the owner's.
pub fn name_file(tx: &Tx<'_>, reader: &Reader, book: BookId, digest: &str) -> Result<()> {
    books::store::get(tx, reader.owner, book)?;
    let known = of_digest(tx, reader.owner, digest)?;
    let mut ids: Vec<_> = known.iter().map(|one| one.id).collect();
    if ids.is_empty() {
        let named = Named { digest: digest.to_owned(), ..Named::default() };
        let (id, _) = placed(tx, reader.owner, &known, &named)?.ok_or(DeviceRefusal::TooManyDocuments)?;
        ids.push(id);
    }
    ids.into_iter().try_for_each(|id| link(tx, reader, id, Some(book)))
}

/// Counts the reads anew that a device moves, as its clock was set.
pub fn settle_device(tx: &Tx<'_>, owner: UserId, zone: Zone, device: DeviceId) -> Result<()> {
    let reader = Reader::new(tx, owner, zone, tx.now())?;
    let moved: BTreeSet<_> = all(tx, owner)?
        .into_iter()
        .filter(|one| one.rows.iter().any(|row| row.device == device.0))
        .filter_map(|one| one.book_id)
        .collect();
    moved.into_iter().try_for_each(|book| settle(tx, &reader, book))
}

/// Notes that a device's statistics came, see [`devices::put`].
pub fn came(tx: &Tx<'_>, device: DeviceId, file: &[FileBook]) -> Result<bool> {
    let newest = file.iter().flat_map(|book| &book.rows).map(|row| row.start + row.duration).max();
    devices::put(tx, device, newest, tx.now())
}
