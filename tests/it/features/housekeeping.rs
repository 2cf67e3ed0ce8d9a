//! What has run out is cleared away, and nothing else.
use serde_json::json;

use crate::support::harness::TestServer;

async fn count(server: &TestServer, table: &'static str) -> i64 {
    let sql = format!("SELECT count(*) FROM {table}");
    server.db.read(move |conn| Ok(conn.query_row(&sql, [], |row| row.get(0))?)).await.unwrap()
}

#[tokio::test]
async fn expired_sessions_devices_links_responses_and_invitations_are_deleted() {
    let server = TestServer::start().await;
    let (owner, members) = server.team(1).await;
    owner.invite("standing@example.org").await;
    let book = json!({"title": "T", "author": "A", "status": "undated"});
    let key = |key: &'static str| {
        owner.send(owner.request(reqwest::Method::POST, "/api/books").header("idempotency-key", key).json(&book))
    };
    key("fresh").await.expect(201);
    key("old").await.expect(201);
    let (owner_id, member_id) = (owner.id, members[0].id);
    let aged = server.db.write(move |tx| {
        for (user, hours) in [(owner_id, 2), (member_id, 0)] {
            let sql = "INSERT INTO password_resets VALUES (?1, randomblob(32), strftime('%Y-%m-%dT%H:%M:%SZ', 'now', ?2))";
            tx.execute(sql, (user, format!("-{hours} hours")))?;
        }
        tx.execute_batch(
            "UPDATE idempotency_keys SET created_at = '2020-01-02T03:04:05Z' WHERE key = 'old';
             INSERT INTO known_devices SELECT randomblob(32), id, '2020-01-02T03:04:05Z' FROM users;
             INSERT INTO sessions (token_hash, user_id, created_at, last_seen, ip_address, user_agent)
                SELECT randomblob(32), user_id, created_at, strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '-31 days'), '', '' FROM sessions
                UNION ALL
                SELECT randomblob(32), user_id, strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '-91 days'), last_seen, '', '' FROM sessions;
             INSERT INTO invitations (team_id, token_hash, created_at, expires_at)
                SELECT id, randomblob(32), '2020-01-02T03:04:05Z', '2020-01-09T03:04:05Z' FROM teams;",
        )?;
        Ok(())
    });
    let tables = ["sessions", "known_devices", "password_resets", "idempotency_keys", "invitations"];
    let mut before = Vec::new();
    for table in tables {
        before.push(count(&server, table).await);
    }
    aged.await.unwrap();
    assert!(shelfwise::app::tidy_up(&server.db).await.unwrap() > 0);
    // A link and an answer that were fresh stay; the other two were there before they aged.
    let kept = [before[0], before[1], 1, 1, before[4]];
    for (table, kept) in tables.into_iter().zip(kept) {
        assert_eq!(count(&server, table).await, kept, "{table}");
    }
    assert_eq!(shelfwise::app::tidy_up(&server.db).await.unwrap(), 0);
    owner.get("/api/auth/me").await.expect(200);
    members[0].get("/api/auth/me").await.expect(200);
    key("fresh").await.expect(201);
    assert_eq!(count(&server, "books").await, 2, "a fresh answer is given again");
}

#[tokio::test]
async fn activity_is_deleted_after_thirty_days_except_each_accounts_last_day() {
    let server = TestServer::start().await;
    let reader = server.reader().await;
    let id = reader.id;
    let came = server.db.write(move |tx| {
        for days in [1, 29, 31, 40] {
            let day = format!("-{days} days");
            tx.execute("INSERT INTO activity_days VALUES (?1, date('now', ?2), 1, '')", (id, &day))?;
            tx.execute(
                "INSERT INTO activity_devices VALUES (?1, date('now', ?2), 'other', 'other', 'other', 1)",
                (id, &day),
            )?;
            tx.execute("INSERT INTO activity_places VALUES (?1, date('now', ?2), 'Norway', 'Oslo', 1)", (id, &day))?;
        }
        Ok(())
    });
    came.await.unwrap();
    assert_eq!(shelfwise::app::tidy_up(&server.db).await.unwrap(), 6);
    let gone =
        server.db.write(|tx| Ok(tx.execute("DELETE FROM activity_days WHERE day > date('now', '-30 days')", [])?));
    gone.await.unwrap();
    let last = server.db.write(move |tx| {
        Ok(tx.execute("INSERT INTO activity_days VALUES (?1, date('now', '-50 days'), 1, '')", [id])?)
    });
    last.await.unwrap();
    assert_eq!(shelfwise::app::tidy_up(&server.db).await.unwrap(), 0);
    assert_eq!(count(&server, "activity_days").await, 1);
}
