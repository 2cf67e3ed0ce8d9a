//! The book that a row on the to-read shelf would be: the item that it made may have become a book since.
use super::PlanBuilder;
use crate::library::books::model::BookDraft;
use crate::library::import::row::{Destination, ReadRow};

impl PlanBuilder<'_> {
    /// The row as a book without dates, if it is on the to-read shelf and such books are wanted.
    pub(super) fn waiting(&self, read: &ReadRow, place: Destination) -> Option<BookDraft> {
        if place != Destination::ToRead || !self.options.waiting_books {
            return None;
        }
        let mut read = ReadRow { reads: Vec::new(), rating: None, ..read.clone() };
        if let Some(bare) = read.bare_title.take() {
            read.title = bare;
        }
        self.shorten(&mut read);
        let (drafts, ..) = self.drafts(read, Destination::Read);
        drafts.into_iter().next()?.0.checked().ok()
    }
}
