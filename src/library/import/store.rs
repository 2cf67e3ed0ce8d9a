//! The tables of imports: reading the existing library, and writing a plan.
use std::borrow::Cow;
use std::cell::LazyCell;
use std::collections::{BTreeSet, HashMap, HashSet};

use rusqlite::Connection;

use super::columns::Field;
use super::edition::{key_with_series, key_without_series};
use super::history::store::imports;
use super::plan::{FormerPlaces, Plan};
use super::progress::ImportPhase;
use super::report::{ImportReport, Work};
use super::row::Destination;
use super::said::Rows;
use super::said::store::{Tie, ties};
use super::taken_off::store as taken_off;
use crate::kit::db::batch_insert::BatchInsert;
use crate::kit::db::pool::{Tx, owned};
use crate::kit::error::Result;
use crate::kit::id::UserId;
use crate::library::books::log::ReadingDay;
use crate::library::books::model::BookId;
use crate::library::books::store as books;
use crate::library::books::store::works::Works;
use crate::library::books::store::{BOOKS_AT_ONCE, BookInsert, Folded as BookName, NewBook, common, days};
use crate::library::counters;
use crate::library::import::dedupe::{Deduped, DuplicateKey, EntryId, ExistingBooks, Matched};
use crate::library::import::history::model::ImportId;
use crate::library::import::inspect::ColumnMap;
use crate::library::operations::model::{OperationId, OperationKind};
use crate::library::operations::store as operations;
use crate::library::operations::store::images::images_without_texts;
use crate::library::tbr::model::TbrId;
use crate::library::tbr::store as tbr;

/// The highest line number in an id of `import_rows`.
pub const LAST_LINE: i64 = 0x1ff_ffff;

/// The `field` of rows that were left out on purpose. They have no reason.
pub const LEFT_OUT: &str = "left-out";

/// The most reads of one title and author that are compared with those of a file by rough dates.
const MOST_COMPARED: usize = 1_000;
/// The most choices about shelves and columns that an account has. They do not count as texts.
const MOST_CHOICES: usize = 2_000;
/// The longest name of a shelf or column whose choice is remembered, in bytes.
const LONGEST_CHOICE: usize = 1_000;

/// The id of a row in `import_rows`.
pub fn row_id(import: ImportId, line: u64) -> i64 {
    (import.0 << 25) | i64::try_from(line).unwrap_or(LAST_LINE).min(LAST_LINE)
}

/// A reader's earlier choices about custom shelves and columns.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    pub shelves: HashMap<String, Destination>,
    pub columns: ColumnMap,
}

/// Reads a reader's choices in earlier imports.
pub fn choices(conn: &Connection, owner: UserId) -> Result<Choices> {
    let mut query = conn.prepare_cached("SELECT kind, name, choice FROM import_choices WHERE user_id = ?1")?;
    let mut rows = query.query([owner])?;
    let mut choices = Choices::default();
    while let Some(row) = rows.next()? {
        let (kind, name): (String, String) = (row.get(0)?, row.get(1)?);
        if kind == "column" {
            // An empty choice is a column that the reader left out.
            let is_empty = row.get_ref(2)?.as_str().is_ok_and(str::is_empty);
            choices.columns.insert(name, if is_empty { None } else { Some(row.get(2)?) });
        } else {
            choices.shelves.insert(name, row.get(2)?);
        }
    }
    Ok(choices)
}

