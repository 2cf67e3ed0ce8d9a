//! Rows that nobody can use any more go once a day: the database holds no address, token or answer longer than it serves.
use std::time::Duration;

use tokio::time::{Instant, MissedTickBehavior, interval_at};

use crate::account::{events, reset, tokens};
use crate::admin;
use crate::kit::Result;
use crate::kit::db::pool::{Db, Tx};
use crate::kit::http::{idempotency, session};
use crate::teams::invitations;

/// The first time comes when the start's own work is over.
const FIRST: Duration = Duration::from_secs(60);
const EVERY: Duration = Duration::from_secs(24 * 60 * 60);

/// Deletes what has run out; answers how many rows went.
type Forget = fn(&Tx<'_>) -> Result<usize>;

/// What each room forgets, with its name for the log.
const ROOMS: [(&str, Forget); 7] = [
    ("sessions", session::forget_ended),
    ("idempotency keys", idempotency::forget_old),
    ("password links", reset::store::forget_old),
    ("API tokens", tokens::store::forget_expired),
    ("security events", events::store::forget_old),
    ("invitations", invitations::store::forget_all_old),
    ("activity", admin::analytics::store::forget_old),
];

/// Tidies up a minute after the start and every day, for as long as it is let. What fails is logged and tried the next day.
pub async fn keep_house(db: Db) {
    let mut ticks = interval_at(Instant::now() + FIRST, EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        if let Err(cause) = tidy_up(&db).await {
            tracing::warn!(%cause, "what has run out could not be cleared away; it will be tomorrow");
        }
    }
}

/// Deletes what has run out, one short transaction a room. Answers how many rows went.
pub async fn tidy_up(db: &Db) -> Result<usize> {
    let mut all = 0;
    for (what, forget) in ROOMS {
        let rows = db.write(forget).await?;
        if rows > 0 {
            tracing::info!(rows, "cleared away {what} that had run out");
        }
        all += rows;
    }
    Ok(all)
}
