//! Looks at a library beside the rows that imports kept, and writes what they add.
use std::collections::{BTreeMap, BTreeSet, HashMap};

use chrono::NaiveDate;
use rusqlite::{Connection, OptionalExtension as _};

use super::Request;
use super::model::{
    Outcome, Pair, RefillChange, RefillExample, RefillField, RefillFieldReport, RefillFile, RefillReport,
};
use crate::kit::db::pool::Tx;
use crate::kit::error::Result;
use crate::kit::id::UserId;
use crate::kit::timestamp::Timestamp;
use crate::library::books::log::{Length, ReadingDay};
use crate::library::books::model::{BookDraft, BookId, WordDistribution};
use crate::library::books::passages::Quotes;
use crate::library::books::store as books;
use crate::library::books::store::{common, days};
use crate::library::counters;
use crate::library::import::dedupe::EntryId;
use crate::library::import::history::model::{ImportSummary, WholeImport};
use crate::library::import::history::store::imports;
use crate::library::import::reader::ROWS_BETWEEN_LOOKS;
use crate::library::import::said::store::ties;
use crate::library::import::said::{SaidRow, former};
use crate::library::import::sync::store as sync;
use crate::library::operations::model::OperationKind;
use crate::library::operations::store::images::{images, images_without_texts};
use crate::library::operations::store::logs::{repaginate, write_day};
use crate::library::operations::store::{begin, note_changed};

/// How many examples of a field are listed.
const EXAMPLES: usize = 3;
/// The migration since which rows that are left out on purpose are kept.
const KEEPS_LEFT_OUT: i64 = 21;

/// What a fill-in does.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The library's revision at the time.
    pub revision: i64,
    /// For its reader.
    pub report: RefillReport,
    /// What becomes of each book, without its long texts: those of all of them may have hundreds of megabytes.
    fillings: BTreeMap<BookId, Filling>,
    /// The days of each book whose log is filled in.
    days: BTreeMap<BookId, Vec<ReadingDay>>,
}

#[derive(Clone, Debug)]
struct Filling {
    draft: BookDraft,
    clears_impressions: bool,
}

/// Finds what the kept rows of an owner's imports add to the library.
pub fn plan(conn: &Connection, request: &Request) -> Result<Plan> {
    let owner = request.owner;
    let fields = RefillField::ALL.map(|field| RefillFieldReport {
        field,
        chosen: request.wants(field),
        books: 0,
        examples: Vec::new(),
    });
    let report = RefillReport { rows: 0, books: 0, fields: fields.into(), kept: 0, files: Vec::new(), undo_id: None };
    let mut plan =
        Plan { revision: counters::revision(conn, owner)?, report, fillings: BTreeMap::new(), days: BTreeMap::new() };
    let mut options = former::options(conn, owner, request.hemisphere, request.today)?;
    options.deadline = request.deadline.clone();
    let since = kept_since(conn)?;
    let ties = ties(conn, owner)?;
    let tied = former::tied_readings(&ties);
    let mut made: HashMap<i64, Vec<(BookId, i64)>> = HashMap::new();
    for tie in ties.into_iter().filter(|tie| tie.made) {
        if let EntryId::Book(book) = tie.entry {
            made.entry(tie.row).or_default().push((book, tie.nth));
        }
    }
    for whole in imports(conn, owner)? {
        let before = plan.fillings.len();
        for (at, (id, said)) in former::said(conn, &whole, &options, &tied)?.into_iter().enumerate() {
            if at.is_multiple_of(ROWS_BETWEEN_LOOKS) {
                request.deadline.check()?;
            }
            let Some(books) = made.remove(&id) else { continue };
            plan.report.rows += 1;
            let row = SaidRow::parse(&said)?;
            for (book, nth) in &books {
                if let Some((changes, _)) = sync::changes(conn, EntryId::Book(*book))? {
                    let place = Place::of(conn, &whole.import, &row, (*book, *nth))?;
                    let now = books::get_at(conn, owner, *book, None)?.draft();
                    look(&mut plan, &whole.import.format, (&row, &books), place, (*book, *nth), (now, changes > 0));
                }
            }
        }
        let WholeImport { import, .. } = whole;
        let books = plan.fillings.len() - before;
        let not_kept = if import.undone.is_some() || since.is_none_or(|since| since <= import.created_at) {
            0
        } else {
            import.skipped
        };
        if books > 0 || not_kept > 0 {
            let (import_id, file_name, format) = (import.id, import.file_name, import.format);
            let file = RefillFile { import_id, file_name, format, created_at: import.created_at, books, not_kept };
            plan.report.files.push(file);
        }
    }
    plan.report.books = plan.fillings.len();
    Ok(plan)
}

/// What a row says about the place in a book whose log has no day.
#[derive(Clone, Copy, Default)]
struct Place<'r> {
    log: &'r [ReadingDay],
    /// The day since which the book is paused: that of the import where the row has none.
    paused: Option<NaiveDate>,
}

impl<'r> Place<'r> {
    fn of(conn: &Connection, import: &ImportSummary, row: &'r SaidRow, (book, nth): (BookId, i64)) -> Result<Self> {
        let imported = import.created_at.utc().date_naive();
        let paused = row.draft(nth).and_then(|draft| draft.paused_since).map(|day| day.min(imported));
        let place = Self { log: row.log(nth), paused };
        let says_nothing = place.log.is_empty() && paused.is_none();
        Ok(if says_nothing || !days::of(conn, book)?.is_empty() { Self::default() } else { place })
    }
}

