//! Why the system does not let this program use a file: whose it is, and as whom this program runs.
use std::fs::{self, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, absolute};

use rustix::fs::{Access, access};
use rustix::process::{getegid, geteuid};

/// The system's message, or, for a refusal, a sentence with the file, its owner, this program's user and the way out.
pub fn explained(path: &Path, cause: &io::Error) -> String {
    let denied = (cause.kind() == io::ErrorKind::PermissionDenied).then(|| denial(path)).flatten();
    denied.unwrap_or_else(|| cause.to_string())
}

/// Why this program may not read and write a file or folder, or make it; `None` when it may, or the owner and the mode don't say why
/// not.
pub fn denial(path: &Path) -> Option<String> {
    let whole = absolute(path).ok()?;
    let mut places: Vec<_> = whole.ancestors().collect();
    places.reverse();
    let found: Vec<_> = places.into_iter().map_while(|place| Some((place, fs::metadata(place).ok()?))).collect();
    let last = found.len().checked_sub(1)?;
    let refused = found.iter().enumerate().find(|(number, (place, found))| {
        let needed = match found.is_dir() {
            true if *number < last => Access::EXEC_OK,
            true => Access::READ_OK | Access::WRITE_OK | Access::EXEC_OK,
            false => Access::READ_OK | Access::WRITE_OK,
        };
        access(*place, needed).is_err()
    });
    refused.and_then(|(_, (place, found))| sentence(&whole, place, found))
}

/// What is wrong with `place`, which is `path` or a folder above it.
fn sentence(path: &Path, place: &Path, found: &Metadata) -> Option<String> {
    let (user, group, owner, mode) = (geteuid().as_raw(), getegid().as_raw(), found.uid(), found.mode() & 0o777);
    let (is_above, place, path) = (place != path, place.display(), path.display());
    if owner != user {
        let said = format!("{place} belongs to user {owner} (mode {mode:o}), and this program runs as user {user}");
        return Some(match is_above {
            true => format!("{said}. Let root make the folder: install -d -m 700 -o {user} -g {group} {path}"),
            false => format!("{said}. Run it as user {owner}, or let root give it away: chown {user}:{group} {place}"),
        });
    }
    let needed = if found.is_dir() { 0o700 } else { 0o600 };
    (mode & needed != needed).then(|| {
        format!("{place} has mode {mode:o}, which keeps its owner out, user {user}, as whom this program runs: chmod u+rwX {place}")
    })
}
