//! Protection of accounts: recovery ends all access, sensitive calls need confirmation, signing out is final, and nothing grows
//! without limit.
use std::time::{Duration, Instant};

use futures_util::FutureExt as _;
use reqwest::Method;
use serde_json::{Value, json};
use shelfwise::account::reset::store;
use shelfwise::account::{own, password};
use shelfwise::kit::hashing::{HashPermit, Purpose};
use shelfwise::kit::http::session::Token;
use shelfwise::kit::id::UserId;
use tokio::task::JoinHandle;

use crate::features::social::{house, leave, path};
use crate::support::actors::{PASSWORD, Reader, Script, TestResponse};
use crate::support::harness::TestServer;

const NEW: &str = "a quite new passphrase";

/// A link to a new password, as the server mails it.
async fn reset_link(server: &TestServer, person: &Reader) -> String {
    let (id, token) = (person.id, Token::new().unwrap());
    let hash = token.hash();
    server.db.write(move |tx| store::issue(tx, UserId(id), hash, store::LinkDelivery::Email)).await.unwrap();
    format!("/api/auth/password-reset/{}", token.text())
}

#[tokio::test]
async fn a_link_to_a_new_password_goes_to_the_address_that_the_account_has_when_it_is_stored() {
    let server = TestServer::start().await;
    let ada = server.reader().await;
    let former = ada.email.clone();
    let sql = "SELECT count(*) FROM password_resets";
    let is_stored = async |email: String| {
        let hash = Token::new().unwrap().hash();
        server.db.write(move |tx| store::issue_by_email(tx, &email, hash, |_| true)).await.unwrap().is_some()
    };
    ada.patch("/api/account", json!({"email": "other@example.org", "currentPassword": PASSWORD})).await.expect(200);
    assert!(!is_stored(former).await);
    assert_eq!(number(&server, sql).await, 0);
    assert!(is_stored("other@example.org".to_owned()).await);
    assert_eq!(number(&server, sql).await, 1);
}

/// As if everybody had signed in eleven minutes ago.
fn sign_in_long_ago(server: &TestServer) {
    server.advance(chrono::TimeDelta::minutes(11));
}

async fn number(server: &TestServer, sql: &'static str) -> i64 {
    server.db.read(move |conn| Ok(conn.query_row(sql, [], |row| row.get(0))?)).await.unwrap()
}

fn landed(answer: &TestResponse, place: &str) {
    assert_eq!((answer.status, answer.header("location")), (303, place), "{}", answer.body);
}

/// Calls that wait for their turn to check a password, which comes when the permits are dropped. There are as many of them as the
/// server's `password_queue` admits.
pub async fn waiting<T: Send + 'static>(
    server: &TestServer,
    calls: impl Future<Output = T> + Send + 'static,
) -> (Vec<HashPermit>, JoinHandle<T>) {
    let permit = || server.app.hashing.permit(Purpose::Login).now_or_never();
    let held = std::iter::from_fn(permit).map(Result::unwrap).collect();
    let (calls, started) = (tokio::spawn(calls), Instant::now());
    // A full queue refuses one more.
    while !matches!(permit(), Some(Err(_))) {
        assert!(started.elapsed() < Duration::from_secs(60), "not all calls check a password");
        tokio::task::yield_now().await;
    }
    (held, calls)
}

