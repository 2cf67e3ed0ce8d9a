//! A payment provider for the tests, on the loopback: as much of Stripe as this program uses, with its refusals, its keys against
//! doing things twice, and its signed events. What it is held to is in `billing_outside.rs`.
pub mod form;
pub mod world;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Redirect, Response};
use ring::hmac;
use serde_json::{Value, json};
use shelfwise::config::Config;
use tokio::net::TcpListener;

use self::world::{PRICES, Refusal, World};
use crate::support::actors::{TestClient, TestResponse};
use crate::support::harness::TestServer;

/// The only key that it takes.
pub const KEY: &str = "sk_test_of_the_tests";
/// What it signs with.
pub const SIGNING: &str = "whsec_of_the_tests";

/// How it behaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mood {
    #[default]
    Well,
    /// Every call is answered with 500, undone.
    Broken,
    /// What it is asked to do is done, and never answered.
    Mute,
}

/// A call that arrived.
#[derive(Debug, Clone)]
pub struct Call {
    pub method: String,
    pub path: String,
    pub version: String,
    pub key: Option<String>,
    pub form: Value,
}

/// The provider.
#[derive(Clone)]
pub struct FakeStripe(Arc<Inside>);

struct Inside {
    base: String,
    world: Mutex<World>,
    mood: Mutex<Mood>,
    calls: Mutex<Vec<Call>>,
    /// Answers by key, with the form that each came for.
    once: Mutex<BTreeMap<String, (String, u16, Value)>>,
}

impl FakeStripe {
    /// One that nobody has bought anything from yet.
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let fake = Self(Arc::new(Inside {
            world: Mutex::new(World::at(&base)),
            base,
            mood: Mutex::default(),
            calls: Mutex::default(),
            once: Mutex::default(),
        }));
        let router = Router::new().fallback(answer).with_state(fake.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        fake
    }

    /// Sets a server up to be paid here.
    pub fn configure(&self, config: &mut Config) {
        config.stripe.secret_key = Some(KEY.to_owned().into());
        config.stripe.webhook_secret = Some(SIGNING.to_owned().into());
        config.stripe.api_base.clone_from(&self.0.base);
        let [pm, pa, tm, ta, sm, sa] = PRICES.map(|(id, _)| Some(id.to_owned()));
        let prices = &mut config.stripe.prices;
        (prices.plus_monthly, prices.plus_annual) = (pm, pa);
        (prices.team_monthly, prices.team_annual) = (tm, ta);
        (prices.seat_monthly, prices.seat_annual) = (sm, sa);
    }

    /// The same for a program.
    pub fn environment(&self) -> Vec<(String, String)> {
        let name = |key: &str| format!("SHELFWISE_STRIPE_{}", key.to_uppercase());
        let prices = PRICES.map(|(id, _)| (name(&id.replace("price_", "prices_")), id.to_owned()));
        let settings = [("secret_key", KEY), ("webhook_secret", SIGNING), ("api_base", &self.0.base)];
        settings.map(|(key, value)| (name(key), value.to_owned())).into_iter().chain(prices).collect()
    }

    /// A server that is paid here.
    pub async fn server(&self) -> TestServer {
        TestServer::with(|config| self.configure(config)).await
    }

    pub fn base(&self) -> &str {
        &self.0.base
    }

