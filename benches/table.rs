//! `make bench`: the table of speeds, each row with its goal. `docs/benchmarks.md` says how to run and read it, and has the last table.
//!
//! Where possible a row is a ratio of two things that are measured in turns in this run, so that it holds on any machine.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a bench that can't measure ends with the reason")]
#![expect(clippy::disallowed_methods, reason = "a bench measures with the machine's own clock")]
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::File;
use std::io::Write as _;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;
use std::thread;
use std::time::{Duration, Instant};

use bytes::Bytes;
use chrono::{Days, NaiveDate, Utc};
use fastrand::Rng;
use reqwest::Method;
use reqwest::blocking::multipart::{Form, Part};
use reqwest::blocking::{Client, RequestBuilder};
use rusqlite::{Connection, OpenFlags, params};
use serde_json::{Value, json};
use shelfwise::account::password::hash_here;
use shelfwise::catalogue::store::search;
use shelfwise::devices::model::DeviceId;
use shelfwise::devices::statistics;
use shelfwise::devices::store::days;
use shelfwise::devices::store::documents::{self, Named, Pushed};
use shelfwise::kit::db::pool::{Db, Tx, open_writer};
use shelfwise::kit::http::session::{self, From, Id, id_hash};
use shelfwise::kit::id::UserId;
use shelfwise::kit::time_zone::Zone;
use shelfwise::library::books::filter::Filter;
use shelfwise::library::books::model::{BookDraft, BookStatus};
use shelfwise::library::books::reads::TargetWork;
use shelfwise::library::books::store::{self, Audience};
use shelfwise::statistics::store::scan;
use tokio::task::JoinSet;

#[expect(dead_code, reason = "the tests use the small dump")]
#[path = "../tests/it/support/dump.rs"]
mod dump;
#[expect(dead_code, reason = "the tests run more commands")]
#[path = "../tests/it/support/program.rs"]
mod program;

use Goal::{AtLeast, AtMost};
use program::Program;

const ROUNDS: u32 = 7;
const PASSWORD: &str = "a crowd of readers";

fn main() {
    rustls::crypto::ring::default_provider().install_default().unwrap();
    println!("| # | what | measured | goal | |\n|--:|---|--:|--:|---|");
    type Rows = (&'static [u32], fn());
    let groups: [Rows; 11] = [
        (&[1, 3, 11], one_reader),
        (&[2, 7], many_readers),
        (&[4], imports),
        (&[5], acknowledged),
        (&[6], greedy),
        (&[8], start_and_memory),
        (&[9, 10], browser),
        (&[12], devices),
        (&[13], catalogue),
        (&[14], binary_size),
        (&[16], crowd),
    ];
    for (rows, measure) in groups {
        if rows.iter().any(|row| wants(*row)) {
            measure();
        }
    }
}

enum Goal {
    AtMost(f64),
    AtLeast(f64),
}

fn wants(row: u32) -> bool {
    std::env::var("ROWS").map_or(true, |rows| rows.split(',').any(|one| one == row.to_string()))
}

fn print(row: u32, what: &str, measured: f64, unit: &str, goal: Goal) {
    let (sign, bound, met) = match goal {
        AtMost(most) => ("≤", most, measured <= most),
        AtLeast(least) => ("≥", least, measured >= least),
    };
    let verdict = if met { "ok" } else { "miss" };
    println!("| {row} | {what} | {}{unit} | {sign} {}{unit} | {verdict} |", short(measured), short(bound));
}

/// A number with three significant digits.
fn short(number: f64) -> String {
    let places = if number >= 100.0 { 0 } else { 1 + usize::from(number < 10.0) };
    format!("{number:.places$}")
}

fn percentile(mut values: Vec<f64>, percent: usize) -> f64 {
    values.sort_by(f64::total_cmp);
    values[(values.len() * percent / 100).min(values.len() - 1)]
}

/// The median of a ÷ b over several rounds, which begin with either in turns: a busy moment of the machine affects both.
fn ratio(rounds: u32, mut a: impl FnMut() -> f64, mut b: impl FnMut() -> f64) -> f64 {
    let round = |number: u32| {
        if number.is_multiple_of(2) {
            return a() / b();
        }
        let below = b();
        a() / below
    };
    percentile((0..rounds).map(round).collect(), 50)
}

fn ms(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1000.0
}

/// Milliseconds of a call: the median of several.
fn timed(times: u32, mut call: impl FnMut()) -> f64 {
    let one = |_| {
        let started = Instant::now();
        call();
        ms(started)
    };
    percentile((0..times).map(one).collect(), 50)
}

fn a_second(count: u32, since: Instant) -> f64 {
    f64::from(count) / since.elapsed().as_secs_f64()
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|text| text.parse().ok())
}

