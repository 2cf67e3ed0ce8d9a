//! A newer file of a tracker brings a library up to date: what has changed there is taken over, what was changed here stays, and one undo gives
//! back every row.
use std::collections::BTreeMap;

use rusqlite::types::Value as Stored;
use serde_json::{Value, json};

use crate::support::actors::{Reader, TestResponse};
use crate::support::harness::TestServer;

const HEADER: &str = "Book Id,Title,Author,ISBN13,My Rating,Average Rating,Publisher,Number of Pages,Year Published,Original Publication Year,\
    Date Read,Date Added,Bookshelves,Exclusive Shelf,My Review,Read Count,Owned Copies\n";

/// A row of Goodreads: shelf, stars, date, count.
#[derive(Clone)]
struct Row {
    id: u32,
    title: String,
    shelf: &'static str,
    stars: u8,
    read: &'static str,
    count: u8,
    review: String,
    publisher: &'static str,
}

fn row(id: u32, title: &str, shelf: &'static str, stars: u8, read: &'static str, count: u8) -> Row {
    Row { id, title: title.into(), shelf, stars, read, count, review: String::new(), publisher: "Ace" }
}

fn file(rows: &[Row]) -> String {
    let line = |row: &Row| {
        let Row { id, title, shelf, stars, read, count, review, publisher } = row;
        format!(
            "{id},{title},Ann Author,,{stars},3.9,{publisher},100,1999,1990,{read},2020/01/01,{shelf},{shelf},{review},{count},0\n"
        )
    };
    HEADER.to_owned() + &rows.iter().map(line).collect::<String>()
}

async fn sent(reader: &Reader, query: &str, text: &str, fields: &[(&str, &str)]) -> TestResponse {
    reader.upload(&format!("/api/books/import{query}"), "goodreads_library_export.csv", text, fields).await
}

/// Brings a library up to date with the text of a file.
pub async fn sync_text(reader: &Reader, text: &str) -> Value {
    sent(reader, "?mode=sync", text, &[]).await.expect(200)
}

async fn import(reader: &Reader, rows: &[Row]) -> Value {
    sent(reader, "", &file(rows), &[]).await.expect(200)
}

async fn preview(reader: &Reader, rows: &[Row]) -> Value {
    sent(reader, "?mode=sync&dryRun=true", &file(rows), &[]).await.expect(200)
}

async fn sync_with(reader: &Reader, rows: &[Row], fields: &[(&str, &str)]) -> Value {
    sent(reader, "?mode=sync", &file(rows), fields).await.expect(200)
}

async fn sync(reader: &Reader, rows: &[Row]) -> Value {
    sync_with(reader, rows, &[]).await
}

/// The books in short form: title, status, date, rating, reread.
pub async fn books(reader: &Reader) -> Vec<String> {
    let list = reader.get("/api/books?sort=title&direction=asc").await.expect(200);
    let mut books: Vec<String> = list["data"].as_array().unwrap().iter().map(short).collect();
    books.sort();
    books
}

pub fn short(book: &Value) -> String {
    let day = match (&book["completedFrom"], &book["dateCompleted"]) {
        (Value::Null, Value::Null) => "-".to_owned(),
        (Value::Null, day) => day.as_str().unwrap().to_owned(),
        (from, day) => format!("{}/{}", from.as_str().unwrap(), day.as_str().unwrap()),
    };
    let reread = if book["reread"] == true { " again" } else { "" };
    format!("{} {} {day} {}{reread}", book["title"].as_str().unwrap(), book["status"].as_str().unwrap(), book["rating"])
}

pub async fn book(reader: &Reader, title: &str) -> Value {
    let list = reader.get("/api/books").await.expect(200);
    list["data"].as_array().unwrap().iter().find(|book| book["title"] == title).unwrap().clone()
}

async fn change(reader: &Reader, title: &str, fields: Value) {
    let id = book(reader, title).await["id"].clone();
    reader.patch(&format!("/api/books/{id}"), fields).await.expect(200);
}

