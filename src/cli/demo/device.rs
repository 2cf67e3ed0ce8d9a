//! The demo reader's e-reader: it has moved one open read along, and reports a book that the library does not have.
use chrono::{DateTime, Days, NaiveDate, NaiveTime};

use crate::devices::coverage::PageRow;
use crate::devices::hash_here;
use crate::devices::model::{DeviceKind, credentials, key_of};
use crate::devices::statistics::FileBook;
use crate::devices::store::days::Reader;
use crate::devices::store::{devices, documents};
use crate::kit::Result;
use crate::kit::db::pool::Tx;
use crate::kit::id::UserId;
use crate::library::books::model::BookId;
use crate::library::books::store::{self, days};
use crate::preferences;

/// The title of the open read that it moves.
pub const BOOK: &str = "The Peregrine";
const AUTHOR: &str = "J. A. Baker";
/// How many pages of it are read by yesterday.
const PAGES_READ: i64 = 150;
/// The pages of its layout.
const TOTAL: i64 = 191;
/// How long each takes, in seconds.
const PAGE: i64 = 95;

/// Creates the device and what it has reported until this day.
pub fn furnish(tx: &Tx<'_>, owner: UserId, read: BookId, until: NaiveDate) -> Result<()> {
    let (login, password) = credentials()?;
    let device = devices::add(tx, owner, "Kobo Libra", DeviceKind::KoReader, &login, hash_here(&key_of(&password))?)?;
    devices::seen(tx, device.id)?;
    for logged in days::of(tx, read)? {
        days::delete(tx, read, logged.day)?;
    }
    let start = store::get(tx, owner, read)?.start_date.unwrap_or(until);
    let evenings: Vec<_> = start.iter_days().take_while(|day| *day <= until).collect();
    let a_day = PAGES_READ / i64::try_from(evenings.len()).unwrap_or(1).max(1) + 1;
    let of_read = (0..).zip(&evenings).flat_map(|(nth, day)| evening(*day, nth * a_day + 1, a_day));
    let of_read = of_read.filter(|row| row.page <= PAGES_READ).collect();
    let other = until.checked_sub_days(Days::new(1)).unwrap_or(until);
    let file = vec![
        file_book("8d4b1c52f0a94c11b3d6ae7720c5f019", BOOK, AUTHOR, of_read),
        file_book(
            "3fe0a77d915b4d2c8a6694e1c2b7d580",
            "The Old Ways",
            "Robert Macfarlane",
            evening(other, 1, 24).collect(),
        ),
    ];
    let reader = Reader::new(tx, owner, preferences::store::find(tx, owner)?.zone(), tx.now())?;
    documents::came(tx, device.id, &file)?;
    documents::take(tx, &reader, device.id, file)
}

fn file_book(digest: &str, title: &str, author: &str, rows: Vec<PageRow>) -> FileBook {
    let (digest, title) = (digest.to_owned(), title.to_owned());
    FileBook { digest, title, authors: vec![author.to_owned()], rows, ..FileBook::default() }
}

/// Pages one after the other, from half past seven on.
fn evening(day: NaiveDate, first: i64, pages: i64) -> impl Iterator<Item = PageRow> {
    let begin = NaiveTime::from_hms_opt(19, 30, 0).map_or_else(DateTime::default, |time| day.and_time(time).and_utc());
    (0..pages).map(move |nth| PageRow {
        start: begin.timestamp() + nth * PAGE,
        page: first + nth,
        total: TOTAL,
        duration: PAGE,
        device: 0,
        gone: false,
    })
}
