//! Reading days: open books with forecasts, goals, the calendar and the streak.
use chrono::{Datelike as _, Days, NaiveDate, TimeDelta};
use serde_json::{Value, json};
use shelfwise::access::Plan;

use crate::support::actors::Reader;
use crate::support::harness::TestServer;

async fn add(reader: &Reader, title: &str, more: Value) -> i64 {
    let mut book = json!({"title": title, "author": "A", "wordCount": 100_000, "pages": 400, "status": "in-progress"});
    book.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    reader.post("/api/books", book).await.expect(201)["book"]["id"].as_i64().unwrap()
}

async fn note(reader: &Reader, book: i64, day: NaiveDate, place: Value) {
    reader.put(&format!("/api/books/{book}/days/{day}"), place).await.expect(200);
}

async fn today(reader: &Reader) -> NaiveDate {
    reader.get("/api/reading").await.expect(200)["today"].as_str().unwrap().parse().unwrap()
}

fn before(day: NaiveDate, days: u64) -> NaiveDate {
    day - Days::new(days)
}

#[tokio::test]
async fn open_books_stand_with_their_forecasts_the_one_noted_last_first_and_paused_ones_last() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let today = today(&reader).await;
    let ago = |days| before(today, days);
    let paused = add(&reader, "Paused", json!({"startDate": ago(40), "pausedSince": ago(1)})).await;
    for (days, percent) in [(2, 40), (1, 50)] {
        note(&reader, paused, ago(days), json!({"percent": percent})).await;
    }
    let dune = add(&reader, "Dune", json!({"startDate": ago(11)})).await;
    for (days, percent) in [(11, 12), (8, 20), (2, 38)] {
        note(&reader, dune, ago(days), json!({"percent": percent})).await;
    }
    let begun = add(&reader, "Begun", json!({"startDate": ago(1)})).await;
    add(&reader, "Finished", json!({"status": "completed", "dateCompleted": today})).await;
    let reading = reader.get("/api/reading").await.expect(200);
    let open: Vec<_> =
        reading["open"].as_array().unwrap().iter().map(|open| open["book"]["id"].as_i64().unwrap()).collect();
    assert_eq!(open, [begun, dune, paused]);
    assert_eq!(reading["open"][1]["forecast"], json!({"days": 20, "date": today + Days::new(20)}));
    assert_eq!((&reading["open"][0]["forecast"], &reading["open"][2]["forecast"]), (&json!(null), &json!(null)));
    assert_eq!((&reading["goals"], &reading["streak"]), (&json!([]), &json!(null)));
    note(&reader, dune, today, json!({})).await;
    let moved = reader.get("/api/reading").await.expect(200);
    assert_eq!(moved["open"][0]["book"]["id"], dune, "a noted day counts, with and without a place");
}

