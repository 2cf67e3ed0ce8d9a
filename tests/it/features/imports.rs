//! Imports through the API: preview, import, the same file again, undo, rejected rows.
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::actors::{Reader, TestResponse};
use crate::support::harness::TestServer;

fn file(name: &str) -> Vec<u8> {
    std::fs::read(format!("{}/tests/fixtures/import/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

async fn import(person: &Reader, name: &str, fields: &[(&str, &str)]) -> Value {
    person.upload("/api/books/import", name, file(name), fields).await.expect(200)
}

async fn import_text(person: &Reader, text: &str) -> Value {
    person.upload("/api/books/import", "books.csv", text, &[]).await.expect(200)
}

fn counts(report: &Value) -> [i64; 4] {
    ["imported", "importedTbr", "skipped", "errors"].map(|key| report[key].as_i64().unwrap())
}

async fn books(person: &Reader) -> Vec<Value> {
    person.get("/api/books").await.expect(200)["data"].as_array().unwrap().clone()
}

async fn titles(person: &Reader) -> Vec<String> {
    let items = person.get("/api/tbr").await.expect(200);
    items["data"].as_array().unwrap().iter().map(|item| item["title"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_goodreads_file_is_imported_once_and_a_second_import_adds_nothing() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let report = import(&reader, "goodreads-24.csv", &[]).await;
    assert_eq!(counts(&report), [6, 3, 0, 1]);
    assert_eq!((&report["format"], &report["estimatedWords"]), (&json!("goodreads"), &json!(8)));
    assert_eq!(report["details"], json!([{"row": 11, "field": "author", "message": "The author is required."}]));
    let mut keys: Vec<_> = report.as_object().unwrap().keys().cloned().collect();
    keys.sort();
    assert_eq!(
        keys,
        ["details", "errors", "estimatedWords", "format", "importId", "imported", "importedTbr", "leftOut", "skipped"]
    );
    assert_eq!(titles(&reader).await, ["First in the list", "Second in the list", "Wanted"]);
    let again = import(&reader, "goodreads-24.csv", &[]).await;
    assert_eq!(counts(&again), [0, 0, 9, 1]);
    assert_eq!(books(&reader).await.len(), 6);
}

#[tokio::test]
async fn every_book_of_a_large_file_keeps_its_own_facts_and_texts() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let header =
        "Title,Author,Word Count,Date Completed,Word Distribution,Series,Series Number,Publisher,Impressions\n";
    // More than are written together, and neither kind in whole batches.
    let rows = 0..1_750_usize;
    let facts =
        |row: usize| if row % 7 < 4 { (format!("Saga {row}"), format!("Press {row}")) } else { Default::default() };
    let text = |row: usize| if row.is_multiple_of(5) { format!("Thoughts {row}") } else { String::new() };
    let lines = rows.clone().map(|row| {
        let (series, publisher) = facts(row);
        let number = if series.is_empty() { "" } else { "1" };
        format!("Book {row},Author {row},9,2024-01-01,final,{series},{number},{publisher},{}\n", text(row))
    });
    let report = import_text(&reader, &(header.to_owned() + &lines.collect::<String>())).await;
    assert_eq!(counts(&report), [1_750, 0, 0, 0]);
    let export = reader.get("/api/account/export/books.csv").await;
    let mut table = csv::Reader::from_reader(&export.bytes[..]);
    let names = table.headers().unwrap().clone();
    let mut books: Vec<[String; 5]> = table
        .records()
        .map(|record| {
            let record = record.unwrap();
            let columns = ["Title", "Author", "Series", "Publisher", "Impressions"];
            columns.map(|column| record[names.iter().position(|name| name == column).unwrap()].to_owned())
        })
        .collect();
    let mut written: Vec<[String; 5]> = rows
        .map(|row| {
            let (series, publisher) = facts(row);
            [format!("Book {row}"), format!("Author {row}"), series, publisher, text(row)]
        })
        .collect();
    books.sort();
    written.sort();
    assert_eq!(books, written);
}

#[tokio::test]
async fn an_imported_row_is_skipped_until_its_book_is_deleted() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let text = "Title,Author,Date Completed,Rating\nA,B,2024-01-01,5\nA,B,2024-01-01,4\n";
    assert_eq!(counts(&import_text(&reader, text).await), [2, 0, 0, 0]);
    let ids: Vec<i64> = books(&reader).await.iter().map(|book| book["id"].as_i64().unwrap()).collect();
    reader
        .patch(&format!("/api/books/{}", ids[0]), json!({"title": "Quite another", "dateCompleted": "2023-05-05"}))
        .await
        .expect(200);
    assert_eq!(counts(&import_text(&reader, text).await), [0, 0, 2, 0]);
    assert_eq!(reader.delete(&format!("/api/books/{}", ids[1])).await.status, 204);
    assert_eq!(counts(&import_text(&reader, text).await), [1, 0, 1, 0]);
}

#[tokio::test]
async fn rows_equal_to_books_entered_by_hand_are_skipped() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let book = json!({"title": "Émile", "author": "J. J.", "wordCount": 5, "status": "completed", "dateCompleted": "2024-01-01", "rating": 3, "format": "Print"});
    reader.post("/api/books", book).await.expect(201);
    reader.post("/api/tbr", json!({"title": "Later", "author": "X"})).await.expect(201);
    let report = import_text(
        &reader,
        "Title,Author,Date Completed\nemile,j. j.,2024-01-01\nEmile,J. J.,2024-01-02\nÉMILE,J. J.,2024-01-01\n",
    )
    .await;
    assert_eq!((counts(&report), &report["sameRead"]), ([1, 0, 2, 0], &json!(1)));
    let list = reader
        .upload("/api/tbr/import", "list.csv", "Title,Author,Word Count,Notes\nLATER,x,,\nMore,,,\n", &[])
        .await
        .expect(200);
    assert_eq!(counts(&list), [1, 0, 1, 0]);
}

#[tokio::test]
async fn a_preview_shows_everything_and_writes_nothing() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let preview =
        reader.upload("/api/books/import?dryRun=true", "x.csv", file("goodreads-24.csv"), &[]).await.expect(200);
    assert_eq!(counts(&preview), [6, 3, 0, 1]);
    assert_eq!(preview["importId"], Value::Null);
    assert_eq!((preview["books"].as_array().unwrap().len(), preview["tbr"].as_array().unwrap().len()), (6, 3));
    assert_eq!(
        preview["shelves"],
        json!([{"name": "abandoned", "rows": 1, "guess": "did-not-finish"}, {"name": "wishlist", "rows": 1, "guess": "to-read"}])
    );
    assert_eq!(preview["earlierReads"], 2);
    let column = |name: &str| {
        preview["columns"].as_array().unwrap().iter().find(|column| column["name"] == name).unwrap()["field"].clone()
    };
    assert_eq!((column("My Rating"), column("Publisher")), (json!("rating5"), json!("publisher")));
    assert!(books(&reader).await.is_empty());
    assert_eq!(reader.get("/api/imports").await.expect(200), json!({"data": []}));
}

#[tokio::test]
async fn a_wrong_value_of_dry_run_writes_nothing() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    for path in ["/api/books/import", "/api/tbr/import"] {
        let refused = reader.upload(&format!("{path}?dryRun=yes"), "x.csv", file("goodreads-24.csv"), &[]).await;
        assert_eq!((refused.status, refused.fields()), (422, vec!["dryRun"]));
    }
    assert_eq!(reader.post("/api/refill?dryRun=yes", json!({})).await.fields(), ["dryRun"]);
    assert!(books(&reader).await.is_empty());
    assert_eq!(reader.get("/api/imports").await.expect(200), json!({"data": []}));
    for (value, written) in [("1", 0), ("true", 0), ("0", 6)] {
        let path = format!("/api/books/import?dryRun={value}");
        reader.upload(&path, "x.csv", file("goodreads-24.csv"), &[]).await.expect(200);
        assert_eq!(books(&reader).await.len(), written, "{value}");
    }
}

