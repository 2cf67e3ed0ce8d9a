//! The API calls of the first run.
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse;
use serde::Serialize;
use utoipa_axum::router::OpenApiRouter;

use super::model::{SetupCode, SetupRequest, field};
use super::store;
use crate::account::events::model::{EventKind, EventSource, NewEvent};
use crate::account::events::store::record;
use crate::account::http::NewSession;
use crate::account::model::{User, require_password_login};
use crate::account::{password, store as accounts};
use crate::backups;
use crate::backups::folder::{BackupFolder, BackupFolderRequest};
use crate::kit::db::pool::blocking;
use crate::kit::http::extract::{ClientIp, Json, Path};
use crate::kit::http::routes::routes;
use crate::kit::http::session::{Browser, TokenHash};
use crate::kit::{App, Error, ErrorCode, Result};
use crate::settings::store as settings;

/// Asking about a code, and with it about a folder, and setting up the server.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(check, set_up)).routes(routes!(check_folder))
}

/// An empty object: the code is valid.
#[derive(Serialize, utoipa::ToSchema)]
struct SetupCodeIsValid {}

/// Returns an empty object if a code sets up the server. Once there is an operator, every code is 404.
#[utoipa::path(get, path = "/api/setup/{code}", operation_id = "checkSetupCode", tag = "server", params(("code" = String, Path)),
    responses((status = 200, body = SetupCodeIsValid), (status = 404), (status = 429)))]
async fn check(
    State(app): State<App>,
    ClientIp(ip): ClientIp,
    Path(code): Path<String>,
) -> Result<axum::Json<SetupCodeIsValid>> {
    // A code that an earlier start printed sets up nothing on a server without passwords.
    if !app.config.password_login {
        return Err(Error::NotFound);
    }
    known(&app, ip, &code).await?;
    Ok(axum::Json(SetupCodeIsValid {}))
}

/// Looks at a folder for backups, as on the Admin page: whether the server can write there, and how much room there is. Nothing is made
/// or stored.
#[utoipa::path(post, path = "/api/setup/{code}/backup-folder", operation_id = "checkSetupBackupFolder", tag = "server", params(("code" = String, Path)),
    request_body = BackupFolderRequest,
    responses((status = 200, body = BackupFolder), (status = 403), (status = 404), (status = 422), (status = 429)))]
async fn check_folder(
    State(app): State<App>,
    ClientIp(ip): ClientIp,
    Path(code): Path<String>,
    Json(form): Json<BackupFolderRequest>,
) -> Result<axum::Json<BackupFolder>> {
    require_password_login(&app.config)?;
    known(&app, ip, &code).await?;
    let database = app.config.database();
    let found = blocking(move || Ok(form.look(&database))).await?;
    found.map(axum::Json).map_err(|sentence| Error::invalid_field("to", sentence))
}

/// The first operator, who is signed in now.
#[derive(Serialize, utoipa::ToSchema)]
struct SetupResponse {
    user: User,
}

/// Makes the first operator, stores the answers about the server, and signs in. Of two calls with the same code one succeeds.
#[utoipa::path(post, path = "/api/setup/{code}", operation_id = "setUpServer", tag = "server", params(("code" = String, Path)),
    request_body = SetupRequest,
    responses((status = 201, body = SetupResponse), (status = 403), (status = 404), (status = 409), (status = 422), (status = 429), (status = 503)))]
async fn set_up(
    State(app): State<App>,
    browser: Browser,
    ClientIp(ip): ClientIp,
    source: EventSource,
    headers: HeaderMap,
    Path(code): Path<String>,
    Json(form): Json<SetupRequest>,
) -> Result<impl IntoResponse> {
    require_password_login(&app.config)?;
    let code = known(&app, ip, &code).await?;
    let base = app.current.base();
    let (account, change) = form.checked(base, app.current.get().identity().host())?;
    if let Some((key, _)) = change.0.iter().find(|(key, _)| base.fixed.contains(key)) {
        let sentence = "The config file, the environment or a flag sets this. Change it there.";
        return Err(Error::refused(ErrorCode::SettingFixed, sentence).with("setting", field(key)));
    }
    let is_private = change.applied(base, &app.current.stored())?.is_private();
    if let Some(folder) = change.backup_folder() {
        let checked = blocking(move || Ok(backups::check_folder(&folder))).await?;
        checked.map_err(|sentence| Error::invalid_field("backupTo", sentence))?;
    }
    let hash = password::hash(&app.hashing, account.password.clone()).await?;
    let session = NewSession::new(&app.config, &browser, &headers, ip)?;
    let admission = session.admission(&app.config);
    let made = app.db.write(move |tx| {
        store::redeem(tx, code)?;
        let user = accounts::create(tx, &account, Some(&hash))?;
        session.open(tx, user.id)?;
        let stored = settings::change(tx, &change.0)?;
        settings::note_instance(tx, is_private)?;
        record(tx, &NewEvent::own(EventKind::ServerSetUp, user.id, &source))?;
        Ok((user, stored))
    });
    let (user, stored) = made.await?;
    app.current.store(stored).map_err(|cause| Error::internal(format!("{cause:#}")))?;
    admission.give(&browser, user.id).await?;
    Ok((StatusCode::CREATED, axum::Json(SetupResponse { user })))
}

/// The hash of a code that sets up the server now. Any other code counts as a guess.
async fn known(app: &App, ip: std::net::IpAddr, code: &str) -> Result<TokenHash> {
    app.attempts.begin_secret(ip, app.now())?;
    let hash = SetupCode::parse(code).ok_or(Error::NotFound)?.hash();
    if !app.db.read(move |conn| store::is_valid(conn, hash)).await? {
        return Err(Error::NotFound);
    }
    app.attempts.knew_secret(ip);
    Ok(hash)
}
