//! Backups are complete, whatever happens while they are made, and damaged backups are refused.
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rusqlite::Connection;
use serde_json::json;
use tokio::sync::Mutex;

use crate::support::actors::{PASSWORD, Reader, Visitor};
use crate::support::fault_table::{row, times};
use crate::support::program::{self, Ended, Program, command, titles};

const WRITERS: usize = 4;

fn run(data: &Path, words: &[&str]) -> Ended {
    program::run(command(data, words), "")
}

fn path(file: &Path) -> &str {
    file.to_str().unwrap()
}

/// Backs up and answers the file that was printed.
#[track_caller]
fn create(data: &Path, to: &Path) -> PathBuf {
    let made = run(data, &["backup", "create", "--to", path(to)]);
    assert_eq!((made.status, made.err.as_str()), (0, ""));
    made.out.trim().into()
}

/// A data directory with one account and some texts in it.
fn library(folder: &Path) -> PathBuf {
    let data = folder.join("data");
    let made = program::run(command(&data, &["user", "create", "ada@example.org", "--name", "Ada"]), PASSWORD);
    assert_eq!(made.status, 0, "{}", made.err);
    let csv = folder.join("books.csv");
    let rows: String =
        (0..200).map(|n| format!("A book of {n} words,Somebody,{n}000,2020-01-02,{}\n", "x".repeat(100))).collect();
    std::fs::write(&csv, format!("Title,Author,Word Count,Date Completed,Impressions\n{rows}")).unwrap();
    let imported = program::run(unlimited(command(&data, &["import", "ada@example.org", path(&csv)])), "");
    assert_eq!(imported.status, 0, "{}", imported.err);
    data
}

fn unlimited(mut command: Command) -> Command {
    command.env("SHELFWISE_DEFAULT_PLAN", "shelfwise_plus");
    command
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Every file of a folder with its bytes.
fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    names(folder)
        .into_iter()
        .filter(|name| folder.join(name).is_file())
        .map(|name| (name.clone(), std::fs::read(folder.join(name)).unwrap()))
        .collect()
}

