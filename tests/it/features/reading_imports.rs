//! Files with reading in them: what each becomes, its preview, and its undo.
use std::collections::BTreeMap;
use std::io::{Cursor, Write as _};

use chrono::{DateTime, NaiveDate};
use rusqlite::Connection;
use serde_json::{Value, json};
use zip::write::SimpleFileOptions;

use super::devices::{DIGEST, Device, ago, book, days, decide, documents, statistics};
use crate::support::actors::{Reader, TestResponse};
use crate::support::harness::TestServer;

const IMPORT: &str = "/api/reading/import";
const PREVIEW: &str = "/api/reading/import?dryRun=true";

async fn import(reader: &Reader, name: &str, file: impl Into<Vec<u8>>) -> Value {
    reader.upload(IMPORT, name, file, &[]).await.expect(200)
}

async fn undo(reader: &Reader, report: &Value) -> TestResponse {
    reader.delete(&format!("/api/imports/{}", report["importId"])).await
}

/// The documents and a read with its log, without the time of the last change.
async fn all(reader: &Reader, book: i64) -> Value {
    let mut read = reader.get(&format!("/api/books/{book}")).await.expect(200)["book"].clone();
    read.as_object_mut().unwrap().remove("updatedAt");
    json!([read, days(reader, book).await, documents(reader).await])
}

#[tokio::test]
async fn statistics_are_previewed_imported_once_and_undone() {
    let server = TestServer::start().await;
    let nora = server.reader().await;
    let (first, second) = (ago(&server, 3), ago(&server, 2));
    let id = book(&nora, json!({"startDate": second})).await;
    nora.put(&format!("/api/books/{id}/days/{second}"), json!({"note": "Slow."})).await.expect(200);
    let before = all(&nora, id).await;
    let file = statistics(&[("Trust", DIGEST, &[(first, 1, 30), (second, 25, 60)]), ("Guide", "g", &[(first, 1, 9)])]);

    let preview = nora.upload(PREVIEW, "statistics.sqlite3", file.clone(), &[]).await.expect(200);
    let figures = json!({"format": "koreader", "documents": 2, "days": 3, "minutes": 75, "quotes": 0, "finished": 0,
        "rejected": 0, "importId": null});
    assert_eq!(preview, figures);
    assert_eq!(all(&nora, id).await, before, "a preview stores nothing");
    assert_eq!(nora.get("/api/imports").await.expect(200)["data"], json!([]));

    let report = import(&nora, "statistics.sqlite3", file.clone()).await;
    assert_eq!(report["days"], 3);
    assert!(report["importId"].is_i64(), "{report}");
    let log = days(&nora, id).await;
    assert_eq!((&log[0]["at"], &log[1]["at"], &log[1]["note"]), (&json!(1_000), &json!(2_000), &json!("Slow.")));
    assert_eq!(documents(&nora).await.len(), 2);
    let listed = nora.get("/api/imports?kind=reading").await.expect(200)["data"].clone();
    assert_eq!((listed.as_array().unwrap().len(), &listed[0]["imported"]), (1, &json!(3)));
    let operation = nora.get("/api/operations").await.expect(200)["data"][0].clone();
    assert_eq!(operation["summary"], "Took 3 days of 2 books from statistics.sqlite3.");
    assert_eq!((&operation["kind"], &operation["importId"]), (&json!("device"), &report["importId"]));

    let again = import(&nora, "statistics.sqlite3", file.clone()).await;
    assert_eq!((&again["days"], &again["importId"]), (&json!(0), &Value::Null), "nothing is new");
    undo(&nora, &report).await.expect(200);
    assert_eq!(all(&nora, id).await, before);
    assert_eq!(undo(&nora, &report).await.status, 409);
    let redone = import(&nora, "statistics.sqlite3", file).await;
    assert_eq!(redone["days"], 3);
    assert_eq!(days(&nora, id).await, log);
    undo(&nora, &redone).await.expect(200);
    assert_eq!(all(&nora, id).await, before);
}

