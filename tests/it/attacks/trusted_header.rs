//! Signing in by headers of a trusted proxy: who is signed in, for how long, and what forged headers achieve.
use reqwest::Method;
use serde_json::{Value, json};
use shelfwise::config::{Config, SignupMode, TrustedHeader, TrustedProxy};

use crate::features::mail::mailing;
use crate::features::social::{counted, me};
use crate::support::actors::{PASSWORD, TestClient, TestResponse, Visitor, browser};
use crate::support::harness::TestServer;
use crate::support::smtp::{MailServer, Tls};

/// The settings of a proxy at an address.
fn proxy(config: &mut Config, address: &str) {
    config.trusted_proxies = vec![TrustedProxy::try_from(address.to_owned()).unwrap()];
    config.trusted_header = toml::from_str::<TrustedHeader>(
        "user = \"Remote-User\"\nemail = \"Remote-Email\"\nname = \"Remote-Name\"\nlogout_url = \"https://auth.test/logout\"",
    )
    .unwrap();
}

/// A server behind a proxy, whose place the tests take.
async fn house() -> TestServer {
    TestServer::with(|config| proxy(config, "127.0.0.1")).await
}

/// A request with the headers of a person.
async fn call(browser: &TestClient, method: Method, path: &str, headers: &[(&str, &str)]) -> TestResponse {
    let request = browser.request(method, path);
    browser.send(headers.iter().fold(request, |request, (name, value)| request.header(*name, *value))).await
}

async fn get(browser: &TestClient, path: &str, headers: &[(&str, &str)]) -> TestResponse {
    call(browser, Method::GET, path, headers).await
}

const NORA: [(&str, &str); 3] =
    [("Remote-User", "nora"), ("Remote-Email", "nora@example.org"), ("Remote-Name", "Nora L")];
const ROSA: [(&str, &str); 2] = [("remote-user", "rosa"), ("remote-email", "rosa@example.org")];

/// How many sessions there are.
async fn sessions(server: &TestServer) -> i64 {
    let sql = "SELECT count(*) FROM sessions";
    server.db.read(move |conn| Ok(conn.query_row(sql, [], |row| row.get(0))?)).await.unwrap()
}

/// Marks all addresses as proven.
async fn prove_all(server: &TestServer) {
    let sql = "UPDATE users SET email_proven_at = created_at";
    server.db.write(move |tx| Ok(tx.execute(sql, [])?)).await.unwrap();
}

#[tokio::test]
async fn the_proxys_word_signs_in_and_a_new_person_gets_an_account() {
    let server = house().await;
    let nora = server.visitor();
    let user = get(&nora, "/api/auth/me", &NORA).await.expect(200)["user"].clone();
    assert_eq!(
        (&user["displayName"], &user["email"], &user["role"]),
        (&json!("Nora L"), &json!("nora@example.org"), &json!("user"))
    );
    for _ in 0..3 {
        assert_eq!(get(&nora, "/api/auth/me", &NORA).await.expect(200)["user"]["id"], user["id"]);
    }
    assert_eq!((counted(&server).await, sessions(&server).await), ((1, 1), 1));
    let book = json!({"title": "T", "author": "A", "status": "undated"});
    let made = nora.request(Method::POST, "/api/books").json(&book).header("Remote-User", "nora");
    nora.send(made).await.expect(201);

    // Any call signs in, and another browser gets a session of its own.
    let elsewhere = server.visitor();
    let listed = get(&elsewhere, "/api/books", &NORA).await.expect(200);
    assert_eq!(listed["data"].as_array().unwrap().len(), 1);
    assert_eq!(sessions(&server).await, 2);
    let events = get(&nora, "/api/auth/events", &NORA).await.expect(200);
    let kinds: Vec<_> = events["data"].as_array().unwrap().iter().map(|event| event["what"].clone()).collect();
    assert_eq!(kinds, [json!("logged_in"), json!("signed_up")]);
    assert_eq!(get(&nora, "/api/account/identities", &NORA).await.expect(200)["data"], json!([]));
    // Pages and the calls of the log-in page need no session.
    for path in ["/api/site", "/api/auth/providers", "/dashboard", "/healthz"] {
        assert_eq!(get(&server.visitor(), path, &NORA).await.header("set-cookie"), "", "{path}");
    }
    assert_eq!(nora.get("/api/site").await.expect(200)["proxyLogin"], true);
}

