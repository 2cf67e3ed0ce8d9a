//! The way out to a provider, and the code that comes back turned into tokens, which are used at once and never kept.
use chrono::{DateTime, Utc};
use oauth2::basic::{
    BasicErrorResponse, BasicErrorResponseType, BasicRevocationErrorResponse, BasicTokenIntrospectionResponse,
    BasicTokenType,
};
use oauth2::url::Url;
use oauth2::{
    AuthType, AuthUrl, AuthorizationCode, Client, ClientId, ClientSecret, CsrfToken, EndpointNotSet, EndpointSet,
    ExtraTokenFields, PkceCodeChallenge, PkceCodeVerifier, RedirectUrl, RequestTokenError, Scope,
    StandardRevocableToken, StandardTokenResponse, TokenResponse as _, TokenUrl,
};
use serde::{Deserialize, Serialize};

use super::discovery::Description;
use super::flow::Flow;
use super::model::SignInFailure;
use super::provider::{Kind, Provider};
use crate::account::social::http_client::ProviderClient;

/// The version of Facebook's interface that is asked.
pub const GRAPH: &str = "/v23.0";

/// Why a provider gives no tokens: it does not know this server, or not by this secret.
pub const CLIENT_REFUSED: &str = "the provider does not take client_id and client_secret";
/// Why a provider gives no tokens: it knows this server, but not the code.
pub const CODE_REFUSED: &str = "the provider does not take the code";

/// Why a provider gives no tokens, in its own way.
const NOT_TAKEN: &str = "the provider did not take the code";
/// Why a provider gives no tokens, where its answer says nothing.
const NO_TOKENS: &str = "the provider gave no tokens for the code";

/// Whether a reason is that of an exchange, rather than of the provider's description.
pub fn is_about_the_code(reason: &str) -> bool {
    [CLIENT_REFUSED, CODE_REFUSED, NOT_TAKEN, NO_TOKENS].contains(&reason)
}

/// What OpenID Connect adds to the answer.
#[derive(Debug, Serialize, Deserialize)]
struct IdToken {
    id_token: Option<String>,
}

impl ExtraTokenFields for IdToken {}

/// The library's client, with the two addresses that are needed here.
type Asking = Client<
    BasicErrorResponse,
    StandardTokenResponse<IdToken, BasicTokenType>,
    BasicTokenIntrospectionResponse,
    StandardRevocableToken,
    BasicRevocationErrorResponse,
    EndpointSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointSet,
>;

/// What a code was exchanged for.
pub struct Tokens {
    /// Opens what the provider says of the person.
    pub access: String,
    /// Says who it is, signed; not at plain OAuth 2.
    pub identity: Option<String>,
}

/// Where a provider is asked, and how this server proves itself there.
struct Endpoints {
    authorize: Url,
    token: Url,
    proof: AuthType,
}

impl Endpoints {
    fn of(provider: &Provider, description: Option<&Description>) -> Result<Self, SignInFailure> {
        let proof = AuthType::RequestBody;
        match (provider.kind, description) {
            (Kind::GitHub, _) => Ok(Self {
                authorize: provider.below("/login/oauth/authorize")?,
                token: provider.below("/login/oauth/access_token")?,
                proof,
            }),
            (Kind::Facebook, _) => Ok(Self {
                authorize: provider.below(&format!("{GRAPH}/dialog/oauth"))?,
                token: graph(provider, "/oauth/access_token")?,
                proof,
            }),
            (_, None) => Err(SignInFailure::Unavailable("the provider has no description")),
            (kind, Some(description)) => Ok(Self {
                authorize: description.authorization_endpoint.clone(),
                token: description.token_endpoint.clone(),
                proof: if kind == Kind::Apple { proof } else { proof_for(description) },
            }),
        }
    }
}

/// The header is the default; the body where the provider does not say that it takes it there.
fn proof_for(description: &Description) -> AuthType {
    let methods = description.token_endpoint_auth_methods_supported.as_deref();
    let header = methods.is_none_or(|methods| methods.iter().any(|method| method == "client_secret_basic"));
    if header { AuthType::BasicAuth } else { AuthType::RequestBody }
}

/// An address of Facebook's interface, which lies on another host than its pages.
pub fn graph(provider: &Provider, path: &str) -> Result<Url, SignInFailure> {
    let address = provider.below(&format!("{GRAPH}{path}"))?;
    let host = address.as_str().replacen("://www.", "://graph.", 1);
    Url::parse(&host).map_err(|_| SignInFailure::Unavailable("the provider's address can't be read"))
}

