//! Migrates a database.
use std::path::Path;

use rusqlite::functions::FunctionFlags;
use rusqlite::{Connection, OptionalExtension as _};

use super::inspect::{OpenError, failed, migrations, unusable};
use crate::kit::keys;

/// Migrates to a version, in one transaction. References between tables are checked by the migration that needs it, and not while
/// tables are exchanged.
pub(super) fn run(conn: &mut Connection, path: &Path, version: i32) -> Result<(), OpenError> {
    let sqlite = |cause: rusqlite::Error| failed(path, &cause);
    conn.execute_batch("PRAGMA foreign_keys = OFF").map_err(sqlite)?;
    add_functions(conn).map_err(sqlite)?;
    let target = refinery::Target::Version(version);
    let migrated = migrations::runner().set_grouped(true).set_target(target).run(conn);
    migrated.map_err(|cause| unusable(path, cause))?;
    log_blanked_authors(conn).map_err(sqlite)?;
    conn.execute_batch("PRAGMA foreign_keys = ON").map_err(sqlite)
}

/// The functions that migrations call.
pub fn add_functions(conn: &Connection) -> rusqlite::Result<()> {
    let functions: [(&str, keys::Key); 2] = [("title_key", keys::title_key), ("name_key", keys::name_key)];
    for (name, key) in functions {
        let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
        conn.create_scalar_function(name, 1, flags, move |call| Ok(call.get_raw(0).as_str_or_null()?.map(key)))?;
    }
    Ok(())
}

/// Logs the books in whose author the migration replaced a unit separator, which now separates authors.
fn log_blanked_authors(conn: &Connection) -> rusqlite::Result<()> {
    let sql = "SELECT 1 FROM sqlite_temp_schema WHERE name = 'blanked_authors'";
    if conn.query_row(sql, [], |_| Ok(())).optional()?.is_none() {
        return Ok(());
    }
    let mut query = conn.prepare("SELECT id FROM blanked_authors ORDER BY id")?;
    let books = query.query_map([], |row| row.get::<_, i64>(0))?.collect::<rusqlite::Result<Vec<_>>>()?;
    drop(query);
    if !books.is_empty() {
        tracing::warn!(?books, "control characters in authors replaced by blanks");
    }
    conn.execute_batch("DROP TABLE temp.blanked_authors")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The last schema before reads belonged to works.
    const WITHOUT_WORKS: i32 = 19;
    /// The last schema whose checks of books have lists of words.
    const LISTED_CHECKS: i32 = 25;

    /// A file of that schema, with two readers and 400 books.
    fn earlier(path: &Path) -> Connection {
        let mut conn = Connection::open(path).unwrap();
        conn.execute_batch("PRAGMA journal_mode = WAL; PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY").unwrap();
        let target = refinery::Target::Version(WITHOUT_WORKS);
        migrations::runner().set_grouped(true).set_target(target).run(&mut conn).unwrap();
        conn.execute_batch(
            "INSERT INTO users (id, email, email_key, display_name, created_at)
                VALUES (1, 'a', 'a', 'Ada', '2026-01-02T03:04:05Z'), (2, 'b', 'b', 'Bob', '2026-01-02T03:04:05Z');
             WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < 200)
             INSERT INTO books (id, user_id, status, word_count, rating, format, reread, word_distribution, title, author, title_key,
                author_key, genres, word_count_source, has_texts, created_at, updated_at)
             SELECT users.id << 24 | number, users.id, 'undated', 1000, number % 11, 'Print', 0, 'final', number % 150, hex(zeroblob(200)),
                number % 150, 'a', '', 'entered', 0, '2026-01-02T03:04:05Z', '2026-01-02T03:04:05Z'
             FROM users, numbers",
        )
        .unwrap();
        conn
    }

    #[test]
    fn books_of_one_title_and_author_become_reads_of_one_work() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("shelfwise.db");
        let mut conn = earlier(&path);
        run(&mut conn, &path, WITHOUT_WORKS + 1).unwrap();
        let number = |pragma: &str| conn.pragma_query_value(None, pragma, |row| row.get::<_, i64>(0)).unwrap();
        assert_eq!(number("foreign_keys"), 1, "as before");
        let mut query = conn.prepare("SELECT id, work FROM books").unwrap();
        let books = query.query_map([], |row| <(i64, i64)>::try_from(row)).unwrap();
        let later: Vec<i64> = books.map(|book| book.map(|(id, work)| id - work).unwrap()).collect();
        let of = |distance: i64| later.iter().filter(|later| **later == distance).count();
        assert_eq!((of(0), of(150), later.len()), (300, 100, 400));
    }

    #[test]
    fn checks_that_compare_one_by_one_allow_what_the_lists_allowed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("shelfwise.db");
        let mut conn = earlier(&path);
        // Which changes of a book each schema refuses, by the connection that migrated and by a later one.
        let refused = |conn: &Connection| {
            let words = ["completed", "in-progress", "undated", "did-not-finish", "Print", "eBook", "Audio", "final"];
            let more = ["spread", "logged", "entered", "pages", "epub", "paused", "", "print", "final "];
            let columns = ["status", "format", "word_distribution", "word_count_source"];
            let change = |column: &str, word: &str| {
                // A completed book has a day, and one that is being read no rating.
                let day = (word == "completed").then_some("2026-01-02");
                let sql = format!(
                    "UPDATE books SET {column} = ?1, date_completed = ?2, rating = NULL WHERE id = 1 << 24 | 1"
                );
                let changed = conn.unchecked_transaction().unwrap().execute(&sql, (word, day));
                changed.is_err()
            };
            let pairs = columns.iter().flat_map(|column| words.iter().chain(&more).map(move |word| (*column, *word)));
            pairs.filter(|(column, word)| change(column, word)).collect::<Vec<_>>()
        };
        run(&mut conn, &path, LISTED_CHECKS).unwrap();
        let with_lists = refused(&conn);
        assert_eq!(with_lists.len(), 4 * 17 - 4 - 3 - 3 - 3);
        run(&mut conn, &path, LISTED_CHECKS + 1).unwrap();
        assert_eq!(refused(&conn), with_lists);
        let later = Connection::open(&path).unwrap();
        assert_eq!(refused(&later), with_lists);
        let text: String =
            later.query_row("SELECT sql FROM sqlite_schema WHERE name = 'books'", [], |row| row.get(0)).unwrap();
        assert!(!text.contains("IN ('"), "{text}");
    }
}