#[tokio::test]
async fn what_the_reader_removed_or_ignores_survives_file_and_undo() {
    let server = TestServer::start().await;
    let nora = server.reader().await;
    let (first, second) = (ago(&server, 3), ago(&server, 2));
    let id = book(&nora, json!({})).await;
    let file = statistics(&[("Trust", DIGEST, &[(first, 1, 30), (second, 31, 60)]), ("Guide", "g", &[(first, 1, 9)])]);
    let report = import(&nora, "statistics.sqlite3", file.clone()).await;
    nora.delete(&format!("/api/books/{id}/days/{first}")).await.expect(204);
    let guide = documents(&nora).await.into_iter().find(|one| one["title"] == "Guide").unwrap();
    decide(&nora, &guide, json!({"ignore": true})).await.expect(200);
    undo(&nora, &report).await.expect(200);
    let kept = async || days(&nora, id).await.into_iter().filter(|day| day["dismissed"].is_null()).collect::<Vec<_>>();
    assert!(kept().await.is_empty());
    import(&nora, "statistics.sqlite3", file).await;
    let log = kept().await;
    assert_eq!((log.len(), &log[0]["day"]), (1, &json!(second)), "the removed day stays removed");
    let guide = documents(&nora).await.into_iter().find(|one| one["title"] == "Guide").unwrap();
    assert_eq!(guide["ignored"], true);
}

#[tokio::test]
async fn an_undo_leaves_what_a_device_says_too_and_days_of_finished_reads_go_as_they_came() {
    let server = TestServer::start().await;
    let nora = server.reader().await;
    let device = Device::of(&server, &nora).await;
    let (first, second, third) = (ago(&server, 4), ago(&server, 3), ago(&server, 2));
    let id = book(&nora, json!({"startDate": first})).await;
    device.put(statistics(&[("Trust", DIGEST, &[(second, 31, 60)])])).await.expect(201);
    let whole = statistics(&[("Trust", DIGEST, &[(first, 1, 30), (second, 31, 60), (third, 61, 90)])]);
    let report = import(&nora, "statistics.sqlite3", whole).await;
    assert_eq!((&report["days"], &report["documents"]), (&json!(2), &json!(1)));
    device.put(statistics(&[("Trust", DIGEST, &[(second, 31, 60), (third, 61, 90)])])).await.expect(204);
    nora.patch(&format!("/api/books/{id}"), json!({"status": "completed", "dateCompleted": third})).await.expect(200);
    assert_eq!(days(&nora, id).await.len(), 3);
    undo(&nora, &report).await.expect(200);
    let left: Vec<_> = days(&nora, id).await.iter().map(|day| day["day"].clone()).collect();
    assert_eq!(left, [json!(second), json!(third)], "the device has both");
}

