//! Erases data from every byte of the database file, not only from its tables.
//!
//! `secure_delete` zeroes the cells and pages that a deletion frees, [`super::page_sweep`] zeroes the copies that balancing a
//! tree leaves in other pages, and a checkpoint that truncates the WAL removes former pages there. See
//! `docs/decisions/0005-erasure.md`.
//!
//! The transaction that erases also marks the file as "erasure due". A crash before the erasure is complete only delays it until
//! the next start.
use std::time::{Duration, Instant};

use rusqlite::Connection;

pub use super::erasure_notes::{is_due, is_swept, mark_done, mark_due, note_swept, note_unswept};
use super::page_sweep::{self, PageSweep};
use crate::kit::db::wal;

/// The time of one transaction of a command's sweep, so that a server beside it can write in between.
const SLICE: Duration = Duration::from_millis(20);
/// How long a command waits until the WAL is swept; a server that writes without a pause keeps adding pages.
const LOG_AT_MOST: Duration = Duration::from_secs(10);

/// Sweeps the WAL. For a command that has written, before it closes its connection, which may checkpoint the WAL.
pub fn sweep_wal(conn: &Connection) -> anyhow::Result<()> {
    sweep_wal_of(&mut PageSweep::of(conn)?, conn)
}

fn sweep_wal_of(sweep: &mut PageSweep, conn: &Connection) -> anyhow::Result<()> {
    let until = Instant::now() + LOG_AT_MOST;
    while !sweep.sweep_wal_within(conn, SLICE)?.0 {
        anyhow::ensure!(Instant::now() < until, "the WAL grows faster than it can be swept");
    }
    Ok(())
}

/// Completes a pending erasure, waiting for readers up to the busy timeout. For a command, alone or beside a server. Returns
/// whether it is complete; otherwise the server completes it later.
pub fn erase_now(conn: &Connection) -> anyhow::Result<bool> {
    let mut sweep = PageSweep::of(conn)?;
    if page_sweep::is_too_large(conn)? {
        rewrite(conn)?;
    }
    loop {
        sweep_wal_of(&mut sweep, conn)?;
        if !sweep.is_whole_pending() {
            break;
        }
        sweep.sweep_whole(conn, SLICE)?;
    }
    let truncated = wal::truncate(conn)?;
    if truncated {
        mark_done(conn)?;
        sweep_wal_of(&mut sweep, conn)?;
    }
    Ok(truncated)
}

/// Rewrites the whole file, for a file that is too large to be swept. The copy goes through the system's folder for temporary
/// files, or through memory if that fails.
pub fn rewrite(conn: &Connection) -> rusqlite::Result<()> {
    let on_disk = conn.execute_batch("PRAGMA temp_store = FILE; VACUUM");
    conn.execute_batch("PRAGMA temp_store = MEMORY")?;
    on_disk.or_else(|_| conn.execute_batch("VACUUM"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::db::churn::{Churn, assert_whole, is_anywhere};
    use crate::kit::db::open::open_writer;

    #[test]
    fn nothing_of_a_deleted_row_is_left_even_where_its_page_was_balanced() {
        let folder = tempfile::tempdir().unwrap();
        let mut copies = 0;
        for seed in 0..8 {
            // The residue that a file keeps without sweeps.
            let path = folder.path().join(format!("{seed}-unswept.db"));
            let mut unswept = Churn::new(&path, seed);
            unswept.steps(400);
            unswept.delete(3);
            wal::truncate(&unswept.conn).unwrap();
            copies += u32::from(is_anywhere(&path, 3));

            let path = folder.path().join(format!("{seed}.db"));
            let mut churn = Churn::new(&path, seed);
            churn.steps(400);
            churn.delete(3);
            mark_due(&churn.conn).unwrap();
            let others = churn.rows_without(3);
            assert!(erase_now(&churn.conn).unwrap());
            assert!(!is_anywhere(&path, 3) && is_anywhere(&path, 2), "seed {seed}");
            assert!(!is_due(&churn.conn).unwrap() && churn.rows_without(3) == others);
            assert_whole(&churn.conn);

            // A file of an earlier version is swept completely.
            note_unswept(&unswept.conn).unwrap();
            assert!(erase_now(&unswept.conn).unwrap() && is_swept(&unswept.conn).unwrap());
            assert!(!is_anywhere(&folder.path().join(format!("{seed}-unswept.db")), 3), "seed {seed}");
            assert!(unswept.rows_without(3) == others);
            assert_whole(&unswept.conn);
        }
        assert!(copies > 0, "balancing has left no copy anywhere, so this tests nothing");
    }

    #[test]
    fn an_ordinary_deletion_zeroes_what_it_frees() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        let conn = open_writer(&path).unwrap();
        conn.execute_batch("CREATE TABLE notes (text TEXT); INSERT INTO notes VALUES ('pppp'), ('qqqq')").unwrap();
        conn.execute("DELETE FROM notes WHERE text = 'pppp'", []).unwrap();
        wal::truncate(&conn).unwrap();
        assert!(!is_anywhere(&path, 0) && is_anywhere(&path, 1));
    }

    #[test]
    fn a_file_that_is_too_large_to_be_swept_is_rewritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        let mut churn = Churn::new(&path, 5);
        churn.steps(400);
        churn.conn.execute_batch("PRAGMA secure_delete = OFF").unwrap();
        churn.delete(3);
        assert!(wal::truncate(&churn.conn).unwrap() && is_anywhere(&path, 3), "nothing is left to be removed");
        let others = churn.rows_without(3);
        rewrite(&churn.conn).unwrap();
        assert!(wal::truncate(&churn.conn).unwrap() && !is_anywhere(&path, 3) && churn.rows_without(3) == others);
    }
}
