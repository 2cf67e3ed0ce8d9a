//! What we read of the payment provider's answers. All else in them may come, go and change with its versions.
use std::collections::HashMap;

use miniserde::Deserialize;

/// Somebody who pays.
#[derive(Debug, Deserialize)]
pub struct Customer {
    /// `cus_...`
    pub id: String,
}

/// The provider's page for one checkout.
#[derive(Debug, Deserialize)]
pub struct Session {
    /// `cs_...`
    pub id: String,
    /// Where the browser goes; none any more once it is over.
    pub url: Option<String>,
    /// `open`, `complete` or `expired`.
    pub status: Option<String>,
    /// What came of it: `sub_...`
    pub subscription: Option<String>,
}

/// The provider's pages for cards and invoices.
#[derive(Debug, Deserialize)]
pub struct Portal {
    /// Where the browser goes.
    pub url: String,
}

/// A subscription.
#[derive(Debug, Deserialize)]
pub struct Subscription {
    /// `sub_...`
    pub id: String,
    /// `cus_...`
    pub customer: String,
    /// `active`, `past_due`, `canceled` and so on.
    pub status: String,
    /// Unix seconds.
    pub created: Option<i64>,
    /// Whether it ends with its period.
    pub cancel_at_period_end: Option<bool>,
    /// Unix seconds of an end that was set.
    pub cancel_at: Option<i64>,
    /// Unix seconds; where the API is older than 2025-03-31.
    pub current_period_end: Option<i64>,
    /// Our own notes.
    pub metadata: Option<HashMap<String, String>>,
    /// Its lines.
    pub items: Items,
}

/// Lines of a subscription.
#[derive(Debug, Deserialize)]
pub struct Items {
    /// In no order that means anything.
    pub data: Vec<Item>,
}

/// A line of a subscription.
#[derive(Debug, Deserialize)]
pub struct Item {
    /// `si_...`
    pub id: String,
    /// How many of it.
    pub quantity: Option<u32>,
    /// Unix seconds.
    pub current_period_end: Option<i64>,
    /// What it costs.
    pub price: Option<Price>,
    /// The same, where the API is older than prices.
    pub plan: Option<Price>,
}

impl Item {
    /// The id of what it costs.
    pub fn price_id(&self) -> Option<&str> {
        self.price.as_ref().or(self.plan.as_ref()).map(|price| price.id.as_str())
    }
}

/// A price.
#[derive(Debug, Deserialize)]
pub struct Price {
    /// `price_...`
    pub id: String,
}

/// An answer of which only its coming counts.
#[derive(Debug, Deserialize)]
pub struct Anything {}
