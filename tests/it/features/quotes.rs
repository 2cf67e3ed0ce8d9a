//! One quote is added to a book.
use reqwest::Method;
use serde_json::json;

use crate::support::harness::TestServer;

#[tokio::test]
async fn a_quote_is_added_once_and_everything_else_of_the_book_stays() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let book = json!({"title": "Dune", "author": "Frank Herbert", "wordCount": 200_000, "pages": 400, "status": "in-progress",
        "quotes": ["Fear."], "impressions": "Sand.", "genres": ["SF"]});
    let id = reader.post("/api/books", book).await.expect(201)["book"]["id"].clone();
    let path = format!("/api/books/{id}");
    let today = reader.get("/api/reading").await.expect(200)["today"].as_str().unwrap().to_owned();
    let noted = reader.request(Method::PUT, &format!("{path}/days/{today}")).json(&json!({"page": 200}));
    let before = reader.send(noted).await.expect(200)["book"].clone();
    let quotes = format!("{path}/quotes");
    let send = |key: &'static str, text: &str| {
        let call = reader.request(Method::POST, &quotes).header("Idempotency-Key", key).json(&json!({"text": text}));
        reader.send(call)
    };
    let first = send("one", "The spice must flow.").await.expect(200);
    assert_eq!(first["book"]["quotes"], json!(["Fear.", "The spice must flow."]));
    assert_eq!(send("one", "The spice must flow.").await.expect(200), first, "a repetition has the same answer");
    // An answer is remembered for a day. A quote is not added twice after that either.
    server.advance(chrono::TimeDelta::days(20));
    let late = send("one", "The spice must flow.").await.expect(200);
    assert_eq!(late["book"]["quotes"], json!(["Fear.", "The spice must flow."]));
    for field in ["impressions", "genres", "progress", "status", "rating", "wordCount", "startDate"] {
        assert_eq!(late["book"][field], before[field], "{field}");
    }
    for (sent, sentence) in [
        (json!({}), "The quote is required."),
        (json!({"text": null}), "The quote is required."),
        (json!({"text": " \n"}), "The quote is required."),
        (json!({"text": 5}), "The quote must be a text."),
        (json!({"text": "x".repeat(5_001)}), "A quote can have at most 5,000 characters."),
    ] {
        let refused = reader.post(&quotes, sent).await;
        refused.code(422);
        assert_eq!(refused.body["fields"]["text"], sentence);
    }
    let many: Vec<_> = (0..200).map(|at| format!("Quote {at}")).collect();
    reader.patch(&path, json!({"quotes": many})).await.expect(200);
    let refused = reader.post(&quotes, json!({"text": "One more"})).await;
    refused.code(422);
    assert_eq!(refused.body["fields"]["quotes"], "A book can have at most 200 quotes.");
    reader.delete(&path).await.expect(204);
    assert_eq!(reader.post(&quotes, json!({"text": "Late"})).await.code(404), "not_found");
}
