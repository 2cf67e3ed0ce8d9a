//! Taking erased text out of every byte of the file, not only out of its tables.
//!
//! `secure_delete` zeroes the cells and pages that a deletion frees. Two kinds of copies outlive it: pages in the log, and
//! cells that moved to another page when their tree was balanced, which stay in the unused middle of the page they left. So
//! the file is written anew (`VACUUM`) and the log folded into it and cut to nothing. `docs/decisions/0005-erasure.md`.
//!
//! That it is due is noted in the file itself (`user_version`), in the transaction that erases: a crash in between only
//! delays it to the next start.
use std::time::{Duration, Instant};

use rusqlite::Connection;

use super::wal;

/// `user_version` of a file with something left to scrub.
const DUE: i64 = 1;
/// The pause after an attempt that readers kept from ending, and twice as long with each further one: a program that follows
/// the log (Litestream) is a reader that never goes, and the writer must not wait for it every time.
const AGAIN: Duration = Duration::from_millis(200);
const AT_MOST: Duration = Duration::from_secs(60);
/// The pause after an attempt that a full disk kept from ending.
const AFTER_FAILURE: Duration = Duration::from_secs(30);
/// Between two scrubs the writer is free for at least this many times as long as the last one took, so that nobody can keep it
/// busy by making and deleting accounts.
const REST: u32 = 4;
/// A larger file, in bytes, is not rewritten while the server stops: that would take longer than who stops it waits.
const AT_STOP: i64 = 256 * 1024 * 1024;

/// Notes in the present transaction that its erased text has to go from the file.
///
/// # Errors
/// The database's.
pub fn mark(conn: &Connection) -> rusqlite::Result<()> {
    conn.pragma_update(None, "user_version", DUE)
}

fn is_due(conn: &Connection) -> rusqlite::Result<bool> {
    conn.pragma_query_value(None, "user_version", |row| row.get::<_, i64>(0)).map(|version| version == DUE)
}

/// How long the writer is free after a scrub: the longer it took, the smaller a part of the time may go to the next ones. After
/// one of a tenth of a second that is a fifth, after one of a hundred seconds a hundredth.
fn rest(took: Duration) -> Duration {
    took.saturating_mul(REST.saturating_add(u32::try_from(took.as_secs()).unwrap_or(u32::MAX)))
}

fn bytes(conn: &Connection) -> rusqlite::Result<i64> {
    conn.query_row("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size", [], |row| row.get(0))
}

/// Scrubs at once, waiting for readers as long as for a lock. For a command beside a server; what it can't end
/// the server does later.
///
/// # Errors
/// The database's.
pub fn now(conn: &Connection) -> rusqlite::Result<()> {
    rewrite(conn)?;
    fold(conn)?;
    Ok(())
}

/// Writes the whole file anew. A large copy goes through the system's folder for temporary files, else through memory.
fn rewrite(conn: &Connection) -> rusqlite::Result<()> {
    let on_disk = conn.execute_batch("PRAGMA temp_store = FILE; VACUUM");
    conn.execute_batch("PRAGMA temp_store = MEMORY")?;
    on_disk.or_else(|_| conn.execute_batch("VACUUM"))
}

/// Folds the log into the file and cuts it to nothing, and takes the mark away. Answers whether no reader was in the way.
fn fold(conn: &Connection) -> rusqlite::Result<bool> {
    let folded = wal::fold(conn)?;
    if folded {
        conn.pragma_update(None, "user_version", 0)?;
    }
    Ok(folded)
}

/// The writer's scrubbing, between its batches.
#[derive(Default)]
pub struct Scrub {
    step: Step,
    not_before: Option<Instant>,
    /// The last pause for readers' sake; none after an attempt that ended.
    waited: Duration,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Step {
    #[default]
    Nothing,
    Rewrite,
    Fold,
}

impl Scrub {
    /// Looks whether the file says that scrubbing is due.
    pub fn look(&mut self, conn: &Connection) {
        // An erasing call that was refused has marked nothing. A failing look is made good at the next start.
        if is_due(conn).unwrap_or(false) {
            self.step = Step::Rewrite;
        }
    }

    /// How long the writer may wait for other work; `None` is for ever.
    pub fn wait(&self) -> Option<Duration> {
        let open = self.step != Step::Nothing;
        open.then(|| self.not_before.map_or(Duration::ZERO, |at| at.saturating_duration_since(Instant::now())))
    }

    /// Does what is due, unless it must rest.
    pub fn advance(&mut self, conn: &Connection) {
        if self.wait() == Some(Duration::ZERO) {
            self.attempt(conn);
        }
    }

    /// Does what is due even where it should rest: the writer ends. What a large file needs is left to the next start.
    pub fn finish(&mut self, conn: &Connection) {
        self.finish_up_to(conn, AT_STOP);
    }

    fn finish_up_to(&mut self, conn: &Connection, largest: i64) {
        if self.step == Step::Fold || (self.step == Step::Rewrite && bytes(conn).is_ok_and(|bytes| bytes <= largest)) {
            self.attempt(conn);
        }
    }

    fn attempt(&mut self, conn: &Connection) {
        let started = Instant::now();
        let pause = match self.steps(conn) {
            Ok(true) => {
                self.waited = Duration::ZERO;
                rest(started.elapsed())
            }
            Ok(false) => {
                self.waited = (self.waited * 2).clamp(AGAIN, AT_MOST);
                self.waited
            }
            Err(cause) => {
                tracing::warn!(%cause, "erased text could not be taken out of the database file yet");
                AFTER_FAILURE
            }
        };
        self.not_before = Some(Instant::now() + pause);
    }

