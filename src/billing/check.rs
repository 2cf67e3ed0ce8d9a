//! Checks the payment settings, for the operator.
use crate::access::{BillingInterval, Plan};
use crate::config::{Config, Prices};

use super::provider::{Stripe, StripeFailure};
use crate::billing::subscription_state::{price, seat_price};

/// Every key in `stripe.prices` with its price's id, if it is set.
fn named(prices: &Prices) -> Vec<(String, Option<&str>)> {
    let mut found = Vec::new();
    for interval in BillingInterval::ALL {
        for (name, plan) in [("plus", Plan::ShelfwisePlus), ("team", Plan::ShelfwiseTeam)] {
            found.push((format!("{name}_{}", interval.name()), price(prices, plan, interval)));
        }
        found.push((format!("seat_{}", interval.name()), seat_price(prices, interval)));
    }
    found
}

/// Asks the provider whether it accepts the key and knows the prices, and checks whether settings are missing.
pub async fn check(config: &Config) -> Result<String, String> {
    let settings = &config.stripe;
    let base = &settings.api_base;
    let stripe = Stripe::of_settings(config).map_err(|cause| cause.to_string())?;
    match stripe.look().await {
        Err(StripeFailure::Silent(cause)) => return Err(format!("{base} does not answer: {cause}")),
        Err(StripeFailure::Refused { status: 401, .. }) => {
            return Err(format!("{base} does not accept the secret key"));
        }
        Err(StripeFailure::Refused { status: 403, .. }) => {
            return Err(format!(
                "{base}: the key may not read subscriptions; see the operating guide for what it needs"
            ));
        }
        Err(StripeFailure::Refused { status: 500.., .. }) => return Err(format!("{base} reports an error of its own")),
        Ok(()) | Err(_) => {}
    }
    let (mut missing, mut unknown) = (Vec::new(), Vec::new());
    for (key, id) in named(&settings.prices) {
        match id {
            None => missing.push(key),
            Some(id) if is_unknown(&stripe, id).await => unknown.push(key),
            Some(_) => {}
        }
    }
    if !unknown.is_empty() {
        return Err(format!("{base} does not know the price of {}", unknown.join(", ")));
    }
    if !missing.is_empty() {
        return Err(format!("stripe.prices lacks {}: these can't be bought", missing.join(", ")));
    }
    if settings.webhook_secret.is_none() {
        return Err("stripe.webhook_secret is not set: changes at Stripe arrive here only hours later".into());
    }
    if config.own_origin().is_none() {
        return Err("public_url is not set: Stripe's pages would lead back to the listen address".into());
    }
    Ok(format!("{base} answers, and knows every price"))
}

async fn is_unknown(stripe: &Stripe, id: &str) -> bool {
    matches!(stripe.look_for_price(id).await, Err(StripeFailure::Refused { code, .. }) if code == "resource_missing")
}
