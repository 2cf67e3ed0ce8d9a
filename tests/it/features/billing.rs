//! Buying a plan, using it, and its end.
use serde_json::{Value, json};
use shelfwise::access::Plan;
use shelfwise::kit::id::UserId;

use crate::support::actors::Reader;
use crate::support::harness::TestServer;
use crate::support::stripe::FakeStripe;

/// The public address of the tests' servers.
pub const OWN: &str = "http://127.0.0.1:8080";

/// What the pricing page sends.
pub fn order(plan: &str, interval: &str) -> Value {
    json!({"plan": plan, "billingInterval": interval, "teamName": "Tuesdays", "successUrl": format!("{OWN}/account?success=true"),
        "cancelUrl": format!("{OWN}/pricing?canceled=true")})
}

/// Starts a checkout: where the browser goes.
pub async fn check_out(person: &Reader, plan: &str, interval: &str) -> String {
    let answer = person.post("/api/subscriptions/checkout", order(plan, interval)).await.expect(200);
    answer["url"].as_str().unwrap().to_owned()
}

/// Buys a plan and lets the server know: the subscription's id.
pub async fn buy(fake: &FakeStripe, server: &TestServer, person: &Reader, plan: &str, interval: &str) -> String {
    let bought = fake.pay(&check_out(person, plan, interval).await);
    fake.deliver(server).await;
    bought
}

/// Waits until a subscription is ended, which happens in the background when another took its place.
pub async fn until_ended(fake: &FakeStripe, id: &str) {
    let over = tokio::time::Instant::now() + std::time::Duration::from_secs(30);
    while fake.world().subscriptions[id]["status"] != "canceled" {
        assert!(tokio::time::Instant::now() < over, "nobody ended it");
        tokio::task::yield_now().await;
    }
}

/// What the account page shows of somebody's plan.
pub async fn current(person: &Reader) -> Value {
    person.get("/api/subscriptions/current").await.expect(200)["subscription"].clone()
}

/// Plan, source and status in one text.
pub async fn plan(person: &Reader) -> String {
    let now = current(person).await;
    let word = |key: &str| now[key].as_str().unwrap().to_owned();
    format!("{} {} {}", word("plan"), word("source"), word("status"))
}

#[tokio::test]
async fn a_reader_pays_is_on_plus_cancels_keeps_it_to_the_end_of_the_period_and_is_a_reader_again() {
    let fake = FakeStripe::start().await;
    let server = fake.server().await;
    let reader = server.reader().await;
    assert_eq!(server.visitor().get("/api/site").await.expect(200)["billing"], true);
    assert_eq!(reader.get("/api/subscriptions/current").await.expect(200)["billingEnabled"], true);

    let page = check_out(&reader, "shelfwise_plus", "annual").await;
    assert!(page.starts_with(&format!("{}/pay/", fake.base())));
    assert_eq!(plan(&reader).await, "reader none active", "nothing is paid yet");
    let bought = fake.pay(&page);
    fake.deliver(&server).await;

    let now = current(&reader).await;
    assert_eq!(plan(&reader).await, "shelfwise_plus stripe active");
    assert_eq!((&now["billingInterval"], &now["cancelAtPeriodEnd"]), (&json!("annual"), &json!(false)));
    let end: chrono::DateTime<chrono::Utc> = now["currentPeriodEnd"].as_str().unwrap().parse().unwrap();
    assert_eq!((end - chrono::Utc::now()).num_days(), 364);
    let user = reader.get("/api/auth/me").await.expect(200)["user"].clone();
    assert_eq!(user["stripeCustomerId"], fake.world().subscriptions[&bought]["customer"]);
    reader.patch("/api/preferences", json!({"sepia": 10})).await.expect(200);

    let said = reader.post("/api/subscriptions/cancel", json!({"immediate": false})).await.expect(200);
    assert!(said["message"].as_str().unwrap().starts_with("You keep Shelfwise Plus until "), "{said}");
    assert_eq!(current(&reader).await["cancelAtPeriodEnd"], true);
    reader.post("/api/subscriptions/cancel", json!({})).await.expect(200);
    assert_eq!(plan(&reader).await, "shelfwise_plus stripe active");
    fake.deliver(&server).await;

    // The period is over, and nobody says a word.
    fake.world().period_ends_in(&bought, -1);
    let id = bought.clone();
    let due = server.db.write(move |tx| {
        Ok(tx.execute("UPDATE subscriptions SET asked_at = '2020-01-01T00:00:00Z' WHERE stripe_id = ?1", [id])?)
    });
    due.await.unwrap();
    shelfwise::billing::sync::reconcile(&server.app).await.unwrap();
    assert_eq!(plan(&reader).await, "reader none active");
    assert_eq!(current(&reader).await["currentPeriodEnd"], Value::Null);
    reader.patch("/api/preferences", json!({"sepia": 10})).await.expect(403);
}

