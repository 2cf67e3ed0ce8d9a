//! Paid teams: created, enlarged, handed over, ended, revived.
use serde_json::{Value, json};
use shelfwise::access::Plan;

use crate::features::billing::{buy, check_out, current, order, plan, until_ended};
use crate::support::actors::{Reader, TeamMember, TeamOwner, TestClient};
use crate::support::harness::TestServer;
use crate::support::stripe::FakeStripe;

async fn seats(person: &Reader) -> Value {
    person.get("/api/teams/seat-usage").await.expect(200)["usage"].clone()
}

async fn team(person: &Reader) -> Value {
    person.get("/api/teams/current").await.expect(200)["team"].clone()
}

async fn join(owner: &Reader, person: &Reader) -> TeamMember {
    TeamOwner::of(owner).await.admit(person).await
}

/// A team whose new owner has not paid for it yet.
struct Handover {
    /// The person who bought the plan, and is an admin now.
    former: Reader,
    owner: Reader,
    /// The subscription of the former owner.
    bought: String,
}

async fn hand_over(fake: &FakeStripe, server: &TestServer) -> Handover {
    let (former, owner) = (server.reader().await, server.reader().await);
    let bought = buy(fake, server, &former, "shelfwise_team", "monthly").await;
    join(&former, &owner).await;
    former.patch(&format!("/api/teams/members/{}/role", owner.id), json!({"role": "owner"})).await.expect(200);
    Handover { former, owner, bought }
}

#[tokio::test]
async fn a_completed_checkout_creates_a_team_with_the_requested_name() {
    let fake = FakeStripe::start().await;
    let server = fake.server().await;
    let (owner, member) = (server.reader().await, server.reader().await);
    let page = check_out(&owner, "shelfwise_team", "monthly").await;
    assert_eq!(team(&owner).await, Value::Null);
    fake.pay(&page);
    fake.deliver(&server).await;
    let made = team(&owner).await;
    assert_eq!((&made["name"], &made["role"]), (&json!("Tuesdays"), &json!("owner")));
    assert_eq!(
        made["subscription"],
        json!({"status": "active", "billingInterval": "monthly", "plan": "shelfwise_team"})
    );
    assert_eq!((&seats(&owner).await["baseSeats"], &seats(&owner).await["seatLimit"]), (&json!(6), &json!(6)));
    join(&owner, &member).await;
    assert_eq!(plan(&member).await, "shelfwise_team team active");
    for refused in [
        member.post("/api/subscriptions/cancel", json!({})).await,
        member.post("/api/subscriptions/billing-portal", json!({"returnUrl": "https://evil.test"})).await,
    ] {
        assert_eq!(refused.code(403), "team_role");
    }
    let bought = member.post("/api/subscriptions/checkout", order("shelfwise_plus", "annual")).await;
    assert_eq!(bought.code(409), "in_a_team");
}

#[tokio::test]
async fn seats_are_paid_before_they_are_added_and_removed_before_payment_stops() {
    let fake = FakeStripe::start().await;
    let server = fake.server().await;
    let owner = server.reader().await;
    let bought = buy(&fake, &server, &owner, "shelfwise_team", "annual").await;
    let set = |wanted: i64| owner.patch("/api/teams/seats", json!({"addonSeats": wanted}));
    let usage = set(3).await.expect(200)["usage"].clone();
    assert_eq!((&usage["seatLimit"], &usage["addonSeats"], &usage["baseSeats"]), (&json!(13), &json!(3), &json!(10)));
    let line = |fake: &FakeStripe| {
        let items = fake.world().subscriptions[&bought]["items"]["data"].clone();
        items
            .as_array()
            .unwrap()
            .iter()
            .map(|item| (item["price"]["id"].clone(), item["quantity"].clone()))
            .collect::<Vec<_>>()
    };
    let own = (json!("price_team_annual"), json!(1));
    assert_eq!(line(&fake), [own.clone(), (json!("price_seat_annual"), json!(3))]);
    set(5).await.expect(200);
    assert_eq!(line(&fake), [own.clone(), (json!("price_seat_annual"), json!(5))]);
    fake.world().declines = true;
    assert_eq!(set(9).await.code(409), "payment_failed");
    assert_eq!(seats(&owner).await["addonSeats"], 5);
    fake.world().declines = false;
    let team = TeamOwner::of(&owner).await;
    for number in 0..12 {
        team.invite(&format!("guest{number}@example.org")).await;
    }
    assert_eq!(set(2).await.code(409), "seats_in_use");
    assert_eq!(seats(&owner).await["addonSeats"], 5, "what is paid for stays");
    assert_eq!(set(3).await.expect(200)["usage"]["availableSeats"], 0);
    fake.feel(crate::support::stripe::Mood::Broken);
    assert_eq!(set(6).await.code(503), "billing_unavailable");
    fake.feel(crate::support::stripe::Mood::Well);
    assert_eq!(seats(&owner).await["addonSeats"], 3);
    // The other interval has seats at its own price, and fewer of the plan.
    check_out(&owner, "shelfwise_team", "monthly").await;
    assert_eq!(line(&fake), [(json!("price_team_monthly"), json!(1)), (json!("price_seat_monthly"), json!(3))]);
    assert_eq!((&seats(&owner).await["seatLimit"], &seats(&owner).await["availableSeats"]), (&json!(9), &json!(0)));
    assert_eq!(set(1_001).await.fields(), ["addonSeats"]);
}

