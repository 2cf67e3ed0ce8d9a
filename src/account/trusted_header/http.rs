//! The middleware that signs in the person that a trusted proxy names, before a call looks for a session.
//!
//! `docs/decisions/0033-trusted-header.md` says why the header becomes a session, and when that session counts.
use axum::Router;
use axum::extract::{Request, State};
use axum::http::HeaderMap;
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};

use super::model;
use crate::account::emails;
use crate::account::events::model::{EventKind, EventSource, NewEvent};
use crate::account::events::store::record;
use crate::account::http::{NewSession, notify_of_new_device};
use crate::account::social::model::{Person, SignInFailure, TRUSTED_HEADER};
use crate::account::social::store::{self, AdmittedBy, Rules};
use crate::account::store as accounts;
use crate::kit::http::csrf::may_come_from_other_sites;
use crate::kit::http::extract::ClientIp;
use crate::kit::http::listener::Peer;
use crate::kit::http::security_headers::CLEAR_CACHE;
use crate::kit::http::session::store::find_valid;
use crate::kit::http::session::{Browser, claims_bearer};
use crate::kit::{App, Error, ErrorCode, Result};

/// Calls that need no session, and the one that ends it.
const WITHOUT_SESSION: [&str; 5] =
    ["/api/auth/logout", "/api/auth/providers", "/api/openapi.json", "/api/plans", "/api/site"];
/// The call that says who is signed in, and why a named person is not.
const WHO: &str = "/api/auth/me";

/// Puts the middleware before all calls, if the settings name a header.
pub fn guard(calls: Router<App>, app: &App) -> Router<App> {
    match app.config.trusted_header.is_on() {
        true => calls.route_layer(from_fn_with_state(app.clone(), sign_in_by_header)),
        false => calls,
    }
}

/// The middleware.
async fn sign_in_by_header(
    State(app): State<App>,
    ClientIp(ip): ClientIp,
    source: EventSource,
    browser: Browser,
    mut request: Request,
    next: Next,
) -> Response {
    let path = request.uri().path();
    let is_call = path.starts_with("/api/") && !WITHOUT_SESSION.contains(&path) && !may_come_from_other_sites(path);
    // An API token stands for its reader, whatever the proxy says. Proxies let requests with a token pass, and with them may pass
    // headers that the client has made up.
    if !is_call || claims_bearer(request.headers()) {
        return next.run(request).await;
    }
    let asks_who = path == WHO;
    let is_trusted = match request.extensions().get::<Peer>() {
        Some(Peer::Address(ip)) => app.config.trusts(ip.to_canonical()),
        Some(Peer::Socket) => app.config.trusts_socket(),
        None => false,
    };
    let person = match is_trusted.then(|| named_person(&app, request.headers())).transpose() {
        Ok(person) => person.flatten(),
        Err(failure) => {
            tracing::warn!(reason = %failure, "sign-in by header failed");
            request.extensions_mut().insert(browser.showing(None));
            return if asks_who { refused(failure).into_response() } else { next.run(request).await };
        }
    };
    match match_session(&app, person, &mut request, ip, source, &browser).await {
        Ok(HeaderSignIn::NotNeeded) => next.run(request).await,
        Ok(HeaderSignIn::SignedIn) => {
            // The browser may have stored answers for another person.
            let mut response = next.run(request).await;
            let (name, value) = CLEAR_CACHE.clone();
            response.headers_mut().insert(name, value);
            response
        }
        Ok(HeaderSignIn::Refused(failure)) if asks_who => refused(failure).into_response(),
        Ok(HeaderSignIn::Refused(_)) => next.run(request).await,
        Err(failure) => failure.into_response(),
    }
}

fn named_person(app: &App, headers: &HeaderMap) -> std::result::Result<Option<Person>, SignInFailure> {
    let get = |name: &str| headers.get_all(name).iter().map(axum::http::HeaderValue::as_bytes).collect();
    model::person(&app.config.trusted_header, get)
}

