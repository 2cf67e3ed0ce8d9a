//! What was marked in other programs: which book it belongs to, what is new, and the undo.
use rusqlite::Connection;
use serde_json::{Value, json};

use crate::support::actors::{Reader, TestResponse};
use crate::support::harness::TestServer;

const IMPORT: &str = "/api/quotes/import";
const PREVIEW: &str = "/api/quotes/import?dryRun=true";
const NAME: &str = "My Clippings.txt";

/// A highlight of a Kindle at a location.
fn highlight(line: &str, at: u32, text: &str) -> String {
    let about =
        format!("- Your Highlight on page {at} | location {at}0-{at}9 | Added on Monday, April 21, 2014 10:08:07 PM");
    format!("\u{feff}{line}\r\n{about}\r\n\r\n{text}\r\n==========\r\n")
}

fn note(line: &str, at: u32, text: &str) -> String {
    highlight(line, at, text).replace("Your Highlight", "Your Note").replace("0-", "5-").replace("9 |", "5 |")
}

async fn book(reader: &Reader, title: &str, author: &str) -> i64 {
    let book = json!({"title": title, "author": author, "status": "undated"});
    reader.post("/api/books", book).await.expect(201)["book"]["id"].as_i64().unwrap()
}

async fn import(reader: &Reader, file: &str) -> Value {
    reader.upload(IMPORT, NAME, file, &[]).await.expect(200)
}

async fn passages(reader: &Reader, book: i64) -> Value {
    reader.get(&format!("/api/books/{book}")).await.expect(200)["book"]["passages"].clone()
}

async fn undo(reader: &Reader, report: &Value) -> TestResponse {
    reader.delete(&format!("/api/operations/{}", report["operationId"])).await
}

#[tokio::test]
async fn clippings_are_previewed_imported_once_and_undone() {
    let server = TestServer::start().await;
    let (nora, other) = (server.reader().await, server.reader().await);
    let trust = book(&nora, "Trust", "Hernan Diaz").await;
    book(&other, "Unheard of", "Nobody").await;
    let first = highlight("Trust (Diaz, Hernan)", 1, "God is the most uninteresting answer.");
    let file = [
        first.clone(),
        note("Trust (Diaz, Hernan)", 1, "Why?"),
        note("Trust (Diaz, Hernan)", 7, "A note alone"),
        highlight("Unheard of (Nobody)", 1, "Lost"),
    ]
    .concat();
    let before = nora.get(&format!("/api/books/{trust}")).await.expect(200)["book"].clone();
    let unknown = json!([{"title": "Unheard of", "author": "Nobody", "passages": 1}]);
    let figures = json!({"format": "kindle", "passages": 3, "fits": 2, "added": 2, "known": 0, "unknown": unknown, "operationId": null});
    assert_eq!(nora.upload(PREVIEW, NAME, file.clone(), &[]).await.expect(200), figures);
    assert_eq!(nora.get(&format!("/api/books/{trust}")).await.expect(200)["book"], before, "a preview changes nothing");

    let report = import(&nora, &file).await;
    assert_eq!((&report["added"], &report["unknown"]), (&json!(2), &unknown));
    let stored = json!([
        {"text": "God is the most uninteresting answer.", "place": "p. 1", "note": "Why?", "day": "2014-04-21"},
        {"text": "", "place": "p. 7", "note": "A note alone", "day": "2014-04-21"},
    ]);
    assert_eq!(passages(&nora, trust).await, stored);
    let operation = nora.get("/api/operations").await.expect(200)["data"][0].clone();
    let named = json!([operation["kind"], operation["summary"], operation["importId"], operation["id"]]);
    assert_eq!(named, json!(["import", "Imported 2 quotes from My Clippings.txt.", null, report["operationId"]]));

    let again = import(&nora, &file).await;
    assert_eq!(json!([again["added"], again["known"], again["operationId"]]), json!([0, 2, null]));
    assert_eq!(passages(&nora, trust).await, stored);

    undo(&nora, &report).await.expect(200);
    assert_eq!(nora.get(&format!("/api/books/{trust}")).await.expect(200)["book"], before);
    assert_eq!(undo(&nora, &report).await.status, 409);
    assert_eq!(import(&nora, &file).await["added"], 2, "what an undo took comes again");
    assert_eq!(passages(&nora, trust).await, stored);
    assert_eq!(undo(&other, &report).await.status, 404);
}