/// Compares a book with the row that made it.
fn look(
    plan: &mut Plan,
    format: &str,
    (row, books): (&SaidRow, &[(BookId, i64)]),
    place: Place<'_>,
    (book, nth): (BookId, i64),
    (now, is_changed): (BookDraft, bool),
) {
    let exact = row.draft(nth);
    let Some(draft) = exact.or_else(|| row.any_draft()) else { return };
    let rated = rated(row).map(|(number, draft)| (draft, books.iter().any(|(_, nth)| *nth == number)));
    let mut filled = now.clone();
    let mut keeps = false;
    for report in &mut plan.report.fields {
        let pair = Pair {
            // What is not chosen is only counted.
            now: if report.chosen { &filled } else { &now },
            draft,
            is_exact: exact.is_some(),
            is_unchanged: exact.is_some() && !is_changed,
            rated,
            log: place.log,
            paused: place.paused,
            audio_pages: row.audio_pages,
            mixes_authors: format == "goodreads",
        };
        match pair.outcome(report.field) {
            Outcome::Nothing => {}
            Outcome::Keeps => keeps = true,
            Outcome::Fills(change) => {
                let RefillChange { draft, before, after } = *change;
                report.books += 1;
                if report.examples.len() < EXAMPLES {
                    report.examples.push(RefillExample { id: book.0, title: now.title.clone(), before, after });
                }
                if report.chosen && report.field == RefillField::Progress {
                    plan.days.insert(book, place.log.to_vec());
                } else if report.chosen {
                    filled = draft;
                }
            }
        }
    }
    plan.report.kept += usize::from(keeps && is_changed);
    if filled != now || plan.days.contains_key(&book) {
        let clears_impressions = filled.impressions != now.impressions;
        let draft = BookDraft { impressions: None, quotes: Quotes::default(), ..filled };
        plan.fillings.insert(book, Filling { draft, clears_impressions });
    }
}

/// The reading of a row that has its rating and its review, with its number.
fn rated(row: &SaidRow) -> Option<(i64, &BookDraft)> {
    let is_rated = |draft: &BookDraft| draft.rating.is_some() || draft.impressions.is_some();
    let mut reads = row.readings.iter().filter(|reading| reading.item.is_none());
    reads.find(|reading| is_rated(&reading.draft)).map(|reading| (reading.nth, &reading.draft))
}

/// When this database began to keep rows that are left out.
fn kept_since(conn: &Connection) -> Result<Option<Timestamp>> {
    let sql = "SELECT applied_on FROM refinery_schema_history WHERE version = ?1";
    let since = conn.prepare_cached(sql)?.query_row([KEEPS_LEFT_OUT], |row| row.get(0)).optional()?;
    Ok(since)
}

/// Writes what a plan fills in, and records the operation. Reads of one work agree afterwards, as after an import.
pub fn write(tx: &Tx<'_>, owner: UserId, plan: Plan) -> Result<RefillReport> {
    let Plan { mut report, fillings, days: logs, .. } = plan;
    if fillings.is_empty() {
        return Ok(report);
    }
    let (changed, others): (Vec<_>, Vec<_>) = fillings.iter().partition(|(_, filling)| filling.clears_impressions);
    let mut before = images(tx, owner, changed.into_iter().map(|(book, _)| *book))?;
    before.extend(images_without_texts(tx, owner, others.into_iter().map(|(book, _)| *book))?);
    let (mut works, mut paged) = (BTreeSet::new(), Vec::new());
    for (book, Filling { draft, clears_impressions }) in fillings {
        let now = books::get_at(tx, owner, book, None)?;
        works.insert(now.work);
        let now = now.draft();
        if (now.pages, now.minutes) != (draft.pages, draft.minutes) {
            paged.push(book);
        }
        let impressions = now.impressions.filter(|_| !clears_impressions);
        sync::write_book(tx, owner, book, &BookDraft { impressions, quotes: now.quotes, ..draft })?;
        if now.word_distribution == WordDistribution::Logged {
            days::settle_months(tx, &books::get(tx, owner, book)?)?;
        }
    }
    let united = common::united(tx, owner, &works)?;
    let others = united.iter().map(|(book, _)| *book).filter(|book| !before.has(*book)).collect::<Vec<_>>();
    before.extend(images_without_texts(tx, owner, others)?);
    for (book, facts) in &united {
        common::write_common(tx, *book, facts)?;
    }
    counters::changed(tx, owner)?;
    let summary = match report.books {
        1 => "Filled in 1 book from what was imported.".to_owned(),
        books => format!("Filled in {books} books from what was imported."),
    };
    let operation = begin(tx, owner, OperationKind::FillIn, &summary, None)?;
    note_changed(tx, owner, operation, &before)?;
    for book in paged {
        repaginate(tx, owner, operation, book)?;
    }
    for (book, log) in logs {
        let length = Length::of(&books::get(tx, owner, book)?);
        for day in log {
            let at = day.place_in(length).or(day.at);
            write_day(tx, owner, operation, book, &ReadingDay { at, ..day })?;
        }
    }
    report.undo_id = Some(operation);
    Ok(report)
}
