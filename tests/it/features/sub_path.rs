//! A server below a path of its host, behind a proxy that keeps the path and behind one that strips it.
use reqwest::Method;
use serde_json::json;
use shelfwise::config::{Config, Instance};

use super::devices::Device;
use super::mail::mailing;
use super::shares::{self, add, html, put_cover};
use super::social::{leave, path, section, settings};
use crate::support::actors::{PASSWORD, TestClient, TestResponse, Visitor};
use crate::support::harness::TestServer;
use crate::support::issuer::{Issuer, query};
use crate::support::smtp::{MailServer, Tls};

fn at(url: &str) -> impl FnOnce(&mut Config) {
    move |config| {
        config.public_url = Some(url.to_owned().try_into().unwrap());
        config.instance = Instance::Private;
    }
}

/// A browser whose proxy keeps the path, and one whose proxy strips it.
fn both(server: &TestServer) -> [Visitor; 2] {
    [Visitor::at(format!("http://{}/books", server.address)), server.visitor()]
}

fn cookies(answer: &TestResponse) -> Vec<&str> {
    answer.headers.get_all("set-cookie").iter().map(|value| value.to_str().unwrap()).collect()
}

async fn log_in(person: &TestClient, email: &str) -> TestResponse {
    let form = json!({"email": email, "password": PASSWORD});
    let call = person.request(Method::POST, "/api/auth/login").json(&form);
    person.send(call.header("origin", "https://home.test").header("sec-fetch-site", "same-origin")).await
}

#[tokio::test]
async fn both_proxies_reach_every_call_and_cookies_are_for_the_path_alone() {
    let server = TestServer::with(at("https://home.test/books/")).await;
    for (number, person) in both(&server).into_iter().enumerate() {
        let email = format!("ada{number}@example.org");
        let form = json!({"email": email, "password": PASSWORD, "displayName": "Ada"});
        person.post("/api/auth/signup", form).await.expect(201);
        let answer = log_in(&person, &email).await;
        assert_eq!(answer.status, 200, "the bare origin is that of the pages: {}", answer.body);
        let set = cookies(&answer);
        for name in ["session", "device"] {
            assert!(set.iter().any(|cookie| cookie.starts_with(&format!("__Secure-shelfwise_{name}="))), "{set:?}");
        }
        assert!(set.iter().all(|cookie| cookie.contains("; Path=/books;") && cookie.contains("; Secure")), "{set:?}");
        let shown: Vec<_> = set.iter().filter_map(|cookie| cookie.split(';').next()).collect();
        let shown = shown.join("; ");
        let me = person.send(person.request(Method::GET, "/api/auth/me").header("cookie", &shown)).await.expect(200);
        assert_eq!(me["user"]["email"], json!(email));
        let out = person.send(person.request(Method::POST, "/api/auth/logout").header("cookie", &shown)).await;
        assert!(cookies(&out).iter().any(|cookie| cookie.starts_with("__Secure-shelfwise_session=; ")
            && cookie.contains("Max-Age=0")
            && cookie.contains("Path=/books")));
        let elsewhere = person.request(Method::POST, "/api/auth/logout").header("origin", "https://evil.test");
        assert_eq!(person.send(elsewhere).await.code(403), "cross_site");
    }
    let other = server.visitor().get("/bookshelf").await;
    assert_eq!(other.status, 404, "another path is no part of this server");
}

#[tokio::test]
async fn pages_and_redirects_stay_below_the_path() {
    let server = TestServer::with(at("https://home.test/books")).await;
    for person in both(&server) {
        for page in ["", "/", "/login", "/no/such/page"] {
            if person.base.ends_with(&server.address.to_string()) && page.is_empty() {
                continue;
            }
            let answer = person.get(page).await;
            assert_eq!(answer.status, if page.ends_with("page") { 404 } else { 200 }, "{page}");
            let html = html(&answer);
            assert!(html.contains("<html data-base=\"/books\""), "{html}");
            let outside: Vec<_> =
                html.match_indices("=\"/").filter(|(at, _)| !html[at + 2..].starts_with("/books")).collect();
            assert_eq!(outside, [], "{html}");
            // The whole host is not this server's.
            assert_eq!(answer.header("strict-transport-security"), "");
        }
        let moved = person.get("/.well-known/change-password").await;
        assert_eq!((moved.status, moved.header("location")), (303, "/books/account"));
    }
    let without = TestServer::start().await;
    let page = without.visitor().get("/login").await;
    assert!(!page.body.as_str().unwrap().contains("data-base"));
}

