//! Caches never outlive a change, by this program or another.
use reqwest::Method;
use rusqlite::Connection;
use serde_json::json;
use shelfwise::kit::db::pool::open_writer;

use crate::support::actors::{PASSWORD, Reader};
use crate::support::harness::TestServer;

/// Another program at the same file, as a command line beside the server is.
fn beside(server: &TestServer) -> Connection {
    open_writer(server.db.path()).unwrap()
}

/// Asks twice, so that the second answer comes from memory where there is one.
async fn known(person: &Reader) {
    for _ in 0..2 {
        person.get("/api/auth/me").await.expect(200);
        person.get("/api/books").await.expect(200);
        person.get("/api/stats").await.expect(200);
    }
}

#[tokio::test]
async fn an_ended_session_is_not_cached() {
    let server = TestServer::start().await;
    let reader = server.reader().await;
    let form = json!({"email": reader.email, "password": PASSWORD});
    let entered = reader.post("/api/auth/login", form).await;
    let cookie = entered.header("set-cookie").split(';').next().unwrap().to_owned();
    let stranger = server.visitor();
    let with_cookie = |path| stranger.send(stranger.request(Method::GET, path).header("cookie", &cookie));
    let paths = ["/api/auth/me", "/api/books", "/api/stats"];
    for path in paths.into_iter().chain(paths) {
        assert_eq!(with_cookie(path).await.status, 200);
    }
    reader.post("/api/auth/logout", json!({})).await;
    for path in paths {
        assert_eq!(with_cookie(path).await.code(401), "not_signed_in");
    }
}

#[tokio::test]
async fn another_programs_writes_count_from_the_next_request() {
    let server = TestServer::start().await;
    let (reader, other) = (server.reader().await, server.reader().await);
    let conn = beside(&server);
    for person in [&reader, &other] {
        known(person).await;
    }
    let plan = |answer: serde_json::Value| answer["subscription"]["plan"].clone();
    assert_eq!(plan(reader.get("/api/subscriptions/current").await.expect(200)), "reader");
    conn.execute("UPDATE users SET granted_plan = 'shelfwise_plus' WHERE id = ?1", [reader.id]).unwrap();
    assert_eq!(plan(reader.get("/api/subscriptions/current").await.expect(200)), "shelfwise_plus");
    assert_eq!(reader.get("/api/stats").await.expect(200)["locked"], json!([]));
    conn.execute("UPDATE users SET disabled = 1 WHERE id = ?1", [reader.id]).unwrap();
    assert_eq!(reader.get("/api/stats").await.status, 401);
    assert_eq!(other.get("/api/stats").await.status, 200);
    conn.execute("UPDATE users SET disabled = 0 WHERE id = ?1", [reader.id]).unwrap();
    assert_eq!(reader.get("/api/stats").await.status, 200);
    conn.execute("DELETE FROM users WHERE id = ?1", [reader.id]).unwrap();
    assert_eq!(reader.get("/api/auth/me").await.status, 401);
}

#[tokio::test]
async fn idle_days_also_count_for_a_cached_session() {
    let server = TestServer::start().await;
    let reader = server.reader().await;
    known(&reader).await;
    server.advance(chrono::TimeDelta::days(30));
    assert_eq!(reader.get("/api/books").await.status, 401);
}

#[tokio::test]
async fn a_change_of_the_library_is_in_the_next_list_and_the_next_statistics() {
    let server = TestServer::start().await;
    let reader = server.reader().await;
    known(&reader).await;
    let book = json!({"title": "Pnin", "author": "Vladimir Nabokov", "wordCount": 60_000, "status": "undated"});
    let id = reader.post("/api/books", book).await.expect(201)["book"]["id"].as_i64().unwrap();
    let books = |answer: &serde_json::Value| answer["data"].as_array().unwrap().len();
    for _ in 0..2 {
        assert_eq!(books(&reader.get("/api/books").await.expect(200)), 1);
        assert_eq!(reader.get("/api/stats").await.expect(200)["kpis"]["booksRead"], 1);
        assert_eq!(books(&reader.get("/api/books/titles").await.expect(200)), 1);
    }
    assert_eq!(reader.delete(&format!("/api/books/{id}")).await.status, 204);
    assert_eq!(books(&reader.get("/api/books").await.expect(200)), 0);
    assert_eq!(reader.get("/api/stats").await.expect(200)["kpis"]["booksRead"], 0);
}

