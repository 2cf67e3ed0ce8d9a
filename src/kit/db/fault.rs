//! Why the database can't be read or written, and how the last change ended.
use std::fmt;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use rusqlite::ErrorCode;

/// Why the database can't be used. The text is a sentence without a path, which anybody may read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// A disk or its quota is full.
    DiskFull,
    /// The data directory or the file can't be written.
    ReadOnly,
    /// The file at the database's path is missing or is not the one that was opened.
    Gone,
    /// The last change could not be stored.
    WriteFailed,
    /// Reading failed.
    ReadFailed,
    /// Reading or writing took too long.
    Slow,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::DiskFull => "The disk is full.",
            Self::ReadOnly => "The data directory is read-only.",
            Self::Gone => "The database file was moved or deleted.",
            Self::WriteFailed => "The last change could not be stored.",
            Self::ReadFailed => "The database can't be read.",
            Self::Slow => "The database does not answer in time.",
        })
    }
}

impl Fault {
    /// The fault behind an error of SQLite; `None` for an error that says nothing about the disk.
    pub fn of_write(cause: &rusqlite::Error) -> Option<Self> {
        match cause.sqlite_error_code()? {
            ErrorCode::DiskFull => Some(Self::DiskFull),
            ErrorCode::ReadOnly => Some(Self::ReadOnly),
            ErrorCode::SystemIoFailure | ErrorCode::CannotOpen | ErrorCode::DatabaseCorrupt => Some(Self::WriteFailed),
            _ => None,
        }
    }

    /// The fault behind an error of storing bytes.
    pub fn of_file(cause: &io::Error) -> Self {
        match cause.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::DiskFull,
            io::ErrorKind::ReadOnlyFilesystem | io::ErrorKind::PermissionDenied => Self::ReadOnly,
            _ => Self::WriteFailed,
        }
    }
}

/// The outcome of the last change of the database. A line is logged whenever it changes.
#[derive(Debug, Default)]
pub struct LastWrite(Mutex<Option<Fault>>);

impl LastWrite {
    /// Records the outcome of a change.
    pub fn note(&self, fault: Option<Fault>) {
        let before = std::mem::replace(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner), fault);
        match (before, fault) {
            (None, Some(fault)) => tracing::error!(reason = %fault, "writing to the database failed"),
            (Some(_), None) => tracing::info!("writing to the database works again"),
            _ => {}
        }
    }

    /// Why the last change could not be stored; `None` when it was stored.
    pub fn fault(&self) -> Option<Fault> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Identifies a file, to detect another file at the same path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileId(u64, u64);

impl FileId {
    /// The identity of the file at a path; `None` when there is no file.
    pub fn of(path: &Path) -> Option<Self> {
        fs::metadata(path).ok().map(|file| Self(file.dev(), file.ino()))
    }
}

/// Why the database did not take a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StorageRefusal {
    /// The server is stopping.
    Stopping,
    /// No connection came free in time.
    NoConnection,
    /// The change could not be committed.
    NotSaved,
    /// The file can't be read or written.
    Unreachable,
}
