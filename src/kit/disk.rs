//! The space on a disk, and the kind of its file system.
use std::path::Path;

/// The bytes that the server's user may still store on the disk of a folder.
pub fn free_space(folder: &Path) -> std::io::Result<u64> {
    let found = rustix::fs::statvfs(folder)?;
    Ok(found.f_bavail.saturating_mul(found.f_frsize))
}

/// File systems whose locks or shared memory can't be relied on, by their numbers in the system's answer, which are those of the
/// kernel's `magic.h`.
const SHARED: [(u64, &str); 6] = [
    (0x6969, "NFS"),
    (0x517b, "SMB"),
    (0xff53_4d42, "SMB"),
    (0xfe53_4d42, "SMB"),
    (0x0102_1997, "9p"),
    (0x6573_5546, "FUSE or virtiofs"),
];

/// What an operator should know about the file system of a data directory; `None` for a local disk.
pub fn shared_file_system(folder: &Path) -> Option<String> {
    let number = rustix::fs::statfs(folder).ok()?.f_type.cast_unsigned() & 0xffff_ffff;
    let (_, name) = SHARED.into_iter().find(|(known, _)| *known == number)?;
    Some(format!(
        "{} is on {name}: SQLite's locks can't be relied on there, so that a second server or a command may damage the database. Put it on a \
         local disk; backups may go there",
        folder.display()
    ))
}
