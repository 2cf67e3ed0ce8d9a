//! Builds the authorization URL, and exchanges the returned code for tokens, which are used at once and never stored.
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

/// The version of Facebook's API.
pub const GRAPH: &str = "/v23.0";

/// A reason for a failed exchange: the provider rejects this server's id or secret.
pub const CLIENT_REFUSED: &str = "the provider does not accept client_id and client_secret";
/// A reason for a failed exchange: the provider knows this server but rejects the code.
pub const CODE_REFUSED: &str = "the provider does not accept the code";

/// A reason for a failed exchange, with an error of the provider's own.
const NOT_TAKEN: &str = "the provider did not accept the code";
/// A reason for a failed exchange, without further information.
const NO_TOKENS: &str = "the provider gave no tokens for the code";

/// Whether a reason is about the exchange and not about the provider's description.
pub fn is_about_the_code(reason: &str) -> bool {
    [CLIENT_REFUSED, CODE_REFUSED, NOT_TAKEN, NO_TOKENS].contains(&reason)
}

/// The field that OpenID Connect adds to the token response.
#[derive(Debug, Serialize, Deserialize)]
struct IdToken {
    id_token: Option<String>,
}

impl ExtraTokenFields for IdToken {}

/// The library's client with the two endpoints that are needed here.
type OAuthClient = Client<
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

/// The tokens of a code.
pub struct Tokens {
    /// The access token, for further claims about the person.
    pub access: String,
    /// The signed identity token; `None` for plain OAuth 2.
    pub identity: Option<String>,
}

/// The provider's endpoints, and how this server authenticates there.
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

/// The header by default; the body if the provider does not list the header.
fn proof_for(description: &Description) -> AuthType {
    let methods = description.token_endpoint_auth_methods_supported.as_deref();
    let header = methods.is_none_or(|methods| methods.iter().any(|method| method == "client_secret_basic"));
    if header { AuthType::BasicAuth } else { AuthType::RequestBody }
}

/// An address of Facebook's API, which is on another host than its pages.
pub fn graph(provider: &Provider, path: &str) -> Result<Url, SignInFailure> {
    let address = provider.below(&format!("{GRAPH}{path}"))?;
    let host = address.as_str().replacen("://www.", "://graph.", 1);
    Url::parse(&host).map_err(|_| SignInFailure::Unavailable("the provider's address can't be read"))
}

fn oauth_client(provider: &Provider, endpoints: Endpoints, secret: String) -> Result<OAuthClient, SignInFailure> {
    let redirect = RedirectUrl::new(provider.redirect_uri.clone());
    let redirect = redirect.map_err(|_| SignInFailure::Unavailable("public_url can't be returned to"))?;
    Ok(Client::new(ClientId::new(provider.client_id.clone()))
        .set_client_secret(ClientSecret::new(secret))
        .set_auth_uri(AuthUrl::from_url(endpoints.authorize))
        .set_token_uri(TokenUrl::from_url(endpoints.token))
        .set_redirect_uri(redirect)
        .set_auth_type(endpoints.proof))
}

/// A new PKCE code verifier.
pub fn verifier() -> String {
    PkceCodeChallenge::new_random_sha256().1.into_secret()
}

/// The URL where the person signs in at the provider.
pub fn authorize_url(
    provider: &Provider,
    description: Option<&Description>,
    flow: &Flow,
) -> Result<Url, SignInFailure> {
    let client = oauth_client(provider, Endpoints::of(provider, description)?, String::new())?;
    let challenge = PkceCodeChallenge::from_code_verifier_sha256(&PkceCodeVerifier::new(flow.verifier.clone()));
    let scopes: &[&str] = match provider.kind {
        Kind::OpenId | Kind::Microsoft => &["openid", "email", "profile"],
        Kind::Apple => &["openid", "email", "name"],
        Kind::GitHub => &["read:user", "user:email"],
        Kind::Facebook => &["email", "public_profile"],
    };
    // Some providers refuse a scope that they do not have.
    let offered = |scope: &&str| description.is_some_and(|known| known.scopes_supported.iter().any(|one| one == scope));
    let scopes = scopes.iter().copied().chain(provider.groups.scope().filter(offered));
    let mut request = client
        .authorize_url(|| CsrfToken::new(flow.state.clone()))
        .add_scopes(scopes.map(|scope| Scope::new(scope.to_owned())))
        .set_pkce_challenge(challenge);
    if description.is_some() {
        request = request.add_extra_param("nonce", flow.nonce.clone());
    }
    if provider.posts() {
        request = request.add_extra_param("response_mode", "form_post");
    }
    Ok(request.url().0)
}

/// The error in a response with a success status.
#[derive(Deserialize)]
struct ErrorWord {
    error: String,
}

/// Logs the provider's error code (`invalid_client` is a wrong id or secret, `invalid_grant` a used code) if it has the form of
/// one. Its description is not logged, because it may repeat what a person sent.
fn log_refusal(provider: &Provider, word: &str) {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    let word = if (1..=64).contains(&word.len()) && word.bytes().all(plain) { word } else { "unreadable" };
    tracing::warn!(provider = provider.id, error = word, "exchanging an authorization code failed");
}

/// Exchanges a code for tokens.
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
    let client = oauth_client(provider, Endpoints::of(provider, description)?, provider.secret(now)?)?;
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
            // GitHub reports errors with status 200, and others send pages for people.
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