#[tokio::test]
async fn shelves_are_asked_once() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let shelves = [("shelfMap", r#"{"Abandoned": "read", "wishlist": "skip"}"#)];
    let report = import(&reader, "goodreads-24.csv", &shelves).await;
    assert_eq!(counts(&report), [6, 2, 1, 1]);
    let preview =
        reader.upload("/api/books/import?dryRun=true", "x.csv", file("goodreads-24.csv"), &[]).await.expect(200);
    assert_eq!(preview["shelves"][0]["guess"], "read");
    let wrong = reader
        .upload("/api/books/import", "x.csv", file("goodreads-24.csv"), &[("shelfMap", r#"{"abandoned": "burn"}"#)])
        .await;
    assert_eq!(wrong.fields(), ["shelfMap"]);
}

#[tokio::test]
async fn a_file_of_an_unknown_format_needs_named_columns() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let send = async |path: &str, fields: &[(&str, &str)]| {
        reader.upload(path, "gelesen.csv", file("unknown.csv"), fields).await
    };
    let preview = send("/api/books/import?dryRun=true", &[]).await.expect(200);
    assert_eq!(
        (&preview["format"], &preview["columns"][0]),
        (&json!("unknown"), &json!({"name": "Buch", "sample": "Die Wand", "field": "title"}))
    );
    assert_eq!(send("/api/books/import", &[]).await.code(422), "unknown_columns");
    let map = r#"{"Buch": "title", "Von": "author", "Seiten": "pages", "Fertig": "dateCompleted", "Sterne": "rating5", "Art": "format"}"#;
    let report = send("/api/books/import", &[("columnMap", map)]).await.expect(200);
    assert_eq!((counts(&report), &report["estimatedWords"]), ([2, 0, 0, 0], &json!(2)));
    assert_eq!(send("/api/books/import", &[("columnMap", r#"{"Buch": "spine"}"#)]).await.fields(), ["columnMap"]);
}

#[tokio::test]
async fn an_import_stops_at_the_book_limit_and_reports_the_rest() {
    let server = TestServer::with(|config| config.book_limit = 3).await;
    let reader = server.reader().await;
    let report = import(&reader, "goodreads-24.csv", &[]).await;
    assert_eq!(counts(&report), [3, 3, 0, 4]);
    assert_eq!(report["details"][0]["message"], "Beyond the 3 books of the Reader plan.");
    assert_eq!((&report["beyondLimit"], &report["details"][0]["beyondLimit"]), (&json!(3), &json!(true)));
    let listed = reader.get("/api/imports").await.expect(200)["data"][0].clone();
    assert_eq!((&listed["errors"], &listed["beyondLimit"]), (&json!(4), &json!(3)));
    assert_eq!(reader.get("/api/books").await.expect(200)["total"], 3);
}

#[tokio::test]
async fn undoing_deletes_unchanged_entries_only() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let report = import(&reader, "goodreads-24.csv", &[]).await;
    let id = report["importId"].as_i64().unwrap();
    let list = books(&reader).await;
    let changed = list.iter().find(|book| book["title"] == "Thrice").unwrap()["id"].as_i64().unwrap();
    reader.patch(&format!("/api/books/{changed}"), json!({"rating": 1})).await.expect(200);
    let items = reader.get("/api/tbr").await.expect(200);
    let ids: Vec<i64> =
        items["data"].as_array().unwrap().iter().rev().map(|item| item["id"].as_i64().unwrap()).collect();
    assert_eq!(reader.post("/api/tbr/reorder", json!({"bookIds": ids})).await.status, 204);
    let other = server.reader().await;
    assert_eq!(other.delete(&format!("/api/imports/{id}")).await.status, 404);
    let undone = reader.delete(&format!("/api/imports/{id}")).await.expect(200);
    assert_eq!(
        undone,
        json!({"removed": 5, "removedTbr": 3, "kept": [{"id": changed, "title": "Thrice"}], "keptTbr": []})
    );
    assert_eq!(reader.get("/api/books").await.expect(200)["total"], 1);
    assert_eq!(reader.delete(&format!("/api/imports/{id}")).await.code(409), "already_undone");
    assert!(reader.get("/api/imports").await.expect(200)["data"][0]["undone"].is_string());
    assert_eq!(counts(&import(&reader, "goodreads-24.csv", &[]).await), [5, 3, 1, 1]);
}

#[tokio::test]
async fn imports_of_books_and_of_items_can_be_listed_apart() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let books = import(&reader, "goodreads-24.csv", &[]).await["importId"].clone();
    let csv = "Title,Author,Word Count\nKindred,Octavia E. Butler,97300\n";
    let items = reader.upload("/api/tbr/import", "list.csv", csv, &[]).await.expect(200)["importId"].clone();
    let ids = |list: Value| list["data"].as_array().unwrap().iter().map(|one| one["id"].clone()).collect::<Vec<_>>();
    let of = async |query: &str| ids(reader.get(&format!("/api/imports{query}")).await.expect(200));
    assert_eq!(of("").await, [items.clone(), books.clone()]);
    assert_eq!(of("?kind=tbr").await, [items]);
    assert_eq!(of("?kind=books").await, [books]);
    assert_eq!(reader.get("/api/imports?kind=films").await.fields(), ["kind"]);
}

#[tokio::test]
async fn shelves_that_are_not_genres_are_left_out_unless_asked_for() {
    let server = TestServer::start().await;
    let genres_with = |fields: &'static [(&'static str, &'static str)]| {
        let server = &server;
        async move {
            let reader = server.plus().await;
            import(&reader, "goodreads-24.csv", fields).await;
            let list = reader.get("/api/books?titleSearch=Sand+World").await.expect(200);
            list["data"][0]["genres"].clone()
        }
    };
    assert_eq!(genres_with(&[]).await, json!(["Science Fiction"]));
    assert_eq!(genres_with(&[("shelfGenres", "all")]).await, json!(["Science Fiction", "favorites"]));
    assert_eq!(genres_with(&[("genreNames", "keep")]).await, json!(["science-fiction"]));
    let reader = server.plus().await;
    let path = "/api/books/import?dryRun=true";
    let preview = reader.upload(path, "goodreads-24.csv", file("goodreads-24.csv"), &[]).await.expect(200);
    assert_eq!(preview["otherShelves"], json!(["favorites"]));
    assert_eq!(preview["genreNames"], json!({"science-fiction": "Science Fiction"}));
}

#[tokio::test]
async fn the_preview_of_a_later_file_lists_what_is_new() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let first = "Title,Author,Date Completed,Rating\nA,B,2024-01-01,5\n";
    import_text(&reader, first).await;
    let later = format!("{first}C,D,2024-02-02,6\n");
    let preview = reader.upload("/api/books/import?dryRun=true", "books.csv", later, &[]).await.expect(200);
    let titles: Vec<_> = preview["books"].as_array().unwrap().iter().map(|book| book["title"].clone()).collect();
    assert_eq!((titles, &preview["skipped"]), (vec![json!("C")], &json!(1)));
}

#[tokio::test]
async fn the_preview_counts_days_in_the_future_and_rows_on_shelves_that_are_left_out() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let today = chrono::Utc::now().date_naive();
    let future = today + chrono::Days::new(400);
    let [today, future] = [today, future].map(|day| day.format("%Y/%m/%d"));
    let csv = format!(
        "Book Id,Title,Author,My Rating,Exclusive Shelf,Date Read\n1,A,B,5,read,{today}\n2,C,D,5,read,{future}\n\
         3,E,F,0,wont-read,\n"
    );
    let preview = reader.upload("/api/books/import?dryRun=true", "books.csv", csv, &[]).await.expect(200);
    assert_eq!((&preview["imported"], &preview["skipped"]), (&json!(2), &json!(1)));
    assert_eq!((&preview["futureBooks"], &preview["leftOut"]), (&json!(1), &json!(1)));
    let plain = "Title,Author,Date Completed\nA,B,2001-01-01\n";
    let preview = reader.upload("/api/books/import?dryRun=true", "books.csv", plain, &[]).await.expect(200);
    assert!(preview.get("futureBooks").is_none() && preview["leftOut"] == 0, "{preview}");
}

#[tokio::test]
async fn an_item_that_was_started_is_not_listed_again() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let report = import(&reader, "goodreads-24.csv", &[]).await;
    let item = reader.get("/api/tbr").await.expect(200)["data"][0]["id"].as_i64().unwrap();
    let book = reader.post(&format!("/api/tbr/{item}/start"), json!({})).await.expect(201)["book"]["id"].clone();
    assert_eq!(counts(&import(&reader, "goodreads-24.csv", &[]).await), [0, 0, 9, 1]);
    let undone = reader.delete(&format!("/api/imports/{}", report["importId"])).await.expect(200);
    assert_eq!(undone["kept"], json!([{"id": book, "title": "First in the list"}]));
}

#[tokio::test]
async fn refused_rows_come_as_a_csv_with_their_reasons() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let report = import(&reader, "template.csv", &[]).await;
    assert_eq!(counts(&report), [3, 0, 0, 5]);
    let rejected = reader.get(&format!("/api/imports/{}/rejected", report["importId"])).await;
    assert_eq!((rejected.status, rejected.header("content-type")), (200, "text/csv; charset=utf-8"));
    assert!(rejected.header("content-disposition").starts_with("attachment"));
    let text = String::from_utf8(rejected.bytes).unwrap();
    assert_eq!(text.lines().count(), 6, "{text}");
    assert!(
        text.starts_with("Title,Author,Word Count,Date Completed,Rating,Format,Reread,Genres,Impressions,Row,Reason\n")
    );
    assert!(text.contains("Bad rating,A,1,2020-01-02,11,,,,,6,"));
}

