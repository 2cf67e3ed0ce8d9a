//! The command line: the output and the exit status of each command.
use std::net::TcpListener;
use std::path::Path;
use std::process::Command;

use crate::support::actors::{PASSWORD, browser};
use crate::support::program::{self, Ended, Program, shelfwise};

/// A command that stands in a folder, where its data directory is then by default.
fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = shelfwise();
    command.args(arguments).current_dir(folder);
    command
}

fn run(folder: &Path, arguments: &[&str]) -> Ended {
    program::run(command(folder, arguments), "")
}

fn create(folder: &Path, arguments: &[&str], password: &str) -> Ended {
    program::run(command(folder, &[&["user", "create"], arguments].concat()), password)
}

fn serve(folder: &Path) -> Program {
    Program::start(command(folder, &["serve", "--listen", "127.0.0.1:0"]))
}

#[test]
fn every_help_shows_an_example() {
    let folder = tempfile::tempdir().unwrap();
    for words in [
        &["--help"][..],
        &["serve", "--help"],
        &["user", "--help"],
        &["user", "create", "--help"],
        &["openapi", "--help"],
    ] {
        let help = run(folder.path(), words);
        assert_eq!(help.status, 0, "{words:?}");
        let example = help.out.split("Example").nth(1).unwrap_or_else(|| panic!("{words:?}: {}", help.out));
        assert!(example.contains("\n  shelfwise "), "{words:?}: {}", help.out);
    }
}

#[test]
fn a_wrong_flag_or_argument_ends_with_2() {
    let folder = tempfile::tempdir().unwrap();
    for words in [
        &["serve", "--lisen", "x"][..],
        &["serve", "--listen", "nowhere"],
        &["serve", "--public-url", "ftp://x"],
        &["sing"],
        &["user", "create"],
        &["serve", "--demo", "--data-dir", "x"],
        &["--data-dir", "x", "serve", "--demo"],
    ] {
        let ended = run(folder.path(), words);
        assert_eq!((ended.status, ended.out.as_str()), (2, ""), "{words:?}");
        assert!(!ended.err.is_empty(), "{words:?}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_bad_setting_ends_with_78_and_is_named() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("unknown.toml"), "book_limt = 3\n").unwrap();
    std::fs::write(folder.path().join("bad.toml"), "book_limit = \"many\"\n").unwrap();
    for (words, variable, named) in [
        (&["serve", "--config", "missing.toml"][..], ("LANG", "C"), "missing.toml"),
        (&["--config", "unknown.toml", "serve"], ("LANG", "C"), "book_limt"),
        (&["serve", "--config", "bad.toml"], ("LANG", "C"), "book_limit"),
        (&["serve"], ("SHELFWISE_BOOK_LIMT", "3"), "SHELFWISE_BOOK_LIMT"),
        (&["serve"], ("SHELFWISE_BOOK_LIMIT", "many"), "SHELFWISE_BOOK_LIMIT"),
        (&["serve"], ("SHELFWISE_CONFIG", "missing.toml"), "missing.toml"),
    ] {
        let mut command = command(folder.path(), words);
        command.env(variable.0, variable.1);
        let ended = program::run(command, "");
        assert_eq!(ended.status, 78, "{words:?} {variable:?}: {}", ended.err);
        assert!(ended.err.contains(named), "{}", ended.err);
    }
}

#[test]
fn a_data_directory_that_is_a_file_ends_with_78() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("data"), "").unwrap();
    for ended in
        [run(folder.path(), &["serve"]), create(folder.path(), &["ada@example.org", "--name", "Ada"], PASSWORD)]
    {
        assert_eq!(ended.status, 78, "{}", ended.err);
        assert!(ended.err.contains("data"), "{}", ended.err);
    }
}