fn asking(provider: &Provider, endpoints: Endpoints, secret: String) -> Result<Asking, SignInFailure> {
    let redirect = RedirectUrl::new(provider.redirect_uri.clone());
    let redirect = redirect.map_err(|_| SignInFailure::Unavailable("public_url can't be returned to"))?;
    Ok(Client::new(ClientId::new(provider.client_id.clone()))
        .set_client_secret(ClientSecret::new(secret))
        .set_auth_uri(AuthUrl::from_url(endpoints.authorize))
        .set_token_uri(TokenUrl::from_url(endpoints.token))
        .set_redirect_uri(redirect)
        .set_auth_type(endpoints.proof))
}

/// A new word that the code is asked for with (PKCE).
pub fn verifier() -> String {
    PkceCodeChallenge::new_random_sha256().1.into_secret()
}

/// Where the person goes, to tell the provider that it is they.
///
/// # Errors
/// The provider's addresses can't be used.
pub fn authorize_url(
    provider: &Provider,
    description: Option<&Description>,
    flow: &Flow,
) -> Result<Url, SignInFailure> {
    let client = asking(provider, Endpoints::of(provider, description)?, String::new())?;
    let challenge = PkceCodeChallenge::from_code_verifier_sha256(&PkceCodeVerifier::new(flow.verifier.clone()));
    let scopes: &[&str] = match provider.kind {
        Kind::OpenId | Kind::Microsoft => &["openid", "email", "profile"],
        Kind::Apple => &["openid", "email", "name"],
        Kind::GitHub => &["read:user", "user:email"],
        Kind::Facebook => &["email", "public_profile"],
    };
    let mut request = client
        .authorize_url(|| CsrfToken::new(flow.state.clone()))
        .add_scopes(scopes.iter().map(|scope| Scope::new((*scope).to_owned())))
        .set_pkce_challenge(challenge);
    if description.is_some() {
        request = request.add_extra_param("nonce", flow.nonce.clone());
    }
    if provider.posts() {
        request = request.add_extra_param("response_mode", "form_post");
    }
    Ok(request.url().0)
}

/// What is read of a refusal that is no error by its status.
#[derive(Deserialize)]
struct ErrorWord {
    error: String,
}

/// Logs the provider's own word for a refusal (`invalid_client` is a wrong id or secret, `invalid_grant` a code that was used),
/// so far as it is such a word: its description may repeat what a person sent.
fn log_refusal(provider: &Provider, word: &str) {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    let word = if (1..=64).contains(&word.len()) && word.bytes().all(plain) { word } else { "unreadable" };
    tracing::warn!(provider = provider.id, error = word, "the provider refused to exchange an authorization code");
}

/// The tokens of a code.
///
/// # Errors
/// [`SignInFailure::Refused`] when the provider rejects it, [`SignInFailure::Unavailable`] when the provider does not answer.
pub async fn tokens(
    provider_client: &ProviderClient,
    provider: &Provider,
    description: Option<&Description>,
    flow: &Flow,
    code: &str,
    now: DateTime<Utc>,
) -> Result<Tokens, SignInFailure> {
    let client = asking(provider, Endpoints::of(provider, description)?, provider.secret(now)?)?;
    let answer = client
        .exchange_code(AuthorizationCode::new(code.to_owned()))
        .set_pkce_verifier(PkceCodeVerifier::new(flow.verifier.clone()))
        .request_async(provider_client)
        .await
        .map_err(|cause| match cause {
            RequestTokenError::Request(failure) => failure,
            RequestTokenError::ServerResponse(answer) => {
                log_refusal(provider, answer.error().as_ref());
                SignInFailure::Refused(match answer.error() {
                    BasicErrorResponseType::InvalidClient | BasicErrorResponseType::UnauthorizedClient => {
                        CLIENT_REFUSED
                    }
                    BasicErrorResponseType::InvalidGrant => CODE_REFUSED,
                    _ => NOT_TAKEN,
                })
            }
            // GitHub says what is wrong in an answer of 200, and others in pages for people.
            RequestTokenError::Parse(_, body) => {
                let word = serde_json::from_slice::<ErrorWord>(&body).map(|said| said.error).unwrap_or_default();
                log_refusal(provider, &word);
                SignInFailure::Refused(match word.as_str() {
                    "incorrect_client_credentials" => CLIENT_REFUSED,
                    "bad_verification_code" => CODE_REFUSED,
                    _ => NO_TOKENS,
                })
            }
            RequestTokenError::Other(_) => SignInFailure::Refused(NO_TOKENS),
        })?;
    Ok(Tokens { access: answer.access_token().secret().clone(), identity: answer.extra_fields().id_token.clone() })
}
