//! Books and the to-be-read list, as a browser uses them.
use std::collections::BTreeSet;

use reqwest::Method;
use serde_json::{Value, json};
use shelfwise::access::Plan;

use crate::support::actors::{Reader, TestResponse, as_listed};
use crate::support::fault_table::{row, times};
use crate::support::harness::TestServer;

fn book(title: &str, day: &str) -> Value {
    json!({"title": title, "author": "Ann Author", "wordCount": 1000, "dateCompleted": day, "rating": 7, "genres": ["Crime", "crime"]})
}

async fn add(person: &Reader, body: Value) -> Value {
    person.post("/api/books", body).await.expect(201)["book"].clone()
}

fn titles(answer: &Value) -> Vec<&str> {
    answer["data"].as_array().unwrap().iter().map(|book| book["title"].as_str().unwrap()).collect()
}

async fn with_key(person: &Reader, path: &str, key: &str, body: Value) -> TestResponse {
    person.send(person.request(Method::POST, path).header("idempotency-key", key).json(&body)).await
}

#[tokio::test]
async fn a_book_is_created_read_changed_and_deleted() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let made = add(&reader, book("Emma", "2024-02-29")).await;
    let keys: BTreeSet<&str> = made.as_object().unwrap().keys().map(String::as_str).collect();
    let wanted = "author createdAt dateCompleted format genres id impressions isbn minutes month pages quotes rating reread startDate status \
                  title updatedAt wordCount wordCountSource wordDistribution year work completedFrom stoppedDate pausedSince progress \
                  authors contributors series tags publisher published originalYear language cover private";
    assert_eq!(keys, wanted.split_whitespace().collect());
    assert_eq!((&made["year"], &made["month"], &made["genres"]), (&json!(2024), &json!(2), &json!(["Crime"])));
    let path = format!("/api/books/{}", made["id"]);
    assert_eq!(as_listed(&reader.get(&path).await.expect(200)["book"]), made);
    let texts = json!({"impressions": "Line one\r\nline two", "quotes": ["\"Q\""], "status": "in-progress"});
    let changed = reader.patch(&path, texts).await.expect(200)["book"].clone();
    assert_eq!(
        (&changed["rating"], &changed["year"], &changed["impressions"]),
        (&Value::Null, &Value::Null, &json!("Line one\r\nline two"))
    );
    assert_eq!(reader.get("/api/books").await.expect(200)["data"][0], changed);
    reader.delete(&path).await.expect(204);
    reader.get(&path).await.expect(404);
    assert_eq!(reader.get("/api/books").await.expect(200), json!({"data": [], "total": 0, "limitedToMonths": null}));
}

#[tokio::test]
async fn another_accounts_book_and_a_missing_one_get_the_same_response() {
    let server = TestServer::start().await;
    let (owner, other) = (server.reader().await, server.reader().await);
    let id = add(&owner, book("Emma", "2024-02-29")).await["id"].clone();
    for id in [id.to_string(), "1".into(), "x".into(), "99999999999999999999".into()] {
        let path = format!("/api/books/{id}");
        let answers =
            [other.get(&path).await, other.patch(&path, json!({"rating": 99})).await, other.delete(&path).await];
        assert!(answers.iter().all(|answer| answer.code(404) == "not_found"), "{id}");
    }
    let refused = other
        .post("/api/books", json!({"title": "T", "author": "A", "dateCompleted": "2024-01-01", "tbrId": id}))
        .await;
    refused.expect(404);
    assert_eq!(other.get("/api/books").await.expect(200)["total"], 0);
}

