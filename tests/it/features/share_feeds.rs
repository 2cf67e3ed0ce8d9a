//! Feeds and calendars behind secret links, read by parsers that others wrote.
use chrono::{Days, NaiveDate, TimeDelta};
use icalendar::{Calendar, Component as _, DatePerhapsTime};
use reqwest::Method;
use serde_json::{Value, json};
use shelfwise::access::Plan;

use crate::features::shares::{add, html, path, put_cover, read_again};
use crate::support::actors::{Reader, TestClient};
use crate::support::harness::TestServer;

async fn link(reader: &Reader, form: Value) -> (i64, String) {
    let made = reader.post("/api/shares", form).await.expect(201);
    (made["share"]["id"].as_i64().unwrap(), path(&made))
}

/// The address of the server, as its links have it.
fn base(server: &TestServer) -> String {
    server.app.current.get().identity().url
}

async fn text(person: &TestClient, path: &str) -> String {
    let answer = person.get(path).await;
    assert_eq!(answer.status, 200, "{path}: {}", answer.body);
    html(&answer).to_owned()
}

async fn atom(person: &TestClient, path: &str) -> feed_rs::model::Feed {
    feed_rs::parser::parse(text(person, &format!("{path}/feed.atom")).await.as_bytes()).unwrap()
}

async fn items(person: &TestClient, path: &str) -> Vec<Value> {
    person.get(&format!("{path}/feed.json")).await.expect(200)["items"].as_array().unwrap().clone()
}

async fn calendar(person: &TestClient, path: &str) -> Calendar {
    text(person, &format!("{path}/calendar.ics")).await.parse().unwrap()
}

