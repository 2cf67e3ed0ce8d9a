//! Devices: their logins, kosync, statistics over WebDAV, and what becomes of them in the library.
use chrono::{Days, NaiveDate};
use reqwest::{Method, RequestBuilder};
use rusqlite::Connection;
use serde_json::{Value, json};
use shelfwise::devices::model::key_of;

use crate::support::actors::{Reader, TestClient, TestResponse};
use crate::support::harness::TestServer;

pub const DIGEST: &str = "59d481d168cca6267322f150c5f6a2a3";
const FILE: &str = "/dav/statistics/statistics.sqlite3";

/// A device with its login, and nothing else: no cookie.
pub struct Device {
    pub id: i64,
    pub client: TestClient,
    pub login: String,
    pub password: String,
}

impl Device {
    pub async fn of(server: &TestServer, reader: &Reader) -> Self {
        let made = reader.post("/api/devices", json!({"name": "Kobo Libra"})).await.expect(201);
        let text = |key: &str| made[key].as_str().unwrap().to_owned();
        let client = TestClient { client: reqwest::Client::new(), base: format!("http://{}", server.address) };
        Self { id: made["device"]["id"].as_i64().unwrap(), client, login: text("login"), password: text("password") }
    }

    pub fn kosync(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.client.request(method, path).header("accept", "application/vnd.koreader.v1+json");
        request.header("x-auth-user", &self.login).header("x-auth-key", key_of(&self.password))
    }

    pub async fn push(&self, percentage: f64, more: Value) -> TestResponse {
        let mut body = json!({"document": DIGEST, "progress": "/body/DocFragment[11]/body/div/p[7]/text().123",
            "percentage": percentage, "device": "Kobo", "device_id": "A1"});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.client.send(self.kosync(Method::PUT, "/kosync/syncs/progress").json(&body)).await
    }

    pub fn dav(&self, method: &str, path: &str) -> RequestBuilder {
        let request = self.client.request(method.parse().unwrap(), path);
        request.basic_auth(&self.login, Some(&self.password))
    }

    pub async fn put(&self, file: Vec<u8>) -> TestResponse {
        self.client.send(self.dav("PUT", FILE).header("if-match", "\"x\"").body(file)).await
    }
}

/// A book of a statistics file: its title, and for each sitting the day, the first and the last page of 300.
pub type Sittings<'s> = &'s [(NaiveDate, i64, i64)];

