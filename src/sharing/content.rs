//! What a link shows, from the modules that have the data, and in every form of it.
use chrono::NaiveDate;
use rusqlite::Connection;

use super::model::{Kind, Parts, Share, SharedBook, SharedReview};
use super::store;
use crate::access::Viewer;
use crate::kit::Result;
use crate::library::books::filter::{BookRow, is_visible};
use crate::library::books::model::Status;
use crate::library::books::store as books;
use crate::library::covers::model::CoverId;
use crate::reading::period::Period;
use crate::reading::review::store::{self as reviews, Asked};
use crate::statistics::model::ShelfBook;
use crate::statistics::store as statistics;

/// The most entries of a feed.
const MOST_ENTRIES: usize = 50;
/// The most events of a calendar.
const MOST_EVENTS: usize = 2_000;
/// The blue of a book that is not drawn.
const NO_BLUE: u8 = 6;

/// A link that is opened.
pub struct Content<'c> {
    pub conn: &'c Connection,
    pub share: &'c Share,
    /// The link's owner, whose plan counts.
    pub owner: &'c Viewer,
    /// Where the link's covers are: its path, or its address for programs elsewhere.
    pub path: &'c str,
}

impl Content<'_> {
    /// The period whose review the link shows.
    fn period(&self) -> Option<Period> {
        self.share.period
    }

    /// The review of the link's period. `name` is the owner's.
    ///
    /// # Errors
    /// [`crate::kit::Error::NotFound`] for a link without a period.
    pub fn review(&self, name: String) -> Result<SharedReview> {
        let (owner, today, from) = (self.owner.user_id, self.owner.today, self.owner.visible_from());
        let period = self.period().ok_or(crate::kit::Error::NotFound)?;
        let asked = Asked { owner, today, from, limited_to_months: None, streak: None };
        let review = reviews::review(self.conn, period, asked)?;
        let genres = statistics::options(self.conn, owner, from)?.genres;
        let details_of = |book| store::details_of(self.conn, owner, book, &self.share.parts, self.path);
        SharedReview::of(review, &self.share.parts, today, name, &genres, details_of)
    }

    /// The books of a link that shows no review, in their order.
    pub fn books(&self) -> Result<Vec<SharedBook>> {
        let found = match self.share.kind {
            Kind::Feed => self.finished(MOST_ENTRIES)?,
            Kind::Calendar => self.finished(MOST_EVENTS)?,
            Kind::Review | Kind::Public | Kind::List | Kind::Tag => Vec::new(),
        };
        found.into_iter().map(|book| self.entry(book)).collect()
    }

    fn entry(&self, book: ShelfBook) -> Result<SharedBook> {
        let parts: &Parts = &self.share.parts;
        let details = store::details_of(self.conn, self.owner.user_id, book.id, parts, self.path)?;
        Ok(SharedBook::of(book, parts, NO_BLUE, details))
    }

    /// The newest finished reads, newest first. One with a rough date comes when its last possible day is over; a calendar has none of them.
    fn finished(&self, most: usize) -> Result<Vec<ShelfBook>> {
        let (today, from) = (self.owner.today, self.owner.visible_from());
        let is_over = |book: &BookRow<'_>, day: NaiveDate| match book.completed_from {
            None => day <= today,
            Some(_) => day < today && self.share.kind != Kind::Calendar,
        };
        let mut newest = Vec::new();
        let keep_newest = |newest: &mut Vec<ShelfBook>| {
            newest.sort_unstable_by_key(|book| std::cmp::Reverse((book.date, book.id)));
            newest.truncate(most);
        };
        books::scan(self.conn, self.owner.user_id, |book| {
            if book.status == Status::Completed
                && is_visible(book.date_completed, from)
                && book.date_completed.is_some_and(|day| is_over(book, day))
            {
                newest.push(ShelfBook::of(book));
                // A library may have many more books than a feed.
                if newest.len() >= 2 * most {
                    keep_newest(&mut newest);
                }
            }
        })?;
        keep_newest(&mut newest);
        Ok(newest)
    }

    /// Whether the link shows the book of a cover.
    pub fn shows_cover(&self, cover: CoverId) -> Result<bool> {
        let (owner, from) = (self.owner.user_id, self.owner.visible_from());
        if let Some(period) = self.period() {
            return store::is_on_shelf(self.conn, owner, cover, period, from);
        }
        let address = format!("{}/covers/{cover}", self.path);
        Ok(self.books()?.into_iter().any(|book| book.cover.is_some_and(|shown| shown.url == address)))
    }
}