#[test]
fn a_newer_foreign_or_damaged_database_ends_with_78_and_is_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| {
        std::fs::create_dir(folder.path().join(name)).unwrap();
        folder.path().join(name).join("shelfwise.db")
    };
    assert_eq!(create(folder.path(), &["ada@example.org", "--name", "Ada", "--data-dir", "newer"], PASSWORD).status, 0);
    let newer = folder.path().join("newer/shelfwise.db");
    let conn = rusqlite::Connection::open(&newer).unwrap();
    conn.execute("UPDATE refinery_schema_history SET version = 9999 WHERE version = 1", []).unwrap();
    conn.close().unwrap();
    let foreign = file("foreign");
    let conn = rusqlite::Connection::open(&foreign).unwrap();
    conn.execute_batch("CREATE TABLE recipes (name TEXT)").unwrap();
    conn.close().unwrap();
    let damaged = file("damaged");
    std::fs::write(&damaged, "This is no database, but long enough to be taken for one. ".repeat(100)).unwrap();
    for (name, path, word) in
        [("newer", newer, "newer"), ("foreign", foreign, "another program"), ("damaged", damaged, "shelfwise.db")]
    {
        let before = std::fs::read(&path).unwrap();
        let ended = run(folder.path(), &["serve", "--listen", "127.0.0.1:0", "--data-dir", name]);
        assert_eq!(ended.status, 78, "{name}: {}", ended.err);
        assert!(ended.err.contains(word), "{name}: {}", ended.err);
        assert!(std::fs::read(&path).unwrap() == before, "{name} was changed");
    }
}

#[test]
fn a_second_server_on_the_same_data_directory_ends_with_75() {
    let folder = tempfile::tempdir().unwrap();
    let mut first = serve(folder.path());
    let second = run(folder.path(), &["serve", "--listen", "127.0.0.1:0"]);
    assert_eq!(second.status, 75, "{}", second.err);
    assert_eq!(first.stop(), Some(0));
    assert_eq!(serve(folder.path()).stop(), Some(0));
}

#[test]
fn a_taken_port_ends_with_1() {
    let folder = tempfile::tempdir().unwrap();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let ended = run(folder.path(), &["serve", "--listen", &address]);
    assert_eq!(ended.status, 1, "{}", ended.err);
    assert!(ended.err.contains(&address), "{}", ended.err);
}

#[tokio::test]
async fn an_account_made_beside_a_running_server_signs_in_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let server = serve(folder.path());
    let made =
        create(folder.path(), &["Ada@example.org", "--name", "Ada", "--admin"], &format!("{PASSWORD}\nignored\n"));
    assert_eq!((made.status, made.err.as_str()), (0, ""));
    assert!(made.out.contains("Ada@example.org") && !made.out.contains(PASSWORD), "{}", made.out);
    let form = serde_json::json!({"email": "ada@example.org", "password": PASSWORD});
    let answer = browser().post(format!("{}/api/auth/login", server.address())).json(&form).send().await.unwrap();
    assert_eq!(answer.status(), 200);
    assert_eq!(answer.json::<serde_json::Value>().await.unwrap()["user"]["role"], "admin");
}

#[test]
fn a_refused_account_ends_with_1_and_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(create(folder.path(), &["ada@example.org", "--name", "Ada", "--new"], PASSWORD).status, 0);
    for (email, password, why) in [
        ("ADA@example.org", PASSWORD, "already"),
        ("bob@example.org", "short", "at least 8"),
        ("bob@example.org", "", "at least 8"),
        ("bob", PASSWORD, "valid email"),
    ] {
        let refused = create(folder.path(), &[email, "--name", "Ada"], password);
        assert_eq!((refused.status, refused.out.as_str()), (1, ""), "{email}");
        assert!(refused.err.contains(why), "{}", refused.err);
    }
}

#[test]
fn the_description_is_printed_whole() {
    let folder = tempfile::tempdir().unwrap();
    let printed = run(folder.path(), &["openapi"]);
    let description: serde_json::Value = serde_json::from_str(&printed.out).unwrap();
    assert!(description["paths"]["/api/books"].is_object());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "it needs no data directory");
}
