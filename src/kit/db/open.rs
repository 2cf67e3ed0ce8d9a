//! Opens the database file: checks that it is ours, not newer and undamaged, and migrates it.
use std::fs::File;
use std::io::ErrorKind;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::backup_file;
use super::data_dir::give_to_owner_of;
use super::inspect::{
    APPLICATION_ID, BUSY, OpenError, denied, failed, has_foreign_wal, known_schema, lost_its_head, schema_version,
    unusable, whole,
};
use super::upgrade;
use crate::kit::clock::Clock;
use crate::kit::notify;

/// A file up to this many bytes is checked completely at every start, which takes a few milliseconds. Larger files are checked by
/// every backup and by `doctor`.
const CHECKED_AT_START: u64 = 4 * 1024 * 1024;

/// Opens the connection of the writer in WAL mode with full synchronisation, after checking that the file is ours and not newer
/// and migrating it. An existing database is backed up into the folder `backups` beside it before it is migrated.
///
/// # Errors
/// [`OpenError`]; a foreign, newer or damaged file is left unchanged.
pub fn open_writer(path: &Path) -> Result<Connection, OpenError> {
    open_writer_at(path, known_schema())
}

fn open_writer_at(path: &Path, known: i32) -> Result<Connection, OpenError> {
    let failed = |cause: rusqlite::Error| failed(path, &cause);
    // With access for its owner only; SQLite gives the WAL and the index file the same mode.
    let made = File::options().create(true).truncate(false).write(true).mode(0o600).open(path);
    let made = made.and_then(|file| file.metadata().map(|found| (found.len(), file)));
    let (bytes, file) = made.map_err(|cause| match cause.kind() {
        ErrorKind::PermissionDenied => unusable(path, denied(path).unwrap_or_else(|| cause.to_string())),
        _ => unusable(path, cause),
    })?;
    if let Some(folder) = path.parent().filter(|folder| bytes == 0 && !folder.as_os_str().is_empty()) {
        give_to_owner_of(folder, &file).map_err(|cause| unusable(path, cause))?;
    }
    drop(file);
    if lost_its_head(path) {
        let cause = "it is empty, but its WAL beside it is not".to_owned();
        return Err(OpenError::Damaged { path: path.display().to_string(), cause });
    }
    if has_foreign_wal(path) {
        return Err(OpenError::ForeignWal(path.display().to_string()));
    }
    // A connection that may write could checkpoint the WAL of a file that is then refused; this read-only one changes nothing.
    // Files that it can't read without writing (after an interrupted change) are left to the writing connection.
    match looked_at(path, known, bytes) {
        Err(InspectFailure::Refused(refusal)) => return Err(refusal),
        Ok(()) | Err(InspectFailure::Unclear) => {}
    }
    let mut conn = Connection::open(path).map_err(failed)?;
    conn.busy_timeout(BUSY).map_err(failed)?;
    let found = schema_version(&conn, path, known)?;
    conn.set_prepared_statement_cache_capacity(128);
    if found.is_none() {
        conn.pragma_update(None, "application_id", APPLICATION_ID).map_err(failed)?;
    }
    conn.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON;
         PRAGMA cache_size = -16384; PRAGMA journal_size_limit = 33554432;",
    )
    .map_err(failed)?;
    if found.unwrap_or(0) < known {
        if let Some(found) = found {
            tracing::info!(from = found, to = known, "upgrading the database, after a backup; this may take minutes");
            notify::starting("Upgrading the database. This may take minutes.");
            back_up_first(&conn, path)?;
        }
        // What SQLite keeps to undo the exchange of a large table is a file.
        upgrade::run(&mut conn, path, known)?;
    }
    conn.execute_batch("PRAGMA temp_store = MEMORY").map_err(failed)?;
    Ok(conn)
}

/// The outcome of a look at the file, or why the look was not possible.
enum InspectFailure {
    Refused(OpenError),
    Unclear,
}

fn looked_at(path: &Path, known: i32, bytes: u64) -> Result<(), InspectFailure> {
    if bytes == 0 {
        return Ok(());
    }
    let conn = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX)
        .map_err(|cause| InspectFailure::Refused(failed(path, &cause)))?;
    let _ = conn.busy_timeout(BUSY);
    let readable: rusqlite::Result<i64> = conn.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0));
    match readable {
        Err(cause) if cause.sqlite_error_code() == Some(ErrorCode::ReadOnly) => return Err(InspectFailure::Unclear),
        Err(cause) => return Err(InspectFailure::Refused(failed(path, &cause))),
        Ok(_) => {}
    }
    schema_version(&conn, path, known).map_err(InspectFailure::Refused)?;
    if bytes <= CHECKED_AT_START {
        whole(&conn, path, "quick_check").map_err(InspectFailure::Refused)?;
    }
    Ok(())
}

