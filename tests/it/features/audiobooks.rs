//! Audiobooks: lengths in time, page counts that are none, places as times, goals and figures in minutes.
use std::io::{Cursor, Read as _};

use serde_json::{Value, json};
use shelfwise::kit::id::UserId;
use shelfwise::library::counters;

use crate::support::actors::Reader;
use crate::support::harness::TestServer;

/// Hours, discs, a real count, a real count of print, and hours of a book that waits to be read.
const GOODREADS: &str = "Book Id,Title,Author,My Rating,Binding,Number of Pages,Exclusive Shelf,Date Read,Date Added\n\
    1,Hours,A B,5,Audible Audio,12,read,2024/03/04,2024/01/01\n\
    2,Discs,A B,4,Audio CD,9,read,2024/03/05,2024/01/01\n\
    3,One,A B,4,Audiobook,1,read,2024/03/06,2024/01/01\n\
    4,Real,A B,4,Audiobook,350,read,2024/03/07,2024/01/01\n\
    5,Thin,A B,4,Paperback,48,read,2024/03/08,2024/01/01\n\
    6,Next,A B,0,Audio CD,10,to-read,,2024/01/01\n";

async fn import(reader: &Reader, text: &str, fields: &[(&str, &str)]) -> Value {
    reader.upload("/api/books/import", "books.csv", text, fields).await.expect(200)
}

/// Pages, minutes, words and their source of each book by title.
async fn lengths(reader: &Reader) -> Value {
    let list = reader.get("/api/books").await.expect(200);
    let of = |book: &Value| json!([book["pages"], book["minutes"], book["wordCount"], book["wordCountSource"]]);
    list["data"].as_array().unwrap().iter().map(|book| (book["title"].as_str().unwrap().to_owned(), of(book))).collect()
}

#[tokio::test]
async fn a_page_count_that_is_hours_or_discs_is_left_open_unless_its_reader_takes_it_as_hours() {
    let server = TestServer::start().await;
    let open = server.plus().await;
    let seen = open.upload("/api/books/import?dryRun=true", "books.csv", GOODREADS, &[]).await.expect(200);
    assert_eq!(
        (&seen["audioPages"], &seen["estimatedWords"], &seen["withoutWords"]),
        (&json!(4), &json!(2), &json!(3))
    );
    assert_eq!(import(&open, GOODREADS, &[]).await["audioPages"], 4);
    let real = json!([350, null, 96_250, "pages"]);
    let thin = json!([48, null, 13_200, "pages"]);
    let unknown = json!([null, null, 0, "entered"]);
    assert_eq!(
        lengths(&open).await,
        json!({"Hours": unknown, "Discs": unknown, "One": unknown, "Real": real, "Thin": thin})
    );
    let next = open.get("/api/tbr").await.expect(200)["data"][0].clone();
    assert_eq!((&next["pages"], &next["wordCount"]), (&json!(null), &json!(null)));

    let hours = server.plus().await;
    assert_eq!(import(&hours, GOODREADS, &[("audioPages", "hours")]).await["audioPages"], 4);
    assert_eq!(
        lengths(&hours).await,
        json!({
            "Hours": [null, 720, 111_600, "minutes"], "Discs": [null, 540, 83_700, "minutes"],
            "One": [null, 60, 9_300, "minutes"], "Real": real, "Thin": thin,
        })
    );
    let next = hours.get("/api/tbr").await.expect(200)["data"][0].clone();
    assert_eq!((&next["wordCount"], &next["wordCountSource"]), (&json!(93_000), &json!("minutes")));
    let wrong = hours.upload("/api/books/import", "books.csv", GOODREADS, &[("audioPages", "discs")]).await;
    assert_eq!(wrong.fields(), ["audioPages"]);
}

#[tokio::test]
async fn our_own_file_is_taken_as_it_is_and_a_template_is_not() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let own = "Title,Author,Word Count,Date Completed,Format,Word Distribution,Word Count Source,Pages,Minutes\n\
        Own,A B,3300,2024-03-04,Audio,final,pages,12,\nLong,A B,116250,2024-03-05,Audio,final,minutes,,750\n";
    let answer = import(&reader, own, &[("audioPages", "hours")]).await;
    assert!(answer.get("audioPages").is_none(), "{answer}");
    let template = "Title,Author,Format,Pages,Minutes\nHand,A B,Audio,12,\nTimed,A B,Audio,,12:30\n";
    assert_eq!(import(&reader, template, &[]).await["audioPages"], 1);
    assert_eq!(
        lengths(&reader).await,
        json!({
            "Own": [12, null, 3_300, "pages"], "Long": [null, 750, 116_250, "minutes"],
            "Hand": [null, null, 0, "entered"], "Timed": [null, 750, 116_250, "minutes"],
        })
    );
}

