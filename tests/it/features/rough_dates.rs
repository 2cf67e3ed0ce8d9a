//! Rough dates through the API: what may be typed, what is stored, in which windows it counts, and how it is exported and imported.
use serde_json::{Value, json};

use crate::support::actors::{Reader, TestResponse};
use crate::support::harness::TestServer;

async fn add(reader: &Reader, title: &str, date: &str, words: i64) -> Value {
    let book = json!({"title": title, "author": "A", "wordCount": words, "dateCompleted": date});
    reader.post("/api/books", book).await.expect(201)["book"].clone()
}

fn text(answer: TestResponse) -> String {
    assert_eq!(answer.status, 200, "{}", answer.body);
    String::from_utf8(answer.bytes).unwrap()
}

fn ends(book: &Value) -> [&Value; 4] {
    ["completedFrom", "dateCompleted", "year", "month"].map(|key| &book[key])
}

#[tokio::test]
async fn a_rough_date_is_sent_as_a_text_and_answered_as_its_two_ends() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    for (typed, stored) in [
        ("2019", json!(["2019-01-01", "2019-12-31", 2019, null])),
        ("March 2021", json!(["2021-03-01", "2021-03-31", 2021, 3])),
        ("spring 2020", json!(["2020-03-01", "2020-05-31", 2020, null])),
        ("winter 2019/20", json!(["2019-12-01", "2020-02-29", null, null])),
        ("1990s", json!(["1990-01-01", "1999-12-31", null, null])),
        ("before 2015", json!(["1900-01-01", "2014-12-31", null, null])),
        ("2021-03-14", json!([null, "2021-03-14", 2021, 3])),
    ] {
        assert_eq!(json!(ends(&add(&reader, typed, typed, 0).await)), stored, "{typed}");
    }
    let refused = |date: &'static str| {
        let reader = &reader;
        async move {
            let answer = reader.post("/api/books", json!({"title": "T", "author": "A", "dateCompleted": date})).await;
            assert_eq!(answer.fields(), ["dateCompleted"], "{date}");
            answer.body["fields"]["dateCompleted"].as_str().unwrap().to_owned()
        }
    };
    assert_eq!(refused("winter 2020").await, "Winter 2019/20 or winter 2020/21? Write it with both years.");
    assert_eq!(refused("1801-1999").await, "Dates must be between 1900-01-01 and 2100-12-31.");
    assert_eq!(refused("1901/2001").await, "That is longer than a reader's life. Leave the date out instead.");
    // The server accepts every form that the sentence names.
    let forms = refused("soon").await;
    let forms =
        forms.strip_prefix("Dates must be written yyyy-MM-dd, or as a rough date: ").unwrap().trim_end_matches('.');
    for form in forms.split(", ").flat_map(|part| part.split(" or ")) {
        let book = json!({"title": form, "author": "A", "dateCompleted": form});
        reader.post("/api/books", book).await.expect(201);
    }
    // Two days have the same bound, unless they are those of "before".
    let both = json!({"title": "T", "author": "A", "completedFrom": "1900-01-01", "dateCompleted": "2014-12-30"});
    assert_eq!(reader.post("/api/books", both).await.fields(), ["dateCompleted"]);
}

#[tokio::test]
async fn seasons_are_those_of_the_readers_hemisphere() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    reader.patch("/api/preferences", json!({"timezone": "Pacific/Auckland"})).await.expect(200);
    let by_zone = add(&reader, "By zone", "spring 2020", 0).await;
    assert_eq!(json!(ends(&by_zone)), json!(["2020-09-01", "2020-11-30", 2020, null]));
    reader.patch("/api/preferences", json!({"hemisphere": "north"})).await.expect(200);
    let chosen = add(&reader, "Chosen", "spring 2020", 0).await;
    assert_eq!(json!(ends(&chosen)), json!(["2020-03-01", "2020-05-31", 2020, null]));
    reader.patch("/api/preferences", json!({"hemisphere": "south"})).await.expect(200);
    let refused = reader.post("/api/books", json!({"title": "T", "author": "A", "dateCompleted": "summer 2020"})).await;
    let sentence = "Summer 2019/20 or summer 2020/21? Write it with both years.";
    assert_eq!(refused.body["fields"]["dateCompleted"], sentence);
    // An import reads seasons in the same way.
    let file = "Title,Author,Date Completed\nImported,A,autumn 2020\n";
    reader.upload("/api/books/import", "books.csv", file, &[]).await.expect(200);
    let found = reader.get("/api/books?titleSearch=imported").await.expect(200);
    assert_eq!(json!(ends(&found["data"][0])), json!(["2020-03-01", "2020-05-31", 2020, null]));
}

