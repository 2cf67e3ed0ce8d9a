//! Reads: a book is read again, given up, paused and finished, and the place in it is kept.
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::actors::{Reader, as_listed};
use crate::support::harness::TestServer;

async fn add(reader: &Reader, body: Value) -> Value {
    reader.post("/api/books", body).await.expect(201)["book"].clone()
}

fn dune(more: Value) -> Value {
    let mut book = json!({"title": "Dune", "author": "Frank Herbert", "wordCount": 200_000, "pages": 400, "status": "in-progress"});
    book.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    book
}

fn path(book: &Value) -> String {
    format!("/api/books/{}", book["id"])
}

async fn today(reader: &Reader) -> String {
    let made =
        reader.post("/api/books", dune(json!({"title": "Clock", "work": null}))).await.expect(201)["book"].clone();
    let again = reader.patch(&path(&made), json!({"status": "undated"})).await.expect(200);
    let read = reader.post(&format!("{}/again", path(&again["book"])), json!({})).await.expect(201);
    let day = read["book"]["startDate"].as_str().unwrap().to_owned();
    reader.delete(&path(&read["book"])).await.expect(204);
    reader.delete(&path(&made)).await.expect(204);
    day
}

async fn put(reader: &Reader, book: &Value, day: &str, body: Value) -> crate::support::actors::TestResponse {
    let path = format!("{}/days/{day}", path(book));
    reader.send(reader.request(Method::PUT, &path).json(&body)).await
}

async fn log(reader: &Reader, book: &Value) -> Value {
    reader.get(&format!("{}/days", path(book))).await.expect(200)["data"].clone()
}

#[tokio::test]
async fn only_finished_reads_count_anywhere() {
    let server = TestServer::start().await;
    let (owner, _) = server.team(0).await;
    owner.patch("/api/preferences", json!({"shareWithTeam": true})).await.expect(200);
    let challenge =
        json!({"title": "All", "metric": "books", "target": 5, "startDate": "2000-01-01", "endDate": "2099-12-31"});
    owner.post("/api/teams/challenges", challenge).await.expect(201);
    add(&owner, dune(json!({"title": "Open"}))).await;
    let given_up =
        dune(json!({"title": "Given up", "status": "did-not-finish", "stoppedDate": "2024-01-05", "rating": 3}));
    add(&owner, given_up).await;
    let stats = owner.get("/api/stats").await.expect(200);
    assert_eq!((&stats["kpis"]["booksRead"], &stats["kpis"]["ratedBooks"]), (&json!(0), &json!(0)));
    assert_eq!(
        (&stats["monthlyWords"], &stats["shelf"]["books"], &stats["library"]["total"]),
        (&json!([]), &json!([]), &json!(2))
    );
    let team = owner.get("/api/teams/stats").await.expect(200);
    assert_eq!((&team["kpis"]["booksRead"], &team["library"]["total"]), (&json!(0), &json!(0)));
    let challenges = owner.get("/api/teams/challenges").await.expect(200);
    assert_eq!(challenges["data"][0]["total"], 0);
    // A book that was given up is not finished, so its next read is not a reread by itself.
    let finished = json!({"title": "Given up", "author": "Frank Herbert", "status": "undated"});
    owner.patch("/api/preferences", json!({"autoDetectReread": true})).await.expect(200);
    assert_eq!(add(&owner, finished).await["reread"], false);
    let only = owner.get("/api/books?status=did-not-finish&status=in-progress").await.expect(200);
    assert_eq!(only["matching"], 2);
}