#[tokio::test]
async fn without_news_from_the_provider_a_plan_ends_when_it_must() {
    let fake = FakeStripe::start().await;
    let server = fake.server().await;
    let reader = server.reader().await;
    let bought = buy(&fake, &server, &reader, "shelfwise_plus", "monthly").await;
    let set = |column: &'static str, seconds: i64| {
        let (id, db) = (bought.clone(), server.db.clone());
        async move {
            let at = shelfwise::kit::db::pool::instant(chrono::Utc::now() + chrono::TimeDelta::seconds(seconds));
            let sql = format!("UPDATE subscriptions SET {column} = ?2 WHERE stripe_id = ?1");
            db.write(move |tx| Ok(tx.execute(&sql, (id, at))?)).await.unwrap();
        }
    };
    set("counts_until", 2).await;
    assert_eq!(plan(&reader).await, "shelfwise_plus stripe active");
    // What is remembered of a session must not outlive what is paid.
    let over = tokio::time::Instant::now() + std::time::Duration::from_secs(30);
    while plan(&reader).await != "reader none active" {
        assert!(tokio::time::Instant::now() < over, "the plan never ended");
        tokio::task::yield_now().await;
    }
    // It was only the server that heard nothing: the provider says that it goes on.
    set("asked_at", -100_000).await;
    shelfwise::billing::sync::reconcile(&server.app).await.unwrap();
    assert_eq!(plan(&reader).await, "shelfwise_plus stripe active");
}

#[tokio::test]
async fn an_unreported_renewal_is_found_when_its_reader_looks() {
    let fake = FakeStripe::start().await;
    let server = fake.server().await;
    let reader = server.reader().await;
    let bought = buy(&fake, &server, &reader, "shelfwise_plus", "monthly").await;
    let id = bought.clone();
    let past = server.db.write(move |tx| {
        let sql = "UPDATE subscriptions SET period_end = '2020-01-01T00:00:00Z', asked_at = '2020-01-01T00:00:00Z' WHERE stripe_id = ?1";
        Ok(tx.execute(sql, [id])?)
    });
    past.await.unwrap();
    let over = tokio::time::Instant::now() + std::time::Duration::from_secs(30);
    while current(&reader).await["currentPeriodEnd"].as_str().unwrap().starts_with("2020") {
        assert!(tokio::time::Instant::now() < over, "nobody asked");
        tokio::task::yield_now().await;
    }
    assert_eq!(plan(&reader).await, "shelfwise_plus stripe active");
}

#[tokio::test]
async fn an_unreported_payment_is_found_when_its_reader_comes_back() {
    let fake = FakeStripe::start().await;
    let server = fake.server().await;
    let reader = server.reader().await;
    fake.pay(&check_out(&reader, "shelfwise_plus", "monthly").await);
    fake.events();
    let asked = server.db.write(|tx| {
        let sql =
            "UPDATE orders SET asked_at = '2020-01-01T00:00:00Z', created_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now')";
        Ok(tx.execute(sql, [])?)
    });
    asked.await.unwrap();
    let over = tokio::time::Instant::now() + std::time::Duration::from_secs(30);
    while plan(&reader).await == "reader none active" {
        assert!(tokio::time::Instant::now() < over, "nobody asked");
        tokio::task::yield_now().await;
    }
    assert_eq!(plan(&reader).await, "shelfwise_plus stripe active");
}

#[tokio::test]
async fn a_failed_payment_keeps_the_plan_during_retries_and_the_last_failure_ends_it() {
    let fake = FakeStripe::start().await;
    let server = fake.server().await;
    let reader = server.reader().await;
    let bought = buy(&fake, &server, &reader, "shelfwise_plus", "monthly").await;
    fake.world().fail(&bought);
    fake.deliver(&server).await;
    assert_eq!(plan(&reader).await, "shelfwise_plus stripe past_due");
    fake.world().renew(&bought);
    fake.deliver(&server).await;
    assert_eq!(plan(&reader).await, "shelfwise_plus stripe active");
    fake.world().fail(&bought);
    fake.world().cancel(&bought).unwrap();
    fake.deliver(&server).await;
    assert_eq!(plan(&reader).await, "reader none active");
    // The same customer can buy it again.
    buy(&fake, &server, &reader, "shelfwise_plus", "annual").await;
    assert_eq!(plan(&reader).await, "shelfwise_plus stripe active");
    assert_eq!(fake.world().customers.len(), 1);
}

