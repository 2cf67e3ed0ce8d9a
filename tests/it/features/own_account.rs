//! A person's own account: sessions, name, address, password.
use std::net::Ipv4Addr;

use reqwest::Method;
use serde_json::{Value, json};

use crate::features::account_security::waiting;
use crate::features::geoip;
use crate::support::actors::{PASSWORD, Reader};
use crate::support::harness::TestServer;

const FIREFOX: &str = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0";

/// The same account in another browser.
async fn elsewhere(server: &TestServer, person: &Reader, user_agent: &str) -> Reader {
    let other = server.visitor();
    let form = json!({"email": person.email, "password": PASSWORD});
    let login = other.request(Method::POST, "/api/auth/login").header("user-agent", user_agent).json(&form);
    let answer = other.send(login).await;
    other.logged_in(&person.email, answer)
}

async fn sessions(person: &Reader) -> Vec<Value> {
    person.get("/api/auth/sessions").await.expect(200)["data"].as_array().unwrap().clone()
}

#[tokio::test]
async fn a_reader_sees_all_sessions_and_ends_one() {
    let server = TestServer::start().await;
    let nora = server.reader().await;
    let away = elsewhere(&server, &nora, FIREFOX).await;
    let listed = sessions(&nora).await;
    assert_eq!(listed.len(), 2);
    let other = listed.iter().find(|session| session["current"] == false).unwrap();
    let keys: Vec<&String> = other.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["createdAt", "current", "device", "id", "ipAddress", "lastSeen", "place"]);
    assert_eq!(
        (&other["device"], &other["place"], &other["ipAddress"]),
        (&json!("Firefox on Windows"), &Value::Null, &json!("127.0.0.1"))
    );
    let path = format!("/api/auth/sessions/{}", other["id"]);
    assert_eq!(server.reader().await.delete(&path).await.code(404), "not_found");
    assert_eq!(nora.delete(&path).await.status, 204);
    assert_eq!(away.get("/api/auth/me").await.status, 401);
    assert_eq!(nora.delete(&path).await.status, 404);

    let own = sessions(&nora).await;
    let ended = nora.delete(&format!("/api/auth/sessions/{}", own[0]["id"])).await;
    assert!(ended.status == 204 && ended.header("set-cookie").contains("Max-Age=0"));
    assert_eq!(nora.get("/api/auth/me").await.status, 401);
}

#[tokio::test]
async fn with_a_geoip_file_sessions_have_places() {
    let places = [
        (Ipv4Addr::new(198, 51, 100, 1), "PT", "Portugal", Some("Lisbon")),
        (Ipv4Addr::new(198, 51, 100, 2), "NO", "Norway", None),
    ];
    let server = geoip::server(&places).await;
    let nora = server.reader().await;
    for address in ["198.51.100.1", "198.51.100.2", "198.51.100.3", "2001:db8::1"] {
        let form = json!({"email": nora.email, "password": PASSWORD});
        let person = server.visitor();
        let login = person.request(Method::POST, "/api/auth/login").header("x-forwarded-for", address).json(&form);
        person.send(login).await.expect(200);
    }
    let known: Vec<(Value, Value)> =
        sessions(&nora).await.iter().map(|one| (one["ipAddress"].clone(), one["place"].clone())).collect();
    for (address, place) in [
        ("198.51.100.1", json!("Lisbon, Portugal")),
        ("198.51.100.2", json!("Norway")),
        ("198.51.100.3", Value::Null),
        ("2001:db8::1", Value::Null),
        ("127.0.0.1", Value::Null),
    ] {
        assert!(known.contains(&(json!(address), place)), "{address}: {known:?}");
    }
}

