//! A session cookie is worthless as soon as its session has ended, and when another person has planted it.
use reqwest::Method;
use serde_json::json;
use shelfwise::kit::http::session::{Id, Token};

use crate::features::social::{path, section, settings};
use crate::support::actors::{Operator, PASSWORD, Reader, TestResponse};
use crate::support::fault_table::row;
use crate::support::harness::TestServer;
use crate::support::issuer::Issuer;

const NEW: &str = "a quite new passphrase";

/// Where a cookie that still counts would show.
const CALLS: [(Method, &str); 10] = [
    (Method::GET, "/api/auth/me"),
    (Method::GET, "/api/books"),
    (Method::GET, "/api/stats"),
    (Method::GET, "/api/preferences"),
    (Method::GET, "/api/account/export"),
    (Method::GET, "/api/auth/sessions"),
    (Method::POST, "/api/tbr"),
    (Method::PATCH, "/api/account"),
    (Method::DELETE, "/api/account/data"),
    (Method::DELETE, "/api/account"),
];

/// A cookie as somebody copies it, of the last answer that set one.
fn cookie(answer: &TestResponse, name: &str) -> String {
    let set = answer.headers.get_all("set-cookie").iter().map(|value| value.to_str().unwrap());
    let found = set.filter_map(|value| value.split(';').next()).find(|pair| pair.starts_with(&format!("{name}=")));
    found.unwrap().to_owned()
}

async fn with_cookie(server: &TestServer, method: Method, path: &str, cookie: &str) -> TestResponse {
    let thief = server.visitor();
    thief.send(thief.request(method, path).header("cookie", cookie).json(&json!({"title": "T"}))).await
}

/// Signs in in another browser; its cookie.
async fn enter(server: &TestServer, email: &str) -> (Reader, String) {
    let visitor = server.visitor();
    let answer = visitor.post("/api/auth/login", json!({"email": email, "password": PASSWORD})).await;
    let cookie = cookie(&answer, "shelfwise_session");
    (visitor.logged_in(email, answer), cookie)
}

/// How a session comes to its end.
#[derive(Debug, Clone, Copy)]
enum End {
    LogOut,
    LogInAgain,
    PasswordHere,
    PasswordElsewhere,
    Link,
    SignedOutElsewhere,
    ShutOut,
    ShutOutAndLetInAgain,
    Deleted,
    IdleTooLong,
}

const ENDS: [End; 10] = [
    End::LogOut,
    End::LogInAgain,
    End::PasswordHere,
    End::PasswordElsewhere,
    End::Link,
    End::SignedOutElsewhere,
    End::ShutOut,
    End::ShutOutAndLetInAgain,
    End::Deleted,
    End::IdleTooLong,
];

/// Ends the session of `here`; `nora` is the same person in another browser.
async fn end(how: End, server: &TestServer, here: &Reader, nora: &Reader, operator: &Operator) {
    let change = || json!({"currentPassword": PASSWORD, "newPassword": NEW});
    let shut = async |disabled: bool| {
        let path = format!("/api/admin/users/{}", nora.id);
        operator.patch(&path, json!({"disabled": disabled})).await.expect(200);
    };
    match how {
        End::LogOut => drop(here.post("/api/auth/logout", json!({})).await.expect(204)),
        End::LogInAgain => {
            let form = json!({"email": nora.email, "password": PASSWORD});
            here.post("/api/auth/login", form).await.expect(200);
        }
        End::PasswordHere => drop(here.post("/api/account/password", change()).await.expect(204)),
        End::PasswordElsewhere => drop(nora.post("/api/account/password", change()).await.expect(204)),
        End::Link => {
            let made = operator.post(&format!("/api/admin/users/{}/reset-link", nora.id), json!({})).await.expect(200);
            let token = made["url"].as_str().unwrap().rsplit('/').next().unwrap();
            let reset = format!("/api/auth/password-reset/{token}");
            server.visitor().post(&reset, json!({"password": NEW})).await.expect(204);
        }
        End::SignedOutElsewhere => {
            let listed = nora.get("/api/auth/sessions").await.expect(200)["data"].clone();
            let other = listed.as_array().unwrap().iter().find(|one| one["current"] == false).unwrap();
            nora.delete(&format!("/api/auth/sessions/{}", other["id"])).await.expect(204);
        }
        End::ShutOut => shut(true).await,
        End::ShutOutAndLetInAgain => {
            shut(true).await;
            shut(false).await;
        }
        End::Deleted => drop(nora.delete("/api/account").await.expect(204)),
        End::IdleTooLong => {
            let long_ago = "UPDATE sessions SET last_seen = '2020-01-01T00:00:00.000Z' WHERE user_id = ?1";
            let id = nora.id;
            assert_eq!(server.db.write(move |tx| Ok(tx.execute(long_ago, [id])?)).await.unwrap(), 2);
        }
    }
}