#[tokio::test]
async fn what_its_reader_deleted_or_changed_does_not_come_again() {
    let server = TestServer::start().await;
    let nora = server.reader().await;
    let id = book(&nora, "Trust", "Hernan Diaz").await;
    let line = "Trust (Diaz, Hernan)";
    let path = format!("/api/books/{id}");
    nora.post(&format!("{path}/quotes"), json!({"text": "Typed by hand"})).await.expect(200);
    let file = [
        highlight(line, 1, "Deleted"),
        highlight(line, 2, "Misspeled"),
        highlight(line, 3, "typed by hand!"),
        note(line, 2, "Hm"),
    ]
    .concat();
    let report = import(&nora, &file).await;
    assert_eq!(json!([report["added"], report["known"]]), json!([2, 1]));
    nora.patch(&path, json!({"passages": [{"text": "Misspelled"}]})).await.expect(200);
    let again = import(&nora, &file).await;
    assert_eq!(json!([again["added"], again["known"], again["operationId"]]), json!([0, 3, null]));
    // A note that was written since comes, one that was deleted does not.
    nora.patch(&path, json!({"passages": [{"text": "Misspeled"}, {"text": "Deleted"}]})).await.expect(200);
    let late = import(&nora, &[file.clone(), note(line, 1, "Late")].concat()).await;
    assert_eq!(json!([late["added"], late["known"]]), json!([1, 2]));
    let now = passages(&nora, id).await;
    assert_eq!(json!([now[0]["note"], now[1]["note"]]), json!([null, "Late"]));
    // The undo of what was changed since says so.
    let kept = undo(&nora, &report).await.expect(200)["kept"].clone();
    assert_eq!(kept[0]["title"], "Trust");
    // With the book everything goes.
    let count = async || {
        let count = "SELECT count(*) FROM imported_quotes";
        server.db.read(move |conn| Ok(conn.query_row(count, [], |row| row.get::<_, i64>(0))?)).await.unwrap()
    };
    assert!(count().await > 0);
    nora.delete(&path).await.expect(204);
    assert_eq!(count().await, 0);
}

#[tokio::test]
async fn a_time_that_is_no_day_of_a_reader_is_left_out() {
    let server = TestServer::start().await;
    let nora = server.reader().await;
    let trust = book(&nora, "Trust", "Hernan Diaz").await;
    // Milliseconds in the place of seconds, and a clock that was never set.
    let entries = json!([{"text": "One", "time": 1_600_000_000_000_i64}, {"text": "Two", "time": -9_999_999_999_i64}]);
    let file = json!({"title": "Trust", "author": "Hernan Diaz", "entries": entries});
    nora.upload(IMPORT, "trust.json", file.to_string(), &[]).await.expect(200);
    let marked = passages(&nora, trust).await;
    assert_eq!(json!([marked[0]["day"], marked[1]["day"]]), json!([null, null]));
    nora.get("/api/quotes").await.expect(200);
    assert_eq!(nora.get("/api/account/export").await.status, 200);
}

#[tokio::test]
async fn what_its_reader_deleted_does_not_come_again_in_another_account_either() {
    let server = TestServer::start().await;
    let (nora, new) = (server.plus().await, server.plus().await);
    // A row before it, and one that joins its work.
    book(&nora, "Emma", "Jane Austen").await;
    let id = book(&nora, "Trust", "Hernan Diaz").await;
    let line = "Trust (Diaz, Hernan)";
    let file = [highlight(line, 1, "Deleted"), highlight(line, 2, "Stays"), note(line, 2, "Hm")].concat();
    import(&nora, &file).await;
    nora.patch(&format!("/api/books/{id}"), json!({"passages": [{"text": "Stays"}]})).await.expect(200);
    let archive = nora.get("/api/account/export").await.bytes;
    let moved = new.upload("/api/books/import", "mine.zip", archive.clone(), &[]).await.expect(200);
    let again = import(&new, &file).await;
    assert_eq!(json!([again["added"], again["known"], again["operationId"]]), json!([0, 2, null]));
    let books = new.get("/api/books?status=undated").await.expect(200);
    let id = books["data"].as_array().unwrap().iter().find(|book| book["title"] == "Trust").unwrap()["id"].clone();
    assert_eq!(passages(&new, id.as_i64().unwrap()).await[0]["note"], json!(null), "a deleted note, too");
    // An archive of a book that is here says nothing about what its reader did here.
    let other = server.plus().await;
    book(&other, "Emma", "Jane Austen").await;
    book(&other, "Trust", "Hernan Diaz").await;
    other.upload("/api/books/import", "mine.zip", archive, &[]).await.expect(200);
    assert_eq!(import(&other, &file).await["added"], 2);
    // With the books everything goes.
    new.delete(&format!("/api/imports/{}", moved["importId"])).await.expect(200);
    let first = new.id << 24;
    let count = move |conn: &Connection| {
        let sql = "SELECT count(*) FROM imported_quotes WHERE book_id BETWEEN ?1 AND ?2";
        Ok(conn.query_row(sql, [first, first + 0xff_ffff], |row| row.get::<_, i64>(0))?)
    };
    assert_eq!(server.db.read(count).await.unwrap(), 0);
}