#[tokio::test]
async fn a_name_changes_freely_and_an_address_with_the_password() {
    let server = TestServer::start().await;
    let nora = server.reader().await;
    let change = |body: Value| nora.patch("/api/account", body);
    assert_eq!(change(json!({"displayName": "  Nora  "})).await.expect(200)["user"]["displayName"], "Nora");
    let same = json!({"displayName": "Nora L", "email": nora.email});
    assert_eq!(change(same).await.expect(200)["user"]["email"], json!(nora.email));

    assert_eq!(change(json!({"email": "new@example.org"})).await.fields(), ["currentPassword"]);
    assert_eq!(
        change(json!({"displayName": " ", "email": "nowhere"})).await.fields(),
        ["currentPassword", "displayName", "email"]
    );
    let wrong = json!({"email": "new@example.org", "currentPassword": "not the password"});
    assert_eq!(change(wrong).await.code(403), "wrong_password");
    let other = server.reader().await;
    let taken = json!({"email": other.email.to_uppercase(), "currentPassword": PASSWORD});
    assert_eq!(change(taken).await.code(409), "email_taken");
    assert_eq!(nora.get("/api/auth/me").await.expect(200)["user"]["email"], json!(nora.email));

    let new = change(json!({"email": " New@example.org ", "currentPassword": PASSWORD})).await.expect(200);
    assert_eq!((&new["user"]["email"], &new["user"]["displayName"]), (&json!("New@example.org"), &json!("Nora L")));
    let login = json!({"email": "new@example.org", "password": PASSWORD});
    server.visitor().post("/api/auth/login", login).await.expect(200);
}

#[tokio::test]
async fn a_new_password_ends_every_other_session_and_gives_this_one_a_new_token() {
    let server = TestServer::start().await;
    let nora = server.reader().await;
    let away = elsewhere(&server, &nora, FIREFOX).await;
    let before = sessions(&nora).await;
    let change = |current: &str, new: &str| {
        nora.post("/api/account/password", json!({"currentPassword": current, "newPassword": new}))
    };
    assert_eq!(change("not the password", "another passphrase").await.code(403), "wrong_password");
    assert_eq!(change(PASSWORD, "short").await.fields(), ["newPassword"]);
    assert_eq!(change(PASSWORD, &nora.email).await.fields(), ["newPassword"]);
    let alone = json!({"newPassword": "another passphrase"});
    assert_eq!(nora.post("/api/account/password", alone).await.fields(), ["currentPassword"]);
    assert_eq!(away.get("/api/auth/me").await.status, 200, "a refused change ends nothing");

    let changed = change(PASSWORD, "another passphrase").await;
    assert!(changed.status == 204 && changed.header("set-cookie").starts_with("shelfwise_session="));
    assert_eq!(away.get("/api/auth/me").await.status, 401);
    let after = sessions(&nora).await;
    assert_eq!(after.len(), 1);
    assert!(before.iter().all(|session| session["id"] != after[0]["id"]), "the former token must be gone");
    let login = |password: &str| json!({"email": nora.email, "password": password});
    server.visitor().post("/api/auth/login", login("another passphrase")).await.expect(200);
    assert_eq!(server.visitor().post("/api/auth/login", login(PASSWORD)).await.status, 401);
}

#[tokio::test]
async fn guessing_the_current_password_is_delayed_as_at_sign_in() {
    let server = TestServer::start().await;
    let nora = server.reader().await;
    let guess = json!({"currentPassword": "a guess", "newPassword": "another passphrase"});
    for _ in 0..5 {
        assert_eq!(nora.post("/api/account/password", guess.clone()).await.code(403), "wrong_password");
    }
    let slowed = nora.post("/api/account/password", guess).await;
    assert_eq!(slowed.code(429), "too_many_attempts");
    assert!(slowed.header("retry-after").parse::<u64>().unwrap() >= 1);
    let address = json!({"email": "new@example.org", "currentPassword": "a guess"});
    assert_eq!(nora.patch("/api/account", address).await.status, 429);
}

#[tokio::test]
async fn a_name_and_an_address_that_are_changed_at_once_both_stay() {
    let server = TestServer::with(|config| config.limits.password_queue = 1).await;
    let nora = server.reader().await;
    let moving = {
        let (nora, address) = (nora.clone(), json!({"email": "moved@example.org", "currentPassword": PASSWORD}));
        async move { nora.patch("/api/account", address).await }
    };
    let (held, moving) = waiting(&server, moving).await;
    nora.patch("/api/account", json!({"displayName": "Renamed"})).await.expect(200);
    drop(held);
    let moved = moving.await.unwrap().expect(200)["user"].clone();
    assert_eq!((&moved["displayName"], &moved["email"]), (&json!("Renamed"), &json!("moved@example.org")));
}
