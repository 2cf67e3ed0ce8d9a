//! A file with many readers, each with a library, a session and activity.
//!
//! A few libraries are written by the program's own store, with rough dates, logs and goals. All others are copies of them under
//! another owner, made inside SQLite, so that thirty million books take minutes. Most of a library is written at once, as by an import, and the rest a few books at
//! a time after all other readers, so that a reader's rows are scattered over the file as in real use.
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

use chrono::{TimeDelta, Utc};
use rusqlite::{Connection, params};
use shelfwise::account::password::hash_here;
use shelfwise::kit::db::pool::{Tx, instant, known_schema};
use shelfwise::kit::db::secure_erase;
use shelfwise::kit::http::session::Token;
use shelfwise::kit::id::UserId;
use shelfwise::library::tbr::model::TbrDraft;
use shelfwise::library::tbr::store::append;

use crate::library::{self, Reader};

/// The password of all accounts.
pub const PASSWORD: &str = "a crowd of readers";
/// Libraries written by the program itself.
const KINDS: i64 = 32;
/// The parts of a library, which are written one after the other, and the share of the first, in percent.
const PARTS: i64 = 5;
const AT_ONCE: i64 = 80;
/// Items of a to-be-read list.
const ITEMS: i64 = 10;
/// Readers per transaction.
const STRETCH: i64 = 1000;
/// The tables of a library with one row or several for each book or item, and the column with its number.
const NUMBERED: [(&str, &str); 5] = [
    ("books", "id"),
    ("book_texts", "book_id"),
    ("reading_days", "book_id"),
    ("read_months", "book_id"),
    ("tbr", "id"),
];
/// The tables of a library with the owner alone.
const OWNED: [&str; 2] = ["goals", "libraries"];
/// The columns that are made of owner and number.
const KEYS: [&str; 4] = ["id", "book_id", "work", "cover"];
/// Days with activity in the last thirty, for one reader in three.
const DAYS: i64 = 10;

/// A file with many readers.
pub struct Crowd {
    /// The data directory.
    pub folder: PathBuf,
    /// The number of readers. They are numbered from one, and the first is also an operator.
    pub readers: i64,
    /// The number of books of each.
    pub books: i64,
}

impl Crowd {
    /// The file with `READERS` readers and `BOOKS` books. If it is missing it is created, with a message on standard error, and
    /// kept in `target/crowd`.
    pub fn asked_for() -> Self {
        Self::of(number("READERS", 2_000).max(KINDS), number("BOOKS", 300).max(PARTS))
    }

    /// A file with this many readers and books, created and kept in the same way.
    pub fn of(readers: i64, books: i64) -> Self {
        let name = format!("{readers}x{books}-schema{}", known_schema());
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/crowd").join(name);
        let crowd = Self { folder, readers, books };
        if !crowd.file().exists() {
            crowd.make();
        }
        // Sessions expire while the file is unused.
        age_sessions(&library::file(&crowd.folder));
        crowd
    }

    /// The database.
    pub fn file(&self) -> PathBuf {
        self.folder.join("shelfwise.db")
    }

    /// A reader's address.
    pub fn email(number: i64) -> String {
        format!("crowd{number}@example.org")
    }

    /// A signed-in reader.
    pub fn reader(&self, number: i64) -> Reader {
        Reader { id: UserId(number), cookie: format!("shelfwise_session={}", token_text(number)) }
    }

    /// Readers spread over the whole file, all with copies of the first reader's library.
    pub fn alike(&self, count: u32) -> impl Iterator<Item = Reader> {
        let (count, of_a_kind) = (i64::from(count), self.readers / KINDS);
        (0..count).map(move |n| self.reader(1 + KINDS * (of_a_kind * (2 * n + 1) / (2 * count))))
    }

    /// Their library, in a file without other readers.
    pub fn alone(&self, folder: &Path) -> Reader {
        let conn = library::file(folder);
        let reader = library::reader_with_goals(&conn, self.books);
        age_sessions(&conn);
        reader
    }

    /// The random numbers for the books of one kind of library.
    fn of_kind(&self, kind: i64) -> std::ops::Range<i64> {
        (kind - 1) * self.books..kind * self.books
    }

