//! What every handler can reach.
use std::any::Any;
use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::FromRef;

use super::current::CurrentConfig;
use super::hashing::Hashing;
use super::health::Health;
use crate::config::{Config, Quotas};
use crate::kit::db::pool::Db;
use crate::kit::db::user_locks::UserLocks;
use crate::kit::db::versioned_cache::VersionedCache;
use crate::kit::http::budgets::Budgets;
use crate::kit::http::ended_sessions::EndedSessions;
use crate::kit::http::response_cache::ResponseCache;
use crate::kit::http::server::Timeouts;
use crate::kit::http::session::TokenHash;
use crate::kit::http::throttle::{LoginThrottle, SignUps};
use crate::kit::mail::mailer::Mailer;
use crate::kit::net::geoip::GeoIp;
use crate::kit::net::http_client::HttpClient;

/// The shared state of the server. A clone is one more reference: every layer of every request makes some.
#[derive(Clone)]
pub struct App(Arc<State>);

/// What [`App`] refers to.
pub struct State {
    /// Readers and the single writer.
    pub db: Db,
    /// The settings of the start.
    pub config: Arc<Config>,
    /// The settings of this moment, of which some may have changed since the start.
    pub current: CurrentConfig,
    /// The server's own condition.
    pub health: Arc<Health>,
    /// Failed attempts to get in.
    pub attempts: Arc<LoginThrottle>,
    /// What callers share: calls at once, and memory.
    pub budgets: Budgets,
    /// Answers of lists and statistics.
    pub response_cache: ResponseCache,
    /// Who is signed in, by session.
    pub sessions: Sessions,
    /// Sessions whose log-out is not on the disk yet.
    pub ended: Arc<EndedSessions>,
    /// Where addresses lie.
    pub places: GeoIp,
    /// Sends letters, where mail is configured.
    pub mail: Mailer,
    /// Sign-ups by address.
    pub sign_ups: SignUps,
    /// Permits for hashing passwords.
    pub hashing: Hashing,
    /// Calls to other servers.
    pub http_client: HttpClient,
    /// Whose matters with another server are being settled.
    pub user_locks: UserLocks,
    /// How long a client may take.
    pub timeouts: Timeouts,
    /// Whether this run shows a demo library.
    pub demo: Demo,
}

/// What a server reaches beyond its database, by default nothing, and how long it waits for it.
#[derive(Clone, Default)]
pub struct Services {
    /// Where addresses lie.
    pub places: GeoIp,
    /// Sends letters.
    pub mail: Mailer,
    /// How long a client may take.
    pub timeouts: Timeouts,
}

impl Services {
    /// Those that the settings name; they belong to the runtime that this is called in.
    ///
    /// # Errors
    /// A sentence about the setting that can't be used.
    pub fn of(config: &Config) -> anyhow::Result<Self> {
        let places = GeoIp::open(config.geoip_database.as_deref()).map_err(anyhow::Error::msg)?;
        Ok(Self { places, mail: Mailer::start(config)?, timeouts: Timeouts::default() })
    }
}

/// What is known of sessions until the next commit. Only the floor above, which reads it, knows of what kind it is.
pub type Sessions = Arc<VersionedCache<TokenHash, Arc<dyn Any + Send + Sync>>>;

/// Whether this run shows a demo library.
#[derive(Clone, Copy)]
pub struct Demo(pub bool);

impl App {
    /// The state over an open database.
    pub fn new(db: Db, config: Config, demo: bool) -> Self {
        Self::with_services(db, config, demo, Services::default())
    }

    /// The state over an open database, of a server that reaches beyond it.
    pub fn with_services(db: Db, config: Config, demo: bool, services: Services) -> Self {
        let Services { places, mail, timeouts } = services;
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let (limits, budgets) = (config.limits, Budgets::new(&config.limits));
        db.limit_reads(Duration::from_secs(limits.statement_seconds.into()));
        let config = Arc::new(config);
        Self(Arc::new(State {
            db,
            current: CurrentConfig::new(config.clone()),
            config,
            health: Arc::default(),
            attempts: Arc::default(),
            response_cache: ResponseCache::within(budgets.response_cache().clone()),
            budgets,
            sessions: Sessions::default(),
            ended: Arc::default(),
            places,
            mail,
            hashing: Hashing::new(cores, limits.password_queue as usize),
            sign_ups: SignUps::new(limits.sign_ups),
            http_client: HttpClient::default(),
            user_locks: UserLocks::default(),
            timeouts,
            demo: Demo(demo),
        }))
    }
}

impl Deref for App {
    type Target = State;

    fn deref(&self) -> &State {
        &self.0
    }
}

/// Lets a handler ask for one part of the state.
macro_rules! parts {
    ($($part:ident: $kind:ty),*) => {$(
        impl FromRef<App> for $kind {
            fn from_ref(app: &App) -> Self {
                app.$part.clone()
            }
        }
    )*};
}
impl FromRef<App> for Quotas {
    fn from_ref(app: &App) -> Self {
        app.config.limits.quotas()
    }
}

parts!(db: Db, config: Arc<Config>, current: CurrentConfig, health: Arc<Health>, places: GeoIp, mail: Mailer, hashing: Hashing, demo: Demo);
