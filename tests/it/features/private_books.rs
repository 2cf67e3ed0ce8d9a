//! Private books: their reader sees and counts them as any other, and for everybody else they are not there.
use serde_json::{Value, json};

use crate::features::covers::png;
use crate::support::actors::{Reader, TestClient};
use crate::support::harness::TestServer;

async fn add(reader: &Reader, title: &str, more: Value) -> i64 {
    let mut book =
        json!({"title": title, "author": "Jane Austen", "wordCount": 160_000, "dateCompleted": "2016-03-20"});
    book.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    reader.post("/api/books", book).await.expect(201)["book"]["id"].as_i64().unwrap()
}

async fn is_private(reader: &Reader, book: i64) -> bool {
    reader.get(&format!("/api/books/{book}")).await.expect(200)["book"]["private"].as_bool().unwrap()
}

async fn set(reader: &Reader, book: i64, private: bool) {
    reader.patch(&format!("/api/books/{book}"), json!({ "private": private })).await.expect(200);
}

/// Every answer that shows a reader's books to a member of the team, and to somebody with the reader's link.
async fn seen(member: &Reader, stranger: &TestClient, link: &str) -> Vec<String> {
    let mut seen = Vec::new();
    for path in [
        "/api/teams/current",
        "/api/teams/stats",
        "/api/teams/stats?formats=Audio",
        "/api/teams/stats?titleSearch=forbidden",
        "/api/teams/stats/options",
        "/api/teams/challenges",
    ] {
        seen.push(member.get(path).await.expect(200).to_string());
    }
    for path in [link.to_owned(), format!("{link}/review.json")] {
        let answer = stranger.get(&path).await;
        assert_eq!(answer.status, 200);
        seen.push(answer.body.to_string());
    }
    seen
}

#[tokio::test]
async fn nobody_else_sees_a_private_book_or_a_figure_with_it() {
    let server = TestServer::start().await;
    let (owner, members) = server.team(1).await;
    let (reader, stranger): (&Reader, _) = (&members[0], server.visitor());
    reader.patch("/api/preferences", json!({"shareWithTeam": true})).await.expect(200);
    let challenge =
        json!({"title": "March", "metric": "words", "target": 10, "startDate": "2016-03-01", "endDate": "2016-03-31"});
    owner.post("/api/teams/challenges", challenge).await.expect(201);
    add(reader, "Emma", json!({"rating": 5, "genres": ["Novel"]})).await;
    let parts = ["dates", "ratings", "series", "impressions", "covers", "name"];
    let form = json!({"kind": "review", "period": "2016", "parts": parts});
    let made = reader.post("/api/shares", form).await.expect(201);
    let url = made["url"].as_str().unwrap();
    let link = &url[url.find("/s/").unwrap()..];
    let without = seen(&owner, &stranger, link).await;

    let secret = json!({"author": "forbidden author", "wordCount": 77_777, "rating": 9.5, "format": "Audio", "minutes": 700,
        "genres": ["forbidden genre"], "impressions": "forbidden thought", "tags": ["forbidden tag"],
        "series": {"name": "forbidden series", "number": "1"}, "startDate": "2016-03-10", "private": true});
    let book = add(reader, "forbidden title", secret).await;
    let picture = png(60, 90, b"pixels");
    let call = reader.request(reqwest::Method::PUT, &format!("/api/books/{book}/cover"));
    let answer = reader.send(call.header("content-type", "image/png").body(picture)).await.expect(200);
    let cover = answer["book"]["cover"]["url"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
    let cover = format!("{link}/covers/{cover}");
    assert_eq!(seen(&owner, &stranger, link).await, without);
    assert_eq!(stranger.get(&cover).await.status, 404);

    // Its reader sees and counts it as any other.
    let own = reader.get("/api/stats").await.expect(200);
    assert_eq!((&own["kpis"]["booksRead"], &own["kpis"]["totalWords"]), (&json!(2), &json!(237_777)));
    let review = reader.get("/api/review?period=2016").await.expect(200);
    assert!(review.to_string().contains("forbidden title"), "{review}");

    // A change is seen at once, both ways.
    set(reader, book, false).await;
    let shown = seen(&owner, &stranger, link).await;
    assert!(shown.iter().zip(&without).skip(1).all(|(shown, without)| shown != without), "{shown:?}");
    assert_eq!(stranger.get(&cover).await.status, 200);
    set(reader, book, true).await;
    assert_eq!(seen(&owner, &stranger, link).await, without);
    assert_eq!(stranger.get(&cover).await.status, 404);
}

#[tokio::test]
async fn all_reads_of_a_private_book_are_private() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let first = add(&reader, "Emma", json!({"private": true})).await;
    let again = reader.post(&format!("/api/books/{first}/again"), json!({})).await.expect(201)["book"]["id"].clone();
    let again = again.as_i64().unwrap();
    // Nothing says by accident that a private book is not private.
    let joining = add(&reader, "Emma", json!({"dateCompleted": "2017-01-01", "private": false})).await;
    for read in [again, joining] {
        assert!(is_private(&reader, read).await);
    }
    set(&reader, joining, false).await;
    for read in [first, again, joining] {
        assert!(!is_private(&reader, read).await);
    }
    // A work is private where one of two that were joined is, whichever they are joined to.
    for other_first in [false, true] {
        let (one, two) =
            (add(&reader, "One", json!({"work": null})).await, add(&reader, "Two", json!({"work": null})).await);
        set(&reader, two, true).await;
        let (to, from) = if other_first { (two, one) } else { (one, two) };
        reader.post(&format!("/api/works/{to}/join"), json!({ "work": from })).await.expect(200);
        assert!(is_private(&reader, one).await && is_private(&reader, two).await);
        let operation = reader.get("/api/operations").await.expect(200)["data"][0]["id"].clone();
        reader.delete(&format!("/api/operations/{operation}")).await.expect(200);
        assert!(!is_private(&reader, one).await && is_private(&reader, two).await);
        reader.delete(&format!("/api/books/{one}")).await.expect(204);
        reader.delete(&format!("/api/books/{two}")).await.expect(204);
    }
    let refused = reader.patch(&format!("/api/books/{first}"), json!({"private": "yes"})).await;
    assert_eq!(refused.fields(), ["private"]);
}