#[tokio::test]
async fn a_book_is_read_again_with_its_edition_and_the_old_read_stays() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let first = dune(
        json!({"status": "completed", "dateCompleted": "2012-05-02", "rating": 8, "impressions": "Sand.", "genres": ["SF"],
        "isbn": "9780441013593", "format": "Print", "quotes": ["Fear."]}),
    );
    let first = add(&reader, first).await;
    assert_eq!(first["work"], first["id"]);
    let again =
        reader.post(&format!("{}/again", path(&first)), json!({"format": "Audio", "startDate": "2024-04-01"})).await;
    let again = again.expect(201)["book"].clone();
    for (field, value) in [
        ("status", json!("in-progress")),
        ("work", first["id"].clone()),
        ("reread", json!(true)),
        ("format", json!("Audio")),
        ("startDate", json!("2024-04-01")),
        ("title", json!("Dune")),
        ("pages", json!(400)),
        ("isbn", json!("9780441013593")),
        ("genres", json!(["SF"])),
        ("rating", Value::Null),
        ("impressions", Value::Null),
        ("quotes", json!([])),
        ("progress", Value::Null),
    ] {
        assert_eq!(again[field], value, "{field}");
    }
    assert_eq!(as_listed(&reader.get(&path(&first)).await.expect(200)["book"]), first);
    let refused = reader.post(&format!("{}/again", path(&first)), json!({})).await;
    assert_eq!((refused.code(409), &refused.body["bookId"]), ("already_reading", &again["id"]));
    reader
        .patch(&path(&again), json!({"status": "completed", "dateCompleted": "2024-05-02", "rating": 9.5}))
        .await
        .expect(200);
    let work = reader.get(&format!("/api/works/{}", first["id"])).await.expect(200)["work"].clone();
    let ratings: Vec<_> = work["reads"].as_array().unwrap().iter().map(|read| read["rating"].clone()).collect();
    assert_eq!(
        (ratings, &work["title"], &work["authors"]),
        (vec![json!(8), json!(9.5)], &json!("Dune"), &json!(["Frank Herbert"]))
    );
    reader.get(&format!("/api/works/{}", again["id"])).await.expect(404);
    let listed = reader.get(&format!("/api/books?work={}", first["id"])).await.expect(200);
    assert_eq!((&listed["matching"], &listed["data"][0]["id"]), (&json!(2), &again["id"]));
    let stats = reader.get(&format!("/api/stats?work={}", first["id"])).await.expect(200);
    assert_eq!(
        (&stats["kpis"]["booksRead"], &stats["kpis"]["rereads"], &stats["kpis"]["averageRating"]),
        (&json!(2), &json!(1), &json!(8.8))
    );
    let titles = reader.get("/api/books/titles").await.expect(200);
    assert_eq!((&titles["data"][0]["work"], &titles["data"][1]["work"]), (&first["id"], &first["id"]));
}

#[tokio::test]
async fn another_edition_may_have_unknown_pages_and_no_isbn() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let first = add(&reader, dune(json!({"status": "undated", "isbn": "9780441013593"}))).await;
    let edition = json!({"wordCount": 190_000, "pages": null, "isbn": null, "format": null, "startDate": null});
    let again = reader.post(&format!("{}/again", path(&first)), edition).await.expect(201)["book"].clone();
    assert_eq!((&again["wordCount"], &again["wordCountSource"]), (&json!(190_000), &json!("entered")));
    assert_eq!((&again["pages"], &again["isbn"]), (&Value::Null, &Value::Null));
    assert_eq!((&again["format"], &again["startDate"]), (&first["format"], &json!(today(&reader).await)));
    assert_eq!(reader.get(&path(&first)).await.expect(200)["book"]["isbn"], "9780441013593");
}

