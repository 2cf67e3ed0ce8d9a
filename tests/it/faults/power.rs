//! A power cut: the program and its file system stop at one moment, in the middle of everything, and what was not synchronised is
//! forgotten. Needs root, a loop device, and the tools of ext4 and xfs.
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use rusqlite::Connection;
use rustix::process::Signal;
use serde_json::json;

use crate::support::actors::{Reader, Visitor};
use crate::support::fault_table::{row, times};
use crate::support::program::{Program, shelfwise};
use crate::support::tools::skip;

const WRITERS: usize = 4;
const BYTES: u64 = 512 * 1024 * 1024;

/// A disk in a file.
struct Disk {
    image: PathBuf,
    place: PathBuf,
}

fn quietly(program: &str, words: &[&Path]) -> bool {
    let mut command = Command::new(program);
    command.args(words).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

impl Disk {
    fn new(folder: &Path) -> Option<Self> {
        let disk = Self { image: folder.join("disk"), place: folder.join("mounted") };
        fs::create_dir(&disk.place).unwrap();
        File::create(&disk.image).unwrap().set_len(BYTES).unwrap();
        let possible = quietly("xfs_io", &[Path::new("-V")])
            && quietly("mkfs.ext4", &[Path::new("-q"), Path::new("-F"), &disk.image])
            && disk.mount();
        possible.then_some(disk)
    }

    fn mount(&self) -> bool {
        quietly("mount", &[Path::new("-o"), Path::new("loop"), &self.image, &self.place])
    }

    /// From here on nothing reaches the disk, not even the journal's memory.
    fn cut(&self) {
        assert!(quietly("xfs_io", &[Path::new("-x"), Path::new("-c"), Path::new("shutdown"), &self.place]));
    }

    /// As the machine finds it when it starts again.
    fn again(&self) {
        assert!(quietly("umount", &[&self.place]) && self.mount());
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        quietly("umount", &[Path::new("-l"), &self.place]);
    }
}

/// Stops every thread of a process where it is. A machine without power does not see its disk fail: a program that still ran while
/// the file system is being shut down might get a success from the kernel for a sync that the shutdown dropped.
fn stand_still(server: &Program) {
    server.signal(Signal::STOP);
    let pid = server.pid();
    let stands = |task: PathBuf| {
        let state = fs::read_to_string(task.join("stat")).unwrap_or_default();
        state.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with('T'))
    };
    let tasks = || fs::read_dir(format!("/proc/{pid}/task")).unwrap().map(|task| task.unwrap().path());
    while !tasks().all(stands) {
        std::thread::yield_now();
    }
}

fn serving(data: &Path) -> Command {
    let mut command = shelfwise();
    command.env("SHELFWISE_DEFAULT_PLAN", "shelfwise_plus").env("RUST_LOG", "off");
    command.args(["serve", "--listen", "127.0.0.1:0", "--data-dir"]).arg(data);
    command
}

/// Adds books until the server stops responding. Returns the books that it confirmed.
async fn write_until_gone(person: Reader, round: usize) -> Vec<String> {
    let mut kept = Vec::new();
    for number in 0.. {
        let title = format!("{}/{round}/{number}", person.email);
        let book = json!({"title": title, "author": "A", "status": "undated", "impressions": "x".repeat(3000)});
        match person.request(reqwest::Method::POST, "/api/books").json(&book).send().await {
            Ok(answer) if answer.status() == 201 => kept.push(title),
            Ok(answer) => panic!("a write answered {}", answer.status()),
            Err(_) => break,
        }
    }
    kept
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_acknowledged_write_is_lost_in_a_power_cut() {
    let folder = tempfile::tempdir().unwrap();
    let Some(disk) = Disk::new(folder.path()) else {
        return skip("loop-device", "power cuts");
    };
    let (data, rounds) = (disk.place.join("data"), times("POWER_CUTS", 2));
    let mut acknowledged = BTreeSet::new();
    for round in 0..rounds {
        let mut server = Program::start(serving(&data));
        let mut writers = Vec::new();
        for number in 0..WRITERS {
            let email = format!("writer{number}@example.org");
            let visitor = Visitor::at(server.address());
            let writer = if round == 0 { visitor.sign_up_as(&email, "W").await } else { visitor.log_in(&email).await };
            writers.push(tokio::spawn(write_until_gone(writer, round)));
        }
        // Spread over the phases of a commit.
        tokio::time::sleep(Duration::from_millis(60 + round as u64 * 7919 % 400)).await;
        stand_still(&server);
        disk.cut();
        server.kill();
        for writer in writers {
            acknowledged.extend(writer.await.unwrap());
        }
        disk.again();
        let mut after = Program::start(serving(&data));
        assert_eq!(after.stop(), Some(0));
        let conn = Connection::open(data.join("shelfwise.db")).unwrap();
        let verdict: String = conn.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
        assert_eq!(verdict, "ok", "round {round}");
        let mut query = conn.prepare("SELECT title FROM books").unwrap();
        let present: BTreeSet<String> = query.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
        let lost: Vec<_> = acknowledged.difference(&present).collect();
        assert!(lost.is_empty(), "round {round}: {lost:?} are lost");
    }
    assert!(!acknowledged.is_empty(), "nothing was written");
    let found = format!("{} acknowledged writes, 0 lost", acknowledged.len());
    row("power cut under four writers, on ext4", rounds, &found, "0 lost");
}