fn binary() -> PathBuf {
    std::env::var_os("BINARY").map_or_else(|| env!("CARGO_BIN_EXE_shelfwise").into(), PathBuf::from)
}

/// The program on a data directory; everybody has a paid plan.
fn serve(folder: &Path) -> Program {
    let mut command = Command::new(binary());
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("SHELFWISE_") || name == "RUST_LOG") {
        command.env_remove(name);
    }
    command.env("SHELFWISE_DEFAULT_PLAN", "shelfwise_plus").stderr(Stdio::null());
    command.args(["serve", "--listen", "127.0.0.1:0", "--data-dir"]).arg(folder);
    Program::start(command)
}

/// A figure of a process's memory in MiB: `VmRSS:` what it has, `VmHWM:` the most that it had.
fn memory(pid: u32, figure: &str) -> Option<f64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(figure))?;
    Some(line.trim().trim_end_matches(" kB").parse::<f64>().ok()? / 1024.0)
}

/// Somebody with an account and a session.
struct Reader {
    id: i64,
    cookie: String,
}

fn database(folder: &Path) -> Connection {
    open_writer(&folder.join("shelfwise.db")).unwrap()
}

/// So many new accounts in a file.
fn accounts(conn: &Connection, count: u64) -> Vec<Reader> {
    let hash = hash_here(PASSWORD).unwrap();
    let from = From { ip: "127.0.0.1".into(), user_agent: "bench".into(), provider: None, header_user: None };
    let transaction = conn.unchecked_transaction().unwrap();
    let tx = Tx::new(&transaction, Utc::now());
    let one = |_| {
        let sql = "INSERT INTO users (email, email_key, display_name, password_hash, created_at)
            SELECT 'r' || n || '@example.org', 'r' || n || '@example.org', 'Reader', ?1, ?2
            FROM (SELECT coalesce(max(id), 0) + 1 AS n FROM users)";
        tx.prepare_cached(sql).unwrap().execute(params![hash, tx.stamp()]).unwrap();
        let (id, session) = (tx.last_insert_rowid(), Id::default());
        tx.prepare_cached("INSERT INTO preferences (user_id) VALUES (?1)").unwrap().execute([id]).unwrap();
        session::store::open(&tx, UserId(id), id_hash(session), &from).unwrap();
        Reader { id, cookie: format!("shelfwise_session={session}") }
    };
    let readers = (0..count).map(one).collect();
    transaction.commit().unwrap();
    readers
}

