//! The tests' payment provider compared with other implementations of Stripe, and our client against another emulator.
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::features::billing::{check_out, order, plan};
use crate::support::actors::Reader;
use crate::support::harness::TestServer;
use crate::support::stripe::{FakeStripe, KEY, SIGNING};

#[tokio::test]
async fn stripes_own_client_accepts_the_tests_provider_and_its_signatures_are_valid() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let modules = root.join("ui/node_modules/stripe/package.json");
    if !modules.exists() {
        return crate::support::tools::skip("stripe-client", "the stand-in for Stripe");
    }
    let fake = FakeStripe::start().await;
    let server = fake.server().await;
    let reader = server.reader().await;
    fake.pay(&check_out(&reader, "shelfwise_plus", "annual").await);
    let event = fake.events().pop().unwrap().to_string();
    let mut node = Command::new("node");
    node.arg(root.join("tests/stripe/drive.mjs")).arg(&modules);
    node.args([fake.base(), KEY, SIGNING, &format!("http://{}/api/stripe/webhook", server.address), &event]);
    let output = tokio::task::spawn_blocking(move || node.output()).await.unwrap().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    let said: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{errors}"));
    let invalid = |code: &str, status: u16| json!(["StripeInvalidRequestError", code, status]);
    assert_eq!(
        said,
        json!({
            "sameCustomer": true,
            "otherForm": ["StripeIdempotencyError", "", 400],
            "expired": "expired",
            "expiredTwice": invalid("", 400),
            "open": ["checkout.session", "open", null],
            "ledTo": [303, "http://127.0.0.1:8080/account"],
            "complete": ["complete", null],
            "subscription": ["active", "shelfwise_team", "price_team_monthly", "number"],
            "changed": [true, 2, "price_seat_monthly", 3],
            "listed": 1,
            "portal": said["portal"],
            "canceled": "canceled",
            "canceledTwice": invalid("resource_missing", 404),
            "noCustomer": invalid("resource_missing", 400),
            "noSubscription": invalid("resource_missing", 404),
            "noPrice": invalid("resource_missing", 404),
            "wrongKey": ["StripeAuthenticationError", "", 401],
            "forged": 400,
            "old": 400,
            "signed": 200,
        })
    );
    assert!(said["portal"].as_str().unwrap().contains("/portal/cus_"));
    assert_eq!(plan(&reader).await, "shelfwise_plus stripe active");
}

/// A provider that others have written, for as long as a test wants it.
struct LocalStripe {
    base: String,
    client: reqwest::Client,
    running: Child,
}

impl Drop for LocalStripe {
    fn drop(&mut self) {
        let _ = self.running.kill();
        let _ = self.running.wait();
    }
}

impl LocalStripe {
    /// Starts one on the loopback; `None` when it is not installed (`LOCALSTRIPE_PYTHON` names the Python that has it).
    async fn start() -> Option<Self> {
        let python = std::env::var("LOCALSTRIPE_PYTHON").unwrap_or_else(|_| "python3".into());
        let there = Command::new(&python).args(["-c", "import localstripe.server"]).stderr(Stdio::null()).status();
        if !there.is_ok_and(|status| status.success()) {
            crate::support::tools::skip("localstripe", "payments at another emulator");
            return None;
        }
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let program = format!(
            "import asyncio\nfrom aiohttp import web\nfrom localstripe.server import app\n\
             loop = asyncio.new_event_loop()\nasyncio.set_event_loop(loop)\n\
             web.run_app(app, host='127.0.0.1', port={port}, loop=loop, print=None)"
        );
        let running = Command::new(&python).args(["-c", &program]).stderr(Stdio::null()).spawn().unwrap();
        let base = format!("http://127.0.0.1:{port}");
        let client = reqwest::Client::new();
        let over = Instant::now() + Duration::from_secs(60);
        while client.get(format!("{base}/v1/plans")).bearer_auth(KEY).send().await.is_err() {
            assert!(Instant::now() < over, "localstripe never answered");
            tokio::task::yield_now().await;
        }
        Some(Self { base, client, running })
    }

    async fn post(&self, path: &str, form: &[(&str, &str)]) -> Value {
        let mut body = form_urlencoded::Serializer::new(String::new());
        body.extend_pairs(form);
        let request = self.client.post(format!("{}{path}", self.base)).bearer_auth(KEY);
        let request = request.header("content-type", "application/x-www-form-urlencoded").body(body.finish());
        let answer = request.send().await.unwrap();
        assert!(answer.status().is_success(), "{path}: {}", answer.text().await.unwrap());
        serde_json::from_str(&answer.text().await.unwrap()).unwrap_or_default()
    }
}

#[tokio::test]
async fn a_subscription_at_another_emulator_is_verified_by_signature_and_ended_there() {
    let Some(stripe) = LocalStripe::start().await else { return };
    let fake = FakeStripe::start().await;
    let server = TestServer::with(|config| {
        fake.configure(config);
        config.stripe.api_base.clone_from(&stripe.base);
    })
    .await;
    let reader = server.reader().await;
    let plan_form = [
        ("id", "price_plus_monthly"),
        ("amount", "0"),
        ("currency", "usd"),
        ("interval", "month"),
        ("product[name]", "Shelfwise Plus"),
    ];
    stripe.post("/v1/plans", &plan_form).await;
    let hook = format!("http://{}/api/stripe/webhook", server.address);
    stripe.post("/_config/webhooks/ours", &[("url", &hook), ("secret", SIGNING)]).await;
    // It has no checkouts, but the customer is made there before one is asked for.
    let refused = reader.post("/api/subscriptions/checkout", order("shelfwise_plus", "monthly")).await;
    assert_eq!(refused.code(503), "billing_unavailable");
    let user = reader.get("/api/auth/me").await.expect(200)["user"].clone();
    let customer = user["stripeCustomerId"].as_str().unwrap();
    let lines = [("customer", customer), ("items[0][plan]", "price_plus_monthly")];
    let bought = stripe.post("/v1/subscriptions", &lines).await;
    assert_eq!(bought["status"], "active");
    wait_for(&reader, "shelfwise_plus stripe active").await;
    let said = reader.post("/api/subscriptions/cancel", json!({})).await.expect(200);
    assert!(said["message"].as_str().unwrap().starts_with("You keep Shelfwise Plus until "), "{said}");
    reader.post("/api/subscriptions/cancel", json!({"immediate": true})).await.expect(200);
    assert_eq!(plan(&reader).await, "reader none active");
    let told = format!("{}/v1/subscriptions/{}", stripe.base, bought["id"].as_str().unwrap());
    let told: Value = stripe.client.get(told).bearer_auth(KEY).send().await.unwrap().json().await.unwrap();
    assert_eq!((&told["status"], &told["cancel_at_period_end"]), (&json!("canceled"), &json!(true)));
}

async fn wait_for(reader: &Reader, wanted: &str) {
    let over = Instant::now() + Duration::from_secs(30);
    while plan(reader).await != wanted {
        assert!(Instant::now() < over, "{wanted} never came");
        tokio::task::yield_now().await;
    }
}
