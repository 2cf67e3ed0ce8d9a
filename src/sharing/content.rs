//! What a link shows, from the modules that have the data.
use std::collections::HashMap;

use chrono::NaiveDate;
use rusqlite::Connection;

use super::model::{OTHER_BLUE, Parts, Share, ShareKind, SharedBook, SharedReview};
use super::store;
use crate::access::Viewer;
use crate::kit::{Error, Result};
use crate::library::books::facts::{each_tag, has_key, tag_key};
use crate::library::books::filter::{BookRow, is_visible};
use crate::library::books::model::{BookId, BookStatus};
use crate::library::books::store::{self as books, Audience};
use crate::library::covers::{self, model::CoverId};
use crate::library::tbr;
use crate::library::text::natural_order;
use crate::reading::open::open_and_goals;
use crate::reading::period::Period;
use crate::reading::review::store::{self as reviews, Asked};
use crate::statistics::model::ShelfBook;
use crate::statistics::store as statistics;

/// The most entries of a feed.
const MOST_ENTRIES: usize = 50;
/// The most events of a calendar.
const MOST_EVENTS: usize = 2_000;
/// The most books on a page.
const MOST_BOOKS: usize = 500;

/// A link that is opened.
pub struct Content<'c> {
    pub conn: &'c Connection,
    pub share: &'c Share,
    /// The link's owner, whose plan counts.
    pub owner: &'c Viewer,
    /// Where the link's covers are: its path, or its address for programs elsewhere.
    pub path: &'c str,
    /// Whether they are files, whose names say their kind.
    pub is_folder: bool,
}

