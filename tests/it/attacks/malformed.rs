//! Requests that no honest client sends, generated from patterns known to break servers. Each is refused or answered, none causes
//! a 5xx, and the server keeps working.
use std::collections::BTreeMap;
use std::time::Duration;

use fastrand::Rng;
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use crate::support::actors::{PASSWORD, Reader};
use crate::support::fault_table::{row, times};
use crate::support::harness::TestServer;

/// Clients at once.
const CLIENTS: usize = 8;
/// What a client waits for an answer before it hangs up its end.
const HEADER_TIMEOUT: Duration = Duration::from_millis(700);

const WORDS: [&str; 26] = [
    "", "%", "%00", "%ff", "%zz", "%c0%af", "%2e%2e%2f", "..", "../../etc/passwd", "\0", "-1", "0", "1e309", "1e3",
    "+1", "0x10", "9223372036854775807", "9223372036854775808", "-9223372036854775809", "%F0%9F%92%A9", "null", "true",
    "2024-02-30", "%0d%0aSet-Cookie:%20x=1", "' OR 1=1 --", "<script>",
];
const METHODS: [&str; 14] = [
    "GET", "POST", "PATCH", "DELETE", "PUT", "HEAD", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "get", "M-SEARCH",
    "G\0T", "PRI",
];
const TYPES: [&str; 10] = [
    "application/json",
    "application/json; charset=utf-16",
    "text/plain",
    "application/xml",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "multipart/form-data; boundary=x",
    "application/octet-stream",
    "application/merge-patch+json",
    "\u{7f}",
];
const HEADERS: [&str; 24] = [
    "Host: y",
    "Content-Length: 0",
    "Content-Length: -1",
    "Content-Length: 99999999999999999999",
    "Transfer-Encoding: chunked",
    "Transfer-Encoding: gzip, chunked, chunked",
    "Expect: 100-continue",
    "Expect: the unexpected",
    "Upgrade: websocket",
    "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk",
    "Range: bytes=0-,-1,5-2",
    "If-None-Match: *",
    "If-None-Match: W/\"x\", \"",
    "Accept-Encoding: gzip;q=nan, zstd;q=-1, *;q=1e9",
    "Cookie: shelfwise_session=;;; =; \u{1}",
    "Authorization: Bearer",
    "Authorization: Bearer shelfwise_\u{e9}",
    "X-Forwarded-For: ,,,::1,[x],999.1.1.1",
    "Origin: null",
    "Sec-Fetch-Site: cross-site",
    "Idempotency-Key: \u{e9}",
    " Folded: line",
    "No colon",
    "Na me: x",
];
const NUMBERS: [&str; 10] =
    ["1e400", "-0", "9223372036854775808", "-9223372036854775809", "0.1", "1e-400", "00", "NaN", "100000001", "+5"];
const FIELDS: [&str; 22] = [
    "title", "author", "wordCount", "status", "startDate", "dateCompleted", "rating", "format", "genres",
    "impressions", "quotes", "pages", "isbn", "email", "password", "displayName", "theme", "timezone", "bookIds",
    "name", "target", "access",
];

/// What chance makes a request of.
struct Maker {
    chance: Rng,
    /// Every route of the server, with `{name}` where a value belongs.
    routes: Vec<(String, String)>,
    /// Cookies of people who are signed in.
    cookies: Vec<String>,
}

