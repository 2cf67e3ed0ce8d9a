//! The API calls of password resets.
use std::net::IpAddr;

use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa_axum::router::OpenApiRouter;

use super::store::{self, Holder};
use crate::account::emails::{self, Ended};
use crate::account::events::model::{EventKind, EventSource, NewEvent};
use crate::account::events::store::{record, write_nothing};
use crate::account::model::{AccountRefusal, require_password_login};
use crate::account::{own, password};
use crate::kit::http::extract::{ClientIp, Json, Path};
use crate::kit::http::routes::routes;
use crate::kit::http::session::{Token, TokenHash};
use crate::kit::mail::message::EmailMessage;
use crate::kit::{App, Error, Result};

/// The longest address, in bytes.
const LONGEST_EMAIL: usize = 4 * 254;

/// The routes of this part.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(ask)).routes(routes!(whose, set))
}

/// The request for a reset link.
#[derive(Default, Deserialize, utoipa::ToSchema)]
#[serde(default)]
struct PasswordResetRequest {
    /// The address of the account.
    #[schema(required, value_type = String)]
    email: serde_json::Value,
}

/// Requests a reset link by e-mail, if mail is configured. Always returns 204 at once, so that the response does not reveal
/// whether there is an account.
#[utoipa::path(post, path = "/api/auth/password-reset", operation_id = "requestPasswordReset", tag = "accounts", request_body = PasswordResetRequest, responses((status = 204), (status = 403)))]
async fn ask(
    State(app): State<App>,
    ClientIp(ip): ClientIp,
    source: EventSource,
    Json(form): Json<PasswordResetRequest>,
) -> Result<StatusCode> {
    require_password_login(&app.config)?;
    if let Some(email) = form.email.as_str().filter(|email| email.len() <= LONGEST_EMAIL) {
        app.mail.post_later(emails::RESET, ip, link(app.clone(), email.to_owned(), source));
    }
    Ok(StatusCode::NO_CONTENT)
}

/// The e-mail with a new link, if the address has an account. Every request takes one commit, so that the duration of the next
/// request does not reveal whether there is an account.
async fn link(app: App, email: String, source: EventSource) -> Result<Option<EmailMessage>> {
    let token = Token::new()?;
    let (hash, mail) = (token.hash(), app.mail.clone());
    let issued = app.db.write(move |tx| {
        // The e-mail goes to the stored address, not to the one that was entered, so that only the account's own mailbox gets it.
        // Requests above the hourly limit change nothing, so that the last link still works.
        let issued = store::issue_by_email(tx, &email, hash, |to| mail.may_write(emails::RESET, to))?;
        match &issued {
            Some((user_id, _)) => {
                record(tx, &NewEvent::unknown(EventKind::PasswordResetRequested, *user_id, &source))?;
            }
            None => write_nothing(tx, &source)?,
        }
        Ok(issued.map(|(_, to)| to))
    });
    Ok(issued.await?.map(|to| emails::reset(to, &app.current.get().identity(), &token.text())))
}

/// The account of a link's token, with the token's hash. A wrong token counts for the caller's address.
async fn holder_of(app: &App, ip: IpAddr, token: &str) -> Result<(TokenHash, Holder)> {
    require_password_login(&app.config)?;
    let now = app.now();
    app.attempts.begin_secret(ip, now)?;
    let hash = Token::parse(token).ok_or(AccountRefusal::DeadLink)?.hash();
    let holder = app.db.read(move |conn| store::holder(conn, hash, now)).await?.ok_or(AccountRefusal::DeadLink)?;
    app.attempts.knew_secret(ip);
    Ok((hash, holder))
}

/// The account of a reset link.
#[derive(Serialize, utoipa::ToSchema)]
struct PasswordResetAccount {
    /// The address of the account.
    email: String,
}

/// Returns the address of a reset link's account, under which a password manager stores the new password.
#[utoipa::path(get, path = "/api/auth/password-reset/{token}", operation_id = "getPasswordReset", tag = "accounts", params(("token" = String, Path)),
    responses((status = 200, body = PasswordResetAccount), (status = 400), (status = 403), (status = 429)))]
async fn whose(
    State(app): State<App>,
    ClientIp(ip): ClientIp,
    Path(token): Path<String>,
) -> Result<axum::Json<PasswordResetAccount>> {
    let (_, holder) = holder_of(&app, ip, &token).await?;
    Ok(axum::Json(PasswordResetAccount { email: holder.email }))
}

/// A new password, set with a reset link.
#[derive(Default, Deserialize, utoipa::ToSchema)]
#[serde(default)]
struct PasswordReset {
    /// 8 to 256 characters.
    #[schema(required, min_length = 8, max_length = 256)]
    password: String,
}

/// Sets a new password with a reset link. Every session of the account ends, all its API tokens, secret links, device logins and connected providers
/// are removed, and it stops sharing with a team. A refused password leaves the link usable.
#[utoipa::path(post, path = "/api/auth/password-reset/{token}", operation_id = "resetPassword", tag = "accounts", params(("token" = String, Path)),
    request_body = PasswordReset, responses((status = 204), (status = 400), (status = 403), (status = 422), (status = 429)))]
async fn set(
    State(app): State<App>,
    ClientIp(ip): ClientIp,
    source: EventSource,
    Path(token): Path<String>,
    Json(form): Json<PasswordReset>,
) -> Result<StatusCode> {
    let (hash, holder) = holder_of(&app, ip, &token).await?;
    password::check(&form.password, &holder.email, &holder.display_name, app.current.get().identity().host())
        .map_err(|sentence| Error::invalid_field("password", sentence))?;
    let password_hash = password::hash(&app.hashing, form.password).await?;
    let redeemed = app.db.write(move |tx| {
        own::store::redeem_reset(tx, hash, &password_hash)?;
        record(tx, &NewEvent::own(EventKind::PasswordReset, holder.user_id, &source))
    });
    redeemed.await?;
    app.mail.post(emails::password_changed(
        holder.email,
        &app.current.get().identity(),
        Ended::AllAccessAndSharing,
        app.now(),
    ));
    Ok(StatusCode::NO_CONTENT)
}
