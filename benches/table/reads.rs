//! Rows 1 to 5, 9 to 12 and 18: lists and statistics.
use std::net::SocketAddr;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use rusqlite::{Connection, OpenFlags};
use shelfwise::library::books::filter::Filter;
use shelfwise::statistics::store::scan;

use crate::client::{Client, Get, PACKED, counted, load};
use crate::library::{self, Reader};
use crate::limits::{Limits, PATH};
use crate::measure::Goal::{AtLeast, AtMost};
use crate::measure::{Table, median, millis, ms, ratio};
use crate::program::Server;

const ROUNDS: u32 = 7;

/// A served file with readers of several sizes.
struct World {
    folder: tempfile::TempDir,
    small: Reader,
    middle: Reader,
    /// As many books as the middle one, with rough dates and logs.
    dated: Reader,
    large: Reader,
    server: Server,
}

impl World {
    /// The readers' libraries, with this many rows of other readers around them.
    fn with(others: i64) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let conn = library::file(folder.path());
        library::others(&conn, others / 2);
        let (small, middle) = (library::reader(&conn, 150), library::reader(&conn, 10_000));
        let dated = library::reader_with_logs(&conn, 10_000);
        let large = library::reader(&conn, 100_000);
        library::others(&conn, others / 2);
        conn.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
        drop(conn);
        let server = Server::serve(folder.path());
        Self { folder, small, middle, dated, large, server }
    }

    fn at(&self) -> SocketAddr {
        self.server.address()
    }

    fn file(&self) -> std::path::PathBuf {
        self.folder.path().join("shelfwise.db")
    }
}

/// Measures the requested rows.
pub fn rows(table: &mut Table) {
    if table.wants(11) {
        start(table);
    }
    if table.wants(12) {
        memory(table);
    }
    if ![1, 2, 3, 4, 5, 9, 10, 18].into_iter().any(|row| table.wants(row)) {
        return;
    }
    let world = World::with(0);
    scans(table, &world);
    pages(table, &world);
    if [2, 3, 9].into_iter().any(|row| table.wants(row)) {
        let limits = Limits::start(world.folder.path());
        loads(table, &world, &limits);
    }
    if table.wants(5) {
        neighbours(table, &world);
    }
}

/// Milliseconds of one request, the median of several on one connection.
fn asked(client: &mut Client, times: u32, get: &Get) -> f64 {
    ms(times, || assert_eq!(client.get(get).status, 200))
}

/// A connection like those of the program's readers.
fn reading(file: &Path) -> Connection {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let conn = Connection::open_with_flags(file, flags).unwrap();
    conn.execute_batch("PRAGMA cache_size = -4096").unwrap();
    conn
}

/// Milliseconds of the scan and aggregation behind the statistics, in this process.
fn scanned(conn: &Connection, reader: &Reader, times: u32) -> f64 {
    let (filter, today) = (Filter::default(), chrono::Utc::now().date_naive());
    ms(times, || {
        let found = scan(conn, reader.id, &filter, today, None).unwrap();
        assert!(std::hint::black_box(found).total > 0);
    })
}

fn stats(reader: &Reader) -> Get {
    Get::new("/api/stats", &reader.cookie).first_sight()
}

fn page(reader: &Reader, query: &str) -> Get {
    Get::new(&format!("/api/books?limit=50{query}"), &reader.cookie).first_sight()
}

/// Rows 1, 10 and 18.
fn scans(table: &mut Table, world: &World) {
    let (mut client, conn) = (Client::connect(world.at()), reading(&world.file()));
    if table.wants(1) {
        let measured =
            ratio(ROUNDS, || asked(&mut client, 9, &stats(&world.middle)), || scanned(&conn, &world.middle, 9));
        table.row(
            1,
            "statistics of 10,000 books, past every cache, against the scan alone",
            measured,
            " ×",
            AtMost(1.3),
        );
    }
    if table.wants(18) {
        let mut other = Client::connect(world.at());
        let dated = || asked(&mut client, 9, &stats(&world.dated));
        let measured = ratio(ROUNDS, dated, || asked(&mut other, 9, &stats(&world.middle)));
        let what = "the same of 10,000 books, a tenth with rough dates and a tenth counted by logs, against none";
        table.row(18, what, measured, " ×", AtMost(1.15));
    }
    if table.wants(10) {
        let mut other = Client::connect(world.at());
        let large = || asked(&mut client, 3, &stats(&world.large));
        let measured = ratio(ROUNDS, large, || asked(&mut other, 9, &stats(&world.middle)));
        table.row(10, "statistics of 100,000 books against 10,000", measured, " ×", AtMost(15.0));
    }
}

/// Row 4.
fn pages(table: &mut Table, world: &World) {
    if !table.wants(4) {
        return;
    }
    let (mut a, mut b) = (Client::connect(world.at()), Client::connect(world.at()));
    let large = || asked(&mut a, 51, &page(&world.large, ""));
    let measured = ratio(ROUNDS, large, || asked(&mut b, 51, &page(&world.small, "")));
    table.row(4, "a page of 50 out of 100,000 books against out of 150", measured, " ×", AtMost(1.2));
    let conn = reading(&world.file());
    let sorted = || asked(&mut a, 3, &page(&world.large, "&sort=title"));
    let measured = ratio(ROUNDS, sorted, || scanned(&conn, &world.large, 3));
    table.row(4, "the same by title against one scan of the 100,000", measured, " ×", AtMost(1.3));
}

