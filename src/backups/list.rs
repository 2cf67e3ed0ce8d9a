//! Lists and deletes the backups in a folder.
use std::collections::HashMap;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use chrono::{DateTime, Utc};
use serde::Serialize;
use utoipa::ToSchema;

use crate::kit::db::backup_file;
use crate::kit::db::pool::instant;
use crate::kit::timestamp::Timestamp;

/// A backup file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Backup {
    /// The file's name.
    pub name: String,
    /// When it was taken (RFC 3339, UTC).
    #[schema(value_type = String)]
    pub created_at: Timestamp,
    /// The file's size in bytes.
    pub bytes: u64,
    /// Whether the file matches its checksum at the moment.
    pub verified: bool,
}

/// Every backup in a folder, newest first. Each file is read completely, which takes some seconds for gigabytes.
pub fn list(folder: &Path) -> anyhow::Result<Vec<Backup>> {
    listed(folder, |file, _| backup_file::is_as_written(file))
}

fn listed(folder: &Path, mut verified: impl FnMut(&Path, &fs::Metadata) -> bool) -> anyhow::Result<Vec<Backup>> {
    let found = names(folder)?.into_iter().filter_map(|(at, name)| {
        let file = folder.join(&name);
        let found = match fs::metadata(&file) {
            Ok(found) => found,
            // It was deleted meanwhile.
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => return None,
            Err(cause) => return Some(Err(cause).with_context(|| format!("{} can't be read", file.display()))),
        };
        Some(Ok(Backup { name, created_at: instant(at), bytes: found.len(), verified: verified(&file, &found) }))
    });
    found.collect()
}

/// The result for an unchanged file is checked again after this time, because disks can lose data.
const HOLDS: Duration = Duration::from_secs(24 * 60 * 60);

/// Cached check results for the backups of a folder, so that a page that is refreshed every minute does not read every backup.
/// New and changed files are read, and every file is read once a day. Clones share the results.
#[derive(Debug, Clone, Default)]
pub struct Verdicts(Arc<Mutex<HashMap<String, Verdict>>>);

#[derive(Debug, Clone, Copy)]
struct Verdict {
    verified: bool,
    of: (FileStamp, Option<FileStamp>),
    at: Instant,
}

/// The metadata that changes when a file is written: inode, size, and the times of content and state.
type FileStamp = (u64, u64, (i64, i64), (i64, i64));

fn file_stamp(file: &fs::Metadata) -> FileStamp {
    (file.ino(), file.len(), (file.mtime(), file.mtime_nsec()), (file.ctime(), file.ctime_nsec()))
}

impl Verdicts {
    /// Lists a folder like [`list`]. Concurrent callers wait for one result.
    pub fn list(&self, folder: &Path) -> anyhow::Result<Vec<Backup>> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut present = HashMap::new();
        let backups = listed(folder, |file, found| {
            let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let of = (file_stamp(found), fs::metadata(backup_file::checksum_file(file)).ok().as_ref().map(file_stamp));
            let before = known.get(&name).filter(|verdict| verdict.of == of && verdict.at.elapsed() < HOLDS);
            let verdict = before.copied().unwrap_or_else(|| Verdict {
                verified: backup_file::is_as_written(file),
                of,
                at: Instant::now(),
            });
            present.insert(name, verdict);
            verdict.verified
        })?;
        *known = present;
        Ok(backups)
    }
}

/// The time of the newest backup in a folder that is not dated later than `now`; `None` when there is no such backup or no
/// folder.
pub fn newest(folder: &Path, now: DateTime<Utc>) -> anyhow::Result<Option<DateTime<Utc>>> {
    Ok(names(folder)?.into_iter().map(|(at, _)| at).find(|at| *at <= now))
}

/// The backups in a folder that are dated later than `now`, newest first: the clock was wrong when they were made, or is wrong
/// now. [`prune`] neither counts nor deletes them.
pub fn dated_after(folder: &Path, now: DateTime<Utc>) -> anyhow::Result<Vec<String>> {
    Ok(names(folder)?.into_iter().filter(|(at, _)| *at > now).map(|(_, name)| name).collect())
}

/// Deletes the oldest backups in a folder, so that `keep` remain of those dated up to `until`. `until` is the time of the backup
/// that was just made, which therefore always remains. Backups with a later date are neither counted nor deleted, because a wrong
/// clock has named them. Files that don't have the name of a backup or have no checksum are neither counted nor deleted either.
/// Returns how many backups were deleted.
pub fn prune(folder: &Path, keep: u32, until: DateTime<Utc>) -> anyhow::Result<usize> {
    let counted = names(folder)?.into_iter().filter(|(at, _)| *at <= until).map(|(_, name)| folder.join(name));
    let complete = counted.filter(|file| backup_file::checksum_file(file).is_file());
    let old: Vec<PathBuf> = complete.skip(usize::try_from(keep).unwrap_or(usize::MAX)).collect();
    for file in &old {
        // The backup first: a checksum without a backup is removed later, a backup without a checksum would stay forever.
        delete(file)
            .and_then(|()| delete(&backup_file::checksum_file(file)))
            .with_context(|| format!("{} can't be deleted", file.display()))?;
    }
    Ok(old.len())
}

