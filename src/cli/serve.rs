//! `shelfwise serve`
use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use clap::Args;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};

use super::Settings;
use super::demo;
use super::exit::{Exit, Outcome};
use crate::admin::{self, Activity};
use crate::backups::schedule::Schedule;
use crate::billing;
use crate::config::{Config, Mail, PublicUrl};
use crate::kit::App;
use crate::kit::app::Surroundings;
use crate::kit::connection::ConnectionLimits;
use crate::kit::db::Db;
use crate::kit::{data_dir, logs, server};

/// Serve the interface and the API
#[derive(Args)]
#[command(
    after_help = "Examples:\n  shelfwise serve\n  shelfwise serve --listen 0.0.0.0:8080 --public-url https://books.example.org\n  shelfwise serve --demo"
)]
pub struct Serve {
    /// Address and port to listen at [default: 127.0.0.1:8080]
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<SocketAddr>,
    /// The address that people use
    #[arg(long, value_name = "URL", value_parser = |text: &str| PublicUrl::try_from(text.to_owned()))]
    public_url: Option<PublicUrl>,
    /// Show what it is like: people and books in a temporary folder, which goes away at the end
    #[arg(long)]
    demo: bool,
}

impl Serve {
    /// Serves until the signal to stop.
    pub fn run(self, settings: &Settings) -> Outcome<()> {
        if self.demo && settings.data_dir.is_some() {
            return Err(Exit::usage("--demo has a data directory of its own and can't be used with --data-dir"));
        }
        let mut config = settings.load()?;
        if let Some(listen) = self.listen {
            config.listen = listen;
        }
        if self.public_url.is_some() {
            config.public_url = self.public_url;
        }
        config.check_serving().map_err(Exit::config)?;
        logs::start(config.log_format);
        if self.demo {
            return serve_demo(config);
        }
        make_data_dir(&config.data_dir)?;
        let _held = data_dir::hold(&config.data_dir)?;
        let db = Db::open(&config.database())?;
        serve(config, db, false)
    }
}

/// Serves people and books that are there to be looked at.
fn serve_demo(mut config: Config) -> Outcome<()> {
    let folder = tempfile::Builder::new().prefix("shelfwise-demo-").tempdir().map_err(Exit::config)?;
    folder.path().clone_into(&mut config.data_dir);
    // Its people are made up, and so are their addresses.
    config.mail = Mail::default();
    let db = Db::open(&config.database())?;
    let people = demo::people().map_err(Exit::failed)?;
    let lines: Vec<_> = people.iter().map(ToString::to_string).collect();
    db.write_blocking(move |tx| demo::fill(tx, &people)).map_err(Exit::failed)?;
    tracing::info!("the demo's database is filled; it goes away at the end");
    println!("{}", lines.join("\n"));
    serve(config, db, true)?;
    folder.close().map_err(Exit::failed)
}

/// Serves an open database until SIGTERM or SIGINT, lets requests in flight finish, and closes it.
fn serve(mut config: Config, db: Db, demo: bool) -> Outcome<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(Exit::failed)?;
    let closing = db.clone();
    server::take_every_descriptor();
    runtime.block_on(async move {
        let surroundings = Surroundings::of(&config).map_err(Exit::config)?;
        let mail = surroundings.mail.clone();
        let listener = bind(config.listen)?;
        let address = listener.local_addr().map_err(Exit::failed)?;
        // Links lead there, also where any free port was asked for.
        config.listen = address;
        let (signal, stopped_at) = (stop_signal()?, Arc::new(OnceLock::new()));
        let noted = stopped_at.clone();
        let stop = async move {
            signal.await;
            let _ = noted.set(Instant::now());
        };
        let metrics = match config.metrics_listen {
            Some(address) => Some(bind(address)?),
            None => None,
        };
        let shown = config.own_origin().map_or_else(|| format!("http://{address}"), str::to_owned);
        println!("Shelfwise is ready at {shown}");
        if let Some(schedule) = Schedule::of(&config.backup).filter(|_| !demo) {
            tokio::spawn(schedule.keep_to(config.database()));
        }
        let app = App::amid(db.clone(), config, demo, surroundings);
        tokio::spawn(billing::sync::keep_up(app.clone()));
        let activity = Activity::default();
        let writing = tokio::spawn(admin::keep_writing(activity.clone(), db.clone()));
        let tidying = tokio::spawn(crate::app::keep_house(db.clone()));
        if let Some(listener) = metrics {
            let router = admin::metrics_router(app.clone(), activity.clone());
            tokio::spawn(server::serve(listener, router, app.patience, std::future::pending()));
        }
        let limits =
            ConnectionLimits::of_process(app.config.limits.connections_per_address, app.config.trusted_networks());
        let (patience, router) = (app.patience, crate::app::router(app, activity.clone()));
        server::serve_within(listener, router, patience, limits, stop).await;
        tracing::info!("stopping");
        writing.abort();
        tidying.abort();
        admin::write(&activity, &db).await;
        mail.drain(server::LAST.saturating_sub(stopped_at.get().map_or(Duration::ZERO, Instant::elapsed))).await;
        Ok::<_, Exit>(())
    })?;
    runtime.shutdown_timeout(Duration::from_millis(500));
    closing.close();
    Ok(())
}

fn bind(address: SocketAddr) -> Outcome<TcpListener> {
    server::listen(address).map_err(|cause| Exit::failed(format!("can't listen at {address}: {cause}")))
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

/// Makes the data directory, for its owner alone, where it is missing.
pub fn make_data_dir(folder: &Path) -> Outcome<()> {
    data_dir::make(folder)
        .map_err(|cause| Exit::config(format!("the data directory {} can't be made: {cause}", folder.display())))
}
