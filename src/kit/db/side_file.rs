//! A read-only SQLite file beside the database that somebody else makes: it may be missing, appear, and be replaced while the
//! server runs.
//!
//! The file is opened as immutable, so no lock and no file appears beside it. Its pages are read, not mapped: a mapped file that is
//! written over in its place would end the process.
use std::fmt::Display;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

pub use super::inspect::immutable;

/// Why a file that is there can't be used. Each is a sentence for the operator.
#[derive(Debug, thiserror::Error)]
pub enum SideFileError {
    /// A file of another kind.
    #[error("{0} is not a file that `shelfwise catalogue build` has made")]
    Foreign(String),
    /// Made by another version of the program.
    #[error("{path} has version {found}, and this program reads version {known}: please make it again")]
    Version {
        /// The file.
        path: String,
        /// Its version.
        found: i32,
        /// The version of this program.
        known: i32,
    },
    /// Damaged or unreadable.
    #[error("{path} can't be read: {cause}")]
    Damaged {
        /// The file.
        path: String,
        /// The message of the system or of SQLite.
        cause: String,
    },
}

impl SideFileError {
    /// A file that can't be read.
    pub fn damaged(path: &Path, cause: &dyn Display) -> Self {
        Self::Damaged { path: path.display().to_string(), cause: cause.to_string() }
    }
}

/// A kind of file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kind {
    /// The `application_id` that identifies it.
    pub application_id: i32,
    /// The version that this program reads, its `user_version`.
    pub version: i32,
}

/// The offline catalogue, "SHLC".
pub const CATALOGUE: Kind = Kind { application_id: 0x5348_4c43, version: 1 };

/// The file of a path.
#[derive(Debug)]
pub struct SideFile {
    path: PathBuf,
    kind: Kind,
}

impl SideFile {
    /// The file of a path, of a kind. It may be missing.
    pub fn new(path: &Path, kind: Kind) -> Self {
        Self { path: path.to_owned(), kind }
    }

    /// The path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether there is a file, of whatever kind.
    pub fn is_there(&self) -> bool {
        self.path.is_file()
    }

    /// Calls with a connection to the file as it is now; `None` when there is no file. It blocks.
    ///
    /// # Errors
    /// The file is of another kind or version, or can't be read.
    pub fn read<T>(&self, call: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<Option<T>, SideFileError> {
        match fs::metadata(&self.path) {
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(cause) => return Err(SideFileError::damaged(&self.path, &cause)),
            Ok(_) => {}
        }
        let conn = open_side_file(&self.path, self.kind)?;
        call(&conn).map(Some).map_err(|cause| SideFileError::damaged(&self.path, &cause))
    }
}

/// Opens a file.
///
/// # Errors
/// The file is missing, of another kind or version, or can't be read.
pub fn open_side_file(path: &Path, kind: Kind) -> Result<Connection, SideFileError> {
    let failed = |cause: rusqlite::Error| match cause.sqlite_error_code() {
        Some(rusqlite::ErrorCode::NotADatabase) => SideFileError::Foreign(path.display().to_string()),
        _ => SideFileError::damaged(path, &cause),
    };
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
    let conn = Connection::open_with_flags(immutable(path), flags).map_err(failed)?;
    // The file may come from elsewhere: nothing in it is run, and damaged pages are noticed.
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true).map_err(failed)?;
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false).map_err(failed)?;
    conn.execute_batch("PRAGMA cell_size_check = ON; PRAGMA cache_size = -8192").map_err(failed)?;
    let number = |sql: &str| conn.query_row(sql, [], |row| row.get::<_, i32>(0)).map_err(failed);
    if number("PRAGMA application_id")? != kind.application_id {
        return Err(SideFileError::Foreign(path.display().to_string()));
    }
    match number("PRAGMA user_version")? {
        found if found == kind.version => Ok(conn),
        found => Err(SideFileError::Version { path: path.display().to_string(), found, known: kind.version }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(path: &Path, id: i32, version: i32, value: i64) {
        let made = path.with_extension("new");
        let conn = Connection::open(&made).unwrap();
        let sql = format!(
            "PRAGMA application_id = {id}; PRAGMA user_version = {version}; CREATE TABLE t AS SELECT {value} AS v;"
        );
        conn.execute_batch(&sql).unwrap();
        drop(conn);
        fs::rename(made, path).unwrap();
    }

    #[test]
    fn a_file_appears_is_replaced_and_goes_while_it_is_used() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("side? #file.db");
        let file = SideFile::new(&path, Kind { application_id: 7, version: 1 });
        let read = || file.read(|conn| conn.query_row("SELECT v FROM t", [], |row| row.get::<_, i64>(0)));
        assert_eq!(read().unwrap(), None);
        for value in [1, 2] {
            write(&path, 7, 1, value);
            assert_eq!(read().unwrap(), Some(value));
            assert_eq!(read().unwrap(), Some(value));
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        write(&path, 8, 1, 3);
        assert!(matches!(read(), Err(SideFileError::Foreign(_))));
        write(&path, 7, 2, 3);
        assert!(matches!(read(), Err(SideFileError::Version { found: 2, known: 1, .. })));
        fs::write(&path, "no database at all").unwrap();
        assert!(matches!(read(), Err(SideFileError::Foreign(_))));
        fs::remove_file(&path).unwrap();
        assert_eq!(read().unwrap(), None);
    }
}
