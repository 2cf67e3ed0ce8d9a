//! `shelfwise settings`: stored beside a server, taken over while it runs, outranked by the config file and the environment.
use std::os::unix::fs::chown;
use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::actors::{PASSWORD, TestClient, Visitor};
use crate::support::program::{self, Ended, Program, shelfwise};

fn run(data: &std::path::Path, line: &[&str]) -> Ended {
    let mut command = shelfwise();
    command.arg("settings").args(line).arg("--data-dir").arg(data);
    program::run(command, PASSWORD)
}

fn server(data: &std::path::Path) -> Command {
    let mut command = shelfwise();
    command.args(["serve", "--listen", "127.0.0.1:0", "--data-dir"]).arg(data);
    command
}

async fn until_site(person: &TestClient, key: &str, value: Value) {
    let found = async {
        while person.get("/api/site").await.expect(200)[key] != value {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(120), found).await.unwrap();
}

#[tokio::test]
async fn a_running_server_takes_over_what_a_command_stores_and_the_next_start_keeps_it() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let mut running = Program::start(server(&data));
    let person = Visitor::at(running.address()).sign_up().await;
    let stored = run(&data, &["set", "instance", "private"]);
    assert_eq!((stored.status, stored.out.trim()), (0, "instance is private"), "{}", stored.err);
    until_site(&person, "instance", json!("private")).await;
    assert_eq!(person.post("/api/teams", json!({"name": "Ours"})).await.status, 201);
    assert_eq!(run(&data, &["get", "instance"]).out.trim(), "private");
    assert_eq!(running.stop(), Some(0));

    let mut running = Program::start(server(&data));
    let visitor = Visitor::at(running.address());
    assert_eq!(visitor.get("/api/site").await.expect(200)["instance"], "private");
    assert_eq!(run(&data, &["unset", "instance"]).status, 0);
    until_site(&visitor, "instance", json!("public")).await;
    assert_eq!(running.stop(), Some(0));
}

#[test]
fn what_outranks_a_stored_value_is_named_and_wrong_values_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    assert_eq!(Program::start(server(&data)).stop(), Some(0));
    let fixed = |line: &[&str]| {
        let mut command = shelfwise();
        command.arg("settings").args(line).arg("--data-dir").arg(&data).env("SHELFWISE_SIGNUP", "invite");
        program::run(command, "")
    };
    let listed = fixed(&["list", "--json"]).out;
    let fixed = fixed(&["set", "signup", "closed"]);
    assert_eq!(fixed.status, 1);
    assert!(fixed.err.contains("SHELFWISE_SIGNUP"), "{}", fixed.err);
    for line in [
        &["set", "default_plan", "gold"][..],
        &["set", "backup.keep", "many"],
        &["set", "lookup.covers", "some"],
        &["set", "lookup.sources", "openlibrary,amazon"],
        &["set", "backup.keep", "0"],
        &["set", "listen", "x"],
        &["get", "everything"],
    ] {
        let refused = run(&data, line);
        assert_eq!(refused.status, 2, "{line:?}: {}", refused.err);
    }
    assert_eq!(run(&data, &["set", "limits.books", "7"]).status, 0);
    assert_eq!(
        run(&data, &["set", "lookup.sources", "openlibrary, dnb"]).out.trim(),
        "lookup.sources is openlibrary,dnb"
    );
    assert_eq!(run(&data, &["get", "lookup.sources"]).out.trim(), "openlibrary,dnb");
    assert_eq!(run(&data, &["set", "lookup.sources", ""]).status, 0);
    assert_eq!(run(&data, &["get", "lookup.sources"]).out.trim(), "");
    let entry = |listed: &str, key: &str| {
        let listed: Value = serde_json::from_str(listed).unwrap();
        listed.as_array().unwrap().iter().find(|entry| entry["key"] == key).unwrap().clone()
    };
    let books = entry(&run(&data, &["list", "--json"]).out, "limits.books");
    assert_eq!(books, json!({"key": "limits.books", "value": 7, "source": "settings"}));
    assert_eq!(entry(&listed, "signup"), json!({"key": "signup", "value": "invite", "source": "environment"}));
    assert!(run(&data, &["list"]).out.contains("limits.books"));
}

#[test]
fn a_folder_for_backups_is_checked_as_by_the_api() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    assert_eq!(Program::start(server(&data)).stop(), Some(0));
    for (to, reason) in [("backups", "begin with a slash"), ("/proc/no/folder", "can't write")] {
        let refused = run(&data, &["set", "backup.to", to]);
        assert!(refused.status == 1 && refused.err.contains(reason), "{to}: {}", refused.err);
        assert_eq!(run(&data, &["get", "backup.to"]).out.trim(), "-");
    }
    let to = folder.path().join("a/b");
    let stored = run(&data, &["set", "backup.to", to.to_str().unwrap()]);
    assert_eq!(stored.status, 0, "{}", stored.err);
    assert!(to.is_dir(), "a missing folder is made");
}

#[test]
fn root_is_warned_of_a_folder_that_the_servers_user_cannot_write_to() {
    let folder = tempfile::tempdir().unwrap();
    let (data, to) = (folder.path().join("data"), folder.path().join("copies"));
    assert_eq!(Program::start(server(&data)).stop(), Some(0));
    std::fs::create_dir(&to).unwrap();
    if !rustix::process::geteuid().is_root() {
        return;
    }
    for entry in std::fs::read_dir(&data).unwrap() {
        chown(entry.unwrap().path(), Some(64_000), Some(64_000)).unwrap();
    }
    chown(&data, Some(64_000), Some(64_000)).unwrap();
    let refused = run(&data, &["set", "backup.to", to.to_str().unwrap()]);
    assert!(refused.status == 1 && refused.err.contains("chown 64000:64000"), "{} {}", refused.status, refused.err);
    chown(&to, Some(64_000), None).unwrap();
    let stored = run(&data, &["set", "backup.to", to.to_str().unwrap()]);
    assert_eq!(stored.status, 0, "{}", stored.err);
}