#[tokio::test]
async fn a_passage_that_grew_on_the_device_takes_the_place_of_its_former_self() {
    let server = TestServer::start().await;
    let nora = server.reader().await;
    let id = book(&nora, "Trust", "Hernan Diaz").await;
    let short = highlight("Trust (Diaz, Hernan)", 1, "One two");
    import(&nora, &short).await;
    let both = short + &highlight("Trust (Diaz, Hernan)", 1, "One two three");
    assert_eq!(import(&nora, &both).await["added"], 1);
    let now = passages(&nora, id).await;
    assert_eq!(json!([now.as_array().unwrap().len(), now[0]["text"]]), json!([1, "One two three"]));
    nora.patch(&format!("/api/books/{id}"), json!({"quotes": []})).await.expect(200);
    assert_eq!(import(&nora, &both).await["known"], 1);
}

#[tokio::test]
async fn passages_go_to_the_newest_read_and_titles_without_a_book_where_their_reader_says() {
    let server = TestServer::start().await;
    let (nora, other) = (server.plus().await, server.plus().await);
    let first = book(&nora, "Good Omens", "Neil Gaiman").await;
    nora.patch(
        &format!("/api/books/{first}"),
        json!({"authors": ["Terry Pratchett", "Neil Gaiman"], "quotes": ["Old"]}),
    )
    .await
    .expect(200);
    let again =
        nora.post(&format!("/api/books/{first}/again"), json!({})).await.expect(201)["book"]["id"].as_i64().unwrap();
    let dune = book(&nora, "Dune", "Frank Herbert").await;
    let foreign = book(&other, "Dune", "Frank Herbert").await;
    let file = [
        highlight("good omens (Gaiman, Neil;Pratchett, Terry)", 1, "New"),
        highlight("good omens (Gaiman, Neil;Pratchett, Terry)", 2, "Old"),
        highlight("Good Omens", 3, "Without an author"),
        highlight("Dune (Dune Chronicles, Book 1) (Herbert, Frank)", 1, "Fear"),
        highlight("Left (Nobody)", 1, "Left"),
        highlight("Good Omens (Somebody Else)", 1, "Unlike"),
    ]
    .concat();
    let choice = |book: Value| {
        json!([{"title": "Dune (Dune Chronicles, Book 1)", "author": "Herbert, Frank", "bookId": book}, {"title": "Left", "author": "Nobody", "bookId": null}]).to_string()
    };
    for wrong in [choice(json!(foreign)), choice(json!("x")), "{".to_owned()] {
        let refused = nora.upload(PREVIEW, NAME, file.clone(), &[("books", &wrong)]).await.expect(422);
        assert!(refused["fields"]["books"].is_string(), "{refused}");
    }
    let report = nora.upload(IMPORT, NAME, file, &[("books", &choice(json!(dune)))]).await.expect(200);
    assert_eq!(json!([report["fits"], report["added"], report["known"]]), json!([4, 3, 1]));
    let titles: Vec<_> = report["unknown"].as_array().unwrap().iter().map(|one| one["title"].clone()).collect();
    assert_eq!(titles, [json!("Left"), json!("Good Omens")]);
    let texts = async |book: i64| {
        let list = passages(&nora, book).await;
        list.as_array().unwrap().iter().map(|one| one["text"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(texts(again).await, ["New", "Without an author"]);
    assert_eq!((texts(first).await, texts(dune).await), (vec!["Old".to_owned()], vec!["Fear".to_owned()]));
}

#[tokio::test]
async fn a_book_takes_two_hundred_and_a_file_that_is_none_says_so() {
    let server = TestServer::start().await;
    let nora = server.reader().await;
    let id = book(&nora, "Trust", "Hernan Diaz").await;
    let file: String = (0..250).map(|at| highlight("Trust (Diaz, Hernan)", at, &format!("Number {at}"))).collect();
    let report = import(&nora, &file).await;
    assert_eq!(json!([report["fits"], report["added"], report["known"]]), json!([250, 200, 0]));
    assert_eq!(passages(&nora, id).await.as_array().unwrap().len(), 200);
    for (text, sentence) in [
        ("Title,Author\nDune,Frank Herbert\n", "This is a file of books from Shelfwise. Import it on the import page."),
        ("Wann,Was\n1,2\n", "This file has no passages that were marked. Nothing was imported."),
        ("{\"entries\": 3}", "This file is damaged."),
        ("{\"x\": 1}", "This file is from none of the programs that we know."),
    ] {
        let refused = nora.upload(IMPORT, NAME, text, &[]).await.expect(422);
        assert_eq!(json!([refused["code"], refused["error"]]), json!(["unreadable_file", sentence]), "{text}");
    }
    assert_eq!(nora.upload(IMPORT, NAME, vec![b'x'; (10 << 20) + 1], &[]).await.status, 413);
    for (passages, books, sentence) in [
        (100_001, 1, "This file has more than 100,000 passages."),
        (10_001, 10_001, "This file has more than 10,000 books."),
    ] {
        let many: String = (0..passages).map(|at| format!("T{} (A)\n- a\n\nb\n==========\n", at % books)).collect();
        assert_eq!(nora.upload(IMPORT, NAME, many, &[]).await.expect(413)["error"], sentence);
    }
}

#[tokio::test]
async fn the_file_of_a_kobo_and_of_a_device_bring_quotes_that_go_with_their_import() {
    let server = TestServer::start().await;
    let nora = server.reader().await;
    let id = book(&nora, "Trust", "Hernan Diaz").await;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("KoboReader.sqlite");
    let conn = Connection::open(&path).unwrap();
    conn.execute_batch(
        "CREATE TABLE content (ContentID TEXT, ContentType TEXT, BookID TEXT, Title TEXT, Attribution TEXT, ReadStatus INTEGER, WordCount INTEGER);
        CREATE TABLE Bookmark (BookmarkID TEXT, VolumeID TEXT, Text TEXT, Annotation TEXT, DateCreated TEXT, Hidden BOOL, Type TEXT);
        INSERT INTO content VALUES ('t', '6', NULL, 'Trust', 'Hernan Diaz', 0, -1);
        INSERT INTO Bookmark VALUES ('1', 't', ' God is the most uninteresting answer. ', 'Why?', '2024-03-01T20:00:00.000', 'false', 'note'),
          ('2', 't', 'Gone', NULL, NULL, 'true', 'highlight'), ('3', 't', NULL, NULL, NULL, 'false', 'dogear'), ('4', 'x', 'Lost', NULL, NULL, 0, 'highlight');",
    )
    .unwrap();
    conn.close().unwrap();
    let kobo = std::fs::read(&path).unwrap();
    let stored =
        json!([{"text": "God is the most uninteresting answer.", "place": null, "note": "Why?", "day": "2024-03-01"}]);
    let report = nora.upload(IMPORT, "KoboReader.sqlite", kobo.clone(), &[]).await.expect(200);
    assert_eq!(json!([report["format"], report["passages"], report["added"]]), json!(["kobo", 1, 1]));
    assert_eq!(passages(&nora, id).await, stored);
    undo(&nora, &report).await.expect(200);

    let clippings = highlight("Trust (Diaz, Hernan)", 3, "Other").into_bytes();
    for (name, file, format) in [("KoboReader.sqlite", kobo, "kobo"), (NAME, clippings, "kindle")] {
        let preview = nora.upload("/api/reading/import?dryRun=true", name, file.clone(), &[]).await.expect(200);
        assert_eq!(json!([preview["format"], preview["quotes"], preview["importId"]]), json!([format, 1, null]));
        assert_eq!(passages(&nora, id).await, json!([]));
        let report = nora.upload("/api/reading/import", name, file.clone(), &[]).await.expect(200);
        assert_eq!(report["quotes"], 1);
        assert_eq!(passages(&nora, id).await.as_array().unwrap().len(), 1);
        let done = nora.get("/api/operations").await.expect(200)["data"][0]["summary"].clone();
        assert_eq!(done, format!("Took 1 quote from {name}."));
        assert_eq!(nora.upload("/api/reading/import", name, file, &[]).await.expect(200)["importId"], Value::Null);
        nora.delete(&format!("/api/imports/{}", report["importId"])).await.expect(200);
        assert_eq!(passages(&nora, id).await, json!([]));
    }

    let path = folder.path().join(NAME);
    std::fs::write(&path, highlight("Trust (Diaz, Hernan)", 3, "Other")).unwrap();
    let ended = server.try_command(&["import", &nora.email, path.to_str().unwrap()], "").await;
    assert!(
        ended.out.starts_with("Took from Kindle: ") && ended.out.contains("quotes 1"),
        "{} {}",
        ended.out,
        ended.err
    );
    assert_eq!(passages(&nora, id).await[0]["text"], "Other");
}
