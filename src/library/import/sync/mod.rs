//! Brings a library up to date with a newer file of a tracker that it has imported before (docs/rules.md, "Bringing a library up to
//! date").
//!
//! The *new file* is compared with the *last files*, as far as their rows are kept. A *reading* is a read as a file lists it; a row can
//! list several. A book or an item of a file is *tied* to its row.
//!
//! The steps: [`base`] loads what the last files said, [`groups`] finds the rows about one book, [`pairs`] the readings that both files
//! have, [`unsaid`] completes what the new file has no columns for, [`merge`] and [`items`] compare field by field, and [`find`] decides
//! without writing. New rows are imported like those of any import; [`store`] writes the rest, and notes it in the operation.
pub mod answer;
mod base;
mod changes;
mod fields;
mod find;
mod groups;
mod items;
mod merge;
mod pairs;
pub mod store;
mod unsaid;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use rusqlite::Connection;

use self::answer::{LISTED, SyncEntry, SyncEntryKind, SyncOutcome};
use self::base::Base;
use self::changes::{BookChange, Changes, ItemChange};
pub use self::fields::{SyncField, has_estimated_words};
pub use self::find::Choice;
use self::find::find;
pub use self::merge::{Rank, fill_in, rank_of};
pub use self::pairs::Reading;
use super::ImportRefusal;
use super::formats::named;
use super::plan::{Kind, Options, Plan};
use super::preview::Outlook;
use super::report::{self, ImportReport, Work};
use super::store::{Choices, row_id};
use crate::kit::db::pool::Tx;
use crate::kit::error::Result;
use crate::kit::id::UserId;
use crate::kit::timestamp::Timestamp;
use crate::library::books::add::Rules;
use crate::library::books::model::{BookDraft, WordDistribution};
use crate::library::books::store::common::{facts_of, write_common};
use crate::library::counters;
use crate::library::import::dedupe::{Deduped, item_name};
use crate::library::import::history::model::{ImportId, KeptImportItem};
use crate::library::import::said::{Rows, SaidRow};
use crate::library::import::taken_off;
use crate::library::operations::model::OperationKind;
use crate::library::operations::store as operations;
use crate::library::operations::store::images::{images, images_without_texts};
use crate::library::operations::store::{logs, returned};
use crate::library::tbr::model::TbrDraft;

/// Of how many books the former values are in memory at once.
const BOOKS_AT_ONCE: usize = 2_000;

/// A newer file after parsing.
#[derive(Debug, Default)]
pub struct Newer {
    /// Its name.
    pub file_name: String,
    /// What is in it.
    pub plan: Plan,
    /// How it was read.
    pub options: Options,
    /// The reader's choices about shelves and columns.
    pub chosen: Choices,
    /// The reader's choices about rows and conflicts.
    pub choice: Choice,
}

/// What a newer file changes, and the revision of the library at the time.
#[derive(Debug)]
pub struct Ahead {
    revision: i64,
    changes: Changes,
    /// What the rows say that will be kept, as JSON by their indices.
    said: HashMap<usize, String>,
    /// The rows that are left out on purpose and kept already: indices of [`Plan::left_out`].
    known_left_out: HashSet<usize>,
    last_import: Option<Timestamp>,
}

impl Ahead {
    /// Whether the library is as it was then.
    pub fn is_current(&self, conn: &Connection, owner: UserId) -> Result<bool> {
        Ok(self.revision == counters::revision(conn, owner)?)
    }
}

/// Computes what a newer file will change, outside the write transaction, in which nobody else can write.
///
/// # Errors
/// [`ImportRefusal::NeverImported`]; the database's.
pub fn look_ahead(conn: &Connection, owner: UserId, newer: &Newer) -> Result<Ahead> {
    let rows = Rows::of(&newer.plan);
    let base = Base::load(conn, owner, &rows, &newer.options)?;
    let base = if !named(newer.plan.format).foreign {
        let mut base = base.unwrap_or_default();
        base.add_library(conn, owner, &newer.plan)?;
        base
    } else {
        base.ok_or(ImportRefusal::NeverImported(newer.plan.format))?
    };
    let changes = find(conn, owner, &rows, &base, newer)?;
    let said = said(&rows, &changes)?;
    let known_left_out = known_left_out(conn, owner, &newer.plan)?;
    let revision = counters::revision(conn, owner)?;
    Ok(Ahead { revision, changes, said, known_left_out, last_import: base.last_import })
}

