//! An operator's work with such a large file: starting, checking, backing up, and erasing an account.
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::{Connection, OpenFlags};
use rustix::fs::statvfs;
use shelfwise::kit::db::secure_erase;

use super::file::Crowd;
use super::requests::{dashboard, sent};
use crate::client::Client;
use crate::measure::millis;
use crate::program::{Server, binary};

/// The time limit for an erasure.
const TIME_LIMIT: Duration = Duration::from_secs(30 * 60);
/// The pause between two requests during it.
const PAUSE: Duration = Duration::from_millis(50);

/// Prints how long each takes.
pub fn run(crowd: &Crowd) {
    println!("\n| what | took |\n|---|--:|");
    let started = Instant::now();
    let server = Server::serve(&crowd.folder);
    Client::connect(server.address()).get(&dashboard(&crowd.reader(2))[0]);
    say("start to the first statistics", started);
    let address = Crowd::email(crowd.readers / 2);
    for (what, arguments) in [
        ("`user show`", vec!["user", "show", &address]),
        ("`user list`", vec!["user", "list"]),
        ("`doctor`", vec!["doctor"]),
    ] {
        command(crowd, what, &arguments);
    }
    let size = std::fs::metadata(crowd.file()).unwrap().len();
    let found = statvfs(&crowd.folder).unwrap();
    let free = found.f_bavail * found.f_frsize;
    if free < 2 * size {
        println!("| `backup create` | not measured: {} GB must be free |", (2 * size) >> 30);
    } else {
        let backups = tempfile::tempdir_in(crowd.folder.parent().unwrap()).unwrap();
        command(crowd, "`backup create`", &["backup", "create", "--to", backups.path().to_str().unwrap()]);
    }
    erase(crowd, &server);
}

fn say(what: &str, started: Instant) {
    println!("| {what} | {:.1} s |", started.elapsed().as_secs_f64());
}

fn command(crowd: &Crowd, what: &str, arguments: &[&str]) {
    let started = Instant::now();
    let run = Command::new(binary()).arg("--data-dir").arg(&crowd.folder).args(arguments).output().unwrap();
    let ended = if run.status.success() { "" } else { " (with a finding)" };
    say(&format!("{what}{ended}"), started);
}

/// Erases one reader's account, after the sweep of the whole file that such a file needs. Meanwhile active readers read, others
/// come back, and others write.
fn erase(crowd: &Crowd, server: &Server) {
    let (present, writing) = (crowd.reader(4), crowd.reader(5));
    let book =
        sent("POST", "/api/books", &writing, "application/json", br#"{"title":"T","author":"A","status":"undated"}"#);
    let mut client = Client::connect(server.address());
    assert_eq!((client.get(&dashboard(&present)[0]).status, client.send(&book).status), (200, 201));
    let started = Instant::now();
    assert_eq!(client.send(&sent("DELETE", "/api/account", &crowd.reader(3), "application/json", b"")).status, 204);
    say("an account deleted, to the answer", started);
    let (done, mut next) = (AtomicBool::new(false), 99);
    let longest = thread::scope(|scope| {
        let reads = scope.spawn(|| longest(server, &done, |client| client.get(&dashboard(&present)[0]).status));
        let returns = scope.spawn(|| {
            longest(server, &done, |client| {
                next += 1;
                client.get(&dashboard(&crowd.reader(next))[0]).status
            })
        });
        let writes = scope.spawn(|| longest(server, &done, |client| client.send(&book).status));
        while due(crowd) && started.elapsed() < TIME_LIMIT {
            thread::sleep(PAUSE);
        }
        say("until nothing of it is left in the file", started);
        done.store(true, Ordering::Relaxed);
        [reads, returns, writes].map(|one| one.join().unwrap())
    });
    for (who, (took, refused)) in ["reads", "is back and reads", "writes"].iter().zip(longest) {
        println!(
            "| the longest that somebody waited meanwhile who {who} | {:.1} s ({refused} refused) |",
            took / 1000.0
        );
    }
}

/// Repeats a request: the longest time in milliseconds, and the number of failures.
fn longest(server: &Server, done: &AtomicBool, mut ask: impl FnMut(&mut Client) -> u16) -> (f64, u32) {
    let (mut client, mut longest, mut refused) = (Client::connect(server.address()), 0.0_f64, 0);
    while !done.load(Ordering::Relaxed) {
        let started = Instant::now();
        refused += u32::from(ask(&mut client) >= 400);
        longest = longest.max(millis(started.elapsed()));
        thread::sleep(PAUSE);
    }
    (longest, refused)
}

/// Whether the file is marked as containing erased data.
fn due(crowd: &Crowd) -> bool {
    let conn = Connection::open_with_flags(crowd.file(), OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap();
    secure_erase::is_due(&conn).unwrap_or(true)
}