#[tokio::test]
async fn invalid_books_name_every_wrong_field() {
    let server = TestServer::start().await;
    let reader = server.reader().await;
    let wrong = json!({"author": " ", "wordCount": "1", "rating": 11, "dateCompleted": "2024-02-30", "tbrId": null});
    assert_eq!(
        reader.post("/api/books", wrong).await.fields(),
        ["author", "dateCompleted", "rating", "title", "wordCount"]
    );
    assert_eq!(reader.get("/api/books?sort=genre").await.fields(), ["sort"]);
    assert_eq!(reader.get("/api/books?limit=0&sort=title").await.fields(), ["limit"]);
    assert_eq!(reader.get("/api/books?limit=1&limit=2").await.fields(), ["limit"]);
}

#[tokio::test]
async fn texts_come_back_as_they_were_sent() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    for text in [
        "'; DROP TABLE books; --",
        "<script>alert(1)</script>",
        "=1+1",
        "e\u{301} is not é",
        "👩‍👩‍👧 ﷽ \u{202e}x",
        "a\u{7}\u{1b}[31m\r\nb",
        "\u{feff}x",
    ] {
        let sent = json!({"title": text, "author": text, "status": "undated", "genres": [text.replace(',', "")], "impressions": text, "quotes": [text]});
        let made = add(&reader, sent).await;
        for field in ["title", "author", "impressions"] {
            assert_eq!(made[field], text);
        }
        assert_eq!((&made["quotes"][0], &made["genres"][0]), (&json!(text), &json!(text)));
        reader.delete(&format!("/api/books/{}", made["id"])).await.expect(204);
    }
    assert_eq!(
        reader.post("/api/books", json!({"title": "a\0", "author": "b", "status": "undated"})).await.fields(),
        ["title"]
    );
}

#[tokio::test]
async fn the_book_limit_holds_exactly_for_simultaneous_requests() {
    let server = TestServer::with(|config| config.book_limit = 5).await;
    let reader = server.reader().await;
    add(&reader, book("First", "2024-01-01")).await;
    let asked: Vec<_> = (0..20)
        .map(|n| {
            let reader = reader.clone();
            tokio::spawn(async move { reader.post("/api/books", book(&format!("T{n}"), "2024-01-01")).await.status })
        })
        .collect();
    let mut made = 0;
    for call in asked {
        made += usize::from(call.await.unwrap() == 201);
    }
    assert_eq!(made, 4);
    let refused = reader.post("/api/books", json!({})).await;
    assert_eq!(refused.code(403), "book_limit_reached");
    assert_eq!(refused.body["limit"], 5);
    assert!(refused.body["error"].as_str().unwrap().starts_with("You've reached the 5 book limit on the Reader plan."));
    let item = reader.post("/api/tbr", json!({"title": "Later"})).await.expect(201)["item"]["id"].clone();
    assert_eq!(reader.post(&format!("/api/tbr/{item}/start"), json!({})).await.code(403), "book_limit_reached");
    server.set_plan(&reader, Plan::ShelfwisePlus).await;
    add(&reader, book("Sixth", "2024-01-01")).await;
}

