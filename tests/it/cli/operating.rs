//! An operator's tasks besides backups: importing, exporting, files; and how the server starts and stops.
use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::actors::{PASSWORD, Visitor};
use crate::support::fault_table::row;
use crate::support::program::{self, Ended, Program, command};
use crate::support::schema;
use crate::support::tools::skip;

fn run(data: &Path, words: &[&str]) -> Ended {
    program::run(command(data, words), "")
}

fn account(data: &Path) {
    let made = program::run(command(data, &["user", "create", "ada@example.org", "--name", "Ada"]), PASSWORD);
    assert_eq!(made.status, 0, "{}", made.err);
}

fn path(file: &Path) -> &str {
    file.to_str().unwrap()
}

fn serve(data: &Path) -> Program {
    Program::start(command(data, &["serve", "--listen", "127.0.0.1:0"]))
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn every_help_shows_an_example() {
    let folder = tempfile::tempdir().unwrap();
    for words in [
        &["backup", "--help"][..],
        &["backup", "create", "--help"],
        &["backup", "list", "--help"],
        &["backup", "verify", "--help"],
        &["restore", "--help"],
        &["import", "--help"],
        &["refill", "--help"],
        &["export", "--help"],
        &["doctor", "--help"],
        &["completions", "--help"],
    ] {
        let help = run(folder.path(), words);
        assert!(help.status == 0 && help.out.contains("Example:\n  shelfwise "), "{words:?}: {}", help.out);
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn without_a_database_commands_end_with_1_and_make_none() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let (to, csv) = (folder.path().join("to"), folder.path().join("books.csv"));
    fs::write(&csv, "Title,Author\nA,B\n").unwrap();
    for words in [
        &["backup", "create", "--to", path(&to)][..],
        &["import", "ada@example.org", path(&csv)],
        &["refill", "ada@example.org"],
        &["export", "ada@example.org", "--output", path(&to)],
        &["doctor"],
        &["backup", "list", path(&to)],
        &["backup", "verify", path(&to)],
    ] {
        let ended = run(&data, words);
        assert_eq!(ended.status, 1, "{words:?}: {}", ended.err);
    }
    assert!(!data.exists() && !to.exists());
}

#[test]
fn a_file_is_previewed_imported_and_exported_without_loss() {
    let folder = tempfile::tempdir().unwrap();
    let (data, csv, out) = (folder.path().join("data"), folder.path().join("books.csv"), folder.path().join("out.csv"));
    account(&data);
    fs::write(
        &csv,
        "Title,Author,Word Count,Date Completed,Rating\nDune,Herbert,188000,2020-01-02,9\nBad,Herbert,1,2020-13-45,9\n",
    )
    .unwrap();
    let tried = run(&data, &["import", "ada@example.org", path(&csv), "--dry-run", "--json"]);
    let tried: Value = serde_json::from_str(&tried.out).unwrap();
    assert_eq!((&tried["imported"], &tried["errors"], &tried["importId"]), (&json!(1), &json!(1), &Value::Null));
    let imported = run(&data, &["import", "ada@example.org", path(&csv)]);
    assert_eq!(imported.status, 0, "{}", imported.err);
    assert!(
        imported.out.starts_with("Imported 1 book and 0 to-be-read items") && imported.out.contains("line 3: "),
        "{}",
        imported.out
    );
    assert!(run(&data, &["import", "ada@example.org", path(&csv)]).out.starts_with("Imported 0 books"));
    let exported = run(&data, &["export", "ADA@example.org", "--output", path(&out)]);
    assert_eq!((exported.status, exported.err.as_str()), (0, ""));
    let text = fs::read_to_string(&out).unwrap();
    assert!(text.lines().count() == 2 && text.contains("Dune,Herbert,188000,2020-01-02,9"), "{text}");
    assert!(run(&data, &["import", "ada@example.org", path(&out)]).out.contains("1 row skipped"));
    let filled = run(&data, &["refill", "ada@example.org", "--dry-run"]);
    assert_eq!((filled.status, filled.out.as_str()), (0, "Nothing to fill in: what the files said is all here.\n"));
    for (words, why) in [
        (&["import", "bob@example.org", path(&csv)][..], "no account"),
        (&["import", "ada@example.org", path(&folder.path().join("missing.csv"))], "missing.csv"),
        (&["export", "bob@example.org", "--output", path(&out)], "no account"),
        (&["export", "ada@example.org", "--output", "/no/such/folder/x.csv"], "/no/such/folder"),
    ] {
        let refused = run(&data, words);
        assert!(refused.status == 1 && refused.err.contains(why), "{words:?}: {}", refused.err);
    }
}

#[test]
fn the_doctor_finds_nothing_in_a_new_data_directory_and_names_what_is_wrong_in_another() {
    let folder = tempfile::tempdir().unwrap();
    let (data, to) = (folder.path().join("data"), folder.path().join("to"));
    account(&data);
    let sound = run(&data, &["doctor"]);
    assert_eq!(sound.status, 0, "{}{}", sound.out, sound.err);
    let check = |name: &str| -> Value {
        let mut command = command(&data, &["doctor", "--json"]);
        command.env("SHELFWISE_BACKUP_TO", &to);
        let ended = program::run(command, "");
        assert_eq!(ended.status, 1);
        let checks: Value = serde_json::from_str(&ended.out).unwrap();
        checks.as_array().unwrap().iter().find(|check| check["name"] == name).unwrap().clone()
    };
    assert_eq!(check("backups")["ok"], false);
    assert_eq!(run(&data, &["backup", "create", "--to", path(&to)]).status, 0);
    set_mode(&data, 0o755);
    assert_eq!((check("backups")["ok"].clone(), check("data directory")["ok"].clone()), (json!(true), json!(false)));
    set_mode(&data, 0o700);
    set_mode(&data.join("shelfwise.db"), 0o644);
    assert_eq!(check("permissions")["ok"], false);
    set_mode(&data.join("shelfwise.db"), 0o600);
    let mut bytes = fs::read(data.join("shelfwise.db")).unwrap();
    let middle = bytes.len() / 8192 * 4096;
    bytes[middle..middle + 100].fill(0xff);
    fs::write(data.join("shelfwise.db"), bytes).unwrap();
    assert_eq!(check("database")["ok"], false);
}

#[test]
fn completions_know_the_commands_of_every_shell() {
    let folder = tempfile::tempdir().unwrap();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let printed = run(folder.path(), &["completions", shell]);
        assert!(printed.status == 0 && printed.out.contains("restore"), "{shell}: {}", printed.err);
    }
    assert_eq!(run(folder.path(), &["completions", "basic"]).status, 2);
}

#[test]
fn a_stop_takes_at_most_ten_seconds_with_open_connections_and_leaves_no_wal() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    account(&data);
    let mut server = serve(&data);
    let address = server.address().trim_start_matches("http://").to_owned();
    let held: Vec<_> = (0..100)
        .map(|number| {
            let mut stream = TcpStream::connect(&address).unwrap();
            let part =
                ["", "GET /healthz HT", "POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{"]
                    [number % 3];
            stream.write_all(part.as_bytes()).unwrap();
            stream
        })
        .collect();
    let mut last = TcpStream::connect(&address).unwrap();
    last.write_all(b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    last.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    let asked = Instant::now();
    assert_eq!(server.stop(), Some(0));
    let took = asked.elapsed();
    assert!(took < Duration::from_secs(10), "{took:?}");
    row("SIGTERM with half-open connections", held.len(), &format!("stopped in {} ms", took.as_millis()), "≤ 10 s");
    drop(held);
    let log = fs::metadata(data.join("shelfwise.db-wal")).map_or(0, |log| log.len());
    assert_eq!(log, 0, "the log is folded into the database");
}

#[test]
fn a_log_outside_a_terminal_has_no_colours() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let mut serving = command(&folder.path().join("data"), &["serve", "--listen", "127.0.0.1:0"]);
    serving.env("RUST_LOG", "info").stderr(fs::File::create(&log).unwrap());
    assert_eq!(Program::start(serving).stop(), Some(0));
    let said = fs::read_to_string(log).unwrap();
    assert!(said.contains("INFO") && !said.contains('\u{1b}'), "{said:?}");
}