/// Stores a reader's choices. Names that are too long are not remembered, nor new ones beyond [`MOST_CHOICES`].
pub fn remember(tx: &Tx<'_>, owner: UserId, choices: &Choices) -> Result<()> {
    let known = self::choices(tx, owner)?;
    let mut room = MOST_CHOICES.saturating_sub(known.shelves.len() + known.columns.len());
    let mut write = tx.prepare_cached(
        "INSERT OR REPLACE INTO import_choices (user_id, kind, name, choice) VALUES (?1, ?2, ?3, ?4)",
    )?;
    let mut takes = |name: &str, is_known: bool| {
        let fits = name.len() <= LONGEST_CHOICE && (is_known || room > 0);
        room -= usize::from(fits && !is_known);
        fits
    };
    for (name, place) in &choices.shelves {
        if takes(name, known.shelves.contains_key(name)) {
            write.execute((owner, "shelf", name, place))?;
        }
    }
    for (name, field) in &choices.columns {
        if takes(name, known.columns.contains_key(name)) {
            write.execute((owner, "column", name, field.map_or("", Field::name)))?;
        }
    }
    Ok(())
}

/// How many files of a format an account has imported, without those that were undone.
pub fn former_imports(conn: &Connection, owner: UserId, format: &str) -> Result<u32> {
    let sql = "SELECT count(*) FROM imports WHERE user_id = ?1 AND format = ?2 AND undone_at IS NULL";
    Ok(conn.prepare_cached(sql)?.query_row((owner, format), |row| row.get(0))?)
}

/// Where the rows of shelves went in the last files of each format.
pub fn former_places(conn: &Connection, owner: UserId) -> Result<FormerPlaces> {
    let sql =
        "SELECT format, places FROM imports WHERE user_id = ?1 AND undone_at IS NULL AND places <> '{}' ORDER BY id";
    let mut query = conn.prepare_cached(sql)?;
    let mut rows = query.query([owner])?;
    let mut former = FormerPlaces::default();
    while let Some(row) = rows.next()? {
        let places: HashMap<String, Destination> = serde_json::from_str(books::words(row, 1)?)?;
        former.entry(row.get(0)?).or_default().extend(places);
    }
    Ok(former)
}

/// The parts of a library that matter for a plan.
pub fn known(conn: &Connection, owner: UserId, plan: &Plan, duplicate_keys: &[DuplicateKey]) -> Result<ExistingBooks> {
    let mut known = ExistingBooks::default();
    if plan.books.is_empty() && plan.items.is_empty() {
        return Ok(known);
    }
    let keys: LazyCell<HashSet<[u8; 16]>, _> = LazyCell::new(|| plan.rows.iter().map(|row| row.key).collect());
    let of_format = imports(conn, owner)?.into_iter().filter(|import| import.import.format == plan.format);
    let of_format: HashSet<i64> = of_format.map(|import| import.import.id.0).collect();
    for Tie { entry, origin, nth, key, .. } in ties(conn, owner)? {
        if of_format.contains(&(origin >> 25)) {
            known.tied.insert(entry);
        }
        match entry {
            _ if !keys.contains(&key) => {}
            EntryId::Book(id) if nth >= 0 => known.made_books.entry((key, nth)).or_default().push(id),
            entry => known.made_items.entry(key).or_default().push(entry),
        }
    }
    known.items = taken_off::waiting(conn, owner)?;
    if !plan.items.is_empty() {
        // An item that became a book is not listed again by the file that it came from.
        for source in taken_off::sources(conn, owner)? {
            known.made_items.entry(source.key).or_default().push(EntryId::Book(source.book));
        }
    }
    if !duplicate_keys.is_empty() {
        known_books(conn, owner, duplicate_keys, &mut known)?;
    }
    Ok(known)
}

fn known_books(
    conn: &Connection,
    owner: UserId,
    duplicate_keys: &[DuplicateKey],
    known: &mut ExistingBooks,
) -> Result<()> {
    let names: LazyCell<HashSet<(&str, &str)>, _> =
        LazyCell::new(|| duplicate_keys.iter().map(|(title, author, ..)| (title.as_str(), author.as_str())).collect());
    books::scan(conn, owner, books::Audience::Owner, |book| {
        let title = key_without_series(book.title, book.title_key);
        if !names.contains(&(&*title, book.author_key)) {
            return;
        }
        let name = (title.into_owned(), book.author_key.to_owned());
        if book.status.is_finished() {
            known.finished.insert(name.clone());
            let reads = known.reads.entry(name.clone()).or_default();
            // Each is compared with every reading of that name in the file.
            if reads.len() < MOST_COMPARED {
                reads.push((book.id, book.completion()));
            }
        }
        known.books.entry((name.0, name.1, book.status, book.date_completed)).or_default().push(book.id);
    })
}

