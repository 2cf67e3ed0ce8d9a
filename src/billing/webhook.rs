//! Webhooks of the payment provider: accepted only with a valid signature, and used only as a hint to request the current state.
use chrono::{DateTime, TimeDelta, Utc};
use ring::hmac;
use serde::Deserialize;
use serde_json::Value;

use super::model::BillingRefusal;
use super::provider::Stripe;
use super::store;
use super::sync::{end_replaced_soon, sync};
use crate::kit::{App, Error, Result};

/// How old a signature may be: the tolerance of the provider's own libraries.
const TOLERANCE: TimeDelta = TimeDelta::minutes(5);

/// Whether a body was signed with a secret, and recently: `t=<unix seconds>,v1=<hex>`, with one `v1` for each secret while the
/// provider rotates them.
pub(super) fn is_signed(header: &str, body: &[u8], secret: &str, now: DateTime<Utc>) -> bool {
    let part = |wanted: &'static str| {
        header.split(',').filter_map(|part| part.split_once('=')).filter(move |(name, _)| name.trim() == wanted)
    };
    let Some((_, at)) = part("t").next() else { return false };
    let signed_at = at.trim().parse().ok().and_then(|seconds| DateTime::from_timestamp(seconds, 0));
    if signed_at.is_none_or(|signed_at| now - signed_at > TOLERANCE) {
        return false;
    }
    let key = hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes());
    let signed = [at.trim().as_bytes(), b".", body].concat();
    // In constant time, so that response times reveal nothing about the signature.
    part("v1").any(|(_, tag)| hex::decode(tag.trim()).is_ok_and(|tag| hmac::verify(&key, &signed, &tag).is_ok()))
}

/// The parts of an event that are read.
#[derive(Debug, Deserialize)]
pub(super) struct Event {
    id: String,
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    data: Data,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Data {
    object: Value,
}

impl Event {
    /// The subscription and the customer of an event; `None` for events that are ignored.
    pub(super) fn about(&self) -> Option<(&str, &str)> {
        let object = &self.data.object;
        let subscription = match self.kind.as_str() {
            "checkout.session.completed" => &object["subscription"],
            "customer.subscription.created" | "customer.subscription.updated" | "customer.subscription.deleted" => {
                object
            }
            // Since the API of 2025-03-31 an invoice's subscription is in its `parent`.
            "invoice.paid" | "invoice.payment_failed" => {
                match &object["parent"]["subscription_details"]["subscription"] {
                    Value::Null => &object["subscription"],
                    found => found,
                }
            }
            _ => return None,
        };
        Some((id(subscription)?, id(&object["customer"])?))
    }
}

/// The id of an object that is sent as an id or as a whole.
fn id(value: &Value) -> Option<&str> {
    value.as_str().or_else(|| value["id"].as_str())
}

/// Processes an event that the payment provider sends.
///
/// # Errors
/// [`BillingRefusal::NotConfigured`] without a secret; [`Error::Unreadable`] without a valid signature and for anything but an event;
/// [`Error::Internal`] when it can't be processed, so that the provider sends it again.
pub(super) async fn receive(app: &App, signature: &str, body: &[u8]) -> Result<()> {
    let config = app.current.get();
    let settings = &config.stripe;
    let secret = settings.webhook_secret.as_ref().filter(|_| settings.is_on()).ok_or(BillingRefusal::NotConfigured)?;
    if !is_signed(signature, body, secret.expose(), app.now()) {
        return Err(Error::unreadable("The signature is missing or invalid."));
    }
    let event: Event = serde_json::from_slice(body).map_err(|_| Error::unreadable("The body is not an event."))?;
    let outcome = take(app, &event).await;
    match &outcome {
        Ok(()) => app.health.webhooks.succeeded(),
        Err(_) => app.health.webhooks.failed("an event of the payment provider could not be processed"),
    }
    outcome.map_err(|cause| match cause {
        Error::Internal(cause) => Error::Internal(cause.context("processing an event of the payment provider")),
        other => Error::internal(format!("processing an event of the payment provider: {other}")),
    })?;
    end_replaced_soon(app);
    Ok(())
}

async fn take(app: &App, event: &Event) -> Result<()> {
    let Some((subscription, customer)) = event.about() else { return Ok(()) };
    let (id, customer) = (event.id.clone(), customer.to_owned());
    let whose =
        app.db.read(move |conn| Ok((store::knows_event(conn, &id)?, store::user_of_customer(conn, &customer)?)));
    let (false, Some(user_id)) = whose.await? else { return Ok(()) };
    let stripe = Stripe::of(app)?;
    let _turn = stripe.turn(&app.user_locks, user_id).await?;
    let id = event.id.clone();
    if app.db.read(move |conn| store::knows_event(conn, &id)).await? {
        return Ok(());
    }
    sync(&app.db, &stripe, user_id, subscription, Some(&event.id)).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str = "whsec_test_secret";
    const BODY: &[u8] = br#"{"id":"evt_1"}"#;
    const AT: i64 = 1_700_000_000;

    fn sign(secret: &str, at: i64, body: &[u8]) -> String {
        let key = hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes());
        hex::encode(hmac::sign(&key, &[at.to_string().as_bytes(), b".", body].concat()))
    }

