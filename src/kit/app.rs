//! What every handler can reach.
use std::any::Any;
use std::sync::Arc;

use axum::extract::FromRef;
use tokio::sync::Semaphore;

use super::answers::Answers;
use super::db::Db;
use super::limits::Attempts;
use super::memo::Memo;
use super::session::TokenHash;
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
    /// Answers of lists and statistics.
    pub answers: Answers,
    /// Who is signed in, by session.
    pub sessions: Sessions,
    /// Permits for hashing passwords.
    pub hashing: Hashing,
    /// Whether this run shows a demo library.
    pub demo: Demo,
}

/// Bounds how many passwords are hashed at once: half as many as there are cores, and at least one.
#[derive(Clone)]
pub struct Hashing(pub Arc<Semaphore>);

/// What is known of sessions until the next commit. Only the floor above, which reads it, knows of what kind it is.
pub type Sessions = Arc<Memo<TokenHash, Arc<dyn Any + Send + Sync>>>;

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
            answers: Answers::default(),
            sessions: Sessions::default(),
            hashing: Hashing(Arc::new(Semaphore::new((cores / 2).max(1)))),
            demo: Demo(demo),
        }
    }
}