#[tokio::test]
async fn the_cookie_of_an_ended_session_stops_working_at_once() {
    let server = TestServer::start().await;
    let operator = server.operator().await;
    let mut calls = 0;
    for how in ENDS {
        let nora = server.reader().await;
        let (here, cookie) = enter(&server, &nora.email).await;
        // Twice each, so that whatever is remembered is remembered.
        for (method, path) in CALLS.iter().filter(|(method, _)| *method == Method::GET).cycle().take(12) {
            assert_eq!(with_cookie(&server, method.clone(), path, &cookie).await.status, 200, "{path}");
        }
        end(how, &server, &here, &nora, &operator).await;
        for (method, path) in CALLS {
            let answer = with_cookie(&server, method, path, &cookie).await;
            assert_eq!(answer.code(401), "not_signed_in", "{path} after {how:?}");
            calls += 1;
        }
    }
    let what = format!("calls with a copied cookie after its session ended, in {} ways", ENDS.len());
    row(&what, calls, "401 from the first on", "401 at once");
}

/// A sign-in in a browser that has an attacker's cookies.
#[derive(Debug, Clone, Copy)]
enum Entrance {
    LogIn,
    SignUp,
    Elsewhere,
}

/// Signs in, signs up or comes back from a provider with those cookies. Returns the response.
async fn go_in(entrance: Entrance, server: &TestServer, issuer: &Issuer, email: &str, cookies: &str) -> TestResponse {
    let nora = server.visitor();
    let with =
        |request: reqwest::RequestBuilder, more: &str| nora.send(request.header("cookie", format!("{cookies}{more}")));
    let answer = match entrance {
        Entrance::LogIn => {
            let form = json!({"email": email, "password": PASSWORD});
            with(nora.request(Method::POST, "/api/auth/login").json(&form), "").await
        }
        Entrance::SignUp => {
            let form = json!({"email": format!("new-{email}"), "password": PASSWORD, "displayName": "Nora"});
            with(nora.request(Method::POST, "/api/auth/signup").json(&form), "").await
        }
        Entrance::Elsewhere => {
            let start = nora.get("/api/auth/oauth/mine").await;
            let flow = cookie(&start, "shelfwise_oauth");
            let back = path("mine", &issuer.agree(start.header("location")));
            with(nora.request(Method::GET, &back), &format!("; {flow}")).await
        }
    };
    assert!(matches!(answer.status, 200 | 201 | 303), "{entrance:?}: {}", answer.body);
    answer
}

#[tokio::test]
async fn signing_in_replaces_planted_session_and_device_cookies() {
    let issuer = Issuer::start().await;
    let text = section("mine", &issuer.base);
    let server = TestServer::with(|config| config.social = settings(&text)).await;
    let mut tried = 0;
    for entrance in [Entrance::LogIn, Entrance::SignUp, Entrance::Elsewhere] {
        let (nora, mallory) = (server.reader().await, server.reader().await);
        let (_, ended) = enter(&server, &mallory.email).await;
        with_cookie(&server, Method::POST, "/api/auth/logout", &ended).await.expect(204);
        let random = format!("shelfwise_session={}", Id::default());
        let older = format!("shelfwise_session={}", Token::new().unwrap().text());
        let (_, live) = enter(&server, &mallory.email).await;
        for planted in [random.clone(), older, ended.clone(), format!("{random}; {ended}"), live] {
            // Signing up in somebody's session is refused: they are signed in already.
            if matches!(entrance, Entrance::SignUp)
                && with_cookie(&server, Method::GET, "/api/auth/me", &planted).await.status == 200
            {
                continue;
            }
            let device = Token::new().unwrap();
            let cookies = format!("{planted}; shelfwise_device={}", device.text());
            let email = format!("{tried}-{}", nora.email);
            let email = if matches!(entrance, Entrance::LogIn) { &nora.email } else { &email };
            let answer = go_in(entrance, &server, &issuer, email, &cookies).await;
            let fresh = cookie(&answer, "shelfwise_session");
            assert!(!cookies.contains(&fresh), "{entrance:?}: the session is the planted one");
            with_cookie(&server, Method::GET, "/api/auth/me", &fresh).await.expect(200);
            assert_eq!(
                with_cookie(&server, Method::GET, "/api/auth/me", &planted).await.status,
                401,
                "{entrance:?} {planted}"
            );
            let known = device.hash();
            let devices = server.db.read(move |conn| {
                let count = "SELECT count(*) FROM known_devices WHERE token_hash = ?1";
                Ok(conn.query_row(count, [known], |row| row.get::<_, i64>(0))?)
            });
            assert_eq!(devices.await.unwrap(), 0, "{entrance:?}: somebody else's cookie makes a known device");
            tried += 1;
        }
    }
    row(
        "cookies planted in a browser before somebody signs in, signs up or comes from elsewhere",
        tried,
        "none counts after",
        "401 at once",
    );
}

