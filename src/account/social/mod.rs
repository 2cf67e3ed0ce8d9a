//! Signing in through another provider: Google, GitHub, Facebook, Apple, Microsoft, and any OpenID Connect issuer that the
//! operator names.
//!
//! [`provider`] lists the configured providers, [`flow`] is a sign-in in progress, [`exchange`] builds the authorization URL and
//! exchanges codes, [`discovery`] reads a provider's published data, [`token`] checks identity tokens, `signatures` verifies their
//! signatures with ring, [`identity`] reads the identity, [`groups`] says who may come, [`store`] finds the account, [`role`] sets its
//! role, [`http_client`] makes every call, [`check`] checks the settings. Table: `identities`.
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};

use crate::config::Config;

pub mod check;
pub mod discovery;
pub mod exchange;
pub mod flow;
pub mod groups;
mod http;
pub mod http_client;
pub mod identity;
pub mod model;
pub mod provider;
mod role;
mod signatures;
pub mod store;
pub mod token;

pub use http::routes;

use discovery::Published;
use flow::{Flow, Flows};
use http_client::ProviderClient;
use identity::OAuthCallback;
use model::{Person, SignInFailure};
use provider::Provider;

/// The time limit of all calls to a provider within one request.
const LIMIT: Duration = Duration::from_secs(10);

/// The time limit of a provider's answer while a person logs out.
const AT_LEAVING: Duration = Duration::from_secs(5);

/// Every configured provider, with the data cached while the server runs.
#[derive(Clone)]
pub struct Social(Arc<State>);

struct State {
    known: Vec<ConfiguredProvider>,
    flows: Flows,
    provider_client: ProviderClient,
}

struct ConfiguredProvider {
    provider: Provider,
    published: Published,
}

impl Social {
    /// The providers in the settings. Secrets are read when they are needed.
    pub fn of(config: &Config) -> Self {
        let known = provider::all(config).into_iter();
        let known = known.map(|provider| ConfiguredProvider { provider, published: Published::default() }).collect();
        Self(Arc::new(State { known, flows: Flows::default(), provider_client: ProviderClient::default() }))
    }

    fn providers(&self) -> impl Iterator<Item = &Provider> {
        self.0.known.iter().map(|known| &known.provider)
    }

    fn find(&self, id: &str) -> Option<&ConfiguredProvider> {
        self.0.known.iter().find(|known| known.provider.id == id)
    }

    /// The URL to send a person to.
    async fn authorize_url(
        &self,
        known: &ConfiguredProvider,
        flow: &Flow,
        now: DateTime<Utc>,
    ) -> Result<String, SignInFailure> {
        let ConfiguredProvider { provider, published } = known;
        let asked = async {
            let description = match provider.is_described() {
                true => Some(published.description(&self.0.provider_client, provider, now).await?),
                false => None,
            };
            exchange::authorize_url(provider, description.as_deref(), flow)
        };
        Ok(in_time(asked).await?.into())
    }

    /// The URL that ends a person's session at a provider and then leads to `back`; `None` where the provider has no such address,
    /// does not answer in time, or is not the operator's own. Leaving Shelfwise does not end a session at Microsoft.
    pub async fn end_session_url(&self, id: &str, back: &str, now: DateTime<Utc>) -> Option<String> {
        let ConfiguredProvider { provider, published } = self.find(id).filter(|known| known.provider.is_own())?;
        let asked = published.description(&self.0.provider_client, provider, now);
        let description = match tokio::time::timeout(AT_LEAVING, asked).await {
            Ok(Ok(description)) => description,
            Ok(Err(failure)) => {
                tracing::warn!(provider = id, reason = %failure, "ending the session at the provider failed");
                return None;
            }
            Err(_) => {
                tracing::warn!(provider = id, reason = "timeout", "ending the session at the provider failed");
                return None;
            }
        };
        let mut url = description.end_session_endpoint.clone()?;
        url.query_pairs_mut()
            .append_pair("client_id", &provider.client_id)
            .append_pair("post_logout_redirect_uri", back);
        Some(url.into())
    }

    async fn person(
        &self,
        known: &ConfiguredProvider,
        flow: &Flow,
        answer: &OAuthCallback,
        now: DateTime<Utc>,
    ) -> Result<Person, SignInFailure> {
        in_time(identity::person(&self.0.provider_client, &known.provider, &known.published, flow, answer, now)).await
    }
}

async fn in_time<T>(asked: impl Future<Output = Result<T, SignInFailure>>) -> Result<T, SignInFailure> {
    let slow = |_| SignInFailure::Unavailable("the provider takes too long");
    tokio::time::timeout(LIMIT, asked).await.map_err(slow)?
}
