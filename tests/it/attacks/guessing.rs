//! Guessing is slow from one address, from many, and with forged ones, while the owner can sign in.
use std::collections::BTreeMap;

use chrono::TimeDelta;
use futures_util::{StreamExt as _, stream};
use reqwest::Method;
use serde_json::json;

use crate::features::account_security::waiting;
use crate::support::actors::{PASSWORD, TestClient, TestResponse};
use crate::support::fault_table::row;
use crate::support::harness::TestServer;

/// How many were answered with each status.
type Answers = BTreeMap<u16, usize>;

async fn log_in(person: &TestClient, from: &str, email: &str, password: &str) -> TestResponse {
    let form = json!({"email": email, "password": password});
    person.send(person.request(Method::POST, "/api/auth/login").header("x-forwarded-for", from).json(&form)).await
}

/// Sends guesses, some at a time, each from an address at an account.
async fn guess(person: &TestClient, guesses: impl Iterator<Item = (String, String)>) -> Answers {
    let sent = stream::iter(guesses).map(|(from, email)| async move {
        let answer = log_in(person, &from, &email, "not the password").await;
        if answer.status == 429 {
            assert!(answer.header("retry-after").parse::<u64>().unwrap() >= 1);
        }
        answer.status
    });
    sent.buffer_unordered(16)
        .fold(Answers::new(), |mut answers, status| async move {
            *answers.entry(status).or_insert(0) += 1;
            answers
        })
        .await
}

async fn behind_a_proxy() -> TestServer {
    TestServer::with(|config| config.trusted_proxies = vec!["127.0.0.1".to_owned().try_into().unwrap()]).await
}

#[tokio::test]
async fn ten_thousand_guesses_try_a_hundred_passwords_and_the_owner_signs_in() {
    let server = behind_a_proxy().await;
    let (nora, stranger) = (server.reader().await, server.visitor());
    let guesses = (0..10_000).map(|n| (format!("198.51.{}.{}", n % 2, n / 2 % 250), nora.email.clone()));
    let answers = guess(&stranger, guesses).await;
    assert_eq!(answers, Answers::from([(401, 100), (429, 9_900)]));
    let elsewhere = log_in(&stranger, "203.0.113.1", &nora.email, PASSWORD).await;
    assert_eq!(elsewhere.code(429), "too_many_attempts");
    log_in(&nora, "203.0.113.2", &nora.email, PASSWORD).await.expect(200);
    // Another account is none the worse for it.
    let other = server.reader().await;
    log_in(&server.visitor(), "203.0.113.3", &other.email, PASSWORD).await.expect(200);
    let found = format!("{} evaluated, the owner signs in from a known device", answers[&401]);
    row("guesses from 500 addresses at one account", 10_000, &found, "≤ 100 a day, the owner gets in");
}

#[tokio::test]
async fn one_address_tries_sixty_passwords_an_hour_whatever_headers_it_sends() {
    let server = TestServer::start().await;
    let stranger = server.visitor();
    let guesses = (0..10_000).map(|n| (format!("198.51.{}.{}", n / 250, n % 250), format!("nobody{n}@example.org")));
    let answers = guess(&stranger, guesses).await;
    assert_eq!(answers, Answers::from([(401, 60), (429, 9_940)]));
    let found = format!("{} evaluated", answers[&401]);
    row(
        "guesses from one address at as many accounts, each with a forged X-Forwarded-For",
        10_000,
        &found,
        "≤ 60 an hour",
    );
}

#[tokio::test]
async fn one_ipv6_network_counts_as_one_address_and_forged_addresses_before_the_proxys_are_ignored() {
    let server = behind_a_proxy().await;
    let stranger = server.visitor();
    let guesses = (0..200).map(|n| (format!("2001:db8:1:2::{n:x}"), format!("nobody{n}@example.org")));
    assert_eq!(guess(&stranger, guesses).await, Answers::from([(401, 60), (429, 140)]));
    let guesses = (0..200).map(|n| (format!("192.0.2.{n}, 203.0.113.9"), format!("somebody{n}@example.org")));
    assert_eq!(guess(&stranger, guesses).await, Answers::from([(401, 60), (429, 140)]));
    row(
        "guesses from one IPv6 network, and behind a proxy with forged addresses before its own",
        400,
        "60 evaluated of each",
        "≤ 60 an hour",
    );
}