/// What the rows say that will be kept, as JSON by their indices.
fn said(rows: &Rows<'_>, changes: &Changes) -> Result<HashMap<usize, String>> {
    let plan = rows.plan();
    let undecided = (0..plan.rows.len()).filter(|row| !changes.is_decided[*row]);
    let fresh = changes.fresh.iter().map(|fresh| plan.books[fresh.at].row);
    let listed = changes.fresh_items.iter().map(|at| plan.items[*at].row);
    let tied = changes.ties.iter().map(|tie| tie.row).chain(changes.kept.iter().copied());
    let kept: BTreeSet<usize> = undecided.chain(fresh).chain(listed).chain(tied).collect();
    let said = |row: usize| {
        let said = changes.completed.get(&row).map_or_else(|| rows.get(row).stored(), SaidRow::stored);
        Ok((row, said?))
    };
    kept.into_iter().map(said).collect()
}

fn known_left_out(conn: &Connection, owner: UserId, plan: &Plan) -> Result<HashSet<usize>> {
    let mut places: HashMap<&str, Vec<usize>> = HashMap::with_capacity(plan.left_out.len());
    for (at, row) in plan.left_out.iter().enumerate() {
        places.entry(&plan.text[row.raw.clone()]).or_default().push(at);
    }
    let mut known = HashSet::new();
    if !places.is_empty() {
        // The texts of the library may be many times those of the file, and stay where they are.
        store::each_left_out(conn, owner, plan.format, |raw| known.extend(places.remove(raw).into_iter().flatten()))?;
    }
    Ok(known)
}

/// What a newer file changes: the books and items that are made as by an import, and the changes of those that the library has.
struct Prepared {
    work: Work,
    changes: Changes,
    /// How many rows that are left out on purpose are kept already.
    known_left_out: usize,
    last_import: Option<Timestamp>,
}

fn prepare(newer: Newer, ahead: Ahead) -> Prepared {
    let Ahead { changes, said, known_left_out, last_import, .. } = ahead;
    let Newer { file_name, mut plan, chosen, options, .. } = newer;
    let mut fresh: BTreeMap<usize, _> = changes.fresh.iter().map(|fresh| (fresh.at, fresh)).collect();
    let (mut works, mut leaving) = (HashMap::new(), HashMap::new());
    let mut books = Vec::new();
    for (at, mut book) in std::mem::take(&mut plan.books).into_iter().enumerate() {
        if let Some(fresh) = fresh.remove(&at) {
            book.draft = fresh.draft.clone();
            works.extend(fresh.work.map(|work| (books.len(), work)));
            leaving.extend(fresh.item.map(|item| (books.len(), item)));
        } else if changes.is_decided[book.row] {
            continue;
        }
        books.push(book);
    }
    let mut at = 0..;
    plan.left_out.retain(|_| at.next().is_none_or(|at| !known_left_out.contains(&at)));
    let items = std::mem::take(&mut plan.items).into_iter().enumerate();
    let (new, known): (Vec<_>, Vec<_>) =
        items.partition(|(at, item)| !changes.is_decided[item.row] || changes.fresh_items.contains(at));
    let listed = known.iter().map(|(_, item)| item_name(&item.draft)).chain(changes.listed.iter().cloned()).collect();
    plan.items = new.into_iter().map(|(_, item)| item).collect();
    plan.books = books;
    let mut work = Work::new(Kind::Books, file_name, plan, chosen);
    (work.works, work.leaving, work.listed) = (works, leaving, listed);
    (work.said, work.is_compared, work.progress) = (said, true, options.progress);
    work.changing = changes.books.iter().filter(|change| change.changes_identity()).map(|change| change.id).collect();
    work.changing.extend(&changes.settled);
    work.opened = changes.books.iter().filter(|book| book.opens()).map(|book| (book.work, book.id)).collect();
    Prepared { work, changes, known_left_out: known_left_out.len(), last_import }
}

/// Returns what [`execute`] would do, with a preview.
///
/// # Errors
/// [`ImportRefusal::NeverImported`]; the database's.
pub fn preview(conn: &Connection, owner: UserId, rules: Rules, newer: Newer, outlook: Outlook) -> Result<ImportReport> {
    let ahead = look_ahead(conn, owner, &newer)?;
    let prepared = prepare(newer, ahead);
    let remembered = super::store::choices(conn, owner)?;
    let (report, deduped) = report::preview_found(conn, owner, rules, &prepared.work, &remembered, outlook)?;
    answer(conn, &prepared, report, &deduped)
}