#[tokio::test]
async fn the_last_place_goes_to_one_of_fifty_simultaneous_requests() {
    let server = TestServer::with(|config| config.book_limit = 5).await;
    let reader = server.reader().await;
    for number in 0..4 {
        add(&reader, book(&format!("T{number}"), "2024-01-01")).await;
    }
    // The reader's plan shows recent books alone, and the new one is looked for in the list.
    let today = chrono::Utc::now().date_naive().to_string();
    let rounds = times("RACES", 4);
    for round in 0..rounds {
        let listed = reader.get("/api/tbr").await.expect(200)["data"].as_array().unwrap().len();
        for number in listed..17 {
            let item = json!({"title": format!("Later {round}-{number}"), "author": "A"});
            reader.post("/api/tbr", item).await.expect(201);
        }
        let items = reader.get("/api/tbr").await.expect(200)["data"].clone();
        let mut sent = tokio::task::JoinSet::new();
        for number in 0..50 {
            let (reader, item, today) = (reader.clone(), items[number / 3]["id"].clone(), today.clone());
            sent.spawn(async move {
                let title = format!("R{round}-{number}");
                let answer = match number % 3 {
                    0 => reader.post(&format!("/api/tbr/{item}/start"), json!({})).await,
                    1 => reader.post("/api/books", book(&title, &today)).await,
                    _ => {
                        let file = format!("Title,Author,Word Count,Date Completed,Rating\n{title},A,1,{today},5\n");
                        let answer = reader.upload("/api/books/import", "books.csv", file, &[]).await;
                        return answer.expect(200)["imported"] == 1;
                    }
                };
                assert!(answer.status == 201 || answer.code(403) == "book_limit_reached", "{}", answer.body);
                answer.status == 201
            });
        }
        let made = sent.join_all().await.into_iter().filter(|made| *made).count();
        let list = reader.get("/api/books").await.expect(200);
        assert_eq!((made, &list["total"]), (1, &json!(5)));
        let known = ["T0", "T1", "T2", "T3"].map(Value::from);
        let books = list["data"].as_array().unwrap();
        let last = books.iter().find(|book| !known.contains(&book["title"])).unwrap();
        assert_eq!(reader.delete(&format!("/api/books/{}", last["id"])).await.status, 204);
    }
    row(
        "50 calls at once (new, started, imported) to the last place under the cap",
        rounds,
        "one each",
        "exactly the limit",
    );
}

#[tokio::test]
async fn a_reader_without_full_history_sees_recent_and_dateless_books() {
    let server = TestServer::start().await;
    let reader = server.reader().await;
    let old = add(&reader, book("Old", "2001-01-01")).await;
    add(&reader, json!({"title": "Undated", "author": "A", "status": "undated", "rating": 5})).await;
    add(&reader, json!({"title": "Reading", "author": "A", "status": "in-progress", "startDate": "2001-01-01"})).await;
    add(&reader, book("Future", "2100-01-01")).await;
    let list = reader.get("/api/books").await.expect(200);
    assert_eq!(titles(&list), ["Future", "Reading", "Undated"]);
    assert_eq!(list["total"], 4);
    assert!(list["limitedToMonths"].as_i64().unwrap() >= 6);
    let filtered = reader.get("/api/books?minRating=1").await.expect(200);
    assert_eq!(
        (titles(&filtered), &filtered["matching"], &filtered["total"]),
        (vec!["Future", "Undated"], &json!(2), &json!(4))
    );
    assert_eq!(titles(&reader.get("/api/books/titles").await.expect(200)), ["Future", "Old", "Reading", "Undated"]);
    reader.patch(&format!("/api/books/{}", old["id"]), json!({"rating": 1})).await.expect(200);
    server.set_plan(&reader, Plan::ShelfwisePlus).await;
    let all = reader.get("/api/books?limit=500").await.expect(200);
    assert_eq!((titles(&all).len(), &all["limitedToMonths"], &all["nextCursor"]), (4, &Value::Null, &Value::Null));
}

#[tokio::test]
async fn pages_of_every_order_add_up_to_the_whole_list() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    for n in 0..23 {
        let body = match n % 4 {
            0 => json!({"title": format!("Ünd {n}"), "author": "Z", "status": "undated", "rating": n % 11}),
            1 => json!({"title": format!("t{}", n % 3), "author": "a", "dateCompleted": "2024-05-05", "wordCount": n}),
            2 => book(&format!("T{}", n % 5), &format!("2023-01-{:02}", n % 3 + 1)),
            _ => json!({"title": "Reading", "author": "É", "status": "in-progress"}),
        };
        add(&reader, body).await;
    }
    for order in [
        "", "sort=dateCompleted&order=asc", "sort=title", "sort=author&order=asc", "sort=rating",
        "sort=wordCount&order=asc",
    ] {
        let whole = reader.get(&format!("/api/books?{order}")).await.expect(200)["data"].as_array().unwrap().clone();
        assert_eq!(whole.len(), 23, "{order}");
        let (mut paged, mut cursor) = (Vec::new(), String::new());
        loop {
            let page = reader.get(&format!("/api/books?{order}&limit=4&cursor={cursor}")).await.expect(200);
            assert_eq!(page["matching"], 23);
            paged.extend(page["data"].as_array().unwrap().clone());
            let Some(next) = page["nextCursor"].as_str() else { break };
            cursor = next.to_owned();
        }
        assert_eq!(paged, whole, "{order}");
    }
}

