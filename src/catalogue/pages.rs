//! The pages of many books: by ISBN, or else by title and author.
use super::store::{pages_of_isbn, pages_of_title};
use crate::kit::db::side_file::{SideFile, SideFileError};
use crate::library::books::page_counts::{PageCounts, UncountedBook};
use crate::library::import::series_of;

/// The most books of one call that are looked for by title, which takes up to some milliseconds each.
const MOST_BY_TITLE: usize = 5_000;

/// Finds the pages of books: those of the edition with the ISBN, or else of the edition with the same title by the same author.
/// `None` when there is no catalogue. It blocks.
pub fn find_pages(file: &SideFile, books: &[UncountedBook]) -> Result<Option<PageCounts>, SideFileError> {
    file.read(|conn| {
        let (mut found, mut by_title) = (PageCounts::new(), 0);
        for book in books {
            let mut pages = match &book.isbn {
                Some(isbn) => pages_of_isbn(conn, isbn)?,
                None => None,
            };
            if pages.is_none() && by_title < MOST_BY_TITLE {
                by_title += 1;
                let title = series_of(&book.title).map_or(book.title.as_str(), |(title, _)| title);
                pages = pages_of_title(conn, title, &book.authors)?;
            }
            found.extend(pages.map(|pages| (book.id, pages)));
        }
        Ok(found)
    })
}