#[tokio::test]
async fn new_books_join_the_work_of_their_name_unless_they_say_otherwise() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let first = add(&reader, json!({"title": "Émma", "author": "Jane Austen", "status": "undated"})).await;
    let same = add(&reader, json!({"title": "EMMA", "author": "jane austen", "status": "undated"})).await;
    let alone =
        add(&reader, json!({"title": "Emma", "author": "Jane Austen", "status": "undated", "work": null})).await;
    let named =
        json!({"title": "Emma, annotated", "author": "J. Austen", "status": "in-progress", "work": alone["id"]});
    let named = add(&reader, named).await;
    let works: Vec<_> = [&same, &alone, &named].iter().map(|book| book["work"].clone()).collect();
    assert_eq!(works, [first["id"].clone(), alone["id"].clone(), alone["id"].clone()]);
    // A second read in progress stands alone by name, and is refused where the work is named.
    add(&reader, json!({"title": "Emma", "author": "Jane Austen", "status": "in-progress", "work": first["id"]})).await;
    let open = json!({"title": "Emma", "author": "Jane Austen", "status": "in-progress"});
    let third = add(&reader, open.clone()).await;
    assert_eq!(third["work"], third["id"]);
    let mut refused = open;
    refused["work"] = first["id"].clone();
    assert_eq!(reader.post("/api/books", refused).await.code(409), "already_reading");
    for (work, status) in [(json!(1), 404), (json!("x"), 422), (same["id"].clone(), 404)] {
        let sent = json!({"title": "Emma", "author": "A", "status": "undated", "work": work});
        reader.post("/api/books", sent).await.expect(status);
    }
    reader.post("/api/books", json!({"title": "", "work": 1})).await.expect(404);
    // Starting an item of the list joins the work, as a reread.
    let item =
        reader.post("/api/tbr", json!({"title": "Momo", "author": "Michael Ende"})).await.expect(201)["item"]["id"]
            .clone();
    let momo = add(&reader, json!({"title": "Momo", "author": "Michael Ende", "status": "undated"})).await;
    let started = reader.post(&format!("/api/tbr/{item}/start"), json!({})).await.expect(201)["book"].clone();
    assert_eq!((&started["work"], &started["reread"]), (&momo["id"], &json!(true)));
}

#[tokio::test]
async fn a_started_item_takes_series_and_tags_of_its_work_and_writes_nothing_into_a_finished_read() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let start = async |title: &str| {
        let sent = json!({"title": title, "author": "James S.A. Corey", "tags": ["club"]});
        let item = reader.post("/api/tbr", sent).await.expect(201)["item"]["id"].clone();
        reader.post(&format!("/api/tbr/{item}/start"), json!({})).await.expect(201)["book"].clone()
    };
    let finished = json!({"title": "Leviathan Wakes", "author": "James S.A. Corey", "status": "undated", "tags": ["slow"],
        "series": {"name": "Expanse", "number": "1"}});
    let finished = add(&reader, finished).await;
    let again = start("Leviathan Wakes (The Expanse, #1)").await;
    assert_eq!((&again["work"], &again["reread"]), (&finished["id"], &json!(true)));
    for field in ["title", "series", "tags"] {
        assert_eq!(again[field], finished[field], "{field}");
    }
    let path = format!("/api/books/{}", finished["id"]);
    assert_eq!(as_listed(&reader.get(&path).await.expect(200)["book"]), finished);
    let new = start("Caliban's War (The Expanse, #2)").await;
    assert_eq!(
        (&new["title"], &new["series"], &new["tags"]),
        (&json!("Caliban's War"), &json!({"name": "The Expanse", "number": "2"}), &json!(["club"]))
    );
}