#[tokio::test]
async fn a_list_that_did_not_change_is_not_sent_again() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    add(&reader, book("Emma", "2024-02-29")).await;
    let held = async |tag: &str| {
        reader.send(reader.request(Method::GET, "/api/books?sort=title").header("if-none-match", tag)).await
    };
    let first = reader.get("/api/books?sort=title").await;
    let tag = first.header("etag").to_owned();
    assert_eq!(held(&tag).await.status, 304);
    add(&reader, book("Persuasion", "2024-03-01")).await;
    assert_eq!(held(&tag).await.status, 200);
}

/// Sends a change that is meant for the version with a tag.
async fn patch_of(person: &Reader, path: &str, tag: &str, body: Value) -> TestResponse {
    person.send(person.request(Method::PATCH, path).header("if-match", tag).json(&body)).await
}

#[tokio::test]
async fn a_change_of_a_book_that_was_changed_elsewhere_is_refused_with_the_present_book() {
    let server = TestServer::start().await;
    let laptop = server.reader().await;
    let phone = laptop.elsewhere().await;
    let path = format!("/api/books/{}", add(&laptop, book("Emma", "2024-02-29")).await["id"]);
    let first = laptop.get(&path).await;
    let tag = first.header("etag").to_owned();
    assert!(tag.starts_with('"') && tag.ends_with('"') && tag.len() > 2, "{tag}");

    let on_phone = patch_of(&phone, &path, &tag, json!({"impressions": "Badly done!"})).await;
    let present_tag = on_phone.header("etag").to_owned();
    let present = on_phone.expect(200)["book"].clone();
    assert_ne!(present_tag, tag);

    let refused = patch_of(&laptop, &path, &tag, json!({"rating": 9})).await;
    assert_eq!((refused.code(412), refused.header("etag")), ("changed_elsewhere", present_tag.as_str()));
    assert_eq!(as_listed(&refused.body["book"]), present);
    let stored = laptop.get(&path).await;
    assert_eq!((stored.header("etag"), as_listed(&stored.body["book"])), (present_tag.as_str(), present));

    // A weak tag, as a compressing proxy makes it, names the same version. Content is checked only after the tag.
    assert_eq!(patch_of(&laptop, &path, &tag, json!({"rating": 99})).await.status, 412);
    assert_eq!(patch_of(&laptop, &path, &present_tag, json!({"rating": 99})).await.fields(), ["rating"]);
    let weak = format!("\"other\", W/{present_tag}");
    assert_eq!(patch_of(&laptop, &path, &weak, json!({"rating": 9})).await.expect(200)["book"]["rating"], 9);
    // Without the header, and for any version, a change applies.
    assert_eq!(patch_of(&laptop, &path, "*", json!({"rating": 8})).await.expect(200)["book"]["rating"], 8);
    assert_eq!(laptop.patch(&path, json!({"rating": 7})).await.expect(200)["book"]["impressions"], "Badly done!");
    assert_eq!(patch_of(&laptop, "/api/books/1", &tag, json!({"rating": 9})).await.code(404), "not_found");
}

#[tokio::test]
async fn a_book_that_did_not_change_is_not_sent_again() {
    let server = TestServer::start().await;
    let reader = server.reader().await;
    let path = format!("/api/books/{}", add(&reader, book("Emma", "2024-02-29")).await["id"]);
    let tag = reader.get(&path).await.header("etag").to_owned();
    let held = async || reader.send(reader.request(Method::GET, &path).header("if-none-match", &tag)).await;
    assert_eq!((held().await.status, held().await.header("etag")), (304, tag.as_str()));
    // A change that changes nothing keeps the tag.
    assert_eq!(reader.patch(&path, json!({"rating": 7})).await.header("etag"), tag);
    reader.patch(&path, json!({"rating": 8})).await.expect(200);
    assert_eq!(held().await.status, 200);
}

