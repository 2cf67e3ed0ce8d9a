//! Zeroes old content in the unused bytes of database pages.
//!
//! `secure_delete` zeroes the cells and pages that a deletion frees. It does not zero copies of cells that moved to another page
//! when their tree was balanced: those stay in the gap of the page that they left. Every page that can hold such a copy was
//! written through the WAL, so every page of the WAL is swept before a checkpoint copies it into the database. A page that gets
//! another number is in the WAL under that number and is not missed. See `docs/decisions/0005-erasure.md`.
use std::time::{Duration, Instant};

use rusqlite::{Connection, Transaction, TransactionBehavior};

use super::btree_page::{self, TRACKED_PAGES};
use super::erasure_notes;
use crate::kit::db::wal::{Length, WalReader};

/// The pages that may hold residue, and the sweep over them.
#[derive(Debug)]
pub struct PageSweep {
    wal: WalReader,
    written: PageSet,
    /// The next page of the sweep over the whole file, which is needed for a file that was written without sweeps.
    whole: Option<u32>,
}

/// The result of a look at the WAL.
#[derive(Debug, Clone, Copy)]
pub struct WalState {
    /// The length of the WAL.
    pub length: Length,
    /// Whether page 1 was written. It holds the mark that an erasure is due.
    pub first_page: bool,
}

impl PageSweep {
    /// Creates the sweep of a connection's database. The WAL is read from its first frame.
    pub fn of(conn: &Connection) -> rusqlite::Result<Self> {
        // Litestream makes its own checkpoints, without a sweep before them, and a replica is a copy made between two sweeps.
        let replicated =
            conn.query_row("SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = '_litestream_seq')", [], |row| {
                row.get(0)
            })?;
        let whole = (replicated || !erasure_notes::is_swept(conn)?).then_some(1);
        Ok(Self { wal: WalReader::of(conn), written: PageSet::default(), whole })
    }

    /// Records the pages committed since the last call, by this process or another. Must be called outside of a transaction.
    ///
    /// # Errors
    /// After an error the whole file has to be swept, because pages may have been missed.
    pub fn look(&mut self, conn: &Connection) -> anyhow::Result<WalState> {
        let (mut first_page, written) = (false, &mut self.written);
        let length = self.wal.read(conn, |page| {
            first_page |= page == 1;
            written.insert(page);
        });
        if length.is_err() {
            self.whole = Some(1);
        }
        Ok(WalState { length: length?, first_page })
    }

    /// The length of the WAL in bytes.
    pub fn wal_bytes(&self) -> u64 {
        self.wal.bytes()
    }

    /// Whether every known page of the WAL is swept.
    pub fn is_wal_swept(&self) -> bool {
        self.written.is_empty()
    }

    /// Whether the sweep over the whole file is unfinished.
    pub fn is_whole_pending(&self) -> bool {
        self.whole.is_some()
    }

    /// Sweeps pages of the WAL in one transaction of about `time`. Swept pages are in the WAL again and are recorded by the next
    /// look. The transaction is not synchronised: the next checkpoint or commit does that.
    ///
    /// # Errors
    /// After an error the pages still have to be swept.
    pub fn sweep_wal(&mut self, conn: &Connection, time: Duration) -> rusqlite::Result<()> {
        let (until, mut taken) = (Instant::now() + time, Vec::new());
        let swept = unsynchronised(conn, |conn| {
            let mut pages = Pages::of(conn)?;
            while let Some(number) = self.written.pop() {
                taken.push(number);
                pages.clear(number)?;
                if Instant::now() >= until {
                    break;
                }
            }
            Ok(())
        });
        if swept.is_err() {
            taken.into_iter().for_each(|number| self.written.insert(number));
        }
        swept
    }

    /// Records and sweeps until every page of the WAL is swept or the time is over. Returns whether all are swept, with the last
    /// look.
    pub fn sweep_wal_within(&mut self, conn: &Connection, time: Duration) -> anyhow::Result<(bool, WalState)> {
        let until = Instant::now() + time;
        let mut found = self.look(conn)?;
        while !self.is_wal_swept() && Instant::now() < until {
            self.sweep_wal(conn, until.saturating_duration_since(Instant::now()))?;
            let again = self.look(conn)?;
            found = WalState { length: again.length, first_page: found.first_page | again.first_page };
        }
        Ok((self.is_wal_swept(), found))
    }

