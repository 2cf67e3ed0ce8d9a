//! The review of a year or a month.
use chrono::{Datelike as _, Days, NaiveDate};
use reqwest::Method;
use serde_json::{Value, json};
use shelfwise::access::Plan;

use crate::support::actors::Reader;
use crate::support::harness::TestServer;

async fn add(reader: &Reader, title: &str, author: &str, more: Value) -> i64 {
    let mut book = json!({"title": title, "author": author, "status": "completed"});
    book.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    reader.post("/api/books", book).await.expect(201)["book"]["id"].as_i64().unwrap()
}

async fn review(reader: &Reader, period: &str) -> Value {
    reader.get(&format!("/api/review?period={period}")).await.expect(200).clone()
}

fn ids(books: &Value) -> Vec<i64> {
    books.as_array().unwrap().iter().map(|book| book["id"].as_i64().unwrap()).collect()
}

#[tokio::test]
async fn a_review_of_a_year_and_of_one_of_its_months() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let herbert = "Frank Herbert";
    let old =
        add(&reader, "Dune", herbert, json!({"wordCount": 200_000, "rating": 9, "dateCompleted": "2015-04-01"})).await;
    let again = json!({"wordCount": 200_000, "rating": 9.5, "dateCompleted": "2016-03-08", "startDate": "2016-03-01",
        "reread": true, "work": old, "pages": 600, "genres": ["Science Fiction"]});
    let dune = add(&reader, "Dune", herbert, again).await;
    let emma = add(
        &reader,
        "Emma",
        "Jane Austen",
        json!({"wordCount": 160_000, "rating": 8, "dateCompleted": "2016-03-20", "genres": ["Classics"]}),
    )
    .await;
    let momo = add(&reader, "Momo", "Michael Ende", json!({"wordCount": 60_000, "dateCompleted": "2016"})).await;
    add(
        &reader,
        "Ulysses",
        "James Joyce",
        json!({"wordCount": 265_000, "status": "did-not-finish", "stoppedDate": "2016-06-16"}),
    )
    .await;
    let year = review(&reader, "2016").await;
    assert_eq!((&year["period"], &year["complete"], &year["shown"]), (&json!("2016"), &json!(true), &json!("all")));
    assert_eq!(
        year["totals"],
        json!({"books": 3, "titles": 3, "words": 420_000, "pages": 600, "minutes": 0, "rereads": 1, "notFinished": 1, "daysRead": 0})
    );
    assert_eq!((&year["before"]["books"], &year["before"]["words"]), (&json!(1), &json!(200_000)));
    assert_eq!((&year["averageRating"], &year["missing"]), (&json!(8.8), &json!({"date": 0, "words": 0, "rating": 1})));
    assert_eq!(year["newAuthors"], json!(["Jane Austen", "Michael Ende"]));
    assert_eq!(ids(&year["shelf"]), [dune, emma, momo], "a rough date stands at its last day");
    assert_eq!((&year["longest"]["id"], &year["shortest"]["id"]), (&json!(dune), &json!(momo)));
    assert_eq!((&year["first"]["id"], &year["last"]["id"]), (&json!(dune), &json!(emma)), "exact days only");
    assert_eq!((&year["fastest"]["id"], &year["fastest"]["wordsPerDay"]), (&json!(dune), &json!(25_000)));
    assert_eq!(ids(&year["best"]), [dune, emma]);
    assert_eq!(year["ratings"], json!([{"rating": 8, "books": 1}, {"rating": 9.5, "books": 1}]));
    assert_eq!(year["authors"][0], json!({"name": herbert, "words": 200_000, "books": 1}));
    assert_eq!(year["genres"][1], json!({"name": "Classics", "words": 160_000, "books": 1}));
    assert_eq!(year["formats"], json!([{"format": "Print", "words": 420_000, "books": 3, "minutes": 0}]));
    assert_eq!((&year["streak"], year["months"].as_array().unwrap().len()), (&json!(null), 12));
    assert_eq!(year["months"][2], json!({"month": "2016-03", "words": 360_000, "books": 2, "aboutWords": 5_082}));
    assert_eq!((&year["wordsOutsideMonths"], &year["otherWords"]), (&json!(60_000), &json!([])));

    let march = review(&reader, "2016-03").await;
    assert_eq!(ids(&march["shelf"]), [dune, emma], "Momo may be of any month");
    assert_eq!((march["months"].as_array().unwrap().len(), &march["totals"]["notFinished"]), (1, &json!(0)));
    let empty = review(&reader, "2011").await;
    for absent in ["longest", "shortest", "fastest", "first", "last", "averageRating", "streak"] {
        assert_eq!(empty[absent], Value::Null, "{absent}");
    }
    let periods = reader.get("/api/review/periods").await.expect(200)["data"].clone();
    let listed: Vec<_> = periods
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["period"].as_str().unwrap().to_owned(), one["books"].as_i64().unwrap()))
        .collect();
    let expected = [("2016-03", 2), ("2016", 3), ("2015-04", 1), ("2015", 1)];
    assert_eq!(listed, expected.map(|(period, books)| (period.to_owned(), books)));
}