#[tokio::test]
async fn a_payers_subscription_is_changed_and_never_doubled() {
    let fake = FakeStripe::start().await;
    let server = fake.server().await;
    let reader = server.reader().await;
    let bought = buy(&fake, &server, &reader, "shelfwise_plus", "monthly").await;
    let again = reader.post("/api/subscriptions/checkout", order("shelfwise_plus", "monthly")).await;
    assert_eq!(again.code(409), "already_subscribed");
    assert_eq!(check_out(&reader, "shelfwise_plus", "annual").await, format!("{OWN}/account?success=true"));
    assert_eq!(current(&reader).await["billingInterval"], "annual", "at once, without a word from the provider");
    reader.post("/api/subscriptions/cancel", json!({})).await.expect(200);
    // Who changes the plan wants to keep it.
    check_out(&reader, "shelfwise_plus", "monthly").await;
    assert_eq!(current(&reader).await["cancelAtPeriodEnd"], false);
    fake.world().declines = true;
    let declined = reader.post("/api/subscriptions/checkout", order("shelfwise_plus", "annual")).await;
    assert_eq!(declined.code(409), "payment_failed");
    assert_eq!(current(&reader).await["billingInterval"], "monthly");
    fake.world().declines = false;
    check_out(&reader, "shelfwise_plus", "annual").await;
    assert_eq!(current(&reader).await["billingInterval"], "annual");
    assert_eq!(fake.world().subscriptions.keys().collect::<Vec<_>>(), [&bought]);
    assert_eq!(fake.calls("POST", "/v1/checkout/sessions").len(), 1);
}

#[tokio::test]
async fn an_immediate_cancellation_ends_the_plan_and_keeps_the_granted_one() {
    let fake = FakeStripe::start().await;
    let server = fake.server().await;
    let reader = server.reader().await;
    buy(&fake, &server, &reader, "shelfwise_plus", "monthly").await;
    server.set_plan(&reader, Plan::ShelfwiseTeam).await;
    assert_eq!(plan(&reader).await, "shelfwise_team operator active");
    let said = reader.post("/api/subscriptions/cancel", json!({"immediate": true})).await.expect(200);
    assert_eq!(said["message"], "Your subscription has been canceled immediately");
    assert_eq!(plan(&reader).await, "shelfwise_plus stripe active");
    reader.post("/api/subscriptions/cancel", json!({"immediate": true})).await.expect(200);
    assert_eq!(plan(&reader).await, "reader none active");
    let nothing = reader.post("/api/subscriptions/cancel", json!({"immediate": true})).await;
    assert_eq!(nothing.code(409), "no_subscription");
}

#[tokio::test]
async fn the_portal_opens_for_customers_and_only_returns_to_this_server() {
    let fake = FakeStripe::start().await;
    let server = fake.server().await;
    let reader = server.reader().await;
    let open = |to: &str| reader.post("/api/subscriptions/billing-portal", json!({"returnUrl": to}));
    let back = format!("{OWN}/account?tab=billing");
    assert_eq!(open(&back).await.code(409), "no_customer");
    buy(&fake, &server, &reader, "shelfwise_plus", "monthly").await;
    let url = open(&back).await.expect(200)["url"].as_str().unwrap().to_owned();
    assert!(url.starts_with(&format!("{}/portal/cus_", fake.base())));
    assert_eq!(fake.calls("POST", "/v1/billing_portal")[0].form["return_url"], back);
    assert_eq!(open("https://evil.test/").await.fields(), ["returnUrl"]);
    assert_eq!(open("").await.fields(), ["returnUrl"]);
}