#[tokio::test]
async fn unreadable_files_are_refused_with_a_sentence() {
    let server = TestServer::start().await;
    let reader = server.reader().await;
    let send =
        async |name: &str, bytes: &[u8]| -> TestResponse { reader.upload("/api/books/import", name, bytes, &[]).await };
    assert_eq!(send("books.xlsx", b"Title,Author\nA,B").await.status, 415);
    assert_eq!(send("books.csv", b"PK\x03\x04").await.code(422), "unreadable_file");
    assert_eq!(send("books.csv", b"").await.code(422), "unreadable_file");
    assert_eq!(send("books.csv", &vec![b'a'; 20 * 1024 * 1024 + 1]).await.status, 413);
    assert_eq!(reader.post("/api/books/import", json!({})).await.status, 415);
    let form = reqwest::multipart::Form::new().text("note", "no file");
    let empty = reader.send(reader.request(reqwest::Method::POST, "/api/books/import").multipart(form)).await;
    assert_eq!((empty.fields(), &empty.body["error"]), (vec!["file"], &json!("Please select a file")));
    assert_eq!(server.visitor().upload("/api/tbr/import", "a.csv", "", &[]).await.status, 401);
}

#[tokio::test]
async fn the_same_key_imports_once() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let send = async || {
        let part = reqwest::multipart::Part::bytes(b"Title,Author\nA,B\n".to_vec()).file_name("a.csv");
        let form = reqwest::multipart::Form::new().part("file", part);
        let request = reader.request(reqwest::Method::POST, "/api/books/import").header("Idempotency-Key", "k1");
        reader.send(request.multipart(form)).await.expect(200)
    };
    let first = send().await;
    assert_eq!(first["imported"], 1);
    assert_eq!(send().await, first);
}