#[tokio::test]
async fn a_goal_is_the_number_of_the_dashboard_and_names_its_books() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let today = today(&reader).await;
    let year = today.year();
    let goal = reader.put(&format!("/api/goals/{year}/books"), json!({"target": 2})).await.expect(200)["goal"].clone();
    assert_eq!((&goal["value"], &goal["remaining"], &goal["rereads"]), (&json!(0), &json!(2), &json!(true)));
    assert_eq!((&goal["inHand"], &goal["withoutPages"]), (&json!(null), &json!(null)));
    let day = NaiveDate::from_ymd_opt(year, 1, 1).unwrap();
    let first = add(&reader, "First", json!({"status": "completed", "dateCompleted": day})).await;
    add(&reader, "Rough", json!({"status": "completed", "dateCompleted": year.to_string(), "pages": null})).await;
    add(&reader, "Again", json!({"status": "completed", "dateCompleted": day, "reread": true, "work": first})).await;
    add(
        &reader,
        "Over New Year",
        json!({"status": "completed", "dateCompleted": format!("{}-12/{year}-02", year - 1)}),
    )
    .await;
    add(&reader, "Given up", json!({"status": "did-not-finish", "stoppedDate": today})).await;
    add(&reader, "Undated", json!({"status": "undated"})).await;
    let open = add(&reader, "Open", json!({"startDate": today})).await;
    note(&reader, open, today, json!({"percent": 38})).await;
    reader.put(&format!("/api/goals/{year}/words"), json!({"target": 1_000_000})).await.expect(200);
    reader.put(&format!("/api/goals/{year}/pages"), json!({"target": 10_000})).await.expect(200);
    reader.put(&format!("/api/goals/{year}-01/books"), json!({"target": 5, "rereads": false})).await.expect(200);
    let goals = reader.get("/api/goals").await.expect(200)["data"].clone();
    let kpis = reader.get("/api/stats").await.expect(200)["kpis"].clone();
    let of = |period: &str, metric: &str| {
        goals
            .as_array()
            .unwrap()
            .iter()
            .find(|goal| goal["period"] == period && goal["metric"] == metric)
            .unwrap()
            .clone()
    };
    let (books, words, pages) =
        (of(&year.to_string(), "books"), of(&year.to_string(), "words"), of(&year.to_string(), "pages"));
    assert_eq!((&books["value"], &books["remaining"]), (&kpis["booksYtd"], &json!(0)));
    assert_eq!((&words["value"], &words["inHand"]), (&kpis["wordsYtd"], &json!(38_000)));
    assert_eq!((&books["value"], &words["value"]), (&json!(3), &json!(300_000)));
    assert_eq!((&pages["value"], &pages["withoutPages"], &pages["inHand"]), (&json!(800), &json!(1), &json!(152)));
    assert_eq!(of(&format!("{year}-01"), "books")["value"], 1, "neither the rough date nor the reread");
    assert_eq!(goals[0]["period"], format!("{year}-01"), "the newest period is first");
    let counted = reader.get(&format!("/api/goals/{year}/books/books")).await.expect(200);
    let titles: Vec<_> = counted["data"].as_array().unwrap().iter().map(|book| book["title"].clone()).collect();
    assert_eq!((titles, &counted["hidden"]), (vec![json!("First"), json!("Again"), json!("Rough")], &json!(0)));
    let only = reader.get(&format!("/api/goals?period={year}-01")).await.expect(200);
    assert_eq!(only["data"].as_array().unwrap().len(), 1);
    reader.delete(&format!("/api/goals/{year}/pages")).await.expect(204);
    reader.delete(&format!("/api/goals/{year}/pages")).await.expect(404);
    assert_eq!(reader.get(&format!("/api/goals/{year}/pages/books")).await.status, 404);
}

/// The goals of one year are counted by the index of dates, and those of several years by one pass.
#[tokio::test]
async fn goals_of_one_year_and_of_many_count_the_same_reads() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let year = today(&reader).await.year();
    for (title, finished) in [
        ("First day", format!("{year}-01-01")),
        ("The day before", format!("{}-12-31", year - 1)),
        ("Some day", year.to_string()),
        ("Over New Year", format!("{}-12/{year}-01", year - 1)),
    ] {
        add(&reader, title, json!({"status": "completed", "dateCompleted": finished})).await;
    }
    add(&reader, "Open", json!({})).await;
    let mut values = Vec::new();
    for years in [vec![year], vec![year, year - 1, year - 2]] {
        for year in years {
            reader.put(&format!("/api/goals/{year}/books"), json!({"target": 2})).await.expect(200);
        }
        let goals = reader.get("/api/goals").await.expect(200)["data"].clone();
        let period = json!(year.to_string());
        let found = goals.as_array().unwrap().iter().find(|goal| goal["period"] == period).unwrap();
        values.push(found["value"].as_i64().unwrap());
        assert_eq!(reader.get("/api/reading").await.expect(200)["goals"][0]["value"], found["value"]);
    }
    assert_eq!(values, [2, 2], "the first day and the rough date of the year");
    let before = reader.get(&format!("/api/goals?period={}", year - 1)).await.expect(200);
    assert_eq!(before["data"][0]["value"], 1);
}