#[tokio::test]
async fn the_same_idempotency_key_creates_one_book_and_returns_it_again() {
    let server = TestServer::start().await;
    let reader = server.reader().await;
    let first = with_key(&reader, "/api/books", "k1", book("Emma", "2024-02-29")).await.expect(201);
    let again = with_key(&reader, "/api/books", "k1", book("Emma", "2024-02-29")).await.expect(201);
    assert_eq!(first, again);
    assert_eq!(reader.get("/api/books").await.expect(200)["total"], 1);
    let refused = with_key(&reader, "/api/books", "k2", json!({})).await;
    assert_eq!(refused.status, 422);
    with_key(&reader, "/api/books", "k2", book("Persuasion", "2024-02-29")).await.expect(201);
}

#[tokio::test]
async fn a_second_finished_reading_is_detected_if_the_preference_is_on() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    add(&reader, book("Les Misérables", "2020-01-01")).await;
    assert_eq!(add(&reader, book("les miserables", "2021-01-01")).await["reread"], false);
    reader.patch("/api/preferences", json!({"autoDetectReread": true})).await.expect(200);
    let mut said_no = book("LES MISERABLES", "2022-01-01");
    said_no["reread"] = json!(false);
    let noticed = add(&reader, said_no).await;
    assert_eq!(noticed["reread"], true);
    let back = reader.patch(&format!("/api/books/{}", noticed["id"]), json!({"reread": false})).await.expect(200);
    assert_eq!(back["book"]["reread"], false);
    let reading = json!({"title": "Les Misérables", "author": "Ann Author", "status": "in-progress"});
    assert_eq!(add(&reader, reading).await["reread"], false);
}

