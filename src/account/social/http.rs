//! The API calls of sign-in providers.
use std::net::IpAddr;
use std::sync::Arc;

use axum::Extension;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, FromRequestParts, RawQuery, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{AppendHeaders, IntoResponse, Redirect, Response};
use serde::{Deserialize, Serialize};
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;

use super::flow::{Flow, Link};
use super::model::{Identity, Person, SignInFailure, TRUSTED_HEADER, destination, invitation};
use super::store::{AdmittedBy, Rules};
use super::{ConfiguredProvider, Social, exchange, role, store};
use crate::access::{Guest, Viewer};
use crate::account::events::model::{EventKind, EventSource, NewEvent};
use crate::account::events::store::record;
use crate::account::http::{NewSession, notify_of_new_device};
use crate::account::social::identity::OAuthCallback;
use crate::account::{emails, store as accounts};
use crate::config::Config;
use crate::kit::db::pool::Db;
use crate::kit::http::csrf::is_from_here;
use crate::kit::http::extract::{ClientIp, Path};
use crate::kit::http::query::Query;
use crate::kit::http::routes::routes;
use crate::kit::http::session::{Browser, Cookies, Token};
use crate::kit::{App, Error, Result};

/// The largest form that a provider posts, in bytes.
const FORM_LIMIT: usize = 64 * 1024;
/// The longest time zone and page in a sign-in link.
const LONGEST: usize = 300;

/// The routes of this part.
pub fn routes(social: &Social) -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(providers))
        .routes(routes!(start))
        .routes(routes!(identities))
        .routes(routes!(unlink))
        .routes(routes!(returned, posted))
        .layer(DefaultBodyLimit::max(FORM_LIMIT))
        .layer(Extension(social.clone()))
}

/// A sign-in provider.
#[derive(Serialize, utoipa::ToSchema)]
struct Provider {
    /// The provider's id, as in URLs.
    id: String,
    /// The display name.
    name: String,
}

/// The sign-in providers of this server.
#[derive(Serialize, utoipa::ToSchema)]
struct ProviderList {
    /// In the order of the settings.
    data: Vec<Provider>,
}

/// Lists the sign-in providers of this server.
#[utoipa::path(get, path = "/api/auth/providers", operation_id = "listProviders", tag = "accounts", responses((status = 200, body = ProviderList)))]
async fn providers(Extension(social): Extension<Social>) -> axum::Json<ProviderList> {
    let shown = social.providers().map(|known| Provider { id: known.id.clone(), name: known.name.clone() });
    axum::Json(ProviderList { data: shown.collect() })
}

/// What a sign-in takes along.
#[derive(Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
struct StartParams {
    /// The page of this server to open afterwards.
    next: Option<String>,
    /// The browser's time zone, for a new account.
    timezone: Option<String>,
}

/// Redirects to a provider. For a signed-in person this connects the provider to the account, which requires a sign-in or a
/// confirmation within the last ten minutes; `next` may be an invitation's page.
#[utoipa::path(get, path = "/api/auth/oauth/{provider}", operation_id = "startSocialLogin", tag = "accounts",
    params(("provider" = String, Path), StartParams),
    responses((status = 303)))]
