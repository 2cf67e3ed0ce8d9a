//! Row 19: the calendar, the page of open books and the review of a year, each against the bare scan of the range that it needs.
use chrono::{Datelike as _, Utc};
use rusqlite::Connection;
use shelfwise::kit::db::pool::{Tx, owned};
use shelfwise::library::counters;

use crate::client::{Client, Get};
use crate::library::{self, Reader};
use crate::measure::Goal::AtMost;
use crate::measure::{Table, median, millis, ms, ratio};
use crate::program::Server;

const ROUNDS: u32 = 7;
const TIMES: u32 = 21;

/// The books of the library; `BOOKS` takes another number.
fn books() -> i64 {
    std::env::var("BOOKS").ok().and_then(|books| books.parse().ok()).unwrap_or(10_000)
}

/// Measures the row if it is requested.
pub fn rows(table: &mut Table) {
    if !table.wants(19) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let conn = library::file(folder.path());
    let year = Utc::now().year();
    let reader = library::reader_with_days(&conn, books(), year);
    conn.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    let server = Server::serve(folder.path());
    let mut client = Client::connect(server.address());

    let calendar = Get::new(&format!("/api/calendar?year={year}"), &reader.cookie).first_sight();
    let days = "SELECT book_id, word_count, books.pages, start_date, day, at, page, minutes
        FROM reading_days JOIN books ON books.id = book_id WHERE book_id BETWEEN ?1 AND ?2 ORDER BY book_id, day";
    let finished = format!(
        "SELECT date_completed, id, status, completed_from FROM books
         WHERE user_id = ?1 >> 24 AND date_completed BETWEEN '{year}-01-01' AND '{year}-12-31' AND ?2 ORDER BY date_completed, id"
    );
    let me = Get::new("/api/auth/me", &reader.cookie).first_sight();
    let bare = || {
        scanned(&conn, &reader, days);
        scanned(&conn, &reader, &finished);
    };
    let measured = ratio(ROUNDS, || asked(&mut client, &calendar), || ms(TIMES, bare));
    let what = "calendar of a year with a note of each day in 60 books, past every cache, against the scan of its days and \
        finished books alone";
    table.row(19, what, measured, " ×", AtMost(1.5));
    let without_request = || asked(&mut client, &calendar) - asked(&mut client, &me);
    let beyond = ratio(ROUNDS, without_request, || ms(TIMES, bare));
    table.note(&format!("the calendar without the time of a request that reads no book is {beyond:.2} × that scan"));

    let reading = Get::new("/api/reading", &reader.cookie);
    let narrow = "SELECT id, status, completed_from, date_completed, word_count, pages, reread FROM books
        WHERE id BETWEEN ?1 AND ?2 ORDER BY id";
    let changed = || median((0..TIMES).map(|_| changed_and_asked(&conn, &reader, &mut client, &reading)).collect());
    let measured = ratio(ROUNDS, changed, || ms(TIMES, || scanned(&conn, &reader, narrow)));
    let what = format!(
        "/api/reading out of {} books, 4 of them open, past every cache, against the scan of the books alone",
        books()
    );
    table.row(19, &what, measured, " ×", AtMost(1.5));

    let review = Get::new(&format!("/api/review?period={}", year - 1), &reader.cookie).first_sight();
    let wide = "SELECT id, status, date_completed, start_date, word_count, rating, format, reread, word_distribution, title, author,
        title_key, author_key, genres, completed_from, work, stopped_date, pages FROM books WHERE id BETWEEN ?1 AND ?2 ORDER BY id";
    let measured = ratio(ROUNDS, || asked(&mut client, &review), || ms(TIMES, || scanned(&conn, &reader, wide)));
    let what =
        format!("review of a year out of {} books, past every cache, against the scan of the books alone", books());
    table.row(19, &what, measured, " ×", AtMost(1.5));

    let nothing = asked(&mut client, &me);
    let (days, books) = (ms(TIMES, bare), ms(TIMES, || scanned(&conn, &reader, narrow)));
    table.note(&format!(
        "/api/auth/me takes {nothing:.2} ms, the scan of days {days:.2} ms, that of books {books:.2} ms"
    ));
}

/// Milliseconds of a request.
fn asked(client: &mut Client, get: &Get) -> f64 {
    ms(TIMES, || assert_eq!(client.get(get).status, 200))
}

/// Reads every column of every row, and does nothing with it.
fn scanned(conn: &Connection, reader: &Reader, sql: &str) {
    let (first, last) = owned(reader.id);
    let mut query = conn.prepare_cached(sql).unwrap();
    let columns = query.column_count();
    let mut rows = query.query([first, last]).unwrap();
    let mut count = 0;
    while let Some(row) = rows.next().unwrap() {
        for column in 0..columns {
            let _value = std::hint::black_box(row.get_ref(column).unwrap());
        }
        count += 1;
    }
    assert!(count > 0);
}

/// Milliseconds of a request after a change of the library, because no query is part of the key of its cached answer.
fn changed_and_asked(conn: &Connection, reader: &Reader, client: &mut Client, get: &Get) -> f64 {
    let transaction = conn.unchecked_transaction().unwrap();
    counters::changed(&Tx::new(&transaction, Utc::now()), reader.id).unwrap();
    transaction.commit().unwrap();
    let started = std::time::Instant::now();
    assert_eq!(client.get(get).status, 200);
    millis(started.elapsed())
}
