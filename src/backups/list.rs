//! What lies in a folder of backups.
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use chrono::{DateTime, Utc};
use serde::Serialize;
use utoipa::ToSchema;

use crate::kit::db::instant;
use crate::kit::snapshot;

/// A backup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Backup {
    /// The file's name.
    pub name: String,
    /// When it was taken, RFC 3339, UTC.
    pub created_at: String,
    /// The file's size.
    pub bytes: u64,
    /// Whether it equals its checksum at this moment.
    pub verified: bool,
}

/// Every backup in a folder, the newest first. Each file is read to its end, some seconds for gigabytes.
///
/// # Errors
/// A sentence, when the folder can't be read.
pub fn list(folder: &Path) -> anyhow::Result<Vec<Backup>> {
    let found = names(folder)?.into_iter().map(|(at, name)| {
        let file = folder.join(&name);
        let bytes = fs::metadata(&file).with_context(|| format!("{} can't be read", file.display()))?.len();
        Ok(Backup { name, created_at: instant(at), bytes, verified: snapshot::is_as_written(&file) })
    });
    found.collect()
}

/// When the newest backup in a folder was taken; nothing where there is none or no folder.
///
/// # Errors
/// A sentence, when the folder can't be read.
pub fn newest(folder: &Path) -> anyhow::Result<Option<DateTime<Utc>>> {
    Ok(names(folder)?.first().map(|(at, _)| *at))
}

/// Deletes all but the newest backups of a folder. A file that is not ours by its name, or has no checksum beside it, is
/// neither counted nor touched. Answers how many went.
///
/// # Errors
/// A sentence.
pub fn prune(folder: &Path, keep: u32) -> anyhow::Result<usize> {
    let complete = names(folder)?.into_iter().map(|(_, name)| folder.join(name));
    let complete = complete.filter(|file| snapshot::checksum_file(file).is_file());
    let old: Vec<PathBuf> = complete.skip(usize::try_from(keep).unwrap_or(usize::MAX)).collect();
    for file in &old {
        // The backup first: a checksum alone is swept later, a backup without one would stay for ever.
        fs::remove_file(file)
            .and_then(|()| fs::remove_file(snapshot::checksum_file(file)))
            .with_context(|| format!("{} can't be deleted", file.display()))?;
    }
    Ok(old.len())
}

fn names(folder: &Path) -> anyhow::Result<Vec<(DateTime<Utc>, String)>> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(cause) => return Err(cause).with_context(|| format!("{} can't be read", folder.display())),
    };
    let mut found = Vec::new();
    for entry in entries {
        let entry = entry.with_context(|| format!("{} can't be read", folder.display()))?;
        let Ok(name) = entry.file_name().into_string() else { continue };
        if let Some(at) = snapshot::taken_at(&name) {
            found.push((at, name));
        }
    }
    found.sort();
    found.reverse();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_complete_backups_are_deleted_and_the_oldest_of_them() {
        let folder = tempfile::tempdir().unwrap();
        let put = |name: &str| fs::write(folder.path().join(name), name).unwrap();
        let name = |day: u32| format!("shelfwise-202601{day:02}T030405Z.db");
        for day in 1..=5 {
            put(&name(day));
            put(&format!("{}.sha256", name(day)));
        }
        // The newest of all has no checksum: somebody else put it here.
        for other in [&name(9), &name(2).replace(".db", ".db.bak"), "shelfwise-my.db", "shelfwise.db", "notes.sha256"] {
            put(other);
        }
        let before = fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(prune(folder.path(), 2).unwrap(), 3);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), before - 6);
        let left: Vec<_> = list(folder.path()).unwrap().into_iter().map(|backup| backup.name).collect();
        assert_eq!(left, [name(9), name(5), name(4)]);
        assert_eq!(prune(folder.path(), 2).unwrap(), 0);
        assert!(list(&folder.path().join("missing")).unwrap().is_empty());
    }
}
