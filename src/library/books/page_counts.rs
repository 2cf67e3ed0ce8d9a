//! Page counts from the offline catalogue, for books without words. The catalogue's module is above this one, so `app` hands in the
//! function that asks it.
use super::model::BookId;
use crate::kit::db::side_file::{SideFile, SideFileError};

/// A book that has neither words nor pages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UncountedBook {
    pub id: BookId,
    /// 13 digits.
    pub isbn: Option<String>,
    /// The title, as it is stored.
    pub title: String,
    /// The authors' names.
    pub authors: Vec<String>,
}

/// The books whose pages were found, with their pages.
pub type PageCounts = Vec<(BookId, i64)>;

/// Finds the pages of books in the offline catalogue; `None` when there is no catalogue. It blocks.
pub type FindPages = fn(&SideFile, &[UncountedBook]) -> Result<Option<PageCounts>, SideFileError>;
