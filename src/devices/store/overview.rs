//! Documents and devices as their reader sees them: what was read, what is asked.
use std::collections::{HashMap, HashSet};

use rusqlite::Connection;

use super::days::{Reader, day_of, is_refused};
use super::documents::Stored;
use super::{devices, documents, sources};
use crate::devices::matching::{DocumentSuggestion, SuggestionReason};
use crate::devices::model::{Device, DeviceReports, Document, DocumentAgain, DocumentFinish, DocumentId};
use crate::kit::id::UserId;
use crate::kit::time_zone::Zone;
use crate::kit::{Error, Result};
use crate::library::books::model::{BookId, BookStatus};
use crate::library::books::store as books;

/// Every document, the one that reported last first.
pub fn documents(conn: &Connection, reader: &Reader) -> Result<Vec<Document>> {
    let stored = documents::all(conn, reader.owner)?;
    let names: HashMap<_, _> =
        devices::all(conn, reader.owner)?.into_iter().map(|device| (device.id.0, device.name)).collect();
    let servers = sources::titles(conn, reader.owner)?;
    let waits = stored.iter().any(|one| one.book_id.is_none() && !one.ignored);
    let library = if waits { Some(documents::library(conn, reader.owner)?) } else { None };
    let linked: HashMap<_, _> = stored
        .iter()
        .filter_map(|one| Some((one.digest.as_str(), one.book_id?)))
        .filter(|(digest, _)| !digest.is_empty())
        .collect();
    let mut asked = HashSet::new();
    let mut shown = Vec::new();
    for one in &stored {
        let told = reader.told_of(std::slice::from_ref(one));
        let suggestion = library.as_ref().filter(|_| one.book_id.is_none() && !one.ignored).and_then(|library| {
            let same_file = linked.get(one.digest.as_str());
            let same_file = same_file.map(|book| DocumentSuggestion {
                book_id: *book,
                confidence: 0.8,
                because: SuggestionReason::SameFile,
            });
            same_file.or_else(|| library.find(one.title.as_deref()?, &one.authors))
        });
        // What concerns a read is asked at one of its documents.
        let (finish, again) = match one.book_id.filter(|book| asked.insert(*book)) {
            Some(book) => questions(conn, reader, book, &stored)?,
            None => (None, None),
        };
        shown.push(Document {
            id: one.id,
            digest: one.digest.clone(),
            title: one.title.clone(),
            authors: one.authors.clone(),
            device: match &one.source {
                Some(source) => servers.get(source).cloned(),
                None => one.device_id.and_then(|id| names.get(&id).cloned()),
            },
            place: told.place(),
            first_seen: one.first_seen,
            last_seen: one.last_seen,
            days: told.days.len(),
            minutes: told.minutes(),
            words: one.words,
            peeked: told.is_peek(),
            book_id: one.book_id,
            suggestion,
            ignored: one.ignored,
            ignore_before: one.ignore_before,
            finish,
            again,
            removed_there: reader.removed_there(one),
        });
    }
    Ok(shown)
}

pub fn document(conn: &Connection, reader: &Reader, id: DocumentId) -> Result<Document> {
    documents(conn, reader)?.into_iter().find(|one| one.id == id).ok_or(Error::NotFound)
}

/// What is asked about a read.
fn questions(
    conn: &Connection,
    reader: &Reader,
    id: BookId,
    stored: &[Stored],
) -> Result<(Option<DocumentFinish>, Option<DocumentAgain>)> {
    let book = books::get(conn, reader.owner, id)?;
    let documents: Vec<_> = stored.iter().filter(|one| one.book_id == Some(id)).cloned().collect();
    if book.status != BookStatus::InProgress {
        return Ok((None, reader.again(&book, &documents).map(|day| DocumentAgain { book_id: id, day })));
    }
    let told = reader.told(conn, &book, &documents)?;
    let finish = told.finish(reader.now()).filter(|_| !is_refused(&told, &documents));
    Ok((finish.map(|(day, because)| DocumentFinish { day, because }), None))
}

/// The devices, newest first, with what they have reported.
pub fn devices(conn: &Connection, owner: UserId, zone: &Zone) -> Result<Vec<Device>> {
    let stored = documents::all(conn, owner)?;
    let mut devices = devices::all(conn, owner)?;
    for device in &mut devices {
        let (mut days, mut books, mut unknown) = (HashSet::new(), HashSet::new(), 0);
        for one in &stored {
            let rows = one.rows.iter().filter(|row| row.device == device.id.0);
            let before = days.len();
            days.extend(rows.map(|row| day_of(zone, row.by_right_clock(device.clock_offset).start)));
            if days.len() > before || one.device_id == Some(device.id.0) {
                books.extend(one.book_id);
                unknown += usize::from(one.book_id.is_none() && !one.ignored);
            }
        }
        device.reports = DeviceReports { days: days.len(), books: books.len(), unknown };
    }
    Ok(devices)
}

/// How many documents wait for their readers to say what they are, and of how many accounts.
pub fn waiting(conn: &Connection) -> Result<(i64, i64)> {
    let sql = "SELECT count(*), count(DISTINCT user_id) FROM documents WHERE book_id IS NULL AND NOT ignored";
    Ok(conn.query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?)))?)
}
