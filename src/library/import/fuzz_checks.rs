//! Properties of imports that must hold for any file; see [`crate::kit::fuzz_checks`]. [`archives`] has those of archives, [`sync`] those of
//! bringing a library up to date.
mod archives;
mod library;
mod sync;

pub use archives::archives;
pub use sync::syncs;

use super::columns::{Field, folded};
use super::plan::{January1970, JanuaryFirsts, Kind, Options, Plan, plan};
use super::rejected;
use crate::kit::Error;
use crate::library::export;
use crate::library::import::dedupe::{ExistingBooks, dedupe, duplicate_key};
use crate::library::import::escaping::{escaped, restored};
use crate::library::import::history::model::{StoredRow, StoredRows};
use crate::library::import::values::DateOrder;

/// Reads a file as books and as a list; its last byte sets the options.
pub fn import(data: &[u8]) {
    let choice = usize::from(data.last().copied().unwrap_or_default());
    for kind in [Kind::Books, Kind::Tbr] {
        let mut options = Options {
            kind,
            earlier_reads: choice.is_multiple_of(2),
            date_order: DateOrder::ALL.get(choice % 4).copied(),
            january_firsts: JanuaryFirsts::ALL[choice % 2],
            january_1970: January1970::ALL[choice % 2],
            waiting_books: choice % 2 == 1,
            ..Options::default()
        };
        let Some(first) = read(data, &options) else { return };
        if choice.is_multiple_of(3) {
            // The same file with columns mapped by hand, right or wrong.
            let fields = Field::ALL.into_iter().cycle().skip(choice).map(Some);
            let names = first.columns.iter().map(|column| folded(&column.name));
            options.columns = names.zip(fields).collect();
            read(data, &options);
        }
    }
}

/// Reads a file and checks the result; `None` for an unreadable file.
fn read(data: &[u8], options: &Options) -> Option<Plan> {
    let plan = match plan(data, options) {
        Ok(plan) => plan,
        Err(cause) => {
            is_refused(cause.into());
            return None;
        }
    };
    whole(&plan, options);
    reported(&plan);
    deduped(&plan, options.kind);
    exported(&plan);
    returned(&plan);
    Some(plan)
}

/// An error that is the file's fault.
fn is_refused(cause: Error) {
    let status = cause.status();
    assert!(status.is_client_error(), "{cause}: {status}");
}

/// Everything to be created is in its stored form, comes from a row of the file, and no row counts twice.
fn whole(plan: &Plan, options: &Options) {
    for book in &plan.books {
        assert!(!book.draft.title.is_empty() && !book.draft.authors.is_empty(), "a book has a title and an author");
        assert_eq!(book.draft.clone().checked().as_ref(), Ok(&book.draft), "a book is as it is stored");
        assert!(book.row < plan.rows.len());
    }
    for item in &plan.items {
        assert!(!item.draft.title.is_empty(), "an item has a title");
        assert_eq!(item.draft.clone().checked().as_ref(), Ok(&item.draft), "an item is as it is stored");
        assert!(item.row < plan.rows.len());
    }
    assert!(options.kind == Kind::Books || plan.books.is_empty(), "a list creates no books");
    assert!(plan.mapped || (plan.rows.is_empty() && plan.rejected.is_empty()), "unknown columns create nothing");
    let mut lines: Vec<u64> = plan.rows.iter().map(|row| row.line).collect();
    assert!(lines.is_sorted(), "rows come in their order");
    lines.extend(plan.rejected.iter().map(|row| row.line));
    lines.sort_unstable();
    assert!(lines.windows(2).all(|pair| pair[0] < pair[1]), "a row is kept or rejected, once");
    let last = 1 + plan.text.matches('\n').count() + plan.text.matches('\r').count();
    assert!(lines.iter().all(|line| (1..=last as u64).contains(line)), "a row has a line of the file");
    assert_eq!(plan.columns.len(), plan.header.len());
}

/// The report is valid: parts of the file's text, sentences, and known fields.
fn reported(plan: &Plan) {
    for raw in plan.rows.iter().map(|row| &row.raw).chain(plan.rejected.iter().map(|row| &row.raw)) {
        assert!(plan.text.get(raw.clone()).is_some_and(|text| !text.trim().is_empty()), "{raw:?} is not a row");
    }
    for problem in plan.rejected.iter().map(|row| &row.problem).chain(plan.notes.iter().map(|note| &note.problem)) {
        assert!(!problem.message.is_empty());
    }
    assert!(plan.notes.iter().all(|note| note.row < plan.rows.len()), "a note belongs to a row that is kept");
    for field in plan.columns.iter().filter_map(|column| column.field) {
        assert_eq!(Field::from_name(field.name()), Some(field));
    }
}

/// In an empty library everything is new except duplicates in the file, and with room for one book one is created.
fn deduped(plan: &Plan, kind: Kind) {
    let duplicate_keys: Vec<_> = plan.books.iter().map(|book| duplicate_key(&book.draft)).collect();
    let item_keys: Vec<_> = plan.items.iter().map(|item| crate::library::tbr::store::folded(&item.draft)).collect();
    let all = dedupe(plan, &duplicate_keys, &item_keys, ExistingBooks::default(), None, true);
    assert_eq!((all.books.len(), all.items.len()), (plan.books.len(), plan.items.len()), "{kind:?}");
    assert_eq!(all.skipped, plan.left_out.len());
    let one = dedupe(plan, &duplicate_keys, &item_keys, ExistingBooks::default(), Some(1), false);
    assert_eq!(one.books.len(), plan.books.len().min(1));
    assert_eq!(one.books.len() + one.beyond.len(), plan.books.len(), "books without room are reported");
}

/// A plan written as our own export is read as the same plan, and no cell is executed by a spreadsheet.
fn exported(plan: &Plan) {
    let of = |plan: &Plan| plan.books.iter().map(|book| (book.draft.clone(), book.log.clone())).collect::<Vec<_>>();
    let books = of(plan);
    if !books.is_empty() {
        let csv = export::written(&books).unwrap_or_default();
        let again = super::plan::plan(&csv, &Options::default()).map(|plan| of(&plan));
        assert_eq!(again.ok(), Some(books), "{}", String::from_utf8_lossy(&csv));
    }
    for cell in plan.text.split(['\n', ',']).take(100) {
        let safe = escaped(cell);
        assert!(!safe.starts_with(['=', '+', '-', '@', '\t', '\r']), "{safe:?} runs");
        assert_eq!(restored(&safe), cell);
    }
}

/// The rejected rows can be exported and read again.
fn returned(plan: &Plan) {
    let rows = plan.rejected.iter().map(|row| StoredRow {
        line: i64::try_from(row.line).unwrap_or_default(),
        raw: plan.text[row.raw.clone()].to_owned(),
        reason: row.problem.message.clone(),
    });
    let file = StoredRows {
        header: plan.header.clone(),
        delimiter: plan.delimiter,
        format: plan.format.to_owned(),
        rows: rows.collect(),
    };
    let csv = rejected::csv(&file).unwrap_or_default();
    assert!(std::str::from_utf8(&csv).is_ok_and(|csv| csv.contains("Row,Reason")));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::fuzz_checks::broken;

    #[test]
    fn any_file_that_is_imported_makes_whole_books_and_reports_the_rest() {
        broken("tests/fixtures/import", 12, import);
        broken("fuzz/seeds/import", 50, import);
    }
}