fn refused(failure: SignInFailure) -> Error {
    Error::refused(ErrorCode::HeaderRefused, model::sentence(failure))
}

/// Whether a request needed a sign-in by header.
enum HeaderSignIn {
    /// It needed none: its session is of the named person, or the proxy names nobody. In that case a session that a header had begun
    /// is removed from the request.
    NotNeeded,
    /// The named person was signed in.
    SignedIn,
    /// The named person is not signed in, nor is anybody else.
    Refused(SignInFailure),
}

/// Makes the session of a request agree with the person that the proxy names.
async fn match_session(
    app: &App,
    person: Option<Person>,
    request: &mut Request,
    ip: std::net::IpAddr,
    source: EventSource,
    browser: &Browser,
) -> Result<HeaderSignIn> {
    let now = app.now();
    let shown = browser.shown().filter(|hash| !app.ended.contains(hash));
    let known = match shown {
        Some(hash) => app.db.read(move |conn| find_valid(conn, hash, now)).await?,
        None => None,
    };
    let header_user = known.and_then(|known| known.header_user);
    let Some(person) = person else {
        if header_user.is_some() {
            request.extensions_mut().insert(browser.showing(None));
        }
        return Ok(HeaderSignIn::NotNeeded);
    };
    if header_user.as_deref() == Some(&person.subject) {
        return Ok(HeaderSignIn::NotNeeded);
    }
    match sign_in(app, person, request.headers(), ip, source, browser).await? {
        Ok(signed_in) => {
            request.extensions_mut().insert(signed_in);
            Ok(HeaderSignIn::SignedIn)
        }
        Err(failure) => {
            tracing::warn!(code = failure.code(), reason = %failure, "sign-in by header failed");
            request.extensions_mut().insert(browser.showing(None));
            Ok(HeaderSignIn::Refused(failure))
        }
    }
}

/// Opens a session for the named person, which replaces the one that the request shows.
async fn sign_in(
    app: &App,
    person: Person,
    headers: &HeaderMap,
    ip: std::net::IpAddr,
    source: EventSource,
    browser: &Browser,
) -> Result<std::result::Result<Browser, SignInFailure>> {
    let session = NewSession::new(&app.config, browser, headers, ip)?.by_header(&person.subject);
    let admission = session.admission(&app.config);
    let signup = app.config.trusted_header.admits(app.current.get().signup);
    let rules = Rules { signup, invitation: None, match_email: true };
    let device = source.device.clone();
    let admitted = app.db.write(move |tx| {
        let admitted = match store::admit(tx, TRUSTED_HEADER, &person, rules, None)? {
            Ok(admitted) => admitted,
            Err(failure) => return Ok(Err(failure)),
        };
        let event = |kind| record(tx, &NewEvent::own(kind, admitted.user_id, &source));
        if admitted.by == AdmittedBy::Address {
            event(EventKind::ProviderConnected)?;
        }
        let has_just_begun = session.has_just_begun(tx, admitted.user_id)?;
        if admitted.by.is_new() {
            event(EventKind::SignedUp)?;
        } else if !has_just_begun {
            event(EventKind::LoggedIn)?;
        }
        let is_new_device = session.open(tx, admitted.user_id)? && !has_just_begun;
        Ok(Ok((admitted.by, accounts::find(tx, admitted.user_id)?.email, is_new_device)))
    });
    let (by, email, is_new_device) = match admitted.await? {
        Ok(admitted) => admitted,
        Err(failure) => return Ok(Err(failure)),
    };
    if by == AdmittedBy::Address {
        let server = app.current.get().identity();
        app.mail.post(emails::connected(email.clone(), &server, "The proxy of the server", app.now()));
    }
    if is_new_device {
        notify_of_new_device(app, email, device.as_deref());
    }
    Ok(Ok(admission.put(browser).await?))
}
