//! Many books are changed at once, and one operation gives everything back.
use rusqlite::Connection;
use serde_json::{Value, json};

use super::covers::png;
use crate::support::actors::Reader;
use crate::support::harness::TestServer;

async fn add(reader: &Reader, title: &str, more: Value) -> Value {
    let mut book = json!({"title": title, "author": "Ursula K. Le Guin", "status": "undated", "wordCount": 50_000});
    book.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    reader.post("/api/books", book).await.expect(201)["book"].clone()
}

/// Every book with all its fields, by id.
async fn library(reader: &Reader) -> Vec<Value> {
    let mut books = reader.get("/api/books").await.expect(200)["data"].as_array().unwrap().clone();
    books.sort_by_key(|book| book["id"].as_i64());
    books
}

async fn operations(reader: &Reader) -> Vec<Value> {
    reader.get("/api/operations").await.expect(200)["data"].as_array().unwrap().clone()
}

async fn undo_newest(reader: &Reader) -> Value {
    let newest = operations(reader).await.remove(0);
    reader.delete(&format!("/api/operations/{}", newest["id"])).await.expect(200)
}

/// What the account stores.
fn usage(server: &TestServer) -> (i64, i64, i64, i64) {
    let conn = Connection::open(server.folder().join("shelfwise.db")).unwrap();
    let sql = "SELECT books, items, text_bytes, cover_bytes FROM libraries";
    conn.query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))).unwrap()
}

#[tokio::test]
async fn one_change_of_everything_is_one_operation() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let wizard = add(&reader, "Wizard", json!({"series": {"name": "Erdsee", "number": "1"}, "tags": ["sf"]})).await;
    reader.post(&format!("/api/books/{}/again", wizard["id"]), json!({})).await.expect(201);
    add(&reader, "Tombs", json!({"format": "Audio", "language": "de", "tags": ["SF", "lent"], "genres": ["Fantasy"]}))
        .await;
    add(&reader, "Lavinia", json!({"format": "eBook", "genres": ["Historical"]})).await;
    let before = library(&reader).await;
    let change = json!({"addTags": ["Fantasy"], "removeTags": ["sf"], "format": "Audio", "language": "EN-gb",
        "series": {"name": " Earthsea "}, "addGenres": ["Classics"]});
    // The other read of "Wizard" gets what belongs to the book, and nothing else.
    let changed = reader.patch("/api/books?tags=sf&status=undated", change.clone()).await.expect(200);
    assert_eq!(changed, json!({"changed": 3}));
    let facts = |book: &Value| ["tags", "series", "format", "language", "genres"].map(|field| book[field].clone());
    let (first, none) = (json!({"name": "Earthsea", "number": "1"}), Value::Null);
    let after = library(&reader).await;
    assert_eq!(
        after.iter().map(facts).collect::<Vec<_>>(),
        [
            [json!(["Fantasy"]), first.clone(), json!("Audio"), json!("en-GB"), json!(["Classics"])],
            [json!(["Fantasy"]), first, json!("Print"), none.clone(), json!([])],
            [
                json!(["Fantasy", "lent"]),
                json!({"name": "Earthsea", "number": null}),
                json!("Audio"),
                json!("en-GB"),
                json!(["Fantasy", "Classics"])
            ],
            [json!([]), none, json!("eBook"), Value::Null, json!(["Historical"])],
        ]
    );
    let same = reader.patch("/api/books?tags=fantasy&status=undated", change).await.expect(200);
    assert_eq!(same, json!({"changed": 0}));
    let list = operations(&reader).await;
    assert_eq!((list.len(), &list[0]["kind"]), (1, &json!("change")));
    let sentence = "Changed the genres, the tags, the format, the language and the series of 3 books.";
    assert_eq!(list[0]["summary"], sentence);
    assert_eq!(undo_newest(&reader).await, json!({"restored": 3, "removed": 0, "kept": []}));
    assert_eq!(library(&reader).await, before);
    // A book without a series has no number in it either.
    assert_eq!(reader.patch("/api/books", json!({"series": null})).await.expect(200), json!({"changed": 2}));
    assert!(library(&reader).await.iter().all(|book| book["series"].is_null()));
    undo_newest(&reader).await;
    assert_eq!(library(&reader).await, before);
}

