//! The parts of the payment provider's responses that we read. The other parts may change with its API versions.
use std::collections::HashMap;

use miniserde::Deserialize;

#[derive(Debug, Deserialize)]
pub struct Customer {
    /// `cus_...`
    pub id: String,
}

#[derive(Debug, Deserialize)]
pub struct Session {
    /// `cs_...`
    pub id: String,
    /// Where the browser goes; `None` once the session is over.
    pub url: Option<String>,
    /// `open`, `complete` or `expired`.
    pub status: Option<String>,
    /// The subscription that was bought: `sub_...`
    pub subscription: Option<String>,
}

/// The provider's pages for cards and invoices.
#[derive(Debug, Deserialize)]
pub struct Portal {
    /// Where the browser goes.
    pub url: String,
}

#[derive(Debug, Deserialize)]
pub struct Subscription {
    /// `sub_...`
    pub id: String,
    /// `cus_...`
    pub customer: String,
    /// `active`, `past_due`, `canceled` and so on.
    pub status: String,
    /// The start, in Unix seconds.
    pub created: Option<i64>,
    /// Whether it ends at the end of its period.
    pub cancel_at_period_end: Option<bool>,
    /// The end that was set, in Unix seconds.
    pub cancel_at: Option<i64>,
    /// Unix seconds; set by APIs older than 2025-03-31.
    pub current_period_end: Option<i64>,
    /// The metadata that we set.
    pub metadata: Option<HashMap<String, String>>,
    pub items: Items,
}

/// The items of a subscription.
#[derive(Debug, Deserialize)]
pub struct Items {
    /// The items, in no particular order.
    pub data: Vec<Item>,
}

/// An item of a subscription.
#[derive(Debug, Deserialize)]
pub struct Item {
    /// `si_...`
    pub id: String,
    pub quantity: Option<u32>,
    /// Unix seconds.
    pub current_period_end: Option<i64>,
    pub price: Option<Price>,
    /// The same, in APIs older than prices.
    pub plan: Option<Price>,
}

impl Item {
    /// The id of the price.
    pub fn price_id(&self) -> Option<&str> {
        self.price.as_ref().or(self.plan.as_ref()).map(|price| price.id.as_str())
    }
}

#[derive(Debug, Deserialize)]
pub struct Price {
    /// `price_...`
    pub id: String,
}

/// A response whose content is not needed.
#[derive(Debug, Deserialize)]
pub struct Anything {}