#[tokio::test]
async fn rereads_are_detected_if_the_preference_is_on() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    reader.patch("/api/preferences", json!({"autoDetectReread": true})).await.expect(200);
    import_text(&reader, "Title,Author,Date Completed,Reread\nA,B,2024-01-01,No\nA,B,2020-01-01,No\n").await;
    import_text(&reader, "Title,Author,Date Completed,Reread\na,b,2025-01-01,No\n").await;
    let told: Vec<_> =
        books(&reader).await.iter().map(|book| (book["dateCompleted"].clone(), book["reread"].clone())).collect();
    assert_eq!(
        told,
        [(json!("2025-01-01"), json!(true)), (json!("2024-01-01"), json!(true)), (json!("2020-01-01"), json!(false))]
    );
}

#[tokio::test]
async fn ten_thousand_rows_arrive_whole() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let rows: String = (0..10_000)
        .map(|n| format!("Book {n},Author {},{},2024-01-{:02},{}\n", n % 700, n * 7, n % 28 + 1, n % 11))
        .collect();
    let text = format!("Title,Author,Word Count,Date Completed,Rating\n{rows}");
    assert_eq!(counts(&import_text(&reader, &text).await), [10_000, 0, 0, 0]);
    assert_eq!(counts(&import_text(&reader, &text).await), [0, 0, 10_000, 0]);
    assert_eq!(reader.get("/api/books?limit=1").await.expect(200)["total"], 10_000);
}