async fn start(
    State(app): State<App>,
    Extension(social): Extension<Social>,
    Guest(guest): Guest,
    Path(id): Path<String>,
    Query(sent): Query<StartParams>,
    headers: HeaderMap,
) -> Result<Response> {
    let viewer = guest.clone();
    let link = guest.and_then(|viewer| Some(Link { user_id: viewer.user_id, session_id: viewer.session_id? }));
    let back = Back { connects: link.is_some(), provider: &id };
    let Some(known) = social.find(&id) else {
        return Ok(Back { provider: "", ..back }.failed(SignInFailure::UnknownProvider));
    };
    // Otherwise another site could connect its own identity to the signed-in account.
    if link.is_some() && !is_from_here(&headers, app.current.get().own_origin()) {
        return Ok(back.failed(SignInFailure::StartedElsewhere));
    }
    let now = app.now();
    if let Some(viewer) = viewer.filter(|viewer| link.is_some() && !viewer.is_confirmed(now)) {
        // A provider that is connected already is only used for confirmation.
        let provider = id.clone();
        if !app.db.read(move |conn| store::is_linked(conn, viewer.user_id, &provider)).await? {
            return Ok(back.failed(SignInFailure::Unconfirmed));
        }
    }
    let mut flow = Flow::begin(&id, exchange::verifier(), link, now)?;
    flow.next = sent.next.filter(|path| path.len() <= LONGEST);
    flow.timezone = sent.timezone.filter(|zone| zone.len() <= LONGEST);
    let address = match social.authorize_url(known, &flow, now).await {
        Ok(address) => address,
        Err(failure) => return Ok(back.failed(failure)),
    };
    let sealed = social.0.flows.seal(&flow)?;
    let cookie = Cookies::of(&app.config).set_flow(&sealed, known.provider.posts());
    Ok((AppendHeaders([(header::SET_COOKIE, cookie), no_store()]), Redirect::to(&address)).into_response())
}

/// Finishes a sign-in: the provider sends the browser here.
#[utoipa::path(get, path = "/api/auth/oauth/{provider}/callback", operation_id = "finishSocialLogin", tag = "accounts", params(("provider" = String, Path)),
    responses((status = 303), (status = 400)))]
async fn returned(
    State(app): State<App>,
    Extension(social): Extension<Social>,
    Path(id): Path<String>,
    from: CallbackClient,
    RawQuery(raw): RawQuery,
) -> Result<Response> {
    come_back(&app, &social, &id, from, &OAuthCallback::read(raw.unwrap_or_default().as_bytes())).await
}

/// Finishes a sign-in at a provider that posts a form, as Apple does.
#[utoipa::path(post, path = "/api/auth/oauth/{provider}/callback", operation_id = "finishPostedSocialLogin", tag = "accounts", params(("provider" = String, Path)),
    request_body(content = String, content_type = "application/x-www-form-urlencoded"),
    responses((status = 303), (status = 400)))]
async fn posted(
    State(app): State<App>,
    Extension(social): Extension<Social>,
    Path(id): Path<String>,
    from: CallbackClient,
    form: std::result::Result<Bytes, axum::extract::rejection::BytesRejection>,
) -> Result<Response> {
    let form = form.map_err(|_| not_begun())?;
    come_back(&app, &social, &id, from, &OAuthCallback::read(&form)).await
}

/// The client that returns from a provider.
struct CallbackClient {
    browser: Browser,
    ip: ClientIp,
    source: EventSource,
    headers: HeaderMap,
}

impl FromRequestParts<App> for CallbackClient {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let browser = Browser::from_request_parts(parts, app).await?;
        let ip = ClientIp::from_request_parts(parts, app).await?;
        let source = EventSource::from_request_parts(parts, app).await?;
        Ok(Self { browser, ip, source, headers: parts.headers.clone() })
    }
}

/// The error for every return without a sign-in in progress in this browser.
fn not_begun() -> Error {
    Error::unreadable("This sign-in did not begin here, or it took more than ten minutes. Please start again.")
}

async fn come_back(
    app: &App,
    social: &Social,
    id: &str,
    from: CallbackClient,
    answer: &OAuthCallback,
) -> Result<Response> {
    let now = app.now();
    let known = social.find(id).ok_or_else(not_begun)?;
    let (cookies, posts) = (Cookies::of(&app.config), known.provider.posts());
    let cookie = cookies.flow(&from.headers, posts).ok_or_else(not_begun)?;
    let flow = social.0.flows.take(&cookie, id, &answer.state, now).ok_or_else(not_begun)?;
    // Only states whose code is sent out are remembered, so that cancelled sign-ins need no memory.
    if answer.has_code() && !social.0.flows.spend(&flow, now) {
        return Err(not_begun());
    }
    let back = Back { connects: flow.link.is_some(), provider: id };
    let landed = match fetch_identity(app, social, known, &flow, answer, from.ip.0).await {
        Ok(person) => finish_sign_in(app, known, &flow, person, from).await?,
        Err(failure) => Err(failure),
    };
    let landed = landed.unwrap_or_else(|failure| back.failed(failure));
    Ok((AppendHeaders([(header::SET_COOKIE, cookies.clear_flow(posts)), no_store()]), landed).into_response())
}

