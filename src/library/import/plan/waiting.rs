//! What a row is needed for beside its books: the book that a row on the to-read shelf would be, because the item that it made may have
//! become a book since, and what a row is about, to find it in another file.
use super::{About, PlanBuilder};
use crate::library::books::model::BookDraft;
use crate::library::import::row::{Cells, Destination, ReadRow};

impl PlanBuilder<'_> {
    /// The row's title, its author and the tracker's own key of its book.
    pub(super) fn about(&self, cells: &Cells<'_>, read: &ReadRow) -> About {
        let parts: Vec<&str> = self.inspect.format.key.iter().map(|name| cells.get(name)).collect();
        let is_keyed = parts.first().is_some_and(|part| !part.is_empty());
        let own_key = is_keyed.then(|| parts.join("\u{1f}"));
        About { own_key, title: read.title.clone(), author: read.author.clone() }
    }

    /// The row as a book without dates, if it is on the to-read shelf.
    pub(super) fn waiting(&self, read: &ReadRow, place: Destination) -> Option<BookDraft> {
        if place != Destination::ToRead {
            return None;
        }
        let mut read = ReadRow { reads: Vec::new(), rating: None, ..read.clone() };
        if let Some(bare) = read.bare_title.take() {
            read.title = bare;
        }
        self.settle_genres(&mut read);
        self.shorten(&mut read);
        let (drafts, ..) = self.drafts(read, Destination::Read);
        drafts.into_iter().next()?.0.checked().ok()
    }
}
