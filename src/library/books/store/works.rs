//! Works: which rows of `books` are reads of the same book.
use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};

use foldhash::HashMap as FastMap;
use rusqlite::{Connection, OptionalExtension as _};

use super::Folded;
use super::common::COMMON;
use crate::kit::db::pool::{Tx, owned};
use crate::kit::error::{Error, Result};
use crate::kit::id::UserId;
use crate::library::books::filter::Filter;
use crate::library::books::model::{Book, BookId, BookStatus};
use crate::library::books::reads::{TargetWork, WorkState, order_of};
use crate::library::counters;

/// The most works of one title and author that are asked whether they take a further read.
const MOST_NAMESAKES: i64 = 100;

/// What matters of an owner's works for new reads.
#[derive(Debug, Default)]
pub struct Works<'n> {
    /// The works of a folded title and author, the lowest first.
    names: FastMap<Folded<'n>, Vec<BookId>>,
    states: FastMap<BookId, WorkState>,
}

impl<'n> Works<'n> {
    /// Reads an owner's works. Only those with a title and author that are `wanted` can be found by name.
    pub fn of(conn: &Connection, owner: UserId, wanted: impl Fn(&str, &str) -> bool) -> Result<Self> {
        let (first, last) = owned(owner);
        let sql = "SELECT id, work, status, title_key, author_key FROM books WHERE id BETWEEN ?1 AND ?2 ORDER BY id";
        let mut query = conn.prepare_cached(sql)?;
        let mut rows = query.query([first, last])?;
        let mut works = Self::default();
        while let Some(row) = rows.next()? {
            let work = row.get(1)?;
            works.states.entry(work).or_default().add(row.get(0)?, row.get(2)?);
            let (title, author) = (super::words(row, 3)?, super::words(row, 4)?);
            if wanted(title, author) {
                works.name((Cow::Owned(title.to_owned()), Cow::Owned(author.to_owned())), work);
            }
        }
        Ok(works)
    }

    /// The state of a work.
    pub fn state(&self, work: BookId) -> Option<WorkState> {
        self.states.get(&work).copied()
    }

    /// Whether a work is there and takes a further read of this status.
    pub fn takes(&self, work: BookId, status: BookStatus) -> bool {
        self.states.get(&work).is_some_and(|state| state.takes(status).is_ok())
    }

    /// Notes that a read of a work is in progress again.
    pub fn open(&mut self, work: BookId, read: BookId) {
        self.states.entry(work).or_default().open = Some(read);
    }

    /// Finds the lowest work of that title and author that takes a further read, or else makes one of its own. Returns the work.
    pub fn add_by_name(&mut self, id: BookId, status: BookStatus, name: Folded<'n>) -> BookId {
        let works = self.names.entry(name).or_default();
        let work = lowest(works, &self.states, status).unwrap_or(id);
        insert(works, work);
        self.states.entry(work).or_default().add(id, status);
        work
    }

    /// Notes a read that was added to a work.
    pub fn add(&mut self, id: BookId, work: BookId, status: BookStatus, name: Folded<'n>) {
        self.states.entry(work).or_default().add(id, status);
        self.name(name, work);
    }

    /// Makes room for this many new works.
    pub fn reserve(&mut self, works: usize) {
        self.names.reserve(works);
        self.states.reserve(works);
    }

    fn name(&mut self, name: Folded<'n>, work: BookId) {
        insert(self.names.entry(name).or_default(), work);
    }
}

/// The first of some works that takes a further read of this status.
fn lowest(works: &[BookId], states: &FastMap<BookId, WorkState>, status: BookStatus) -> Option<BookId> {
    works.iter().copied().find(|work| states.get(work).is_none_or(|state| state.takes(status).is_ok()))
}

/// Adds a work to others in their order, unless it is one of them.
fn insert(works: &mut Vec<BookId>, work: BookId) {
    if let Err(place) = works.binary_search(&work) {
        works.insert(place, work);
    }
}

