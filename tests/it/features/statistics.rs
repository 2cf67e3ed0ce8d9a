//! The dashboard's numbers, as a browser asks for them.
use std::collections::BTreeSet;

use reqwest::Method;
use serde_json::{Value, json};
use shelfwise::access::Plan;

use crate::support::actors::Reader;
use crate::support::harness::TestServer;

async fn add(person: &Reader, body: Value) {
    person.post("/api/books", body).await.expect(201);
}

fn keys(value: &Value) -> BTreeSet<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

fn words(text: &str) -> BTreeSet<&str> {
    text.split_whitespace().collect()
}

async fn library(person: &Reader) {
    add(person, json!({"title": "One", "author": "Ann", "wordCount": 1000, "dateCompleted": "2001-05-05", "rating": 7, "genres": ["Crime", "Noir"]})).await;
    add(person, json!({"title": "Two", "author": "Ben", "wordCount": 3000, "status": "undated", "rating": 8, "format": "Audio", "genres": ["Crime"]})).await;
    add(person, json!({"title": "Three", "author": "Cat", "wordCount": 9000, "status": "in-progress", "format": "eBook", "genres": ["Poetry"]})).await;
}

#[tokio::test]
async fn spellings_of_a_genre_are_one_as_it_was_first_written() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    for (title, genres, words) in
        [("One", json!(["Fantasy"]), 100), ("Two", json!(["fantasy", "Épic"]), 50), ("Three", json!(["FANTASY"]), 7)]
    {
        let book = json!({"title": title, "author": "A", "status": "undated", "genres": genres, "wordCount": words});
        reader.post("/api/books", book).await.expect(201);
    }
    let all = json!([{"name": "Fantasy", "words": 157, "books": 3}, {"name": "Épic", "words": 50, "books": 1}]);
    assert_eq!(reader.get("/api/stats").await.expect(200)["genres"], all);
    assert_eq!(reader.get("/api/stats/options").await.expect(200)["genres"], all);
    // A filter finds all spellings, and a genre keeps its name when the first book is left out.
    assert_eq!(reader.get("/api/books?genres=fantasy").await.expect(200)["matching"], 3);
    let others = reader.get("/api/stats?titleSearch=three").await.expect(200);
    assert_eq!(others["genres"], json!([{"name": "Fantasy", "words": 7, "books": 1}]));
    // Each book keeps what its reader wrote.
    let three = reader.get("/api/books?titleSearch=three").await.expect(200);
    assert_eq!(three["data"][0]["genres"], json!(["FANTASY"]));
}

#[tokio::test]
async fn a_genre_is_one_whatever_its_hyphens_spaces_and_accents_and_counts_a_book_once() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    for (title, genres, words) in [
        ("One", json!(["Sci-Fi", "New"]), 100),
        ("Two", json!(["sci fi", "SciFi", "News"]), 50),
        ("Three", json!(["Science Fiction"]), 7),
    ] {
        let book = json!({"title": title, "author": "A", "status": "undated", "genres": genres, "wordCount": words});
        reader.post("/api/books", book).await.expect(201);
    }
    let all = json!([
        {"name": "Sci-Fi", "words": 150, "books": 2},
        {"name": "New", "words": 100, "books": 1},
        {"name": "News", "words": 50, "books": 1},
        {"name": "Science Fiction", "words": 7, "books": 1},
    ]);
    assert_eq!(reader.get("/api/stats").await.expect(200)["genres"], all);
    assert_eq!(reader.get("/api/stats/options").await.expect(200)["genres"], all);
    assert_eq!(reader.get("/api/books?genres=NEWS").await.expect(200)["matching"], 1);
    // One spelling takes the place of all others.
    let renamed = json!({"removeGenres": ["Sci-Fi"], "addGenres": ["SciFi"]});
    assert_eq!(reader.patch("/api/books?genres=sci-fi", renamed).await.expect(200)["changed"], 2);
    let two = reader.get("/api/books?titleSearch=two").await.expect(200);
    assert_eq!(two["data"][0]["genres"], json!(["SciFi", "News"]));
}