#[tokio::test]
async fn open_reads_go_back_to_the_list_and_come_back_as_they_were() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let first = add(&reader, "Tehanu", json!({"series": {"name": "Earthsea", "number": "4"}, "tags": ["club"]})).await;
    let again = json!({"startDate": "2024-01-02", "pages": 300, "format": "eBook"});
    let read = reader.post(&format!("/api/books/{}/again", first["id"]), again).await.expect(201)["book"].clone();
    let path = format!("/api/books/{}", read["id"]);
    reader
        .put(&format!("{path}/days/2024-01-03"), json!({"page": 30, "minutes": 20, "note": "slow"}))
        .await
        .expect(200);
    reader.patch(&path, json!({"impressions": "Later.", "quotes": ["Go back."]})).await.expect(200);
    let cover = reader.request(reqwest::Method::PUT, &format!("{path}/cover")).body(png(600, 900, b"sea"));
    reader.send(cover).await.expect(200);
    let known = add(&reader, "Lavinia", json!({"status": "in-progress"})).await;
    reader.post("/api/tbr", json!({"title": "lavinia", "author": "Ursula K. Le Guin"})).await.expect(201);
    let state = async || {
        let days = reader.get(&format!("{path}/days")).await.expect(200);
        (library(&reader).await, days, reader.get("/api/tbr").await.expect(200), usage(&server))
    };
    let before = state().await;

    let back = json!({"status": "tbr", "addTags": ["club", "later"]});
    // Tags belong to all reads of a book.
    assert_eq!(reader.patch("/api/books", back.clone()).await.expect(200), json!({"changed": 3}));
    assert_eq!(library(&reader).await.len(), 1, "finished reads stay");
    let list = reader.get("/api/tbr").await.expect(200)["data"].clone();
    assert_eq!(list.as_array().unwrap().len(), 2, "what is on the list already is there once");
    let item = &list[1];
    assert_eq!(
        ["title", "notes", "pages", "wordCount", "format", "tags"].map(|field| item[field].clone()),
        [
            json!("Tehanu (Earthsea, #4)"),
            json!("Later."),
            json!(300),
            json!(50_000),
            json!("eBook"),
            json!(["club", "later"])
        ]
    );
    assert_eq!(undo_newest(&reader).await["restored"], 3);
    assert_eq!(state().await, before);

    // An item that was changed since stays, and its read away.
    reader.patch("/api/books?status=in-progress", json!({"status": "tbr"})).await.expect(200);
    let item = reader.get("/api/tbr").await.expect(200)["data"][1]["id"].clone();
    reader.patch(&format!("/api/tbr/{item}"), json!({"notes": "Soon."})).await.expect(200);
    let undone = undo_newest(&reader).await;
    assert_eq!((&undone["restored"], &undone["kept"][0]["title"]), (&json!(1), &json!("Tehanu (Earthsea, #4)")));
    let ids: Vec<_> = library(&reader).await.iter().map(|book| book["id"].clone()).collect();
    assert_eq!(ids, [first["id"].clone(), known["id"].clone()]);
}

#[tokio::test]
async fn open_reads_are_given_up_and_wrong_changes_are_refused() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    add(&reader, "Tehanu", json!({"status": "in-progress", "startDate": "2024-01-02", "pausedSince": "2024-02-01"}))
        .await;
    add(&reader, "Lavinia", json!({})).await;
    let before = library(&reader).await;
    let given_up = reader.patch("/api/books", json!({"status": "did-not-finish"})).await.expect(200);
    assert_eq!(given_up, json!({"changed": 1}));
    let read = &library(&reader).await[0];
    assert_eq!(
        ["status", "startDate", "stoppedDate", "pausedSince"].map(|field| read[field].clone()),
        [json!("did-not-finish"), json!("2024-01-02"), Value::Null, Value::Null]
    );
    assert_eq!(operations(&reader).await[0]["summary"], "Marked 1 book as not finished.");
    undo_newest(&reader).await;
    assert_eq!(library(&reader).await, before);
    for (wrong, field) in [
        (json!({"status": "completed"}), "status"),
        (json!({"format": "Scroll"}), "format"),
        (json!({"language": "not a language"}), "language"),
        (json!({"series": {"name": " "}}), "series"),
        (json!({"series": "Earthsea"}), "series"),
        (json!({"addTags": ["a,b"]}), "addTags"),
        (json!({"addTags": (0..51).map(|at| at.to_string()).collect::<Vec<_>>()}), "addTags"),
        (json!({}), "addGenres"),
    ] {
        assert_eq!(reader.patch("/api/books", wrong.clone()).await.fields(), [field], "{wrong}");
    }
    assert_eq!(library(&reader).await, before);
}

#[tokio::test]
async fn another_format_takes_the_estimated_words_along() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let lengths =
        json!({"title": "Lavinia", "author": "Ursula K. Le Guin", "status": "undated", "pages": 100, "minutes": 600});
    reader.post("/api/books", lengths).await.expect(201);
    let before = library(&reader).await;
    let words = |books: &[Value]| (books[0]["wordCount"].clone(), books[0]["wordCountSource"].clone());
    assert_eq!(words(&before), (json!(27_500), json!("pages")));
    let change = json!({"format": "Audio", "addGenres": ["Historical"]});
    assert_eq!(reader.patch("/api/books", change).await.expect(200), json!({"changed": 1}));
    assert_eq!(words(&library(&reader).await), (json!(93_000), json!("minutes")));
    undo_newest(&reader).await;
    assert_eq!(library(&reader).await, before);
}