    /// Writes the file under a temporary name and renames it when it is complete.
    fn make(&self) {
        let (started, work) = (Instant::now(), self.folder.with_extension("part"));
        let _ = fs::remove_dir_all(&work);
        let conn = library::file(&work);
        // An incomplete file is deleted.
        conn.execute_batch(
            "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA secure_delete = OFF; PRAGMA foreign_keys = OFF;
             PRAGMA cache_size = -262144;",
        )
        .unwrap();
        self.accounts(&conn);
        self.kinds(&conn);
        self.libraries(&conn, started);
        pasts(&conn);
        let strays: i64 =
            conn.query_row("SELECT count(*) FROM pragma_foreign_key_check", [], |row| row.get(0)).unwrap();
        assert_eq!(strays, 0, "rows refer to missing rows");
        // No page of it was swept.
        secure_erase::note_unswept(&conn).unwrap();
        conn.execute_batch("PRAGMA journal_mode = WAL").unwrap();
        drop(conn);
        fs::set_permissions(&work, Permissions::from_mode(0o700)).unwrap();
        fs::rename(&work, &self.folder).unwrap();
        let size = fs::metadata(self.file()).unwrap().len() >> 20;
        eprintln!("{} readers with {} books each: {size} MiB in {:.0?}", self.readers, self.books, started.elapsed());
    }

