//! The data of the tests' payment provider: customers, prices, checkouts, subscriptions and their events.
use std::collections::BTreeMap;

use chrono::Utc;
use serde_json::{Value, json};

use super::form::{entries, text};

/// Every price with its interval in days.
pub const PRICES: [(&str, i64); 6] = [
    ("price_plus_monthly", 30),
    ("price_plus_annual", 365),
    ("price_team_monthly", 30),
    ("price_team_annual", 365),
    ("price_seat_monthly", 30),
    ("price_seat_annual", 365),
];

const DAY: i64 = 86_400;

/// A refusal: status, kind, code, parameter.
pub type Refusal = (u16, &'static str, &'static str, &'static str);

/// Everything.
#[derive(Default)]
pub struct World {
    /// Where it listens.
    pub base: String,
    pub customers: BTreeMap<String, Value>,
    pub sessions: BTreeMap<String, Value>,
    pub subscriptions: BTreeMap<String, Value>,
    /// What happened, oldest first.
    pub events: Vec<Value>,
    /// Whether the card is refused.
    pub declines: bool,
    numbers: u32,
}

fn days(price: &str) -> Option<i64> {
    PRICES.iter().find(|(id, _)| *id == price).map(|(_, days)| *days)
}

fn interval(price: &str) -> &'static str {
    if days(price) == Some(30) { "month" } else { "year" }
}

impl World {
    /// One in which nothing has happened yet.
    pub fn at(base: &str) -> Self {
        Self { base: base.to_owned(), ..Self::default() }
    }

    fn id(&mut self, kind: &str) -> String {
        self.numbers += 1;
        format!("{kind}_test_{:04}", self.numbers)
    }

    fn event(&mut self, kind: &str, object: &Value) {
        let id = self.id("evt");
        let event = json!({"id": id, "object": "event", "type": kind, "created": Utc::now().timestamp(), "livemode": false,
            "api_version": "2026-09-30.endive", "data": {"object": object}});
        self.events.push(event);
    }

    fn tell(&mut self, kind: &str, subscription: &str) {
        let told = self.subscriptions[subscription].clone();
        self.event(&format!("customer.subscription.{kind}"), &told);
    }

    fn invoice(&mut self, kind: &str, subscription: &str) {
        let id = self.id("in");
        let customer = self.subscriptions[subscription]["customer"].clone();
        let object = json!({"id": id, "object": "invoice", "customer": customer,
            "parent": {"type": "subscription_details", "subscription_details": {"subscription": subscription}}});
        self.event(&format!("invoice.{kind}"), &object);
    }

    pub fn create_customer(&mut self, form: &Value) -> Value {
        let id = self.id("cus");
        let made = json!({"id": id, "object": "customer", "email": form["email"], "metadata": form["metadata"]});
        self.customers.insert(id, made.clone());
        made
    }

    pub fn create_session(&mut self, form: &Value) -> Result<Value, Refusal> {
        let customer = text(form, "customer").unwrap_or_default();
        if !self.customers.contains_key(customer) {
            return Err((400, "invalid_request_error", "resource_missing", "customer"));
        }
        let lines = entries(&form["line_items"]);
        if lines.is_empty() || lines.iter().any(|line| days(line["price"].as_str().unwrap_or_default()).is_none()) {
            return Err((400, "invalid_request_error", "resource_missing", "line_items[0][price]"));
        }
        if text(form, "mode") != Some("subscription") || text(form, "success_url").is_none() {
            return Err((400, "invalid_request_error", "parameter_missing", "success_url"));
        }
        let id = self.id("cs");
        let made = json!({"id": id, "object": "checkout.session", "mode": "subscription", "status": "open",
            "customer": customer, "subscription": null, "url": format!("{}/pay/{id}", self.base),
            "client_reference_id": form["client_reference_id"], "success_url": form["success_url"],
            "cancel_url": form["cancel_url"], "form": form});
        self.sessions.insert(id, made.clone());
        Ok(made)
    }

    pub fn expire_session(&mut self, id: &str) -> Result<Value, Refusal> {
        let found = self.sessions.get_mut(id).ok_or((404, "invalid_request_error", "resource_missing", "session"))?;
        if found["status"] != "open" {
            return Err((400, "invalid_request_error", "", ""));
        }
        (found["status"], found["url"]) = (json!("expired"), Value::Null);
        Ok(found.clone())
    }

    /// Somebody pays on the provider's page: the subscription's id.
    pub fn pay(&mut self, session: &str) -> String {
        let found = self.sessions[session].clone();
        assert_eq!(found["status"], "open", "this page is over");
        let now = Utc::now().timestamp();
        let id = self.id("sub");
        let mut items = Vec::new();
        for line in entries(&found["form"]["line_items"]) {
            let item = self.id("si");
            items.push(self.item(&item, line, now));
        }
        let made = json!({"id": id, "object": "subscription", "customer": found["customer"], "status": "active",
            "created": now, "cancel_at_period_end": false, "cancel_at": null, "canceled_at": null, "ended_at": null,
            "metadata": found["form"]["subscription_data"]["metadata"], "items": {"object": "list", "data": items}});
        self.subscriptions.insert(id.clone(), made);
        let session = self.sessions.get_mut(session).unwrap();
        (session["status"], session["url"]) = (json!("complete"), Value::Null);
        session["subscription"] = json!(id);
        let session = session.clone();
        self.tell("created", &id);
        self.invoice("paid", &id);
        self.event("checkout.session.completed", &session);
        id
    }