/// What was written.
#[derive(Clone, Copy, Debug)]
pub struct Written {
    pub import: ImportId,
    /// The operation of the import.
    pub operation: OperationId,
    /// The id of the first new book; the others follow it in their order.
    pub first_book: Option<BookId>,
    /// The id of the first new item; the others follow it in their order.
    pub first_item: Option<TbrId>,
    /// The bytes of the rows that are left out on purpose, and of those that books and items are tied to which were here.
    pub beside: i64,
}

/// Writes the new entries of a plan, with the figures of its report. `refused` are the rejected rows.
pub fn write(
    tx: &Tx<'_>,
    owner: UserId,
    content: Content<'_>,
    report: &ImportReport,
    refused: &[Refused<'_>],
) -> Result<Written> {
    let Work { plan, file_name, kind, .. } = content.work;
    let count = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
    let header = serde_json::to_string(&plan.header)?;
    let heading = counters::bytes(&header) + counters::bytes(file_name);
    let import: ImportId = tx
        .prepare_cached(
            "INSERT INTO imports (user_id, file_name, kind, format, header, delimiter, imported, imported_tbr, errors, skipped, created_at,
             beyond_limit, left_out, places) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14) RETURNING id",
        )?
        .query_row(
            (
                owner,
                file_name,
                kind,
                plan.format,
                header,
                char::from(plan.delimiter).to_string(),
                count(report.imported),
                count(report.imported_tbr),
                count(report.errors),
                count(report.skipped),
                tx.stamp(),
                count(report.beyond_limit),
                count(report.left_out),
                serde_json::to_string(&plan.places)?,
            ),
            |row| row.get(0),
        )?;
    let operation = operations::begin(tx, owner, OperationKind::Import, "", Some(import))?;
    content.work.progress.begin(ImportPhase::Storing, content.deduped.books.len() + content.deduped.items.len());
    let (books, first_book) = write_books(tx, owner, import, operation, content)?;
    let first_item = write_items(tx, owner, import, content)?;
    let rows = write_rows(tx, import, content, refused)?;
    let left_out = write_left_out(tx, import, content)?;
    let tied = write_ties(tx, import, content, content.left - left_out)?;
    counters::add_texts(tx, owner, heading + books + rows + left_out + tied)?;
    Ok(Written { import, operation, first_book, first_item, beside: left_out + tied })
}

/// A plan and its new entries.
#[derive(Clone, Copy, Debug)]
pub struct Content<'p> {
    pub work: &'p Work,
    pub deduped: &'p Deduped,
    /// The bytes that are left for rows which made nothing.
    pub left: i64,
}

impl Content<'_> {
    /// What a row says, as JSON.
    fn said(&self, rows: &Rows<'_>, row: usize) -> Result<String> {
        self.work.said.get(&row).map_or_else(|| rows.get(row).stored(), |said| Ok(said.clone()))
    }
}

/// A rejected row.
#[derive(Clone, Debug)]
pub struct Refused<'p> {
    pub line: u64,
    pub raw: &'p str,
    pub field: Option<&'static str>,
    pub reason: String,
    /// Whether the row is only refused because the plan has no room for its book.
    pub beyond_limit: bool,
    /// Whether there is room to store its text.
    pub kept: bool,
}

