//! Rows 8, 17 and 25, and a server with many readers: `make crowd`.
mod erasing;
mod file;
mod load;
mod logins;
mod operating;
pub mod requests;

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use file::Crowd;

use crate::client::Client;
use crate::library::Reader;
use crate::measure::Goal::AtMost;
use crate::measure::{Table, millis, ms, ratio};
use crate::program::Server;

const ROUNDS: u32 = 7;

/// Measures the requested rows, and the results of `LOAD` seconds with many readers.
pub fn rows(table: &mut Table) {
    if table.wants(25) {
        erasing::rows(table);
    }
    if !table.wants(8) && !table.wants(17) {
        return;
    }
    let crowd = Crowd::asked_for();
    if table.wants(17) {
        against_alone(table, &crowd);
    }
    if table.wants(8) {
        logins::rows(table, &crowd);
    }
    let seconds = file::number("LOAD", 0);
    if seconds > 0 {
        load::run(&crowd, u64::try_from(seconds).unwrap());
        operating::run(&crowd);
        // The file was changed, so it is no longer the one that was created.
        std::fs::remove_dir_all(&crowd.folder).unwrap();
    }
}

/// Row 17: readers spread over a large file, compared with the same library in a file of its own.
fn against_alone(table: &mut Table, crowd: &Crowd) {
    let home = tempfile::tempdir().unwrap();
    let alone = crowd.alone(home.path());
    let what = format!("a dashboard among {} readers with {} books each, against alone", crowd.readers, crowd.books);
    {
        let (crowded, quiet) = (Server::serve(&crowd.folder), Server::serve(home.path()));
        let (mut a, mut b) = (Client::connect(crowded.address()), Client::connect(quiet.address()));
        let mut readers = crowd.alike(ROUNDS);
        let among = || asked(&mut a, &readers.next().unwrap(), 21);
        let measured = ratio(ROUNDS, among, || asked(&mut b, &alone, 21));
        table.row(17, &what, measured, " ×", AtMost(1.2));
    }
    let mut readers = crowd.alike(ROUNDS);
    let among = || cold(&crowd.folder, &readers.next().unwrap());
    let measured = ratio(ROUNDS, among, || cold(home.path(), &alone));
    table.row(17, &format!("{what}, both files dropped from memory"), measured, " ×", AtMost(1.5));
}

/// Milliseconds of a dashboard that is not cached, the median of several.
fn asked(client: &mut Client, reader: &Reader, times: u32) -> f64 {
    ms(times, || dashboard(client, reader))
}

/// The requests of a dashboard when it is opened.
fn dashboard(client: &mut Client, reader: &Reader) {
    for get in requests::dashboard(reader) {
        assert_eq!(client.get(&get).status, 200);
    }
}

/// Milliseconds of a server's first dashboard after the file was dropped from the system's memory.
fn cold(folder: &Path, reader: &Reader) -> f64 {
    let server = Server::serve(folder);
    let mut client = Client::connect(server.address());
    for ending in ["", "-wal"] {
        let of = format!("of={}", folder.join(format!("shelfwise.db{ending}")).display());
        let dropped = Command::new("dd").arg(of).args(["oflag=nocache", "conv=notrunc,fdatasync", "count=0"]).output();
        assert!(dropped.unwrap().status.success());
    }
    let started = Instant::now();
    dashboard(&mut client, reader);
    millis(started.elapsed())
}