#[tokio::test]
async fn a_to_be_read_list_is_made_changed_ordered_and_started() {
    let server = TestServer::start().await;
    let (reader, other) = (server.reader().await, server.reader().await);
    let mut ids = Vec::new();
    for title in ["A", "B", "C"] {
        let sent = json!({"title": title, "author": "X", "notes": format!("why {title}"), "pages": 100});
        ids.push(reader.post("/api/tbr", sent).await.expect(201)["item"]["id"].clone());
    }
    let foreign = other.post("/api/tbr", json!({"title": "Theirs"})).await.expect(201)["item"]["id"].clone();
    reader.post("/api/tbr/reorder", json!({"bookIds": [ids[2], ids[0], ids[1]]})).await.expect(204);
    assert_eq!(titles(&reader.get("/api/tbr").await.expect(200)), ["C", "A", "B"]);
    for (order, status) in [
        (json!([ids[0], ids[1]]), 422),
        (json!([ids[0], ids[1], ids[2], ids[2]]), 422),
        (json!([ids[0], ids[1], foreign]), 404),
        (json!("all"), 422),
    ] {
        assert_eq!(reader.post("/api/tbr/reorder", json!({"bookIds": order})).await.status, status);
    }
    let path = format!("/api/tbr/{}", ids[0]);
    assert_eq!(
        reader.patch(&path, json!({"wordCount": 5, "notes": null})).await.expect(200)["item"]["notes"],
        Value::Null
    );
    other.patch(&path, json!({"title": "Mine"})).await.expect(404);
    let started = reader.post(&format!("/api/tbr/{}/start", ids[2]), json!({})).await.expect(201)["book"].clone();
    assert_eq!((&started["status"], &started["impressions"]), (&json!("in-progress"), &json!("why C")));
    // The reader's time zone is UTC, so the day of the start is the day of the book's creation.
    assert_eq!(started["startDate"].as_str(), started["createdAt"].as_str().map(|now| &now[..10]));
    let mut finished = book("A", "2024-01-01");
    finished["tbrId"] = ids[0].clone();
    add(&reader, finished).await;
    assert_eq!(titles(&reader.get("/api/tbr").await.expect(200)), ["B"]);
    let heard = json!({"title": "E", "author": "X", "wordCount": 9, "wordCountSource": "epub", "format": "Audio", "tags": ["club"]});
    let heard = reader.post("/api/tbr", heard).await.expect(201)["item"].clone();
    assert_eq!(
        (&heard["format"], &heard["tags"], &heard["wordCountSource"]),
        (&json!("Audio"), &json!(["club"]), &json!("epub"))
    );
    let path = format!("/api/tbr/{}", heard["id"]);
    let heard = reader.patch(&path, json!({"tags": ["club", "lent"]})).await.expect(200)["item"].clone();
    assert_eq!((&heard["format"], &heard["wordCountSource"]), (&json!("Audio"), &json!("epub")));
    assert_eq!(reader.patch(&path, json!({"format": "Scroll", "tags": "club"})).await.fields(), ["format", "tags"]);
    let started = reader.post(&format!("{path}/start"), json!({})).await.expect(201)["book"].clone();
    for (field, kept) in
        [("format", json!("Audio")), ("tags", json!(["club", "lent"])), ("wordCountSource", json!("epub"))]
    {
        assert_eq!(started[field], kept, "{field}");
    }
    let authorless = reader.post("/api/tbr", json!({"title": "D"})).await.expect(201)["item"]["id"].clone();
    assert_eq!(reader.post(&format!("/api/tbr/{authorless}/start"), json!({})).await.fields(), ["author"]);
    reader.delete(&format!("/api/tbr/{authorless}")).await.expect(204);
    other.delete(&format!("/api/tbr/{}", ids[1])).await.expect(404);
}

#[tokio::test]
async fn the_genres_of_all_books_of_a_filter_change_at_once() {
    let server = TestServer::start().await;
    let (reader, other) = (server.plus().await, server.plus().await);
    for (title, genres) in
        [("One", json!(["sci-fi", "owned"])), ("Two", json!(["Sci-Fi"])), ("Three", json!(["Crime"]))]
    {
        let body = json!({"title": title, "author": "A", "status": "undated", "genres": genres});
        add(&reader, body.clone()).await;
        add(&other, body).await;
    }
    let path = "/api/books?genres=SCI-FI";
    let body = json!({"addGenres": ["Science Fiction"], "removeGenres": ["sci-fi", "owned"]});
    assert_eq!(reader.patch(path, body).await.expect(200), json!({"changed": 2}));
    let genres = |reader: &Reader| {
        let reader = reader.clone();
        async move {
            let list = reader.get("/api/books?sort=title&order=asc").await.expect(200);
            list["data"].as_array().unwrap().iter().map(|book| book["genres"].clone()).collect::<Vec<_>>()
        }
    };
    assert_eq!(genres(&reader).await, [json!(["Science Fiction"]), json!(["Crime"]), json!(["Science Fiction"])]);
    assert_eq!(genres(&other).await, [json!(["sci-fi", "owned"]), json!(["Crime"]), json!(["Sci-Fi"])]);
    assert_eq!(reader.patch(path, json!({"addGenres": ["X"]})).await.expect(200), json!({"changed": 0}));
    assert_eq!(reader.patch("/api/books", json!({})).await.fields(), ["addGenres"]);
    assert_eq!(reader.patch("/api/books", json!({"removeGenres": "x"})).await.fields(), ["removeGenres"]);
    assert_eq!(reader.patch("/api/books?status=x", json!({"addGenres": ["X"]})).await.fields(), ["status"]);
}

