//! Nothing that was acknowledged is lost when the program is killed.
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rusqlite::Connection;
use serde_json::json;

use crate::harness::{PASSWORD, Person, browser};
use crate::program::{Program, free_port};

const WRITERS: usize = 8;

/// `KILLS` says how often; a few times in every run of the tests.
fn kills() -> u64 {
    std::env::var("KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(6)
}

async fn sign_up(base: &str, number: usize) -> Person {
    let client = browser();
    let person = Person { client, base: base.to_owned(), email: format!("writer{number}@example.org"), id: 0 };
    let form = json!({"email": person.email, "password": PASSWORD, "displayName": format!("Writer {number}")});
    person.post("/api/auth/signup", form).await.expect(201);
    person
}

/// Adds books until the server is gone; answers the titles that were acknowledged.
async fn write_until_gone(person: Person, round: u64, gone: Arc<AtomicBool>) -> Vec<String> {
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

async fn titles(person: &Person) -> BTreeSet<String> {
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
    for round in 0..kills() {
        let mut program = with_unlimited_books(&data, port);
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
    println!("{} kills, {written} acknowledged writes, 0 lost; slowest start {slowest:?}", kills());
}

fn with_unlimited_books(data: &std::path::Path, port: u16) -> Program {
    let mut command = crate::program::shelfwise();
    command.env("SHELFWISE_DEFAULT_PLAN", "shelfwise_plus");
    command.args(["serve", "--listen", &format!("127.0.0.1:{port}"), "--data-dir"]).arg(data);
    Program::start(command)
}