impl Maker {
    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.chance.usize(..of.len())]
    }

    fn garbage(&mut self, most: usize) -> Vec<u8> {
        let length = self.chance.usize(..most);
        std::iter::repeat_with(|| self.chance.u8(..)).take(length).collect()
    }

    /// A route with something in the place of its values, and sometimes a query.
    fn target(&mut self) -> (String, String) {
        let (method, mut path) = self.routes[self.chance.usize(..self.routes.len())].clone();
        while let (Some(from), Some(to)) = (path.find('{'), path.find('}')) {
            let value = if self.chance.bool() { "1" } else { self.one(&WORDS) };
            path.replace_range(from..=to, value);
        }
        if self.chance.u8(..4) == 0 {
            path.insert_str(
                self.chance.usize(..=path.len()).min(path.len()),
                self.one(&["/", "//", "%2f", ";", "%00", "é"]),
            );
        }
        for begin in ["?", "&", "&"].iter().take(self.chance.usize(..4)) {
            let key = self.one(&[
                "titleSearch", "genres", "minRating", "limit", "cursor", "sort", "startDate", "dryRun", "", "%",
            ]);
            path.push_str(&format!("{begin}{key}={}", self.one(&WORDS)));
        }
        (method, path)
    }

    /// JSON, or what looks like it.
    fn json(&mut self) -> Vec<u8> {
        match self.chance.u8(..8) {
            0 => [b"{\"title\":".as_slice(), &b"[".repeat(self.chance.usize(..20_000))].concat(),
            1 => br#"{"title":"\ud800","author":"\u0000"}"#.to_vec(),
            2 => [b"\xef\xbb\xbf{}".as_slice(), &self.garbage(20)].concat(),
            3 => format!("[{}]", self.one(&NUMBERS)).into_bytes(),
            _ => {
                let pairs: Vec<String> = (0..self.chance.usize(1..8))
                    .map(|_| {
                        let value = match self.chance.u8(..5) {
                            0 => self.one(&NUMBERS).to_owned(),
                            1 => json!(self.one(&WORDS).repeat(self.chance.usize(..300))).to_string(),
                            2 => "[".repeat(self.chance.usize(..200)) + &"]".repeat(self.chance.usize(..200)),
                            3 => self
                                .one(&["{}", "[null]", "null", "true", "[\"x\",1]", "{\"a\":{\"b\":[]}}"])
                                .to_owned(),
                            _ => json!(self.one(&WORDS)).to_string(),
                        };
                        format!("\"{}\":{value}", self.one(&FIELDS))
                    })
                    .collect();
                format!("{{{}}}", pairs.join(",")).into_bytes()
            }
        }
    }

    fn body(&mut self) -> Vec<u8> {
        match self.chance.u8(..6) {
            0 => self.garbage(3_000),
            1 => b"--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\xff.csv\"\r\n\r\nTitle\r\n\x00"
                .to_vec(),
            2 => Vec::new(),
            _ => self.json(),
        }
    }

    /// The bytes of one request, and whether more of it is never coming.
    fn request(&mut self) -> (Vec<u8>, bool) {
        match self.chance.u8(..10) {
            0 => (self.garbage(400), true),
            1 => {
                // HTTP/2 by prior knowledge, and then no frame of it.
                (["PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".as_bytes(), &self.garbage(200)].concat(), true)
            }
            2 => {
                let (_, path) = self.target();
                let line = match self.chance.u8(..8) {
                    0 => format!("GET {path}"),
                    1 => format!("GET {path} HTTP/9.9"),
                    2 => format!("GET  {path}  HTTP/1.1"),
                    3 => format!("GET http://elsewhere.test{path} HTTP/1.1"),
                    4 => "OPTIONS * HTTP/1.1".to_owned(),
                    5 => format!("GET /{} HTTP/1.1", "a".repeat(self.chance.usize(..200_000))),
                    6 => format!("{} {path} HTTP/1.0", "M".repeat(self.chance.usize(..5_000))),
                    _ => format!("CONNECT {path} HTTP/1.1"),
                };
                (format!("{line}\r\nHost: x\r\nConnection: close\r\n\r\n").into_bytes(), true)
            }
            3 => {
                let (method, path) = self.target();
                let many = self.chance.usize(1..300);
                let flood: String = (0..many).map(|number| format!("X-{number}: {}\r\n", "v".repeat(number))).collect();
                (format!("{method} {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{flood}\r\n").into_bytes(), false)
            }
            _ => self.plausible(),
        }
    }

    /// A request whose line is well formed, and whose headers and body need not be.
    fn plausible(&mut self) -> (Vec<u8>, bool) {
        let (mut method, path) = self.target();
        if self.chance.u8(..4) == 0 {
            self.one(&METHODS).clone_into(&mut method);
        }
        let mut head = format!("{method} {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n");
        // A person who deletes their account or leaves the team can't make the later requests.
        if self.chance.bool() && !path.contains("/auth/") && !(method == "DELETE" && path.starts_with("/api/account")) {
            head.push_str(&format!("Cookie: {}\r\n", self.cookies[self.chance.usize(..self.cookies.len())]));
        }
        for _ in 0..self.chance.usize(..3) {
            head.push_str(&format!("{}\r\n", self.one(&HEADERS)));
        }
        let body = self.body();
        let (said, short) = match self.chance.u8(..5) {
            0 => (body.len() + self.chance.usize(1..1_000), true),
            1 => (body.len().saturating_sub(self.chance.usize(1..10)), false),
            _ => (body.len(), false),
        };
        head.push_str(&format!("Content-Type: {}\r\nContent-Length: {said}\r\n\r\n", self.one(&TYPES)));
        ([head.as_bytes(), &body].concat(), short)
    }
}