#[tokio::test]
async fn headers_of_a_stranger_sign_nobody_in() {
    let server = TestServer::with(|config| proxy(config, "192.0.2.7")).await;
    let stranger = server.visitor();
    let forged = [&NORA[..], &[("X-Forwarded-For", "192.0.2.7"), ("Forwarded", "for=192.0.2.7")]].concat();
    for path in ["/api/auth/me", "/api/books", "/api/admin/users"] {
        assert_eq!(get(&stranger, path, &forged).await.code(401), "not_signed_in", "{path}");
    }
    assert_eq!((counted(&server).await, sessions(&server).await), ((0, 0), 0));
    // Nor do they end or change the session of somebody who signed in otherwise.
    let rosa = server.reader().await;
    assert_eq!(get(&rosa, "/api/auth/me", &NORA).await.expect(200)["user"]["id"], json!(rosa.id));
    assert_eq!(counted(&server).await, (1, 0));

    // A server without the setting knows no such headers.
    let server = TestServer::with(|config| {
        config.trusted_proxies = vec![TrustedProxy::try_from("127.0.0.1".to_owned()).unwrap()];
    });
    assert_eq!(get(&server.await.visitor(), "/api/auth/me", &NORA).await.status, 401);
}

#[tokio::test]
async fn a_session_by_header_counts_beside_the_same_name_alone() {
    let server = house().await;
    let person = server.visitor();
    let nora = get(&person, "/api/auth/me", &NORA).await.expect(200)["user"]["id"].clone();
    // The proxy names nobody any more: the person has logged out there.
    assert_eq!(person.get("/api/auth/me").await.status, 401);
    assert_eq!(person.get("/api/books").await.status, 401);
    assert_eq!(get(&person, "/api/auth/me", &[("Remote-User", "")]).await.status, 401);
    assert_eq!(get(&person, "/api/auth/me", &NORA).await.expect(200)["user"]["id"], nora);
    assert_eq!(sessions(&server).await, 1);
    // Another person at the same browser.
    let changed = get(&person, "/api/auth/me", &ROSA).await;
    assert_eq!(changed.header("clear-site-data"), "\"cache\"");
    assert_ne!(changed.expect(200)["user"]["id"], nora);
    assert_eq!(sessions(&server).await, 1, "the former session has ended");
    // A stolen cookie without the header opens nothing.
    let thief = server.visitor();
    let answer = get(&thief, "/api/auth/me", &NORA).await;
    let cookies = answer.headers.get_all("set-cookie").iter().map(|cookie| cookie.to_str().unwrap());
    let cookies: Vec<_> = cookies.map(|cookie| cookie.split(';').next().unwrap()).collect();
    let stolen = cookies.join("; ");
    assert!(stolen.contains("shelfwise_session="), "{stolen}");
    let elsewhere = Visitor::with(browser(), thief.base.clone());
    assert_eq!(get(&elsewhere, "/api/auth/me", &[("cookie", &stolen)]).await.status, 401);
}

#[tokio::test]
async fn the_calls_of_one_page_are_one_sign_in_of_one_device() {
    let Some(mut mail) = MailServer::start(Tls::None) else { return };
    let server = TestServer::with(|config| {
        mailing(config, mail.url());
        proxy(config, "127.0.0.1");
    });
    let server = server.await;
    let first = get(&server.visitor(), "/api/auth/me", &NORA).await;
    let cookies = first.headers.get_all("set-cookie").iter().map(|cookie| cookie.to_str().unwrap());
    let cookies: Vec<_> = cookies.map(|cookie| cookie.split(';').next().unwrap()).collect();
    let known = cookies.join("; ");
    // A month later the session has expired, and the page begins its calls before an answer has replaced the cookies.
    server.advance(chrono::TimeDelta::days(31));
    let with_cookies = [&NORA[..], &[("cookie", &known)]].concat();
    for path in ["/api/auth/me", "/api/preferences", "/api/books"] {
        get(&Visitor::with(browser(), server.visitor().base.clone()), path, &with_cookies).await.expect(200);
    }
    let events = get(&server.visitor(), "/api/auth/events", &NORA).await.expect(200);
    let signed_in = events["data"].as_array().unwrap().iter().filter(|event| event["what"] == "logged_in").count();
    assert_eq!(signed_in, 2, "{events}");
    // Messages arrive in order, and the only one is about the browser without cookies.
    assert_eq!(mail.next().await.headers["subject"], "A new device logged in to your Shelfwise account");
    assert!(!mail.has_more());
}

