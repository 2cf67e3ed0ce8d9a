//! Backups: taken while people read and write, kept up to a number, listed, verified, restored, and made on a schedule.
//!
//! No tables and no calls: what a backup is stands in `kit::snapshot`, because a migration takes one too. [`list`] what lies in
//! a folder, and which of it goes · [`restore`] a backup becomes the database · [`schedule`] the serving program's own.
pub mod list;
pub mod restore;
pub mod schedule;

use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};

pub use crate::kit::db::backup_file::verify;
use crate::kit::db::{backup_file, open};

/// Backs up a database, which a server may be using, into a folder, and then deletes the oldest backups there so that `keep`
/// stay ([`list::prune`]). The new one always stays, also where the folder holds backups that are dated in the future.
/// Answers the new file.
///
/// # Errors
/// The database can't be read, the folder can't be written, or the copy fails its check.
pub fn create(database: &Path, folder: &Path, keep: Option<u32>, now: DateTime<Utc>) -> anyhow::Result<PathBuf> {
    let made = backup_file::take(&open::open_reader(database)?, folder, now)?;
    if let Some(keep) = keep {
        list::prune(folder, keep, date_of(&made).unwrap_or(now).max(now))?;
    }
    Ok(made)
}

/// When a backup was made, by the name of its file.
fn date_of(file: &Path) -> Option<DateTime<Utc>> {
    backup_file::taken_at(&file.file_name()?.to_string_lossy())
}

/// A sentence about the backups of a folder that are dated later than `made`, the backup that was just taken; `None` where
/// there are none, or the folder can't be read.
pub fn wrongly_dated(folder: &Path, made: &Path) -> Option<String> {
    let later = list::dated_after(folder, date_of(made)?).ok()?;
    let newest = later.first()?;
    Some(format!(
        "{} of the backups there are dated in the future, up to {newest}: they are kept and not counted. Is the clock right?",
        later.len()
    ))
}
