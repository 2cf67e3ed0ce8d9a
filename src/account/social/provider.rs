//! The providers that the operator has set up: what they are called, where they are, and how this server proves itself to them.
use chrono::{DateTime, TimeDelta, Utc};
use oauth2::url::Url;
use ring::rand::SystemRandom;
use serde_json::json;

use super::model::SignInFailure;
use super::token;
use crate::config::social::{Social, WELL_KNOWN, p256};
use crate::config::{Config, Secret};
use crate::kit::current::CurrentConfig;

/// How long the proof for Apple is valid: long enough for one request.
const PROOF: TimeDelta = TimeDelta::minutes(5);

/// What a provider speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// OpenID Connect, from discovery to signed identity tokens.
    OpenId,
    /// The same, with an issuer for each tenant and addresses that its administrators choose freely.
    Microsoft,
    /// The same, with a signed proof in place of a secret, and the answer posted as a form.
    Apple,
    /// OAuth 2 and a call that says who it was.
    GitHub,
    /// OAuth 2 and a call that says who it was.
    Facebook,
}

/// A provider that is set up.
#[derive(Clone)]
pub struct Provider {
    /// Its section's name, and its name in addresses.
    pub id: String,
    /// What its button says.
    pub name: String,
    /// What it speaks.
    pub kind: Kind,
    /// Where it is; at OpenID Connect the issuer.
    pub issuer: String,
    /// This server's number there.
    pub client_id: String,
    /// Where it sends people back to.
    pub redirect_uri: String,
    /// The secrets, which may change while the server runs.
    current: CurrentConfig,
}

enum Proof {
    Secret(Secret),
    Signed { team_id: String, key_id: String, key: Secret },
}

impl Provider {
    fn of(id: &str, social: &Social, public_url: &str, current: &CurrentConfig) -> Option<Self> {
        let (kind, name, issuer) = match id {
            "google" => (Kind::OpenId, "Google", "https://accounts.google.com"),
            "github" => (Kind::GitHub, "GitHub", "https://github.com"),
            "facebook" => (Kind::Facebook, "Facebook", "https://www.facebook.com"),
            "apple" => (Kind::Apple, "Apple", "https://appleid.apple.com"),
            "microsoft" => (Kind::Microsoft, "Microsoft", "https://login.microsoftonline.com/common/v2.0"),
            own => (Kind::OpenId, own, ""),
        };
        proof(kind, social)?;
        Some(Self {
            id: id.to_owned(),
            name: social.name.clone().unwrap_or_else(|| name.to_owned()),
            kind,
            issuer: social.issuer.as_ref().map_or(issuer, |issuer| issuer.as_str()).to_owned(),
            client_id: social.client_id.clone()?,
            redirect_uri: format!("{public_url}/api/auth/oauth/{id}/callback"),
            current: current.clone(),
        })
    }

    /// Whether it speaks OpenID Connect, and so publishes its addresses and keys.
    pub fn is_described(&self) -> bool {
        !matches!(self.kind, Kind::GitHub | Kind::Facebook)
    }

    /// Whether it posts its answer as a form, which comes from another site and brings no ordinary cookie along.
    pub fn posts(&self) -> bool {
        self.kind == Kind::Apple
    }

    /// An address below the provider's own.
    ///
    /// # Errors
    /// [`SignInFailure::Unavailable`] when the result is not a URL.
    pub fn below(&self, path: &str) -> Result<Url, SignInFailure> {
        let address = format!("{}{path}", self.issuer.trim_end_matches('/'));
        Url::parse(&address).map_err(|_| SignInFailure::Unavailable("the provider's address can't be read"))
    }

    /// What proves that it is this server who asks.
    ///
    /// # Errors
    /// [`SignInFailure::Unavailable`] when the key does not sign.
    pub fn secret(&self, now: DateTime<Utc>) -> Result<String, SignInFailure> {
        let settings = self.current.get();
        let proof = settings.social.get(&self.id).and_then(|social| proof(self.kind, social));
        let (team_id, key_id, key) = match proof.ok_or(SignInFailure::Unavailable("the provider's secret is gone"))? {
            Proof::Secret(secret) => return Ok(secret.expose().to_owned()),
            Proof::Signed { team_id, key_id, key } => (team_id, key_id, key),
        };
        let claims = json!({
            "iss": team_id, "sub": self.client_id, "aud": self.issuer,
            "iat": now.timestamp(), "exp": (now + PROOF).timestamp(),
        });
        let unusable = |_| SignInFailure::Unavailable("the private key does not sign");
        let key = p256(&key).map_err(|_| SignInFailure::Unavailable("the private key is none"))?;
        let text = token::unsigned(&json!({"alg": "ES256", "kid": key_id, "typ": "JWT"}), &claims);
        let signature = key.sign(&SystemRandom::new(), text.as_bytes()).map_err(unusable)?;
        Ok(token::signed(&text, signature.as_ref()))
    }
}

fn proof(kind: Kind, social: &Social) -> Option<Proof> {
    match kind {
        Kind::Apple => Some(Proof::Signed {
            team_id: social.team_id.clone()?,
            key_id: social.key_id.clone()?,
            key: social.private_key.clone()?,
        }),
        _ => Some(Proof::Secret(social.client_secret.clone()?)),
    }
}

/// Every provider that is set up: the well-known ones first, then the operator's own by name. Their secrets are read from
/// `current` whenever they are needed.
pub fn all(config: &Config, current: &CurrentConfig) -> Vec<Provider> {
    let own = config.social.keys().map(String::as_str).filter(|id| !WELL_KNOWN.contains(id));
    let public_url = config.public_url();
    WELL_KNOWN
        .into_iter()
        .chain(own)
        .filter_map(|id| Some((id, config.social.get(id)?)))
        .filter(|(id, social)| social.is_on(id))
        .filter_map(|(id, social)| Provider::of(id, social, &public_url, current))
        .collect()
}
