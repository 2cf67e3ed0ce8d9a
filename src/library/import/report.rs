//! Executes or previews a plan, and builds the response.
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;

use super::ImportRefusal;
use super::complete::{Complete, RestoredParts, Restoring, RowEntries};
use super::formats::{UNKNOWN, named};
use super::plan::{Kind, Note, Options, Plan, plan};
use super::preview::{ImportPreview, Outlook, preview};
use super::progress::{ImportPhase, Progress};
use super::quota;
use super::reader::Unreadable;
use super::row::Problem;
use super::store::{self, Choices, Content, Refused};
use crate::kit::db::pool::Tx;
use crate::kit::error::Result;
use crate::kit::id::UserId;
use crate::library::books::add::{Rules, room_left};
use crate::library::books::model::{BookId, BookStatus};
use crate::library::counters;
use crate::library::import::dedupe::{
    Deduped, DuplicateKey, EntryId, ExistingBooks, Overflow, dedupe, duplicate_key, item_name,
};
use crate::library::import::edition::Name;
use crate::library::import::history::model::ImportId;
use crate::library::import::sync::answer::SyncOutcome;
use crate::library::import::taken_off::{self, TakenOff};
use crate::library::tbr::model::TbrId;

/// How many errors a response contains individually.
const LISTED_ERRORS: usize = 100;

/// The result of an import.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportReport {
    /// The number of created books, or of items for an import of the to-be-read list.
    pub imported: usize,
    /// The number of items created in addition to books.
    pub imported_tbr: usize,
    /// The number of items that new finished books take off the to-be-read list; absent when there are none.
    #[serde(skip_serializing_if = "is_zero")]
    #[schema(required = false)]
    pub taken_off_tbr: usize,
    /// The number of rejected rows.
    pub errors: usize,
    /// How many of them are only rejected because the plan has no room for their books; absent when there are none.
    #[serde(skip_serializing_if = "is_zero")]
    #[schema(required = false)]
    pub beyond_limit: usize,
    /// The number of rows that existed already or were left out on purpose.
    pub skipped: usize,
    /// How many of them were left out on purpose: `GET /api/imports/{id}/left-out` has these rows.
    pub left_out: usize,
    /// The number of further rows that are the same read as another row: equal in title, author, status and exact day, with one rating.
    /// They are among `skipped`; `sameRead=keep` imports them, and a preview counts them nevertheless. Absent when there are none.
    #[serde(skip_serializing_if = "is_zero")]
    #[schema(required = false)]
    pub same_read: usize,
    /// The first 100 errors, in the order of the file. Rows beyond the plan's limit are among them as far as there is room.
    pub details: Vec<ImportRowError>,
    /// How many cells are left empty because they can't be read; their rows are imported. Absent when there are none.
    #[serde(skip_serializing_if = "is_zero")]
    #[schema(required = false)]
    pub noted: usize,
    /// The first 100 of these cells, in the order of the file; absent when there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub notes: Vec<ImportRowError>,
    /// The format of the file.
    pub format: &'static str,
    /// The id for undoing the import; null in a preview.
    #[schema(required, value_type = Option<i64>)]
    pub import_id: Option<ImportId>,
    /// The number of books and items whose word count was computed from pages or from a length.
    pub estimated_words: usize,
    /// The number of rows of audiobooks whose page count is one of hours or discs, and is not taken over: `audioPages=hours` takes them for
    /// hours. Absent when there are none.
    #[serde(skip_serializing_if = "is_zero")]
    #[schema(required = false)]
    pub audio_pages: usize,
    /// What a complete export restores beside books and list; absent for any other file.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, value_type = RestoredParts)]
    pub restored: Option<RestoredParts>,
    /// What the reader may check and choose; only in a preview.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub preview: Option<ImportPreview>,
    /// What became of the books that the library had; only with `mode=sync`.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub sync: Option<SyncOutcome>,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// A rejected row, or a cell that is left empty.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportRowError {
    /// The line on which the row begins; the header is line 1.
    pub row: u64,
    /// The invalid field; absent when the row as a whole is invalid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<&'static str>,
    /// The reason, as a sentence.
    pub message: String,
    /// True for a book that does not fit the plan; otherwise absent.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub beyond_limit: bool,
}

/// Writes the new entries of a plan, stores the reader's choices, and returns the result.
pub fn execute(tx: &Tx<'_>, owner: UserId, rules: Rules, work: &Work) -> Result<ImportReport> {
    counters::within_quotas(tx, owner, rules.quotas, || Ok(execute_found(tx, owner, rules, work, false)?.0))
}

