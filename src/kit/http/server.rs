//! The HTTP server: time limits that also close slow and incomplete requests, and a shutdown that lets running requests finish.
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1::Builder;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::task::JoinSet;
use tokio_io_timeout::TimeoutStream;
use tower::ServiceExt as _;

use super::connection::{ConnectionLimits, Requests, Timeouts};
use super::listener::Listeners;
use super::refusal_counts::{self, RefusalReason};

/// How long running requests may take after the signal to stop.
const DRAIN: Duration = Duration::from_secs(8);

/// The time limit of the whole shutdown, e-mails included.
pub const SHUTDOWN_DEADLINE: Duration = Duration::from_millis(9_500);

/// The longest request line and headers together, in bytes; 431 above it.
const MOST_HEADERS: usize = 64 * 1024;

/// Raises the process's limit of open files as far as the system allows. Each connection is an open file; most systems grant
/// 1,024 at first, and a thousand idle connections would block all others.
pub fn raise_open_file_limit() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let granted = getrlimit(Resource::Nofile);
    if let Err(cause) = setrlimit(Resource::Nofile, Rlimit { current: granted.maximum, ..granted }) {
        tracing::debug!(%cause, "raising the limit of open files failed");
    }
}

/// Serves connections until `stop` resolves, then lets running requests finish for at most eight seconds.
pub async fn serve(
    listeners: impl Into<Listeners>,
    router: Router,
    timeouts: Timeouts,
    stop: impl Future<Output = ()>,
) {
    serve_within(listeners, router, timeouts, ConnectionLimits::new(usize::MAX, u32::MAX, Vec::new()), stop).await;
}

/// Serves like [`serve`]; connections beyond an address's limit are closed at once, and beyond the total the oldest silent ones.
pub async fn serve_within(
    listeners: impl Into<Listeners>,
    router: Router,
    timeouts: Timeouts,
    limits: ConnectionLimits,
    stop: impl Future<Output = ()>,
) {
    let mut listeners = listeners.into();
    let graceful = GracefulShutdown::new();
    let mut builder = Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(timeouts.idle).max_buf_size(MOST_HEADERS);
    let mut connections = JoinSet::new();
    tokio::pin!(stop);
    loop {
        let (stream, peer) = tokio::select! {
            accepted = listeners.accept() => match accepted {
                Ok(accepted) => accepted,
                Err(cause) => {
                    // Too many open files is a temporary state: wait instead of spinning.
                    tracing::warn!(%cause, "accepting a connection failed");
                    tokio::time::sleep(Duration::from_millis(100)).await;
                    continue;
                }
            },
            Some(_) = connections.join_next() => continue,
            () = &mut stop => break,
        };
        let requests = Arc::<Requests>::default();
        let Some(place) = limits.admit(peer, &requests) else {
            refusal_counts::count(RefusalReason::Connections);
            tracing::debug!("closed a connection beyond the limit");
            continue;
        };
        let (service, asked) = (router.clone(), requests.clone());
        let mut stream = TimeoutStream::new(stream);
        stream.set_write_timeout(Some(timeouts.answer));
        let service = hyper::service::service_fn(move |request: Request<Incoming>| {
            let mut request = request.map(Body::new);
            request.extensions_mut().insert(peer);
            asked.begin();
            service.clone().oneshot(request)
        });
        let connection = builder.serve_connection(TokioIo::new(Box::pin(stream)), service);
        let watched = graceful.watch(connection);
        connections.spawn(async move {
            let _place = place;
            tokio::select! {
                ended = watched => if let Err(cause) = ended {
                    if is_timeout(&cause) {
                        refusal_counts::count(RefusalReason::Slow);
                    }
                    tracing::debug!(%cause, "connection ended early");
                },
                () = requests.none_within(timeouts.headers) => {
                    refusal_counts::count(RefusalReason::Slow);
                    tracing::debug!("closed a connection without a request");
                }
                () = requests.closing() => {
                    refusal_counts::count(RefusalReason::Connections);
                    tracing::debug!("closed a silent connection to make room");
                }
            }
        });
    }
    drop(listeners);
    tokio::select! {
        () = graceful.shutdown() => {}
        () = tokio::time::sleep(DRAIN) => tracing::info!("closing unfinished connections"),
    }
    connections.shutdown().await;
}

/// Whether a connection has ended because its client was silent, or took nothing, for too long.
fn is_timeout(cause: &hyper::Error) -> bool {
    let stream = std::error::Error::source(cause).and_then(|source| source.downcast_ref::<std::io::Error>());
    cause.is_timeout() || stream.is_some_and(|cause| cause.kind() == std::io::ErrorKind::TimedOut)
}
