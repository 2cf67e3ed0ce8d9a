//! Audiobookshelf: servers of the settings, readers' keys, and what listening becomes in the library.
use chrono::{DateTime, NaiveDate, TimeDelta};
use serde_json::{Value, json};
use shelfwise::devices::audiobookshelf::poll::poll_due;

use crate::support::actors::{PASSWORD, Reader};
use crate::support::audiobookshelf::{FakeAudiobookshelf, KEY, Mood};
use crate::support::harness::TestServer;

const HOME: &str = "/api/sources/home";

async fn source(reader: &Reader) -> Value {
    reader.get("/api/sources").await.expect(200)["data"][0].take()
}

#[tokio::test]
async fn a_server_without_sources_lists_none() {
    let server = TestServer::start().await;
    let nora = server.reader().await;
    assert_eq!(nora.get("/api/sources").await.expect(200), json!({"data": []}));
    assert_eq!(nora.put(HOME, json!({"key": KEY})).await.status, 404);
    assert_eq!(nora.delete(HOME).await.status, 404);
}

#[tokio::test]
async fn a_key_is_checked_at_the_media_server_and_kept_encrypted() {
    let home = FakeAudiobookshelf::start().await;
    let server = TestServer::with(home.listed()).await;
    let nora = server.reader().await;
    let free = json!({"name": "home", "title": "At home", "connected": false, "lastPolledAt": null, "error": null});
    assert_eq!(source(&nora).await, free);

    for wrong in ["", "  ", "two words", "ключ", &"x".repeat(4_001)] {
        assert_eq!(nora.put(HOME, json!({"key": wrong})).await.fields(), ["key"]);
    }
    assert!(home.world().calls.is_empty(), "what can't be a key is not sent");
    let refused = nora.put(HOME, json!({"key": "not-the-key"})).await;
    assert_eq!(refused.fields(), ["key"]);
    assert!(refused.body.to_string().contains("does not accept this key"), "{}", refused.body);
    for (mood, words) in [
        (Mood::Broken, "with an error"),
        (Mood::Moved, "another address"),
        (Mood::Page, "is not Audiobookshelf"),
        (Mood::Endless, "more than can be read"),
    ] {
        home.world().mood = mood;
        let answer = nora.put(HOME, json!({"key": KEY})).await;
        assert_eq!(answer.code(503), "source_unavailable", "{mood:?}");
        assert!(answer.body.to_string().contains(words), "{}", answer.body);
    }
    home.world().mood = Mood::Fine;
    assert_eq!(source(&nora).await, free);

    let connected = nora.put(HOME, json!({"key": format!(" {KEY}\n")})).await.expect(200);
    assert_eq!(connected["source"], source(&nora).await);
    assert_eq!(connected["source"]["connected"], true);
    assert_eq!(home.world().headers["x-guard"], "canary-of-a-guard");
    assert_eq!(source(&server.reader().await).await, free, "somebody else's");
    let text = nora.get("/api/account/export").await.bytes;
    for file in std::fs::read_dir(server.folder()).unwrap() {
        let bytes = std::fs::read(file.unwrap().path()).unwrap();
        assert!(!bytes.windows(20).any(|window| window == &KEY.as_bytes()[21..41]));
    }
    assert!(!text.windows(20).any(|window| window == &KEY.as_bytes()[21..41]));

    nora.delete(HOME).await.expect(204);
    assert_eq!(source(&nora).await, free);
    assert_eq!(nora.delete(HOME).await.status, 404);
}

#[tokio::test]
async fn a_media_server_that_is_not_there_says_so() {
    let mut home = FakeAudiobookshelf::start().await;
    home.url = "http://127.0.0.1:9".into();
    let server = TestServer::with(home.listed()).await;
    let answer = server.reader().await.put(HOME, json!({"key": KEY})).await;
    assert_eq!(answer.code(503), "source_unavailable");
    assert!(answer.body.to_string().contains("can't be reached"), "{}", answer.body);
}

#[tokio::test]
async fn a_new_password_that_ends_other_access_and_erasing_the_library_end_the_key() {
    let home = FakeAudiobookshelf::start().await;
    let server = TestServer::with(home.listed()).await;
    let nora = server.reader().await;
    let connect = async || nora.put(HOME, json!({"key": KEY})).await.expect(200);
    connect().await;
    let change = json!({"currentPassword": PASSWORD, "newPassword": PASSWORD, "endOtherAccess": true});
    nora.post("/api/account/password", change).await.expect(204);
    assert_eq!(source(&nora).await["connected"], false);
    connect().await;
    nora.post("/api/auth/confirm", json!({"password": PASSWORD})).await.expect(204);
    nora.delete("/api/account/data").await.expect(204);
    assert_eq!(source(&nora).await["connected"], false);
    connect().await;
    nora.delete("/api/account").await.expect(204);
    let left =
        server.db.read(|conn| Ok(conn.query_row("SELECT count(*) FROM sources", [], |row| row.get::<_, i64>(0))?));
    assert_eq!(left.await.unwrap(), 0);
}