#[tokio::test]
async fn plus_becomes_a_team_and_a_team_plus_by_changing_one_subscription() {
    let fake = FakeStripe::start().await;
    let server = fake.server().await;
    let (owner, member) = (server.reader().await, server.reader().await);
    let bought = buy(&fake, &server, &owner, "shelfwise_plus", "monthly").await;
    check_out(&owner, "shelfwise_team", "monthly").await;
    assert_eq!(team(&owner).await["name"], "Tuesdays");
    join(&owner, &member).await;
    owner.patch("/api/teams/seats", json!({"addonSeats": 2})).await.expect(200);
    check_out(&owner, "shelfwise_plus", "monthly").await;
    assert_eq!(plan(&owner).await, "shelfwise_plus stripe active");
    assert_eq!(plan(&member).await, "reader none active");
    assert_eq!(team(&member).await["subscription"]["status"], "ended");
    let invited = owner.post("/api/teams/invite", json!({"email": "late@example.org"})).await;
    assert_eq!(invited.code(409), "team_unpaid");
    let items = fake.world().subscriptions[&bought]["items"]["data"].clone();
    assert_eq!(items.as_array().unwrap().len(), 1, "the seats are not paid for any more: {items}");
    // Paid again, it is the same team.
    let former = team(&owner).await["id"].clone();
    check_out(&owner, "shelfwise_team", "annual").await;
    assert_eq!((&team(&owner).await["id"], &team(&owner).await["name"]), (&former, &json!("Tuesdays")));
    assert_eq!(plan(&member).await, "shelfwise_team team active");
    assert_eq!(fake.world().subscriptions.len(), 1);
}

#[tokio::test]
async fn no_seat_in_use_goes_unpaid_when_a_plan_with_fewer_is_ordered() {
    let fake = FakeStripe::start().await;
    let server = fake.server().await;
    let owner = server.reader().await;
    let bought = buy(&fake, &server, &owner, "shelfwise_team", "annual").await;
    for _ in 0..6 {
        join(&owner, &server.reader().await).await;
    }
    let late = server.reader().await;
    let link = TeamOwner::of(&owner).await.invite(&late.email).await;
    let monthly = || owner.post("/api/subscriptions/checkout", order("shelfwise_team", "monthly"));
    assert_eq!(monthly().await.code(409), "seats_in_use");
    // Not by way of another plan either.
    check_out(&owner, "shelfwise_plus", "annual").await;
    assert_eq!(monthly().await.code(409), "seats_in_use");
    check_out(&owner, "shelfwise_team", "annual").await;
    // A seat that is paid for comes along.
    owner.patch("/api/teams/seats", json!({"addonSeats": 1})).await.expect(200);
    check_out(&owner, "shelfwise_team", "monthly").await;
    let of = |usage: Value| (usage["addonSeats"].clone(), usage["currentMembers"].clone());
    assert_eq!(of(seats(&owner).await), (json!(1), json!(7)));
    // Who was invited when there were more seats comes too late.
    let accepted = late.post(&format!("/api/invitations/{link}/accept"), json!({})).await;
    assert_eq!(accepted.code(409), "no_seats");
    // A page of its own shows what is in use, and sells it.
    fake.world().cancel(&bought).unwrap();
    fake.deliver(&server).await;
    buy(&fake, &server, &owner, "shelfwise_team", "monthly").await;
    assert_eq!(of(seats(&owner).await), (json!(1), json!(7)));
    assert_eq!(plan(&owner).await, "shelfwise_team stripe active");
}

