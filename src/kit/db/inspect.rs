//! What a database file is: ours or another program's, of which schema, and whole; and reading it without changing it.
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::permissions::denial;

mod schema {
    refinery::embed_migrations!("migrations");
}
pub(super) use schema::migrations;

/// How long a statement waits for another process, such as a command beside the server.
pub const BUSY: Duration = Duration::from_secs(5);
/// "SHLF", the `application_id` that identifies our files.
pub(super) const APPLICATION_ID: i32 = 0x5348_4c46;
/// The smallest possible database, in bytes.
const SHORTEST: u64 = 512;
/// Where a database says how it is written, and what stands there when that is without a WAL.
const WRITTEN: (u64, [u8; 2]) = (18, [1, 1]);

/// Why a database can't be opened. Each variant is a sentence for the operator.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// This program does not know the schema version.
    #[error(
        "{path} was written by a newer Shelfwise (schema {found}, this program knows {known}). Please update the program."
    )]
    Newer {
        /// The path of the file.
        path: String,
        /// Its schema version.
        found: i32,
        /// The newest schema version that this program knows.
        known: i32,
    },
    /// A database of another program.
    #[error("{0} is a database of another program, not Shelfwise's.")]
    Foreign(String),
    /// A database without a WAL, as every backup is, beside a WAL.
    #[error(
        "{0} and {0}-wal beside it are two states of the library: a backup was copied here, and the WAL of the former database stayed. \
         Nothing was changed. Move {0}-wal and {0}-shm away to use {0} as it is; `shelfwise restore` does all of this."
    )]
    ForeignWal(String),
    /// Our database, but SQLite's check found errors.
    #[error("{path} is damaged: {cause}. It was not changed; `shelfwise restore` restores a backup.")]
    Damaged {
        /// The path of the file.
        path: String,
        /// SQLite's message.
        cause: String,
    },
    /// Any other problem: unreadable, read-only, not a database.
    #[error("{path} can't be opened: {cause}")]
    Unusable {
        /// The path of the file.
        path: String,
        /// SQLite's or the system's message.
        cause: String,
    },
}

pub(super) fn unusable(path: &Path, cause: impl std::fmt::Display) -> OpenError {
    OpenError::Unusable { path: path.display().to_string(), cause: cause.to_string() }
}

pub(super) fn failed(path: &Path, cause: &rusqlite::Error) -> OpenError {
    match cause.sqlite_error_code() {
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => damaged(path, &cause.to_string()),
        Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => {
            unusable(path, denied(path).unwrap_or_else(|| cause.to_string()))
        }
        _ => unusable(path, cause),
    }
}

fn damaged(path: &Path, cause: &str) -> OpenError {
    let wal = beside(path, "-wal");
    let cause = match bytes(&wal) {
        0 => cause.to_owned(),
        _ => format!("{cause} (if the file was copied here, {} is of another state: move it away)", wal.display()),
    };
    OpenError::Damaged { path: path.display().to_string(), cause }
}

/// Why this program may not use a database, by the owners of its files.
pub(super) fn denied(path: &Path) -> Option<String> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let files = ["-wal", "-shm"].map(|ending| beside(path, ending));
    let there = files.iter().map(PathBuf::as_path).filter(|file| file.exists());
    [folder, path].into_iter().chain(there).find_map(denial)
}

/// The file beside a database whose name ends in this.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

fn bytes(path: &Path) -> u64 {
    std::fs::metadata(path).map_or(0, |file| file.len())
}

/// The newest schema version that this program knows.
pub fn known_schema() -> i32 {
    migrations::runner().get_migrations().iter().map(|migration| migration.version()).max().unwrap_or(0)
}

/// Whether a file is too short for a database while a WAL stands beside it, which SQLite would discard.
pub fn lost_its_head(path: &Path) -> bool {
    bytes(path) < SHORTEST && bytes(&beside(path, "-wal")) > 0
}

/// Whether a WAL stands beside a database that is written without one. SQLite would apply it.
pub fn has_foreign_wal(path: &Path) -> bool {
    let (at, expected) = WRITTEN;
    let mut found = [0; 2];
    let read = std::fs::File::open(path).and_then(|file| file.read_exact_at(&mut found, at));
    read.is_ok() && found == expected && bytes(&beside(path, "-wal")) > 0
}

