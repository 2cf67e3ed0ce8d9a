//! The settings that can change while the server runs.
use std::sync::{Arc, PoisonError, RwLock};

use crate::config::Config;

/// The current settings: those of the start, with later reloads. Clones share them. Settings that need a restart keep the values
/// of the start; [`Config::reloaded`] lists them.
#[derive(Clone)]
pub struct CurrentConfig(Arc<RwLock<Arc<Config>>>);

impl CurrentConfig {
    /// Starts with the given settings.
    pub fn new(config: Arc<Config>) -> Self {
        Self(Arc::new(RwLock::new(config)))
    }

    /// The settings at this moment. Call this again instead of storing the result.
    pub fn get(&self) -> Arc<Config> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Replaces the current settings.
    pub fn replace(&self, config: Config) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(config);
    }
}