#[tokio::test]
async fn a_redeemed_link_ends_sessions_tokens_and_providers_of_an_intruder_and_proves_the_address() {
    let (server, issuer) = house().await;
    let intruder = server.reader().await;
    let script = intruder.script("read-write").await;
    let answer = issuer.agree(&leave(&intruder, "mine").await);
    landed(&intruder.get(&path("mine", &answer)).await, "/account");
    intruder.post("/api/books", json!({"title": "Kept", "author": "A", "status": "undated"})).await.expect(201);
    assert_eq!(script.get("/api/books").await.status, 200);
    assert_eq!(number(&server, "SELECT count(*) FROM users WHERE email_proven_at IS NOT NULL").await, 0);

    let owner = server.visitor();
    let link = reset_link(&server, &intruder).await;
    assert_eq!(owner.post(&link, json!({"password": NEW})).await.status, 204);
    assert_eq!(intruder.get("/api/auth/me").await.status, 401);
    assert_eq!(script.get("/api/books").await.status, 401);
    for table in
        ["SELECT count(*) FROM identities", "SELECT count(*) FROM api_tokens", "SELECT count(*) FROM known_devices"]
    {
        assert_eq!(number(&server, table).await, 0, "{table}");
    }
    let thief = server.visitor();
    let answer = issuer.agree(&leave(&thief, "mine").await);
    landed(&thief.get(&path("mine", &answer)).await, "/dashboard");
    assert_ne!(
        thief.get("/api/auth/me").await.expect(200)["user"]["id"],
        json!(intruder.id),
        "a new account of their own"
    );

    owner.post("/api/auth/login", json!({"email": intruder.email, "password": NEW})).await.expect(200);
    assert_eq!(owner.get("/api/books").await.expect(200)["total"], 1, "the library stays");
    let proven = "SELECT count(*) FROM users WHERE email_proven_at IS NOT NULL AND password_hash IS NOT NULL";
    assert_eq!(number(&server, proven).await, 1);
    let moved = json!({"email": "moved@example.org", "currentPassword": NEW});
    owner.patch("/api/account", moved).await.expect(200);
    assert_eq!(number(&server, proven).await, 0, "another address is not proven");
}

#[tokio::test]
async fn a_password_that_is_replaced_while_it_is_checked_opens_and_changes_nothing() {
    let server = TestServer::with(|config| config.limits.password_queue = 4).await;
    let (intruder, gone, stranger) = (server.reader().await, server.reader().await, server.visitor());
    let (email, left) = (intruder.email.clone(), gone.id);
    let calls = {
        let intruder = intruder.clone();
        async move {
            let log_in = |email: &str| stranger.post("/api/auth/login", json!({"email": email, "password": PASSWORD}));
            let password = json!({"currentPassword": PASSWORD, "newPassword": "the passphrase of an intruder"});
            let address = json!({"currentPassword": PASSWORD, "email": "intruder@example.org"});
            tokio::join!(
                log_in(&intruder.email),
                log_in(&gone.email),
                intruder.post("/api/account/password", password),
                intruder.patch("/api/account", address),
            )
        }
    };
    let (held, calls) = waiting(&server, calls).await;
    let (id, hash) = (UserId(intruder.id), password::hash_here(NEW).unwrap());
    let changed = server.db.write(move |tx| {
        own::store::recover(tx, id, &hash)?;
        own::store::set_disabled(tx, UserId(left), true)
    });
    changed.await.unwrap();
    drop(held);
    let (log_in, of_disabled, password, address) = calls.await.unwrap();
    for refused in [log_in, of_disabled] {
        assert_eq!(refused.code(401), "wrong_credentials");
    }
    for refused in [password, address] {
        assert_eq!(refused.code(403), "wrong_password");
    }
    assert_eq!(number(&server, "SELECT count(*) FROM sessions").await, 0);
    server.visitor().log_in_with(&email, NEW).await;
}

#[tokio::test]
async fn an_address_that_a_provider_has_confirmed_is_proven_with_the_account() {
    let (server, issuer) = house().await;
    let ida = server.visitor();
    let answer = issuer.agree(&leave(&ida, "mine").await);
    landed(&ida.get(&path("mine", &answer)).await, "/dashboard");
    assert_eq!(number(&server, "SELECT count(*) FROM users WHERE email_proven_at IS NOT NULL").await, 1);
}