    fn now() -> DateTime<Utc> {
        DateTime::from_timestamp(AT, 0).unwrap()
    }

    #[test]
    fn a_signature_holds_for_its_secret_body_and_moment_and_among_others() {
        let good = sign(SECRET, AT, BODY);
        let signed = |header: &str| is_signed(header, BODY, SECRET, now());
        assert!(signed(&format!("t={AT},v1={good}")));
        assert!(signed(&format!("t={AT},v1={},v1={good},v0=abc", "0".repeat(64))));
        assert!(signed(&format!("t={AT}, v1={}", good.to_uppercase())));
        let old = AT - 300;
        assert!(signed(&format!("t={old},v1={}", sign(SECRET, old, BODY))));
        for header in [
            String::new(),
            "t=,v1=".into(),
            format!("v1={good}"),
            format!("t={AT}"),
            format!("t={AT},v1="),
            format!("t={AT},v0={good}"),
            format!("t={},v1={good}", AT + 1),
            format!("t={AT},v1={}", &good[..63]),
            format!("t={AT},v1={}", &good[..62]),
            format!("t={AT},v1={good}00"),
            format!("t={AT},v1={}", sign("whsec_other", AT, BODY)),
            format!("t={AT},v1={}", sign("", AT, BODY)),
            format!("t={AT},v1={}", sign(SECRET, AT, b"{}")),
            format!("t={},v1={}", AT - 301, sign(SECRET, AT - 301, BODY)),
            format!("t=99999999999999999999,v1={good}"),
            format!("t=NaN,v1={good}"),
        ] {
            assert!(!signed(&header), "{header}");
        }
    }

    #[test]
    fn every_event_that_matters_names_its_subscription_old_shapes_and_whole_objects_included() {
        let about = |kind: &str, object: Value| {
            let event = Event { id: "evt_1".into(), kind: kind.into(), data: Data { object } };
            event.about().map(|(subscription, customer)| (subscription.to_owned(), customer.to_owned()))
        };
        let found = Some(("sub_1".to_owned(), "cus_1".to_owned()));
        for (kind, object) in [
            ("checkout.session.completed", r#"{"id":"cs_1","subscription":"sub_1","customer":"cus_1"}"#),
            ("customer.subscription.updated", r#"{"id":"sub_1","customer":{"id":"cus_1"}}"#),
            ("invoice.paid", r#"{"customer":"cus_1","parent":{"subscription_details":{"subscription":"sub_1"}}}"#),
            ("invoice.payment_failed", r#"{"customer":"cus_1","subscription":{"id":"sub_1"}}"#),
        ] {
            assert_eq!(about(kind, serde_json::from_str(object).unwrap()), found, "{kind}");
        }
        assert_eq!(about("invoice.paid", serde_json::from_str(r#"{"customer":"cus_1"}"#).unwrap()), None);
        assert_eq!(about("price.created", serde_json::from_str(r#"{"id":"price_1"}"#).unwrap()), None);
    }
}
