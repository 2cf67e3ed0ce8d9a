//! A database and its WAL made one file, so that it can be moved.
//!
//! No symbolic link is followed, in any part of the path: root restores backups in folders whose owner could put one there.
use std::path::Path;
use std::time::Duration;

use anyhow::bail;
use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::inspect::{has_foreign_wal, lost_its_head};

const TO_READ: OpenFlags = OpenFlags::SQLITE_OPEN_READ_ONLY.union(OpenFlags::SQLITE_OPEN_NOFOLLOW);
const TO_WRITE: OpenFlags = OpenFlags::SQLITE_OPEN_READ_WRITE.union(OpenFlags::SQLITE_OPEN_NOFOLLOW);

/// Checkpoints the WAL, so that the database is in one file. Returns whether that was possible: a damaged database is kept
/// unchanged, with its WAL.
///
/// # Errors
/// When another program uses the database; the system's.
pub fn join_wal(database: &Path) -> anyhow::Result<bool> {
    let join = || -> rusqlite::Result<String> {
        // A connection that may write would empty the WAL when it closes, even if it can't read the file.
        let look = Connection::open_with_flags(database, TO_READ)?;
        match look.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(())) {
            Err(cause) if damaged(&cause) => return Err(cause),
            _ => drop(look),
        }
        let conn = Connection::open_with_flags(database, TO_WRITE)?;
        conn.busy_timeout(Duration::from_secs(2))?;
        let mode = conn.query_row("PRAGMA journal_mode = DELETE", [], |row| row.get(0))?;
        conn.close().map_err(|(_, cause)| cause)?;
        Ok(mode)
    };
    if lost_its_head(database) || has_foreign_wal(database) {
        return Ok(false);
    }
    match join() {
        Ok(mode) if mode == "delete" => Ok(true),
        Err(cause) if damaged(&cause) => Ok(false),
        Ok(_) => bail!("another program is using it"),
        Err(cause) => match cause.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => bail!("another program is using it"),
            _ => Err(cause.into()),
        },
    }
}

fn damaged(cause: &rusqlite::Error) -> bool {
    matches!(cause.sqlite_error_code(), Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase))
}

/// Changes a database that nobody else uses, erasing what it deletes, and leaves it as one file.
pub fn change(database: &Path, call: impl FnOnce(&Connection) -> rusqlite::Result<()>) -> rusqlite::Result<()> {
    let conn = Connection::open_with_flags(database, TO_WRITE)?;
    conn.execute_batch("PRAGMA secure_delete = ON;")?;
    call(&conn)?;
    // Into one file: the files kept from a damaged server may include a WAL.
    conn.execute_batch("PRAGMA journal_mode = DELETE;")?;
    conn.close().map_err(|(_, cause)| cause)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_link_in_any_part_of_the_path_is_refused_and_what_it_leads_to_stays_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let root = std::fs::canonicalize(folder.path()).unwrap();
        std::fs::create_dir(root.join("of_root")).unwrap();
        let database = root.join("of_root/other.db");
        let conn = Connection::open(&database).unwrap();
        conn.execute_batch("PRAGMA journal_mode = WAL; CREATE TABLE kept (id)").unwrap();
        conn.close().unwrap();
        let before = std::fs::read(&database).unwrap();
        symlink(&database, root.join("shelfwise.db")).unwrap();
        symlink(root.join("of_root"), root.join("work")).unwrap();
        for path in [root.join("shelfwise.db"), root.join("work/other.db")] {
            assert!(change(&path, |conn| conn.execute_batch("DROP TABLE kept")).is_err(), "{}", path.display());
            assert!(join_wal(&path).is_err(), "{}", path.display());
        }
        assert_eq!(std::fs::read(&database).unwrap(), before);
        assert!(join_wal(&database).unwrap());
    }
}
