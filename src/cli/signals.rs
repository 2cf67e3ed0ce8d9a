//! The signals that a serving program handles besides those that stop it, and reloading.
use std::io;
use std::time::Duration;

use tokio::signal::unix::{self, SignalKind, signal};

use crate::config::Config;
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

/// Applies reloaded settings, and logs which changed and which need a restart. Invalid settings change nothing. Returns whether the
/// settings could be read.
pub fn reload(app: &App, read: anyhow::Result<Config>) -> bool {
    let read = match read {
        Ok(read) => read,
        Err(cause) => {
            tracing::error!(cause = format!("{cause:#}"), "reloading the settings failed; nothing has changed");
            return false;
        }
    };
    let before = app.current.base();
    let mut reloaded = before.reloaded(&read);
    logs::set_level(&reloaded.config);
    // The file may have changed under the same name.
    if let Err(cause) = app.places.read_again(reloaded.config.geoip_database.as_deref()) {
        tracing::error!(cause, "reloading the GeoIP database failed; the previous one stays in use");
    }
    if let Err(cause) = app.mail.read_again(&reloaded.config) {
        tracing::error!(
            cause = format!("{cause:#}"),
            "applying the mail settings failed; the previous ones stay in use"
        );
        reloaded.config.mail = before.mail.clone();
    }
    app.current.replace(reloaded.config);
    match reloaded.changed.is_empty() {
        true => {
            tracing::info!("reloaded the settings; nothing has changed that applies without a restart")
        }
        false => tracing::info!(changed = reloaded.changed.join(", "), "reloaded the settings"),
    }
    if !reloaded.after_restart.is_empty() {
        tracing::warn!(settings = reloaded.after_restart.join(", "), "some changed settings need a restart");
    }
    true
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
