//! The shared state that every handler can reach.
use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::FromRef;
use chrono::{DateTime, TimeDelta, Utc};

use super::clock::Clock;
use super::current::CurrentConfig;
use super::hashing::Hashing;
use super::health::Health;
use crate::config::{Config, Quotas};
use crate::kit::db::pool::Db;
use crate::kit::db::side_file::{CATALOGUE, SideFile};
use crate::kit::db::user_locks::UserLocks;
use crate::kit::http::budgets::Budgets;
use crate::kit::http::connection::Timeouts;
use crate::kit::http::ended_sessions::EndedSessions;
use crate::kit::http::throttle::{AddressLimit, LoginThrottle};
use crate::kit::mail::mailer::Mailer;
use crate::kit::net::geoip::GeoIp;
use crate::kit::net::http_client::HttpClient;

/// How often one address may open secret links in a minute.
const SHARED_VIEWS_A_MINUTE: u32 = 60;
/// A shared page has up to 500 covers, which a browser fetches one by one.
const SHARED_COVERS_A_MINUTE: u32 = 1000;

/// The shared state of the server. A clone copies one reference, because every layer of every request clones it.
#[derive(Clone)]
pub struct App(Arc<State>);

/// The fields of [`App`].
pub struct State {
    /// The database: reading connections and the single writer.
    pub db: Db,
    /// The settings at the start of the program.
    pub config: Arc<Config>,
    /// The current settings, with what operators changed since the start.
    pub current: CurrentConfig,
    /// The server's condition, as the health checks report it.
    pub health: Arc<Health>,
    /// Delays after failed sign-ins.
    pub attempts: Arc<LoginThrottle>,
    /// Limits on simultaneous requests and on memory.
    pub budgets: Budgets,
    /// Sessions that were signed out while the database could not be written.
    pub ended: Arc<EndedSessions>,
    /// Country and city of IP addresses.
    pub places: GeoIp,
    /// The offline catalogue, if there is one.
    pub catalogue: Arc<SideFile>,
    /// Sends e-mails when mail is configured.
    pub mail: Mailer,
    /// Limits sign-ups per address.
    pub sign_ups: AddressLimit,
    /// Limits how often an address opens secret links.
    pub shared_views: AddressLimit,
    /// Limits how many covers of secret links an address fetches.
    pub shared_covers: AddressLimit,
    /// Permits for hashing passwords.
    pub hashing: Hashing,
    /// The HTTP client for calls to other servers.
    pub http_client: HttpClient,
    /// One lock per user, for work that talks to another server.
    pub user_locks: UserLocks,
    /// Time limits for clients.
    pub timeouts: Timeouts,
    /// Whether this run shows a demo library.
    pub demo: Demo,
}

/// The services that a server uses besides its database, none by default, and its time limits.
#[derive(Clone, Default)]
pub struct Services {
    /// Country and city of IP addresses.
    pub places: GeoIp,
    /// Sends e-mails.
    pub mail: Mailer,
    /// Time limits for clients.
    pub timeouts: Timeouts,
}

impl Services {
    /// The services named in the settings. They belong to the runtime that calls this function.
    pub fn of(config: &Config, clock: &Clock) -> anyhow::Result<Self> {
        let places = GeoIp::open(config.geoip_database.as_deref()).map_err(anyhow::Error::msg)?;
        Ok(Self { places, mail: Mailer::start(config, clock)?, timeouts: Timeouts::default() })
    }
}

/// Whether this run shows a demo library.
#[derive(Clone, Copy)]
pub struct Demo(pub bool);

impl App {
    /// Creates the state over an open database.
    pub fn new(db: Db, config: Config, demo: bool) -> Self {
        Self::with_services(db, config, demo, Services::default())
    }

    /// Creates the state over an open database, with services.
    pub fn with_services(db: Db, config: Config, demo: bool, services: Services) -> Self {
        let Services { places, mail, timeouts } = services;
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let (limits, budgets) = (config.limits, Budgets::new(&config.limits));
        db.limit_reads(Duration::from_secs(limits.statement_seconds.into()));
        let (config, clock) = (Arc::new(config), db.clock().clone());
        Self(Arc::new(State {
            db,
            current: CurrentConfig::new(config.clone()),
            health: Arc::new(Health::new(clock)),
            attempts: Arc::default(),
            budgets,
            ended: Arc::default(),
            places,
            catalogue: Arc::new(SideFile::new(&config.catalogue(), CATALOGUE)),
            mail,
            hashing: Hashing::new(cores, limits.password_queue as usize),
            sign_ups: AddressLimit::new(limits.sign_ups, TimeDelta::hours(1)),
            shared_views: AddressLimit::new(SHARED_VIEWS_A_MINUTE, TimeDelta::minutes(1)),
            shared_covers: AddressLimit::new(SHARED_COVERS_A_MINUTE, TimeDelta::minutes(1)),
            http_client: HttpClient::default(),
            user_locks: UserLocks::default(),
            timeouts,
            demo: Demo(demo),
            config,
        }))
    }
}

impl State {
    /// The time, by the clock of the database.
    pub fn now(&self) -> DateTime<Utc> {
        self.db.now()
    }
}

impl Deref for App {
    type Target = State;

    fn deref(&self) -> &State {
        &self.0
    }
}

/// Implements `FromRef`, so that a handler can extract one field of the state.
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
        app.current.get().limits.quotas()
    }
}

parts!(db: Db, config: Arc<Config>, current: CurrentConfig, health: Arc<Health>, places: GeoIp, mail: Mailer, hashing: Hashing, demo: Demo);