/// Copies the library of one reader to others, inside SQLite.
fn copy_library(conn: &Connection, from: &Reader, to: &[Reader]) {
    let tables =
        [("books", "id BETWEEN (?2 << 24) AND (?2 << 24 | 0xffffff) ORDER BY id"), ("libraries", "user_id = ?2")];
    for (table, which) in tables {
        let mut names = conn.prepare("SELECT name FROM pragma_table_info(?1)").unwrap();
        let names: Vec<String> = names.query_map([table], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
        let values = names.iter().map(|name| match name.as_str() {
            "user_id" => "?1".to_owned(),
            "id" | "work" => format!("?1 << 24 | ({name} & 0xffffff)"),
            name => name.to_owned(),
        });
        let values = values.collect::<Vec<_>>().join(", ");
        let sql = format!("INSERT INTO {table} ({}) SELECT {values} FROM {table} WHERE {which}", names.join(", "));
        for some in to.chunks(1000) {
            let transaction = conn.unchecked_transaction().unwrap();
            for reader in some {
                conn.prepare_cached(&sql).unwrap().execute([reader.id, from.id]).unwrap();
            }
            transaction.commit().unwrap();
        }
    }
}

/// A folder with a file: readers with libraries of these sizes, and before them so many others with so many books each.
fn world((others, each): (u64, i64), sizes: &[i64]) -> (tempfile::TempDir, Vec<Reader>, Vec<Reader>) {
    let folder = tempfile::tempdir().unwrap();
    let conn = database(folder.path());
    let (others, readers) = (accounts(&conn, others), accounts(&conn, sizes.len() as u64));
    let server = serve(folder.path());
    let caller = Caller::to(&server);
    let first = others.first().map(|first| (first, &each));
    for (reader, books) in readers.iter().zip(sizes).chain(first).filter(|(_, books)| **books > 0) {
        caller.import(reader, own_csv(0..*books, ""));
    }
    drop(server);
    if let [first, others @ ..] = &others[..] {
        copy_library(&conn, first, others);
    }
    conn.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    (folder, others, readers)
}

/// What a plausible library has, the same in every run: fifteen years, 400 authors, twelve genres.
struct Book {
    title: String,
    author: String,
    words: i64,
    day: NaiveDate,
    rating: i64,
    genre: i64,
}

fn book(number: i64) -> Book {
    const WORDS: &str = "Winter River House Memory Garden Silence Glass Harbour Letter Mountain";
    let mut rng = Rng::with_seed(number.unsigned_abs());
    let mut word = || WORDS.split(' ').nth(rng.usize(..10)).unwrap();
    let (title, first) = (format!("The {} and the {} of {number}", word(), word()), word());
    Book {
        title,
        author: format!("{first} {} Author", rng.u8(..40)),
        words: rng.i64(20_000..180_000),
        day: NaiveDate::from_ymd_opt(2011, 1, 1).unwrap() + Days::new(rng.u64(..5400)),
        rating: rng.i64(0..=10),
        genre: rng.i64(0..12),
    }
}

/// A file of our own form. All books have the same series and tag, if any.
fn own_csv(numbers: Range<i64>, shared: &str) -> String {
    let mut file = "Title,Author,Word Count,Date Completed,Rating,Format,Genres,Series,Tags\n".to_owned();
    for Book { title, author, words, day, rating, genre } in numbers.map(book) {
        writeln!(file, "{title},{author},{words},{day},{rating},eBook,\"Genre {genre}, Fantasy\",{shared},{shared}")
            .unwrap();
    }
    file
}

/// A file of a tracker, in which each book has another rating in each edition.
fn tracker_csv(rows: i64, edition: i64) -> String {
    let mut file = "Book Id,Title,Author,My Rating,Date Read,Bookshelves,Exclusive Shelf\n".to_owned();
    for n in 0..rows {
        writeln!(file, "{n},Tracked {n},Author {},{},2020/01/02,Mystery,read", n % 500, (n + edition) % 5 + 1).unwrap();
    }
    file
}

const IMPORT: &str = "/api/books/import";
/// What a dashboard asks for.
const DASHBOARD: [&str; 3] =
    ["/api/stats?", "/api/books?sort=dateCompleted&order=desc&limit=100", "/api/stats/options?"];

struct Caller(String);

static HTTP: LazyLock<Client> = LazyLock::new(|| Client::builder().timeout(None).no_gzip().build().unwrap());

/// How a request ended; the status is 0 without an answer.
struct Answer {
    status: u16,
    ms: f64,
    body: Bytes,
}

impl Caller {
    fn to(server: &Program) -> Self {
        Self(server.address())
    }

    fn request(&self, reader: &Reader, method: Method, path: &str) -> RequestBuilder {
        HTTP.request(method, format!("{}{path}", self.0)).header("cookie", &reader.cookie)
    }

    fn send(request: RequestBuilder) -> Answer {
        let started = Instant::now();
        let answer = request.send().and_then(|answer| Ok((answer.status().as_u16(), answer.bytes()?)));
        let (status, body) = answer.unwrap_or_default();
        Answer { status, ms: ms(started), body }
    }

    /// Asks as a browser does, which takes compressed answers.
    fn get(&self, reader: &Reader, path: &str) -> Answer {
        Self::send(self.request(reader, Method::GET, path).header("accept-encoding", "gzip, deflate, br, zstd"))
    }

    fn json(&self, reader: &Reader, method: Method, path: &str, body: &Value) -> Answer {
        Self::send(self.request(reader, method, path).json(body))
    }

    fn upload(&self, reader: &Reader, path: &str, file: String) -> Answer {
        let form = Form::new().part("file", Part::text(file).file_name("library.csv"));
        Self::send(self.request(reader, Method::POST, path).multipart(form))
    }

    /// Milliseconds of an import that refuses no row.
    fn import(&self, reader: &Reader, file: String) -> f64 {
        let Answer { status, ms, body } = self.upload(reader, IMPORT, file);
        let report: Value = serde_json::from_slice(&body).unwrap();
        assert!(status == 200 && report["errors"] == 0, "{status} {report}");
        ms
    }

    fn login(&self, reader: &Reader) -> Answer {
        let form = json!({"email": format!("r{}@example.org", reader.id), "password": PASSWORD});
        Self::send(HTTP.post(format!("{}/api/auth/login", self.0)).json(&form))
    }
}

/// A path that no cache of the server knows.
fn fresh(path: &str) -> String {
    format!("{path}&n={}", fastrand::u64(..))
}

/// Milliseconds of an answer that is neither cached nor compressed, the median of several.
fn asked(caller: &Caller, reader: &Reader, path: &str, times: u32) -> f64 {
    timed(times, || assert_eq!(Caller::send(caller.request(reader, Method::GET, &fresh(path))).status, 200))
}

/// How often a second so many clients do something, each again when it is answered.
fn repeated(server: &Program, clients: usize, call: impl Fn(&Caller, usize) -> Answer + Sync) -> f64 {
    let started = Instant::now();
    let client = |n: usize| {
        let (caller, mut count) = (Caller::to(server), 0);
        while started.elapsed() < Duration::from_secs(1) {
            assert_eq!(call(&caller, n).status, 200);
            count += 1;
        }
        count
    };
    let count = thread::scope(|scope| {
        let clients: Vec<_> = (0..clients).map(|n| scope.spawn(move || client(n))).collect();
        clients.into_iter().map(|client| client.join().unwrap()).sum()
    });
    a_second(count, started)
}

/// Rows 1, 3 and 11: statistics, pages and searches.
fn one_reader() {
    let sizes = [150, 10_000, 100_000];
    let (folder, _, readers) = world((0, 0), &sizes);
    let [small, middle, large] = &readers[..] else { return };
    // Two kilobytes a book.
    let texts = "INSERT INTO book_texts SELECT id, replace(hex(zeroblob(40)), '00', title || ': \u{201c}what a day!\u{201d} '), '[]'
        FROM books WHERE user_id <> ?1";
    database(folder.path()).execute(texts, [large.id]).unwrap();
    let server = serve(folder.path());
    let caller = Caller::to(&server);
    if wants(11) {
        for (reader, what, goal) in [(middle, "a search of 20 MB of texts", 100.0), (small, "of 150 books", 5.0)] {
            print(11, what, asked(&caller, reader, "/api/search?q=sandworm", 9), " ms", AtMost(goal));
        }
    }
    if wants(1) {
        let file = folder.path().join("shelfwise.db");
        let conn = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap();
        let (filter, today) = (Filter::default(), Utc::now().date_naive());
        let scanned = || {
            timed(9, || {
                assert!(scan(&conn, UserId(middle.id), Audience::Owner, &filter, today, None).unwrap().total > 0)
            })
        };
        let measured = ratio(ROUNDS, || asked(&caller, middle, "/api/stats?", 9), scanned);
        print(1, "statistics of 10,000 books, against the scan in-process", measured, " ×", AtMost(1.5));
    }
    if wants(3) {
        let page = "/api/books?limit=50";
        let alone = || asked(&caller, large, page, 51);
        let measured = ratio(ROUNDS, alone, || asked(&caller, small, page, 51));
        print(3, "a page of 50 out of 100,000 books, against out of 150", measured, " ×", AtMost(1.5));
        let (folder, _, readers) = world((1000, 300), &sizes);
        let server = serve(folder.path());
        let beside = Caller::to(&server);
        let measured = ratio(ROUNDS, || asked(&beside, &readers[2], page, 51), alone);
        print(3, "the same beside 300,000 rows of others, against alone", measured, " ×", AtMost(1.25));
    }
}

/// Rows 2 and 7: 2,000 readers with 300 books each.
fn many_readers() {
    let (folder, readers, _) = world((2000, 300), &[]);
    let server = serve(folder.path());
    if wants(2) {
        let until = Instant::now() + Duration::from_secs(number("LOAD").unwrap_or(60));
        let client = |seed: u64| {
            let (caller, mut rng, mut answers) = (Caller::to(&server), Rng::with_seed(seed), Vec::new());
            while Instant::now() < until {
                let did = act(&caller, &readers[rng.usize(..readers.len())], &mut rng);
                answers.extend(did.into_iter().map(|answer| (answer.status, answer.ms)));
            }
            answers
        };
        let answers: Vec<(u16, f64)> = thread::scope(|scope| {
            let clients: Vec<_> = (0..64).map(|seed| scope.spawn(move || client(seed))).collect();
            clients.into_iter().flat_map(|client| client.join().unwrap()).collect()
        });
        let errors: Vec<u16> = answers.iter().map(|answer| answer.0).filter(|status| *status / 100 != 2).collect();
        eprintln!("row 2: {errors:?}");
        let what = format!("64 clients act like readers among 2,000, {} requests, p99", answers.len());
        let p99 = percentile(answers.into_iter().map(|(_, ms)| ms).collect(), 99);
        print(2, &what, p99, " ms", AtMost(250.0));
        print(2, "errors among them", errors.len() as f64, "", AtMost(0.0));
    }
    if wants(7) {
        let lists = || repeated(&server, 16, |caller, n| caller.get(&readers[16 + n], &fresh("/api/books?limit=150")));
        let beside = || {
            thread::scope(|scope| {
                let logins = scope.spawn(|| repeated(&server, 16, |caller, n| caller.login(&readers[n])));
                let lists = lists();
                assert!(logins.join().unwrap() > 0.0);
                lists
            })
        };
        let measured = 100.0 * ratio(3, beside, lists);
        print(7, "lists of others while 16 clients log in, share of unloaded", measured, " %", AtLeast(40.0));
    }
}

/// What a reader does next, and how it was answered.
fn act(caller: &Caller, reader: &Reader, rng: &mut Rng) -> Vec<Answer> {
    let read = |paths: &[String]| paths.iter().map(|path| caller.get(reader, path)).collect();
    let both = |filter: &str| read(&[format!("/api/stats?{filter}"), format!("/api/books?{filter}&limit=100")]);
    match rng.u32(..1000) {
        0..400 => read(&DASHBOARD.map(fresh)),
        400..600 => both(&format!("genres=Fantasy&minRating=5&startDate={}-01-01", rng.u32(2012..2025))),
        600..800 => both(&format!("titleSearch={}", rng.choice(["winter", "har", "silence", "mou", "the+g"]).unwrap())),
        800..890 => {
            let book = json!({"title": format!("One more {}", rng.u32(..)), "author": "A", "status": "undated"});
            vec![caller.json(reader, Method::POST, "/api/books", &book)]
        }
        890..980 => {
            let path = format!("/api/books/{}", reader.id << 24 | rng.i64(1..=300));
            vec![caller.json(reader, Method::PATCH, &path, &json!({"wordCount": rng.u32(20_000..180_000)}))]
        }
        980..988 => read(&["/api/account/export".to_owned()]),
        988..994 => {
            let first = rng.i64(1_000_000..1_000_000_000);
            vec![caller.upload(reader, IMPORT, own_csv(first..first + 300, ""))]
        }
        _ => vec![caller.login(reader)],
    }
}

/// Row 4: imports.
fn imports() {
    let (folder, _, readers) = world((0, 0), &[0; 11]);
    let server = serve(folder.path());
    let caller = &Caller::to(&server);
    let mut importers = readers[..5].iter();
    let imported = || caller.import(importers.next().unwrap(), own_csv(0..10_000, ""));
    let measured = 100.0 * ratio(5, raw_inserts, imported);
    print(4, "an import of 10,000 books, in the speed of raw inserts", measured, " %", AtLeast(25.0));

    let file = &own_csv(0..100_000, "");
    let (mut longest, mut most) = (0.0_f64, 0.0_f64);
    thread::scope(|scope| {
        let import = |reader| scope.spawn(move || caller.import(reader, file.clone()));
        let imports: Vec<_> = readers[5..10].iter().map(import).collect();
        while imports.iter().any(|import| !import.is_finished()) {
            let answer = caller.json(&readers[10], Method::POST, "/api/tbr", &json!({"title": "One more"}));
            assert_eq!(answer.status, 201);
            longest = longest.max(answer.ms);
            most = most.max(memory(server.pid(), "VmRSS:").unwrap());
        }
    });
    print(4, "another writer's longest wait during five imports of 100,000", longest, " ms", AtMost(1000.0));
    print(4, "memory meanwhile", most, " MiB", AtMost(400.0));
}

/// Milliseconds of 10,000 inserts of the same books with one prepared statement in one transaction, indexes included.
fn raw_inserts() -> f64 {
    let folder = tempfile::tempdir().unwrap();
    let conn = database(folder.path());
    let owner = accounts(&conn, 1)[0].id;
    let books: Vec<Book> = (0..10_000).map(book).collect();
    let started = Instant::now();
    let transaction = conn.unchecked_transaction().unwrap();
    let sql = "INSERT INTO books (id, user_id, status, date_completed, word_count, rating, format, reread, word_distribution, title,
            author, title_key, author_key, genres, work, word_count_source, has_texts, created_at, updated_at)
        VALUES (?1, ?2, 'completed', ?3, ?4, ?5, 'eBook', 0, 'final', ?6, ?7, ?6, ?7, ?8, ?1, 'entered', 0, ?9, ?9)";
    let mut insert = transaction.prepare(sql).unwrap();
    for (number, Book { title, author, words, day, rating, genre }) in (1..).zip(&books) {
        let (id, genres) = (owner << 24 | number, format!("Genre {genre},Fantasy"));
        let now = "2026-01-01T00:00:00Z";
        insert.execute(params![id, owner, day.to_string(), words, rating * 10, title, author, genres, now]).unwrap();
    }
    drop(insert);
    transaction.commit().unwrap();
    ms(started)
}

