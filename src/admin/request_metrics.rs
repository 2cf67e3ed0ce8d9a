//! How a request is counted, and the task that writes the counts.
use std::net::{IpAddr, SocketAddr};
use std::time::{Duration, Instant};

use axum::extract::{ConnectInfo, MatchedPath, Request};
use axum::http::{HeaderValue, header};
use axum::response::Response;
use chrono::Utc;
use tokio::time::{MissedTickBehavior, interval};

use super::activity::Activity;
use super::health;
use crate::kit::App;
use crate::kit::db::pool::Db;
use crate::kit::http::budgets::Caller;
use crate::kit::http::extract::client_ip;
use crate::kit::http::request_identity::RequestIdentity;

/// How often counts are written.
const EVERY: Duration = Duration::from_secs(60);

/// How often the server's condition is looked at.
const LOOK: Duration = Duration::from_secs(30);

/// A request on its way, as far as the counts need to know it.
pub struct RequestMetrics {
    started: Instant,
    visit: RequestIdentity,
    route: Option<MatchedPath>,
    agent: Option<HeaderValue>,
    ip: Option<IpAddr>,
}

impl RequestMetrics {
    /// Notes a request as it comes in. The slip that says whose it is goes along with it.
    pub fn of(app: &App, request: &mut Request) -> Self {
        let peer = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|peer| peer.0.ip());
        let ip = peer.map(|peer| client_ip(peer, request.headers(), |ip| app.config.trusts(ip)));
        let visit = RequestIdentity::new(app.budgets.clone(), Caller::at(ip, |ip| app.config.trusts(ip)));
        request.extensions_mut().insert(visit.clone());
        Self {
            started: Instant::now(),
            visit,
            route: request.extensions().get().cloned(),
            agent: request.headers().get(header::USER_AGENT).cloned(),
            ip: ip.filter(|_| app.places.available()),
        }
    }

    /// The slip that goes along with the request.
    pub fn visit(&self) -> &RequestIdentity {
        &self.visit
    }

    /// Counts the request when it is answered: its route, its time, and whose it was.
    pub fn answered(self, app: &App, activity: &Activity, response: &mut Response) {
        self.visit.complete(response.headers_mut());
        let (now, took) = (Utc::now(), self.started.elapsed());
        activity.load().answered(now, took);
        activity.requests().answered(self.route.as_ref().map(MatchedPath::as_str), response.status(), took);
        if let Some(visitor) = self.visit.visitor() {
            let agent = self.agent.as_ref().map(HeaderValue::as_bytes).unwrap_or_default();
            activity.visited(visitor, now, agent, self.ip.and_then(|ip| app.places.find(ip)));
        }
    }
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

/// Looks at the server's condition, for as long as it is let, and logs what turns.
pub async fn keep_watch(app: App) {
    let (mut ticks, mut before) = (interval(LOOK), Vec::new());
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        let now = Utc::now();
        health::log_changes(&mut before, &health::Facts::of(&app, now).await, now);
    }
}

/// Writes the counts; a failure is logged, and they wait for the next time.
pub async fn write(activity: &Activity, db: &Db) {
    if let Err(cause) = activity.write(db, Utc::now()).await {
        tracing::warn!(%cause, "the counts of activity could not be written; they are kept for the next time");
    }
}