#[tokio::test]
async fn works_are_joined_and_parted_and_keep_a_first_read() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let undated = |title: &str| json!({"title": title, "author": "A", "status": "undated"});
    let (one, two) = (add(&reader, undated("One")).await, add(&reader, undated("Two")).await);
    let join = |work: Value, other: Value| {
        let reader = reader.clone();
        async move { reader.post(&format!("/api/works/{work}/join"), json!({"work": other})).await }
    };
    let joined = join(two["id"].clone(), one["id"].clone()).await.expect(200)["work"].clone();
    assert_eq!((&joined["id"], joined["reads"].as_array().unwrap().len()), (&one["id"], 2));
    assert_eq!(join(one["id"].clone(), one["id"].clone()).await.expect(200)["work"], joined);
    join(two["id"].clone(), one["id"].clone()).await.expect(404);
    join(one["id"].clone(), json!(7)).await.expect(404);
    assert_eq!(join(one["id"].clone(), json!("x")).await.fields(), ["work"]);
    let third = add(&reader, json!({"title": "One", "author": "A", "status": "undated"})).await;
    assert_eq!(third["work"], one["id"]);
    // The first read leaves: the others are named after the next one.
    let parted = reader.post(&format!("{}/part", path(&one)), json!({})).await.expect(200)["book"].clone();
    assert_eq!(parted["work"], one["id"]);
    assert_eq!(reader.get(&path(&third)).await.expect(200)["book"]["work"], two["id"]);
    // So it is when the first read is deleted.
    reader.delete(&path(&two)).await.expect(204);
    assert_eq!(reader.get(&path(&third)).await.expect(200)["book"]["work"], third["id"]);
    let open = |title: &str| json!({"title": title, "author": "A", "status": "in-progress"});
    let (four, five) = (add(&reader, open("Four")).await, add(&reader, open("Five")).await);
    assert_eq!(join(four["id"].clone(), five["id"].clone()).await.code(409), "already_reading");
}

#[tokio::test]
async fn a_change_of_status_says_what_it_cleared() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let book = add(&reader, dune(json!({"startDate": "2024-01-01", "pausedSince": "2024-02-01"}))).await;
    let change = |body: Value| {
        let (reader, path) = (reader.clone(), path(&book));
        async move { reader.patch(&path, body).await }
    };
    let stopped =
        change(json!({"status": "did-not-finish", "stoppedDate": "2024-03-01", "rating": 2.5})).await.expect(200);
    assert_eq!((&stopped["cleared"], &stopped["book"]["startDate"]), (&json!(["pausedSince"]), &json!("2024-01-01")));
    let went_on = change(json!({"status": "in-progress"})).await.expect(200);
    assert_eq!(went_on["cleared"], json!(["stoppedDate", "rating"]));
    let finished = change(
        json!({"status": "completed", "dateCompleted": "2024-04-01", "rating": 7.5, "wordDistribution": "spread"}),
    )
    .await
    .expect(200);
    assert_eq!((finished.get("cleared"), &finished["book"]["rating"]), (None, &json!(7.5)));
    let reopened = change(json!({"status": "in-progress"})).await.expect(200);
    assert_eq!(reopened["cleared"], json!(["dateCompleted", "rating"]));
    let undated = change(json!({"status": "undated"})).await.expect(200);
    assert_eq!(undated["cleared"], json!(["startDate", "wordDistribution"]));
    for (body, field) in [
        (json!({"pausedSince": "2024-01-01"}), "pausedSince"),
        (json!({"stoppedDate": "2024-01-01"}), "stoppedDate"),
        (json!({"status": "did-not-finish", "dateCompleted": "2024-01-01"}), "dateCompleted"),
        (json!({"status": "in-progress", "wordDistribution": "logged"}), "wordDistribution"),
        (json!({"rating": 7.55}), "rating"),
        (json!({"status": "completed", "dateCompleted": "2019-12-31", "completedFrom": "1919-12-31"}), "dateCompleted"),
    ] {
        assert_eq!(change(body.clone()).await.fields(), [field], "{body}");
    }
}

#[tokio::test]
async fn a_rough_date_stays_until_another_day_is_sent() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let book = dune(json!({"status": "completed", "completedFrom": "2019-01-01", "dateCompleted": "2019-12-31"}));
    let book = add(&reader, book).await;
    assert_eq!(
        (&book["year"], &book["month"], &book["completedFrom"]),
        (&json!(2019), &Value::Null, &json!("2019-01-01"))
    );
    let same = reader.patch(&path(&book), json!({"dateCompleted": "2019-12-31", "rating": 7})).await.expect(200);
    assert_eq!(same["book"]["completedFrom"], "2019-01-01");
    let exact = reader.patch(&path(&book), json!({"dateCompleted": "2019-12-30"})).await.expect(200);
    assert_eq!((&exact["book"]["completedFrom"], &exact["book"]["month"]), (&Value::Null, &json!(12)));
    let refused = reader.patch(&path(&book), json!({"completedFrom": "2019-12-01", "startDate": "2019-12-01"})).await;
    assert_eq!(refused.fields(), ["startDate"]);
    let winter = json!({"status": "completed", "completedFrom": "2019-12-01", "dateCompleted": "2020-02-29"});
    assert_eq!(add(&reader, dune(winter)).await["year"], Value::Null);
}

