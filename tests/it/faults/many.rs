//! Many accounts or simultaneous users must not slow down everybody else.
use std::time::Duration;

use rusqlite::Connection;
use tokio::sync::oneshot;

use crate::support::actors::{PASSWORD, Visitor};
use crate::support::harness::TestServer;
use crate::support::program::{Program, shelfwise};

/// A server that has not answered after this long never will.
const STUCK: Duration = Duration::from_secs(60);
/// Less than what each thread that hashed a password would keep, in MiB.
const KEPT_BY_A_THREAD: u64 = 30;

#[tokio::test]
async fn readers_with_a_session_read_while_the_writer_is_busy() {
    let server = TestServer::start().await;
    let reader = server.reader().await;
    let beside = Connection::open(server.folder().join("shelfwise.db")).unwrap();
    let hour_ago = "UPDATE sessions SET last_seen = strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '-1 hours')";
    beside.execute(hour_ago, []).unwrap();
    let (begin, begun) = oneshot::channel();
    let (end, ended) = oneshot::channel::<()>();
    let busy = tokio::spawn({
        let db = server.db.clone();
        async move {
            db.write(move |_| {
                let _ = begin.send(());
                let _ = ended.blocking_recv();
                Ok(())
            })
            .await
        }
    });
    begun.await.unwrap();
    let visit = tokio::time::timeout(STUCK, reader.get("/api/books")).await;
    end.send(()).unwrap();
    visit.expect("a visit waited for the note of itself").expect(200);
    busy.await.unwrap().unwrap();
    server.db.write(|_| Ok(())).await.unwrap();
    let old = "SELECT count(*) FROM sessions WHERE last_seen < strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '-30 minutes')";
    let unnoted: i64 = beside.query_row(old, [], |row| row.get(0)).unwrap();
    assert_eq!(unnoted, 0, "the visit was noted later");
}

/// The memory that a process holds, in MiB.
fn resident(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() / 1024
}

#[tokio::test]
async fn a_storm_of_logins_leaves_no_more_memory_behind_than_sign_ups_one_by_one() {
    const AT_ONCE: u64 = 8;
    let data = tempfile::tempdir().unwrap();
    let mut serve = shelfwise();
    serve.args(["serve", "--listen", "127.0.0.1:0", "--data-dir"]).arg(data.path());
    let program = Program::start(serve);
    let mut people = Vec::new();
    for _ in 0..AT_ONCE {
        people.push(Visitor::at(program.address()).sign_up().await);
    }
    let calm = resident(program.pid());
    let logins = people.iter().map(|person| async {
        for _ in 0..4 {
            let form = serde_json::json!({"email": person.email, "password": PASSWORD});
            person.post("/api/auth/login", form).await.expect(200);
        }
    });
    futures_util::future::join_all(logins).await;
    let held = resident(program.pid());
    assert!(held < calm + KEPT_BY_A_THREAD, "{calm} MiB before, {held} MiB after");
}