async fn write_until(stop: Arc<AtomicBool>, person: Reader, writer: usize, acknowledged: Arc<Mutex<BTreeSet<String>>>) {
    for number in 0.. {
        if stop.load(Ordering::SeqCst) {
            break;
        }
        let title = format!("{writer}/{number}");
        let book = json!({"title": title, "author": "A", "status": "undated", "impressions": "x".repeat(2000)});
        person.post("/api/books", book).await.expect(201);
        acknowledged.lock().await.insert(title);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn backups_during_writes_are_intact_and_contain_every_acknowledged_write() {
    let folder = tempfile::tempdir().unwrap();
    let (data, to) = (folder.path().join("data"), folder.path().join("to"));
    let mut server = Program::start(unlimited(command(&data, &["serve", "--listen", "127.0.0.1:0"])));
    let (stop, acknowledged) = (Arc::new(AtomicBool::new(false)), Arc::new(Mutex::new(BTreeSet::new())));
    let mut writers = Vec::new();
    for writer in 0..WRITERS {
        let person = Visitor::at(server.address()).sign_up_as(&format!("w{writer}@example.org"), "W").await;
        writers.push(tokio::spawn(write_until(stop.clone(), person, writer, acknowledged.clone())));
    }
    let mut last = 0;
    let backups = times("BACKUPS", 4);
    for round in 0..backups {
        // Something new must have been written since the one before.
        while acknowledged.lock().await.len() < last + 2 * WRITERS {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let before = acknowledged.lock().await.clone();
        last = before.len();
        let (from, into) = (data.clone(), to.clone());
        let file = tokio::task::spawn_blocking(move || create(&from, &into)).await.unwrap();
        let present = titles(&file);
        assert!(before.is_subset(&present), "round {round}: {:?} are missing", before.difference(&present));
    }
    stop.store(true, Ordering::SeqCst);
    for writer in writers {
        writer.await.unwrap();
    }
    assert_eq!(server.stop(), Some(0));
    let found = format!("none torn, none of {last} acknowledged books missing");
    row("backups under four writers", backups, &found, "none torn, none missing");
}

#[test]
fn a_backup_is_for_its_owner_alone_one_file_with_a_checksum_that_other_programs_read() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let (data, to) = (library(folder.path()), folder.path().join("to/deep"));
    let file = create(&data, &to);
    let name = file.file_name().unwrap().to_str().unwrap();
    assert_eq!(names(&to), [name.to_owned(), format!("{name}.sha256")]);
    for name in names(&to) {
        assert_eq!(std::fs::metadata(to.join(name)).unwrap().permissions().mode() & 0o777, 0o600);
    }
    let seal = std::fs::read_to_string(to.join(format!("{name}.sha256"))).unwrap();
    assert!(seal.len() == 64 + 2 + name.len() + 1 && seal.ends_with(&format!("  {name}\n")), "{seal}");
    assert_eq!(titles(&file).len(), 200);
    let verified = run(&data, &["backup", "verify", path(&file)]);
    assert_eq!((verified.status, verified.err.as_str()), (0, ""));
    assert_eq!(names(&to).len(), 2, "checking leaves nothing behind");
}

#[test]
fn keep_leaves_the_newest_and_the_list_shows_which_are_intact() {
    let folder = tempfile::tempdir().unwrap();
    let (data, to) = (library(folder.path()), folder.path().join("to"));
    let made: Vec<_> = (0..4).map(|_| create(&data, &to)).collect();
    std::fs::write(to.join("shelfwise-mine.db"), "mine").unwrap();
    let last = run(&data, &["backup", "create", "--keep", "2", "--to", path(&to)]);
    assert_eq!(last.status, 0, "{}", last.err);
    assert!(!made[0].exists() && made[3].exists() && to.join("shelfwise-mine.db").exists());
    let mut bytes = std::fs::read(&made[3]).unwrap();
    bytes[5000] ^= 1;
    std::fs::write(&made[3], bytes).unwrap();
    let listed = run(&data, &["backup", "list", path(&to), "--json"]);
    let listed: serde_json::Value = serde_json::from_str(&listed.out).unwrap();
    let verified: Vec<_> = listed
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["name"].as_str().unwrap(), one["verified"].as_bool().unwrap()))
        .collect();
    let name = |file: &Path| file.file_name().unwrap().to_str().unwrap().to_owned();
    assert_eq!(verified, [(name(Path::new(last.out.trim())).as_str(), true), (name(&made[3]).as_str(), false)]);
    let table = run(&data, &["backup", "list", path(&to)]).out;
    assert!(table.contains("does not hold") && table.lines().count() == 3, "{table}");
    assert_eq!(run(&data, &["backup", "create", "--keep", "0", "--to", path(&to)]).status, 2);
}

/// Puts backups that are dated in the future into a folder, as a machine leaves them whose clock was wrong.
fn future_backups(data: &Path, to: &Path) -> Vec<PathBuf> {
    let days = [90, 91].map(|days| chrono::Utc::now() + chrono::TimeDelta::days(days));
    days.map(|at| shelfwise::backups::create(&data.join("shelfwise.db"), to, None, at).unwrap()).to_vec()
}

#[test]
fn a_new_backup_stays_beside_backups_dated_in_the_future() {
    let folder = tempfile::tempdir().unwrap();
    let (data, to) = (library(folder.path()), folder.path().join("to"));
    let future = future_backups(&data, &to);
    let yesterday = chrono::Utc::now() - chrono::TimeDelta::days(1);
    let old = shelfwise::backups::create(&data.join("shelfwise.db"), &to, None, yesterday).unwrap();
    let made = run(&data, &["backup", "create", "--keep", "1", "--to", path(&to)]);
    assert_eq!(made.status, 0, "{}", made.err);
    assert!(Path::new(made.out.trim()).exists(), "the new backup was deleted");
    assert!(!old.exists() && future.iter().all(|file| file.exists()));
    let newest = future[1].file_name().unwrap().to_str().unwrap();
    assert!(made.err.contains("2 of the backups") && made.err.contains(newest), "{}", made.err);
}

