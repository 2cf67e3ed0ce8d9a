//! Row 25: erasing accounts in files of two sizes.
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::{Connection, OpenFlags};
use shelfwise::kit::db::secure_erase;

use super::file::Crowd;
use super::requests::sent;
use crate::client::Client;
use crate::measure::Goal::AtMost;
use crate::measure::{Table, median, millis};
use crate::program::Server;

/// The sizes of the two files in MB; `ERASE_MB=1000,9000` sets others.
const SIZES: &str = "100,900";
/// The size of a reader with 300 books, in bytes.
const READER: i64 = 92_000;
/// Accounts that are erased in each file, one after the other.
const ERASED: i64 = 9;
/// The time limit for an erasure.
const TIME_LIMIT: Duration = Duration::from_secs(30 * 60);
/// The pause between two checks of the file.
const LOOK: Duration = Duration::from_millis(2);

struct Measured {
    megabytes: u64,
    /// Milliseconds from the request until nothing is left in the file: the median and the maximum.
    gone: f64,
    longest_gone: f64,
    /// The longest wait of another writer, in milliseconds.
    waited: f64,
}

/// Measures the row.
pub fn rows(table: &mut Table) {
    let sizes = std::env::var("ERASE_MB").unwrap_or_else(|_| SIZES.into());
    let sizes = sizes.split(',').map(|size| size.parse::<i64>().unwrap_or_else(|_| panic!("{size} is no size in MB")));
    let measured: Vec<Measured> = sizes.map(|size| erased(table, size)).collect();
    for one in &measured {
        let file = format!("in a file of {} MB", one.megabytes);
        let what = format!("the longest wait of another writer while accounts are erased {file}");
        table.row(25, &what, one.waited, " ms", AtMost(1000.0));
        let what = format!("an account with 300 books erased {file}, until nothing is left, at most");
        table.row(25, &what, one.longest_gone, " ms", AtMost(60_000.0));
    }
    let (first, last) = (&measured[0], &measured[measured.len() - 1]);
    let what = format!("the time of that in {} MB against {} MB", last.megabytes, first.megabytes);
    table.row(25, &what, last.gone / first.gone, " ×", AtMost(1.5));
}

fn erased(table: &Table, megabytes: i64) -> Measured {
    let crowd = Crowd::of(megabytes * 1_000_000 / READER, 300);
    let server = Server::serve(&crowd.folder);
    let started = Instant::now();
    let conn = Connection::open_with_flags(crowd.file(), OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap();
    // The file was filled without sweeps, like a file of an earlier version.
    wait_for(started, || secure_erase::is_swept(&conn).unwrap_or(false));
    let megabytes = std::fs::metadata(crowd.file()).unwrap().len() / 1_000_000;
    let swept = started.elapsed().as_secs_f64();
    table.note(&format!("the first sweep of a file of {megabytes} MB takes {swept:.1} s in the background"));
    let done = AtomicBool::new(false);
    let (waited, took) = thread::scope(|scope| {
        let writer = scope.spawn(|| longest_write(&crowd, &server, &done));
        let first = crowd.readers / 2;
        let took: Vec<f64> = (first..first + ERASED).map(|number| erase(&crowd, &server, &conn, number)).collect();
        done.store(true, Ordering::Relaxed);
        (writer.join().unwrap(), took)
    });
    let longest_gone = took.iter().copied().fold(0.0, f64::max);
    drop((server, conn));
    std::fs::remove_dir_all(&crowd.folder).unwrap();
    Measured { megabytes, gone: median(took), longest_gone, waited }
}

/// Milliseconds until nothing of an account is left in the file and its WAL.
fn erase(crowd: &Crowd, server: &Server, conn: &Connection, number: i64) -> f64 {
    let mut client = Client::connect(server.address());
    let started = Instant::now();
    let answer = client.send(&sent("DELETE", "/api/account", &crowd.reader(number), "application/json", b""));
    assert_eq!(answer.status, 204);
    wait_for(started, || !secure_erase::is_due(conn).unwrap_or(true) && is_log_short(&crowd.file()));
    let took = millis(started.elapsed());
    // The writer pauses after an erasure; the next erasure waits for the end of the pause.
    thread::sleep(Duration::from_millis(1000));
    took
}

/// Whether the WAL was truncated a moment ago.
fn is_log_short(file: &Path) -> bool {
    std::fs::metadata(file.with_extension("db-wal")).is_ok_and(|log| log.len() < 4 << 20)
}

fn wait_for(started: Instant, mut done: impl FnMut() -> bool) {
    while !done() {
        assert!(started.elapsed() < TIME_LIMIT, "the erasure does not end");
        thread::sleep(LOOK);
    }
}

/// Adds books until the erasure is complete. Returns the longest response time in milliseconds.
fn longest_write(crowd: &Crowd, server: &Server, done: &AtomicBool) -> f64 {
    let body = br#"{"title":"T","author":"A","status":"undated"}"#;
    let book = sent("POST", "/api/books", &crowd.reader(5), "application/json", body);
    let (mut client, mut longest) = (Client::connect(server.address()), 0.0_f64);
    while !done.load(Ordering::Relaxed) {
        let started = Instant::now();
        assert_eq!(client.send(&book).status, 201);
        longest = longest.max(millis(started.elapsed()));
        thread::sleep(LOOK);
    }
    longest
}