/// Deletes a file, which another backup to the same folder may have deleted meanwhile.
fn delete(file: &Path) -> io::Result<()> {
    match fs::remove_file(file) {
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => Ok(()),
        deleted => deleted,
    }
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
        if let Some(at) = backup_file::taken_at(&name) {
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
        // The newest of all has no checksum, so another program put it here.
        for other in [&name(9), &name(2).replace(".db", ".db.bak"), "shelfwise-my.db", "shelfwise.db", "notes.sha256"] {
            put(other);
        }
        let before = fs::read_dir(folder.path()).unwrap().count();
        let until = "2026-01-10T00:00:00Z".parse().unwrap();
        assert_eq!(prune(folder.path(), 2, until).unwrap(), 3);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), before - 6);
        let left: Vec<_> = list(folder.path()).unwrap().into_iter().map(|backup| backup.name).collect();
        assert_eq!(left, [name(9), name(5), name(4)]);
        assert_eq!(prune(folder.path(), 2, until).unwrap(), 0);
        assert!(list(&folder.path().join("missing")).unwrap().is_empty());
    }

    #[test]
    fn a_backup_that_disappears_meanwhile_hides_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let (gone, there) = ("shelfwise-20260102T030405Z.db", "shelfwise-20260103T030405Z.db");
        std::os::unix::fs::symlink("nowhere", folder.path().join(gone)).unwrap();
        fs::write(folder.path().join(there), "").unwrap();
        let listed: Vec<_> = list(folder.path()).unwrap().into_iter().map(|backup| backup.name).collect();
        assert_eq!(listed, [there]);
        assert_eq!(Verdicts::default().list(folder.path()).unwrap().len(), 1);
    }

    #[test]
    fn two_backups_at_once_may_delete_the_same_old_ones() {
        let folder = tempfile::tempdir().unwrap();
        for round in 0..20 {
            for second in 0..50 {
                let name = format!("shelfwise-20260102T{round:02}04{second:02}Z.db");
                fs::write(folder.path().join(&name), "").unwrap();
                fs::write(folder.path().join(format!("{name}.sha256")), "").unwrap();
            }
            let until = "2026-01-10T00:00:00Z".parse().unwrap();
            std::thread::scope(|scope| {
                let both = [(); 2].map(|()| scope.spawn(|| prune(folder.path(), 1, until).unwrap()));
                for pruned in both {
                    pruned.join().unwrap();
                }
            });
            assert_eq!(list(folder.path()).unwrap().len(), 1);
        }
    }

    #[test]
    fn backups_with_a_later_date_are_neither_counted_nor_deleted() {
        let folder = tempfile::tempdir().unwrap();
        let name = |year: i32| format!("shelfwise-{year}0102T030405Z.db");
        for year in [2023, 2024, 2025, 2090, 2091, 2092] {
            fs::write(folder.path().join(name(year)), "").unwrap();
            fs::write(folder.path().join(format!("{}.sha256", name(year))), "").unwrap();
        }
        let made = "2025-01-02T03:04:05Z".parse().unwrap();
        assert_eq!(prune(folder.path(), 1, made).unwrap(), 2);
        let left: Vec<_> = list(folder.path()).unwrap().into_iter().map(|backup| backup.name).collect();
        assert_eq!(left, [name(2092), name(2091), name(2090), name(2025)]);
        assert_eq!(dated_after(folder.path(), made).unwrap(), [name(2092), name(2091), name(2090)]);
        assert_eq!(newest(folder.path(), made).unwrap(), Some(made));
        assert_eq!(newest(folder.path(), "2020-01-01T00:00:00Z".parse().unwrap()).unwrap(), None);
    }

    #[test]
    fn a_backup_that_nobody_touched_is_read_once_and_one_that_was_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("shelfwise-20260102T030405Z.db");
        // With explicit times, because the clock may give two writes the same time.
        let put = |file: &Path, text: &str, seconds: u64| {
            fs::write(file, text).unwrap();
            let at = std::time::UNIX_EPOCH + Duration::from_secs(seconds);
            fs::File::options().write(true).open(file).unwrap().set_modified(at).unwrap();
        };
        let seal = |text: &str, seconds: u64| {
            put(
                &backup_file::checksum_file(&file),
                &backup_file::digest(text.as_bytes(), io::sink()).unwrap(),
                seconds,
            );
        };
        let verdicts = Verdicts::default();
        let verified = || verdicts.list(folder.path()).unwrap()[0].verified;
        let read_at = || verdicts.0.lock().unwrap().values().next().unwrap().at;
        put(&file, "whole", 1);
        assert!(!verified(), "it has no checksum");
        seal("whole", 1);
        assert!(verified());
        let first = read_at();
        assert!(verified());
        assert_eq!(read_at(), first, "it was read again");
        put(&file, "wholE", 2);
        assert!(!verified());
        seal("wholE", 2);
        assert!(verified());
        fs::remove_file(&file).unwrap();
        assert!(verdicts.list(folder.path()).unwrap().is_empty() && verdicts.0.lock().unwrap().is_empty());
    }
}