#[test]
fn a_data_directory_that_cannot_be_written_or_made_ends_with_78() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    account(&data);
    fs::remove_file(data.join("shelfwise.lock")).ok();
    let mut places = vec![Path::new("/proc/shelfwise").to_owned(), Path::new("/dev/null/data").to_owned()];
    set_mode(&data, 0o500);
    // Root may write anywhere: only others find this one read-only.
    if fs::File::create(data.join("probe")).is_err() {
        places.push(data.clone());
    }
    for place in places {
        let ended = run(&place, &["serve", "--listen", "127.0.0.1:0"]);
        assert_eq!(ended.status, 78, "{}: {}", place.display(), ended.err);
        assert!(ended.err.contains(path(&place)), "{}", ended.err);
    }
    set_mode(&data, 0o700);
}

#[test]
fn a_newer_command_line_does_not_migrate_the_database_under_a_server_from_before_the_upgrade() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    account(&data);
    let mut server = serve(&data);
    let conn = rusqlite::Connection::open(data.join("shelfwise.db")).unwrap();
    let newest =
        "DELETE FROM refinery_schema_history WHERE version = (SELECT max(version) FROM refinery_schema_history)";
    assert_eq!(conn.execute(newest, []).unwrap(), 1);
    for words in [&["user", "list"][..], &["user", "create", "bob@example.org", "--name", "Bob"]] {
        let refused = program::run(command(&data, words), PASSWORD);
        assert_eq!(refused.status, 75, "{}", refused.err);
        assert!(refused.err.contains("restart"), "{}", refused.err);
    }
    assert_eq!(server.stop(), Some(0));
}

