//! The tables of stored settings: those of the last start, and those that operators set.
use std::path::PathBuf;

use rusqlite::{Connection, OptionalExtension as _, params};

use crate::config::StoredSettings;
use crate::config::sources::{Recorded, RecordedSetting};
use crate::kit::db::pool::{Tx, instant};
use crate::kit::{Error, Result};

/// The settings that the server recorded at its last start; `None` when no server, or only an earlier version, has used the
/// database.
pub fn find(conn: &Connection) -> rusqlite::Result<Option<Recorded>> {
    let start = "SELECT config_file, working_directory FROM server_start WHERE id = 1";
    if !conn.table_exists(None, "server_start")? {
        return Ok(None);
    }
    let row = |row: &rusqlite::Row<'_>| Ok((row.get::<_, Option<String>>(0)?, row.get::<_, String>(1)?));
    let Some((file, folder)) = conn.query_row(start, [], row).optional()? else { return Ok(None) };
    let mut query = conn.prepare("SELECT key, name, value FROM server_start_settings ORDER BY key")?;
    let settings = query.query_map([], |row| {
        let value: Option<String> = row.get(2)?;
        let value = value.map(|text| serde_json::from_str(&text)).transpose();
        let value = value
            .map_err(|cause| rusqlite::Error::FromSqlConversionFailure(2, rusqlite::types::Type::Text, cause.into()))?;
        Ok(RecordedSetting { key: row.get(0)?, name: row.get(1)?, value })
    })?;
    let settings = settings.collect::<rusqlite::Result<_>>()?;
    Ok(Some(Recorded { config_file: file.map(PathBuf::from), working_directory: folder.into(), settings }))
}

/// Records the settings of the start, replacing the earlier ones. Writes nothing when they are the same.
pub fn record(tx: &Tx<'_>, recorded: &Recorded) -> Result<()> {
    if find(tx)?.as_ref() == Some(recorded) {
        return Ok(());
    }
    let text = |path: &PathBuf| {
        path.to_str().map(str::to_owned).ok_or_else(|| Error::internal(format!("{} is not UTF-8", path.display())))
    };
    let file = recorded.config_file.as_ref().map(text).transpose()?;
    clear(tx)?;
    tx.execute(
        "INSERT INTO server_start (id, config_file, working_directory) VALUES (1, ?1, ?2)",
        params![file, text(&recorded.working_directory)?],
    )?;
    let mut insert = tx.prepare("INSERT INTO server_start_settings (key, name, value) VALUES (?1, ?2, ?3)")?;
    for setting in &recorded.settings {
        let value = setting
            .value
            .as_ref()
            .map(serde_json::to_string)
            .transpose()
            .map_err(|cause| Error::internal(cause.to_string()))?;
        insert.execute(params![setting.key, setting.name, value])?;
    }
    Ok(())
}

/// Deletes the recorded settings, because a restored database may come from another machine.
pub fn clear(conn: &Connection) -> rusqlite::Result<()> {
    for table in ["server_start", "server_start_settings"] {
        if conn.table_exists(None, table)? {
            conn.execute(&format!("DELETE FROM {table}"), [])?;
        }
    }
    Ok(())
}

/// The values that operators stored; empty in a database of an earlier version.
///
/// # Errors
/// The database's; a value that is not JSON.
pub fn stored(conn: &Connection) -> rusqlite::Result<StoredSettings> {
    if !conn.table_exists(None, "server_settings")? {
        return Ok(StoredSettings::new());
    }
    let mut query = conn.prepare_cached("SELECT key, value FROM server_settings")?;
    let rows = query.query_map([], |row| {
        let value: String = row.get(1)?;
        let value = serde_json::from_str(&value)
            .map_err(|cause| rusqlite::Error::FromSqlConversionFailure(1, rusqlite::types::Type::Text, cause.into()))?;
        Ok((row.get(0)?, value))
    })?;
    rows.collect()
}

/// Stores values by key, or removes them (`None`). Returns all stored values.
///
/// # Errors
/// The database's.
pub fn change(tx: &Tx<'_>, changes: &[(String, Option<toml::Value>)]) -> Result<StoredSettings> {
    for (key, value) in changes {
        match value {
            Some(value) => {
                let value = serde_json::to_string(value).map_err(|cause| Error::internal(cause.to_string()))?;
                tx.prepare_cached(
                    "INSERT INTO server_settings (key, value, changed_at) VALUES (?1, ?2, ?3)
                     ON CONFLICT (key) DO UPDATE SET value = excluded.value, changed_at = excluded.changed_at",
                )?
                .execute(params![key, value, instant(tx.now())])?;
            }
            None => {
                tx.prepare_cached("DELETE FROM server_settings WHERE key = ?1")?.execute([key])?;
            }
        }
    }
    Ok(stored(tx)?)
}

/// Records whether the server is private, for the view `paid_teams`. Writes nothing if that is recorded already.
///
/// # Errors
/// The database's.
pub fn note_instance(tx: &Tx<'_>, is_private: bool) -> Result<()> {
    tx.prepare_cached("UPDATE server_instance SET private = ?1 WHERE private <> ?1")?.execute([is_private])?;
    Ok(())
}

/// Whether the server is private, as recorded last.
///
/// # Errors
/// The database's.
pub fn is_private(conn: &Connection) -> rusqlite::Result<bool> {
    conn.prepare_cached("SELECT private FROM server_instance")?.query_row([], |row| row.get(0))
}
