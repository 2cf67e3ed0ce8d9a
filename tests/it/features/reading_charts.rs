//! The further charts against a recount, books that are alike, and what the to-be-read list says of itself.
use std::collections::BTreeMap;

use chrono::{Datelike as _, Months, NaiveDate, TimeDelta};
use serde_json::{Value, json};

use crate::support::actors::Reader;
use crate::support::harness::TestServer;

#[derive(Default)]
struct Recount {
    pace: BTreeMap<String, (i64, i64)>,
    lengths: [(i64, i64); 6],
    published: BTreeMap<(bool, i64), (i64, i64)>,
    languages: BTreeMap<Option<String>, (i64, i64)>,
    ratings: BTreeMap<i64, Vec<f64>>,
    outcomes: BTreeMap<i64, (i64, i64)>,
    tags: BTreeMap<String, (i64, i64)>,
}

fn day(book: &Value, field: &str) -> Option<NaiveDate> {
    book[field].as_str().and_then(|day| day.parse().ok())
}

/// Counts the books of the list once more, from their own fields.
fn recount(books: &[Value], year: Option<i32>) -> Recount {
    let mut all = Recount::default();
    for book in books {
        let end = day(book, "dateCompleted").or(day(book, "stoppedDate"));
        let begin = day(book, "completedFrom").or(end);
        if year.is_some_and(|year| end.map(|day| day.year()) != Some(year) || begin.map(|day| day.year()) != Some(year))
        {
            continue;
        }
        let (status, words) = (book["status"].as_str().unwrap(), book["wordCount"].as_i64().unwrap());
        let of_year = end.map(|day| i64::from(day.year()));
        if status == "did-not-finish" {
            of_year.into_iter().for_each(|year| all.outcomes.entry(year).or_default().1 += 1);
        }
        if !["completed", "undated"].contains(&status) {
            continue;
        }
        if let (Some(start), Some(end), true, true) =
            (day(book, "startDate"), end, book["completedFrom"].is_null(), words > 0)
        {
            let pace = all.pace.entry(end.format("%Y-%m").to_string()).or_default();
            *pace = (pace.0 + words, pace.1 + (end - start).num_days() + 1);
        }
        let class = match words {
            0 => 5,
            1..40_000 => 0,
            40_000..80_000 => 1,
            80_000..120_000 => 2,
            120_000..200_000 => 3,
            _ => 4,
        };
        let add = |sum: &mut (i64, i64)| *sum = (sum.0 + 1, sum.1 + words);
        add(&mut all.lengths[class]);
        let printed = book["published"].as_str().map(|day| day[..4].parse().unwrap());
        let first = book["originalYear"].as_i64().or(printed).map(|year| (year as f64 / 10.0).floor() as i64 * 10);
        add(all.published.entry((first.is_none(), first.unwrap_or(0))).or_default());
        add(all.languages.entry(book["language"].as_str().map(str::to_owned)).or_default());
        for tag in book["tags"].as_array().unwrap() {
            add(all.tags.entry(tag.as_str().unwrap().to_owned()).or_default());
        }
        let Some(year) = of_year else { continue };
        all.outcomes.entry(year).or_default().0 += 1;
        all.ratings.entry(year).or_default().extend(book["rating"].as_f64());
    }
    all
}

fn check(found: &Value, all: &Recount) {
    let pace: Vec<_> = all
        .pace
        .iter()
        .map(|(month, (words, days))| {
            json!({"month": month, "words": words, "days": days,
            "wordsPerDay": (*words as f64 / *days as f64).round() as i64})
        })
        .collect();
    assert_eq!(found["pace"], json!(pace));
    let bounds =
        json!([[0, 40_000], [40_000, 80_000], [80_000, 120_000], [120_000, 200_000], [200_000, null], [null, null]]);
    let lengths: Vec<_> = all
        .lengths
        .iter()
        .zip(bounds.as_array().unwrap())
        .map(|((books, words), bound)| json!({"from": bound[0], "to": bound[1], "books": books, "words": words}))
        .collect();
    assert_eq!(found["lengths"], json!(lengths));
    let published: Vec<_> = all.published.iter()
        .map(|((unknown, decade), (books, words))| json!({"decade": (!unknown).then_some(decade), "books": books, "words": words}))
        .collect();
    assert_eq!(found["published"], json!(published));
    let of_language: BTreeMap<_, _> = found["languages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|of| {
            (of["language"].as_str().map(str::to_owned), (of["books"].as_i64().unwrap(), of["words"].as_i64().unwrap()))
        })
        .collect();
    assert_eq!(of_language, all.languages);
    let ratings: Vec<_> = all
        .ratings
        .iter()
        .filter(|(_, ratings)| !ratings.is_empty())
        .map(|(year, ratings)| {
            let mean = ratings.iter().sum::<f64>() / ratings.len() as f64;
            json!({"year": year, "average": (mean * 10.0 + 1e-9).round() / 10.0, "rated": ratings.len()})
        })
        .collect();
    assert_eq!(found["ratings"], json!(ratings));
    let outcomes: Vec<_> = all.outcomes.iter()
        .map(|(year, (finished, not))| {
            let share = 100.0 * *not as f64 / (finished + not) as f64;
            json!({"year": year, "finished": finished, "notFinished": not, "share": (share * 10.0 + 1e-9).round() / 10.0})
        })
        .collect();
    assert_eq!(found["outcomes"], json!(outcomes));
    let tags: BTreeMap<_, _> = found["tags"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tag| {
            (tag["name"].as_str().unwrap().to_owned(), (tag["books"].as_i64().unwrap(), tag["words"].as_i64().unwrap()))
        })
        .collect();
    assert_eq!(tags, all.tags);
}