/// Runs a server that backs up every second and keeps two backups, until it has made so many. Returns its log.
fn run_schedule(folder: &Path, data: &Path, to: &Path, backups: usize) -> String {
    let file = folder.join("log");
    let mut serving = command(data, &["serve", "--listen", "127.0.0.1:0"]);
    serving.env("SHELFWISE_BACKUP_TO", to).env("SHELFWISE_BACKUP_EVERY", "1s").env("SHELFWISE_BACKUP_KEEP", "2");
    serving.env("RUST_LOG", "info").stderr(std::fs::File::create(&file).unwrap());
    let mut server = Program::start(serving);
    let log = || std::fs::read_to_string(&file).unwrap();
    let started = Instant::now();
    while log().matches("backed up").count() < backups {
        assert!(started.elapsed() < Duration::from_secs(60), "{}", log());
        std::thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(server.stop(), Some(0));
    log()
}

#[test]
fn the_schedule_works_beside_backups_dated_in_the_future() {
    let folder = tempfile::tempdir().unwrap();
    let (data, to) = (library(folder.path()), folder.path().join("to"));
    let future = future_backups(&data, &to);
    let log = run_schedule(folder.path(), &data, &to, 4);
    let present: Vec<_> = names(&to).into_iter().filter(|name| name.ends_with(".db")).collect();
    assert!(future.iter().all(|file| file.exists()), "{present:?}");
    let made = present.len() - future.len();
    assert!((2..=3).contains(&made), "{present:?}");
    let warned = log.lines().any(|line| line.contains("WARN") && line.contains("dated in the future"));
    assert!(warned, "{log}");
}

#[test]
fn every_damaged_or_shortened_backup_is_refused_and_the_database_is_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let (data, to) = (library(folder.path()), folder.path().join("to"));
    let file = create(&data, &to);
    let (sound, before) = (std::fs::read(&file).unwrap(), contents(&data));
    let (flips, truncations) = (times("FLIPS", 20), times("TRUNCATIONS", 10));
    for round in 0..flips + truncations {
        let mut damaged = sound.clone();
        let at = fastrand::usize(..sound.len());
        if round < flips {
            damaged[at] ^= 1 << fastrand::u8(..8)
        } else {
            damaged.truncate(at)
        }
        std::fs::write(&file, damaged).unwrap();
        for words in [&["backup", "verify", path(&file)][..], &["restore", path(&file), "--yes"]] {
            let refused = run(&data, words);
            assert_eq!(refused.status, 1, "{words:?}, byte {at}: {}", refused.out);
            assert!(refused.err.contains("checksum"), "{}", refused.err);
        }
    }
    assert!(contents(&data) == before, "a refused restore changed something");
    std::fs::write(&file, &sound).unwrap();
    assert_eq!(run(&data, &["restore", path(&file), "--yes"]).status, 0);
    row("backups with a flipped bit, verified and restored", flips, "all refused, nothing changed", "all refused");
    row("backups cut short, verified and restored", truncations, "all refused, nothing changed", "all refused");
}

#[test]
fn a_foreign_a_newer_and_an_unsealed_file_are_refused_even_with_a_right_checksum() {
    let folder = tempfile::tempdir().unwrap();
    let (data, to) = (library(folder.path()), folder.path().join("to"));
    let seal = |file: &Path| {
        let bytes = std::fs::read(file).unwrap();
        let sum = shelfwise::kit::db::backup_file::digest(bytes.as_slice(), std::io::sink()).unwrap();
        std::fs::write(shelfwise::kit::db::backup_file::checksum_file(file), sum).unwrap();
    };
    let newer = create(&data, &to);
    Connection::open(&newer)
        .unwrap()
        .execute("UPDATE refinery_schema_history SET version = 9999 WHERE version = 1", [])
        .unwrap();
    let foreign = to.join("foreign.db");
    Connection::open(&foreign).unwrap().execute_batch("CREATE TABLE recipes (name TEXT)").unwrap();
    let (empty, text) = (to.join("empty.db"), to.join("text.db"));
    std::fs::write(&empty, "").unwrap();
    std::fs::write(&text, "no database").unwrap();
    for file in [&newer, &foreign, &empty, &text] {
        seal(file);
    }
    let unsealed = to.join("unsealed.db");
    std::fs::copy(create(&data, &to), &unsealed).unwrap();
    let before = contents(&data);
    for (file, why) in [
        (newer, "newer"),
        (foreign, "another program"),
        (empty, "another program"),
        (text, "not a database"),
        (unsealed, "no checksum"),
        (to.join("missing.db"), "not there"),
    ] {
        for target in [&data, &folder.path().join("new")] {
            let refused = run(target, &["restore", path(&file), "--yes"]);
            assert_eq!(refused.status, 1, "{}: {}", file.display(), refused.err);
            assert!(refused.err.contains(why), "{}", refused.err);
        }
    }
    assert!(contents(&data) == before && !folder.path().join("new").exists());
}

