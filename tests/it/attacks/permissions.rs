//! The access matrix: who may make each call, with the exact status. A route that is missing here fails the test.
use std::collections::BTreeSet;

use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use shelfwise::devices::store::sources;
use shelfwise::kit::id::UserId;

use crate::features::covers::png;
use crate::support::actors::{PASSWORD, Reader, TestClient};
use crate::support::audiobookshelf::FakeAudiobookshelf;
use crate::support::fault_table;
use crate::support::harness::TestServer;

/// What a call answers to: nobody signed in, another reader (who uses the victim's ids), the object's owner, and an operator.
struct Row {
    method: &'static str,
    path: &'static str,
    body: fn(&Objects) -> Option<Value>,
    /// Anonymous, other, self, operator.
    statuses: [u16; 4],
}

/// What the victim owns.
#[derive(Default)]
struct Objects {
    user: i64,
    book: i64,
    item: i64,
    import: i64,
    session: i64,
    key: i64,
    cover: i64,
    operation: i64,
    share: i64,
    link: String,
    feed: String,
    device: i64,
    document: i64,
}

/// A change of password that leaves it as it is.
fn password(current: &str) -> Value {
    json!({"currentPassword": current, "newPassword": PASSWORD})
}

/// The login of an account without failures: after five failures a caller has to wait.
fn nobody() -> Value {
    let name = shelfwise::kit::http::session::Token::new().unwrap().text();
    json!({"email": format!("{name}@example.org"), "password": "x"})
}

/// An account whose address nobody has.
fn somebody() -> Value {
    let name = shelfwise::kit::http::session::Token::new().unwrap().text();
    json!({"email": format!("{name}@example.org"), "displayName": "Somebody"})
}

const NONE: fn(&Objects) -> Option<Value> = |_| None;

fn row(method: &'static str, path: &'static str, body: fn(&Objects) -> Option<Value>, statuses: [u16; 4]) -> Row {
    Row { method, path, body, statuses }
}

