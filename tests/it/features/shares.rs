//! Secret links to a year in review.
use chrono::{Datelike as _, TimeDelta};
use reqwest::Method;
use serde_json::{Value, json};
use shelfwise::access::Plan;

use crate::features::covers::png;
use crate::support::actors::{PASSWORD, Reader, TestClient, TestResponse};
use crate::support::harness::TestServer;

/// A year long ago, in which every book of these tests was finished.
const PERIOD: &str = "2016";

pub async fn add(reader: &Reader, more: Value) -> i64 {
    let mut book = json!({"title": "Emma", "author": "Jane Austen", "status": "completed", "wordCount": 160_000,
        "dateCompleted": "2016-03-20"});
    book.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    reader.post("/api/books", book).await.expect(201)["book"]["id"].as_i64().unwrap()
}

/// Finishes a book once more.
pub async fn read_again(reader: &Reader, book: i64) {
    let again = reader.post(&format!("/api/books/{book}/again"), json!({})).await.expect(201)["book"]["id"].clone();
    let done = json!({"status": "completed", "startDate": null, "dateCompleted": "2016-09-01"});
    reader.patch(&format!("/api/books/{again}"), done).await.expect(200);
}

/// Makes a link, and returns its id and its path.
async fn share(reader: &Reader, more: Value) -> (i64, String) {
    let mut form = json!({"kind": "review", "period": PERIOD});
    form.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let made = reader.post("/api/shares", form).await.expect(201);
    (made["share"]["id"].as_i64().unwrap(), path(&made))
}

pub fn path(made: &Value) -> String {
    let url = made["url"].as_str().unwrap();
    url[url.find("/s/").unwrap()..].to_owned()
}

pub fn html(answer: &TestResponse) -> &str {
    answer.body.as_str().unwrap()
}

async fn opened(person: &TestClient, path: &str) -> Value {
    person.get(&format!("{path}/review.json")).await.expect(200)
}