    fn item(&self, id: &str, line: &Value, from: i64) -> Value {
        let price = text(line, "price").unwrap();
        let quantity: u32 = text(line, "quantity").map_or(1, |number| number.parse().unwrap());
        json!({"id": id, "object": "subscription_item", "quantity": quantity, "current_period_start": from,
            "current_period_end": from + days(price).unwrap() * DAY,
            "price": {"id": price, "object": "price", "recurring": {"interval": interval(price)}}})
    }

    pub fn update(&mut self, id: &str, form: &Value) -> Result<Value, Refusal> {
        let missing = (404, "invalid_request_error", "resource_missing", "id");
        let mut found = self.subscriptions.get(id).cloned().ok_or(missing)?;
        if found["status"] == "canceled" {
            return Err((400, "invalid_request_error", "", ""));
        }
        if !form["items"].is_null() && self.declines {
            return Err((402, "card_error", "card_declined", ""));
        }
        let mut items = found["items"]["data"].as_array().unwrap().clone();
        for line in entries(&form["items"]) {
            let own = text(line, "id");
            let place = items.iter().position(|item| Some(item["id"].as_str().unwrap()) == own);
            if own.is_some() && place.is_none() {
                return Err((400, "invalid_request_error", "resource_missing", "items"));
            }
            if text(line, "deleted") == Some("true") {
                items.remove(place.unwrap());
                continue;
            }
            let mut wanted = line.clone();
            if let (None, Some(place)) = (text(line, "price"), place) {
                wanted["price"] = items[place]["price"]["id"].clone();
            }
            if days(text(&wanted, "price").unwrap_or_default()).is_none() {
                return Err((400, "invalid_request_error", "resource_missing", "items[0][price]"));
            }
            let name = own.map_or_else(|| self.id("si"), str::to_owned);
            let item = self.item(&name, &wanted, Utc::now().timestamp());
            match place {
                Some(place) => items[place] = item,
                None => items.push(item),
            }
        }
        // All lines of one subscription are paid for as often, and never the same price twice.
        let price = |item: &Value| item["price"]["id"].as_str().unwrap().to_owned();
        let mixed = items.iter().any(|item| interval(&price(item)) != interval(&price(&items[0])));
        let twice = (1..items.len()).any(|last| items[..last].iter().any(|item| price(item) == price(&items[last])));
        if mixed || twice || items.is_empty() {
            return Err((400, "invalid_request_error", "", "items"));
        }
        found["items"]["data"] = json!(items);
        match text(form, "cancel_at_period_end") {
            Some("true") => found["cancel_at_period_end"] = json!(true),
            Some("false") => (found["cancel_at_period_end"], found["cancel_at"]) = (json!(false), Value::Null),
            _ => {}
        }
        for (name, value) in form["metadata"].as_object().into_iter().flatten() {
            found["metadata"][name] = value.clone();
        }
        self.subscriptions.insert(id.to_owned(), found.clone());
        self.tell("updated", id);
        Ok(found)
    }

    pub fn cancel(&mut self, id: &str) -> Result<Value, Refusal> {
        let missing = (404, "invalid_request_error", "resource_missing", "id");
        let found = self.subscriptions.get(id).ok_or(missing)?;
        if found["status"] == "canceled" {
            return Err(missing);
        }
        self.set(id, |found| {
            found["status"] = json!("canceled");
            found["ended_at"] = json!(Utc::now().timestamp());
        });
        self.tell("deleted", id);
        Ok(self.subscriptions[id].clone())
    }

    /// Changes a subscription without a word to anybody.
    pub fn set(&mut self, id: &str, change: impl FnOnce(&mut Value)) {
        change(self.subscriptions.get_mut(id).unwrap());
    }

    /// The periods of a subscription's lines end in so many seconds from now, without a word to anybody.
    pub fn period_ends_in(&mut self, id: &str, seconds: i64) {
        let end = json!(Utc::now().timestamp() + seconds);
        self.set(id, |found| {
            for item in found["items"]["data"].as_array_mut().unwrap() {
                item["current_period_end"] = end.clone();
            }
        });
    }

    /// The next period begins, and is paid.
    pub fn renew(&mut self, id: &str) {
        self.period_ends_in(id, 30 * DAY);
        self.set(id, |found| found["status"] = json!("active"));
        self.tell("updated", id);
        self.invoice("paid", id);
    }

    /// The next period begins, and the card does not pay.
    pub fn fail(&mut self, id: &str) {
        self.period_ends_in(id, 30 * DAY);
        self.set(id, |found| found["status"] = json!("past_due"));
        self.tell("updated", id);
        self.invoice("payment_failed", id);
    }
}
