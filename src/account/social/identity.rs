//! Reads a provider's callback, and the identity that the provider asserts.
use chrono::{DateTime, Utc};
use oauth2::url::Url;
use ring::hmac;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::discovery::{Description, Published};
use super::exchange::{self, Tokens, graph};
use super::flow::Flow;
use super::model::{Person, SignInFailure};
use super::provider::{Kind, Provider};
use super::token::{Claims, Expected, Unchecked, truth};
use crate::account::social::http_client::ProviderClient;

/// The tenant of Microsoft's personal accounts, whose addresses Microsoft has confirmed.
const PERSONAL_TENANT: &str = "9188040d-6c67-4c5b-b112-36a304b66dad";
/// The longest code, in bytes.
const LONGEST_CODE: usize = 4_096;

/// The parameters of a callback.
#[derive(Debug, Default)]
pub struct OAuthCallback {
    /// The state of the sign-in.
    pub state: String,
    code: Option<String>,
    error: Option<String>,
    iss: Option<String>,
    user: Option<String>,
}

impl OAuthCallback {
    /// Reads the query or the posted form. A repeated parameter counts as absent (RFC 6749 §3.1).
    pub fn read(raw: &[u8]) -> Self {
        let once = |key: &str| {
            let mut values = form_urlencoded::parse(raw).filter(|(known, _)| known == key);
            let (_, value) = values.next()?;
            values.next().is_none().then(|| value.into_owned())
        };
        let state = once("state").unwrap_or_default();
        Self { state, code: once("code"), error: once("error"), iss: once("iss"), user: once("user") }
    }

    /// Whether there is a code to exchange.
    pub fn has_code(&self) -> bool {
        self.code().is_ok()
    }

    /// The code, unless the provider or the person refused.
    fn code(&self) -> Result<&str, SignInFailure> {
        match self.error.as_deref() {
            None => {}
            Some("server_error" | "temporarily_unavailable") => {
                return Err(SignInFailure::Unavailable("the provider reports an error of its own"));
            }
            Some("access_denied" | "user_cancelled_authorize" | "user_denied" | "consent_required") => {
                return Err(SignInFailure::Cancelled);
            }
            Some(_) => return Err(SignInFailure::Refused("the provider reports an invalid request")),
        }
        let code = self.code.as_deref().filter(|code| !code.is_empty() && code.len() <= LONGEST_CODE);
        code.ok_or(SignInFailure::Refused("the provider sent no code"))
    }

    /// Refuses another provider's response before its code is sent anywhere (RFC 9207).
    fn is_from(&self, provider: &Provider, description: Option<&Description>) -> bool {
        match (self.iss.as_deref(), description) {
            (None, None) => true,
            (None, Some(description)) => !description.authorization_response_iss_parameter_supported,
            (Some(iss), None) => iss == provider.issuer || iss.starts_with(&format!("{}/", provider.issuer)),
            // Microsoft's response could name any tenant; the token says which one.
            (Some(iss), Some(description)) => match description.issuer.split_once("{tenantid}") {
                None => iss == description.issuer,
                Some((before, after)) => iss.starts_with(before) && iss.ends_with(after),
            },
        }
    }

    /// Apple sends the name once, beside the code and unsigned, which is sufficient for a display name.
    fn name(&self) -> Option<String> {
        #[derive(Default, Deserialize)]
        #[serde(default)]
        struct User {
            name: Name,
        }
        #[derive(Default, Deserialize)]
        #[serde(default, rename_all = "camelCase")]
        struct Name {
            first_name: String,
            last_name: String,
        }
        let User { name } = serde_json::from_str(self.user.as_deref()?).ok()?;
        Some(format!("{} {}", name.first_name, name.last_name))
    }
}

/// The identity behind a callback: validates the callback, exchanges the code, and reads the claims. A person in none of the allowed
/// groups is refused.
pub async fn person(
    provider_client: &ProviderClient,
    provider: &Provider,
    published: &Published,
    flow: &Flow,
    answer: &OAuthCallback,
    now: DateTime<Utc>,
) -> Result<Person, SignInFailure> {
    let person = identified(provider_client, provider, published, flow, answer, now).await?;
    if provider.groups.admit(&person.groups) { Ok(person) } else { Err(SignInFailure::NotAllowed) }
}

async fn identified(
    provider_client: &ProviderClient,
    provider: &Provider,
    published: &Published,
    flow: &Flow,
    answer: &OAuthCallback,
    now: DateTime<Utc>,
) -> Result<Person, SignInFailure> {
    let code = answer.code()?;
    let description = match provider.is_described() {
        true => Some(published.description(provider_client, provider, now).await?),
        false => None,
    };
    let description = description.as_deref();
    if !answer.is_from(provider, description) {
        return Err(SignInFailure::Refused("the response is another provider's"));
    }
    let tokens = exchange::tokens(provider_client, provider, description, flow, code, now).await?;
    match description {
        Some(description) => {
            let claims = claims(provider_client, provider, published, description, flow, &tokens, now).await?;
            let unsigned_name = answer.name().filter(|_| provider.posts());
            connected(provider_client, provider, description, claims, &tokens, unsigned_name).await
        }
        None if provider.kind == Kind::GitHub => github(provider_client, provider, &tokens).await,
        None => facebook(provider_client, provider, &tokens, now).await,
    }
}