/// Writes the books. Returns the bytes of their texts, and the id of the first.
fn write_books(
    tx: &Tx<'_>,
    owner: UserId,
    import: ImportId,
    operation: OperationId,
    content: Content<'_>,
) -> Result<(i64, Option<BookId>)> {
    let Content { work: Work { plan, .. }, deduped, .. } = content;
    if deduped.books.is_empty() {
        return Ok((0, None));
    }
    let names: LazyCell<HashSet<BookName<'_>>, _> =
        LazyCell::new(|| deduped.books.iter().map(|index| stored_name(content, *index)).collect());
    let wanted = |title: &str, author: &str| names.contains(&(Cow::from(title), Cow::from(author)));
    let mut works = Works::of(tx, owner, wanted)?;
    works.reserve(deduped.books.len());
    content.work.opened.iter().for_each(|(work, read)| works.open(*work, *read));
    let mut numbered = known_works(tx, content)?;
    let first = counters::add_books(tx, owner, i64::try_from(deduped.books.len()).unwrap_or(i64::MAX))?;
    let mut made = BatchInsert::new(tx, "imported_books", vec!["book_id", "row_id", "row_key", "nth"]);
    let (mut bytes, mut joined) = (0, BTreeSet::new());
    let mut insert = BookInsert::new(tx, owner);
    for (indices, first) in deduped.books.chunks(BOOKS_AT_ONCE).zip((first..).step_by(BOOKS_AT_ONCE)) {
        let new = indices.iter().zip((first..).map(BookId)).map(|(index, id)| {
            let name = stored_name(content, *index);
            let work = place(&mut works, &mut numbered, content, *index, id, &name);
            if work != id {
                joined.insert(work);
            }
            let draft = &plan.books[*index].draft;
            let reread = draft.reread || deduped.rereads.contains(index);
            NewBook { id, draft, reread, folded: name, work }
        });
        let new: Vec<_> = new.collect();
        bytes += insert.insert(&new)?;
        made.insert(new.iter().zip(indices), |(new, index), values| {
            let book = &plan.books[*index];
            let row = &plan.rows[book.row];
            values.add(new.id)?;
            values.add(row_id(import, row.line))?;
            values.add(row.key)?;
            values.add(book.nth)
        })?;
        content.work.progress.advance(indices.len());
        content.work.progress.check()?;
        for (new, index) in new.iter().zip(indices) {
            let log = &plan.books[*index].log;
            if !log.is_empty() {
                write_log(tx, owner, new.id, log)?;
            }
        }
    }
    unite(tx, owner, operation, BookId(first), &joined)?;
    Ok((bytes, Some(BookId(first))))
}

/// Title and author of a book of the plan as they are stored, where the series behind a title counts.
fn stored_name(content: Content<'_>, index: usize) -> BookName<'_> {
    let (title, author, ..) = &content.work.duplicate_keys[index];
    (key_with_series(&content.work.plan.books[index].draft.title, title), Cow::from(author))
}

/// Adds a new book of the plan to a work. Returns the work.
fn place<'p>(
    works: &mut Works<'p>,
    numbered: &mut HashMap<i64, BookId>,
    content: Content<'p>,
    index: usize,
    id: BookId,
    name: &BookName<'p>,
) -> BookId {
    let book = &content.work.plan.books[index];
    let status = book.draft.status;
    let work = match book.work {
        // Our own files number their works: equal numbers are one work, whatever the names.
        Some(number) => {
            let work = *numbered.entry(number).or_insert(id);
            if works.takes(work, status) { work } else { id }
        }
        None => match content.work.works.get(&index) {
            Some(work) if works.takes(*work, status) => *work,
            _ => return works.add_by_name(id, status, name.clone()),
        },
    };
    works.add(id, work, status, name.clone());
    work
}

/// Makes the reads of works that got further reads agree: tags are united, series and original year are filled where they are unknown.
/// What changes in books before the first of this import is noted for the undo.
fn unite(tx: &Tx<'_>, owner: UserId, operation: OperationId, first: BookId, works: &BTreeSet<BookId>) -> Result<()> {
    let changes = common::united(tx, owner, works)?;
    let before = images_without_texts(tx, owner, changes.iter().map(|(id, _)| *id).filter(|id| *id < first))?;
    for (id, facts) in &changes {
        common::write_common(tx, *id, facts)?;
    }
    operations::note_changed(tx, owner, operation, &before)?;
    Ok(())
}