/// Row 5: writes that are acknowledged when they are on the disk, through the program's writer and with a commit each.
fn acknowledged() {
    let add = |tx: &Tx<'_>, owner: UserId, number: u32| {
        let (title, authors) = (format!("Book {number}"), vec!["An Author".to_owned()]);
        let draft = BookDraft { title, authors, status: BookStatus::Undated, ..BookDraft::default() };
        store::insert(tx, owner, &draft, TargetWork::Alone).map(drop)
    };
    together(5, "acknowledged writes of 64 writers", add);
}

/// Row 12: places of devices, and KOReader's statistics against reading their file.
fn devices() {
    let place = |tx: &Tx<'_>, owner: UserId, number: u32| {
        let reader = days::Reader::new(tx, owner, Zone::or_utc(None), tx.now())?;
        let named = Named { digest: format!("{:032x}", number % 50), ..Named::default() };
        let progress =
            json!({"document": named.digest, "progress": "/body/DocFragment[11]", "percentage": 0.5, "device": "A"});
        documents::push(tx, &reader, DeviceId(1), &Pushed { named, at: 5_000, progress: progress.to_string() })
    };
    together(12, "places of 64 devices", place);
    let folder = tempfile::tempdir().unwrap();
    let conn = database(folder.path());
    let owner = UserId(accounts(&conn, 1)[0].id);
    let path = folder.path().join("statistics.sqlite3");
    Connection::open(&path)
        .unwrap()
        .execute_batch(
            "BEGIN; CREATE TEMP TABLE n AS WITH RECURSIVE n(value) AS (SELECT 0 UNION ALL SELECT value + 1 FROM n WHERE value < 99999) SELECT value FROM n;
            CREATE TABLE book (id INTEGER PRIMARY KEY, title, authors, md5, pages);
            CREATE TABLE page_stat_data (id_book INTEGER, page INTEGER, start_time INTEGER, duration INTEGER, total_pages INTEGER);
            INSERT INTO book SELECT value, 'Book ' || value, 'An Author', printf('%032x', value), 400 FROM n WHERE value BETWEEN 1 AND 100;
            INSERT INTO page_stat_data SELECT 1 + value / 1000, 1 + value % 400, 1600000000 + value * 90, 60, 400
                FROM n; COMMIT;",
        )
        .unwrap();
    let read = || {
        let started = Instant::now();
        assert_eq!(statistics::read(&path).unwrap().books.len(), 100);
        ms(started)
    };
    let take = || {
        let (started, file) = (Instant::now(), statistics::read(&path).unwrap().books);
        let transaction = conn.unchecked_transaction().unwrap();
        let tx = Tx::new(&transaction, Utc::now());
        let reader = days::Reader::new(&tx, owner, Zone::or_utc(None), tx.now()).unwrap();
        documents::take(&tx, &reader, DeviceId(1), file).unwrap();
        ms(started)
    };
    print(
        12,
        "statistics of 100,000 page turns taken over, against reading their file",
        ratio(ROUNDS, take, read),
        " ×",
        AtMost(5.0),
    );
}

