//! Checks the sign-in providers for the operator, who would otherwise learn of problems from readers who can't sign in.

use chrono::{DateTime, Utc};

use super::discovery::Published;
use super::exchange::{self, CLIENT_REFUSED, CODE_REFUSED};
use super::flow::Flow;
use super::in_time;
use super::model::SignInFailure;
use super::provider::{self, Provider};
use crate::account::social::http_client::ProviderClient;
use crate::config::Config;

/// An invalid code for the token request: a provider checks the client before the code.
const NO_CODE: &str = "shelfwise-doctor";

/// Requests every provider's description, and checks whether the provider knows this server. Returns a sentence for each
/// section's name.
pub async fn check(config: &Config, now: DateTime<Utc>) -> Vec<(String, Result<String, String>)> {
    let (provider_client, mut found) = (ProviderClient::default(), Vec::new());
    for provider in provider::all(config) {
        let verdict = look(&provider_client, &provider, config, now).await;
        found.push((provider.id, verdict));
    }
    found
}

async fn look(
    provider_client: &ProviderClient,
    provider: &Provider,
    config: &Config,
    now: DateTime<Utc>,
) -> Result<String, String> {
    let Provider { issuer, .. } = provider;
    if config.own_origin().is_none() {
        return Err("public_url is not set: providers would send people back to the listen address".into());
    }
    let asked = async {
        let published = Published::default();
        let description = match provider.is_described() {
            true => Some(published.description(provider_client, provider, now).await?),
            false => None,
        };
        let flow = Flow::begin(&provider.id, exchange::verifier(), None, now);
        let flow = flow.map_err(|_| SignInFailure::Unavailable("the system provides no random bytes"))?;
        exchange::tokens(provider_client, provider, description.as_deref(), &flow, NO_CODE, now).await
    };
    match in_time(asked).await {
        Err(SignInFailure::Refused(CLIENT_REFUSED)) => Err(format!("{issuer}: {CLIENT_REFUSED}")),
        Err(SignInFailure::Refused(CODE_REFUSED)) => {
            Ok(format!("{issuer} answers, and accepts client_id and client_secret"))
        }
        Err(SignInFailure::Refused(reason)) if !exchange::is_about_the_code(reason) => {
            Err(format!("{issuer}: {reason}"))
        }
        Err(SignInFailure::Unavailable(reason)) => Err(format!("{issuer}: {reason}")),
        Ok(_) | Err(_) => {
            Ok(format!("{issuer} answers; it does not say whether it accepts client_id and client_secret"))
        }
    }
}