/// Does what [`execute`] does, and also returns what is new. With `unless_idle` it writes nothing when nothing is new.
pub fn execute_found(
    tx: &Tx<'_>,
    owner: UserId,
    rules: Rules,
    work: &Work,
    unless_idle: bool,
) -> Result<(ImportReport, Deduped)> {
    let Found { deduped, taken_off, mut left } = found(tx, owner, rules, work)?;
    let refused = refused(&work.plan, &deduped, rules, &mut left);
    let mut report = report(work, &deduped, &refused);
    if work.plan.keeps_same_reads {
        report.same_read = 0;
    }
    if unless_idle && deduped.books.is_empty() && deduped.items.is_empty() && deduped.ties.is_empty() {
        return Ok((report, deduped));
    }
    let written = store::write(tx, owner, Content { work, deduped: &deduped, left }, &report, &refused)?;
    if let Some(first) = written.first_book {
        let room = left - written.beside;
        let book = |at: usize| BookId(first.0 + i64::try_from(at).unwrap_or(i64::MAX));
        let leaving: Vec<_> = taken_off.iter().map(|taken| (taken.item, Some(book(taken.book)))).collect();
        report.taken_off_tbr = taken_off::store::take(tx, owner, written.import, &leaving, room)?;
    }
    if let Some(complete) = &work.complete {
        let plan = &work.plan;
        let place = |row: usize| plan.rows[row].raw.start;
        let new = |index: &usize| place(plan.books[*index].row);
        let listed = |index: &usize| place(plan.items[*index].row);
        let matched = deduped.matched.iter().map(|(index, id)| (EntryId::Book(*id), new(index)));
        let entries = RowEntries {
            books: (written.first_book.map_or(0, |first| first.0)..)
                .map(BookId)
                .zip(deduped.books.iter().map(new))
                .collect(),
            items: (written.first_item.map_or(0, |first| first.0)..)
                .map(TbrId)
                .zip(deduped.items.iter().map(listed))
                .collect(),
            known: matched.chain(deduped.known_items.iter().map(|tie| (tie.entry, place(tie.row)))).collect(),
        };
        report.restored = Some(complete.restore(tx, owner, written.import, written.operation, &entries)?);
    }
    report.import_id = Some(written.import);
    store::remember(tx, owner, &work.chosen)?;
    Ok((report, deduped))
}

/// Returns what [`execute`] would do, with a preview.
pub fn preview_import(
    conn: &Connection,
    owner: UserId,
    rules: Rules,
    work: &Work,
    remembered: &Choices,
    outlook: Outlook,
) -> Result<ImportReport> {
    let mut report = preview_found(conn, owner, rules, work, remembered, outlook)?.0;
    let format = named(work.plan.format);
    let is_of_tracker = format.foreign && format.name != UNKNOWN.name;
    if let Some(preview) = report.preview.as_mut().filter(|_| is_of_tracker) {
        let count = store::former_imports(conn, owner, work.plan.format)?;
        preview.former_imports = Some(count).filter(|count| *count > 0);
    }
    Ok(report)
}

/// Returns what [`preview_import`] does, and what is new.
pub fn preview_found(
    conn: &Connection,
    owner: UserId,
    rules: Rules,
    work: &Work,
    remembered: &Choices,
    outlook: Outlook,
) -> Result<(ImportReport, Deduped)> {
    let Found { deduped, taken_off, mut left } = found(conn, owner, rules, work)?;
    let refused = refused(&work.plan, &deduped, rules, &mut left);
    let mut report = report(work, &deduped, &refused);
    report.taken_off_tbr = taken_off.len();
    report.restored = work.complete.as_ref().map(Complete::contents).transpose()?;
    report.preview = Some(preview(&work.plan, &work.chosen, &deduped, remembered, outlook));
    Ok((report, deduped))
}