#[tokio::test]
async fn a_link_shows_its_review_to_anybody_and_nothing_after_it_was_taken_back() {
    let server = TestServer::start().await;
    let (reader, stranger, other) = (server.plus().await, server.visitor(), server.reader().await);
    add(&reader, json!({})).await;
    let answer = reader.post("/api/shares", json!({"kind": "review", "period": PERIOD})).await;
    assert_eq!(answer.header("cache-control"), "no-store");
    let made = answer.expect(201);
    let (id, path) = (made["share"]["id"].clone(), path(&made));
    assert_eq!(
        made["share"],
        json!({"id": id, "kind": "review", "parts": ["dates"], "period": PERIOD, "tag": null,
            "createdAt": made["share"]["createdAt"], "expiresAt": null, "lastSeen": null})
    );
    assert_eq!(path.len(), "/s/".len() + 27, "160 bits");
    assert!(made["url"].as_str().unwrap().starts_with("http"));
    let expected = json!({"period": "2016", "complete": true, "books": 1, "words": 160_000,
        "shelf": [{"title": "Emma", "author": "Jane Austen", "words": 160_000, "completed": "2016-03-20"}]});
    for person in [&*stranger, &other, &reader] {
        assert_eq!(opened(person, &path).await, expected);
        let page = person.get(&path).await;
        assert!(page.status == 200 && html(&page).contains("2016, in books") && html(&page).contains("Mar 20"));
    }
    let mut listed = json!([]);
    // Nobody who opens a link waits until that is stored.
    for _ in 0..500 {
        listed = reader.get("/api/shares").await.expect(200)["data"].clone();
        if listed[0]["lastSeen"].is_string() {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    assert_eq!((listed.as_array().unwrap().len(), &listed[0]["id"]), (1, &id));
    assert!(listed[0]["lastSeen"].is_string() && listed[0].get("url").is_none(), "{listed}");
    assert_eq!(other.get("/api/shares").await.expect(200)["data"], json!([]));

    let renewed = reader.post(&format!("/api/shares/{id}/renew"), json!({})).await.expect(200);
    let again = self::path(&renewed);
    assert_eq!((stranger.get(&path).await.status, stranger.get(&again).await.status), (404, 200));
    reader.delete(&format!("/api/shares/{id}")).await.expect(204);
    let gone = stranger.get(&again).await;
    assert!(gone.status == 404 && html(&gone).contains("This link is not valid any more."));
    let gone = stranger.get(&format!("{again}/review.json")).await;
    assert_eq!(gone.code(404), "not_found");
    assert_eq!(gone.body["error"], "This link is not valid any more.");
}

#[tokio::test]
async fn a_change_of_the_books_the_parts_or_the_name_is_seen_at_once() {
    let server = TestServer::start().await;
    let (reader, stranger) = (server.plus().await, server.visitor());
    let book = add(&reader, json!({})).await;
    let (id, path) = share(&reader, json!({"parts": ["name"]})).await;
    let before = stranger.get(&path).await;
    reader.patch(&format!("/api/books/{book}"), json!({"title": "Persuasion"})).await.expect(200);
    assert_eq!(opened(&stranger, &path).await["shelf"][0]["title"], "Persuasion");
    let revisit = stranger.request(Method::GET, &path).header("if-none-match", before.header("etag"));
    assert!(html(&stranger.send(revisit).await).contains("Persuasion"));
    let now = stranger.get(&path).await;
    let revisit = || stranger.request(Method::GET, &path).header("if-none-match", now.header("etag"));
    assert_eq!(stranger.send(revisit()).await.status, 304);
    reader.patch("/api/account", json!({"displayName": "Another name"})).await.expect(200);
    assert_eq!(opened(&stranger, &path).await["name"], "Another name");
    let changed = reader.patch(&format!("/api/shares/{id}"), json!({"parts": []})).await.expect(200);
    assert_eq!(changed["share"]["parts"], json!([]));
    assert_eq!(
        opened(&stranger, &path).await["shelf"][0],
        json!({"title": "Persuasion", "author": "Jane Austen", "words": 160_000})
    );
    reader.delete(&format!("/api/shares/{id}")).await.expect(204);
    assert_eq!(stranger.send(revisit()).await.status, 404, "a copy in the browser is no way around");
}

#[tokio::test]
async fn the_tag_of_a_page_changes_with_what_it_shows_and_with_nothing_else() {
    let server = TestServer::start().await;
    let (reader, stranger) = (server.plus().await, server.visitor());
    add(&reader, json!({})).await;
    let (id, path) = share(&reader, json!({"parts": []})).await;
    let tag = async |path: &str| stranger.get(path).await.header("etag").to_owned();
    for path in [path.clone(), format!("{path}/review.json")] {
        let before = tag(&path).await;
        reader.patch("/api/account", json!({"displayName": "Another name"})).await.expect(200);
        reader.post("/api/books", json!({"title": "Open", "author": "A", "status": "in-progress"})).await.expect(201);
        assert_eq!(tag(&path).await, before, "neither the name nor an open book is shown");
        let revisit = stranger.request(Method::GET, &path).header("if-none-match", &before);
        assert_eq!(stranger.send(revisit).await.status, 304);
    }
    let before = tag(&path).await;
    reader.patch(&format!("/api/shares/{id}"), json!({"parts": ["name"]})).await.expect(200);
    assert_ne!(tag(&path).await, before);
}

/// Texts of an account that no link shows, and those that a part shows.
const NEVER: [&str; 11] = [
    "forbidden-quote", "forbidden-genre", "forbidden-tag", "forbidden-publisher", "forbidden-later", "forbidden-open",
    "forbidden-stopped", "forbidden-elsewhen", "forbidden-undated", "9780141439587", "@example.org",
];

#[tokio::test]
async fn a_link_shows_what_its_parts_promise_and_nothing_else() {
    let server = TestServer::start().await;
    let (reader, stranger) = (server.plus().await, server.visitor());
    let name = reader.get("/api/auth/me").await.expect(200)["user"]["displayName"].as_str().unwrap().to_owned();
    let name = format!("{name} Part-Name");
    reader.patch("/api/account", json!({"displayName": name})).await.expect(200);
    let more = json!({"rating": 7.3, "impressions": "Part-Impressions", "quotes": ["forbidden-quote"],
        "genres": ["forbidden-genre"], "tags": ["forbidden-tag"], "publisher": "forbidden-publisher",
        "isbn": "9780141439587", "series": {"name": "Part-Series", "number": "4"}, "startDate": "2016-02-11"});
    let book = add(&reader, more).await;
    let cover = put_cover(&reader, book).await;
    let mut elsewhere = Vec::new();
    for (title, more) in [
        ("forbidden-open", json!({"status": "in-progress", "dateCompleted": null})),
        ("forbidden-stopped", json!({"status": "did-not-finish", "dateCompleted": null, "stoppedDate": "2016-05-05"})),
        ("forbidden-elsewhen", json!({"dateCompleted": "2015-12-31"})),
        ("forbidden-undated", json!({"status": "undated", "dateCompleted": null})),
    ] {
        let mut book = json!({ "title": title });
        book.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let book = add(&reader, book).await;
        elsewhere.push(put_cover(&reader, book).await);
    }
    reader.post("/api/tbr", json!({"title": "forbidden-later"})).await.expect(201);
    let (id, path) = share(&reader, json!({"parts": []})).await;
    let promised = [
        ("ratings", vec!["7.3<span>", "\"rating\":7.3"]),
        ("dates", vec!["2016-03-20", "Mar 20"]),
        ("series", vec!["Part-Series"]),
        ("name", vec!["Part-Name"]),
        ("impressions", vec!["Part-Impressions"]),
        ("covers", vec!["<img src=\"/s/", "\"url\":\"/s/"]),
    ];
    // Every set of parts.
    for (set, parts) in (0..64).map(|set| (set, (0..6).filter(move |place| set >> place & 1 == 1))) {
        // An address opens sixty links a minute.
        server.advance(TimeDelta::minutes(1));
        let has = |place: usize| set >> place & 1 == 1;
        let parts: Vec<_> = parts.map(|place| promised[place].0).collect();
        reader.patch(&format!("/api/shares/{id}"), json!({ "parts": parts })).await.expect(200);
        let page = html(&stranger.get(&path).await).to_owned();
        let both = format!("{page}{}", opened(&stranger, &path).await);
        for (place, (part, words)) in promised.iter().enumerate() {
            for word in words {
                assert_eq!(both.contains(word), has(place), "{word} with {parts:?}, about {part}");
            }
        }
        for word in NEVER.into_iter().chain(["2016-02-11", "Feb 11"]) {
            assert!(!both.contains(word), "{word} with {parts:?}");
        }
        assert_eq!(page.matches("Emma").count(), 3, "in two drawings and the list");
        let picture = stranger.get(&format!("{path}/covers/{cover}")).await;
        assert_eq!(picture.status, if parts.contains(&"covers") { 200 } else { 404 });
        for other in &elsewhere {
            assert_eq!(stranger.get(&format!("{path}/covers/{other}")).await.status, 404, "{parts:?}");
        }
    }
}

pub async fn put_cover(reader: &Reader, book: i64) -> i64 {
    let text = format!("pixels of {book}");
    let call = reader.request(Method::PUT, &format!("/api/books/{book}/cover"));
    let answer =
        reader.send(call.header("content-type", "image/png").body(png(60, 90, text.as_bytes()))).await.expect(200);
    answer["book"]["cover"]["url"].as_str().unwrap().rsplit('/').next().unwrap().parse().unwrap()
}

#[tokio::test]
async fn a_cover_behind_a_link_goes_with_the_link() {
    let server = TestServer::start().await;
    let (reader, other, stranger) = (server.plus().await, server.plus().await, server.visitor());
    let book = add(&reader, json!({})).await;
    let cover = put_cover(&reader, book).await;
    let foreign_book = add(&other, json!({})).await;
    let foreign = put_cover(&other, foreign_book).await;
    let (id, path) = share(&reader, json!({"parts": ["covers"]})).await;
    let shown = opened(&stranger, &path).await["shelf"][0]["cover"].clone();
    assert_eq!(shown, json!({"url": format!("{path}/covers/{cover}"), "width": 60, "height": 90}));
    let page = stranger.get(&path).await;
    assert!(html(&page).contains(&format!("<img src=\"{path}/covers/{cover}\" width=\"60\" height=\"90\" alt=\"\"")));
    assert!(
        page.header("content-security-policy").ends_with("; img-src 'self'") && html(&page).contains("favicon.svg")
    );
    let picture = stranger.get(&format!("{path}/covers/{cover}")).await;
    assert_eq!((picture.status, picture.header("content-type")), (200, "image/png"));
    assert_eq!(picture.header("cache-control"), "no-store");
    assert_eq!(picture.header("x-robots-tag"), "noindex, nofollow");
    assert!(picture.header("content-security-policy").contains("sandbox"));
    assert_eq!(stranger.get(&format!("{path}/covers/{foreign}")).await.status, 404);
    assert_eq!(stranger.get(&format!("/api/covers/{cover}")).await.status, 401);

    // A new address is in the page at once.
    let renewed = self::path(&reader.post(&format!("/api/shares/{id}/renew"), json!({})).await.expect(200));
    assert_eq!(stranger.get(&format!("{path}/covers/{cover}")).await.status, 404);
    assert!(html(&stranger.get(&renewed).await).contains(&format!("{renewed}/covers/{cover}")));
    let end = server.app.now() + TimeDelta::days(3);
    reader.patch(&format!("/api/shares/{id}"), json!({"expiresAt": end.to_rfc3339()})).await.expect(200);
    server.advance(TimeDelta::days(3));
    assert_eq!(stranger.get(&format!("{renewed}/covers/{cover}")).await.code(410), "share_ended");
    reader.delete(&format!("/api/shares/{id}")).await.expect(204);
    assert_eq!(stranger.get(&format!("{renewed}/covers/{cover}")).await.status, 404);
}

#[tokio::test]
async fn without_dates_the_order_does_not_say_them_either() {
    let server = TestServer::start().await;
    let (reader, stranger) = (server.plus().await, server.visitor());
    for (title, day) in [("B", "2016-01-01"), ("C", "2016-02-02"), ("A", "2016-03-03")] {
        add(&reader, json!({"title": title, "dateCompleted": day})).await;
    }
    let titles = async |path: String| {
        let review = opened(&stranger, &path).await;
        let shelf = review["shelf"].as_array().unwrap().clone();
        shelf.iter().map(|book| book["title"].as_str().unwrap().to_owned()).collect::<String>()
    };
    let (_, dated) = share(&reader, json!({"parts": ["dates"]})).await;
    let (_, bare) = share(&reader, json!({"parts": []})).await;
    assert_eq!((titles(dated).await, titles(bare).await), ("BCA".to_owned(), "ABC".to_owned()));
}

#[tokio::test]
async fn an_end_is_an_instant_after_which_the_link_says_when_it_ended() {
    let server = TestServer::start().await;
    let (reader, stranger) = (server.plus().await, server.visitor());
    add(&reader, json!({})).await;
    let end = server.app.now() + TimeDelta::days(3);
    let (id, path) = share(&reader, json!({"expiresAt": end.to_rfc3339()})).await;
    assert_eq!(stranger.get(&path).await.status, 200);
    server.advance(TimeDelta::days(3));
    let ended = stranger.get(&path).await;
    let sentence = format!("This link ended on {}.", end.format("%b %-d, %Y"));
    assert!(ended.status == 410 && html(&ended).contains(&sentence), "{}", ended.body);
    let ended = stranger.get(&format!("{path}/review.json")).await;
    assert_eq!((ended.code(410), &ended.body["error"]), ("share_ended", &json!(sentence)));
    assert_eq!(reader.get("/api/shares").await.expect(200)["data"].as_array().unwrap().len(), 1);
    let change = json!({"expiresAt": null});
    reader.patch(&format!("/api/shares/{id}"), change).await.expect(200);
    assert_eq!(stranger.get(&path).await.status, 200);
    let wrong = ["2001-01-01T00:00:00Z", "2199-01-01T00:00:00Z", "tomorrow", "2030-01-01"];
    for wrong in wrong.map(Value::from).into_iter().chain([json!(1), json!(false)]) {
        let answer = reader.patch(&format!("/api/shares/{id}"), json!({"expiresAt": wrong})).await;
        assert_eq!(answer.fields(), ["expiresAt"], "{wrong}");
    }
}

#[tokio::test]
async fn each_wrong_field_of_a_link_is_named() {
    let server = TestServer::start().await;
    let reader = server.reader().await;
    add(&reader, json!({"tags": ["Slow"]})).await;
    for (form, fields) in [
        (json!({}), vec!["kind", "period"]),
        (json!({"kind": "feed", "period": PERIOD}), vec!["period"]),
        (json!({"kind": "calendar", "tag": "slow"}), vec!["tag"]),
        (json!({"kind": "review", "period": PERIOD, "tag": "slow"}), vec!["tag"]),
        (json!({"kind": "review", "period": "2016-13"}), vec!["period"]),
        (json!({"kind": "review", "period": PERIOD, "parts": ["everything"]}), vec!["parts"]),
        (json!({"kind": "review", "period": PERIOD, "parts": "dates"}), vec!["parts"]),
        (json!({"kind": "tag"}), vec!["tag"]),
        (json!({"kind": "tag", "tag": "quick"}), vec!["tag"]),
        (json!({"kind": "list", "tag": "quick"}), vec!["tag"]),
        (json!({"kind": "list", "tag": 1, "period": PERIOD}), vec!["period", "tag"]),
        (json!({"kind": "list", "parts": ["dates"]}), vec!["parts"]),
        (json!({"kind": "calendar", "parts": ["covers"]}), vec!["parts"]),
        (json!({"kind": 1, "period": 1, "parts": 1, "expiresAt": 1}), vec!["expiresAt", "kind", "parts", "period"]),
    ] {
        let answer = reader.post("/api/shares", form.clone()).await;
        assert_eq!(answer.fields(), fields, "{form}");
    }
    let (id, _) = share(&reader, json!({"parts": null, "period": "2016-03"})).await;
    let answer = reader.patch(&format!("/api/shares/{id}"), json!({"parts": null})).await;
    assert_eq!(answer.fields(), ["parts"]);
}

#[tokio::test]
async fn a_link_of_each_kind_begins_with_what_its_kind_shows() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    add(&reader, json!({"tags": ["Slow"]})).await;
    reader.post("/api/tbr", json!({"title": "Momo", "tags": ["Owned"]})).await.expect(201);
    for (form, parts, tag) in [
        (json!({"kind": "feed"}), json!(["dates"]), json!(null)),
        (json!({"kind": "feed", "parts": ["covers"]}), json!(["dates", "covers"]), json!(null)),
        (json!({"kind": "calendar", "parts": []}), json!(["dates"]), json!(null)),
        (json!({"kind": "public", "parts": []}), json!([]), json!(null)),
        (json!({"kind": "list"}), json!([]), json!(null)),
        (json!({"kind": "list", "tag": "owned", "parts": ["name"]}), json!(["name"]), json!("Owned")),
        (json!({"kind": "tag", "tag": "SLOW"}), json!([]), json!("Slow")),
    ] {
        let made = reader.post("/api/shares", form.clone()).await.expect(201)["share"].clone();
        let kind = form["kind"].clone();
        assert_eq!((&made["kind"], &made["parts"], &made["tag"]), (&kind, &parts, &tag), "{form}");
        let listed = reader.get("/api/shares").await.expect(200)["data"][0].clone();
        assert_eq!(listed, made);
        let all = json!({"parts": ["ratings", "dates", "covers", "impressions", "series", "name"]});
        let changed = reader.patch(&format!("/api/shares/{}", made["id"]), all).await;
        let shows_all = !["calendar", "list"].contains(&kind.as_str().unwrap());
        assert_eq!(changed.status, if shows_all { 200 } else { 422 }, "{form}");
    }
    let listed = server.try_command(&["share", "list", &reader.email], "").await.out;
    assert!(listed.contains("tag Slow") && listed.contains("list Owned"), "{listed}");
}

#[tokio::test]
async fn an_account_has_at_most_fifty_links() {
    let server = TestServer::start().await;
    let reader = server.reader().await;
    let mut last = 0;
    for _ in 0..50 {
        last = share(&reader, json!({})).await.0;
    }
    let refused = reader.post("/api/shares", json!({"kind": "review", "period": PERIOD})).await;
    assert_eq!(refused.code(409), "too_many_shares");
    reader.delete(&format!("/api/shares/{last}")).await.expect(204);
    share(&reader, json!({})).await;
}

#[tokio::test]
async fn a_link_shows_as_much_history_as_its_owners_plan() {
    let server = TestServer::start().await;
    let (reader, stranger) = (server.reader().await, server.visitor());
    let today = server.app.now().date_naive();
    add(&reader, json!({"title": "This year", "dateCompleted": today.to_string()})).await;
    add(&reader, json!({"title": "Long ago"})).await;
    let (_, old) = share(&reader, json!({})).await;
    let (_, new) = share(&reader, json!({"period": today.year().to_string()})).await;
    let empty = stranger.get(&old).await;
    assert!(empty.status == 200 && html(&empty).contains("Nothing to see here yet."));
    assert!(!html(&empty).contains("Long ago") && !html(&empty).to_lowercase().contains("plan"));
    assert_eq!(opened(&stranger, &old).await["books"], 0);
    let now = opened(&stranger, &new).await;
    assert_eq!((&now["complete"], &now["shelf"][0]["title"]), (&json!(false), &json!("This year")));
    server.set_plan(&reader, Plan::ShelfwisePlus).await;
    assert_eq!(opened(&stranger, &old).await["books"], 1);
}

#[tokio::test]
async fn a_shared_page_has_no_script_no_cookie_and_is_kept_from_search_engines() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let evil = "<script>alert(1)</script>\" onload=\"x\u{202E}</text></svg></style>";
    add(&reader, json!({"title": evil, "author": evil, "impressions": evil, "series": {"name": evil, "number": "1"}}))
        .await;
    reader.patch("/api/account", json!({"displayName": "<img src=x onerror=alert(1)>"})).await.expect(200);
    let (id, path) = share(&reader, json!({"parts": ["name", "series", "dates", "ratings", "impressions"]})).await;
    let unknown = "/s/AAAAAAAAAAAAAAAAAAAAAAAAAAA".to_owned();
    reader.get(&path).await;
    for (path, status) in [(&path, 200), (&unknown, 404)] {
        // With the owner's session, too: the page does not depend on it.
        for person in [&*server.visitor(), &reader] {
            for path in [path.clone(), format!("{path}/review.json")] {
                let answer = person.get(&path).await;
                assert_eq!(answer.status, status);
                assert_eq!(answer.header("x-robots-tag"), "noindex, nofollow", "{path}");
                assert_eq!(answer.header("referrer-policy"), "no-referrer");
                assert_eq!(answer.header("cache-control"), "private, no-cache");
                assert_eq!(answer.header("x-frame-options"), "DENY");
                assert!(answer.header("set-cookie").is_empty());
            }
            let page = person.get(path).await;
            let policy = page.header("content-security-policy");
            assert!(policy.starts_with("default-src 'none'; style-src 'sha256-") && !policy.contains("img-src"));
            assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
            let html = html(&page);
            for word in ["<script", "<img", "<link", "<a ", "onload=\"", "og:image"] {
                assert!(!html.contains(word), "{word}");
            }
            assert!(html.contains("<meta name=\"robots\" content=\"noindex, nofollow\">"));
        }
    }
    let evil_json = opened(&reader, &path).await;
    assert_eq!(evil_json["shelf"][0]["title"], evil);
    reader.delete(&format!("/api/shares/{id}")).await.expect(204);
}