async fn list(reader: &Reader) -> Vec<String> {
    let items = reader.get("/api/tbr").await.expect(200);
    items["data"].as_array().unwrap().iter().map(|item| item["title"].as_str().unwrap().to_owned()).collect()
}

/// Every row of the library's tables, as it is stored.
pub async fn stored(server: &TestServer) -> BTreeMap<&'static str, Vec<Vec<Stored>>> {
    const TABLES: [&str; 8] = [
        "books", "book_texts", "tbr", "imported_books", "imported_items", "import_rows", "reading_days", "read_months",
    ];
    let tables = server.db.read(|conn| {
        let mut tables = BTreeMap::new();
        for table in TABLES {
            let mut query = conn.prepare(&format!("SELECT * FROM {table} ORDER BY 1, 2"))?;
            let width = query.column_count();
            let rows = query.query_map([], |row| (0..width).map(|at| row.get(at)).collect())?;
            tables.insert(table, rows.collect::<rusqlite::Result<Vec<Vec<Stored>>>>()?);
        }
        Ok(tables)
    });
    tables.await.unwrap()
}

fn counts(report: &Value) -> [i64; 7] {
    ["imported", "importedTbr", "moved", "changed", "inConflict", "gone", "deletedHere"]
        .map(|key| report[key].as_i64().unwrap_or_else(|| panic!("{key}: {report}")))
}

