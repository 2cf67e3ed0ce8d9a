//! Databases as earlier versions of the program left them.
use std::path::Path;

use refinery::{Runner, Target, load_sql_migrations};
use rusqlite::Connection;

/// The first schema in which a book names its work.
const FIRST_WITH_WORKS: i32 = 20;

/// Makes a database of an earlier schema with one account and so many books of some 2,000 bytes, titled by number.
pub fn earlier(path: &Path, version: i32, books: i64) {
    assert!((3..shelfwise::kit::db::pool::known_schema()).contains(&version), "{version}");
    let mut conn = Connection::open(path).unwrap();
    conn.execute_batch("PRAGMA application_id = 0x53484c46; PRAGMA journal_mode = WAL").unwrap();
    shelfwise::kit::db::pool::add_functions(&conn).unwrap();
    let migrations = load_sql_migrations(Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations")).unwrap();
    Runner::new(&migrations).set_target(Target::Version(version)).run(&mut conn).unwrap();
    let tx = conn.transaction().unwrap();
    tx.execute_batch(
        "INSERT INTO users (id, email, email_key, display_name, created_at)
            VALUES (1, 'ada@example.org', 'ada@example.org', 'Ada', '2026-01-02T03:04:05Z');
         INSERT INTO preferences (user_id) VALUES (1);",
    )
    .unwrap();
    tx.execute("INSERT INTO libraries (user_id, revision, books, last_book) VALUES (1, 1, ?1, ?1)", [books]).unwrap();
    // Every book is a work of its own.
    let (work, its_key) = if version < FIRST_WITH_WORKS { ("", "") } else { (", work", ", 1 << 24 | ?1") };
    let insert = format!(
        "INSERT INTO books (id, user_id, status, word_count, format, reread, word_distribution, title, author,
            title_key, author_key, genres, word_count_source, has_texts, created_at, updated_at{work})
         VALUES (1 << 24 | ?1, 1, 'undated', 1000, 'Print', 0, 'final', ?1, 'A', ?1, 'a', '', 'entered', 1,
            '2026-01-02T03:04:05Z', '2026-01-02T03:04:05Z'{its_key})"
    );
    for number in 1..=books {
        tx.execute(&insert, [number]).unwrap();
        tx.execute(
            "INSERT INTO book_texts (book_id, impressions, quotes) VALUES (1 << 24 | ?1, ?2, '[]')",
            (number, "x".repeat(2000)),
        )
        .unwrap();
    }
    tx.commit().unwrap();
    conn.close().unwrap();
}

/// The schema version of a database.
pub fn version(path: &Path) -> i32 {
    let conn = Connection::open(path).unwrap();
    conn.query_row("SELECT max(version) FROM refinery_schema_history", [], |row| row.get(0)).unwrap()
}