impl Content<'_> {
    /// The period whose review the link shows.
    fn period(&self) -> Option<Period> {
        let this_year = (self.share.kind == ShareKind::Public).then(|| Period::year_of(self.owner.today));
        self.share.period.or(this_year)
    }

    /// The address of a cover.
    pub fn address_of(&self, id: CoverId, kind: covers::model::Kind) -> String {
        let ending = if self.is_folder { format!(".{}", kind.extension()) } else { String::new() };
        format!("{}/covers/{id}{ending}", self.path)
    }

    /// The review of the link's period. `name` is the owner's.
    ///
    /// # Errors
    /// [`Error::NotFound`] for a link without a period.
    pub fn review(&self, name: String) -> Result<SharedReview> {
        let (owner, today, from) = (self.owner.user_id, self.owner.today, self.owner.visible_from());
        let period = self.period().ok_or(Error::NotFound)?;
        let asked = Asked { owner, audience: Audience::Others, today, from, limited_to_months: None, streak: None };
        let review = reviews::review(self.conn, period, asked)?;
        let genres = statistics::options(self.conn, owner, Audience::Others, from)?.genres;
        let details_of =
            |book| store::details_of(self.conn, owner, book, &self.share.parts, |id, kind| self.address_of(id, kind));
        SharedReview::of(review, &self.share.parts, today, name, &genres, details_of)
    }

    /// The books of a link in their order, but those of a review.
    pub fn books(&self) -> Result<Vec<SharedBook>> {
        let found = match self.share.kind {
            ShareKind::Feed => return self.entries(),
            ShareKind::Calendar => self.finished(MOST_EVENTS)?,
            ShareKind::Public => {
                return self
                    .reading()?
                    .into_iter()
                    .map(|(book, place)| Ok(SharedBook { place, ..self.entry(book)? }))
                    .collect();
            }
            ShareKind::List => return self.wanted(),
            ShareKind::Tag => self.tagged()?,
            ShareKind::Review => Vec::new(),
        };
        found.into_iter().map(|book| self.entry(book)).collect()
    }

    /// The books of a feed, newest first. That of a public page has no more than the page.
    pub fn entries(&self) -> Result<Vec<SharedBook>> {
        self.finished(MOST_ENTRIES)?.into_iter().map(|book| self.entry(book)).collect()
    }

    /// What is being read with its place in percent, the book that was noted last first.
    fn reading(&self) -> Result<Vec<(ShelfBook, Option<i64>)>> {
        let mut open = HashMap::new();
        books::scan(self.conn, self.owner.user_id, Audience::Others, |book| {
            if book.status == BookStatus::InProgress {
                open.insert(book.id, ShelfBook::of(book));
            }
        })?;
        let (places, _) = open_and_goals(self.conn, self.owner.user_id, Audience::Others, self.owner.today)?;
        let mut shown = Vec::new();
        for read in places.into_iter().filter(|read| !read.is_paused).take(MOST_BOOKS) {
            // The place is in hundredths of a percent.
            shown.extend(open.remove(&read.id).map(|book| (book, read.progress.map(|progress| progress.at / 100))));
        }
        Ok(shown)
    }

    /// The to-be-read list in its order, or the items of it with the link's tag.
    fn wanted(&self) -> Result<Vec<SharedBook>> {
        let key = self.share.tag.as_deref().map(tag_key);
        let mut shown = Vec::new();
        tbr::store::each(self.conn, self.owner.user_id, &mut |item| {
            let is_asked = key.as_deref().is_none_or(|key| item.tags.iter().any(|tag| has_key(tag, key)));
            if is_asked && shown.len() < MOST_BOOKS {
                shown.push(SharedBook::named(&item.title, item.author.as_deref().unwrap_or_default()));
            }
            Ok(())
        })?;
        Ok(shown)
    }

    /// The books with the link's tag by title, each by the read that was finished last.
    fn tagged(&self) -> Result<Vec<ShelfBook>> {
        let (key, from) = (self.share.tag.as_deref().map(tag_key).unwrap_or_default(), self.owner.visible_from());
        let mut works = HashMap::<BookId, (String, ShelfBook)>::new();
        books::scan_described(self.conn, self.owner.user_id, Audience::Others, |book, described| {
            if is_visible(book.date_completed, from) && each_tag(described.tags).any(|tag| has_key(tag, &key)) {
                let read = || (book.title_key.to_owned(), ShelfBook::of(book));
                let (_, known) = works.entry(described.work).or_insert_with(read);
                if (known.date, known.id) < (book.date_completed, book.id) {
                    *known = ShelfBook::of(book);
                }
            }
        })?;
        let mut shown: Vec<_> = works.into_values().collect();
        shown.sort_by(|(one, a), (other, b)| natural_order(one, other).then_with(|| a.id.cmp(&b.id)));
        shown.truncate(MOST_BOOKS);
        Ok(shown.into_iter().map(|(_, book)| book).collect())
    }

    fn entry(&self, book: ShelfBook) -> Result<SharedBook> {
        let parts: &Parts = &self.share.parts;
        let address_of = |id, kind| self.address_of(id, kind);
        let details = store::details_of(self.conn, self.owner.user_id, book.id, parts, address_of)?;
        Ok(SharedBook::of(book, parts, OTHER_BLUE, details))
    }

    /// The newest finished reads, newest first. One with a rough date comes when its last possible day is over; a calendar has none of them.
    fn finished(&self, most: usize) -> Result<Vec<ShelfBook>> {
        let (today, from) = (self.owner.today, self.owner.visible_from());
        // The books of a public page are those of its year.
        let first = (self.share.kind == ShareKind::Public).then(|| Period::year_of(today).first());
        let is_over = |book: &BookRow<'_>, day: NaiveDate| match book.completed_from {
            None => day <= today,
            Some(_) => day < today && self.share.kind != ShareKind::Calendar,
        } && first.is_none_or(|first| book.completed_from.unwrap_or(day) >= first);
        let mut newest = Vec::new();
        let keep_newest = |newest: &mut Vec<ShelfBook>| {
            newest.sort_unstable_by_key(|book| std::cmp::Reverse((book.date, book.id)));
            newest.truncate(most);
        };
        books::scan(self.conn, self.owner.user_id, Audience::Others, |book| {
            if book.status == BookStatus::Completed
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
        if let Some(period) = self.period()
            && store::is_on_shelf(self.conn, owner, cover, period, from)?
        {
            return Ok(true);
        }
        let books = store::books_with_cover(self.conn, owner, cover)?;
        let shown: Vec<_> = match self.share.kind {
            _ if books.is_empty() => return Ok(false),
            ShareKind::Feed => self.finished(MOST_ENTRIES)?,
            ShareKind::Public => self.reading()?.into_iter().map(|(book, _)| book).collect(),
            ShareKind::Tag => self.tagged()?,
            ShareKind::Calendar | ShareKind::List | ShareKind::Review => return Ok(false),
        };
        Ok(shown.iter().any(|book| books.contains(&book.id)))
    }
}
