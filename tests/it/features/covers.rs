//! Covers of books: uploaded, shown to their owner, kept under a quota, gone with their last read.
use std::io::Read as _;

use reqwest::Method;
use rusqlite::Connection;
use serde_json::{Value, json};

use crate::support::actors::{Reader, TestResponse};
use crate::support::harness::TestServer;

/// A PNG file of a size whose compressed pixels are these bytes.
pub fn png(width: u32, height: u32, pixels: &[u8]) -> Vec<u8> {
    let chunk = |name: &[u8; 4], content: &[u8]| {
        let length = u32::try_from(content.len()).unwrap().to_be_bytes();
        let mut sum = flate2::Crc::new();
        sum.update(name);
        sum.update(content);
        [&length[..], name, content, &sum.sum().to_be_bytes()].concat()
    };
    let header = [&width.to_be_bytes()[..], &height.to_be_bytes(), &[8, 2, 0, 0, 0]].concat();
    [b"\x89PNG\r\n\x1a\n", &chunk(b"IHDR", &header)[..], &chunk(b"IDAT", pixels), &chunk(b"IEND", b"")].concat()
}

async fn book(reader: &Reader, title: &str) -> i64 {
    let book = json!({"title": title, "author": "Frank Herbert", "status": "undated"});
    reader.post("/api/books", book).await.expect(201)["book"]["id"].as_i64().unwrap()
}

async fn put(reader: &Reader, book: i64, picture: Vec<u8>) -> TestResponse {
    reader.send(reader.request(Method::PUT, &format!("/api/books/{book}/cover")).body(picture)).await
}

/// The covers that the file holds: owner's number, source, uses.
fn stored(server: &TestServer) -> Vec<(i64, String, i64)> {
    let conn = Connection::open(server.folder().join("shelfwise.db")).unwrap();
    let mut query = conn.prepare("SELECT id & 0xffffff, source, uses FROM covers ORDER BY id").unwrap();
    let rows = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).unwrap();
    rows.collect::<rusqlite::Result<_>>().unwrap()
}

/// The bytes of all covers by the counter of the library, and by the covers themselves.
fn counted(server: &TestServer) -> (i64, i64) {
    let conn = Connection::open(server.folder().join("shelfwise.db")).unwrap();
    let sql = "SELECT (SELECT sum(cover_bytes) FROM libraries), (SELECT coalesce(sum(length(bytes)), 0) FROM covers)";
    conn.query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?))).unwrap()
}

#[tokio::test]
async fn a_cover_is_its_owners_alone_and_is_kept_by_the_browser() {
    let server = TestServer::start().await;
    let (reader, other) = (server.plus().await, server.plus().await);
    let id = book(&reader, "Dune").await;
    let picture = png(600, 900, b"sand");
    let put = put(&reader, id, picture.clone()).await;
    assert!(!put.header("etag").is_empty(), "a change after it may name the version");
    let path = format!("/api/covers/{}", reader.id << 24 | 1);
    let cover = json!({"url": path, "width": 600, "height": 900});
    assert_eq!(put.expect(200)["book"]["cover"], cover);
    assert_eq!(reader.get("/api/books").await.expect(200)["data"][0]["cover"], cover);
    let answer = reader.get(&path).await;
    assert_eq!((answer.status, &answer.bytes), (200, &picture));
    for (header, value) in [
        ("content-type", "image/png"),
        ("cache-control", "private, max-age=31536000, immutable"),
        ("x-content-type-options", "nosniff"),
        ("content-security-policy", "default-src 'none'; sandbox; frame-ancestors 'none'"),
        ("cross-origin-resource-policy", "same-origin"),
    ] {
        assert_eq!(answer.header(header), value, "{header}");
    }
    assert!(answer.header("vary").contains("Cookie"));
    assert_eq!(other.get(&path).await.code(404), "not_found");
    assert_eq!(server.visitor().get(&path).await.code(401), "not_signed_in");
    assert_eq!(reader.get("/api/covers/1").await.code(404), "not_found");
    assert_eq!(reader.get("/api/covers/x").await.code(404), "not_found");
    assert_eq!(reader.script("read").await.get(&path).await.status, 200);
    let theirs = other.request(Method::PUT, &format!("/api/books/{id}/cover")).body(picture);
    assert_eq!(other.send(theirs).await.code(404), "not_found");
}