/// A plan with everything needed to execute it.
#[derive(Debug, Default)]
pub struct Work {
    pub kind: Kind,
    pub file_name: String,
    pub plan: Plan,
    /// The reader's choices for this file.
    pub chosen: Choices,
    /// The file, if it is a complete export.
    complete: Option<Complete>,
    /// The works that books are further reads of, by their indices in the plan; the others find theirs by title and author.
    pub works: HashMap<usize, BookId>,
    /// Works of which a read is in progress again afterwards, with that read: they take no other one.
    pub opened: Vec<(BookId, BookId)>,
    /// Titles and authors that the file lists beside its new items.
    pub listed: Vec<Name>,
    /// The items that leave the list for books, by the books' indices in the plan, whatever their titles.
    pub leaving: HashMap<usize, TbrId>,
    /// What rows say, as JSON by their indices, where the plan does not have all of it.
    pub said: HashMap<usize, String>,
    /// Whether the plan has only the rows that no former file of its format has.
    pub is_compared: bool,
    /// Books that get another title, author, status or date before: no row is a duplicate of what they were.
    pub changing: HashSet<BookId>,
    pub duplicate_keys: Vec<DuplicateKey>,
    item_names: Vec<Name>,
    /// How far the call is.
    pub progress: Progress,
}

impl Work {
    /// Folds every title and author before the transaction.
    pub fn new(kind: Kind, file_name: String, plan: Plan, chosen: Choices) -> Self {
        let duplicate_keys = plan.books.iter().map(|book| duplicate_key(&book.draft)).collect();
        let item_names = plan.items.iter().map(|item| item_name(&item.draft)).collect();
        Work { kind, file_name, plan, chosen, duplicate_keys, item_names, ..Work::default() }
    }

    pub fn read(
        kind: Kind,
        file_name: String,
        bytes: &[u8],
        chosen: Choices,
        options: &Options,
        restoring: Restoring,
    ) -> std::result::Result<Self, Unreadable> {
        let complete = Complete::open(bytes, kind == Kind::Books, restoring)?;
        let plan = plan(complete.as_ref().map_or(bytes, |complete| &complete.table), options)?;
        // The list of a complete export alone has no books, and so no covers.
        let complete = complete.filter(|_| kind == Kind::Books);
        let progress = options.progress.clone();
        progress.begin(ImportPhase::Comparing, None);
        Ok(Work { complete, progress, ..Self::new(kind, file_name, plan, chosen) })
    }
}

/// Refuses a file of an unknown format until its columns are named.
pub fn check_mapped(kind: Kind, plan: &Plan) -> Result<()> {
    if plan.mapped {
        return Ok(());
    }
    Err(ImportRefusal::UnknownColumns(kind).into())
}

/// What a plan does to a library.
struct Found {
    /// The new entries.
    deduped: Deduped,
    /// The items that new books take off the list.
    taken_off: Vec<TakenOff>,
    /// The number of bytes left for rejected rows.
    left: i64,
}

fn found(conn: &Connection, owner: UserId, rules: Rules, work: &Work) -> Result<Found> {
    let Work { plan, duplicate_keys, item_names, .. } = work;
    let mut known = store::known(conn, owner, plan, duplicate_keys)?;
    if !work.changing.is_empty() {
        known = known.without(&work.changing);
    }
    // Matching takes items out of the list.
    let waiting = known.items.clone();
    if work.is_compared {
        // The rows of these are compared with them already: without a day, a row of the same name is another edition.
        let ExistingBooks { items, books, tied, .. } = &mut known;
        items.values_mut().for_each(|ids| ids.retain(|id| !tied.contains(&EntryId::Item(*id))));
        let undated =
            books.iter_mut().filter(|((.., status, day), _)| day.is_none() && *status != BookStatus::DidNotFinish);
        undated.for_each(|(_, ids)| ids.retain(|id| !tied.contains(&EntryId::Book(*id))));
    }
    let room = room_left(conn, owner, rules.book_limit)?.map(|room| usize::try_from(room).unwrap_or(0));
    let usage = counters::usage(conn, owner)?;
    // A complete export says of each book whether it is a reread.
    let detects = rules.detect_rereads && work.complete.is_none();
    let mut deduped = dedupe(plan, duplicate_keys, item_names, known, room, detects);
    let heading = counters::bytes(&serde_json::to_string(&plan.header)?) + counters::bytes(&work.file_name);
    let left = quota::trim(plan, &mut deduped, usage, rules.quotas, heading)?;
    let listed = item_names.iter().chain(&work.listed);
    let mut taken_off = taken_off::find(plan, duplicate_keys, listed, &deduped.books, &waiting);
    for (book, at) in deduped.books.iter().enumerate().filter(|_| !work.leaving.is_empty()) {
        let item = work.leaving.get(at).filter(|item| taken_off.iter().all(|taken| taken.item != **item));
        taken_off.extend(item.map(|item| TakenOff { item: *item, book }));
    }
    Ok(Found { deduped, taken_off, left })
}

