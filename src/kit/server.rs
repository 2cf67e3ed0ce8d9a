//! Connections: time-outs that also close slow and half-sent requests, and a stop that lets requests in flight finish.
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{ConnectInfo, Request};
use hyper::body::Incoming;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tokio_io_timeout::TimeoutStream;
use tower::ServiceExt as _;

/// A request's headers must have arrived within this time; an idle connection is closed after it, too.
const HEADERS: Duration = Duration::from_secs(15);
/// A request's body may pause this long.
pub const BODY_PAUSE: Duration = Duration::from_secs(30);
/// A client may pause this long while it takes an answer.
const WRITE_PAUSE: Duration = Duration::from_secs(30);
/// After the signal to stop, requests in flight have this long.
const DRAIN: Duration = Duration::from_secs(8);

/// Everything that a stop waits for, mail included, is over within this time.
pub const LAST: Duration = Duration::from_millis(9_500);

/// Serves until `stop` resolves, then lets requests in flight finish, eight seconds at most.
pub async fn serve(listener: TcpListener, router: Router, stop: impl Future<Output = ()>) {
    let graceful = GracefulShutdown::new();
    let mut builder = Builder::new(TokioExecutor::new());
    builder.http1().timer(TokioTimer::new()).header_read_timeout(HEADERS);
    builder
        .http2()
        .timer(TokioTimer::new())
        .keep_alive_interval(HEADERS)
        .keep_alive_timeout(HEADERS)
        .max_concurrent_streams(100);
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
        let _ = stream.set_nodelay(true);
        let service = router.clone();
        let service = hyper::service::service_fn(move |request: Request<Incoming>| {
            let mut request = request.map(Body::new);
            request.extensions_mut().insert(ConnectInfo(peer));
            service.clone().oneshot(request)
        });
        let mut stream = TimeoutStream::new(stream);
        stream.set_write_timeout(Some(WRITE_PAUSE));
        let connection = builder.serve_connection(TokioIo::new(Box::pin(stream)), service).into_owned();
        let watched = graceful.watch(connection);
        connections.spawn(async move {
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
