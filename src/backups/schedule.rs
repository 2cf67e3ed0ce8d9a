//! The serving program's own backups: one whenever the newest has become old enough, also right after the start.
use std::path::PathBuf;
use std::time::{Duration, Instant};

use chrono::{DateTime, TimeDelta, Utc};

use super::list;
use crate::config::Backup;
use crate::kit::Error;
use crate::kit::db::blocking;

/// After a failure the next attempt comes this much later, or at the next regular time when that is sooner.
const AGAIN: Duration = Duration::from_secs(10 * 60);

/// Where and how often.
#[derive(Debug, Clone)]
pub struct Schedule {
    folder: PathBuf,
    keep: u32,
    every: Duration,
}

impl Schedule {
    /// The schedule of the settings; none where they name no folder.
    pub fn of(config: &Backup) -> Option<Self> {
        let folder = config.to.clone()?;
        Some(Self { folder, keep: config.keep, every: config.every.duration() })
    }

    /// The folder of the backups.
    pub fn folder(&self) -> &std::path::Path {
        &self.folder
    }

    /// When the next backup is due: at once (`now`) where there is none, or the newest is too old.
    ///
    /// # Errors
    /// A sentence, when the folder can't be read.
    pub fn next_at(&self, now: DateTime<Utc>) -> anyhow::Result<DateTime<Utc>> {
        let every = TimeDelta::from_std(self.every).unwrap_or(TimeDelta::MAX);
        let due = list::newest(&self.folder)?.and_then(|newest| newest.checked_add_signed(every));
        // A clock that was set back must not put backups off for longer than their distance.
        Ok(due.unwrap_or(now).max(now).min(now.checked_add_signed(every).unwrap_or(now)))
    }

    /// Backs up on this schedule, off the async threads, until it is dropped. What fails is logged and tried again.
    pub async fn keep_to(self, database: PathBuf) {
        loop {
            let wait = match self.next_at(Utc::now()) {
                Ok(due) => (due - Utc::now()).to_std().unwrap_or(Duration::ZERO),
                Err(_) => Duration::ZERO,
            };
            tokio::time::sleep(wait).await;
            if !self.back_up(database.clone()).await {
                tokio::time::sleep(AGAIN.min(self.every)).await;
            }
        }
    }

    async fn back_up(&self, database: PathBuf) -> bool {
        let (folder, keep, started) = (self.folder.clone(), self.keep, Instant::now());
        let made = blocking(move || super::create(&database, &folder, Some(keep), Utc::now()).map_err(Error::from));
        match made.await {
            Ok(file) => {
                let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
                tracing::info!(backup = name, ms = started.elapsed().as_millis() as u64, "backed up");
                true
            }
            Err(Error::Internal(cause)) => {
                tracing::error!(cause = format!("{cause:#}"), "the scheduled backup failed");
                false
            }
            Err(cause) => {
                tracing::error!(%cause, "the scheduled backup failed");
                false
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_backup_is_due_when_the_newest_is_old_enough_and_never_later_than_that() {
        let folder = tempfile::tempdir().unwrap();
        let schedule = Schedule { folder: folder.path().to_owned(), keep: 3, every: Duration::from_secs(3600) };
        let at = |text: &str| -> DateTime<Utc> { text.parse().unwrap() };
        let now = at("2026-01-02T12:00:00Z");
        assert_eq!(schedule.next_at(now).unwrap(), now);
        for (name, due) in [
            ("shelfwise-20260102T093000Z.db", "2026-01-02T12:00:00Z"),
            ("shelfwise-20260102T113000Z.db", "2026-01-02T12:30:00Z"),
            ("shelfwise-20270102T113000Z.db", "2026-01-02T13:00:00Z"),
        ] {
            std::fs::write(folder.path().join(name), "").unwrap();
            assert_eq!(schedule.next_at(now).unwrap(), at(due), "{name}");
        }
    }
}
