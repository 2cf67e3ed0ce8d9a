//! Settings that an operator changes while the server runs, and a server that is private.
use serde_json::json;

use crate::support::actors::TeamOwner;
use crate::support::harness::TestServer;

#[tokio::test]
async fn a_change_counts_at_once_and_null_restores_the_default() {
    let server = TestServer::start().await;
    let operator = server.operator().await;
    let shown = operator.get("/api/admin/settings").await.expect(200);
    assert_eq!(
        shown,
        json!({
            "settings": {
                "instance": "public", "name": null, "signup": "open", "defaultPlan": "reader",
                "limits": {"books": 100_000, "listItems": 10_000, "textMb": 200},
                "backup": {"to": null, "keep": 14, "every": "1d"},
                "lookup": {"sources": ["openlibrary"], "contact": null, "covers": true, "coverQuota": 100},
            },
            "fixed": [],
        })
    );
    let change = json!({"name": " The Okafor shelf ", "signup": "closed", "limits": {"books": 1}});
    let changed = operator.patch("/api/admin/settings", change).await.expect(200);
    assert_eq!(changed["settings"]["name"], "The Okafor shelf");
    assert_eq!(changed, operator.get("/api/admin/settings").await.expect(200));
    let site = server.visitor().get("/api/site").await.expect(200);
    assert_eq!((&site["name"], &site["signup"]), (&json!("The Okafor shelf"), &json!("closed")));
    let form = json!({"email": "late@example.org", "password": "a-long-enough-password-9", "displayName": "Late"});
    assert_eq!(server.visitor().post("/api/auth/signup", form.clone()).await.code(403), "signup_closed");
    let book = |title: &str| json!({"title": title, "author": "A", "status": "undated"});
    operator.post("/api/books", book("One")).await.expect(201);
    assert_eq!(operator.post("/api/books", book("Two")).await.code(409), "quota_reached");

    let reset = json!({"signup": null, "limits": {"books": null}});
    assert_eq!(operator.patch("/api/admin/settings", reset).await.expect(200)["settings"]["signup"], "open");
    server.visitor().post("/api/auth/signup", form).await.expect(201);
    operator.post("/api/books", book("Two")).await.expect(201);
    let events = operator.get("/api/admin/events").await.expect(200);
    let whats: Vec<_> = events["data"].as_array().unwrap().iter().map(|event| event["what"].clone()).collect();
    assert!(whats.contains(&json!("settings_changed")), "{whats:?}");
}

#[tokio::test]
async fn the_look_up_changes_at_once() {
    let server = TestServer::start().await;
    let operator = server.operator().await;
    let change = json!({"lookup": {"sources": [], "contact": " ada@example.org ", "covers": false, "coverQuota": 7}});
    let changed = operator.patch("/api/admin/settings", change).await.expect(200);
    let lookup = json!({"sources": [], "contact": "ada@example.org", "covers": false, "coverQuota": 7});
    assert_eq!(changed["settings"]["lookup"], lookup);
    assert_eq!(server.visitor().get("/api/site").await.expect(200)["lookup"], json!([]));
    assert_eq!(operator.get("/api/lookup?isbn=9783522202589").await.code(503), "lookup_not_configured");
    let bad = json!({"lookup": {"sources": ["amazon"], "covers": "no", "coverQuota": -1, "contact": 5}});
    let refused = operator.patch("/api/admin/settings", bad).await.fields().join(" ");
    assert_eq!(refused, "lookup.contact lookup.coverQuota lookup.covers lookup.sources");
    let reset = json!({"lookup": {"sources": null, "contact": null, "covers": null, "coverQuota": null}});
    operator.patch("/api/admin/settings", reset).await.expect(200);
    assert_eq!(server.visitor().get("/api/site").await.expect(200)["lookup"], json!(["openlibrary.org"]));
}