#[tokio::test]
async fn the_months_are_those_of_the_statistics_and_the_difference_is_said() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let spread = json!({"wordCount": 20_000, "startDate": "2016-12-20", "dateCompleted": "2017-01-08", "wordDistribution": "spread"});
    add(&reader, "Over New Year", "A", spread).await;
    add(&reader, "In March", "B", json!({"wordCount": 50_000, "dateCompleted": "2016-03"})).await;
    add(&reader, "In spring", "C", json!({"wordCount": 92_000, "dateCompleted": "spring 2016"})).await;
    let open = json!({"status": "in-progress", "wordCount": 100_000, "startDate": "2017-02-27"});
    let logged = add(&reader, "Logged", "D", open).await;
    for (day, percent) in [("2017-02-28", 40), ("2017-03-01", 70)] {
        let day = reader.request(Method::PUT, &format!("/api/books/{logged}/days/{day}"));
        reader.send(day.json(&json!({"percent": percent}))).await.expect(200);
    }
    let finish = json!({"status": "completed", "dateCompleted": "2017-03-02", "wordDistribution": "logged"});
    reader.patch(&format!("/api/books/{logged}"), finish).await.expect(200);
    let dashboard = reader.get("/api/stats").await.expect(200)["monthlyWords"].clone();
    for year in ["2016", "2017"] {
        for month in review(&reader, year).await["months"].as_array().unwrap() {
            let of_stats = dashboard.as_array().unwrap().iter().find(|one| one["month"] == month["month"]);
            let none = json!({"month": month["month"], "words": 0, "books": 0, "aboutWords": 0});
            assert_eq!(month, of_stats.unwrap_or(&none));
            assert_eq!(review(&reader, month["month"].as_str().unwrap()).await["months"], json!([month]));
        }
    }
    let (first, second) = (review(&reader, "2016").await, review(&reader, "2017").await);
    assert_eq!(first["otherWords"], json!([{"period": "2017", "words": 12_000}]));
    assert_eq!((&first["totals"]["words"], &first["wordsOutsideMonths"]), (&json!(142_000), &json!(92_000)));
    assert_eq!((&second["totals"]["words"], &second["wordsOutsideMonths"]), (&json!(120_000), &json!(12_000)));
    let february = review(&reader, "2017-02").await;
    assert_eq!(february["otherWords"], json!([{"period": "2017-03", "words": 40_000}]));
    assert_eq!((&february["totals"]["books"], &february["totals"]["daysRead"]), (&json!(0), &json!(1)));
}

#[tokio::test]
async fn new_authors_of_one_book_are_listed_in_its_order() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let authors = ["Zoe Ash", "Adam Lee", "Mia Fox", "Ben Orr", "Yara Noor", "Cem Kaya", "Ida Vik", "Lou Marsh"];
    let book = json!({"title": "Together", "authors": authors, "status": "completed", "dateCompleted": "2016-05-01"});
    reader.post("/api/books", book).await.expect(201);
    assert_eq!(review(&reader, "2016").await["newAuthors"], json!(authors));
}

