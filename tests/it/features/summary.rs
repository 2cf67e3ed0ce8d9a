//! The numbers for widgets, and the page of documents that names them.
use std::collections::BTreeSet;

use chrono::Datelike as _;
use serde_json::json;

use crate::support::harness::TestServer;

const WIDGETS: &str = include_str!("../../../docs/widgets.md");

/// The words that stand between `before` and `after` in the document.
fn between(before: &str, after: char) -> BTreeSet<String> {
    WIDGETS.split(before).skip(1).filter_map(|rest| Some(rest.split_once(after)?.0.to_owned())).collect()
}

#[tokio::test]
async fn the_summary_counts_what_the_dashboard_counts() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let nothing = reader.get("/api/summary").await.expect(200);
    assert_eq!(
        nothing,
        json!({"booksRead": 0, "booksYtd": 0, "wordsYtd": 0, "wordsLast30Days": 0, "averageRating": null, "reading": null,
            "readingPercent": null, "goalTarget": null, "goalValue": null, "tbr": 0})
    );
    let today = reader.get("/api/reading").await.expect(200)["today"].as_str().unwrap().to_owned();
    for (title, day, rating) in [("Emma", today.as_str(), 9), ("Momo", "2016-03-20", 8)] {
        let book = json!({"title": title, "author": "A", "wordCount": 1000, "dateCompleted": day, "rating": rating});
        reader.post("/api/books", book).await.expect(201);
    }
    for (title, more) in [("Dune", json!({})), ("Paused", json!({"pausedSince": today}))] {
        let mut book = json!({"title": title, "author": "A", "status": "in-progress"});
        book.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let id = reader.post("/api/books", book).await.expect(201)["book"]["id"].clone();
        reader.put(&format!("/api/books/{id}/days/{today}"), json!({"percent": 40.5})).await.expect(200);
    }
    let year = server.app.now().year();
    reader.put(&format!("/api/goals/{year}/words"), json!({"target": 5})).await.expect(200);
    reader.put(&format!("/api/goals/{year}/books"), json!({"target": 52})).await.expect(200);
    reader.post("/api/tbr", json!({"title": "Solenoid"})).await.expect(201);
    let expected = json!({"booksRead": 2, "booksYtd": 1, "wordsYtd": 1000, "wordsLast30Days": 1000, "averageRating": 8.5,
        "reading": "Dune", "readingPercent": 40, "goalTarget": 52, "goalValue": 1, "tbr": 1});
    assert_eq!(reader.get("/api/summary").await.expect(200), expected);
    // A private book is in none of them.
    let finished = json!({"title": "Secret", "author": "A", "wordCount": 9, "dateCompleted": today, "private": true});
    let open =
        json!({"title": "Secret open", "author": "A", "status": "in-progress", "startDate": today, "private": true});
    for book in [finished, open] {
        reader.post("/api/books", book).await.expect(201);
    }
    assert_eq!(reader.get("/api/summary").await.expect(200), expected);
    let script = reader.script("read").await;
    let answer = script.get("/api/summary").await;
    assert_eq!((answer.status, &answer.body), (200, &expected));
    assert!(!answer.header("etag").is_empty());
}

#[tokio::test]
async fn every_field_of_the_examples_for_widgets_is_in_the_answer_and_each_is_explained() {
    let server = TestServer::start().await;
    let summary = server.reader().await.get("/api/summary").await.expect(200);
    let fields: BTreeSet<_> = summary.as_object().unwrap().keys().cloned().collect();
    let table: String =
        WIDGETS.lines().filter(|line| line.starts_with("| `")).map(|line| line.split('|').nth(1).unwrap()).collect();
    let explained: BTreeSet<_> = table.split('`').skip(1).step_by(2).map(str::to_owned).collect();
    assert_eq!(explained, fields);
    let examples = [
        between("field: ", '\n'),
        between("value_json.", ' '),
        between(".JSON.String \"", '"'),
        between(".JSON.Int \"", '"'),
    ];
    for named in examples.into_iter().chain([between("\\(.", ')')]) {
        assert!(!named.is_empty() && named.is_subset(&fields), "{named:?}");
    }
}
