//! How erased data leaves the database file (`docs/decisions/0005-erasure.md`).
//!
//! A deletion zeroes what it frees (`secure_delete`), and the WAL, which has the former pages, is truncated before the deletion is
//! answered. Copies that SQLite left in pages which it rebalanced go with the next compaction.
use std::time::Duration;

use rusqlite::Connection;

use super::inspect::BUSY;

/// A bit of `user_version`, which changes with the transaction that erases: the file was not compacted since.
const COMPACTION_DUE: i64 = 1;

/// Marks in the current transaction that data was erased.
pub fn mark_compaction_due(conn: &Connection) -> rusqlite::Result<()> {
    conn.pragma_update(None, "user_version", COMPACTION_DUE)
}

/// Whether data was erased since the last compaction.
pub fn is_compaction_due(conn: &Connection) -> rusqlite::Result<bool> {
    let flags: i64 = conn.pragma_query_value(None, "user_version", |row| row.get(0))?;
    Ok(flags & COMPACTION_DUE != 0)
}

/// Rewrites the file without unused bytes. Reads go on meanwhile, writes wait. The copy is made in the folder for temporary files
/// (`SQLITE_TMPDIR`, `TMPDIR`, `/var/tmp`, `/tmp`), which needs as much room as the file.
pub fn compact(conn: &Connection) -> rusqlite::Result<()> {
    let compacted = conn.execute_batch("PRAGMA temp_store = FILE; VACUUM");
    conn.execute_batch("PRAGMA temp_store = MEMORY")?;
    compacted?;
    conn.pragma_update(None, "user_version", 0)?;
    truncate_wal(conn, BUSY)?;
    Ok(())
}

/// Copies the WAL into the database and empties it. Waits at most `wait` for programs that read an earlier state. Returns whether none
/// was in the way.
pub fn truncate_wal(conn: &Connection, wait: Duration) -> rusqlite::Result<bool> {
    conn.busy_timeout(wait)?;
    let truncated = conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, bool>(0));
    conn.busy_timeout(BUSY)?;
    Ok(!truncated?)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::kit::db::open::open_writer;

    /// How many bytes of an owner's texts are in the file or its WAL, in runs of four.
    fn left(path: &Path, letter: &str) -> usize {
        let text = letter.repeat(4).into_bytes();
        let runs =
            |file: &Path| std::fs::read(file).unwrap_or_default().windows(4).filter(|window| *window == text).count();
        runs(path) + runs(&path.with_extension("db-wal"))
    }

    #[test]
    fn a_deletion_leaves_nothing_in_rows_and_a_compaction_nothing_in_any_page() {
        let mut copies = 0;
        for seed in 0..8 {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("a.db");
            let conn = open_writer(&path).unwrap();
            conn.execute_batch(
                "CREATE TABLE notes (text TEXT, number INTEGER, PRIMARY KEY (text, number)) WITHOUT ROWID",
            )
            .unwrap();
            let mut dice = fastrand::Rng::with_seed(seed);
            for number in 0..600 {
                let text = dice.choice(["p", "q", "r"]).unwrap().repeat(dice.usize(8..700));
                conn.execute("INSERT INTO notes VALUES (?1, ?2)", (text, number)).unwrap();
            }
            conn.execute("DELETE FROM notes WHERE text GLOB 'q*'", []).unwrap();
            mark_compaction_due(&conn).unwrap();
            assert!(truncate_wal(&conn, Duration::ZERO).unwrap());
            copies += left(&path, "q");
            assert!(is_compaction_due(&conn).unwrap() && left(&path, "p") > 0);
            compact(&conn).unwrap();
            assert!(!is_compaction_due(&conn).unwrap() && left(&path, "p") > 0);
            assert_eq!(left(&path, "q"), 0, "seed {seed}");
        }
        assert!(copies > 0, "rebalancing has left no copy anywhere, so this tests nothing");
    }
}
