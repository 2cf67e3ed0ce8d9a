//! Reports of backups to a monitor.
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::path::Path;
use std::process::Stdio;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use crate::support::actors::PASSWORD;
use crate::support::program::{self, Ended, Program, shelfwise};

/// A monitor: its address, and the first line of each request.
fn monitor() -> (String, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let (address, (say, said)) = (format!("http://{}/ping/books", listener.local_addr().unwrap()), channel());
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let mut line = String::new();
            let mut reader = BufReader::new(&stream);
            let _ = reader.read_line(&mut line);
            let mut header = String::new();
            while reader.read_line(&mut header).is_ok_and(|length| length > 2) {
                header.clear();
            }
            let _ = (&stream).write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nOK");
            let _ = say.send(line.trim_end().to_owned());
        }
    });
    (address, said)
}

fn backup(folder: &Path, to: &str, ping: &str) -> Ended {
    let mut command = shelfwise();
    command.args(["backup", "create", "--data-dir", "data", "--to", to, "--ping", ping]).current_dir(folder);
    program::run(command, "")
}

fn with_database() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut create = shelfwise();
    create
        .args(["user", "create", "ada@example.org", "--name", "Ada", "--data-dir", "data"])
        .current_dir(folder.path());
    assert_eq!(program::run(create, PASSWORD).status, 0);
    folder
}

#[test]
fn a_monitor_gets_the_outcome_of_a_backup_and_never_changes_it() {
    let folder = with_database();
    let (url, said) = monitor();
    let next = || said.recv_timeout(Duration::from_secs(60)).unwrap();
    let made = backup(folder.path(), "backups", &url);
    assert_eq!((made.status, made.err.as_str()), (0, ""));
    assert_eq!(next(), "GET /ping/books HTTP/1.1");
    std::fs::write(folder.path().join("file"), "").unwrap();
    let failed = backup(folder.path(), "file/backups", &url);
    assert_eq!(failed.status, 1);
    assert_eq!(next(), "GET /ping/books/fail HTTP/1.1");
    let alone = backup(folder.path(), "backups", "http://127.0.0.1:1/secret");
    assert_eq!(alone.status, 0);
    assert!(alone.err.contains("monitor can't be reached") && !alone.err.contains("secret"), "{}", alone.err);
    assert_eq!(shelfwise::backups::list::list(&folder.path().join("backups")).unwrap().len(), 2);
    assert_eq!(backup(folder.path(), "backups", "nowhere").status, 2);
}

#[test]
fn the_servers_own_backups_are_reported_and_the_address_is_kept_secret() {
    let folder = with_database();
    let (url, said) = monitor();
    let mut serve = shelfwise();
    serve.args(["serve", "--listen", "127.0.0.1:0", "--data-dir", "data"]).current_dir(folder.path());
    serve.env("SHELFWISE_BACKUP_TO", folder.path().join("backups")).env("SHELFWISE_BACKUP_PING", &url);
    serve.stderr(Stdio::null());
    let mut server = Program::start(serve);
    assert_eq!(said.recv_timeout(Duration::from_secs(60)).unwrap(), "GET /ping/books HTTP/1.1");
    let mut show = shelfwise();
    show.args(["config", "show", "--data-dir", "data"]).current_dir(folder.path()).env("SHELFWISE_BACKUP_PING", &url);
    let shown = program::run(show, "").out;
    assert!(shown.contains("backup.ping") && !shown.contains(&url), "{shown}");
    assert_eq!(server.stop(), Some(0));
}