/// Writes of 64 at a time, against one commit a write.
fn together<F>(row: u32, what: &str, add: F)
where
    F: Fn(&Tx<'_>, UserId, u32) -> shelfwise::kit::Result<()> + Copy + Send + 'static,
{
    const LONG: Duration = Duration::from_millis(500);
    let folder = tempfile::tempdir().unwrap();
    let conn = database(folder.path());
    let owner = UserId(accounts(&conn, 1)[0].id);
    let mut file = File::create(folder.path().join("sync")).unwrap();
    let sync = timed(51, || {
        file.write_all(&[1; 4096]).unwrap();
        file.sync_data().unwrap();
    });
    let alone = || {
        let (started, mut count) = (Instant::now(), 0);
        while started.elapsed() < LONG {
            let transaction = conn.unchecked_transaction().unwrap();
            add(&Tx::new(&transaction, Utc::now()), owner, count).unwrap();
            transaction.commit().unwrap();
            count += 1;
        }
        a_second(count, started)
    };
    let db = Db::open(&folder.path().join("shelfwise.db")).unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let together = || {
        let (started, mut writers) = (Instant::now(), JoinSet::new());
        for _ in 0..64 {
            let db = db.clone();
            let writer = async move {
                let mut count = 0;
                while started.elapsed() < LONG {
                    db.write(move |tx| add(tx, owner, count)).await.unwrap();
                    count += 1;
                }
                count
            };
            writers.spawn_on(writer, runtime.handle());
        }
        a_second(runtime.block_on(writers.join_all()).into_iter().sum(), started)
    };
    let measured = ratio(5, together, alone);
    // 5 times where a sync is fast, 20 times where it is slow, and in proportion between.
    let goal = 5.0 + 15.0 * ((sync - 0.3) / 0.7).clamp(0.0, 1.0);
    let what = format!("{what}, against one commit a write (a sync takes {sync:.2} ms)");
    print(row, &what, measured, " ×", AtLeast(goal));
    db.close();
}

/// Row 6: somebody changes one of 12 books while an account with 90,000 does all that it may. From 100,000 on it could add nothing.
fn greedy() {
    let (folder, _, readers) = world((0, 0), &[0, 12]);
    let [account, writer] = &readers[..] else { return };
    let server = serve(folder.path());
    let caller = &Caller::to(&server);
    caller.import(account, own_csv(0..50_000, "Saga"));
    caller.import(account, tracker_csv(40_000, 0));
    let until = Instant::now() + Duration::from_secs(number("LOAD").unwrap_or(60));
    let again = |kind: &'static str, first: i64| {
        let (mut round, mut answers) = (first, BTreeMap::new());
        while Instant::now() < until {
            *answers.entry((kind, greed(caller, account, kind, round))).or_insert(0) += 1;
            round += 2;
        }
        answers
    };
    let mut waits = Vec::new();
    let answers: Vec<BTreeMap<(&str, u16), u32>> = thread::scope(|scope| {
        let kinds = ["add", "import", "sync", "rename", "tag", "genres", "fill in"];
        let each = kinds.into_iter().flat_map(|kind| [(kind, 0), (kind, 1)]);
        let greedy: Vec<_> = each.map(|(kind, first)| scope.spawn(move || again(kind, first))).collect();
        while Instant::now() < until {
            let path = format!("/api/books/{}", writer.id << 24 | fastrand::i64(1..=12));
            let change = json!({"wordCount": fastrand::u32(20_000..180_000)});
            let answer = caller.json(writer, Method::PATCH, &path, &change);
            waits.push(if answer.status == 200 { answer.ms } else { f64::INFINITY });
            thread::sleep(Duration::from_millis(10));
        }
        greedy.into_iter().map(|greedy| greedy.join().unwrap()).collect()
    });
    eprintln!("row 6: {} changes, beside {answers:?}", waits.len());
    let what = "a change by a reader with 12 books beside an account with 90,000 that does all that it may, p99";
    print(6, what, percentile(waits, 99), " ms", AtMost(250.0));
}

