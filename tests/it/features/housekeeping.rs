//! Expired rows are deleted, and nothing else.
use chrono::TimeDelta;
use serde_json::json;

use crate::support::actors::{PASSWORD, Reader};
use crate::support::harness::TestServer;

async fn count(server: &TestServer, table: &'static str) -> i64 {
    let sql = format!("SELECT count(*) FROM {table}");
    server.db.read(move |conn| Ok(conn.query_row(&sql, [], |row| row.get(0))?)).await.unwrap()
}

/// A link to a new password, as if somebody had asked for it now.
async fn password_link(server: &TestServer, user: i64) {
    let sql = "INSERT INTO password_resets VALUES (?1, randomblob(32), ?2)";
    server.db.write(move |tx| Ok(tx.execute(sql, (user, tx.stamp()))?)).await.unwrap();
}

#[tokio::test]
async fn expired_sessions_devices_links_responses_and_invitations_are_deleted() {
    let server = TestServer::start().await;
    let (owner, members) = server.team(1).await;
    let member = &members[0];
    let book = json!({"title": "T", "author": "A", "status": "undated"});
    let key = |key: &'static str| {
        owner.send(owner.request(reqwest::Method::POST, "/api/books").header("idempotency-key", key).json(&book))
    };
    let tables = ["sessions", "known_devices", "password_resets", "idempotency_keys", "invitations"];
    let counts = async || {
        let mut counts = Vec::new();
        for table in tables {
            counts.push(count(&server, table).await);
        }
        counts
    };
    owner.invite("old@example.org").await;
    key("old").await.expect(201);
    password_link(&server, owner.id).await;
    assert!(counts().await.iter().all(|rows| *rows > 0), "{:?}", counts().await);
    assert_eq!(shelfwise::app::tidy_up(&server.db).await.unwrap(), 0, "nothing is old yet");

    server.advance(TimeDelta::days(401));
    assert!(shelfwise::app::tidy_up(&server.db).await.unwrap() > 0);
    assert_eq!(counts().await, [0; 5]);
    owner.get("/api/auth/me").await.code(401);

    let people: [&Reader; 2] = [&owner, member];
    for person in people {
        person.post("/api/auth/login", json!({"email": person.email, "password": PASSWORD})).await.expect(200);
    }
    owner.invite("standing@example.org").await;
    key("fresh").await.expect(201);
    password_link(&server, owner.id).await;
    server.advance(TimeDelta::minutes(59));
    password_link(&server, member.id).await;
    server.advance(TimeDelta::minutes(2));
    assert_eq!(shelfwise::app::tidy_up(&server.db).await.unwrap(), 1, "a link to a new password serves for an hour");
    assert_eq!(counts().await, [2, 2, 1, 1, 1]);
    owner.get("/api/auth/me").await.expect(200);
    member.get("/api/auth/me").await.expect(200);
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

#[tokio::test]
async fn rows_are_deleted_although_those_of_another_module_can_not_be() {
    let server = TestServer::start().await;
    let reader = server.reader().await;
    password_link(&server, reader.id).await;
    server.advance(TimeDelta::days(1));
    server.db.write(|tx| Ok(tx.execute_batch("DROP TABLE idempotency_keys")?)).await.unwrap();
    assert!(shelfwise::app::tidy_up(&server.db).await.is_err());
    assert_eq!(count(&server, "password_resets").await, 0);
}
