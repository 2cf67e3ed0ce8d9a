//! A backup of the database: a consistent, checked copy in one file, with its checksum beside it.
//!
//! A backup is written into a temporary folder whose name ends in `.tmp` and is renamed only when its checksum is stored beside
//! it. A file `shelfwise-<UTC>.db` is therefore always complete, even if the program is killed. `docs/decisions/0006-backups.md`
//! says why SQLite's own check is not enough.
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, bail};
use chrono::{DateTime, NaiveDateTime, TimeDelta, Utc};
use rusqlite::Connection;
use rusqlite::backup::Backup;
use sha2::{Digest as _, Sha256};

use super::data_dir;
use super::inspect::inspect;
use super::permissions::denial;

const NAME: &str = "shelfwise-%Y%m%dT%H%M%SZ.db";
/// Prefix and suffix of temporary folders.
const WORK: (&str, &str) = ("shelfwise-", ".tmp");
/// Pages copied per step. Readers and the writer continue in between.
const STRETCH: i32 = 4096;

/// The time of a backup according to its file name; `None` when the name does not have our format.
pub fn taken_at(name: &str) -> Option<DateTime<Utc>> {
    let at = NaiveDateTime::parse_from_str(name, NAME).ok()?.and_utc();
    // The parser also accepts shorter numbers and signs, which we never write.
    (self::name(at) == name).then_some(at)
}

/// The file name of a backup taken at `at`, to the second.
pub fn name(at: DateTime<Utc>) -> String {
    at.format(NAME).to_string()
}

/// The path of the checksum file that belongs to `file`.
pub fn checksum_file(file: &Path) -> PathBuf {
    let mut name = OsString::from(file);
    name.push(".sha256");
    name.into()
}

/// Copies the database of a connection, as it is at this moment, into a folder, which is created when it is missing. Returns the
/// backup's path once the backup is on the disk. If the name is taken, the backup gets the name of the next free second.
///
/// # Errors
/// The copy can't be written or fails its check; no file is left behind.
pub fn take(source: &Connection, folder: &Path, now: DateTime<Utc>) -> anyhow::Result<PathBuf> {
    let place = || format!("in {}", folder.display());
    // The most frequent failure: a folder of another user.
    let whose = || match denial(folder) {
        Some(said) => format!("{}: {said}", place()),
        None => place(),
    };
    data_dir::make(folder).with_context(whose)?;
    let _turn = take_turn(folder).with_context(whose)?;
    let work = tempfile::Builder::new().prefix(WORK.0).suffix(WORK.1).tempdir_in(folder).with_context(whose)?;
    let copy = work.path().join("copy.db");
    File::options().write(true).create_new(true).mode(0o600).open(&copy).with_context(place)?;
    copy_pages(source, &copy).with_context(place)?;
    inspect(&copy)?;
    let file = File::open(&copy).with_context(place)?;
    data_dir::give_to_owner_of(folder, &file).with_context(place)?;
    file.sync_all().with_context(place)?;
    let checksum = digest(file, io::sink()).with_context(place)?;
    publish(&copy, &checksum, folder, now, name).with_context(place)
}

/// Stores a finished file's checksum and renames the file to this second's name, or to the first later name that is free.
///
/// # Errors
/// The system's; the file is then not renamed and no checksum file is left.
pub fn publish(
    finished: &Path,
    checksum: &str,
    folder: &Path,
    now: DateTime<Utc>,
    name: impl Fn(DateTime<Utc>) -> String,
) -> io::Result<PathBuf> {
    let mut at = now;
    let (target, mut seal) = loop {
        let target = folder.join(name(at));
        let free = if target.exists() { Err(io::ErrorKind::AlreadyExists.into()) } else { Ok(checksum_file(&target)) };
        // Creating the checksum file reserves the name on every file system.
        let made = free.and_then(|seal| File::options().write(true).create_new(true).mode(0o600).open(seal));
        match made {
            Ok(seal) => break (target, seal),
            Err(cause) if cause.kind() == io::ErrorKind::AlreadyExists => at += TimeDelta::seconds(1),
            Err(cause) => return Err(cause),
        }
    };
    let line = format!("{checksum}  {}\n", target.file_name().unwrap_or_default().to_string_lossy());
    let named = seal
        .write_all(line.as_bytes())
        .and_then(|()| data_dir::give_to_owner_of(folder, &seal))
        .and_then(|()| seal.sync_all())
        .and_then(|()| sync_folder(folder))
        .and_then(|()| fs::rename(finished, &target))
        .and_then(|()| sync_folder(folder));
    if let Err(cause) = named {
        if !target.exists() {
            let _ = fs::remove_file(checksum_file(&target));
        }
        return Err(cause);
    }
    Ok(target)
}

/// Locks a folder, so that only one backup is made in it at a time, and removes what a killed backup left. On file systems that
/// cannot lock folders nothing is removed, and only the names keep backups apart.
fn take_turn(folder: &Path) -> anyhow::Result<File> {
    let turn = File::open(folder)?;
    if turn.lock().is_ok() {
        sweep(folder).with_context(|| format!("clearing up {}", folder.display()))?;
    }
    Ok(turn)
}

/// Removes what a killed backup or restore left in a folder. The caller holds the folder's lock.
pub fn sweep(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let Ok(name) = entry.file_name().into_string() else { continue };
        let path = entry.path();
        if name.starts_with(WORK.0) && name.ends_with(WORK.1) && entry.file_type()?.is_dir() {
            fs::remove_dir_all(path)?;
        } else if name.strip_suffix(".sha256").is_some_and(|of| taken_at(of).is_some() && !folder.join(of).exists()) {
            fs::remove_file(path)?;
        }
    }
    Ok(())
}

