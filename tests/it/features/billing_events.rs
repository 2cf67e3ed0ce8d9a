//! Webhooks of the provider: in any order, twice, never, and forged ones.
use std::collections::BTreeSet;

use chrono::Utc;
use serde_json::{Value, json};

use crate::features::billing::{buy, check_out, current, plan};
use crate::support::actors::Reader;
use crate::support::fault_table::row;
use crate::support::harness::TestServer;
use crate::support::stripe::{FakeStripe, SIGNING, signature, tell, tell_raw};
use shelfwise::kit::id::UserId;

/// What the provider says of a subscription, as the account page would show it.
fn truth(fake: &FakeStripe, id: &str) -> Value {
    let world = fake.world();
    let told = &world.subscriptions[id];
    let item = &told["items"]["data"][0];
    let price = item["price"]["id"].as_str().unwrap();
    let (plan, interval) = price.strip_prefix("price_").unwrap().split_once('_').unwrap();
    if told["status"] == "canceled" {
        return json!(["reader", null, null, false]);
    }
    let end = chrono::DateTime::from_timestamp(item["current_period_end"].as_i64().unwrap(), 0).unwrap();
    json!([format!("shelfwise_{plan}"), interval, shelfwise::kit::db::pool::instant(end), told["cancel_at_period_end"]])
}

async fn shown(person: &Reader) -> Value {
    let now = current(person).await;
    json!([now["plan"], now["billingInterval"], now["currentPeriodEnd"], now["cancelAtPeriodEnd"]])
}

/// Numbers for orders that look like chance and are the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most
    }
}

/// The twelve events of a life: bought, changed, renewed, failed, renewed, cancelled; the provider's word after each is noted.
async fn life(fake: &FakeStripe, person: &Reader) -> (String, Vec<Value>) {
    let id = fake.pay(&check_out(person, "shelfwise_plus", "monthly").await);
    {
        let mut world = fake.world();
        let item = world.subscriptions[&id]["items"]["data"][0]["id"].clone();
        let change = json!({"items": {"0": {"id": item, "price": "price_plus_annual"}}});
        world.update(&id, &change).unwrap();
        world.renew(&id);
        world.fail(&id);
        world.renew(&id);
        world.update(&id, &json!({"cancel_at_period_end": "true"})).unwrap();
        world.update(&id, &json!({"cancel_at_period_end": "false"})).unwrap();
    }
    let events = fake.events();
    assert_eq!(events.len(), 12);
    (id, events)
}

/// As many lives beside each other, as they are at the provider.
const LIVES: usize = 20;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn webhooks_in_any_order_with_duplicates_and_gaps_lead_to_the_providers_state() {
    let fake = FakeStripe::start().await;
    let server = fake.server().await;
    let mut lives = Vec::new();
    for number in 0..LIVES {
        let person = server.reader().await;
        let (id, events) = life(&fake, &person).await;
        lives.push((person, id, events, Dice(20_260_101 + number as u64)));
    }
    let rounds = lives.into_iter().map(|(person, id, events, mut dice)| {
        let (fake, server) = (&fake, &server);
        async move {
            for round in 0..1_000 / LIVES {
                turn_of_fate(fake, server, &person, &id, round).await;
                for _ in 0..1 + dice.below(18) {
                    tell(&person, &events[dice.below(events.len())]).await.expect(200);
                }
                assert_eq!(shown(&person).await, truth(fake, &id), "round {round} of {id}");
            }
        }
    });
    futures_util::future::join_all(rounds).await;
}

/// The provider stands elsewhere now, and nothing has been heard of it yet.
async fn turn_of_fate(fake: &FakeStripe, server: &TestServer, person: &Reader, id: &str, round: usize) {
    // Every tenth life has ended.
    let status = if round % 10 == 9 { "canceled" } else { "active" };
    {
        let mut world = fake.world();
        world.set(id, |told| told["status"] = json!(status));
        world.set(id, |told| told["cancel_at_period_end"] = json!(round.is_multiple_of(3)));
        world.period_ends_in(id, 1_000 + round as i64);
    }
    let user_id = person.id;
    let forget = server.db.write(move |tx| {
        tx.execute("DELETE FROM subscriptions WHERE user_id = ?1", [user_id])?;
        Ok(tx.execute("DELETE FROM stripe_events", [])?)
    });
    forget.await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_same_event_fifty_times_at_once_has_one_effect() {
    let fake = FakeStripe::start().await;
    let server = fake.server().await;
    let owner = server.reader().await;
    fake.pay(&check_out(&owner, "shelfwise_team", "monthly").await);
    let event = fake.events().pop().unwrap();
    let asked = fake.calls("GET", "/v1/subscriptions").len();
    let told = futures_util::future::join_all((0..50).map(|_| tell(&owner, &event))).await;
    assert!(told.iter().all(|answer| answer.status == 200));
    assert_eq!(fake.calls("GET", "/v1/subscriptions").len(), asked + 1);
    let counted = server.db.read(|conn| {
        let count =
            |table: &str| conn.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get::<_, i64>(0));
        Ok([count("teams")?, count("members")?, count("subscriptions")?, count("stripe_events")?])
    });
    assert_eq!(counted.await.unwrap(), [1, 1, 1, 1]);
    assert_eq!(plan(&owner).await, "shelfwise_team stripe active");
}