/// Takes over what a newer file changes, in one operation.
///
/// # Errors
/// [`ImportRefusal::LibraryChanged`] when [`Ahead::is_current`] is false; a quota; the database's.
pub fn execute(tx: &Tx<'_>, owner: UserId, rules: Rules, newer: Newer, ahead: Ahead) -> Result<ImportReport> {
    if !ahead.is_current(tx, owner)? {
        return Err(ImportRefusal::LibraryChanged.into());
    }
    let mut prepared = prepare(newer, ahead);
    counters::within_quotas(tx, owner, rules.quotas, || {
        let changes = &prepared.changes;
        let is_idle = changes.books.is_empty()
            && changes.items.is_empty()
            && changes.ties.is_empty()
            && changes.kept.is_empty()
            && changes.days.is_empty()
            && changes.leaving.is_empty()
            && changes.former.is_empty()
            && changes.ended.is_empty();
        let (report, deduped) = report::execute_found(tx, owner, rules, &prepared.work, is_idle)?;
        if let Some(import) = report.import_id {
            take_over(tx, owner, import, &mut prepared)?;
        }
        let mut report = answer(tx, &prepared, report, &deduped)?;
        if prepared.work.plan.keeps_same_reads {
            report.same_read = 0;
        }
        if let Some(import) = report.import_id
            && let Some(operation) = operations::of_import(tx, owner, import)?.into_iter().next()
        {
            operations::describe(tx, operation, OperationKind::Sync, &summary(&prepared.work, &report))?;
            report.sync.iter_mut().for_each(|outcome| outcome.undo_id = Some(operation));
        }
        Ok(report)
    })
}

/// The sentence about a sync in the list of operations.
fn summary(work: &Work, report: &ImportReport) -> String {
    let Some(outcome) = &report.sync else { return String::new() };
    let name = named(work.plan.format).title;
    let SyncOutcome { moved, changed, .. } = outcome;
    format!(
        "{name}, brought up to date: {} new, {moved} moved on, {changed} changed.",
        report.imported + report.imported_tbr
    )
}

/// Adds what became of the books that the library has to the answer of an import.
fn answer(conn: &Connection, prepared: &Prepared, mut report: ImportReport, deduped: &Deduped) -> Result<ImportReport> {
    let Prepared { work, changes, known_left_out, last_import } = prepared;
    (report.left_out, report.skipped) = (report.left_out + known_left_out, report.skipped + known_left_out);
    let moved_from_list = deduped.books.iter().filter(|at| work.leaving.contains_key(at)).count();
    let decided = changes.is_decided.iter().filter(|is_decided| **is_decided).count();
    report.same_read += changes.same_read;
    report.imported -= moved_from_list;
    report.taken_off_tbr = report.taken_off_tbr.saturating_sub(moved_from_list);
    report.skipped += decided.saturating_sub(changes.fresh.len() + changes.fresh_items.len());
    let titles = store::titles(conn, &changes.gone[..changes.gone.len().min(LISTED)])?;
    report.sync = Some(SyncOutcome {
        moved: changes.moved + moved_from_list,
        changed: changes.changed,
        conflicts: changes.conflicts.iter().take(LISTED).cloned().collect(),
        in_conflict: changes.conflicts.len(),
        gone: changes.gone.len(),
        gone_books: titles.into_iter().map(|(id, title)| KeptImportItem { id, title }).collect(),
        deleted_here: changes.deleted_here,
        unchanged: changes.unchanged,
        entries: entries(work, changes, deduped),
        undo_id: None,
        last_import: *last_import,
    });
    Ok(report)
}

