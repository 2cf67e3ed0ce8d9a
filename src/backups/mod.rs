//! Backups: creating them while people read and write, limiting their number, listing, verifying, restoring, and a schedule.
//!
//! There are no tables and no API calls here. A backup file itself is defined in `kit::db::backup_file`, because a migration
//! makes one too. [`list`] lists and deletes backups, [`folder`] looks at a folder for them, [`restore`] replaces the database by a
//! backup, [`schedule`] makes backups in the running server.
pub mod folder;
pub mod list;
pub mod restore;
pub mod schedule;

use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};

pub use crate::kit::db::backup_file::verify;
use crate::kit::db::{backup_file, data_dir, inspect};

/// Backs up a database, which a server may be using, into a folder, and then deletes the oldest backups there so that `keep`
/// remain ([`list::prune`]). The new backup always remains, even if the folder contains backups dated in the future. Returns the
/// path of the new file.
///
/// # Errors
/// The database can't be read, the folder can't be written, or the copy fails its check.
pub fn create(database: &Path, folder: &Path, keep: Option<u32>, now: DateTime<Utc>) -> anyhow::Result<PathBuf> {
    let made = backup_file::take(&inspect::open_reader(database)?, folder, now)?;
    if let Some(keep) = keep {
        list::prune(folder, keep, date_of(&made).unwrap_or(now).max(now))?;
    }
    Ok(made)
}

/// Checks that backups can be written to a folder, before anything depends on it. A missing folder is made, with access for its owner
/// only. Returns whether it was missing.
pub fn check_folder(folder: &Path) -> Result<bool, String> {
    if !folder.is_absolute() {
        return Err(folder::RELATIVE.to_owned());
    }
    let is_missing = !folder.exists();
    let written = data_dir::make(folder).and_then(|()| tempfile::tempfile_in(folder).map(drop));
    written.map(|()| is_missing).map_err(|cause| format!("The server can't write to this folder: {cause}."))
}

/// The time of a backup, according to its file name.
fn date_of(file: &Path) -> Option<DateTime<Utc>> {
    backup_file::taken_at(&file.file_name()?.to_string_lossy())
}

/// A sentence about the backups in a folder that are dated later than `made`, the backup that was just taken; `None` when there
/// are none or the folder can't be read.
pub fn wrongly_dated(folder: &Path, made: &Path) -> Option<String> {
    let later = list::dated_after(folder, date_of(made)?).ok()?;
    let newest = later.first()?;
    Some(format!(
        "{} of the backups there are dated in the future, up to {newest}: they are kept and not counted. Is the clock right?",
        later.len()
    ))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn a_folder_that_the_check_makes_is_open_to_its_owner_alone() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("far/backups");
        assert_eq!(check_folder(&folder), Ok(true));
        for made in [&folder, &place.path().join("far")] {
            assert_eq!(std::fs::metadata(made).unwrap().permissions().mode() & 0o777, 0o700, "{}", made.display());
        }
        assert_eq!(check_folder(&folder), Ok(false));
        assert!(check_folder(Path::new("backups")).is_err());
    }
}