#[tokio::test]
async fn a_session_by_header_ends_with_the_setting() {
    let server = TestServer::start().await;
    let (nora, rosa) = (server.reader().await, server.reader().await);
    let id = nora.id;
    let sql = "UPDATE sessions SET header_user = 'nora' WHERE user_id = ?1";
    server.db.write(move |tx| Ok(tx.execute(sql, [id])?)).await.unwrap();
    assert_eq!(get(&nora, "/api/auth/me", &NORA).await.status, 401);
    rosa.get("/api/auth/me").await.expect(200);
}

#[tokio::test]
async fn a_header_with_an_operators_address_opens_no_operators_account() {
    let server = house().await;
    let operator = server.operator().await;
    prove_all(&server).await;
    let eve = [("Remote-User", "eve"), ("Remote-Email", operator.email.as_str())];
    let refused = get(&server.visitor(), "/api/auth/me", &eve).await;
    assert_eq!(refused.code(403), "header_refused");
    assert!(refused.body["error"].as_str().unwrap().contains("not connected"), "{}", refused.body);
    for path in ["/api/admin/users", "/api/books"] {
        assert_eq!(get(&server.visitor(), path, &eve).await.status, 401, "{path}");
    }
    // Nor does the operator's own session stay beside another name.
    assert_eq!(get(&operator, "/api/admin/users", &eve).await.status, 401);
    operator.get("/api/admin/users").await.expect(200);

    // The operator connects the account on the machine.
    let connect = ["user", "connect", &operator.email, "ada"];
    server.command(&connect).await;
    server.command(&connect).await;
    let ada = server.visitor();
    get(&ada, "/api/admin/users", &[("Remote-User", "ada")]).await.expect(200);
    let rosa = server.reader().await;
    let taken = server.try_command(&["user", "connect", &rosa.email, "ada"], "").await;
    assert_eq!(taken.status, 1);
    assert!(taken.err.contains("connected to another account"), "{}", taken.err);
}

#[tokio::test]
async fn an_address_opens_a_readers_account_if_it_is_proven() {
    let server = house().await;
    let rosa = server.reader().await;
    let headers = [("Remote-User", "rosa"), ("Remote-Email", rosa.email.as_str())];
    assert_eq!(get(&server.visitor(), "/api/auth/me", &headers).await.code(403), "header_refused");
    prove_all(&server).await;
    assert_eq!(get(&server.visitor(), "/api/auth/me", &headers).await.expect(200)["user"]["id"], json!(rosa.id));
    // A second name with the same address is another person.
    let second = [("Remote-User", "rosa2"), ("Remote-Email", rosa.email.as_str())];
    assert_eq!(get(&server.visitor(), "/api/auth/me", &second).await.code(403), "header_refused");
    assert_eq!(counted(&server).await, (1, 1));
}

#[tokio::test]
async fn signup_and_suspension_hold_for_people_that_the_proxy_names() {
    for (signup, own, status) in [
        (SignupMode::Closed, "", 403),
        (SignupMode::Invite, "", 403),
        (SignupMode::Closed, "signup = true", 200),
        (SignupMode::Open, "signup = false", 403),
    ] {
        let server = TestServer::with(|config| {
            proxy(config, "127.0.0.1");
            config.signup = signup;
            config.trusted_header.signup = toml::from_str::<TrustedHeader>(own).unwrap().signup;
        })
        .await;
        let answer = get(&server.visitor(), "/api/auth/me", &NORA).await;
        assert_eq!(answer.status, status, "{signup:?} {own}");
        assert_eq!(counted(&server).await.0, i64::from(status == 200));
    }
    let server = house().await;
    let nora = server.visitor();
    get(&nora, "/api/auth/me", &NORA).await.expect(200);
    server.command(&["user", "disable", "nora@example.org"]).await;
    let refused = get(&nora, "/api/auth/me", &NORA).await;
    assert_eq!(refused.code(403), "header_refused");
    assert!(refused.body["error"].as_str().unwrap().contains("disabled"), "{}", refused.body);
    assert_eq!(get(&nora, "/api/books", &NORA).await.status, 401);
    // Nobody gets an account without an address.
    let nameless = get(&server.visitor(), "/api/auth/me", &[("Remote-User", "ida")]).await;
    assert_eq!(nameless.code(403), "header_refused");
}

#[tokio::test]
async fn a_header_that_a_client_has_added_signs_nobody_in() {
    let server = house().await;
    for headers in [
        &[("Remote-User", "nora"), ("Remote-User", "ada"), ("Remote-Email", "nora@example.org")][..],
        &[("Remote-User", "nora"), ("Remote-Email", "nora@example.org"), ("Remote-Email", "ada@example.org")],
    ] {
        assert_eq!(get(&server.visitor(), "/api/auth/me", headers).await.code(403), "header_refused");
        assert_eq!(get(&server.visitor(), "/api/books", headers).await.status, 401);
    }
    for near in ["Remote_User", "Remote-User-Name", "X-Remote-User"] {
        assert_eq!(get(&server.visitor(), "/api/auth/me", &[(near, "nora")]).await.status, 401, "{near}");
    }
    assert_eq!((counted(&server).await, sessions(&server).await), ((0, 0), 0));
}