/// The rules' table: a row of the last file, what its reader did here, the row of the new file, and the result.
#[tokio::test]
async fn every_field_is_compared_with_the_last_file() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let last = [
        row(1, "List", "to-read", 0, "", 0),
        row(2, "Better", "read", 4, "2024/01/05", 1),
        row(3, "Both", "read", 4, "2024/01/05", 1),
        row(4, "Open", "read", 4, "2024/01/05", 1),
        row(5, "Twice", "read", 4, "2024/01/05", 1),
        row(6, "Rough", "read", 0, "", 1),
        row(7, "Gone", "read", 4, "2024/01/05", 1),
        row(8, "Corrected", "read", 4, "2024/01/05", 1),
        row(9, "Reading", "currently-reading", 0, "", 0),
        row(10, "Mine", "read", 4, "2024/01/05", 1),
        row(11, "Deleted", "read", 4, "2024/01/05", 1),
        row(12, "Still wanted", "to-read", 0, "", 0),
        row(13, "Started", "to-read", 0, "", 0),
    ];
    import(&reader, &last).await;
    change(&reader, "Both", json!({"rating": 8.5})).await;
    change(&reader, "Rough", json!({"status": "completed", "dateCompleted": "2019"})).await;
    change(&reader, "Mine", json!({"rating": 9, "impressions": "My own"})).await;
    let gone = book(&reader, "Deleted").await["id"].clone();
    assert_eq!(reader.delete(&format!("/api/books/{gone}")).await.status, 204);
    let items = reader.get("/api/tbr").await.expect(200);
    let item = items["data"].as_array().unwrap().iter().find(|item| item["title"] == "Started").unwrap();
    reader.post(&format!("/api/tbr/{}/start", item["id"]), json!({})).await.expect(201);
    let new = [
        row(1, "List", "read", 4, "2026/05/01", 1),
        row(2, "Better", "read", 5, "2024/01/05", 1),
        row(3, "Both", "read", 5, "2024/01/05", 1),
        row(4, "Open", "currently-reading", 0, "", 1),
        row(5, "Twice", "read", 4, "2026/02/02", 2),
        row(6, "Rough", "read", 0, "2019/03/01", 1),
        row(8, "Corrected", "read", 4, "2024/01/06", 1),
        row(9, "Reading", "read", 3, "2026/03/03", 1),
        row(10, "Mine", "read", 4, "2024/01/05", 1),
        row(11, "Deleted", "read", 5, "2024/01/05", 1),
        row(12, "Still wanted", "to-read", 0, "", 0),
        row(13, "Started", "currently-reading", 0, "", 0),
        row(14, "New", "read", 2, "2026/04/04", 1),
        row(15, "Newly wanted", "to-read", 0, "", 0),
    ];
    let before = stored(&server).await;
    let seen = preview(&reader, &new).await;
    assert_eq!(before, stored(&server).await, "a preview writes nothing");
    let done = sync(&reader, &new).await;
    for report in [&seen, &done] {
        // New: the read of "Twice" and "New".
        assert_eq!(counts(report), [2, 1, 2, 2, 3, 1, 1], "{report}");
        let asked = report["conflicts"].as_array().unwrap().iter();
        let mut asked: Vec<_> =
            asked.map(|one| format!("{} {}", one["title"], one["field"]).replace('"', "")).collect();
        asked.sort();
        assert_eq!(asked, ["Both rating", "Open status", "Rough dateCompleted"]);
        assert_eq!(report["goneBooks"][0]["title"], "Gone");
    }
    let both = done["conflicts"].as_array().unwrap().iter().find(|one| one["title"] == "Both").unwrap();
    assert_eq!((&both["mine"], &both["theirs"], &both["before"]), (&json!(8.5), &json!(10), &json!(8)));
    let rough = done["conflicts"].as_array().unwrap().iter().find(|one| one["title"] == "Rough").unwrap();
    assert_eq!(
        (&rough["mine"], &rough["theirs"], &rough["before"]),
        (&json!("2019"), &json!("2019-03-01"), &Value::Null)
    );
    assert_eq!(
        books(&reader).await,
        [
            "Better completed 2024-01-05 10",
            "Both completed 2024-01-05 8.5",
            "Corrected completed 2024-01-06 8",
            "Gone completed 2024-01-05 8",
            "List completed 2026-05-01 8",
            "Mine completed 2024-01-05 9",
            "New completed 2026-04-04 4",
            "Open completed 2024-01-05 8",
            "Reading completed 2026-03-03 6",
            "Rough completed 2019-01-01/2019-12-31 null",
            "Started in-progress - null",
            "Twice completed 2024-01-05 8",
            "Twice completed 2026-02-02 8 again",
        ]
    );
    assert_eq!(list(&reader).await, ["Still wanted", "Newly wanted"]);
    let twice = reader.get("/api/books").await.expect(200)["data"].clone();
    let works: Vec<_> = twice
        .as_array()
        .unwrap()
        .iter()
        .filter(|book| book["title"] == "Twice")
        .map(|book| book["work"].clone())
        .collect();
    assert_eq!(works[0], works[1]);

    // The same file again changes nothing, and says no conflict again.
    let after = stored(&server).await;
    let again = sync(&reader, &new).await;
    assert_eq!((counts(&again), &again["importId"]), ([0, 0, 0, 0, 0, 1, 1], &Value::Null), "{again}");
    assert_eq!(after, stored(&server).await);

    // One undo gives back every row.
    let operations = reader.get("/api/operations").await.expect(200);
    let operation = &operations["data"][0];
    assert_eq!(
        (&operation["kind"], &operation["summary"], &operation["importId"]),
        (&json!("sync"), &json!("Goodreads, brought up to date: 3 new, 2 moved on, 2 changed."), &done["importId"])
    );
    reader.delete(&format!("/api/operations/{}", operation["id"])).await.expect(200);
    assert_eq!(before, stored(&server).await);
    // And the file can be taken over once more.
    assert_eq!(counts(&sync(&reader, &new).await), counts(&done));
}

