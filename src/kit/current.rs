//! The settings that may change while the server runs.
use std::sync::{Arc, PoisonError, RwLock};

use crate::config::Config;

/// The settings of the start with what was read again since. Clones share them. Settings that hold until a restart are equal here
/// and in the settings of the start; [`Config::reloaded`] says which are not.
#[derive(Clone)]
pub struct CurrentConfig(Arc<RwLock<Arc<Config>>>);

impl CurrentConfig {
    /// Settings, at first those of the start.
    pub fn new(config: Arc<Config>) -> Self {
        Self(Arc::new(RwLock::new(config)))
    }

    /// The settings of this moment. Ask again instead of keeping them.
    pub fn get(&self) -> Arc<Config> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Puts settings in the place of the present ones.
    pub fn replace(&self, config: Config) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(config);
    }
}
