//! Row 6, and the last of row 12: imports.
use std::net::SocketAddr;
use std::thread;
use std::time::{Duration, Instant};

use shelfwise::library::books::model::BookDraft;

use crate::client::Client;
use crate::crowd::requests::{csv, sent, upload};
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
    let measured = ratio(ROUNDS, raw_inserts, imported);
    let what = "an import of 10,000 books against raw prepared inserts, in their speed";
    table.row(6, what, measured * 100.0, " %", AtLeast(40.0));
    let longest = longest_wait(at, &other, &readers.pop().unwrap());
    table.row(6, "another writer's longest wait during an import of 100,000", longest, " ms", AtMost(1000.0));
}

/// Milliseconds of a whole import.
fn import(at: SocketAddr, reader: &Reader, file: &str) -> f64 {
    let request = upload(reader, file);
    let mut client = Client::connect(at);
    let started = Instant::now();
    let answer = client.send(&request);
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    millis(started.elapsed())
}

/// Milliseconds of 10,000 inserts of the same books with one prepared statement in one transaction, including indexes.
fn raw_inserts() -> f64 {
    let folder = tempfile::tempdir().unwrap();
    let conn = library::file(folder.path());
    let owner = library::reader(&conn, 0).id;
    let books: Vec<BookDraft> = (0..10_000).map(library::book).collect();
    let started = Instant::now();
    let transaction = conn.unchecked_transaction().unwrap();
    let mut insert = transaction
        .prepare(
            "INSERT INTO books (id, user_id, status, date_completed, word_count, rating, format, reread, word_distribution, title,
             author, title_key, author_key, genres, work, word_count_source, has_texts, created_at, updated_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 'final', ?9, ?10, ?9, ?10, ?11, ?1, 'entered', 0, ?12, ?12)",
        )
        .unwrap();
    for (number, book) in (1..).zip(&books) {
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
    }
    drop(insert);
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
