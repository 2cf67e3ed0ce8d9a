//! No acknowledged write is lost when the program is killed.
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use reqwest::Method;
use rusqlite::Connection;
use serde_json::json;

use crate::support::actors::{Reader, Visitor};
use crate::support::fault_table::{interfere, row, times};
use crate::support::program::{Program, free_port};
use crate::support::tools::skip;

const WRITERS: usize = 8;

async fn sign_up(base: &str, number: usize) -> Reader {
    Visitor::at(base).sign_up_as(&format!("writer{number}@example.org"), &format!("Writer {number}")).await
}

/// Adds books until the server is gone; answers the titles that were acknowledged.
async fn write_until_gone(person: Reader, round: u64, gone: Arc<AtomicBool>) -> Vec<String> {
    let mut acknowledged = Vec::new();
    for number in 0.. {
        let title = format!("{round}/{number}");
        let book = json!({"title": title, "author": "A", "status": "undated", "impressions": "x".repeat(500)});
        let sent = person.request(reqwest::Method::POST, "/api/books").json(&book).send().await;
        match sent {
            Ok(answer) if answer.status() == 201 => acknowledged.push(title),
            Ok(answer) => panic!("a write answered {}", answer.status()),
            Err(_) if gone.load(Ordering::SeqCst) => break,
            Err(error) => panic!("a write failed before the kill: {error}"),
        }
    }
    acknowledged
}