/// The reads that a filter's work, tags, series, languages and its word `paused` leave in. All of these are in columns that no pass over
/// the library reads.
#[derive(Debug, Default)]
pub struct Members {
    /// The reads of the work; `None` for all reads.
    work: Option<Vec<BookId>>,
    /// The reads with one of the tags, series and languages; `None` for all reads.
    described: Option<Vec<BookId>>,
    /// Reads in progress that are not paused, and are left out.
    running: Vec<BookId>,
}

impl Members {
    /// Reads the ids that the filter leaves in and out, as far as it has a work, tags, series or languages, or asks for paused books
    /// alone.
    pub fn of(conn: &Connection, owner: UserId, filter: &Filter) -> Result<Self> {
        let (first, last) = owned(owner);
        let mut members = Self::default();
        if let Some(work) = filter.work {
            let sql = "SELECT id FROM books WHERE id BETWEEN ?1 AND ?2 AND work = ?3 ORDER BY id";
            let mut query = conn.prepare_cached(sql)?;
            let ids = query.query_map((first, last, work), |row| row.get(0))?;
            members.work = Some(ids.collect::<rusqlite::Result<_>>()?);
        }
        if filter.asks_for_facts() {
            let sql = "SELECT id, tags, series_key, language FROM books WHERE id BETWEEN ?1 AND ?2 ORDER BY id";
            let mut query = conn.prepare_cached(sql)?;
            let mut rows = query.query([first, last])?;
            let mut described = Vec::new();
            while let Some(row) = rows.next()? {
                let text = |column| row.get_ref(column)?.as_str_or_null().map_err(rusqlite::Error::from);
                if filter.matches_facts(super::words(row, 1)?, text(2)?, text(3)?) {
                    described.push(row.get(0)?);
                }
            }
            members.described = Some(described);
        }
        if filter.leaves_out_running() {
            let sql =
                "SELECT id FROM books WHERE id BETWEEN ?1 AND ?2 AND status = 'in-progress' AND paused_since IS NULL
                ORDER BY id";
            let mut query = conn.prepare_cached(sql)?;
            let ids = query.query_map([first, last], |row| row.get(0))?;
            members.running = ids.collect::<rusqlite::Result<_>>()?;
        }
        Ok(members)
    }

    /// Whether a read is left in.
    pub fn has(&self, id: BookId) -> bool {
        let is_among = |ids: &Option<Vec<BookId>>| ids.as_ref().is_none_or(|ids| ids.binary_search(&id).is_ok());
        is_among(&self.work) && is_among(&self.described) && self.running.binary_search(&id).is_err()
    }
}

pub fn state(conn: &Connection, owner: UserId, work: BookId) -> Result<WorkState> {
    let (first, last) = owned(owner);
    let sql = "SELECT id, status FROM books WHERE id BETWEEN ?1 AND ?2 AND work = ?3";
    let mut query = conn.prepare_cached(sql)?;
    let mut rows = query.query((first, last, work))?;
    let mut state = WorkState::default();
    while let Some(row) = rows.next()? {
        state.add(row.get(0)?, row.get(1)?);
    }
    if state.reads == 0 { Err(Error::NotFound) } else { Ok(state) }
}

/// The work that a new read of this status belongs to; `None` for a work of its own.
///
/// # Errors
/// [`Error::NotFound`] for a named work that does not exist;
/// [`ReadRefusal`](crate::library::books::reads::ReadRefusal) for one that takes no such read.
pub fn placed(
    conn: &Connection,
    owner: UserId,
    status: BookStatus,
    folded: &Folded<'_>,
    place: TargetWork,
) -> Result<Option<BookId>> {
    match place {
        TargetWork::Alone => Ok(None),
        TargetWork::Work(work) => {
            state(conn, owner, work)?.takes(status)?;
            Ok(Some(work))
        }
        TargetWork::ByName => by_name(conn, owner, status, folded),
    }
}

