//! A person with a copy of the database can use nothing in it.
use std::collections::BTreeSet;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use reqwest::Method;
use rusqlite::types::Value as Stored;
use serde_json::json;
use shelfwise::kit::db::pool::open_writer;

use crate::features::social::{leave, section, settings};
use crate::support::actors::{PASSWORD, Reader, TestClient, TestResponse};
use crate::support::fault_table::row;
use crate::support::harness::TestServer;
use crate::support::issuer::Issuer;

/// Every value of every table of a copy, in each way in which it could be written into a request, and the words within texts.
fn loot(server: &TestServer) -> (BTreeSet<String>, usize) {
    let copy = server.folder().join("stolen.db");
    let (mut found, mut tables) = (BTreeSet::new(), 0);
    open_writer(server.db.path()).unwrap().execute("VACUUM INTO ?1", [copy.to_str().unwrap()]).unwrap();
    let conn = rusqlite::Connection::open(&copy).unwrap();
    let mut named = conn.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").unwrap();
    let names: Vec<String> = named.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    for name in names {
        let mut all = conn.prepare(&format!("SELECT * FROM \"{name}\"")).unwrap();
        let columns = all.column_count();
        let mut rows = all.query([]).unwrap();
        tables += 1;
        while let Some(row) = rows.next().unwrap() {
            (0..columns).for_each(|column| written(row.get(column).unwrap(), &mut found));
        }
    }
    std::fs::remove_file(copy).unwrap();
    (found, tables)
}

fn written(value: Stored, into: &mut BTreeSet<String>) {
    match value {
        Stored::Null | Stored::Real(_) => {}
        Stored::Integer(number) => drop(into.insert(number.to_string())),
        Stored::Text(text) => {
            into.extend(
                text.split(|letter: char| !(letter.is_ascii_alphanumeric() || "-_".contains(letter)))
                    .map(str::to_owned),
            );
            into.insert(text);
        }
        Stored::Blob(bytes) => {
            let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            into.extend([hex.to_uppercase(), hex, STANDARD.encode(&bytes), URL_SAFE_NO_PAD.encode(&bytes)]);
        }
    }
}

/// What somebody tries who has a value of the copy, each time from another address.
struct Thief<'s> {
    server: &'s TestServer,
    invited: &'s Reader,
    victim: &'s Reader,
}

impl Thief<'_> {
    async fn send(
        &self,
        person: &TestClient,
        number: usize,
        method: Method,
        path: &str,
        header: (&str, String),
    ) -> TestResponse {
        let from = format!("198.{}.{}.{}", number / 65_536, number / 256 % 256, number % 256);
        // A value that a header can't carry can't be sent by a browser either.
        let Ok(value) = reqwest::header::HeaderValue::try_from(header.1) else {
            return person.get("/api/nothing").await;
        };
        let request = person.request(method, path).header("x-forwarded-for", from).header(header.0, value);
        person.send(request.json(&json!({"password": "a quite new passphrase", "email": self.victim.email}))).await
    }

    /// How often it opened something, and how.
    async fn tries(&self, number: usize, value: &str) -> Vec<String> {
        let visitor = self.server.visitor();
        let (nobody, invited): (&TestClient, &TestClient) = (&visitor, self.invited);
        let quoted: String = form_urlencoded::byte_serialize(value.as_bytes()).collect();
        let (get, post) = (|| Method::GET, || Method::POST);
        let mut opened = Vec::new();
        for (how, person, method, path, header, refused) in [
            (
                "a session",
                nobody,
                get(),
                "/api/auth/me".to_owned(),
                ("cookie", format!("shelfwise_session={value}")),
                401,
            ),
            (
                "a session",
                nobody,
                get(),
                "/api/books".to_owned(),
                ("cookie", format!("shelfwise_session={value}")),
                401,
            ),
            ("an API token", nobody, get(), "/api/books".to_owned(), ("authorization", format!("Bearer {value}")), 401),
            (
                "an API token",
                nobody,
                get(),
                "/api/books".to_owned(),
                ("authorization", format!("Bearer shelfwise_{value}")),
                401,
            ),
            (
                "a link to a new password",
                nobody,
                post(),
                format!("/api/auth/password-reset/{quoted}"),
                ("x-y", "z".into()),
                400,
            ),
            ("an invitation", nobody, get(), format!("/api/invitations/{quoted}"), ("x-y", "z".into()), 404),
            ("a secret link", nobody, get(), format!("/s/{quoted}"), ("x-y", "z".into()), 404),
            ("an invitation", invited, post(), format!("/api/invitations/{quoted}/accept"), ("x-y", "z".into()), 404),
            (
                "a sign-in elsewhere",
                nobody,
                get(),
                format!("/api/auth/oauth/mine/callback?code=x&state={quoted}"),
                ("cookie", format!("shelfwise_oauth={value}")),
                400,
            ),
            // The account has had its guesses of the day, which only a known device passes.
            (
                "a known device",
                nobody,
                post(),
                "/api/auth/login".to_owned(),
                ("cookie", format!("shelfwise_device={value}")),
                429,
            ),
        ] {
            let answer = self.send(person, number, method, &path, header).await;
            if answer.status != refused && answer.status != 404 {
                opened.push(format!("{value:?} as {how}: {} {}", answer.status, answer.body));
            }
        }
        opened
    }
}