/// Does something to the whole library, takes it back where it would come to an end, and returns the status.
fn greed(caller: &Caller, account: &Reader, kind: &str, round: i64) -> u16 {
    let change = |path: &str, body: Value| caller.json(account, Method::PATCH, path, &body);
    let answer = match kind {
        "add" => {
            let book = json!({"title": format!("One more {round}"), "author": "A", "status": "undated"});
            return caller.json(account, Method::POST, "/api/books", &book).status;
        }
        "sync" => return caller.upload(account, "/api/books/import?mode=sync", tracker_csv(40_000, round + 1)).status,
        "fill in" => return caller.json(account, Method::POST, "/api/refill", &json!({})).status,
        "import" => caller.upload(account, IMPORT, own_csv(1_000_000 + round * 10_000..1_010_000 + round * 10_000, "")),
        "rename" => change("/api/series/Saga", json!({"name": format!("Saga {round}")})),
        "tag" => change("/api/tags/own", json!({"name": format!("own {round}")})),
        _ => change("/api/books", json!({"addGenres": [format!("Genre {round}")]})),
    };
    let body: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
    for (key, path) in [("importId", "imports"), ("operationId", "operations")] {
        let Some(id) = body[key].as_i64() else { continue };
        let undo = || Caller::send(caller.request(account, Method::DELETE, &format!("/api/{path}/{id}"))).status;
        while matches!(undo(), 429 | 503) {
            thread::sleep(Duration::from_millis(50));
        }
    }
    answer.status
}

