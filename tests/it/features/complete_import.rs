//! A complete export that is imported into another account: the same library, and an undo that leaves nothing of it.
use std::collections::BTreeMap;
use std::io::{Cursor, Read as _, Write as _};

use reqwest::Method;
use serde_json::{Value, json};
use zip::ZipArchive;
use zip::write::{SimpleFileOptions, ZipWriter};

use super::covers::png;
use crate::support::actors::Reader;
use crate::support::harness::TestServer;
use crate::support::program;

/// The files that a restored account has equal to the byte.
const EQUAL: [&str; 6] = ["books.csv", "days.csv", "tbr.csv", "goals.json", "tags.json", "covers.csv"];

type Files = BTreeMap<String, Vec<u8>>;

async fn exported(reader: &Reader) -> Vec<u8> {
    let answer = reader.get("/api/account/export").await;
    assert_eq!(answer.status, 200);
    answer.bytes
}

fn unzipped(bytes: &[u8]) -> Files {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).unwrap();
    let mut files = Files::new();
    let names: Vec<String> = archive.file_names().map(|name| name.unwrap().into_owned()).collect();
    for name in names {
        let mut content = Vec::new();
        archive.by_name(&name).unwrap().read_to_end(&mut content).unwrap();
        files.insert(name, content);
    }
    files
}

