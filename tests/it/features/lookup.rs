//! Looking books up in catalogues: what a reader gets, what a catalogue sees, and what a hostile one achieves.
use std::io::Write as _;
use std::time::Duration;

use axum::body::Body;
use axum::http::{HeaderValue, Uri};
use axum::response::{IntoResponse as _, Redirect, Response};
use chrono::{TimeDelta, Timelike as _};
use serde_json::{Value, json};

use crate::support::catalogue::{Catalogue, kindred};
use crate::support::harness::TestServer;

const BY_ISBN: &str = "/api/lookup?isbn=978-0-8070-8369-7";

/// A server that asks this catalogue as Open Library.
async fn server_of(catalogue: &Catalogue) -> TestServer {
    TestServer::with(|config| {
        config.public_url = Some("https://books.test".to_owned().try_into().unwrap());
        config.lookup.contact = Some("ada@example.org".into());
        config.lookup.openlibrary.url.clone_from(&catalogue.base);
        config.lookup.openlibrary.covers_url.clone_from(&catalogue.base);
    })
    .await
}

fn outcome(outcome: &str) -> Value {
    json!([{"name": "openlibrary", "outcome": outcome}])
}

#[tokio::test]
async fn an_isbn_and_words_find_a_book_with_all_that_the_catalogue_says() {
    let catalogue = Catalogue::start().await;
    let server = server_of(&catalogue).await;
    let reader = server.reader().await;
    let found = reader.get(BY_ISBN).await.expect(200);
    assert_eq!(
        found,
        json!({"data": [{
            "source": "openlibrary", "title": "Kindred", "authors": ["Octavia E. Butler"], "pages": 264, "minutes": null,
            "wordCount": 72_600, "wordCountSource": "pages", "isbn": "9780807083697", "publisher": "Beacon Press",
            "published": "2003", "originalYear": null, "language": null, "format": null, "genres": ["Science Fiction"],
            "series": null, "cover": "240727",
        }], "sources": outcome("ok")})
    );
    server.advance(TimeDelta::seconds(1));
    let found = reader.get("/api/lookup?q=kindred%20butler").await.expect(200);
    let book = &found["data"][0];
    assert_eq!(
        (&book["originalYear"], &book["language"], &book["isbn"]),
        (&json!(1979), &json!("en"), &json!("9780807083697"))
    );
    server.advance(TimeDelta::seconds(1));
    let none = reader.get("/api/lookup?isbn=9783522202589").await.expect(200);
    assert_eq!(none, json!({"data": [], "sources": outcome("empty")}));
    let asked = catalogue.asked();
    assert_eq!(asked.len(), 3);
    assert!(asked[0].uri.starts_with("/api/books?bibkeys=ISBN%3A9780807083697&"), "{}", asked[0].uri);
    for one in &asked {
        assert!(
            one.user_agent.starts_with("Shelfwise/")
                && one.user_agent.ends_with(" (+https://books.test; ada@example.org)")
        );
        let mut headers = one.headers.clone();
        headers.sort();
        assert_eq!(headers, ["accept", "accept-encoding", "host", "user-agent"], "nothing leaves but the question");
    }
    assert!(asked.windows(2).all(|pair| (pair[1].at - pair[0].at).as_millis() >= 1_000), "one question a second");
}

#[tokio::test]
async fn answers_are_shared_and_kept_for_30_days_and_misses_for_one() {
    let catalogue = Catalogue::start().await;
    let server = server_of(&catalogue).await;
    let (one, other) = (server.reader().await, server.reader().await);
    let miss = "/api/lookup?q=nobody%20wrote%20this";
    one.get(BY_ISBN).await.expect(200);
    other.get(miss).await.expect(200);
    for reader in [&one, &other] {
        reader.get(BY_ISBN).await.expect(200);
        reader.get("/api/lookup?q=9780807083697").await.expect(200);
        reader.get("/api/lookup?q=Nobody%20%20wrote%20this").await.expect(200);
    }
    assert_eq!(catalogue.asked().len(), 2, "stored answers ask nobody and do not count");
    server.advance(TimeDelta::hours(25));
    one.get(BY_ISBN).await.expect(200);
    assert_eq!(catalogue.asked().len(), 2);
    one.get(miss).await.expect(200);
    assert_eq!(catalogue.asked().len(), 3);
    server.advance(TimeDelta::days(30));
    let rows = "SELECT count(*) FROM lookup_answers";
    let count = || server.db.read(move |conn| Ok(conn.query_row(rows, [], |row| row.get::<_, i64>(0))?));
    assert_eq!(count().await.unwrap(), 2);
    shelfwise::app::tidy_up(&server.db).await.unwrap();
    assert_eq!(count().await.unwrap(), 0);
}