/// The works that the file's numbers stand for, as far as the library has reads of them.
fn known_works(tx: &Tx<'_>, content: Content<'_>) -> Result<HashMap<i64, BookId>> {
    let mut work_of = tx.prepare_cached("SELECT work FROM books WHERE id = ?1")?;
    let mut works = HashMap::new();
    for (index, id) in &content.deduped.matched {
        if let Some(number) = content.work.plan.books[*index].work {
            works.insert(number, work_of.query_row([id], |row| row.get(0))?);
        }
    }
    Ok(works)
}

/// Writes the log of a new read from one of our own files, which has at most as many days as a read may have.
fn write_log(tx: &Tx<'_>, owner: UserId, id: BookId, log: &[ReadingDay]) -> Result<()> {
    for day in log {
        days::put_within_limit(tx, id, day)?;
    }
    days::settle_months(tx, &books::get(tx, owner, id)?)
}

/// Writes the items. Returns the id of the first.
fn write_items(tx: &Tx<'_>, owner: UserId, import: ImportId, content: Content<'_>) -> Result<Option<TbrId>> {
    let Content { work: Work { plan, .. }, deduped, .. } = content;
    if deduped.items.is_empty() {
        return Ok(None);
    }
    let items: Vec<_> = deduped.items.iter().map(|index| &plan.items[*index].draft).collect();
    let first = tbr::append(tx, owner, &items)?;
    let mut made = tx.prepare_cached("INSERT INTO imported_items (item_id, row_id, row_key) VALUES (?1, ?2, ?3)")?;
    for (id, index) in (first.0..).zip(&deduped.items) {
        let row = &plan.rows[plan.items[*index].row];
        made.execute((id, row_id(import, row.line), row.key))?;
        content.work.progress.advance(1);
    }
    Ok(Some(first))
}