#[tokio::test]
async fn an_order_is_validated_before_the_provider_is_called() {
    let fake = FakeStripe::start().await;
    let server = fake.server().await;
    let reader = server.reader().await;
    let with = |key: &str, value: Value| {
        let mut form = order("shelfwise_team", "annual");
        form[key] = value;
        reader.post("/api/subscriptions/checkout", form)
    };
    for (key, value) in [
        ("plan", json!("reader")),
        ("plan", json!("gold")),
        ("billingInterval", json!("weekly")),
        ("teamName", json!("  ")),
        ("teamName", json!(null)),
        ("successUrl", json!("https://evil.test/account?success=true")),
        ("successUrl", json!("http://127.0.0.1:8080@evil.test/")),
        ("cancelUrl", json!("//evil.test")),
    ] {
        assert_eq!(with(key, value.clone()).await.fields(), [key], "{key} {value}");
    }
    assert!(fake.calls("POST", "/").is_empty());
    assert_eq!(reader.get("/api/auth/me").await.expect(200)["user"]["stripeCustomerId"], Value::Null);
}

#[tokio::test]
async fn every_request_to_the_provider_has_a_version_and_every_purchase_a_key() {
    let fake = FakeStripe::start().await;
    let server = fake.server().await;
    let reader = server.reader().await;
    buy(&fake, &server, &reader, "shelfwise_plus", "monthly").await;
    check_out(&reader, "shelfwise_plus", "annual").await;
    for method in ["GET", "POST"] {
        let calls = fake.calls(method, "/v1/");
        assert!(!calls.is_empty());
        assert!(calls.iter().all(|call| call.version == "2026-09-30.endive"), "{calls:?}");
        assert!(calls.iter().all(|call| (method == "POST") == call.key.is_some()), "{calls:?}");
    }
    let session = &fake.calls("POST", "/v1/checkout/sessions")[0];
    assert_eq!(session.form["client_reference_id"], reader.id.to_string());
    assert_eq!(session.form["line_items"]["0"], json!({"price": "price_plus_monthly", "quantity": "1"}));
}

#[tokio::test]
async fn deleting_an_account_first_ends_its_subscription() {
    let fake = FakeStripe::start().await;
    let server = fake.server().await;
    let (reader, other) = (server.reader().await, server.reader().await);
    let bought = buy(&fake, &server, &reader, "shelfwise_plus", "monthly").await;
    fake.feel(crate::support::stripe::Mood::Broken);
    assert_eq!(reader.delete("/api/account").await.code(503), "billing_unavailable");
    assert_eq!(plan(&reader).await, "shelfwise_plus stripe active");
    fake.feel(crate::support::stripe::Mood::Well);
    reader.delete("/api/account").await.expect(204);
    assert_eq!(fake.world().subscriptions[&bought]["status"], "canceled");
    // Later events about it match no account.
    fake.deliver(&server).await;
    let left = server
        .db
        .read(|conn| Ok(conn.query_row("SELECT count(*) FROM subscriptions", [], |row| row.get::<_, i64>(0))?));
    assert_eq!(left.await.unwrap(), 0);
    // An open page is closed: nobody must pay for an account that is gone.
    let page = check_out(&other, "shelfwise_plus", "monthly").await;
    other.delete("/api/account").await.expect(204);
    assert_eq!(fake.world().sessions[page.rsplit('/').next().unwrap()]["status"], "expired");
}

#[tokio::test]
async fn deleting_an_account_also_ends_a_subscription_bought_a_moment_ago() {
    let fake = FakeStripe::start().await;
    let server = fake.server().await;
    let reader = server.reader().await;
    let bought = fake.pay(&check_out(&reader, "shelfwise_plus", "monthly").await);
    reader.delete("/api/account").await.expect(204);
    assert_eq!(fake.world().subscriptions[&bought]["status"], "canceled");
}

#[tokio::test]
async fn no_checkout_page_opens_while_the_account_is_being_deleted() {
    let fake = FakeStripe::start().await;
    let server = fake.server().await;
    let reader = server.reader().await;
    // Something is under way at the provider for them: going waits for it, and so does another page.
    let turn = server.app.user_locks.of(UserId(reader.id)).await;
    let meanwhile = async {
        for _ in 0..20 {
            reader.get("/api/auth/me").await.expect(200);
        }
        drop(turn);
    };
    let checkout = reader.post("/api/subscriptions/checkout", order("shelfwise_plus", "monthly"));
    let (left, _, ()) = futures_util::future::join3(reader.delete("/api/account"), checkout, meanwhile).await;
    left.expect(204);
    let world = fake.world();
    let open: Vec<_> = world.sessions.values().filter(|session| session["status"] == "open").collect();
    assert!(open.is_empty(), "{open:?}");
}