#[tokio::test]
async fn stored_answers_have_a_limited_number() {
    let catalogue = Catalogue::start().await;
    let server = server_of(&catalogue).await;
    let many = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
        INSERT INTO lookup_answers SELECT 'dnb', 'q:' || i, '[]', strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '+' || i || ' minutes') FROM n";
    server.db.write(move |tx| Ok(tx.execute(many, [])?)).await.unwrap();
    server.reader().await.get(BY_ISBN).await.expect(200);
    let kept = "SELECT count(*), sum(query = 'q:1'), sum(query LIKE 'isbn:%') FROM lookup_answers";
    let counts = server.db.read(move |conn| {
        Ok(conn.query_row(kept, [], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?, row.get::<_, i64>(2)?)))?)
    });
    assert_eq!(counts.await.unwrap(), (20_000, 0, 1), "the next to expire made room");
}

#[tokio::test]
async fn an_account_asks_once_a_second() {
    let catalogue = Catalogue::start().await;
    let server = server_of(&catalogue).await;
    let reader = server.reader().await;
    reader.get(BY_ISBN).await.expect(200);
    let refused = reader.get("/api/lookup?q=kindred").await;
    assert_eq!((refused.code(429), refused.header("retry-after")), ("lookup_too_often", "1"));
    server.reader().await.get("/api/lookup?q=kindred").await.expect(200);
    assert_eq!(catalogue.asked().len(), 2);
}

#[tokio::test]
async fn beyond_the_look_ups_of_a_day_the_answer_says_when_the_readers_day_ends() {
    let catalogue = Catalogue::start().await;
    let server = server_of(&catalogue).await;
    let reader = server.reader().await;
    reader.patch("/api/preferences", json!({"timezone": "Asia/Tokyo"})).await.expect(200);
    let mut round = 0;
    let refused = loop {
        round += 1;
        assert!(round < 20_000, "never refused");
        server.advance(TimeDelta::seconds(1));
        // The pause between two questions to a catalogue is not waited for: a look-up counts before it.
        let path = format!("/api/lookup?q=word{round}");
        match tokio::time::timeout(Duration::from_millis(10), reader.get(&path)).await {
            Ok(answer) if answer.status == 429 && answer.header("retry-after") != "1" => break answer,
            _ => {}
        }
    };
    assert_eq!(refused.code(429), "lookup_too_often");
    let there = server.db.now() + TimeDelta::hours(9);
    let left = 86_400 - i64::from(there.time().num_seconds_from_midnight());
    let seconds: i64 = refused.header("retry-after").parse().unwrap();
    assert!((0..=5).contains(&(seconds - left)), "{seconds}, but {left} are left");
}

#[tokio::test]
async fn a_wrong_question_is_refused_and_a_server_without_catalogues_says_so() {
    let server = TestServer::with(|config| config.lookup.sources = Vec::new()).await;
    let reader = server.reader().await;
    assert_eq!(reader.get(BY_ISBN).await.code(503), "lookup_not_configured");
    assert_eq!(reader.get("/api/site").await.expect(200)["lookup"], json!([]));
    let usual = TestServer::start().await;
    let usual_reader = usual.reader().await;
    for (wrong, field) in [("?isbn=9780807083698", "isbn"), ("?q=x", "q"), ("", "q")] {
        let path = format!("/api/lookup{wrong}");
        assert_eq!(usual_reader.get(&path).await.fields(), [field]);
        assert_eq!(reader.get(&path).await.code(503), "lookup_not_configured", "it comes before every question");
    }
    assert_eq!(usual.visitor().get("/api/site").await.expect(200)["lookup"], json!(["openlibrary.org"]));
}

fn page(kind: &'static str, body: impl Into<Body>) -> Response {
    let mut response = Response::new(body.into());
    response.headers_mut().insert("content-type", HeaderValue::from_static(kind));
    response
}

/// 64 MiB of spaces as gzip.
fn bomb() -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let spaces = vec![b' '; 1 << 20];
    for _ in 0..64 {
        packed.write_all(&spaces).unwrap();
    }
    packed.finish().unwrap()
}