#[tokio::test]
async fn a_file_that_is_not_a_cover_is_refused_with_a_sentence() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let id = book(&reader, "Dune").await;
    let (kinds, pixels) = ("A cover is a JPEG, PNG or WebP.", "1,000 × 1,500 pixels");
    let large = |most: &str| {
        format!(
            "This picture is larger than {most}. The form makes it smaller by itself; over the API, please do it before."
        )
    };
    let header = png(30_000, 30_000, b"")[..33].to_vec();
    for (file, status, code, sentence) in [
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>".to_vec(), 415, "unsupported_type", kinds.to_owned()),
        (b"GIF89a\x05\0\x05\0\0\0\0;".to_vec(), 415, "unsupported_type", kinds.to_owned()),
        (Vec::new(), 415, "unsupported_type", kinds.to_owned()),
        (png(5, 5, b"")[..33].to_vec(), 415, "unsupported_type", kinds.to_owned()),
        (png(5, 5, &vec![0; 200 * 1024]), 413, "too_large", large("200 KiB")),
        (vec![0; 3 << 20], 413, "too_large", large("200 KiB")),
        (header, 413, "too_large", large(pixels)),
        (png(1001, 5, b""), 413, "too_large", large(pixels)),
    ] {
        let refused = put(&reader, id, file).await;
        assert_eq!(refused.code(status), code);
        assert_eq!(refused.body["error"], sentence);
    }
    let path = format!("/api/books/{id}/cover?source=camera");
    let unknown = reader.send(reader.request(Method::PUT, &path).body(png(5, 5, b""))).await;
    assert_eq!(unknown.fields(), ["source"]);
    assert_eq!(stored(&server), []);
    // A picture that is a web page and an archive besides keeps its pixels alone.
    let mut polyglot = png(5, 5, b"pixels");
    polyglot.extend(b"<script>alert(1)</script>PK\x03\x04");
    put(&reader, id, polyglot).await.expect(200);
    assert_eq!(reader.get(&format!("/api/covers/{}", reader.id << 24 | 1)).await.bytes, png(5, 5, b"pixels"));
}

#[tokio::test]
async fn a_cover_is_shared_by_the_reads_of_a_book_and_goes_with_the_last() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let first = book(&reader, "Dune").await;
    let path = format!("/api/books/{first}");
    let put_as = |source: &str, pixels: &[u8]| {
        let call = reader.request(Method::PUT, &format!("{path}/cover?source={source}")).body(png(5, 5, pixels));
        reader.send(call)
    };
    put_as("epub", b"one").await.expect(200);
    assert_eq!(stored(&server), [(1, "epub".into(), 1)]);
    let again = reader.post(&format!("{path}/again"), json!({})).await.expect(201)["book"]["id"].clone();
    assert_eq!(stored(&server), [(1, "epub".into(), 2)], "a further read has the edition's cover");
    put_as("lookup", b"second").await.expect(200);
    assert_eq!(stored(&server), [(2, "lookup".into(), 2)], "the reads that had the former cover have the new one");
    assert_eq!(reader.get(&format!("/api/covers/{}", reader.id << 24 | 1)).await.status, 404);
    let (counter, bytes) = counted(&server);
    assert!(counter == bytes && bytes > 0, "{counter} {bytes}");
    reader.delete(&path).await.expect(204);
    assert_eq!(stored(&server), [(2, "lookup".into(), 1)]);
    reader.delete(&format!("/api/books/{again}")).await.expect(204);
    assert_eq!((stored(&server), counted(&server)), (Vec::new(), (0, 0)));

    // Removed by hand, once and twice; a number is not given again.
    let id = book(&reader, "Emma").await;
    put(&reader, id, png(5, 5, b"three")).await.expect(200);
    assert_eq!(stored(&server), [(3, "upload".into(), 1)]);
    for _ in 0..2 {
        reader.delete(&format!("/api/books/{id}/cover")).await.expect(204);
        assert_eq!(stored(&server), []);
    }
    assert_eq!(reader.delete(&format!("{path}/cover")).await.code(404), "not_found");
    put(&reader, id, png(5, 5, b"four")).await.expect(200);
    reader.delete("/api/account/data").await.expect(204);
    assert_eq!((stored(&server), counted(&server)), (Vec::new(), (0, 0)));
    let id = book(&reader, "Emma").await;
    put(&reader, id, png(5, 5, b"five")).await.expect(200);
    assert_eq!(stored(&server), [(5, "upload".into(), 1)]);
}