/// The books of the export, with the fields that are counted.
async fn exported(reader: &Reader) -> Vec<Value> {
    let export = reader.get("/api/account/export/books.csv").await.bytes;
    let mut read = csv::Reader::from_reader(&*export);
    let rows = read.deserialize::<BTreeMap<String, String>>().map(Result::unwrap);
    let book = |row: BTreeMap<String, String>| {
        let text = |column: &str| Some(row[column].as_str()).filter(|text| !text.is_empty());
        // A year before Christ is kept from spreadsheets.
        let number = |column| text(column).map(|text| text.trim_start_matches('\'').parse::<f64>().unwrap());
        // A rough date is a month, a year or two of these or of days.
        let begin = |text: &str| format!("{text}-01-01")[..10].to_owned();
        let end = |text: &str| match text.len() {
            10 => text.to_owned(),
            4 => format!("{text}-12-31"),
            _ => {
                let first: NaiveDate = begin(text).parse().unwrap();
                (first + Months::new(1) - TimeDelta::days(1)).to_string()
            }
        };
        let (from, to) = match text("Date Completed") {
            None => (None, None),
            Some(day) if day.len() == 10 => (None, Some(day.to_owned())),
            Some(rough) => {
                let (from, to) = rough.split_once('/').unwrap_or((rough, rough));
                (Some(begin(from)), Some(end(to)))
            }
        };
        let tags: Vec<_> = text("Tags").into_iter().flat_map(|tags| tags.split(',').map(str::trim)).collect();
        json!({"title": text("Title"), "status": text("Status").unwrap(), "wordCount": number("Word Count").unwrap() as i64,
            "dateCompleted": to, "completedFrom": from, "stoppedDate": text("Stopped Date"), "startDate": text("Start Date"),
            "rating": number("Rating"), "published": text("Published"), "language": text("Language"), "tags": tags,
            "originalYear": number("Original Year").map(|year| year as i64)})
    };
    rows.map(book).collect()
}

#[tokio::test]
async fn the_further_charts_are_what_a_recount_of_the_export_says() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let mut rng = fastrand::Rng::with_seed(11);
    let bounds = [1, 39_999, 40_000, 79_999, 80_000, 119_999, 120_000, 199_999, 200_000];
    for at in 0..300 {
        let end = NaiveDate::from_ymd_opt(2022, 1, 1).unwrap() + TimeDelta::days(rng.i64(0..1_400));
        let start = end - TimeDelta::days(rng.i64(0..40));
        let words = match rng.u8(..6) {
            0 => 0,
            1 => bounds[rng.usize(..bounds.len())],
            _ => rng.i64(10_000..260_000),
        };
        let mut book = json!({"title": format!("Book {at}"), "author": format!("Author {}", at % 40), "wordCount": words,
            "format": (["Print", "eBook", "Audio"][rng.usize(..3)]), "private": rng.u8(..9) == 0,
            "tags": if rng.bool() { json!(["slow", "sea"]) } else { json!(["slow"]) },
            "language": (["en", "pt-BR", "ja"][rng.usize(..3)])});
        let more = match rng.u8(..11) {
            0 => json!({"status": "undated", "language": null, "rating": 4.5, "published": "1968"}),
            1 => json!({"status": "did-not-finish", "startDate": start, "stoppedDate": end, "rating": 2}),
            2 => json!({"status": "in-progress", "startDate": start}),
            3 => json!({"dateCompleted": "winter 2022/23", "rating": 7.5, "originalYear": -44}),
            4 => json!({"dateCompleted": end, "published": "1999-05", "rating": 3}),
            5 => json!({"status": "did-not-finish", "stoppedDate": null}),
            6 => json!({"dateCompleted": end.format("%Y-%m").to_string(), "rating": 9.9, "published": "2000-01-31"}),
            7 => json!({"dateCompleted": end.year().to_string(), "originalYear": 1970, "published": "2010"}),
            8 => json!({"dateCompleted": end, "startDate": end, "originalYear": -1}),
            _ => {
                let rating = f64::from(rng.u8(..=100)) / 10.0;
                json!({"dateCompleted": end, "startDate": start, "rating": rating, "originalYear": rng.i64(1900..2020)})
            }
        };
        book.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        reader.post("/api/books", book).await.expect(201);
    }
    let books = exported(&reader).await;
    assert_eq!(books.len(), 300);
    check(&reader.get("/api/stats/reading").await.expect(200), &recount(&books, None));
    let with_sea: Vec<_> =
        books.iter().filter(|book| book["tags"].as_array().unwrap().contains(&json!("sea"))).cloned().collect();
    check(&reader.get("/api/stats/reading?tags=SEA").await.expect(200), &recount(&with_sea, None));
    for (one, other) in [(2023, 2022), (2024, 2025)] {
        let both = reader.get(&format!("/api/stats/reading?compare={one}..{other}")).await.expect(200);
        let periods = both["periods"].as_array().unwrap();
        assert_eq!(
            (&periods[0]["from"], &periods[1]["to"]),
            (&json!(format!("{one}-01-01")), &json!(format!("{other}-12-31")))
        );
        check(&periods[0], &recount(&books, Some(one)));
        check(&periods[1], &recount(&books, Some(other)));
    }
    for wrong in ["2023", "2023..", "a..b", "2023..20244"] {
        let refused = reader.get(&format!("/api/stats/reading?compare={wrong}")).await;
        refused.code(422);
        assert_eq!(refused.body["fields"]["compare"], "This must be two years, like 2024..2025.");
    }
    let empty =
        json!({"pace": [], "lengths": [], "published": [], "languages": [], "ratings": [], "outcomes": [], "tags": []});
    assert_eq!(server.plus().await.get("/api/stats/reading").await.expect(200), empty);
}

