//! The calls of the server's settings.
use axum::extract::State;
use serde_json::Value;

use super::model::SettingsResponse;
use crate::access::Operator;
use crate::account::events::model::{EventKind, EventSource, NewEvent};
use crate::account::events::store::record;
use crate::backups;
use crate::backups::folder::{BackupFolder, BackupFolderRequest};
use crate::kit::current::CurrentConfig;
use crate::kit::db::pool::blocking;
use crate::kit::http::extract::Json;
use crate::kit::{App, Error, ErrorCode, Result};
use crate::settings::change::SettingsChange;
use crate::settings::store;

/// Returns the settings that can change while the server runs.
#[utoipa::path(get, path = "/api/admin/settings", operation_id = "getServerSettings", tag = "operators",
    responses((status = 200, body = SettingsResponse), (status = 401), (status = 403)))]
pub async fn settings(State(current): State<CurrentConfig>, _operator: Operator) -> axum::Json<SettingsResponse> {
    axum::Json(SettingsResponse::of(&current.get()))
}

/// Looks at a folder for backups: whether the server can write there, and how much room there is. Nothing is made or stored.
#[utoipa::path(post, path = "/api/admin/backup-folder", operation_id = "checkBackupFolder", tag = "operators", request_body = BackupFolderRequest,
    responses((status = 200, body = BackupFolder), (status = 401), (status = 403), (status = 422)))]
pub async fn check_folder(
    State(app): State<App>,
    _operator: Operator,
    Json(form): Json<BackupFolderRequest>,
) -> Result<axum::Json<BackupFolder>> {
    let database = app.config.database();
    let found = blocking(move || Ok(form.look(&database))).await?;
    found.map(axum::Json).map_err(|sentence| Error::invalid_field("to", sentence))
}

/// Changes settings; they take effect at once. A body names some of the keys of the settings; null restores the default. Another
/// folder for backups requires a sign-in or a confirmation within the last ten minutes (403 `confirm_yourself`).
#[utoipa::path(patch, path = "/api/admin/settings", operation_id = "updateServerSettings", tag = "operators", request_body = Value,
    responses((status = 200, body = SettingsResponse), (status = 401), (status = 403), (status = 409), (status = 422)))]
pub async fn change_settings(
    State(app): State<App>,
    Operator(viewer): Operator,
    source: EventSource,
    Json(body): Json<Value>,
) -> Result<axum::Json<SettingsResponse>> {
    let base = app.current.base();
    let change = SettingsChange::read(&body)?;
    if let Some(setting) = change.first_fixed(base) {
        let sentence = "The config file, the environment or a flag sets this. Change it there.";
        return Err(Error::refused(ErrorCode::SettingFixed, sentence).with("setting", setting));
    }
    let is_private = change.applied(base, &app.current.stored())?.is_private();
    if change.moves_backups() {
        viewer.require_confirmation(app.now())?;
    }
    if let Some(folder) = change.backup_folder() {
        let checked = blocking(move || Ok(backups::check_folder(&folder))).await?;
        checked.map_err(|sentence| Error::invalid_field("backup.to", sentence))?;
    }
    let stored = app
        .db
        .write(move |tx| {
            let stored = store::change(tx, &change.0)?;
            store::note_instance(tx, is_private)?;
            record(tx, &NewEvent::of_server(EventKind::SettingsChanged, viewer.user_id, &source))?;
            Ok(stored)
        })
        .await?;
    app.current.store(stored).map_err(|cause| Error::internal(format!("{cause:#}")))?;
    Ok(axum::Json(SettingsResponse::of(&app.current.get())))
}