#[tokio::test]
async fn the_covers_of_an_account_have_a_quota_that_a_replaced_cover_makes_room_in() {
    let server = TestServer::with(|config| config.lookup.cover_quota = 1).await;
    let (reader, other) = (server.plus().await, server.plus().await);
    let full = || png(1000, 1500, &vec![7; 200 * 1024 - 100]);
    let mut books = Vec::new();
    for number in 0..6 {
        books.push(book(&reader, &format!("Book {number}")).await);
    }
    for id in &books[..5] {
        put(&reader, *id, full()).await.expect(200);
    }
    let refused = put(&reader, books[5], full()).await;
    assert_eq!(refused.code(409), "cover_quota");
    assert_eq!(refused.body["error"], "Your 1 MiB of covers are used up.");
    assert_eq!(stored(&server).len(), 5, "nothing of it is stored");
    put(&reader, books[0], full()).await.expect(200);
    put(&reader, books[5], png(5, 5, b"small")).await.expect(200);
    let id = book(&other, "Dune").await;
    put(&other, id, full()).await.expect(200);
    reader.delete(&format!("/api/books/{}", books[1])).await.expect(204);
    put(&reader, books[5], full()).await.expect(200);
}

#[tokio::test]
async fn the_complete_export_holds_the_covers_with_the_rows_that_have_them() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let (first, plain) = (book(&reader, "Dune").await, book(&reader, "Emma").await);
    let third = book(&reader, "Persuasion").await;
    put(&reader, third, png(5, 5, b"third")).await.expect(200);
    put(&reader, first, png(5, 5, b"first")).await.expect(200);
    reader.post(&format!("/api/books/{first}/again"), json!({})).await.expect(201);
    assert!(plain > 0);
    let archive = reader.get("/api/account/export").await;
    let mut zip = zip::ZipArchive::new(std::io::Cursor::new(archive.bytes)).unwrap();
    let mut read = |name: &str| {
        let mut bytes = Vec::new();
        zip.by_name(name).unwrap().read_to_end(&mut bytes).unwrap();
        bytes
    };
    assert_eq!(read("covers.csv"), b"Book Row,File\n3,covers/1.png\n1,covers/2.png\n4,covers/2.png\n");
    assert_eq!(read("covers/1.png"), png(5, 5, b"third"));
    assert_eq!(read("covers/2.png"), png(5, 5, b"first"));
}

#[tokio::test]
async fn an_import_that_is_undone_keeps_a_book_that_was_given_a_cover() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let made = reader.upload("/api/books/import", "books.csv", "Title,Author\nDune,F\nEmma,J\n", &[]).await.expect(200);
    let list = reader.get("/api/books").await.expect(200);
    let id = list["data"].as_array().unwrap().iter().find(|book| book["title"] == "Emma").unwrap()["id"].clone();
    put(&reader, id.as_i64().unwrap(), png(5, 5, b"pixels")).await.expect(200);
    reader.delete(&format!("/api/imports/{}", made["importId"])).await.expect(200);
    let left = reader.get("/api/books").await.expect(200);
    let titles: Vec<&Value> = left["data"].as_array().unwrap().iter().map(|book| &book["title"]).collect();
    assert_eq!(titles, ["Emma"]);
}