/// Copies one snapshot of the source into one file without a WAL, while others may write.
fn copy_pages(source: &Connection, copy: &Path) -> rusqlite::Result<()> {
    let mut target = Connection::open(copy)?;
    // An unfinished copy is discarded, and a finished one is synchronised at the end.
    target.execute_batch("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;")?;
    let snapshot = source.unchecked_transaction()?;
    snapshot.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
    Backup::new(&snapshot, &mut target)?.run_to_completion(STRETCH, Duration::ZERO, None)?;
    drop(snapshot);
    target.execute_batch("PRAGMA journal_mode = DELETE;")?;
    target.close().map_err(|(_, cause)| cause)
}

/// Checks that a backup is unchanged (its checksum matches) and that it is a complete database which this program can read.
pub fn verify(file: &Path) -> anyhow::Result<()> {
    let expected = expected_checksum(file)?;
    let found = File::open(file).and_then(|file| digest(file, io::sink()));
    if found.with_context(|| format!("{} can't be read", file.display()))? != expected {
        bail!("{} does not match its checksum: it is damaged, cut short or changed", file.display());
    }
    inspect(file)?;
    Ok(())
}

/// Whether a backup matches its checksum. [`verify`] checks more.
pub fn is_as_written(file: &Path) -> bool {
    let found = File::open(file).and_then(|file| digest(file, io::sink()));
    expected_checksum(file).is_ok_and(|expected| found.is_ok_and(|found| found == expected))
}

/// Reads the checksum stored beside a file.
pub fn expected_checksum(file: &Path) -> anyhow::Result<String> {
    let beside = checksum_file(file);
    if file.is_dir() {
        bail!("{} is a folder, not a backup", file.display());
    }
    if !file.is_file() {
        bail!("{} is not there", file.display());
    }
    let text = match fs::read_to_string(&beside) {
        Ok(text) => text,
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => {
            bail!("{} has no checksum beside it ({})", file.display(), beside.display())
        }
        Err(cause) => return Err(cause).with_context(|| format!("{} can't be read", beside.display())),
    };
    let checksum = text.split_whitespace().next().unwrap_or_default().to_ascii_lowercase();
    if checksum.len() != 64 || !checksum.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        bail!("{} does not hold a SHA-256 checksum", beside.display());
    }
    Ok(checksum)
}

/// Copies everything from `from` to `to` and returns its SHA-256 in hexadecimal digits.
pub fn digest(mut from: impl Read, mut to: impl Write) -> io::Result<String> {
    let (mut hash, mut part) = (Sha256::new(), vec![0; 1 << 17]);
    loop {
        match from.read(&mut part)? {
            0 => break,
            count => {
                hash.update(&part[..count]);
                to.write_all(&part[..count])?;
            }
        }
    }
    Ok(hex::encode(hash.finalize()))
}

/// Synchronises a folder, so that new names in it survive a power failure.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_not_a_backup() {
        let folder = tempfile::tempdir().unwrap();
        let refused = expected_checksum(folder.path()).unwrap_err().to_string();
        assert!(refused.contains("is a folder"), "{refused}");
    }

    #[test]
    fn only_names_that_we_write_are_ours() {
        assert!(taken_at("shelfwise-20260102T030405Z.db").is_some());
        for other in [
            "shelfwise-20260102T030405Z.db.sha256",
            "shelfwise-2026012T030405Z.db",
            "shelfwise-20261302T030405Z.db",
            "shelfwise-20260102T030405Z.db ",
            "shelfwise-my.db",
            "shelfwise.db",
        ] {
            assert!(taken_at(other).is_none(), "{other}");
        }
    }

    #[test]
    fn backups_of_one_second_get_names_of_their_own_and_leave_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let conn = crate::kit::db::open::open_writer(&folder.path().join("shelfwise.db")).unwrap();
        let (to, now) = (folder.path().join("to"), "2026-01-02T23:59:59Z".parse().unwrap());
        let made: Vec<_> = (0..3).map(|_| take(&conn, &to, now).unwrap()).collect();
        assert!(made.iter().all(|file| verify(file).is_ok()));
        let mut names: Vec<_> =
            fs::read_dir(&to).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.retain(|name| !name.ends_with(".sha256"));
        names.sort();
        assert_eq!(
            names,
            ["shelfwise-20260102T235959Z.db", "shelfwise-20260103T000000Z.db", "shelfwise-20260103T000001Z.db"]
        );
    }

    #[test]
    fn what_a_killed_backup_left_is_swept_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let conn = crate::kit::db::open::open_writer(&folder.path().join("shelfwise.db")).unwrap();
        let to = folder.path().join("to");
        fs::create_dir_all(to.join("shelfwise-abc.tmp")).unwrap();
        fs::create_dir(to.join("other.tmp")).unwrap();
        for name in ["shelfwise-20250102T030405Z.db.sha256", "notes.sha256", "shelfwise-abc.txt"] {
            fs::write(to.join(name), "x").unwrap();
        }
        take(&conn, &to, "2026-01-02T03:04:05Z".parse().unwrap()).unwrap();
        let mut names: Vec<_> =
            fs::read_dir(&to).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        assert_eq!(
            names,
            [
                "notes.sha256",
                "other.tmp",
                "shelfwise-20260102T030405Z.db",
                "shelfwise-20260102T030405Z.db.sha256",
                "shelfwise-abc.txt"
            ]
        );
    }
}