#[tokio::test]
async fn a_changed_address_counts_at_once() {
    let server = TestServer::start().await;
    let person = Visitor::at(format!("http://{}/books", server.address));
    assert_eq!(person.get("/api/site").await.status, 404);
    let stored = [("public_url".to_owned(), "https://home.test/books".into())].into();
    assert!(server.app.current.store(stored).unwrap());
    person.get("/api/site").await.expect(200);
}

#[tokio::test]
async fn shared_pages_load_everything_from_below_the_path() {
    let server = TestServer::with(at("http://home.test/books")).await;
    let [kept, stripped] = both(&server);
    let reader = kept.clone().sign_up().await;
    let book = add(&reader, json!({})).await;
    let cover = put_cover(&reader, book).await;
    let made = json!({"kind": "review", "period": "2016", "parts": ["covers"]});
    let made = reader.post("/api/shares", made).await.expect(201);
    let link = shares::path(&made);
    assert_eq!(made["url"], json!(format!("http://home.test/books{link}")));
    let feed = shares::path(&reader.post("/api/shares", json!({"kind": "feed"})).await.expect(201));
    for person in [kept, stripped] {
        let page = person.get(&link).await;
        assert!(html(&page).contains("href=\"../favicon.svg\""), "{}", page.body);
        assert!(html(&page).contains(&format!("<img src=\"/books{link}/covers/{cover}\"")), "{}", page.body);
        assert!(!html(&page).contains("url(\"/"), "{}", page.body);
        assert_eq!(person.get(&format!("{link}/covers/{cover}")).await.status, 200);
        let page = person.get(&feed).await;
        assert!(html(&page).contains(&format!("href=\"http://home.test/books{feed}/")), "{}", page.body);
    }
}

#[tokio::test]
async fn devices_list_the_folder_below_the_path() {
    let server = TestServer::with(at("http://home.test/books")).await;
    let reader = Visitor::at(format!("http://{}/books", server.address)).sign_up().await;
    let device = Device::of(&server, &reader).await;
    let listed = device.client.send(device.dav("PROPFIND", "/dav/").header("depth", "1")).await;
    let text = listed.body.as_str().unwrap();
    assert!(text.contains("<d:href>/books/dav/</d:href>"), "{text}");
    assert!(text.contains("<d:href>/books/dav/statistics/</d:href>"), "{text}");
}

#[tokio::test]
async fn mails_and_providers_lead_below_the_path() {
    let Some(mut mail) = MailServer::start(Tls::None) else { return };
    let issuer = Issuer::start().await;
    let text = section("mine", &issuer.base);
    let server = TestServer::with(|config| {
        mailing(config, mail.url());
        at("http://home.test/books")(config);
        config.social = settings(&text);
    });
    let server = server.await;
    let reader = server.visitor().sign_up().await;
    for person in both(&server) {
        person.post("/api/auth/password-reset", json!({"email": reader.email})).await.expect(204);
        let message = mail.next().await;
        assert!(
            message.link("http://home.test").starts_with("http://home.test/books/reset-password/"),
            "{}",
            message.text
        );
        let out = leave(&person, "mine").await;
        assert_eq!(query(&out)["redirect_uri"], "http://home.test/books/api/auth/oauth/mine/callback");
    }
    let person = Visitor::at(format!("http://{}/books", server.address));
    let answer = issuer.agree(&leave(&person, "mine").await);
    let landed = person.get(&path("mine", &answer)).await;
    assert_eq!((landed.status, landed.header("location")), (303, "/books/dashboard"), "{}", landed.body);
}
