//! What a team reads together: its numbers and its challenges, of those who share and of nothing else.
use serde_json::{Value, json};

use crate::harness::{Person, TestServer};

async fn add(person: &Person, title: &str, words: i64, more: Value) {
    let mut book = json!({"title": title, "author": "Ann", "wordCount": words, "genres": ["Crime"]});
    book.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    person.post("/api/books", book).await.expect(201);
}

async fn share(person: &Person, shares: bool) {
    person.patch("/api/preferences", json!({"shareWithTeam": shares})).await.expect(200);
}

/// An owner and a member who share, and a member who does not, each with books.
async fn reading_team(server: &TestServer) -> (Person, Person, Person) {
    let (owner, members) = server.team(2).await;
    let [sharing, silent] = members.try_into().unwrap_or_else(|_| unreachable!());
    share(&owner, true).await;
    share(&sharing, true).await;
    add(&owner, "One", 1000, json!({"dateCompleted": "2026-02-01", "rating": 8})).await;
    add(&owner, "Begun", 700, json!({"status": "in-progress", "author": "Begun Author", "genres": ["Begun Genre"]}))
        .await;
    add(
        &sharing,
        "Two",
        5000,
        json!({"dateCompleted": "2026-02-28", "impressions": "a private thought", "format": "Audio"}),
    )
    .await;
    add(&sharing, "Three", 200, json!({"status": "undated"})).await;
    add(&silent, "Unseen", 90_000, json!({"dateCompleted": "2026-02-10", "author": "Unseen Author"})).await;
    (owner, sharing, silent)
}

#[tokio::test]
async fn a_teams_numbers_are_those_of_its_sharing_members_finished_books() {
    let server = TestServer::start().await;
    let (owner, sharing, silent) = reading_team(&server).await;
    for person in [&owner, &silent] {
        let stats = person.get("/api/teams/stats").await.expect(200);
        assert_eq!((&stats["kpis"]["totalWords"], &stats["kpis"]["booksRead"]), (&json!(6200), &json!(3)));
        assert_eq!(stats["library"], json!({"total": 3, "visible": 3, "limitedToMonths": null}));
        let of: Vec<_> = stats["members"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| (one["userId"].as_i64().unwrap(), one["words"].clone(), one["books"].clone()))
            .collect();
        assert_eq!(of, [(sharing.id, json!(5200), json!(2)), (owner.id, json!(1000), json!(1))]);
        let shelf: Vec<_> = stats["shelf"]["books"]
            .as_array()
            .unwrap()
            .iter()
            .map(|book| (book["title"].clone(), book["userId"].as_i64().unwrap()))
            .collect();
        assert_eq!(shelf, [(json!("Three"), sharing.id), (json!("One"), owner.id), (json!("Two"), sharing.id)]);
        let options = person.get("/api/teams/stats/options").await.expect(200);
        assert_eq!(options["authors"], json!([{"name": "Ann", "words": 6200, "books": 3}]));
        for word in ["Unseen", "Begun", "private", &silent.email] {
            assert!(!stats.to_string().contains(word) && !options.to_string().contains(word), "{word}");
        }
    }
    let filtered = owner.get("/api/teams/stats?formats=Audio").await.expect(200);
    assert_eq!((&filtered["kpis"]["booksRead"], &filtered["members"][1]["books"]), (&json!(1), &json!(0)));
    assert_eq!(owner.get("/api/teams/stats?minRating=x").await.fields(), ["minRating"]);
    share(&sharing, false).await;
    let stats = owner.get("/api/teams/stats").await.expect(200);
    assert_eq!((&stats["kpis"]["totalWords"], stats["members"].as_array().unwrap().len()), (&json!(1000), 1));
}

#[tokio::test]
async fn a_challenge_counts_whole_books_completed_within_both_days() {
    let server = TestServer::start().await;
    let (owner, sharing, silent) = reading_team(&server).await;
    let form = json!({"title": "February", "metric": "words", "target": 10_000, "startDate": "2026-02-01", "endDate": "2026-02-28"});
    let made = owner.post("/api/teams/challenges", form.clone()).await.expect(201)["challenge"].clone();
    let keys: Vec<_> = made.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["endDate", "id", "members", "metric", "startDate", "target", "title", "total"]);
    assert_eq!(made["total"], 6000);
    let values: Vec<_> = made["members"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["userId"].as_i64().unwrap(), one["value"].clone()))
        .collect();
    assert_eq!(values, [(sharing.id, json!(5000)), (owner.id, json!(1000))]);
    let path = format!("/api/teams/challenges/{}", made["id"]);
    let changed = owner.patch(&path, json!({"metric": "books", "endDate": "2026-02-27"})).await.expect(200);
    assert_eq!((&changed["challenge"]["total"], &changed["challenge"]["title"]), (&json!(1), &json!("February")));
    assert_eq!(silent.get("/api/teams/challenges").await.expect(200), json!({"data": [changed["challenge"]]}));
    assert_eq!(owner.patch(&path, json!({"startDate": "2026-03-01"})).await.fields(), ["endDate"]);

    for refused in [
        silent.post("/api/teams/challenges", form.clone()).await,
        silent.patch(&path, json!({})).await,
        silent.delete(&path).await,
    ] {
        assert_eq!(refused.code(403), "team_role");
    }
    let (stranger, _) = server.team(0).await;
    assert_eq!((stranger.patch(&path, json!({})).await.status, stranger.delete(&path).await.status), (404, 404));
    server.grant(&owner, None).await;
    assert_eq!(owner.post("/api/teams/challenges", form).await.code(409), "team_unpaid");
    assert_eq!(owner.get("/api/teams/challenges").await.expect(200)["data"].as_array().unwrap().len(), 1);
    assert_eq!(owner.get("/api/teams/stats").await.status, 200);
    assert_eq!(owner.delete(&path).await.status, 204);
    assert_eq!(owner.delete(&path).await.status, 404);
}