/// Ten hours, in seconds.
const LENGTH: f64 = 36_000.0;
const HOUR: f64 = 3_600.0;

/// An instant of a day of November 2026, in milliseconds.
fn at(day: u32, hour: u32) -> i64 {
    NaiveDate::from_ymd_opt(2026, 11, day).unwrap().and_hms_opt(hour, 0, 0).unwrap().and_utc().timestamp_millis()
}

/// A listener's book, as the list of places has it.
fn progress(item: &str, current: f64, started: i64, updated: i64) -> Value {
    json!({"id": format!("p-{item}"), "userId": "u1", "libraryItemId": item, "episodeId": null, "mediaItemId": "m1",
        "mediaItemType": "book", "duration": LENGTH, "progress": current / LENGTH, "currentTime": current, "isFinished": false,
        "hideFromContinueListening": false, "ebookLocation": null, "ebookProgress": null, "lastUpdate": updated,
        "startedAt": started, "finishedAt": null})
}

/// A sitting in Trust that took an hour.
fn session(id: &str, item: &str, (day, hour): (u32, u32), from: f64, to: f64) -> Value {
    json!({"id": id, "userId": "u1", "libraryId": "l1", "libraryItemId": item, "bookId": "b1", "episodeId": null,
        "mediaType": "book", "mediaMetadata": {"title": "Trust", "subtitle": null, "authors": [{"id": "a1", "name": "Hernan Diaz"}],
        "narrators": ["Somebody"], "series": [], "genres": [], "publishedYear": "2022", "isbn": null, "asin": null, "language": "en"},
        "chapters": [], "displayTitle": "Trust", "displayAuthor": "Hernan Diaz", "duration": LENGTH, "date": "2026-11-01",
        "timeListening": HOUR, "startTime": from, "currentTime": to, "startedAt": at(day, hour), "updatedAt": at(day, hour + 1)})
}

/// A server on the noon of November 20 with a reader who has connected the media server.
async fn listening(home: &FakeAudiobookshelf) -> (TestServer, Reader) {
    let server = TestServer::with(home.listed()).await;
    let noon = DateTime::from_timestamp_millis(at(20, 12)).unwrap();
    server.advance(noon - server.app.now());
    let nora = server.reader().await;
    nora.patch("/api/preferences", json!({"timezone": "UTC"})).await.expect(200);
    nora.put(HOME, json!({"key": KEY})).await.expect(200);
    (server, nora)
}

/// Asks the media server a quarter of an hour later.
async fn poll(server: &TestServer) {
    server.advance(TimeDelta::minutes(15));
    poll_due(&server.app, "home").await.unwrap();
}

async fn open_book(nora: &Reader, more: Value) -> i64 {
    let mut book = json!({"title": "Trust", "author": "Hernan Diaz", "status": "in-progress", "format": "Audio"});
    book.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    nora.post("/api/books", book).await.expect(201)["book"]["id"].as_i64().unwrap()
}

async fn book(nora: &Reader, id: i64) -> Value {
    nora.get(&format!("/api/books/{id}")).await.expect(200)["book"].take()
}

/// The days of a log: day, place, minutes, what was newly covered.
async fn days(nora: &Reader, id: i64) -> Vec<Value> {
    let days = nora.get(&format!("/api/books/{id}/days")).await.expect(200);
    let days = days["data"].as_array().unwrap().clone();
    days.into_iter()
        .filter(|day| day["dismissed"].is_null())
        .map(|day| json!([day["day"], day["at"], day["minutes"], day["covered"]]))
        .collect()
}

async fn documents(nora: &Reader) -> Vec<Value> {
    nora.get("/api/documents").await.expect(200)["data"].as_array().unwrap().clone()
}