#[test]
fn a_shortened_database_ends_with_78_and_is_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    account(&data);
    let database = data.join("shelfwise.db");
    let sound = fs::read(&database).unwrap();
    for length in [100, 4096, sound.len() / 2, sound.len() - 4096] {
        fs::write(&database, &sound[..length]).unwrap();
        let ended = run(&data, &["serve", "--listen", "127.0.0.1:0"]);
        assert_eq!(ended.status, 78, "{length}: {}", ended.err);
        assert!(fs::read(&database).unwrap() == sound[..length], "{length}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_that_was_copied_beside_the_wal_of_a_killed_server_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (data, to) = (folder.path().join("data"), folder.path().join("to"));
    account(&data);
    let backup = run(&data, &["backup", "create", "--to", path(&to)]);
    let mut server = serve(&data);
    Visitor::at(server.address()).sign_up_as("bob@example.org", "Bob").await;
    server.kill();
    let wal = data.join("shelfwise.db-wal");
    assert!(fs::metadata(&wal).unwrap().len() > 0, "this tests nothing");
    fs::copy(backup.out.trim(), data.join("shelfwise.db")).unwrap();
    for words in [&["serve", "--listen", "127.0.0.1:0"][..], &["user", "list"]] {
        let refused = run(&data, words);
        assert!(
            refused.status == 78 && refused.err.contains("shelfwise.db-wal beside it are two states"),
            "{}",
            refused.err
        );
    }
    let found = run(&data, &["doctor"]);
    assert!(found.status == 1 && found.out.contains("two states"), "{}", found.out);
    for ending in ["wal", "shm"] {
        fs::remove_file(data.join(format!("shelfwise.db-{ending}"))).unwrap();
    }
    let listed = run(&data, &["user", "list"]);
    assert!(listed.status == 0 && listed.out.contains("ada@") && !listed.out.contains("bob@"), "{}", listed.out);
}

#[test]
fn commands_that_read_work_on_a_snapshot_that_nothing_can_be_written_to() {
    let Some(disk) = SmallDisk::mount() else {
        return skip("small-disk", "a read-only file system");
    };
    let (data, to) = (disk.0.path().join("data"), tempfile::tempdir().unwrap());
    account(&data);
    let remounted = Command::new("mount").args(["-o", "remount,ro"]).arg(disk.0.path()).status();
    assert!(remounted.unwrap().success());
    for words in [
        &["user", "list"][..],
        &["export", "ada@example.org", "--output", "-"],
        &["backup", "create", "--to", path(to.path())],
    ] {
        let ended = run(&data, words);
        assert_eq!(ended.status, 0, "{words:?}: {}", ended.err);
    }
}

/// A small file system in memory, where the tests may make one.
struct SmallDisk(tempfile::TempDir);

impl SmallDisk {
    fn mount() -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", "size=3m", "tmpfs"]).arg(folder.path()).output();
        mounted.is_ok_and(|done| done.status.success()).then_some(Self(folder))
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(self.0.path()).status();
    }
}