/// The person's identity at the provider. Rejected codes and cancelled sign-ins count as guesses of a secret, which are limited
/// per address and hour, so that nobody can make this server or a provider work without limit.
async fn fetch_identity(
    app: &App,
    social: &Social,
    known: &ConfiguredProvider,
    flow: &Flow,
    answer: &OAuthCallback,
    ip: IpAddr,
) -> std::result::Result<Person, SignInFailure> {
    let now = app.now();
    app.attempts.begin_secret(ip, now).map_err(|_| SignInFailure::TooMany)?;
    let person = social.person(known, flow, answer, now).await;
    if !matches!(person, Err(SignInFailure::Refused(_) | SignInFailure::Cancelled)) {
        app.attempts.knew_secret(ip);
    }
    person
}

/// Connects the identity to the account in whose session this was started, or signs the person in.
async fn finish_sign_in(
    app: &App,
    known: &ConfiguredProvider,
    flow: &Flow,
    person: Person,
    from: CallbackClient,
) -> Result<std::result::Result<Response, SignInFailure>> {
    match flow.link {
        Some(link) => connect(app, known, link, person, from).await,
        None => sign_in(app, known, flow, person, from).await,
    }
}

/// Connects an identity to an account.
async fn connect(
    app: &App,
    known: &ConfiguredProvider,
    link: Link,
    person: Person,
    from: CallbackClient,
) -> Result<std::result::Result<Response, SignInFailure>> {
    let provider = known.provider.id.clone();
    let linked = app.db.write(move |tx| {
        let linked = store::link(tx, link, &provider, &person)?;
        if matches!(linked, Ok(Some(_))) {
            record(tx, &NewEvent::own(EventKind::ProviderConnected, link.user_id, &from.source))?;
        }
        Ok(linked)
    });
    let linked = linked.await?;
    if let Ok(Some(email)) = &linked {
        notify_of_connection(app, known, email.clone());
    }
    Ok(linked.map(|_| Redirect::to("/account").into_response()))
}

fn notify_of_connection(app: &App, known: &ConfiguredProvider, email: String) {
    let server = app.current.get().identity();
    app.mail.post(emails::connected(email, &server, &known.provider.name, app.now()));
}

/// Signs a person in to the account of the identity, or to a new one.
async fn sign_in(
    app: &App,
    known: &ConfiguredProvider,
    flow: &Flow,
    person: Person,
    from: CallbackClient,
) -> Result<std::result::Result<Response, SignInFailure>> {
    let provider = known.provider.id.clone();
    let session = NewSession::new(&app.config, &from.browser, &from.headers, from.ip.0)?.through(&provider);
    let admission = session.admission(&app.config);
    let signup = known.provider.admits(app.current.get().signup);
    let invitation = invitation(flow.next.as_deref()).and_then(Token::parse).map(|token| token.hash());
    let rules = Rules { signup, invitation, match_email: known.provider.match_email };
    let is_operator = known.provider.groups.make_operator(&person.groups);
    let timezone = flow.timezone.clone();
    let device = from.source.device.clone();
    let admitted = app.db.write(move |tx| {
        let admitted = match store::admit(tx, &provider, &person, rules, timezone.as_deref())? {
            Ok(admitted) => admitted,
            Err(failure) => return Ok(Err(failure)),
        };
        let event = |kind| record(tx, &NewEvent::own(kind, admitted.user_id, &from.source));
        if admitted.by == AdmittedBy::Address {
            event(EventKind::ProviderConnected)?;
        }
        event(if admitted.by.is_new() { EventKind::SignedUp } else { EventKind::LoggedIn })?;
        // A lost role ends all sessions, but not the one that opens now.
        if let Some(is_operator) = is_operator {
            role::follow_groups(tx, admitted.user_id, is_operator, &from.source)?;
        }
        let is_new_device = session.open(tx, admitted.user_id)?;
        Ok(Ok((admitted, accounts::find(tx, admitted.user_id)?.email, is_new_device)))
    });
    let (admitted, email, is_new_device) = match admitted.await? {
        Ok(admitted) => admitted,
        Err(failure) => return Ok(Err(failure)),
    };
    if admitted.by == AdmittedBy::Address {
        notify_of_connection(app, known, email.clone());
    }
    if is_new_device {
        notify_of_new_device(app, email, device.as_deref());
    }
    admission.give(&from.browser, admitted.user_id).await?;
    // The page of an invitation that is used up now has nothing to say.
    let next = flow.next.as_deref().filter(|_| admitted.by != AdmittedBy::Invitation);
    Ok(Ok(Redirect::to(&destination(next)).into_response()))
}