#[tokio::test]
async fn nothing_is_shared_of_disabled_and_deleted_accounts_and_where_links_are_off() {
    let server = TestServer::start().await;
    let (operator, reader, stranger) = (server.operator().await, server.plus().await, server.visitor());
    add(&reader, json!({})).await;
    let (_, path) = share(&reader, json!({})).await;
    let account = format!("/api/admin/users/{}", reader.id);
    operator.patch(&account, json!({"disabled": true})).await.expect(200);
    assert_eq!(stranger.get(&path).await.status, 404);
    operator.patch(&account, json!({"disabled": false})).await.expect(200);
    assert_eq!(stranger.get(&path).await.status, 200);
    let again = reader.elsewhere().await;
    again.delete("/api/account").await.expect(204);
    assert_eq!(stranger.get(&path).await.status, 404);

    let off = TestServer::with(|config| config.shares = false).await;
    let reader = off.reader().await;
    assert_eq!(reader.get("/api/site").await.expect(200)["shares"], false);
    assert_eq!(reader.get("/api/shares").await.status, 404);
    assert_eq!(reader.post("/api/shares", json!({"kind": "review", "period": PERIOD})).await.status, 404);
    for (method, path) in [("PATCH", "/api/shares/1"), ("DELETE", "/api/shares/1"), ("POST", "/api/shares/1/renew")] {
        let call = reader.request(method.parse().unwrap(), path).json(&json!({}));
        assert_eq!(reader.send(call).await.status, 404, "{method}");
    }
    let page = reader.get("/s/AAAAAAAAAAAAAAAAAAAAAAAAAAA").await;
    assert!(page.status == 404 && html(&page).contains("This link is not valid any more."));
}

