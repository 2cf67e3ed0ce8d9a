//! The configured providers: names, addresses, and how this server authenticates to them.
use chrono::{DateTime, TimeDelta, Utc};
use oauth2::url::Url;
use ring::rand::SystemRandom;
use serde_json::json;

use super::groups::GroupRules;
use super::model::SignInFailure;
use super::token;
use crate::config::social::{Social, WELL_KNOWN, p256};
use crate::config::{Config, Secret, SignupMode};

/// How long the client secret for Apple is valid: long enough for one request.
const PROOF: TimeDelta = TimeDelta::minutes(5);

/// The protocol of a provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// OpenID Connect, from discovery to signed identity tokens.
    OpenId,
    /// The same, with an issuer for each tenant and with addresses that administrators choose freely.
    Microsoft,
    /// The same, with a signed client secret and a response posted as a form.
    Apple,
    /// OAuth 2 and a call that returns the person.
    GitHub,
    /// OAuth 2 and a call that returns the person.
    Facebook,
}

#[derive(Clone)]
pub struct Provider {
    /// The name of its section, also used in URLs.
    pub id: String,
    /// The label of its button.
    pub name: String,
    /// Its protocol.
    pub kind: Kind,
    /// Its address; the issuer for OpenID Connect.
    pub issuer: String,
    /// This server's client id.
    pub client_id: String,
    /// Where it sends people back to.
    pub redirect_uri: String,
    /// Its rules about groups.
    pub groups: GroupRules,
    /// Whether a verified address signs in to the account that has it.
    pub match_email: bool,
    /// Its section, with the secrets.
    settings: Social,
}

enum Proof {
    Secret(Secret),
    Signed { team_id: String, key_id: String, key: Secret },
}

impl Provider {
    fn of(id: &str, social: &Social, public_url: &str) -> Option<Self> {
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
            groups: GroupRules::of(social),
            match_email: social.match_email,
            settings: social.clone(),
        })
    }

    /// Whether it is the operator's own, and none of those that everybody has an account with.
    pub fn is_own(&self) -> bool {
        !WELL_KNOWN.contains(&self.id.as_str())
    }

    /// Whether it uses OpenID Connect, and so publishes its endpoints and keys.
    pub fn is_described(&self) -> bool {
        !matches!(self.kind, Kind::GitHub | Kind::Facebook)
    }

    /// Whether it posts its response as a form, which is a cross-site request without ordinary cookies.
    pub fn posts(&self) -> bool {
        self.kind == Kind::Apple
    }

    /// Which new people who come through it get an account, on a server with this `signup`.
    pub fn admits(&self, server: SignupMode) -> SignupMode {
        self.settings.admits(server)
    }

    /// A URL below the provider's address.
    pub fn below(&self, path: &str) -> Result<Url, SignInFailure> {
        let address = format!("{}{path}", self.issuer.trim_end_matches('/'));
        Url::parse(&address).map_err(|_| SignInFailure::Unavailable("the provider's address can't be read"))
    }

    /// The client secret.
    pub fn secret(&self, now: DateTime<Utc>) -> Result<String, SignInFailure> {
        let (team_id, key_id, key) = match proof(self.kind, &self.settings)
            .ok_or(SignInFailure::Unavailable("the provider's secret is missing"))?
        {
            Proof::Secret(secret) => return Ok(secret.expose().to_owned()),
            Proof::Signed { team_id, key_id, key } => (team_id, key_id, key),
        };
        let claims = json!({
            "iss": team_id, "sub": self.client_id, "aud": self.issuer,
            "iat": now.timestamp(), "exp": (now + PROOF).timestamp(),
        });
        let unusable = |_| SignInFailure::Unavailable("signing with the private key failed");
        let key = p256(&key).map_err(|_| SignInFailure::Unavailable("the private key is not valid"))?;
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

/// Every configured provider: the well-known ones first, then the operator's own by name.
pub fn all(config: &Config) -> Vec<Provider> {
    let own = config.social.keys().map(String::as_str).filter(|id| !WELL_KNOWN.contains(id));
    let public_url = config.public_url();
    WELL_KNOWN
        .into_iter()
        .chain(own)
        .filter_map(|id| Some((id, config.social.get(id)?)))
        .filter(|(id, social)| social.is_on(id))
        .filter_map(|(id, social)| Provider::of(id, social, &public_url))
        .collect()
}
