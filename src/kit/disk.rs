//! The space on a disk.
use std::path::Path;

/// The space on the disk of a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiskSpace {
    /// The bytes that the server's user may still store.
    pub free: u64,
    /// The bytes of the whole disk.
    pub all: u64,
}

/// Asks the system for the space on the disk of a folder.
///
/// # Errors
/// Those of the system.
pub fn disk_space(folder: &Path) -> std::io::Result<DiskSpace> {
    let found = rustix::fs::statvfs(folder)?;
    let bytes = |blocks: u64| blocks.saturating_mul(found.f_frsize);
    Ok(DiskSpace { free: bytes(found.f_bavail), all: bytes(found.f_blocks) })
}