#[tokio::test]
async fn the_plan_shows_a_period_as_far_as_its_history_reaches() {
    let server = TestServer::start().await;
    let reader = server.reader().await;
    let today: NaiveDate = reader.get("/api/reading").await.expect(200)["today"].as_str().unwrap().parse().unwrap();
    let from = Plan::Reader.limits(150, today).visible_from(today).unwrap();
    let (seen, hidden) = (from.to_string(), (from - Days::new(1)).to_string());
    let book = |day: &str| json!({"wordCount": 1_000, "rating": 8, "dateCompleted": day});
    add(&reader, "Seen", "A", book(&seen)).await;
    add(&reader, "Hidden", "B", book(&hidden)).await;
    add(&reader, "Given up", "C", json!({"status": "did-not-finish", "stoppedDate": hidden})).await;
    let of_month = review(&reader, &seen[..7]).await;
    assert_eq!(of_month["totals"]["books"], 1);
    assert_eq!(of_month["newAuthors"], json!(["A"]));
    let limit = &reader.get("/api/stats").await.expect(200)["library"]["limitedToMonths"];
    assert_eq!((&of_month["limitedToMonths"], of_month["shown"] == "none"), (limit, false));
    let past = (from - Days::new(400)).to_string();
    add(&reader, "Long ago", "A", book(&past)).await;
    let long_ago = review(&reader, &past[..7]).await;
    assert_eq!(
        (&long_ago["shown"], &long_ago["totals"]["books"], &long_ago["shelf"]),
        (&json!("none"), &json!(0), &json!([]))
    );
    assert_eq!(long_ago["totals"]["notFinished"], 0);
    assert_eq!(review(&reader, &seen[..7]).await["newAuthors"], json!([]), "a hidden book makes its author known");
    let periods = reader.get("/api/review/periods").await.expect(200)["data"].clone();
    assert!(periods.as_array().unwrap().iter().all(|one| one["books"] == 1), "{periods}");
}

#[tokio::test]
async fn a_period_is_a_year_or_a_month_and_an_unchanged_review_is_not_sent_again() {
    let server = TestServer::start().await;
    let reader = server.reader().await;
    for wrong in ["", "26", "1899", "2101", "2026-13", "2026-1", "soon"] {
        assert_eq!(reader.get(&format!("/api/review?period={wrong}")).await.fields(), ["period"], "{wrong}");
    }
    assert_eq!(reader.get("/api/review").await.fields(), ["period"]);
    for fine in ["1900", "1900-01", "2100", "2100-12"] {
        let found = review(&reader, fine).await;
        assert_eq!((&found["period"], &found["totals"]["books"]), (&json!(fine), &json!(0)));
    }
    for path in ["/api/review?period=2016", "/api/review/periods"] {
        let first = reader.get(path).await;
        let tag = first.header("etag").to_owned();
        let again = reader.send(reader.request(Method::GET, path).header("If-None-Match", &tag)).await;
        assert_eq!(again.status, 304, "{path}");
        add(&reader, "New", "A", json!({"dateCompleted": "2016-03-01"})).await;
        let changed = reader.send(reader.request(Method::GET, path).header("If-None-Match", &tag)).await;
        assert_eq!(changed.status, 200, "{path}");
    }
}

#[tokio::test]
async fn a_year_is_complete_when_it_is_over_where_its_reader_is() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let mut seen = std::collections::BTreeSet::new();
    for zone in ["Pacific/Kiritimati", "UTC", "America/New_York", "Etc/GMT+12"] {
        reader.patch("/api/preferences", json!({"timezone": zone})).await.expect(200);
        let today = reader.get("/api/reading").await.expect(200)["today"].as_str().unwrap().to_owned();
        let day: NaiveDate = today.parse().unwrap();
        for period in [today[..4].to_owned(), today[..7].to_owned()] {
            assert_eq!(review(&reader, &period).await["complete"], false, "{zone} {today}");
        }
        let month_before = (day.with_day(1).unwrap() - Days::new(1)).to_string();
        assert_eq!(review(&reader, &month_before[..7]).await["complete"], true);
        seen.insert(today);
    }
    assert!(seen.len() > 1, "the zones have different days");
}