/// Writes the rows that created something, and the rejected rows. Returns their bytes.
fn write_rows(tx: &Tx<'_>, import: ImportId, content: Content<'_>, refused: &[Refused<'_>]) -> Result<i64> {
    let Content { work: Work { plan, .. }, deduped, .. } = content;
    let made_books = deduped.books.iter().map(|index| plan.books[*index].row);
    let made_items = deduped.items.iter().map(|index| plan.items[*index].row);
    let made = made_books.chain(made_items).map(|at| (at, &plan.rows[at]));
    let made = made.map(|(at, row)| (row.line, &plan.text[row.raw.clone()], Some(at), None));
    let refused = refused.iter().filter(|row| row.kept).map(|row| (row.line, row.raw, None, Some(row)));
    // A row has one text. Of one that made a book and was refused beside it, the reason is kept.
    let mut rows: Vec<(u64, &str, Option<usize>, Option<&Refused<'_>>)> = made.chain(refused).collect();
    rows.sort_by_key(|(line, .., refused)| (*line, refused.is_none()));
    rows.dedup_by_key(|(line, ..)| *line);
    let of_plan = Rows::of(plan);
    let mut insert = BatchInsert::new(tx, "import_rows", vec!["id", "raw", "reason", "field", "said"]);
    let mut bytes = 0;
    insert.insert(rows, |(line, raw, at, refused), values| {
        bytes += counters::bytes(raw) + refused.map_or(0, |row| counters::bytes(&row.reason));
        content.work.progress.check()?;
        values.add(row_id(import, line))?;
        values.add(raw)?;
        values.add(refused.map(|row| row.reason.as_str()))?;
        values.add(refused.and_then(|row| row.field))?;
        values.add(at.map(|at| content.said(&of_plan, at)).transpose()?)
    })?;
    Ok(bytes)
}

/// Ties books and items that were here to the rows that equal them, and keeps these rows, as far as there is room. Returns their bytes.
fn write_ties(tx: &Tx<'_>, import: ImportId, content: Content<'_>, room: i64) -> Result<i64> {
    let Content { work: Work { plan, .. }, deduped, .. } = content;
    let of_plan = Rows::of(plan);
    let mut bytes = 0;
    for Matched { entry, row, nth } in &deduped.ties {
        let kept = &plan.rows[*row];
        let (id, raw) = (row_id(import, kept.line), &plan.text[kept.raw.clone()]);
        if bytes + counters::bytes(raw) > room {
            break;
        }
        bytes += keep(tx, id, raw, &content.said(&of_plan, *row)?)?;
        tie(tx, *entry, id, *nth, kept.key)?;
    }
    Ok(bytes)
}

/// Keeps a row, unless it is kept already. Returns its bytes.
pub fn keep(tx: &Tx<'_>, row: i64, raw: &str, said: &str) -> Result<i64> {
    let sql = "INSERT OR IGNORE INTO import_rows (id, raw, said) VALUES (?1, ?2, ?3)";
    let written = tx.prepare_cached(sql)?.execute((row, raw, said))?;
    Ok(if written == 0 { 0 } else { counters::bytes(raw) })
}

/// Ties a book or an item that was here to a row.
pub fn tie(tx: &Tx<'_>, entry: EntryId, row: i64, nth: i64, key: [u8; 16]) -> Result<()> {
    match entry {
        EntryId::Book(id) => {
            let sql =
                "INSERT OR IGNORE INTO imported_books (book_id, row_id, row_key, nth, made) VALUES (?1, ?2, ?3, ?4, 0)";
            tx.prepare_cached(sql)?.execute((id, row, key, nth))?;
        }
        EntryId::Item(id) => {
            let sql = "INSERT OR IGNORE INTO imported_items (item_id, row_id, row_key, made) VALUES (?1, ?2, ?3, 0)";
            tx.prepare_cached(sql)?.execute((id, row, key))?;
        }
    }
    Ok(())
}

/// Writes the rows that are left out on purpose, as far as there is room. Returns their bytes.
fn write_left_out(tx: &Tx<'_>, import: ImportId, content: Content<'_>) -> Result<i64> {
    let Content { work: Work { plan, .. }, left, .. } = content;
    let mut write = tx.prepare_cached("INSERT INTO import_rows (id, raw, field) VALUES (?1, ?2, ?3)")?;
    let mut bytes = 0;
    for row in &plan.left_out {
        let raw = &plan.text[row.raw.clone()];
        if bytes + counters::bytes(raw) > left {
            break;
        }
        bytes += counters::bytes(raw);
        write.execute((row_id(import, row.line), raw, LEFT_OUT))?;
    }
    Ok(bytes)
}

/// Records that an item, which an import may have created, has become a book, so that a later import of the same row does not
/// create the item again. Must be called before the item is deleted.
pub fn item_became_book(tx: &Tx<'_>, item: TbrId, book: BookId) -> Result<()> {
    let sql = "INSERT INTO imported_books (book_id, row_id, row_key, nth, newer_row, made)
        SELECT ?2, row_id, row_key, -1, newer_row, made FROM imported_items WHERE item_id = ?1";
    tx.prepare_cached(sql)?.execute((item, book))?;
    Ok(())
}

/// Deletes every import of an owner with its rows and the remembered choices. The created books and items are left to the caller.
pub fn delete_all(tx: &Tx<'_>, owner: UserId) -> Result<()> {
    let (first, last) = owned(owner);
    tx.execute("DELETE FROM imported_books WHERE book_id BETWEEN ?1 AND ?2", [first, last])?;
    tx.execute("DELETE FROM imported_items WHERE item_id BETWEEN ?1 AND ?2", [first, last])?;
    tx.execute("DELETE FROM imports WHERE user_id = ?1", [owner])?;
    tx.execute("DELETE FROM import_choices WHERE user_id = ?1", [owner])?;
    Ok(())
}
