//! Backups, restores and migrations are killed, after a time and at each of their writes. The result is always complete.
use std::fs;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use rusqlite::Connection;
use shelfwise::kit::db::pool::known_schema;

use crate::support::fault_table::{CHANGES, interfere, row, times};
use crate::support::program::{self, command, titles};
use crate::support::schema;
use crate::support::tools::skip;

const BOOKS: usize = 200;

/// Something that is cut off over and over.
trait Operation {
    /// What the table calls it.
    const WHAT: &'static str;

    /// A folder with what it works on.
    fn prepare(folder: &Path) -> Self;

    /// What is run.
    fn command(&self) -> Command;

    /// Looks at what is left, and makes ready for the next round.
    fn check(&mut self);
}

#[track_caller]
fn done(command: Command) -> String {
    let ended = program::run(command, "");
    assert_eq!(ended.status, 0, "{}", ended.err);
    ended.out
}

fn path(file: &Path) -> &str {
    file.to_str().unwrap()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

/// A data directory with books in it, of the present schema.
fn library(folder: &Path) -> PathBuf {
    let data = folder.join("data");
    fs::create_dir(&data).unwrap();
    schema::earlier(&data.join("shelfwise.db"), known_schema() - 1, BOOKS as i64);
    done(command(&data, &["user", "list"]));
    fs::remove_dir_all(data.join("backups")).unwrap();
    data
}

/// Checks that every file with the name of a backup is a backup, deletes them, and returns how many there were.
fn whole_backups(folder: &Path) -> usize {
    let mut whole = 0;
    for name in names(folder) {
        let file = folder.join(&name);
        if name.ends_with(".db") {
            shelfwise::backups::verify(&file).unwrap();
            assert_eq!(titles(&file).len(), BOOKS);
            fs::remove_file(file).unwrap();
            whole += 1;
        } else {
            assert!(name.ends_with(".tmp") || name.ends_with(".sha256"), "{name}");
        }
    }
    whole
}

/// `backup create`.
struct Backup {
    data: PathBuf,
    to: PathBuf,
}

impl Operation for Backup {
    const WHAT: &'static str = "backup";

    fn prepare(folder: &Path) -> Self {
        Self { data: library(folder), to: folder.join("to") }
    }

    fn command(&self) -> Command {
        command(&self.data, &["backup", "create", "--to", path(&self.to)])
    }

    fn check(&mut self) {
        whole_backups(&self.to);
        assert!(names(&self.to).iter().filter(|name| name.ends_with(".tmp")).count() <= 1, "the next one sweeps");
    }
}

impl Drop for Backup {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            done(self.command());
            let left = names(&self.to);
            assert!(left.len() == 2 && left.iter().all(|name| !name.ends_with(".tmp")), "{left:?}");
        }
    }
}

/// `restore`, to and fro between a backup with 200 titles and one with a single title.
struct Restore {
    database: PathBuf,
    many: PathBuf,
    one: PathBuf,
    next: usize,
}

impl Operation for Restore {
    const WHAT: &'static str = "restore";

    fn prepare(folder: &Path) -> Self {
        let (data, to) = (library(folder), folder.join("to"));
        let database = data.join("shelfwise.db");
        let create = || PathBuf::from(done(command(&data, &["backup", "create", "--to", path(&to)])).trim());
        let many = create();
        Connection::open(&database).unwrap().execute("UPDATE books SET title = 'Later'", []).unwrap();
        let one = create();
        Self { database, many, one, next: BOOKS }
    }

    fn command(&self) -> Command {
        let from = if self.next == BOOKS { &self.many } else { &self.one };
        command(self.database.parent().unwrap(), &["restore", path(from), "--yes"])
    }

    fn check(&mut self) {
        let found = titles(&self.database).len();
        assert!(found == 1 || found == BOOKS, "{found}");
        // Once it has gone through, the way back is tried.
        self.next = if found == BOOKS { 1 } else { BOOKS };
        let folder = self.database.parent().unwrap();
        for former in names(folder).into_iter().filter(|name| name.contains(".before-")) {
            fs::remove_file(folder.join(former)).unwrap();
        }
    }
}

impl Drop for Restore {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            done(self.command());
            assert_eq!(titles(&self.database).len(), self.next);
            assert!(names(self.database.parent().unwrap()).iter().all(|name| !name.ends_with(".tmp")));
        }
    }
}

