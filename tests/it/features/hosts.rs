//! The host name of a request, and the headers of https servers.
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::process::Stdio;

use reqwest::Method;
use serde_json::json;
use shelfwise::config::{Config, Instance};

use crate::support::actors::{PASSWORD, TestClient, TestResponse};
use crate::support::harness::TestServer;
use crate::support::program::{free_port, shelfwise};

const HOME: &str = "https://books.test";

fn public(config: &mut Config) {
    config.public_url = Some(HOME.to_owned().try_into().unwrap());
}

async fn sign_up(person: &TestClient, email: &str, headers: &[(&str, &str)]) -> TestResponse {
    let form = json!({"email": email, "password": PASSWORD, "displayName": "Ada"});
    let mut request = person.request(Method::POST, "/api/auth/signup").json(&form);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    person.send(request).await
}

#[tokio::test]
async fn dns_rebinding_signs_nobody_up() {
    for (server, address) in [(TestServer::with(public).await, true), (TestServer::start().await, false)] {
        let person = server.visitor();
        for headers in [
            &[("host", "evil.test")][..],
            &[("host", "evil.test"), ("origin", "http://evil.test"), ("sec-fetch-site", "same-origin")],
            &[("host", "evil.test:8080"), ("origin", "http://evil.test:8080")],
        ] {
            let refused = sign_up(&person, "ada@example.org", headers).await;
            assert_eq!(refused.code(421), "misdirected");
            let (sentence, host) = (refused.body["error"].as_str().unwrap(), headers[0].1);
            assert_eq!(sentence.contains(HOME), address, "{sentence}");
            let command = format!("shelfwise settings set public_url http://{host}");
            assert_eq!(sentence.ends_with(&command), !address, "{sentence}");
        }
        let host = person.request(Method::GET, "/api/site").header("host", "evil.test");
        assert_eq!(person.send(host).await.code(421), "misdirected");
        // Health checks and pages hold nothing of anybody's.
        for path in ["/healthz", "/login"] {
            let host = person.request(Method::GET, path).header("host", "evil.test");
            assert_eq!(person.send(host).await.status, 200, "{path}");
        }
        let by_address = sign_up(&person, "ada@example.org", &[]).await;
        assert_eq!(by_address.status, 201, "{}", by_address.body);
    }
}

#[tokio::test]
async fn an_origin_that_contradicts_sec_fetch_site_is_refused_and_our_own_is_accepted() {
    let server = TestServer::with(public).await;
    let (person, own) = (server.visitor(), format!("http://{}", server.address));
    for origin in ["https://evil.test", "http://evil.test", "null", "http://books.test"] {
        let refused =
            sign_up(&person, "ada@example.org", &[("sec-fetch-site", "same-origin"), ("origin", origin)]).await;
        assert_eq!(refused.code(403), "cross_site", "{origin}");
    }
    for (number, origin) in [HOME, &own].into_iter().enumerate() {
        let email = format!("ada{number}@example.org");
        let made = sign_up(&server.visitor(), &email, &[("sec-fetch-site", "same-origin"), ("origin", origin)]).await;
        assert_eq!(made.status, 201, "{origin}: {}", made.body);
    }
}

#[tokio::test]
async fn responses_have_hsts_when_the_public_address_is_https() {
    let (secure, plain) = (TestServer::with(public).await, TestServer::start().await);
    for path in ["/", "/api/site", "/healthz", "/no/such/page"] {
        let told = secure.visitor().get(path).await;
        assert_eq!(told.header("strict-transport-security"), "max-age=31536000; includeSubDomains", "{path}");
        assert_eq!(plain.visitor().get(path).await.header("strict-transport-security"), "", "{path}");
    }
}

#[tokio::test]
async fn a_private_server_is_for_no_search_engine() {
    let private = TestServer::with(|config| config.instance = Instance::Private).await;
    let public = TestServer::start().await;
    for path in ["/", "/api/site", "/no/such/page"] {
        assert_eq!(private.visitor().get(path).await.header("x-robots-tag"), "noindex", "{path}");
        assert_eq!(public.visitor().get(path).await.header("x-robots-tag"), "", "{path}");
    }
}

#[tokio::test]
async fn a_proxy_that_is_not_trusted_is_named_under_health() {
    let server = TestServer::start().await;
    let operator = server.operator().await;
    let address = async || -> String {
        let health = operator.get("/api/admin/health").await.expect(200);
        let check =
            health["checks"].as_array().unwrap().iter().find(|check| check["name"] == "address").unwrap().clone();
        check["sentence"].as_str().unwrap().to_owned()
    };
    assert!(!address().await.contains("trusted_proxies"));
    let visitor = server.visitor();
    let request = visitor.request(Method::GET, "/api/site").header("x-forwarded-for", "203.0.113.7");
    visitor.send(request).await.expect(200);
    assert!(address().await.contains("X-Forwarded-For from 127.0.0.1 is not counted"), "{}", address().await);
}

#[test]
fn the_log_says_which_origin_was_expected_and_which_came() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let listen = format!("127.0.0.1:{}", free_port());
    let mut command = shelfwise();
    command.args(["serve", "--listen", &listen, "--public-url", HOME, "--data-dir"]).arg(folder.path().join("data"));
    command.stderr(std::fs::File::create(&log).unwrap()).stdout(Stdio::piped());
    let mut server = crate::support::program::Program::start(command);
    let send = |head: &str| {
        let mut stream = TcpStream::connect(&listen).unwrap();
        let request = format!("POST /api/auth/login HTTP/1.1\r\n{head}Content-Length: 0\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    };
    let lan = send("Host: 192.168.1.5:8080\r\nOrigin: http://192.168.1.5:8080\r\nCookie: a=secret\r\n");
    assert!(lan.starts_with("HTTP/1.1 403"), "{lan}");
    assert!(send("Host: evil.test\r\n").starts_with("HTTP/1.1 421"));
    assert!(send("Host: h\r\nOrigin: http://x y=z\r\n").starts_with("HTTP/1.1 403"));
    assert_eq!(server.stop(), Some(0));
    let said = std::fs::read_to_string(log).unwrap();
    let line = |word: &str| said.lines().find(|line| line.contains(word)).unwrap_or_else(|| panic!("{word}: {said}"));
    assert!(line("http://192.168.1.5:8080").contains(&format!("expected=\"{HOME}\"")), "{said}");
    assert!(line("evil.test").contains(HOME), "{said}");
    assert!(!said.contains("secret") && !said.contains("y=z"), "{said}");
}