    pub fn world(&self) -> MutexGuard<'_, World> {
        self.0.world.lock().unwrap()
    }

    pub fn feel(&self, mood: Mood) {
        *self.0.mood.lock().unwrap() = mood;
    }

    /// Another account's key was put in: nothing of before is known.
    pub fn forget_everything(&self) {
        *self.world() = World::at(&self.0.base);
        self.0.once.lock().unwrap().clear();
    }

    /// The calls that arrived, by method and the beginning of the path.
    pub fn calls(&self, method: &str, path: &str) -> Vec<Call> {
        let calls = self.0.calls.lock().unwrap();
        calls.iter().filter(|call| call.method == method && call.path.starts_with(path)).cloned().collect()
    }

    /// Takes the events that were not delivered yet.
    pub fn events(&self) -> Vec<Value> {
        std::mem::take(&mut self.world().events)
    }

    /// Delivers all outstanding events to a server, in order.
    pub async fn deliver(&self, server: &TestServer) {
        let teller = server.visitor();
        for event in self.events() {
            tell(&teller, &event).await.expect(200);
        }
    }

    /// The page that a checkout led to, by its address.
    pub fn pay(&self, url: &str) -> String {
        self.world().pay(url.rsplit('/').next().unwrap())
    }

    fn handle(&self, call: &Call) -> (u16, Value) {
        let result = self.act(call);
        result.map_or_else(|refusal| (refusal.0, refused(refusal)), |done| (200, done))
    }

    fn act(&self, call: &Call) -> Result<Value, Refusal> {
        let (mut world, form) = (self.world(), &call.form);
        let missing = (404, "invalid_request_error", "resource_missing", "id");
        let parts: Vec<&str> = call.path.trim_start_matches("/v1/").split('/').collect();
        match (call.method.as_str(), parts.as_slice()) {
            ("POST", ["customers"]) => Ok(world.create_customer(form)),
            ("GET", ["customers", id]) => world.customers.get(*id).cloned().ok_or(missing),
            ("POST", ["checkout", "sessions"]) => world.create_session(form),
            ("GET", ["checkout", "sessions", id]) => world.sessions.get(*id).cloned().ok_or(missing),
            ("POST", ["checkout", "sessions", id, "expire"]) => world.expire_session(id),
            ("GET", ["subscriptions"]) => {
                let limit = form["limit"].as_str().map_or(10, |limit| limit.parse().unwrap());
                let data: Vec<_> = world.subscriptions.values().take(limit).cloned().collect();
                let more = world.subscriptions.len() > data.len();
                Ok(json!({"object": "list", "data": data, "has_more": more, "url": "/v1/subscriptions"}))
            }
            ("GET", ["subscriptions", id]) => world.subscriptions.get(*id).cloned().ok_or(missing),
            ("POST", ["subscriptions", id]) => world.update(id, form),
            ("DELETE", ["subscriptions", id]) => world.cancel(id),
            ("POST", ["billing_portal", "sessions"]) => {
                let customer = form["customer"].as_str().unwrap_or_default();
                if !world.customers.contains_key(customer) {
                    return Err((400, "invalid_request_error", "resource_missing", "customer"));
                }
                let url = format!("{}/portal/{customer}", self.0.base);
                Ok(
                    json!({"id": "bps_1", "object": "billing_portal.session", "url": url, "return_url": form["return_url"]}),
                )
            }
            ("GET", ["prices", id]) => {
                let known = PRICES.iter().any(|(price, _)| price == id);
                if known { Ok(json!({"id": id, "object": "price"})) } else { Err(missing) }
            }
            _ => Err((404, "invalid_request_error", "", "")),
        }
    }
}

fn refused((_, kind, code, param): Refusal) -> Value {
    json!({"error": {"type": kind, "code": code, "param": param, "message": "Refused by the tests' provider."}})
}

async fn answer(State(fake): State<FakeStripe>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let path = parts.uri.path().to_owned();
    if let Some(session) = path.strip_prefix("/pay/") {
        let to = fake.world().sessions[session]["success_url"].as_str().unwrap().to_owned();
        fake.pay(session);
        return Redirect::to(&to).into_response();
    }
    let text = |name: &str| parts.headers.get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
    let body = axum::body::to_bytes(body, 1 << 20).await.unwrap();
    let body = String::from_utf8(body.to_vec()).unwrap();
    let call = Call {
        method: parts.method.to_string(),
        path,
        version: text("stripe-version").unwrap_or_default(),
        key: text("idempotency-key"),
        form: form::nested(if body.is_empty() { parts.uri.query().unwrap_or_default() } else { &body }),
    };
    fake.0.calls.lock().unwrap().push(call.clone());
    if text("authorization").as_deref() != Some(&format!("Bearer {KEY}")) {
        return reply(401, refused((401, "invalid_request_error", "", "")));
    }
    let mood = *fake.0.mood.lock().unwrap();
    if mood == Mood::Broken {
        return reply(500, refused((500, "api_error", "", "")));
    }
    let (status, value) = match &call.key {
        Some(key) => {
            let mut once = fake.0.once.lock().unwrap();
            match once.get(key) {
                Some((same, status, value)) if same_form(same, &body) => (*status, value.clone()),
                Some(_) => (400, refused((400, "idempotency_error", "", ""))),
                None => {
                    let (status, value) = fake.handle(&call);
                    once.insert(key.clone(), (body, status, value.clone()));
                    (status, value)
                }
            }
        }
        None => fake.handle(&call),
    };
    if mood == Mood::Mute {
        std::future::pending::<()>().await;
    }
    reply(status, value)
}

/// The order of a form's fields does not matter.
fn same_form(one: &str, other: &str) -> bool {
    form::nested(one) == form::nested(other)
}

fn reply(status: u16, value: Value) -> Response {
    let status = StatusCode::from_u16(status).unwrap();
    (status, [(header::CONTENT_TYPE, "application/json")], value.to_string()).into_response()
}

/// The header that signs a body.
pub fn signature(secret: &str, at: i64, body: &str) -> String {
    let key = hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes());
    format!("t={at},v1={}", hex::encode(hmac::sign(&key, format!("{at}.{body}").as_bytes())))
}

/// Delivers an event to a server, with a valid signature.
pub async fn tell(teller: &TestClient, event: &Value) -> TestResponse {
    let body = event.to_string();
    tell_raw(teller, &body, &signature(SIGNING, chrono::Utc::now().timestamp(), &body)).await
}

/// Delivers any body to a server, with any signature.
pub async fn tell_raw(person: &TestClient, body: &str, signature: &str) -> TestResponse {
    let request = person.request(reqwest::Method::POST, "/api/stripe/webhook").body(body.to_owned());
    person.send(request.header("stripe-signature", signature).header("content-type", "application/json")).await
}