#[tokio::test]
async fn a_goal_is_refused_with_a_sentence_for_each_wrong_part() {
    let server = TestServer::start().await;
    let reader = server.reader().await;
    let fine = json!({"target": 12});
    for (path, body, field) in [
        ("/api/goals/26/books", fine.clone(), "period"),
        ("/api/goals/2026-13/books", fine.clone(), "period"),
        ("/api/goals/2026/hours", fine.clone(), "metric"),
        ("/api/goals/2026/books", json!({}), "target"),
        ("/api/goals/2026/books", json!({"target": 0}), "target"),
        ("/api/goals/2026/books", json!({"target": 1.5}), "target"),
        ("/api/goals/2026/books", json!({"target": 100_001}), "target"),
        ("/api/goals/2026/books", json!({"target": 12, "rereads": "yes"}), "rereads"),
    ] {
        assert_eq!(reader.put(path, body).await.fields(), [field], "{path}");
    }
    assert_eq!(reader.get("/api/goals?period=soon").await.fields(), ["period"]);
    for year in ["1899", "2026-11", "x"] {
        assert_eq!(reader.get(&format!("/api/calendar?year={year}")).await.fields(), ["year"]);
    }
}

#[tokio::test]
async fn an_account_has_at_most_four_hundred_goals_and_the_401st_changes_nothing() {
    let server = TestServer::start().await;
    let reader = server.reader().await;
    for number in 0..400 {
        reader
            .put(&format!("/api/goals/{}/books", 1900 + number / 2 * 2 % 200), json!({"target": 1}))
            .await
            .expect(200);
        let path = format!("/api/goals/{}-{:02}/words", 1950 + number / 12, number % 12 + 1);
        if number >= 100 {
            reader.put(&path, json!({"target": 1})).await.expect(200);
        }
    }
    let all = reader.get("/api/goals").await.expect(200)["data"].as_array().unwrap().len();
    assert_eq!(all, 400);
    assert_eq!(reader.put("/api/goals/2099-01/pages", json!({"target": 1})).await.code(409), "too_many_goals");
    let changed = reader.put("/api/goals/1900/books", json!({"target": 7})).await.expect(200);
    assert_eq!(changed["goal"]["target"], 7, "a goal that there is can be changed");
    assert_eq!(reader.get("/api/goals").await.expect(200)["data"].as_array().unwrap().len(), 400);
}

#[tokio::test]
async fn the_calendar_has_the_noted_days_and_what_was_finished() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let day = |text: &str| text.parse::<NaiveDate>().unwrap();
    let dune = add(&reader, "Dune", json!({"startDate": "2024-11-01"})).await;
    for (noted, place) in [
        ("2024-11-01", json!({"percent": 12, "minutes": 45})),
        ("2024-11-04", json!({"percent": 20})),
        ("2024-11-10", json!({"percent": 38})),
        ("2025-01-02", json!({"percent": 50})),
    ] {
        note(&reader, dune, day(noted), place).await;
    }
    let given_up = add(&reader, "Ulysses", json!({"startDate": "2024-11-04"})).await;
    note(&reader, given_up, day("2024-11-04"), json!({"page": 40})).await;
    reader.patch(&format!("/api/books/{given_up}"), json!({"status": "did-not-finish"})).await.expect(200);
    let momo = add(&reader, "Momo", json!({"status": "completed", "dateCompleted": "2024-11-20"})).await;
    add(&reader, "Rough", json!({"status": "completed", "dateCompleted": "2024-11"})).await;
    let calendar = reader.get("/api/calendar?year=2024").await.expect(200);
    assert_eq!(
        calendar,
        json!({
            "year": 2024,
            "days": [
                {"day": "2024-11-01", "words": 12_000, "pages": 48, "minutes": 45, "books": [dune]},
                {"day": "2024-11-04", "words": 18_000, "pages": 72, "minutes": null, "books": [dune, given_up]},
                {"day": "2024-11-10", "words": 18_000, "pages": 72, "minutes": null, "books": [dune]},
            ],
            "finished": [{"day": "2024-11-20", "id": momo}],
            "streak": null,
        })
    );
    let next = reader.get("/api/calendar?year=2025").await.expect(200);
    assert_eq!(next["days"][0]["words"], 12_000, "the place of the year before is known");
    // The history of the plan holds for the calendar, too.
    server.set_plan(&reader, Plan::Reader).await;
    let hidden = reader.get("/api/calendar?year=2024").await.expect(200);
    assert_eq!((&hidden["days"], &hidden["finished"]), (&json!([]), &json!([])));
}