#[tokio::test]
async fn places_are_noted_day_by_day() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let book = add(&reader, dune(json!({"startDate": "2024-01-10"}))).await;
    let noted =
        put(&reader, &book, "2024-01-12", json!({"page": 103, "minutes": 40, "note": "Slow."})).await.expect(200);
    assert_eq!(
        noted["day"],
        json!({
            "day": "2024-01-12", "at": 2_575, "page": 103, "time": null, "minutes": 40, "note": "Slow.", "covered": null
        })
    );
    assert_eq!(noted["book"]["progress"], json!({"at": 2_575, "page": 103, "day": "2024-01-12"}));
    let twice =
        put(&reader, &book, "2024-01-12", json!({"page": 103, "minutes": 40, "note": "Slow."})).await.expect(200);
    assert_eq!((&twice["day"], twice.get("startMoved")), (&noted["day"], None));
    let earlier = put(&reader, &book, "2024-01-03", json!({"percent": 12.34})).await.expect(200);
    assert_eq!(
        (&earlier["startMoved"], &earlier["book"]["startDate"], &earlier["day"]["at"]),
        (&json!(true), &json!("2024-01-03"), &json!(1_234))
    );
    put(&reader, &book, "2024-01-13", json!({})).await.expect(200);
    let kept = put(&reader, &book, "2024-01-12", json!({"note": null})).await.expect(200);
    assert_eq!((&kept["day"]["page"], &kept["day"]["note"]), (&json!(103), &Value::Null));
    let days: Vec<_> = log(&reader, &book).await.as_array().unwrap().iter().map(|day| day["day"].clone()).collect();
    assert_eq!(days, ["2024-01-03", "2024-01-12", "2024-01-13"]);
    assert_eq!(reader.get("/api/books").await.expect(200)["data"][0]["progress"]["at"], 2_575);
    assert_eq!(reader.get("/api/books?sort=title").await.expect(200)["data"][0]["progress"]["at"], 2_575);
    // More pages move the places that were noted by page.
    let longer = reader.patch(&path(&book), json!({"pages": 412})).await.expect(200);
    assert_eq!(longer["book"]["progress"]["at"], 2_500);
    for (day, body, field) in [
        ("2024-01-12", json!({"page": 413}), "page"),
        ("2024-01-12", json!({"percent": 12.345}), "percent"),
        ("2024-01-12", json!({"minutes": 1_441}), "minutes"),
        ("2099-01-01", json!({}), "day"),
        ("2024-1-1", json!({}), "day"),
    ] {
        assert_eq!(put(&reader, &book, day, body.clone()).await.fields(), [field], "{body}");
    }
    let forget = format!("{}/days/2024-01-13", path(&book));
    reader.delete(&forget).await.expect(204);
    reader.delete(&forget).await.expect(404);
    reader.delete(&path(&book)).await.expect(204);
    reader.get(&format!("{}/days", path(&book))).await.expect(404);
}

