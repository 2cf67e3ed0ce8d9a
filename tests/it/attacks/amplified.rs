//! Small requests that ask for much: tables that multiply each other, names that grow in all books, lists without an end.
use std::io::{Cursor, Write as _};
use std::time::{Duration, Instant};

use chrono::TimeDelta;
use reqwest::Method;
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};
use shelfwise::kit::db::pool::Tx;
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;
use zip::write::{SimpleFileOptions, ZipWriter};

use crate::support::actors::{PASSWORD, Reader, Visitor};
use crate::support::harness::TestServer;

const COLUMNS: [(&str, &str); 1] =
    [("columnMap", r#"{"Title": "title", "Author": "author", "Mine": "tags", "Saga": "series"}"#)];

fn zipped(files: &[(&str, String)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in files {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(content.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// Imports books with the tag `a` and the series `b`.
async fn many(reader: &Reader, books: usize) {
    let rows: String = (0..books).map(|book| format!("T{book},A,a,b\n")).collect();
    let report = reader.upload("/api/books/import", "a.csv", format!("Title,Author,Mine,Saga\n{rows}"), &COLUMNS).await;
    assert_eq!(report.expect(200)["imported"], books);
}

async fn number(server: &TestServer, sql: &'static str) -> i64 {
    server.db.read(move |conn| Ok(conn.query_row(sql, [], |row| row.get(0))?)).await.unwrap()
}

#[tokio::test]
async fn a_new_name_of_a_tag_or_series_counts_in_every_book_for_the_quota() {
    let server = TestServer::with(|config| config.limits.text_mb = 1).await;
    let reader = server.plus().await;
    many(&reader, 2_600).await;
    for (path, name) in [("/api/tags/a", "\u{10348}".repeat(100)), ("/api/series/b", "\u{10348}".repeat(200))] {
        let refused = reader.patch(path, json!({"name": name})).await;
        assert_eq!((refused.code(409), &refused.body["what"]), ("quota_reached", &json!("texts")), "{path}");
        reader.patch(path, json!({"name": "c"})).await.expect(200);
    }
    assert_eq!(reader.get("/api/tags").await.expect(200)["data"][0]["name"], "c");
}

#[tokio::test]
async fn tags_are_shown_as_shelves_up_to_a_limit_and_an_archive_shows_all_at_once() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let names: Vec<String> = (0..1_001).map(|tag| format!("t{tag:04}")).collect();
    let exported = reader.get("/api/account/export/books.csv").await;
    let header = String::from_utf8(exported.bytes).unwrap().lines().next().unwrap().to_owned();
    let columns: Vec<&str> = header.trim_start_matches('\u{feff}').split(',').collect();
    let mut books = format!("{header}\n");
    for (book, tags) in names.chunks(50).enumerate() {
        let cell = |column: &&str| match *column {
            "Title" => format!("T{book}"),
            "Author" => "A".to_owned(),
            "Status" => "undated".to_owned(),
            "Work" => format!("{}", book + 1),
            "Tags" => format!("\"{}\"", tags.join(",")),
            _ => String::new(),
        };
        books += &(columns.iter().map(cell).collect::<Vec<_>>().join(",") + "\n");
    }
    let shelves: Vec<Value> = names.iter().map(|name| json!({"name": name, "shelf": true})).collect();
    let archive = zipped(&[
        ("books.csv", books),
        ("tbr.csv", "Title,Author\n".to_owned()),
        ("tags.json", Value::from(shelves).to_string()),
    ]);
    let report = reader.upload("/api/books/import", "mine.zip", archive, &[]).await.expect(200);
    assert_eq!((&report["imported"], &report["restored"]["tagShelves"]), (&json!(21), &json!(1_000)));
    let tags = reader.get("/api/tags").await.expect(200)["data"].clone();
    let shown: Vec<_> = tags.as_array().unwrap().iter().map(|tag| tag["name"].as_str().unwrap()).collect();
    assert_eq!(shown, names, "in the order of the archive");
    assert_eq!(reader.patch("/api/tags/t1000", json!({"shelf": true})).await.fields(), ["shelf"]);
    assert_eq!(reader.patch("/api/tags/t1000", json!({"icon": "house"})).await.fields(), ["shelf"]);
    reader.patch("/api/tags/t0500", json!({"position": 0})).await.expect(200);
    assert_eq!(reader.get("/api/tags").await.expect(200)["data"][0]["name"], "t0500");
    // A shelf whose last book is gone makes room.
    let first = reader.get("/api/books?titleSearch=T0").await.expect(200)["data"][0]["id"].clone();
    assert_eq!(reader.delete(&format!("/api/books/{first}")).await.status, 204);
    reader.patch("/api/tags/t1000", json!({"shelf": true})).await.expect(200);
}

#[tokio::test]
async fn former_values_take_a_limited_number_of_bytes() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    many(&reader, 2).await;
    let renamed = reader.patch("/api/tags/a", json!({"name": "c"})).await.expect(200)["operationId"].clone();
    let large = "INSERT INTO undo (user_id, operation, seq, kind, before)
        SELECT user_id, operation, 1000, 'large', hex(zeroblob(26000000)) FROM undo LIMIT 1";
    server.db.write(move |tx| Ok(tx.execute(large, [])?)).await.unwrap();
    let merged = reader.patch("/api/tags/c", json!({"name": "d"})).await.expect(200)["operationId"].clone();
    let list = reader.get("/api/operations").await.expect(200)["data"].clone();
    let ids: Vec<_> = list.as_array().unwrap().iter().map(|operation| &operation["id"]).collect();
    assert!(ids.contains(&&merged) && !ids.contains(&&renamed), "{list}");
    assert!(number(&server, "SELECT sum(octet_length(before)) FROM undo").await < 1_000_000);
    reader.delete(&format!("/api/operations/{merged}")).await.expect(200);
}

#[tokio::test]
async fn choices_of_imports_are_remembered_up_to_a_limit() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let stored = async || number(&server, "SELECT count(*) FROM import_choices").await;
    for (round, names) in [(0, 1_500), (1, 1_500)] {
        let mut map: serde_json::Map<_, _> = (0..names).map(|n| (format!("{round}-{n}"), json!("read"))).collect();
        map.insert("x".repeat(1_001), json!("skip"));
        let file = format!("Title,Author\nT{round},A\n");
        reader
            .upload("/api/books/import", "a.csv", file, &[("shelfMap", &Value::Object(map).to_string())])
            .await
            .expect(200);
        assert_eq!(stored().await, if round == 0 { 1_500 } else { 2_000 });
    }
    let again = [("shelfMap", r#"{"0-7": "skip"}"#)];
    reader.upload("/api/books/import", "a.csv", "Title,Author\nT9,A\n", &again).await.expect(200);
    let changed = "SELECT count(*) FROM import_choices WHERE name = '0-7' AND choice = 'skip'";
    assert_eq!(number(&server, changed).await, 1, "a known name may change");
}

#[tokio::test]
async fn an_archive_whose_tables_multiply_each_other_is_refused() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let books = format!("Title,Author{}\n", ",x".repeat(400));
    let list = format!("Title,Author\n{}", "a,b\n".repeat(90_000));
    let archive = zipped(&[("books.csv", books), ("tbr.csv", list)]);
    assert!(archive.len() < 20_000, "{}", archive.len());
    let refused = reader.upload("/api/books/import?dryRun=true", "mine.zip", archive, &[]).await;
    assert_eq!(refused.code(413), "too_large");
    let wide = format!("Title,Author{}\na,b\n", ",".repeat(600));
    let refused = reader.upload("/api/books/import?dryRun=true", "wide.csv", wide, &[]).await;
    assert_eq!(refused.code(413), "too_large");
    assert!(refused.body["error"].as_str().unwrap().contains("500 columns"), "{}", refused.body);
}

#[tokio::test]
async fn a_file_holds_its_memory_until_its_turn_is_over_also_when_its_sender_has_gone() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let stranger = Visitor::at(reader.base.clone());
    let answer = stranger.post("/api/auth/login", json!({"email": reader.email, "password": PASSWORD})).await;
    let cookie = answer.header("set-cookie").split(';').next().unwrap().to_owned();
    let whole = server.app.budgets.requests().left();
    let rows: String =
        (0..1_000).map(|row| format!("A title of a book {row},An author {row},{}\n", "x".repeat(1_000))).collect();
    let form = format!(
        "--X\r\nContent-Disposition: form-data; name=\"columnMap\"\r\n\r\n{{\"Title\": \"title\", \"Author\": \"author\"}}\r\n\
         --X\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.csv\"\r\n\r\nTitle,Author,Notes\n{rows}\r\n--X--\r\n"
    );
    let head = format!(
        "POST /api/books/import HTTP/1.1\r\nHost: x\r\nCookie: {cookie}\r\nContent-Length: {}\r\n\
         Content-Type: multipart/form-data; boundary=X\r\n\r\n",
        form.len()
    );
    // The writer is busy until this test lets it go.
    let (release, released) = std::sync::mpsc::channel::<()>();
    let db = server.app.db.clone();
    let wait = move |_: &Tx<'_>| {
        released.recv().unwrap();
        Ok(())
    };
    let busy = tokio::spawn(async move { db.write_alone(wait).await.unwrap() });
    let mut stream = TcpStream::connect(reader.base.trim_start_matches("http://")).await.unwrap();
    stream.write_all(head.as_bytes()).await.unwrap();
    stream.write_all(form.as_bytes()).await.unwrap();
    while whole - server.app.budgets.requests().left() < form.len() {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    // All of it has arrived. It is read in far less time than this, and waits for the writer.
    tokio::time::sleep(Duration::from_secs(3)).await;
    drop(stream);
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert!(whole - server.app.budgets.requests().left() >= form.len(), "the file is still in memory");
    release.send(()).unwrap();
    busy.await.unwrap();
    while server.app.budgets.requests().left() < whole {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn hundreds_of_thousands_of_names_are_compared_at_once() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let names: Vec<String> = (0..150_000).map(|name| format!("n{name}")).collect();
    let book = |field: &str| {
        let mut book = json!({"title": "T", "author": "A", "status": "undated"});
        book[field] = json!(names);
        book
    };
    let started = Instant::now();
    for field in ["tags", "genres", "authors"] {
        let answer = reader.post("/api/books", book(field)).await;
        assert_eq!(answer.fields(), [field]);
    }
    assert_eq!(reader.patch("/api/books", json!({"addGenres": names})).await.fields(), ["addGenres"]);
    let cell = names.join(",");
    let days: String = (0..40_000)
        .map(|day| format!("{}-{:02}/{}-{:02},", 1900 + day % 90, day / 90 % 12 + 1, 1991 + day / 1_080, day % 12 + 1))
        .collect();
    let goodreads = format!("Book Id,Title,Author,Bookshelves,Exclusive Shelf,Date Read\n1,T,A,\"{cell}\",read,\n");
    let jelu = format!("title,authors,tags,read_dates,owned,dropped_dates\nT,A,\"{cell}\",\"{days}\",,\n");
    for (file, imported) in [(goodreads, 1), (jelu, 0)] {
        let report = reader.upload("/api/books/import?dryRun=true", "a.csv", file, &[("shelfGenres", "all")]).await;
        assert_eq!(report.expect(200)["imported"], imported);
    }
    // Pairwise each of them would take minutes.
    assert!(started.elapsed() < Duration::from_secs(60), "{:?}", started.elapsed());
}

#[tokio::test]
async fn the_answers_kept_for_repetitions_have_a_limit_for_each_account() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let add = async |book: usize| {
        let quotes: Vec<String> = (0..6).map(|quote| format!("{book} {quote} {}", "€".repeat(3_200))).collect();
        let made = json!({"title": format!("T{book}"), "author": "A", "status": "undated", "quotes": quotes});
        let key = format!("k{book}");
        let request = reader.request(Method::POST, "/api/books").header("Idempotency-Key", key).json(&made);
        reader.send(request).await.expect(201)["book"]["id"].as_i64().unwrap()
    };
    let mut made = Vec::new();
    for book in 0..80 {
        if book % 20 == 0 {
            server.advance(TimeDelta::seconds(1));
        }
        made.push(add(book).await);
    }
    let bytes = number(&server, "SELECT sum(octet_length(body)) FROM idempotency_keys").await;
    assert!((2 << 20..(4 << 20) + (64 << 10)).contains(&bytes), "{bytes}");
    assert_eq!(add(79).await, made[79], "the newest is given again");
    assert!(!made.contains(&add(0).await), "the oldest is forgotten");
}

#[tokio::test]
async fn a_long_report_is_not_kept_for_repetitions() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let header = "media_id,source,media_type,title,score,progress,status,start_date,end_date,notes,progressed_at\n";
    let row =
        |id: usize| format!("{id},manual,book,{id}{},8,300,Completed,,2020-02-02,,2020-02-02\n", "語".repeat(480));
    let all: String = (0..1_000).map(row).collect();
    reader.upload("/api/books/import", "yamtrack.csv", format!("{header}{all}"), &[]).await.expect(200);
    let newer = row(0).replace(",8,", ",6,");
    let part = Part::bytes(format!("{header}{newer}").into_bytes()).file_name("yamtrack.csv");
    let request = reader.request(Method::POST, "/api/books/import?mode=sync").header("Idempotency-Key", "k");
    let report = reader.send(request.multipart(Form::new().part("file", part))).await.expect(200);
    assert_eq!((&report["changed"], &report["gone"]), (&json!(1), &json!(999)));
    assert_eq!(number(&server, "SELECT count(*) FROM idempotency_keys").await, 0);
}