#[tokio::test]
async fn a_rough_read_counts_where_its_whole_interval_does() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    add(&reader, "Year", "2019", 73_000).await;
    let books = |query: &'static str| {
        let reader = &reader;
        async move { reader.get(&format!("/api/stats?{query}")).await.expect(200)["kpis"]["booksRead"].clone() }
    };
    assert_eq!(books("startDate=2019-01-01&endDate=2019-12-31").await, 1);
    assert_eq!(books("startDate=2019-01-01&endDate=2019-06-30").await, 0);
    assert_eq!(books("startDate=2019-01-02").await, 0);
    let months = reader.get("/api/stats").await.expect(200)["monthlyWords"].clone();
    let months = months.as_array().unwrap();
    assert_eq!(months.len(), 12);
    assert_eq!(months[0], json!({"month": "2019-01", "words": 0, "books": 0, "aboutWords": 6_200}));
    assert_eq!(months[1]["aboutWords"], 5_600);
    let shelf = reader.get("/api/stats").await.expect(200)["shelf"]["books"][0].clone();
    assert_eq!((&shelf["completedFrom"], &shelf["date"]), (&json!("2019-01-01"), &json!("2019-12-31")));
}

#[tokio::test]
async fn the_export_writes_rough_dates_and_reads_them_again() {
    let server = TestServer::start().await;
    let (reader, other) = (server.plus().await, server.plus().await);
    let typed = ["2021-03-14", "March 2021", "2019", "spring 2020", "1990s", "before 2015", "2020-03-05/2020-07-08"];
    for date in typed {
        add(&reader, date, date, 1000).await;
    }
    reader
        .post(
            "/api/books",
            json!({"title": "Left", "author": "A", "status": "did-not-finish", "stoppedDate": "2024-02-03"}),
        )
        .await
        .expect(201);
    reader
        .post(
            "/api/books",
            json!({"title": "Resting", "author": "A", "status": "in-progress", "pausedSince": "2024-02-03"}),
        )
        .await
        .expect(201);
    let csv = text(reader.get("/api/account/export/books.csv").await);
    for form in ["2021-03-14", "2021-03", "2019", "2020-03/2020-05", "1990/1999", "../2014", "2020-03-05/2020-07-08"] {
        assert!(csv.contains(&format!(",1000,{form},")), "{form} in {csv}");
    }
    let report = other.upload("/api/books/import", "books.csv", csv, &[]).await.expect(200);
    assert_eq!((&report["imported"], &report["errors"]), (&json!(9), &json!(0)));
    let shape = |library: Value| -> Vec<Value> {
        let shape =
            |book: &Value| json!([book["title"], book["status"], ends(book), book["stoppedDate"], book["pausedSince"]]);
        let mut books: Vec<Value> = library["data"].as_array().unwrap().iter().map(shape).collect();
        books.sort_by_key(Value::to_string);
        books
    };
    let (mine, theirs) = (reader.get("/api/books").await.expect(200), other.get("/api/books").await.expect(200));
    assert_eq!(shape(mine), shape(theirs));
}

#[tokio::test]
async fn a_row_with_a_year_is_skipped_when_an_older_import_made_an_undated_book_of_it() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    reader.post("/api/books", json!({"title": "Emma", "author": "Jane Austen", "status": "undated"})).await.expect(201);
    add(&reader, "Persuasion", "2018-05-06", 0).await;
    let file = "Title,Author,Date Completed\nEmma,Jane Austen,2019\nPersuasion,A,2018\nPersuasion,A,2017\n";
    let report = reader.upload("/api/books/import", "books.csv", file, &[]).await.expect(200);
    assert_eq!((&report["imported"], &report["skipped"]), (&json!(1), &json!(2)));
}

#[tokio::test]
async fn rows_left_out_on_purpose_are_kept_and_downloaded_and_stay_after_an_undo() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let file = "Title,Author,My Rating,Exclusive Shelf\nDune,Frank Herbert,5,read\nOwned,Ann Two,0,wont-read\nEmma,Jane Austen,3,read\n";
    let map = [("shelfMap", r#"{"wont-read": "skip"}"#)];
    let report = reader.upload("/api/books/import", "goodreads.csv", file, &map).await.expect(200);
    assert_eq!((&report["imported"], &report["skipped"], &report["leftOut"]), (&json!(2), &json!(1), &json!(1)));
    let path = format!("/api/imports/{}/left-out", report["importId"]);
    let rows = text(reader.get(&path).await);
    assert_eq!(
        rows.lines().collect::<Vec<_>>(),
        ["Title,Author,My Rating,Exclusive Shelf,Row,Reason", "Owned,Ann Two,0,wont-read,3,Left out on purpose."]
    );
    assert_eq!(reader.get("/api/imports").await.expect(200)["data"][0]["leftOut"], 1);
    let rejected = format!("/api/imports/{}/rejected", report["importId"]);
    assert_eq!(text(reader.get(&rejected).await).lines().count(), 1);
    // The second time the two books are there, too; only one row is left out.
    let again = reader.upload("/api/books/import", "goodreads.csv", file, &map).await.expect(200);
    assert_eq!((&again["imported"], &again["skipped"], &again["leftOut"]), (&json!(0), &json!(3), &json!(1)));
    reader.delete(&format!("/api/imports/{}", report["importId"])).await.expect(200);
    assert_eq!(text(reader.get(&path).await).lines().count(), 2);
    let stranger = server.plus().await;
    assert_eq!(stranger.get(&path).await.code(404), "not_found");
    // A row that was left out can be imported by another choice.
    let all = [("shelfMap", r#"{"wont-read": "to-read"}"#)];
    let taken = reader.upload("/api/books/import", "left-out.csv", rows, &all).await.expect(200);
    assert_eq!((&taken["importedTbr"], &taken["leftOut"]), (&json!(1), &json!(0)));
}
