//! Exports in the forms of other programs, over HTTP.
use serde_json::{Value, json};

use crate::support::harness::TestServer;

/// The losses of a format with their counts, in the order of the answer.
fn losses(formats: &Value, format: &str) -> Vec<(String, i64)> {
    let all = formats["data"].as_array().unwrap();
    let one = all.iter().find(|one| one["format"] == format).unwrap();
    let losses = one["losses"].as_array().unwrap().iter();
    losses.map(|loss| (loss["what"].as_str().unwrap().to_owned(), loss["count"].as_i64().unwrap())).collect()
}

#[tokio::test]
async fn a_library_leaves_in_every_form_and_its_losses_are_counted_before() {
    let server = TestServer::start().await;
    let (nora, other) = (server.plus().await, server.plus().await);
    other
        .post("/api/books", json!({"title": "Foreign", "author": "B", "status": "undated", "wordCount": 7}))
        .await
        .expect(201);
    let dune = json!({"title": "Dune", "author": "Frank Herbert", "wordCount": 188_000, "dateCompleted": "spring 2020",
        "rating": 7.5, "quotes": ["Fear is the mind-killer"], "isbn": "9780441013593"});
    let dune = nora.post("/api/books", dune).await.expect(201)["book"]["id"].clone();
    nora.post(&format!("/api/books/{dune}/again"), json!({"startDate": "2024-05-01"})).await.expect(201);
    for number in 0..25 {
        let book = json!({"title": format!("Book {number}"), "author": "A", "status": "undated", "wordCount": 1_000});
        nora.post("/api/books", book).await.expect(201);
    }
    nora.post("/api/tbr", json!({"title": "Kim", "author": "Rudyard Kipling", "notes": "Later"})).await.expect(201);

    let formats = nora.get("/api/account/export/formats").await.expect(200);
    let words: Vec<_> = formats["data"].as_array().unwrap().iter().map(|one| one["format"].as_str().unwrap()).collect();
    assert_eq!(
        words,
        [
            "goodreads", "storygraph", "hardcover", "librarything", "bookwyrm", "openreads", "jelu", "yamtrack",
            "shelfwise"
        ]
    );
    let expected = [("words", 26), ("half-points", 1), ("start-dates", 1), ("rough-dates", 1), ("quotes", 1)];
    assert_eq!(losses(&formats, "goodreads"), expected.map(|(what, count)| (what.to_owned(), count)));
    let goodreads = &formats["data"][0];
    assert_eq!(goodreads["questions"], json!(["ratings", "roughDates", "quotes"]));
    let books = goodreads["losses"][0]["books"].as_array().unwrap();
    assert_eq!((books.len(), &books[1]["title"]), (20, &json!("Book 0")));
    assert_eq!(losses(&formats, "shelfwise"), [("list".to_owned(), 1)]);
    assert!(losses(&formats, "bookwyrm").contains(&("impressions".to_owned(), 1)), "notes of the list");

    for format in words {
        let answer = nora.get(&format!("/api/account/export/{format}")).await;
        let name = answer.header("content-disposition").to_owned();
        assert!(name.contains(&format!("\"{format}-")) && name.ends_with(".csv\""), "{name}");
        let text = String::from_utf8(answer.bytes).unwrap();
        assert!(text.contains("Dune") && !text.contains("Foreign"), "{format}: {text}");
        assert_eq!(text.contains("Kim"), format != "shelfwise", "{format}");
    }
    let path = "/api/account/export/goodreads?roughDates=none&ratings=down&quotes=append";
    let text = String::from_utf8(nora.get(path).await.bytes).unwrap();
    assert!(text.contains("mind-killer") && !text.contains("2020/05/31"), "{text}");
    nora.get("/api/account/export/ryot").await.expect(404);
    let refused = nora.get("/api/account/export/jelu?ratings=sideways").await.expect(422);
    assert_eq!(refused["fields"]["ratings"], "This must be up or down.");
}