async fn claims(
    provider_client: &ProviderClient,
    provider: &Provider,
    published: &Published,
    description: &Description,
    flow: &Flow,
    tokens: &Tokens,
    now: DateTime<Utc>,
) -> Result<Claims, SignInFailure> {
    let text = tokens.identity.as_deref().ok_or(SignInFailure::Refused("the provider gave no identity token"))?;
    let token = Unchecked::parse(text)?;
    let keys = published.keys(provider_client, &description.jwks_uri, now, |keys| token.knows(keys)).await?;
    let expected = Expected { issuer: &description.issuer, client_id: &provider.client_id, nonce: &flow.nonce, now };
    token.checked(&keys, expected)
}

/// The claims of the user info endpoint.
#[derive(Default, Deserialize)]
#[serde(default)]
struct More {
    sub: String,
    email: Option<String>,
    #[serde(deserialize_with = "truth")]
    email_verified: bool,
    name: Option<String>,
    preferred_username: Option<String>,
    #[serde(flatten)]
    more: Map<String, Value>,
}

async fn connected(
    provider_client: &ProviderClient,
    provider: &Provider,
    description: &Description,
    claims: Claims,
    tokens: &Tokens,
    unsigned_name: Option<String>,
) -> Result<Person, SignInFailure> {
    let mut verified = claims.email_verified;
    if provider.kind == Kind::Microsoft {
        // Administrators choose their people's addresses freely. Addresses of the one tenant that the operator configured are
        // trusted; those of other tenants only if Microsoft has verified the domain's owner.
        let named = !description.issuer.contains("{tenantid}");
        verified = named || claims.xms_edov || claims.tid.as_deref() == Some(PERSONAL_TENANT);
    }
    let name = claims.name.or(unsigned_name).or(claims.preferred_username);
    let mut groups = provider.groups.read(&claims.more);
    let asks = claims.email.is_none() || (groups.is_none() && provider.groups.are_set());
    let place = description.userinfo_endpoint.as_ref().filter(|_| asks && provider.kind == Kind::OpenId);
    let (mut email, mut more_name) = (claims.email, None);
    if let Some(place) = place {
        let more: More = provider_client.get(place, Some(&tokens.access)).await?;
        if more.sub != claims.sub {
            return Err(SignInFailure::Refused("the provider returned another person"));
        }
        groups = groups.or_else(|| provider.groups.read(&more.more));
        if email.is_none() {
            (email, verified) = (more.email, more.email_verified);
            more_name = more.name.or(more.preferred_username);
        }
    }
    let person = Person::new(claims.iss, claims.sub, email, verified)?.called(name.or(more_name).as_deref());
    Ok(person.in_groups(groups.unwrap_or_default()))
}

async fn github(
    provider_client: &ProviderClient,
    provider: &Provider,
    tokens: &Tokens,
) -> Result<Person, SignInFailure> {
    #[derive(Deserialize)]
    struct User {
        id: u64,
        login: String,
        name: Option<String>,
    }
    #[derive(Deserialize)]
    struct Address {
        email: String,
        primary: bool,
        verified: bool,
    }
    let api = if provider.issuer == "https://github.com" {
        "https://api.github.com".to_owned()
    } else {
        format!("{}/api/v3", provider.issuer.trim_end_matches('/'))
    };
    let place = |path: &str| {
        Url::parse(&format!("{api}{path}"))
            .map_err(|_| SignInFailure::Unavailable("the provider's address can't be read"))
    };
    let user: User = provider_client.get(&place("/user")?, Some(&tokens.access)).await?;
    let addresses: Vec<Address> = provider_client.get(&place("/user/emails")?, Some(&tokens.access)).await?;
    let primary = addresses.into_iter().find(|address| address.primary);
    let (email, verified) = primary.map_or((None, false), |address| (Some(address.email), address.verified));
    let person = Person::new(provider.issuer.clone(), user.id.to_string(), email, verified)?;
    Ok(person.called(user.name.as_deref().or(Some(&user.login))))
}

async fn facebook(
    provider_client: &ProviderClient,
    provider: &Provider,
    tokens: &Tokens,
    now: DateTime<Utc>,
) -> Result<Person, SignInFailure> {
    #[derive(Deserialize)]
    struct User {
        id: String,
        name: Option<String>,
        email: Option<String>,
    }
    // Proves that the token is used by the app for which it was issued.
    let key = hmac::Key::new(hmac::HMAC_SHA256, provider.secret(now)?.as_bytes());
    let proof = hmac::sign(&key, tokens.access.as_bytes());
    let proof = hex::encode(proof);
    let mut place = graph(provider, "/me")?;
    place.query_pairs_mut().append_pair("fields", "id,name,email").append_pair("appsecret_proof", &proof);
    let user: User = provider_client.get(&place, Some(&tokens.access)).await?;
    // Facebook sends an address only after it was confirmed.
    let verified = user.email.is_some();
    let person = Person::new(provider.issuer.clone(), user.id, user.email, verified)?;
    Ok(person.called(user.name.as_deref()))
}
