//! The operator's pages: every figure equals an independent count, and changes of accounts take effect.
use std::collections::{BTreeMap, BTreeSet};

use chrono::{SubsecRound as _, TimeDelta, Utc};
use reqwest::Method;
use serde_json::{Value, json};
use shelfwise::account::reset::store::LinkDelivery;
use shelfwise::kit::VERSION;
use shelfwise::kit::db::pool::instant;
use shelfwise::kit::id::UserId;
use tower::ServiceExt as _;

use crate::features::geoip;
use crate::support::actors::{PASSWORD, Visitor};
use crate::support::harness::TestServer;

const PHONE: &str = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1";
const TABLET: &str = "Mozilla/5.0 (iPad; CPU OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1";

async fn execute(server: &TestServer, sql: &'static str) {
    server.db.write(move |tx| Ok(tx.execute_batch(sql)?)).await.unwrap();
}

async fn written(server: &TestServer) {
    server.activity.write(&server.db, Utc::now()).await.unwrap();
}

/// Accounts that nobody signs in to: made so many hours ago, last active so many hours ago, with a book or without.
async fn seed(server: &TestServer, people: Vec<(i64, Option<i64>, bool)>) {
    let seeding = server.db.write(move |tx| {
        let ago = |hours| instant(tx.now() - TimeDelta::hours(hours)).to_string();
        for (number, (made, active, reads)) in people.into_iter().enumerate() {
            let (email, made) = (format!("seeded{number}@example.org"), ago(made));
            tx.execute(
                "INSERT INTO users (email, email_key, display_name, created_at) VALUES (?1, ?1, 'Seeded', ?2)",
                (&email, made),
            )?;
            let id = tx.last_insert_rowid();
            if let Some(active) = active {
                let at = ago(active);
                tx.execute("INSERT INTO activity_days VALUES (?1, ?2, 1, ?3)", (id, &at[..10], &at))?;
            }
            if reads {
                tx.execute(
                    "INSERT INTO tbr (id, user_id, position, title, title_key, created_at) VALUES (?1, ?2, 1, 'T', 't', ?3)",
                    (id << 24 | 1, id, tx.stamp()),
                )?;
            }
        }
        Ok(())
    });
    seeding.await.unwrap();
}

#[tokio::test]
async fn the_figures_of_accounts_equal_a_count_by_hand_before_and_after_they_are_written() {
    let server = TestServer::start().await;
    let operator = server.operator().await;
    let people: Vec<_> =
        (0..60_i64).map(|n| (n * 17 % 1000, (n % 7 != 0).then_some(n * 29 % 400), n % 3 == 0)).collect();
    seed(&server, people.clone()).await;
    let since_midnight = (Utc::now() - Utc::now().date_naive().and_time(chrono::NaiveTime::MIN).and_utc()).num_hours();
    let made = |hours: i64| people.iter().filter(|(made, ..)| *made < hours).count() + 1;
    let active = |hours: i64| people.iter().filter(|(_, active, _)| active.is_some_and(|a| a < hours)).count() + 1;
    let expected = json!({
        "totalUsers": people.len() + 1,
        "newUsers": {"day": made(since_midnight + 1), "week": made(7 * 24), "month": made(30 * 24)},
        "retention": {"total": people.len() + 1, "active_1d": active(24), "active_7d": active(7 * 24)},
        "inactiveNewUsers": people.iter().filter(|(made, _, reads)| *made < 30 * 24 && !reads).count() + 1,
        "becameInactive": people.iter().filter(|(_, active, _)| active.is_some_and(|a| a >= 7 * 24)).count(),
    });
    let answer = operator.get("/api/admin/analytics/users").await.expect(200);
    assert_eq!(answer, expected);
    written(&server).await;
    assert_eq!(operator.get("/api/admin/analytics/users").await.expect(200), expected);
}