/// The lowest work of that title and author that takes a further read; `None` for a work of its own.
fn by_name(
    conn: &Connection,
    owner: UserId,
    status: BookStatus,
    (title, author): &Folded<'_>,
) -> Result<Option<BookId>> {
    let sql = "SELECT DISTINCT work FROM books WHERE user_id = ?1 AND title_key = ?2 AND author_key = ?3
        ORDER BY work LIMIT ?4";
    let mut query = conn.prepare_cached(sql)?;
    let works = query.query_map((owner, title, author, MOST_NAMESAKES), |row| row.get(0))?;
    for work in works {
        let work = work?;
        if state(conn, owner, work)?.takes(status).is_ok() {
            return Ok(Some(work));
        }
    }
    Ok(None)
}

/// The ids of the reads of a work.
pub fn ids(conn: &Connection, owner: UserId, work: BookId) -> Result<Vec<BookId>> {
    let (first, last) = owned(owner);
    let mut query = conn.prepare_cached("SELECT id FROM books WHERE id BETWEEN ?1 AND ?2 AND work = ?3 ORDER BY id")?;
    let ids = query.query_map((first, last, work), |row| row.get(0))?;
    Ok(ids.collect::<rusqlite::Result<_>>()?)
}

/// The works of an owner that have several reads, and how many reads each has beside its first row. For exports.
pub fn with_several(conn: &Connection, owner: UserId) -> Result<HashMap<BookId, usize>> {
    let (first, last) = owned(owner);
    let mut query = conn.prepare_cached("SELECT work FROM books WHERE id BETWEEN ?1 AND ?2 AND work <> id")?;
    let mut rows = query.query([first, last])?;
    let mut works = HashMap::new();
    while let Some(row) = rows.next()? {
        *works.entry(row.get(0)?).or_default() += 1;
    }
    Ok(works)
}

/// The ids of the reads of a work, oldest first.
///
/// # Errors
/// [`Error::NotFound`] when no work has that id.
pub fn reads(conn: &Connection, owner: UserId, work: BookId) -> Result<Vec<BookId>> {
    let (first, last) = owned(owner);
    let sql = "SELECT id, status, date_completed, stopped_date, start_date FROM books
        WHERE id BETWEEN ?1 AND ?2 AND work = ?3 ORDER BY id";
    let mut query = conn.prepare_cached(sql)?;
    let mut rows = query.query((first, last, work))?;
    let mut reads = Vec::new();
    while let Some(row) = rows.next()? {
        let days = (super::day(row, 2)?, super::day(row, 3)?, super::day(row, 4)?);
        reads.push((order_of(row.get(1)?, days.0, days.1, days.2), row.get(0)?));
    }
    reads.sort();
    if reads.is_empty() { Err(Error::NotFound) } else { Ok(reads.into_iter().map(|(_, id)| id).collect()) }
}

/// Makes one work of two. Its id is the lower one; what belongs to the book and not to one read (series, tags, original year) is that
/// of `work`, and it is private where one of both is. Returns the id.
///
/// # Errors
/// [`Error::NotFound`] when one of them does not exist; [`ReadRefusal`](crate::library::books::reads::ReadRefusal).
pub fn join(tx: &Tx<'_>, owner: UserId, work: BookId, other: BookId) -> Result<BookId> {
    let (one, two) = (state(tx, owner, work)?, state(tx, owner, other)?);
    if work == other {
        return Ok(work);
    }
    one.joined(two)?;
    let (first, last) = owned(owner);
    // A read of each is enough, because all reads of a work agree.
    let sql = "UPDATE books SET private = 1
        WHERE id BETWEEN ?1 AND ?2 AND work = ?3 AND (SELECT private FROM books WHERE id = ?4)";
    tx.prepare_cached(sql)?.execute((first, last, work, other))?;
    let sql = format!(
        "UPDATE books SET ({COMMON}) = (SELECT {COMMON} FROM books WHERE id = ?3) WHERE id BETWEEN ?1 AND ?2 AND work = ?4"
    );
    tx.prepare_cached(&sql)?.execute((first, last, work, other))?;
    let joined = work.min(other);
    let sql = "UPDATE books SET work = ?3 WHERE id BETWEEN ?1 AND ?2 AND work = ?4";
    tx.prepare_cached(sql)?.execute((first, last, joined, work.max(other)))?;
    counters::changed(tx, owner)?;
    Ok(joined)
}