#[tokio::test]
async fn what_cannot_be_is_refused_as_a_whole() {
    let server = TestServer::with(|config| {
        config.fixed.insert("signup".into());
    })
    .await;
    let operator = server.operator().await;
    let bad = json!({
        "name": "N", "defaultPlan": "gold", "limits": {"books": -1, "calls": 3}, "backup": {"keep": 0, "every": "often"},
    });
    assert_eq!(operator.patch("/api/admin/settings", bad).await.fields(), ["limits.calls"]);
    let bad =
        json!({"name": "N", "defaultPlan": "gold", "limits": {"books": -1}, "backup": {"keep": 0, "every": "often"}});
    let mut refused = operator.patch("/api/admin/settings", bad).await.fields().join(" ");
    assert_eq!(refused, "backup.every backup.keep defaultPlan limits.books");
    for folder in ["relative", "/proc/no/folder"] {
        let answer = operator.patch("/api/admin/settings", json!({"backup": {"to": folder}})).await;
        refused = answer.fields().join(" ");
        assert_eq!((answer.status, refused.as_str()), (422, "backup.to"), "{folder}");
    }
    let fixed = operator.patch("/api/admin/settings", json!({"name": "N", "signup": "closed"})).await;
    assert_eq!((fixed.code(409), &fixed.body["setting"]), ("setting_fixed", &json!("signup")));
    let shown = operator.get("/api/admin/settings").await.expect(200);
    assert_eq!((&shown["settings"]["name"], &shown["fixed"]), (&json!(null), &json!(["signup"])));
}

#[tokio::test]
async fn a_folder_for_backups_gets_one_at_once() {
    let server = TestServer::start().await;
    let operator = server.operator().await;
    let folder = server.folder().join("copies");
    let change = json!({"backup": {"to": folder, "every": "12h"}});
    let changed = operator.patch("/api/admin/settings", change).await.expect(200);
    assert_eq!(changed["settings"]["backup"]["every"], "12h");
    let listed = operator.get("/api/admin/backups").await.expect(200);
    assert!(listed["nextAt"].is_string(), "{listed}");
}

#[tokio::test]
async fn on_a_private_server_everybody_has_everything_and_nothing_is_sold() {
    let server = TestServer::with(|config| config.book_limit = 1).await;
    let operator = server.operator().await;
    let reader = server.reader().await;
    let book = |title: &str| json!({"title": title, "author": "A", "status": "undated"});
    reader.post("/api/books", book("One")).await.expect(201);
    assert_eq!(reader.post("/api/books", book("Two")).await.code(403), "book_limit_reached");
    assert_eq!(reader.post("/api/teams", json!({"name": "Ours"})).await.status, 404);

    operator.patch("/api/admin/settings", json!({"instance": "private"})).await.expect(200);
    assert_eq!(server.visitor().get("/api/site").await.expect(200)["instance"], "private");
    reader.post("/api/books", book("Two")).await.expect(201);
    let current = reader.get("/api/subscriptions/current").await.expect(200);
    let subscription = &current["subscription"];
    assert_eq!((&subscription["plan"], &subscription["paid"]), (&json!("shelfwise_team"), &json!(false)));
    assert_eq!((&subscription["currentPeriodEnd"], &current["limits"]["bookLimit"]), (&json!(null), &json!(null)));
    assert_eq!(current["features"].as_array().unwrap().len(), 8);
    assert_eq!(server.visitor().get("/pricing").await.status, 404);
    assert_eq!(server.visitor().get("/api/plans").await.status, 404);
    let order = json!({"plan": "shelfwise_plus", "interval": "monthly"});
    assert_eq!(reader.post("/api/subscriptions/checkout", order).await.status, 404);

    let team = reader.post("/api/teams", json!({"name": "Ours"})).await.expect(201)["team"].clone();
    assert_eq!((&team["name"], &team["role"]), (&json!("Ours"), &json!("owner")));
    assert_eq!(reader.post("/api/teams", json!({"name": "More"})).await.code(409), "in_a_team");
    let usage = reader.get("/api/teams/seat-usage").await.expect(200)["usage"].clone();
    assert_eq!((&usage["seatLimit"], &usage["addonSeats"]), (&json!(50), &json!(0)));
    TeamOwner::of(&reader).await.admit(&operator).await;

    // Public again, what was made stays; what was given for nothing ends.
    operator.patch("/api/admin/settings", json!({"instance": "public"})).await.expect(200);
    let current = reader.get("/api/subscriptions/current").await.expect(200);
    assert_eq!((&current["subscription"]["plan"], &current["limits"]["bookCount"]), (&json!("reader"), &json!(2)));
    assert!(current["subscription"].get("paid").is_none());
    assert_eq!(reader.get("/api/teams/current").await.expect(200)["team"]["subscription"]["status"], "ended");
    assert_eq!(reader.get("/api/books").await.expect(200)["data"].as_array().unwrap().len(), 2);
    assert_eq!(server.visitor().get("/pricing").await.status, 200);
}
