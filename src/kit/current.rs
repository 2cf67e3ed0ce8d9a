//! The settings that can change while the server runs.
use std::sync::{Arc, PoisonError, RwLock};

use tokio::sync::watch;

use crate::config::{Config, StoredSettings};

/// The current settings: those of the start, with the values that operators stored. Clones share them. Settings that are not live keep
/// the values of the start.
#[derive(Clone)]
pub struct CurrentConfig(Arc<Shared>);

struct Shared {
    /// The settings without stored values.
    base: Arc<Config>,
    state: RwLock<State>,
    changes: watch::Sender<()>,
}

struct State {
    stored: StoredSettings,
    /// The settings with stored values.
    config: Arc<Config>,
}

impl CurrentConfig {
    /// Starts with the given settings.
    pub fn new(base: Arc<Config>) -> Self {
        let state = State { stored: StoredSettings::new(), config: base.clone() };
        Self(Arc::new(Shared { base, state: RwLock::new(state), changes: watch::Sender::new(()) }))
    }

    /// The settings at this moment. Call this again instead of storing the result.
    pub fn get(&self) -> Arc<Config> {
        self.0.state.read().unwrap_or_else(PoisonError::into_inner).config.clone()
    }

    /// The settings without stored values.
    pub fn base(&self) -> &Config {
        &self.0.base
    }

    /// The values that operators stored.
    pub fn stored(&self) -> StoredSettings {
        self.0.state.read().unwrap_or_else(PoisonError::into_inner).stored.clone()
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
        state.config = Arc::new(self.0.base.with_stored(&stored)?);
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
