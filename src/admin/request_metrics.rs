//! Counts requests, and writes the counts in the background.
use std::time::{Duration, Instant};

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderValue, header};
use axum::middleware::Next;
use axum::response::Response;
use tokio::time::{MissedTickBehavior, interval};

use super::activity::Activity;
use super::alerts::Alerts;
use super::health::Facts;
use crate::kit::App;
use crate::kit::db::pool::Db;
use crate::kit::http::budgets::Caller;
use crate::kit::http::extract::client_of;
use crate::kit::http::listener::Peer;
use crate::kit::http::request_identity::RequestIdentity;
use crate::kit::net::resolver::is_public;

/// How often counts are written.
const EVERY: Duration = Duration::from_secs(60);

/// How often the server's condition is checked.
const LOOK: Duration = Duration::from_secs(30);

/// Attaches the [`RequestIdentity`] to a request, and counts its answer: its route, its duration and its account.
pub async fn count(State((app, activity)): State<(App, Activity)>, mut request: Request, next: Next) -> Response {
    let started = Instant::now();
    let peer = request.extensions().get::<Peer>().copied();
    let ip = peer.and_then(|peer| client_of(peer, request.headers(), |ip| app.config.trusts(ip)));
    if let Some(Peer::Address(proxy)) = peer
        && let proxy = proxy.to_canonical()
        && request.headers().contains_key("x-forwarded-for")
        // A public address may be a person's, who sends the header.
        && !app.config.trusts(proxy)
        && !is_public(proxy)
    {
        app.health.sent_by_unlisted_proxy(proxy);
    }
    let identity = RequestIdentity::new(app.budgets.clone(), Caller::at(ip, |ip| app.config.trusts(ip)));
    request.extensions_mut().insert(identity.clone());
    let route = request.extensions().get::<MatchedPath>().cloned();
    let agent = request.headers().get(header::USER_AGENT).cloned();

    let mut response = next.run(request).await;
    identity.complete(response.headers_mut());
    let (now, took) = (app.now(), started.elapsed());
    activity.load().answered(now, took);
    activity.requests().answered(route.as_ref().map(MatchedPath::as_str), response.status(), took);
    if let Some(visitor) = identity.visitor() {
        let agent = agent.as_ref().map(HeaderValue::as_bytes).unwrap_or_default();
        let place = ip.filter(|_| app.places.available()).and_then(|ip| app.places.find(ip));
        activity.visited(visitor, now, agent, place);
    }
    response
}

/// Writes the counts every minute until it is dropped.
pub async fn keep_writing(activity: Activity, db: Db) {
    let mut ticks = interval(EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        write(&activity, &db).await;
    }
}

/// Checks the server's condition until it is dropped, logs changes, and alerts the operators.
pub async fn keep_watch(app: App) {
    let (mut ticks, mut alerts) = (interval(LOOK), Alerts::default());
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        let now = app.now();
        let facts = Facts::of(&app, now).await;
        facts.checks(&app.health, now);
        alerts.look(&app, &facts, now).await;
    }
}

/// Writes the counts. A failure is logged, and the counts are kept for the next time.
pub async fn write(activity: &Activity, db: &Db) {
    if let Err(cause) = activity.write(db, db.now()).await {
        tracing::warn!(%cause, "writing the activity counts failed; they will be retried");
    }
}
