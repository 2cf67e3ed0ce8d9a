//! A disk that refuses some writes: a lost write is never acknowledged, and the server keeps working.
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rusqlite::Connection;
use serde_json::json;

use crate::support::actors::{Reader, Visitor};
use crate::support::fault_table::{WRITES, interfere, row, times};
use crate::support::program::{Program, shelfwise};
use crate::support::tools::skip;

const WRITERS: usize = 4;

fn serving(data: &Path) -> Command {
    let mut command = shelfwise();
    // What is refused is meant to be; the log need not say so thousands of times.
    command.env("SHELFWISE_DEFAULT_PLAN", "shelfwise_plus").env("RUST_LOG", "off");
    command.args(["serve", "--listen", "127.0.0.1:0", "--data-dir"]).arg(data);
    command
}

/// The responses that a writer got.
#[derive(Default)]
struct Told {
    kept: BTreeSet<String>,
    refused: usize,
}

async fn write_until(stop: Arc<AtomicBool>, person: Reader, writer: usize) -> Told {
    let mut told = Told::default();
    for number in 0.. {
        if stop.load(Ordering::SeqCst) {
            break;
        }
        let title = format!("{writer}/{number}");
        let book = json!({"title": title, "author": "A", "status": "undated", "impressions": "x".repeat(4000)});
        let answer = person.post("/api/books", book).await;
        match answer.status {
            201 => drop(told.kept.insert(title)),
            503 => {
                assert_eq!(answer.code(503), "storage_unavailable");
                told.refused += 1;
            }
            other => panic!("a write answered {other}: {}", answer.body),
        }
    }
    told
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_disk_that_fails_in_places_is_answered_with_503_and_nothing_that_was_acknowledged_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let mut calm = Program::start(serving(&data));
    let mut people = Vec::new();
    for number in 0..WRITERS {
        people.push(Visitor::at(calm.address()).sign_up_as(&format!("writer{number}@example.org"), "W").await);
    }
    assert_eq!(calm.stop(), Some(0));
    // One of twenty calls of each thread, and not yet those of the start.
    let Some(failing) = interfere(&serving(&data), WRITES, "error=EIO:when=40+20") else {
        return skip("strace", "input and output errors");
    };
    let mut server = Program::start(failing);
    let (stop, mut writers) = (Arc::new(AtomicBool::new(false)), Vec::new());
    for (number, person) in people.into_iter().enumerate() {
        // Still signed in: a login alone writes so many pages that one of its calls would always fail.
        writers.push(tokio::spawn(write_until(stop.clone(), person.at(server.address()), number)));
    }
    let (started, rest) = (Instant::now(), Duration::from_secs(times("IO_SECONDS", 2) as u64));
    let watcher = Visitor::at(server.address());
    while started.elapsed() < rest {
        assert!(matches!(watcher.get("/healthz").await.status, 200 | 503));
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    stop.store(true, Ordering::SeqCst);
    let (mut kept, mut refused) = (BTreeSet::new(), 0);
    for writer in writers {
        let told = writer.await.unwrap();
        kept.extend(told.kept);
        refused += told.refused;
    }
    // One of twenty looks fails as writes do.
    crate::features::service::healthy(&watcher).await;
    server.kill();
    let mut after = Program::start(serving(&data));
    assert_eq!(after.stop(), Some(0));
    let conn = Connection::open(data.join("shelfwise.db")).unwrap();
    let verdict: String = conn.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(verdict, "ok");
    let mut query = conn.prepare("SELECT title FROM books").unwrap();
    let present: BTreeSet<String> = query.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    assert!(kept.is_subset(&present), "{:?} are missing", kept.difference(&present));
    assert!(refused > 0 && !kept.is_empty(), "{refused} refused, {} kept", kept.len());
    let found = format!("{refused} refused with 503, {} kept, 0 lost, alive", kept.len());
    row("writes while one of twenty writes and syncs fails", refused + kept.len(), &found, "503, 0 lost, alive");
}