#[tokio::test]
async fn the_end_of_a_read_is_noted_when_it_is_finished_and_goes_when_it_was_not() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let book = add(&reader, dune(json!({"startDate": "2024-01-30"}))).await;
    put(&reader, &book, "2024-02-02", json!({"percent": 40})).await.expect(200);
    put(&reader, &book, "2024-02-10", json!({"percent": 70})).await.expect(200);
    let finish = json!({"status": "completed", "dateCompleted": "2024-03-05", "wordDistribution": "logged"});
    let finished = reader.patch(&path(&book), finish).await.expect(200)["book"].clone();
    assert_eq!(finished["progress"], json!({"at": 10_000, "page": null, "day": "2024-03-05"}));
    let months = reader.get("/api/stats").await.expect(200)["monthlyWords"].clone();
    let words: Vec<_> = months
        .as_array()
        .unwrap()
        .iter()
        .map(|month| (month["words"].as_i64().unwrap(), month["books"].as_i64().unwrap()))
        .collect();
    assert_eq!(words, [(40_000, 0), (100_000, 0), (60_000, 1)]);
    // A finished read takes days up to its completion; they change the months and not the read.
    put(&reader, &book, "2024-02-20", json!({"percent": 100})).await.expect(200);
    let months = reader.get("/api/stats").await.expect(200)["monthlyWords"].clone();
    assert_eq!((&months[1]["words"], &months[2]["words"]), (&json!(160_000), &json!(0)));
    assert_eq!(reader.get(&path(&book)).await.expect(200)["book"]["updatedAt"], finished["updatedAt"]);
    assert_eq!(put(&reader, &book, "2024-03-06", json!({})).await.code(409), "finished");
    let back = reader.patch(&path(&book), json!({"status": "in-progress"})).await.expect(200)["book"].clone();
    assert_eq!(back["progress"]["day"], "2024-02-20");
    let undated = reader.patch(&path(&book), json!({"status": "undated"})).await.expect(200)["book"].clone();
    assert_eq!(
        (log(&reader, &book).await.as_array().unwrap().len(), &undated["wordDistribution"]),
        (3, &json!("final"))
    );
    assert_eq!(put(&reader, &book, "2024-01-01", json!({})).await.code(409), "finished");
    put(&reader, &book, "2024-02-02", json!({"minutes": 5})).await.expect(200);
    // Without a log, only the present day is noted.
    let other = add(&reader, dune(json!({"title": "Other"}))).await;
    reader.patch(&path(&other), json!({"status": "completed", "dateCompleted": "2024-03-05"})).await.expect(200);
    assert_eq!(log(&reader, &other).await, json!([]));
    let today = today(&reader).await;
    let third = add(&reader, dune(json!({"title": "Third"}))).await;
    reader.patch(&path(&third), json!({"status": "completed", "dateCompleted": today})).await.expect(200);
    assert_eq!(log(&reader, &third).await[0]["at"], 10_000);
}

/// A read that was finished with other pages is at the place of its page again, and one that lost its date loses its end all the same.
#[tokio::test]
async fn a_read_that_goes_on_after_all_has_the_places_of_its_pages() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let book = add(&reader, dune(json!({"startDate": "2024-01-10"}))).await;
    put(&reader, &book, "2024-01-12", json!({"page": 103})).await.expect(200);
    let finish = json!({"status": "completed", "dateCompleted": "2024-03-05"});
    reader.patch(&path(&book), finish).await.expect(200);
    let paged = reader.patch(&path(&book), json!({"pages": 412})).await.expect(200);
    assert_eq!(paged["book"]["progress"]["at"], 10_000);
    assert_eq!(log(&reader, &book).await[0]["at"], 2_575);
    reader.patch(&path(&book), json!({"status": "undated"})).await.expect(200);
    let back = reader.patch(&path(&book), json!({"status": "in-progress"})).await.expect(200);
    assert_eq!(back["book"]["progress"], json!({"at": 2_500, "page": 103, "day": "2024-01-12"}));
}