#[tokio::test]
async fn dead_links_are_counted_by_the_minute_and_lock_nobody_out() {
    let server = behind_a_proxy().await;
    let (owner, _) = server.team(0).await;
    let link = owner.invite("greta@example.org").await;
    let anonymous = server.visitor();
    let call = |method: Method, path: String, from: &'static str| {
        let request = anonymous.request(method, &path).header("x-forwarded-for", from);
        anonymous.send(request.json(&json!({"password": "a quite new passphrase"})))
    };
    let look = |token: &str, from: &'static str| call(Method::GET, format!("/api/invitations/{token}"), from);
    let reset = |token: &str, from: &'static str| call(Method::POST, format!("/api/auth/password-reset/{token}"), from);
    for _ in 0..100 {
        look(&link, "203.0.113.1").await.expect(200);
    }
    let unknown = shelfwise::kit::http::session::Token::new().unwrap().text();
    let shared = |token: &str, from: &'static str| call(Method::GET, format!("/s/{token}"), from);
    let share_token = shelfwise::sharing::model::ShareToken::new().unwrap().text();
    for n in 0..20 {
        assert_eq!(look(if n % 2 == 0 { &unknown } else { "rubbish" }, "203.0.113.1").await.status, 404);
        assert_eq!(
            shared(if n % 2 == 0 { &share_token } else { "rubbish/feed.atom" }, "203.0.113.1").await.status,
            404
        );
        assert_eq!(reset(if n % 2 == 0 { &unknown } else { "rubbish" }, "203.0.113.1").await.status, 400);
    }
    assert_eq!(look(&link, "203.0.113.1").await.code(429), "too_many_attempts");
    assert_eq!(shared(&share_token, "203.0.113.1").await.status, 429);
    assert_eq!(reset(&unknown, "203.0.113.1").await.code(429), "too_many_attempts");
    log_in(&owner, "203.0.113.1", &owner.email, PASSWORD).await.expect(200);
    look(&link, "203.0.113.2").await.expect(200);
    server.advance(TimeDelta::minutes(1));
    look(&link, "203.0.113.1").await.expect(200);
    row(
        "guesses at links of invitations, new passwords and shared reviews",
        60,
        "the 61st of an address waits, a known link costs nothing, passwords count apart",
        "≤ 60 a minute",
    );
}

#[tokio::test]
async fn pictures_on_a_page_of_another_site_neither_call_the_api_nor_count_as_guesses() {
    let server = behind_a_proxy().await;
    let (owner, _) = server.team(0).await;
    let link = owner.invite("greta@example.org").await;
    let visitor = server.visitor();
    let from_evil = |path: String, mode: &'static str, destination: &'static str| {
        let request = visitor.request(Method::GET, &path).header("x-forwarded-for", "203.0.113.1");
        let request = request.header("sec-fetch-site", "cross-site").header("sec-fetch-mode", mode);
        visitor.send(request.header("sec-fetch-dest", destination))
    };
    for n in 0..70 {
        assert_eq!(from_evil(format!("/api/invitations/x{n}"), "no-cors", "image").await.code(403), "cross_site");
        let shown = from_evil(format!("/s/x{n}"), "no-cors", "image").await.status;
        assert_eq!(shown, if n < 60 { 404 } else { 429 }, "the number of pages of an address has its own limit");
    }
    let opened = |site: &'static str| {
        let request = visitor.request(Method::GET, &format!("/api/invitations/{link}"));
        visitor.send(request.header("x-forwarded-for", "203.0.113.1").header("sec-fetch-site", site))
    };
    for site in ["same-origin", "same-site", "none"] {
        opened(site).await.expect(200);
    }
    assert_eq!(opened("cross-site").await.code(403), "cross_site");
    from_evil(format!("/api/invitations/{link}"), "navigate", "document").await.expect(200);
    log_in(&owner, "203.0.113.1", &owner.email, PASSWORD).await.expect(200);
}

#[tokio::test]
async fn wrong_secrets_of_devices_keep_nobody_from_signing_in() {
    let server = behind_a_proxy().await;
    let owner = server.reader().await;
    let visitor = server.visitor();
    let device = |login: String| {
        let request = visitor.request(Method::GET, "/dav/").header("x-forwarded-for", "203.0.113.1");
        request.basic_auth(login, Some("abcde-fghij"))
    };
    for n in 0..70 {
        let picture = device(format!("picture{n}")).header("sec-fetch-dest", "image");
        assert_eq!(visitor.send(picture).await.status, 403, "a page of another site has no device");
    }
    for n in 0..70 {
        let status = visitor.send(device(format!("login{n}"))).await.status;
        assert_eq!(status, if n < 60 { 401 } else { 429 });
    }
    log_in(&owner, "203.0.113.1", &owner.email, PASSWORD).await.expect(200);
}

#[tokio::test]
async fn guessing_the_current_password_in_a_session_is_delayed_as_at_sign_in() {
    let server = TestServer::start().await;
    let nora = server.reader().await;
    let mut answers = Answers::new();
    for n in 0..10 {
        let change = json!({"currentPassword": format!("guess {n}"), "newPassword": "a quite new passphrase"});
        *answers.entry(nora.post("/api/account/password", change).await.status).or_insert(0) += 1;
    }
    assert!(answers[&403] >= 5 && answers[&429] >= 1, "{answers:?}");
}

#[tokio::test]
async fn a_password_that_a_busy_server_does_not_check_is_no_guess() {
    let server = TestServer::with(|config| config.limits.password_queue = 1).await;
    let (nora, other) = (server.reader().await, server.reader().await);
    let (email, stranger) = (other.email.clone(), server.visitor());
    let first = async move { stranger.post("/api/auth/login", json!({"email": email, "password": PASSWORD})).await };
    let (held, first) = waiting(&server, first).await;
    let visitor = server.visitor();
    for _ in 0..6 {
        let log_in = visitor.post("/api/auth/login", json!({"email": nora.email, "password": PASSWORD})).await;
        assert_eq!(log_in.code(503), "busy");
        let confirm = nora.post("/api/auth/confirm", json!({"password": PASSWORD})).await;
        assert_eq!(confirm.code(503), "busy");
    }
    drop(held);
    first.await.unwrap().expect(200);
    visitor.log_in(&nora.email).await;
}