#[tokio::test]
async fn what_is_being_read_is_a_filter_of_the_list_and_of_the_figures() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    add(&reader, book("Emma", "2024-02-29")).await;
    add(&reader, json!({"title": "Trust", "author": "Hernan Diaz", "status": "in-progress"})).await;
    add(&reader, json!({"title": "Momo", "author": "Michael Ende", "status": "undated"})).await;
    let list = |query: &'static str| {
        let reader = reader.clone();
        async move { reader.get(&format!("/api/books?{query}")).await.expect(200) }
    };
    let open = list("status=in-progress").await;
    assert_eq!((titles(&open), &open["matching"], &open["total"]), (vec!["Trust"], &json!(1), &json!(3)));
    assert_eq!(titles(&list("status=in-progress&status=undated&sort=title&order=asc").await), ["Momo", "Trust"]);
    let figures = reader.get("/api/stats?status=undated").await.expect(200);
    assert_eq!((&figures["kpis"]["booksRead"], &figures["library"]["total"]), (&json!(1), &json!(3)));
    assert_eq!(reader.get("/api/books?status=reading").await.fields(), ["status"]);
    let known = reader.get("/api/books/titles").await.expect(200);
    let dates: Vec<_> = known["data"].as_array().unwrap().iter().map(|book| book["dateCompleted"].clone()).collect();
    assert_eq!(dates, [json!("2024-02-29"), Value::Null, Value::Null]);
}

#[tokio::test]
async fn paused_books_are_a_filter_of_their_own() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    add(&reader, book("Emma", "2024-02-29")).await;
    add(&reader, json!({"title": "Trust", "author": "Hernan Diaz", "status": "in-progress"})).await;
    let paused =
        json!({"title": "Gormenghast", "author": "Mervyn Peake", "status": "in-progress", "pausedSince": "2024-03-01"});
    add(&reader, paused).await;
    let list = |query: &'static str| {
        let reader = reader.clone();
        async move { reader.get(&format!("/api/books?{query}&sort=title&order=asc")).await.expect(200) }
    };
    let only = list("status=paused").await;
    assert_eq!((titles(&only), &only["matching"]), (vec!["Gormenghast"], &json!(1)));
    assert_eq!(titles(&list("status=paused&status=completed").await), ["Emma", "Gormenghast"]);
    assert_eq!(titles(&list("status=paused&status=in-progress").await), ["Gormenghast", "Trust"]);
    assert_eq!(titles(&list("status=in-progress").await), ["Gormenghast", "Trust"]);
    assert_eq!(reader.get("/api/stats?status=paused").await.expect(200)["kpis"]["booksRead"], 0);
    let change = json!({"addGenres": ["Later"]});
    assert_eq!(reader.patch("/api/books?status=paused", change).await.expect(200)["changed"], 1);
    assert_eq!(titles(&list("genres=Later").await), ["Gormenghast"]);
}

#[tokio::test]
async fn the_titles_say_how_rough_a_date_is() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    add(&reader, book("Emma", "2024-02-29")).await;
    add(&reader, book("Momo", "2018-2020")).await;
    let known = reader.get("/api/books/titles").await.expect(200);
    let days = |at: usize| (known["data"][at]["completedFrom"].clone(), known["data"][at]["dateCompleted"].clone());
    assert_eq!(days(0), (Value::Null, json!("2024-02-29")));
    assert!(known["data"][0].get("completedFrom").is_none(), "an exact date has no first possible day");
    assert_eq!(days(1), (json!("2018-01-01"), json!("2020-12-31")));
}

#[tokio::test]
async fn an_invalid_finished_book_leaves_its_item_on_the_list() {
    let server = TestServer::start().await;
    let reader = server.reader().await;
    let item = reader.post("/api/tbr", json!({"title": "Kept"})).await.expect(201)["item"]["id"].clone();
    assert_eq!(reader.post("/api/books", json!({"title": "Kept", "tbrId": item})).await.status, 422);
    assert_eq!(titles(&reader.get("/api/tbr").await.expect(200)), ["Kept"]);
}