#[tokio::test]
async fn when_the_teams_subscription_ends_its_members_fall_back_and_a_new_one_revives_it() {
    let fake = FakeStripe::start().await;
    let server = fake.server().await;
    let (owner, member) = (server.reader().await, server.reader().await);
    let bought = buy(&fake, &server, &owner, "shelfwise_team", "monthly").await;
    join(&owner, &member).await;
    let former = team(&owner).await["id"].clone();
    fake.world().cancel(&bought).unwrap();
    fake.deliver(&server).await;
    assert_eq!((plan(&owner).await, plan(&member).await), ("reader none active".into(), "reader none active".into()));
    assert_eq!(owner.patch("/api/teams/seats", json!({"addonSeats": 1})).await.code(409), "team_unpaid");
    buy(&fake, &server, &owner, "shelfwise_team", "annual").await;
    assert_eq!(team(&owner).await["id"], former);
    assert_eq!(plan(&member).await, "shelfwise_team team active");
    assert_eq!(seats(&member).await["baseSeats"], 10);
}

#[tokio::test]
async fn after_a_team_was_handed_over_the_former_owner_pays_until_the_new_one_does() {
    let fake = FakeStripe::start().await;
    let server = fake.server().await;
    let Handover { former, owner, bought } = hand_over(&fake, &server).await;

    assert_eq!(plan(&owner).await, "shelfwise_team team active");
    assert_eq!(plan(&former).await, "shelfwise_team stripe active");
    let portal = json!({"returnUrl": "http://127.0.0.1:8080/account"});
    assert_eq!(owner.post("/api/subscriptions/cancel", json!({})).await.code(403), "team_role");
    assert_eq!(owner.post("/api/subscriptions/billing-portal", portal.clone()).await.code(403), "team_role");
    assert_eq!(owner.patch("/api/teams/seats", json!({"addonSeats": 1})).await.code(409), "other_payer");
    former.post("/api/subscriptions/billing-portal", portal).await.expect(200);
    let again = former.post("/api/subscriptions/checkout", order("shelfwise_team", "annual")).await;
    assert_eq!(again.code(409), "in_a_team");
    // An event about the former owner's payment changes nothing.
    fake.world().renew(&bought);
    fake.deliver(&server).await;
    assert_eq!(plan(&owner).await, "shelfwise_team team active");

    buy(&fake, &server, &owner, "shelfwise_team", "annual").await;
    until_ended(&fake, &bought).await;
    assert_eq!(plan(&owner).await, "shelfwise_team stripe active");
    assert_eq!(plan(&former).await, "shelfwise_team team active");
    assert_eq!(seats(&owner).await["baseSeats"], 10);
    // A late event about it changes nothing either.
    fake.deliver(&server).await;
    assert_eq!(plan(&former).await, "shelfwise_team team active");
    owner.patch("/api/teams/seats", json!({"addonSeats": 1})).await.expect(200);
}

#[tokio::test]
async fn a_former_owner_who_leaves_the_team_still_pays_for_it_and_buys_the_next_one_for_themselves() {
    let fake = FakeStripe::start().await;
    let server = fake.server().await;
    let Handover { former, owner, bought } = hand_over(&fake, &server).await;
    former.delete(&format!("/api/teams/members/{}", former.id)).await.expect(200);
    fake.world().renew(&bought);
    fake.deliver(&server).await;
    assert_eq!(plan(&owner).await, "shelfwise_team team active");
    assert_eq!(team(&former).await, Value::Null);
    fake.world().cancel(&bought).unwrap();
    fake.deliver(&server).await;
    assert_eq!(plan(&owner).await, "reader none active");
    buy(&fake, &server, &former, "shelfwise_team", "monthly").await;
    assert_eq!(team(&former).await["role"], "owner");
    assert_eq!(plan(&owner).await, "reader none active");
}

