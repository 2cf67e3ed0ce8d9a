//! What a folder offers to backups, before anything is stored there.
use std::io::ErrorKind;
use std::path::Path;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::kit::disk::free_space;

/// The sentence about a folder whose path is relative.
pub const RELATIVE: &str = "The folder must begin with a slash, as in /var/backups/shelfwise.";

/// A folder to look at.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct BackupFolderRequest {
    /// The folder's path, beginning with a slash.
    #[schema(required)]
    pub to: String,
}

impl BackupFolderRequest {
    /// Looks at the folder, as [`look`].
    pub fn look(&self, database: &Path) -> Result<BackupFolder, String> {
        look(Path::new(self.to.trim()), database)
    }
}

/// A folder to which the server can write backups.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BackupFolder {
    /// Whether the folder is missing. The server makes it when it is stored as the folder for backups.
    pub is_missing: bool,
    /// The bytes that the server's user may still store there.
    pub free_bytes: u64,
    /// The size of the database, which is that of one backup.
    pub database_bytes: u64,
}

/// Looks at a folder for the backups of a database. Nothing is made there: of a missing folder the nearest one above is looked at.
///
/// # Errors
/// Why backups can't be written there, in one sentence.
pub fn look(folder: &Path, database: &Path) -> Result<BackupFolder, String> {
    if !folder.is_absolute() {
        return Err(RELATIVE.to_owned());
    }
    let is_missing = !folder.exists();
    let there = folder.ancestors().find(|above| above.exists()).unwrap_or(folder);
    if !there.is_dir() {
        return Err(format!("{} is not a folder.", there.display()));
    }
    if let Err(cause) = tempfile::tempfile_in(there) {
        let cause = match cause.kind() {
            // What the system says about /proc, for example.
            ErrorKind::NotFound => "nothing can be stored there".to_owned(),
            kind => kind.to_string(),
        };
        return Err(match is_missing {
            true => format!("The server can't make this folder in {}: {cause}.", there.display()),
            false => format!("The server can't write to this folder: {cause}."),
        });
    }
    let free_bytes =
        free_space(there).map_err(|cause| format!("The system does not say how much room there is: {cause}."))?;
    Ok(BackupFolder {
        is_missing,
        free_bytes,
        database_bytes: std::fs::metadata(database).map_or(0, |file| file.len()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_looked_at_and_a_missing_one_is_not_made() {
        let place = tempfile::tempdir().unwrap();
        let (database, file) = (place.path().join("shelfwise.db"), place.path().join("file"));
        std::fs::write(&database, [0; 4096]).unwrap();
        std::fs::write(&file, "").unwrap();
        let found = look(place.path(), &database).unwrap();
        assert!(!found.is_missing && found.free_bytes > 0 && found.database_bytes == 4096, "{found:?}");
        let missing = place.path().join("one/two");
        assert!(look(&missing, &database).unwrap().is_missing);
        assert!(!place.path().join("one").exists());
        assert!(look(&file, &database).unwrap_err().ends_with("is not a folder."));
        assert!(look(&file.join("below"), &database).unwrap_err().ends_with("is not a folder."));
        assert_eq!(look(Path::new("backups"), &database).unwrap_err(), RELATIVE);
        assert!(look(Path::new("/proc/backups"), &database).unwrap_err().contains("in /proc"));
    }
}