#[tokio::test]
async fn forged_old_unsigned_and_wrongly_signed_events_have_no_effect() {
    let fake = FakeStripe::start().await;
    let server = fake.server().await;
    let reader = server.reader().await;
    fake.pay(&check_out(&reader, "shelfwise_plus", "monthly").await);
    let event = fake.events()[0].clone();
    let (body, now) = (event.to_string(), Utc::now().timestamp());
    let good = signature(SIGNING, now, &body);
    let of = |secret: &str, at: i64, signed: &str| signature(secret, at, signed);
    let hex = good.split("v1=").nth(1).unwrap();
    let stamped = |hex: &str| format!("t={now},v1={hex}");
    let other = of("whsec_of_somebody_else", now, &body);
    let wrong = other.split("v1=").nth(1).unwrap();
    let old = of(SIGNING, now - 3_600, &body);
    let pretty = serde_json::to_string_pretty(&event).unwrap();
    let mut flipped = hex.to_owned();
    flipped.replace_range(..1, if hex.starts_with('0') { "1" } else { "0" });
    let forgeries: Vec<(String, String)> = [
        // None, or next to none.
        String::new(),
        " ".into(),
        ",".into(),
        "t=,v1=".into(),
        format!("t={now}"),
        format!("t={now},v1="),
        format!("v1={hex}"),
        format!("t,v1={hex}"),
        good.split(',').next().unwrap().to_owned(),
        // Somebody else's, nobody's, and what is like it.
        other.clone(),
        of("", now, &body),
        of("of_the_tests", now, &body),
        of(&format!("{SIGNING} "), now, &body),
        of(crate::support::stripe::KEY, now, &body),
        // Old, of another moment, or of none.
        old.clone(),
        of(SIGNING, now - 301, &body),
        of(SIGNING, 0, &body),
        of(SIGNING, -1, &body),
        of(SIGNING, i64::MAX, &body),
        old.replace(&format!("t={}", now - 3_600), &format!("t={now}")),
        format!("t={},{}", now - 3_600, good),
        format!("t={now}.0,v1={hex}"),
        format!("t=0x{now:x},v1={hex}"),
        format!("t=now,v1={hex}"),
        // Another scheme, another length, one bit of it.
        good.replace("v1=", "v0="),
        good.replace("v1=", "v2="),
        good.replace("v1=", "V1="),
        good.replace("v1=", "v1:"),
        stamped(&flipped),
        stamped(&hex[..62]),
        stamped(&hex[..63]),
        stamped(&format!("{hex}00")),
        stamped(&format!("0x{hex}")),
        stamped("é"),
        // Several, and none of them right.
        format!("t={now},v1={wrong},v1={flipped},v0={hex}"),
        format!("t={now}{}", format!(",v1={wrong}").repeat(100)),
    ]
    .into_iter()
    .map(|header| (body.clone(), header))
    // The right one of another body.
    .chain(
        [body.replace("evt_test", "evt_else"), format!("{body} "), format!("{body}\n"), pretty, String::new()]
            .map(|body| (body, good.clone())),
    )
    .chain([(body.clone(), of(SIGNING, now, &format!("{body}\n")))])
    .collect();
    for (body, header) in &forgeries {
        let answer = tell_raw(&reader, body, header).await;
        assert_eq!(answer.code(400), "unreadable", "{header}");
    }
    let unsigned = reader.request(reqwest::Method::POST, "/api/stripe/webhook").body(body.clone());
    assert_eq!(reader.send(unsigned).await.code(400), "unreadable");
    assert_eq!(plan(&reader).await, "reader none active");
    let junk = "this is no event";
    assert_eq!(tell_raw(&reader, junk, &signature(SIGNING, now, junk)).await.status, 400);
    // The real one then counts, as it does beside another secret's while the provider changes it.
    assert_eq!(tell_raw(&reader, &body, &format!("t={now},v1={wrong},v1={hex}")).await.status, 200);
    assert_eq!(plan(&reader).await, "shelfwise_plus stripe active");
    let tried = forgeries.len() + 2;
    row(
        "forged, old, unsigned and strangely signed messages of the payment provider",
        tried,
        "all refused",
        "none works",
    );
}

