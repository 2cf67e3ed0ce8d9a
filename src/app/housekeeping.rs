//! Deletes expired rows once a day, so that the database keeps no address, token or response longer than needed, and compacts the
//! database at night after something was erased.
use std::time::Duration;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use tokio::time::{Instant, MissedTickBehavior, interval_at, sleep};

use crate::account::{events, reset, tokens};
use crate::admin;
use crate::config::Compact;
use crate::kit::db::erasure::is_compaction_due;
use crate::kit::db::pool::{Db, Tx};
use crate::kit::http::{idempotency, session};
use crate::kit::id::UserId;
use crate::kit::{App, Result};
use crate::library::import::said::{self, former, store::owners_of_unread};
use crate::library::operations;
use crate::lookup;
use crate::preferences;
use crate::teams::invitations;

/// The first clean-up waits until the start is complete.
const FIRST: Duration = Duration::from_secs(60);
const EVERY: Duration = Duration::from_secs(24 * 60 * 60);

/// The hour of the day in which the database is compacted, and how often the time is looked at.
const COMPACTION_HOUR: i8 = 3;
const LOOK_EVERY: Duration = Duration::from_secs(20 * 60);

/// Compacts the database in the night after something was erased, until it is dropped.
pub async fn compact_at_night(app: App) {
    if app.config.compact == Compact::Never {
        return;
    }
    let zone = TimeZone::system();
    loop {
        sleep(LOOK_EVERY).await;
        let now = Timestamp::from_second(app.now().timestamp()).unwrap_or_default();
        let is_due = now.to_zoned(zone.clone()).hour() == COMPACTION_HOUR
            && app.db.read(|conn| Ok(is_compaction_due(conn)?)).await.unwrap_or(false);
        if is_due {
            match app.db.compact().await {
                Ok(()) => tracing::info!("compacted the database"),
                Err(cause) => tracing::warn!(%cause, "compacting the database failed"),
            }
        }
    }
}

/// How many rows of former imports are written at a time.
const ROWS_AT_ONCE: usize = 2_000;

/// Reads the rows of imports from before it was kept what rows say, once, so that newer files are compared with them. Failures are logged, and
/// retried at the next start.
pub async fn read_former_imports(app: App) {
    let owners = match app.db.read(owners_of_unread).await {
        Ok(owners) if owners.is_empty() => return,
        Ok(owners) => owners,
        Err(cause) => return tracing::warn!(%cause, "reading former imports failed"),
    };
    tracing::info!(accounts = owners.len(), "reading what former imports said");
    let (mut accounts, mut rows) = (0, 0);
    for owner in owners {
        match read_imports_of(&app, owner).await {
            Ok(read) => (accounts, rows) = (accounts + 1, rows + read),
            Err(cause) => tracing::warn!(account = owner.0, %cause, "reading former imports failed"),
        }
    }
    tracing::info!(accounts, rows, "read what former imports said");
}

async fn read_imports_of(app: &App, owner: UserId) -> Result<usize> {
    let now = app.now();
    let unread = app.db.read_long(move |conn| {
        let preferences = preferences::store::find(conn, owner)?;
        let zone = preferences.zone();
        let hemisphere = preferences.hemisphere.unwrap_or_else(|| zone.hemisphere());
        former::unread(conn, owner, &former::options(conn, owner, hemisphere, zone.day_at(now))?)
    });
    let mut unread = unread.await?;
    let rows = unread.len();
    while !unread.is_empty() {
        let part = unread.split_off(unread.len().saturating_sub(ROWS_AT_ONCE));
        app.db.write(move |tx| part.iter().try_for_each(|(row, said)| said::store::write(tx, *row, said))).await?;
    }
    Ok(rows)
}

/// Deletes expired rows. Returns how many.
type DeleteExpired = fn(&Tx<'_>) -> Result<usize>;

/// The expired rows of each module, with their name for the log.
const EXPIRING: [(&str, DeleteExpired); 10] = [
    ("sessions", session::store::forget_ended),
    ("idempotency keys", idempotency::forget_old),
    ("password links", reset::store::forget_old),
    ("API tokens", tokens::store::forget_expired),
    ("security events", events::store::forget_old),
    ("invitations", invitations::store::forget_all_old),
    ("invitations to the server", invitations::to_server::store::forget_old),
    ("answers of catalogues", lookup::store::delete_expired),
    ("operations", operations::store::forget_old),
    ("activity", admin::analytics::store::forget_old),
];

/// Runs one minute after the start and then every day, until it is dropped. Failures are logged and retried the next day.
pub async fn keep_house(db: Db) {
    let mut ticks = interval_at(Instant::now() + FIRST, EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        // The log has the failures.
        let _ = tidy_up(&db).await;
    }
}

/// Deletes expired rows, in one short transaction per module. Returns how many.
///
/// # Errors
/// The first failure; the rows of the other modules are deleted all the same.
pub async fn tidy_up(db: &Db) -> Result<usize> {
    let mut all = Ok(0);
    for (what, forget) in EXPIRING {
        match db.write(forget).await {
            Ok(rows) => {
                if rows > 0 {
                    tracing::info!(rows, "deleted expired {what}");
                }
                all = all.map(|all| all + rows);
            }
            Err(cause) => {
                tracing::warn!(%cause, what, retry_in = "24h", "deleting expired rows failed");
                all = all.and(Err(cause));
            }
        }
    }
    all
}
