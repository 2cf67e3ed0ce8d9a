//! Connections: time-outs that also close slow and half-sent requests, and a stop that lets requests in flight finish.
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{ConnectInfo, Request};
use hyper::body::Incoming;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpSocket};
use tokio::task::JoinSet;
use tower::ServiceExt as _;

use super::connection::{ConnectionLimits, Requests, TimedStream};
use super::throttled::{self, Why};

/// How long a client may take.
#[derive(Debug, Clone, Copy)]
pub struct Timeouts {
    /// A request's headers must have arrived within this time, counted from the connection's begin or the headers' first byte.
    pub headers: Duration,
    /// A request's body may pause this long.
    pub body: Duration,
    /// A client may pause this long while it takes an answer.
    pub answer: Duration,
    /// A connection on which nothing is going on is closed after this time.
    pub idle: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Self { headers: seconds(15), body: seconds(30), answer: seconds(30), idle: seconds(75) }
    }
}

/// After the signal to stop, requests in flight have this long.
const DRAIN: Duration = Duration::from_secs(8);

/// Everything that a stop waits for, mail included, is over within this time.
pub const SHUTDOWN_DEADLINE: Duration = Duration::from_millis(9_500);

/// The longest request line and headers together, in bytes: beyond them 431.
const MOST_HEADERS: usize = 64 * 1024;
/// The same for HTTP/2, where each header counts 32 bytes more.
const MOST_HEADERS_HTTP2: u32 = 64 * 1024;
/// Requests of one HTTP/2 connection at once.
const MOST_STREAMS: u32 = 64;

/// How many may knock at once before they are let in; the system may allow fewer.
const LISTEN_BACKLOG: u32 = 4096;

/// Listens with room for a crowd: by default 128 may wait at a door, and whoever comes behind them is turned away or told to
/// come again in a second.
///
/// # Errors
/// The system's, for example when the port is in use.
pub fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(LISTEN_BACKLOG)
}

/// Lets the process hold as many connections as the system allows: each is an open file, of which most systems first grant 1,024,
/// and a thousand idle ones would keep everybody else out.
pub fn raise_open_file_limit() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let granted = getrlimit(Resource::Nofile);
    if let Err(cause) = setrlimit(Resource::Nofile, Rlimit { current: granted.maximum, ..granted }) {
        tracing::debug!(%cause, "the limit of open files stays as it was");
    }
}

/// Serves any number of connections until `stop` resolves, then lets requests in flight finish, eight seconds at most.
pub async fn serve(listener: TcpListener, router: Router, timeouts: Timeouts, stop: impl Future<Output = ()>) {
    serve_within(listener, router, timeouts, ConnectionLimits::new(usize::MAX, u32::MAX, Vec::new()), stop).await;
}

/// Serves as [`serve`] does; connections beyond the limits are closed at once.
pub async fn serve_within(
    listener: TcpListener,
    router: Router,
    timeouts: Timeouts,
    limits: ConnectionLimits,
    stop: impl Future<Output = ()>,
) {
    let graceful = GracefulShutdown::new();
    let mut builder = Builder::new(TokioExecutor::new());
    // The stream's own time-outs are shorter; this one counts from the answer before.
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(timeouts.idle + timeouts.headers)
        .max_buf_size(MOST_HEADERS);
    builder
        .http2()
        .timer(TokioTimer::new())
        .keep_alive_interval(timeouts.headers)
        .keep_alive_timeout(timeouts.headers)
        .max_header_list_size(MOST_HEADERS_HTTP2)
        .max_concurrent_streams(MOST_STREAMS);
    let mut connections = JoinSet::new();
    tokio::pin!(stop);
    loop {
        let (stream, peer) = tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok(accepted) => accepted,
                Err(cause) => {
                    // Too many open files passes: wait instead of spinning.
                    tracing::warn!(%cause, "a connection could not be accepted");
                    tokio::time::sleep(Duration::from_millis(100)).await;
                    continue;
                }
            },
            Some(_) = connections.join_next() => continue,
            () = &mut stop => break,
        };
        let Some(place) = limits.admit(peer.ip()) else {
            throttled::count(Why::Connections);
            tracing::debug!("a connection was closed: there are too many");
            continue;
        };
        let _ = stream.set_nodelay(true);
        let (service, requests) = (router.clone(), Arc::<Requests>::default());
        let stream = TimedStream::new(stream, timeouts, requests.clone());
        let service = hyper::service::service_fn(move |request: Request<Incoming>| {
            let mut request = request.map(Body::new);
            request.extensions_mut().insert(ConnectInfo(peer));
            let (running, answer) = (requests.begin(), service.clone().oneshot(request));
            async move {
                let answer = answer.await;
                drop(running);
                answer
            }
        });
        let connection = builder.serve_connection(TokioIo::new(stream), service).into_owned();
        let watched = graceful.watch(connection);
        connections.spawn(async move {
            let _place = place;
            if let Err(cause) = watched.await {
                tracing::debug!(cause = %cause, "a connection ended early");
            }
        });
    }
    drop(listener);
    tokio::select! {
        () = graceful.shutdown() => {}
        () = tokio::time::sleep(DRAIN) => tracing::info!("closing connections that did not finish"),
    }
    connections.shutdown().await;
}