/// Row 8: a start, and the memory.
fn start_and_memory() {
    let (folder, readers, _) = world((16, 10_000), &[]);
    let start = || {
        let server = serve(folder.path());
        assert_eq!(Caller::to(&server).get(&readers[0], "/api/stats").status, 200);
    };
    print(8, "a start to the first statistics of 10,000 books", timed(9, start), " ms", AtMost(100.0));
    let server = serve(folder.path());
    thread::sleep(Duration::from_secs(1));
    print(8, "memory, idle", memory(server.pid(), "VmRSS:").unwrap(), " MiB", AtMost(40.0));
    repeated(&server, 16, |caller, n| caller.get(&readers[n], &fresh("/api/books?")));
    let after = memory(server.pid(), "VmRSS:").unwrap();
    print(8, "memory after 16 clients read lists of 10,000 books", after, " MiB", AtMost(160.0));
}

/// Rows 9 and 10, if `CHROMIUM` names a browser.
fn browser() {
    if std::env::var_os("CHROMIUM").is_none() {
        eprintln!("CHROMIUM names no browser: rows 9 and 10 are not measured");
        return;
    }
    let (folder, _, readers) = world((0, 0), &[10_000]);
    let server = serve(folder.path());
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("ui/e2e/speed.bench.mjs");
    let mut command = Command::new("node");
    command.arg(script).args([&server.address(), &readers[0].cookie]).stderr(Stdio::inherit());
    let printed = command.output().unwrap();
    assert!(printed.status.success(), "the browser's measurements ended early");
    for line in String::from_utf8(printed.stdout).unwrap().lines() {
        let (row, what, measured, unit, goal): (u32, String, f64, String, f64) = serde_json::from_str(line).unwrap();
        if wants(row) {
            print(row, &what, measured, &unit, AtMost(goal));
        }
    }
}