#[tokio::test]
async fn a_new_password_ends_tokens_and_providers_only_on_request() {
    let (server, issuer) = house().await;
    let nora = server.reader().await;
    let script = nora.script("read-write").await;
    let answer = issuer.agree(&leave(&nora, "mine").await);
    landed(&nora.get(&path("mine", &answer)).await, "/account");
    let change = |current: &str, new: &str, rest: Value| {
        let mut form = json!({"currentPassword": current, "newPassword": new});
        form.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
        nora.post("/api/account/password", form)
    };
    change(PASSWORD, NEW, json!({})).await.expect(204);
    assert_eq!(script.get("/api/books").await.status, 200);
    change(NEW, PASSWORD, json!({"endOtherAccess": false})).await.expect(204);
    assert_eq!(script.get("/api/books").await.status, 200);
    change(PASSWORD, NEW, json!({"endOtherAccess": true})).await.expect(204);
    assert_eq!(script.get("/api/books").await.status, 401);
    assert_eq!(nora.get("/api/account/identities").await.expect(200)["data"], json!([]));
    nora.get("/api/auth/me").await.expect(200);
}

#[tokio::test]
async fn sensitive_calls_ask_for_the_password_once_a_sign_in_is_ten_minutes_old() {
    let (server, _issuer) = house().await;
    let nora = server.reader().await;
    sign_in_long_ago(&server);
    let make = || nora.post("/api/account/tokens", json!({"name": "Sync", "access": "read"}));
    assert_eq!(make().await.code(403), "confirm_yourself");
    // The session is asked about before the body.
    assert_eq!(nora.post("/api/account/tokens", json!({})).await.code(403), "confirm_yourself");
    assert_eq!(nora.delete("/api/account").await.code(403), "confirm_yourself");
    let out = nora.get("/api/auth/oauth/mine").await;
    landed(&out, "/account?error=confirm_yourself&provider=mine");
    nora.get("/api/books").await.expect(200);

    let confirm = |password: &str| nora.post("/api/auth/confirm", json!({"password": password}));
    assert_eq!(confirm("not the password").await.code(403), "wrong_password");
    assert_eq!(make().await.status, 403);
    confirm(PASSWORD).await.expect(204);
    make().await.expect(201);
    assert!(leave(&nora, "mine").await.starts_with("http"));

    sign_in_long_ago(&server);
    nora.post("/api/auth/login", json!({"email": nora.email, "password": PASSWORD})).await.expect(200);
    make().await.expect(201);
    for _ in 0..5 {
        assert_eq!(confirm("a guess").await.status, 403);
    }
    assert_eq!(confirm("a guess").await.code(429), "too_many_attempts");
    assert_eq!(server.visitor().post("/api/auth/confirm", json!({"password": PASSWORD})).await.status, 401);
    assert_eq!(nora.delete("/api/account").await.status, 204);
}

#[tokio::test]
async fn an_operator_confirms_what_gives_a_way_in_and_a_reader_the_erasure_of_everything() {
    let server = TestServer::start().await;
    let (operator, reader) = (server.operator().await, server.reader().await);
    let folder = tempfile::tempdir().unwrap();
    let account = |email: &str, role: &str| json!({"displayName": "Eve", "email": email, "role": role});
    let (user, link) =
        (format!("/api/admin/users/{}", reader.id), format!("/api/admin/users/{}/reset-link", reader.id));
    sign_in_long_ago(&server);
    for refused in [
        operator.post("/api/admin/users", account("eve@example.org", "admin")).await,
        operator.patch(&user, json!({"role": "admin"})).await,
        operator.post(&link, json!({})).await,
        operator.patch("/api/admin/settings", json!({"backup": {"to": folder.path()}})).await,
        reader.delete("/api/account/data").await,
    ] {
        assert_eq!(refused.code(403), "confirm_yourself", "{}", refused.body);
    }
    operator.post("/api/admin/users", account("eve@example.org", "user")).await.expect(201);
    operator.patch(&user, json!({"disabled": false})).await.expect(200);
    operator.patch("/api/admin/settings", json!({"name": "Our shelf"})).await.expect(200);

    for person in [&*operator, &*reader] {
        person.post("/api/auth/confirm", json!({"password": PASSWORD})).await.expect(204);
    }
    operator.post("/api/admin/users", account("ada@example.org", "admin")).await.expect(201);
    operator.post(&link, json!({})).await.expect(200);
    operator.patch("/api/admin/settings", json!({"backup": {"to": folder.path()}})).await.expect(200);
    reader.delete("/api/account/data").await.expect(204);
    operator.patch(&user, json!({"role": "admin"})).await.expect(200);
}