#[tokio::test]
async fn an_import_says_how_far_it_is_to_its_reader_and_stores_nothing_when_it_is_given_up() {
    let server = TestServer::start().await;
    let (reader, other) = (server.plus().await, server.reader().await);
    let rows: String = (0..30_000).map(|row| format!("Book {row},Author {row},9\n")).collect();
    let text = format!("Title,Author,Word Count\n{rows}");
    let path = "/api/imports/the-key";
    assert_eq!(reader.get(path).await.code(404), "not_found");
    let part = reqwest::multipart::Part::text(text).file_name("books.csv");
    let form = reqwest::multipart::Form::new().part("file", part);
    let call = reader.request(Method::POST, "/api/books/import").header("Idempotency-Key", "the-key").multipart(form);
    let import = tokio::spawn(call.send());
    let mut phases = Vec::new();
    loop {
        let answer = reader.get(path).await;
        if answer.status == 404 && phases.is_empty() {
            continue;
        }
        let position = answer.expect(200);
        let phase = position["phase"].as_str().unwrap().to_owned();
        phases.push(phase);
        if position["phase"] == "storing" && position["done"].as_u64() > Some(0) {
            assert_eq!(position["of"], 30_000);
            break;
        }
    }
    assert!(phases.contains(&"reading".to_owned()), "{phases:?}");
    assert_eq!(other.get(path).await.code(404), "not_found");
    import.abort();
    assert!(import.await.unwrap_err().is_cancelled());
    // A write that was begun has ended when the next one is done.
    reader
        .post("/api/books", json!({"title": "Emma", "authors": ["Jane Austen"], "status": "undated"}))
        .await
        .expect(201);
    assert_eq!(reader.get(path).await.code(404), "not_found");
    assert_eq!(books(&reader).await.len(), 1);
    assert_eq!(reader.get("/api/imports").await.expect(200)["data"], json!([]));
    assert_eq!(counts(&import_text(&reader, "Title,Author\nPersuasion,Jane Austen\n").await), [1, 0, 0, 0]);
}