#[tokio::test]
async fn a_server_without_a_webhook_secret_refuses_all_webhooks() {
    let fake = FakeStripe::start().await;
    let server = TestServer::with(|config| {
        fake.configure(config);
        config.stripe.webhook_secret = None;
    })
    .await;
    let (body, now) = ("{}", Utc::now().timestamp());
    for secret in ["", SIGNING] {
        let answer = tell_raw(&server.visitor(), body, &signature(secret, now, body)).await;
        assert_eq!(answer.code(503), "billing_not_configured");
    }
}

#[tokio::test]
async fn unknown_events_are_acknowledged_and_change_nothing() {
    let fake = FakeStripe::start().await;
    let server = fake.server().await;
    let reader = server.reader().await;
    let id = buy(&fake, &server, &reader, "shelfwise_plus", "monthly").await;
    let told =
        |kind: &str, object: Value| json!({"id": format!("evt_{kind}"), "type": kind, "data": {"object": object}});
    for event in [
        told("price.created", json!({"id": "price_1"})),
        told("invoice.paid", json!({"id": "in_1", "customer": "cus_1"})),
        told("customer.subscription.updated", json!({"id": "sub_1", "customer": "cus_of_somebody_else"})),
        told("of.the.future", json!(null)),
    ] {
        tell(&reader, &event).await.expect(200);
    }
    assert_eq!(plan(&reader).await, "shelfwise_plus stripe active");
    // Another product's subscription of the same customer is none of ours.
    let customer = fake.world().subscriptions[&id]["customer"].clone();
    let mut strange = fake.world().subscriptions[&id].clone();
    (strange["id"], strange["metadata"]) = (json!("sub_strange"), json!({}));
    strange["items"]["data"][0]["price"]["id"] = json!("price_of_a_mug");
    fake.world().subscriptions.insert("sub_strange".into(), strange);
    let event = told("customer.subscription.created", json!({"id": "sub_strange", "customer": customer}));
    tell(&reader, &event).await.expect(200);
    assert_eq!(plan(&reader).await, "shelfwise_plus stripe active");
    assert_eq!(fake.world().subscriptions["sub_strange"]["status"], "active");
}

#[tokio::test]
async fn an_event_during_an_outage_is_processed_when_it_is_sent_again() {
    let fake = FakeStripe::start().await;
    let server = fake.server().await;
    let reader = server.reader().await;
    fake.pay(&check_out(&reader, "shelfwise_plus", "monthly").await);
    let event = fake.events().pop().unwrap();
    fake.feel(crate::support::stripe::Mood::Broken);
    tell(&reader, &event).await.expect(500);
    fake.feel(crate::support::stripe::Mood::Well);
    tell(&reader, &event).await.expect(200);
    assert_eq!(plan(&reader).await, "shelfwise_plus stripe active");
}

#[tokio::test]
async fn unreported_changes_are_found_by_the_daily_comparison() {
    let fake = FakeStripe::start().await;
    let server = fake.server().await;
    let mut bought = Vec::new();
    for _ in 0..3 {
        let reader = server.reader().await;
        let id = buy(&fake, &server, &reader, "shelfwise_plus", "monthly").await;
        bought.push((reader, id));
    }
    let late = server.reader().await;
    fake.pay(&check_out(&late, "shelfwise_plus", "annual").await);
    fake.world().cancel(&bought[0].1).unwrap();
    fake.world().fail(&bought[1].1);
    fake.world().subscriptions.remove(&bought[2].1);
    fake.events();
    let yesterday =
        server.db.write(|tx| Ok(tx.execute_batch("UPDATE subscriptions SET asked_at = '2020-01-01T00:00:00Z'")?));
    yesterday.await.unwrap();
    shelfwise::billing::sync::reconcile(&server.app).await.unwrap();
    let mut plans = BTreeSet::new();
    for (reader, _) in &bought {
        plans.insert(plan(reader).await);
    }
    let expected = ["reader none active", "shelfwise_plus stripe past_due"].map(str::to_owned);
    assert_eq!(plans, BTreeSet::from(expected));
    assert_eq!(plan(&late).await, "shelfwise_plus stripe active");
}

