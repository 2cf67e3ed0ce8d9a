//! A greedy reader or address beside a modest one: the modest one is still served.
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use reqwest::Method;
use rusqlite::{Connection, InterruptHandle};
use serde_json::{Value, json};
use shelfwise::kit::Error;
use shelfwise::kit::db::pool::Tx;
use shelfwise::kit::hashing::Purpose;
use shelfwise::kit::id::UserId;
use shelfwise::library::counters;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinSet;

use crate::support::actors::{PASSWORD, Reader, TestResponse, Visitor};
use crate::support::fault_table::{row, times};
use crate::support::harness::TestServer;
use crate::support::program::{Program, shelfwise};

/// A further session's cookie of somebody.
async fn cookie(person: &Reader) -> String {
    let stranger = Visitor::at(person.base.clone());
    let answer = stranger.post("/api/auth/login", json!({"email": person.email, "password": PASSWORD})).await;
    answer.header("set-cookie").split(';').next().unwrap().to_owned()
}

fn address(base: &str) -> String {
    base.trim_start_matches("http://").to_owned()
}

/// Begins a call with a body, and returns once the server asks for that: the call then has its turn and keeps it.
async fn begin(base: &str, path: &str, headers: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address(base)).await.unwrap();
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n{headers}\
         Expect: 100-continue\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut asked = [0; 25];
    stream.read_exact(&mut asked).await.unwrap();
    assert_eq!(&asked, b"HTTP/1.1 100 Continue\r\n\r\n");
    stream
}

/// Asks for something and takes no more of the answer than its beginning.
async fn take_little(base: &str, path: &str, cookie: &str) -> (TcpStream, String) {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4096).unwrap();
    let mut stream = socket.connect(address(base).parse().unwrap()).await.unwrap();
    let head = format!("GET {path} HTTP/1.1\r\nHost: x\r\nCookie: {cookie}\r\n\r\n");
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut line = [0; 12];
    stream.read_exact(&mut line).await.unwrap();
    (stream, String::from_utf8_lossy(&line).into_owned())
}

fn asks_to_wait(answer: &TestResponse) -> bool {
    answer.header("retry-after").parse::<u64>().is_ok_and(|seconds| seconds >= 1)
}

