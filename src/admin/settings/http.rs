//! The calls of the server's settings.
use std::path::Path;

use axum::extract::State;
use serde_json::Value;

use super::model::{Change, SettingsAnswer};
use crate::access::Operator;
use crate::account::events::model::{Actor, EventKind, NewEvent, Source};
use crate::account::events::store::record;
use crate::kit::current::CurrentConfig;
use crate::kit::db::pool::blocking;
use crate::kit::http::extract::Json;
use crate::kit::{App, Error, ErrorCode, FieldErrors, Result};
use crate::settings::store;

/// The settings that can change while the server runs.
#[utoipa::path(get, path = "/api/admin/settings", operation_id = "getServerSettings", tag = "operators",
    responses((status = 200, body = SettingsAnswer), (status = 401), (status = 403)))]
pub async fn settings(State(current): State<CurrentConfig>, _operator: Operator) -> axum::Json<SettingsAnswer> {
    axum::Json(SettingsAnswer::of(&current.get()))
}

/// Changes settings; they take effect at once. A body names some of the keys of the settings; null takes the preset.
#[utoipa::path(patch, path = "/api/admin/settings", operation_id = "updateServerSettings", tag = "operators", request_body = Value,
    responses((status = 200, body = SettingsAnswer), (status = 401), (status = 403), (status = 409), (status = 422)))]
pub async fn change_settings(
    State(app): State<App>,
    Operator(viewer): Operator,
    source: Source,
    Json(body): Json<Value>,
) -> Result<axum::Json<SettingsAnswer>> {
    let base = app.current.base();
    let change = Change::read(&body)?;
    if let Some(setting) = change.first_fixed(&base) {
        let sentence = "The config file, the environment or a flag sets this. Change it there.";
        return Err(Error::refused(ErrorCode::SettingFixed, sentence).with("setting", setting));
    }
    let is_private = change.applied(&base, &app.current.stored())?.is_private();
    if let Some(folder) = change.backup_folder() {
        blocking(move || check_backup_folder(&folder)).await?;
    }
    let stored = app
        .db
        .write(move |tx| {
            let stored = store::change(tx, &change.0)?;
            store::note_instance(tx, is_private)?;
            record(
                tx,
                &NewEvent {
                    kind: EventKind::SettingsChanged,
                    account: None,
                    actor: Actor::Account(viewer.user_id),
                    source: &source,
                },
            )?;
            Ok(stored)
        })
        .await?;
    app.current.store(stored).map_err(|cause| Error::internal(format!("{cause:#}")))?;
    Ok(axum::Json(SettingsAnswer::of(&app.current.get())))
}

/// Refuses a folder that backups can't be written to, before anything depends on it. A missing folder is made.
fn check_backup_folder(folder: &Path) -> Result<()> {
    let mut errors = FieldErrors::new();
    if !folder.is_absolute() {
        errors.add("backup.to", "The folder must begin with a slash, as in /var/backups/shelfwise.");
    } else if let Err(cause) = std::fs::create_dir_all(folder).and_then(|()| tempfile::tempfile_in(folder).map(drop)) {
        errors.add("backup.to", format!("The server can't write to this folder: {cause}."));
    }
    errors.into_result()
}