/// Gives a read the cover of another read of the same owner.
pub fn copy_cover(tx: &Tx<'_>, from: BookId, to: BookId) -> Result<()> {
    let sql = "UPDATE books SET cover = (SELECT cover FROM books WHERE id = ?1) WHERE id = ?2";
    tx.prepare_cached(sql)?.execute((from, to))?;
    Ok(())
}

/// Gives the other reads of a work the title, the author and the genres of one of them.
pub fn share_names(tx: &Tx<'_>, owner: UserId, read: &Book<'_>) -> Result<()> {
    let (first, last) = owned(owner);
    let sql = "UPDATE books SET title = new.title, author = new.author, title_key = new.title_key, author_key = new.author_key,
            genres = new.genres, changes = books.changes + 1, updated_at = ?5
        FROM (SELECT title, author, title_key, author_key, genres FROM books WHERE id = ?3) AS new
        WHERE books.id BETWEEN ?1 AND ?2 AND books.work = ?4 AND books.id <> ?3
            AND (books.title, books.author, books.genres) <> (new.title, new.author, new.genres)";
    tx.prepare_cached(sql)?.execute((first, last, read.id, read.work, tx.stamp()))?;
    counters::changed(tx, owner)
}

/// Makes a read a work of its own. The others stay one work.
pub fn part(tx: &Tx<'_>, owner: UserId, id: BookId) -> Result<()> {
    let sql = "SELECT work FROM books WHERE user_id = ?1 AND id = ?2";
    let work: Option<BookId> = tx.prepare_cached(sql)?.query_row((owner, id), |row| row.get(0)).optional()?;
    let work = work.ok_or(Error::NotFound)?;
    let (first, last) = owned(owner);
    if work == id {
        let sql = "UPDATE books SET work = (SELECT min(id) FROM books WHERE id > ?3 AND id <= ?2 AND work = ?3)
            WHERE id BETWEEN ?1 AND ?2 AND work = ?3 AND id <> ?3";
        tx.prepare_cached(sql)?.execute((first, last, id))?;
    } else {
        tx.prepare_cached("UPDATE books SET work = id WHERE user_id = ?1 AND id = ?2")?.execute((owner, id))?;
    }
    counters::changed(tx, owner)
}

/// Reads that disagree with the first read of their work about what belongs to the book, and reads whose work has no first read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Disagreements {
    /// Reads with another series, other tags or another original year than the first one.
    pub common: i64,
    /// Reads whose work is not a first read.
    pub headless: i64,
}

/// Looks for reads of all owners that disagree with their work.
pub fn disagreements(conn: &Connection) -> rusqlite::Result<Disagreements> {
    let sql = format!(
        "SELECT count(*) FILTER (WHERE head.work = head.id AND ({}) IS NOT ({})),
            count(*) FILTER (WHERE head.id IS NULL OR head.work <> head.id)
         FROM books AS own LEFT JOIN books AS head ON head.id = own.work WHERE own.id <> own.work",
        of("own"),
        of("head")
    );
    conn.query_row(&sql, [], |row| Ok(Disagreements { common: row.get(0)?, headless: row.get(1)? }))
}

/// The common columns of a table in a query.
fn of(table: &str) -> String {
    COMMON.split(", ").map(|column| format!("{table}.{column}")).collect::<Vec<_>>().join(", ")
}