/// Row 13: the offline catalogue.
fn catalogue() {
    let folder = tempfile::tempdir().unwrap();
    let dump = dump::large(folder.path(), number("EDITIONS").unwrap_or(1_000_000));
    let mut command = Command::new(binary());
    command.args(["catalogue", "build", "--data-dir"]).arg(folder.path()).arg("--editions").arg(&dump.editions);
    command.arg("--works").arg(&dump.works).arg("--authors").arg(&dump.authors);
    command.arg("--reading-log").arg(&dump.reading_log).stdout(Stdio::null()).stderr(Stdio::null());
    let (mut build, mut most) = (command.spawn().unwrap(), 0.0_f64);
    while build.try_wait().unwrap().is_none() {
        most = most.max(memory(build.id(), "VmHWM:").unwrap_or(0.0));
        thread::sleep(Duration::from_millis(20));
    }
    assert!(build.wait().unwrap().success());
    let file = folder.path().join("catalogue.db");
    let conn = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap();
    // The commonest words alone and in pairs, and others, letter by letter.
    let words = (0..25).map(dump::word).chain((0..25).map(|n| format!("{} {}", dump::word(n), dump::word(n + 1))));
    let words = words.chain((0..50).map(|n| dump::word(25 + n * n * 20)));
    let typed = words.flat_map(|word| (3..=word.len()).map(move |end| word[..end].to_owned()));
    let times = typed.map(|text| timed(1, || assert!(search(&conn, &text).is_ok()))).collect();
    print(13, "a search of the offline catalogue while typing, p99", percentile(times, 99), " ms", AtMost(10.0));
    print(13, "memory of its build", most, " MiB", AtMost(512.0));
}

/// Row 14: what is shipped.
fn binary_size() {
    let bytes = std::fs::metadata(binary()).unwrap().len();
    print(14, "the binary, interface and languages inside", bytes as f64 / 1024.0 / 1024.0, " MiB", AtMost(40.0));
}

/// Row 16, if `READERS` says among how many: a dashboard in a file with all of them, against the same library alone in a file.
fn crowd() {
    let Some(count) = number("READERS") else { return };
    let ((crowded, others, _), (alone, own, _)) = (world((count, 300), &[]), world((1, 300), &[]));
    let (crowded, alone) = (serve(crowded.path()), serve(alone.path()));
    let (among, single) = (Caller::to(&crowded), Caller::to(&alone));
    let dashboard = |caller: &Caller, reader: &Reader| {
        timed(21, || DASHBOARD.iter().for_each(|path| assert_eq!(caller.get(reader, &fresh(path)).status, 200)))
    };
    let anyone = || dashboard(&among, &others[fastrand::usize(..others.len())]);
    let measured = ratio(21, anyone, || dashboard(&single, &own[0]));
    let what = format!("a dashboard among {count} readers with 300 books each, against alone");
    print(16, &what, measured, " ×", AtMost(1.3));
}
