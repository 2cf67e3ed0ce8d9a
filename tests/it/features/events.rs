//! The audit trail: what is recorded, who sees it, and when it is deleted.
use reqwest::Method;
use serde_json::{Value, json};
use shelfwise::access::Plan;

use crate::support::actors::{PASSWORD, Reader};
use crate::support::harness::TestServer;

const FIREFOX: &str = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0";

/// What was recorded is written: failed log-ins are written behind the answer.
async fn settled(server: &TestServer) {
    server.db.write(|_| Ok(())).await.unwrap();
}

async fn events(person: &Reader, path: &str) -> Vec<Value> {
    person.get(path).await.expect(200)["data"].as_array().unwrap().clone()
}

fn kinds(events: &[Value]) -> Vec<&str> {
    events.iter().map(|event| event["what"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn an_owner_sees_what_happened_to_the_account_from_which_network_and_device() {
    let server =
        TestServer::with(|config| config.trusted_proxies = vec!["127.0.0.1".to_owned().try_into().unwrap()]).await;
    let (nora, other) = (server.reader().await, server.reader().await);
    let elsewhere = server.visitor();
    let login = |password: &str, ip: &'static str| {
        let request = elsewhere.request(Method::POST, "/api/auth/login").header("user-agent", FIREFOX);
        elsewhere.send(request.header("x-forwarded-for", ip).json(&json!({"email": nora.email, "password": password})))
    };
    assert_eq!(login("a guess", "203.0.113.77").await.status, 401);
    login(PASSWORD, "2001:db8:7:1234::9").await.expect(200);
    let token = nora.post("/api/account/tokens", json!({"name": "Sync", "access": "read"})).await.expect(201);
    assert_eq!(nora.delete(&format!("/api/account/tokens/{}", token["token"]["id"])).await.status, 204);
    let change = json!({"email": "new@example.org", "currentPassword": PASSWORD});
    nora.patch("/api/account", change).await.expect(200);
    let sessions = nora.get("/api/auth/sessions").await.expect(200);
    let away = sessions["data"].as_array().unwrap().iter().find(|one| one["current"] == false).unwrap()["id"].clone();
    assert_eq!(nora.delete(&format!("/api/auth/sessions/{away}")).await.status, 204);
    assert_eq!(nora.delete("/api/account/data").await.status, 204);
    let change = json!({"currentPassword": PASSWORD, "newPassword": "a quite new passphrase"});
    nora.post("/api/account/password", change).await.expect(204);
    nora.post("/api/auth/logout", json!({})).await;
    let again = json!({"email": "new@example.org", "password": "a quite new passphrase"});
    nora.post("/api/auth/login", again).await.expect(200);
    settled(&server).await;

    let seen = events(&nora, "/api/auth/events").await;
    let mut expected = [
        "signed_up", "login_failed", "logged_in", "token_created", "token_removed", "email_changed", "session_ended",
        "data_erased", "password_changed", "logged_out", "logged_in",
    ];
    expected.reverse();
    assert_eq!(kinds(&seen), expected);
    let keys: Vec<&String> = seen[0].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["actor", "address", "at", "device", "what", "whom"]);
    let failed = &seen[9];
    assert_eq!(
        (&failed["actor"], &failed["whom"], &failed["address"], &failed["device"]),
        (&Value::Null, &json!("new@example.org"), &json!("203.0.113.0/24"), &json!("Firefox on Windows"))
    );
    assert_eq!((&seen[8]["actor"], &seen[8]["address"]), (&json!("new@example.org"), &json!("2001:db8:7::/48")));
    assert_eq!(kinds(&events(&other, "/api/auth/events").await), ["signed_up"]);
}

#[tokio::test]
async fn operators_see_the_acts_of_operators_and_of_the_command_line_page_by_page() {
    let server = TestServer::with(|config| config.plan_switcher = true).await;
    let (operator, reader) = (server.operator().await, server.reader().await);
    assert_eq!(reader.get("/api/admin/events").await.code(403), "operators_only");
    let path = format!("/api/admin/users/{}", reader.id);
    operator.patch(&path, json!({"plan": "shelfwise_plus"})).await.expect(200);
    operator.patch(&path, json!({"role": "admin"})).await.expect(200);
    operator.patch(&path, json!({"role": "admin"})).await.expect(200);
    operator.patch(&path, json!({"disabled": true, "role": "user"})).await.expect(200);
    operator.post(&format!("{path}/reset-link"), json!({})).await.expect(200);
    operator.post("/api/admin/toggle-subscription", json!({"plan": "shelfwise_plus"})).await.expect(200);
    server.command(&["user", "enable", &reader.email]).await;
    server.set_plan(&reader, Plan::Reader).await;
    for (words, input) in [
        (&["user", "create", "ida@example.org", "--name", "Ida"][..], "a long enough passphrase\n"),
        (&["user", "set-password", "ida@example.org"], "another passphrase\n"),
    ] {
        let ended = server.try_command(words, input).await;
        assert_eq!(ended.status, 0, "{words:?}: {}", ended.err);
    }
    server.command(&["user", "delete", "ida@example.org", "--yes"]).await;

    let seen = events(&operator, "/api/admin/events").await;
    let acts: Vec<_> = seen.iter().map(|event| [&event["what"], &event["actor"], &event["whom"]]).collect();
    let (boss, whom, shell) = (json!(operator.email), json!(reader.email), json!("command line"));
    let word = |what: &str| json!(what);
    let (deleted, plan, enabled, link) =
        (word("account_deleted"), word("plan_changed"), word("account_enabled"), word("reset_link_created"));
    let (role, disabled, up) = (word("role_changed"), word("account_disabled"), word("signed_up"));
    // The two events of the account that is gone went with it.
    let expected = [
        [&deleted, &shell, &Value::Null],
        [&plan, &shell, &whom],
        [&enabled, &shell, &whom],
        [&plan, &boss, &boss],
        [&link, &boss, &whom],
        [&disabled, &boss, &whom],
        [&role, &boss, &whom],
        [&role, &boss, &whom],
        [&plan, &boss, &whom],
        [&up, &whom, &whom],
        [&role, &shell, &boss],
        [&up, &boss, &boss],
    ];
    assert_eq!(acts, expected);
    assert_eq!((&seen[1]["address"], &seen[1]["device"]), (&Value::Null, &Value::Null));
    assert_eq!((&seen[4]["address"], &seen[4]["device"]), (&json!("127.0.0.0/24"), &json!("An unknown device")));

    let (mut paged, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = operator.get(&format!("/api/admin/events?limit=4&cursor={cursor}")).await.expect(200);
        assert!(page["data"].as_array().unwrap().len() <= 4);
        paged.extend(page["data"].as_array().unwrap().clone());
        let Some(next) = page["nextCursor"].as_str() else { break };
        cursor = next.to_owned();
    }
    assert_eq!(paged, seen);
    assert_eq!(operator.get("/api/admin/events?limit=201").await.fields(), ["limit"]);
    assert_eq!(operator.get("/api/auth/events?cursor=x").await.fields(), ["cursor"]);
}

#[tokio::test]
async fn events_are_deleted_after_ninety_days_or_with_their_account_and_are_limited() {
    let server = TestServer::start().await;
    let (nora, boss) = (server.reader().await, server.operator().await);
    let (id, boss_id) = (nora.id, boss.id);
    let aged = server.db.write(move |tx| {
        for days in [89, 91] {
            tx.execute(
                "INSERT INTO events (at, user_id, actor_id, kind, address)
                 VALUES (strftime('%Y-%m-%dT%H:%M:%SZ', 'now', ?2), ?1, ?1, 'logged_in', '203.0.113.0/24')",
                (id, format!("-{days} days")),
            )?;
        }
        tx.execute(
            "INSERT INTO events (at, user_id, actor_id, kind, address) VALUES (?3, ?1, ?2, 'role_changed', '198.51.100.0/24')",
            (boss_id, id, tx.stamp()),
        )?;
        Ok(())
    });
    aged.await.unwrap();
    assert_eq!(shelfwise::app::tidy_up(&server.db).await.unwrap(), 1);
    let many = server.db.write(move |tx| {
        let sql = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6000)
            INSERT INTO events (at, user_id, kind) SELECT ?2, ?1, 'login_failed' FROM n";
        Ok(tx.execute(sql, (id, tx.stamp()))?)
    });
    many.await.unwrap();
    nora.post("/api/account/tokens", json!({"name": "Sync", "access": "read"})).await.expect(201);
    let count = |of: i64| {
        let sql = "SELECT count(*) FROM events WHERE user_id = ?1";
        server.db.read(move |conn| Ok(conn.query_row(sql, [of], |row| row.get::<_, i64>(0))?))
    };
    assert_eq!(count(id).await.unwrap(), 5_000);

    assert_eq!(nora.delete("/api/account").await.status, 204);
    assert_eq!(count(id).await.unwrap(), 0);
    let seen = events(&boss, "/api/admin/events").await;
    let gone = &seen[0];
    assert_eq!(
        (&gone["what"], &gone["actor"], &gone["whom"], &gone["address"], &gone["device"]),
        (&json!("account_deleted"), &Value::Null, &Value::Null, &Value::Null, &Value::Null)
    );
    let acted = seen.iter().find(|event| event["what"] == "role_changed").unwrap();
    assert_eq!(
        (&acted["actor"], &acted["address"]),
        (&Value::Null, &Value::Null),
        "nothing of a deleted actor is left"
    );
}