/// Lets the daily comparison come now.
async fn compare(server: &TestServer) {
    let yesterday =
        server.db.write(|tx| Ok(tx.execute_batch("UPDATE subscriptions SET asked_at = '2020-01-01T00:00:00Z'")?));
    yesterday.await.unwrap();
    shelfwise::billing::sync::reconcile(&server.app).await.unwrap();
}

#[tokio::test]
async fn a_subscription_that_the_provider_did_not_know_for_a_while_counts_again_when_it_does() {
    let fake = FakeStripe::start().await;
    let server = fake.server().await;
    let reader = server.reader().await;
    buy(&fake, &server, &reader, "shelfwise_plus", "monthly").await;
    // As with the key of another account.
    let known = std::mem::take(&mut fake.world().subscriptions);
    compare(&server).await;
    assert_eq!(plan(&reader).await, "reader none active");
    fake.world().subscriptions = known;
    compare(&server).await;
    assert_eq!(plan(&reader).await, "shelfwise_plus stripe active");
}

#[tokio::test]
async fn too_many_seats_count_as_the_maximum_and_delay_no_other_account() {
    let fake = FakeStripe::start().await;
    let server = fake.server().await;
    let (owner, reader) = (server.reader().await, server.reader().await);
    let team = buy(&fake, &server, &owner, "shelfwise_team", "monthly").await;
    let plus = buy(&fake, &server, &reader, "shelfwise_plus", "monthly").await;
    fake.world().update(&team, &json!({"items": {"0": {"price": "price_seat_monthly", "quantity": "1200"}}})).unwrap();
    fake.world().cancel(&plus).unwrap();
    fake.events();
    compare(&server).await;
    let usage = owner.get("/api/teams/seat-usage").await.expect(200)["usage"].clone();
    assert_eq!(usage["addonSeats"], 1_000);
    assert_eq!(plan(&reader).await, "reader none active");
}

#[tokio::test]
async fn one_failing_subscription_delays_no_other_account() {
    let fake = FakeStripe::start().await;
    let server = fake.server().await;
    let (first, second) = (server.reader().await, server.reader().await);
    let broken = buy(&fake, &server, &first, "shelfwise_plus", "monthly").await;
    let other = buy(&fake, &server, &second, "shelfwise_plus", "monthly").await;
    fake.world().cancel(&other).unwrap();
    fake.events();
    let due = server.db.write(move |tx| {
        tx.execute("UPDATE subscriptions SET asked_at = '2020-01-02T00:00:00Z'", [])?;
        tx.execute("UPDATE subscriptions SET asked_at = '2020-01-01T00:00:00Z' WHERE stripe_id = ?1", [&broken])?;
        let fails = format!(
            "CREATE TRIGGER broken BEFORE UPDATE ON subscriptions WHEN new.stripe_id = '{broken}'
             BEGIN SELECT raise(ABORT, 'it always fails'); END"
        );
        Ok(tx.execute_batch(&fails)?)
    });
    due.await.unwrap();
    assert!(shelfwise::billing::sync::reconcile(&server.app).await.is_err());
    assert_eq!(plan(&second).await, "reader none active");
}

#[tokio::test]
async fn fifty_simultaneous_looks_cause_one_request_to_the_provider() {
    let fake = FakeStripe::start().await;
    let server = fake.server().await;
    let reader = server.reader().await;
    buy(&fake, &server, &reader, "shelfwise_plus", "monthly").await;
    let past = server.db.write(|tx| {
        let sql = "UPDATE subscriptions SET period_end = '2020-01-01T00:00:00Z', asked_at = '2020-01-01T00:00:00Z'";
        Ok(tx.execute(sql, [])?)
    });
    past.await.unwrap();
    let asked = fake.calls("GET", "/v1/subscriptions").len();
    // All callers wait for the lock, which this test holds until all of them have read the state.
    let turn = server.app.user_locks.of(UserId(reader.id)).await;
    futures_util::future::join_all((0..50).map(|_| current(&reader))).await;
    drop(turn);
    let after_all = server.app.user_locks.of(UserId(reader.id)).await;
    assert_eq!(fake.calls("GET", "/v1/subscriptions").len(), asked + 1);
    drop(after_all);
}