/// A file as KOReader writes it. Each page takes a minute, from noon on.
pub fn statistics(books: &[(&str, &str, Sittings<'_>)]) -> Vec<u8> {
    let at_noon = |day: NaiveDate| day.and_hms_opt(12, 0, 0).unwrap().and_utc().timestamp();
    let sittings: Vec<_> = books
        .iter()
        .map(|(title, digest, sittings)| {
            (*title, *digest, sittings.iter().map(|(day, first, last)| (at_noon(*day), *first, *last)).collect())
        })
        .collect();
    statistics_from(&sittings)
}

/// A book's title and digest, and the second at which each sitting begins, its first and its last page.
type Begun<'b> = (&'b str, &'b str, Vec<(i64, i64, i64)>);

/// The same with the second at which each sitting begins.
fn statistics_from(books: &[Begun<'_>]) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("statistics.sqlite3");
    let conn = Connection::open(&path).unwrap();
    conn.execute_batch(
        "PRAGMA journal_mode = DELETE; PRAGMA user_version = 20221111;
        CREATE TABLE book (id integer PRIMARY KEY autoincrement, title text, authors text, notes integer, last_open integer, highlights integer,
            pages integer, series text, language text, md5 text, total_read_time integer, total_read_pages integer);
        CREATE TABLE page_stat_data (id_book integer, page integer, start_time integer, duration integer, total_pages integer,
            UNIQUE (id_book, page, start_time));
        CREATE VIEW page_stat AS SELECT id_book, page, start_time, duration AS period FROM page_stat_data;",
    )
    .unwrap();
    conn.execute_batch("BEGIN").unwrap();
    for (id, (title, digest, sittings)) in (1_i64..).zip(books) {
        let author = "Hernan Diaz";
        conn.execute(
            "INSERT INTO book (id, title, authors, pages, md5) VALUES (?1, ?2, ?3, 300, ?4)",
            (id, title, author, digest),
        )
        .unwrap();
        for (begin, first, last) in sittings {
            for page in *first..=*last {
                let row = (id, page, begin + (page - first) * 60);
                conn.execute("INSERT INTO page_stat_data VALUES (?1, ?2, ?3, 60, 300)", row).unwrap();
            }
        }
    }
    conn.execute_batch("COMMIT").unwrap();
    conn.close().unwrap();
    std::fs::read(&path).unwrap()
}

/// A day before the server's.
pub fn ago(server: &TestServer, days: u64) -> NaiveDate {
    server.db.now().date_naive() - Days::new(days)
}

pub async fn book(reader: &Reader, more: Value) -> i64 {
    let mut book =
        json!({"title": "Trust", "author": "Hernan Diaz", "status": "in-progress", "wordCount": 100_000, "pages": 300});
    book.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    reader.post("/api/books", book).await.expect(201)["book"]["id"].as_i64().unwrap()
}

pub async fn days(reader: &Reader, book: i64) -> Vec<Value> {
    let listed = reader.get(&format!("/api/books/{book}/days")).await.expect(200);
    listed["data"].as_array().unwrap().clone()
}

pub async fn documents(reader: &Reader) -> Vec<Value> {
    reader.get("/api/documents").await.expect(200)["data"].as_array().unwrap().clone()
}

pub async fn decide(reader: &Reader, document: &Value, change: Value) -> TestResponse {
    reader.put(&format!("/api/documents/{}", document["id"]), change).await
}

#[tokio::test]
async fn a_login_is_shown_once_renewed_and_taken_back() {
    let server = TestServer::start().await;
    let (nora, other) = (server.reader().await, server.reader().await);
    let answer = nora.post("/api/devices", json!({"name": " Kobo Libra ", "kind": "koreader"})).await;
    assert_eq!(answer.header("cache-control"), "no-store");
    let made = answer.expect(201);
    let keys: Vec<_> = made["device"].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(
        keys,
        [
            "clockOffset", "clockOffsetProposed", "createdAt", "id", "kind", "lastSeenAt", "login", "name", "putAt",
            "reports"
        ]
    );
    assert_eq!((&made["device"]["name"], &made["device"]["lastSeenAt"]), (&json!("Kobo Libra"), &Value::Null));
    assert!(made["urls"]["kosync"].as_str().unwrap().ends_with("/kosync"));
    let password = made["password"].as_str().unwrap().to_owned();
    assert_eq!((password.len(), password.find('-')), (11, Some(5)));
    assert!(!nora.get("/api/devices").await.expect(200).to_string().contains(&password));
    for table in ["secret_hash", "hex(secret_hash)"] {
        let sql = format!("SELECT {table} FROM devices");
        let stored = server
            .db
            .read(move |conn| Ok(conn.query_row(&sql, [], |row| row.get_ref(0).map(|value| format!("{value:?}")))?));
        assert!(!stored.await.unwrap().contains(&password));
    }

    let device = Device {
        id: made["device"]["id"].as_i64().unwrap(),
        client: TestClient { client: reqwest::Client::new(), base: nora.base.clone() },
        login: made["login"].as_str().unwrap().to_owned(),
        password,
    };
    let auth = || async { device.client.send(device.kosync(Method::GET, "/kosync/users/auth")).await.status };
    assert_eq!(auth().await, 200);
    server.db.write(|_| Ok(())).await.unwrap();
    assert!(nora.get("/api/devices").await.expect(200)["data"][0]["lastSeenAt"].is_string());
    let path = format!("/api/devices/{}", device.id);
    other.patch(&path, json!({"name": "Mine"})).await.code(404);
    let renewed = nora.patch(&path, json!({"name": "Boox", "newPassword": true})).await.expect(200);
    assert_eq!(renewed["device"]["name"], "Boox");
    assert_eq!(auth().await, 401);
    let device = Device { password: renewed["password"].as_str().unwrap().to_owned(), ..device };
    let auth = || async { device.client.send(device.kosync(Method::GET, "/kosync/users/auth")).await.status };
    assert_eq!(auth().await, 200);
    nora.delete(&path).await.expect(204);
    assert_eq!(auth().await, 401);

    assert_eq!(nora.post("/api/devices", json!({"name": " ", "kind": "fridge"})).await.fields(), ["kind", "name"]);
    for _ in 0..20 {
        nora.post("/api/devices", json!({"name": "One more"})).await.expect(201);
    }
    assert_eq!(nora.post("/api/devices", json!({"name": "Too many"})).await.code(409), "too_many_devices");
}

#[tokio::test]
async fn kosync_answers_as_its_clients_expect() {
    let server = TestServer::start().await;
    let nora = server.reader().await;
    let device = Device::of(&server, &nora).await;
    let get = |path: &'static str| device.client.send(device.kosync(Method::GET, path));
    let health = device.client.get("/kosync/healthcheck").await;
    assert_eq!((health.header("content-type"), &health.body), ("application/json", &json!({"state": "OK"})));
    for path in ["/kosync/users/auth", "/kosync//users/auth", "/kosync/users/auth/", "/users/auth", "//users/auth"] {
        assert_eq!(get(path).await.expect(200), json!({"authorized": "OK"}), "{path}");
    }
    let stranger = device.client.get("/kosync/users/auth").await;
    assert_eq!((stranger.status, stranger.body), (401, json!({"code": 2001, "message": "Unauthorized"})));
    assert_eq!(device.client.get("/users/auth").await.header("content-type"), "text/html; charset=utf-8", "a page");
    let sign_up = device.client.post("/kosync/users/create", json!({"username": "x", "password": "y"})).await;
    assert_eq!((sign_up.status, &sign_up.body["code"]), (402, &json!(2005)));

    let unknown = get("/kosync/syncs/progress/59d481d168cca6267322f150c5f6a2a3").await;
    assert_eq!((unknown.status, unknown.body), (200, json!({})));
    let pushed = device.push(0.4217, json!({})).await.expect(200);
    assert_eq!(pushed["document"], DIGEST);
    let pulled = get("/syncs/progress/59d481d168cca6267322f150c5f6a2a3").await.expect(200);
    let expected = json!({"document": DIGEST, "percentage": 0.4217, "progress": "/body/DocFragment[11]/body/div/p[7]/text().123",
        "device": "Kobo", "device_id": "A1", "timestamp": pushed["timestamp"]});
    assert_eq!(pulled, expected);
    // The last one counts, also where it is lower, and 0.
    device.push(0.0, json!({})).await.expect(200);
    assert_eq!(get("/kosync/syncs/progress/59d481d168cca6267322f150c5f6a2a3").await.body["percentage"], 0.0);
    for (more, code) in [
        (json!({"document": null}), 2004),
        (json!({"document": "a:b"}), 2004),
        (json!({"percentage": "x"}), 2003),
        (json!({"progress": null}), 2003),
        (json!({"device": null}), 2003),
    ] {
        let refused = device.push(0.5, more.clone()).await;
        assert_eq!((refused.status, &refused.body["code"]), (403, &json!(code)), "{more}");
    }
    let body = vec![b'x'; 20_000];
    let large = device.client.send(device.kosync(Method::PUT, "/kosync/syncs/progress").body(body)).await;
    assert_eq!((large.status, large.header("content-type")), (413, "application/json"));
    let nothing = get("/kosync/books").await;
    assert_eq!((nothing.status, nothing.header("content-type")), (404, "application/json"));
    let method = device.client.send(device.kosync(Method::DELETE, "/kosync/users/auth")).await;
    assert_eq!((method.status, method.header("allow")), (405, "GET, HEAD"));

    // The place is the reader's, not the login's.
    let second = Device::of(&server, &nora).await;
    let pulled = second.client.send(second.kosync(Method::GET, &format!("/kosync/syncs/progress/{DIGEST}"))).await;
    assert_eq!(pulled.body["percentage"], 0.0);
    let stranger = Device::of(&server, &server.reader().await).await;
    let pulled = stranger.client.send(stranger.kosync(Method::GET, &format!("/kosync/syncs/progress/{DIGEST}"))).await;
    assert_eq!(pulled.body, json!({}));
}

#[tokio::test]
async fn guesses_of_a_device_password_are_delayed_and_a_device_that_is_known_goes_on() {
    let server = TestServer::start().await;
    let nora = server.reader().await;
    let device = Device::of(&server, &nora).await;
    device.push(0.1, json!({})).await.expect(200);
    let mut statuses = Vec::new();
    for guess in 0..8 {
        let request = device.client.request(Method::GET, "/kosync/users/auth").header("x-auth-user", &device.login);
        statuses.push(device.client.send(request.header("x-auth-key", key_of(&guess.to_string()))).await.status);
    }
    assert_eq!(statuses, [401, 401, 401, 401, 401, 429, 429, 429]);
    device.push(0.2, json!({})).await.expect(200);
}

#[tokio::test]
async fn a_pushed_place_moves_the_open_read_and_an_unknown_document_waits() {
    let server = TestServer::start().await;
    let nora = server.reader().await;
    let device = Device::of(&server, &nora).await;
    let id = book(&nora, json!({})).await;
    device.push(0.4217, json!({})).await.expect(200);
    let waiting = documents(&nora).await;
    assert_eq!(
        (&waiting[0]["title"], &waiting[0]["place"], &waiting[0]["suggestion"]),
        (&Value::Null, &json!(4_217), &Value::Null)
    );
    assert!(days(&nora, id).await.is_empty());

    // Named, it is known.
    let named = json!({"metadata": {"title": "Trust", "authors": "Hernan Diaz"}});
    device.push(0.43, named).await.expect(200);
    let known = documents(&nora).await;
    assert_eq!((known.len(), &known[0]["bookId"], &known[0]["device"]), (1, &json!(id), &json!("Kobo Libra")));
    let log = days(&nora, id).await;
    assert_eq!((&log[0]["at"], &log[0]["minutes"], &log[0]["covered"]), (&json!(4_300), &Value::Null, &Value::Null));
    // Without its name it stays known, and the place follows, also backwards.
    device.push(0.41, json!({})).await.expect(200);
    assert_eq!(days(&nora, id).await[0]["at"], 4_100);
    // What a hand writes stays.
    nora.put(&format!("/api/books/{id}/days/{}", ago(&server, 0)), json!({"percent": 50})).await.expect(200);
    device.push(0.42, json!({})).await.expect(200);
    assert_eq!(days(&nora, id).await[0]["at"], 5_000);
}

#[tokio::test]
async fn statistics_become_days_and_the_file_is_never_given_back() {
    let server = TestServer::start().await;
    let nora = server.reader().await;
    let device = Device::of(&server, &nora).await;
    let (first, second) = (ago(&server, 3), ago(&server, 2));
    let id = book(&nora, json!({"startDate": second})).await;
    let file = statistics(&[("Trust", DIGEST, &[(first, 1, 30), (second, 25, 60)])]);
    device.put(file.clone()).await.expect(201);
    let log = days(&nora, id).await;
    let day = |place: usize| {
        let day = &log[place];
        json!([day["day"], day["at"], day["minutes"], day["covered"], day["page"]])
    };
    assert_eq!(day(0), json!([first, 1_000, 30, 1_000, null]));
    assert_eq!(day(1), json!([second, 2_000, 36, 1_000, null]));
    let listed = nora.get(&format!("/api/books/{id}")).await.expect(200);
    assert_eq!(listed["book"]["startDate"], json!(first), "the start has moved");
    let year = first.format("%Y");
    let calendar = nora.get(&format!("/api/calendar?year={year}")).await.expect(200);
    let shown = calendar["days"].as_array().unwrap().iter().find(|day| day["day"] == json!(first)).unwrap();
    assert_eq!((&shown["words"], &shown["minutes"]), (&json!(10_000), &json!(30)));

    device.put(file).await.expect(204);
    assert_eq!(days(&nora, id).await, log);
    for (method, path, status) in [
        ("GET", FILE, 404),
        ("HEAD", FILE, 404),
        ("GET", "/dav/", 404),
        ("GET", "/dav/other.txt", 403),
        ("PUT", "/dav/other.txt", 403),
        ("MKCOL", "/dav/new", 403),
        ("MKCOL", "/dav/statistics", 405),
        ("DELETE", FILE, 405),
        ("PROPFIND", "/dav/other", 403),
        ("PROPFIND", FILE, 404),
    ] {
        let answer = device.client.send(device.dav(method, path)).await;
        assert_eq!((answer.status, answer.header("etag")), (status, ""), "{method} {path}");
    }
    let listed = device.client.send(device.dav("PROPFIND", "/dav/").header("depth", "1")).await;
    assert_eq!(listed.status, 207);
    assert!(listed.body.as_str().unwrap().contains("<d:href>/dav/statistics/</d:href>"), "{}", listed.body);
    let stranger = device.client.request("PROPFIND".parse().unwrap(), "/dav/");
    let stranger = device.client.send(stranger).await;
    assert_eq!((stranger.status, stranger.header("www-authenticate").starts_with("Basic ")), (401, true));
    let options = device.client.send(device.client.request(Method::OPTIONS, "/dav/")).await;
    assert_eq!((options.status, options.header("dav")), (200, "1"));
    let reports = nora.get("/api/devices").await.expect(200)["data"][0].clone();
    assert_eq!(
        (&reports["reports"], reports["putAt"].is_string()),
        (&json!({"days": 2, "books": 1, "unknown": 0}), true)
    );
    let other = server.reader().await;
    assert!(documents(&other).await.is_empty());
}

#[tokio::test]
async fn a_file_that_is_none_changes_nothing() {
    let server = TestServer::start().await;
    let nora = server.reader().await;
    let device = Device::of(&server, &nora).await;
    let foreign = {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("photos.sqlite");
        Connection::open(&path).unwrap().execute_batch("CREATE TABLE photos (id)").unwrap();
        std::fs::read(path).unwrap()
    };
    for (file, sentence) in [
        (b"no database at all".to_vec(), "This is no SQLite file."),
        (Vec::new(), "This SQLite file is from none of the programs that we know: it has no table `page_stat_data`."),
        (foreign, "This SQLite file is from none of the programs that we know: it has no table `page_stat_data`."),
    ] {
        let refused = device.put(file).await;
        assert_eq!((refused.status, refused.body.as_str().unwrap().trim()), (422, sentence));
    }
    assert!(documents(&nora).await.is_empty());
    assert_eq!(nora.get("/api/devices").await.expect(200)["data"][0]["putAt"], Value::Null);
}

#[tokio::test]
async fn what_was_removed_stays_removed_here_and_is_asked_about_when_it_goes_there() {
    let server = TestServer::start().await;
    let nora = server.reader().await;
    let device = Device::of(&server, &nora).await;
    let id = book(&nora, json!({})).await;
    let (one, two, three) = (ago(&server, 5), ago(&server, 4), ago(&server, 3));
    let whole = statistics(&[("Trust", DIGEST, &[(one, 1, 30), (two, 31, 60), (three, 61, 90)])]);
    device.put(whole.clone()).await.expect(201);
    nora.delete(&format!("/api/books/{id}/days/{two}")).await.expect(204);
    device.put(whole).await.expect(204);
    let names = |log: Vec<Value>| {
        log.iter().filter(|day| day["dismissed"] != true).map(|day| day["day"].clone()).collect::<Vec<_>>()
    };
    let log = days(&nora, id).await;
    assert_eq!(names(log.clone()), [json!(one), json!(three)]);
    assert_eq!(
        (&log[1]["day"], &log[1]["dismissed"], &log[1]["at"], &log[1]["minutes"]),
        (&json!(two), &json!(true), &Value::Null, &Value::Null)
    );

    // KOReader has lost a day: it stays here, and is asked about.
    device.put(statistics(&[("Trust", DIGEST, &[(one, 1, 30), (two, 31, 60)])])).await.expect(204);
    assert_eq!(names(days(&nora, id).await), [json!(one), json!(three)]);
    let document = documents(&nora).await[0].clone();
    assert_eq!(document["removedThere"], 1);
    device.put(statistics(&[])).await.expect(204);
    assert_eq!(documents(&nora).await[0]["removedThere"], 3, "an empty file takes nothing away");
    device.put(statistics(&[("Trust", DIGEST, &[(one, 1, 30), (two, 31, 60)])])).await.expect(204);
    let decided = decide(&nora, &document, json!({"removeThere": true})).await.expect(200);
    assert_eq!(decided["document"]["removedThere"], 0);
    assert_eq!(names(days(&nora, id).await), [json!(one)]);

    // It also stays removed in another read's log.
    let other = book(&nora, json!({"title": "Another"})).await;
    decide(&nora, &document, json!({"bookId": other})).await.expect(200);
    assert_eq!(names(days(&nora, other).await), [json!(one)]);
    decide(&nora, &document, json!({"bookId": id})).await.expect(200);
    assert_eq!(names(days(&nora, id).await), [json!(one)]);

    decide(&nora, &document, json!({"ignoreBefore": two})).await.expect(200);
    assert!(names(days(&nora, id).await).is_empty());
    device.put(statistics(&[("Trust", DIGEST, &[(one, 1, 30)])])).await.expect(204);
    assert!(names(days(&nora, id).await).is_empty());
}

#[tokio::test]
async fn a_document_is_linked_anew_with_its_days_made_a_book_and_ignored() {
    let server = TestServer::start().await;
    let (nora, other) = (server.reader().await, server.reader().await);
    let device = Device::of(&server, &nora).await;
    let day = ago(&server, 2);
    device.put(statistics(&[("Trust", DIGEST, &[(day, 1, 30)]), ("Guide", "g", &[(day, 1, 1)])])).await.expect(201);
    let found = documents(&nora).await;
    let of = |title: &str| found.iter().find(|one| one["title"] == title).unwrap().clone();
    let (trust, guide) = (of("Trust"), of("Guide"));
    assert_eq!(
        (&trust["peeked"], &guide["peeked"], &trust["days"], &trust["minutes"]),
        (&json!(false), &json!(true), &json!(1), &json!(30))
    );
    decide(&other, &trust, json!({"ignore": true})).await.code(404);
    let foreign = book(&other, json!({})).await;
    decide(&nora, &trust, json!({"bookId": foreign})).await.code(404);
    assert_eq!(decide(&nora, &trust, json!({})).await.code(422), "invalid");

    let made = json!({"title": "Trust", "author": "Hernan Diaz", "status": "in-progress", "format": "eBook"});
    let created = decide(&nora, &trust, json!({"create": made})).await.expect(200);
    let first = created["document"]["bookId"].as_i64().unwrap();
    assert_eq!(days(&nora, first).await.len(), 1);
    let second = book(&nora, json!({"title": "Another"})).await;
    nora.put(&format!("/api/books/{first}/days/{day}"), json!({"note": "Slow."})).await.expect(200);
    decide(&nora, &trust, json!({"bookId": second})).await.expect(200);
    let left = days(&nora, first).await;
    assert_eq!((&left[0]["note"], &left[0]["at"], &left[0]["minutes"]), (&json!("Slow."), &Value::Null, &Value::Null));
    assert_eq!(days(&nora, second).await[0]["at"], 1_000);

    let ignored = decide(&nora, &trust, json!({"ignore": true})).await.expect(200);
    assert_eq!((&ignored["document"]["ignored"], &ignored["document"]["bookId"]), (&json!(true), &Value::Null));
    assert!(days(&nora, second).await.is_empty());
    device.put(statistics(&[("Trust", DIGEST, &[(day, 1, 60)])])).await.expect(204);
    assert_eq!(documents(&nora).await.iter().filter(|one| one["bookId"].is_null()).count(), 2);

    // A file that is the book by its digest.
    let named = nora.post(&format!("/api/books/{second}/documents"), json!({"digest": DIGEST})).await;
    named.expect(204);
    assert_eq!(days(&nora, second).await[0]["at"], 2_000);
}

#[tokio::test]
async fn a_finish_is_asked_once_and_a_finished_read_only_gets_its_last_evening() {
    let server = TestServer::start().await;
    let nora = server.reader().await;
    let device = Device::of(&server, &nora).await;
    let id = book(&nora, json!({})).await;
    let (one, two, three) = (ago(&server, 9), ago(&server, 8), ago(&server, 2));
    device.put(statistics(&[("Trust", DIGEST, &[(one, 1, 150), (two, 151, 294)])])).await.expect(201);
    let document = documents(&nora).await[0].clone();
    assert_eq!(document["finish"], json!({"day": two, "because": "place"}));
    let path = format!("/api/documents/{}/finish", document["id"]);
    nora.delete(&path).await.expect(204);
    assert_eq!(documents(&nora).await[0]["finish"], Value::Null);
    device.put(statistics(&[("Trust", DIGEST, &[(one, 1, 150), (two, 151, 298)])])).await.expect(204);
    assert_eq!(documents(&nora).await[0]["finish"]["because"], "place", "the place has moved by more than 1%");

    nora.patch(&format!("/api/books/{id}"), json!({"status": "completed", "dateCompleted": two})).await.expect(200);
    let before = nora.get(&format!("/api/books/{id}")).await.expect(200)["book"].clone();
    // The last pages of that evening, and a look at it days later.
    let sittings: Sittings<'_> = &[(one, 1, 150), (two, 151, 300), (three, 1, 10)];
    device.put(statistics(&[("Trust", DIGEST, sittings)])).await.expect(204);
    let log = days(&nora, id).await;
    assert_eq!((log.len(), &log[1]["minutes"], &log[1]["at"]), (2, &json!(150), &json!(10_000)));
    let after = nora.get(&format!("/api/books/{id}")).await.expect(200)["book"].clone();
    for field in ["status", "dateCompleted", "startDate", "wordCount", "rating"] {
        assert_eq!(after[field], before[field], "{field}");
    }
    assert_eq!(documents(&nora).await[0]["again"], Value::Null, "ten pages are not a second reading");
    let sittings: Sittings<'_> = &[(one, 1, 150), (two, 151, 300), (three, 1, 40)];
    device.put(statistics(&[("Trust", DIGEST, sittings)])).await.expect(204);
    assert_eq!(documents(&nora).await[0]["again"], json!({"bookId": id, "day": three}));
    let again = nora.post(&format!("/api/books/{id}/again"), json!({"startDate": three})).await.expect(201);
    let again = again["book"]["id"].as_i64().unwrap();
    decide(&nora, &document, json!({"bookId": again})).await.expect(200);
    let log = days(&nora, again).await;
    assert_eq!((log.len(), &log[0]["day"], &log[0]["minutes"]), (1, &json!(three), &json!(40)));
    assert_eq!(days(&nora, id).await.len(), 2, "the finished read keeps its log");
}

#[tokio::test]
async fn a_clock_that_is_ahead_is_proposed_and_set_right() {
    let server = TestServer::start().await;
    let nora = server.reader().await;
    let device = Device::of(&server, &nora).await;
    let id = book(&nora, json!({})).await;
    let day_of = |second: i64| json!(chrono::DateTime::from_timestamp(second, 0).unwrap().date_naive());
    // Ten pages that end a hundred minutes from now.
    let begin = server.db.now().timestamp() + 90 * 60;
    device.put(statistics_from(&[("Trust", DIGEST, vec![(begin, 1, 10)])])).await.expect(201);
    assert_eq!(days(&nora, id).await[0]["day"], day_of(begin));
    let listed = nora.get("/api/devices").await.expect(200)["data"][0].clone();
    let minutes = listed["clockOffsetProposed"].as_i64().unwrap();
    assert!([90, 105].contains(&minutes), "{minutes}, and a slow moment before it was asked");
    let path = format!("/api/devices/{}", device.id);
    let set = nora.patch(&path, json!({"clockOffset": minutes})).await.expect(200);
    let shown = &set["device"];
    assert_eq!((&shown["clockOffset"], &shown["clockOffsetProposed"]), (&json!(minutes), &Value::Null));
    assert_eq!(shown["reports"], json!({"days": 1, "books": 1, "unknown": 0}));
    assert_eq!(days(&nora, id).await[0]["day"], day_of(begin - minutes * 60));
    for (field, wrong) in
        [("clockOffset", json!(2_000)), ("clockOffset", json!(i64::MIN)), ("newPassword", json!("yes"))]
    {
        assert_eq!(nora.patch(&path, json!({field: wrong})).await.fields(), [field]);
    }

    // A new login of the same device: its clock counts for what it reported before, too.
    nora.delete(&path).await.expect(204);
    let again = Device::of(&server, &nora).await;
    again.put(statistics_from(&[("Trust", DIGEST, vec![(begin, 1, 10)])])).await.expect(201);
    let path = format!("/api/devices/{}", again.id);
    let set = nora.patch(&path, json!({"clockOffset": 1_440})).await.expect(200);
    assert_eq!(set["device"]["reports"]["days"], 1);
    assert_eq!(days(&nora, id).await[0]["day"], day_of(begin - 86_400));
}

#[tokio::test]
async fn a_read_that_a_device_reports_as_finished_is_finished_by_itself_where_its_reader_wants_that() {
    let server = TestServer::start().await;
    let nora = server.reader().await;
    let device = Device::of(&server, &nora).await;
    assert_eq!(nora.get("/api/preferences").await.expect(200)["preferences"]["finishByItself"], false);
    nora.patch("/api/preferences", json!({"finishByItself": true})).await.expect(200);
    let id = book(&nora, json!({})).await;
    let (one, two) = (ago(&server, 20), ago(&server, 19));
    // At rest near the end it is asked about, whatever the preference.
    device.put(statistics(&[("Trust", DIGEST, &[(one, 1, 150), (two, 151, 270)])])).await.expect(201);
    assert_eq!(documents(&nora).await[0]["finish"]["because"], "resting");
    assert_eq!(nora.get(&format!("/api/books/{id}")).await.expect(200)["book"]["status"], "in-progress");
    device.put(statistics(&[("Trust", DIGEST, &[(one, 1, 150), (two, 151, 295)])])).await.expect(204);
    let read = nora.get(&format!("/api/books/{id}")).await.expect(200)["book"].clone();
    assert_eq!(
        (&read["status"], &read["dateCompleted"], &read["wordDistribution"]),
        (&json!("completed"), &json!(two), &json!("logged"))
    );
    assert_eq!(documents(&nora).await[0]["finish"], Value::Null);
    // Taken back, it is not finished again at the same place.
    nora.patch(&format!("/api/books/{id}"), json!({"status": "in-progress"})).await.expect(200);
    device.put(statistics(&[("Trust", DIGEST, &[(one, 1, 150), (two, 151, 296)])])).await.expect(204);
    assert_eq!(nora.get(&format!("/api/books/{id}")).await.expect(200)["book"]["status"], "in-progress");
}

#[tokio::test]
async fn a_finish_before_the_start_that_its_reader_has_set_stays_a_question_and_refuses_no_report() {
    let server = TestServer::start().await;
    let nora = server.reader().await;
    let device = Device::of(&server, &nora).await;
    nora.patch("/api/preferences", json!({"finishByItself": true})).await.expect(200);
    let id = book(&nora, json!({})).await;
    let (one, two) = (ago(&server, 20), ago(&server, 19));
    device.put(statistics(&[("Trust", DIGEST, &[(one, 1, 150), (two, 151, 270)])])).await.expect(201);
    for day in [one, two] {
        nora.delete(&format!("/api/books/{id}/days/{day}")).await.expect(204);
    }
    nora.patch(&format!("/api/books/{id}"), json!({"startDate": ago(&server, 1)})).await.expect(200);
    device.put(statistics(&[("Trust", DIGEST, &[(one, 1, 150), (two, 151, 296)])])).await.expect(204);
    assert_eq!(nora.get(&format!("/api/books/{id}")).await.expect(200)["book"]["status"], "in-progress");
    assert_eq!(documents(&nora).await[0]["finish"]["day"], json!(two));
}

#[tokio::test]
async fn a_proposed_finish_is_taken_at_its_document_once() {
    let server = TestServer::start().await;
    let (nora, other) = (server.reader().await, server.reader().await);
    let device = Device::of(&server, &nora).await;
    let id = book(&nora, json!({})).await;
    let day = ago(&server, 2);
    device.put(statistics(&[("Trust", DIGEST, &[(day, 1, 296)])])).await.expect(201);
    let document = documents(&nora).await[0].clone();
    let path = format!("/api/documents/{}/finish", document["id"]);
    let sent = json!({"day": document["finish"]["day"]});
    other.post(&path, sent.clone()).await.code(404);
    assert_eq!(nora.post(&path, json!({"day": "soon"})).await.fields(), ["day"]);
    let finished = nora.post(&path, sent.clone()).await.expect(200);
    assert_eq!(
        (&finished["book"]["id"], &finished["book"]["status"], &finished["book"]["wordDistribution"]),
        (&json!(id), &json!("completed"), &json!("final"))
    );
    assert_eq!(nora.post(&path, sent).await.code(409), "finished");
}

#[tokio::test]
async fn documents_wait_while_the_plan_has_no_room() {
    let server = TestServer::with(|config| config.book_limit = 1).await;
    let nora = server.reader().await;
    let device = Device::of(&server, &nora).await;
    let day = ago(&server, 2);
    device.put(statistics(&[("Trust", DIGEST, &[(day, 1, 30)]), ("Guide", "g", &[(day, 1, 9)])])).await.expect(201);
    let listed = async || nora.get("/api/documents").await.expect(200);
    assert_eq!(listed().await["full"], Value::Null);
    book(&nora, json!({"title": "Another"})).await;
    assert_eq!(listed().await["full"], json!({"books": 1, "waiting": 2}));
    let document = listed().await["data"][0].clone();
    let made = json!({"title": "Trust", "author": "Hernan Diaz", "status": "in-progress", "format": "eBook"});
    assert_eq!(decide(&nora, &document, json!({"create": made})).await.code(403), "book_limit_reached");
    decide(&nora, &document, json!({"ignore": true})).await.expect(200);
    assert_eq!(listed().await["full"]["waiting"], 1);
}

#[tokio::test]
async fn the_same_file_under_two_titles_is_linked_once_and_asked_about_once() {
    let server = TestServer::start().await;
    let reader = server.reader().await;
    let trust = book(&reader, json!({})).await;
    book(&reader, json!({"title": "In the Distance"})).await;
    let device = Device::of(&server, &reader).await;
    let day = ago(&server, 2);
    let file = statistics(&[("Trust", DIGEST, &[(day, 1, 30)]), ("In the Distance", DIGEST, &[(day, 1, 30)])]);
    device.put(file).await.expect(201);
    let linked: Vec<_> = documents(&reader).await.iter().map(|document| document["bookId"].clone()).collect();
    assert_eq!(linked.iter().filter(|book| **book == json!(trust)).count(), 1, "{linked:?}");
    assert_eq!(linked.iter().filter(|book| book.is_null()).count(), 1, "{linked:?}");
    // A name that comes with a place later is asked about, too.
    device.push(0.2, json!({"metadata": {"title": "Distance", "authors": "Hernan Diaz"}})).await.expect(200);
    let linked = documents(&reader).await.iter().filter(|document| !document["bookId"].is_null()).count();
    assert_eq!(linked, 1);
}

#[tokio::test]
async fn a_read_that_comes_back_from_the_list_is_moved_by_its_device_as_before() {
    let server = TestServer::start().await;
    let reader = server.reader().await;
    let trust = book(&reader, json!({})).await;
    let device = Device::of(&server, &reader).await;
    let day = ago(&server, 2);
    device.put(statistics(&[("Trust", DIGEST, &[(day, 1, 30)])])).await.expect(201);
    let before = (days(&reader, trust).await, documents(&reader).await);
    reader.patch("/api/books", json!({"status": "tbr"})).await.expect(200);
    assert_eq!(documents(&reader).await[0]["bookId"], json!(null));
    let operation = reader.get("/api/operations").await.expect(200)["data"][0]["id"].clone();
    reader.delete(&format!("/api/operations/{operation}")).await.expect(200);
    assert_eq!((days(&reader, trust).await, documents(&reader).await), before);
    device.put(statistics(&[("Trust", DIGEST, &[(day, 1, 60)])])).await.expect(204);
    assert_eq!(days(&reader, trust).await[0]["minutes"], json!(60), "the day is the device's, not one by hand");
}
