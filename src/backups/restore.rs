//! Replaces the database by a backup. If the program is killed, the data directory contains either the former database or the new
//! one, complete.
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use chrono::{DateTime, Utc};
use rustix::fs::OFlags;

use crate::kit::db::{backup_file, data_dir, single_file};
use crate::kit::http::session;

/// Suffixes of SQLite's files beside an open database, or after a crash.
const LOG: &str = "-wal";
const JOURNAL: &str = "-journal";
const INDEX: &str = "-shm";

/// Replaces a database by a backup, in a data directory whose lock the caller holds, and ends all sessions. Returns where the
/// former database is kept, with a checksum so that it can be restored in turn.
///
/// # Errors
/// The backup is refused before anything is changed, or the system failed.
pub fn restore(backup: &Path, database: &Path, now: DateTime<Utc>) -> anyhow::Result<Option<PathBuf>> {
    let folder = database.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let place = || format!("in {}", folder.display());
    // The data directory may be a link that an operator has made; below it, no link is followed.
    let folder = &fs::canonicalize(folder).with_context(place)?;
    let database = &folder.join(database.file_name().context("the database has no name")?);
    backup_file::sweep(folder).with_context(place)?;
    let work = tempfile::Builder::new().prefix("shelfwise-").suffix(".tmp").tempdir_in(folder).with_context(place)?;
    let staged = work.path().join("staged.db");
    let copy = stage(backup, &staged)?;
    data_dir::give_to_owner_of(folder, &copy).with_context(place)?;
    let former = match database.exists() {
        true => Some(keep_former(database, work.path(), now)?),
        false => {
            set_aside(database, database)?;
            None
        }
    };
    fs::rename(&staged, database).and_then(|()| backup_file::sync_folder(folder)).with_context(place)?;
    Ok(former)
}

/// Copies the backup, verifies its checksum, and deletes its sessions. Returns the open file.
fn stage(backup: &Path, staged: &Path) -> anyhow::Result<File> {
    backup_file::verify(backup)?;
    let expected = backup_file::expected_checksum(backup)?;
    let copy = File::options().write(true).create_new(true).mode(0o600).open(staged)?;
    let from = File::open(backup).with_context(|| format!("{} can't be read", backup.display()))?;
    let found = backup_file::digest(from, &copy).with_context(|| format!("copying {}", backup.display()))?;
    if found != expected {
        bail!("{} changed while it was read", backup.display());
    }
    end_sessions(staged).context("ending the sessions of the backup")?;
    copy.sync_all().context("writing the copy to the disk")?;
    Ok(copy)
}

fn end_sessions(staged: &Path) -> rusqlite::Result<()> {
    single_file::change(staged, session::store::close_all)
}

/// Gives the former database a second name, which remains when the first is replaced.
fn keep_former(database: &Path, work: &Path, now: DateTime<Utc>) -> anyhow::Result<PathBuf> {
    let place = || format!("keeping {}", database.display());
    let whole = single_file::join_wal(database).with_context(place)?;
    let (copy, folder) = (work.join("former.db"), database.parent().unwrap_or(Path::new(".")));
    // Some file systems have no links.
    // A database that root created belongs to the folder's owner from here on, before it has a second name.
    if fs::symlink_metadata(database).with_context(place)?.is_file() {
        let former = File::options().read(true).custom_flags(OFlags::NOFOLLOW.bits().cast_signed()).open(database);
        former.and_then(|file| data_dir::give_to_owner_of(folder, &file)).with_context(place)?;
    }
    fs::hard_link(database, &copy).or_else(|_| fs::copy(database, &copy).map(drop)).with_context(place)?;
    let checksum = File::open(&copy)
        .and_then(|file| data_dir::give_to_owner_of(folder, &file).map(|()| file))
        .and_then(|file| file.sync_all().map(|()| file))
        .and_then(|file| backup_file::digest(file, io::sink()))
        .with_context(place)?;
    let name = |at: DateTime<Utc>| at.format("shelfwise.db.before-%Y%m%dT%H%M%SZ").to_string();
    let former = backup_file::publish(&copy, &checksum, folder, now, name).with_context(place)?;
    if !whole {
        set_aside(database, &former).with_context(place)?;
    }
    Ok(former)
}

/// Moves the files beside a database away: SQLite would apply them to the new database and destroy it.
fn set_aside(database: &Path, former: &Path) -> io::Result<()> {
    let beside = |of: &Path, ending: &str| {
        let mut name = of.as_os_str().to_owned();
        name.push(ending);
        PathBuf::from(name)
    };
    for ending in [LOG, JOURNAL] {
        let (from, to) = (beside(database, ending), beside(former, ending));
        if from.exists() && database == former {
            fs::remove_file(from)?;
        } else if from.exists() {
            fs::rename(from, to)?;
        }
    }
    let index = beside(database, INDEX);
    if index.exists() { fs::remove_file(index) } else { Ok(()) }
}