    /// Answers whether everything is done.
    fn steps(&mut self, conn: &Connection) -> rusqlite::Result<bool> {
        if self.step == Step::Rewrite {
            rewrite(conn)?;
            self.step = Step::Fold;
        }
        if wal::briefly(conn, fold)? {
            self.step = Step::Nothing;
        }
        Ok(self.step == Step::Nothing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::db::open_writer;

    /// Rows of many owners between each other, of all lengths, added, grown and deleted: their trees are balanced over and over.
    fn churned(path: &std::path::Path, mut dice: u64) -> Connection {
        let conn = open_writer(path).unwrap();
        let mut roll = |sides: u64| {
            dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((dice >> 33) % sides) as i64
        };
        conn.execute_batch("CREATE TABLE notes (id INTEGER PRIMARY KEY, owner INTEGER, text TEXT); BEGIN").unwrap();
        let text = |owner: i64, length: i64| format!("canary-{owner} ").repeat(length as usize);
        let mut last = [0; 6];
        for _ in 0..800 {
            let owner = roll(6);
            last[owner as usize] += 1;
            let added = (owner << 24 | last[owner as usize], owner, text(owner, roll(50) + 1));
            conn.prepare_cached("INSERT INTO notes VALUES (?1, ?2, ?3)").unwrap().execute(added).unwrap();
            let some = owner << 24 | (roll(last[owner as usize] as u64) + 1);
            match roll(10) {
                0..3 => {
                    let sql = "UPDATE notes SET text = ?2 WHERE id = ?1";
                    conn.prepare_cached(sql).unwrap().execute((some, text(owner, roll(60) + 1))).unwrap()
                }
                3 => conn.prepare_cached("DELETE FROM notes WHERE id = ?1").unwrap().execute([some]).unwrap(),
                _ => 0,
            };
        }
        conn.execute_batch("COMMIT").unwrap();
        conn
    }

    fn holds(path: &std::path::Path, text: &str) -> bool {
        std::fs::read(path).unwrap().windows(text.len()).any(|window| window == text.as_bytes())
    }

    #[test]
    fn nothing_of_a_deleted_row_is_left_even_where_its_page_was_balanced() {
        let folder = tempfile::tempdir().unwrap();
        let mut copies = 0;
        for dice in 0..20 {
            let path = folder.path().join(format!("{dice}.db"));
            let conn = churned(&path, dice);
            conn.execute("DELETE FROM notes WHERE owner = 3", []).unwrap();
            fold(&conn).unwrap();
            copies += u32::from(holds(&path, "canary-3 "));
            mark(&conn).unwrap();
            now(&conn).unwrap();
            assert!(!holds(&path, "canary-3 ") && holds(&path, "canary-2 "));
            assert!(!is_due(&conn).unwrap());
        }
        assert!(copies > 0, "balancing has left no copy anywhere, so this tests nothing");
    }

    #[test]
    fn an_ordinary_deletion_zeroes_what_it_frees() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        let conn = open_writer(&path).unwrap();
        conn.execute_batch("CREATE TABLE notes (text TEXT); INSERT INTO notes VALUES ('canary'), ('other')").unwrap();
        conn.execute("DELETE FROM notes WHERE text = 'canary'", []).unwrap();
        fold(&conn).unwrap();
        assert!(!holds(&path, "canary") && holds(&path, "other"));
    }

    #[test]
    fn a_stop_leaves_a_large_file_to_the_next_start() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        let conn = churned(&path, 1);
        conn.execute("DELETE FROM notes WHERE owner = 3", []).unwrap();
        mark(&conn).unwrap();
        let mut scrub = Scrub::default();
        scrub.look(&conn);
        let size = bytes(&conn).unwrap();
        scrub.finish_up_to(&conn, size - 1);
        assert!(is_due(&conn).unwrap());
        scrub.finish_up_to(&conn, size);
        assert!(!is_due(&conn).unwrap() && !holds(&path, "canary-3 "));
    }

    #[test]
    fn the_longer_a_scrub_takes_the_less_of_the_time_goes_to_scrubbing() {
        assert_eq!(rest(Duration::from_millis(100)), Duration::from_millis(400));
        assert_eq!(rest(Duration::from_secs(10)), Duration::from_secs(140));
        assert_eq!(rest(Duration::from_secs(100)), Duration::from_secs(10_400));
    }

    #[test]
    fn a_reader_of_the_past_delays_the_folding_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        let conn = churned(&path, 1);
        let reader = Connection::open(&path).unwrap();
        reader.execute_batch("BEGIN; SELECT count(*) FROM notes").unwrap();
        conn.execute("DELETE FROM notes WHERE owner = 3", []).unwrap();
        mark(&conn).unwrap();
        let mut scrub = Scrub::default();
        scrub.look(&conn);
        scrub.advance(&conn);
        assert!(scrub.wait().is_some());
        conn.execute("DELETE FROM notes WHERE owner = 4", []).unwrap();
        reader.execute_batch("COMMIT").unwrap();
        scrub.finish(&conn);
        assert!(scrub.wait().is_none() && !holds(&path, "canary-3 "));
    }
}