/// An answer that never ends.
fn endless() -> Body {
    Body::from_stream(futures_util::stream::repeat_with(|| Ok::<_, std::io::Error>(vec![b' '; 64 * 1024])))
}

/// What a hostile catalogue answers.
type Hostile = Box<dyn Fn() -> Response + Send + Sync>;

#[tokio::test]
async fn a_hostile_catalogue_gets_an_outcome_and_nothing_else() {
    let inside = Catalogue::start().await;
    let elsewhere = format!("{}/api/books", inside.base);
    let cases: Vec<(&str, Hostile)> = vec![
        ("a page", Box::new(|| page("text/html", "<!doctype html><title>Busy</title>"))),
        ("wrong types", Box::new(|| page("application/json", r#"{"ISBN:9780807083697": [1, 2]}"#))),
        ("another form", Box::new(|| page("application/json", "[]"))),
        ("a deep list", Box::new(|| page("application/json", "[".repeat(100_000)))),
        ("no end", Box::new(|| page("application/json", endless()))),
        (
            "a bomb",
            Box::new(|| {
                let mut response = page("application/json", bomb());
                response.headers_mut().insert("content-encoding", HeaderValue::from_static("gzip"));
                response
            }),
        ),
        ("a redirect inside", Box::new(move || Redirect::temporary(&elsewhere).into_response())),
        ("a redirect to a file", Box::new(|| Redirect::temporary("file:///etc/passwd").into_response())),
        ("a redirect to metadata", Box::new(|| Redirect::temporary("http://169.254.169.254/latest").into_response())),
        ("a circle", Box::new(|| Redirect::temporary("/api/books").into_response())),
        ("an error", Box::new(|| axum::http::StatusCode::INTERNAL_SERVER_ERROR.into_response())),
    ];
    // Each case has a server of its own, because a catalogue is asked once a second.
    let cases = cases.into_iter().map(|(name, answer)| async move {
        let catalogue = Catalogue::start().await;
        let server = server_of(&catalogue).await;
        let reader = server.reader().await;
        catalogue.answer(move |_: &Uri| Some(answer()));
        let said = reader.get(BY_ISBN).await;
        match name {
            "wrong types" => assert_eq!(said.expect(200)["sources"], outcome("empty")),
            _ => {
                assert_eq!(said.code(503), "lookup_unavailable", "{name}");
                assert_eq!(said.body["sources"], outcome("error"), "{name}");
                let sentence = said.body["error"].as_str().unwrap();
                assert!(sentence.starts_with("openlibrary.org can't be reached"), "{name}: {sentence}");
            }
        }
    });
    for case in cases {
        case.await;
    }
    assert!(inside.asked().is_empty(), "a redirect was followed to another address of the inside");
}

#[tokio::test]
async fn a_catalogue_that_says_429_is_left_alone_as_long_as_it_asks() {
    let catalogue = Catalogue::start().await;
    let server = server_of(&catalogue).await;
    let reader = server.reader().await;
    catalogue.answer(|_: &Uri| {
        let mut response = axum::http::StatusCode::TOO_MANY_REQUESTS.into_response();
        response.headers_mut().insert("retry-after", HeaderValue::from_static("120"));
        Some(response)
    });
    for _ in 0..2 {
        let said = reader.get(BY_ISBN).await;
        assert_eq!((said.code(503), &said.body["sources"]), ("lookup_unavailable", &outcome("limited")));
    }
    assert_eq!(catalogue.asked().len(), 1);
    catalogue.answer(|_: &Uri| None);
    server.advance(TimeDelta::seconds(121));
    assert_eq!(reader.get(BY_ISBN).await.expect(200)["sources"], outcome("ok"));
}

#[tokio::test]
async fn a_catalogue_that_does_not_answer_is_given_up_after_10_seconds() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let server = TestServer::with(|config| config.lookup.openlibrary.url = base).await;
    let said = server.reader().await.get(BY_ISBN).await;
    assert_eq!((said.code(503), &said.body["sources"]), ("lookup_unavailable", &outcome("timeout")));
    assert_eq!(said.body["error"], "openlibrary.org did not answer within 10 seconds. Try again, or type it in.");
}

#[tokio::test]
async fn many_readers_ask_one_at_a_time_and_the_same_question_once() {
    let catalogue = Catalogue::start().await;
    let server = server_of(&catalogue).await;
    let mut calls = tokio::task::JoinSet::new();
    for _ in 0..4 {
        let reader = server.reader().await;
        calls.spawn(async move { reader.get("/api/lookup?q=kindred").await.expect(200) });
    }
    let answers = calls.join_all().await;
    assert!(answers.iter().all(|answer| answer["data"][0]["title"] == kindred()["title"]));
    assert_eq!((catalogue.asked().len(), catalogue.most_at_once()), (1, 1));
}

#[tokio::test]
async fn a_catalogue_without_its_key_is_off_and_the_others_answer() {
    let catalogue = Catalogue::start().await;
    let base = catalogue.base.clone();
    let server = TestServer::with(move |config| {
        config.lookup.sources = vec!["google".into(), "openlibrary".into()];
        config.lookup.openlibrary.url = base;
    })
    .await;
    let found = server.reader().await.get(BY_ISBN).await.expect(200);
    let sources = json!([{"name": "google", "outcome": "off"}, {"name": "openlibrary", "outcome": "ok"}]);
    assert_eq!(found["sources"], sources);
    assert_eq!(server.visitor().get("/api/site").await.expect(200)["lookup"], json!(["openlibrary.org"]));
    let keyless = TestServer::with(|config| config.lookup.sources = vec!["hardcover".into()]).await;
    assert_eq!(keyless.reader().await.get(BY_ISBN).await.code(503), "lookup_not_configured");
}

/// A PNG whose header says this size.
fn png(width: u32, height: u32) -> Vec<u8> {
    let header = [&width.to_be_bytes()[..], &height.to_be_bytes(), &[8, 2, 0, 0, 0]].concat();
    let chunk = |name: &[u8], content: &[u8]| {
        [&u32::try_from(content.len()).unwrap().to_be_bytes()[..], name, content, &[0; 4]].concat()
    };
    [
        b"\x89PNG\r\n\x1a\n".to_vec(),
        chunk(b"IHDR", &header),
        chunk(b"IDAT", b"pixels"),
        b"\0\0\0\0IEND\xae\x42\x60\x82".to_vec(),
    ]
    .concat()
}

#[tokio::test]
async fn a_result_names_a_cover_only_where_it_can_be_asked_for() {
    let catalogue = Catalogue::start().await;
    let server = TestServer::with(|config| {
        config.lookup.openlibrary.url.clone_from(&catalogue.base);
        config.lookup.covers = false;
    })
    .await;
    let reader = server.reader().await;
    assert_eq!(reader.get(BY_ISBN).await.expect(200)["data"][0]["cover"], Value::Null);
    let cover = json!({"source": "openlibrary", "cover": "240727"});
    assert_eq!(reader.post("/api/lookup/cover", cover).await.code(503), "lookup_not_configured");
}

#[tokio::test]
async fn the_cover_of_a_result_comes_through_the_server() {
    let catalogue = Catalogue::start().await;
    let server = server_of(&catalogue).await;
    let reader = server.reader().await;
    let ask = |source: &str, cover: &str| reader.post("/api/lookup/cover", json!({"source": source, "cover": cover}));
    assert_eq!(ask("openlibrary", "240727").await.code(404), "not_found");
    assert_eq!(catalogue.asked()[0].uri, "/b/id/240727-M.jpg?default=false");
    assert_eq!(ask("openlibrary", "../1").await.code(404), "not_found");
    assert_eq!(ask("dnb", "1").await.code(503), "lookup_not_configured");
    assert_eq!(ask("amazon", "1").await.fields(), ["source"]);
    let without = reader.post("/api/lookup/cover", json!({"source": "openlibrary"})).await;
    assert_eq!((without.fields(), &without.body["error"]), (vec!["cover"], &json!("This value is required.")));
    let cases: Vec<(Vec<u8>, u16)> = vec![
        (png(180, 280), 200),
        (png(30_000, 30_000), 413),
        (vec![0xff; 201 * 1024], 413),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>".to_vec(), 415),
    ];
    for (file, status) in cases {
        catalogue.answer(move |_: &Uri| Some(page("image/jpeg", file.clone())));
        server.advance(TimeDelta::seconds(1));
        let answer = ask("openlibrary", "240727").await;
        assert_eq!(answer.status, status, "{}", answer.body);
        if status == 200 {
            assert_eq!((answer.header("content-type"), &answer.bytes), ("image/png", &png(180, 280)));
        }
    }
    catalogue.answer(|_: &Uri| Some(Redirect::temporary("http://169.254.169.254/latest").into_response()));
    server.advance(TimeDelta::seconds(1));
    assert_eq!(ask("openlibrary", "240727").await.code(503), "lookup_unavailable");
}
