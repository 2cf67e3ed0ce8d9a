//! Row 24: the upgrade of a file of the first version, which replaces the table of books.
use std::fs::File;
use std::path::Path;
use std::time::Instant;

use refinery::{Runner, Target, load_sql_migrations};
use rusqlite::Connection;

use crate::measure::Goal::AtMost;
use crate::measure::Table;
use crate::program::Server;

/// The schema of the first version.
const FIRST: i32 = 11;
const BOOKS: i64 = 300;

/// Measures the row with three hundred thousand books, or with three million when `FULL` is set.
pub fn rows(table: &mut Table) {
    if !table.wants(24) {
        return;
    }
    let readers = if std::env::var_os("FULL").is_some() { 10_000 } else { 1_000 };
    let folder = tempfile::tempdir().unwrap();
    let (file, copy) = (folder.path().join("shelfwise.db"), folder.path().join("copy.db"));
    write(&file, readers);
    let bytes = file.metadata().unwrap().len();
    let started = Instant::now();
    Connection::open(&file).unwrap().execute("VACUUM INTO ?1", [copy.to_str().unwrap()]).unwrap();
    File::open(&copy).unwrap().sync_all().unwrap();
    let copied = started.elapsed().as_secs_f64();
    std::fs::remove_file(&copy).unwrap();
    let started = Instant::now();
    drop(Server::serve(folder.path()));
    let upgraded = started.elapsed().as_secs_f64();
    let what =
        format!("the start that upgrades a file of {} books, backup included, against VACUUM INTO", readers * BOOKS);
    table.row(24, &what, upgraded / copied, " ×", AtMost(3.0));
    table.note(&format!("of {} MiB, {upgraded:.1} s", bytes >> 20));
}

/// Writes a file as the first version left it.
fn write(file: &Path, readers: i64) {
    let mut conn = Connection::open(file).unwrap();
    conn.execute_batch("PRAGMA application_id = 0x53484c46; PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF")
        .unwrap();
    let migrations = load_sql_migrations(Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations")).unwrap();
    Runner::new(&migrations).set_target(Target::Version(FIRST)).run(&mut conn).unwrap();
    let tx = conn.transaction().unwrap();
    for reader in 1..=readers {
        let account = "INSERT INTO users (id, email, email_key, display_name, created_at)
            VALUES (?1, 'r' || ?1 || '@example.org', 'r' || ?1 || '@example.org', 'Reader', '2024-01-02T03:04:05Z')";
        tx.prepare_cached(account).unwrap().execute([reader]).unwrap();
        tx.prepare_cached("INSERT INTO preferences (user_id) VALUES (?1)").unwrap().execute([reader]).unwrap();
        let library = "INSERT INTO libraries (user_id, revision, books, last_book) VALUES (?1, 1, ?2, ?2)";
        tx.prepare_cached(library).unwrap().execute((reader, BOOKS)).unwrap();
        // Every seventeenth book is a further row of an earlier one.
        let books = "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?2),
                named (n, name) AS (SELECT n, ?1 * 131 + CASE WHEN n % 17 = 0 THEN n - 16 ELSE n END FROM numbers)
            INSERT INTO books (id, user_id, status, date_completed, word_count, rating, format, reread, word_distribution, title, author,
                title_key, author_key, genres, pages, word_count_source, has_texts, created_at, updated_at)
            SELECT ?1 << 24 | n, ?1, CASE n % 20 WHEN 7 THEN 'undated' WHEN 13 THEN 'in-progress' ELSE 'completed' END,
                CASE WHEN n % 20 NOT IN (7, 13) THEN date('2011-01-01', (n * 37 % 5400) || ' days') END, 20000 + n * 997 % 160000,
                CASE WHEN n % 20 <> 13 AND n % 6 > 0 THEN n % 11 END, 'Print', n % 17 = 0, 'final',
                'The Winter and the Harbour of ' || name, 'Garden ' || name % 40 || ' Author',
                'the winter and the harbour of ' || name, 'garden ' || name % 40 || ' author', 'Classic,Crime', 80 + n, 'entered',
                n % 20 = 0, '2024-01-02T03:04:05Z', '2024-01-02T03:04:05Z'
            FROM named";
        tx.prepare_cached(books).unwrap().execute((reader, BOOKS)).unwrap();
        let texts = "INSERT INTO book_texts SELECT id, 'A long evening, and worth it.', '[]' FROM books
            WHERE has_texts AND id BETWEEN ?1 << 24 AND (?1 << 24 | 0xffffff)";
        tx.prepare_cached(texts).unwrap().execute([reader]).unwrap();
    }
    tx.commit().unwrap();
    conn.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
}