/// Checks that every row has the rows that it refers to, and every book its texts and its work.
fn whole_library(database: &Path) {
    let conn = Connection::open(database).unwrap();
    let count = |sql: &str| conn.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
    let books = "SELECT count(*) FROM books JOIN book_texts ON book_id = id WHERE length(impressions) = 2000";
    assert_eq!((count("SELECT count(*) FROM pragma_foreign_key_check"), count(books)), (0, BOOKS as i64));
    if schema::version(database) == known_schema() {
        // No two of these books are the same.
        assert_eq!(count("SELECT count(*) FROM books WHERE work = id"), BOOKS as i64);
        assert_eq!(count("SELECT count(*) FROM sqlite_schema WHERE name = 'rebuilt_books'"), 0);
    }
}

/// The first command after an upgrade, which replaces the table of books.
struct Migration {
    data: PathBuf,
    earlier: PathBuf,
}

const EARLIER: i32 = 3;

impl Migration {
    fn again(&self) {
        let _ = fs::remove_dir_all(&self.data);
        fs::create_dir(&self.data).unwrap();
        fs::copy(&self.earlier, self.data.join("shelfwise.db")).unwrap();
    }
}

impl Operation for Migration {
    const WHAT: &'static str = "migration";

    fn prepare(folder: &Path) -> Self {
        let (data, earlier) = (folder.join("data"), folder.join("earlier.db"));
        schema::earlier(&earlier, EARLIER, BOOKS as i64);
        let prepared = Self { data, earlier };
        prepared.again();
        prepared
    }

    fn command(&self) -> Command {
        command(&self.data, &["user", "list"])
    }

    fn check(&mut self) {
        let (database, backups) = (self.data.join("shelfwise.db"), self.data.join("backups"));
        assert_eq!(titles(&database).len(), BOOKS);
        whole_library(&database);
        let version = schema::version(&database);
        assert!(version == EARLIER || version == known_schema(), "half a migration: {version}");
        let kept = whole_backups(&backups);
        assert!(version == EARLIER || kept > 0, "migrated without a backup");
        done(self.command());
        assert_eq!((titles(&database).len(), schema::version(&database)), (BOOKS, known_schema()));
        whole_library(&database);
        self.again();
    }
}

/// Kills it after delays that are spread from nothing to a little more than a whole run takes.
fn killed_after_a_while<O: Operation>() {
    let folder = tempfile::tempdir().unwrap();
    let mut operation = O::prepare(folder.path());
    let started = Instant::now();
    done(operation.command());
    let longest = started.elapsed().mul_f64(1.1);
    operation.check();
    let (rounds, mut cut) = (times("CUTS", 6), 0);
    for round in 0..rounds {
        let mut child = operation.command().stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(longest.mul_f64(round as f64 / rounds as f64));
        let _ = child.kill();
        cut += usize::from(child.wait().unwrap().signal().is_some());
        operation.check();
    }
    let found = format!("{cut} cut off, all whole");
    row(&format!("kill -9 in a {}, after a while", O::WHAT), rounds, &found, "whole before or whole after");
}

/// Kills it at its first call of a kind that changes files, at the second, and so on until it ends by itself; then the next
/// kind. In every run of the tests only at some of them.
fn killed_at_its_writes<O: Operation>() {
    let folder = tempfile::tempdir().unwrap();
    let mut operation = O::prepare(folder.path());
    let most = times("CALLS", 0);
    let nth = |round: usize| if most == 0 { round.pow(3) } else { round };
    let mut rounds = 0;
    for kind in CHANGES {
        for call in (1..).map(nth).take_while(|call| most == 0 || *call <= most) {
            let Some(mut command) = interfere(&operation.command(), kind, &format!("signal=KILL:when={call}")) else {
                break;
            };
            let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap();
            operation.check();
            if status.success() {
                break;
            }
            assert_eq!(status.signal(), Some(9), "{kind} {call}: {status}");
            rounds += 1;
        }
    }
    if rounds == 0 {
        return skip("strace", "killing at chosen calls");
    }
    let what = format!("kill -9 in a {}, at each of its writes, syncs and renames", O::WHAT);
    row(&what, rounds, "all whole", "whole before or whole after");
}

#[test]
fn a_backup_that_is_killed_leaves_no_file_that_looks_like_one() {
    killed_after_a_while::<Backup>();
    killed_at_its_writes::<Backup>();
}

#[test]
fn a_restore_that_is_killed_leaves_the_former_database_or_the_new_one() {
    killed_after_a_while::<Restore>();
    killed_at_its_writes::<Restore>();
}

#[test]
fn a_migration_that_is_killed_leaves_the_former_schema_or_the_new_one_and_a_backup() {
    killed_after_a_while::<Migration>();
    killed_at_its_writes::<Migration>();
}
