//! `shelfwise serve`
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use clap::Args;
use tokio::runtime::Runtime;
use tokio::signal::unix::{SignalKind, signal};
use tokio::task::JoinHandle;

use super::demo;
use super::doctor;
use super::exit::{Exit, Outcome, log_line};
use super::settings::{Settings, stored};
use super::signals::{self, Reload, Signals};
use crate::account::setup;
use crate::admin::{self, Activity};
use crate::backups::schedule::Schedule;
use crate::billing;
use crate::config::listen::{self, Listen};
use crate::config::sources::Flag;
use crate::config::{self, Config, FirstOperator, LogFormat, Mail, PublicUrl, Stripe, TrustedHeader};
use crate::devices::audiobookshelf::poll::keep_polling;
use crate::kit::app::Services;
use crate::kit::db::data_dir;
use crate::kit::db::permissions::explained;
use crate::kit::db::pool::{Db, known_schema};
use crate::kit::disk::shared_file_system;
use crate::kit::http::connection::ConnectionLimits;
use crate::kit::http::listener::{self, Inherited};
use crate::kit::http::server;
use crate::kit::{App, VERSION, health, logs, notify};
use crate::settings;

/// The number of threads for blocking work. Together with one thread per core they must stay below `TasksMax=` of the systemd
/// unit.
const BLOCKING_THREADS: usize = 128;

/// The time between two checks for settings that a command has stored.
const STORED_SETTINGS_EVERY: Duration = Duration::from_secs(5);

/// Serve the interface and the API
#[derive(Args)]
#[command(
    after_help = "Examples:\n  shelfwise serve\n  shelfwise serve --listen 0.0.0.0:8080 --public-url https://books.example.org\n  shelfwise serve --demo"
)]
pub struct Serve {
    /// Address and port to listen at, or unix: and the path of a socket [default: 127.0.0.1:8080]
    #[arg(long, value_name = "ADDRESS", value_parser = listen::parse)]
    listen: Option<Listen>,
    /// The address that people use
    #[arg(long, value_name = "URL", value_parser = |text: &str| PublicUrl::try_from(text.to_owned()).map(|_| text.to_owned()))]
    public_url: Option<String>,
    /// Serve example accounts and books from a temporary folder, which is deleted at the end
    #[arg(long)]
    demo: bool,
}

impl Serve {
    /// Serves until the signal to stop.
    pub fn run(self, settings: &Settings) -> Outcome<()> {
        if self.demo && settings.data_dir.is_some() {
            return Err(Exit::usage("--demo uses its own data directory and can't be used with --data-dir"));
        }
        // The variables of the service manager are removed here, before there are threads that read the environment.
        let inherited = Inherited::take()
            .map_err(|cause| Exit::failed(format!("a socket of the service manager can't be used: {cause}")))?;
        let effective = settings.load_to_start(self.flags(), !self.demo)?;
        let mut config = effective.config.clone();
        if !self.demo {
            config = config.with_stored_address(&stored(&config)).map_err(Exit::config)?;
        }
        config.check_serving().map_err(Exit::config)?;
        logs::start(&config);
        for name in &effective.ignored {
            tracing::debug!(name, "ignoring an environment variable of the container platform");
        }
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .max_blocking_threads(BLOCKING_THREADS)
            .build()
            .map_err(Exit::failed)?;
        // From here on these signals no longer end the program, even while a large database is opened or migrated.
        let signals = {
            let _entered = runtime.enter();
            Signals::new().map_err(Exit::failed)?
        };
        let source = match &effective.file {
            Some(file) => format!("settings from {}", file.display()),
            None => "settings from the environment and the defaults".to_owned(),
        };
        if self.demo {
            return serve_demo(config, inherited, runtime, ServeContext { signals, reload: None, source });
        }
        // A second server on the same folder is refused because of the folder before it is refused because of the port.
        let held = if config.data_dir.is_dir() { Some(data_dir::hold(&config.data_dir)?) } else { None };
        if !config.database().exists() {
            setup::check(&config).map_err(Exit::config)?;
        }
        // If the port is taken, no database is created.
        let listeners = Listeners::open(&runtime, &config, inherited)?;
        config.check_header_at(&listeners.first()?).map_err(Exit::config)?;
        make_data_dir(&config.data_dir)?;
        let _held = match held {
            Some(held) => held,
            None => data_dir::hold(&config.data_dir)?,
        };
        let db = Db::open(&config.database())?;
        let settings = settings.clone();
        let read = Box::new(move || settings.load_to_start(self.flags(), true));
        let reload = Some(Reload { started_with: effective, read });
        serve(config, db, listeners, false, runtime, ServeContext { signals, reload, source })
    }

    fn flags(&self) -> Vec<Flag> {
        let listen =
            self.listen.as_ref().map(|address| Flag { name: "--listen", key: "listen", value: address.to_string() });
        let url = self.public_url.clone();
        let url = url.map(|url| Flag { name: "--public-url", key: "public_url", value: url });
        listen.into_iter().chain(url).collect()
    }
}