/// What came back: the status, 0 for a connection that was closed without one, and the body.
async fn ask(address: &str, request: &[u8], hang_up: bool) -> (u16, Vec<u8>) {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let mut answer = Vec::new();
    // A client that is refused in the middle of the request can't send the rest of it.
    let _ = stream.write_all(request).await;
    if hang_up {
        let _ = stream.shutdown().await;
    }
    if tokio::time::timeout(HEADER_TIMEOUT, stream.read_to_end(&mut answer)).await.is_err() {
        let _ = stream.shutdown().await;
        let end = tokio::time::timeout(Duration::from_secs(20), stream.read_to_end(&mut answer)).await;
        assert!(end.is_ok(), "nobody answers {:?}", String::from_utf8_lossy(request));
    }
    let status =
        answer.strip_prefix(b"HTTP/1.").and_then(|rest| std::str::from_utf8(rest.get(2..5)?).ok()?.parse().ok());
    (status.unwrap_or(0), answer)
}

/// A further session's cookie of somebody.
async fn cookie(server: &TestServer, person: &Reader) -> String {
    let form = json!({"email": person.email, "password": PASSWORD});
    let answer = server.visitor().post("/api/auth/login", form).await;
    answer.header("set-cookie").split(';').next().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn malformed_requests_cause_no_server_error() {
    let count = times("MALFORMED", 2_000);
    let server = TestServer::start().await;
    let (reader, (owner, _)) = (server.plus().await, server.team(1).await);
    let cookies = [cookie(&server, &reader).await, cookie(&server, &owner).await];
    let described: serde_json::Value = serde_json::from_str(shelfwise::app::DESCRIPTION).unwrap();
    let routes: Vec<(String, String)> = described["paths"]
        .as_object()
        .unwrap()
        .iter()
        .flat_map(|(path, calls)| calls.as_object().unwrap().keys().map(|call| (call.to_uppercase(), path.clone())))
        .collect();
    let mut clients = JoinSet::new();
    for client in 0..CLIENTS {
        let (address, routes, cookies) = (server.address.to_string(), routes.clone(), cookies.to_vec());
        clients.spawn(async move {
            let mut maker = Maker { chance: Rng::with_seed(client as u64), routes, cookies };
            let mut statuses = BTreeMap::<u16, usize>::new();
            for _ in 0..count / CLIENTS {
                let (request, hang_up) = maker.request();
                let (status, answer) = ask(&address, &request, hang_up).await;
                let text = String::from_utf8_lossy(&answer);
                // The one 503 that a server without payments owes.
                let owed = status == 503 && text.contains("billing_not_configured");
                assert!(status < 500 || owed, "{text}\nto {:?}", String::from_utf8_lossy(&request));
                *statuses.entry(if owed { 503 } else { status / 100 * 100 }).or_default() += 1;
            }
            statuses
        });
    }
    let mut statuses = BTreeMap::<u16, usize>::new();
    for (status, times) in clients.join_all().await.into_iter().flatten() {
        *statuses.entry(status).or_default() += times;
    }
    assert!(statuses[&400] > count / 4, "{statuses:?}");
    let book = json!({"title": "After", "author": "A", "status": "undated"});
    reader.post("/api/books", book).await.expect(201);
    let shown = reader.get("/api/books?titleSearch=after").await.expect(200);
    assert!(shown["matching"].as_i64() >= Some(1), "{shown}");
    let told = |status| statuses.get(&status).copied().unwrap_or_default();
    let found = format!(
        "{} refused (4xx), {} answered, {} closed without an answer, {} without payments (503); alive",
        told(400),
        told(100) + told(200) + told(300),
        told(0),
        told(503),
    );
    row("malformed requests", count, &found, "no 5xx, alive");
}
