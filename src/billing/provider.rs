//! The connection to the payment provider, Stripe. Stripe's library types the requests and sets their API version. They are sent
//! with this program's HTTP client, and only the needed parts of the responses are read.
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use reqwest::{Client, header};
use serde::Deserialize;
use stripe_client_core::{CustomizedStripeRequest, StripeClient, StripeClientErr, StripeMethod, VERSION};
use tokio::sync::MutexGuard;
use tokio::time::{Instant, timeout_at};

use super::model::BillingRefusal;
use crate::config;
use crate::kit::db::user_locks::UserLocks;
use crate::kit::id::UserId;
use crate::kit::net::http_client;
use crate::kit::{App, Error, Result};

/// The time limit of all calls to the provider within one request, so that we respond within ten seconds.
const TIME_LIMIT: Duration = Duration::from_secs(9);

/// The longest response that is read, in bytes: some hundred times as much as any that is needed.
const LONGEST: usize = 4 << 20;

/// The provider, for the duration of one request.
#[derive(Debug, Clone)]
pub struct Stripe {
    client: Client,
    settings: config::Stripe,
    deadline: Instant,
}

impl Stripe {
    fn new(client: Client, settings: &config::Stripe) -> Self {
        Self { client, settings: settings.clone(), deadline: Instant::now() + TIME_LIMIT }
    }

    /// The provider of a server. Its time limit starts now.
    ///
    /// # Errors
    /// [`BillingRefusal::NotConfigured`] without a key; when no client can be made.
    pub fn of(app: &App) -> Result<Self> {
        let config = app.current.get();
        if !config.stripe.is_on() {
            return Err(BillingRefusal::NotConfigured.into());
        }
        Ok(Self::new(app.http_client.client()?, &config.stripe))
    }

    /// The provider of the settings, for a command.
    pub fn of_settings(config: &config::Config) -> Result<Self> {
        if !config.stripe.is_on() {
            return Err(BillingRefusal::NotConfigured.into());
        }
        Ok(Self::new(http_client::client()?, &config.stripe))
    }

    /// The prices in the settings.
    pub fn prices(&self) -> &config::Prices {
        &self.settings.prices
    }

    /// Waits for the user's lock within the time limit of the request.
    ///
    /// # Errors
    /// [`BillingRefusal::Unavailable`] when the turn does not come in time.
    pub async fn turn<'t>(&self, user_locks: &'t UserLocks, user_id: UserId) -> Result<MutexGuard<'t, ()>> {
        timeout_at(self.deadline, user_locks.of(user_id)).await.map_err(|_| BillingRefusal::Unavailable.into())
    }
}

/// Why a call to the provider failed.
#[derive(Debug, thiserror::Error)]
pub enum StripeFailure {
    /// There was no response, or not in time.
    #[error("no response: {0}")]
    Silent(String),
    /// It refused, with its own codes. Its message for people is left out, because it can contain an address.
    #[error("refused with {status}: {kind} {code} {param}")]
    Refused {
        status: u16,
        /// `card_error`, `invalid_request_error` and so on.
        kind: String,
        /// `resource_missing` and so on.
        code: String,
        /// The parameter that it names.
        param: String,
    },
    /// The response can't be read.
    #[error("unreadable response: {0}")]
    Unreadable(String),
}

impl StripeFailure {
    /// Whether the provider does not know the requested object.
    pub fn is_missing(&self) -> bool {
        matches!(self, Self::Refused { status: 404, code, .. } if code == "resource_missing")
    }

    /// Whether the provider does not know the customer of the request.
    pub fn is_missing_customer(&self) -> bool {
        matches!(self, Self::Refused { code, param, .. } if code == "resource_missing" && param == "customer")
    }

    /// Whether the refusal is final, so that a retry is useless.
    pub fn is_final(&self) -> bool {
        matches!(self, Self::Refused { status: 400..=499, .. })
    }

    fn is_declined(&self) -> bool {
        matches!(self, Self::Refused { kind, .. } if kind == "card_error")
    }
}

impl StripeClientErr for StripeFailure {
    fn deserialize_err(reason: impl std::fmt::Display) -> Self {
        Self::Unreadable(reason.to_string())
    }
}

impl From<StripeFailure> for Error {
    fn from(failure: StripeFailure) -> Self {
        if failure.is_declined() {
            return BillingRefusal::Declined.into();
        }
        tracing::warn!(%failure, "call to the payment provider failed");
        BillingRefusal::Unavailable.into()
    }
}

impl StripeClient for Stripe {
    type Err = StripeFailure;

    async fn execute(&self, asked: CustomizedStripeRequest) -> std::result::Result<Bytes, StripeFailure> {
        let request = self.request(asked);
        let answer = async {
            let mut response = request.send().await.map_err(silent)?;
            let (status, mut body) = (response.status(), BytesMut::new());
            while let Some(chunk) = response.chunk().await.map_err(silent)? {
                if body.len() + chunk.len() > LONGEST {
                    return Err(StripeFailure::Unreadable("too long".into()));
                }
                body.extend_from_slice(&chunk);
            }
            if status.is_success() { Ok(body.freeze()) } else { Err(refused(status.as_u16(), &body)) }
        };
        timeout_at(self.deadline, answer).await.unwrap_or_else(|_| Err(StripeFailure::Silent("too slow".into())))
    }
}

impl Stripe {
    fn request(&self, asked: CustomizedStripeRequest) -> reqwest::RequestBuilder {
        let (request, own) = asked.into_pieces();
        let mut address = format!("{}/v1{}", self.settings.api(), request.path);
        if let Some(query) = request.query.filter(|query| !query.is_empty()) {
            address.push('?');
            address.push_str(&query);
        }
        let sent = match request.method {
            StripeMethod::Get => self.client.get(address),
            StripeMethod::Post => self.client.post(address),
            StripeMethod::Delete => self.client.delete(address),
        };
        let key = self.settings.secret_key.as_ref().map_or("", config::Secret::expose);
        let mut sent = sent.bearer_auth(key).header("stripe-version", VERSION.as_str());
        if let Some(once) = own.request_strategy.and_then(|strategy| strategy.get_key()) {
            sent = sent.header("idempotency-key", once.as_str());
        }
        match request.body {
            Some(form) => sent.header(header::CONTENT_TYPE, "application/x-www-form-urlencoded").body(form),
            None => sent,
        }
    }
}

fn silent(cause: reqwest::Error) -> StripeFailure {
    let kind = if cause.is_connect() {
        "it can't be connected to"
    } else if cause.is_timeout() {
        "too slow"
    } else {
        "the connection broke"
    };
    StripeFailure::Silent(kind.into())
}

fn refused(status: u16, body: &[u8]) -> StripeFailure {
    #[derive(Default, Deserialize)]
    struct ErrorDetail {
        #[serde(rename = "type")]
        kind: Option<String>,
        code: Option<String>,
        param: Option<String>,
    }
    #[derive(Default, Deserialize)]
    struct Body {
        error: ErrorDetail,
    }
    let ErrorDetail { kind, code, param } = serde_json::from_slice::<Body>(body).unwrap_or_default().error;
    let text = |text: Option<String>| text.unwrap_or_default();
    StripeFailure::Refused { status, kind: text(kind), code: text(code), param: text(param) }
}