fn back_up_first(conn: &Connection, path: &Path) -> Result<(), OpenError> {
    let folder = path.with_file_name("backups");
    let made = backup_file::take(conn, &folder, Clock::default().now()).map_err(|cause| {
        unusable(path, format!("it must be migrated, but the backup before that failed: {cause:#}"))
    })?;
    tracing::info!(backup = %made.display(), "backed up the database before its migration");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::db::inspect::{inspect, migrations};

    fn versions(path: &Path) -> i32 {
        let conn = Connection::open(path).unwrap();
        conn.query_row("SELECT max(version) FROM refinery_schema_history", [], |row| row.get(0)).unwrap()
    }

    #[test]
    fn a_database_of_every_earlier_version_is_backed_up_before_it_is_migrated() {
        let versions_known = migrations::runner().get_migrations().iter().map(|one| one.version()).collect::<Vec<_>>();
        for version in versions_known.into_iter().filter(|version| *version < known_schema()) {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("shelfwise.db");
            open_writer_at(&path, version).unwrap().close().unwrap();
            assert!(!folder.path().join("backups").exists(), "a new database needs no backup");
            open_writer(&path).unwrap().close().unwrap();
            assert_eq!(versions(&path), known_schema());
            let kept: Vec<_> =
                std::fs::read_dir(folder.path().join("backups")).unwrap().map(|e| e.unwrap().path()).collect();
            let backup = kept.iter().find(|path| path.extension().is_some_and(|ending| ending == "db")).unwrap();
            assert_eq!((kept.len(), versions(backup)), (2, version));
            backup_file::verify(backup).unwrap();
        }
    }

    #[test]
    fn no_backup_no_migration() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("shelfwise.db");
        open_writer_at(&path, 1).unwrap().close().unwrap();
        std::fs::write(folder.path().join("backups"), "in the way").unwrap();
        assert!(open_writer(&path).unwrap_err().to_string().contains("backup before that failed"));
        assert_eq!(versions(&path), 1);
    }

    #[test]
    fn a_newer_database_keeps_even_the_log_that_a_crash_left() {
        let folder = tempfile::tempdir().unwrap();
        let (path, crashed) = (folder.path().join("live.db"), folder.path().join("crashed.db"));
        let conn = open_writer(&path).unwrap();
        conn.execute("UPDATE refinery_schema_history SET version = 9999 WHERE version = 1", []).unwrap();
        std::fs::copy(&path, &crashed).unwrap();
        std::fs::copy(folder.path().join("live.db-wal"), folder.path().join("crashed.db-wal")).unwrap();
        let before = (std::fs::read(&crashed).unwrap(), std::fs::read(folder.path().join("crashed.db-wal")).unwrap());
        assert!(matches!(open_writer(&crashed), Err(OpenError::Newer { found: 9999, .. })));
        let after = (std::fs::read(&crashed).unwrap(), std::fs::read(folder.path().join("crashed.db-wal")).unwrap());
        assert!(before == after);
    }

    #[test]
    fn a_small_file_that_is_damaged_anywhere_is_refused_at_the_start() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("shelfwise.db");
        let conn = open_writer(&path).unwrap();
        // Free pages, which migrations leave, hold nothing that could be damaged.
        conn.execute_batch("VACUUM").unwrap();
        conn.close().unwrap();
        let sound = std::fs::read(&path).unwrap();
        for page in 0..sound.len() / 4096 {
            let mut damaged = sound.clone();
            damaged[page * 4096..page * 4096 + 64].fill(0xa5);
            std::fs::write(&path, &damaged).unwrap();
            assert!(matches!(open_writer(&path), Err(OpenError::Damaged { .. })), "page {page}");
            assert!(std::fs::read(&path).unwrap() == damaged);
        }
    }

    #[test]
    fn an_emptied_file_is_refused_while_its_log_could_still_bring_it_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("shelfwise.db");
        let conn = open_writer(&path).unwrap();
        let wal = std::fs::read(folder.path().join("shelfwise.db-wal")).unwrap();
        drop(conn);
        std::fs::write(&path, "").unwrap();
        std::fs::write(folder.path().join("shelfwise.db-wal"), &wal).unwrap();
        assert!(matches!(open_writer(&path), Err(OpenError::Damaged { .. })));
        assert!(std::fs::read(folder.path().join("shelfwise.db-wal")).unwrap() == wal);
    }

    #[test]
    fn a_file_whose_name_means_something_in_an_address_is_the_one_looked_at() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a?mode=memory#b%20 é.db");
        open_writer(&path).unwrap().close().unwrap();
        assert_eq!(inspect(&path).unwrap(), known_schema());
        assert!(inspect(&folder.path().join("missing.db")).is_err());
    }
}
