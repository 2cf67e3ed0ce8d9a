//! Scheduled backups of the running server: one whenever the newest is old enough, also right after the start.
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use chrono::{DateTime, TimeDelta, Utc};

use super::list;
use crate::config::{Backup, SecretUrl};
use crate::kit::Error;
use crate::kit::db::pool::blocking;
use crate::kit::health::{Health, Runs};
use crate::kit::net::ping::ping;

/// After a failure the next attempt is made after this time, or at the next regular time if that is sooner.
const AGAIN: Duration = Duration::from_secs(10 * 60);

/// How often a wait looks at the clock.
const LOOK: Duration = Duration::from_secs(60);

/// The folder and the interval of scheduled backups.
#[derive(Debug, Clone)]
pub struct Schedule {
    folder: PathBuf,
    keep: u32,
    every: Duration,
    ping: Option<SecretUrl>,
}

impl Schedule {
    /// The schedule in the settings; `None` when they name no folder.
    pub fn of(config: &Backup) -> Option<Self> {
        let folder = config.to.clone()?;
        Some(Self { folder, keep: config.keep, every: config.every.duration(), ping: config.ping.clone() })
    }

    /// The folder of the backups.
    pub fn folder(&self) -> &std::path::Path {
        &self.folder
    }

    /// Whether the backup made at `last` is older than two intervals: one may be in progress.
    pub fn is_late(&self, last: DateTime<Utc>, now: DateTime<Utc>) -> bool {
        let every = TimeDelta::from_std(self.every).unwrap_or(TimeDelta::MAX);
        now - last > every.checked_mul(2).unwrap_or(TimeDelta::MAX)
    }

    /// When the next backup is due: now when there is no backup or the newest is too old. Backups dated later than `now` don't
    /// count.
    pub fn next_at(&self, now: DateTime<Utc>) -> anyhow::Result<DateTime<Utc>> {
        let every = TimeDelta::from_std(self.every).unwrap_or(TimeDelta::MAX);
        let due = list::newest(&self.folder, now)?.and_then(|newest| newest.checked_add_signed(every));
        Ok(due.unwrap_or(now).max(now))
    }

    /// Makes backups on this schedule, on a blocking thread, until it is dropped. Failures are logged and retried; `health`
    /// records every outcome.
    pub async fn keep_to(self, database: PathBuf, health: Arc<Health>) {
        let runs = &health.backups;
        if let Some(newest) = list::newest(&self.folder, health.now()).ok().flatten() {
            runs.succeeded_at(newest);
        }
        loop {
            self.wait_for_turn(LOOK, || health.now()).await;
            let succeeded = self.back_up(database.clone(), runs, health.now()).await;
            if let Some(url) = &self.ping
                && let Err(reason) = ping(url, succeeded).await
            {
                tracing::warn!(reason, "reporting a backup to the monitor failed");
            }
            if !succeeded {
                tokio::time::sleep(AGAIN.min(self.every)).await;
            }
        }
    }

    /// Waits until a backup is due. Another schedule may have made one meanwhile, which the next one is due after.
    async fn wait_for_turn(&self, look: Duration, now: impl Fn() -> DateTime<Utc>) {
        let mut waited_for = None;
        while let Ok(due) = self.next_at(now())
            && due > now()
            && waited_for != Some(due)
        {
            wait_until(due, look, &now).await;
            waited_for = Some(due);
        }
    }

    async fn back_up(&self, database: PathBuf, runs: &Runs, now: DateTime<Utc>) -> bool {
        let (folder, keep, started) = (self.folder.clone(), self.keep, Instant::now());
        let made = blocking(move || super::create(&database, &folder, Some(keep), now).map_err(Error::from));
        match made.await {
            Ok(file) => {
                let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
                tracing::info!(backup = name, ms = started.elapsed().as_millis() as u64, "backed up");
                if let Some(finding) = super::wrongly_dated(&self.folder, &file) {
                    tracing::warn!(finding, "the folder of backups holds backups that are dated in the future");
                }
                runs.succeeded();
                true
            }
            Err(cause) => {
                let cause = match cause {
                    Error::Internal(cause) => cause,
                    other => other.into(),
                };
                tracing::error!(cause = format!("{cause:#}"), "scheduled backup failed");
                runs.failed(public_reason(&cause));
                false
            }
        }
    }
}

