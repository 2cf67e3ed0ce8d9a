//! Executes or previews a plan, and builds the response.
use chrono::NaiveDate;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;

use super::ImportRefusal;
use super::columns::{Field, folded};
use super::plan::{Kind, Options, Plan, Planned, plan};
use super::quota;
use super::reader::check_name;
use super::store::{self, Choices, Content, Figures, Refused, Source};
use crate::kit::db::pool::{Db, Tx};
use crate::kit::error::Result;
use crate::kit::id::UserId;
use crate::kit::time_zone::Hemisphere;
use crate::library::books::add::Rules;
use crate::library::books::model::{BookDraft, Distribution, Format, Status, WordCountSource};
use crate::library::books::rating::Rating;
use crate::library::counters;
use crate::library::import::dedupe::{Deduped, DuplicateKey, Overflow, dedupe, duplicate_key};
use crate::library::import::history::model::ImportId;
use crate::library::tbr::model::TbrDraft;
use crate::library::tbr::store::{Folded, folded as folded_item};

/// How many errors a response contains individually.
const LISTED_ERRORS: usize = 100;
/// How many books and items a preview contains.
const SHOWN: usize = 20;
/// How many names of shelves a preview contains.
const SHOWN_SHELVES: usize = 50;

/// The result of an import.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ImportReport)]
pub struct Report {
    /// The number of created books, or of items for an import of the to-be-read list.
    pub imported: usize,
    /// The number of items created in addition to books.
    pub imported_tbr: usize,
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
    /// The first 100 errors, in the order of the file. Rows beyond the plan's limit are among them as far as there is room.
    pub details: Vec<Detail>,
    /// The format of the file.
    pub format: &'static str,
    /// The id for undoing the import; null in a preview.
    #[schema(required, value_type = Option<i64>)]
    pub import_id: Option<ImportId>,
    /// The number of books and items whose word count was computed from pages.
    pub estimated_words: usize,
    /// Only in a preview.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub preview: Option<Preview>,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// A rejected row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ImportRowError)]
pub struct Detail {
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

/// What an import would do.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ImportPreview)]
pub struct Preview {
    /// The first 20 new books.
    books: Vec<PreviewBook>,
    /// The first 20 new items.
    tbr: Vec<PreviewItem>,
    /// The reader's custom shelves.
    shelves: Vec<PreviewShelf>,
    /// The file's columns.
    columns: Vec<PreviewColumn>,
    /// Readings that the file counts without a date: the number of additional books with `earlierReads=undated`.
    earlier_reads: usize,
    /// The first 50 shelves that are not genres by name. They become genres with `shelfGenres=all`; absent when there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    other_shelves: Vec<String>,
    /// The number of new books with a date after today; absent when there are none.
    #[serde(skip_serializing_if = "is_zero")]
    #[schema(required = false)]
    future_books: usize,
}

/// A book as read from a file.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PreviewBook {
    row: u64,
    title: String,
    author: String,
    word_count: i64,
    word_count_source: WordCountSource,
    #[schema(required)]
    pages: Option<i64>,
    #[schema(required)]
    isbn: Option<String>,
    status: Status,
    #[schema(required)]
    start_date: Option<NaiveDate>,
    #[schema(required)]
    date_completed: Option<NaiveDate>,
    #[schema(required)]
    completed_from: Option<NaiveDate>,
    #[schema(required)]
    stopped_date: Option<NaiveDate>,
    #[schema(required)]
    paused_since: Option<NaiveDate>,
    #[schema(required, value_type = Option<f64>)]
    rating: Option<Rating>,
    format: Format,
    reread: bool,
    genres: Vec<String>,
    #[schema(required)]
    impressions: Option<String>,
    quotes: Vec<String>,
    word_distribution: Distribution,
}

/// An item of the to-be-read list as read from a file.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PreviewItem {
    row: u64,
    title: String,
    #[schema(required)]
    author: Option<String>,
    #[schema(required)]
    word_count: Option<i64>,
    #[schema(required)]
    notes: Option<String>,
    #[schema(required)]
    pages: Option<i64>,
    #[schema(required)]
    isbn: Option<String>,
}