#[tokio::test]
async fn devices_count_requests_and_accounts_and_nothing_is_written_for_one_request() {
    let server = TestServer::start().await;
    let (operator, ada, eva) = (server.operator().await, server.reader().await, server.reader().await);
    written(&server).await;
    execute(&server, "DELETE FROM activity_devices").await;
    let mut committed = server.commits();
    for (person, agent, times) in [(&ada, PHONE, 3), (&eva, PHONE, 1), (&ada, TABLET, 2), (&eva, "curl/8", 1)] {
        for _ in 0..times {
            person.send(person.request(Method::GET, "/api/books").header("user-agent", agent)).await.expect(200);
        }
    }
    assert!(!committed(), "something was written for a single request");
    let device = |kind: [&str; 3], count: i64, users: i64| json!({"device_type": kind[0], "browser": kind[1], "os": kind[2], "count": count, "unique_users": users});
    let phone = device(["mobile", "Safari", "iOS"], 4, 2);
    let (tablet, script) = (device(["tablet", "Safari", "iPadOS"], 2, 1), device(["other", "other", "other"], 1, 1));
    let unwritten = operator.get("/api/admin/analytics/devices").await.expect(200);
    assert_eq!(unwritten, json!({"devices": [phone, tablet, script]}));
    execute(&server, "DELETE FROM sessions WHERE user_id NOT IN (SELECT id FROM users WHERE role = 'admin')").await;
    written(&server).await;
    // The operator's own question before was the first of theirs, and came by no browser either.
    let script = device(["other", "other", "other"], 2, 2);
    let after = operator.get("/api/admin/analytics/devices").await.expect(200);
    assert_eq!(after, json!({"devices": [phone, script, tablet]}));
}

#[tokio::test]
async fn a_city_of_fewer_than_five_people_counts_under_its_country() {
    let address = |n: u8| std::net::Ipv4Addr::new(198, 51, 100, n);
    let lisbon = (1..=5).map(|n| (address(n), "PT", "Portugal", Some("Lisbon")));
    let porto = (6..=9).map(|n| (address(n), "PT", "Portugal", Some("Porto")));
    let nowhere = [(address(10), "PT", "Portugal", None), (address(11), "NO", "Norway", Some("Oslo"))];
    let places: Vec<_> = lisbon.chain(porto).chain(nowhere).collect();
    let server = geoip::server(&places).await;
    let operator = server.operator().await;
    for n in 1..=12 {
        let person = server.reader().await;
        let from = |ip: String| person.send(person.request(Method::GET, "/api/tbr").header("x-forwarded-for", ip));
        from(address(n).to_string()).await.expect(200);
        if n == 6 {
            // Somebody of Porto travels on: still one person of the country.
            from(address(10).to_string()).await.expect(200);
        }
    }
    let place = |city: Option<&str>, country: &str, users: i64, count: i64| json!({"city": city, "country": country, "unique_users": users, "count": count});
    let expected = json!({"available": true, "locations": [
        place(None, "Portugal", 5, 6), place(Some("Lisbon"), "Portugal", 5, 5), place(None, "Norway", 1, 1)]});
    assert_eq!(operator.get("/api/admin/analytics/location").await.expect(200), expected);
    written(&server).await;
    assert_eq!(operator.get("/api/admin/analytics/location").await.expect(200), expected);
    let without = TestServer::start().await;
    let other = without.operator().await;
    let none = other.get("/api/admin/analytics/location").await.expect(200);
    assert_eq!(none, json!({"available": false, "locations": []}));
}

#[tokio::test]
async fn load_counts_every_response_and_sessions_of_the_last_fifteen_minutes() {
    let server = TestServer::start().await;
    let (operator, reader, gone) = (server.operator().await, server.reader().await, server.reader().await);
    for _ in 0..7 {
        server.visitor().get("/healthz").await.expect(200);
    }
    // Rows are exact to minutes only: this run knows better.
    execute(&server, "UPDATE sessions SET last_seen = strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '-20 minutes')").await;
    for person in [&operator, &reader] {
        person.get("/api/tbr").await.expect(200);
    }
    gone.post("/api/auth/logout", json!({})).await;
    let system = operator.get("/api/admin/analytics/system").await.expect(200);
    // Three sign-ups, seven looks, two lists, a farewell.
    let volume = json!({"total": 13, "last_hour": 13, "last_day": 13});
    assert_eq!(system["requestVolume"], volume);
    assert_eq!(system["loadIndicator"], json!({"current": 2.6, "average": 2.6}));
    assert_eq!(system["activeSessions"], 2);
    assert!(matches!(system["loadStatus"].as_str(), Some("green" | "red")), "{system}");
}

