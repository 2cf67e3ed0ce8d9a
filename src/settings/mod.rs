//! Settings in the database: the values that the server records when it starts, for the commands beside it, and the values that
//! operators store while it runs.
//!
//! Tables: `server_start`, `server_start_settings`, `server_settings`, `server_instance`. The API calls are in [`crate::admin`]. The rank
//! of these values among the other sources is in [`crate::config::sources`].
pub mod change;
pub mod store;

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::kit::db::change_counter::DataVersion;
use crate::kit::{App, Result};

/// How often requests read the stored settings at most while the server itself writes. A commit of another program alone is noticed
/// by the next request.
const READ_EVERY: Duration = Duration::from_millis(50);

/// Applies what a command stores beside the running server from the next request on.
#[derive(Default)]
pub struct Follower(Mutex<Option<LastRead>>);

struct LastRead {
    /// The version of the database before the stored settings were read.
    version: DataVersion,
    at: Instant,
}

impl Follower {
    /// Applies the stored settings if the database may have changed since they were read. A failure is logged.
    pub async fn follow(&self, app: &App) {
        if app.db.version().is_some_and(|version| self.is_due(version, Instant::now())) {
            follow(app).await;
        }
    }

    /// Whether the stored settings are to be read at this version, and remembers that they are.
    fn is_due(&self, version: DataVersion, now: Instant) -> bool {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_due = last.as_ref().is_none_or(|last| {
            let only_others_wrote = version.0 == last.version.0;
            version != last.version && (only_others_wrote || now.duration_since(last.at) >= READ_EVERY)
        });
        if is_due {
            *last = Some(LastRead { version, at: now });
        }
        is_due
    }
}

/// Applies the settings that are stored in the database, and logs a change or a failure.
pub async fn follow(app: &App) {
    match take_over(app).await {
        Ok(true) => tracing::info!("applied changed stored settings"),
        Ok(false) => {}
        Err(cause) => tracing::debug!(%cause, "reading the stored settings failed"),
    }
}

/// Applies the settings that are stored in the database. Returns whether anything has changed.
///
/// # Errors
/// The database's.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commit_of_another_program_is_noticed_at_once_and_own_ones_every_50_milliseconds() {
        let (follower, start) = (Follower::default(), Instant::now());
        let at = |version, ms| follower.is_due(version, start + Duration::from_millis(ms));
        assert!(at((1, 1), 0));
        assert!(!at((1, 1), 100), "nothing has changed");
        assert!(at((1, 2), 101), "another program wrote");
        assert!(!at((2, 3), 102), "the server wrote");
        assert!(at((2, 3), 151), "another may have written as well");
    }
}