/// The listeners of a server.
struct Listeners {
    people: listener::Listeners,
    metrics: Option<listener::Listeners>,
}

impl Listeners {
    /// Opens the sockets of the settings. Those of the service manager replace `listen`.
    fn open(runtime: &Runtime, config: &Config, inherited: Inherited) -> Outcome<Self> {
        let bind = async |listen: &Listen| {
            let bound = listener::Listeners::bind(listen, config.socket_mode).await;
            bound.map_err(|cause| Exit::failed(format!("can't listen on {listen}: {cause}")))
        };
        runtime.block_on(async {
            let people = match inherited.is_empty() {
                true => bind(&config.listen).await?,
                false => listener::Listeners::of(inherited).map_err(Exit::failed)?,
            };
            let metrics = match &config.metrics_listen {
                Some(listen) => Some(bind(listen).await?),
                None => None,
            };
            Ok(Self { people, metrics })
        })
    }

    /// The addresses of the sockets, for the operator.
    fn shown(&self) -> Outcome<String> {
        let addresses = self.people.addresses().map_err(Exit::failed)?;
        Ok(addresses.iter().map(ToString::to_string).collect::<Vec<_>>().join(" and "))
    }

    /// Where links lead without a public address, and where commands ask the server.
    fn first(&self) -> Outcome<Listen> {
        let addresses = self.people.addresses().map_err(Exit::failed)?;
        addresses.into_iter().next().ok_or_else(|| Exit::failed("the socket of the service manager has no address"))
    }
}

/// The environment of a serving program.
struct ServeContext {
    signals: Signals,
    /// How the settings are reloaded; `None` for the demo.
    reload: Option<Reload>,
    /// The source of the settings, for the operator.
    source: String,
}

/// The settings of the demo. Its accounts and their addresses are invented, and people sign in with the printed passwords: it sends no
/// e-mail, takes no payments, asks no other server and makes no backups, whatever the settings of the machine's server say.
fn without_services(config: Config) -> Config {
    Config {
        mail: Mail::default(),
        stripe: Stripe::default(),
        social: BTreeMap::default(),
        sources: BTreeMap::default(),
        trusted_header: TrustedHeader::default(),
        backup: config::Backup::default(),
        admin: FirstOperator::default(),
        password_login: true,
        login_redirect: None,
        ..config
    }
}

/// Serves the demo.
fn serve_demo(mut config: Config, inherited: Inherited, runtime: Runtime, context: ServeContext) -> Outcome<()> {
    let listeners = Listeners::open(&runtime, &config, inherited)?;
    let folder = tempfile::Builder::new().prefix("shelfwise-demo-").tempdir().map_err(Exit::config)?;
    folder.path().clone_into(&mut config.data_dir);
    let config = without_services(config);
    let db = Db::open(&config.database())?;
    let people = demo::people().map_err(Exit::failed)?;
    let lines: Vec<_> = people.iter().map(ToString::to_string).collect();
    demo::fill(&db, people).map_err(Exit::failed)?;
    tracing::info!("created the demo's database, which is deleted at the end");
    println!("{}", lines.join("\n"));
    serve(config, db, listeners, true, runtime, context)?;
    folder.close().map_err(Exit::failed)
}

/// What runs, where it listens, and where its data and settings are.
fn start_line(config: &Config, addresses: &str, source: &str) -> String {
    let data = std::path::absolute(&config.data_dir).unwrap_or_else(|_| config.data_dir.clone());
    let (version, schema) = (VERSION, known_schema());
    format!("Shelfwise {version} (schema {schema}) listens on {addresses}, data in {}, {source}", data.display())
}