#[tokio::test]
async fn the_pace_of_a_month_is_its_words_by_the_days_of_its_spans() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    for (start, end, words) in [("2025-05-01", "2025-05-10", 50_000), ("2025-05-11", "2025-05-15", 40_000)] {
        let book = json!({"title": end, "author": "A", "dateCompleted": end, "startDate": start, "wordCount": words});
        reader.post("/api/books", book).await.expect(201);
    }
    let pace = reader.get("/api/stats/reading").await.expect(200)["pace"].clone();
    assert_eq!(pace, json!([{"month": "2025-05", "words": 90_000, "days": 15, "wordsPerDay": 6_000}]));
}

#[tokio::test]
async fn books_that_share_what_few_have_are_alike() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let add = async |book: Value| {
        let plain = json!({"author": "Somebody", "status": "undated"});
        let mut book = book;
        for (key, value) in plain.as_object().unwrap() {
            book.as_object_mut().unwrap().entry(key).or_insert(value.clone());
        }
        reader.post("/api/books", book).await.expect(201)["book"]["id"].clone()
    };
    let asked = add(json!({"title": "The Dispossessed", "author": "Ursula K. Le Guin", "series": {"name": "Hainish"}, "tags": ["slow"], "genres": ["SF"]})).await;
    add(json!({"title": "Rocannon", "author": "URSULA K LE GUIN", "series": {"name": "hainish"}, "genres": ["sf"]}))
        .await;
    add(json!({"title": "Earthsea", "author": "Ursula K. Le Guin", "genres": ["Fantasy"]})).await;
    add(json!({"title": "Stoner", "author": "John Williams", "tags": ["Slow"]})).await;
    for other in 0..6 {
        add(json!({"title": format!("Other {other}"), "author": format!("Nobody {other}")})).await;
    }
    let path = format!("/api/books/{asked}/similar");
    let found = reader.get(&path).await.expect(200);
    let told: Vec<_> = found["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["book"]["title"].clone(), one["because"].clone()))
        .collect();
    assert_eq!(told[0].0, "Rocannon");
    assert_eq!(told[1], (json!("Earthsea"), json!(["also by Ursula K. Le Guin"])));
    assert_eq!(told[2], (json!("Stoner"), json!(["tag \u{201c}Slow\u{201d}"])));
    assert_eq!(told.len(), 3);
    assert_eq!(reader.get(&path).await.expect(200), found);
    assert_eq!(server.plus().await.get(&path).await.code(404), "not_found");
}

#[tokio::test]
async fn the_list_says_how_long_it_takes_and_picks_a_book_that_fits() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    assert_eq!(reader.get("/api/tbr/pick").await.expect(200)["item"], json!(null));
    for (title, words) in [("Short", json!(30_000)), ("Long", json!(210_000)), ("Unknown", json!(null))] {
        reader.post("/api/tbr", json!({"title": title, "wordCount": words})).await.expect(201);
    }
    let pile = async || reader.get("/api/tbr").await.expect(200)["pile"].clone();
    assert_eq!(pile().await, json!({"words": 240_000, "unknown": 1, "months": null}));
    let today = reader.get("/api/reading").await.expect(200)["today"].clone();
    reader
        .post("/api/books", json!({"title": "T", "author": "A", "dateCompleted": today, "wordCount": 240_000}))
        .await
        .expect(201);
    assert_eq!(pile().await["months"], 12);
    for _ in 0..5 {
        assert_eq!(reader.get("/api/tbr/pick?maxWords=30000").await.expect(200)["item"]["title"], "Short");
        assert!(reader.get("/api/tbr/pick").await.expect(200)["item"]["title"].is_string());
    }
    assert_eq!(reader.get("/api/tbr/pick?maxWords=1").await.expect(200)["item"], json!(null));
    assert_eq!(reader.get("/api/tbr/pick?maxWords=x").await.fields(), ["maxWords"]);
}