/// Every rejected row in file order: invalid rows, and those beyond the plan's limit or a quota. Their texts are stored as far as
/// there is room.
fn refused<'p>(plan: &'p Plan, deduped: &Deduped, rules: Rules, left: &mut i64) -> Vec<Refused<'p>> {
    let refused = |line, raw: &Range<usize>, field, reason, beyond_limit| {
        let raw = &plan.text[raw.clone()];
        Refused { line, raw, field, reason, beyond_limit, kept: true }
    };
    let unreadable = plan.rejected.iter().map(|row| {
        let Problem { field, message } = row.problem.clone();
        refused(row.line, &row.raw, field, message, false)
    });
    let limit = rules.book_limit.unwrap_or_default();
    let beyond = deduped.beyond.iter().map(|index| {
        let row = &plan.rows[plan.books[*index].row];
        refused(row.line, &row.raw, None, format!("Beyond the {limit} books of the Reader plan."), true)
    });
    let over_quota = deduped.over_quota.iter().map(|(what, quota)| {
        let row = match what {
            Overflow::Book(index) => plan.books[*index].row,
            Overflow::Item(index) => plan.items[*index].row,
        };
        let row = &plan.rows[row];
        refused(row.line, &row.raw, None, quota.sentence(rules.quotas), false)
    });
    let mut refused: Vec<_> = unreadable.chain(beyond).chain(over_quota).collect();
    refused.sort_by_key(|row| row.line);
    for row in &mut refused {
        *left -= counters::bytes(row.raw) + counters::bytes(&row.reason);
        row.kept = *left >= 0;
    }
    refused
}

fn report(work: &Work, deduped: &Deduped, refused: &[Refused<'_>]) -> ImportReport {
    let plan = &work.plan;
    let (books, items) = (deduped.books.len(), deduped.items.len());
    let errors = refused.iter().filter(|row| !row.beyond_limit);
    let beyond = refused.iter().filter(|row| row.beyond_limit);
    let mut details: Vec<_> = errors.chain(beyond).take(LISTED_ERRORS).map(detail).collect();
    details.sort_by_key(|detail| detail.row);
    let notes = new_notes(plan, deduped);
    let estimated = deduped.books.iter().filter(|index| plan.books[**index].estimated).count()
        + deduped.items.iter().filter(|index| plan.items[**index].estimated).count();
    ImportReport {
        imported: if work.kind == Kind::Tbr { items } else { books },
        imported_tbr: if work.kind == Kind::Tbr { 0 } else { items },
        taken_off_tbr: 0,
        errors: refused.len(),
        beyond_limit: refused.iter().filter(|row| row.beyond_limit).count(),
        skipped: deduped.skipped,
        left_out: plan.left_out.len(),
        same_read: deduped.same_read,
        details,
        noted: notes.len(),
        notes: notes.into_iter().take(LISTED_ERRORS).map(|note| noted(plan, note)).collect(),
        format: plan.format,
        import_id: None,
        estimated_words: estimated,
        audio_pages: new_audio_pages(plan, deduped),
        restored: None,
        preview: None,
        sync: None,
    }
}

/// The notes about rows that make something new.
fn new_notes<'p>(plan: &'p Plan, deduped: &Deduped) -> Vec<&'p Note> {
    if plan.notes.is_empty() {
        return Vec::new();
    }
    let new = new_rows(plan, deduped);
    plan.notes.iter().filter(|note| new.contains(&note.row)).collect()
}

/// How many rows that make something new have hours or discs in the place of pages.
fn new_audio_pages(plan: &Plan, deduped: &Deduped) -> usize {
    if plan.audio_pages.is_empty() {
        return 0;
    }
    new_rows(plan, deduped).iter().filter(|row| plan.audio_pages.contains_key(row)).count()
}

/// The rows that make something new.
fn new_rows(plan: &Plan, deduped: &Deduped) -> HashSet<usize> {
    let books = deduped.books.iter().map(|index| plan.books[*index].row);
    books.chain(deduped.items.iter().map(|index| plan.items[*index].row)).collect()
}

fn noted(plan: &Plan, note: &Note) -> ImportRowError {
    let Problem { field, message } = note.problem.clone();
    ImportRowError { row: plan.rows[note.row].line, field, message, beyond_limit: false }
}

fn detail(row: &Refused<'_>) -> ImportRowError {
    ImportRowError { row: row.line, field: row.field, message: row.reason.clone(), beyond_limit: row.beyond_limit }
}
