//! The calls of forgotten passwords.
use axum::extract::State;
use axum::http::StatusCode;
use chrono::Utc;
use serde::Deserialize;
use utoipa_axum::router::OpenApiRouter;

use super::store;
use crate::account::{letters, password};
use crate::kit::calls::routes;
use crate::kit::db::Db;
use crate::kit::extract::{ClientIp, Json, Path};
use crate::kit::letter::Letter;
use crate::kit::session::Token;
use crate::kit::{App, Error, Result};

/// No address is longer, in bytes.
const LONGEST_EMAIL: usize = 4 * 254;

/// The calls of this part.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(ask)).routes(routes!(set))
}

#[derive(Default, Deserialize, utoipa::ToSchema)]
#[serde(default)]
#[schema(as = PasswordResetRequest)]
struct Forgotten {
    /// Whose password was forgotten.
    #[schema(required, value_type = String)]
    email: serde_json::Value,
}

/// Asks for a link by mail, where mail is configured. Always 204 and at once, so that nobody learns who has an account.
#[utoipa::path(post, path = "/api/auth/password-reset", operation_id = "requestPasswordReset", tag = "accounts", request_body = Forgotten, responses((status = 204)))]
async fn ask(State(app): State<App>, Json(form): Json<Forgotten>) -> StatusCode {
    if let Some(email) = form.email.as_str().filter(|email| email.len() <= LONGEST_EMAIL) {
        app.mail.post_later(letters::RESET, email, link(app.db.clone(), app.config.public_url(), email.to_owned()));
    }
    StatusCode::NO_CONTENT
}

/// The letter with a new link, where the address has an account.
async fn link(db: Db, home: String, email: String) -> Result<Option<Letter>> {
    let found = db.read(move |conn| store::addressee(conn, &email)).await?;
    // The stored address is written to, not the typed one: only the account's own mailbox may get in.
    let Some((user_id, to)) = found else { return Ok(None) };
    let token = Token::new()?;
    let hash = token.hash();
    db.write(move |tx| store::issue(tx, user_id, hash)).await?;
    Ok(Some(letters::reset(to, &home, &token.text())))
}

#[derive(Default, Deserialize, utoipa::ToSchema)]
#[serde(default)]
#[schema(as = PasswordReset)]
struct NewPassword {
    /// 8 to 256 characters.
    #[schema(required, min_length = 8, max_length = 256)]
    password: String,
}

/// Sets a new password by a link. Every session of the account ends; a refused password leaves the link usable.
#[utoipa::path(post, path = "/api/auth/password-reset/{token}", operation_id = "resetPassword", tag = "accounts", params(("token" = String, Path)),
    request_body = NewPassword, responses((status = 204), (status = 400), (status = 422), (status = 429)))]
async fn set(
    State(app): State<App>,
    ClientIp(ip): ClientIp,
    Path(token): Path<String>,
    Json(form): Json<NewPassword>,
) -> Result<StatusCode> {
    let now = Utc::now();
    app.attempts.begin_secret(ip, now)?;
    let hash = Token::parse(&token).ok_or_else(store::bad_token)?.hash();
    let holder = app.db.read(move |conn| store::holder(conn, hash, now)).await?.ok_or_else(store::bad_token)?;
    app.attempts.knew_secret(ip);
    password::check(&form.password, &holder.email, &holder.display_name)
        .map_err(|sentence| Error::invalid_field("password", sentence))?;
    let password_hash = password::hash(&app.hashing, form.password).await?;
    app.db.write(move |tx| store::redeem(tx, hash, &password_hash)).await?;
    app.mail.post(letters::password_changed(holder.email, &app.config.public_url(), now));
    Ok(StatusCode::NO_CONTENT)
}