#[tokio::test]
async fn a_former_owner_stops_paying_when_the_new_owner_is_granted_the_plan() {
    let fake = FakeStripe::start().await;
    let server = fake.server().await;
    let Handover { former, owner, bought } = hand_over(&fake, &server).await;
    server.set_plan(&owner, Plan::ShelfwiseTeam).await;
    shelfwise::billing::sync::reconcile(&server.app).await.unwrap();
    assert_eq!(fake.world().subscriptions[&bought]["status"], "canceled");
    assert_eq!(plan(&owner).await, "shelfwise_team operator active");
    assert_eq!(plan(&former).await, "shelfwise_team team active");
}

#[tokio::test]
async fn other_seats_do_not_bring_a_cancelled_team_back() {
    let fake = FakeStripe::start().await;
    let server = fake.server().await;
    let owner = server.reader().await;
    buy(&fake, &server, &owner, "shelfwise_team", "monthly").await;
    owner.post("/api/subscriptions/cancel", json!({})).await.expect(200);
    owner.patch("/api/teams/seats", json!({"addonSeats": 2})).await.expect(200);
    assert_eq!(seats(&owner).await["addonSeats"], 2);
    assert_eq!(current(&owner).await["cancelAtPeriodEnd"], true);
}

#[tokio::test]
async fn a_payer_who_joins_another_team_keeps_the_plan_and_gets_a_team_later() {
    let fake = FakeStripe::start().await;
    let server = fake.server().await;
    let (owner, person) = (server.reader().await, server.reader().await);
    buy(&fake, &server, &owner, "shelfwise_team", "monthly").await;
    let page = check_out(&person, "shelfwise_team", "monthly").await;
    join(&owner, &person).await;
    let bought = fake.pay(&page);
    fake.deliver(&server).await;
    assert_eq!(team(&person).await["role"], "member");
    person.delete(&format!("/api/teams/members/{}", person.id)).await.expect(200);
    assert_eq!(plan(&person).await, "shelfwise_team stripe active");
    fake.world().renew(&bought);
    fake.deliver(&server).await;
    assert_eq!(team(&person).await["role"], "owner");
}

#[tokio::test]
async fn billing_calls_follow_the_access_matrix() {
    let fake = FakeStripe::start().await;
    let server = fake.server().await;
    let (visitor, reader, owner) = (server.visitor(), server.reader().await, server.reader().await);
    buy(&fake, &server, &owner, "shelfwise_team", "monthly").await;
    let owner = TeamOwner::of(&owner).await;
    let (admin, member) = (owner.admit(&server.reader().await).await, owner.admit(&server.reader().await).await);
    let admin = owner.promote(&admin).await;
    let people: [&TestClient; 5] = [&visitor, &reader, &member, &admin, &owner];
    let portal = || json!({"returnUrl": "http://127.0.0.1:8080/account"});
    // Anonymous, a reader, a member, an admin, and the owner, who pays.
    let rows = [
        ("/api/subscriptions/billing-portal", portal(), [401, 409, 403, 403, 200]),
        ("/api/subscriptions/billing-portal", json!({"returnUrl": "https://evil.test/"}), [401, 422, 403, 403, 422]),
        ("/api/subscriptions/checkout", json!({"plan": "reader"}), [401, 422, 422, 422, 422]),
        ("/api/subscriptions/checkout", order("shelfwise_team", "monthly"), [401, 200, 409, 409, 409]),
        ("/api/subscriptions/checkout", order("shelfwise_team", "annual"), [401, 200, 409, 409, 200]),
        ("/api/subscriptions/cancel", json!({"immediate": false}), [401, 409, 403, 403, 200]),
        ("/api/subscriptions/cancel", json!({"immediate": true}), [401, 409, 403, 403, 200]),
        ("/api/stripe/webhook", json!({}), [400, 400, 400, 400, 400]),
    ];
    for (path, body, statuses) in rows {
        for (person, status) in people.iter().zip(statuses) {
            let answer = person.post(path, body.clone()).await;
            assert_eq!(answer.status, status, "{path} {body}: {}", answer.body);
        }
    }
}