    /// Sweeps the next pages of the whole file in one transaction of about `time`, and marks the file as swept after the last
    /// page.
    ///
    /// # Errors
    /// After an error the next call tries the same pages again.
    pub fn sweep_whole(&mut self, conn: &Connection, time: Duration) -> rusqlite::Result<()> {
        let Some(first) = self.whole else { return Ok(()) };
        let until = Instant::now() + time;
        self.whole = unsynchronised(conn, |conn| {
            let mut pages = Pages::of(conn)?;
            for number in first..=pages.count {
                if number > first && Instant::now() >= until {
                    return Ok(Some(number));
                }
                pages.clear(number)?;
            }
            erasure_notes::note_swept(conn)?;
            Ok(None)
        })?;
        Ok(())
    }
}

/// Runs a transaction whose commit is not synchronised to the disk.
fn unsynchronised<T>(conn: &Connection, call: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> rusqlite::Result<T> {
    conn.execute_batch("PRAGMA synchronous = NORMAL")?;
    let outcome = Transaction::new_unchecked(conn, TransactionBehavior::Immediate).and_then(|transaction| {
        let answer = call(&transaction)?;
        transaction.commit()?;
        Ok(answer)
    });
    if !conn.is_autocommit() {
        conn.execute_batch("ROLLBACK")?;
    }
    conn.execute_batch("PRAGMA synchronous = FULL")?;
    outcome
}

/// The pages of a database, inside a transaction.
struct Pages<'c> {
    conn: &'c Connection,
    count: u32,
    /// Bytes of a page without its reserved end.
    usable: usize,
}

impl<'c> Pages<'c> {
    fn of(conn: &'c Connection) -> rusqlite::Result<Self> {
        let count = page_count(conn)?;
        let header = |page: &[u8]| page.len() - usize::from(page[20]);
        let usable = read(conn, 1, header)?.unwrap_or(0);
        // In a larger file overflow pages can't be distinguished from others; the file is rewritten instead.
        Ok(Self { conn, count: if count < TRACKED_PAGES { count } else { 0 }, usable })
    }

    /// Zeroes the unused bytes of a page if they are not zero.
    fn clear(&mut self, number: u32) -> rusqlite::Result<()> {
        if number == 0 || number > self.count {
            return Ok(());
        }
        let cleared = read(self.conn, number, |page| {
            let unused = btree_page::unused(page, number, self.usable)?;
            btree_page::holds_residue(page, &unused).then(|| {
                let mut page = page.to_vec();
                unused.iter().for_each(|range| page[range.clone()].fill(0));
                page
            })
        })?;
        if let Some(page) = cleared.flatten() {
            let mut write = self.conn.prepare_cached("INSERT INTO sqlite_dbpage (pgno, data) VALUES (?1, ?2)")?;
            write.execute((number, page))?;
        }
        Ok(())
    }
}

/// Whether the file has so many pages that overflow pages can't be distinguished from others.
pub fn is_too_large(conn: &Connection) -> rusqlite::Result<bool> {
    page_count(conn).map(|count| count >= TRACKED_PAGES)
}

fn page_count(conn: &Connection) -> rusqlite::Result<u32> {
    conn.prepare_cached("PRAGMA page_count")?.query_row([], |row| row.get(0))
}

/// Calls `look` with the bytes of a page; `None` when the page does not exist.
fn read<T>(conn: &Connection, number: u32, look: impl FnOnce(&[u8]) -> T) -> rusqlite::Result<Option<T>> {
    let mut statement = conn.prepare_cached("SELECT data FROM sqlite_dbpage WHERE pgno = ?1")?;
    let mut rows = statement.query([number])?;
    let Some(row) = rows.next()? else { return Ok(None) };
    Ok(Some(look(row.get_ref(0)?.as_blob()?)))
}

/// A set of page numbers below [`TRACKED_PAGES`], with one bit for each page up to the highest.
#[derive(Debug, Default)]
struct PageSet {
    words: Vec<u64>,
    /// All words before this index are zero.
    first: usize,
    count: usize,
}

impl PageSet {
    fn insert(&mut self, page: u32) {
        if page >= TRACKED_PAGES {
            return;
        }
        let (word, bit) = (page as usize / 64, 1 << (page % 64));
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        self.count += usize::from(self.words[word] & bit == 0);
        self.words[word] |= bit;
        self.first = self.first.min(word);
    }

    fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Removes and returns the lowest page.
    fn pop(&mut self) -> Option<u32> {
        let ahead = self.words[self.first..].iter().position(|word| *word != 0)?;
        self.first += ahead;
        let word = &mut self.words[self.first];
        let bit = word.trailing_zeros();
        *word &= *word - 1;
        self.count -= 1;
        u32::try_from(self.first * 64).ok().map(|base| base + bit)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::kit::db::churn::{Churn, assert_whole, is_anywhere};
    use crate::kit::db::wal;

    #[test]
    fn what_others_write_between_two_pages_of_a_sweep_hides_nothing() {
        let folder = tempfile::tempdir().unwrap();
        for seed in 0..4 {
            let path = folder.path().join(format!("{seed}.db"));
            let mut churn = Churn::new(&path, seed);
            let mut sweep = PageSweep::of(&churn.conn).unwrap();
            for round in 0..40 {
                churn.steps(8);
                if round % 5 == 0 {
                    churn.conn.execute_batch("BEGIN").unwrap();
                    churn.step();
                    churn.conn.execute_batch("ROLLBACK").unwrap();
                }
                // Sweep one page while rows move between pages.
                sweep.look(&churn.conn).unwrap();
                sweep.sweep_wal(&churn.conn, Duration::ZERO).unwrap();
                if round % 7 == 0 {
                    // As Litestream does: a checkpoint in the middle, after which the WAL restarts.
                    sweep.look(&churn.conn).unwrap();
                    wal::checkpoint_passively(&churn.conn).unwrap();
                }
            }
            churn.delete(3);
            let others = churn.rows_without(3);
            while !sweep.sweep_wal_within(&churn.conn, Duration::from_secs(1)).unwrap().0 {}
            assert!(wal::truncate(&churn.conn).unwrap());
            assert!(!is_anywhere(&path, 3) && is_anywhere(&path, 2), "seed {seed}");
            assert!(churn.rows_without(3) == others);
            assert_whole(&churn.conn);
        }
    }

    #[test]
    fn a_sweep_of_the_whole_file_goes_on_where_it_stopped_while_others_write() {
        let folder = tempfile::tempdir().unwrap();
        let mut copies = 0;
        for seed in 0..8 {
            let path = folder.path().join(format!("{seed}.db"));
            let (churn, is_left) = Churn::unswept(&path, seed, 3, |conn| erasure_notes::note_unswept(conn).unwrap());
            copies += u32::from(is_left);
            let mut sweep = PageSweep::of(&churn.conn).unwrap();
            while sweep.is_whole_pending() {
                sweep.sweep_whole(&churn.conn, Duration::ZERO).unwrap();
                churn.conn.execute("INSERT INTO words VALUES (1, 'qqqq', random())", []).unwrap();
            }
            while !sweep.sweep_wal_within(&churn.conn, Duration::from_secs(1)).unwrap().0 {}
            assert!(wal::truncate(&churn.conn).unwrap() && !is_anywhere(&path, 3));
            assert!(erasure_notes::is_swept(&churn.conn).unwrap());
            assert!(!PageSweep::of(&churn.conn).unwrap().is_whole_pending());
            churn.conn.execute_batch("CREATE TABLE _litestream_seq (id INTEGER)").unwrap();
            assert!(PageSweep::of(&churn.conn).unwrap().is_whole_pending(), "Litestream makes its own checkpoints");
            assert_whole(&churn.conn);
        }
        assert!(copies > 0, "balancing has left no copy anywhere, so this tests nothing");
    }

    #[test]
    fn a_sweep_leaves_commits_synchronised_also_after_a_failure() {
        let folder = tempfile::tempdir().unwrap();
        let churn = Churn::new(&folder.path().join("a.db"), 3);
        let synchronous = || churn.conn.pragma_query_value(None, "synchronous", |row| row.get::<_, i64>(0)).unwrap();
        unsynchronised(&churn.conn, |_| Ok(())).unwrap();
        assert_eq!(synchronous(), 2);
        assert!(unsynchronised(&churn.conn, |conn| conn.execute_batch("SELECT * FROM nothing")).is_err());
        assert!(unsynchronised(&churn.conn, |conn| conn.execute_batch("ROLLBACK")).is_err());
        assert!(synchronous() == 2 && churn.conn.is_autocommit());
    }

    #[test]
    fn a_set_of_pages_gives_each_once_in_order() {
        let (mut set, mut dice) = (PageSet::default(), fastrand::Rng::with_seed(1));
        let mut expected = BTreeSet::new();
        for _ in 0..2000 {
            if dice.bool() {
                let page = dice.u32(..5000);
                set.insert(page);
                expected.insert(page);
            } else {
                assert_eq!(set.pop(), expected.pop_first());
            }
            assert_eq!(set.is_empty(), expected.is_empty());
        }
        set.insert(TRACKED_PAGES);
        assert_eq!(set.is_empty(), expected.is_empty());
    }
}
