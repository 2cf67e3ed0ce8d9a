//! The API calls of your own account.
use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{AppendHeaders, IntoResponse as _, Response};
use serde::Serialize;
use utoipa_axum::router::OpenApiRouter;

use super::model::{AccountUpdate, Confirmation, PasswordChange, Session};
use super::{archive, store};
use crate::access::{Confirmed, Viewer};
use crate::account::emails::{self, Ended};
use crate::account::events::model::{Actor, EventKind, EventSource, NewEvent};
use crate::account::events::store::{record, record_deletion};
use crate::account::http::{NewSession, note_failed_login};
use crate::account::model::{User, email_key, require_password_login};
use crate::account::password::{self, Verdict};
use crate::account::reset;
use crate::account::store as accounts;
use crate::account::store::Credentials;
use crate::billing;
use crate::billing::provider::Stripe;
use crate::config::Config;
use crate::devices;
use crate::kit::db::pool::{Db, Tx};
use crate::kit::http::extract::{ClientIp, Json, Path};
use crate::kit::http::routes::routes;
use crate::kit::http::security_headers::CLEAR_CACHE;
use crate::kit::http::session::{self, Browser, Cookies};
use crate::kit::http::{download, idempotency};
use crate::kit::id::{SessionId, UserId};
use crate::kit::net::geoip::GeoIp;
use crate::kit::{App, Error, ErrorCode, Result};
use crate::library::erase;
use crate::reading::goals;
use crate::sharing;

/// The routes of this part.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(sessions))
        .routes(routes!(end_session))
        .routes(routes!(change, delete_account))
        .routes(routes!(change_password))
        .routes(routes!(confirm))
        .routes(routes!(export))
        .routes(routes!(delete_data))
}

/// The sessions of an account.
#[derive(Serialize, utoipa::ToSchema)]
struct SessionList {
    /// The most recently used session first.
    data: Vec<Session>,
}

/// Lists your sessions.
#[utoipa::path(get, path = "/api/auth/sessions", operation_id = "listSessions", tag = "accounts", responses((status = 200, body = SessionList), (status = 401)))]
async fn sessions(
    State(db): State<Db>,
    State(places): State<GeoIp>,
    viewer: Viewer,
) -> Result<axum::Json<SessionList>> {
    let now = db.now();
    let data = db.read(move |conn| store::sessions(conn, viewer.user_id, viewer.session_id, now, &places)).await?;
    Ok(axum::Json(SessionList { data }))
}

/// Ends one of your sessions, which may be the current one.
#[utoipa::path(delete, path = "/api/auth/sessions/{id}", operation_id = "endSession", tag = "accounts", params(("id" = i64, Path)),
    responses((status = 204), (status = 401), (status = 404)))]
async fn end_session(
    State(db): State<Db>,
    State(config): State<Arc<Config>>,
    viewer: Viewer,
    source: EventSource,
    Path(id): Path<SessionId>,
) -> Result<Response> {
    let ended = db.write(move |tx| {
        store::end_session(tx, viewer.user_id, id)?;
        record(tx, &NewEvent::own(EventKind::SessionEnded, viewer.user_id, &source))
    });
    ended.await?;
    if viewer.session_id == Some(id) {
        return Ok(signed_out(&config));
    }
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// The account after the change.
#[derive(Serialize, utoipa::ToSchema)]
struct AccountResponse {
    user: User,
}

/// Changes name or address; a new address requires the current password.
#[utoipa::path(patch, path = "/api/account", operation_id = "updateAccount", tag = "accounts", request_body(content = AccountUpdate, content_type = "application/json"),
    responses((status = 200, body = AccountResponse), (status = 401), (status = 403), (status = 409), (status = 422), (status = 429)))]
