//! Files with reading in them as imports: counted, stored, and taken back.
use std::collections::{BTreeMap, BTreeSet, HashMap};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chrono::NaiveDate;
use rusqlite::params;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::days::{Reader, settle, settle_without};
use super::documents::{self, Sender, Stored};
use crate::devices::coverage::PageRow;
use crate::devices::files::ReadingFile;
use crate::devices::model::{DocumentId, ReadingReport};
use crate::devices::rows;
use crate::devices::statistics::Content;
use crate::kit::Result;
use crate::kit::db::pool::{Tx, owned};
use crate::kit::id::UserId;
use crate::library::books::model::BookId;
use crate::library::books::store::known_day;
use crate::library::books::store::word_counts::replace_estimate;
use crate::library::clippings::store as clippings;
use crate::library::import::complete::Part;
use crate::library::import::history::model::ImportId;
use crate::library::import::history::store as history;
use crate::library::operations::model::OperationKind;
use crate::library::operations::store::images::images_without_texts;
use crate::library::operations::store::rows::{Row, select, update};
use crate::library::operations::store::{self as operations};
use crate::preferences;

/// How the undo of an import takes back what a file said.
pub const PART: Part = Part { file: "reading", restore: None, undo };

/// The columns of a document that an import may change.
const COLUMNS: &str =
    "id, title, authors, title_key, author_key, last_seen, device_id, book_id, linked_open, not_yet, words";

/// What an import did to documents, for the undo.
#[derive(Debug, Serialize, Deserialize)]
struct Made {
    import: ImportId,
    /// Each before and after it; a new one was nothing before.
    documents: Vec<(Option<Row>, Row)>,
    /// Page turns that it made longer, as they were (base64 of [`rows::pack`]).
    lengthened: Vec<(DocumentId, String)>,
}

/// Stores what a file says, with its entry among the imports. Nothing is stored where it says nothing new, or in a dry run, which only counts.
pub fn import(tx: &Tx<'_>, reader: &Reader, name: &str, file: ReadingFile, dry_run: bool) -> Result<ReadingReport> {
    let owner = reader.owner;
    let ReadingFile { format, content: Content { books, passages, rejected }, columns, .. } = file;
    let mut report = ReadingReport { rejected, columns, ..ReadingReport::of(format) };
    tx.execute_batch("SAVEPOINT reading")?;
    let import = history::begin_reading(tx, owner, name, format.name())?;
    let operation = operations::begin(tx, owner, OperationKind::Device, "", Some(import))?;
    let before = images_of_documents(tx, owner)?;
    let mut lengthened = Vec::new();
    let moved = documents::take_with(tx, reader, Sender::Import(import), books, |before, after| {
        count(&mut report, reader, before, after);
        let shorter = shorter(before, after);
        if !shorter.is_empty() {
            lengthened.push((before.id, STANDARD.encode(rows::pack(&shorter)?)));
        }
        Ok(())
    })?;
    let (figures, has_quotes) = clippings::import(tx, owner, operation, passages, &[])?;
    report.quotes = figures.added;
    if dry_run || (report.documents == 0 && !has_quotes) {
        tx.execute_batch("ROLLBACK TO reading; RELEASE reading")?;
        return Ok(report);
    }
    tx.execute_batch("RELEASE reading")?;
    let images = images_without_texts(tx, owner, moved.iter().copied())?;
    for book in &moved {
        let sql = "SELECT max(words) FROM documents WHERE book_id = ?1";
        if let Some(words) = tx.prepare_cached(sql)?.query_row([book], |row| row.get(0))? {
            replace_estimate(tx, owner, *book, words)?;
        }
    }
    moved.into_iter().try_for_each(|book| settle(tx, reader, book))?;
    operations::note_changed(tx, owner, operation, &images)?;
    let mut documents = Vec::new();
    for (id, after) in images_of_documents(tx, owner)? {
        let former = before.get(&id);
        if former != Some(&after) {
            documents.push((former.cloned(), after));
        }
    }
    let made = Made { import, documents, lengthened };
    operations::note_part(tx, owner, operation, PART.file, serde_json::to_value(made)?)?;
    operations::describe(tx, operation, OperationKind::Device, &summary(&report, name))?;
    history::finish_reading(tx, owner, import, report.days, report.rejected)?;
    report.import_id = Some(import);
    Ok(report)
}

/// The documents of an owner by id.
fn images_of_documents(tx: &Tx<'_>, owner: UserId) -> Result<BTreeMap<i64, Row>> {
    let rows = select(tx, "documents", COLUMNS, &[("user_id".to_owned(), owner.0)])?;
    Ok(rows.into_iter().filter_map(|row| Some((row.get("id")?.as_i64()?, row))).collect())
}

fn count(report: &mut ReadingReport, reader: &Reader, before: &Stored, after: &Stored) {
    let (former, told) = (reader.told_of(std::slice::from_ref(before)), reader.told_of(std::slice::from_ref(after)));
    report.documents += 1;
    report.days += told.days.iter().filter(|(day, said)| former.days.get(*day) != Some(*said)).count();
    report.minutes += told.minutes() - former.minutes();
    let is_finished = told.finish(reader.now()).is_some() && former.finish(reader.now()).is_none();
    report.finished += usize::from(is_finished);
}

/// The page turns that were shorter before.
fn shorter(before: &Stored, after: &Stored) -> Vec<PageRow> {
    let mut later = after.rows.iter();
    let mut shorter = Vec::new();
    for row in &before.rows {
        let now = later.find(|now| (now.start, now.page) == (row.start, row.page));
        if now.is_some_and(|now| now.duration != row.duration) {
            shorter.push(*row);
        }
    }
    shorter
}