#[tokio::test]
async fn activity_is_deleted_with_its_account_including_unwritten_counts() {
    let server = TestServer::start().await;
    let (operator, reader) = (server.operator().await, server.reader().await);
    reader.get("/api/tbr").await.expect(200);
    written(&server).await;
    reader.get("/api/tbr").await.expect(200);
    assert_eq!(reader.delete("/api/account").await.status, 204);
    let users = operator.get("/api/admin/analytics/users").await.expect(200);
    assert_eq!((&users["totalUsers"], &users["retention"]["active_1d"]), (&json!(1), &json!(1)));
    written(&server).await;
    let id = reader.id;
    let left = server.db.read(move |conn| {
        let count = "SELECT (SELECT count(*) FROM activity_days WHERE user_id = ?1)
            + (SELECT count(*) FROM activity_devices WHERE user_id = ?1)";
        Ok(conn.query_row(count, [id], |row| row.get::<_, i64>(0))?)
    });
    assert_eq!(left.await.unwrap(), 0);
}

#[tokio::test]
async fn accounts_are_found_by_name_address_plan_role_and_state_and_paged_without_a_gap() {
    let server = TestServer::with(|config| config.default_plan = "shelfwise_plus".into()).await;
    let operator = server.operator().await;
    seed(&server, (0..120).map(|n| (n, (n % 2 == 0).then_some(1), false)).collect()).await;
    execute(
        &server,
        "UPDATE users SET display_name = 'Ünal Öz', granted_plan = 'shelfwise_team' WHERE email = 'seeded7@example.org';
         UPDATE users SET disabled = 1 WHERE email IN ('seeded1@example.org', 'seeded7@example.org')",
    )
    .await;
    let (mut seen, mut cursor, mut sizes) = (BTreeSet::new(), String::new(), Vec::new());
    loop {
        let page = operator.get(&format!("/api/admin/users?cursor={cursor}")).await.expect(200);
        let data = page["data"].as_array().unwrap().clone();
        assert_eq!((&page["total"], &page["matching"]), (&json!(121), &json!(121)));
        sizes.push(data.len());
        seen.extend(data.iter().map(|one| one["id"].as_i64().unwrap()));
        let Some(next) = page["nextCursor"].as_str() else { break };
        cursor = next.to_owned();
    }
    assert_eq!((seen.len(), sizes), (121, vec![50, 50, 21]));
    for (query, matching) in [
        ("search=%C3%BCNAL", 1),
        ("search=SEEDED11", 11),
        ("plan=shelfwise_team", 1),
        ("plan=reader", 0),
        ("plan=shelfwise_plus&disabled=true", 1),
        ("role=admin", 1),
        ("disabled=true", 2),
        ("disabled=false&search=seeded", 118),
    ] {
        let page = operator.get(&format!("/api/admin/users?{query}")).await.expect(200);
        assert_eq!((&page["total"], &page["matching"]), (&json!(121), &json!(matching)), "{query}");
    }
    let found = operator.get("/api/admin/users?search=seeded7@").await.expect(200);
    let keys: Vec<_> = found["data"][0].as_object().unwrap().keys().cloned().collect();
    let contract = ["createdAt", "disabled", "displayName", "email", "id", "lastActive", "plan", "role", "teamRole"];
    assert_eq!(keys, contract);
    assert_eq!((&found["data"][0]["lastActive"], &found["data"][0]["teamRole"]), (&Value::Null, &Value::Null));
    for (key, query) in
        [("plan", "plan=gold"), ("role", "role=king"), ("disabled", "disabled=perhaps"), ("cursor", "cursor=x")]
    {
        assert_eq!(operator.get(&format!("/api/admin/users?{query}")).await.fields(), [key]);
    }
}

