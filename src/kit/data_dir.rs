//! The data directory: made for its owner alone, and held by one server at a time.
use std::fs::{self, File, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::Path;

/// Why a data directory can't be held.
#[derive(Debug, thiserror::Error)]
pub enum HoldError {
    /// A server, or a restore, is at work in it.
    #[error("another server holds the data directory {0}")]
    Held(String),
    /// It can't be written to.
    #[error("the data directory {path} can't be used: {cause}")]
    Unusable {
        /// The folder.
        path: String,
        /// The system's words.
        cause: io::Error,
    },
}

/// Makes a folder, for its owner alone, where it is missing.
///
/// # Errors
/// The system's.
pub fn make(folder: &Path) -> io::Result<()> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

/// Holds the data directory against every other server for as long as the answer lives.
///
/// # Errors
/// [`HoldError`].
pub fn hold(folder: &Path) -> Result<File, HoldError> {
    let unusable = |cause| HoldError::Unusable { path: folder.display().to_string(), cause };
    let path = folder.join("shelfwise.lock");
    let file = File::options().create(true).truncate(false).write(true).mode(0o600).open(&path).map_err(unusable)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Err(HoldError::Held(folder.display().to_string())),
        Err(TryLockError::Error(cause)) => return Err(unusable(cause)),
    }
    give_to_owner_of(folder, &path).map_err(unusable)?;
    Ok(file)
}

/// Gives a file to the owner of another where root has made it, so that the server's own user can open it.
///
/// # Errors
/// The system's.
pub fn give_to_owner_of(model: &Path, file: &Path) -> io::Result<()> {
    let (wanted, found) = (fs::metadata(model)?, fs::metadata(file)?);
    if rustix::process::geteuid().is_root() && (wanted.uid(), wanted.gid()) != (found.uid(), found.gid()) {
        std::os::unix::fs::chown(file, Some(wanted.uid()), Some(wanted.gid()))?;
    }
    Ok(())
}
