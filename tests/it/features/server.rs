//! Rules for every request: errors in one format, headers, cross-site protection, connections that end.
use reqwest::Method;
use serde_json::json;
use shelfwise::kit::VERSION;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::support::actors::PASSWORD;
use crate::support::harness::TestServer;

#[tokio::test]
async fn errors_of_every_layer_have_the_same_format() {
    let server = TestServer::start().await;
    let person = server.reader().await;
    let raw = |method: Method, path: &str, kind: &str, body: &str| {
        person.send(person.request(method, path).header("content-type", kind).body(body.to_owned()))
    };
    let json = "application/json";
    for (answer, status, code) in [
        (raw(Method::GET, "/api/nothing", json, "").await, 404, "not_found"),
        (raw(Method::PUT, "/api/auth/login", json, "{}").await, 405, "method_not_allowed"),
        (raw(Method::PATCH, "/api/preferences", "text/plain", "{}").await, 415, "unsupported_type"),
        (raw(Method::PATCH, "/api/preferences", json, "{").await, 400, "unreadable"),
        (raw(Method::PATCH, "/api/preferences", json, &format!("\"{}\"", "x".repeat(3 << 20))).await, 413, "too_large"),
        (raw(Method::PATCH, "/api/preferences", json, "[]").await, 422, "invalid"),
    ] {
        assert_eq!(answer.code(status), code);
        assert!(answer.body["error"].as_str().unwrap().ends_with('.'));
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
        assert_eq!(answer.header("cache-control"), "no-store");
    }
}

#[tokio::test]
async fn errors_about_bodies_need_a_session() {
    let server = TestServer::start().await;
    let anonymous = server.visitor();
    let request = anonymous.request(Method::PATCH, "/api/preferences").header("content-type", "text/plain").body("{");
    assert_eq!(anonymous.send(request).await.code(401), "not_signed_in");
}

#[tokio::test]
async fn another_sites_page_changes_nothing() {
    let server = TestServer::start().await;
    let person = server.reader().await;
    let host = server.address.to_string();
    let attempt = |name: &'static str, value: String| {
        person.request(Method::PATCH, "/api/preferences").header(name, value).json(&json!({"theme": "dark"}))
    };
    for request in [
        attempt("sec-fetch-site", "cross-site".into()),
        attempt("sec-fetch-site", "same-site".into()),
        attempt("origin", "https://evil.test".into()),
        attempt("origin", "null".into()),
    ] {
        assert_eq!(person.send(request).await.code(403), "cross_site");
    }
    assert!(person.get("/api/preferences").await.expect(200)["preferences"]["theme"].is_null());
    person.send(attempt("origin", format!("http://{host}"))).await.expect(200);
}

#[tokio::test]
async fn pages_have_a_strict_policy_with_a_nonce_of_their_own_and_unknown_paths_are_404_pages() {
    let server = TestServer::start().await;
    let anonymous = server.visitor();
    let (first, second) = (anonymous.get("/login").await, anonymous.get("/login").await);
    let policy = first.header("content-security-policy");
    assert!(
        policy.contains("default-src 'none'")
            && policy.contains("frame-ancestors 'none'")
            && policy.contains("require-trusted-types-for 'script'")
            && !policy.contains("unsafe")
    );
    assert_ne!(policy, second.header("content-security-policy"));
    assert_eq!((first.status, first.header("cache-control")), (200, "no-store"));
    let missing = anonymous.get("/no/such/page").await;
    assert_eq!(missing.status, 404);
    assert!(missing.body.as_str().unwrap().contains("<title>404 Page Not Found</title>"));
    for hidden in
        ["/.env", "/.git/config", "/shelfwise.db", "/../Cargo.toml", "/index.html.gz", "/landing.html", "/metrics"]
    {
        assert_eq!(anonymous.get(hidden).await.status, 404, "{hidden}");
    }
    assert_eq!(anonymous.send(anonymous.request(Method::POST, "/login")).await.status, 405);
}

#[tokio::test]
async fn every_answer_names_the_version_so_that_the_interface_can_tell_it_from_a_proxys() {
    let server = TestServer::start().await;
    let anonymous = server.visitor();
    for (path, status) in [
        ("/", 200),
        ("/nowhere", 404),
        ("/healthz", 200),
        ("/api/site", 200),
        ("/api/books", 401),
        ("/api/nowhere", 404),
        ("/s/nobodys-link", 404),
    ] {
        let answer = anonymous.get(path).await;
        assert_eq!((answer.status, answer.header("shelfwise-version")), (status, VERSION), "{path}");
    }
    let refused = anonymous.send(anonymous.request(Method::DELETE, "/api/site")).await;
    assert_eq!((refused.status, refused.header("shelfwise-version")), (405, VERSION));
}

#[tokio::test]
async fn password_managers_find_the_page_where_a_password_is_changed() {
    let server = TestServer::start().await;
    let answer = server.visitor().get("/.well-known/change-password").await;
    assert_eq!((answer.status, answer.header("location")), (303, "/account"));
}

#[tokio::test]
async fn a_proxys_request_id_is_kept_unless_it_could_forge_a_log_line() {
    let server = TestServer::start().await;
    let anonymous = server.visitor();
    let id = async |sent: &str| {
        let answer = anonymous.send(anonymous.request(Method::GET, "/healthz").header("x-request-id", sent)).await;
        answer.header("x-request-id").to_owned()
    };
    assert_eq!(id("0af7651916cd43dd-8448_eb.1").await, "0af7651916cd43dd-8448_eb.1");
    for forged in ["1 method=GET status=200", "a=b", "\"x\"", "", &"a".repeat(65)] {
        let own = id(forged).await;
        assert!(own.len() == 16 && own.bytes().all(|byte| byte.is_ascii_hexdigit()), "{forged:?}: {own}");
    }
}

#[tokio::test]
async fn the_health_and_the_description_need_no_session() {
    let server = TestServer::start().await;
    let anonymous = server.visitor();
    assert_eq!(anonymous.get("/healthz").await.expect(200), json!({"status": "ok"}));
    let description = anonymous.get("/api/openapi.json").await.expect(200);
    assert!(description["openapi"].as_str().unwrap().starts_with("3.1"));
    for path in ["/healthz", "/api/openapi.json", "/api/auth/login"] {
        assert!(description["paths"][path].is_object(), "{path}");
    }
}

/// Begins a request and waits until the server asks for its body, so that it is surely in flight.
async fn begin(server: &TestServer, path: &str, length: usize) -> TcpStream {
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\
         Expect: 100-continue\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut asked = [0; 25];
    stream.read_exact(&mut asked).await.unwrap();
    assert_eq!(&asked, b"HTTP/1.1 100 Continue\r\n\r\n");
    stream
}

#[tokio::test]
async fn a_shutdown_finishes_running_requests_and_closes_incomplete_ones() {
    let mut server = TestServer::start().await;
    let form = json!({"email": "last@example.org", "password": PASSWORD, "displayName": "Last"}).to_string();
    let mut in_flight = begin(&server, "/api/auth/signup", form.len()).await;
    let mut half_sent = begin(&server, "/api/auth/login", 100).await;
    server.halt();
    in_flight.write_all(form.as_bytes()).await.unwrap();
    let mut answer = String::new();
    in_flight.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 201 Created"), "{answer}");
    // Closed at the deadline, in the middle of any response.
    let _ = half_sent.read_to_end(&mut Vec::new()).await;
    assert!(TcpStream::connect(server.address).await.is_err());
}