/// Rows 2, 3 and 9: as many requests as possible, compared with a minimal route.
fn loads(table: &mut Table, world: &World, limits: &Limits) {
    let bare = Get::new(PATH, "none=1").with("Accept-Encoding", PACKED);
    let conn = reading(&world.file());
    for (row, path, first, sizes) in [(2, "/api/stats", 2.5, &[16][..]), (3, "/api/books", 1.8, &[16, 64][..])] {
        let get = Get::new(path, &world.small.cookie).with("Accept-Encoding", PACKED);
        let held = get.clone().with("If-None-Match", &Client::connect(world.at()).get(&get).etag);
        let sizes = if table.wants(row) { sizes } else { &[] };
        for clients in sizes.iter().copied() {
            let scan = || scanned(&conn, &world.small, 101);
            let measured = ratio(ROUNDS, || processor_ms(world, clients, &get.clone().first_sight()), scan);
            let what =
                format!("{path} of 150 books, first sight, {clients} clients, processor time against the scan's");
            table.row(row, &what, measured, " ×", AtMost(first));
            for (what, get, status, goal) in [("again", &get, 200, 60.0), ("unchanged", &held, 304, 65.0)] {
                let ours = || load(world.at(), clients, get, status);
                let measured = ratio(ROUNDS, ours, || load(limits.axum, clients, &bare, 200));
                let what = format!("{path} of 150 books, {what}, {clients} clients, against a bare route");
                table.row(row, &what, measured * 100.0, " %", AtLeast(goal));
            }
            let first = load(world.at(), clients, &get.clone().first_sight(), 200);
            let alone = load(limits.axum, clients, &bare, 200);
            table.note(&format!("the bare route answers {alone:.0} a second, {path} at first sight {first:.0}"));
        }
    }
    let sizes = if table.wants(9) { &[16, 64][..] } else { &[] };
    for clients in sizes.iter().copied() {
        let layered = || load(limits.layered, clients, &bare, 200);
        let measured = ratio(ROUNDS, layered, || load(limits.plain, clients, &bare, 200));
        let what = format!("a bare route in our layers, {clients} clients, against the same without");
        table.row(9, &what, measured * 100.0, " %", AtLeast(70.0));
    }
}

/// Milliseconds of a core that the server takes for a request under load.
fn processor_ms(world: &World, clients: usize, get: &Get) -> f64 {
    let before = world.server.processor_ms();
    let (_, requests) = counted(world.at(), clients, get, 200);
    (world.server.processor_ms() - before) / f64::from(requests)
}

/// Row 5: the same with rows of many other readers in the file.
fn neighbours(table: &mut Table, alone: &World) {
    let others = if std::env::var_os("FULL").is_some() { 3_000_000 } else { 300_000 };
    let among = World::with(others);
    let (mut a, mut b) = (Client::connect(among.at()), Client::connect(alone.at()));
    let with = |what: &str| format!("{what}, {others} rows of others in the file, against none");
    let many = || asked(&mut a, 9, &stats(&among.middle));
    let measured = ratio(ROUNDS, many, || asked(&mut b, 9, &stats(&alone.middle)));
    table.row(5, &with("statistics of 10,000 books"), measured, " ×", AtMost(1.15));
    let many = || asked(&mut a, 51, &page(&among.large, ""));
    let measured = ratio(ROUNDS, many, || asked(&mut b, 51, &page(&alone.large, "")));
    table.row(5, &with("a page of 50 out of 100,000"), measured, " ×", AtMost(1.15));
    let measured = ratio(5, || cold(&among), || cold(alone));
    table.row(5, &with("statistics of 10,000 after dropping the file from memory"), measured, " ×", AtMost(1.5));
}

/// Milliseconds of a scan with a new connection after the file was dropped from the system's memory.
fn cold(world: &World) -> f64 {
    let of = format!("of={}", world.file().display());
    let dropped = Command::new("dd").arg(of).args(["oflag=nocache", "conv=notrunc,fdatasync", "count=0"]).output();
    assert!(dropped.unwrap().status.success());
    scanned(&reading(&world.file()), &world.middle, 1)
}

/// Row 11.
fn start(table: &mut Table) {
    let folder = tempfile::tempdir().unwrap();
    let reader = library::reader(&library::file(folder.path()), 10_000);
    let get = Get::new("/api/stats", &reader.cookie);
    let once = |_| {
        let started = Instant::now();
        let server = Server::serve(folder.path());
        assert_eq!(Client::connect(server.address()).get(&get).status, 200);
        millis(started.elapsed())
    };
    let measured = median((0..9).map(once).collect());
    table.row(11, "start to the first statistics of 10,000 books", measured, " ms", AtMost(50.0));
}

/// Row 12.
fn memory(table: &mut Table) {
    let folder = tempfile::tempdir().unwrap();
    let reader = library::reader(&library::file(folder.path()), 10_000);
    let server = Server::serve(folder.path());
    let ready = Client::connect(server.address()).send(b"GET /healthz HTTP/1.1\r\nHost: bench\r\n\r\n");
    assert_eq!(ready.status, 200);
    table.row(12, "memory, idle", server.memory(), " MiB", AtMost(20.0));
    let list = Get::new("/api/books", &reader.cookie).with("Accept-Encoding", PACKED).first_sight();
    load(server.address(), 16, &list, 200);
    table.row(12, "memory after 16 clients read lists of 10,000 books", server.memory(), " MiB", AtMost(96.0));
}