/// A custom shelf and its probable destination.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct PreviewShelf {
    name: String,
    rows: usize,
    /// `read`, `reading`, `to-read` or `skip`.
    guess: &'static str,
}

/// A column, its first value, and its field.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct PreviewColumn {
    name: String,
    sample: String,
    /// A name for `columnMap`; null means that the column is kept but not used. In an unknown file it is a guess.
    #[schema(required)]
    field: Option<&'static str>,
}

/// Writes the new entries of a plan, stores the reader's choices, and returns the result.
pub fn execute(tx: &Tx<'_>, owner: UserId, rules: Rules, work: &Work) -> Result<Report> {
    counters::within_quotas(tx, owner, rules.quotas, || execute_within_quotas(tx, owner, rules, work))
}

fn execute_within_quotas(tx: &Tx<'_>, owner: UserId, rules: Rules, work: &Work) -> Result<Report> {
    let (deduped, mut left) = deduped(tx, owner, rules, work)?;
    let refused = refused(&work.plan, &deduped, rules, &mut left);
    let mut report = report(work, &deduped, &refused);
    let source = Source { file_name: &work.file_name, kind: work.kind };
    let figures = Figures {
        imported: report.imported,
        imported_tbr: report.imported_tbr,
        errors: report.errors,
        beyond_limit: report.beyond_limit,
        skipped: report.skipped,
        left_out: report.left_out,
    };
    let Work { plan, duplicate_keys, item_keys, .. } = work;
    let content = Content { plan, deduped: &deduped, duplicate_keys, item_keys, left };
    report.import_id = Some(store::write(tx, owner, source, figures, content, &refused)?);
    store::remember(tx, owner, &work.chosen)?;
    Ok(report)
}

/// Returns what [`execute`] would do, with a preview. `today` is the reader's day.
pub fn preview_import(
    conn: &Connection,
    owner: UserId,
    rules: Rules,
    work: &Work,
    remembered: &Choices,
    today: NaiveDate,
) -> Result<Report> {
    let (deduped, mut left) = deduped(conn, owner, rules, work)?;
    let refused = refused(&work.plan, &deduped, rules, &mut left);
    let mut report = report(work, &deduped, &refused);
    report.preview = Some(preview(work, &deduped, remembered, today));
    Ok(report)
}

/// A plan with everything needed to execute it.
#[derive(Debug)]
pub struct Work {
    pub kind: Kind,
    pub file_name: String,
    pub plan: Plan,
    /// The reader's choices for this file.
    pub chosen: Choices,
    duplicate_keys: Vec<DuplicateKey>,
    item_keys: Vec<Folded>,
}

impl Work {
    /// Folds every title and author before the transaction.
    pub fn new(kind: Kind, file_name: String, plan: Plan, chosen: Choices) -> Self {
        let duplicate_keys = plan.books.iter().map(|book| duplicate_key(&book.draft)).collect();
        let item_keys = plan.items.iter().map(|item| folded_item(&item.draft)).collect();
        Work { kind, file_name, plan, chosen, duplicate_keys, item_keys }
    }

    /// Refuses a file of an unknown format until its columns are named.
    ///
    /// # Errors
    /// [`ImportRefusal::UnknownColumns`].
    pub fn check_mapped(&self) -> Result<()> {
        if self.plan.mapped {
            return Ok(());
        }
        Err(ImportRefusal::UnknownColumns(self.kind).into())
    }
}

/// The account that a file is imported into.
#[derive(Debug, Clone, Copy)]
pub struct Reader {
    /// Its id.
    pub owner: UserId,
    /// The months of its seasons.
    pub hemisphere: Hemisphere,
    /// Its current day.
    pub today: NaiveDate,
}