/// Waits until `now` is `due`, and never longer than the time between them at the start. The clock is read every `look`: it may be put
/// forward or back meanwhile, and a timer stands still while the machine is suspended.
async fn wait_until(due: DateTime<Utc>, look: Duration, now: impl Fn() -> DateTime<Utc>) {
    let left = || (due - now()).to_std().unwrap_or(Duration::ZERO);
    let (started, longest) = (Instant::now(), left());
    loop {
        let wait = left().min(longest.saturating_sub(started.elapsed()));
        if wait.is_zero() {
            return;
        }
        tokio::time::sleep(wait.min(look)).await;
    }
}

/// The reason of a failure without paths: the system's or SQLite's own message.
fn public_reason(cause: &anyhow::Error) -> String {
    let root = cause.root_cause();
    match root.downcast_ref::<rusqlite::Error>() {
        Some(found) => found.to_string(),
        None if root.is::<std::io::Error>() => root.to_string(),
        None => "the server's log has the reason".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;
    use crate::kit::clock::Clock;

    #[tokio::test]
    async fn a_wait_ends_when_the_clock_is_put_forward_and_with_its_time_when_it_is_put_back() {
        let (clock, limit) = (Clock::default(), Duration::from_secs(60));
        let now = || clock.now();
        let look = Duration::from_millis(1);
        let mut waiting = Box::pin(wait_until(clock.now() + TimeDelta::days(1), look, now));
        assert!(waiting.as_mut().now_or_never().is_none());
        clock.advance(TimeDelta::days(2));
        tokio::time::timeout(limit, waiting).await.expect("the time has come");
        let mut waiting = Box::pin(wait_until(clock.now() + TimeDelta::milliseconds(200), look, now));
        assert!(waiting.as_mut().now_or_never().is_none());
        clock.advance(-TimeDelta::days(2));
        tokio::time::timeout(limit, waiting).await.expect("as long as it seemed at first");
    }

    #[tokio::test]
    async fn a_backup_that_another_schedule_made_during_the_wait_takes_the_turn() {
        let (folder, clock) = (tempfile::tempdir().unwrap(), Clock::default());
        let schedule =
            Schedule { folder: folder.path().to_owned(), keep: 3, every: Duration::from_secs(3600), ping: None };
        let back_up = || {
            std::fs::write(folder.path().join(crate::kit::db::backup_file::name(clock.now())), "").unwrap();
        };
        let started = clock.now();
        back_up();
        // Each look is ten minutes later. After half an hour the other schedule makes its backup.
        let looks = std::cell::Cell::new(0);
        let now = || {
            clock.advance(TimeDelta::minutes(10));
            looks.set(looks.get() + 1);
            if looks.get() == 3 {
                back_up();
            }
            clock.now()
        };
        schedule.wait_for_turn(Duration::from_millis(1), now).await;
        let waited = clock.now() - started;
        assert!(waited >= TimeDelta::minutes(90), "{waited}");
    }

    #[test]
    fn a_backup_is_due_when_the_newest_is_old_enough_and_never_later_than_that() {
        let folder = tempfile::tempdir().unwrap();
        let schedule =
            Schedule { folder: folder.path().to_owned(), keep: 3, every: Duration::from_secs(3600), ping: None };
        let at = |text: &str| -> DateTime<Utc> { text.parse().unwrap() };
        let now = at("2026-01-02T12:00:00Z");
        assert_eq!(schedule.next_at(now).unwrap(), now);
        for (name, due) in [
            ("shelfwise-20260102T093000Z.db", "2026-01-02T12:00:00Z"),
            ("shelfwise-20260102T113000Z.db", "2026-01-02T12:30:00Z"),
            // A backup that was made with a wrong clock delays nothing.
            ("shelfwise-20270102T113000Z.db", "2026-01-02T12:30:00Z"),
        ] {
            std::fs::write(folder.path().join(name), "").unwrap();
            assert_eq!(schedule.next_at(now).unwrap(), at(due), "{name}");
        }
    }
}
