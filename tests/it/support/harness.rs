//! A server of its own for a test, and people who talk to it.
use std::net::SocketAddr;

use chrono::TimeDelta;
use shelfwise::access::Plan;
use shelfwise::admin::Activity;
use shelfwise::config::Config;
use shelfwise::kit::App;
use shelfwise::kit::app::Services;
use shelfwise::kit::db::pool::Db;
use shelfwise::kit::http::connection::ConnectionLimits;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use super::actors::{Operator, PlusReader, Reader, TeamMember, TeamOwner, Visitor};
use super::program::{Ended, run, shelfwise};

/// A running server with a database in a folder of its own; both go when it is dropped.
pub struct TestServer {
    /// Where it listens.
    pub address: SocketAddr,
    /// Its database, to look inside.
    pub db: Db,
    /// What its calls work with.
    pub app: App,
    /// What it has counted, to write it as the server does every minute.
    pub activity: Activity,
    /// Its second listener's routes.
    pub metrics: axum::Router,
    folder: tempfile::TempDir,
    stop: Option<oneshot::Sender<()>>,
}

impl TestServer {
    /// A server with the default settings.
    pub async fn start() -> Self {
        Self::with(|_| {}).await
    }

    /// A server whose settings a test changes first.
    pub async fn with(change: impl FnOnce(&mut Config)) -> Self {
        Self::with_services(change, |_| {}).await
    }

    /// The same, where a test changes what surrounds it, too.
    pub async fn with_services(change: impl FnOnce(&mut Config), around: impl FnOnce(&mut Services)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut config = Config { data_dir: folder.path().to_owned(), ..Config::default() };
        change(&mut config);
        let db = Db::open(&config.database()).unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel();
        let mut surroundings = Services::of(&config, db.clock()).unwrap();
        around(&mut surroundings);
        let app = App::with_services(db.clone(), config, false, surroundings);
        shelfwise::settings::take_over(&app).await.unwrap();
        let activity = Activity::default();
        let metrics = shelfwise::admin::metrics_router(app.clone(), activity.clone());
        let router = shelfwise::app::router(app.clone(), activity.clone());
        let limits =
            ConnectionLimits::of_process(app.config.limits.connections_per_address, app.config.trusted_networks());
        tokio::spawn(shelfwise::kit::http::server::serve_within(listener, router, app.timeouts, limits, async {
            let _ = stopped.await;
        }));
        Self { address, db, app, activity, metrics, folder, stop: Some(stop) }
    }

    /// Starts the server's stop, without waiting for it.
    pub fn halt(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
    }

    /// Puts the server's clock forward. Callers' clocks stay: a signed message from another server looks old then.
    pub fn advance(&self, by: TimeDelta) {
        self.db.clock().advance(by);
    }

    /// The folder that holds the database.
    pub fn folder(&self) -> &std::path::Path {
        self.folder.path()
    }

    /// Says whether anything was committed since the last call, or since this one.
    pub fn commits(&self) -> impl FnMut() -> bool + use<> {
        let other = rusqlite::Connection::open(self.db.path()).unwrap();
        let version = move || other.pragma_query_value(None, "data_version", |row| row.get::<_, i64>(0)).unwrap();
        let mut before = version();
        move || std::mem::replace(&mut before, version()) != before
    }

    /// A person without a session.
    pub fn visitor(&self) -> Visitor {
        Visitor::at(format!("http://{}", self.address))
    }

    /// A new reader, signed in.
    pub async fn reader(&self) -> Reader {
        self.visitor().sign_up().await
    }

    /// A new reader with Shelfwise Plus, signed in.
    pub async fn plus(&self) -> PlusReader {
        let reader = self.reader().await;
        self.set_plan(&reader, Plan::ShelfwisePlus).await;
        PlusReader(reader)
    }

    /// A new operator, signed in.
    pub async fn operator(&self) -> Operator {
        let reader = self.reader().await;
        self.command(&["user", "promote", &reader.email]).await;
        Operator(reader)
    }

    /// A new owner of a team, and as many members of it, signed in.
    pub async fn team(&self, members: usize) -> (TeamOwner, Vec<TeamMember>) {
        let reader = self.reader().await;
        self.set_plan(&reader, Plan::ShelfwiseTeam).await;
        let (owner, mut joined) = (TeamOwner(reader), Vec::new());
        for _ in 0..members {
            joined.push(owner.admit(&self.reader().await).await);
        }
        (owner, joined)
    }

    /// Sets a reader's plan by hand. [`Plan::Reader`] takes away what was set so before.
    pub async fn set_plan(&self, reader: &Reader, plan: Plan) {
        self.command(&["plan", "set", &reader.email, plan.name()]).await;
    }

    /// Runs a command of the program on the server's data directory, as its operator does, and expects it to succeed.
    pub async fn command(&self, words: &[&str]) {
        let ended = self.try_command(words, "").await;
        assert_eq!(ended.status, 0, "{words:?}: {}", ended.err);
    }

    /// Runs a command of the program with an input on the server's data directory.
    pub async fn try_command(&self, words: &[&str], input: &str) -> Ended {
        let (mut command, input) = (shelfwise(), input.to_owned());
        command.args(words).arg("--data-dir").arg(self.folder());
        tokio::task::spawn_blocking(move || run(command, &input)).await.unwrap()
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.halt();
    }
}