async fn titles(person: &Reader) -> BTreeSet<String> {
    let books = person.get("/api/books").await.expect(200);
    books["data"].as_array().unwrap().iter().map(|book| book["title"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_acknowledged_write_is_lost_when_the_program_is_killed() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let port = free_port();
    let base = format!("http://127.0.0.1:{port}");
    let mut acknowledged = vec![BTreeSet::new(); WRITERS];
    let mut writers = Vec::new();
    let (mut written, mut slowest) = (0, Duration::ZERO);
    let kills = times("KILLS", 6) as u64;
    for round in 0..kills {
        let mut program = Program::start(serving(&data, port));
        slowest = slowest.max(program.started_in);
        for number in writers.len()..WRITERS {
            writers.push(sign_up(&base, number).await);
        }
        for (writer, known) in writers.iter().zip(&acknowledged) {
            let present = titles(writer).await;
            assert!(
                known.is_subset(&present),
                "round {round}: {:?} are lost",
                known.difference(&present).collect::<Vec<_>>()
            );
            assert!(present.len() <= known.len() + round as usize, "more than what was in flight at each kill");
        }
        let gone = Arc::new(AtomicBool::new(false));
        let tasks: Vec<_> =
            writers.iter().map(|w| tokio::spawn(write_until_gone(w.clone(), round, gone.clone()))).collect();
        // Spread over the phases of a commit: 40 to 340 ms.
        tokio::time::sleep(Duration::from_millis(40 + round * 7919 % 300)).await;
        gone.store(true, Ordering::SeqCst);
        program.kill();
        for (task, known) in tasks.into_iter().zip(&mut acknowledged) {
            known.extend(task.await.unwrap());
        }
        written = acknowledged.iter().map(BTreeSet::len).sum();
    }
    let conn = Connection::open(data.join("shelfwise.db")).unwrap();
    let verdict: String = conn.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(verdict, "ok");
    assert!(written > 0, "nothing was written");
    let found = format!("{written} acknowledged writes, 0 lost; slowest start {} ms", slowest.as_millis());
    row("kill -9 of the server under eight writers", kills, &found, "0 lost, serving < 1 s");
}

fn serving(data: &Path, port: u16) -> Command {
    let mut command = crate::support::program::shelfwise();
    command.env("SHELFWISE_DEFAULT_PLAN", "shelfwise_plus");
    command.args(["serve", "--listen", &format!("127.0.0.1:{port}"), "--data-dir"]).arg(data);
    command
}

/// What one reader has seen done: for each title how many books there must be, and for the last, cut off, how many there may be.
#[derive(Default)]
struct Ledger {
    acknowledged: BTreeMap<String, usize>,
    in_flight: Option<(String, usize)>,
}

/// Adds, deletes and imports in turn until the server is gone, or for long enough. An import makes five books of one title.
async fn work_until_gone(person: &Reader, round: usize, ledger: &mut Ledger) {
    for number in 0..200 {
        let title = format!("{round}/{number}");
        let import = number % 5 == 3;
        let books = if import { 5 } else { 1 };
        ledger.in_flight = Some((title.clone(), books));
        let request = if import {
            let rows: String = (1..=books).map(|day| format!("{title},A,1000,2020-01-0{day}\n")).collect();
            let file = format!("Title,Author,Word Count,Date Completed\n{rows}");
            let part = reqwest::multipart::Part::text(file).file_name("books.csv");
            let form = reqwest::multipart::Form::new().part("file", part);
            person.request(Method::POST, "/api/books/import").multipart(form)
        } else {
            let book = json!({"title": title, "author": "A", "status": "undated", "impressions": "x".repeat(5000)});
            person.request(Method::POST, "/api/books").json(&book)
        };
        let Ok(answer) = request.send().await else { return };
        assert!(answer.status().is_success(), "{}", answer.status());
        ledger.acknowledged.insert(title.clone(), books);
        let Ok(made) = answer.json::<serde_json::Value>().await else { return };
        if number % 5 == 1 {
            ledger.in_flight = Some((title.clone(), 0));
            ledger.acknowledged.remove(&title);
            let id = &made["book"]["id"];
            let Ok(gone) = person.request(Method::DELETE, &format!("/api/books/{id}")).send().await else {
                ledger.in_flight = Some((title, 1));
                return;
            };
            assert_eq!(gone.status(), 204);
        }
    }
}

/// At which calls the server dies: each of the first ones, or some in every run of the tests.
fn cuts() -> Vec<(&'static str, usize)> {
    const SYNCS: &str = "fsync,fdatasync";
    match times("SERVER_CALLS", 0) {
        0 => vec![("pwrite64", 3), ("pwrite64", 40), ("pwrite64", 150), (SYNCS, 6), (SYNCS, 15)],
        most => (1..=most).map(|call| ("pwrite64", call)).chain((1..=most / 8).map(|call| (SYNCS, call))).collect(),
    }
}

async fn counted(person: &Reader) -> BTreeMap<String, usize> {
    let books = person.get("/api/books").await.expect(200);
    let mut counts = BTreeMap::new();
    for book in books["data"].as_array().unwrap() {
        *counts.entry(book["title"].as_str().unwrap().to_owned()).or_default() += 1;
    }
    counts
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_killed_at_any_write_has_done_each_call_completely_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let (data, port) = (folder.path().join("data"), free_port());
    let plain = serving(&data, port);
    let mut program = Program::start(serving(&data, port));
    let person = sign_up(&format!("http://127.0.0.1:{port}"), 0).await;
    assert_eq!(program.stop(), Some(0));
    let mut ledger = Ledger::default();
    let cuts = cuts();
    for (round, (kind, call)) in cuts.iter().enumerate() {
        let Some(traced) = interfere(&plain, kind, &format!("signal=KILL:when={call}")) else {
            return skip("strace", "killing a server at chosen calls");
        };
        // The start writes, too: not every round gets as far as to serve.
        if let Some(mut program) = Program::try_start(traced) {
            work_until_gone(&person, round, &mut ledger).await;
            program.kill();
        }
        let mut after = Program::start(serving(&data, port));
        let present = counted(&person).await;
        if let Some((title, books)) = ledger.in_flight.take() {
            let found = present.get(&title).copied().unwrap_or(0);
            assert!(found == 0 || found == books, "round {round}: {found} of {books} books of {title}");
            if found > 0 {
                ledger.acknowledged.insert(title, found);
            }
        }
        assert_eq!(present, ledger.acknowledged, "round {round}");
        assert_eq!(after.stop(), Some(0));
    }
    let found = format!("{} books, each call whole", ledger.acknowledged.values().sum::<usize>());
    let what = "kill -9 of the server at each of its writer's first writes and syncs";
    row(what, cuts.len(), &found, "all or nothing");
}