#[tokio::test]
async fn a_cookie_with_an_encoded_name_signs_nobody_in() {
    let server = TestServer::start().await;
    let nora = server.reader().await;
    let (_, cookie) = enter(&server, &nora.email).await;
    with_cookie(&server, Method::GET, "/api/auth/me", &cookie).await.expect(200);
    // Browsers guard the plain name alone, so that another site of the same domain can set these.
    for name in ["shelfwise%5Fsession", "%73helfwise_session", "shelfwise_sessio%6E"] {
        let planted = cookie.replace("shelfwise_session", name);
        assert_eq!(with_cookie(&server, Method::GET, "/api/auth/me", &planted).await.status, 401, "{planted}");
    }
}

#[tokio::test]
async fn a_session_from_before_the_ids_goes_on_until_its_browser_signs_in_again() {
    let server = TestServer::start().await;
    let nora = server.reader().await;
    let (_, cookie) = enter(&server, &nora.email).await;
    let older = Token::new().unwrap();
    let (hash, id) = (older.hash(), nora.id);
    let newest = "UPDATE sessions SET token_hash = ?1 WHERE id = (SELECT max(id) FROM sessions WHERE user_id = ?2)";
    assert_eq!(server.db.write(move |tx| Ok(tx.execute(newest, (hash, id))?)).await.unwrap(), 1);
    let older = format!("shelfwise_session={}", older.text());
    assert_eq!(with_cookie(&server, Method::GET, "/api/auth/me", &cookie).await.status, 401);
    with_cookie(&server, Method::GET, "/api/auth/me", &older).await.expect(200);
    let wrong = json!({"currentPassword": "not the password", "newPassword": NEW});
    let browser = server.visitor();
    let refused = browser.request(Method::POST, "/api/account/password").header("cookie", &older).json(&wrong);
    let refused = browser.send(refused).await;
    assert_eq!((refused.status, refused.header("set-cookie")), (403, ""), "a refusal takes no cookie away");
    let form = json!({"email": nora.email, "password": PASSWORD});
    let again = browser.request(Method::POST, "/api/auth/login").header("cookie", &older).json(&form);
    let fresh = self::cookie(&browser.send(again).await, "shelfwise_session");
    assert_eq!(fresh.len(), "shelfwise_session=".len() + 22);
    with_cookie(&server, Method::GET, "/api/auth/me", &fresh).await.expect(200);
    assert_eq!(with_cookie(&server, Method::GET, "/api/auth/me", &older).await.status, 401);
}

#[tokio::test]
async fn a_device_that_two_people_share_stays_known_to_both() {
    let server = TestServer::start().await;
    let (nora, rosa, browser) = (server.reader().await, server.reader().await, server.visitor());
    for person in [&nora, &rosa, &nora] {
        let form = json!({"email": person.email, "password": PASSWORD});
        browser.post("/api/auth/login", form).await.expect(200);
    }
    let known = server.db.read(|conn| {
        let count = "SELECT count(DISTINCT user_id) FROM known_devices GROUP BY token_hash ORDER BY 1 DESC LIMIT 1";
        Ok(conn.query_row(count, [], |row| row.get::<_, i64>(0))?)
    });
    assert_eq!(known.await.unwrap(), 2);
}