#[tokio::test]
async fn the_dashboard_has_every_number_of_a_paid_plan() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    library(&reader).await;
    let stats = reader.get("/api/stats").await.expect(200);
    assert_eq!(keys(&stats), words("authors formats genres kpis library locked monthlyWords shelf"));
    let kpis = words(
        "authors averageRating booksLast30Days booksRead booksYtd ratedBooks rereads totalWords wordsLast30Days wordsYtd",
    );
    assert_eq!(keys(&stats["kpis"]), kpis);
    assert_eq!((&stats["kpis"]["totalWords"], &stats["kpis"]["averageRating"]), (&json!(4000), &json!(7.5)));
    assert_eq!(
        stats["genres"],
        json!([{"name": "Crime", "words": 4000, "books": 2}, {"name": "Noir", "words": 1000, "books": 1}])
    );
    assert_eq!(stats["monthlyWords"], json!([{"month": "2001-05", "words": 1000, "books": 1, "aboutWords": 0}]));
    assert_eq!(stats["formats"][0], json!({"format": "Audio", "words": 3000, "books": 1, "minutes": 0}));
    assert_eq!(stats["authors"][1], json!({"name": "Ann", "words": 1000, "books": 1}));
    assert_eq!(
        keys(&stats["shelf"]["books"][0]),
        words("author completedFrom date format genres id rating reread startDate title wordCount")
    );
    assert_eq!((&stats["shelf"]["books"][0]["title"], &stats["shelf"]["hidden"]), (&json!("Two"), &json!(0)));
    assert_eq!(stats["library"], json!({"total": 3, "visible": 3, "limitedToMonths": null}));
    assert_eq!(stats["locked"], json!([]));
}

#[tokio::test]
async fn a_reader_gets_locked_charts_and_recent_history() {
    let server = TestServer::start().await;
    let reader = server.reader().await;
    library(&reader).await;
    let stats = reader.get("/api/stats").await.expect(200);
    assert_eq!((&stats["authors"], &stats["formats"]), (&Value::Null, &Value::Null));
    assert_eq!(stats["locked"], json!(["advanced_charts", "format_analytics", "author_analytics"]));
    assert_eq!((&stats["library"]["total"], &stats["library"]["visible"]), (&json!(3), &json!(2)));
    assert_eq!(stats["kpis"]["totalWords"], 3000);
    assert_eq!(stats["monthlyWords"], json!([]));
    let options = reader.get("/api/stats/options").await.expect(200);
    assert_eq!(
        options["authors"],
        json!([{"name": "Ben", "words": 3000, "books": 1}, {"name": "Cat", "words": 0, "books": 0}])
    );
    assert_eq!(
        options["formats"],
        json!([{"name": "Audio", "words": 3000, "books": 1}, {"name": "eBook", "words": 0, "books": 0}])
    );
}

#[tokio::test]
async fn the_filter_acts_on_numbers_and_table_alike() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    library(&reader).await;
    for query in [
        "titleSearch=t", "genres=Noir&genres=Poetry", "authors=Ben", "formats=Print", "minRating=8",
        "startDate=2001-05-05", "reread=only",
    ] {
        let stats = reader.get(&format!("/api/stats?{query}")).await.expect(200);
        let table = reader.get(&format!("/api/books?{query}")).await.expect(200);
        let finished = table["data"].as_array().unwrap().iter().filter(|book| book["status"] != "in-progress").count();
        assert_eq!(stats["kpis"]["booksRead"], finished, "{query}");
        assert_eq!(stats["library"]["total"], 3);
    }
    assert_eq!(reader.get("/api/stats?minRating=x").await.fields(), ["minRating"]);
    assert_eq!(reader.get("/api/stats?startDate=y").await.fields(), ["startDate"]);
}

#[tokio::test]
async fn the_dashboard_response_equals_the_separate_statistics_and_books() {
    let server = TestServer::start().await;
    let (plus, free) = (server.plus().await, server.reader().await);
    let readers: [&Reader; 2] = [&plus, &free];
    for reader in readers {
        library(reader).await;
        for query in ["", "titleSearch=t&sort=title&order=asc&limit=1", "genres=Noir&limit=500", "titleSearch=nothing"]
        {
            let at_once = reader.get(&format!("/api/dashboard?{query}")).await.expect(200);
            let [stats, books] = ["stats", "books"].map(|part| format!("/api/{part}?{query}"));
            let apart =
                json!({"stats": reader.get(&stats).await.expect(200), "books": reader.get(&books).await.expect(200)});
            assert_eq!(at_once, apart, "{query}");
        }
    }
    let reader = server.reader().await;
    assert_eq!(reader.get("/api/dashboard?minRating=x").await.fields(), ["minRating"]);
    assert_eq!(reader.get("/api/dashboard?limit=0").await.fields(), ["limit"]);
}

#[tokio::test]
async fn unchanged_statistics_are_not_sent_again_and_a_new_plan_changes_them() {
    let server = TestServer::start().await;
    let reader = server.reader().await;
    library(&reader).await;
    let tag = reader.get("/api/stats").await.header("etag").to_owned();
    let again =
        async || reader.send(reader.request(Method::GET, "/api/stats").header("if-none-match", &tag)).await.status;
    assert_eq!(again().await, 304);
    server.set_plan(&reader, Plan::ShelfwisePlus).await;
    assert_eq!(again().await, 200);
}
