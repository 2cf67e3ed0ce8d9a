//! Preferences and the plan behind them.
use serde_json::json;
use shelfwise::access::Plan;

use crate::support::harness::TestServer;

#[tokio::test]
async fn a_reader_changes_the_theme_but_no_premium_preference() {
    let server = TestServer::start().await;
    let reader = server.reader().await;
    let answer = reader.patch("/api/preferences", json!({"theme": "dark", "timezone": "Asia/Tokyo"})).await.expect(200);
    assert_eq!(
        (&answer["preferences"]["theme"], &answer["preferences"]["timezone"]),
        (&json!("dark"), &json!("Asia/Tokyo"))
    );
    for premium in [
        json!({"theme": "light", "sepia": 0}),
        json!({"defaultFormat": "Audio"}),
        json!({"betaFeaturesEnabled": false}),
        json!({"theme": "light", "brightness": "bright"}),
        json!({"theme": "light", "defaultFormat": null}),
    ] {
        let refused = reader.patch("/api/preferences", premium).await;
        assert_eq!(refused.code(403), "premium_required");
        assert!(refused.body["error"].as_str().unwrap().contains("premium"));
    }
    assert_eq!(reader.get("/api/preferences").await.expect(200)["preferences"]["theme"], "dark");
}

#[tokio::test]
async fn a_token_does_not_begin_to_share_with_the_team() {
    let server = TestServer::start().await;
    let (_, members) = server.team(1).await;
    let member = &members[0];
    let script = member.script("read-write").await;
    let set = |shares: bool| json!({"shareWithTeam": shares, "theme": "dark"});
    assert_eq!(script.patch("/api/preferences", set(true)).await.code(403), "session_required");
    let unchanged = member.get("/api/preferences").await.expect(200)["preferences"].clone();
    assert_eq!((&unchanged["shareWithTeam"], &unchanged["theme"]), (&json!(false), &json!(null)));
    member.patch("/api/preferences", set(true)).await.expect(200);
    script.patch("/api/preferences", set(true)).await.expect(200);
    script.patch("/api/preferences", set(false)).await.expect(200);
}

#[tokio::test]
async fn premium_values_survive_a_downgrade_without_applying() {
    let server = TestServer::start().await;
    let plus = server.plus().await;
    for wrong in [json!({"brightness": null}), json!({"brightness": "bright"}), json!({"brightness": 201})] {
        assert_eq!(plus.patch("/api/preferences", wrong).await.fields(), ["brightness"]);
    }
    plus.patch("/api/preferences", json!({"sepia": 30, "defaultFormat": "eBook"})).await.expect(200);
    server.set_plan(&plus, Plan::Reader).await;
    assert_eq!(plus.get("/api/preferences").await.expect(200)["preferences"]["sepia"], 0);
    server.set_plan(&plus, Plan::ShelfwiseTeam).await;
    let back = plus.get("/api/preferences").await.expect(200);
    assert_eq!((&back["preferences"]["sepia"], &back["preferences"]["defaultFormat"]), (&json!(30), &json!("eBook")));
}

#[tokio::test]
async fn seasons_and_half_points_belong_to_every_plan() {
    let server = TestServer::start().await;
    let reader = server.reader().await;
    let before = reader.get("/api/preferences").await.expect(200);
    assert_eq!((&before["preferences"]["hemisphere"], &before["preferences"]["ratingStep"]), (&json!(null), &json!(1)));
    let changed = reader.patch("/api/preferences", json!({"hemisphere": "south", "ratingStep": 0.5})).await.expect(200);
    assert_eq!(
        (&changed["preferences"]["hemisphere"], &changed["preferences"]["ratingStep"]),
        (&json!("south"), &json!(0.5))
    );
    let kept = reader.patch("/api/preferences", json!({"theme": "dark", "ratingStep": null})).await.expect(200);
    assert_eq!(
        (&kept["preferences"]["hemisphere"], &kept["preferences"]["ratingStep"]),
        (&json!("south"), &json!(0.5))
    );
    for (wrong, field) in [
        (json!({"hemisphere": "east"}), "hemisphere"),
        (json!({"hemisphere": 1}), "hemisphere"),
        (json!({"ratingStep": 0.25}), "ratingStep"),
        (json!({"ratingStep": "1"}), "ratingStep"),
    ] {
        assert_eq!(reader.patch("/api/preferences", wrong).await.fields(), [field]);
    }
    let back = reader.patch("/api/preferences", json!({"hemisphere": null, "ratingStep": 1})).await.expect(200);
    assert_eq!((&back["preferences"]["hemisphere"], &back["preferences"]["ratingStep"]), (&json!(null), &json!(1)));
}