#[tokio::test]
async fn an_operator_changes_accounts_and_a_disabled_one_is_signed_out() {
    let server = TestServer::start().await;
    let (operator, reader) = (server.operator().await, server.reader().await);
    let path = format!("/api/admin/users/{}", reader.id);
    let user = operator.patch(&path, json!({"plan": "shelfwise_team", "role": "admin"})).await.expect(200);
    assert_eq!((&user["user"]["plan"], &user["user"]["role"]), (&json!("shelfwise_team"), &json!("admin")));
    assert!(user["user"]["lastActive"].is_string());
    reader.get("/api/admin/users").await.expect(200);
    operator.patch(&path, json!({"role": "user"})).await.expect(200);
    assert_eq!(reader.get("/api/auth/me").await.status, 401);
    operator.patch(&path, json!({"disabled": true})).await.expect(200);
    let login = json!({"email": reader.email, "password": PASSWORD});
    assert_eq!(reader.post("/api/auth/login", login.clone()).await.status, 401);
    operator.patch(&path, json!({"disabled": false})).await.expect(200);
    reader.post("/api/auth/login", login).await.expect(200);
    let (owner, members) = server.team(1).await;
    let of_team = operator.get("/api/admin/users?plan=shelfwise_team").await.expect(200);
    let roles: Vec<_> = of_team["data"].as_array().unwrap().iter().map(|one| (&one["id"], &one["teamRole"])).collect();
    let (owner, member) = (json!(owner.id), json!(members[0].id));
    assert_eq!(&roles[..2], [(&member, &json!("member")), (&owner, &json!("owner"))]);
    let own = format!("/api/admin/users/{}", operator.id);
    for change in [json!({"role": "user"}), json!({"disabled": true})] {
        assert_eq!(operator.patch(&own, change).await.code(409), "last_operator");
    }
    let wrong = json!({"role": "king", "plan": "gold", "disabled": "yes"});
    assert_eq!(operator.patch(&path, wrong.clone()).await.fields(), ["disabled", "plan", "role"]);
    assert_eq!(reader.patch(&path, wrong).await.code(403), "operators_only");
    assert_eq!(reader.patch("/api/admin/users/none", json!({})).await.status, 403);
}

#[tokio::test]
async fn the_plan_switcher_changes_the_operators_own_plan_until_it_is_disabled() {
    let server = TestServer::start().await;
    let operator = server.operator().await;
    assert_eq!(operator.get("/api/site").await.expect(200)["planSwitcher"], true);
    let switch = |plan: &'static str| operator.post("/api/admin/toggle-subscription", json!({"plan": plan}));
    for plan in ["shelfwise_team", "shelfwise_plus", "reader"] {
        let answer = switch(plan).await.expect(200);
        assert_eq!(answer.as_object().unwrap().keys().collect::<Vec<_>>(), ["message"]);
        assert_eq!(operator.get("/api/subscriptions/current").await.expect(200)["subscription"]["plan"], plan);
    }
    assert_eq!(switch("gold").await.fields(), ["plan"]);
    let off = TestServer::with(|config| config.plan_switcher = false).await;
    let (operator, reader) = (off.operator().await, off.reader().await);
    assert_eq!(operator.get("/api/site").await.expect(200)["planSwitcher"], false);
    let body = json!({"plan": "reader"});
    assert_eq!(operator.post("/api/admin/toggle-subscription", body.clone()).await.status, 404);
    assert_eq!(reader.post("/api/admin/toggle-subscription", body).await.status, 403);
}