#[tokio::test]
async fn a_conflict_is_settled_by_its_reader_and_a_row_can_be_left_out() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let last = [
        row(1, "Both", "read", 3, "2024/01/05", 1),
        row(2, "Open", "read", 4, "2024/01/05", 1),
        row(3, "Left", "read", 4, "2024/01/05", 1),
    ];
    import(&reader, &last).await;
    change(&reader, "Both", json!({"rating": 8.5})).await;
    let new = [
        row(1, "Both", "read", 5, "2024/01/05", 1),
        row(2, "Open", "currently-reading", 0, "", 1),
        row(3, "Left", "read", 1, "2024/01/05", 1),
    ];
    let id = |title: &'static str| {
        let reader = &reader;
        async move { book(reader, title).await["id"].to_string() }
    };
    let take = json!({id("Both").await: ["rating"], id("Open").await: ["status"]}).to_string();
    let entries = preview(&reader, &new).await["entries"].clone();
    assert_eq!(
        entries,
        json!([{"row": 4, "kind": "changed", "title": "Left", "author": "Ann Author", "status": "completed",
            "completed": "2024-01-05", "fields": [{"field": "rating", "from": 8, "to": 2}]}])
    );
    let done = sync_with(&reader, &new, &[("take", &take), ("leave", "[4]")]).await;
    assert_eq!(counts(&done), [1, 0, 0, 1, 0, 0, 0], "{done}");
    assert_eq!(
        books(&reader).await,
        [
            "Both completed 2024-01-05 10",
            "Left completed 2024-01-05 8",
            "Open completed 2024-01-05 8",
            "Open in-progress - null again",
        ]
    );
    // What was left out is offered again, and the new read moves on.
    let finished = [new[0].clone(), row(2, "Open", "read", 2, "2026/05/05", 2), new[2].clone()];
    assert_eq!(counts(&sync(&reader, &finished).await), [0, 0, 1, 1, 0, 0, 0]);
    assert_eq!(
        books(&reader).await[1..],
        ["Left completed 2024-01-05 2", "Open completed 2024-01-05 8", "Open completed 2026-05-05 4 again",]
    );
    for (name, wrong) in [("take", "[]"), ("take", "{\"1\": [\"nothing\"]}"), ("leave", "{}"), ("leave", "[-1]")] {
        assert_eq!(sent(&reader, "?mode=sync", &file(&new), &[(name, wrong)]).await.fields(), [name]);
    }
    assert_eq!(sent(&reader, "?mode=merge", &file(&new), &[]).await.fields(), ["mode"]);
}

#[tokio::test]
async fn rows_with_one_key_are_counted_as_an_import_counts_them() {
    let dune = row(1, "Dune", "read", 4, "2024/01/05", 1);
    let better = Row { stars: 5, ..dune.clone() };
    let worse = Row { stars: 3, ..dune.clone() };
    for rows in [vec![dune.clone(), better.clone()], vec![dune.clone(), better, worse]] {
        let server = TestServer::start().await;
        let (reader, other) = (server.plus().await, server.plus().await);
        import(&reader, &rows[..1]).await;
        let more = rows.len() - 1;
        let seen = preview(&reader, &rows).await;
        let done = sync(&reader, &rows).await;
        for answer in [&seen, &done] {
            let counts = ["imported", "skipped", "changed", "unchanged"].map(|key| answer[key].as_u64().unwrap());
            assert_eq!(counts, [more as u64, 1, 0, 0]);
            assert_eq!(answer["entries"].as_array().unwrap().len(), more);
        }
        import(&other, &rows).await;
        assert_eq!(books(&reader).await.len(), books(&other).await.len(), "as a new import of the file");
        let again = sync(&reader, &rows).await;
        assert_eq!((&again["imported"], &again["unchanged"], &again["importId"]), (&json!(0), &json!(1), &Value::Null));
        reader.delete(&format!("/api/operations/{}", done["undoId"])).await.expect(200);
        assert_eq!(books(&reader).await.len(), 1);
    }
}

