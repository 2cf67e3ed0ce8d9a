//! Logins of devices, and the statistics that they send.
use chrono::TimeDelta;
use reqwest::Method;
use rusqlite::Connection;
use serde_json::{Value, json};
use shelfwise::devices::model::key_of;
use shelfwise::devices::statistics::LARGEST;

use crate::features::devices::{Device, ago, book, days, documents, statistics};
use crate::support::fault_table::row;
use crate::support::harness::TestServer;

const DIGEST: &str = "59d481d168cca6267322f150c5f6a2a3";

#[tokio::test]
async fn a_device_secret_opens_nothing_but_reports_and_nothing_once_taken_back() {
    let server = TestServer::start().await;
    let nora = server.reader().await;
    let device = Device::of(&server, &nora).await;
    device.push(0.1, json!({})).await.expect(200);
    let key = key_of(&device.password);
    let mut tried = 0;
    for path in ["/api/books", "/api/documents", "/api/devices", "/api/preferences", "/api/stats", "/api/admin/users"] {
        for header in [
            ("authorization", format!("Bearer {}", device.password)),
            ("authorization", format!("Bearer {key}")),
            ("cookie", format!("shelfwise_session={key}")),
        ] {
            let request = device.dav("GET", path).header("x-auth-user", &device.login).header("x-auth-key", &key);
            let answer = device.client.send(request.header(header.0, header.1)).await;
            assert_eq!(answer.status, 401, "{path}");
            tried += 1;
        }
    }
    // What a copy of the database has of it proves nothing: neither the hash nor a part of it is the secret.
    let stored = server
        .db
        .read(|conn| Ok(conn.query_row("SELECT secret_hash FROM devices", [], |row| row.get::<_, Vec<u8>>(0))?));
    let stored = stored.await.unwrap();
    for part in [&stored[..], &stored[..16], &stored[16..]] {
        let from = device.client.request(Method::GET, "/kosync/users/auth").header("x-auth-user", &device.login);
        let answer = device.client.send(from.header("x-auth-key", hex::encode(part))).await;
        assert!([401, 429].contains(&answer.status));
        tried += 1;
    }
    // Somebody who copied the secret is out at once with a new password, and with the login.
    server.advance(TimeDelta::hours(1));
    let path = format!("/api/devices/{}", nora.get("/api/devices").await.expect(200)["data"][0]["id"]);
    let renewed = nora.patch(&path, json!({"newPassword": true})).await.expect(200);
    assert_eq!(device.push(0.2, json!({})).await.status, 401);
    let device = Device { password: renewed["password"].as_str().unwrap().to_owned(), ..device };
    device.push(0.3, json!({})).await.expect(200);
    nora.delete(&path).await.expect(204);
    assert_eq!(device.push(0.4, json!({})).await.status, 401);
    assert_eq!(device.put(statistics(&[])).await.status, 401);
    assert_eq!(documents(&nora).await[0]["place"], 3_000);
    row(
        "a device's secret: other calls, from a copy of the database, after it was taken back",
        tried + 3,
        "401",
        "opens nothing",
    );
}

/// A file that SQL has made.
fn file(sql: &str) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    Connection::open(&path).unwrap().execute_batch(sql).unwrap();
    std::fs::read(path).unwrap()
}