#[tokio::test]
async fn a_copy_of_the_database_contains_no_usable_secret() {
    let issuer = Issuer::start().await;
    let text = section("mine", &issuer.base);
    let server = TestServer::with(|config| {
        config.social = settings(&text);
        config.trusted_proxies = vec!["127.0.0.1".to_owned().try_into().unwrap()];
    })
    .await;
    let (owner, people) = server.team(1).await;
    let (nora, invited, operator) = (&people[0], server.reader().await, server.operator().await);
    // One of everything that opens something.
    let login = json!({"email": nora.email, "password": PASSWORD});
    let entered = server.visitor().post("/api/auth/login", login).await;
    let cookie = entered.header("set-cookie").split(';').next().unwrap().to_owned();
    let made = nora.post("/api/account/tokens", json!({"name": "Sync", "access": "read-write"})).await.expect(201);
    let secret = made["secret"].as_str().unwrap().to_owned();
    let invitation = owner.invite(&invited.email).await;
    let shared = nora.post("/api/shares", json!({"kind": "review", "period": "2026"})).await.expect(201);
    let shared = shared["url"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
    let link = operator.post(&format!("/api/admin/users/{}/reset-link", nora.id), json!({})).await.expect(200);
    let reset = link["url"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
    let newcomer = server.visitor();
    let answer = issuer.agree(&leave(&newcomer, "mine").await);
    let keyed = nora.request(Method::POST, "/api/books").header("idempotency-key", "one");
    nora.send(keyed.json(&json!({"title": "T", "author": "A", "status": "undated"}))).await.expect(201);
    let guess = json!({"email": nora.email, "password": "not the password"});
    let stranger = server.visitor();
    for n in 0..100 {
        let from =
            stranger.request(Method::POST, "/api/auth/login").header("x-forwarded-for", format!("203.0.113.{n}"));
        assert_eq!(stranger.send(from.json(&guess)).await.status, 401);
    }

    let (values, tables) = loot(&server);
    assert!(tables > 20 && values.len() > 100, "{tables} tables, {} values", values.len());
    for secret in [&cookie["shelfwise_session=".len()..], &secret, &invitation, &reset, &shared] {
        assert!(!values.contains(secret), "the copy has it as it is used");
    }
    let thief = Thief { server: &server, invited: &invited, victim: nora };
    let mut opened = Vec::new();
    for (number, value) in values.iter().enumerate() {
        opened.extend(thief.tries(number, value).await);
    }
    assert!(opened.is_empty(), "{}", opened.join("\n"));

    // Each secret still works in its own place.
    let with = |name: &'static str, value: String| {
        stranger.send(stranger.request(Method::GET, "/api/books").header(name, value))
    };
    with("cookie", cookie).await.expect(200);
    with("authorization", format!("Bearer {secret}")).await.expect(200);
    invited.post(&format!("/api/invitations/{invitation}/accept"), json!({})).await.expect(200);
    assert_eq!(stranger.get(&format!("/s/{shared}")).await.status, 200);
    let set = json!({"password": "a quite new passphrase"});
    stranger.post(&format!("/api/auth/password-reset/{reset}"), set).await.expect(204);
    assert_eq!(newcomer.get(&crate::features::social::path("mine", &answer)).await.header("location"), "/dashboard");
    let found = format!("nothing opened, in {} values of {tables} tables", values.len());
    row(
        "values of a copy of the database, tried as session, device, token, link and sign-in",
        values.len() * 10,
        &found,
        "none can be replayed",
    );
}