/// `{book}` and the like in a path stand for the victim's ids.
fn matrix() -> Vec<Row> {
    vec![
        row("GET", "/healthz", NONE, [200; 4]),
        row("GET", "/api/openapi.json", NONE, [200; 4]),
        row("GET", "/api/site", NONE, [200; 4]),
        row("GET", "/api/auth/providers", NONE, [200; 4]),
        row("GET", "/api/setup/unknown", NONE, [404; 4]),
        row("POST", "/api/setup/unknown", |_| Some(json!({})), [404; 4]),
        row("POST", "/api/setup/unknown/backup-folder", |_| Some(json!({"to": "/"})), [404; 4]),
        row("POST", "/api/auth/signup", |_| Some(json!({"email": "x", "password": "x", "displayName": ""})), [422; 4]),
        row("POST", "/api/auth/login", |_| Some(nobody()), [401; 4]),
        row("GET", "/api/auth/me", NONE, [401, 200, 200, 200]),
        row("GET", "/api/lookup?q=x", NONE, [401, 422, 422, 422]),
        row("POST", "/api/lookup/cover", |_| Some(json!({"source": "x", "cover": "1"})), [401, 422, 422, 422]),
        row("GET", "/api/plans", NONE, [200; 4]),
        row("GET", "/api/auth/sessions", NONE, [401, 200, 200, 200]),
        row("GET", "/api/auth/events", NONE, [401, 200, 200, 200]),
        row("POST", "/api/auth/confirm", |_| Some(json!({"password": PASSWORD})), [401, 204, 204, 204]),
        row("DELETE", "/api/auth/sessions/{session}", NONE, [401, 404, 204, 404]),
        row("GET", "/api/account/tokens", NONE, [401, 200, 200, 200]),
        row("POST", "/api/account/tokens", |_| Some(json!({"name": "Sync", "access": "read"})), [401, 201, 201, 201]),
        row("DELETE", "/api/account/tokens/{key}", NONE, [401, 404, 204, 404]),
        row("PATCH", "/api/account", |_| Some(json!({"displayName": "Somebody"})), [401, 200, 200, 200]),
        row("POST", "/api/account/password", |_| Some(password("not the password")), [401, 403, 403, 403]),
        row("POST", "/api/account/password", |_| Some(password(PASSWORD)), [401, 204, 204, 204]),
        row("GET", "/api/auth/oauth/{provider}", NONE, [303; 4]),
        row("GET", "/api/auth/oauth/{provider}/callback", NONE, [400; 4]),
        row("POST", "/api/auth/oauth/{provider}/callback", NONE, [400; 4]),
        row("GET", "/api/account/identities", NONE, [401, 200, 200, 200]),
        row("DELETE", "/api/account/identities/{provider}", NONE, [401, 404, 404, 404]),
        row("GET", "/api/preferences", NONE, [401, 200, 200, 200]),
        row("PATCH", "/api/preferences", |_| Some(json!({"theme": "dark"})), [401, 200, 200, 200]),
        row("PATCH", "/api/preferences", |_| Some(json!({"sepia": 1})), [401, 403, 403, 403]),
        row("GET", "/api/subscriptions/current", NONE, [401, 200, 200, 200]),
        row("POST", "/api/subscriptions/cancel", |_| Some(json!({"immediate": true})), [401, 409, 409, 409]),
        row("POST", "/api/subscriptions/checkout", |_| Some(json!({})), [401, 503, 503, 503]),
        row("POST", "/api/subscriptions/billing-portal", |_| Some(json!({})), [401, 503, 503, 503]),
        row("POST", "/api/stripe/webhook", NONE, [503; 4]),
        row("GET", "/api/books", NONE, [401, 200, 200, 200]),
        row(
            "POST",
            "/api/books",
            |_| Some(json!({"title": "T", "author": "A", "status": "undated"})),
            [401, 201, 201, 201],
        ),
        row("PATCH", "/api/books", |_| Some(json!({"addGenres": ["G"]})), [401, 200, 200, 200]),
        row("GET", "/api/books/titles", NONE, [401, 200, 200, 200]),
        row("GET", "/api/books/{book}", NONE, [401, 404, 200, 404]),
        row("PATCH", "/api/books/{book}", |_| Some(json!({"wordCount": 1})), [401, 404, 200, 404]),
        row("PUT", "/api/books/{book}/cover", |_| Some(json!({})), [401, 415, 415, 415]),
        row("GET", "/api/covers/{cover}", NONE, [401, 404, 200, 404]),
        row("DELETE", "/api/books/{book}/cover", NONE, [401, 404, 204, 404]),
        row("GET", "/api/works/{book}", NONE, [401, 404, 200, 404]),
        row("GET", "/api/books/{book}/days", NONE, [401, 404, 200, 404]),
        row("PATCH", "/api/books/{book}", |_| Some(json!({"status": "in-progress"})), [401, 404, 200, 404]),
        row("PUT", "/api/books/{book}/days/{day}", |_| Some(json!({"percent": 5})), [401, 404, 200, 404]),
        row("DELETE", "/api/books/{book}/days/{day}", NONE, [401, 404, 204, 404]),
        row("PATCH", "/api/books/{book}", |_| Some(json!({"status": "undated"})), [401, 404, 200, 404]),
        row("POST", "/api/books/{book}/quotes", |_| Some(json!({"text": "Q"})), [401, 404, 200, 404]),
        row("GET", "/api/books/{book}/similar", NONE, [401, 404, 200, 404]),
        row("GET", "/api/tbr/pick", NONE, [401, 200, 200, 200]),
        row("GET", "/api/stats/reading", NONE, [401, 200, 200, 200]),
        row("POST", "/api/books/{book}/again", NONE, [401, 404, 201, 404]),
        row("POST", "/api/books/{book}/part", NONE, [401, 404, 200, 404]),
        row("POST", "/api/works/{book}/join", |all| Some(json!({"work": all.book})), [401, 404, 200, 404]),
        row("GET", "/api/works/duplicates", NONE, [401, 200, 200, 200]),
        row("POST", "/api/works/{book}/distinct", |all| Some(json!({"work": all.book})), [401, 404, 422, 404]),
        row("GET", "/api/views", NONE, [401, 200, 200, 200]),
        row("POST", "/api/views", |_| Some(json!({"name": "V", "query": "a=b"})), [401, 201, 201, 201]),
        row("PATCH", "/api/views/unknown", |_| Some(json!({"position": 1})), [401, 404, 404, 404]),
        row("DELETE", "/api/views/unknown", NONE, [401, 404, 404, 404]),
        row("GET", "/api/quotes", NONE, [401, 200, 200, 200]),
        row("POST", "/api/quotes/import", NONE, [401, 415, 415, 415]),
        row("GET", "/api/search?q=ab", NONE, [401, 200, 200, 200]),
        row("GET", "/api/series", NONE, [401, 200, 200, 200]),
        row("PATCH", "/api/series/{series}", |_| Some(json!({"name": "The Saga"})), [401, 404, 200, 404]),
        row("GET", "/api/books/languages", NONE, [401, 200, 200, 200]),
        row("GET", "/api/tags", NONE, [401, 200, 200, 200]),
        row("PATCH", "/api/tags/{tag}", |_| Some(json!({"shelf": true})), [401, 404, 200, 404]),
        row("DELETE", "/api/tags/{tag}", NONE, [401, 404, 204, 404]),
        row("GET", "/api/operations", NONE, [401, 200, 200, 200]),
        row("DELETE", "/api/operations/{operation}", NONE, [401, 404, 200, 404]),
        row("GET", "/api/reading", NONE, [401, 200, 200, 200]),
        row("GET", "/api/summary", NONE, [401, 200, 200, 200]),
        row("GET", "/api/calendar", NONE, [401, 200, 200, 200]),
        row("GET", "/api/review?period=2026", NONE, [401, 200, 200, 200]),
        row("GET", "/api/review/periods", NONE, [401, 200, 200, 200]),
        row("GET", "/api/goals", NONE, [401, 200, 200, 200]),
        row("PUT", "/api/goals/{period}/{metric}", |_| Some(json!({"target": 52})), [401, 200, 200, 200]),
        row("GET", "/api/goals/{period}/{metric}/books", NONE, [401, 200, 200, 200]),
        row("DELETE", "/api/goals/{period}/{metric}", NONE, [401, 204, 204, 204]),
        row("GET", "/api/shares", NONE, [401, 200, 200, 200]),
        row("POST", "/api/shares", |_| Some(json!({"kind": "review", "period": "2026"})), [401, 201, 201, 201]),
        row("PATCH", "/api/shares/{share}", |_| Some(json!({"parts": ["ratings"]})), [401, 404, 200, 404]),
        row("GET", "/s/{link}", NONE, [200; 4]),
        row("GET", "/s/{link}/review.json", NONE, [200; 4]),
        row("GET", "/s/{link}/card.svg", NONE, [200; 4]),
        row("GET", "/s/{feed}/feed.atom", NONE, [200; 4]),
        row("GET", "/s/{feed}/feed.json", NONE, [200; 4]),
        row("GET", "/s/{feed}/calendar.ics", NONE, [404; 4]),
        // The link shows no covers.
        row("GET", "/s/{link}/covers/{cover}", NONE, [404; 4]),
        row("POST", "/api/shares/{share}/renew", NONE, [401, 404, 200, 404]),
        row("DELETE", "/api/shares/{share}", NONE, [401, 404, 204, 404]),
        row("GET", "/api/devices", NONE, [401, 200, 200, 200]),
        row("POST", "/api/devices", |_| Some(json!({"name": "Kobo"})), [401, 201, 201, 201]),
        row("PATCH", "/api/devices/{device}", |_| Some(json!({"name": "Boox"})), [401, 404, 200, 404]),
        row("POST", "/api/reading/import", NONE, [401, 415, 415, 415]),
        row("GET", "/api/documents", NONE, [401, 200, 200, 200]),
        row("POST", "/api/documents/{document}/finish", |_| Some(json!({"day": "2026-01-02"})), [401, 404, 409, 404]),
        row("PUT", "/api/documents/{document}", |_| Some(json!({"ignore": true})), [401, 404, 200, 404]),
        row("DELETE", "/api/documents/{document}/finish", NONE, [401, 404, 204, 404]),
        row("POST", "/api/books/{book}/documents", |_| Some(json!({"digest": "d1"})), [401, 404, 204, 404]),
        row("DELETE", "/api/devices/{device}", NONE, [401, 404, 204, 404]),
        row("GET", "/api/sources", NONE, [401, 200, 200, 200]),
        row("PUT", "/api/sources/{source}", |_| Some(json!({"key": ""})), [401, 422, 422, 422]),
        row("DELETE", "/api/sources/{source}", NONE, [401, 404, 204, 404]),
        // Devices sign in by themselves: a session is nobody there.
        row("GET", "/kosync/healthcheck", NONE, [200; 4]),
        row("POST", "/kosync/users/create", |_| Some(json!({})), [402; 4]),
        row("GET", "/kosync/users/auth", NONE, [401; 4]),
        row("PUT", "/kosync/syncs/progress", |_| Some(json!({})), [401; 4]),
        row("GET", "/kosync/syncs/progress/d1", NONE, [401; 4]),
        row("GET", "/users/auth", NONE, [404; 4]),
        row("PUT", "/dav/statistics/statistics.sqlite3", NONE, [401; 4]),
        row("GET", "/dav/statistics/statistics.sqlite3", NONE, [401; 4]),
        row("GET", "/api/account/export", NONE, [401, 200, 200, 200]),
        row("GET", "/api/account/export/books.csv", NONE, [401, 200, 200, 200]),
        row("GET", "/api/account/export/tbr.csv", NONE, [401, 200, 200, 200]),
        row("GET", "/api/account/export/formats", NONE, [401, 200, 200, 200]),
        row("GET", "/api/account/export/{format}", NONE, [401, 200, 200, 200]),
        row("GET", "/api/stats", NONE, [401, 200, 200, 200]),
        row("GET", "/api/stats/options", NONE, [401, 200, 200, 200]),
        row("GET", "/api/dashboard", NONE, [401, 200, 200, 200]),
        row("GET", "/api/teams/current", NONE, [401, 200, 200, 200]),
        row("GET", "/api/teams/seat-usage", NONE, [401, 200, 200, 200]),
        row("POST", "/api/teams", |_| Some(json!({"name": "Ours"})), [401, 404, 404, 404]),
        row("PATCH", "/api/teams/current", |_| Some(json!({"name": "Ours"})), [401, 404, 404, 404]),
        row("PATCH", "/api/teams/seats", |_| Some(json!({"addonSeats": 1})), [401, 404, 404, 404]),
        row("POST", "/api/teams/invite", |_| Some(json!({"email": "a@example.org"})), [401, 404, 404, 404]),
        row("DELETE", "/api/teams/invitations/1", NONE, [401, 404, 404, 404]),
        row("DELETE", "/api/teams/members/1", NONE, [401, 404, 404, 404]),
        row("PATCH", "/api/teams/members/1/role", |_| Some(json!({"role": "admin"})), [401, 404, 404, 404]),
        row("GET", "/api/teams/stats", NONE, [401, 404, 404, 404]),
        row("GET", "/api/teams/stats/options", NONE, [401, 404, 404, 404]),
        row("GET", "/api/teams/challenges", NONE, [401, 404, 404, 404]),
        row("POST", "/api/teams/challenges", |_| Some(json!({"title": "T"})), [401, 404, 404, 404]),
        row("PATCH", "/api/teams/challenges/1", |_| Some(json!({"title": "T"})), [401, 404, 404, 404]),
        row("DELETE", "/api/teams/challenges/1", NONE, [401, 404, 404, 404]),
        row("GET", "/api/invitations/unknown", NONE, [404; 4]),
        row("POST", "/api/invitations/unknown/accept", NONE, [401, 404, 404, 404]),
        row("POST", "/api/invitations/unknown/decline", NONE, [401, 404, 404, 404]),
        row("GET", "/api/tbr", NONE, [401, 200, 200, 200]),
        row("POST", "/api/tbr/reorder", |own| Some(json!({"bookIds": [own.item]})), [401, 404, 204, 404]),
        row("POST", "/api/tbr", |_| Some(json!({"title": "T"})), [401, 201, 201, 201]),
        row("PATCH", "/api/tbr/{item}", |_| Some(json!({"title": "U"})), [401, 404, 200, 404]),
        row("POST", "/api/tbr/{item}/start", NONE, [401, 404, 201, 404]),
        row("DELETE", "/api/tbr/{item}", NONE, [401, 404, 404, 404]),
        row("DELETE", "/api/tbr/{spare}", NONE, [401, 404, 204, 404]),
        row("POST", "/api/books/import", NONE, [401, 415, 415, 415]),
        row("POST", "/api/tbr/import", NONE, [401, 415, 415, 415]),
        row("POST", "/api/refill", |_| Some(json!({})), [401, 200, 200, 200]),
        row("GET", "/api/imports", NONE, [401, 200, 200, 200]),
        row("GET", "/api/imports/{import}", NONE, [401, 404, 404, 404]),
        row("GET", "/api/imports/{import}/rejected", NONE, [401, 404, 200, 404]),
        row("GET", "/api/imports/{import}/left-out", NONE, [401, 404, 200, 404]),
        row("DELETE", "/api/imports/{import}", NONE, [401, 404, 200, 404]),
        row("GET", "/api/admin/analytics/users", NONE, [401, 403, 403, 200]),
        row("GET", "/api/admin/analytics/location", NONE, [401, 403, 403, 200]),
        row("GET", "/api/admin/analytics/devices", NONE, [401, 403, 403, 200]),
        row("GET", "/api/admin/analytics/system", NONE, [401, 403, 403, 200]),
        row("GET", "/api/admin/users", NONE, [401, 403, 403, 200]),
        row("GET", "/api/admin/users/{user}/usage", NONE, [401, 403, 403, 200]),
        row("GET", "/api/admin/users/999999/usage", NONE, [401, 403, 403, 404]),
        row("POST", "/api/admin/users", |_| Some(somebody()), [401, 403, 403, 201]),
        row("POST", "/api/admin/users", |_| Some(json!({"role": "owner"})), [401, 403, 403, 422]),
        row("DELETE", "/api/admin/invitations/1", NONE, [401, 403, 403, 404]),
        row("GET", "/api/admin/invitations", NONE, [401, 403, 403, 200]),
        row("POST", "/api/admin/invitations", |_| Some(json!({})), [401, 403, 403, 201]),
        row("POST", "/api/admin/invitations", |_| Some(json!({"email": "x"})), [401, 403, 403, 422]),
        row("PATCH", "/api/admin/users/{user}", |_| Some(json!({"disabled": false})), [401, 403, 403, 200]),
        row("PATCH", "/api/admin/users/999999", |_| Some(json!({"disabled": 1})), [401, 403, 403, 404]),
        row("POST", "/api/admin/users/{user}/reset-link", NONE, [401, 403, 403, 200]),
        row("POST", "/api/admin/users/none/reset-link", NONE, [401, 403, 403, 404]),
        row("POST", "/api/admin/toggle-subscription", |_| Some(json!({"plan": "reader"})), [401, 403, 403, 200]),
        row("GET", "/api/admin/backups", NONE, [401, 403, 403, 200]),
        row("GET", "/api/admin/events", NONE, [401, 403, 403, 200]),
        row("GET", "/api/admin/health", NONE, [401, 403, 403, 200]),
        row("POST", "/api/admin/test-email", NONE, [401, 403, 403, 503]),
        row("GET", "/api/admin/settings", NONE, [401, 403, 403, 200]),
        row("POST", "/api/admin/backup-folder", |_| Some(json!({"to": "backups"})), [401, 403, 403, 422]),
        row("PATCH", "/api/admin/settings", |_| Some(json!({"name": "Shelf"})), [401, 403, 403, 200]),
        row("PATCH", "/api/admin/settings", |_| Some(json!({"signup": "maybe"})), [401, 403, 403, 422]),
        row("POST", "/api/auth/password-reset", |_| Some(json!({"email": "nobody@example.org"})), [204; 4]),
        row("GET", "/api/auth/password-reset/{token}", NONE, [400; 4]),
        row("POST", "/api/auth/password-reset/{token}", |_| Some(json!({"password": PASSWORD})), [400; 4]),
        row("DELETE", "/api/books/{book}", NONE, [401, 404, 204, 404]),
        row("DELETE", "/api/account/data", NONE, [401, 204, 204, 204]),
        row("DELETE", "/api/account", NONE, [401, 204, 204, 409]),
        row("POST", "/api/auth/logout", NONE, [204; 4]),
    ]
}

