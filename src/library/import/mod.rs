//! Imports: other trackers' files read into one row type, previewed, written whole, and undone.
//!
//! Tables: `imports`, `import_rows`, `imported_books`, `imported_items`, `import_choices`; it writes books and items through
//! their own stores. From bytes to books: [`reader`] rows of cells · [`inspect`] what the file as a whole says · [`formats`] one
//! file a format · [`map_row`] one row, read · [`plan`] what is to be made · [`dedupe`] what of it is new · [`quota`] what of that there is room for · [`report`] doing it,
//! or only telling · [`rejected`] what could not be taken. [`store`] and [`history`] are the tables; everything before
//! [`report`] is pure.
mod columns;
mod dedupe;
mod escaping;
mod form;
mod formats;
#[cfg(any(test, fuzzing))]
pub mod fuzz_checks;
mod history;
mod html;
mod http;
mod inspect;
mod map_row;
mod plan;
mod quota;
mod reader;
mod rejected;
mod report;
mod row;
mod shelves;
mod store;
mod values;

pub use escaping::escaped;
pub use history::write_all;
pub use http::routes;
pub use reader::LARGEST_FILE;
pub use report::{Report, import_file};
pub use store::{delete_all, item_became_book};

/// The books, or the items, of one of our own files.
#[cfg(any(test, fuzzing))]
pub fn read_own(
    csv: &[u8],
) -> (Vec<crate::library::books::model::BookDraft>, Vec<crate::library::tbr::model::TbrDraft>) {
    let read = |kind| plan::plan(csv, &plan::Options { kind, ..plan::Options::default() });
    let books = read(plan::Kind::Books).map(|plan| plan.books).unwrap_or_default();
    let items = read(plan::Kind::Tbr).map(|plan| plan.items).unwrap_or_default();
    (books.into_iter().map(|book| book.draft).collect(), items.into_iter().map(|item| item.draft).collect())
}