#[tokio::test]
async fn title_and_genres_change_for_one_read_or_for_all() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let undated = json!({"title": "Dnue", "author": "Frank Herbert", "status": "undated", "genres": ["SF"]});
    let (one, two) = (add(&reader, undated.clone()).await, add(&reader, undated).await);
    reader.patch(&path(&one), json!({"title": "Dune"})).await.expect(200);
    assert_eq!(reader.get(&path(&two)).await.expect(200)["book"]["title"], "Dnue");
    let all = format!("{}?reads=all", path(&one));
    reader.patch(&all, json!({"genres": ["Classic"], "rating": 9})).await.expect(200);
    let other = reader.get(&path(&two)).await.expect(200)["book"].clone();
    assert_eq!(
        (&other["title"], &other["genres"], &other["rating"]),
        (&json!("Dune"), &json!(["Classic"]), &Value::Null)
    );
    assert_eq!(reader.get("/api/books?titleSearch=dune").await.expect(200)["matching"], 2);
    let some = format!("{}?reads=some", path(&one));
    assert_eq!(reader.patch(&some, json!({"rating": 8})).await.fields(), ["reads"]);
}

#[tokio::test]
async fn half_points_are_kept_filtered_sorted_and_paged() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    for (title, rating) in [("A", json!(7)), ("B", json!(7.5)), ("C", json!(8)), ("D", json!(7.1))] {
        add(&reader, json!({"title": title, "author": "A", "status": "undated", "rating": rating})).await;
    }
    let raw = reader.get("/api/books?sort=rating&limit=2").await.expect(200);
    let titles = |answer: &Value| {
        answer["data"]
            .as_array()
            .unwrap()
            .iter()
            .map(|book| book["title"].as_str().unwrap().to_owned())
            .collect::<String>()
    };
    assert_eq!(titles(&raw), "CB");
    assert_eq!(
        (raw["data"][0]["rating"].to_string(), raw["data"][1]["rating"].to_string()),
        ("8".to_owned(), "7.5".to_owned())
    );
    let next = format!("/api/books?sort=rating&limit=2&cursor={}", raw["nextCursor"].as_str().unwrap());
    assert_eq!(titles(&reader.get(&next).await.expect(200)), "DA");
    assert_eq!(reader.get("/api/books?minRating=7.5").await.expect(200)["matching"], 2);
    assert_eq!(reader.get("/api/books?minRating=7.55").await.fields(), ["minRating"]);
}

/// Every read of a library, with its log, in the order of ids. A work is the place of its first read.
async fn everything(reader: &Reader) -> Vec<Value> {
    let mut books = reader.get("/api/books").await.expect(200)["data"].as_array().unwrap().clone();
    books.sort_by_key(|book| book["id"].as_i64());
    let ids: Vec<_> = books.iter().map(|book| book["id"].clone()).collect();
    for book in &mut books {
        book["log"] = log(reader, book).await;
        book["work"] = json!(ids.iter().position(|id| *id == book["work"]));
        for made in ["id", "createdAt", "updatedAt"] {
            book.as_object_mut().unwrap().remove(made);
        }
    }
    books
}

#[tokio::test]
async fn an_export_restores_works_logs_and_every_status() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let first = add(&reader, dune(json!({"startDate": "2024-01-30"}))).await;
    put(&reader, &first, "2024-02-02", json!({"page": 160, "minutes": 30, "note": "=1+1, \"slow\""})).await.expect(200);
    put(&reader, &first, "2024-02-10", json!({"percent": 70.25})).await.expect(200);
    let finish =
        json!({"status": "completed", "dateCompleted": "2024-03-05", "wordDistribution": "logged", "rating": 7.5});
    reader.patch(&path(&first), finish).await.expect(200);
    reader.post(&format!("{}/again", path(&first)), json!({"startDate": "2024-06-01"})).await.expect(201);
    let stopped = json!({"title": "Ulysses", "status": "did-not-finish", "stoppedDate": "2024-01-05", "rating": 3, "work": first["id"]});
    let stopped = add(&reader, dune(stopped)).await;
    put(&reader, &stopped, "2024-01-05", json!({"percent": 30})).await.expect(200);
    add(&reader, dune(json!({"title": "Emma", "pausedSince": "2024-02-01"}))).await;
    // The same name twice, as two books.
    add(&reader, json!({"title": "Poems", "author": "A", "status": "undated"})).await;
    add(&reader, json!({"title": "Poems", "author": "A", "status": "undated", "work": null})).await;
    let before = (everything(&reader).await, reader.get("/api/stats").await.expect(200));
    let csv = reader.get("/api/account/export/books.csv").await.bytes;
    assert_eq!(reader.delete("/api/account/data").await.status, 204);
    let report = reader.upload("/api/books/import", "books.csv", csv.clone(), &[]).await.expect(200);
    assert_eq!((&report["imported"], &report["errors"]), (&json!(6), &json!(0)), "{report}");
    let mut after = reader.get("/api/stats").await.expect(200);
    for (book, former) in
        after["shelf"]["books"].as_array_mut().unwrap().iter_mut().zip(before.1["shelf"]["books"].as_array().unwrap())
    {
        book["id"] = former["id"].clone();
    }
    assert_eq!((everything(&reader).await, after), before);
    let again = reader.upload("/api/books/import", "books.csv", csv, &[]).await.expect(200);
    assert_eq!((&again["imported"], &again["skipped"]), (&json!(0), &json!(6)));
}