async fn change(
    State(app): State<App>,
    viewer: Viewer,
    ClientIp(ip): ClientIp,
    source: EventSource,
    headers: HeaderMap,
    Json(form): Json<AccountUpdate>,
) -> Result<axum::Json<AccountResponse>> {
    let (user, credentials) = account(&app, &viewer, &headers).await?;
    let (new, stored) = (form.checked(&user)?, credentials.password_hash.clone());
    if let Some(proof) = new.proof.clone() {
        require_password_login(&app.config)?;
        prove(&app, &user, credentials, proof, ip, &source).await?;
    }
    let (former, moves) = (user.email, new.proof.is_some());
    let changed = app.db.write(move |tx| {
        if moves {
            check_same_password(tx, viewer.user_id, stored.as_deref())?;
            // A reset link that was sent to the former address stops working.
            reset::store::revoke(tx, viewer.user_id)?;
        }
        let user = store::change(tx, viewer.user_id, &new)?;
        if moves {
            record(tx, &NewEvent::own(EventKind::EmailChanged, viewer.user_id, &source))?;
        }
        Ok(user)
    });
    let user = changed.await?;
    if moves {
        let emails = emails::email_changed(&former, &user.email, &app.current.get().identity(), app.now());
        emails.into_iter().for_each(|email| app.mail.post(email));
    }
    Ok(axum::Json(AccountResponse { user }))
}

/// Sets a new password. Every other session ends, and this one gets a new token. `endOtherAccess` also removes API tokens,
/// secret links, device logins and connected providers. A first password, for an account without one, requires a sign-in within the last ten
/// minutes (403 `confirm_yourself`).
#[utoipa::path(post, path = "/api/account/password", operation_id = "changePassword", tag = "accounts", request_body = PasswordChange,
    responses((status = 204), (status = 401), (status = 403), (status = 422), (status = 429)))]
async fn change_password(
    State(app): State<App>,
    viewer: Viewer,
    browser: Browser,
    ClientIp(ip): ClientIp,
    source: EventSource,
    headers: HeaderMap,
    Json(form): Json<PasswordChange>,
) -> Result<StatusCode> {
    require_password_login(&app.config)?;
    let (user, credentials) = account(&app, &viewer, &headers).await?;
    let stored = credentials.password_hash.clone();
    let has_password = stored.is_some();
    if !has_password {
        viewer.require_confirmation(app.now())?;
    }
    form.checked(&user, has_password, app.current.get().identity().host())?;
    if has_password {
        prove(&app, &user, credentials, form.current_password.unwrap_or_default(), ip, &source).await?;
    }
    let ends_all = form.end_other_access;
    let hash = password::hash(&app.hashing, form.new_password).await?;
    let session = NewSession::new(&app.config, &browser, &headers, ip)?;
    let admission = session.admission(&app.config);
    let changed = app.db.write(move |tx| {
        check_same_password(tx, viewer.user_id, stored.as_deref())?;
        let session = session.in_place(tx)?;
        store::set_password(tx, viewer.user_id, &hash)?;
        if ends_all {
            store::end_other_access(tx, viewer.user_id)?;
        }
        session.open(tx, viewer.user_id)?;
        record(tx, &NewEvent::own(EventKind::PasswordChanged, viewer.user_id, &source))
    });
    changed.await?;
    let ended = if ends_all { Ended::OtherAccess } else { Ended::OtherSessions };
    app.mail.post(emails::password_changed(user.email, &app.current.get().identity(), ended, app.now()));
    admission.give(&browser, viewer.user_id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Confirms with the password that the session is still used by its owner. Calls that require confirmation (403
/// `confirm_yourself`) then work for ten minutes, as they do after signing in. A wrong password counts as a guess, as at sign-in.
/// An account without a password (409 `no_password`) is confirmed by signing in again.
#[utoipa::path(post, path = "/api/auth/confirm", operation_id = "confirmSession", tag = "accounts", request_body = Confirmation,
    responses((status = 204), (status = 401), (status = 403), (status = 409), (status = 429)))]
async fn confirm(
    State(app): State<App>,
    viewer: Viewer,
    ClientIp(ip): ClientIp,
    source: EventSource,
    headers: HeaderMap,
    Json(form): Json<Confirmation>,
) -> Result<StatusCode> {
    let (user, credentials) = account(&app, &viewer, &headers).await?;
    if credentials.password_hash.is_none() || !app.config.password_login {
        return Err(Error::refused(
            ErrorCode::NoPassword,
            "This account has no password that this server accepts. Please log in again instead.",
        ));
    }
    prove(&app, &user, credentials, form.password, ip, &source).await?;
    let session_id = viewer.session_id.ok_or(Error::Unauthorized)?;
    app.db.write(move |tx| session::store::confirm(tx, session_id)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Exports everything in your account, as a zip of CSV and JSON files.
#[utoipa::path(get, path = "/api/account/export", operation_id = "exportAccount", tag = "accounts",
    responses((status = 200, body = inline(download::File), content_type = "application/zip"), (status = 401)))]
async fn export(State(app): State<App>, viewer: Viewer) -> Result<Response> {
    let (owner, name) = (viewer.user_id, format!("shelfwise-{}.zip", viewer.today));
    download::made(&app, owner, "application/zip", &name, move |conn, file| archive::archive(conn, owner, file)).await
}

/// Permanently erases books, goals, the to-be-read list, imports, secret links, devices and keys for media servers. Account, plan and preferences remain. Requires a
/// sign-in or a confirmation within the last ten minutes (403 `confirm_yourself`).
#[utoipa::path(delete, path = "/api/account/data", operation_id = "deleteAccountData", tag = "accounts",
    responses((status = 204), (status = 401), (status = 403)))]
