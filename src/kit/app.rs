//! What every handler can reach.
use std::sync::Arc;

use axum::extract::FromRef;
use tokio::sync::Semaphore;

use super::db::Db;
use super::limits::Attempts;
use crate::config::Config;

/// The shared state of the server; clones are cheap.
#[derive(Clone, FromRef)]
pub struct App {
    /// Readers and the single writer.
    pub db: Db,
    /// The settings of this run.
    pub config: Arc<Config>,
    /// Failed attempts to get in.
    pub attempts: Arc<Attempts>,
    /// Permits for hashing passwords.
    pub hashing: Hashing,
    /// Whether this run shows a demo library.
    pub demo: Demo,
}

/// Bounds how many passwords are hashed at once: half as many as there are cores, and at least one.
#[derive(Clone)]
pub struct Hashing(pub Arc<Semaphore>);

/// Whether this run shows a demo library.
#[derive(Clone, Copy)]
pub struct Demo(pub bool);

impl App {
    /// The state over an open database.
    pub fn new(db: Db, config: Config, demo: bool) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            db,
            config: Arc::new(config),
            attempts: Arc::default(),
            hashing: Hashing(Arc::new(Semaphore::new((cores / 2).max(1)))),
            demo: Demo(demo),
        }
    }
}
