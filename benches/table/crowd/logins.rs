//! Row 8: many simultaneous sign-ins.
use std::net::SocketAddr;
use std::thread;
use std::time::{Duration, Instant};

use shelfwise::account::password::hash_here;

use super::file::{Crowd, PASSWORD};
use super::requests::Kind;
use crate::client::{Client, Get, load};
use crate::measure::Goal::{AtLeast, AtMost};
use crate::measure::{Table, ratio};
use crate::program::Server;

const ROUNDS: u32 = 3;
/// Clients that sign in, each to its own account.
const CLIENTS: i64 = 16;
const LONG: Duration = Duration::from_secs(1);

/// Measures the row.
pub fn rows(table: &mut Table, crowd: &Crowd) {
    let server = Server::serve(&crowd.folder);
    let (at, before) = (server.address(), server.memory());
    let measured = ratio(ROUNDS, || storm(crowd, at), hashes) * 100.0;
    let what = "logins of 16 clients against hashing alone on one core";
    table.row(8, what, measured, " %", AtLeast(75.0));
    table.row(8, "memory that stays allocated after the logins", server.memory() - before, " MiB", AtMost(64.0));
    let list = Get::new("/api/books?limit=150", &crowd.reader(1).cookie).first_sight();
    let calm = || load(at, 16, &list, 200);
    let meanwhile = || {
        thread::scope(|scope| {
            let storm = scope.spawn(|| storm(crowd, at));
            let reads = load(at, 16, &list, 200);
            storm.join().unwrap();
            reads
        })
    };
    let measured = ratio(ROUNDS, meanwhile, calm) * 100.0;
    table.row(
        8,
        "lists of 150 books during the logins against without logins, 16 clients",
        measured,
        " %",
        AtLeast(40.0),
    );
}

/// Sign-ins per second.
fn storm(crowd: &Crowd, at: SocketAddr) -> f64 {
    let one = |number: i64| {
        let (mut client, mut dice) = (Client::connect(at), fastrand::Rng::with_seed(0));
        let login = Kind::Login.requests(crowd, &crowd.reader(number), &mut dice);
        let (started, mut count) = (Instant::now(), 0);
        while started.elapsed() < LONG {
            assert_eq!(client.send(&login[0]).status, 200);
            count += 1;
        }
        f64::from(count) / started.elapsed().as_secs_f64()
    };
    thread::scope(|scope| {
        let clients: Vec<_> = (1..=CLIENTS).map(|number| scope.spawn(move || one(number))).collect();
        clients.into_iter().map(|client| client.join().unwrap()).sum()
    })
}

/// Hashes per second in this process.
fn hashes() -> f64 {
    let (started, mut count) = (Instant::now(), 0);
    while started.elapsed() < LONG {
        hash_here(PASSWORD).unwrap();
        count += 1;
    }
    f64::from(count) / started.elapsed().as_secs_f64()
}