async fn victim(server: &TestServer) -> (Reader, Objects) {
    let person = server.reader().await;
    let made = |answer: Value, key: &str| answer[key]["id"].as_i64().unwrap();
    let book = json!({"title": "Mine", "author": "Me", "status": "undated", "series": {"name": "Saga"}, "tags": ["owned", "lent"]});
    let item = json!({"title": "Later", "author": "Me"});
    // Another browser of the victim's.
    let login = json!({"email": person.email, "password": PASSWORD});
    server.visitor().post("/api/auth/login", login).await.expect(200);
    let sessions = person.get("/api/auth/sessions").await.expect(200);
    let shared = person.post("/api/shares", json!({"kind": "review", "period": "2026"})).await.expect(201);
    let feed = person.post("/api/shares", json!({"kind": "feed"})).await.expect(201);
    let token_of = |made: &Value| made["url"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
    let objects = Objects {
        user: person.id,
        cover: person.id << 24 | 1,
        session: sessions["data"].as_array().unwrap().iter().find(|one| one["current"] == false).unwrap()["id"]
            .as_i64()
            .unwrap(),
        key: made(
            person.post("/api/account/tokens", json!({"name": "Mine", "access": "read"})).await.expect(201),
            "token",
        ),
        book: made(person.post("/api/books", book).await.expect(201), "book"),
        item: made(person.post("/api/tbr", item).await.expect(201), "item"),
        import: person
            .upload("/api/books/import", "books.csv", "Title,Author\nOne,Two\n", &[])
            .await
            .expect(200)["importId"]
            .as_i64()
            .unwrap(),
        operation: 0,
        link: token_of(&shared),
        feed: token_of(&feed),
        share: made(shared, "share"),
        device: 0,
        document: 0,
    };
    let cover = person.request(Method::PUT, &format!("/api/books/{}/cover", objects.book));
    person.send(cover.body(png(5, 5, b"pixels"))).await.expect(200);
    let goal = person.request(Method::PUT, "/api/goals/2026/books").json(&json!({"target": 52}));
    person.send(goal).await.expect(200);
    let renamed = person.patch("/api/tags/lent", json!({"name": "borrowed"})).await.expect(200);
    let objects = Objects { operation: renamed["operationId"].as_i64().unwrap(), ..objects };
    let device =
        person.post("/api/devices", json!({"name": "Mine"})).await.expect(201)["device"]["id"].as_i64().unwrap();
    person.post(&format!("/api/books/{}/documents", objects.book), json!({"digest": "d0"})).await.expect(204);
    let document = person.id << 24 | 1;
    let owner = UserId(person.id);
    server.db.write(move |tx| sources::connect(tx, owner, "home", "At home", b"sealed")).await.unwrap();
    (person, Objects { device, document, ..objects })
}

fn request(person: &TestClient, row: &Row, objects: &Objects, spare: i64) -> RequestBuilder {
    let path = row.path.replace("{book}", &objects.book.to_string()).replace("{day}", "2020-01-01");
    let path = path.replace("{period}", "2026").replace("{metric}", "books").replace("{format}", "goodreads");
    let path = path.replace("{item}", &objects.item.to_string()).replace("{import}", &objects.import.to_string());
    let path = path.replace("{cover}", &objects.cover.to_string());
    let path = path.replace("{key}", &objects.key.to_string()).replace("{series}", "Saga").replace("{tag}", "owned");
    let path = path.replace("{device}", &objects.device.to_string()).replace("{source}", "home");
    let path = path.replace("{document}", &objects.document.to_string());
    let path = path.replace("{operation}", &objects.operation.to_string());
    let path = path
        .replace("{share}", &objects.share.to_string())
        .replace("{link}", &objects.link)
        .replace("{feed}", &objects.feed);
    let path = path.replace("{session}", &objects.session.to_string()).replace("{user}", &objects.user.to_string());
    let request = person.request(row.method.parse::<Method>().unwrap(), &path.replace("{spare}", &spare.to_string()));
    match (row.body)(objects) {
        Some(body) => request.json(&body),
        None => request,
    }
}

async fn call(person: &TestClient, row: &Row, objects: &Objects, spare: i64) -> u16 {
    person.send(request(person, row, objects, spare)).await.status
}

/// What a call answers to the owner, an admin and a member of a team: what it answers to any other reader, but for what the
/// team's plan opens and an owner may not leave behind. `None` for teams and their payment, which have
/// tests of their own.
fn in_a_team(row: &Row) -> Option<[u16; 3]> {
    let about_teams = ["/api/teams/", "/api/subscriptions/"].iter().any(|area| row.path.starts_with(area));
    if about_teams && row.path != "/api/subscriptions/current" {
        return None;
    }
    Some(match (row.method, row.path) {
        ("PATCH", "/api/preferences") => [200; 3],
        ("DELETE", "/api/account") => [409, 204, 204],
        _ => [row.statuses[1]; 3],
    })
}

#[tokio::test]
async fn every_call_follows_the_access_matrix_for_everybody() {
    let server = TestServer::with(FakeAudiobookshelf::start().await.listed()).await;
    let (own, objects) = victim(&server).await;
    let (owner, people) = server.team(2).await;
    let [admin, member] = people.try_into().unwrap_or_else(|_| unreachable!());
    let admin = owner.promote(&admin).await;
    let (visitor, other, operator) = (server.visitor(), server.reader().await, server.operator().await);
    let (mut wrong, mut calls) = (Vec::new(), 0);
    let mut spare = 0;
    for row in matrix() {
        if row.path.contains("{spare}") {
            let made = own.post("/api/tbr", json!({"title": "Spare"})).await.expect(201);
            spare = made["item"]["id"].as_i64().unwrap();
        }
        let team = in_a_team(&row);
        let of_team = |place: usize| team.map(|statuses| statuses[place]);
        // Who owns it last: what they delete is there for the others' attempts.
        let people: [(&str, &TestClient, Option<u16>); 7] = [
            ("anonymous", &visitor, Some(row.statuses[0])),
            ("other", &other, Some(row.statuses[1])),
            ("the team's owner", &owner, of_team(0)),
            ("the team's admin", &admin, of_team(1)),
            ("the team's member", &member, of_team(2)),
            ("operator", &operator, Some(row.statuses[3])),
            ("self", &own, Some(row.statuses[2])),
        ];
        for (who, person, status) in people {
            let Some(status) = status else { continue };
            calls += 1;
            let answered = call(person, &row, &objects, spare).await;
            if answered != status {
                wrong.push(format!("{} {} as {who}: {answered} instead of {status}", row.method, row.path));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    fault_table::row("calls of the access matrix by seven kinds of people", calls, "each as it says", "exact");
}

#[tokio::test]
async fn every_page_is_public_and_no_route_accepts_another_method() {
    const METHODS: [&str; 8] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND"];
    let server = TestServer::start().await;
    let (visitor, reader, operator) = (server.visitor(), server.reader().await, server.operator().await);
    let description = shelfwise::app::DESCRIPTION;
    let description: Value = serde_json::from_str(description).unwrap();
    let routes = description["paths"].as_object().unwrap().iter().map(|(path, methods)| {
        (
            path.replace(['{', '}'], ""),
            methods.as_object().unwrap().keys().map(|one| one.to_uppercase()).collect(),
            false,
        )
    });
    let pages = shelfwise::app::PAGES.iter().map(|path| (path.replace(['{', '}'], ""), vec!["GET".to_owned()], true));
    let mut calls = 0;
    for (path, known, is_page) in routes.chain(pages) {
        let people: [&TestClient; 3] = [&visitor, &reader, &operator];
        for (person, method) in people.into_iter().flat_map(|one| METHODS.map(|method| (one, method))) {
            let is_known = known.iter().any(|one: &String| one == method || (one == "GET" && method == "HEAD"));
            // What a route does answer stands in the matrix.
            if is_known && !is_page {
                continue;
            }
            calls += 1;
            let answer = person.send(person.request(method.parse::<Method>().unwrap(), &path)).await;
            assert_eq!(answer.status, if is_known { 200 } else { 405 }, "{method} {path}");
        }
    }
    fault_table::row(
        "methods that no route has, and every page, by three kinds of people",
        calls,
        "405, and 200",
        "exact",
    );
}

#[tokio::test]
async fn a_read_token_may_make_every_reading_call_that_needs_no_session() {
    let server = TestServer::start().await;
    let (own, objects) = victim(&server).await;
    let script = own.script("read").await;
    let (mut refused, mut read_only, mut passed) = (0, 0, 0);
    for row in matrix()
        .iter()
        .filter(|row| row.statuses[0] == 401 && row.path.starts_with("/api/") && row.path != "/api/auth/login")
    {
        let answer = script.send(request(&script, row, &objects, objects.item)).await;
        let within = |areas: &[&str]| areas.iter().any(|area| row.path.starts_with(area));
        let areas = [
            "/api/account", "/api/admin/", "/api/auth/", "/api/devices", "/api/invitations/", "/api/shares",
            "/api/sources", "/api/subscriptions/", "/api/teams/invit", "/api/teams/members/", "/api/teams/seats",
        ];
        let for_sessions =
            within(&areas) && !within(&["/api/account/export"]) && (row.method, row.path) != ("GET", "/api/auth/me");
        let what = format!("{} {}: {}", row.method, row.path, answer.body);
        if for_sessions {
            refused += 1;
            assert_eq!(answer.body["code"], "session_required", "{what}");
        } else if row.method == "GET" {
            passed += 1;
            assert_eq!(answer.status, row.statuses[2], "{what}");
        } else {
            read_only += 1;
            assert_eq!(answer.body["code"], "read_only_token", "{what}");
        }
    }
    assert!(refused > 15 && read_only > 15 && passed > 10, "{refused} {read_only} {passed}");
}

#[tokio::test]
async fn every_route_is_in_the_matrix() {
    let description = shelfwise::app::DESCRIPTION;
    let description: Value = serde_json::from_str(description).unwrap();
    let plain = |path: &str| {
        path.split('?')
            .next()
            .unwrap_or_default()
            .split('/')
            .map(|part| if part.starts_with('{') || matches!(part, "1" | "unknown") { "{}" } else { part })
            .collect::<Vec<_>>()
            .join("/")
    };
    let listed: BTreeSet<(String, String)> =
        matrix().iter().map(|row| (row.method.to_lowercase(), plain(row.path))).collect();
    let routes = description["paths"].as_object().unwrap().iter();
    let routes = routes.flat_map(|(path, methods)| {
        methods.as_object().unwrap().keys().map(move |method| (method.clone(), plain(path)))
    });
    let routes: Vec<_> = routes.collect();
    let missing: Vec<_> = routes.iter().filter(|route| !listed.contains(route)).collect();
    assert!(missing.is_empty(), "add these to the matrix: {missing:?}");
    fault_table::row(
        "routes of the server, looked up in the access matrix",
        routes.len(),
        "all stand in it",
        "every one",
    );
}