/// What a preview makes of a file: its format, books with status and rating, and items.
pub async fn seen(reader: &Reader, text: &str, fields: &[(&str, &str)]) -> (Value, Vec<String>) {
    let preview =
        reader.upload("/api/books/import?dryRun=true", "books.csv", text.to_owned(), fields).await.expect(200);
    let book = |book: &Value| {
        let [title, author, status, day] =
            ["title", "author", "status", "dateCompleted"].map(|key| book[key].as_str().unwrap_or("-"));
        format!("{title} | {author} | {status} | {day} | {}", book["rating"])
    };
    let books = preview["books"].as_array().unwrap().iter().map(book);
    let items =
        preview["tbr"].as_array().unwrap().iter().map(|item| format!("{} | to-read", item["title"].as_str().unwrap()));
    let seen = books.chain(items).collect();
    (preview, seen)
}

#[tokio::test]
async fn catalogues_and_logs_of_more_programs_are_read() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let files = [
        (
            "openlibrary",
            "Work ID,Title,Authors,First Publish Year,Edition ID,Bookshelf,My Ratings,Ratings Average\n\
             OL1W,Emma,Jane Austen,1815,OL1M,Already Read,4,3.9\nOL2W,Momo,Michael Ende,1973,,Want to Read,,\n\
             OL3W,Dune,Frank Herbert,1965,,Currently Reading,,\nOL4W,Ulysses,James Joyce,1922,,Stopped Reading,,\n",
            vec![
                "Emma | Jane Austen | undated | - | 8",
                "Dune | Frank Herbert | in-progress | - | null",
                "Ulysses | James Joyce | did-not-finish | - | null",
                "Momo | to-read",
            ],
        ),
        (
            "libib",
            "item_type,title,creators,ean_isbn13,upc_isbn10,publisher,publish_date,tags,notes,length,rating,review,status,began,completed\n\
             book,Emma,Jane Austen,9780441013593,,Ace,2005-08-01,classics,,412,4,Good,Completed,2024-01-01,2024-01-05\n\
             movie,Alien,Ridley Scott,,,,,,,117,5,,Completed,,\n",
            vec!["Emma | Jane Austen | completed | 2024-01-05 | 8"],
        ),
        (
            "readinglist",
            "ISBN-13,Title,Subtitle,Authors,Page Count,Publication Date,Publisher,Started Reading,Finished Reading,Rating,Notes\n\
             9780441013593,Emma,A Novel,\"Ellison, Mara; Holm, Ada\",412,2005-08-01,Ace,2024-01-01,2024-01-05,4,\n\
             ,Momo,,\"Ende, Michael\",300,,,,,,\n",
            vec!["Emma | Mara Ellison, Ada Holm | completed | 2024-01-05 | 8", "Momo | to-read"],
        ),
        (
            "bookcatalogue",
            "_id,author_details,title,isbn,publisher,rating,bookshelf,read,series_details,pages,notes,read_start,read_end\n\
             1,\"Austen, Jane|Other, A\",Emma,9780441013593,Ace,4,,1,Saga(2),412,,2024-01-01,2024-01-05\n",
            vec!["Emma | Jane Austen, A Other | completed | 2024-01-05 | 8"],
        ),
        (
            "libation",
            "Account,Audible Product Id,Title,Authors,Narrators,Length In Minutes,Publisher,Series Names,Series Order,My Rating: Overall,Is Finished\n\
             a,B1,Emma,Jane Austen,Ann Voice,754,Ace,Saga,2,4,True\n",
            vec!["Emma | Jane Austen | undated | - | 8"],
        ),
    ];
    for (format, text, wanted) in files {
        let (preview, seen) = seen(&reader, text, &[]).await;
        assert_eq!(
            (preview["format"].as_str().unwrap(), seen),
            (format, wanted.into_iter().map(str::to_owned).collect()),
            "{preview}"
        );
        assert_eq!(preview["errors"], 0, "{preview}");
    }
}