#[tokio::test]
async fn the_same_key_imports_once() {
    let server = TestServer::start().await;
    let nora = server.reader().await;
    book(&nora, json!({})).await;
    let file = statistics(&[("Trust", DIGEST, &[(ago(&server, 3), 1, 30)])]);
    let mut answers = Vec::new();
    for _ in 0..2 {
        let part = reqwest::multipart::Part::bytes(file.clone()).file_name("statistics.sqlite3");
        let form = reqwest::multipart::Form::new().part("file", part);
        let request = nora.request(reqwest::Method::POST, IMPORT).header("idempotency-key", "one").multipart(form);
        answers.push(nora.send(request).await.expect(200));
    }
    assert_eq!(answers[0], answers[1]);
    assert_eq!(nora.get("/api/imports").await.expect(200)["data"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn any_table_of_days_comes_in_with_its_columns_guessed_or_chosen() {
    let server = TestServer::start().await;
    let nora = server.reader().await;
    let (first, second) = (ago(&server, 3), ago(&server, 2));
    let id = book(&nora, json!({"startDate": first})).await;
    let table = format!(
        "Date,Book,Author,Page,Duration\n{first} 21:10,Trust,Hernan Diaz,30,0:20\n{first} 23:00,Trust,Hernan Diaz,45,25 min\n\
         {second},Trust,Hernan Diaz,90,1h 5m\n{second},Trust,Hernan Diaz,,\nsoon,Trust,,1,\n2999-01-01,Trust,,1,\n"
    );
    let preview = nora.upload(PREVIEW, "days.csv", table.clone(), &[]).await.expect(200);
    assert_eq!(preview["columns"][4], json!({"name": "Duration", "sample": "0:20", "field": "minutes"}));
    let report = import(&nora, "days.csv", table).await;
    for (key, value) in
        [("format", json!("days")), ("documents", json!(1)), ("days", json!(2)), ("minutes", json!(110))]
    {
        assert_eq!((&report[key], &preview[key]), (&value, &value), "{key}");
    }
    assert_eq!(report["rejected"], 3);
    let log = days(&nora, id).await;
    let day = |place: usize| json!([log[place]["day"], log[place]["at"], log[place]["minutes"], log[place]["covered"]]);
    assert_eq!((day(0), day(1)), (json!([first, 1_500, 45, null]), json!([second, 3_000, 65, null])));
    undo(&nora, &report).await.expect(200);
    assert!(days(&nora, id).await.is_empty() && documents(&nora).await.is_empty());

    let own = format!("Wann;Was;Bis\n{first};Trust;12,5 %\n");
    let unmapped = nora.upload(PREVIEW, "days.csv", own.clone(), &[]).await.expect(200);
    assert_eq!((&unmapped["days"], &unmapped["columns"][0]["field"]), (&json!(0), &Value::Null));
    assert_eq!(nora.upload(IMPORT, "days.csv", own.clone(), &[]).await.expect(422)["code"], "unknown_columns");
    let map = json!({"wann": "day", "Was": "title", "Bis": "percent"}).to_string();
    let mapped = nora.upload(IMPORT, "days.csv", own.clone(), &[("columnMap", &map)]).await.expect(200);
    assert_eq!(mapped["days"], 1);
    let wrong = nora.upload(IMPORT, "days.csv", own, &[("columnMap", r#"{"Bis": "place"}"#)]).await.expect(422);
    assert!(wrong["fields"]["columnMap"].is_string(), "{wrong}");
}

#[tokio::test]
async fn a_wrong_file_says_what_it_is() {
    let server = TestServer::start().await;
    let nora = server.reader().await;
    let folder = tempfile::tempdir().unwrap();
    Connection::open(folder.path().join("a")).unwrap().execute_batch("CREATE TABLE photos (id)").unwrap();
    let photos = std::fs::read(folder.path().join("a")).unwrap();
    for (file, sentence) in [
        (photos, "This SQLite file is from none of the programs that we know: it has no table `page_stat_data`."),
        (
            b"[{\"AudibleProductId\": \"B00\", \"Title\": \"Dune\"}]".to_vec(),
            "This is a file of books from Libation. Import it on the import page.",
        ),
        (
            b"Book Id,Title,Author,Author l-f,Additional Authors,ISBN,ISBN13,My Rating,Exclusive Shelf,Date Read\n1,A,B,,,,,5,read,\n".to_vec(),
            "This is a file of books from Goodreads. Import it on the import page.",
        ),
        (b"{\"x\": 1}".to_vec(), "This file is from none of the programs that we know."),
    ] {
        let refused = nora.upload(IMPORT, "file", file, &[]).await.expect(422);
        assert_eq!((&refused["code"], &refused["error"]), (&json!("unreadable_file"), &json!(sentence)));
    }
    assert_eq!(nora.upload(IMPORT, "large", vec![b'x'; (64 << 20) + 1], &[]).await.status, 413);
    assert_eq!(nora.get("/api/imports").await.expect(200)["data"], json!([]));
}

/// Numbers that are the same in each run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: i64) -> i64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        i64::try_from(self.0 >> 33).unwrap() % most
    }
}

#[tokio::test]
async fn a_hundred_thousand_faulty_rows_are_what_an_independent_count_says() {
    let server = TestServer::start().await;
    let nora = server.reader().await;
    let start = ago(&server, 400);
    let id = book(&nora, json!({"startDate": start})).await;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("statistics.sqlite3");
    let mut conn = Connection::open(&path).unwrap();
    conn.execute_batch(
        "CREATE TABLE book (id integer PRIMARY KEY, title text, authors text, pages integer, md5 text);
        CREATE TABLE page_stat_data (id_book integer, page, start_time, duration, total_pages);
        INSERT INTO book VALUES (1, 'Trust', 'Diaz, Hernan', 300, 'a'), (2, 'Trust', 'Hernan Diaz', 90, 'a'), (3, 'Other', 'N/A', 9, NULL);",
    )
    .unwrap();
    // Several layouts, pages beyond the last one, echoes, long sleeps, and what is no page turn at all.
    let mut numbers = Numbers(7);
    let mut rows = BTreeMap::<(i64, i64), (i64, i64)>::new();
    let mut rejected = 0;
    let tx = conn.transaction().unwrap();
    let noon = start.and_hms_opt(12, 0, 0).unwrap().and_utc().timestamp();
    for number in 0..100_000_i64 {
        let total = [90, 300, 412, 1_000][usize::try_from(numbers.below(4)).unwrap()];
        let page = 1 + numbers.below(total * 3 / 2) * number / 100_000;
        let time = noon + (number / 10) * 3_200 + numbers.below(200) * 7;
        let duration = if numbers.below(50) == 0 { 100_000 } else { numbers.below(300) };
        let wrong = numbers.below(100);
        let row = match wrong {
            0 => (1, 0, time, duration, total),
            1 => (1, page, -time, duration, total),
            2 => (1, page, time, duration, 0),
            3 => (77, page, time, duration, total),
            4 => (1, page, time, -duration - 1, total),
            _ => (1 + number % 2, page, time, duration, total),
        };
        tx.execute("INSERT INTO page_stat_data VALUES (?1, ?2, ?3, ?4, ?5)", row).unwrap();
        if wrong < 5 {
            rejected += 1;
            continue;
        }
        // The longest of equal page and time wins.
        let known = rows.entry((time, page)).or_insert((duration.min(86_400), total));
        if duration.min(86_400) > known.0 {
            *known = (duration.min(86_400), total);
        }
        if number % 20 == 0 {
            let echo = (1 + (number + 1) % 2, page, time, duration.min(3), total);
            tx.execute("INSERT INTO page_stat_data VALUES (?1, ?2, ?3, ?4, ?5)", echo).unwrap();
        }
    }
    tx.commit().unwrap();
    conn.close().unwrap();

    let report = import(&nora, "statistics.sqlite3", std::fs::read(&path).unwrap()).await;
    assert_eq!(report["rejected"], rejected);
    let mut marks = vec![false; 1_000_000];
    let mut expected = BTreeMap::<NaiveDate, (i64, i64, i64)>::new();
    let mut marked = 0;
    for ((time, page), (duration, total)) in rows {
        let place = |page: i64| usize::try_from((page * 1_000_000 / total).min(1_000_000)).unwrap();
        let before = marked;
        for mark in &mut marks[place(page - 1)..place(page)] {
            marked += i64::from(!*mark);
            *mark = true;
        }
        let day = expected.entry(DateTime::from_timestamp(time, 0).unwrap().date_naive()).or_default();
        day.0 = i64::try_from(place(page)).unwrap() / 100;
        day.1 += duration.min(600);
        day.2 += marked / 100 - before / 100;
    }
    let log = days(&nora, id).await;
    assert_eq!(log.len(), expected.len());
    for (row, (day, (at, seconds, covered))) in log.iter().zip(expected) {
        let minutes = ((seconds + 30) / 60).min(1_440);
        let found = json!([row["day"], row["at"], row["minutes"], row["covered"]]);
        assert_eq!(found, json!([day, at, minutes, covered]));
    }
}

/// A database as a file.
fn database(sql: &str, fill: impl FnOnce(&Connection)) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    let conn = Connection::open(&path).unwrap();
    conn.execute_batch(sql).unwrap();
    fill(&conn);
    conn.close().unwrap();
    std::fs::read(&path).unwrap()
}

/// An archive with these files.
fn archive(files: &[(&str, &str)]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in files {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(text.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

const KOBO: &str = "CREATE TABLE content (ContentID TEXT NOT NULL, ContentType TEXT NOT NULL, BookID TEXT, Title TEXT, Attribution TEXT,
        ISBN TEXT, ReadStatus INTEGER, ___PercentRead INTEGER, DateLastRead TEXT, LastTimeFinishedReading TEXT, WordCount INTEGER NOT NULL DEFAULT -1);
    CREATE TABLE Bookmark (BookmarkID TEXT, VolumeID TEXT, Text TEXT, Hidden BOOL, Type TEXT);
    CREATE TABLE Event (EventType INTEGER, FirstOccurrence TEXT, LastOccurrence TEXT, EventCount INTEGER, ContentID TEXT, ExtraData BLOB);";

/// The times of an event as Qt writes them.
fn event(times: &[i64]) -> Vec<u8> {
    let name: Vec<u8> = "eventTimestamps".encode_utf16().flat_map(u16::to_be_bytes).collect();
    let int = |number: usize| u32::try_from(number).unwrap().to_be_bytes();
    let mut data = [&int(1)[..], &int(name.len()), &name, &int(9), &[0], &int(times.len())].concat();
    for time in times {
        data.extend([&int(3)[..], &[0], &u32::try_from(*time).unwrap().to_be_bytes()].concat());
    }
    data
}

#[tokio::test]
async fn a_kobo_brings_places_sessions_finishes_and_words() {
    let server = TestServer::start().await;
    let nora = server.reader().await;
    let (first, second) = (ago(&server, 3), ago(&server, 2));
    let id = book(&nora, json!({"startDate": first, "wordCount": null})).await;
    let noon = first.and_hms_opt(12, 0, 0).unwrap().and_utc().timestamp();
    let file = database(KOBO, |conn| {
        let sql = "INSERT INTO content (ContentID, ContentType, BookID, Title, Attribution, ReadStatus, ___PercentRead, DateLastRead,
            LastTimeFinishedReading, WordCount) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";
        let none = "";
        let when = format!("{second}T20:00:00.000");
        let ended = format!("{first}T20:00:00Z");
        for row in [
            ("trust", "6", none, "Trust", "Hernan Diaz", 1, 42, when.as_str(), none, -1),
            ("trust#1", "9", "trust", "One", none, 0, 0, none, none, 60_000),
            ("trust#2", "9", "trust", "Two", none, 0, 0, none, none, 38_000),
            ("trust#toc", "899", "trust", "One", none, 0, 0, none, none, 60_000),
            ("dust", "6", none, "Dust", "Hugh Howey", 2, 100, when.as_str(), ended.as_str(), -1),
            ("new", "6", none, "Not opened", "Nobody", 0, 0, none, none, -1),
        ] {
            let (id, kind, book, title, author, status, percent, last, finish, words) = row;
            conn.execute(sql, rusqlite::params![id, kind, book, title, author, status, percent, last, finish, words])
                .unwrap();
        }
        // A session of half an hour, and one that was never closed.
        for (kind, times) in [(1020, [noon, noon + 9_000]), (1021, [noon + 1_800, noon + 90_000])] {
            let row = (kind, "trust", event(&times));
            conn.execute("INSERT INTO Event (EventType, ContentID, ExtraData) VALUES (?1, ?2, ?3)", row).unwrap();
        }
        conn.execute("INSERT INTO Event (EventType, ContentID, ExtraData) VALUES (1020, 'trust', x'ffffffff')", [])
            .unwrap();
    });
    let before = all(&nora, id).await;
    let report = import(&nora, "KoboReader.sqlite", file).await;
    let figures = json!([report["format"], report["documents"], report["days"], report["minutes"], report["finished"]]);
    assert_eq!(figures, json!(["kobo", 2, 3, 30, 1]));
    let log = days(&nora, id).await;
    let day = |place: usize| json!([log[place]["day"], log[place]["at"], log[place]["minutes"]]);
    assert_eq!((day(0), day(1)), (json!([first, null, 30]), json!([second, 4_200, null])));
    let read = nora.get(&format!("/api/books/{id}")).await.expect(200)["book"].clone();
    assert_eq!((&read["wordCount"], &read["wordCountSource"]), (&json!(98_000), &json!("epub")));
    let dust = book(&nora, json!({"title": "Dust", "author": "Hugh Howey", "startDate": first})).await;
    let waiting = documents(&nora).await.into_iter().find(|one| one["title"] == "Dust").unwrap();
    decide(&nora, &waiting, json!({"bookId": dust})).await.expect(200);
    let asked = documents(&nora).await.into_iter().find(|one| one["title"] == "Dust").unwrap();
    assert_eq!(asked["finish"], json!({"day": first, "because": "explicit"}));
    nora.delete(&format!("/api/books/{dust}")).await.expect(204);
    undo(&nora, &report).await.expect(200);
    assert_eq!(all(&nora, id).await, before);
}

#[tokio::test]
async fn kindle_data_brings_minutes_and_finishes_whichever_table_has_them() {
    let server = TestServer::start().await;
    let nora = server.reader().await;
    let (first, second) = (ago(&server, 3), ago(&server, 2));
    let id = book(&nora, json!({"startDate": first})).await;
    let file = archive(&[
        (
            "Kindle.Devices.ReadingSession/Kindle.Devices.ReadingSession.csv",
            &format!(
                "\u{feff}start_timestamp,end_timestamp,ASIN,total_reading_millis,number_of_page_flips\n\
             {first}T10:00:00Z,{first}T10:20:00Z,B00TRUST,1200000,9\n{first}T22:00:00Z,{first}T22:10:00Z,B00TRUST,600000,9\n\
             Not Available,{first}T22:10:00Z,B00TRUST,600000,9\n{first}T22:00:00Z,x,B00TRUST,-5,9\n"
            ),
        ),
        (
            "Kindle.ReadingInsights/datasets/sessions_with_adjustments.csv",
            &format!(
                "start_time,end_time,total_reading_milliseconds,ASIN,product_name\n{first}T10:00:00Z,{first}T10:25:00Z,1500000,B00TRUST,Trust\n\
             {second}T10:00:00Z,{second}T10:25:00Z,1500000,B00TRUST,Trust\n"
            ),
        ),
        (
            "Kindle.UserUniqueTitlesCompleted.csv",
            &format!("asin_date_and_content_type,product_name\nB00TRUST_{second}_Automatic,Trust\nbroken,x\n"),
        ),
        ("Digital.Authors/CustomerAuthorNameRelationship_FE.csv", "ASIN,Author Name\nB00TRUST,\"Diaz, Hernan\"\n"),
        ("readme.txt", "nothing"),
    ]);
    let report = import(&nora, "Kindle.zip", file).await;
    let figures = json!([
        report["format"], report["documents"], report["days"], report["minutes"], report["finished"],
        report["rejected"]
    ]);
    assert_eq!(figures, json!(["kindle", 1, 2, 55, 1, 3]));
    let log = days(&nora, id).await;
    let day = |place: usize| json!([log[place]["day"], log[place]["at"], log[place]["minutes"]]);
    assert_eq!((day(0), day(1)), (json!([first, null, 30]), json!([second, 10_000, 25])));
    let document = documents(&nora).await[0].clone();
    assert_eq!(document["finish"], json!({"day": second, "because": "explicit"}));
    nora.delete(&format!("/api/documents/{}/finish", document["id"])).await.expect(204);
    assert_eq!(documents(&nora).await[0]["finish"], Value::Null);
    undo(&nora, &report).await.expect(200);
    assert!(days(&nora, id).await.is_empty() && documents(&nora).await.is_empty());
    let other = nora.upload(IMPORT, "a.zip", archive(&[("a.csv", "x,y\n1,2\n")]), &[]).await.expect(422);
    assert!(other["error"].as_str().unwrap().starts_with("This archive has none of Kindle's"), "{other}");
}

#[tokio::test]
async fn calibre_brings_words_digests_and_days_of_finishing_of_books_that_are_here() {
    let server = TestServer::start().await;
    let nora = server.reader().await;
    let day = ago(&server, 2);
    let id = book(&nora, json!({"startDate": day, "wordCount": null})).await;
    let file = database(
        "CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT); CREATE TABLE authors (id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE books_authors_link (id INTEGER PRIMARY KEY, book INTEGER, author INTEGER);
        CREATE TABLE custom_columns (id INTEGER PRIMARY KEY, label TEXT, datatype TEXT);
        INSERT INTO custom_columns VALUES (1, 'words', 'int'), (2, 'ko_md5', 'text'), (3, 'ko_finish', 'datetime'), (4, 'words', 'text');
        CREATE TABLE custom_column_1 (id INTEGER PRIMARY KEY, book INTEGER, value INT);
        CREATE TABLE custom_column_2 (id INTEGER PRIMARY KEY, value TEXT);
        CREATE TABLE books_custom_column_2_link (id INTEGER PRIMARY KEY, book INTEGER, value INTEGER);
        CREATE TABLE custom_column_3 (id INTEGER PRIMARY KEY, book INTEGER, value timestamp);
        INSERT INTO books VALUES (1, 'Trust'), (2, 'Nobody reads this'), (3, 'Dust');
        INSERT INTO authors VALUES (1, 'Hernan Diaz'), (2, 'Hugh Howey');
        INSERT INTO books_authors_link (book, author) VALUES (1, 1), (2, 1), (3, 2);
        INSERT INTO custom_column_1 (book, value) VALUES (1, 97000), (2, 5);
        INSERT INTO custom_column_2 VALUES (7, '59D481D168CCA6267322F150C5F6A2A3');
        INSERT INTO books_custom_column_2_link (book, value) VALUES (1, 7);",
        |conn| {
            let time = format!("{day} 12:00:00+00:00");
            conn.execute("INSERT INTO custom_column_3 (book, value) VALUES (3, ?1), (2, '0101-01-01 00:00:00+00:00')", [time]).unwrap();
        },
    );
    let report = import(&nora, "metadata.db", file).await;
    assert_eq!(
        json!([report["format"], report["documents"], report["days"], report["finished"]]),
        json!(["calibre", 2, 1, 1])
    );
    let read = nora.get(&format!("/api/books/{id}")).await.expect(200)["book"].clone();
    assert_eq!(read["wordCount"], 97_000);
    let known = documents(&nora).await.into_iter().find(|one| one["bookId"] == id).unwrap();
    assert_eq!((&known["digest"], &known["words"]), (&json!(DIGEST), &json!(97_000)));
    undo(&nora, &report).await.expect(200);
    let read = nora.get(&format!("/api/books/{id}")).await.expect(200)["book"].clone();
    assert_eq!((&read["wordCount"], &read["wordCountSource"]), (&json!(0), &json!("entered")));
    assert!(documents(&nora).await.is_empty());
}

#[tokio::test]
async fn hostile_files_run_nothing_and_end() {
    let server = TestServer::start().await;
    let nora = server.reader().await;
    let endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT";
    let view = |name: &str, columns: &str| format!("CREATE VIEW {name} AS {endless} {columns} FROM n;");
    let kobo_view = format!("CREATE TABLE Bookmark (a); {}", view("content", "x AS ContentID, 6 AS ContentType"));
    let calibre_view = format!(
        "CREATE TABLE custom_columns (id, label, datatype); CREATE TABLE books (id, title); CREATE TABLE authors (id, name); {}",
        view("books_authors_link", "x AS id, x AS book, x AS author")
    );
    let trigger = "CREATE TABLE book (id, title, authors, md5, pages); CREATE TABLE page_stat_data (id_book, page, start_time, duration, total_pages);
        CREATE TRIGGER t AFTER INSERT ON book BEGIN DELETE FROM page_stat_data; END; INSERT INTO book VALUES (1, 'T', '', '', 9);";
    for (sql, statuses) in [(kobo_view.as_str(), [422, 422]), (&calibre_view, [422, 422]), (trigger, [200, 200])] {
        let answer = nora.upload(PREVIEW, "a.sqlite", database(sql, |_| ()), &[]).await;
        assert!(statuses.contains(&answer.status), "{sql}: {}", answer.body);
    }
    // A damaged page anywhere is refused or read around, and nothing is stored of it.
    let whole = statistics(&[("Trust", DIGEST, &[(ago(&server, 3), 1, 300)])]);
    for place in (100..whole.len()).step_by(whole.len() / 7) {
        let mut damaged = whole.clone();
        let end = (place + 512).min(damaged.len());
        damaged[place..end].fill(0xff);
        let answer = nora.upload(PREVIEW, "a.sqlite", damaged, &[]).await;
        assert!(matches!(answer.status, 200 | 422), "{place}: {}", answer.body);
    }
    let one_row = format!("ASIN,total_reading_millis,start_time\n{}", "x".repeat(64 << 20));
    let many_rows = format!("ASIN,total_reading_millis,start_time\n{}", "a,1,b\n".repeat(2_100_000));
    // Rows or time, whichever ends first.
    for (file, statuses) in [(one_row, [422, 422]), (many_rows, [413, 503])] {
        let bomb = archive(&[("Kindle.Devices.ReadingSession.csv", &file)]);
        assert!(bomb.len() < 1 << 20);
        let answer = nora.upload(PREVIEW, "a.zip", bomb, &[]).await;
        assert!(statuses.contains(&answer.status), "{}", answer.body);
    }
    assert_eq!(nora.get("/api/imports").await.expect(200)["data"], json!([]));
}