#[tokio::test]
async fn hostile_statistics_run_nothing_change_nothing_and_end_in_time() {
    let server = TestServer::start().await;
    let nora = server.reader().await;
    let device = Device::of(&server, &nora).await;
    let endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT";
    let tables = "CREATE TABLE book (id, title, authors, md5, pages); CREATE TABLE page_stat_data (id_book, page, start_time, duration, total_pages);";
    let whole = statistics(&[("Trust", DIGEST, &[(ago(&server, 2), 1, 30)])]);
    let mut cut = whole.clone();
    cut.truncate(5_000);
    // A page size and a page count that no file has.
    let mut header = whole.clone();
    header[16..18].copy_from_slice(&[0xff, 0xff]);
    header[28..32].copy_from_slice(&[0xff; 4]);
    let mut pages = whole.clone();
    pages[4_096..].fill(0xa5);
    let refused = [
        (
            "views",
            file(&format!(
                "CREATE VIEW book AS {endless} x AS id, '' AS title, '' AS authors, '' AS md5, 1 AS pages FROM n; CREATE VIEW page_stat_data AS {endless} 1 AS id_book, x AS page, x AS start_time, 1 AS duration, 1 AS total_pages FROM n;"
            )),
        ),
        (
            "a virtual table",
            file(
                "CREATE VIRTUAL TABLE book USING fts5(id, title, authors, md5, pages); CREATE TABLE page_stat_data (id_book, page, start_time, duration, total_pages);",
            ),
        ),
        (
            "a generated column without an end",
            file(&format!(
                "CREATE TABLE book (id, title, authors, md5, pages); CREATE VIEW page_stat_data AS {endless} x FROM n;"
            )),
        ),
        (
            "a title of a million letters",
            file(&format!("{tables} INSERT INTO book VALUES (1, hex(zeroblob(1000000)), '', '', 1);")),
        ),
        ("cut off", cut),
        ("a wrong header", header),
        ("pages of nonsense", pages),
        ("no database", vec![0; 100_000]),
    ];
    for (what, file) in &refused {
        let answer = device.put(file.clone()).await;
        assert_eq!(answer.status, 422, "{what}: {}", answer.body);
    }
    // Numbers out of every range are left out, and the rest of the file counts.
    let odd = file(&format!("{tables} INSERT INTO book VALUES (1, 'Trust', 'Hernan Diaz', '{DIGEST}', 300), (1, char(0, 31), '../../etc', ':', -1);
        INSERT INTO page_stat_data VALUES (1, 9e18, 9e18, 9e18, 9e18), (1, -1, -1, -1, -1), (1, 5, 1700000000, 60, 300), (1, 'x', x'00', NULL, '1e400'), (7, 1, 1, 1, 1);"));
    assert!(documents(&nora).await.is_empty());
    device.put(odd).await.expect(201);
    let taken = documents(&nora).await;
    assert_eq!((taken.len(), &taken[0]["minutes"]), (1, &json!(1)), "{taken:?}");
    assert_eq!(device.put(vec![0; LARGEST + 1]).await.status, 413);
    device.client.get("/healthz").await.expect(200);
    row("hostile statistics of a device", refused.len() + 2, "422, and 413", "nothing runs, nothing changes");
}

#[tokio::test]
async fn a_device_fills_no_disk() {
    let server = TestServer::start().await;
    let nora = server.reader().await;
    let device = Device::of(&server, &nora).await;
    // A place is as long as places are.
    for field in ["progress", "device", "device_id"] {
        let refused = device.push(0.1, json!({field: "x".repeat(1_001)})).await;
        assert_eq!((refused.status, &refused.body["code"]), (403, &json!(2003)), "{field}");
    }
    assert_eq!(device.push(0.1, json!({"progress": {"deep": [1]}})).await.status, 403);
    // 6,000 books in one file: 5,000 documents, and not one more by another file or a place.
    let books: Vec<_> = (0..6_000).map(|number| (format!("Book {number}"), format!("{number:032x}"))).collect();
    let sitting = [(ago(&server, 2), 1, 1)];
    let listed: Vec<_> = books.iter().map(|(title, digest)| (title.as_str(), digest.as_str(), &sitting[..])).collect();
    device.put(statistics(&listed)).await.expect(201);
    assert_eq!(documents(&nora).await.len(), 5_000);
    device.put(statistics(&[("One more", DIGEST, &sitting)])).await.expect(204);
    assert_eq!(device.push(0.1, json!({})).await.status, 409);
    assert_eq!(documents(&nora).await.len(), 5_000);
    // The same again and again takes no more room.
    let size = async || {
        let sql = "SELECT sum(octet_length(page_rows)) FROM documents";
        server.db.read(move |conn| Ok(conn.query_row(sql, [], |row| row.get::<_, i64>(0))?)).await.unwrap()
    };
    let before = size().await;
    device.put(statistics(&listed)).await.expect(204);
    assert_eq!(size().await, before);
    assert!(
        std::fs::read_dir(server.folder())
            .unwrap()
            .flatten()
            .all(|entry| !entry.file_name().to_string_lossy().contains("tmp"))
    );
    row("books of a device that fills its account", 6_000, "5,000 documents", "bounded");
}

#[tokio::test]
async fn a_device_reaches_no_document_of_another_reader() {
    let server = TestServer::start().await;
    let (nora, other) = (server.reader().await, server.reader().await);
    let (device, stranger) = (Device::of(&server, &nora).await, Device::of(&server, &other).await);
    let read = book(&nora, json!({})).await;
    let day = ago(&server, 2);
    device.put(statistics(&[("Trust", DIGEST, &[(day, 1, 30)])])).await.expect(201);
    device.push(0.4, json!({})).await.expect(200);
    let before = (days(&nora, read).await, documents(&nora).await);
    let path = format!("/kosync/syncs/progress/{DIGEST}");
    assert_eq!(stranger.client.send(stranger.kosync(Method::GET, &path)).await.body, json!({}));
    stranger.push(0.9, json!({})).await.expect(200);
    stranger.put(statistics(&[("Trust", DIGEST, &[(day, 1, 300)])])).await.expect(201);
    stranger.put(statistics(&[])).await.expect(204);
    let id = &before.1[0]["id"];
    for change in [json!({"ignore": true}), json!({"removeThere": true}), json!({"bookId": read})] {
        other.put(&format!("/api/documents/{id}"), change).await.code(404);
    }
    other.delete(&format!("/api/documents/{id}/finish")).await.code(404);
    other.post(&format!("/api/documents/{id}/finish"), json!({"day": day})).await.code(404);
    other.post(&format!("/api/books/{read}/documents"), json!({"digest": DIGEST})).await.code(404);
    assert_eq!((days(&nora, read).await, documents(&nora).await), before);
    let own = documents(&other).await;
    assert_eq!((own.len(), &own[0]["bookId"]), (1, &Value::Null));
    row("a device at documents of another reader", 9, "nothing read, nothing changed", "nothing");
}
