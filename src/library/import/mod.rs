//! Imports: files of other trackers are read into one row type, previewed, imported in one transaction, and can be undone.
//!
//! Tables: `imports`, `import_rows`, `imported_books`, `imported_items`, `import_choices`; books and items are written by their
//! own stores. The steps from bytes to books: [`unpacking`] opens archives and JSON, [`complete`] the complete export, [`reader`]
//! splits rows into cells, [`inspect`] looks at the whole file, [`formats`] has one file per format, [`map_row`] reads one row,
//! [`plan`] decides what to create, [`dedupe`] finds what is new, [`quota`] finds what fits, [`report`] imports or previews
//! ([`preview`]), [`rejected`] exports rejected rows. [`store`] and [`history`] have the queries, [`taken_off`] takes items off
//! the list; everything before [`report`] is pure. [`said`] is what a row said, which an import stores: [`sync`] compares a newer file
//! with it and with the library, and [`refill`] fills in what the library lacks.
mod attempts;
mod columns;
pub mod complete;
mod dedupe;
mod edition;
mod encoding;
mod escaping;
mod formats;
mod genres;
pub mod history;
mod html;
mod http;
mod inspect;
mod libby_timeline;
mod librarything_json;
mod local_file;
mod mac_roman;
mod map_row;
pub mod parsing;
pub mod plan;
mod preview;
mod progress;
mod quota;
pub mod reader;
pub mod refill;
mod rejected;
mod report;
mod row;
pub mod said;
mod shelves;
mod store;
pub mod sync;
mod taken_off;
mod unpacking;
pub mod values;

pub use columns::folded;
pub use edition::{OWNED, name_of, series_of};
pub use encoding::decoded;
pub use escaping::escaped;
pub use formats::format_of;
pub use history::store::write_all;
pub use html::has_markup;
pub use http::routes;
pub use local_file::{LocalFile, Reader, import_file};
pub use plan::{AudioPages, ImportQuestion, January1970, JanuaryFirsts, Options, StatusAnswer};
pub use reader::LARGEST_FILE;
pub use report::ImportReport;
pub use store::{delete_all, item_became_book};
pub use sync::answer::SyncOutcome;
pub use taken_off::store::waiting;
pub use values::DateOrder;

/// Why an import is not made, or not undone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImportRefusal {
    /// The file is of no known format, and its columns are not named.
    UnknownColumns(plan::Kind),
    /// The import was undone before.
    AlreadyUndone,
    /// The library has no file of this format that a newer one could be compared with.
    NeverImported(&'static str),
    /// The library was changed while the change was prepared, each time.
    LibraryChanged,
}

/// Reads the books, or the items, in one of our own files.
#[cfg(test)]
pub fn read_own(
    csv: &[u8],
) -> (Vec<crate::library::books::model::BookDraft>, Vec<crate::library::tbr::model::TbrDraft>) {
    let read = |kind| plan::plan(csv, &plan::Options { kind, ..plan::Options::default() });
    let books = read(plan::Kind::Books).map(|plan| plan.books).unwrap_or_default();
    let items = read(plan::Kind::Tbr).map(|plan| plan.items).unwrap_or_default();
    (books.into_iter().map(|book| book.draft).collect(), items.into_iter().map(|item| item.draft).collect())
}

/// A file of any tracker as it is read: its format, the books with their rows and logs, the items, and the sentences about rejected rows.
#[cfg(test)]
#[derive(Debug)]
pub struct ReadBack {
    /// The word for the format.
    pub format: &'static str,
    /// The index of the row, the book and its log.
    pub books: Vec<(usize, crate::library::books::model::BookDraft, Vec<crate::library::books::log::ReadingDay>)>,
    /// The items of the list.
    pub items: Vec<crate::library::tbr::model::TbrDraft>,
    /// Why rows are rejected.
    pub rejected: Vec<String>,
}

/// Reads a file of any tracker.
#[cfg(test)]
pub fn read_any(csv: &[u8], today: Option<chrono::NaiveDate>) -> ReadBack {
    let plan = plan::plan(csv, &plan::Options { today, ..plan::Options::default() });
    let plan::Plan { format, books, items, rejected, left_out, .. } = plan.expect("a readable file");
    assert!(left_out.is_empty(), "every row is used");
    ReadBack {
        format,
        books: books.into_iter().map(|book| (book.row, book.draft, book.log)).collect(),
        items: items.into_iter().map(|item| item.draft).collect(),
        rejected: rejected.into_iter().map(|row| row.problem.message).collect(),
    }
}