/// The schema version of our database; `None` when the database is empty.
pub(super) fn schema_version(conn: &Connection, path: &Path, known: i32) -> Result<Option<i32>, OpenError> {
    let number = |sql: &str| -> Result<i32, OpenError> {
        conn.query_row(sql, [], |row| row.get(0)).map_err(|cause| failed(path, &cause))
    };
    if number("SELECT count(*) FROM sqlite_schema")? == 0 {
        return Ok(None);
    }
    if number("PRAGMA application_id")? != APPLICATION_ID {
        return Err(OpenError::Foreign(path.display().to_string()));
    }
    let found = number("SELECT coalesce(max(version), 0) FROM refinery_schema_history")?;
    if found > known {
        return Err(OpenError::Newer { path: path.display().to_string(), found, known });
    }
    Ok(Some(found))
}

/// Runs one of SQLite's checks, `integrity_check` or the quicker `quick_check`.
pub(super) fn whole(conn: &Connection, path: &Path, check: &str) -> Result<(), OpenError> {
    let verdict: String =
        conn.query_row(&format!("PRAGMA {check}(1)"), [], |row| row.get(0)).map_err(|cause| failed(path, &cause))?;
    if verdict == "ok" {
        return Ok(());
    }
    Err(damaged(path, &verdict))
}

/// The schema version that an upgrade would start from and the version that it would lead to; `None` when no upgrade is needed or
/// the file can't be read.
pub fn pending_upgrade(path: &Path) -> Option<(i32, i32)> {
    let found = open_reader(path).and_then(|conn| schema_version(&conn, path, known_schema())).ok()??;
    (found < known_schema()).then_some((found, known_schema()))
}

/// Opens an existing database read-only.
pub fn open_reader(path: &Path) -> Result<Connection, OpenError> {
    if has_foreign_wal(path) {
        return Err(OpenError::ForeignWal(path.display().to_string()));
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
    // Without a WAL, and where none can be made, nobody writes: a snapshot, for example.
    let is_still = bytes(&beside(path, "-wal")) == 0 && is_read_only(path);
    let conn = match is_still {
        true => Connection::open_with_flags(immutable(path), flags),
        false => Connection::open_with_flags(path, flags.difference(OpenFlags::SQLITE_OPEN_URI)),
    };
    let conn = conn.map_err(|cause| failed(path, &cause))?;
    conn.busy_timeout(BUSY).map_err(|cause| failed(path, &cause))?;
    schema_version(&conn, path, known_schema())?.ok_or_else(|| OpenError::Foreign(path.display().to_string()))?;
    Ok(conn)
}

/// Whether a file is on a file system that nothing can be written to.
fn is_read_only(path: &Path) -> bool {
    rustix::fs::statvfs(path).is_ok_and(|found| found.f_flag.contains(rustix::fs::StatVfsMountFlags::RDONLY))
}

/// Checks a database file that nobody writes to, without leaving files beside it: ours, not newer and undamaged. Returns its
/// schema version.
pub fn inspect(path: &Path) -> Result<i32, OpenError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
    let conn = Connection::open_with_flags(immutable(path), flags).map_err(|cause| failed(path, &cause))?;
    let version = schema_version(&conn, path, known_schema())?;
    whole(&conn, path, "integrity_check")?;
    version.ok_or_else(|| OpenError::Foreign(path.display().to_string()))
}

/// Checks an open database as [`inspect`] does a closed one. Returns its schema version.
pub fn inspect_open(conn: &Connection, path: &Path) -> Result<i32, OpenError> {
    let version = schema_version(conn, path, known_schema())?;
    whole(conn, path, "integrity_check")?;
    version.ok_or_else(|| OpenError::Foreign(path.display().to_string()))
}

/// A SQLite URI that declares a file immutable, so that it is read without a lock, a WAL or an index file.
pub fn immutable(path: &Path) -> String {
    let mut address = String::from("file:");
    for byte in path.as_os_str().as_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => address.push(char::from(*byte)),
            other => address.push_str(&format!("%{other:02X}")),
        }
    }
    address + "?immutable=1"
}

/// How many rows refer to a row that is not there.
pub fn broken_references(conn: &Connection) -> rusqlite::Result<usize> {
    let mut query = conn.prepare("PRAGMA foreign_key_check")?;
    let rows = query.query_map([], |_| Ok(()))?;
    Ok(rows.count())
}
