//! A database and its write-ahead log made one file, so that it can be moved.
use std::path::Path;
use std::time::Duration;

use anyhow::bail;
use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::erasure_notes::note_unswept;
use super::inspect::lost_its_head;

/// Checkpoints the WAL, so that the database is in one file. Returns whether that was possible: a damaged database is kept
/// unchanged, with its WAL.
///
/// # Errors
/// When another program uses the database; the system's.
pub fn join_wal(database: &Path) -> anyhow::Result<bool> {
    let join = || -> rusqlite::Result<String> {
        // A connection that may write would empty the WAL when it closes, even if it can't read the file.
        let look = Connection::open_with_flags(database, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        match look.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(())) {
            Err(cause) if damaged(&cause) => return Err(cause),
            _ => drop(look),
        }
        let conn = Connection::open_with_flags(database, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        conn.busy_timeout(Duration::from_secs(2))?;
        let mode = conn.query_row("PRAGMA journal_mode = DELETE", [], |row| row.get(0))?;
        conn.close().map_err(|(_, cause)| cause)?;
        Ok(mode)
    };
    if lost_its_head(database) {
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
///
/// # Errors
/// The call's; SQLite's.
pub fn change(database: &Path, call: impl FnOnce(&Connection) -> rusqlite::Result<()>) -> rusqlite::Result<()> {
    let conn = Connection::open(database)?;
    conn.execute_batch("PRAGMA secure_delete = ON;")?;
    call(&conn)?;
    // Copies by other programs and former databases may not be swept yet.
    note_unswept(&conn)?;
    // Into one file: the files kept from a damaged server may include a WAL.
    conn.execute_batch("PRAGMA journal_mode = DELETE;")?;
    conn.close().map_err(|(_, cause)| cause)
}