#[tokio::test]
async fn lengths_come_from_hardcover_and_from_any_column() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let hardcover = "Title,Author,Status,Privacy,Media,Pages,Duration in Seconds,Date Finished\n\
        Heard,A B,Read,,Audio,11,38700,2024-03-04\n";
    assert!(import(&reader, hardcover, &[]).await.get("audioPages").is_none(), "the length is known");
    let other = "Titel,Autor,Dauer,Ende,Art\nMapped,A B,645,2024-03-05,Hörbuch\nWritten,A B,10:45,2024-03-06,Hörbuch\n";
    let map = r#"{"Titel": "title", "Autor": "author", "Dauer": "minutes", "Ende": "dateCompleted", "Art": "format"}"#;
    import(&reader, other, &[("columnMap", map)]).await;
    let heard = json!([null, 645, 99_975, "minutes"]);
    assert_eq!(lengths(&reader).await, json!({"Heard": heard, "Mapped": heard, "Written": heard}));
}

#[tokio::test]
async fn books_that_count_by_hours_or_discs_already_are_mended_by_a_fill_in_that_can_be_undone() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    import(&reader, GOODREADS, &[]).await;
    let list = reader.get("/api/books").await.expect(200);
    let id = |title: &str| {
        let book = list["data"].as_array().unwrap().iter().find(|book| book["title"] == title).unwrap();
        book["id"].as_i64().unwrap()
    };
    // A former version took the count for pages.
    let (owner, hours, counted) = (reader.id, id("Hours"), id("Discs"));
    server
        .db
        .write(move |tx| {
            let sql = "UPDATE books SET pages = 12, word_count = 3300, word_count_source = 'pages' WHERE id = ?1";
            tx.execute(sql, [hours])?;
            tx.execute("UPDATE books SET pages = 9, word_count = 70000 WHERE id = ?1", [counted])?;
            counters::changed(tx, UserId(owner))
        })
        .await
        .unwrap();
    let before = lengths(&reader).await;
    let offered = reader.post("/api/refill?dryRun=true", json!({})).await.expect(200);
    let field = offered["fields"].as_array().unwrap().iter().find(|field| field["field"] == "audioPages").unwrap();
    assert_eq!((&field["chosen"], &field["books"]), (&json!(false), &json!(3)));
    assert!(field["examples"].to_string().contains("12 pages"), "{field}");
    let filled = reader.post("/api/refill", json!({"fields": ["audioPages"]})).await.expect(200);
    assert_eq!(filled["books"], 3);
    let after = lengths(&reader).await;
    assert_eq!(after["Hours"], json!([null, 720, 111_600, "minutes"]));
    assert_eq!(after["Discs"], json!([null, 540, 70_000, "entered"]), "words that a person entered stay");
    assert_eq!(after["One"], json!([null, 60, 9_300, "minutes"]), "the row has the count that the import left out");
    assert_eq!(after["Real"], before["Real"]);
    reader.delete(&format!("/api/operations/{}", filled["undoId"])).await.expect(200);
    assert_eq!(lengths(&reader).await, before);
}

async fn add(reader: &Reader, book: Value) -> Value {
    let mut whole =
        json!({"title": "Piranesi", "author": "Susanna Clarke", "status": "in-progress", "format": "Audio"});
    whole.as_object_mut().unwrap().extend(book.as_object().unwrap().clone());
    reader.post("/api/books", whole).await.expect(201)["book"].clone()
}

#[tokio::test]
async fn words_that_nobody_counted_follow_the_length() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let words = |book: &Value| json!([book["minutes"], book["wordCount"], book["wordCountSource"]]);
    let book = add(&reader, json!({"minutes": 750})).await;
    assert_eq!(words(&book), json!([750, 116_250, "minutes"]));
    let path = format!("/api/books/{}", book["id"]);
    let patched = async |change: Value| words(&reader.patch(&path, change).await.expect(200)["book"]);
    assert_eq!(patched(json!({"minutes": 600})).await, json!([600, 93_000, "minutes"]));
    assert_eq!(patched(json!({"pages": 300})).await, json!([600, 93_000, "minutes"]), "Audio goes by minutes");
    assert_eq!(patched(json!({"format": "Print"})).await, json!([600, 82_500, "pages"]), "others go by pages");
    assert_eq!(patched(json!({"wordCount": 90_000})).await, json!([600, 90_000, "entered"]));
    assert_eq!(patched(json!({"format": "Audio", "minutes": 601})).await, json!([601, 90_000, "entered"]));
    assert_eq!(patched(json!({"minutes": null})).await, json!([null, 90_000, "entered"]));
    for wrong in [json!(0), json!(60_001), json!(12.5), json!("12:30")] {
        assert_eq!(reader.patch(&path, json!({"minutes": wrong})).await.fields(), ["minutes"]);
    }
    reader
        .patch(&path, json!({"status": "completed", "dateCompleted": "2024-03-04", "minutes": 750}))
        .await
        .expect(200);
    let again = reader.post(&format!("{path}/again"), json!({"minutes": 760, "wordCount": 0})).await.expect(201);
    assert_eq!(words(&again["book"]), json!([760, 0, "entered"]));
}

