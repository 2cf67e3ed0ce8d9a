//! The published description and keys of OpenID Connect providers, cached for an hour.
use std::sync::{Arc, Mutex, PoisonError};

use chrono::{DateTime, TimeDelta, Utc};
use oauth2::url::Url;
use serde::Deserialize;

use super::model::SignInFailure;
use super::provider::{Kind, Provider};
use super::token::KeySet;
use crate::account::social::http_client::ProviderClient;
use crate::config::social::{is_plain, is_reachable};

/// How long cached data is used. Missing keys are requested at once.
const CACHED_FOR: TimeDelta = TimeDelta::hours(1);
/// The path of the description below the issuer.
const PLACE: &str = "/.well-known/openid-configuration";

/// A provider's description (OpenID Connect Discovery §3).
#[derive(Debug, Clone, Deserialize)]
pub struct Description {
    /// The issuer of its tokens; Microsoft's contains a placeholder for the tenant.
    pub issuer: String,
    /// Where people sign in.
    pub authorization_endpoint: Url,
    /// Where codes are exchanged for tokens.
    pub token_endpoint: Url,
    /// Where its keys are published.
    pub jwks_uri: Url,
    /// Where further claims about a person are available.
    pub userinfo_endpoint: Option<Url>,
    /// Where a person's session at the provider ends (OpenID Connect RP-Initiated Logout).
    pub end_session_endpoint: Option<Url>,
    /// How this server may authenticate; in the header when absent.
    pub token_endpoint_auth_methods_supported: Option<Vec<String>>,
    /// The scopes that may be asked for.
    #[serde(default)]
    pub scopes_supported: Vec<String>,
    /// Whether each response names its issuer (RFC 9207), so that one without an issuer is from another provider.
    #[serde(default)]
    pub authorization_response_iss_parameter_supported: bool,
}

impl Description {
    fn checked(mut self, provider: &Provider) -> Result<Self, SignInFailure> {
        let bare = |issuer: &str| issuer.trim_end_matches('/').to_owned();
        let templated = provider.kind == Kind::Microsoft && self.issuer.contains("{tenantid}");
        if !templated && bare(&self.issuer) != bare(&provider.issuer) {
            return Err(SignInFailure::Refused("the provider's description names another issuer"));
        }
        let endpoints = [Some(&self.authorization_endpoint), Some(&self.token_endpoint), Some(&self.jwks_uri)];
        let plain = is_plain(&provider.issuer);
        let safe = |url: &Url| is_reachable(url.as_str()) && (plain || url.scheme() == "https");
        if !endpoints.into_iter().chain([self.userinfo_endpoint.as_ref()]).flatten().all(safe) {
            return Err(SignInFailure::Refused("the provider's description names an address without https"));
        }
        // Signing in does without this one.
        self.end_session_endpoint = self.end_session_endpoint.take().filter(safe);
        Ok(self)
    }
}

/// The cached data of a provider.
#[derive(Default)]
pub struct Published {
    description: Remembered<Description>,
    keys: Remembered<KeySet>,
}

impl Published {
    pub async fn description(
        &self,
        provider_client: &ProviderClient,
        provider: &Provider,
        now: DateTime<Utc>,
    ) -> Result<Arc<Description>, SignInFailure> {
        if let Some(known) = self.description.get(now) {
            return Ok(known);
        }
        let fetched: Description = provider_client.get(&provider.below(PLACE)?, None).await?;
        Ok(self.description.put(fetched.checked(provider)?, now))
    }

    /// The keys. Cached keys are returned if `enough` accepts them.
    pub async fn keys(
        &self,
        provider_client: &ProviderClient,
        place: &Url,
        now: DateTime<Utc>,
        enough: impl Fn(&KeySet) -> bool,
    ) -> Result<Arc<KeySet>, SignInFailure> {
        if let Some(known) = self.keys.get(now).filter(|keys| enough(keys)) {
            return Ok(known);
        }
        Ok(self.keys.put(provider_client.get(place, None).await?, now))
    }
}

struct Remembered<T>(Mutex<Option<(DateTime<Utc>, Arc<T>)>>);

impl<T> Default for Remembered<T> {
    fn default() -> Self {
        Self(Mutex::new(None))
    }
}

impl<T> Remembered<T> {
    fn get(&self, now: DateTime<Utc>) -> Option<Arc<T>> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.as_ref().filter(|(since, _)| now - *since < CACHED_FOR).map(|(_, what)| what.clone())
    }

    fn put(&self, what: T, now: DateTime<Utc>) -> Arc<T> {
        let what = Arc::new(what);
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((now, what.clone()));
        what
    }
}