#[test]
fn a_restore_brings_back_the_backup_keeps_the_former_database_and_ends_all_sessions() {
    let folder = tempfile::tempdir().unwrap();
    let (data, to) = (library(folder.path()), folder.path().join("to"));
    let database = data.join("shelfwise.db");
    let conn = Connection::open(&database).unwrap();
    let session = "INSERT INTO sessions (token_hash, user_id, created_at, last_seen, ip_address, user_agent) VALUES (x'00', 1, '', '', '', '')";
    conn.execute(session, []).unwrap();
    let file = create(&data, &to);
    // Left in the log on purpose, as after a crash.
    conn.execute_batch("PRAGMA wal_autocheckpoint = 0; UPDATE books SET title = 'Later'").unwrap();
    let crashed = folder.path().join("crashed");
    std::fs::create_dir(&crashed).unwrap();
    for name in ["shelfwise.db", "shelfwise.db-wal"] {
        std::fs::copy(data.join(name), crashed.join(name)).unwrap();
    }
    drop(conn);
    let unasked = run(&crashed, &["restore", path(&file)]);
    assert_eq!(unasked.status, 1);
    assert!(unasked.err.contains("--yes"), "{}", unasked.err);
    assert_eq!(run(&crashed, &["restore", path(&file), "--yes"]).status, 0);
    let database = crashed.join("shelfwise.db");
    assert_eq!(titles(&database).len(), 200);
    let sessions = |file: &Path| -> i64 {
        Connection::open(file).unwrap().query_row("SELECT count(*) FROM sessions", [], |row| row.get(0)).unwrap()
    };
    assert_eq!((sessions(&file), sessions(&database)), (1, 0));
    assert!(!crashed.join("shelfwise.db-wal").exists(), "the former log must not meet the new database");
    let former =
        names(&crashed).into_iter().find(|name| name.contains(".before-") && !name.ends_with(".sha256")).unwrap();
    let former = crashed.join(former);
    assert_eq!(titles(&former), BTreeSet::from(["Later".to_owned()]));
    assert_eq!(run(&crashed, &["restore", path(&former), "--yes"]).status, 0);
    assert_eq!(titles(&database), BTreeSet::from(["Later".to_owned()]));
}

#[test]
fn a_restore_works_into_a_missing_folder_over_a_damaged_database_and_not_under_a_server() {
    let folder = tempfile::tempdir().unwrap();
    let (data, to) = (library(folder.path()), folder.path().join("to"));
    let file = create(&data, &to);
    let fresh = folder.path().join("a/new/place");
    assert_eq!(run(&fresh, &["restore", path(&file)]).status, 0, "nothing is replaced, nobody is asked");
    assert_eq!(titles(&fresh.join("shelfwise.db")).len(), 200);
    for damaged in ["short", &"This is long enough to be taken for a database. ".repeat(100)] {
        std::fs::write(fresh.join("shelfwise.db"), damaged).unwrap();
        std::fs::write(fresh.join("shelfwise.db-wal"), format!("the log of {damaged}")).unwrap();
        assert_eq!(run(&fresh, &["restore", path(&file), "--yes"]).status, 0);
        assert_eq!(titles(&fresh.join("shelfwise.db")).len(), 200);
        let kept: Vec<_> = contents(&fresh).into_iter().filter(|(name, _)| name.contains(".before-")).collect();
        for bytes in [damaged.to_owned(), format!("the log of {damaged}")] {
            assert!(kept.iter().any(|(_, kept)| kept == bytes.as_bytes()), "{:?}", names(&fresh));
        }
    }
    let mut server = Program::start(command(&fresh, &["serve", "--listen", "127.0.0.1:0"]));
    let refused = run(&fresh, &["restore", path(&file), "--yes"]);
    assert_eq!(refused.status, 75, "{}", refused.err);
    assert_eq!(server.stop(), Some(0));
    assert_eq!(titles(&fresh.join("shelfwise.db")).len(), 200);
}

#[test]
fn a_server_backs_up_on_its_schedule_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let (data, to) = (library(folder.path()), folder.path().join("to"));
    let log = run_schedule(folder.path(), &data, &to, 3);
    let kept: Vec<_> = names(&to).into_iter().filter(|name| name.ends_with(".db")).collect();
    assert!((1..=3).contains(&kept.len()), "{kept:?}");
    assert_eq!(run(&data, &["backup", "verify", path(&to.join(&kept[0]))]).status, 0);
    assert!(!log.contains(path(folder.path())), "log lines carry names, not places: {log}");
}