#[tokio::test]
async fn a_cached_response_is_the_same_in_every_encoding_and_its_tag_gives_304() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    for number in 0..20 {
        let title = format!("The Book of Number {number}");
        reader.post("/api/books", json!({"title": title, "author": "Ann", "status": "undated"})).await.expect(201);
    }
    let plain = reader.send(reader.request(Method::GET, "/api/books").header("accept-encoding", "identity")).await;
    assert_eq!(plain.header("content-encoding"), "");
    for _ in 0..2 {
        // The client unpacks gzip, and takes the header away with it.
        let packed = reader.get("/api/books").await;
        assert_eq!((&packed.body, packed.header("etag")), (&plain.body, plain.header("etag")));
        let raw = reader.send(reader.request(Method::GET, "/api/books").header("accept-encoding", "zstd, gzip")).await;
        assert_eq!((raw.status, raw.header("content-encoding")), (200, "zstd"));
        assert_eq!(raw.header("vary"), "Cookie, Accept-Encoding");
        assert!(raw.bytes.len() < plain.bytes.len() / 3);
        let held = reader.request(Method::GET, "/api/books").header("if-none-match", plain.header("etag"));
        let unchanged = reader.send(held).await;
        assert_eq!((unchanged.status, unchanged.bytes.len()), (304, 0));
    }
}

#[tokio::test]
async fn cached_responses_are_never_served_to_another_account() {
    let server = TestServer::start().await;
    let (ann, ben) = (server.plus().await, server.plus().await);
    ann.post("/api/books", json!({"title": "Hers", "author": "A", "status": "undated"})).await.expect(201);
    let hers = ann.get("/api/books").await;
    let his = ben.send(ben.request(Method::GET, "/api/books").header("if-none-match", hers.header("etag"))).await;
    assert_eq!((his.status, his.body["data"].clone()), (200, json!([])));
    assert_eq!(hers.body["data"][0]["title"], "Hers");
}

#[tokio::test]
async fn every_list_of_a_library_has_a_tag_that_changes_with_it() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let book = |title: &str, tag: &str| {
        json!({"title": title, "author": "A", "dateCompleted": "2026-01-02", "tags": [tag], "language": "en",
            "series": {"name": title}})
    };
    let id = reader.post("/api/books", book("One", "first")).await.expect(201)["book"]["id"].clone();
    reader.put("/api/goals/2026/books", json!({"target": 9})).await.expect(200);
    let paths = [
        "/api/series",
        "/api/tags",
        "/api/books/languages",
        "/api/operations",
        "/api/goals/2026/books/books",
        &format!("/api/books/{id}/days"),
    ];
    let mut tags = Vec::new();
    for path in paths {
        let tag = reader.get(path).await.header("etag").to_owned();
        let again = reader.send(reader.request(Method::GET, path).header("If-None-Match", &tag)).await;
        assert_eq!((again.status, again.bytes.len()), (304, 0), "{path}");
        tags.push(tag);
    }
    reader.post("/api/books", book("Two", "second")).await.expect(201);
    reader.put(&format!("/api/books/{id}/days/2026-01-01"), json!({"percent": 5})).await.expect(200);
    reader.patch("/api/tags/first", json!({"name": "other"})).await.expect(200);
    for (path, tag) in paths.into_iter().zip(tags) {
        let changed = reader.send(reader.request(Method::GET, path).header("If-None-Match", &tag)).await;
        assert_eq!(changed.status, 200, "{path}");
        assert_ne!(changed.header("etag"), tag, "{path}");
    }
}
