//! The layer that counts every request, and the task that writes the counts.
use std::time::{Duration, Instant};

use axum::extract::{ConnectInfo, MatchedPath, Request, State};
use axum::http::header;
use axum::middleware::Next;
use axum::response::Response;
use chrono::Utc;
use tokio::time::{MissedTickBehavior, interval};

use super::activity::Activity;
use crate::kit::App;
use crate::kit::db::Db;
use crate::kit::extract::client_ip;
use crate::kit::visit::Visit;

/// How often counts are written.
const EVERY: Duration = Duration::from_secs(60);

/// Counts a request when it is answered: its route, its time, and whose it was. The slip that says so goes along with it.
pub async fn watch(State((app, activity)): State<(App, Activity)>, mut request: Request, next: Next) -> Response {
    let (started, visit) = (Instant::now(), Visit::default());
    request.extensions_mut().insert(visit.clone());
    let route = request.extensions().get::<MatchedPath>().cloned();
    let agent = request.headers().get(header::USER_AGENT).cloned();
    let peer = request.extensions().get::<ConnectInfo<std::net::SocketAddr>>().map(|peer| peer.0.ip());
    let ip = peer.filter(|_| app.places.available());
    let ip = ip.map(|peer| client_ip(peer, request.headers(), |ip| app.config.trusts(ip)));
    let mut response = next.run(request).await;
    visit.complete(response.headers_mut());
    let (now, took) = (Utc::now(), started.elapsed());
    activity.load().answered(now, took);
    activity.requests().answered(route.as_ref().map(MatchedPath::as_str), response.status(), took);
    if let Some(visitor) = visit.visitor() {
        let agent = agent.as_ref().map(|agent| agent.as_bytes()).unwrap_or_default();
        activity.visited(visitor, now, agent, ip.and_then(|ip| app.places.find(ip)));
    }
    response
}

/// Writes the counts every minute, for as long as it is let.
pub async fn keep_writing(activity: Activity, db: Db) {
    let mut ticks = interval(EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        write(&activity, &db).await;
    }
}

/// Writes the counts; a failure is logged, and they wait for the next time.
pub async fn write(activity: &Activity, db: &Db) {
    if let Err(cause) = activity.write(db, Utc::now()).await {
        tracing::warn!(%cause, "the counts of activity could not be written; they are kept for the next time");
    }
}