/// Asks until the answer has that status: what was held comes back as soon as the server notices that its holder has gone.
async fn until(status: u16, ask: impl AsyncFn() -> TestResponse) -> TestResponse {
    let started = Instant::now();
    while started.elapsed() < Duration::from_secs(60) {
        let answer = ask().await;
        if answer.status == status {
            return answer;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("never {status}")
}

/// A book whose texts have nearly two megabytes.
fn heavy_book(number: usize) -> Value {
    let quotes: Vec<_> = (0..190).map(|quote| format!("{number} {quote} {}", "€".repeat(3_200))).collect();
    json!({"title": format!("Book {number}"), "author": "A", "status": "undated", "quotes": quotes})
}

#[tokio::test]
async fn requests_of_one_account_wait_only_for_each_other() {
    let server = TestServer::with(|config| config.limits.calls_per_account = 2).await;
    let (greedy, modest) = (server.plus().await, server.reader().await);
    let made = greedy.post("/api/account/tokens", json!({"name": "Script", "access": "read-write"})).await.expect(201);
    let secret = made["secret"].as_str().unwrap().to_owned();
    let session = format!("Cookie: {}\r\n", cookie(&greedy).await);
    let token = format!("Authorization: Bearer {secret}\r\n");
    let held = [begin(&greedy.base, "/api/books", &session).await, begin(&greedy.base, "/api/books", &token).await];
    let refused = greedy.get("/api/books").await;
    assert_eq!(refused.code(429), "too_many_at_once");
    assert!(asks_to_wait(&refused));
    modest.get("/api/books").await.expect(200);
    server.visitor().get("/healthz").await.expect(200);
    drop(held);
    until(200, async || greedy.get("/api/books").await).await;
}

#[tokio::test]
async fn changes_of_a_whole_library_wait_for_each_other() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let book = json!({"title": "T", "author": "A", "status": "undated", "tags": ["owned"], "series": {"name": "S"}});
    reader.post("/api/books", book).await.expect(201);
    let user_id = UserId(reader.id);
    // One sends its answer, the other works.
    let _sending = server.app.budgets.heavy(user_id).await.unwrap().sending();
    let working = server.app.budgets.heavy(user_id).await.unwrap();
    let calls = [
        (Method::PATCH, "/api/tags/owned", json!({"name": "mine"})),
        (Method::DELETE, "/api/tags/mine", json!({})),
        (Method::PATCH, "/api/series/S", json!({"name": "New"})),
        (Method::PATCH, "/api/books", json!({"addGenres": ["g"]})),
        (Method::DELETE, "/api/operations/1", json!({})),
        (Method::DELETE, "/api/imports/1", json!({})),
    ];
    let send = |(method, path, body): &(Method, &'static str, Value)| {
        reader.send(reader.request(method.clone(), path).json(body))
    };
    let [a, b, c, d, e, f] = &calls;
    for refused in <[TestResponse; 6]>::from(tokio::join!(send(a), send(b), send(c), send(d), send(e), send(f))) {
        assert_eq!(refused.code(429), "too_many_at_once");
    }
    drop(working);
    for (call, status) in calls.iter().zip([200, 204, 200, 200, 404, 404]) {
        assert_eq!(send(call).await.status, status, "{call:?}");
    }
}

#[tokio::test]
async fn an_account_uses_two_reading_connections_at_once() {
    let server = TestServer::start().await;
    let (greedy, modest) = (server.reader().await, server.reader().await);
    let budgets = &server.app.budgets;
    let mut held =
        vec![budgets.reader(UserId(greedy.id)).await.unwrap(), budgets.reader(UserId(greedy.id)).await.unwrap()];
    let mut third = Box::pin(greedy.get("/api/books"));
    assert!(tokio::time::timeout(Duration::from_secs(1), &mut third).await.is_err(), "a third read waits");
    modest.get("/api/books").await.expect(200);
    held.pop();
    tokio::time::timeout(Duration::from_secs(30), third).await.expect("a reader is free").expect(200);
}

#[tokio::test]
async fn anonymous_requests_of_one_address_wait_only_for_each_other() {
    let server = TestServer::with(|config| {
        config.limits.calls_per_address = 2;
        config.trusted_proxies = vec!["127.0.0.1".to_owned().try_into().unwrap()];
    })
    .await;
    let (reader, stranger) = (server.reader().await, server.visitor());
    let from = |ip: &str| format!("X-Forwarded-For: {ip}\r\n");
    let (one, other) = (from("192.0.2.1"), format!("{}Cookie: session=none\r\n", from("192.0.2.1")));
    let held =
        [begin(&stranger.base, "/api/auth/login", &one).await, begin(&stranger.base, "/api/auth/login", &other).await];
    let site = |ip: &'static str| stranger.request(Method::GET, "/api/site").header("x-forwarded-for", ip);
    assert_eq!(stranger.send(site("192.0.2.1")).await.code(429), "too_many_at_once");
    stranger.send(site("192.0.2.2")).await.expect(200);
    // A proxy that forwards no address does not count as a caller.
    stranger.get("/api/site").await.expect(200);
    let signed_in = reader.request(Method::GET, "/api/books").header("x-forwarded-for", "192.0.2.1");
    reader.send(signed_in).await.expect(200);
    drop(held);
    until(200, async || stranger.send(site("192.0.2.1")).await).await;
}

#[tokio::test]
async fn bodies_that_arrive_slowly_take_no_call_from_others() {
    let server = TestServer::with(|config| config.limits.calls = 2).await;
    let (slow, modest) = (server.reader().await, server.reader().await);
    let session = format!("Cookie: {}\r\n", cookie(&slow).await);
    let mut held = Vec::new();
    for headers in [&session, &session, "", ""] {
        let path = if headers.is_empty() { "/api/auth/login" } else { "/api/books" };
        held.push(begin(&slow.base, path, headers).await);
    }
    modest.get("/api/books").await.expect(200);
    modest.post("/api/tbr", json!({"title": "T"})).await.expect(201);
}

#[tokio::test]
async fn bodies_have_limits_that_fit_their_content() {
    let server = TestServer::start().await;
    let reader = server.reader().await;
    let blanks = |length: usize| json!({"title": "T", "author": "A", "email": " ".repeat(length)});
    for (path, length, limit) in [
        ("/api/auth/login", 17 << 10, Some("16 KiB")),
        ("/api/auth/signup", 1 << 20, Some("16 KiB")),
        ("/api/account/tokens", 17 << 10, Some("16 KiB")),
        ("/api/teams/invite", 17 << 10, Some("16 KiB")),
        ("/api/books", 17 << 10, None),
        ("/api/books", 3 << 20, Some("2 MiB")),
        ("/api/tbr", 1 << 20, None),
    ] {
        let answer = reader.post(path, blanks(length)).await;
        match limit {
            Some(limit) => {
                assert_eq!(answer.code(413), "too_large", "{path}");
                assert!(answer.body["error"].as_str().unwrap().contains(limit), "{}", answer.body);
            }
            None => assert_ne!(answer.status, 413, "{path}"),
        }
    }
}

/// The beginning of a form whose file follows.
const FILE_BEGINS: &str = "--X\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.csv\"\r\n\r\n";

/// Sends the head of a form that announces so many bytes, its beginning, and so many bytes more.
async fn upload(base: &str, cookie: &str, length: usize, begin: &str, sent: usize) -> TcpStream {
    let mut stream = TcpStream::connect(address(base)).await.unwrap();
    let head = format!(
        "POST /api/books/import HTTP/1.1\r\nHost: x\r\nCookie: {cookie}\r\nContent-Length: {length}\r\n\
         Content-Type: multipart/form-data; boundary=X\r\n\r\n"
    );
    stream.write_all([&head, begin].concat().as_bytes()).await.unwrap();
    let _ = stream.write_all(&vec![b'A'; sent]).await;
    stream
}

#[tokio::test]
async fn a_form_without_a_beginning_is_refused_and_forms_share_a_budget() {
    let server = TestServer::with(|config| config.limits.request_memory_mib = 32).await;
    let (greedy, modest) = (server.reader().await, server.reader().await);
    let cookie = cookie(&greedy).await;
    let headers = &FILE_BEGINS[..FILE_BEGINS.len() - 4];
    for (length, begin, refused) in [(24, FILE_BEGINS, b"413"), (20, "", b"400"), (20, headers, b"400")] {
        let mut endless = upload(&greedy.base, &cookie, length << 20, begin, length << 20).await;
        let mut line = [0; 12];
        endless.read_exact(&mut line).await.unwrap();
        assert_eq!(&line[9..], refused);
    }
    until(200, async || modest.upload("/api/books/import?dryRun=1", "a.csv", "Title,Author\nA,B\n", &[]).await).await;
    // What is only announced takes nothing from others; what has arrived does.
    let silent = upload(&greedy.base, &cookie, 20 << 20, FILE_BEGINS, 10).await;
    // A file that is refused for its name, once it has been read, takes no time to parse.
    let file = || [b"Title,Author\n".to_vec(), vec![b'x'; 19 << 20]].concat();
    assert_ne!(modest.upload("/api/books/import?dryRun=1", "a.pdf", file(), &[]).await.status, 503);
    drop(silent);
    let held = upload(&greedy.base, &cookie, 20 << 20, FILE_BEGINS, 19 << 20).await;
    let refused = until(503, async || modest.upload("/api/books/import?dryRun=1", "a.pdf", file(), &[]).await).await;
    assert_eq!(refused.code(503), "busy");
    assert!(asks_to_wait(&refused));
    modest.post("/api/books", json!({"title": "T", "author": "A", "status": "undated"})).await.expect(201);
    drop(held);
    let answered = async || {
        let answer = modest.upload("/api/books/import?dryRun=1", "a.pdf", file(), &[]).await;
        TestResponse { status: if answer.status == 503 { 503 } else { 200 }, ..answer }
    };
    until(200, answered).await;
}

#[tokio::test]
async fn an_upload_that_announces_too_much_is_refused_before_it_is_sent() {
    let server = TestServer::start().await;
    let reader = server.reader().await;
    let mut stream = TcpStream::connect(address(&reader.base)).await.unwrap();
    let head = format!(
        "POST /api/books/import HTTP/1.1\r\nHost: x\r\nCookie: {}\r\nContent-Length: {}\r\nExpect: 100-continue\r\n\
         Content-Type: multipart/form-data; boundary=B\r\n\r\n",
        cookie(&reader).await,
        400 << 20,
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut line = [0; 12];
    stream.read_exact(&mut line).await.unwrap();
    assert_eq!(&line[..], b"HTTP/1.1 413");
}

#[tokio::test]
async fn a_form_holds_no_memory_before_its_beginning() {
    let server = TestServer::with(|config| config.limits.request_memory_mib = 32).await;
    let greedy = server.reader().await;
    let cookie = cookie(&greedy).await;
    for begin in ["", &FILE_BEGINS[..FILE_BEGINS.len() - 4]] {
        let _unfinished = upload(&greedy.base, &cookie, 20 << 20, begin, 19 << 20).await;
        for _ in 0..50 {
            let left = server.app.budgets.requests().left();
            assert!(left >= 30 << 20, "{begin:?}: {left} bytes are left");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

#[tokio::test]
async fn unread_lists_keep_nobody_waiting_and_an_account_has_few_exports_at_once() {
    // A machine that does other things besides may take long over twenty megabytes.
    let server = TestServer::with(|config| config.limits.statement_seconds = 600).await;
    let (greedy, modest) = (server.plus().await, server.plus().await);
    for number in 0..12 {
        greedy.post("/api/books", heavy_book(number)).await.expect(201);
    }
    modest.post("/api/books", heavy_book(1)).await.expect(201);
    let cookie = cookie(&greedy).await;
    let mut unread = Vec::new();
    for _ in 0..10 {
        let (stream, line) = take_little(&greedy.base, "/api/books", &cookie).await;
        assert_eq!(line, "HTTP/1.1 200");
        unread.push(stream);
    }
    modest.get("/api/books").await.expect(200);
    assert_eq!(greedy.get("/api/books").await.expect(200)["data"].as_array().unwrap().len(), 12);
    let export = "/api/account/export/books.csv";
    let exports = [take_little(&greedy.base, export, &cookie).await, take_little(&greedy.base, export, &cookie).await];
    assert!(exports.iter().all(|(_, line)| line == "HTTP/1.1 200"));
    assert_eq!(greedy.get("/api/account/export").await.code(429), "too_many_at_once");
    greedy.get("/api/stats").await.expect(200);
    modest.get("/api/account/export").await.expect(200);
    drop(exports);
    let whole = until(200, async || greedy.get(export).await).await;
    assert!(whole.bytes.len() > 12 * 1_800_000, "{}", whole.bytes.len());
}

#[tokio::test]
async fn two_whole_libraries_are_listed_at_once_and_one_of_each_account() {
    let server = TestServer::start().await;
    let (ann, ben, cay) = (server.reader().await, server.reader().await, server.reader().await);
    let soon = Duration::from_secs(1);
    let budgets = &server.app.budgets;
    let of_ann = budgets.whole_library(UserId(ann.id)).await.unwrap();
    for path in ["/api/books", "/api/books?sort=title", "/api/dashboard"] {
        assert!(tokio::time::timeout(soon, ann.get(path)).await.is_err(), "a second list of one account waits: {path}");
        ben.get(path).await.expect(200);
    }
    ann.get("/api/books?limit=50").await.expect(200);
    let _of_ben = budgets.whole_library(UserId(ben.id)).await.unwrap();
    let mut third = Box::pin(cay.get("/api/books"));
    assert!(tokio::time::timeout(soon, &mut third).await.is_err(), "a third list waits");
    cay.get("/api/dashboard?limit=50").await.expect(200);
    drop(of_ann);
    tokio::time::timeout(Duration::from_secs(30), third).await.expect("it has its turn").expect(200);
}

#[tokio::test]
async fn all_reads_of_a_book_are_answered_with_their_texts() {
    let server = TestServer::with(|config| config.limits.statement_seconds = 600).await;
    let greedy = server.plus().await;
    let mut work = Value::Null;
    for number in 0..12 {
        let mut read = heavy_book(number);
        (read["title"], read["series"]) = (json!("T"), json!({"name": "S"}));
        work = greedy.post("/api/books", read).await.expect(201)["book"]["work"].clone();
    }
    let path = format!("/api/works/{work}");
    let whole = greedy.get(&path).await.expect(200)["work"].clone();
    let reads = whole["reads"].as_array().unwrap();
    assert!(reads.len() == 12 && reads.iter().all(|read| read["quotes"].as_array().unwrap().len() == 190));
    assert_eq!((&whole["title"], &whole["series"]["name"], &whole["tags"]), (&json!("T"), &json!("S"), &json!([])));
    let parted = greedy.post(&format!("/api/books/{}/part", reads[11]["id"]), json!({})).await.expect(200);
    let other = &parted["book"]["work"];
    let joined = greedy.post(&format!("/api/works/{work}/join"), json!({"work": other})).await.expect(200);
    assert_eq!(joined["work"]["reads"].as_array().unwrap().len(), 12, "as it is after the change");
}

#[tokio::test]
async fn books_are_in_memory_one_by_one_also_while_nobody_reads_the_answer() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = shelfwise();
    command.args(["serve", "--listen", "127.0.0.1:0", "--data-dir"]).arg(folder.path());
    // A machine that does other things besides may take long over thirty megabytes.
    command.env("SHELFWISE_DEFAULT_PLAN", "shelfwise_plus").env("SHELFWISE_LIMITS_STATEMENT_SECONDS", "600");
    // As the unit and the image set them: what a thread has freed goes back to the system.
    command.env("MALLOC_ARENA_MAX", "2").env("MALLOC_MMAP_THRESHOLD_", "1048576");
    let server = Program::start(command);
    let greedy = Visitor::at(server.address()).sign_up().await;
    greedy.put("/api/goals/2020/books", json!({"target": 1})).await.expect(200);
    for number in 0..16 {
        let mut book = heavy_book(number);
        (book["status"], book["dateCompleted"]) = (json!("completed"), json!("2020"));
        greedy.post("/api/books", book.clone()).await.expect(201);
        (book["status"], book["dateCompleted"]) = (json!("in-progress"), Value::Null);
        greedy.post("/api/books", book).await.expect(201);
    }
    let cookie = cookie(&greedy).await;
    for path in ["/api/goals/2020/books/books", "/api/reading", "/api/books"] {
        // The peak is reset to what the program holds now.
        std::fs::write(format!("/proc/{}/clear_refs", server.pid()), "5").unwrap();
        let before = memory(server.pid(), "VmHWM:");
        let mut answer = greedy.request(Method::GET, path).send().await.unwrap();
        assert_eq!(answer.status(), 200);
        let mut length = 0;
        while let Some(chunk) = answer.chunk().await.unwrap() {
            length += chunk.len();
        }
        let mut unread = Vec::new();
        for _ in 0..4 {
            unread.push(take_little(&greedy.base, path, &cookie).await);
        }
        let more = memory(server.pid(), "VmHWM:") - before;
        assert!(length > 16 * 1_800_000 && more < 16, "{path}: {more} MiB for {length} bytes");
    }
}

#[tokio::test]
async fn a_change_of_many_rows_has_a_transaction_of_its_own() {
    let server = TestServer::start().await;
    let reader = server.reader().await;
    let is_outside = |tx: &Tx<'_>| tx.execute_batch("RELEASE call").is_err();
    assert!(server.db.write_alone(move |tx| Ok(is_outside(tx))).await.unwrap());
    let (free, waiting) = mpsc::channel::<()>();
    let db = server.db.clone();
    let blocking = tokio::spawn(async move { db.write(move |_| Ok(waiting.recv().is_err())).await });
    let name = |name: &'static str| {
        move |tx: &Tx<'_>| Ok(tx.execute("UPDATE users SET display_name = display_name || ?1", [name])?)
    };
    let (db, id) = (server.db.clone(), reader.id);
    let queued = tokio::spawn(async move {
        let failing = move |tx: &Tx<'_>| {
            name("b")(tx)?;
            Err::<(), _>(Error::NotFound)
        };
        tokio::join!(db.write(name("a")), db.write_alone(failing), db.write(name("c")), db.write_alone(name("d")))
    });
    tokio::task::yield_now().await;
    drop(free);
    blocking.await.unwrap().unwrap();
    let (before, failed, after, last) = queued.await.unwrap();
    assert!(matches!(failed, Err(Error::NotFound)) && before.is_ok() && after.is_ok() && last.is_ok());
    let stored = move |conn: &Connection| {
        let sql = "SELECT display_name FROM users WHERE id = ?1";
        Ok(conn.query_row(sql, [id], |row| row.get::<_, String>(0))?)
    };
    let stored = server.db.read(stored).await.unwrap();
    assert!(stored.ends_with("acd"), "{stored}");
}

#[tokio::test]
async fn an_address_creates_a_limited_number_of_accounts_per_hour() {
    let server = TestServer::with(|config| {
        config.limits.sign_ups = 3;
        config.trusted_proxies = vec!["127.0.0.1".to_owned().try_into().unwrap()];
    })
    .await;
    let stranger = server.visitor();
    let sign_up = async |from: &'static str, name: &str| {
        let form = json!({"email": format!("{name}@example.org"), "password": PASSWORD, "displayName": "N"});
        // Each comes without the cookie of the one before.
        let visitor = Visitor::at(stranger.base.clone());
        let request = visitor.request(Method::POST, "/api/auth/signup").header("x-forwarded-for", from);
        visitor.send(request.json(&form)).await
    };
    for name in ["ann", "ben"] {
        assert_eq!(sign_up("192.0.2.1", name).await.status, 201);
    }
    assert_eq!(sign_up("192.0.2.1", "ann").await.code(409), "email_taken");
    let refused = sign_up("192.0.2.1", "cay").await;
    assert_eq!(refused.code(429), "too_many_attempts");
    assert!(refused.header("retry-after").parse::<u64>().unwrap() > 3_500);
    assert_eq!(sign_up("192.0.2.2", "cay").await.status, 201);
}

#[tokio::test]
async fn a_sign_up_for_a_taken_address_is_refused_without_waiting_for_a_hash() {
    let server = TestServer::start().await;
    let reader = server.reader().await;
    let mut held = Vec::new();
    let next = || tokio::time::timeout(Duration::from_millis(200), server.app.hashing.permit(Purpose::NewPassword));
    while let Ok(permit) = next().await {
        held.push(permit.unwrap());
    }
    let stranger = server.visitor();
    let sign_up = |email: &str, limit| {
        let form = json!({"email": email, "password": PASSWORD, "displayName": "N"});
        tokio::time::timeout(limit, stranger.post("/api/auth/signup", form))
    };
    let refused = sign_up(&reader.email, Duration::from_secs(30)).await;
    assert_eq!(refused.expect("no hash is needed").code(409), "email_taken");
    let waiting = sign_up("new@example.org", Duration::from_secs(5)).await;
    assert!(waiting.is_err(), "a new password waits for its turn");
    drop(held);
}

#[tokio::test]
async fn a_filter_accepts_two_hundred_values_of_two_hundred_characters() {
    let server = TestServer::start().await;
    let reader = server.reader().await;
    reader
        .post("/api/books", json!({"title": "T", "author": "A", "status": "undated", "genres": ["v7"]}))
        .await
        .expect(201);
    let values = |count: usize| (0..count).map(|n| format!("genres=v{n}")).collect::<Vec<_>>().join("&");
    assert_eq!(reader.get(&format!("/api/books?{}", values(200))).await.expect(200)["matching"], 1);
    for path in ["/api/books", "/api/stats", "/api/dashboard"] {
        assert_eq!(reader.get(&format!("{path}?{}", values(201))).await.fields(), ["genres"]);
        assert_eq!(reader.get(&format!("{path}?authors={}", "x".repeat(201))).await.fields(), ["authors"]);
    }
    reader.get(&format!("/api/books?authors={}", "x".repeat(200))).await.expect(200);
}

#[tokio::test]
async fn a_write_is_not_started_when_its_caller_has_gone() {
    let server = TestServer::start().await;
    let reader = server.reader().await;
    let (free, waiting) = mpsc::channel::<()>();
    let db = server.db.clone();
    let writing = tokio::spawn(async move { db.write(move |_| Ok(waiting.recv().is_err())).await });
    let begun = Arc::new(AtomicUsize::new(0));
    let calls = (0..20).map(|_| {
        let (db, begun) = (server.db.clone(), begun.clone());
        tokio::spawn(async move { db.write(move |_| Ok(begun.fetch_add(1, Ordering::SeqCst))).await })
    });
    let calls: Vec<_> = calls.collect();
    tokio::task::yield_now().await;
    for call in calls {
        call.abort();
        assert!(call.await.unwrap_err().is_cancelled());
    }
    drop(free);
    writing.await.unwrap().unwrap();
    reader.post("/api/tbr", json!({"title": "T"})).await.expect(201);
    assert_eq!(begun.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn an_invalid_list_order_does_not_block_the_writer_nor_the_health_check_a_reader() {
    let server = TestServer::start().await;
    let reader = server.reader().await;
    reader.post("/api/tbr", json!({"title": "T"})).await.expect(201);
    let (free, waiting) = mpsc::channel::<()>();
    let db = server.db.clone();
    let writing = tokio::spawn(async move { db.write(move |_| Ok(waiting.recv().is_err())).await });
    assert_eq!(reader.post("/api/tbr/reorder", json!({"bookIds": []})).await.fields(), ["bookIds"]);
    assert_eq!(reader.post("/api/tbr/reorder", json!({"bookIds": [1]})).await.status, 404);
    drop(free);
    writing.await.unwrap().unwrap();
    // Every reader is busy.
    let (mut reads, mut busy) = (JoinSet::new(), Vec::new());
    let begun = Arc::new(AtomicUsize::new(0));
    for _ in 0..4 {
        let (db, begun, (free, waiting)) = (server.db.clone(), begun.clone(), mpsc::channel::<()>());
        busy.push(free);
        reads.spawn(async move {
            db.read(move |_| {
                begun.fetch_add(1, Ordering::SeqCst);
                Ok(waiting.recv().is_err())
            })
            .await
        });
    }
    let started = Instant::now();
    while begun.load(Ordering::SeqCst) < 4 {
        assert!(started.elapsed() < Duration::from_secs(60), "four readers are never busy");
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    server.visitor().get("/healthz").await.expect(200);
    drop(busy);
    reads.join_all().await;
}

/// Queries that never end by themselves. They end when a test fails, because its runtime waits for their threads.
#[derive(Default)]
struct Queries(Arc<Mutex<Vec<InterruptHandle>>>);

impl Queries {
    fn endless(&self) -> impl FnOnce(&Connection) -> Result<i64, Error> + Send + 'static {
        let begun = self.0.clone();
        move |conn| {
            begun.lock().unwrap().push(conn.get_interrupt_handle());
            let sql = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";
            Ok(conn.query_row(sql, [], |row| row.get(0))?)
        }
    }
}

impl Drop for Queries {
    fn drop(&mut self) {
        self.0.lock().unwrap().iter().for_each(InterruptHandle::interrupt);
    }
}

#[tokio::test]
async fn a_read_that_takes_too_long_is_answered_busy_and_frees_its_reader() {
    let server = TestServer::with(|config| config.limits.statement_seconds = 1).await;
    let (queries, mut reads) = (Queries::default(), JoinSet::new());
    for _ in 0..8 {
        let (db, query) = (server.db.clone(), queries.endless());
        reads.spawn(async move { db.read(query).await });
    }
    let answers = tokio::time::timeout(Duration::from_secs(30), reads.join_all()).await;
    let answers = answers.expect("every reader becomes free");
    assert!(answers.iter().all(|answer| matches!(answer, Err(Error::Busy))));
    server.reader().await.get("/api/books").await.expect(200);
}

/// What an account stores, counted row by row.
fn counted(conn: &Connection, id: i64) -> (i64, i64, i64) {
    let (first, last) = (id << 24, (id << 24) | 0xff_ffff);
    let sum = |sql: &str| conn.query_row(sql, [first, last, id], |row| row.get::<_, i64>(0)).unwrap();
    let keep = "AND ?3 = ?3";
    let texts = sum(&format!(
        "SELECT coalesce(sum(octet_length(title) + octet_length(author) + octet_length(genres)), 0) FROM books
         WHERE id BETWEEN ?1 AND ?2 {keep}"
    )) + sum(&format!(
        "SELECT coalesce(sum(coalesce(octet_length(impressions), 0) + octet_length(quotes)), 0) FROM book_texts
         WHERE book_id BETWEEN ?1 AND ?2 {keep}"
    )) + sum(&format!(
        "SELECT coalesce(sum(octet_length(title) + coalesce(octet_length(author), 0) + coalesce(octet_length(notes), 0)), 0)
         FROM tbr WHERE id BETWEEN ?1 AND ?2 {keep}"
    )) + sum(&format!(
        "SELECT coalesce(sum(32 + coalesce(octet_length(note), 0)), 0) FROM reading_days WHERE book_id BETWEEN ?1 AND ?2 {keep}"
    )) + sum(
        "SELECT coalesce(sum(octet_length(header) + octet_length(file_name)), 0) FROM imports WHERE user_id = ?3 AND ?1 < ?2",
    ) + sum("SELECT coalesce(sum(octet_length(raw) + coalesce(octet_length(reason), 0)), 0) FROM import_rows
         WHERE ?1 < ?2 AND id >> 25 IN (SELECT id FROM imports WHERE user_id = ?3)");
    (
        sum(&format!("SELECT count(*) FROM books WHERE id BETWEEN ?1 AND ?2 {keep}")),
        sum(&format!("SELECT count(*) FROM tbr WHERE id BETWEEN ?1 AND ?2 {keep}")),
        texts,
    )
}

#[tokio::test]
async fn the_storage_of_an_account_is_counted_exactly() {
    let server = TestServer::start().await;
    let (reader, operator) = (server.plus().await, server.operator().await);
    let beside = Connection::open(server.folder().join("shelfwise.db")).unwrap();
    let check = async |what: &str| {
        let usage = operator.get(&format!("/api/admin/users/{}/usage", reader.id)).await.expect(200)["usage"].clone();
        let number = |key: &str| usage[key].as_i64().unwrap();
        let told = (number("books"), number("listItems"), number("textBytes"));
        assert_eq!(told, counted(&beside, reader.id), "{what}");
        assert_eq!(usage["quotas"], json!({"books": 100_000, "listItems": 10_000, "textBytes": 200_000_000}));
        told
    };
    check("at first").await;
    let book = json!({"title": "Thé", "author": "Ä", "status": "undated", "genres": ["x", "yé"], "impressions": "long", "quotes": ["a\"b"]});
    let first = reader.post("/api/books", book).await.expect(201)["book"]["id"].as_i64().unwrap();
    assert!(check("a book").await.2 > 10);
    let change = json!({"title": "Longer title", "genres": [], "impressions": null, "quotes": ["one", "two"]});
    reader.patch(&format!("/api/books/{first}"), change).await.expect(200);
    check("a change").await;
    let before = check("no day").await.2;
    reader.put(&format!("/api/books/{first}/days/2026-01-02"), json!({})).await.expect(409);
    let open = json!({"title": "Open", "author": "A", "status": "in-progress", "startDate": "2026-01-01"});
    let open = reader.post("/api/books", open).await.expect(201)["book"]["id"].as_i64().unwrap();
    for day in ["2026-01-02", "2026-01-03"] {
        reader.put(&format!("/api/books/{open}/days/{day}"), json!({"percent": 5})).await.expect(200);
    }
    assert!(check("two days").await.2 > before + 2 * 32);
    assert_eq!(reader.delete(&format!("/api/books/{open}/days/2026-01-03")).await.status, 204);
    check("a day less").await;
    assert_eq!(reader.delete(&format!("/api/books/{open}")).await.status, 204);
    assert_eq!(check("no log").await.2, before);
    let item =
        reader.post("/api/tbr", json!({"title": "L", "notes": "n"})).await.expect(201)["item"]["id"].as_i64().unwrap();
    reader
        .patch(&format!("/api/tbr/{item}"), json!({"title": "Later", "author": "B", "notes": null}))
        .await
        .expect(200);
    check("an item").await;
    reader.post(&format!("/api/tbr/{item}/start"), json!({})).await.expect(201);
    check("a started item").await;
    let csv = "Title,Author,Rating,Exclusive Shelf\nA,B,3,read\nC,D,9,to-read\nE,F,nonsense,read\n,,,\nG,H,1,read\n";
    let import = reader.upload("/api/books/import", "list.csv", csv, &[]).await.expect(200);
    assert!(check("an import").await.0 >= 3, "{import}");
    reader.delete(&format!("/api/imports/{}", import["importId"])).await.expect(200);
    check("an import undone").await;
    reader.upload("/api/books/import", "list.csv", csv, &[]).await.expect(200);
    check("a second import").await;
    assert_eq!(reader.delete(&format!("/api/books/{first}")).await.status, 204);
    check("a deleted book").await;
    assert_eq!(reader.delete("/api/account/data").await.status, 204);
    assert_eq!(check("erased data").await, (0, 0, 0));
}

#[tokio::test]
async fn above_a_quota_nothing_is_added_and_everything_else_works() {
    let server = TestServer::with(|config| {
        (config.limits.books, config.limits.list_items, config.limits.text_mb) = (3, 2, 1);
        config.metrics_listen = None;
    })
    .await;
    let reader = server.plus().await;
    let book = |title: &str| json!({"title": title, "author": "A", "status": "undated"});
    let mut ids = Vec::new();
    for title in ["A", "B", "C"] {
        ids.push(reader.post("/api/books", book(title)).await.expect(201)["book"]["id"].clone());
    }
    let refused = reader.post("/api/books", book("D")).await;
    assert_eq!(refused.code(409), "quota_reached");
    assert_eq!((&refused.body["what"], &refused.body["limit"]), (&json!("books"), &json!(3)));
    reader.patch(&format!("/api/books/{}", ids[0]), json!({"rating": 3})).await.expect(200);
    assert_eq!(reader.delete(&format!("/api/books/{}", ids[0])).await.status, 204);
    reader.post("/api/books", book("D")).await.expect(201);

    let list = "Title,Author\nP,A\nQ,A\nR,A\nS,A\n";
    let report = reader.upload("/api/tbr/import", "list.csv", list, &[]).await.expect(200);
    assert_eq!((&report["imported"], &report["errors"]), (&json!(2), &json!(2)));
    assert_eq!(report["details"][0]["row"], 4);
    assert!(report["details"][0]["message"].as_str().unwrap().contains("2 items"), "{report}");
    let refused = reader.post("/api/tbr", json!({"title": "T"})).await;
    assert_eq!((refused.code(409), &refused.body["what"]), ("quota_reached", &json!("list")));
    // From one list to the other nothing is added, but here the books are full.
    let item = reader.get("/api/tbr").await.expect(200)["data"][0]["id"].clone();
    assert_eq!(reader.post(&format!("/api/tbr/{item}/start"), json!({})).await.code(409), "quota_reached");

    let long = |quotes: usize| json!({"quotes": vec!["x".repeat(3_000); quotes]});
    let texts = reader.get("/api/books").await.expect(200)["data"].as_array().unwrap().clone();
    let path = |at: usize| format!("/api/books/{}", texts[at]["id"]);
    let length = 16;
    reader.patch(&path(0), long(length)).await.expect(200);
    // The rest of the megabyte is taken by a file's rows.
    let columns = [("columnMap", r#"{"Title": "title", "Author": "author", "Elsewhere": null}"#)];
    let rows: String = (0..9).map(|n| format!("W{n},A,{}\n", "y".repeat(100_000))).collect();
    reader
        .upload("/api/books/import", "wide.csv", format!("Title,Author,Elsewhere\n{rows}"), &columns)
        .await
        .expect(200);
    let kept: Vec<_> = [1, 2].map(|at| (path(at), long(length))).into();
    let mut statuses = BTreeMap::new();
    for (path, change) in kept {
        *statuses.entry(reader.patch(&path, change).await.status).or_insert(0) += 1;
    }
    assert_eq!(statuses.get(&409), Some(&1), "{statuses:?}");
    let refused = reader.patch(&path(2), long(length)).await;
    assert_eq!((refused.code(409), &refused.body["what"]), ("quota_reached", &json!("texts")));
    assert_eq!(refused.body["limit"], 1_000_000);
    reader.patch(&path(0), long(1)).await.expect(200);
    reader.get("/api/account/export").await.expect(200);
    reader.get("/api/books").await.expect(200);
    assert_eq!(reader.delete("/api/account/data").await.status, 204);
    reader.post("/api/books", book("E")).await.expect(201);

    let metrics = axum_body(server.metrics.clone()).await;
    assert!(metrics.contains("shelfwise_throttled_total{why=\"quota\"}"), "{metrics}");
}

/// What the operator's listener says.
async fn axum_body(router: axum::Router) -> String {
    use http_body_util::BodyExt as _;
    use tower::ServiceExt as _;
    let request = axum::http::Request::get("/metrics").body(axum::body::Body::empty()).unwrap();
    let answer = router.oneshot(request).await.unwrap();
    String::from_utf8(answer.into_body().collect().await.unwrap().to_bytes().to_vec()).unwrap()
}

#[tokio::test]
async fn a_long_response_is_repeated_without_being_stored_twice() {
    let server = TestServer::start().await;
    let reader = server.reader().await;
    let send = || reader.request(Method::POST, "/api/books").header("idempotency-key", "k").json(&heavy_book(1));
    let (first, second) = (reader.send(send()).await, reader.send(send()).await);
    assert_eq!((first.status, second.status), (201, 201));
    assert_eq!(first.body, second.body);
    let longest = "SELECT max(octet_length(body)) FROM idempotency_keys";
    let kept: i64 = server.db.read(move |conn| Ok(conn.query_row(longest, [], |row| row.get(0))?)).await.unwrap();
    assert!(kept < 100, "{kept}");
    assert_eq!(reader.delete(&format!("/api/books/{}", first.body["book"]["id"])).await.status, 204);
    assert_eq!(reader.send(send()).await.status, 404);
}

/// Gives an account a library of almost a hundred thousand books, which is the quota.
async fn fill(server: &TestServer, owner: i64) {
    let fill = move |tx: &Tx<'_>| {
        let first = counters::add_books(tx, UserId(owner), 99_900)?;
        let sql = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 99899)
            INSERT INTO books (id, user_id, work, status, word_count, word_count_source, format, reread, word_distribution, title,
                author, title_key, author_key, genres, has_texts, created_at, updated_at)
            SELECT ?1 + i, ?2, ?1 + i, 'undated', 0, 'entered', 'Print', 0, 'final', 'Book ' || i, 'Author ' || i % 500,
                'book ' || i, 'author ' || i % 500, 'Novel', 0, ?3, ?3 FROM n";
        Ok(tx.execute(sql, (first, owner, tx.stamp().to_string()))?)
    };
    assert_eq!(server.db.write_alone(fill).await.unwrap(), 99_900);
}

#[tokio::test]
async fn one_book_more_or_less_costs_the_same_in_a_library_of_a_hundred_thousand() {
    let server = TestServer::start().await;
    let (greedy, modest) = (server.plus().await, server.plus().await);
    fill(&server, greedy.id).await;
    let mut least = BTreeMap::new();
    for round in 0..6 {
        for (reader, name) in [(&greedy, "large"), (&modest, "small")] {
            let mut timed = async |what, call: reqwest::RequestBuilder| {
                let begun = Instant::now();
                let answer = reader.send(call).await;
                assert!(answer.status < 300, "{what}: {} {}", answer.status, answer.body);
                let (taken, known) = (begun.elapsed(), least.entry((what, name)).or_insert(Duration::MAX));
                *known = taken.min(*known);
                answer.body
            };
            let made = timed("add", reader.request(Method::POST, "/api/books").json(&new_book(round))).await;
            let path = format!("/api/books/{}", made["book"]["id"]);
            let read = timed("again", reader.request(Method::POST, &format!("{path}/again")).json(&json!({}))).await;
            assert_eq!(read["book"]["work"], made["book"]["work"]);
            let item = reader.post("/api/tbr", json!({"title": format!("Listed {round}"), "author": "A"})).await;
            let start = format!("/api/tbr/{}/start", item.expect(201)["item"]["id"]);
            timed("start", reader.request(Method::POST, &start).json(&json!({}))).await;
            timed("delete", reader.request(Method::DELETE, &path)).await;
            let left = reader.get(&format!("/api/books/{}", read["book"]["id"])).await.expect(200);
            assert_eq!(
                left["book"]["work"], read["book"]["id"],
                "what is left of a book has the name of its first read"
            );
        }
    }
    for what in ["add", "again", "start", "delete"] {
        let (large, small) = (least[&(what, "large")], least[&(what, "small")]);
        assert!(large < small * 4 + Duration::from_millis(4), "{what}: {large:?} beside {small:?}");
    }
}

/// What one greedy reader or address does all the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Greed {
    /// Gives the list a wrong order.
    Reorder,
    /// Fetches everything.
    Export,
    /// Filters by as many values as there may be.
    Filter,
    /// Imports a file, and takes it back.
    Import,
    /// Asks for the whole library as it is, and takes none of it.
    Untaken,
    /// Sends forms whose files never end, or never begin.
    Forms,
    /// Signs up for an address that is taken.
    SignUp,
    /// Asks for a work whose reads have long texts.
    Work,
    /// Takes a read out of that work, and puts it back.
    Part,
    /// Asks for every tag and every series of the whole library.
    Names,
    /// Gives a series of the whole library another name, and undoes that.
    Rename,
    /// Brings the library up to date with a file in which everything is different.
    Sync,
    /// Fills in what every imported book may lack.
    FillIn,
    /// Adds a book.
    Add,
    /// Deletes a book that it has added.
    Delete,
    /// Gives all books a genre, and takes it off.
    Change,
    /// Imports a hundred thousand rows that are all known.
    Again,
    /// Searches the whole library.
    Search,
    /// Asks for books that are like one.
    Similar,
    /// Asks for books that are likely the same.
    Duplicates,
    /// Asks for the further charts.
    Charts,
    /// Hides all books from others, and shows them again.
    Hide,
}

impl Greed {
    const ALL: [Self; 22] = [
        Self::Reorder,
        Self::Export,
        Self::Filter,
        Self::Import,
        Self::Untaken,
        Self::Forms,
        Self::SignUp,
        Self::Work,
        Self::Part,
        Self::Names,
        Self::Rename,
        Self::Sync,
        Self::FillIn,
        Self::Add,
        Self::Delete,
        Self::Change,
        Self::Again,
        Self::Search,
        Self::Similar,
        Self::Duplicates,
        Self::Charts,
        Self::Hide,
    ];

    /// Does it once; the status.
    async fn once(self, greedy: &Reader, cookie: &str, round: usize) -> u16 {
        match self {
            Self::Reorder => greedy.post("/api/tbr/reorder", json!({"bookIds": []})).await.status,
            Self::Export => greedy.get("/api/account/export").await.status,
            Self::Filter => {
                let values: String = (0..200).map(|n| format!("&genres={n}-{round}")).collect();
                greedy.get(&format!("/api/stats?titleSearch={round}{values}")).await.status
            }
            Self::Import => {
                let rows: String = (0..2_000).map(|n| format!("Title {n} of {round},Author {n}\n")).collect();
                let csv = format!("Title,Author\n{rows}");
                let report = greedy.upload("/api/books/import", "a.csv", csv, &[]).await;
                if report.status == 200 {
                    greedy.delete(&format!("/api/imports/{}", report.body["importId"])).await;
                }
                report.status
            }
            Self::Untaken => {
                let Ok(taken) = tokio::time::timeout(
                    Duration::from_secs(10),
                    take_little(&greedy.base, &format!("/api/books?titleSearch=o&sort=title&x={round}"), cookie),
                )
                .await
                else {
                    return 0;
                };
                tokio::time::sleep(Duration::from_millis(200)).await;
                taken.1[9..].parse().unwrap_or_default()
            }
            Self::Forms => {
                let begin = if round.is_multiple_of(2) { FILE_BEGINS } else { "" };
                let sent = upload(&greedy.base, cookie, 23 << 20, begin, 22 << 20);
                let sent = tokio::time::timeout(Duration::from_secs(10), sent);
                if sent.await.is_ok() { 200 } else { 0 }
            }
            Self::SignUp => {
                let form = json!({"email": greedy.email, "password": PASSWORD, "displayName": "N"});
                Visitor::at(greedy.base.clone()).post("/api/auth/signup", form).await.status
            }
            Self::Work => match heavy_read(greedy).await {
                // Parsing its 100 MB would take longer than the server does.
                Ok((_, work)) => {
                    let asked = greedy.request(Method::GET, &format!("/api/works/{work}"));
                    let mut answer = asked.send().await.unwrap();
                    while answer.chunk().await.unwrap().is_some() {}
                    answer.status().as_u16()
                }
                Err(status) => status,
            },
            Self::Part => {
                let (read, work) = match heavy_read(greedy).await {
                    Ok(found) => found,
                    Err(status) => return status,
                };
                let parted = greedy.post(&format!("/api/books/{read}/part"), json!({})).await;
                let other = &parted.body["book"]["work"];
                if parted.status == 200 {
                    greedy.post(&format!("/api/works/{work}/join"), json!({"work": other})).await;
                }
                parted.status
            }
            Self::Names => {
                let tags = greedy.get("/api/tags").await.status;
                if tags == 200 { greedy.get("/api/series").await.status } else { tags }
            }
            Self::Rename => {
                let renamed = greedy.patch("/api/series/Saga", json!({"name": format!("Saga {round}")})).await;
                if let Some(operation) = renamed.body["operationId"].as_i64() {
                    let undo = format!("/api/operations/{operation}");
                    while matches!(greedy.delete(&undo).await.status, 429 | 503) {
                        tokio::time::sleep(Duration::from_millis(50)).await;
                    }
                }
                renamed.status
            }
            Self::Sync => {
                let file = tracker_file(TRACKED, round + 2);
                greedy.upload("/api/books/import?mode=sync", "goodreads_library_export.csv", file, &[]).await.status
            }
            Self::FillIn => greedy.post("/api/refill", json!({})).await.status,
            Self::Add => greedy.post("/api/books", new_book(round)).await.status,
            Self::Delete => {
                let made = greedy.post("/api/books", new_book(round)).await;
                if made.status == 201 {
                    greedy.delete(&format!("/api/books/{}", made.body["book"]["id"])).await.status
                } else {
                    made.status
                }
            }
            Self::Change => {
                let field = if round.is_multiple_of(2) { "addGenres" } else { "removeGenres" };
                greedy.patch("/api/books", json!({field: ["greed"]})).await.status
            }
            Self::Again => greedy.upload("/api/books/import", "books.csv", novels(0..NOVELS), &[]).await.status,
            Self::Search => greedy.get(&format!("/api/search?q=novel%20{round}")).await.status,
            Self::Similar => {
                let novels = greedy.get(&format!("/api/books?titleSearch=Novel%20{}&limit=1", round % 300)).await;
                match novels.body["data"][0]["id"].as_i64() {
                    Some(id) => greedy.get(&format!("/api/books/{id}/similar")).await.status,
                    None => novels.status,
                }
            }
            Self::Duplicates => greedy.get("/api/works/duplicates").await.status,
            Self::Charts => greedy.get(&format!("/api/stats/reading?titleSearch={round}")).await.status,
            Self::Hide => greedy.patch("/api/books", json!({"private": round.is_multiple_of(2)})).await.status,
        }
    }
}

fn new_book(round: usize) -> Value {
    json!({"title": format!("New {round}"), "author": "A", "status": "undated"})
}

/// How many novels are imported at once.
const NOVELS: usize = 50_000;

/// A file of the first of these novels.
fn novels(numbers: Range<usize>) -> String {
    let genres: Vec<_> = (0..20).map(|genre| format!("Genre {genre}")).collect();
    let row = |n: usize| format!("Novel {n},Author {},0,final,\"{}\",Saga,own\n", n % 500, genres.join(", "));
    let rows: String = numbers.take(NOVELS).map(row).collect();
    format!("Title,Author,Word Count,Word Distribution,Genres,Series,Tags\n{rows}")
}

/// How many books come from a tracker's file.
const TRACKED: usize = 2_000;

/// A tracker's file in which each book has another rating and another review in each edition.
fn tracker_file(books: usize, edition: usize) -> String {
    let review = format!("Edition {edition}. ").repeat(20);
    let rows = (0..books).map(|n| {
        let rating = (n + edition) % 5 + 1;
        format!("{n},\"Tracked {n}\",Author {},{rating},2020/01/02,\"Mystery, owned\",read,{review}\n", n % 500)
    });
    let header = "Book Id,Title,Author,My Rating,Date Read,Bookshelves,Exclusive Shelf,My Review\n";
    rows.fold(header.to_owned(), |file, row| file + &row)
}

/// A read with long texts and its work; the status when the server does not say.
async fn heavy_read(greedy: &Reader) -> Result<(i64, i64), u16> {
    let list = greedy.get("/api/books?titleSearch=Heavy&limit=1").await;
    let found = |key: &str| list.body["data"][0][key].as_i64();
    found("id").zip(found("work")).ok_or(list.status)
}

/// A figure of a process's memory, in MiB: `VmRSS:` what it holds, `VmHWM:` the most that it held.
fn memory(pid: u32, figure: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(figure)).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() / 1024
}

/// Calls of a reader until `over`: how long each took, and the most memory that the program held meanwhile.
async fn watch(
    modest: Reader,
    begun: oneshot::Sender<()>,
    over: Arc<AtomicBool>,
    pid: Option<u32>,
) -> (Vec<Duration>, u64) {
    let modest = modest.elsewhere().await;
    begun.send(()).unwrap();
    let (mut waits, mut most, mut round) = (Vec::new(), 0, 0);
    while round == 0 || !over.load(Ordering::SeqCst) {
        round += 1;
        let asked = Instant::now();
        modest.get(&format!("/api/books?titleSearch={round}")).await.expect(200);
        waits.push(asked.elapsed());
        let asked = Instant::now();
        let theme = if round % 2 == 0 { "dark" } else { "light" };
        modest.patch("/api/preferences", json!({"theme": theme})).await.expect(200);
        waits.push(asked.elapsed());
        most = most.max(pid.map_or(0, |pid| memory(pid, "VmRSS:")));
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    (waits, most)
}

/// Sixteen at once do the same in a loop, so many times in all. How long each call of somebody else took meanwhile, the most memory
/// that the program held, and how the greedy ones were answered.
async fn besiege(
    greed: Greed,
    count: usize,
    greedy: &Reader,
    modest: &Reader,
    pid: Option<u32>,
) -> (Vec<Duration>, u64, BTreeMap<u16, usize>) {
    let (over, (begun, beginning)) = (Arc::new(AtomicBool::new(false)), oneshot::channel());
    // On a thread of their own: the greedy ones unpack large answers on this runtime's.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let watched = watch(modest.clone(), begun, over.clone(), pid);
    let watching = std::thread::spawn(move || runtime.block_on(watched));
    beginning.await.unwrap();
    let (cookie, next) = (cookie(greedy).await, Arc::new(AtomicUsize::new(0)));
    let mut loops = JoinSet::new();
    for _ in 0..16.min(count) {
        let (greedy, cookie, next) = (greedy.clone(), cookie.clone(), next.clone());
        loops.spawn(async move {
            let mut statuses = Vec::new();
            loop {
                let round = next.fetch_add(1, Ordering::SeqCst);
                if round >= count {
                    return statuses;
                }
                let (greedy, cookie) = (greedy.clone(), cookie.clone());
                // A call whose connection the server closed has no status.
                let once = tokio::spawn(async move { greed.once(&greedy, &cookie, round).await });
                statuses.push(once.await.unwrap_or_default());
            }
        });
    }
    let mut statuses = BTreeMap::new();
    for status in loops.join_all().await.into_iter().flatten() {
        *statuses.entry(status).or_insert(0) += 1;
    }
    over.store(true, Ordering::SeqCst);
    let (waits, most) = tokio::task::spawn_blocking(move || watching.join().unwrap()).await.unwrap();
    (waits, most, statuses)
}

/// A library that is worth attacking: books with genres, all of one series, a list, a tracker's file, and a work with long texts.
async fn furnish(greedy: &Reader, books: usize, items: usize, texts: usize) {
    for first in (0..books).step_by(NOVELS) {
        greedy.upload("/api/books/import", "books.csv", novels(first..books), &[]).await.expect(200);
    }
    let tracked =
        greedy.upload("/api/books/import", "goodreads_library_export.csv", tracker_file(TRACKED, 1), &[]).await;
    assert_eq!(tracked.expect(200)["imported"], TRACKED);
    let rows: String = (0..items).map(|n| format!("Item {n},Author {n}\n")).collect();
    greedy.upload("/api/tbr/import", "list.csv", format!("Title,Author\n{rows}"), &[]).await.expect(200);
    for number in 0..texts {
        let mut read = heavy_book(number);
        read["title"] = json!("Heavy");
        greedy.post("/api/books", read).await.expect(201);
    }
    assert!(heavy_read(greedy).await.is_ok());
    assert!(greedy.get("/api/tags").await.expect(200).to_string().contains("\"own\""));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_greedy_reader_meets_limits_and_a_modest_one_does_not() {
    let server = TestServer::start().await;
    let (greedy, modest) = (server.plus().await, server.reader().await);
    furnish(&greedy, 300, 100, 1).await;
    // Fifty thousand rows, twenty times, are for the measurement below.
    for greed in Greed::ALL.into_iter().filter(|greed| *greed != Greed::Again) {
        let (waits, _, statuses) = besiege(greed, 20, &greedy, &modest, None).await;
        assert!(!waits.is_empty());
        let known = |status: &u16| matches!(status, 0 | 200 | 201 | 204 | 404 | 409 | 413 | 422 | 429 | 503);
        assert!(statuses.keys().all(known), "{greed:?}: {statuses:?}");
        let may_go_unanswered = matches!(greed, Greed::Untaken | Greed::Forms);
        assert!(may_go_unanswered || statuses.keys().any(|status| *status > 0), "{greed:?}: {statuses:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_greedy_reader_delays_nobody_and_keeps_no_memory() {
    let count = times("GREEDY", 0);
    if count == 0 {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut command = shelfwise();
    command.args(["serve", "--listen", "127.0.0.1:0", "--data-dir"]).arg(folder.path());
    command.env("SHELFWISE_DEFAULT_PLAN", "shelfwise_plus");
    // As the unit and the image set them.
    command.env("MALLOC_ARENA_MAX", "2").env("MALLOC_MMAP_THRESHOLD_", "1048576");
    let server = Program::start(command);
    let greedy = Visitor::at(server.address()).sign_up().await;
    let modest = Visitor::at(server.address()).sign_up().await;
    furnish(&greedy, 97_000, 9_000, 60).await;
    // `GREED=work` measures that row alone.
    let only = std::env::var("GREED").ok();
    let is_wanted = |greed: &Greed| only.as_ref().is_none_or(|name| format!("{greed:?}").eq_ignore_ascii_case(name));
    for greed in Greed::ALL.into_iter().filter(is_wanted) {
        let (mut waits, most, statuses) = besiege(greed, count, &greedy, &modest, Some(server.pid())).await;
        waits.sort_unstable();
        let p99 = waits[waits.len() * 99 / 100];
        assert!(p99 < Duration::from_secs(1), "{greed:?}: {p99:?} of {} {statuses:?}", waits.len());
        assert!(most < 400, "{greed:?}: {most} MiB");
        let found = format!(
            "p99 of {} calls of another {} ms, at most {most} MiB; answered {statuses:?}",
            waits.len(),
            p99.as_millis()
        );
        row(
            &format!("a greedy reader: {}", format!("{greed:?}").to_lowercase()),
            count,
            &found,
            "p99 < 1 s, < 400 MiB",
        );
    }
}
