//! The signals that a serving program handles besides those that stop it, and reloading.
use std::io;
use std::time::Duration;

use tokio::signal::unix::{self, SignalKind, signal};

use super::exit::Outcome;
use crate::config::Effective;
use crate::kit::db::pool::Db;
use crate::kit::health::answers;
use crate::kit::{App, logs, notify};

/// SIGHUP, SIGUSR1 and SIGUSR2, which end a program that does not handle them.
pub struct Signals {
    hangup: unix::Signal,
    first: unix::Signal,
    second: unix::Signal,
}

/// The meaning of a signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signal {
    /// Reload the settings.
    Reload,
    /// Nothing; holds its name.
    Ignored(&'static str),
}

impl Signals {
    /// Starts handling the signals, inside a runtime.
    pub fn new() -> io::Result<Self> {
        Ok(Self {
            hangup: signal(SignalKind::hangup())?,
            first: signal(SignalKind::user_defined1())?,
            second: signal(SignalKind::user_defined2())?,
        })
    }

    /// Waits for the next signal.
    pub async fn next(&mut self) -> Signal {
        tokio::select! {
            _ = self.hangup.recv() => Signal::Reload,
            _ = self.first.recv() => Signal::Ignored("SIGUSR1"),
            _ = self.second.recv() => Signal::Ignored("SIGUSR2"),
        }
    }
}

/// How a server reloads its settings.
pub struct Reload {
    /// The settings of the start.
    pub started_with: Effective,
    /// Reads the settings again.
    pub read: Box<dyn Fn() -> Outcome<Effective> + Send + Sync>,
}

impl Reload {
    /// Applies the log level and reads the GeoIP database again; the log names other settings that changed, which need a restart.
    /// Settings that can't be read change nothing. Returns whether they could be read.
    pub fn run(&self, app: &App) -> bool {
        let again = match (self.read)() {
            Ok(again) => again,
            Err(cause) => {
                tracing::error!(%cause, "reloading the settings failed; nothing has changed");
                return false;
            }
        };
        logs::set_level(&again.config);
        // The file may have changed under the same name.
        if let Err(cause) = app.places.read_again(again.config.geoip_database.as_deref()) {
            tracing::error!(cause, "reloading the GeoIP database failed; the previous one stays in use");
        }
        tracing::info!("reloaded the settings");
        let mut waiting = self.started_with.changed_keys(&again);
        waiting.retain(|key| !matches!(key.as_str(), "log_level" | "geoip_database"));
        if !waiting.is_empty() {
            tracing::warn!(settings = waiting.join(", "), "some changed settings need a restart");
        }
        true
    }
}

/// Notifies the service manager while the writer and a reader answer, several times within `limit`, after which the manager kills
/// the server.
pub async fn keep_watchdog(db: Db, limit: Duration) {
    let mut answered = true;
    loop {
        let answers = tokio::time::timeout(limit / 2, answers(&db)).await.unwrap_or(false);
        match (answers, answered) {
            (true, _) => notify::alive(),
            (false, true) => {
                tracing::error!("the database does not answer; not notifying the service manager")
            }
            (false, false) => {}
        }
        answered = answers;
        tokio::time::sleep(limit / 4).await;
    }
}