#[tokio::test]
async fn a_reset_link_sets_a_password_once_and_a_refused_one_leaves_it_usable() {
    let server =
        TestServer::with(|config| config.public_url = Some("https://books.test".to_owned().try_into().unwrap())).await;
    let operator = server.visitor();
    let link = |id: i64| {
        let made = server.db.write(move |tx| {
            let token = shelfwise::kit::http::session::Token::new()?;
            shelfwise::account::reset::store::issue(tx, UserId(id), token.hash(), LinkDelivery::Email)?;
            Ok(token.text())
        });
        async move { made.await.unwrap() }
    };
    let (reader, other) = (server.reader().await, server.reader().await);
    let stale = link(reader.id).await;
    let token = link(reader.id).await;
    let set = |token: String, password: &'static str| {
        let path = format!("/api/auth/password-reset/{token}");
        let operator = operator.clone();
        async move { operator.post(&path, json!({"password": password})).await }
    };
    assert_eq!(set(stale, "a quite new passphrase").await.status, 400, "a newer link replaced it");
    assert_eq!(set(token.clone(), "short").await.fields(), ["password"]);
    assert_eq!(set(token.clone(), "a quite new passphrase").await.status, 204);
    assert_eq!(set(token, "another passphrase now").await.status, 400);
    let login = |password: &str| operator.post("/api/auth/login", json!({"email": reader.email, "password": password}));
    assert_eq!(login(PASSWORD).await.status, 401);
    login("a quite new passphrase").await.expect(200);
    let late = link(other.id).await;
    server.advance(TimeDelta::minutes(61));
    assert_eq!(set(late, "a quite new passphrase").await.status, 400);
    let mut answers = BTreeMap::new();
    for _ in 0..70 {
        *answers.entry(set("guess".into(), "a quite new passphrase").await.status).or_insert(0) += 1;
    }
    assert!(answers[&429] >= 10 && answers[&400] <= 60, "{answers:?}");
}

#[tokio::test]
async fn an_operators_link_leads_to_the_public_address_and_ends_every_session() {
    let server =
        TestServer::with(|config| config.public_url = Some("http://books.test".to_owned().try_into().unwrap())).await;
    let (operator, reader) = (server.operator().await, server.reader().await);
    let path = format!("/api/admin/users/{}/reset-link", reader.id);
    let made = operator.send(operator.request(Method::POST, &path).header("host", "evil.lan")).await;
    assert_eq!(made.header("cache-control"), "no-store");
    let url = made.expect(200)["url"].as_str().unwrap().to_owned();
    let token = url.strip_prefix("http://books.test/reset-password/").unwrap();
    let set = json!({"password": "a quite new passphrase"});
    assert_eq!(server.visitor().post(&format!("/api/auth/password-reset/{token}"), set).await.status, 204);
    assert_eq!(reader.get("/api/auth/me").await.status, 401);
    for file in std::fs::read_dir(server.folder()).unwrap() {
        let bytes = std::fs::read(file.unwrap().path()).unwrap();
        assert!(!bytes.windows(token.len()).any(|window| window == token.as_bytes()));
    }
}

#[tokio::test]
async fn metrics_have_their_own_listener_and_name_nobody() {
    let server = TestServer::start().await;
    let reader = server.reader().await;
    reader.get("/api/books/7").await.code(404);
    assert_eq!(reader.get("/metrics").await.status, 404);
    let request = axum::extract::Request::get("/metrics").body(axum::body::Body::empty()).unwrap();
    let answer = server.metrics.clone().oneshot(request).await.unwrap();
    assert_eq!(answer.status(), 200);
    let bytes = axum::body::to_bytes(answer.into_body(), usize::MAX).await.unwrap();
    let text = String::from_utf8(bytes.to_vec()).unwrap();
    for line in [
        "shelfwise_requests_total{route=\"/api/books/{id}\",status=\"4xx\"} 1",
        "shelfwise_requests_total{route=\"/api/auth/signup\",status=\"2xx\"} 1",
        "shelfwise_requests_total{route=\"-\",status=\"4xx\"} 1",
        "shelfwise_users 1",
        "shelfwise_active_sessions 1",
        "shelfwise_active_users{window=\"day\"} 1",
        "shelfwise_device_users{browser=\"other\",device_type=\"other\",os=\"other\"} 1",
        "shelfwise_check_ok{check=\"database\"} 1",
        &format!(
            "shelfwise_build_info{{schema=\"{}\",version=\"{}\"}} 1",
            shelfwise::kit::db::pool::known_schema(),
            VERSION
        ),
        "shelfwise_backup_failures_total 0",
        "# TYPE shelfwise_mail_failures_total counter",
    ] {
        assert!(text.lines().any(|known| known == line), "{line} is not in\n{text}");
    }
    assert!(!text.contains(&reader.email) && !text.contains("/api/books/7"));
    let size = text.lines().find_map(|line| line.strip_prefix("shelfwise_database_bytes ")).unwrap();
    assert!(size.parse::<u64>().unwrap() > 0);
    for name in [
        "shelfwise_disk_free_bytes",
        "shelfwise_wal_bytes",
        "process_start_time_seconds",
        "process_cpu_seconds_total",
        "process_resident_memory_bytes",
        "process_open_fds",
        "process_max_fds",
    ] {
        let value = text.lines().find_map(|line| line.strip_prefix(&format!("{name} "))).unwrap();
        assert!(value.parse::<f64>().unwrap() > 0.0, "{name} {value}");
    }
    well_formed(&text);
}