/// Imports the books of a file without a form, or only previews the import: for the command line.
///
/// # Errors
/// The file is unreadable or its columns are unknown.
pub fn import_file(db: &Db, reader: Reader, rules: Rules, name: &str, bytes: &[u8], dry_run: bool) -> Result<Report> {
    let Reader { owner, hemisphere, today } = reader;
    check_name(Some(name))?;
    let remembered = db.write_blocking(move |tx| store::choices(tx, owner))?;
    let options = Options {
        shelves: remembered.shelves.clone(),
        genres_only: true,
        hemisphere,
        today: Some(today),
        ..Options::default()
    };
    let plan = plan(bytes, &options)?;
    let work = Work::new(Kind::Books, name.to_owned(), plan, Choices::default());
    if dry_run {
        return db.write_blocking(move |tx| preview_import(tx, owner, rules, &work, &remembered, today));
    }
    work.check_mapped()?;
    db.write_blocking(move |tx| execute(tx, owner, rules, &work))
}

/// The new entries, and the number of bytes left for rejected rows.
fn deduped(conn: &Connection, owner: UserId, rules: Rules, work: &Work) -> Result<(Deduped, i64)> {
    let known = store::known(conn, owner, &work.plan, &work.duplicate_keys, &work.item_keys)?;
    let room = match rules.book_limit {
        Some(limit) => Some(usize::try_from(i64::from(limit) - counters::book_count(conn, owner)?).unwrap_or(0)),
        None => None,
    };
    let (plan, usage) = (&work.plan, counters::usage(conn, owner)?);
    let mut deduped = dedupe(plan, &work.duplicate_keys, &work.item_keys, known, room, rules.detect_rereads);
    let heading = counters::bytes(&serde_json::to_string(&plan.header)?) + counters::bytes(&work.file_name);
    let left = quota::trim(plan, &mut deduped, usage, rules.quotas, heading)?;
    Ok((deduped, left))
}

/// Every rejected row in file order: invalid rows, and those beyond the plan's limit or a quota. Their texts are stored as far as
/// there is room.
fn refused<'p>(plan: &'p Plan, deduped: &Deduped, rules: Rules, left: &mut i64) -> Vec<Refused<'p>> {
    let unreadable = plan.rejected.iter().map(|row| Refused {
        line: row.line,
        raw: &plan.text[row.raw.clone()],
        field: row.problem.field,
        reason: row.problem.message.clone(),
        beyond_limit: false,
        kept: true,
    });
    let limit = rules.book_limit.unwrap_or_default();
    let beyond = deduped.beyond.iter().map(|index| {
        let row = &plan.rows[plan.books[*index].row];
        let reason = format!("Beyond the {limit} books of the Reader plan.");
        Refused {
            line: row.line,
            raw: &plan.text[row.raw.clone()],
            field: None,
            reason,
            beyond_limit: true,
            kept: true,
        }
    });
    let over_quota = deduped.over_quota.iter().map(|(what, quota)| {
        let row = match what {
            Overflow::Book(index) => plan.books[*index].row,
            Overflow::Item(index) => plan.items[*index].row,
        };
        let (row, reason) = (&plan.rows[row], quota.sentence(rules.quotas));
        Refused {
            line: row.line,
            raw: &plan.text[row.raw.clone()],
            field: None,
            reason,
            beyond_limit: false,
            kept: true,
        }
    });
    let mut refused: Vec<_> = unreadable.chain(beyond).chain(over_quota).collect();
    refused.sort_by_key(|row| row.line);
    for row in &mut refused {
        *left -= counters::bytes(row.raw) + counters::bytes(&row.reason);
        row.kept = *left >= 0;
    }
    refused
}