#[tokio::test]
async fn erasing_the_library_or_recovering_the_account_takes_every_link_back() {
    let server = TestServer::start().await;
    let (operator, reader, stranger) = (server.operator().await, server.plus().await, server.visitor());
    add(&reader, json!({})).await;
    let (_, erased) = share(&reader, json!({})).await;
    reader.delete("/api/account/data").await.expect(204);
    add(&reader, json!({})).await;
    assert_eq!(stranger.get(&erased).await.status, 404);
    let (_, recovered) = share(&reader, json!({})).await;
    let link = operator.post(&format!("/api/admin/users/{}/reset-link", reader.id), json!({})).await.expect(200);
    let reset = link["url"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
    assert_eq!(stranger.get(&recovered).await.status, 200);
    let password = json!({ "password": format!("{PASSWORD} again") });
    stranger.post(&format!("/api/auth/password-reset/{reset}"), password).await.expect(204);
    assert_eq!(stranger.get(&recovered).await.status, 404);
}

#[tokio::test]
async fn an_address_opens_sixty_links_a_minute() {
    let server = TestServer::with(|config| {
        config.trusted_proxies = vec!["127.0.0.1".to_owned().try_into().unwrap()];
    })
    .await;
    let (reader, stranger) = (server.plus().await, server.visitor());
    add(&reader, json!({})).await;
    let (_, path) = share(&reader, json!({})).await;
    let look = |from: &'static str| stranger.send(stranger.request(Method::GET, &path).header("x-forwarded-for", from));
    for _ in 0..60 {
        assert_eq!(look("203.0.113.1").await.status, 200);
    }
    let refused = look("203.0.113.1").await;
    assert!(refused.status == 429 && !refused.header("retry-after").is_empty(), "{}", refused.body);
    assert!(html(&refused).contains("Too many attempts."));
    assert_eq!(look("203.0.113.2").await.status, 200);
    server.advance(TimeDelta::minutes(1));
    assert_eq!(look("203.0.113.1").await.status, 200, "none of them was a guess");
}

#[tokio::test]
async fn an_operator_lists_and_takes_back_the_links_of_an_account() {
    let server = TestServer::start().await;
    let (reader, stranger) = (server.plus().await, server.visitor());
    let (first, one) = share(&reader, json!({})).await;
    let (_, two) = share(&reader, json!({"period": "2016-03", "parts": ["ratings", "name"]})).await;
    let listed = server.try_command(&["share", "list", &reader.email], "").await;
    assert_eq!(listed.status, 0, "{}", listed.err);
    assert!(listed.out.contains("review 2016-03") && listed.out.contains("ratings,name"), "{}", listed.out);
    let secret = one.trim_start_matches("/s/");
    assert!(!listed.out.contains(secret));
    let json = server.try_command(&["share", "list", &reader.email, "--json"], "").await;
    let json: Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!((json.as_array().unwrap().len(), &json[1]["id"]), (2, &json!(first)));
    server.command(&["share", "revoke", &reader.email, "--id", &first.to_string(), "--yes"]).await;
    assert_eq!((stranger.get(&one).await.status, stranger.get(&two).await.status), (404, 200));
    server.command(&["share", "revoke", &reader.email, "--yes"]).await;
    let events = reader.get("/api/auth/events").await.expect(200);
    let acts = events["data"].as_array().unwrap().iter().filter(|event| event["what"] == "shares_revoked");
    assert_eq!(acts.map(|event| &event["actor"]).collect::<Vec<_>>(), ["command line", "command line"]);
    assert_eq!(stranger.get(&two).await.status, 404);
    assert_eq!(reader.get("/api/shares").await.expect(200)["data"], json!([]));
}