/// What Prometheus' own checker asks for: each figure has its help and its type, once and before its samples.
fn well_formed(text: &str) {
    let mut known: Vec<(&str, &str)> = Vec::new();
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("# TYPE ") {
            let (name, kind) = rest.split_once(' ').unwrap();
            assert!(known.iter().all(|(before, _)| *before != name), "{name} comes twice");
            assert!(text.contains(&format!("# HELP {name} ")), "{name} has no help");
            assert_eq!(kind == "counter", name.ends_with("_total"), "{name} is a {kind}");
            known.push((name, kind));
        } else if !line.starts_with('#') {
            let name = line.split(['{', ' ']).next().unwrap();
            let (last, kind) = known.last().unwrap();
            assert!(name == *last || (*kind == "histogram" && name.starts_with(last)), "{line} stands under {last}");
        }
    }
}

#[tokio::test]
async fn operators_see_the_condition_of_the_server_and_what_fails_in_it() {
    let server = TestServer::with(|config| config.backup.to = Some("/nowhere/backups".into())).await;
    let operator = server.operator().await;
    let health = operator.get("/api/admin/health").await.expect(200);
    assert_eq!(health.as_object().unwrap().keys().collect::<Vec<_>>(), ["checks", "schema", "startedAt", "version"]);
    assert_eq!(health["version"], VERSION);
    assert_eq!(health["schema"], shelfwise::kit::db::pool::known_schema());
    let names: Vec<_> =
        health["checks"].as_array().unwrap().iter().map(|check| check["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["database", "disk", "log", "erasure", "backups", "mail", "payments", "address"]);
    let check = async |name: &str| -> Value {
        let health = operator.get("/api/admin/health").await.expect(200);
        health["checks"].as_array().unwrap().iter().find(|check| check["name"] == name).unwrap().clone()
    };
    assert_eq!((&check("backups").await["ok"], &check("database").await["ok"]), (&json!(true), &json!(true)));
    server.app.health.backups.failed("Permission denied (os error 13)");
    let failed = check("backups").await;
    assert_eq!(failed["ok"], false);
    assert!(failed["sentence"].as_str().unwrap().contains("Permission denied"), "{failed}");
    assert!(!failed.to_string().contains("nowhere"), "a path is for the log");
    assert!(failed["since"].as_str().unwrap() >= health["startedAt"].as_str().unwrap());
    server.app.health.backups.succeeded();
    assert_eq!(check("backups").await["ok"], true);
}

#[tokio::test]
async fn operators_see_that_the_file_waits_for_its_compaction() {
    let server = TestServer::start().await;
    let (operator, reader) = (server.operator().await, server.reader().await);
    let erasure = async || {
        let health = operator.get("/api/admin/health").await.expect(200);
        let checks = health["checks"].as_array().unwrap();
        checks.iter().find(|check| check["name"] == "erasure").unwrap()["sentence"].as_str().unwrap().to_owned()
    };
    assert!(erasure().await.contains("no trace"));
    assert_eq!(reader.delete("/api/account/data").await.status, 204);
    assert!(erasure().await.contains("compacted at night"));
    server.db.compact().await.unwrap();
    assert!(erasure().await.contains("no trace"));
}

#[tokio::test]
async fn backups_are_empty_without_a_schedule_and_listed_with_one() {
    let server = TestServer::start().await;
    let answer = server.operator().await.get("/api/admin/backups").await.expect(200);
    assert_eq!(answer, json!({"data": [], "nextAt": null}));
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().to_owned();
    let server = TestServer::with(|config| config.backup.to = Some(to)).await;
    let taken = Utc::now().trunc_subsecs(0);
    shelfwise::backups::create(server.db.path(), folder.path(), None, taken).unwrap();
    let answer = server.operator().await.get("/api/admin/backups").await.expect(200);
    assert_eq!(
        (&answer["data"][0]["createdAt"], &answer["data"][0]["verified"]),
        (&json!(instant(taken)), &json!(true))
    );
    assert!(answer["nextAt"].as_str().unwrap() > instant(taken).to_string().as_str());
}

/// A reader who has just become an operator, the cookie of the session from before, and a call with that cookie.
async fn promoted(server: &TestServer) -> (Visitor, String) {
    let (operator, reader) = (server.operator().await, server.visitor());
    let form = json!({"email": "eva@example.org", "password": PASSWORD, "displayName": "Eva"});
    let made = reader.post("/api/auth/signup", form).await;
    let former = made.header("set-cookie").split(';').next().unwrap().to_owned();
    assert!(former.starts_with("shelfwise_session="), "{former}");
    let path = format!("/api/admin/users/{}", made.body["user"]["id"]);
    operator.patch(&path, json!({"role": "admin"})).await.expect(200);
    (reader, former)
}

async fn with_cookie(server: &TestServer, path: &str, cookie: &str) -> (u16, String) {
    let browser = server.visitor();
    let answer = browser.send(browser.request(Method::GET, path).header("cookie", cookie)).await;
    (answer.status, answer.header("set-cookie").to_owned())
}

#[tokio::test]
async fn a_new_operator_gets_a_new_session_id_and_the_former_one_counts_for_a_minute_more() {
    let server = TestServer::start().await;
    let (reader, former) = promoted(&server).await;
    let first = reader.get("/api/admin/users").await;
    assert!(first.header("set-cookie").starts_with("shelfwise_session="), "{first:?}");
    first.expect(200);
    // A browser sends more calls before that answer has arrived.
    tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    assert_eq!(with_cookie(&server, "/api/stats", &former).await, (200, String::new()));
    let second = reader.get("/api/admin/users").await;
    assert_eq!(second.header("set-cookie"), "");
    second.expect(200);
    assert_eq!(with_cookie(&server, "/api/stats", &former).await.0, 200);
    server.advance(TimeDelta::seconds(61));
    assert_eq!(with_cookie(&server, "/api/auth/me", &former).await.0, 401);
    reader.get("/api/admin/users").await.expect(200);
}

#[tokio::test]
async fn of_many_calls_at_once_one_brings_the_new_id_and_all_are_answered() {
    let server = TestServer::start().await;
    let (_, former) = promoted(&server).await;
    let calls = (0..8).map(|_| with_cookie(&server, "/api/stats", &former));
    let answers = futures_util::future::join_all(calls).await;
    assert!(answers.iter().all(|(status, _)| *status == 200), "{answers:?}");
    assert_eq!(answers.iter().filter(|(_, cookie)| !cookie.is_empty()).count(), 1, "{answers:?}");
}

#[tokio::test]
async fn a_call_that_is_hung_up_ends_no_session() {
    let server = TestServer::start().await;
    let (_, mut cookie) = promoted(&server).await;
    for pause in [0, 1, 2, 4, 8] {
        let mut stream = tokio::net::TcpStream::connect(server.address).await.unwrap();
        let call = format!("GET /api/books HTTP/1.1\r\nHost: {}\r\nCookie: {cookie}\r\n\r\n", server.address);
        tokio::io::AsyncWriteExt::write_all(&mut stream, call.as_bytes()).await.unwrap();
        tokio::time::sleep(std::time::Duration::from_millis(pause)).await;
        drop(stream);
        assert_eq!(with_cookie(&server, "/api/books", &cookie).await.0, 200, "{pause}");
        // The page comes back after its network does. An answer brings the new id, unless it has come already.
        server.advance(TimeDelta::minutes(5));
        let (status, set) = with_cookie(&server, "/api/books", &cookie).await;
        assert_eq!(status, 200, "{pause}");
        let new = set.split(';').next().unwrap().to_owned();
        assert!(new.starts_with("shelfwise_session="), "{pause}: {set}");
        assert_eq!(with_cookie(&server, "/api/books", &new).await.0, 200);
        cookie = new;
        execute(&server, "UPDATE sessions SET renew = 1").await;
    }
}
