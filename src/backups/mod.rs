//! Backups: taken while people read and write, kept up to a number, listed, verified, restored, and made on a schedule.
//!
//! No tables and no calls: what a backup is stands in `kit::snapshot`, because a migration takes one too. [`list`] what lies in
//! a folder, and which of it goes · [`restore`] a backup becomes the database · [`schedule`] the serving program's own.
pub mod list;
pub mod restore;
pub mod schedule;

use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};

pub use crate::kit::snapshot::verify;
use crate::kit::{open, snapshot};

/// Backs up a database, which a server may be using, into a folder; then only the newest `keep` backups stay there. Answers the
/// new file.
///
/// # Errors
/// A sentence: the database can't be read, the folder not written, or the check of the copy found a fault.
pub fn create(database: &Path, folder: &Path, keep: Option<u32>, now: DateTime<Utc>) -> anyhow::Result<PathBuf> {
    let made = snapshot::take(&open::open_reader(database)?, folder, now)?;
    if let Some(keep) = keep {
        list::prune(folder, keep)?;
    }
    Ok(made)
}