/// Serves an open database until SIGTERM or SIGINT, lets running requests finish, and closes it.
fn serve(
    mut config: Config,
    db: Db,
    listeners: Listeners,
    demo: bool,
    runtime: Runtime,
    context: ServeContext,
) -> Outcome<()> {
    let closing = db.clone();
    server::raise_open_file_limit();
    runtime.block_on(async move {
        let services = Services::of(&config, db.clock()).map_err(Exit::config)?;
        let mail = services.mail.clone();
        // Links use this address, even if any free port was requested.
        config.listen = listeners.first()?;
        let (shown, format) = (config.public_url(), config.log_format);
        let started = start_line(&config, &listeners.shown()?, &context.source);
        let Listeners { people, metrics } = listeners;
        let (signal, stopped_at) = (stop_signal()?, Arc::new(OnceLock::new()));
        let noted = stopped_at.clone();
        let stop = async move {
            signal.await;
            notify::stopping();
            let _ = noted.set(Instant::now());
        };
        say(format, &started);
        if let Some(warning) = doctor::address_warning(&config) {
            tracing::warn!("{warning}");
        }
        if let Some(warning) = shared_file_system(&config.data_dir) {
            tracing::warn!("{warning}");
        }
        let app = App::with_services(db.clone(), config, demo, services);
        settings::take_over(&app).await.map_err(Exit::failed)?;
        if let Some(line) = setup::prepare(&db, &app.current.get()).await.map_err(Exit::config)? {
            say(format, &line);
        }
        start_tasks(&app, demo, context.signals, context.reload);
        if !health::answers(&db).await {
            return Err(Exit::failed("the database does not answer"));
        }
        notify::ready(&format!("Serving {shown}"));
        if let Some(limit) = notify::watchdog() {
            tokio::spawn(signals::keep_watchdog(db.clone(), limit));
        }
        say(format, &format!("Shelfwise is ready at {shown}"));
        tokio::spawn(billing::sync::keep_up(app.clone()));
        let activity = Activity::default();
        let writing = tokio::spawn(admin::keep_writing(activity.clone(), db.clone()));
        let tidying = tokio::spawn(crate::app::keep_house(db.clone()));
        if let Some(listeners) = metrics {
            let router = admin::metrics_router(app.clone(), activity.clone());
            tokio::spawn(server::serve(listeners, router, app.timeouts, std::future::pending()));
        }
        let limits =
            ConnectionLimits::of_process(app.config.limits.connections_per_address, app.config.trusted_networks());
        let (timeouts, router) = (app.timeouts, crate::app::router(app, activity.clone()));
        server::serve_within(people, router, timeouts, limits, stop).await;
        tracing::info!("stopping");
        writing.abort();
        tidying.abort();
        admin::write(&activity, &db).await;
        mail.drain(server::SHUTDOWN_DEADLINE.saturating_sub(stopped_at.get().map_or(Duration::ZERO, Instant::elapsed)))
            .await;
        Ok::<_, Exit>(())
    })?;
    runtime.shutdown_timeout(Duration::from_millis(500));
    closing.close();
    Ok(())
}

/// Starts what a server does beside requests, until the runtime ends.
fn start_tasks(app: &App, demo: bool, signals: Signals, reload: Option<Reload>) {
    tokio::spawn(keep_backups(app.clone(), demo));
    tokio::spawn(reload_and_ignore(app.clone(), signals, reload));
    tokio::spawn(follow_stored_settings(app.clone()));
    tokio::spawn(admin::keep_watch(app.clone()));
    tokio::spawn(crate::app::compact_at_night(app.clone()));
    tokio::spawn(crate::app::read_former_imports(app.clone()));
    for name in app.config.sources.keys() {
        tokio::spawn(keep_polling(app.clone(), name.clone()));
    }
}

/// Makes backups on the configured schedule, and follows changes of that schedule. The demo makes none.
async fn keep_backups(app: App, demo: bool) {
    let mut changes = app.current.changes();
    let (mut task, mut kept) = (None::<JoinHandle<()>>, None);
    loop {
        let config = app.current.get();
        if kept.as_ref() != Some(&config.backup) {
            if let Some(task) = task.take() {
                // A backup in progress is completed: it runs on its own thread.
                task.abort();
            }
            let schedule = Schedule::of(&config.backup).filter(|_| !demo);
            task = schedule.map(|schedule| tokio::spawn(schedule.keep_to(config.database(), app.health.clone())));
            kept = Some(config.backup.clone());
        }
        if changes.changed().await.is_err() {
            return;
        }
    }
}

/// Applies the settings that `shelfwise settings` stores beside the server.
async fn follow_stored_settings(app: App) {
    loop {
        tokio::time::sleep(STORED_SETTINGS_EVERY).await;
        settings::follow(&app).await;
    }
}

/// Reloads the settings at SIGHUP, and ignores signals without a meaning.
async fn reload_and_ignore(app: App, mut signals: Signals, reload: Option<Reload>) {
    loop {
        match signals.next().await {
            signals::Signal::Ignored(name) => tracing::info!("ignored {name}"),
            signals::Signal::Reload => {
                notify::reloading();
                tracing::info!("received SIGHUP");
                let is_reloaded = reload.as_ref().is_none_or(|reload| tokio::task::block_in_place(|| reload.run(&app)));
                notify::ready(match is_reloaded {
                    true => "Serving with the reloaded settings",
                    false => "Serving with the previous settings: reloading failed, and the log says why",
                });
            }
        }
    }
}

/// Prints a line about the start on standard output. Scripts wait for the last one. Errors are ignored.
fn say(format: LogFormat, sentence: &str) {
    let mut out = std::io::stdout().lock();
    let _ = match format {
        LogFormat::Text => writeln!(out, "{sentence}"),
        LogFormat::Json => writeln!(out, "{}", log_line("INFO", sentence)),
    };
}

fn stop_signal() -> Outcome<impl Future<Output = ()>> {
    let (mut term, mut int) = (
        signal(SignalKind::terminate()).map_err(Exit::failed)?,
        signal(SignalKind::interrupt()).map_err(Exit::failed)?,
    );
    Ok(async move {
        tokio::select! {
            _ = term.recv() => {}
            _ = int.recv() => {}
        }
    })
}

/// Creates the data directory with access for its owner only, if it is missing.
pub fn make_data_dir(folder: &Path) -> Outcome<()> {
    data_dir::make(folder).map_err(|cause| {
        Exit::config(format!("the data directory {} can't be created: {}", folder.display(), explained(folder, &cause)))
    })
}
