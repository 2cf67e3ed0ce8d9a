//! The signals that a serving program takes besides those that stop it, and what it does then.
use std::io;
use std::time::Duration;

use tokio::signal::unix::{self, SignalKind, signal};

use crate::config::Config;
use crate::kit::db::pool::Db;
use crate::kit::health::answers;
use crate::kit::{App, logs, notify};

/// SIGHUP, SIGUSR1 and SIGUSR2, which would end a program that does not take them.
pub struct Signals {
    hangup: unix::Signal,
    first: unix::Signal,
    second: unix::Signal,
}

/// What a signal asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signal {
    /// To read the settings again.
    Reload,
    /// Nothing; its name.
    Ignored(&'static str),
}

impl Signals {
    /// Takes the signals from now on; within a runtime.
    pub fn new() -> io::Result<Self> {
        Ok(Self {
            hangup: signal(SignalKind::hangup())?,
            first: signal(SignalKind::user_defined1())?,
            second: signal(SignalKind::user_defined2())?,
        })
    }

    /// The next signal.
    pub async fn next(&mut self) -> Signal {
        tokio::select! {
            _ = self.hangup.recv() => Signal::Reload,
            _ = self.first.recv() => Signal::Ignored("SIGUSR1"),
            _ = self.second.recv() => Signal::Ignored("SIGUSR2"),
        }
    }
}

/// Takes over what may change of settings that were read again, and logs what did and what waits for a restart. Answers whether
/// the settings of backups have changed. Settings that can't be used change nothing.
pub fn reload(app: &App, read: anyhow::Result<Config>) -> bool {
    let mut read = match read {
        Ok(read) => read,
        Err(cause) => {
            tracing::error!(cause = format!("{cause:#}"), "the settings could not be read again; nothing has changed");
            return false;
        }
    };
    // Where any free port was asked for, the start has written down which it is.
    if read.listen.port() == 0 && read.listen.ip() == app.config.listen.ip() {
        read.listen = app.config.listen;
    }
    let before = app.current.get();
    let mut reloaded = before.reloaded(&read);
    logs::set_level(&reloaded.config);
    // The file may have changed where its name has not.
    if let Err(cause) = app.places.read_again(reloaded.config.geoip_database.as_deref()) {
        tracing::error!(cause, "the GeoIP database could not be read again; the one before stays in use");
    }
    if let Err(cause) = app.mail.read_again(&reloaded.config) {
        tracing::error!(cause = format!("{cause:#}"), "the settings of mail can't be used; those before stay in use");
        reloaded.config.mail = before.mail.clone();
    }
    let backups = reloaded.config.backup != before.backup;
    app.current.replace(reloaded.config);
    match reloaded.changed.is_empty() {
        true => {
            tracing::info!("the settings were read again; nothing that may change while the server runs has changed")
        }
        false => tracing::info!(changed = reloaded.changed.join(", "), "the settings were read again"),
    }
    if !reloaded.after_restart.is_empty() {
        tracing::warn!(
            settings = reloaded.after_restart.join(", "),
            "settings have changed that hold after a restart only"
        );
    }
    backups
}

/// Tells the service manager that the server still answers, for as long as the writer and a reader do, several times within
/// `limit`, after which the manager would end the server.
pub async fn keep_watchdog(db: Db, limit: Duration) {
    let mut answered = true;
    loop {
        let answers = tokio::time::timeout(limit / 2, answers(&db)).await.unwrap_or(false);
        match (answers, answered) {
            (true, _) => notify::alive(),
            (false, true) => {
                tracing::error!("the database does not answer; the service manager is not told that all is well")
            }
            (false, false) => {}
        }
        answered = answers;
        tokio::time::sleep(limit / 4).await;
    }
}
