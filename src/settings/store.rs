//! The tables of stored settings.
use rusqlite::Connection;

use crate::config::StoredSettings;
use crate::kit::db::pool::Tx;
use crate::kit::{Error, Result};

/// The tables that hold the stored settings as one JSON object: today's, and that of databases that are not migrated yet.
const TABLES: [(&str, &str); 2] = [
    ("stored_settings", "SELECT settings FROM stored_settings"),
    ("server_settings", "SELECT json_group_object(key, json(value)) FROM server_settings"),
];

/// The values that operators stored; empty in a database of an earlier version.
pub fn stored(conn: &Connection) -> rusqlite::Result<StoredSettings> {
    for (table, query) in TABLES {
        if conn.table_exists(None, table)? {
            let text: String = conn.prepare_cached(query)?.query_row([], |row| row.get(0))?;
            return serde_json::from_str(&text).map_err(|cause| {
                rusqlite::Error::FromSqlConversionFailure(0, rusqlite::types::Type::Text, cause.into())
            });
        }
    }
    Ok(StoredSettings::new())
}

/// Stores values by key, or removes them (`None`). Returns all stored values.
pub fn change(tx: &Tx<'_>, changes: &[(String, Option<toml::Value>)]) -> Result<StoredSettings> {
    let mut settings = stored(tx)?;
    for (key, value) in changes.iter().cloned() {
        match value {
            Some(value) => settings.insert(key, value),
            None => settings.remove(&key),
        };
    }
    let text = serde_json::to_string(&settings).map_err(|cause| Error::internal(cause.to_string()))?;
    tx.prepare_cached("UPDATE stored_settings SET settings = ?1")?.execute([text])?;
    Ok(settings)
}

/// Records whether the server is private, for the view `paid_teams`. Writes nothing if that is recorded already.
pub fn note_instance(tx: &Tx<'_>, is_private: bool) -> Result<()> {
    tx.prepare_cached("UPDATE server_instance SET private = ?1 WHERE private <> ?1")?.execute([is_private])?;
    Ok(())
}

/// Whether the server is private, as recorded last.
pub fn is_private(conn: &Connection) -> rusqlite::Result<bool> {
    conn.prepare_cached("SELECT private FROM server_instance")?.query_row([], |row| row.get(0))
}