#[tokio::test]
async fn listening_becomes_days_places_minutes_a_start_and_a_length() {
    let home = FakeAudiobookshelf::start().await;
    let (server, nora) = listening(&home).await;
    let id = open_book(&nora, json!({})).await;
    {
        let mut world = home.world();
        world.progress.insert("i1".into(), progress("i1", 3.0 * HOUR, at(10, 21), at(12, 21)));
        world.sessions =
            vec![session("s1", "i1", (10, 20), 0.0, 2.0 * HOUR), session("s2", "i1", (12, 20), 2.0 * HOUR, 3.0 * HOUR)];
    }
    poll(&server).await;
    assert_eq!(
        days(&nora, id).await,
        [json!(["2026-11-10", 2_000, 60, 2_000]), json!(["2026-11-12", 3_000, 60, 1_000])]
    );
    let read = book(&nora, id).await;
    assert_eq!((&read["startDate"], &read["minutes"]), (&json!("2026-11-10"), &json!(600)));
    assert_eq!((&read["wordCount"], &read["wordCountSource"]), (&json!(93_000), &json!("minutes")));
    let reported = source(&nora).await;
    assert_eq!((&reported["error"], reported["lastPolledAt"].is_string()), (&Value::Null, true));
    let document = &documents(&nora).await[0];
    assert_eq!(
        (&document["device"], &document["bookId"], &document["place"]),
        (&json!("At home"), &json!(id), &json!(3_000))
    );

    // The open session grows, and nothing is counted twice. What was removed stays removed, and what vanishes there stays here.
    nora.delete(&format!("/api/books/{id}/days/2026-11-10")).await.expect(204);
    home.world().sessions[1] = session("s2", "i1", (12, 20), 2.0 * HOUR, 4.0 * HOUR);
    home.world().sessions[1]["updatedAt"] = json!(at(12, 22));
    home.world().sessions[1]["timeListening"] = json!(2.0 * HOUR);
    home.world().progress.insert("i1".into(), progress("i1", 4.0 * HOUR, at(10, 21), at(12, 22)));
    poll(&server).await;
    assert_eq!(days(&nora, id).await, [json!(["2026-11-12", 4_000, 120, 2_000])]);
    home.world().progress.clear();
    poll(&server).await;
    assert_eq!(days(&nora, id).await, [json!(["2026-11-12", 4_000, 120, 2_000])]);
}

#[tokio::test]
async fn a_start_that_is_here_stands_and_podcasts_are_left_out() {
    let home = FakeAudiobookshelf::start().await;
    let (server, nora) = listening(&home).await;
    let id = open_book(&nora, json!({"startDate": "2026-11-11", "minutes": 590})).await;
    {
        let mut world = home.world();
        world.mood = Mood::Old;
        world.progress.insert("i1".into(), progress("i1", 3.0 * HOUR, at(10, 21), at(12, 21)));
        let mut podcast = progress("i2", HOUR, at(10, 21), at(12, 21));
        podcast["episodeId"] = json!("e1");
        world.progress.insert("i2".into(), podcast);
        world.sessions = vec![
            session("s1", "i1", (10, 20), 0.0, 2.0 * HOUR),
            session("s2", "i1", (12, 20), 2.0 * HOUR, 3.0 * HOUR),
            json!({"id": "s3", "libraryItemId": "i2", "episodeId": "e1", "updatedAt": at(12, 21)}),
            json!("what nobody expects"),
        ];
    }
    poll(&server).await;
    let read = book(&nora, id).await;
    assert_eq!((&read["startDate"], &read["minutes"]), (&json!("2026-11-11"), &json!(590)));
    assert_eq!(days(&nora, id).await, [json!(["2026-11-12", 3_000, 60, 1_000])]);
    assert_eq!(documents(&nora).await.len(), 1);
}

