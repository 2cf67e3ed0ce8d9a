//! The settings that can change while the server runs.
use std::sync::{Arc, PoisonError, RwLock};

use tokio::sync::watch;

use crate::config::{Config, StoredSettings};

/// The current settings: those of the start, with later reloads and the values that operators stored. Clones share them. Settings
/// that need a restart keep the values of the start; [`Config::reloaded`] lists them.
#[derive(Clone)]
pub struct CurrentConfig(Arc<Shared>);

struct Shared {
    state: RwLock<State>,
    changes: watch::Sender<()>,
}

struct State {
    /// The settings without stored values.
    base: Arc<Config>,
    stored: StoredSettings,
    /// The settings with stored values.
    config: Arc<Config>,
}

impl CurrentConfig {
    /// Starts with the given settings.
    pub fn new(config: Arc<Config>) -> Self {
        let state = State { base: config.clone(), stored: StoredSettings::new(), config };
        Self(Arc::new(Shared { state: RwLock::new(state), changes: watch::Sender::new(()) }))
    }

    /// The settings at this moment. Call this again instead of storing the result.
    pub fn get(&self) -> Arc<Config> {
        self.0.state.read().unwrap_or_else(PoisonError::into_inner).config.clone()
    }

    /// The settings at this moment, without stored values.
    pub fn base(&self) -> Arc<Config> {
        self.0.state.read().unwrap_or_else(PoisonError::into_inner).base.clone()
    }

    /// The values that operators stored.
    pub fn stored(&self) -> StoredSettings {
        self.0.state.read().unwrap_or_else(PoisonError::into_inner).stored.clone()
    }

    /// Replaces the settings below the stored values, which still apply unless they no longer fit.
    pub fn replace(&self, base: Config) {
        let mut state = self.0.state.write().unwrap_or_else(PoisonError::into_inner);
        let config = base.with_stored(&state.stored, &base.fixed).unwrap_or_else(|cause| {
            tracing::error!(cause = format!("{cause:#}"), "stored settings rejected after a reload");
            base.clone()
        });
        (state.base, state.config) = (Arc::new(base), Arc::new(config));
        drop(state);
        self.0.changes.send_replace(());
    }

    /// Replaces the stored values. Returns whether they differ from the former ones.
    ///
    /// # Errors
    /// A sentence that names the key with an invalid value; then nothing changes.
    pub fn store(&self, stored: StoredSettings) -> anyhow::Result<bool> {
        let mut state = self.0.state.write().unwrap_or_else(PoisonError::into_inner);
        if state.stored == stored {
            return Ok(false);
        }
        state.config = Arc::new(state.base.with_stored(&stored, &state.base.fixed)?);
        state.stored = stored;
        drop(state);
        self.0.changes.send_replace(());
        Ok(true)
    }

    /// Receives a message whenever the settings change.
    pub fn changes(&self) -> watch::Receiver<()> {
        self.0.changes.subscribe()
    }
}
