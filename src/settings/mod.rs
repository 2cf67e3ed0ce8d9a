//! Settings that operators change while the server runs.
//!
//! Tables: `stored_settings`, `server_instance`. The API calls are in [`crate::admin`]. The rank of these values among the other sources
//! is in [`crate::config::sources`].
pub mod change;
pub mod store;

use crate::kit::{App, Result};

/// Applies the settings that are stored in the database, and logs a change or a failure.
pub async fn follow(app: &App) {
    match take_over(app).await {
        Ok(true) => tracing::info!("applied changed stored settings"),
        Ok(false) => {}
        Err(cause) => tracing::debug!(%cause, "reading the stored settings failed"),
    }
}

/// Applies the settings that are stored in the database. Returns whether anything has changed.
pub async fn take_over(app: &App) -> Result<bool> {
    let (stored, was_private) = app.db.read(|conn| Ok((store::stored(conn)?, store::is_private(conn)?))).await?;
    let changed = app.current.store(stored).unwrap_or_else(|cause| {
        tracing::error!(cause = format!("{cause:#}"), "stored settings rejected; the former ones stay in use");
        false
    });
    let is_private = app.current.get().is_private();
    if is_private != was_private {
        app.db.write(move |tx| store::note_instance(tx, is_private)).await?;
    }
    Ok(changed)
}