/// Makes the reads of every work agree: works without a first read are named after the lowest, and what belongs to the book is that of
/// the first read. Returns how many reads it changed.
pub fn repair(tx: &Tx<'_>) -> Result<usize> {
    let sql = "SELECT DISTINCT own.user_id FROM books AS own LEFT JOIN books AS head ON head.id = own.work
        WHERE own.id <> own.work AND (head.id IS NULL OR head.work <> head.id)";
    let mut query = tx.prepare(sql)?;
    let owners = query.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<Vec<UserId>>>()?;
    let before = disagreements(tx)?;
    for owner in owners {
        rename_headless(tx, owner)?;
    }
    let sql = format!(
        "UPDATE books SET ({COMMON}) = (SELECT {COMMON} FROM books AS head WHERE head.id = books.work)
         WHERE id <> work AND ({COMMON}) IS NOT (SELECT {COMMON} FROM books AS head WHERE head.id = books.work)
         RETURNING user_id"
    );
    let mut query = tx.prepare(&sql)?;
    let changed = query.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<Vec<UserId>>>()?;
    for owner in changed.iter().copied().collect::<BTreeSet<_>>() {
        counters::changed(tx, owner)?;
    }
    Ok(changed.len() + usize::try_from(before.headless).unwrap_or(0))
}

/// Takes the reads of a work along whose first read belongs to another work by now.
pub fn follow(tx: &Tx<'_>, owner: UserId) -> Result<()> {
    let (first, last) = owned(owner);
    let sql = "UPDATE books SET work = head.work FROM books AS head JOIN books AS top ON top.id = head.work AND top.work = top.id
        WHERE books.id BETWEEN ?1 AND ?2 AND books.id <> books.work AND head.id = books.work AND head.work <> head.id";
    tx.prepare_cached(sql)?.execute([first, last])?;
    Ok(())
}

/// Names a work whose first read was deleted after the lowest read that is left.
pub(super) fn rename(tx: &Tx<'_>, work: BookId) -> Result<()> {
    let sql = "UPDATE books SET work = (SELECT min(id) FROM books WHERE work = ?1) WHERE work = ?1";
    tx.prepare_cached(sql)?.execute([work])?;
    Ok(())
}

/// Does what [`rename`] does for every work of an owner.
pub fn rename_headless(tx: &Tx<'_>, owner: UserId) -> Result<()> {
    let (first, last) = owned(owner);
    let sql = "SELECT id, work FROM books WHERE work BETWEEN ?1 AND ?2 AND id <> work ORDER BY id";
    let mut query = tx.prepare_cached(sql)?;
    let later = query.query_map([first, last], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let later = later.collect::<rusqlite::Result<Vec<(BookId, BookId)>>>()?;
    let mut exists = tx.prepare_cached("SELECT EXISTS (SELECT 1 FROM books WHERE id = ?1 AND work = id)")?;
    let mut rename = tx.prepare_cached("UPDATE books SET work = ?2 WHERE id = ?1")?;
    let mut names = HashMap::new();
    for (id, work) in later {
        let name = match names.get(&work) {
            Some(name) => *name,
            None => {
                let name = if exists.query_row([work], |row| row.get(0))? { work } else { id };
                names.insert(work, name);
                name
            }
        };
        if name != work {
            rename.execute((id, name))?;
        }
    }
    Ok(())
}

/// The languages of an owner's books, most books first, with the number of different books in each.
pub fn languages(conn: &Connection, owner: UserId) -> Result<Vec<(String, i64)>> {
    let (first, last) = owned(owner);
    let mut query = conn.prepare_cached(
        "SELECT language, COUNT(DISTINCT work) FROM books
             WHERE id BETWEEN ?1 AND ?2 AND language IS NOT NULL GROUP BY language ORDER BY 2 DESC, 1",
    )?;
    let rows = query.query_map([first, last], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}
