//! A payment provider that is down, slow or failing, and people who retry.
use std::time::{Duration, Instant};

use serde_json::json;
use shelfwise::config::Config;

use crate::features::billing::{OWN, buy, check_out, order, plan, until_ended};
use crate::support::harness::TestServer;
use crate::support::stripe::{FakeStripe, Mood};

/// What an operator has set otherwise.
type Change = fn(&mut Config);

const LIMIT: Duration = Duration::from_secs(10);

#[tokio::test]
async fn a_silent_provider_is_given_up_within_ten_seconds_and_retrying_buys_nothing_twice() {
    let fake = FakeStripe::start().await;
    let server = fake.server().await;
    let reader = server.reader().await;
    fake.feel(Mood::Mute);
    let started = Instant::now();
    // Both at once: neither waits for the other for longer.
    let twice = [order("shelfwise_plus", "annual"), order("shelfwise_plus", "annual")]
        .map(|form| reader.post("/api/subscriptions/checkout", form));
    for answer in futures_util::future::join_all(twice).await {
        assert_eq!(answer.code(503), "billing_unavailable");
    }
    assert!(started.elapsed() < LIMIT, "{:?}", started.elapsed());
    // The customer was made, the page is: the answers were lost both times.
    fake.feel(Mood::Well);
    let page = check_out(&reader, "shelfwise_plus", "annual").await;
    assert_eq!(check_out(&reader, "shelfwise_plus", "annual").await, page);
    let world = fake.world();
    assert_eq!((world.customers.len(), world.sessions.len()), (1, 1));
}

#[tokio::test]
async fn a_checkout_page_with_a_lost_address_is_reopened_under_the_same_key() {
    let fake = FakeStripe::start().await;
    let server = fake.server().await;
    let reader = server.reader().await;
    let page = check_out(&reader, "shelfwise_plus", "annual").await;
    let lost = server.db.write(|tx| Ok(tx.execute("UPDATE orders SET session_id = NULL", [])?));
    lost.await.unwrap();
    assert_eq!(check_out(&reader, "shelfwise_plus", "annual").await, page);
    let keys: Vec<_> = fake.calls("POST", "/v1/checkout/sessions").into_iter().map(|call| call.key).collect();
    assert_eq!((keys.len(), &keys[0]), (2, &keys[1]));
    assert_eq!(fake.world().sessions.len(), 1);
}

#[tokio::test]
async fn errors_and_refused_connections_report_that_payments_are_unavailable() {
    let fake = FakeStripe::start().await;
    let server = fake.server().await;
    let reader = server.reader().await;
    buy(&fake, &server, &reader, "shelfwise_plus", "monthly").await;
    fake.feel(Mood::Broken);
    let portal = json!({"returnUrl": OWN});
    for answer in [
        reader.post("/api/subscriptions/checkout", order("shelfwise_plus", "annual")).await,
        reader.post("/api/subscriptions/billing-portal", portal).await,
        reader.post("/api/subscriptions/cancel", json!({})).await,
        reader.post("/api/subscriptions/cancel", json!({"immediate": true})).await,
    ] {
        assert_eq!(answer.code(503), "billing_unavailable");
    }
    assert_eq!(plan(&reader).await, "shelfwise_plus stripe active");
    let closed = TestServer::with(|config: &mut Config| {
        fake.configure(config);
        config.stripe.api_base = "http://127.0.0.1:1".into();
    })
    .await;
    let other = closed.reader().await;
    let answer = other.post("/api/subscriptions/checkout", order("shelfwise_plus", "annual")).await;
    assert_eq!(answer.code(503), "billing_unavailable");
}

#[tokio::test]
async fn an_unknown_key_or_price_is_reported_to_the_operator() {
    let fake = FakeStripe::start().await;
    let changes: [(&str, Change); 3] = [
        ("billing_unavailable", |config| config.stripe.secret_key = Some("sk_test_wrong".to_owned().into())),
        ("billing_unavailable", |config| config.stripe.prices.plus_annual = Some("price_unknown".into())),
        ("billing_not_configured", |config| config.stripe.prices.plus_annual = None),
    ];
    for (code, change) in changes {
        let server = TestServer::with(|config| {
            fake.configure(config);
            change(config);
        })
        .await;
        let reader = server.reader().await;
        let answer = reader.post("/api/subscriptions/checkout", order("shelfwise_plus", "annual")).await;
        assert_eq!(answer.code(503), code);
    }
}

#[tokio::test]
async fn a_second_page_closes_the_first_and_of_two_paid_ones_the_newer_stays() {
    let fake = FakeStripe::start().await;
    let server = fake.server().await;
    let reader = server.reader().await;
    let first = check_out(&reader, "shelfwise_plus", "monthly").await;
    let second = check_out(&reader, "shelfwise_plus", "annual").await;
    let number = |page: &str| page.rsplit('/').next().unwrap().to_owned();
    assert_ne!(first, second);
    assert_eq!(fake.world().sessions[&number(&first)]["status"], "expired");
    assert_eq!(fake.world().customers.len(), 1);
    // However it came about: both were paid.
    fake.world().sessions.get_mut(&number(&first)).unwrap()["status"] = json!("open");
    let (old, new) = (fake.pay(&first), fake.pay(&second));
    fake.world().set(&old, |told| told["created"] = json!(told["created"].as_i64().unwrap() - 10));
    fake.deliver(&server).await;
    until_ended(&fake, &old).await;
    assert_eq!(fake.world().subscriptions[&new]["status"], "active");
    assert_eq!(plan(&reader).await, "shelfwise_plus stripe active");
}

#[tokio::test]
async fn a_customer_unknown_to_the_provider_is_created_again() {
    let fake = FakeStripe::start().await;
    let server = fake.server().await;
    let reader = server.reader().await;
    check_out(&reader, "shelfwise_plus", "monthly").await;
    fake.forget_everything();
    let page = check_out(&reader, "shelfwise_plus", "monthly").await;
    fake.pay(&page);
    fake.deliver(&server).await;
    assert_eq!(plan(&reader).await, "shelfwise_plus stripe active");
}