#[tokio::test]
async fn an_api_token_stands_for_its_reader_whatever_the_proxy_says() {
    let server = house().await;
    let rosa = server.reader().await;
    let script = rosa.script("read").await;
    let listed = get(&script, "/api/auth/me", &NORA).await.expect(200);
    assert_eq!(listed["user"]["id"], json!(rosa.id));
    let unknown = [&NORA[..], &[("Authorization", "Bearer shelfwise_unknown")]].concat();
    assert_eq!(get(&server.visitor(), "/api/books", &unknown).await.status, 401);
    // A proxy may let these pass as requests with a token, and with them what a client says about itself.
    for credentials in [&["Bearer"][..], &["bearer\tx"], &["Basic eDp5", "Bearer x"], &["BEARER x", "Basic eDp5"]] {
        let added: Vec<_> = credentials.iter().map(|credential| ("Authorization", *credential)).collect();
        let headers = [&NORA[..], &added].concat();
        assert_eq!(get(&server.visitor(), "/api/auth/me", &headers).await.status, 401, "{credentials:?}");
    }
    assert_eq!(counted(&server).await, (1, 0));
    // Credentials for the proxy itself are none of the server's business.
    let basic = [&NORA[..], &[("Authorization", "Basic eDp5")]].concat();
    get(&server.visitor(), "/api/auth/me", &basic).await.expect(200);
}

#[tokio::test]
async fn a_page_of_another_site_changes_nothing_by_the_header() {
    let server = house().await;
    let nora = server.visitor();
    get(&nora, "/api/auth/me", &NORA).await.expect(200);
    for (name, value) in [("sec-fetch-site", "cross-site"), ("origin", "https://evil.test")] {
        let headers = [&NORA[..], &[(name, value)]].concat();
        for browser in [&nora, &server.visitor()] {
            let answer = call(browser, Method::DELETE, "/api/account/data", &headers).await;
            assert_eq!(answer.code(403), "cross_site");
        }
    }
    assert_eq!(sessions(&server).await, 1);
}

#[tokio::test]
async fn logging_out_ends_the_session_and_goes_on_to_the_proxy() {
    let server = house().await;
    let nora = server.visitor();
    get(&nora, "/api/auth/me", &NORA).await.expect(200);
    let left = call(&nora, Method::POST, "/api/auth/logout", &NORA).await;
    assert!(left.header("set-cookie").starts_with("shelfwise_session=;"), "{:?}", left.headers);
    assert_eq!(left.expect(200), json!({"url": "https://auth.test/logout"}));
    assert_eq!(sessions(&server).await, 0);
    // Somebody who has signed in with a password leaves as ever.
    let rosa = server.reader().await;
    assert_eq!(rosa.post("/api/auth/logout", Value::Null).await.status, 204);
    // The sign-in confirms, and passwords work beside it where the proxy names nobody.
    get(&nora, "/api/auth/me", &NORA).await.expect(200);
    call(&nora, Method::DELETE, "/api/account", &NORA).await.expect(204);
    assert_eq!(counted(&server).await, (1, 0));
    let login = json!({"email": rosa.email, "password": PASSWORD});
    rosa.post("/api/auth/login", login).await.expect(200);
    assert_eq!(me(&rosa).await["id"], json!(rosa.id));
}

#[tokio::test]
async fn a_reader_at_the_proxy_keeps_the_name_when_other_access_ends() {
    let server = house().await;
    let nora = server.visitor();
    get(&nora, "/api/auth/me", &NORA).await.expect(200);
    let change = json!({"newPassword": PASSWORD, "endOtherAccess": true});
    let request = nora.request(Method::POST, "/api/account/password").json(&change).header("Remote-User", "nora");
    nora.send(request).await.expect(204);
    assert_eq!(nora.get("/api/auth/me").await.status, 401, "the new session ends with the proxy's word, too");
    get(&nora, "/api/auth/me", &NORA).await.expect(200);
    assert_eq!(counted(&server).await, (1, 1));
    let away = call(&nora, Method::DELETE, "/api/account/identities/trusted%20header", &NORA).await;
    assert_eq!(away.status, 404);
}