#[tokio::test]
async fn many_books_become_private_at_once_and_the_undo_shows_them_again() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let (emma, other) =
        (add(&reader, "Emma", json!({})).await, add(&reader, "Persuasion", json!({"format": "Audio"})).await);
    let again = add(&reader, "Emma", json!({"format": "Audio"})).await;
    let changed = reader.patch("/api/books?titleSearch=Persuasion", json!({"private": true})).await.expect(200);
    assert_eq!(changed["changed"], 1);
    // It belongs to all reads of a book.
    let changed = reader.patch("/api/books?formats=Audio", json!({"private": true})).await.expect(200);
    assert_eq!(changed["changed"], 2);
    for book in [emma, other, again] {
        assert!(is_private(&reader, book).await);
    }
    let operation = reader.get("/api/operations").await.expect(200)["data"][0].clone();
    assert_eq!(operation["kind"], "change", "{operation}");
    reader.delete(&format!("/api/operations/{}", operation["id"])).await.expect(200);
    assert!(!is_private(&reader, emma).await && !is_private(&reader, again).await && is_private(&reader, other).await);
    assert_eq!(reader.patch("/api/books", json!({"private": 1})).await.fields(), ["private"]);
}

#[tokio::test]
async fn a_private_book_does_not_go_back_to_the_list_which_others_may_see() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let open = |title, private| {
        let more = json!({"status": "in-progress", "dateCompleted": null, "private": private});
        add(&reader, title, more)
    };
    let (emma, persuasion) = (open("Emma", true).await, open("Persuasion", false).await);
    let changed = reader.patch("/api/books", json!({"status": "tbr", "format": "Audio"})).await.expect(200);
    assert_eq!(changed["changed"], 2);
    let list = reader.get("/api/tbr").await.expect(200);
    assert!(list.to_string().contains("Persuasion") && !list.to_string().contains("Emma"), "{list}");
    let book = reader.get(&format!("/api/books/{emma}")).await.expect(200)["book"].clone();
    assert_eq!([&book["status"], &book["format"]], ["in-progress", "Audio"]);
    assert_eq!(reader.get(&format!("/api/books/{persuasion}")).await.status, 404);
    reader.patch("/api/books", json!({"status": "tbr", "private": true})).await.expect(200);
    assert!(is_private(&reader, emma).await);
    reader.patch("/api/books", json!({"status": "tbr", "private": false})).await.expect(200);
    assert!(reader.get("/api/tbr").await.expect(200).to_string().contains("Emma"));
}

#[tokio::test]
async fn the_csv_file_says_which_books_are_private() {
    let server = TestServer::start().await;
    let (reader, other) = (server.plus().await, server.plus().await);
    add(&reader, "Emma", json!({"private": true})).await;
    add(&reader, "Persuasion", json!({})).await;
    let csv = reader.get("/api/account/export/books.csv").await.body.as_str().unwrap().to_owned();
    other.upload("/api/books/import", "books.csv", csv.clone(), &[]).await.expect(200);
    let list = other.get("/api/books?sort=title&order=asc").await.expect(200)["data"].clone();
    assert_eq!([&list[0]["private"], &list[1]["private"]], [true, false]);
    let unclear = csv.replace(",Yes\n", ",perhaps\n").replace("Emma", "Sanditon");
    let report = other.upload("/api/books/import", "books.csv", unclear, &[]).await.expect(200);
    assert!(report.to_string().contains("Private must be Yes or No."), "{report}");
}