#[tokio::test]
async fn requests_about_an_address_take_a_commit_with_and_without_an_account() {
    let server = TestServer::start().await;
    let nora = server.reader().await;
    for email in [nora.email.as_str(), "nobody@example.org"] {
        settled(&server).await;
        let mut committed = server.commits();
        let wrong = json!({"email": email, "password": "not the password"});
        assert_eq!(server.visitor().post("/api/auth/login", wrong).await.status, 401);
        settled(&server).await;
        assert!(committed(), "{email}");
    }
    let kept =
        server.db.read(|conn| Ok(conn.query_row("SELECT count(*) FROM events", [], |row| row.get::<_, i64>(0))?));
    assert_eq!(kept.await.unwrap(), 2, "a sign-up and a failed sign-in; nothing of the unknown address");
}

#[tokio::test]
async fn no_api_token_reads_events_and_wrong_passwords_are_counted_in_the_metrics() {
    use tower::ServiceExt as _;

    let server = TestServer::start().await;
    let boss = server.operator().await;
    let script = boss.script("read").await;
    for path in ["/api/auth/events", "/api/admin/events"] {
        assert_eq!(script.get(path).await.code(403), "session_required", "{path}");
    }
    for email in [boss.email.as_str(), "nobody@example.org"] {
        server.visitor().post("/api/auth/login", json!({"email": email, "password": "not the password"})).await;
    }
    let request = axum::extract::Request::get("/metrics").body(axum::body::Body::empty()).unwrap();
    let answer = server.metrics.clone().oneshot(request).await.unwrap();
    let bytes = axum::body::to_bytes(answer.into_body(), usize::MAX).await.unwrap();
    let text = String::from_utf8(bytes.to_vec()).unwrap();
    assert!(text.lines().any(|line| line == "shelfwise_login_failures_total 2"), "{text}");
}