#[test]
fn an_upgrade_without_room_leaves_the_database_as_it_was() {
    let Some(disk) = SmallDisk::mount() else {
        return skip("small-disk", "an upgrade without room");
    };
    let (data, place) = (disk.0.path().join("data"), tempfile::tempdir().unwrap());
    fs::create_dir(&data).unwrap();
    fs::set_permissions(&data, fs::Permissions::from_mode(0o700)).unwrap();
    let (earlier, database) = (place.path().join("earlier.db"), data.join("shelfwise.db"));
    schema::earlier(&earlier, 19, 200);
    fs::copy(&earlier, &database).unwrap();
    let before = fs::read(&database).unwrap();
    // Room for the files beside a database, and none for a backup of it.
    fs::write(disk.0.path().join("filler"), vec![0; 3 * 1024 * 1024 - before.len() - 200 * 1024]).unwrap();
    let refused = program::run(command(&data, &["serve", "--listen", "127.0.0.1:0"]), "");
    assert!(refused.status == 78 && refused.err.contains("the backup before that failed"), "{}", refused.err);
    assert!(fs::read(&database).unwrap() == before);
    let left = fs::read_dir(data.join("backups")).map_or(0, Iterator::count);
    assert_eq!(left, 0, "no part of a backup");
}

#[tokio::test]
async fn a_full_disk_gives_507_reads_work_and_free_space_restores_writes() {
    let Some(disk) = SmallDisk::mount() else {
        return skip("small-disk", "a full disk");
    };
    let filler = disk.0.path().join("filler");
    fs::write(&filler, vec![0; 1024 * 1024]).unwrap();
    let mut serving = command(&disk.0.path().join("data"), &["serve", "--listen", "127.0.0.1:0"]);
    let log = tempfile::NamedTempFile::new().unwrap();
    serving.env("SHELFWISE_DEFAULT_PLAN", "shelfwise_plus").stderr(log.reopen().unwrap());
    let mut server = Program::start(serving);
    let person = Visitor::at(server.address()).sign_up_as("ada@example.org", "Ada").await;
    let book = |number: usize| json!({"title": format!("Book {number}"), "author": "A", "status": "undated", "impressions": "x".repeat(20_000)});
    let mut written = 0;
    let full = loop {
        let answer = person.post("/api/books", book(written)).await;
        match answer.status {
            201 => written += 1,
            _ => break answer,
        }
        assert!(written < 1000, "the disk does not fill");
    };
    assert_eq!(full.code(507), "disk_full");
    let failing = person.get("/healthz").await.expect(503);
    assert_eq!(failing, json!({"status": "failing", "why": ["The disk is full."]}));
    let shown = |answer: Value| answer["data"].as_array().unwrap().len();
    assert_eq!(shown(person.get("/api/books").await.expect(200)), written);
    fs::remove_file(&filler).unwrap();
    person.post("/api/books", book(written)).await.expect(201);
    assert_eq!(shown(person.get("/api/books").await.expect(200)), written + 1);
    crate::features::service::healthy(&person).await;
    assert_eq!(server.stop(), Some(0));
    let said = fs::read_to_string(log.path()).unwrap();
    assert!(said.lines().any(|line| line.contains("ERROR") && line.contains("The disk is full.")), "{said}");
    let found = format!("507 after {written}, reads 200, 201 again with room");
    row("writes until the disk is full", written + 2, &found, "507, reads 200, recovers");
}