#[tokio::test]
async fn a_finish_is_asked_once_and_an_ebook_is_a_document_of_its_own() {
    let home = FakeAudiobookshelf::start().await;
    let (server, nora) = listening(&home).await;
    let id = open_book(&nora, json!({})).await;
    {
        let mut world = home.world();
        let mut place = progress("i1", 5.0 * HOUR, at(10, 21), at(12, 21));
        place["ebookProgress"] = json!(0.25);
        world.progress.insert("i1".into(), place);
        world.sessions = vec![session("s1", "i1", (12, 20), 0.0, 5.0 * HOUR)];
    }
    poll(&server).await;
    let mut digests: Vec<_> = documents(&nora).await.iter().map(|one| one["digest"].clone()).collect();
    digests.sort_by_key(ToString::to_string);
    assert_eq!(digests, ["home:i1", "home:i1/ebook"]);
    assert!(documents(&nora).await.iter().all(|one| one["bookId"] == id && one["finish"].is_null()));

    let finish = async |day: u32, hour: u32| {
        let mut place = progress("i1", 9.8 * HOUR, at(10, 21), at(day, hour));
        (place["isFinished"], place["progress"], place["finishedAt"]) = (json!(true), json!(1), json!(at(day, hour)));
        home.world().progress.insert("i1".into(), place);
        poll(&server).await;
        let asked = documents(&nora).await;
        let asked: Vec<_> = asked.iter().filter(|one| !one["finish"].is_null()).collect();
        asked.first().map(|one| (one["id"].as_i64().unwrap(), one["finish"].clone()))
    };
    let (document, asked) = finish(14, 20).await.unwrap();
    assert_eq!(asked, json!({"day": "2026-11-14", "because": "explicit"}));
    nora.delete(&format!("/api/documents/{document}/finish")).await.expect(204);
    assert_eq!(finish(14, 20).await, None, "the same finish");
    assert_eq!(finish(16, 20).await.unwrap().1, json!({"day": "2026-11-16", "because": "explicit"}));
    // It was taken back there, and the place here does not step back.
    home.world().progress.insert("i1".into(), progress("i1", 0.0, at(10, 21), at(17, 20)));
    poll(&server).await;
    assert!(documents(&nora).await.iter().any(|one| one["place"] == 10_000));
    assert!(documents(&nora).await.iter().all(|one| one["finish"]["because"] != "explicit"));
}

#[tokio::test]
async fn a_book_without_sessions_is_named_by_its_item_and_pages_are_read_up_to_what_is_known() {
    let home = FakeAudiobookshelf::start().await;
    let (server, nora) = listening(&home).await;
    let item = json!({"id": "i1", "media": {"metadata": {"title": "Trust", "authors": [{"id": "a1", "name": "Hernan Diaz"}]}}});
    home.world().items.insert("i1".into(), item);
    for id in ["i1", "gone"] {
        home.world().progress.insert(id.into(), progress(id, 2.0 * HOUR, at(10, 21), at(12, 21)));
    }
    home.world().progress.insert("many".into(), progress("many", HOUR, at(1, 1), at(9, 1)));
    let sessions = (0..250).map(|place| {
        let mut session = session(&format!("s{place}"), "many", (2, 1), 0.0, HOUR);
        session["updatedAt"] = json!(at(2, 2) + place * 60_000);
        session
    });
    home.world().sessions = sessions.collect();
    poll(&server).await;
    let named: Vec<_> = documents(&nora).await.iter().map(|one| one["title"].clone()).collect();
    assert_eq!(named, ["Trust", "Trust"]);
    let calls = |part: &str| home.world().calls.iter().filter(|call| call.contains(part)).count();
    assert_eq!((calls("listening-sessions"), calls("/items/")), (3, 2));
    home.world().calls.clear();
    poll(&server).await;
    assert_eq!((calls("listening-sessions"), calls("/items/")), (1, 0), "all is known");
}

#[tokio::test]
async fn failures_are_shown_wait_longer_and_end_with_the_next_report() {
    let home = FakeAudiobookshelf::start().await;
    let (server, nora) = listening(&home).await;
    for (mood, words) in [
        (Mood::Broken, "with an error"),
        (Mood::Moved, "another address"),
        (Mood::Page, "is not Audiobookshelf"),
        (Mood::Endless, "more than can be read"),
    ] {
        home.world().mood = mood;
        server.advance(TimeDelta::hours(12));
        poll(&server).await;
        let said = source(&nora).await;
        assert!(said["error"].as_str().unwrap().contains(words), "{said}");
    }
    home.world().calls.clear();
    poll(&server).await;
    assert!(home.world().calls.is_empty(), "four failures wait four hours");
    home.world().mood = Mood::Fine;
    server.advance(TimeDelta::hours(4));
    poll(&server).await;
    assert_eq!(source(&nora).await["error"], Value::Null);

    // Without the file that opens it the key is lost, as after a restore on another machine.
    std::fs::remove_file(server.folder().join("secrets.key")).unwrap();
    poll(&server).await;
    assert_eq!(source(&nora).await["error"], "The key can't be read any more. Please enter it again.");
    nora.put(HOME, json!({"key": KEY})).await.expect(200);
    poll(&server).await;
    assert_eq!(source(&nora).await["error"], Value::Null);
    server.db.write(|tx| Ok(tx.execute("UPDATE users SET disabled = 1", [])?)).await.unwrap();
    home.world().calls.clear();
    poll(&server).await;
    assert!(home.world().calls.is_empty(), "a disabled account is not asked for");
}