/// A row that is taken over. New ones are indices of the plan.
enum Taken<'c> {
    New(usize),
    Listed(usize),
    Book(&'c BookChange),
    Item(&'c ItemChange),
}

/// The first of the rows that are taken over: what is new, what has moved on, what has changed.
fn entries(work: &Work, changes: &Changes, deduped: &Deduped) -> Vec<SyncEntry> {
    let is_moved = |at: &usize| work.leaving.contains_key(at);
    let moved_or = |is_moved, otherwise| if is_moved { SyncEntryKind::Moved } else { otherwise };
    let new = deduped.books.iter().map(|at| (moved_or(is_moved(at), SyncEntryKind::New), Taken::New(*at)));
    let listed = deduped.items.iter().map(|at| (SyncEntryKind::Listed, Taken::Listed(*at)));
    let books = changes.books.iter().map(|book| (moved_or(book.is_moved, SyncEntryKind::Changed), Taken::Book(book)));
    let items = changes.items.iter().map(|item| (SyncEntryKind::Changed, Taken::Item(item)));
    let mut taken: Vec<_> = new.chain(listed).chain(books).chain(items).collect();
    taken.sort_by_key(|(kind, _)| *kind);
    taken.truncate(LISTED);
    taken.into_iter().map(|(kind, taken)| entry(&work.plan, kind, taken)).collect()
}

fn entry(plan: &Plan, kind: SyncEntryKind, taken: Taken<'_>) -> SyncEntry {
    let of_book = |row, draft: &BookDraft, fields| SyncEntry {
        row,
        kind,
        title: draft.title.clone(),
        author: draft.author(),
        status: Some(draft.status),
        completed: fields::completion(draft),
        fields,
    };
    let of_item = |row, draft: &TbrDraft, fields| SyncEntry {
        row,
        kind,
        title: draft.title.clone(),
        author: draft.author.clone().unwrap_or_default(),
        status: None,
        completed: None,
        fields,
    };
    match taken {
        Taken::New(at) => of_book(plan.rows[plan.books[at].row].line, &plan.books[at].draft, Vec::new()),
        Taken::Listed(at) => of_item(plan.rows[plan.items[at].row].line, &plan.items[at].draft, Vec::new()),
        Taken::Book(book) => of_book(book.row, &book.draft, book.field_changes()),
        Taken::Item(item) => of_item(item.row, &item.draft, item.fields.clone()),
    }
}

/// Writes what changes in the books and items that the library has, and notes it for the undo.
fn take_over(tx: &Tx<'_>, owner: UserId, import: ImportId, prepared: &mut Prepared) -> Result<()> {
    let Some(operation) = operations::of_import(tx, owner, import)?.into_iter().next() else { return Ok(()) };
    for book in &mut prepared.changes.books {
        // New reads may have added to the work what the row does not change.
        book.draft.facts.follow_work(&book.before.facts, &facts_of(tx, book.id)?);
    }
    let Prepared { work, changes, .. } = &*prepared;
    // What is equal in all reads of a work is written to all of them.
    let shared: BTreeMap<_, _> = changes
        .books
        .iter()
        .filter(|book| book.draft.facts.of_work() != book.before.facts.of_work())
        .map(|book| (book.work, &book.draft.facts))
        .collect();
    let others = store::reads_of(tx, owner, &shared.keys().copied().collect::<BTreeSet<_>>())?;
    for part in changes.books.chunks(BOOKS_AT_ONCE) {
        let (retold, kept): (Vec<_>, Vec<_>) = part.iter().partition(|book| book.changes_texts());
        let mut before = images_without_texts(tx, owner, kept.into_iter().map(|book| book.id))?;
        before.extend(images(tx, owner, retold.into_iter().map(|book| book.id))?);
        for book in part {
            store::write_book(tx, owner, book.id, &book.draft)?;
            if (book.draft.pages, book.draft.minutes) != (book.before.pages, book.before.minutes) {
                logs::repaginate(tx, owner, operation, book.id)?;
            }
        }
        operations::note_part_of_changed(tx, owner, operation, &before)?;
    }
    for part in others.chunks(BOOKS_AT_ONCE) {
        let before = images_without_texts(tx, owner, part.iter().map(|(_, read)| *read))?;
        for (work, read) in part {
            if let Some(facts) = shared.get(work) {
                write_common(tx, *read, facts)?;
            }
        }
        operations::note_part_of_changed(tx, owner, operation, &before)?;
    }
    operations::trim(tx, owner, operation)?;
    for item in &changes.items {
        store::write_item(tx, owner, operation, item.id, &item.draft)?;
    }
    for (book, day) in &changes.days {
        logs::write_day(tx, owner, operation, *book, day)?;
    }
    let is_logged = |draft: &BookDraft| draft.word_distribution == WordDistribution::Logged;
    let logged = changes.books.iter().filter(|book| is_logged(&book.before) || is_logged(&book.draft));
    let logged = logged.map(|book| book.id).chain(changes.days.iter().map(|(book, _)| *book));
    store::settle_months(tx, owner, &logged.collect())?;
    let plan = &work.plan;
    let mut bytes = 0;
    let mut keep = |row: usize| -> Result<i64> {
        let kept = &plan.rows[row];
        let id = row_id(import, kept.line);
        let said = work.said.get(&row).map(String::as_str).unwrap_or_default();
        bytes += super::store::keep(tx, id, &plan.text[kept.raw.clone()], said)?;
        Ok(id)
    };
    for tie in &changes.ties {
        let row = (keep(tie.row)?, tie.nth, plan.rows[tie.row].key);
        store::retie(tx, owner, operation, (tie.entry, tie.origin), row)?;
    }
    for row in &changes.kept {
        keep(*row)?;
    }
    counters::add_texts(tx, owner, bytes)?;
    let leaving: Vec<_> = changes.leaving.iter().map(|item| (*item, None)).collect();
    taken_off::store::take(tx, owner, import, &leaving, i64::MAX)?;
    returned::put_back(tx, owner, operation, &changes.returned, |_| Ok(()))?;
    returned::take_away(tx, owner, operation, &changes.ended)?;
    store::forget(tx, owner, operation, &changes.former)
}
