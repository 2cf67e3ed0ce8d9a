//! The data directory: created with access for its owner only, and locked by one server at a time.
use std::fs::{self, File, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::Path;

use rustix::fs::OFlags;
use rustix::io::Errno;

use super::permissions::denial;

/// Why a data directory can't be locked.
#[derive(Debug, thiserror::Error)]
pub enum HoldError {
    /// A server or a restore is using it.
    #[error("another server holds the data directory {0}")]
    Held(String),
    /// It can't be written.
    #[error("the data directory {path} can't be used: {cause}")]
    Unusable {
        /// The directory.
        path: String,
        /// The system's message, or whose the folder is.
        cause: String,
    },
}

/// Creates a folder, with access for its owner only, when it is missing. A folder that root creates inside another user's folder
/// is given to that user, because the server runs as that user.
pub fn make(folder: &Path) -> io::Result<()> {
    let missing = !folder.exists();
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    let parent = folder.parent().filter(|parent| !parent.as_os_str().is_empty());
    match parent.filter(|_| missing) {
        Some(parent) => {
            let flags = (OFlags::NOFOLLOW | OFlags::DIRECTORY).bits().cast_signed();
            give_to_owner_of(parent, &File::options().read(true).custom_flags(flags).open(folder)?)
        }
        None => Ok(()),
    }
}

/// Locks the data directory against other servers until the returned file is dropped.
///
/// # Errors
/// [`HoldError`], also when the lock file is a link or not a regular file.
pub fn hold(folder: &Path) -> Result<File, HoldError> {
    let lock = folder.join("shelfwise.lock");
    let unusable = |cause: io::Error| {
        let denied = cause.kind() == io::ErrorKind::PermissionDenied;
        let denied = [folder, &lock].into_iter().filter(|_| denied).find_map(denial);
        let cause = denied.unwrap_or_else(|| cause.to_string());
        HoldError::Unusable { path: folder.display().to_string(), cause }
    };
    // The folder's owner can put anything in place of the lock file: root must neither follow a link nor wait for a pipe.
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed();
    let mut options = File::options();
    options.create(true).truncate(false).write(true).mode(0o600).custom_flags(flags);
    let file = options.open(&lock).map_err(|cause| match cause.raw_os_error() {
        Some(code) if code == Errno::LOOP.raw_os_error() => unusable(io::Error::other("shelfwise.lock is a link")),
        _ => unusable(cause),
    })?;
    own_file(&file).map_err(unusable)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Err(HoldError::Held(folder.display().to_string())),
        Err(TryLockError::Error(cause)) => return Err(unusable(cause)),
    }
    give_to_owner_of(folder, &file).map_err(unusable)?;
    Ok(file)
}

/// Checks that an open file is a regular file with one name, so that it can't be another user's file.
fn own_file(file: &File) -> io::Result<()> {
    let found = file.metadata()?;
    match found.is_dir() || (found.is_file() && found.nlink() == 1) {
        true => Ok(()),
        false => Err(io::Error::other("it is not a regular file with one name")),
    }
}

/// Gives an open file or folder that root has created to the owner of the folder that contains it, so that the server's user can
/// use it. The change applies to the open file, even if its name refers to something else by now.
///
/// # Errors
/// The system's; a file with a second hard link is left unchanged.
pub fn give_to_owner_of(folder: &Path, file: &File) -> io::Result<()> {
    let (wanted, found) = (fs::metadata(folder)?, file.metadata()?);
    if !rustix::process::geteuid().is_root() || (wanted.uid(), wanted.gid()) == (found.uid(), found.gid()) {
        return Ok(());
    }
    own_file(file)?;
    std::os::unix::fs::fchown(file, Some(wanted.uid()), Some(wanted.gid()))
}