    fn accounts(&self, conn: &Connection) {
        let hash = hash_here(PASSWORD).unwrap();
        for_stretches(conn, 1..self.readers + 1, |tx, number| {
            // Accounts were created evenly over three years.
            let since = TimeDelta::minutes((self.readers - number) * 3 * 365 * 24 * 60 / self.readers);
            let role = if number == 1 { "admin" } else { "user" };
            tx.prepare_cached(
                "INSERT INTO users (id, email, email_key, display_name, password_hash, role, created_at)
                 VALUES (?1, ?2, ?2, ?3, ?4, ?5, ?6)",
            )
            .unwrap()
            .execute(params![
                number,
                Self::email(number),
                format!("Reader {number}"),
                hash,
                role,
                instant(Utc::now() - since)
            ])
            .unwrap();
            tx.prepare_cached("INSERT INTO preferences (user_id) VALUES (?1)").unwrap().execute([number]).unwrap();
            let session = "INSERT INTO sessions (token_hash, user_id, created_at, last_seen, ip_address, user_agent)
                VALUES (?1, ?2, ?3, ?3, '192.0.2.7', 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0')";
            let hash = Token::parse(&token_text(number)).unwrap().hash();
            tx.prepare_cached(session).unwrap().execute(params![hash, number, tx.stamp()]).unwrap();
        });
    }

    /// Writes the first readers' libraries with the program's own store.
    fn kinds(&self, conn: &Connection) {
        let before = counts(conn);
        for_stretches(conn, 1..KINDS + 1, |tx, number| {
            library::fill_with_goals(tx, UserId(number), self.of_kind(number));
            let item = |n: i64| TbrDraft { title: format!("A book for later {n}"), ..TbrDraft::default() };
            append(tx, UserId(number), &(0..ITEMS).map(item).collect::<Vec<_>>()).unwrap();
        });
        let written: BTreeSet<String> = counts(conn)
            .into_iter()
            .filter(|table| before.get(&table.0) != Some(&table.1))
            .map(|table| table.0)
            .collect();
        let copied = NUMBERED.iter().map(|(table, _)| *table).chain(OWNED).map(str::to_owned).collect();
        assert_eq!(written, copied, "a library has rows in other tables than those that are copied");
    }

    fn libraries(&self, conn: &Connection, started: Instant) {
        let copies = NUMBERED
            .map(|(table, key)| copy(conn, table, &format!("{key} BETWEEN (?2 << 24 | ?3) AND (?2 << 24 | ?4)")));
        for part in 0..PARTS {
            let (first, last) = (self.before(part) + 1, self.before(part + 1));
            for_stretches(conn, KINDS + 1..self.readers + 1, |tx, number| {
                for sql in &copies {
                    tx.prepare_cached(sql).unwrap().execute([number, kind(number), first, last]).unwrap();
                }
            });
            eprintln!("part {} of {PARTS} of the crowd's libraries after {:.0?}", part + 1, started.elapsed());
        }
        let copies = OWNED.map(|table| copy(conn, table, "user_id = ?2"));
        for_stretches(conn, KINDS + 1..self.readers + 1, |tx, number| {
            for sql in &copies {
                tx.prepare_cached(sql).unwrap().execute([number, kind(number)]).unwrap();
            }
        });
    }

    /// The number of books before a part.
    fn before(&self, part: i64) -> i64 {
        match part {
            0 => 0,
            _ => self.books * (AT_ONCE + (100 - AT_ONCE) * (part - 1) / (PARTS - 1)) / 100,
        }
    }
}

/// Every reader was last seen an hour ago, so that the first request updates that. The password counts as confirmed until the
/// end of the benchmark, for the accounts that are erased: a time ahead does.
fn age_sessions(conn: &Connection) {
    let (hour, day) = (instant(Utc::now() - TimeDelta::hours(1)), instant(Utc::now() + TimeDelta::days(1)));
    conn.execute("UPDATE sessions SET created_at = ?1, last_seen = ?1, confirmed_at = ?2", [hour, day]).unwrap();
    conn.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
}

/// Which of the first readers' libraries a reader has.
fn kind(number: i64) -> i64 {
    (number - 1) % KINDS + 1
}

/// The token of a reader's session: 32 bytes in base64url that can be computed.
fn token_text(number: i64) -> String {
    format!("{number:0>42}A")
}

/// The statement that copies the rows of owner `?2` that fit to owner `?1`, whatever the columns are.
fn copy(conn: &Connection, table: &str, fits: &str) -> String {
    let mut names = conn.prepare("SELECT name FROM pragma_table_info(?1)").unwrap();
    let names: Vec<String> = names.query_map([table], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    let value = |name: &String| match name.as_str() {
        "user_id" => "?1".to_owned(),
        key if KEYS.contains(&key) => format!("?1 << 24 | ({key} & 0xffffff)"),
        name => name.to_owned(),
    };
    let values: Vec<String> = names.iter().map(value).collect();
    format!("INSERT INTO {table} ({}) SELECT {} FROM {table} WHERE {fits}", names.join(", "), values.join(", "))
}

/// The number of rows of every table.
fn counts(conn: &Connection) -> BTreeMap<String, i64> {
    let mut tables = conn.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").unwrap();
    let tables = tables.query_map([], |row| row.get::<_, String>(0)).unwrap().map(Result::unwrap);
    let count =
        |table: &String| conn.query_row(&format!("SELECT count(*) FROM \"{table}\""), [], |row| row.get(0)).unwrap();
    tables.map(|table| (table.clone(), count(&table))).collect()
}

/// One reader in three was active on ten of the last thirty days, with one of three devices.
fn pasts(conn: &Connection) {
    let days = format!(
        "WITH RECURSIVE n (day) AS (SELECT 0 UNION ALL SELECT day + 1 FROM n WHERE day < {DAYS} - 1),
         came (user_id, day) AS (SELECT id, date('now', '-' || ((id / 3 + day * 3) % 30) || ' days') FROM users, n WHERE id % 3 = 0)"
    );
    conn.execute_batch(&format!(
        "{days} INSERT INTO activity_days SELECT user_id, day, 40, day || 'T20:00:00Z' FROM came;
         {days} INSERT INTO activity_devices SELECT user_id, day, 'desktop', 'Firefox', 'Linux', 30 FROM came;
         {days} INSERT INTO activity_devices SELECT user_id, day, 'mobile', 'Safari', 'iOS', 10 FROM came WHERE user_id % 2 = 0;"
    ))
    .unwrap();
}

/// Calls a function for each number, in transactions of limited size.
fn for_stretches(conn: &Connection, numbers: std::ops::Range<i64>, mut one: impl FnMut(&Tx<'_>, i64)) {
    let mut from = numbers.start;
    while from < numbers.end {
        let to = (from + STRETCH).min(numbers.end);
        let transaction = conn.unchecked_transaction().unwrap();
        let tx = Tx::new(&transaction, Utc::now());
        (from..to).for_each(|number| one(&tx, number));
        transaction.commit().unwrap();
        from = to;
    }
}

/// A number from an environment variable.
pub fn number(name: &str, default: i64) -> i64 {
    let given = std::env::var(name).ok().filter(|text| !text.is_empty());
    given.map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name} must be a number, not {text}")))
}