async fn delete_data(State(db): State<Db>, Confirmed(viewer): Confirmed, source: EventSource) -> Result<StatusCode> {
    let erased = db.erase(move |tx| {
        erase::everything(tx, viewer.user_id)?;
        goals::store::delete_all(tx, viewer.user_id)?;
        sharing::store::delete_all(tx, viewer.user_id)?;
        devices::store::delete_all(tx, viewer.user_id)?;
        idempotency::forget(tx, viewer.user_id)?;
        record(tx, &NewEvent::own(EventKind::DataErased, viewer.user_id, &source))
    });
    erased.await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Permanently erases the account with everything in it, after ending its subscription at the payment provider. Requires a
/// sign-in or a confirmation within the last ten minutes (403 `confirm_yourself`).
#[utoipa::path(delete, path = "/api/account", operation_id = "deleteAccount", tag = "accounts",
    responses((status = 204), (status = 401), (status = 403), (status = 409), (status = 503)))]
async fn delete_account(State(app): State<App>, Confirmed(viewer): Confirmed) -> Result<Response> {
    let (user_id, now, stripe) = (viewer.user_id, app.now(), Stripe::of(&app));
    // No checkout page may open meanwhile on which somebody could pay for the deleted account.
    let _turn = match &stripe {
        Ok(stripe) => Some(stripe.turn(&app.user_locks, user_id).await?),
        Err(_) => None,
    };
    let payment_links = app.db.read(move |conn| {
        store::check_deletable(conn, user_id)?;
        billing::store::payment_links(conn, user_id, now)
    });
    billing::sync::release(stripe, &payment_links.await?).await?;
    let erased = app.db.erase(move |tx| {
        let former = accounts::find(tx, user_id)?.email;
        store::delete(tx, user_id)?;
        record_deletion(tx, user_id, Actor::Unknown)?;
        Ok(former)
    });
    let former = erased.await?;
    app.mail.post(emails::account_deleted(former, &app.current.get().identity(), now));
    Ok(signed_out(&app.config))
}

fn signed_out(config: &Config) -> Response {
    let cleared = [(header::SET_COOKIE, Cookies::of(config).clear_session()), CLEAR_CACHE.clone()];
    (StatusCode::NO_CONTENT, AppendHeaders(cleared)).into_response()
}

async fn account(app: &App, viewer: &Viewer, headers: &HeaderMap) -> Result<(User, Credentials)> {
    let user_id = viewer.user_id;
    let device = Cookies::of(&app.config).device(headers).map(|token| token.hash());
    app.db.read(move |conn| store::with_credentials(conn, user_id, device)).await
}

/// Checks the password of a signed-in person. Guesses are delayed as at sign-in.
async fn prove(
    app: &App,
    user: &User,
    credentials: Credentials,
    password: String,
    ip: IpAddr,
    source: &EventSource,
) -> Result<()> {
    let account = email_key(&user.email);
    let known_device = credentials.known_device;
    match password::attempt(app, &account, ip, known_device, password, credentials.password_hash).await? {
        Verdict::Wrong => {
            note_failed_login(app, Some(user.id), source.clone());
            Err(wrong_password())
        }
        Verdict::Right | Verdict::RightRenewed(_) => {
            app.attempts.succeeded(&account, ip, known_device);
            Ok(())
        }
    }
}

/// Refuses a change when the account no longer has the password that was checked for it.
fn check_same_password(tx: &Tx<'_>, user_id: UserId, stored: Option<&str>) -> Result<()> {
    if accounts::has_password_hash(tx, user_id, stored)? { Ok(()) } else { Err(wrong_password()) }
}

fn wrong_password() -> Error {
    Error::refused(ErrorCode::WrongPassword, "This is not your current password.")
}