fn titles(items: &[Value]) -> Vec<&str> {
    items.iter().map(|item| item["title"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn a_feed_has_an_entry_for_each_finished_read_in_both_forms() {
    let server = TestServer::start().await;
    let (reader, stranger) = (server.plus().await, server.visitor());
    let first =
        add(&reader, json!({"dateCompleted": "2016-03-20", "rating": 8, "series": {"name": "Novels", "number": "4"}}))
            .await;
    read_again(&reader, first).await;
    add(&reader, json!({"title": "Open", "status": "in-progress", "dateCompleted": null})).await;
    let (_, path) = link(&reader, json!({"kind": "feed", "parts": ["series", "ratings", "name"]})).await;
    let (_, other) = link(&reader, json!({"kind": "feed"})).await;
    let (feed, items) = (atom(&stranger, &path).await, items(&stranger, &path).await);
    assert_eq!((feed.entries.len(), items.len()), (2, 2), "a reread is an entry of its own");
    let last = feed.entries.last().unwrap();
    assert_eq!(last.title.as_ref().unwrap().content, "Emma");
    assert_eq!(last.authors[0].name.as_deref(), Some("Jane Austen"));
    assert_eq!(last.updated.unwrap().to_rfc3339(), "2016-03-20T00:00:00+00:00");
    assert_eq!(last.content.as_ref().unwrap().body.as_deref(), Some("Jane Austen\nNovels #4\n8/10"));
    assert_eq!(items[1]["content_text"], "Jane Austen\nNovels #4\n8/10");
    let ids: Vec<_> = feed.entries.iter().map(|entry| entry.id.clone()).collect();
    assert_eq!(ids, items.iter().map(|item| item["id"].as_str().unwrap()).collect::<Vec<_>>());
    assert!(ids[0] != ids[1] && ids[0].starts_with("tag:"), "{ids:?}");
    let elsewhere = atom(&stranger, &other).await;
    assert!(elsewhere.entries.iter().all(|entry| !ids.contains(&entry.id)) && elsewhere.id != feed.id);
    assert_eq!(elsewhere.entries[1].content.as_ref().unwrap().body.as_deref(), Some("Jane Austen"));
    reader
        .patch(&format!("/api/books/{first}"), json!({"title": "Persuasion", "dateCompleted": "2016-03-21"}))
        .await
        .expect(200);
    assert!(atom(&stranger, &path).await.entries.iter().any(|entry| entry.id == ids[1]), "an id stays");
    let page = text(&stranger, &path).await;
    for file in ["feed.atom", "feed.json"] {
        let address = format!("{}{path}/{file}", base(&server));
        assert!(page.contains(&format!("href=\"{address}\">{address}</a>")), "{page}");
        assert!(page.contains("<link rel=\"alternate\" type=\"application/"));
        let answer = stranger.get(&format!("{path}/{file}")).await;
        assert!(answer.header("content-type").starts_with("application/"));
        let again =
            stranger.request(Method::GET, &format!("{path}/{file}")).header("if-none-match", answer.header("etag"));
        assert_eq!(stranger.send(again).await.status, 304);
    }
    assert!(page.contains("This is a feed of finished books."));
    assert_eq!(stranger.get(&format!("{path}/calendar.ics")).await.status, 404);
    assert_eq!(stranger.get(&format!("{path}/review.json")).await.status, 404);
}

#[tokio::test]
async fn a_feed_has_the_newest_fifty_and_rough_reads_when_their_last_day_is_over() {
    let server = TestServer::start().await;
    let (reader, stranger) = (server.plus().await, server.visitor());
    let today = server.app.now().date_naive();
    let ago = |days: u64| today.checked_sub_days(Days::new(days)).unwrap();
    let (_, path) = link(&reader, json!({"kind": "feed"})).await;
    assert!(items(&stranger, &path).await.is_empty() && atom(&stranger, &path).await.entries.is_empty());
    let (_, dates) = link(&reader, json!({"kind": "calendar"})).await;
    for (title, from, to) in [("Not yet", ago(9), today), ("Over", ago(9), ago(2)), ("Before", ago(40), ago(30))] {
        add(&reader, json!({"title": title, "completedFrom": from, "dateCompleted": to})).await;
    }
    assert_eq!(titles(&items(&stranger, &path).await), ["Over", "Before"]);
    assert!(calendar(&stranger, &dates).await.events().next().is_none(), "rough days are in no calendar");
    server.advance(TimeDelta::days(2));
    let shown = items(&stranger, &path).await;
    assert_eq!(titles(&shown), ["Not yet", "Over", "Before"]);
    assert_eq!(shown[0]["content_text"], format!("Jane Austen\nFinished {}/{today}", ago(9)));
    for n in 0..50 {
        add(&reader, json!({"title": format!("Book {n}")})).await;
    }
    let shown = items(&stranger, &path).await;
    assert_eq!((shown.len(), titles(&shown)[0]), (50, "Not yet"));
    server.set_plan(&reader, Plan::Reader).await;
    assert_eq!(titles(&items(&stranger, &path).await), ["Not yet", "Over", "Before"], "the plan of the owner counts");
}

#[tokio::test]
async fn a_calendar_has_exact_days_in_lines_that_every_program_reads() {
    let server = TestServer::start().await;
    let (reader, stranger) = (server.plus().await, server.visitor());
    let long = "Eine sehr lange Überschrift, die; auf \\ viele Zeilen 海辺のカフカ gehört 🐋🐋🐋🐋🐋🐋🐋🐋🐋🐋🐋🐋🐋🐋🐋🐋 und weiter";
    add(&reader, json!({"title": long, "startDate": "2016-03-18", "rating": 7.5})).await;
    add(&reader, json!({"title": "One day", "dateCompleted": "2016-12-31"})).await;
    let (_, path) = link(&reader, json!({"kind": "calendar"})).await;
    let ics = text(&stranger, &format!("{path}/calendar.ics")).await;
    assert!(ics.ends_with("END:VCALENDAR\r\n") && !ics.replace("\r\n", "").contains(['\r', '\n']));
    assert!(ics.split("\r\n").all(|line| line.len() <= 75), "{ics}");
    assert!(!ics.contains("7.5") && ics.contains("TRANSP:TRANSPARENT"));
    let read = calendar(&stranger, &path).await;
    let day = |text: &str| Some(DatePerhapsTime::Date(text.parse::<NaiveDate>().unwrap()));
    let events: Vec<_> = read.events().map(|event| (event.get_summary(), event.get_start(), event.get_end())).collect();
    assert_eq!(
        events,
        [(Some("One day"), day("2016-12-31"), day("2017-01-01")), (Some(long), day("2016-03-18"), day("2016-03-21")),]
    );
    let answer = stranger.get(&format!("{path}/calendar.ics")).await;
    assert_eq!(answer.header("content-type"), "text/calendar; charset=utf-8");
    let page = text(&stranger, &path).await;
    assert!(page.contains("This is a calendar of finished books.") && page.contains("/calendar.ics</a>"), "{page}");
    assert_eq!(stranger.get(&format!("{path}/feed.atom")).await.status, 404);
}

#[tokio::test]
async fn hostile_texts_stay_texts_in_feeds_and_calendars() {
    let server = TestServer::start().await;
    let (reader, stranger) = (server.plus().await, server.visitor());
    let evil = "]]></title><script>alert(1)</script>&amp;\u{202E}\"';,\\nEND:VEVENT";
    let lines = "one\r\nBEGIN:VALARM\rEND:VCALENDAR\u{1}\u{B}\u{FFFE}\u{85}two";
    add(&reader, json!({"title": evil, "author": evil, "impressions": lines, "series": {"name": evil}})).await;
    reader.patch("/api/account", json!({"displayName": "N\r\nEND:VCALENDAR\nX;Y,Z"})).await.expect(200);
    let parts = json!(["impressions", "series", "name"]);
    let (_, feed) = link(&reader, json!({"kind": "feed", "parts": parts})).await;
    let (_, dates) = link(&reader, json!({"kind": "calendar", "parts": ["series", "name"]})).await;
    let xml = text(&stranger, &format!("{feed}/feed.atom")).await;
    assert!(!xml.contains("<script") && !xml.contains(['\u{1}', '\u{B}', '\u{FFFE}', '\r']), "{xml}");
    let entry = atom(&stranger, &feed).await.entries.remove(0);
    assert_eq!(entry.title.unwrap().content, evil);
    assert_eq!(items(&stranger, &feed).await[0]["title"], evil);
    let read = calendar(&stranger, &dates).await;
    assert_eq!((read.components.len(), read.events().next().unwrap().get_summary()), (1, Some(evil)));
    let ics = text(&stranger, &format!("{dates}/calendar.ics")).await;
    assert_eq!((ics.matches("BEGIN:").count(), ics.matches("\r\nEND:").count()), (2, 2), "{ics}");
    assert!(ics.contains("X\\;Y\\,Z") && !ics.replace("\r\n", "").contains(['\r', '\n']), "{ics}");
}

#[tokio::test]
async fn a_feed_changes_with_what_it_shows_and_ends_with_its_link() {
    let server = TestServer::start().await;
    let (reader, stranger) = (server.plus().await, server.visitor());
    let book = add(&reader, json!({"impressions": "Secret", "tags": ["hidden"], "startDate": "2016-02-11"})).await;
    let cover = put_cover(&reader, book).await;
    let (id, path) = link(&reader, json!({"kind": "feed"})).await;
    let (dates_id, dates) = link(&reader, json!({"kind": "calendar"})).await;
    let files = [format!("{path}/feed.atom"), format!("{path}/feed.json"), format!("{dates}/calendar.ics")];
    for file in &files {
        let answer = stranger.get(file).await;
        for (name, value) in
            [("x-robots-tag", "noindex, nofollow"), ("referrer-policy", "no-referrer"), ("set-cookie", "")]
        {
            assert_eq!(answer.header(name), value, "{file}");
        }
        assert_eq!(answer.header("cache-control"), "private, no-cache");
        let (tag, shown) = (answer.header("etag").to_owned(), answer.body.to_string());
        assert!(!shown.contains("Secret") && !shown.contains("hidden") && !shown.contains("covers"), "{shown}");
        reader.patch(&format!("/api/books/{book}"), json!({"impressions": tag, "rating": 3})).await.expect(200);
        reader.patch("/api/account", json!({"displayName": format!("Name of {file}")})).await.expect(200);
        assert_eq!(stranger.get(file).await.header("etag"), tag, "what the link does not show changed: {file}");
    }
    assert_eq!(stranger.get(&format!("{path}/covers/{cover}")).await.status, 404);
    reader.patch(&format!("/api/shares/{id}"), json!({"parts": ["covers"]})).await.expect(200);
    let image = items(&stranger, &path).await[0]["image"].as_str().unwrap().to_owned();
    assert_eq!(image, format!("{}{path}/covers/{cover}", base(&server)));
    assert_eq!(stranger.get(&format!("{path}/covers/{cover}")).await.status, 200);
    let open = add(&reader, json!({"title": "Open", "status": "in-progress", "dateCompleted": null})).await;
    let unshown = put_cover(&reader, open).await;
    assert_eq!(stranger.get(&format!("{path}/covers/{unshown}")).await.status, 404);

    for (id, file) in [(id, &files[0]), (id, &files[1]), (dates_id, &files[2])] {
        let renewed = self::path(&reader.post(&format!("/api/shares/{id}/renew"), json!({})).await.expect(200));
        assert_eq!(stranger.get(file).await.status, 404);
        let again = format!("{renewed}/{}", file.rsplit('/').next().unwrap());
        if id == dates_id || file.ends_with("json") {
            assert_eq!(stranger.get(&again).await.status, 200);
            reader.delete(&format!("/api/shares/{id}")).await.expect(204);
            assert_eq!(stranger.get(&again).await.status, 404);
        }
    }
}
