//! What the plans offer and cost.
use serde_json::json;

use crate::support::harness::TestServer;

#[tokio::test]
async fn the_operators_prices_replace_the_default_ones() {
    let server = TestServer::with(|config| {
        config.book_limit = 12;
        config.shown_prices.seat_annual = Some("9 €".into());
    })
    .await;
    let plans = server.visitor().get("/api/plans").await.expect(200);
    let offer = |plan: &str, name: &str, limit: Option<u32>, monthly: &str, annual: &str| {
        json!({"plan": plan, "name": name, "bookLimit": limit, "monthly": monthly, "annual": annual, "saving": null,
            "membersMonthly": null, "membersAnnual": null, "seatMonthly": null, "seatAnnual": null})
    };
    let mut plus = offer("shelfwise_plus", "Shelfwise Plus", None, "$2.99", "$25");
    plus["saving"] = json!("Save $11/year");
    let mut team = offer("shelfwise_team", "Shelfwise Team", None, "$5.99", "$60");
    (team["membersMonthly"], team["membersAnnual"]) = (json!(6), json!(10));
    (team["seatMonthly"], team["seatAnnual"]) = (json!("$0.99"), json!("9 €"));
    assert_eq!(plans, json!({"data": [offer("reader", "Reader", Some(12), "$0", "$0"), plus, team]}));
}

#[tokio::test]
async fn a_granted_plan_is_cancelled_at_once_and_nothing_else_can_be_cancelled() {
    let server = TestServer::start().await;
    let plus = server.plus().await;
    let cancel = || plus.post("/api/subscriptions/cancel", json!({}));
    assert_eq!(cancel().await.expect(200)["message"], "Your subscription has been canceled immediately");
    let current = plus.get("/api/subscriptions/current").await.expect(200);
    assert_eq!(
        (&current["subscription"]["plan"], &current["subscription"]["source"]),
        (&json!("reader"), &json!("none"))
    );
    assert_eq!(cancel().await.code(409), "no_subscription");
}