#[tokio::test]
async fn a_choice_for_something_that_is_no_book_is_refused() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let rows = [row(1, "Dune", "read", 4, "2024/01/05", 1)];
    import(&reader, &rows).await;
    for wrong in [
        r#"{"dune":["rating"]}"#, r#"{"":["rating"]}"#, r#"{"tbr-":["title"]}"#, r#"{"-1":["rating"]}"#,
        r#"{"1":["x"]}"#,
    ] {
        let refused = sent(&reader, "?mode=sync", &file(&rows), &[("take", wrong)]).await;
        assert_eq!(refused.fields(), ["take"], "{wrong}");
    }
    sync_with(&reader, &rows, &[("take", r#"{"1":["rating"],"tbr-1":["title"]}"#)]).await;
}

#[tokio::test]
async fn a_tracker_that_was_never_imported_is_refused() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let rows = [row(1, "A", "read", 3, "2024/01/05", 1)];
    for query in ["?mode=sync", "?mode=sync&dryRun=true"] {
        let refused = sent(&reader, query, &file(&rows), &[]).await;
        assert_eq!(refused.body["error"], "This library has never seen a file from Goodreads. Import it first.");
        assert_eq!(refused.code(409), "never_imported");
    }
    let import = import(&reader, &rows).await;
    assert_eq!(counts(&sync(&reader, &rows).await), [0; 7]);
    reader.delete(&format!("/api/imports/{}", import["importId"])).await.expect(200);
    assert_eq!(sent(&reader, "?mode=sync", &file(&rows), &[]).await.code(409), "never_imported");
}

#[tokio::test]
async fn fifty_syncs_at_once_leave_one_result() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    import(&reader, &[row(1, "A", "to-read", 0, "", 0), row(2, "B", "read", 3, "2024/01/05", 1)]).await;
    let new = [
        row(1, "A", "read", 3, "2024/01/05", 1),
        row(2, "B", "read", 5, "2026/01/05", 2),
        row(3, "C", "read", 5, "2024/01/05", 1),
    ];
    let text = file(&new);
    let all = (0..50).map(|_| sent(&reader, "?mode=sync", &text, &[]));
    let answers = futures_util::future::join_all(all).await;
    // An account has two imports at once; the others wait, and some of them too long.
    assert!(answers.iter().all(|answer| [200, 429].contains(&answer.status)));
    let done = answers.iter().filter(|answer| answer.status == 200 && !answer.body["importId"].is_null());
    assert_eq!(done.count(), 1);
    assert_eq!(
        books(&reader).await,
        [
            "A completed 2024-01-05 6",
            "B completed 2024-01-05 6",
            "B completed 2026-01-05 10 again",
            "C completed 2024-01-05 10",
        ]
    );
}

#[tokio::test]
async fn a_column_that_no_field_is_read_from_changes_nothing() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let mut rows = [
        row(1, "List", "to-read", 0, "", 0),
        row(2, "Done", "read", 4, "2024/01/05", 2),
        row(3, "Open", "currently-reading", 0, "", 0),
        row(4, "Mine", "read", 4, "2024/01/05", 1),
    ];
    import(&reader, &rows).await;
    change(&reader, "Mine", json!({"rating": 9})).await;
    let before = stored(&server).await;
    let with_average = |rows: &[Row], average: &str| file(rows).replace(",3.9,", &format!(",{average},"));
    let report = sync_text(&reader, &with_average(&rows, "4.1")).await;
    assert_eq!((counts(&report), &report["unchanged"]), ([0; 7], &json!(4)), "{report}");
    assert!(report["importId"].is_null() && before == stored(&server).await);
    // The next file is still compared with the first one.
    rows[1].stars = 5;
    rows[3].stars = 5;
    let report = sync_text(&reader, &with_average(&rows, "4.2")).await;
    assert_eq!((counts(&report), &report["unchanged"]), ([0, 0, 0, 1, 1, 0, 0], &json!(2)), "{report}");
    assert_eq!(book(&reader, "Done").await["rating"], 10);
    reader.delete(&format!("/api/imports/{}", report["importId"])).await.expect(200);
    assert!(before == stored(&server).await, "undone");
}