#[tokio::test]
async fn an_account_without_a_password_confirms_itself_by_signing_in_again() {
    let (server, issuer) = house().await;
    let ida = server.visitor();
    let answer = issuer.agree(&leave(&ida, "mine").await);
    landed(&ida.get(&path("mine", &answer)).await, "/dashboard");
    // The provider's clock stays, and its answers are good for five minutes: only the session grows older.
    let aged = "UPDATE sessions SET confirmed_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '-11 minutes')";
    server.db.write(move |tx| Ok(tx.execute(aged, [])?)).await.unwrap();
    let first = || ida.post("/api/account/password", json!({"newPassword": NEW}));
    assert_eq!(first().await.code(403), "confirm_yourself");
    assert_eq!(ida.post("/api/auth/confirm", json!({"password": NEW})).await.code(409), "no_password");
    // Its own provider, once more, says who it is.
    let answer = issuer.agree(&leave(&ida, "mine").await);
    landed(&ida.get(&path("mine", &answer)).await, "/account");
    first().await.expect(204);
}

#[tokio::test]
async fn connecting_that_began_confirmed_is_refused_once_the_confirmation_is_too_old() {
    let (server, issuer) = house().await;
    let nora = server.reader().await;
    let answer = issuer.agree(&leave(&nora, "mine").await);
    let aged = "UPDATE sessions SET confirmed_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '-21 minutes')";
    server.db.write(move |tx| Ok(tx.execute(aged, [])?)).await.unwrap();
    landed(&nora.get(&path("mine", &answer)).await, "/account?error=confirm_yourself&provider=mine");
    assert_eq!(number(&server, "SELECT count(*) FROM identities").await, 0);
}