/// The page to show after a failed sign-in.
#[derive(Clone, Copy)]
struct Back<'b> {
    connects: bool,
    provider: &'b str,
}

impl Back<'_> {
    fn failed(self, failure: SignInFailure) -> Response {
        tracing::warn!(provider = self.provider, code = failure.code(), reason = %failure, "social sign-in failed");
        // A person without a session has no account page.
        let page = if self.connects && failure != SignInFailure::SignedOut { "/account" } else { "/login" };
        let provider = if self.provider.is_empty() { String::new() } else { format!("&provider={}", self.provider) };
        Redirect::to(&format!("{page}?error={}{provider}", failure.code())).into_response()
    }
}

fn no_store() -> (header::HeaderName, HeaderValue) {
    (header::CACHE_CONTROL, HeaderValue::from_static("no-store"))
}

/// The providers that are connected to an account.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct IdentityList {
    /// In the order in which they were connected.
    data: Vec<Identity>,
    /// Whether the account has a password as well, and the server accepts passwords.
    has_password: bool,
}

/// Lists the providers that are connected to your account.
#[utoipa::path(get, path = "/api/account/identities", operation_id = "listIdentities", tag = "accounts",
    responses((status = 200, body = IdentityList), (status = 401)))]
async fn identities(
    State(db): State<Db>,
    State(config): State<Arc<Config>>,
    Extension(social): Extension<Social>,
    viewer: Viewer,
) -> Result<axum::Json<IdentityList>> {
    let found =
        db.read(move |conn| Ok((store::all(conn, viewer.user_id)?, store::has_password(conn, viewer.user_id)?)));
    let (linked, has_password) = found.await?;
    let has_password = has_password && config.password_login;
    let name = |id: &str| social.find(id).map_or_else(|| id.to_owned(), |known| known.provider.name.clone());
    // The operator's proxy decides about its own names; readers can't disconnect them.
    let shown = linked.into_iter().filter(|linked| linked.provider != TRUSTED_HEADER).map(|linked| Identity {
        name: name(&linked.provider),
        provider: linked.provider,
        email: linked.email,
        linked_at: linked.linked_at,
    });
    Ok(axum::Json(IdentityList { data: shown.collect(), has_password }))
}

/// Disconnects a provider, unless it is the last way to sign in.
#[utoipa::path(delete, path = "/api/account/identities/{provider}", operation_id = "unlinkIdentity", tag = "accounts", params(("provider" = String, Path)),
    responses((status = 204), (status = 401), (status = 404), (status = 409)))]
async fn unlink(
    State(db): State<Db>,
    State(config): State<Arc<Config>>,
    viewer: Viewer,
    source: EventSource,
    Path(provider): Path<String>,
) -> Result<StatusCode> {
    if provider == TRUSTED_HEADER {
        return Err(Error::NotFound);
    }
    let usable = config.ways_in();
    let unlinked = db.write(move |tx| {
        store::unlink(tx, viewer.user_id, &provider, &usable, config.password_login)?;
        record(tx, &NewEvent::own(EventKind::ProviderDisconnected, viewer.user_id, &source))
    });
    unlinked.await?;
    Ok(StatusCode::NO_CONTENT)
}
