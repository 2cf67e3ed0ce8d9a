//! Row 6, the last of row 12, and the first of row 21: imports.
use std::net::SocketAddr;
use std::thread;
use std::time::{Duration, Instant};

use shelfwise::library::books::model::BookDraft;

use crate::client::Client;
use crate::crowd::requests::{csv, sent, upload, upload_to};
use crate::library::{self, Reader};
use crate::measure::Goal::{AtLeast, AtMost};
use crate::measure::{Table, millis, ratio};
use crate::program::Server;

const ROUNDS: u32 = 5;
/// The most rows of a file.
const LARGEST: i64 = 100_000;

/// Measures the requested rows.
pub fn rows(table: &mut Table) {
    if table.wants(6) {
        speed(table);
    }
    if table.wants(12) {
        memory(table);
    }
    if table.wants(21) {
        sync(table);
    }
}

/// A file of a tracker. `is_changed` says which rows have other stars than in the first file; each row has another average.
fn tracker(rows: i64, average: i64, is_changed: impl Fn(i64) -> bool) -> String {
    let names = "Book Id,Title,Author,My Rating,Average Rating,Publisher,Number of Pages,Year Published,Date Read,Bookshelves,Exclusive Shelf,Read Count";
    let row = |number: i64| {
        let (year, month, day) = (2000 + number % 20, 1 + number % 12, 1 + number % 28);
        let stars = if is_changed(number) { 5 } else { 1 + number % 4 };
        format!(
            "\n{number},Title {number},Author {},{stars},3.{average},Press,300,1999,{year}/{month:02}/{day:02},,read,1",
            number % 900
        )
    };
    names.to_owned() + &(0..rows).map(row).collect::<String>()
}

/// The first of row 21: a tenth of the rows has changed, and no row is as it was.
fn sync(table: &mut Table) {
    let folder = tempfile::tempdir().unwrap();
    let conn = library::file(folder.path());
    let (reader, other) = (library::reader(&conn, 0), library::reader(&conn, 0));
    drop(conn);
    let server = Server::serve(folder.path());
    let at = server.address();
    import(at, &reader, &tracker(10_000, 8, |_| false));
    let newer = tracker(10_000, 9, |number| number % 10 == 0);
    let timed = |path: &str, reader: &Reader| answered(at, &upload_to(path, reader, &newer));
    let measured = ratio(
        ROUNDS,
        || timed("/api/books/import?mode=sync&dryRun=true", &reader),
        || timed("/api/books/import?dryRun=true", &other),
    );
    let what = "the preview of a newer file of 10,000 rows against the preview of an import of it";
    table.row(21, what, measured, " ×", AtMost(2.0));
}

/// Row 6.
fn speed(table: &mut Table) {
    let folder = tempfile::tempdir().unwrap();
    let conn = library::file(folder.path());
    let mut readers: Vec<Reader> = (0..ROUNDS + 2).map(|_| library::reader(&conn, 0)).collect();
    drop(conn);
    let server = Server::serve(folder.path());
    let (at, other) = (server.address(), readers.pop().unwrap());
    let file = csv(0..10_000);
    let imported = || import(at, &readers.pop().unwrap(), &file);
    let measured = ratio(ROUNDS, || raw_inserts(false), imported);
    let what = "an import of 10,000 books against raw prepared inserts, in their speed";
    table.row(6, what, measured * 100.0, " %", AtLeast(40.0));
    let all = ratio(ROUNDS, || raw_inserts(true), || raw_inserts(false));
    table.note(&format!(
        "raw inserts that also write each book's row of the file and its key, as an import does, reach {:.0} % of that speed",
        all.recip() * 100.0
    ));
    let longest = longest_wait(at, &other, &readers.pop().unwrap());
    table.row(6, "another writer's longest wait during an import of 100,000", longest, " ms", AtMost(1000.0));
}

/// Milliseconds of a whole import.
fn import(at: SocketAddr, reader: &Reader, file: &str) -> f64 {
    answered(at, &upload(reader, file))
}