/// A file may number two reads in progress as one book, which has room for one of them.
#[tokio::test]
async fn a_read_that_its_numbered_work_does_not_take_is_a_book_of_its_own() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let file = "Title,Author,Word Count,Word Distribution,Status,Work\n\
        Dune,Frank Herbert,9,final,in-progress,1\nWaste,Frank Herbert,9,final,in-progress,1\n\
        Sand,Frank Herbert,9,final,undated,1\n";
    let report = reader.upload("/api/books/import", "books.csv", file, &[]).await.expect(200);
    assert_eq!((&report["imported"], &report["errors"]), (&json!(3), &json!(0)), "{report}");
    let books = everything(&reader).await;
    let work = |title: &str| books.iter().find(|book| book["title"] == title).unwrap()["work"].clone();
    assert_eq!(work("Dune"), work("Sand"));
    assert_ne!(work("Dune"), work("Waste"));
}

#[tokio::test]
async fn a_log_goes_with_its_book_and_its_days_and_notes_count_for_the_quota() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let owner = reader.id;
    let bytes = || {
        let db = server.db.clone();
        async move {
            db.read(move |conn| {
                Ok(conn.query_row(
                    "SELECT text_bytes, (SELECT count(*) FROM reading_days), (SELECT count(*) FROM read_months) FROM libraries
                     WHERE user_id = ?1",
                    [owner],
                    |row| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?, row.get::<_, i64>(2)?)),
                )?)
            })
            .await
            .unwrap()
        }
    };
    let book = add(&reader, dune(json!({}))).await;
    let (empty, ..) = bytes().await;
    put(&reader, &book, "2024-02-02", json!({"percent": 40, "note": "four"})).await.expect(200);
    put(&reader, &book, "2024-02-02", json!({"note": "fünf!"})).await.expect(200);
    assert_eq!(bytes().await, (empty + 32 + 6, 1, 0));
    let finish = json!({"status": "completed", "dateCompleted": "2024-03-05", "wordDistribution": "logged"});
    reader.patch(&path(&book), finish).await.expect(200);
    assert_eq!(bytes().await, (empty + 2 * 32 + 6, 2, 2));
    reader.delete(&path(&book)).await.expect(204);
    assert_eq!(bytes().await, (0, 0, 0));
    // What was noted in an imported book keeps it when the import is undone.
    let import = reader
        .upload("/api/books/import", "x.csv", "Title,Author,Date Completed\nA,B,2024-01-05\nC,D,2024-01-05\n", &[])
        .await
        .expect(200);
    let first = reader.get("/api/books?titleSearch=a").await.expect(200)["data"][0].clone();
    put(&reader, &first, "2024-01-03", json!({})).await.expect(200);
    let undone = reader.delete(&format!("/api/imports/{}", import["importId"])).await.expect(200);
    assert_eq!((&undone["removed"], undone["kept"].as_array().unwrap().len()), (&json!(1), 1));
}