#[tokio::test]
async fn a_file_that_says_neither_status_nor_day_asks() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let text = "Name,Writer\nEmma,Jane Austen\n";
    let (preview, books) = seen(&reader, text, &[]).await;
    let asked = json!([{"field": "status", "choices": ["undated", "completed", "tbr", "in-progress"], "preset": null}]);
    assert_eq!((&preview["asks"], books.len()), (&asked, 0), "{preview}");
    let map = ("columnMap", r#"{"Name": "title", "Writer": "author"}"#);
    for (answer, wanted) in [
        ("", "Emma | Jane Austen | undated | - | null"),
        ("completed", "Emma | Jane Austen | undated | - | null"),
        ("tbr", "Emma | to-read"),
        ("in-progress", "Emma | Jane Austen | in-progress | - | null"),
    ] {
        assert_eq!(seen(&reader, text, &[map, ("status", answer)]).await.1, [wanted], "{answer}");
    }
    let (dated, _) = seen(&reader, "Name,Writer,Finished\nEmma,Jane Austen,2024-01-05\n", &[]).await;
    assert_eq!(dated["asks"], Value::Null);
    let (own, _) = seen(&reader, "Title,Author\nEmma,Jane Austen\n", &[]).await;
    assert_eq!(own["asks"], Value::Null);
}

#[tokio::test]
async fn the_answer_for_a_silent_file_stays_for_the_next_one() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let map = ("columnMap", r#"{"Name": "title", "Writer": "author"}"#);
    let text = "Name,Writer\nEmma,Jane Austen\n";
    reader.upload("/api/books/import", "books.csv", text, &[map, ("status", "tbr")]).await.expect(200);
    let longer = format!("{text}Momo,Michael Ende\n");
    let (preview, books) = seen(&reader, &longer, &[map]).await;
    assert_eq!((&preview["asks"][0]["preset"], books), (&json!("tbr"), vec!["Momo | to-read".to_owned()]), "{preview}");
    let done = reader.upload("/api/books/import?mode=sync", "books.csv", longer, &[map]).await.expect(200);
    assert_eq!((&done["moved"], &done["importedTbr"]), (&json!(0), &json!(1)), "{done}");
}