fn report(work: &Work, deduped: &Deduped, refused: &[Refused<'_>]) -> Report {
    let plan = &work.plan;
    let (books, items) = (deduped.books.len(), deduped.items.len());
    let errors = refused.iter().filter(|row| !row.beyond_limit);
    let beyond = refused.iter().filter(|row| row.beyond_limit);
    let mut details: Vec<_> = errors.chain(beyond).take(LISTED_ERRORS).map(detail).collect();
    details.sort_by_key(|detail| detail.row);
    let estimated = deduped.books.iter().filter(|index| plan.books[**index].estimated).count()
        + deduped.items.iter().filter(|index| plan.items[**index].estimated).count();
    Report {
        imported: if work.kind == Kind::Tbr { items } else { books },
        imported_tbr: if work.kind == Kind::Tbr { 0 } else { items },
        errors: refused.len(),
        beyond_limit: refused.iter().filter(|row| row.beyond_limit).count(),
        skipped: deduped.skipped,
        left_out: plan.left_out.len(),
        details,
        format: plan.format,
        import_id: None,
        estimated_words: estimated,
        preview: None,
    }
}

fn detail(row: &Refused<'_>) -> Detail {
    Detail { row: row.line, field: row.field, message: row.reason.clone(), beyond_limit: row.beyond_limit }
}

fn preview(work: &Work, deduped: &Deduped, remembered: &Choices, today: NaiveDate) -> Preview {
    let plan = &work.plan;
    let field = |name: &str, field: Option<Field>| match remembered.columns.get(&folded(name)) {
        // The reader's earlier choice for this column takes precedence over the guess.
        Some(chosen) if plan.format == "unknown" && !work.chosen.columns.contains_key(&folded(name)) => *chosen,
        _ => field,
    };
    Preview {
        books: deduped.books.iter().take(SHOWN).map(|index| shown_book(plan, &plan.books[*index])).collect(),
        tbr: deduped.items.iter().take(SHOWN).map(|index| shown_item(plan, &plan.items[*index])).collect(),
        shelves: plan
            .shelves
            .iter()
            .map(|shelf| {
                let chosen = remembered
                    .shelves
                    .get(&crate::library::import::shelves::shelf_key(&shelf.name))
                    .copied()
                    .unwrap_or(shelf.guess);
                PreviewShelf { name: shelf.name.clone(), rows: shelf.rows, guess: chosen.name() }
            })
            .collect(),
        columns: plan
            .columns
            .iter()
            .map(|column| PreviewColumn {
                name: column.name.clone(),
                sample: column.sample.clone(),
                field: field(&column.name, column.field).map(Field::name),
            })
            .collect(),
        earlier_reads: plan.earlier_reads,
        other_shelves: plan.other_shelves.iter().take(SHOWN_SHELVES).cloned().collect(),
        future_books: deduped.books.iter().filter(|index| is_future(&plan.books[**index].draft, today)).count(),
    }
}

fn is_future(draft: &BookDraft, today: NaiveDate) -> bool {
    [draft.start_date, draft.completed_from.or(draft.date_completed)].into_iter().flatten().any(|day| day > today)
}

fn shown_book(plan: &Plan, book: &Planned<BookDraft>) -> PreviewBook {
    let draft = book.draft.clone();
    PreviewBook {
        row: plan.rows[book.row].line,
        title: draft.title,
        author: draft.author,
        word_count: draft.word_count,
        word_count_source: draft.word_count_source,
        pages: draft.pages,
        isbn: draft.isbn,
        status: draft.status,
        start_date: draft.start_date,
        date_completed: draft.date_completed,
        completed_from: draft.completed_from,
        stopped_date: draft.stopped_date,
        paused_since: draft.paused_since,
        rating: draft.rating,
        format: draft.format,
        reread: draft.reread,
        genres: draft.genres,
        impressions: draft.impressions,
        quotes: draft.quotes,
        word_distribution: draft.word_distribution,
    }
}

fn shown_item(plan: &Plan, item: &Planned<TbrDraft>) -> PreviewItem {
    let draft = item.draft.clone();
    PreviewItem {
        row: plan.rows[item.row].line,
        title: draft.title,
        author: draft.author,
        word_count: draft.word_count,
        notes: draft.notes,
        pages: draft.pages,
        isbn: draft.isbn,
    }
}
