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

#[tokio::test]
async fn a_passage_keeps_its_place_note_and_day_in_the_book_and_in_the_exports() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let passages = json!([
        {"text": "Fear.", "place": "p. 8", "note": "Litany", "day": "2026-02-01"},
        {"text": "Spice.", "place": null, "note": null, "day": null},
        {"text": "", "place": "38%", "note": "A note alone", "day": null},
    ]);
    let book = json!({"title": "Dune", "author": "F", "status": "undated", "passages": passages});
    let made = reader.post("/api/books", book).await.expect(201)["book"].clone();
    let path = format!("/api/books/{}", made["id"]);
    assert_eq!((&made["quotes"], &made["passages"]), (&json!(["Fear.", "Spice."]), &json!(null)));
    let stored = reader.get(&path).await.expect(200)["book"].clone();
    assert_eq!((&stored["passages"], &stored["quotes"]), (&passages, &made["quotes"]));
    assert_eq!(
        reader.get(&format!("/api/works/{}", made["work"])).await.expect(200)["work"]["reads"][0]["passages"],
        passages
    );
    assert_eq!(reader.get("/api/books").await.expect(200)["data"][0]["passages"], json!(null));

    // Texts alone keep the places of equal texts.
    let changed = json!({"quotes": ["New.", "Fear."]});
    assert_eq!(reader.patch(&path, changed).await.expect(200)["book"]["quotes"], json!(["New.", "Fear."]));
    let now = reader.get(&path).await.expect(200)["book"]["passages"].clone();
    assert_eq!((&now[0]["place"], &now[1], &now[2]), (&json!(null), &passages[0], &passages[2]));

    // One quote more, and what an equal one lacked.
    let quotes = format!("{path}/quotes");
    reader.post(&quotes, json!({"text": "New.", "place": " ch. 4 ", "day": "2026-03-01"})).await.expect(200);
    let now = reader.get(&path).await.expect(200)["book"]["passages"].clone();
    assert_eq!(now[0], json!({"text": "New.", "place": "ch. 4", "note": null, "day": "2026-03-01"}));
    for (field, wrong, sentence) in [
        ("place", json!("x".repeat(51)), "The place of a quote can have at most 50 characters."),
        ("note", json!("x".repeat(2_001)), "The note to a quote can have at most 2,000 characters."),
        ("day", json!("1.2.2026"), "Dates must be written yyyy-MM-dd."),
    ] {
        let refused = reader.post(&quotes, json!({"text": "T", field: wrong})).await;
        refused.code(422);
        assert_eq!(refused.body["fields"][field], sentence);
    }
    for (passages, sentence) in [
        (json!([{"text": "T", "day": "2026-2-1"}]), None),
        (json!("T"), None),
        (json!([{"text": "T", "place": "x".repeat(51)}]), Some("The place of a quote can have at most 50 characters.")),
    ] {
        let refused = reader.patch(&path, json!({"passages": passages})).await;
        refused.code(422);
        let form = "Passages must be a list of texts, each perhaps with a place, a note and a day written yyyy-MM-dd.";
        assert_eq!(refused.body["fields"]["passages"], sentence.unwrap_or(form));
    }

    // A change of a place alone is a change that another page would notice.
    let tag = reader.get(&path).await.header("etag").to_owned();
    let mut later = now.clone();
    later[1]["place"] = json!("p. 9");
    reader.patch(&path, json!({"passages": later})).await.expect(200);
    let stale = reader.request(Method::PATCH, &path).header("If-Match", tag).json(&json!({"passages": now}));
    assert_eq!(reader.send(stale).await.code(412), "changed_elsewhere");
}

#[tokio::test]
async fn quotes_of_the_library_are_leafed_through_by_book_or_at_random() {
    let server = TestServer::start().await;
    let (reader, other) = (server.plus().await, server.plus().await);
    let many: Vec<_> = (0..120).map(|at| format!("Quote {at}")).collect();
    let first = json!({"title": "Dune", "authors": ["Frank Herbert", "A. Other"], "status": "undated", "tags": ["slow"], "quotes": many});
    let dune = reader.post("/api/books", first).await.expect(201)["book"]["id"].clone();
    let emma = json!({"title": "Emma", "author": "Jane Austen", "status": "undated",
        "passages": [{"text": "Badly done,\nindeed!", "place": "ch. 43", "note": "Box Hill", "day": "2026-01-02"}]});
    let emma = reader.post("/api/books", emma).await.expect(201)["book"]["id"].clone();
    let list = async |query: &str| reader.get(&format!("/api/quotes?{query}")).await.expect(200);
    let all = list("").await;
    assert_eq!((&all["matching"], all["data"].as_array().unwrap().len()), (&json!(121), 50));
    let expected = json!({"bookId": emma, "title": "Emma", "author": "Jane Austen", "text": "Badly done,\nindeed!", "place": "ch. 43",
        "note": "Box Hill", "day": "2026-01-02"});
    assert_eq!(all["data"][0], expected);
    let texts = |page: &serde_json::Value| -> Vec<String> {
        page["data"].as_array().unwrap().iter().map(|quote| quote["text"].as_str().unwrap().to_owned()).collect()
    };
    let walk = async |query: &str| {
        let (mut seen, mut cursor) = (Vec::new(), String::new());
        loop {
            let page = reader.get(&format!("/api/quotes?{query}{cursor}")).await.expect(200);
            seen.extend(texts(&page));
            let Some(next) = page["nextCursor"].as_str() else { return seen };
            cursor = format!("&cursor={next}");
        }
    };
    let ordered = walk("limit=50").await;
    assert_eq!((ordered.len(), &*ordered[1], &*ordered[120]), (121, "Quote 0", "Quote 119"));
    let (one, same, another) =
        (walk("random=1&seed=a").await, walk("random=1&seed=a&limit=7").await, walk("random=1&seed=b").await);
    assert_eq!(one, same);
    assert_ne!(one, another);
    let sorted = |mut list: Vec<String>| {
        list.sort();
        list
    };
    assert_eq!(sorted(one), sorted(ordered));
    for (query, matching) in [
        (format!("book={dune}"), 120),
        ("author=herbert%2C%20frank".into(), 0),
        ("author=FRANK%20HERBERT".into(), 120),
        ("tag=Slow".into(), 120),
        ("tag=slow&author=Jane%20Austen".into(), 0),
        ("book=1".into(), 0),
    ] {
        assert_eq!(list(&query).await["matching"], matching, "{query}");
    }
    assert_eq!(other.get(&format!("/api/quotes?book={dune}")).await.expect(200)["matching"], 0);

    let markdown = reader.get(&format!("/api/quotes?format=md&book={emma}")).await;
    assert_eq!(markdown.header("content-type"), "text/markdown; charset=utf-8");
    let expected = "## Emma\n\nJane Austen\n\n> Badly done,\n> indeed!\n\nBox Hill\n\nch. 43, 2026-01-02\n\n";
    assert_eq!(String::from_utf8(markdown.bytes).unwrap(), expected);
    for (query, field) in
        [("cursor=x", "cursor"), ("random=maybe", "random"), ("format=pdf", "format"), ("limit=0", "limit")]
    {
        let refused = reader.get(&format!("/api/quotes?{query}")).await;
        refused.code(422);
        assert!(refused.body["fields"][field].is_string(), "{query}: {}", refused.body);
    }
}