#[tokio::test]
async fn a_log_out_holds_while_the_database_can_not_be_written() {
    let server = TestServer::start().await;
    let nora = server.visitor();
    let form = json!({"email": "nora@example.org", "password": PASSWORD, "displayName": "Nora"});
    let made = nora.post("/api/auth/signup", form).await;
    let cookie = made.header("set-cookie").split(';').next().unwrap().to_owned();
    assert!(cookie.starts_with("shelfwise_session="), "{cookie}");
    nora.get("/api/auth/me").await.expect(200);
    let replayed = || {
        let anonymous = server.visitor();
        let request = anonymous.request(Method::GET, "/api/auth/me").header("cookie", &cookie);
        async move { anonymous.send(request).await.status }
    };
    assert_eq!(replayed().await, 200);

    let other = rusqlite::Connection::open(server.db.path()).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let refused = nora.post("/api/auth/logout", json!({})).await;
    assert_eq!(refused.code(503), "storage_unavailable");
    assert!(refused.header("set-cookie").starts_with("shelfwise_session=;"), "{:?}", refused.headers);
    assert!(refused.header("set-cookie").contains("Max-Age=0"));
    assert_eq!(nora.get("/api/auth/me").await.status, 401);
    assert_eq!(replayed().await, 401, "the session opens nothing, though its row is still there");
    assert_eq!(number(&server, "SELECT count(*) FROM sessions").await, 1);

    other.execute_batch("ROLLBACK").unwrap();
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(60);
    while number(&server, "SELECT count(*) FROM sessions").await > 0 {
        assert!(std::time::Instant::now() < deadline, "the session was never deleted");
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    assert_eq!(replayed().await, 401);
}

#[tokio::test]
async fn signing_out_clears_the_browsers_cache_and_private_responses_are_never_stored() {
    let server = TestServer::start().await;
    let (nora, ada, eva) = (server.reader().await, server.reader().await, server.reader().await);
    for private in [
        "/api/account/export",
        "/api/account/export/books.csv",
        "/api/account/tokens",
        "/api/account/identities",
        "/api/auth/sessions",
        "/api/auth/events",
        "/api/auth/me",
        "/api/teams/current",
        "/api/subscriptions/current",
        "/api/admin/users",
        "/api/invitations/unknown",
        "/api/setup/code",
        "/api/shares",
    ] {
        assert_eq!(nora.get(private).await.header("cache-control"), "no-store", "{private}");
    }
    for kept in ["/api/books", "/api/stats", "/api/tbr"] {
        assert_eq!(nora.get(kept).await.header("cache-control"), "no-store", "{kept}");
    }
    let listed = ada.get("/api/auth/sessions").await.expect(200);
    let own = ada.delete(&format!("/api/auth/sessions/{}", listed["data"][0]["id"])).await;
    for ended in [nora.post("/api/auth/logout", json!({})).await, own, eva.delete("/api/account").await] {
        assert_eq!((ended.status, ended.header("clear-site-data")), (204, "\"cache\""));
        assert!(ended.header("set-cookie").starts_with("shelfwise_session=;"), "{:?}", ended.headers);
    }
}

#[tokio::test]
async fn a_token_expires_after_its_days() {
    let server = TestServer::start().await;
    let nora = server.reader().await;
    let make = |days: Value| {
        nora.post("/api/account/tokens", json!({"name": "Sync", "access": "read", "expiresInDays": days}))
    };
    for wrong in [json!(0), json!(31), json!(-30), json!("30"), json!(30.5), json!([30])] {
        assert_eq!(make(wrong.clone()).await.fields(), ["expiresInDays"], "{wrong}");
    }
    assert_eq!(make(Value::Null).await.expect(201)["token"]["expiresAt"], Value::Null);
    make(json!(90)).await.expect(201);
    make(json!(365)).await.expect(201);
    let made = make(json!(30)).await.expect(201);
    let script = Script::with(&nora.base, made["secret"].as_str().unwrap());
    let day = |key: &str| made["token"][key].as_str().unwrap().parse::<chrono::DateTime<chrono::Utc>>().unwrap();
    assert_eq!(day("expiresAt") - day("createdAt"), chrono::TimeDelta::days(30));
    assert_eq!(script.get("/api/books").await.status, 200);
    server.advance(chrono::TimeDelta::days(30));
    assert_eq!(script.get("/api/books").await.status, 401);
    nora.post("/api/auth/login", json!({"email": nora.email, "password": PASSWORD})).await.expect(200);
    assert_eq!(nora.get("/api/account/tokens").await.expect(200)["data"].as_array().unwrap().len(), 4);
}

#[tokio::test]
async fn an_account_keeps_a_hundred_sessions_and_fifty_devices_and_the_unused_go_first() {
    let server = TestServer::start().await;
    let nora = server.reader().await;
    let id = nora.id;
    let crowd = server.db.write(move |tx| {
        for minutes in 1..=150_i64 {
            let age = format!("-{minutes} minutes");
            tx.execute(
                "INSERT INTO sessions (token_hash, user_id, created_at, last_seen, ip_address, user_agent)
                 SELECT randomblob(32), ?1, strftime('%Y-%m-%dT%H:%M:%SZ', 'now', ?2), strftime('%Y-%m-%dT%H:%M:%SZ', 'now', ?2), ?2, ''",
                (id, &age),
            )?;
            let device = "INSERT INTO known_devices SELECT randomblob(32), ?1, strftime('%Y-%m-%dT%H:%M:%SZ', 'now', ?2)";
            tx.execute(device, (id, &age))?;
        }
        Ok(())
    });
    crowd.await.unwrap();
    let login = json!({"email": nora.email, "password": PASSWORD});
    let elsewhere = server.visitor();
    elsewhere.post("/api/auth/login", login).await.expect(200);
    assert_eq!(number(&server, "SELECT count(*) FROM sessions").await, 100);
    assert_eq!(number(&server, "SELECT count(*) FROM known_devices").await, 50);
    let oldest = "SELECT max(-CAST(ip_address AS INTEGER)) FROM sessions WHERE ip_address LIKE '-%'";
    assert_eq!(
        number(&server, oldest).await,
        98,
        "this one and the one from before stay, and the 98 that were used last"
    );
    nora.get("/api/auth/me").await.expect(200);
    elsewhere.get("/api/auth/me").await.expect(200);
}

#[tokio::test]
async fn sharing_ends_with_a_team_and_another_one_asks_again() {
    let server = TestServer::start().await;
    let ((first, members), (second, _)) = (server.team(1).await, server.team(0).await);
    let member = &members[0];
    let shares = || async { member.get("/api/preferences").await.expect(200)["preferences"]["shareWithTeam"].clone() };
    let share = || member.patch("/api/preferences", json!({"shareWithTeam": true}));
    share().await.expect(200);
    assert_eq!(member.delete(&format!("/api/teams/members/{}", member.id)).await.status, 200);
    assert_eq!(shares().await, json!(false), "who leaves shares no longer");

    // A preference from before does not go along into the next team.
    let id = member.id;
    let before = server
        .db
        .write(move |tx| Ok(tx.execute("UPDATE preferences SET share_with_team = 1 WHERE user_id = ?1", [id])?));
    before.await.unwrap();
    let link = second.invite(&member.email).await;
    let bare = member.send(member.request(Method::POST, &format!("/api/invitations/{link}/accept"))).await;
    assert_eq!(bare.status, 200, "{}", bare.body);
    assert_eq!(shares().await, json!(false));
    share().await.expect(200);
    second.delete(&format!("/api/teams/members/{}", member.id)).await.expect(200);
    assert_eq!(shares().await, json!(false), "who is removed shares no longer");

    let link = first.invite(&member.email).await;
    let accept = format!("/api/invitations/{link}/accept");
    assert_eq!(member.post(&accept, json!({"shareWithTeam": "yes"})).await.fields(), ["shareWithTeam"]);
    member.post(&accept, json!({"shareWithTeam": true})).await.expect(200);
    assert_eq!(shares().await, json!(true));
}

#[tokio::test]
async fn a_redeemed_link_ends_the_sharing_with_a_team_that_an_intruder_joined() {
    let server = TestServer::start().await;
    let (_, members) = server.team(1).await;
    let member = &members[0];
    member.patch("/api/preferences", json!({"shareWithTeam": true})).await.expect(200);
    let owner = server.visitor();
    let link = reset_link(&server, member).await;
    assert_eq!(owner.post(&link, json!({"password": NEW})).await.status, 204);
    owner.post("/api/auth/login", json!({"email": member.email, "password": NEW})).await.expect(200);
    let found = owner.get("/api/preferences").await.expect(200);
    assert_eq!(found["preferences"]["shareWithTeam"], json!(false));
    owner.get("/api/teams/current").await.expect(200);
}

#[tokio::test]
async fn the_address_of_an_invitation_that_expired_is_taken_out_and_its_link_shows_the_masked_one() {
    let server = TestServer::start().await;
    let (owner, _) = server.team(0).await;
    let link = owner.invite("greta@example.org").await;
    server.advance(chrono::TimeDelta::days(7));
    let standing = owner.invite("standing@example.org").await;
    let path = format!("/api/invitations/{link}");
    let before = server.visitor().get(&path).await.expect(410);
    assert_eq!(before["email"], "g…a@example.org");
    assert_eq!(shelfwise::app::tidy_up(&server.db).await.unwrap(), 1);
    assert_eq!(number(&server, "SELECT count(*) FROM invitations WHERE email LIKE 'greta%'").await, 0);
    let after = server.visitor().get(&path).await;
    assert_eq!((after.code(410), &after.body["email"]), ("invitation_over", &json!("g…a@example.org")));
    server.visitor().get(&format!("/api/invitations/{standing}")).await.expect(200);
}