/// Milliseconds until a request is answered.
fn answered(at: SocketAddr, request: &[u8]) -> f64 {
    let mut client = Client::connect(at);
    let started = Instant::now();
    let answer = client.send(request);
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    millis(started.elapsed())
}

/// Milliseconds of 10,000 inserts of the same books with one prepared statement in one transaction, including indexes. With `all`, the
/// other two rows of each book are written, too: what its row in the file said, and by what key a later import finds it.
fn raw_inserts(all: bool) -> f64 {
    let folder = tempfile::tempdir().unwrap();
    let conn = library::file(folder.path());
    let owner = library::reader(&conn, 0).id;
    let books: Vec<BookDraft> = (0..10_000).map(library::book).collect();
    let file = csv(0..10_000);
    let started = Instant::now();
    let transaction = conn.unchecked_transaction().unwrap();
    let mut insert = transaction
        .prepare(
            "INSERT INTO books (id, user_id, status, date_completed, word_count, rating, format, reread, word_distribution, title,
             author, title_key, author_key, genres, work, word_count_source, has_texts, created_at, updated_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 'final', ?9, ?10, ?9, ?10, ?11, ?1, 'entered', 0, ?12, ?12)",
        )
        .unwrap();
    let mut row = transaction.prepare("INSERT INTO import_rows (id, raw) VALUES (?1, ?2)").unwrap();
    let mut key = transaction
        .prepare("INSERT INTO imported_books (book_id, row_id, row_key, nth) VALUES (?1, ?2, ?3, 0)")
        .unwrap();
    for ((number, book), line) in (1..).zip(&books).zip(file.lines().skip(1)) {
        let day = book.date_completed.map(|day| day.to_string());
        let values = rusqlite::params![
            owner.0 << 24 | number,
            owner,
            book.status.name(),
            day,
            book.word_count,
            book.rating.map(|rating| rating.tenths()),
            book.format.name(),
            book.reread,
            book.title,
            book.author(),
            book.genres.join(","),
            "2026-01-01T00:00:00Z",
        ];
        insert.execute(values).unwrap();
        if all {
            row.execute((number, line)).unwrap();
            key.execute((owner.0 << 24 | number, number, i128::from(number).to_le_bytes())).unwrap();
        }
    }
    drop((insert, row, key));
    transaction.commit().unwrap();
    millis(started.elapsed())
}

/// The longest of one reader's writes during another reader's largest import, in milliseconds.
fn longest_wait(at: SocketAddr, reader: &Reader, importer: &Reader) -> f64 {
    let item = br#"{"title": "One more"}"#;
    let request = sent("POST", "/api/tbr", reader, "application/json", item);
    let file = csv(0..LARGEST);
    thread::scope(|scope| {
        let importing = scope.spawn(|| import(at, importer, &file));
        let (mut client, mut longest) = (Client::connect(at), 0.0_f64);
        while !importing.is_finished() {
            let started = Instant::now();
            assert_eq!(client.send(&request).status, 201);
            longest = longest.max(millis(started.elapsed()));
        }
        longest
    })
}

/// The last of row 12.
fn memory(table: &mut Table) {
    let folder = tempfile::tempdir().unwrap();
    let conn = library::file(folder.path());
    let readers: Vec<Reader> = (0..5).map(|_| library::reader(&conn, 0)).collect();
    drop(conn);
    let server = Server::serve(folder.path());
    let (at, file) = (server.address(), &csv(0..LARGEST));
    let most = thread::scope(|scope| {
        let imports: Vec<_> = readers.iter().map(|reader| scope.spawn(move || import(at, reader, file))).collect();
        let mut most = 0.0_f64;
        while imports.iter().any(|one| !one.is_finished()) {
            most = most.max(server.memory());
            thread::sleep(Duration::from_millis(10));
        }
        most
    });
    table.row(12, "memory while five imports of 100,000 books run", most, " MiB", AtMost(400.0));
}
