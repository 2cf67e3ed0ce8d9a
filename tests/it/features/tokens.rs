//! API tokens: what they may do, what they may not do, and their end.
use reqwest::Method;
use reqwest::header::AUTHORIZATION;
use serde_json::{Value, json};

use crate::support::actors::{PASSWORD, Script, TestResponse};
use crate::support::harness::TestServer;

async fn call(script: &Script, method: Method, path: &str, body: Option<Value>) -> TestResponse {
    script.send(body.iter().fold(script.request(method, path), reqwest::RequestBuilder::json)).await
}

fn book(title: &str) -> Option<Value> {
    Some(json!({"title": title, "author": "A", "status": "undated"}))
}

#[tokio::test]
async fn a_token_is_shown_once_acts_for_its_owner_and_records_its_last_use() {
    let server = TestServer::start().await;
    let nora = server.reader().await;
    let made = nora.post("/api/account/tokens", json!({"name": " Sync ", "access": "read-write"})).await;
    assert_eq!(made.header("cache-control"), "no-store");
    let made = made.expect(201);
    assert_eq!(made.as_object().unwrap().keys().collect::<Vec<_>>(), ["secret", "token"]);
    let keys: Vec<&String> = made["token"].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["access", "createdAt", "id", "lastUsedAt", "name"]);
    assert_eq!((&made["token"]["name"], &made["token"]["lastUsedAt"]), (&json!("Sync"), &Value::Null));
    let secret = made["secret"].as_str().unwrap().to_owned();
    assert!(secret.len() >= 32);

    let script = Script::with(&nora.base, &secret);
    assert_eq!(script.get("/api/auth/me").await.expect(200)["user"]["id"], nora.id);
    call(&script, Method::POST, "/api/books", book("Emma")).await.expect(201);
    assert_eq!(nora.get("/api/books").await.expect(200)["total"], 1);
    server.db.write(|_| Ok(())).await.unwrap();
    let listed = nora.get("/api/account/tokens").await.expect(200);
    assert!(listed["data"][0]["lastUsedAt"].is_string() && listed["data"][0].get("secret").is_none(), "{listed}");

    // One use was written; more of them in the next minutes are not.
    let mut committed = server.commits();
    for _ in 0..5 {
        script.get("/api/books").await.expect(200);
    }
    assert!(!committed());
    assert_eq!(nora.get("/api/auth/sessions").await.expect(200)["data"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_read_token_writes_nothing() {
    let server = TestServer::start().await;
    let nora = server.reader().await;
    let script = nora.script("read").await;
    for (method, path) in [
        (Method::POST, "/api/books"),
        (Method::PATCH, "/api/preferences"),
        (Method::DELETE, "/api/books/1"),
        (Method::POST, "/api/books/import"),
    ] {
        assert_eq!(call(&script, method, path, book("T")).await.code(403), "read_only_token", "{path}");
    }
    assert_eq!(nora.get("/api/books").await.expect(200)["total"], 0);
    for path in ["/api/account/export", "/api/account/export/books.csv", "/api/account/export/tbr.csv", "/api/stats"] {
        assert_eq!(script.get(path).await.status, 200, "{path}");
    }
}

#[tokio::test]
async fn no_token_not_even_an_operators_works_where_a_session_is_required() {
    let server = TestServer::start().await;
    let (owner, other) = (server.operator().await, server.reader().await);
    let script = owner.script("read-write").await;
    let change = json!({"currentPassword": PASSWORD, "newPassword": "a quite new passphrase"});
    for (method, path, body) in [
        (Method::GET, "/api/account/tokens", None),
        (Method::POST, "/api/account/tokens", Some(json!({"name": "More", "access": "read"}))),
        (Method::DELETE, "/api/account/tokens/1", None),
        (Method::GET, "/api/auth/sessions", None),
        (Method::DELETE, "/api/auth/sessions/1", None),
        (Method::PATCH, "/api/account", Some(json!({"displayName": "Mine"}))),
        (Method::POST, "/api/account/password", Some(change)),
        (Method::DELETE, "/api/account/data", None),
        (Method::DELETE, "/api/account", None),
        (Method::POST, "/api/subscriptions/cancel", Some(json!({}))),
        (Method::POST, "/api/subscriptions/checkout", Some(json!({}))),
        (Method::PATCH, "/api/teams/seats", Some(json!({"addonSeats": 1}))),
        (Method::PATCH, &format!("/api/teams/members/{}/role", other.id), Some(json!({"role": "owner"}))),
        (Method::DELETE, &format!("/api/teams/members/{}", other.id), None),
        (Method::POST, "/api/teams/invite", Some(json!({"email": "a@example.org"}))),
        (Method::DELETE, "/api/teams/invitations/1", None),
        (Method::POST, "/api/invitations/unknown/accept", Some(json!({}))),
        (Method::POST, "/api/invitations/unknown/decline", None),
        (Method::GET, "/api/auth/events", None),
        (Method::POST, "/api/auth/confirm", Some(json!({"password": PASSWORD}))),
        (Method::GET, "/api/admin/users", None),
        (Method::PATCH, &format!("/api/admin/users/{}", other.id), Some(json!({"role": "admin"}))),
        (Method::POST, "/api/admin/toggle-subscription", Some(json!({"plan": "shelfwise_plus"}))),
    ] {
        let answer = call(&script, method, path, body).await;
        assert_eq!(answer.code(403), "session_required", "{path}");
    }
    assert_eq!(owner.get("/api/account/tokens").await.expect(200)["data"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn revoked_wrong_and_disabled_or_deleted_accounts_tokens_stop_working_at_once() {
    let server = TestServer::start().await;
    let (nora, other) = (server.reader().await, server.reader().await);
    let script = nora.script("read-write").await;
    script.get("/api/books").await.expect(200);
    let id = nora.get("/api/account/tokens").await.expect(200)["data"][0]["id"].clone();
    let path = format!("/api/account/tokens/{id}");
    assert_eq!(other.delete(&path).await.status, 404);
    script.get("/api/books").await.expect(200);
    assert_eq!(nora.delete(&path).await.status, 204);
    assert_eq!(script.get("/api/books").await.code(401), "not_signed_in");
    assert_eq!(nora.delete(&path).await.status, 404);

    let script = nora.script("read").await;
    script.get("/api/books").await.expect(200);
    server.command(&["user", "disable", &nora.email]).await;
    assert_eq!(script.get("/api/books").await.status, 401);
    server.command(&["user", "enable", &nora.email]).await;
    script.get("/api/books").await.expect(200);
    assert_eq!(nora.elsewhere().await.delete("/api/account").await.status, 204);
    assert_eq!(script.get("/api/books").await.status, 401);
    for wrong in ["", "x", "shelfwise_", &script.secret[10..], "ünïcödé"] {
        let wrong = Script::with(&nora.base, wrong);
        assert_eq!(wrong.get("/api/books").await.status, 401);
    }
}

#[tokio::test]
async fn a_token_takes_precedence_over_a_cookie_and_neither_replaces_the_other() {
    let server = TestServer::start().await;
    let nora = server.reader().await;
    let script = nora.script("read-write").await;
    let with = |authorization: &str| {
        let request = nora.request(Method::POST, "/api/books").header("sec-fetch-site", "cross-site");
        nora.send(request.header(AUTHORIZATION, authorization).json(&book("Emma").unwrap()))
    };
    // Another site's page knows no secret; with one the request is a script's, wherever it comes from.
    assert_eq!(with("Bearer nothing").await.code(401), "not_signed_in");
    assert_eq!(with("Basic bm9yYTpub3Jh").await.code(403), "cross_site");
    with(&format!("bearer {}", script.secret)).await.expect(201);
    let visitor = server.visitor();
    let cookie = visitor.request(Method::GET, "/api/books");
    let cookie = cookie.header("cookie", format!("shelfwise_session={}", &script.secret["shelfwise_".len()..]));
    assert_eq!(visitor.send(cookie).await.status, 401);
}

#[tokio::test]
async fn a_new_token_needs_a_name_and_an_access_and_an_account_has_at_most_a_hundred() {
    let server = TestServer::start().await;
    let nora = server.reader().await;
    let make = |body: Value| nora.post("/api/account/tokens", body);
    assert_eq!(make(json!({})).await.fields(), ["access", "name"]);
    assert_eq!(make(json!({"name": "x".repeat(101), "access": "write"})).await.fields(), ["access", "name"]);
    assert_eq!(make(json!({"name": "a\u{0}b", "access": "read"})).await.fields(), ["name"]);
    make(json!({"name": "é".repeat(100), "access": "read"})).await.expect(201);
    for _ in 1..100 {
        make(json!({"name": "One more", "access": "read"})).await.expect(201);
    }
    assert_eq!(make(json!({"name": "One more", "access": "read"})).await.code(409), "too_many_tokens");
}