/// Every sample file: the file again, and then with a book that waits and one that is rated.
#[tokio::test]
async fn a_file_of_every_format_is_compared_with_itself() {
    let server = TestServer::start().await;
    let folder = format!("{}/tests/fixtures/import", env!("CARGO_MANIFEST_DIR"));
    let mut names: Vec<String> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    for name in names.iter().filter(|name| !name.starts_with("unknown")) {
        let reader = server.plus().await;
        let bytes = std::fs::read(format!("{}/tests/fixtures/import/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap();
        reader.upload("/api/books/import", name, bytes.clone(), &[]).await.expect(200);
        let before = stored(&server).await;
        let report = reader.upload("/api/books/import?mode=sync", name, bytes, &[]).await.expect(200);
        assert_eq!((counts(&report), &report["importId"]), ([0; 7], &Value::Null), "{name}: {report}");
        assert!(before == stored(&server).await, "{name}");
    }
}

#[tokio::test]
async fn trackers_with_other_keys_bring_changes_too() {
    let server = TestServer::start().await;
    let cases = [
        (
            "storygraph.csv",
            "Title,Authors,ISBN/UID,Read Status,Dates Read,Read Count,Star Rating,Review,Tags\n\
            Dune,F H,uid-1,read,2012/05/02,1,4.25,,\n",
            "Title,Authors,ISBN/UID,Read Status,Dates Read,Read Count,Star Rating,Review,Tags\n\
            Dune,F H,uid-1,read,\"2012/05/02, 2024/05/02\",2,4.75,,\n",
            vec!["Dune completed 2012-05-02 8.5", "Dune completed 2024-05-02 9.5 again"],
        ),
        (
            "openreads.csv",
            "title,subtitle,author,status,rating,olid,book_format,readings\nMomo,,M E,in_progress,,OL1M,paperback,2024-01-01T00:00:00.000||\n",
            "title,subtitle,author,status,rating,olid,book_format,readings\nMomo,,M E,finished,4.5,OL1M,paperback,2024-01-01T00:00:00.000|2024-02-01T00:00:00.000|\n",
            vec!["Momo completed 2024-02-01 9"],
        ),
        (
            "yamtrack.csv",
            "media_id,source,media_type,title,score,progress,status,start_date,end_date,notes,progressed_at\n\
            1,manual,book,Emma,8,300,Completed,,2020-02-02,,2020-02-02\n",
            "media_id,source,media_type,title,score,progress,status,start_date,end_date,notes,progressed_at\n\
            1,manual,book,Emma,8,300,Completed,,2020-02-02,,2020-02-02\n\
            1,manual,book,Emma,9,300,Completed,,2024-02-02,,2024-02-02\n",
            vec!["Emma completed 2020-02-02 8", "Emma completed 2024-02-02 9 again"],
        ),
        (
            "librarything.tsv",
            "Book Id\tTitle\tPrimary Author\tRating\tDate Read\n7\tWall\tHaushofer, Marlen\t3\t[2007-05-08]\n",
            "Book Id\tTitle\tPrimary Author\tRating\tDate Read\n7\tThe Wall\tHaushofer, Marlen\t4\t[2007-05-08]\n",
            vec!["The Wall completed 2007-05-08 8"],
        ),
    ];
    for (name, last, new, result) in cases {
        let reader = server.plus().await;
        reader.upload("/api/books/import", name, last, &[]).await.expect(200);
        let before = stored(&server).await;
        let report = reader.upload("/api/books/import?mode=sync", name, new, &[]).await.expect(200);
        assert_eq!(books(&reader).await, result, "{name}: {report}");
        reader.delete(&format!("/api/imports/{}", report["importId"])).await.expect(200);
        assert!(before == stored(&server).await, "{name}: undone");
    }
}
