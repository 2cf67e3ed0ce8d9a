//! Many simultaneous readers for a given time, and their operator.
use std::collections::BTreeMap;
use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::file::Crowd;
use super::requests::Kind;
use crate::client::{Client, Get};
use crate::measure::millis;
use crate::program::{Server, free_address};

/// Simultaneous readers.
const CLIENTS: u64 = 64;
/// The pause between two of the operator's requests, and between two measurements of memory and files.
const LOOK: Duration = Duration::from_secs(1);
/// The operator's requests.
const PAGES: [&str; 6] = [
    "/api/admin/analytics/users",
    "/api/admin/analytics/devices",
    "/api/admin/analytics/system",
    "/api/admin/users",
    "/api/admin/users?search=crowd77",
    "/api/admin/users?plan=shelfwise_team",
];

/// The results of one kind of request.
#[derive(Default)]
struct Tally {
    /// Response times in milliseconds.
    took: Vec<f64>,
    /// The number of responses without success, by status.
    refused: BTreeMap<u16, u64>,
}

type Tallies = BTreeMap<&'static str, Tally>;

/// The maximum values.
#[derive(Default)]
struct Peaks {
    memory: f64,
    log: u64,
}

/// Prints the results of a load of this many seconds.
pub fn run(crowd: &Crowd, seconds: u64) {
    let metrics = free_address();
    let server = Server::serve_with(&crowd.folder, &[("SHELFWISE_METRICS_LISTEN", &metrics.to_string())]);
    let (before, done) = (size(crowd, ""), AtomicBool::new(false));
    let until = Instant::now() + Duration::from_secs(seconds);
    let (readers, operator, peaks) = thread::scope(|scope| {
        let server = &server;
        let readers: Vec<_> =
            (0..CLIENTS).map(|seed| scope.spawn(move || client(crowd, server, until, seed))).collect();
        let operator = scope.spawn(|| operate(crowd, server, metrics, until));
        let peaks = scope.spawn(|| watch(crowd, server, &done));
        let readers: Vec<_> = readers.into_iter().map(thread::ScopedJoinHandle::join).collect();
        let operator = operator.join();
        done.store(true, Ordering::Relaxed);
        let readers = readers.into_iter().map(Result::unwrap).reduce(merged).unwrap();
        (readers, operator.unwrap(), peaks.join().unwrap())
    });
    println!("\n{CLIENTS} clients for {seconds} s, each reader picked from {}:\n", crowd.readers);
    print(&readers, seconds);
    println!("\nTheir operator meanwhile:\n");
    print(&operator, seconds);
    let grown = (size(crowd, "") - before) >> 20;
    let (memory, log) = (peaks.memory, peaks.log >> 20);
    println!("\nMemory at most {memory:.0} MiB, the log at most {log} MiB, the file grew by {grown} MiB.");
}

/// A client that acts as another reader each time.
fn client(crowd: &Crowd, server: &Server, until: Instant, seed: u64) -> Tallies {
    let (mut client, mut dice) = (Client::connect(server.address()), fastrand::Rng::with_seed(seed));
    let mut tallies = Tallies::new();
    while Instant::now() < until {
        let (reader, kind) = (crowd.reader(dice.i64(1..=crowd.readers)), Kind::pick(dice.u32(..1000)));
        let requests = kind.requests(crowd, &reader, &mut dice);
        let started = Instant::now();
        let answers: Vec<u16> = requests.iter().map(|request| client.send(request).status).collect();
        tallies.entry(kind.name()).or_default().add(started, &answers);
    }
    tallies
}

fn operate(crowd: &Crowd, server: &Server, metrics: std::net::SocketAddr, until: Instant) -> Tallies {
    let cookie = crowd.reader(1).cookie;
    let mut tallies = Tallies::new();
    while Instant::now() < until {
        // An idle connection is closed before a slow round ends.
        let mut client = Client::connect(server.address());
        for page in PAGES {
            let started = Instant::now();
            let answer = client.get(&Get::new(page, &cookie));
            tallies.entry(page).or_default().add(started, &[answer.status]);
        }
        let started = Instant::now();
        let answer = Client::connect(metrics).get(&Get::new("/metrics", "none=1"));
        tallies.entry("/metrics").or_default().add(started, &[answer.status]);
        thread::sleep(LOOK);
    }
    tallies
}

fn watch(crowd: &Crowd, server: &Server, done: &AtomicBool) -> Peaks {
    let mut peaks = Peaks::default();
    while !done.load(Ordering::Relaxed) {
        peaks.memory = peaks.memory.max(server.memory());
        peaks.log = peaks.log.max(size(crowd, "-wal"));
        thread::sleep(LOOK);
    }
    peaks
}

fn size(crowd: &Crowd, ending: &str) -> u64 {
    fs::metadata(crowd.folder.join(format!("shelfwise.db{ending}"))).map_or(0, |file| file.len())
}

impl Tally {
    fn add(&mut self, started: Instant, statuses: &[u16]) {
        self.took.push(millis(started.elapsed()));
        if let Some(status) = statuses.iter().find(|status| **status >= 400) {
            *self.refused.entry(*status).or_default() += 1;
        }
    }
}

fn merged(mut one: Tallies, other: Tallies) -> Tallies {
    for (name, tally) in other {
        let into = one.entry(name).or_default();
        into.took.extend(tally.took);
        for (status, count) in tally.refused {
            *into.refused.entry(status).or_default() += count;
        }
    }
    one
}

#[expect(clippy::cast_precision_loss, reason = "counts of some thousands")]
fn print(tallies: &Tallies, seconds: u64) {
    println!("| what | times | a second | p50 | p95 | p99 | longest | refused |");
    println!("|---|--:|--:|--:|--:|--:|--:|--:|");
    for (name, tally) in tallies {
        let mut took = tally.took.clone();
        took.sort_by(f64::total_cmp);
        let count = took.len();
        let at = |percent: usize| took[(count * percent / 100).min(count - 1)];
        let (a_second, longest) = (count as f64 / seconds as f64, at(100));
        let (p50, p95, p99) = (at(50), at(95), at(99));
        let refused: Vec<String> = tally.refused.iter().map(|(status, count)| format!("{count} × {status}")).collect();
        let refused = refused.join(", ");
        println!(
            "| {name} | {count} | {a_second:.1} | {p50:.0} ms | {p95:.0} ms | {p99:.0} ms | {longest:.0} ms | {refused} |"
        );
    }
    let all: usize = tallies.values().map(|tally| tally.took.len()).sum();
    println!("| all | {all} | {:.1} | | | | | |", all as f64 / seconds as f64);
}
