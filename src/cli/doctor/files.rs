//! Checks files: the data directory, the database, the backup folder.
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, access};

use super::Check;
use crate::account::social::store::has_connected_operator;
use crate::account::store::operators as count_operators;
use crate::catalogue::store::{about, side_file};
use crate::config::Config;
use crate::devices::store::overview::waiting;
use crate::kit::db::inspect::{broken_references, inspect_open, known_schema, open_reader};
use crate::library::books::store::works::{Disagreements, disagreements};

/// The mode bits that let the owner read and write.
const OWNER_READS_AND_WRITES: u32 = 0o600;

/// Checks that the user of this command can use the data directory, and that other users can't.
pub fn folder(path: &Path) -> Result<String, String> {
    let shown = path.display();
    let found = fs::metadata(path).map_err(|cause| format!("{shown} can't be read: {cause}"))?;
    if !found.is_dir() {
        return Err(format!("{shown} is not a folder"));
    }
    access(path, Access::READ_OK | Access::WRITE_OK | Access::EXEC_OK)
        .map_err(|cause| format!("{shown} can't be written to: {cause}"))?;
    private(path, found.mode())?;
    Ok(shown.to_string())
}

/// Checks that only the owner can read a file or folder, because it gives access to every library.
pub fn private(path: &Path, mode: u32) -> Result<(), String> {
    if mode & 0o077 == 0 {
        return Ok(());
    }
    Err(format!("{} is open to others (mode {:o}); chmod go= closes it", path.display(), mode & 0o777))
}

/// Checks that the database and its WAL belong to the server's user, who can write to them.
pub fn permissions(data_dir: &Path, database: &Path) -> Result<String, String> {
    let owner = fs::metadata(data_dir).map_err(|cause| cause.to_string())?.uid();
    for ending in ["", "-wal", "-shm"] {
        let mut name = database.as_os_str().to_owned();
        name.push(ending);
        let path = PathBuf::from(name);
        let Ok(found) = fs::metadata(&path) else { continue };
        private(&path, found.mode())?;
        if found.uid() != owner {
            return Err(format!("{} does not belong to the owner of its folder", path.display()));
        }
        if found.mode() & OWNER_READS_AND_WRITES != OWNER_READS_AND_WRITES {
            let (shown, mode) = (path.display(), found.mode() & 0o777);
            return Err(format!("the server can't write to {shown} (mode {mode:o}); chmod u+rw lets it"));
        }
    }
    Ok("for their owner alone".into())
}

/// Checks that the database is ours, has a known schema and is not damaged.
pub fn whole(database: &Path) -> Result<String, String> {
    if fs::metadata(database).map_err(|cause| cause.to_string())?.len() == 0 {
        let shown = database.display();
        return Err(format!(
            "{shown} is empty: the next start would create a new database in it. Restore a backup first"
        ));
    }
    let conn = open_reader(database).map_err(|cause| cause.to_string())?;
    let schema = inspect_open(&conn, database).map_err(|cause| cause.to_string())?;
    let orphans = broken_references(&conn).map_err(|cause| cause.to_string())?;
    if orphans > 0 {
        return Err(format!("{orphans} rows refer to missing rows"));
    }
    match known_schema() {
        known if known == schema => Ok(format!("intact, schema {schema}")),
        known => Ok(format!(
            "intact, schema {schema}; the next start backs it up and migrates it to {known}, which may take minutes"
        )),
    }
}

/// Checks that the reads of each book agree. No result for a database that can't be read or is of an earlier schema.
pub fn works(database: &Path) -> Option<Check> {
    let conn = open_reader(database).ok()?;
    let found = disagreements(&conn).ok()?;
    let repair = "run `shelfwise doctor --repair works`";
    let read = |count: i64, one: &str, many: &str| match count {
        1 => format!("1 read {one}: {repair}"),
        _ => format!("{count} reads {many}: {repair}"),
    };
    Some(Check::of(
        "works",
        match found {
            Disagreements { headless: 0, common: 0 } => Ok("the reads of each book agree".into()),
            Disagreements { headless: 0, common } => {
                let what = "about the series, tags or year of";
                Err(read(common, &format!("disagrees {what} its book"), &format!("disagree {what} their book")))
            }
            Disagreements { headless, .. } => {
                Err(read(headless, "belongs to no first read", "belong to no first read"))
            }
        },
    ))
}

/// How many documents that devices report wait. No result where none does, or for a database that can't be read.
pub fn documents(database: &Path) -> Option<Check> {
    let (documents, accounts) = waiting(&open_reader(database).ok()?).ok().filter(|(documents, _)| *documents > 0)?;
    let count = |count: i64, one: &str| if count == 1 { format!("1 {one}") } else { format!("{count} {one}s") };
    let (documents, readers) = (count(documents, "document"), count(accounts, "reader"));
    Some(Check::of("devices", Ok(format!("{documents} of {readers} waiting under \"What is this?\""))))
}

/// Warns about a server without an operator who can sign in, because no one can then use the Admin page. No result for a database
/// that can't be read.
pub fn operators(config: &Config) -> Option<Check> {
    let conn = open_reader(&config.database()).ok()?;
    let by_groups = config.social.values().any(|social| !social.operator_groups.is_empty());
    if !config.password_login && !by_groups && !has_connected_operator(&conn, &config.ways_in()).ok()? {
        let detail = "none can sign in: password_login is false, and no operator is connected to a provider";
        return Some(Check::warning("operators", detail));
    }
    Some(match count_operators(&conn).ok()? {
        0 => Check::warning(
            "operators",
            "there are none; `shelfwise setup-code` prints an address that makes one, and `shelfwise user promote EMAIL` makes an account one",
        ),
        1 => Check::of("operators", Ok("there is one".into())),
        count => Check::of("operators", Ok(format!("there are {count}"))),
    })
}

/// Checks the backup folder, which contains every reader's library. It may be missing: the first backup creates it.
pub fn backup_folder(folder: &Path) -> Result<String, String> {
    match fs::metadata(folder) {
        Ok(found) if !found.is_dir() => Err(format!("{} is not a folder", folder.display())),
        Ok(found) => private(folder, found.mode()).map(|()| format!("{} is for its owner alone", folder.display())),
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => Ok(format!("{} is not there yet", folder.display())),
        Err(cause) => Err(format!("{} can't be read: {cause}", folder.display())),
    }
}

/// Checks the offline catalogue. No result without one.
pub fn catalogue(path: &Path) -> Option<Check> {
    let read = side_file(path).read(about).map_err(|cause| cause.to_string()).transpose()?;
    Some(Check::of("catalogue", read.map(|about| about.summary())))
}