fn zipped(files: &Files) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in files {
        writer.start_file(name.as_str(), SimpleFileOptions::default()).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// What an account has, but for ids and times: the tables, and the covers by their rows.
fn compared(files: &Files) -> Files {
    files
        .iter()
        .filter(|(name, _)| EQUAL.contains(&name.as_str()) || name.starts_with("covers/"))
        .map(|(name, content)| (name.clone(), content.clone()))
        .collect()
}

async fn put(reader: &Reader, path: &str, body: Value) {
    reader.send(reader.request(Method::PUT, path).json(&body)).await.expect(200);
}

async fn add(reader: &Reader, book: Value) -> Value {
    reader.post("/api/books", book).await.expect(201)["book"].clone()
}

/// An account with everything that the archive has.
async fn filled(server: &TestServer) -> Reader {
    let reader = server.reader().await;
    let dune = add(
        &reader,
        json!({"title": "=Dune", "author": "Frank Herbert", "status": "completed", "dateCompleted": "spring 2020", "rating": 8.5,
            "wordCount": 188_000, "wordCountSource": "epub", "pages": 528, "isbn": "9780441013593", "genres": ["Sci-Fi"],
            "impressions": "Sand,\n\"sand\"", "passages": [{"text": "Fear is…", "place": "p. 8", "note": "=a", "day": "2020-04-01"}, {"text": "Sand"}], "tags": ["owned", "Wüste"],
            "series": {"name": "Dune", "number": "1"}, "originalYear": 1965, "publisher": "Ace", "published": "2005-08",
            "language": "en", "contributors": [{"name": "Scott Brick", "role": "narrator"}]}),
    )
    .await;
    let again =
        reader.post(&format!("/api/books/{}/again", dune["id"]), json!({"startDate": "2026-01-02"})).await.expect(201);
    let day = format!("/api/books/{}/days/2026-01-05", again["book"]["id"]);
    put(&reader, &day, json!({"page": 100, "minutes": 40, "note": "=a, b"})).await;
    let emma = add(&reader, json!({"title": "Emma", "authors": ["Jane Austen", "A. Other"], "status": "did-not-finish", "stoppedDate": "2024-02-03"})).await;
    add(&reader, json!({"title": "Emma", "author": "Jane Austen", "status": "undated", "work": null})).await;
    for (book, text) in [(&dune, "one"), (&emma, "two")] {
        let cover = reader.request(Method::PUT, &format!("/api/books/{}/cover", book["id"]));
        reader.send(cover.body(png(5, 5, text.as_bytes()))).await.expect(200);
    }
    reader.patch("/api/tags/owned", json!({"shelf": true, "icon": "house"})).await.expect(200);
    for (goal, target) in [("2026/books", 52), ("2026-03/words", 100_000)] {
        put(&reader, &format!("/api/goals/{goal}"), json!({"target": target, "rereads": false})).await;
    }
    let list = "Title,Author,Exclusive Shelf,Number of Pages,Bookshelves,Binding,Date Added\nLater,\"C, D\",to-read,300,\"owned, sea\",Audible Audio,2025/01/02\n";
    reader.upload("/api/books/import", "list.csv", list, &[]).await.expect(200);
    reader.post("/api/tbr", json!({"title": "+Someday", "notes": "line\nbreak"})).await.expect(201);
    reader
        .patch("/api/preferences", json!({"theme": "dark", "ratingStep": 0.5, "timezone": "Asia/Tokyo"}))
        .await
        .expect(200);
    reader
}

#[tokio::test]
async fn a_complete_export_makes_the_same_library_in_another_account_and_its_undo_leaves_nothing() {
    let server = TestServer::start().await;
    let (old, new) = (filled(&server).await, server.reader().await);
    let (archive, empty) = (exported(&old).await, unzipped(&exported(&new).await));
    let wanted = unzipped(&archive);
    assert!(EQUAL.iter().all(|name| wanted.contains_key(*name)), "{:?}", wanted.keys());

    let preview = new.upload("/api/books/import?dryRun=true", "mine.zip", archive.clone(), &[]).await.expect(200);
    let numbers =
        |report: &Value| json!([report["imported"], report["importedTbr"], report["errors"], report["format"]]);
    assert_eq!(numbers(&preview), json!([4, 2, 0, "shelfwise"]));
    let restored = json!({"covers": 3, "coversLeftOut": 0, "tagShelves": 1, "views": 0, "goals": 2, "preferences": 0});
    assert_eq!((&preview["restored"], &preview["importId"]), (&restored, &Value::Null));
    assert_eq!(compared(&unzipped(&exported(&new).await)), compared(&empty), "a preview changes nothing");

    let choice = [("preferences", "restore")];
    let report = new.upload("/api/books/import", "mine.zip", archive.clone(), &choice).await.expect(200);
    let mut with_preferences = restored;
    with_preferences["preferences"] = json!(1);
    assert_eq!((numbers(&report), &report["restored"]), (json!([4, 2, 0, "shelfwise"]), &with_preferences));
    let made = unzipped(&exported(&new).await);
    for (name, content) in compared(&wanted) {
        assert_eq!(String::from_utf8_lossy(&made[&name]), String::from_utf8_lossy(&content), "{name}");
    }
    assert_eq!(compared(&made).len(), compared(&wanted).len());
    assert_eq!(made["preferences.json"], wanted["preferences.json"]);

    let twice = new.upload("/api/books/import", "mine.zip", archive, &choice).await.expect(200);
    assert_eq!((numbers(&twice), &twice["skipped"]), (json!([0, 0, 0, "shelfwise"]), &json!(6)));
    let nothing = json!({"covers": 0, "coversLeftOut": 0, "tagShelves": 0, "views": 0, "goals": 0, "preferences": 0});
    assert_eq!(twice["restored"], nothing);
    assert_eq!(compared(&unzipped(&exported(&new).await)), compared(&made));

    let undone = new.delete(&format!("/api/imports/{}", report["importId"])).await.expect(200);
    assert_eq!((&undone["removed"], &undone["removedTbr"], &undone["kept"]), (&json!(4), &json!(2), &json!([])));
    let left = unzipped(&exported(&new).await);
    assert_eq!(compared(&left), compared(&empty));
    assert_eq!(left["preferences.json"], empty["preferences.json"]);
    let (first, last) = (new.id << 24, (new.id + 1) << 24);
    let covers = move |conn: &rusqlite::Connection| {
        Ok(conn.query_row("SELECT count(*) FROM covers WHERE id BETWEEN ?1 AND ?2", [first, last], |row| {
            row.get::<_, i64>(0)
        })?)
    };
    assert_eq!(server.db.read(covers).await.unwrap(), 0);
}

#[tokio::test]
async fn what_was_there_or_changed_since_stays() {
    let server = TestServer::start().await;
    let (old, new) = (filled(&server).await, server.reader().await);
    add(&new, json!({"title": "Own", "author": "Me", "status": "undated", "tags": ["Owned"]})).await;
    new.patch("/api/tags/Owned", json!({"shelf": true, "icon": "star"})).await.expect(200);
    put(&new, "/api/goals/2026/books", json!({"target": 7})).await;
    let report = new.upload("/api/books/import", "mine.zip", exported(&old).await, &[]).await.expect(200);
    assert_eq!(
        report["restored"],
        json!({"covers": 3, "coversLeftOut": 0, "tagShelves": 0, "views": 0, "goals": 1, "preferences": 0})
    );
    put(&new, "/api/goals/2026-03/words", json!({"target": 9})).await;
    new.delete(&format!("/api/imports/{}", report["importId"])).await.expect(200);
    let goals = new.get("/api/goals").await.expect(200);
    let targets: Vec<_> = goals["data"].as_array().unwrap().iter().map(|goal| goal["target"].clone()).collect();
    assert_eq!(targets, [9, 7]);
    let tags = new.get("/api/tags").await.expect(200);
    assert_eq!(tags["data"], json!([{"name": "Owned", "books": 1, "shelf": true, "icon": "star"}]));
}

#[tokio::test]
async fn a_damaged_or_hostile_archive_is_refused_with_a_sentence_and_nothing_is_imported() {
    let server = TestServer::start().await;
    let (old, new) = (filled(&server).await, server.reader().await);
    let whole = unzipped(&exported(&old).await);
    let with = |name: &str, content: &[u8]| {
        let mut files = whole.clone();
        files.insert(name.to_owned(), content.to_vec());
        zipped(&files)
    };
    let spaces = vec![b' '; 21 << 20];
    let cases = [
        (with("goals.json", b"{"), 422, "goals.json in this archive can't be read. Nothing was imported."),
        (
            with("goals.json", br#"[{"period": "soon", "metric": "books", "target": 1, "rereads": true}]"#),
            422,
            "goals.json in this archive",
        ),
        (with("tags.json", b"[7]"), 422, "tags.json in this archive can't be read. Nothing was imported."),
        (with("books.csv", &spaces), 413, "This file is larger than 20 MB."),
        (with("goals.json", &spaces), 422, "goals.json in this archive can't be read. Nothing was imported."),
    ];
    for (archive, status, sentence) in cases {
        let refused = new.upload("/api/books/import", "mine.zip", archive, &[]).await;
        let said = refused.body["error"].as_str().unwrap_or_default();
        assert!(
            refused.status == status && said.starts_with(sentence),
            "{status} {sentence}: {} {said}",
            refused.status
        );
    }
    for megabytes in [21, 24] {
        let refused = new.upload("/api/books/import", "mine.zip", vec![0; megabytes << 20], &[]).await;
        let said = refused.body["error"].as_str().unwrap_or_default();
        assert!(refused.status == 413 && said.contains("(shelfwise import)"), "{}: {said}", refused.status);
    }
    let directory = b"PK\x01\x02".repeat(60_000);
    let crowded = [zipped(&whole), directory].concat();
    assert_eq!(new.upload("/api/books/import", "mine.zip", crowded, &[]).await.code(422), "unreadable_file");
    assert_eq!(
        new.upload("/api/books/import", "mine.zip", "PK", &[("preferences", "all")]).await.fields(),
        ["preferences"]
    );
    assert_eq!(new.get("/api/books").await.expect(200)["total"], 0);
    assert_eq!(new.get("/api/goals").await.expect(200)["data"], json!([]));

    let cover = whole.keys().find(|name| name.starts_with("covers/")).unwrap();
    let report = new.upload("/api/books/import", "mine.zip", with(cover, b"<svg/>"), &[]).await.expect(200);
    assert_eq!((&report["imported"], &report["restored"]["coversLeftOut"]), (&json!(4), &json!(2)));
    assert_eq!(report["restored"]["covers"], 1);
}

#[tokio::test]
async fn covers_beyond_the_quota_are_counted_and_the_list_alone_can_be_imported() {
    let server = TestServer::with(|config| config.lookup.cover_quota = 1).await;
    let (old, new) = (server.reader().await, server.reader().await);
    for number in 0..7 {
        let book = add(&old, json!({"title": format!("Book {number}"), "author": "A", "status": "undated"})).await;
        let cover = old.request(Method::PUT, &format!("/api/books/{}/cover", book["id"]));
        let picture = png(5, 5, &vec![number; 140_000]);
        old.send(cover.body(picture)).await.expect(200);
    }
    new.upload("/api/books/import", "mine.zip", exported(&old).await, &[]).await.expect(200);
    let (more, third) = (exported(&new).await, server.reader().await);
    let mut files = unzipped(&more);
    // The same pictures twice: the second half has no room.
    let table = String::from_utf8(files["covers.csv"].clone()).unwrap();
    let names: Vec<String> = files.keys().filter(|name| name.starts_with("covers/")).cloned().collect();
    let mut books = String::from_utf8(files["books.csv"].clone()).unwrap();
    let rows: Vec<String> = books.lines().skip(1).map(str::to_owned).collect();
    let mut covers = table;
    for (place, row) in rows.iter().enumerate() {
        books += &format!("{}\n", row.replace("Book ", "Other "));
        let copy = names[place].replace("covers/", "covers/2");
        covers += &format!("{},{copy}\n", rows.len() + place + 1);
        let content = files[&names[place]].clone();
        files.insert(copy, content);
    }
    files.insert("books.csv".into(), books.into_bytes());
    files.insert("covers.csv".into(), covers.into_bytes());
    let report = third.upload("/api/books/import", "mine.zip", zipped(&files), &[]).await.expect(200);
    assert_eq!(
        (&report["imported"], &report["restored"]["covers"], &report["restored"]["coversLeftOut"]),
        (&json!(14), &json!(7), &json!(7))
    );

    let fourth = server.reader().await;
    let list = filled(&server).await;
    let report = fourth.upload("/api/tbr/import", "mine.zip", exported(&list).await, &[]).await.expect(200);
    assert_eq!((&report["imported"], &report["leftOut"]), (&json!(2), &json!(0)));
    assert_eq!(report["restored"], Value::Null);
    assert_eq!(fourth.get("/api/books").await.expect(200)["total"], 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_command_imports_a_complete_export() {
    let server = TestServer::start().await;
    let (old, new) = (filled(&server).await, server.reader().await);
    let file = server.folder().join("mine.zip");
    std::fs::write(&file, exported(&old).await).unwrap();
    let ended = server.try_command(&["import", &new.email, file.to_str().unwrap(), "--preferences"], "").await;
    let program::Ended { status, out, err } = ended;
    assert_eq!(status, 0, "{err}");
    assert!(out.contains("Imported 4 books and 2 to-be-read items"), "{out}");
    assert!(out.contains("Restored as well: covers 3, shelves 1, goals 2, views 0, preferences 1."), "{out}");
    assert_eq!(new.get("/api/goals").await.expect(200)["data"].as_array().unwrap().len(), 2);
}

/// An account that moves to another server goes on with its tracker's files there.
#[tokio::test]
async fn a_newer_file_brings_a_restored_library_up_to_date() {
    let server = TestServer::start().await;
    let (old, new) = (server.plus().await, server.plus().await);
    let file = |rows: &str| {
        format!("Book Id,Title,Author,My Rating,Publisher,Number of Pages,Date Read,Exclusive Shelf,Read Count\n{rows}")
    };
    let first = file(
        "1,Emma,J A,4,Ace,100,2024/05/01,read,1\n2,Momo,M E,0,Ace,100,,to-read,0\n3,Dune,F H,0,Ace,100,,currently-reading,0\n\
         4,Owned,A B,0,Ace,100,,reference,0\n",
    );
    old.upload("/api/books/import", "goodreads.csv", first.clone(), &[]).await.expect(200);
    let archive = exported(&old).await;
    let report = new.upload("/api/books/import", "mine.zip", archive.clone(), &[]).await.expect(200);
    let imports = new.get("/api/imports").await.expect(200);
    assert_eq!(imports["data"].as_array().unwrap().len(), 2, "{imports}");
    new.upload("/api/books/import", "mine.zip", archive, &[]).await.expect(200);
    assert_eq!(new.get("/api/imports").await.expect(200)["data"].as_array().unwrap().len(), 3);

    let same = new.upload("/api/books/import?mode=sync", "goodreads.csv", first, &[]).await.expect(200);
    assert_eq!(same["importId"], Value::Null, "{same}");
    let newer = file(
        "1,Emma,J A,5,Ace,100,2024/05/03,read,1\n2,Momo,M E,3,Ace,100,2024/06/01,read,1\n3,Dune,F H,4,Ace,100,2024/07/01,read,1\n\
         4,Owned,A B,0,Ace,100,,reference,0\n",
    );
    let done = new.upload("/api/books/import?mode=sync", "goodreads.csv", newer, &[]).await.expect(200);
    assert_eq!(
        (&done["moved"], &done["changed"], &done["imported"], &done["importedTbr"]),
        (&json!(2), &json!(1), &json!(0), &json!(0)),
        "{done}"
    );
    assert_eq!(
        super::sync::books(&new).await,
        ["Dune completed 2024-07-01 8", "Emma completed 2024-05-03 10", "Momo completed 2024-06-01 6"]
    );
    new.delete(&format!("/api/operations/{}", done["undoId"])).await.expect(200);
    new.delete(&format!("/api/imports/{}", report["importId"])).await.expect(200);
    assert_eq!(new.get("/api/books").await.expect(200)["total"], 0);
    let left = new.get("/api/imports").await.expect(200);
    assert!(
        left["data"]
            .as_array()
            .unwrap()
            .iter()
            .all(|import| import["format"] != "goodreads" || !import["undone"].is_null()),
        "{left}"
    );
}
