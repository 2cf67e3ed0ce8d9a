//! Minimal programs with the same libraries, as the other side of the ratios.
use std::net::SocketAddr;
use std::path::Path;

use axum::Router;
use axum::routing::get;
use serde_json::json;
use shelfwise::admin::Activity;
use shelfwise::config::Config;
use shelfwise::kit::db::pool::Db;
use shelfwise::kit::http::connection::Timeouts;
use shelfwise::kit::http::server;
use shelfwise::kit::{App, logs};
use tokio::net::TcpListener;

use crate::program::Server;

/// Set when this program runs as one of the minimal servers.
pub const ROLE: &str = "SHELFWISE_BENCH_LIMITS";
/// The only route.
pub const PATH: &str = "/api/bare";

/// A process with the minimal servers.
pub struct Limits {
    /// axum's own server.
    pub axum: SocketAddr,
    /// Our server without middleware.
    pub plain: SocketAddr,
    /// Our server with all of its middleware.
    pub layered: SocketAddr,
    _process: Server,
}

impl Limits {
    pub fn start(folder: &Path) -> Self {
        let mut command = std::process::Command::new(std::env::current_exe().unwrap());
        let process = Server::start(command.env(ROLE, folder));
        let addresses: Vec<SocketAddr> = process.said.split_whitespace().map(|text| text.parse().unwrap()).collect();
        Self { axum: addresses[0], plain: addresses[1], layered: addresses[2], _process: process }
    }
}

/// Serves until it is killed.
#[tokio::main]
pub async fn serve() {
    let folder = std::path::PathBuf::from(std::env::var_os(ROLE).unwrap());
    logs::start(&shelfwise::config::Config::default());
    let app = App::new(Db::open(&folder.join("limits.db")).unwrap(), Config::default(), false);
    let listen = async || TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (axum, plain, layered) = (listen().await, listen().await, listen().await);
    let told = [&axum, &plain, &layered].map(|listener| listener.local_addr().unwrap().to_string());
    println!("{}", told.join(" "));
    let layers = shelfwise::app::layered(bare(), app, Activity::default());
    tokio::join!(
        async { axum::serve(axum, bare()).await.unwrap() },
        server::serve(plain, bare(), Timeouts::default(), std::future::pending()),
        server::serve(layered, layers, Timeouts::default(), std::future::pending()),
    );
}

fn bare<S: Clone + Send + Sync + 'static>() -> Router<S> {
    Router::new().route(PATH, get(async || axum::Json(json!({"status": "ok"}))))
}
