//! A database for tests that balances its trees often: rows of several owners side by side, of all lengths, are added, changed
//! and deleted.
use std::path::Path;

use rusqlite::Connection;

use super::open::open_writer;
use super::wal;

/// The number of owners.
pub const OWNERS: i64 = 6;

/// The database and the random numbers that choose each step.
pub struct Churn {
    pub conn: Connection,
    dice: fastrand::Rng,
    last: [i64; OWNERS as usize],
}

impl Churn {
    pub fn new(path: &Path, seed: u64) -> Self {
        let conn = open_writer(path).unwrap();
        conn.execute_batch(
            "CREATE TABLE notes (id INTEGER PRIMARY KEY, owner INTEGER, text TEXT);
             CREATE INDEX notes_text ON notes (text);
             CREATE TABLE words (owner INTEGER, word TEXT, number INTEGER, PRIMARY KEY (word, number)) WITHOUT ROWID;",
        )
        .unwrap();
        Self { conn, dice: fastrand::Rng::with_seed(seed), last: [0; OWNERS as usize] }
    }

    /// A text of an owner: the owner's character repeated, sometimes longer than a page.
    fn text(&mut self, owner: i64) -> String {
        let length = if self.dice.u8(..40) == 0 { self.dice.usize(5000..9000) } else { self.dice.usize(8..700) };
        filler(owner).repeat(length)
    }

    /// Adds, changes or deletes one row.
    pub fn step(&mut self) {
        let owner = self.dice.i64(0..OWNERS);
        self.last[usize::try_from(owner).unwrap()] += 1;
        let newest = self.last[usize::try_from(owner).unwrap()];
        let (text, word) = (self.text(owner), filler(owner).repeat(self.dice.usize(8..60)));
        let run = |sql: &str, params: &[&dyn rusqlite::ToSql]| {
            self.conn.prepare_cached(sql).unwrap().execute(params).unwrap();
        };
        run("INSERT INTO notes VALUES (?1, ?2, ?3)", &[&(owner << 24 | newest), &owner, &text]);
        run("INSERT INTO words VALUES (?1, ?2, ?3)", &[&owner, &word, &newest]);
        let some = owner << 24 | self.dice.i64(1..=newest);
        match self.dice.u8(..10) {
            0..3 => {
                let text = self.text(owner);
                self.conn.execute("UPDATE notes SET text = ?2 WHERE id = ?1", (some, text)).unwrap();
            }
            3 => drop(self.conn.execute("DELETE FROM notes WHERE id = ?1", [some]).unwrap()),
            _ => {}
        }
    }

    /// Runs `count` steps in one transaction.
    pub fn steps(&mut self, count: usize) {
        self.conn.execute_batch("BEGIN IMMEDIATE").unwrap();
        (0..count).for_each(|_| self.step());
        self.conn.execute_batch("COMMIT").unwrap();
    }

    /// A database with 500 steps in the file, of which `owner` was deleted without a sweep. `between` runs before the deletion.
    /// Also returns whether a copy of the owner's texts was left.
    pub fn unswept(path: &Path, seed: u64, owner: i64, between: impl FnOnce(&Connection)) -> (Self, bool) {
        let mut churn = Self::new(path, seed);
        churn.steps(500);
        wal::truncate(&churn.conn).unwrap();
        between(&churn.conn);
        churn.delete(owner);
        wal::truncate(&churn.conn).unwrap();
        (churn, is_anywhere(path, owner))
    }

    /// Deletes all rows of an owner.
    pub fn delete(&self, owner: i64) {
        self.conn.execute("DELETE FROM notes WHERE owner = ?1", [owner]).unwrap();
        self.conn.execute("DELETE FROM words WHERE owner = ?1", [owner]).unwrap();
    }

    /// Every row of the other owners, with the notes in both orders.
    pub fn rows_without(&self, owner: i64) -> Vec<(i64, String)> {
        let sql = "SELECT id, text FROM notes WHERE owner != ?1 UNION ALL SELECT * FROM (SELECT id, text FROM notes INDEXED BY
            notes_text WHERE owner != ?1 ORDER BY text, id) UNION ALL SELECT number, word FROM words WHERE owner != ?1";
        let mut query = self.conn.prepare(sql).unwrap();
        query.query_map([owner], |row| Ok((row.get(0)?, row.get(1)?))).unwrap().map(Result::unwrap).collect()
    }
}

/// The character that an owner's texts consist of.
pub fn filler(owner: i64) -> &'static str {
    ["p", "q", "r", "s", "t", "u"][usize::try_from(owner).unwrap()]
}

/// Whether a part of an owner's texts is in the file or in its WAL.
pub fn is_anywhere(path: &Path, owner: i64) -> bool {
    let wal = path.with_extension("db-wal");
    let text = filler(owner).repeat(4).into_bytes();
    let holds = |file: &Path| std::fs::read(file).unwrap_or_default().windows(4).any(|window| window == text);
    holds(path) || holds(&wal)
}

/// Asserts that SQLite's integrity check finds no error.
#[track_caller]
pub fn assert_whole(conn: &Connection) {
    let verdict: String = conn.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(verdict, "ok");
}