#[tokio::test]
async fn a_place_may_be_a_time_and_follows_another_length() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let book = add(&reader, json!({"minutes": 750, "pages": 300})).await;
    let path = format!("/api/books/{}", book["id"]);
    let day = format!("{path}/days/2024-03-04");
    let noted = reader.put(&day, json!({"time": "3:20"})).await.expect(200);
    assert_eq!(
        (&noted["day"]["time"], &noted["day"]["at"], &noted["day"]["page"]),
        (&json!("3:20"), &json!(2_666), &json!(null))
    );
    assert_eq!(noted["book"]["progress"]["at"], 2_666);
    for (wrong, field) in [
        (json!({"time": "13:00"}), "time"),
        (json!({"time": "3.20"}), "time"),
        (json!({"time": 200}), "time"),
        (json!({"time": "3:20", "page": 9}), "time"),
        (json!({"time": "3:20", "percent": 9}), "time"),
        (json!({"page": 9, "percent": 9}), "percent"),
    ] {
        assert_eq!(reader.put(&day, wrong).await.fields(), [field]);
    }
    reader.patch(&path, json!({"minutes": 800})).await.expect(200);
    let log = reader.get(&format!("{path}/days")).await.expect(200);
    assert_eq!((&log["data"][0]["time"], &log["data"][0]["at"]), (&json!("3:20"), &json!(2_500)));

    let zip = reader.get("/api/account/export").await.bytes;
    let mut file = zip::ZipArchive::new(Cursor::new(&zip)).unwrap();
    let mut books = String::new();
    file.by_name("books.csv").unwrap().read_to_string(&mut books).unwrap();
    let other = server.plus().await;
    import(&other, &books, &[]).await;
    let restored = other.get("/api/books").await.expect(200)["data"][0].clone();
    let log = other.get(&format!("/api/books/{}/days", restored["id"])).await.expect(200);
    assert_eq!((&restored["minutes"], &log["data"][0]["time"]), (&json!(800), &json!("3:20")));

    let page = reader.put(&day, json!({"page": 150})).await.expect(200);
    assert_eq!((&page["day"]["time"], &page["day"]["page"]), (&json!(null), &json!(150)));
    let silent = add(&reader, json!({"title": "Silent"})).await;
    let refused = reader.put(&format!("/api/books/{}/days/2024-03-04", silent["id"]), json!({"time": "0:20"})).await;
    assert_eq!(refused.fields(), ["time"]);
}

#[tokio::test]
async fn goals_reviews_and_charts_count_the_minutes_of_finished_reads() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    for (title, more) in [
        ("One", json!({"status": "completed", "dateCompleted": "2024-03-04", "minutes": 750})),
        ("Two", json!({"status": "completed", "dateCompleted": "2024-05-04", "minutes": 90})),
        ("Read", json!({"status": "completed", "dateCompleted": "2024-05-05", "format": "Print", "pages": 100})),
        ("Open", json!({"minutes": 400})),
    ] {
        let mut book = more;
        book["title"] = title.into();
        add(&reader, book).await;
    }
    let goal = reader.put("/api/goals/2024/minutes", json!({"target": 6_000})).await.expect(200)["goal"].clone();
    assert_eq!((&goal["metric"], &goal["value"], &goal["remaining"]), (&json!("minutes"), &json!(840), &json!(5_160)));
    assert_eq!(goal["withoutPages"], json!(null));
    reader.put("/api/goals/2024/minutes", json!({"target": 100_000_000})).await.expect(200);
    assert_eq!(reader.put("/api/goals/2024/minutes", json!({"target": 100_000_001})).await.fields(), ["target"]);
    let formats = |data: &Value| {
        let of = |format: &Value| (format["format"].as_str().unwrap().to_owned(), format["minutes"].clone());
        data["formats"].as_array().unwrap().iter().map(of).collect::<Value>()
    };
    let review = reader.get("/api/review?period=2024").await.expect(200);
    assert_eq!((&review["totals"]["minutes"], formats(&review)), (&json!(840), json!({"Audio": 840, "Print": 0})));
    let stats = reader.get("/api/stats").await.expect(200);
    assert_eq!(formats(&stats), json!({"Audio": 840, "Print": 0}));
    let two = reader.get("/api/stats?titleSearch=two").await.expect(200);
    assert_eq!(formats(&two), json!({"Audio": 90}));
}