fn summary(report: &ReadingReport, name: &str) -> String {
    let many = |count: usize, one: &str| format!("{count} {one}{}", if count == 1 { "" } else { "s" });
    let days = format!("{} of {}", many(report.days, "day"), many(report.documents, "book"));
    let took = match (report.documents, report.quotes) {
        (_, 0) => days,
        (0, quotes) => many(quotes, "quote"),
        (_, quotes) => format!("{days} and {}", many(quotes, "quote")),
    };
    let from = if name.is_empty() { report.format.title() } else { name };
    format!("Took {took} from {from}.")
}

/// Takes back what an import said of reading. What devices and other files say, too, stays, and what its reader dismissed stays dismissed.
fn undo(tx: &Tx<'_>, owner: UserId, made: Value) -> Result<()> {
    let Made { import, documents: changed, lengthened } = serde_json::from_value(made)?;
    let preferences = preferences::store::find(tx, owner)?;
    let reader = Reader::new(tx, owner, preferences.zone(), tx.now())?;
    let number = Sender::Import(import).number();
    let mut noted = noted_days(tx, owner, import)?;
    let mut taken = BTreeMap::<BookId, BTreeSet<NaiveDate>>::new();
    for mut document in documents::all(tx, owner)? {
        let of_import = document.rows.iter().filter(|row| row.device == number);
        let mut days: BTreeSet<_> = of_import.map(|row| reader.day_of(row.start)).collect();
        days.extend(noted.remove(&document.id).unwrap_or_default());
        let former = lengthened.iter().find(|(id, _)| *id == document.id);
        let former = former.and_then(|(_, packed)| STANDARD.decode(packed).ok());
        let former = former.map(|packed| rows::unpack(&packed)).transpose()?.unwrap_or_default();
        if days.is_empty() && former.is_empty() {
            continue;
        }
        document.rows.retain(|row| row.device != number);
        let former: HashMap<_, _> = former.into_iter().map(|row| ((row.start, row.page), row)).collect();
        for row in &mut document.rows {
            if let Some(shorter) = former.get(&(row.start, row.page)) {
                (row.duration, row.total) = (shorter.duration, shorter.total);
            }
        }
        let packed = if document.rows.is_empty() { None } else { Some(rows::pack(&document.rows)?) };
        tx.prepare_cached("UPDATE documents SET page_rows = ?2 WHERE id = ?1")?
            .execute(params![document.id, packed])?;
        if let Some(book) = document.book_id {
            taken.entry(book).or_default().extend(days);
        }
    }
    let (first, last) = owned(owner);
    let sql = "DELETE FROM document_days WHERE document_id BETWEEN ?1 AND ?2 AND import_id = ?3";
    tx.prepare_cached(sql)?.execute((first, last, import))?;
    for (before, after) in &changed {
        for row in before.iter().chain([after]) {
            if let Some(book) = row.get("book_id").and_then(Value::as_i64) {
                taken.entry(BookId(book)).or_default();
            }
        }
        restore(tx, before.as_ref(), after)?;
    }
    let exists = "SELECT EXISTS (SELECT 1 FROM books WHERE id = ?1 AND user_id = ?2)";
    for (book, days) in taken {
        if tx.prepare_cached(exists)?.query_row((book, owner), |row| row.get(0))? {
            settle_without(tx, &reader, book, Some(&days))?;
        }
    }
    Ok(())
}

/// The days of an import by document.
fn noted_days(tx: &Tx<'_>, owner: UserId, import: ImportId) -> Result<HashMap<DocumentId, Vec<NaiveDate>>> {
    let (first, last) = owned(owner);
    let sql = "SELECT document_id, day FROM document_days WHERE document_id BETWEEN ?1 AND ?2 AND import_id = ?3";
    let mut query = tx.prepare_cached(sql)?;
    let mut rows = query.query((first, last, import))?;
    let mut days = HashMap::<_, Vec<_>>::new();
    while let Some(row) = rows.next()? {
        days.entry(row.get(0)?).or_default().push(known_day(row, 1)?);
    }
    Ok(days)
}

/// Gives a document its former values, as far as they were not changed since. One that the import made goes, unless somebody else says
/// something of it by now.
fn restore(tx: &Tx<'_>, before: Option<&Row>, after: &Row) -> Result<()> {
    let Some(id) = after.get("id").and_then(Value::as_i64) else { return Ok(()) };
    let Some(before) = before else {
        let sql = "DELETE FROM documents WHERE id = ?1 AND page_rows IS NULL AND NOT ignored AND ignore_before IS NULL
            AND NOT EXISTS (SELECT 1 FROM document_places WHERE document_id = ?1)
            AND NOT EXISTS (SELECT 1 FROM document_days WHERE document_id = ?1)";
        tx.prepare_cached(sql)?.execute([id])?;
        return Ok(());
    };
    let Some(now) = select(tx, "documents", COLUMNS, &[("id".to_owned(), id)])?.pop() else { return Ok(()) };
    let back = |column: &&str| before.get(*column) != after.get(*column) && now.get(*column) == after.get(*column);
    let mut former: Row = COLUMNS
        .split(", ")
        .filter(back)
        .map(|column| (column.to_owned(), before.get(column).cloned().unwrap_or_default()))
        .collect();
    if let Some(book) = former.get("book_id").and_then(Value::as_i64) {
        let exists = "SELECT EXISTS (SELECT 1 FROM books WHERE id = ?1)";
        if !tx.prepare_cached(exists)?.query_row([book], |row| row.get(0))? {
            former.insert("book_id".to_owned(), Value::Null);
        }
    }
    if !former.is_empty() {
        update(tx, "documents", &[("id".to_owned(), id)], &former)?;
    }
    Ok(())
}
