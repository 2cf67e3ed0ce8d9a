//! The calls of forgotten passwords.
use axum::extract::State;
use axum::http::StatusCode;
use chrono::Utc;
use serde::Deserialize;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::store;
use crate::account::password;
use crate::kit::extract::{ClientIp, Json, Path};
use crate::kit::session::Token;
use crate::kit::{App, Error, Result};

/// The calls of this part.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(ask)).routes(routes!(set))
}

#[derive(Default, Deserialize, utoipa::ToSchema)]
#[serde(default)]
#[schema(as = PasswordResetRequest)]
struct Forgotten {
    /// Whose password was forgotten.
    #[schema(value_type = String)]
    email: serde_json::Value,
}

/// Asks for a link by mail. Always 204, so that nobody learns who has an account; no mail is sent in this version.
#[utoipa::path(post, path = "/api/auth/password-reset", tag = "accounts", request_body = Forgotten, responses((status = 204)))]
async fn ask(_form: Json<Forgotten>) -> StatusCode {
    StatusCode::NO_CONTENT
}

#[derive(Default, Deserialize, utoipa::ToSchema)]
#[serde(default)]
#[schema(as = PasswordReset)]
struct NewPassword {
    /// 8 to 256 characters.
    password: String,
}

/// Sets a new password by a link. Every session of the account ends; a refused password leaves the link usable.
#[utoipa::path(post, path = "/api/auth/password-reset/{token}", tag = "accounts", params(("token" = String, Path)),
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
    Ok(StatusCode::NO_CONTENT)
}
