//! `deploy/litestream.yml` with the real Litestream: it restores every acknowledged write.
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rusqlite::Connection;
use rustix::process::Signal;
use serde_json::json;

use crate::support::actors::{Reader, Visitor};
use crate::support::program::{self, Program, shelfwise};
use crate::support::tools::skip;

/// Litestream with our sample, for a database and a replica in a folder of this test.
struct Litestream {
    database: PathBuf,
    sample: PathBuf,
    replica: String,
    running: Option<Child>,
}

impl Litestream {
    fn new(folder: &Path, database: PathBuf) -> Option<Self> {
        let version = Command::new("litestream").arg("version").output().ok()?;
        let version = String::from_utf8_lossy(&version.stdout).trim().trim_start_matches('v').to_owned();
        if !version.starts_with("0.5") {
            println!("this is Litestream {version}, and the sample is for 0.5");
            return None;
        }
        let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy/litestream.yml");
        let text = fs::read_to_string(sample).unwrap();
        let (usual, here) = ("/var/lib/shelfwise/shelfwise.db", database.to_str().unwrap());
        assert!(text.contains(usual));
        let sample = folder.join("litestream.yml");
        fs::write(&sample, text.replace(usual, here)).unwrap();
        let replica = format!("file://{}", folder.join("replica").display());
        Some(Self { database, sample, replica, running: None })
    }

    fn command(&self, word: &str) -> Command {
        let mut command = Command::new("litestream");
        command.arg(word).arg("-config").arg(&self.sample).env("LITESTREAM_REPLICA_URL", &self.replica);
        command.stdout(Stdio::null()).stderr(Stdio::inherit());
        command
    }

    fn start(&mut self) {
        self.running = Some(self.command("replicate").args(["-log-level", "error"]).spawn().unwrap());
    }

    fn stop(&mut self) {
        if let Some(mut child) = self.running.take() {
            program::signal(&child, Signal::TERM);
            child.wait().unwrap();
        }
    }

    fn restore(&self, to: &Path) -> bool {
        let _ = fs::remove_file(to);
        let mut command = self.command("restore");
        command.args(["-integrity-check", "full", "-o"]).arg(to).arg(&self.database);
        command.stderr(Stdio::null()).status().unwrap().success()
    }
}

impl Drop for Litestream {
    fn drop(&mut self) {
        if let Some(child) = &mut self.running {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn command(data: &Path, words: &[&str]) -> Command {
    let mut command = shelfwise();
    command.args(words).arg("--data-dir").arg(data).env("SHELFWISE_DEFAULT_PLAN", "shelfwise_plus");
    command
}

fn titles(database: &Path) -> BTreeSet<String> {
    let conn = Connection::open(database).unwrap();
    let mut query = conn.prepare("SELECT title FROM books").unwrap();
    query.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

async fn sign_up(base: String, name: &str) -> Reader {
    Visitor::at(base).sign_up_as(&format!("{name}@example.org"), name).await
}

/// Adds books; answers their titles.
async fn add(person: &Reader, round: &str, count: usize) -> BTreeSet<String> {
    let mut titles = BTreeSet::new();
    for number in 0..count {
        let title = format!("{round}/{number}");
        let book = json!({"title": title, "author": "A", "status": "undated", "impressions": "x".repeat(3000)});
        person.post("/api/books", book).await.expect(201);
        titles.insert(title);
    }
    titles
}

/// Restores until everything that was acknowledged is there, for half a minute at most: replication has a delay.
async fn arrives(litestream: &Litestream, to: &Path, expected: &BTreeSet<String>) -> Duration {
    let asked = Instant::now();
    while !(litestream.restore(to) && expected.is_subset(&titles(to))) {
        assert!(asked.elapsed() < Duration::from_secs(30), "{} books did not arrive", expected.len());
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    asked.elapsed()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn litestream_restores_acknowledged_writes_after_an_erasure_a_crash_and_a_restore() {
    let folder = tempfile::tempdir().unwrap();
    let (data, standby) = (folder.path().join("data"), folder.path().join("standby"));
    let Some(mut litestream) = Litestream::new(folder.path(), data.join("shelfwise.db")) else {
        return skip("litestream", "replication");
    };
    let mut server = Program::start(command(&data, &["serve", "--listen", "127.0.0.1:0"]));
    let ada = sign_up(server.address(), "ada").await;
    let mut acknowledged = add(&ada, "before", 20).await;
    litestream.start();
    let started = Instant::now();
    acknowledged.extend(add(&ada, "beside", 300).await);
    let calm = started.elapsed() / 300;
    let copy = folder.path().join("copy.db");
    let delay = arrives(&litestream, &copy, &acknowledged).await;
    println!("{} books in the replica after {} ms", acknowledged.len(), delay.as_millis());

    // An account is erased: Litestream reads the log all the time, and the writer is not held up.
    let eva = sign_up(server.address(), "eva").await;
    add(&eva, "erased", 50).await;
    assert_eq!(eva.delete("/api/account").await.status, 204);
    let started = Instant::now();
    acknowledged.extend(add(&ada, "after", 100).await);
    let per_book = started.elapsed() / 100;
    assert!(per_book < 20 * calm, "a write takes {calm:?} before an erasure and {per_book:?} after it");
    arrives(&litestream, &copy, &acknowledged).await;
    assert_eq!(titles(&copy), acknowledged);

    // Both die; the replica holds all that was acknowledged before it was last looked at, and goes on afterwards.
    server.kill();
    if let Some(mut child) = litestream.running.take() {
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let mut server = Program::start(command(&data, &["serve", "--listen", "127.0.0.1:0"]));
    litestream.start();
    let ada = Visitor::at(server.address()).log_in(&ada.email).await;
    acknowledged.extend(add(&ada, "again", 50).await);
    arrives(&litestream, &copy, &acknowledged).await;

    // A planned stop loses nothing at all, and a standby serves what it brings back.
    acknowledged.extend(add(&ada, "last", 50).await);
    assert_eq!(server.stop(), Some(0));
    litestream.stop();
    fs::create_dir(&standby).unwrap();
    assert!(litestream.restore(&standby.join("shelfwise.db")));
    assert_eq!(titles(&standby.join("shelfwise.db")), acknowledged);
    let mut second = Program::start(command(&standby, &["serve", "--listen", "127.0.0.1:0"]));
    let there = Visitor::at(second.address()).log_in(&ada.email).await;
    assert_eq!(there.get("/api/books").await.expect(200)["total"], acknowledged.len());
    assert_eq!(second.stop(), Some(0));

    // A backup of ours takes the database's place: Litestream follows the new one.
    let to = folder.path().join("to");
    let made = program::run(command(&data, &["backup", "create", "--to", to.to_str().unwrap()]), "");
    Connection::open(data.join("shelfwise.db")).unwrap().execute("UPDATE books SET title = 'Wrong'", []).unwrap();
    let restored = program::run(command(&data, &["restore", made.out.trim(), "--yes"]), "");
    assert_eq!(restored.status, 0, "{}", restored.err);
    let mut server = Program::start(command(&data, &["serve", "--listen", "127.0.0.1:0"]));
    litestream.start();
    arrives(&litestream, &copy, &acknowledged).await;
    assert_eq!(titles(&copy), acknowledged);
    litestream.stop();
    assert_eq!(server.stop(), Some(0));
}