#[tokio::test]
async fn a_streak_is_counted_where_it_is_wanted_and_ends_a_day_later() {
    let server = TestServer::start().await;
    let reader = server.reader().await;
    let today = today(&reader).await;
    let book = add(&reader, "Dune", json!({"startDate": before(today, 9)})).await;
    for days in [1, 2, 3, 4] {
        note(&reader, book, before(today, days), json!({})).await;
    }
    assert_eq!(reader.get("/api/calendar").await.expect(200)["streak"], json!(null));
    reader.patch("/api/preferences", json!({"streak": "days"})).await.expect(200);
    let streak = json!({"unit": "days", "current": 4, "longest": 4, "since": before(today, 4)});
    assert_eq!(reader.get("/api/calendar").await.expect(200)["streak"], streak);
    assert_eq!(reader.get("/api/reading").await.expect(200)["streak"], streak);
    server.advance(TimeDelta::days(1));
    let over = json!({"unit": "days", "current": 0, "longest": 4, "since": null});
    assert_eq!(reader.get("/api/reading").await.expect(200)["streak"], over);
    reader.patch("/api/preferences", json!({"streak": "weeks"})).await.expect(200);
    let weeks = reader.get("/api/calendar").await.expect(200)["streak"].clone();
    assert_eq!(weeks["unit"], "weeks");
    assert!(weeks["current"].as_i64().unwrap() >= 1);
    assert_eq!(reader.patch("/api/preferences", json!({"streak": "hours"})).await.fields(), ["streak"]);
    let pace = reader.patch("/api/preferences", json!({"goalPace": false})).await.expect(200);
    assert_eq!(pace["preferences"]["goalPace"], false);
}

#[tokio::test]
async fn goals_go_with_the_data_and_stand_in_the_complete_export() {
    let server = TestServer::start().await;
    let reader = server.reader().await;
    let today = today(&reader).await;
    let book = add(&reader, "Dune", json!({"startDate": today})).await;
    add(&reader, "Emma", json!({"status": "undated"})).await;
    reader.put(&format!("/api/books/{book}/days/{today}"), json!({"page": 40, "note": "Sand"})).await.expect(200);
    reader.put("/api/goals/2026/books", json!({"target": 52, "rereads": false})).await.expect(200);
    let zip = reader.get("/api/account/export").await.bytes;
    let mut zip = zip::ZipArchive::new(std::io::Cursor::new(zip)).unwrap();
    let mut text = |name: &str| std::io::read_to_string(zip.by_name(name).unwrap()).unwrap();
    assert_eq!(text("days.csv"), format!("Book Row,Day,At,Page,Minutes,Note,Time\n1,{today},1000,40,,Sand,\n"));
    let goals: Value = serde_json::from_str(&text("goals.json")).unwrap();
    assert_eq!(goals, json!([{"period": "2026", "metric": "books", "target": 52, "rereads": false}]));
    reader.delete("/api/account/data").await.expect(204);
    assert_eq!(reader.get("/api/goals").await.expect(200)["data"], json!([]));
}
